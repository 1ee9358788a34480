//! Inspecting files without decoding their keys.

use inbetween_core::{Format, Limits, inspect_fully};
use inbetween_seanim::Seanim;
use inbetween_testing::ByteBuilder;

/// A bone with locations on frames 0 and 30, of a file whose frameCount is 11.
fn late_key() -> Vec<u8> {
    let head = ByteBuilder::new().bytes("SEAnim").u16(1).u16(28).u8s(&[0, 0, 1, 0, 0, 0]);
    let head = head.f32(30.0).u32(11).u32(1).u8s(&[0; 4]).u32(0);
    let keys = head.cstr("hips").u8(0).u8(2).u8(0).f32s(&[0.0; 3]).u8(30).f32s(&[0.0; 3]);
    keys.build()
}

#[test]
fn the_stated_duration_is_that_of_frame_count_and_keys_tell_the_effective_one() {
    let (bytes, limits) = (late_key(), Limits::default());
    let inspection = Seanim::default().inspect(&bytes, &limits).unwrap();
    let clip = &inspection.clips[0];
    assert_eq!((clip.duration, clip.stated_duration), (None, Some(10.0 / 30.0)));
    assert_eq!((clip.tracks.len(), clip.tracks[0].keys), (1, 2));
    let whole = inspect_fully(&Seanim::default(), &bytes, &limits).unwrap();
    assert_eq!(whole.value.clips[0].duration, Some(1.0));
}
