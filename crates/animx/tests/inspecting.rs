//! Inspecting files without decoding their keys.

use inbetween_animx::Animx;
use inbetween_core::{Format, Limits, inspect_fully};
use inbetween_testing::ByteBuilder;

/// A Curve track of floats at whole seconds, with the time of a key after its value.
fn curve(keys: u16) -> Vec<u8> {
    let head = ByteBuilder::new().dotnet_string("AnimX").i32(1).seven_bit(1);
    let head = head.f32(0.5).dotnet_string("").u8(0);
    let track = head.u8s(&[2, 21, 0, 0]).seven_bit(u64::from(keys)).u8s(&[0, 1]);
    track.each(0..keys, |file, key| file.f32s(&[-1.0, f32::from(key)])).build()
}

#[test]
fn the_key_order_of_a_long_file_is_from_a_sample_and_says_so() {
    let limits = Limits::default();
    for (keys, words) in [
        (64, "value-first curve keys (the other order gives impossible times), "),
        (
            65,
            "value-first curve keys (the other order gives impossible times, in a sample of the keys), ",
        ),
    ] {
        let bytes = curve(keys);
        let inspection = Animx::default().inspect(&bytes, &limits).unwrap();
        assert!(inspection.layout.starts_with(words), "{}", inspection.layout);
        let clip = &inspection.clips[0];
        assert_eq!((clip.duration, clip.stated_duration), (None, Some(0.5)));
        assert_eq!(clip.tracks[0].keys, usize::from(keys));
        let last = f64::from(keys - 1);
        let whole = inspect_fully(&Animx::default(), &bytes, &limits).unwrap();
        assert_eq!(whole.value.clips[0].duration, Some(last));
    }
}

/// A sample refutes both orders by one key each; only counting all of them decides.
#[test]
fn a_sample_that_does_not_decide_is_followed_by_a_full_scan() {
    let head = ByteBuilder::new().dotnet_string("AnimX").i32(1).seven_bit(1);
    let head = head.f32(0.0).dotnet_string("").u8(0);
    let track = head.u8s(&[2, 21, 0, 0]).seven_bit(100).u8s(&[0, 1]);
    // By the first number, all times but one decrease; by the second, only the last one does.
    let keys = track.each(0..99_u8, |file, key| {
        let time = f32::from(key);
        file.f32s(&[-time, time])
    });
    let bytes = keys.f32s(&[-99.0, 0.0]).build();
    let inspection = Animx::default().inspect(&bytes, &Limits::default()).unwrap();
    let words = "value-first curve keys (both orders give impossible times; this one gives fewer";
    assert!(inspection.layout.starts_with(words), "{}", inspection.layout);
}
