//! The fixtures of BVH against their goldens.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_bvh::Bvh;
use inbetween_core::{
    Animation, Bone, Document, EulerOrder, Interpolation, Interpolations, Marker, Origin, Property,
    Quat, Rules, Skeleton, Slerp, Target, Track, TrackData, Values,
};
use inbetween_testing::{documents, golden};

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&Bvh::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&Bvh::default());
}

#[test]
fn every_error_has_a_file() {
    let never = [
        ("UnexpectedEnd", "text that ends early is invalid"),
        ("UnsupportedVersion", "files have no version"),
        ("Unsupported", "every word of the format is read"),
        ("Missing", "a file refers to nothing"),
        ("Limit", "the file needs a million joints"),
        ("Json", "the format is not JSON"),
    ];
    golden::every_error_has_a_file(&Bvh::default(), &never);
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    let documents = documents::all().into_iter().flat_map(|(_, document)| document.split());
    let others =
        [of_markers(), between_frames(1e-9), uneven(), of_model(), late_rotation(), two_nodes()];
    let documents: Vec<Document> = documents.chain(others).map(with_parents).collect();
    let resampled = between_frames(0.01);
    let at_30 = golden::writing(&Bvh::default().frame_rate(30.0), with_parents(resampled));
    let written =
        documents.into_iter().flat_map(|document| golden::writing(&Bvh::default(), document));
    golden::every_code_is_triggered(&Bvh::default(), written.chain(at_30));
}

/// Adds a parent of all nodes, with a rest rotation and a scale.
fn with_parents(mut document: Document) -> Document {
    // Without rest rotations, angles stay angles.
    let turned = document.clips.iter().all(|clip| clip.tracks.len() > 1);
    let top = Bone {
        node: "top".into(),
        rotation: turned.then_some(Quat { x: 0.0, y: 0.0, z: 0.6, w: 0.8 }),
        scale: Some([2.0; 3]),
        ..Bone::default()
    };
    let mut bones = vec![top];
    for track in document.clips.iter().flat_map(|clip| &clip.tracks) {
        let node = track.target().node.clone();
        if let Some(node) = node.filter(|node| bones.iter().all(|bone| bone.node != *node)) {
            bones.push(Bone { node, parent: Some("top".into()), ..Bone::default() });
        }
    }
    // The first bone comes last, so the tracks are not in the order of the hierarchy.
    if bones.len() > 2 {
        bones.swap(1, 2);
    }
    document.skeleton = Some(Skeleton::new(bones).unwrap());
    document
}

fn linear(times: Vec<f64>, property: Property, values: impl Into<Values>) -> Track {
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, values, linear, None).unwrap();
    Track::new(Target::new("hips", property), data).unwrap()
}

/// A clip with a marker and a rate that `f32` cannot store.
fn of_markers() -> Document {
    let marker = Marker { time: 0.5, name: "step".into() };
    let clip = Animation::default().with_frame_rate(29.97).with_markers(vec![marker]);
    Document::single(clip)
}

/// A clip with a key at a distance from a frame, on a path that is not straight.
fn between_frames(seconds: f64) -> Document {
    let values = vec![[0.0_f32; 3], [9.0; 3], [0.0; 3]];
    let track = linear(vec![0.0, 1.0 + seconds, 2.0], Property::Translation, values);
    let rules = Rules::LINEAR.with_slerp(Slerp::Raw);
    Document::single(Animation::new(vec![track]).with_rules(rules).with_frame_rate(30.0))
}

/// A clip whose keys are on the frames of no rate.
fn uneven() -> Document {
    let data = TrackData::stepped(vec![0.0, 0.333, 0.667, 1.0], vec![[0.0_f32; 3]; 4]);
    let track = Track::new(Target::new("hips", Property::Translation), data.unwrap()).unwrap();
    Document::single(Animation::new(vec![track]))
}

/// A document of a file with meshes.
fn of_model() -> Document {
    let origin = Origin::new("gltf").with_scene(vec!["meshes".into()]);
    Document::single(Animation::default()).with_origin(origin)
}

/// A clip that moves two nodes, with numbers that `f32` cannot store.
fn two_nodes() -> Document {
    let hips = linear(vec![0.0], Property::Translation, vec![[0.1_f64; 3]]);
    let target = Target::new("head", Property::Translation);
    let head = Track::new(target, hips.data().clone()).unwrap();
    Document::single(Animation::new(vec![hips, head]))
}

/// A clip with two rotations of one node, the first of which is far from the next key.
fn late_rotation() -> Document {
    let half = Quat { x: 0.6_f32, y: 0.0, z: 0.8, w: 0.0 };
    let turns = vec![Quat::IDENTITY, half];
    let angles = linear(vec![0.0], Property::RotationEuler(EulerOrder::XYZ), vec![[1.0_f32; 3]]);
    let turns = linear(vec![0.0, 1.0 / 30.0], Property::Rotation, turns);
    Document::single(Animation::new(vec![turns, angles]).with_frame_rate(30.0))
}
