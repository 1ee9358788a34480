//! Round trips of other formats through Cast and glTF.

#![cfg(all(feature = "cast", feature = "gltf", feature = "seanim"))]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test may end where it fails"
)]

use std::collections::BTreeSet;

use inbetween::cast::{Cast, CastFile, ScaleMode, Store};
use inbetween::core::Blend;
use inbetween::edit::{Settings, resolve};
use inbetween::gltf::Gltf;
use inbetween::merge::Merge;
use inbetween::seanim::Seanim;
use inbetween::{
    Animation, BlendMode, Bone, Document, Finding, Format, Interpolation, Interpolations, Limits,
    Property, Quat, Reading, Skeleton, Target, Track, TrackData, Value,
};
use inbetween_testing::ByteBuilder;

const BONES: u16 = 100;

/// A relative animation of 100 bones as the tools of Call of Duty modding write it: translations
/// and rotations, modifiers that make some bones absolute, and notes.
fn animation(anim_type: u8) -> Vec<u8> {
    let head = ByteBuilder::new().bytes("SEAnim").u16(1).u16(28);
    let head = head.u8s(&[anim_type, 1, 0x43, 0, 0, 0]).f32(30.0).u32(301);
    let head = head.u32(u32::from(BONES)).u8s(&[2, 0, 0, 0]).u32(3);
    let named = head.each(0..BONES, |file, bone| file.cstr(format!("j_bone_{bone}")));
    let modified = named.u8s(&[7, 0, 20, 0]);
    let keyed = modified.each(0..BONES, |file, bone| {
        let first = f32::from(bone) * 0.1;
        let moved = file.u8(0).u16(2).u16(0).f32s(&[first, 0.1, -0.0]).u16(300);
        let turned = moved.f32s(&[f32::MIN_POSITIVE, 1e30, first]).u16(1).u16(3);
        turned.f32s(&[0.6, 0.0, 0.0, 0.8])
    });
    keyed.u16(4).cstr("sndnt#step").u16(9).cstr("end").u16(30).cstr("sndnt#step").build()
}

/// Converts a file and returns it with the ids of the findings of reading and writing.
fn convert(bytes: &[u8], from: &dyn Format, to: &dyn Format) -> (Vec<u8>, Vec<&'static str>) {
    let limits = Limits::default();
    let read = from.read(bytes, &limits).expect("a valid file");
    let written = to.write(read.value, &limits).expect("a document that fits");
    let findings = read.findings.iter().chain(&written.findings);
    (written.value, findings.map(|finding| finding.code.id()).collect())
}

/// A walk as from an exporter: a moving root, two turning hips, a key on each of 31 frames at 30
/// frames per second, looped, with a note per step.
fn walk() -> Vec<u8> {
    let head = ByteBuilder::new().bytes("SEAnim").u16(1).u16(28);
    let head = head.u8s(&[0, 1, 0x43, 0, 0, 0]).f32(30.0).u32(31).u32(3).u8s(&[0; 4]).u32(3);
    let named = head.cstr("tag_origin").cstr("j_hip_le").cstr("j_hip_ri");
    let frames = || 0..31_u8;
    let moved = named.u8(0).u8(31).each(frames(), |file, frame| {
        let way = f32::from(frame) * 2.1;
        file.u8(frame).f32s(&[0.0, way, (way * 0.3).sin() * 0.7])
    });
    let turned = |file: ByteBuilder, side: f32| {
        file.u8(31).each(frames(), |file, frame| {
            let angle = side * (f32::from(frame) / 30.0 * core::f32::consts::TAU).sin() * 0.6;
            let (sine, cosine) = (angle / 2.0).sin_cos();
            file.u8(frame).f32s(&[sine, 0.0, 0.0, cosine])
        })
    };
    let still = |file: ByteBuilder, x: f32| file.u8(0).u8(1).u8(0).f32s(&[x, 0.0, 38.0]);
    let left = turned(still(moved.u8(1).u8(0).f32s(&[0.0, 0.0, 0.0, 1.0]), 4.25), 1.0);
    let right = turned(still(left, -4.25), -1.0);
    right.u8(7).cstr("step_left").u8(22).cstr("step_right").u8(30).cstr("end").build()
}

/// Converts a SEAnim file to a format and back; returns it with the distinct ids of the findings of
/// each conversion.
fn there_and_back(seanim: &[u8], bridge: &dyn Format) -> (Vec<u8>, [BTreeSet<&'static str>; 2]) {
    let (there, out) = convert(seanim, &Seanim::default(), bridge);
    let (back, home) = convert(&there, bridge, &Seanim::default());
    (back, [out, home].map(BTreeSet::from_iter))
}

#[test]
fn a_walk_survives_cast_byte_for_byte() {
    let (back, findings) = there_and_back(&walk(), &Cast::default());
    assert!(back == walk());
    assert_eq!(findings.map(Vec::from_iter), [[""; 0]; 2]);
}

#[test]
fn a_walk_with_rounded_times_survives_gltf_byte_for_byte() {
    let (back, findings) = there_and_back(&walk(), &Gltf::default());
    assert!(back == walk());
    // Rounded times are recognized as frames.
    let there = vec!["convert/times-rounded", "gltf/parents-unknown"];
    assert_eq!(findings.map(Vec::from_iter), [there, vec!["convert/times-rounded"]]);
}

#[test]
fn the_walk_of_the_fixtures_survives_both_byte_for_byte() {
    let mut cases = inbetween_testing::cases::of("seanim").into_iter();
    let seanim = cases.find(|case| case.name == "walk").unwrap().bytes;
    // A bone has no scale keys, and neither format stores the empty list that SEAnim has for each
    // bone.
    let (back, findings) = there_and_back(&seanim, &Cast::default());
    assert!(back == seanim);
    let expected = [vec!["convert/empty-tracks-dropped"], vec!["seanim/channels-filled"]];
    assert_eq!(findings.map(Vec::from_iter), expected);
    let (back, findings) = there_and_back(&seanim, &Gltf::default());
    assert!(back == seanim);
    let there = vec!["convert/empty-tracks-dropped", "gltf/parents-unknown"];
    let expected = [there, vec!["seanim/channels-filled"]];
    assert_eq!(findings.map(Vec::from_iter), expected);
}

#[test]
fn a_relative_animation_keeps_its_modes_in_gltf_and_reports_other_losses() {
    let seanim = animation(2);
    let (back, findings) = there_and_back(&seanim, &Gltf::default());
    let there = vec!["convert/times-rounded", "gltf/blend-in-extras", "gltf/parents-unknown"];
    assert_eq!(findings.map(Vec::from_iter), [there, vec!["convert/times-rounded"]]);
    assert!(back == seanim);
}

#[test]
fn a_relative_animation_survives_cast_byte_for_byte() {
    let seanim = animation(2);
    let (cast, findings) = convert(&seanim, &Seanim::default(), &Cast::default());
    assert_eq!(findings, ["cast/override-scope"]);
    let (back, findings) = convert(&cast, &Cast::default(), &Seanim::default());
    assert_eq!(findings, [""; 0]);
    assert_eq!(back, seanim);
}

#[test]
fn an_additive_animation_keeps_its_mode_with_both_modes_of_scales() {
    let seanim = animation(1);
    for scale in [ScaleMode::Absolute, ScaleMode::Additive] {
        let to = Cast::default().with_scale_mode(scale);
        let (cast, _) = convert(&seanim, &Seanim::default(), &to);
        assert_eq!(convert(&cast, &Cast::default(), &Seanim::default()).0, seanim);
    }
}

#[test]
fn a_delta_animation_becomes_relative_with_a_finding() {
    let (cast, findings) = convert(&animation(3), &Seanim::default(), &Cast::default());
    assert_eq!(findings, ["cast/blend-mode-dropped", "cast/override-scope"]);
    let (back, _) = convert(&cast, &Cast::default(), &Seanim::default());
    assert_eq!(back, animation(2));
}

#[test]
fn a_relative_animation_has_relative_translations_and_absolute_rotations() {
    let (cast, _) = convert(&animation(2), &Seanim::default(), &Cast::default());
    let file = CastFile::parse(&cast, &Limits::default()).unwrap();
    let modes = |bone: &str| {
        let curves = file.nodes().filter(|node| node.string("nn") == Some(bone.as_bytes()));
        let modes = curves.filter_map(|node| node.string("m"));
        modes.map(|mode| String::from_utf8_lossy(mode).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(modes("j_bone_0"), ["relative", "relative", "relative", "absolute"]);
    assert_eq!(modes("j_bone_7"), ["absolute"; 4]);
    assert!(!file.nodes().any(|node| node.id().to_string() == "CMOV"));
}

#[test]
fn a_longer_duration_and_bones_without_keys_are_kept_on_request() {
    // Two bones, one without keys, 11 frames, and the last key on frame 3.
    let head = ByteBuilder::new().bytes("SEAnim").u16(1).u16(28).u8s(&[0, 0, 1, 0, 0, 0]);
    let head = head.f32(30.0).u32(11).u32(2).zeros(8).cstr("a").cstr("idle");
    let seanim = head.u8(0).u8(1).u8(3).f32s(&[1.0, 2.0, 3.0]).u8(0).u8(0).build();
    let (_, findings) = convert(&seanim, &Seanim::default(), &Cast::default());
    assert!(findings.contains(&"convert/duration-changed"));
    assert!(findings.contains(&"cast/bone-dropped"));
    let to = Cast::default().with_names(Store::Keep).with_end(Store::Keep);
    let (cast, _) = convert(&seanim, &Seanim::default(), &to);
    let read = Cast::default().read(&cast, &Limits::default()).unwrap();
    let clip = &read.value.clips[0];
    assert_eq!((clip.duration, clip.tracks.len()), (Some(10.0 / 30.0), 2));
    let idle = &clip.tracks[1];
    assert_eq!((idle.target().node.as_deref(), idle.data().len()), (Some("idle"), 0));
}

/// A clip of three bones, each the parent of the next; only the second one is relative.
fn chain() -> Document {
    let names = ["hips", "spine", "head"];
    let track = |(index, name): (usize, &&str)| {
        let blend = if index == 1 { Blend::RestRelative } else { Blend::Absolute };
        let target = Target::new(*name, Property::Translation).with_blend(blend);
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(vec![0.0], vec![[1.0_f32, 2.0, 3.0]], linear, None).unwrap();
        Track::new(target, data).unwrap()
    };
    let bone = |(index, name): (usize, &&str)| Bone {
        node: (*name).into(),
        parent: index.checked_sub(1).map(|parent| names[parent].into()),
        translation: Some([0.0, 1.0, 0.0]),
        rotation: Some(Quat::IDENTITY),
        scale: None,
        ..Bone::default()
    };
    let clip = Animation::new(names.iter().enumerate().map(track).collect());
    let clip = clip.with_rules(inbetween::cast::RULES).with_frame_rate(30.0);
    let skeleton = Skeleton::new(names.iter().enumerate().map(bone).collect()).unwrap();
    Document::single(clip).with_skeleton(skeleton)
}

#[test]
fn curves_keep_their_modes_below_a_bone_with_another_mode() {
    let (limits, cast) = (Limits::default(), Cast::default());
    let written = cast.write(chain(), &limits).unwrap();
    let read = cast.read(&written.value, &limits).unwrap().value;
    let modes = read.clips[0].blend_overrides.iter().map(|each| (&*each.node, each.mode));
    assert_eq!(modes.collect::<Vec<_>>(), [("spine", BlendMode::Relative)]);
    // The head is not relative, although its parent has an override.
    let skeleton = read.skeleton.clone().unwrap();
    let resolved = resolve(read.clone(), &skeleton, &Settings::default()).unwrap().value;
    let heights = resolved.clips[0].tracks.iter().map(|track| track.data().value(0).unwrap());
    let expected = [2.0, 3.0, 2.0].map(|y| Value::Float3([1.0, y, 3.0]));
    assert_eq!(heights.collect::<Vec<_>>(), expected);
    // Bones of SEAnim inherit modifiers, so each gets its own.
    let written = Seanim::default().write(read, &limits).unwrap();
    let read = Seanim::default().read(&written.value, &limits).unwrap().value;
    assert_eq!(read.clips[0].blend_overrides.len(), 3);
    assert_eq!(resolve(read, &skeleton, &Settings::default()).unwrap().value.clips, {
        let mut clips = resolved.clips;
        clips[0].rules = inbetween::seanim::RULES;
        clips
    });
}

#[test]
fn more_overrides_than_a_file_can_store_are_reported() {
    let mut document = chain();
    let clip = &mut document.clips[0];
    let more = (0..300).map(|index| {
        let (mut target, data) = clip.tracks[0].clone().into_parts();
        target.node = Some(format!("more_{index}").into());
        Track::new(target, data).unwrap()
    });
    let more: Vec<Track> = more.collect();
    clip.tracks.extend(more);
    clip.restate_blend();
    let written = Seanim::default().write(document, &Limits::default()).unwrap();
    let codes: Vec<&str> = written.findings.iter().map(|finding| finding.code.id()).collect();
    assert!(codes.contains(&"convert/override-dropped"), "{codes:?}");
    let read = Seanim::default().read(&written.value, &Limits::default()).unwrap().value;
    assert_eq!(read.clips[0].blend_overrides.len(), 1);
}

#[test]
fn blends_without_a_common_mode_are_kept_by_cast_and_reported_by_seanim() {
    let mut cases = inbetween_testing::cases::of("cast").into_iter();
    let turned = cases.find(|case| case.name == "relative-rotation").unwrap().bytes;
    let (again, findings) = convert(&turned, &Cast::default(), &Cast::default());
    assert_eq!((again == turned, findings), (true, vec![]));
    let (_, findings) = convert(&turned, &Cast::default(), &Seanim::default());
    assert_eq!(findings, ["convert/blend-dropped"]);
}

#[test]
fn every_track_whose_blend_seanim_cannot_store_is_reported() {
    let track = |node: &str| {
        let target = Target { blend: Blend::RestRelative, ..Target::new(node, Property::Scale) };
        Track::new(target, TrackData::uniform(1.0, vec![[2.0_f32; 3]])).unwrap()
    };
    let document = Document::single(Animation::new(vec![track("hips"), track("hand")]));
    let written = Seanim::default().write(document, &Limits::default()).unwrap();
    let dropped = |finding: &&Finding| finding.code.id() == "convert/blend-dropped";
    let named = written.findings.iter().filter(dropped).map(|finding| finding.place.to_string());
    assert_eq!(named.collect::<Vec<_>>(), ["hips/Scale", "hand/Scale"]);
}

#[test]
fn merged_files_get_the_bones_of_all() {
    let file = |name: &str| {
        let case = inbetween_testing::cases::of("cast").into_iter().find(|it| it.name == name);
        Reading::new(&Cast::default(), &case.unwrap().bytes, &Limits::default()).unwrap()
    };
    let same = [("walk", file("walk")), ("same", file("walk")), ("none", file("relative"))];
    let to = Cast::default();
    let merge = Merge::new(same, &to).unwrap();
    assert_eq!(merge.document().skeleton, file("walk").document.skeleton);
    let both = [("walk", file("walk")), ("crate", file("model"))];
    let merge = Merge::new(both, &to).unwrap();
    let bones = |reading: &Document| reading.skeleton.as_ref().map(|it| it.bones().len());
    let parts = [file("walk"), file("model")].map(|reading| bones(&reading.document).unwrap());
    assert_eq!(bones(merge.document()), Some(parts.iter().sum()));
}
