//! Laws that hold for every animation.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a panic is how a broken law shows"
)]

mod animations;

use inbetween_core::{
    Animation, Axes, Document, Looping, Outcome, Property, Rules, Target, Track, TrackData, Value,
    value_error,
};
use inbetween_edit::{
    Settings, SplitAt, TimeRange, change_axes, join, retime, reverse, scale, shift, split, to_f32,
    to_f64, trim,
};
use inbetween_testing::{arbitrary_documents, difference, properties};
use proptest::prelude::*;

use animations::{Holds, clip, clip_with};

fn settings() -> Settings {
    Settings::default()
}

fn range(start: f64, end: f64) -> TimeRange {
    TimeRange::new(Some(start), Some(end)).unwrap()
}

fn eighths(number: u8) -> f64 {
    f64::from(number) / 8.0
}

/// Times between all keys, which are at eighths of a second, and never at a key.
fn between() -> impl Iterator<Item = f64> {
    (0..40_u8).map(|number| eighths(number) + 0.043)
}

fn sample(data: &TrackData, time: f64) -> Value {
    Rules::LINEAR.sample(data, time).unwrap()
}

/// Checks that two clips have the same values at pairs of times, within f32 precision.
fn check_play(before: &Animation, after: &Animation, times: impl Iterator<Item = (f64, f64)>) {
    assert_eq!(before.tracks.len(), after.tracks.len());
    for (then, now) in times {
        for (old, new) in before.tracks.iter().zip(&after.tracks) {
            let (old, new) = (sample(old.data(), then), sample(new.data(), now));
            let error = value_error(&old, &new);
            assert!(error < 2e-4, "{then} s: {old:?}, then {now} s: {new:?}");
        }
    }
}

fn only(outcome: Outcome<Document>) -> Animation {
    outcome.value.clips.into_iter().next().unwrap()
}

fn check_same(before: &Document, after: &Document) {
    if let Some(found) = difference(before, after) {
        panic!("{found}");
    }
}

/// Checks that two documents differ at most in the bits of NaN.
///
/// An edit computes in `f64`, and the processor makes a signaling `f32` NaN quiet in the
/// conversion. Both are NaN, so this is not a change.
fn check_same_but_nan(before: &Document, after: &Document) {
    // Every NaN prints as `NaN`; other floats print with enough digits to identify their bits.
    assert_eq!(format!("{before:?}"), format!("{after:?}"));
}

/// Checks that changing axes and back restores the document.
fn check_axes_there_and_back(document: &Document, axes: Axes) {
    let there = change_axes(document.clone(), axes, &settings()).unwrap().value;
    let back = change_axes(there, axes.inverse(), &settings()).unwrap().value;
    check_same_but_nan(document, &back);
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn trimming_to_an_open_range_changes_nothing(document in arbitrary_documents()) {
        let all = TimeRange::new(None, None).unwrap();
        let trimmed = trim(document.clone(), all, &settings()).unwrap();
        prop_assert!(trimmed.findings.is_empty());
        check_same(&document, &trimmed.value);
    }

    #[test]
    fn trimming_from_0_to_the_end_changes_nothing(clip in clip(Holds::Any)) {
        let end = clip.duration.unwrap();
        let document = Document::single(clip);
        check_same(&document, &trim(document.clone(), range(0.0, end), &settings()).unwrap().value);
    }

    #[test]
    fn retiming_by_1_changes_nothing(document in arbitrary_documents()) {
        let same = retime(document.clone(), 1.0, &settings()).unwrap();
        check_same(&document, &same.value);
    }

    #[test]
    fn shifting_and_shifting_back_changes_nothing(clip in clip(Holds::Any), by in -40_i8..40) {
        // Uniform keys then have individual times.
        let seconds = f64::from(by) / 8.0;
        let first = shift(Document::single(clip.clone()), seconds, &settings()).unwrap().value;
        let back = shift(first, -seconds, &settings()).unwrap().value;
        check_play(&clip, back.clips.first().unwrap(), between().map(|time| (time, time)));
        let mut clip = clip;
        clip.tracks.retain(|track| track.data().shape().name() != "uniform");
        let document = Document::single(clip);
        let there = shift(document.clone(), seconds, &settings()).unwrap().value;
        check_same(&document, &shift(there, -seconds, &settings()).unwrap().value);
    }

    #[test]
    fn reversing_twice_is_exact_without_mixed_holds(
        mut clip in clip(Holds::AllOrNone),
    ) {
        // Uniform keys that end before the clip would start after 0.
        clip.tracks.retain(|track| {
            track.data().shape().name() != "uniform" || track.data().end() == clip.duration
        });
        let document = Document::single(clip);
        let once = reverse(document.clone(), &settings()).unwrap().value;
        check_same(&document, &reverse(once, &settings()).unwrap().value);
    }

    #[test]
    fn reversing_twice_plays_the_same(clip in clip(Holds::Any)) {
        let once = reverse(Document::single(clip.clone()), &settings()).unwrap().value;
        let twice = only(reverse(once, &settings()).unwrap());
        check_play(&clip, &twice, between().map(|time| (time, time)));
        prop_assert_eq!(clip.markers, twice.markers);
    }

    #[test]
    fn reversing_plays_backward(clip in clip(Holds::Any)) {
        let end = clip.duration.unwrap();
        let reversed = only(reverse(Document::single(clip.clone()), &settings()).unwrap());
        check_play(&clip, &reversed, between().map(|time| (time, end - time)));
    }

    #[test]
    fn trimming_keeps_playback_within_the_range(clip in clip(Holds::Any), start in 0_u8..=20, more in 1_u8..=24) {
        // Cuts at keys and between them.
        let start = f64::from(start) * 0.07;
        let end = start + f64::from(more) * 0.11;
        let trimmed = trim(Document::single(clip.clone()), range(start, end), &settings()).unwrap();
        let baked = trimmed.findings.iter().any(|loss| loss.code.is_loss());
        let trimmed = only(trimmed);
        prop_assert_eq!(trimmed.duration, Some(end - start));
        if !baked {
            let inside = between().filter(|time| *time > start && *time < end);
            check_play(&clip, &trimmed, inside.map(|time| (time, time - start)));
        }
    }

    #[test]
    fn retiming_plays_at_another_speed(clip in clip(Holds::Any), factor in 0.1_f64..8.0) {
        let slow = only(retime(Document::single(clip.clone()), factor, &settings()).unwrap());
        check_play(&clip, &slow, between().map(|time| (time, time * factor)));
    }

    #[test]
    fn splitting_at_keys_and_joining_is_exact(clip in clip_with(Holds::Any, 1..=1)) {
        // Every track has a key at every half second, and none is uniform.
        let at = SplitAt::Times(vec![0.5, 1.5]);
        let mut clip = clip;
        clip.tracks.retain(|track| track.data().shape().name() != "uniform");
        clip.looping = Looping::Loop;
        let document = Document::single(clip.clone());
        let parts = split(document, &at, &settings()).unwrap().value;
        prop_assert_eq!(parts.clips.len(), 3);
        let mut joined = join(parts, &settings()).unwrap().value;
        joined.clips.first_mut().unwrap().name.clone_from(&clip.name);
        check_same(&Document::single(clip), &joined);
    }

    #[test]
    fn splitting_anywhere_and_joining_plays_the_same(clip in clip(Holds::Any), cut in 1_u8..20) {
        let at = SplitAt::Times(vec![f64::from(cut) * 0.09]);
        let parts = split(Document::single(clip.clone()), &at, &settings()).unwrap();
        prop_assume!(parts.findings.iter().all(|loss| !loss.code.is_loss()));
        let joined = only(join(parts.value, &settings()).unwrap());
        check_play(&clip, &joined, between().map(|time| (time, time)));
    }

    #[test]
    fn changing_axes_and_back_is_exact_except_for_nan(
        document in arbitrary_documents(),
        clip in clip(Holds::Any),
        axes in animations::axes(),
    ) {
        for document in [document, Document::single(clip)] {
            check_axes_there_and_back(&document, axes);
        }
    }

    #[test]
    fn axes_print_as_they_parse(axes in animations::axes()) {
        prop_assert_eq!(axes.to_string().parse::<Axes>().unwrap(), axes);
        prop_assert_eq!(axes.inverse().inverse(), axes);
        let vector = [1.0, 2.0, 3.0];
        prop_assert_eq!(axes.inverse().apply(axes.apply(vector)), vector);
    }

    #[test]
    fn widening_and_narrowing_is_exact(clip in clip(Holds::Any)) {
        let narrow = Document::single(clip);
        let wide = to_f64(narrow.clone(), &settings()).unwrap();
        prop_assert!(wide.findings.is_empty());
        let back = to_f32(wide.value, &settings()).unwrap();
        prop_assert!(back.findings.is_empty());
        check_same(&narrow, &back.value);
    }

    #[test]
    fn scaling_by_a_power_of_two_and_back_is_exact(clip in clip(Holds::Any)) {
        let document = Document::single(clip);
        let there = scale(document.clone(), 4.0, &settings()).unwrap().value;
        check_same(&document, &scale(there, 0.25, &settings()).unwrap().value);
    }

    #[test]
    fn rotations_stay_normalized(clip in clip(Holds::Any), axes in animations::axes()) {
        let document = Document::single(clip);
        let document = trim(document, range(0.3, 1.7), &settings()).unwrap().value;
        let document = reverse(document, &settings()).unwrap().value;
        let clip = only(change_axes(document, axes, &settings()).unwrap());
        for track in &clip.tracks {
            if let Some(turns) = track.data().values().as_slice::<inbetween_core::Quat<f32>>() {
                for turn in turns {
                    prop_assert!((turn.length() - 1.0).abs() < 1e-5, "{turn:?}");
                }
            }
        }
    }
}

#[test]
fn changing_axes_and_back_keeps_a_signaling_nan_a_nan() {
    let nan = f32::from_bits(0x7f80_0001);
    let values = vec![[-0.0, nan, 1_505_890.0]];
    let data = TrackData::uniform(0.5, values);
    let track = Track::new(Target::new("node", Property::Translation), data).unwrap();
    let document = Document::single(Animation::new(vec![track]));
    for axes in ["x,y,z", "-z,x,-y"] {
        check_axes_there_and_back(&document, axes.parse().unwrap());
    }
}
