//! SEAnim and Cast: what a file keeps on the way to the other format and back.

#![cfg(all(feature = "cast", feature = "seanim"))]
#![expect(clippy::expect_used, reason = "a test may end where it fails")]

use inbetween::cast::{Cast, CastFile, ScaleMode, Store};
use inbetween::seanim::Seanim;
use inbetween::{Format, Limits};
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

#[test]
fn a_relative_animation_of_seanim_comes_back_from_cast_byte_for_byte() {
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
fn a_delta_animation_becomes_relative_and_a_finding_says_so() {
    let (cast, findings) = convert(&animation(3), &Seanim::default(), &Cast::default());
    assert_eq!(findings, ["convert/blend-dropped", "cast/override-scope"]);
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
    // Two bones, of which one has no keys, for 11 frames with the last key on frame 3.
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
