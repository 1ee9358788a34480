//! The fixtures of Unity clips against their goldens.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{
    Animation, Axis, Bone, Document, EulerOrder, Format, Interpolation, Interpolations, Limits,
    Origin, Property, Quat, Rules, Skeleton, Slerp, Tangents, Target, Track, TrackData, Values,
    codes,
};
use inbetween_testing::{cases, documents, golden};
use inbetween_unity_anim::UnityAnim;

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&UnityAnim::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&UnityAnim::default());
}

#[test]
fn every_error_has_a_file() {
    let never = [
        ("UnexpectedEnd", "text that ends early is invalid"),
        ("UnsupportedVersion", "the version of YAML is a part of the magic number"),
        ("Unsupported", "what Unity never writes is invalid"),
        ("Missing", "references to other objects are kept as text"),
        ("Json", "the format is YAML"),
    ];
    golden::every_error_has_a_file(&UnityAnim::default(), &never);
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    let documents = documents::all().into_iter().flat_map(|(_, document)| document.split());
    let others = [
        turning(),
        reordered(),
        of_model(),
        without_model(),
        with_rest(),
        fast_angle(),
        moved_events(),
        named("a/b"),
    ];
    let written = documents.chain(others);
    let written = written.flat_map(|document| golden::writing(&UnityAnim::default(), document));
    golden::every_code_is_triggered(&UnityAnim::default(), written);
}

#[test]
fn each_part_of_a_rest_pose_is_a_named_loss() {
    let lost = |bone| {
        let root = Bone { node: "root".into(), ..Bone::default() };
        let bones = vec![root, Bone { node: "hips".into(), parent: Some("root".into()), ..bone }];
        let document = resting(Bone::default()).with_skeleton(Skeleton::new(bones).unwrap());
        let findings = golden::writing(&UnityAnim::default(), document);
        findings.iter().any(|finding| finding.code == codes::SKELETON_DROPPED)
    };
    let rotation = Some(Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 });
    assert!(lost(Bone { translation: Some([1.0; 3]), ..Bone::default() }));
    assert!(lost(Bone { rotation, ..Bone::default() }));
    assert!(lost(Bone { scale: Some([1.0; 3]), ..Bone::default() }));
    assert!(!lost(Bone::default()));
}

#[test]
fn names_that_are_read_as_paths_are_a_named_loss() {
    let codes = |document| -> Vec<&'static str> {
        let findings = golden::writing(&UnityAnim::default(), document);
        findings.iter().map(|finding| finding.code.id()).collect()
    };
    let (renamed, skeleton) = ("unity-anim/node-renamed", codes::SKELETON_DROPPED.id());
    assert!(codes(named("a/b")).contains(&renamed));
    assert!(codes(named("/b")).contains(&renamed));
    // An empty last part keeps its path, and so does one of two nodes.
    assert!(!codes(named("a/")).contains(&renamed));
    let mut two = named("L/hand");
    two.clips.extend(named("R/hand").clips);
    assert!(!codes(two).contains(&renamed));
    // With a slash in its name, a bone is not below its parent.
    let bones = |child: &str| {
        let root = Bone { node: "root".into(), ..Bone::default() };
        let child = Bone { node: child.into(), parent: Some("root".into()), ..Bone::default() };
        Skeleton::new(vec![root, child]).unwrap()
    };
    assert!(!codes(named("hips").with_skeleton(bones("hips"))).contains(&skeleton));
    assert!(codes(named("a/b").with_skeleton(bones("a/b"))).contains(&skeleton));
    assert!(codes(named("").with_skeleton(bones(""))).contains(&renamed));
}

/// A document with a track of a node.
fn named(node: &str) -> Document {
    let (_, data) = track(Property::Translation, vec![[0.5_f32; 3]]).into_parts();
    let target = Target::new(node, Property::Translation);
    Document::single(Animation::new(vec![Track::new(target, data).unwrap()]))
}

fn track(property: Property, values: impl Into<Values>) -> Track {
    let values = values.into();
    let times = (0..values.len()).map(|key| f64::from(u32::try_from(key).unwrap())).collect();
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, values, linear, None).unwrap();
    Track::new(Target::new("hips", property), data).unwrap()
}

/// A clip with a slerp over more than a right angle, and a rate that `f32` cannot store.
fn turning() -> Document {
    let turns = vec![Quat::IDENTITY, Quat { x: 0.0_f32, y: 0.9, z: 0.0, w: 0.43 }];
    let rules = Rules::LINEAR.with_slerp(Slerp::Raw);
    let clip = Animation::new(vec![track(Property::Rotation, turns)]);
    Document::single(clip.with_rules(rules).with_frame_rate(29.97))
}

/// A clip whose tracks are not in the order of the lists.
fn reordered() -> Document {
    let scale = track(Property::Scale, vec![[1.0_f32; 3]]);
    Document::single(Animation::new(vec![scale, track(Property::Translation, vec![[0.0_f32; 3]])]))
}

/// A document of a file with meshes.
fn of_model() -> Document {
    let origin = Origin::new("gltf").with_scene(vec!["meshes".into()]);
    Document::single(Animation::default()).with_origin(origin)
}

/// A document of a file with other objects, which is gone.
fn without_model() -> Document {
    let origin = Origin::new("unity-anim").with_scene(vec!["objects".into()]);
    Document::single(Animation::default()).with_origin(origin)
}

/// A document with a rest pose.
fn with_rest() -> Document {
    resting(Bone { translation: Some([1.0; 3]), ..Bone::default() })
}

fn resting(bone: Bone) -> Document {
    let bone = Bone { node: "hips".into(), ..bone };
    let clip = Animation::new(vec![track(Property::Translation, vec![[0.1_f64; 3]])]);
    Document::single(clip).with_skeleton(Skeleton::new(vec![bone]).unwrap())
}

/// A document of a file whose events were moved.
fn moved_events() -> Document {
    let case = cases::of("unity-anim").into_iter().find(|case| case.name == "events-with-data");
    let read = UnityAnim::default().read(&case.unwrap().bytes, &Limits::default());
    let mut document = read.unwrap().value;
    document.clips.iter_mut().flat_map(|clip| &mut clip.markers).for_each(|it| it.time += 0.1);
    document
}

/// A clip with one angle that turns very often.
fn fast_angle() -> Document {
    let property = Property::RotationEuler(EulerOrder::XYZ);
    let target = Target::new("hips", property).with_component(Axis::X);
    let left = vec![0.0_f32, 1e6];
    let tangents = Some(Tangents::Values { left: left.clone().into(), right: left.clone().into() });
    let bezier = Interpolations::Shared(Interpolation::Hermite);
    let data = TrackData::curve(vec![0.0, 1.0], left, bezier, tangents).unwrap();
    Document::single(Animation::new(vec![Track::new(target, data).unwrap()]))
}
