//! Sampling a track of 3,000 keys 9,000 times.

use inbetween::{PlaybackCursor, Quat, resonite};

use super::bare::{self, Blend, Spacing};
use super::{Report, Target};
use crate::Outcome;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    for spacing in [Spacing::Even, Spacing::Uneven] {
        track::<[f32; 3]>(report, "float3", spacing)?;
        track::<Quat<f32>>(report, "floatQ", spacing)?;
    }
    Ok(())
}

/// Measures playing against a hand-written loop, and random times against increasing ones.
fn track<T: Blend>(report: &mut Report, kind: &str, spacing: Spacing) -> Outcome {
    let data = bare::track::<T>(spacing).map_err(|error| error.to_string())?;
    let (rising, shuffled) = (bare::rising(&data), bare::shuffled(bare::rising(&data)));
    let times: Vec<f64> = (0..data.len()).filter_map(|key| data.time(key)).collect();
    let values = data.values().as_slice::<T>().ok_or("values of another type")?;
    let sampler = resonite::RULES.sampler::<T>(&data).ok_or("values of another type")?;
    let places = bare::places(&times, &rising);
    let play = || -> f32 {
        let mut cursor = PlaybackCursor::default();
        let played = rising.iter().filter_map(|&time| sampler.sample_from(&mut cursor, time));
        played.map(T::sum).sum()
    };
    let seek = |asked: &[f64]| -> f32 {
        asked.iter().filter_map(|&time| sampler.sample(time)).map(T::sum).sum()
    };
    let name = |what: &str| format!("sample {kind}, {spacing:?} keys: {what}");
    let by_hand = || bare::played(&times, values, &rising);
    report.slower(&name("played, to a loop by hand"), Target::Most(1.3), play, by_hand);
    let alone = || bare::blended(values, &places);
    report.slower(&name("played, to the maths alone"), Target::None, play, alone);
    let (random, in_order) = (|| seek(&shuffled), || seek(&rising));
    report.slower(&name("sought at random, to in order"), Target::Most(1.3), random, in_order);
    report.slower(&name("sought at random, to played"), Target::None, random, play);
    Ok(())
}
