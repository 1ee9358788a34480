//! The budget of an input, for everything made from it.

#![cfg(all(feature = "animj", feature = "x4-ani"))]
#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "helpers of tests are tests as well"
)]

use std::hint::black_box;

use inbetween::animj::Animj;
use inbetween::core::{Budget, Remedy, SharedBudget};
use inbetween::edit::{EditError, Settings, resample};
use inbetween::x4_ani::X4ani;
use inbetween::{Error, Limits, Reading, Source};
use inbetween_testing::{ByteBuilder, Peak};

#[global_allocator]
static ALLOCATOR: inbetween_testing::peak::PeakAlloc = inbetween_testing::peak::PeakAlloc;

/// An X4 file of many clips, each of a part that turns by a radian per key.
fn turning(clips: i32, keys: i32) -> Vec<u8> {
    let head = ByteBuilder::new().i32s(&[clips, 16 + 160 * clips, 1, 0]);
    let names: Vec<String> = (0..clips).map(|clip| format!("clip{clip}")).collect();
    let table = head.each(&names, |bytes, name| {
        let bytes = bytes.padded_str("anim_dish", 64).padded_str(name, 64);
        let duration = f32::from(u16::try_from(keys).unwrap());
        bytes.i32s(&[0, keys, 0, 0, 0]).f32(duration).i32s(&[0, 0])
    });
    let of_clip: Vec<i32> = (0..clips).flat_map(|_| 0..keys).collect();
    let key = |bytes: ByteBuilder, key: &i32| {
        let key = f32::from(u16::try_from(*key).unwrap());
        bytes.f32s(&[key, 0.0, 0.5]).u32s(&[2; 3]).f32(key).zeros(100)
    };
    table.each(&of_clip, key).build()
}

/// Converts each clip separately; returns the number of clips.
fn convert_each(bytes: &[u8], limits: &Limits) -> Result<usize, Error> {
    let mut source = Source::open(&X4ani::default(), bytes, limits)?;
    let mut clips = 0;
    while let Some((_, clip)) = source.next_clip()? {
        black_box(clip.write(&Animj::default())?.bytes);
        clips += 1;
    }
    Ok(clips)
}

#[test]
fn converting_many_clips_holds_one_clip_at_a_time() {
    let meter = Peak::begin();
    let peak = |clips| {
        let bytes = turning(clips, 2000);
        let (converted, peak) = meter.measure(|| convert_each(&bytes, &Limits::default()));
        assert_eq!(converted.unwrap(), usize::try_from(clips).unwrap());
        peak
    };
    let (few, many) = (peak(2), peak(64));
    // The index has a name, a number and a hash per record.
    let index = 62 * 1024;
    assert!(many <= few + index, "{few} bytes for 2 clips, {many} for 64");
    // A clip is larger than that, so two clips in memory would exceed it.
    assert!(few > 2 * index, "{few}");
}

#[test]
fn all_clips_of_an_input_spend_one_budget() {
    let _meter = Peak::begin();
    let spent = |clips| {
        let bytes = turning(clips, 20);
        let mut source = Source::open(&X4ani::default(), &bytes, &Limits::default()).unwrap();
        let before = source.budget().lock().bytes_left();
        while let Some((_, clip)) = source.next_clip().unwrap() {
            clip.write(&Animj::default()).unwrap();
        }
        before - source.budget().lock().bytes_left()
    };
    let one = spent(1);
    assert_eq!(spent(8), 8 * one);
    let limits = Limits::default().with_decoded_bytes(3 * one);
    assert_eq!(convert_each(&turning(1, 20), &limits).unwrap(), 1);
    let error = convert_each(&turning(8, 20), &limits).unwrap_err();
    assert!(error.to_string().contains("raise the limit on decoded bytes"), "{error}");
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit));
}

#[test]
fn one_clip_of_many_costs_as_much_as_a_single_clip() {
    let meter = Peak::begin();
    let limits = Limits::default().with_decoded_bytes(100_000);
    let bytes = turning(64, 600);
    let read = || Source::open(&X4ani::default(), &bytes, &limits).unwrap().clip("CLIP63");
    let (clip, peak) = meter.measure(read);
    assert_eq!(clip.unwrap().document.clips.len(), 1);
    assert!(peak < 200_000, "{peak}");
    let error = Reading::new(&X4ani::default(), &bytes, &limits).unwrap_err();
    assert!(error.to_string().contains("decoded bytes"), "{error}");
}

#[test]
fn edits_spend_the_budget_of_their_input() {
    let _meter = Peak::begin();
    let document = Reading::new(&X4ani::default(), &turning(1, 20), &Limits::default()).unwrap();
    let document = document.document;
    let limits = Limits::default().with_decoded_bytes(60_000);
    let own = Settings::default().limits(limits.clone());
    let once = resample(document, 100.0, &own).unwrap().value;
    assert!(resample(once.clone(), 100.0, &own).is_ok(), "each edit has a budget of its own");
    let shared = own.budget(SharedBudget::new(Budget::new(&limits, 0)));
    let once = resample(once, 100.0, &shared).unwrap().value;
    let error = resample(once, 100.0, &shared).unwrap_err();
    assert!(matches!(error, EditError::Bake { .. }), "{error}");
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit));
}
