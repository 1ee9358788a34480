//! Sampling a track of 3,000 keys 9,000 times.

use inbetween::{PlaybackCursor, Quat, resonite};

use super::bare::{self, Blend, Spacing};
use super::files::text;
use super::row::{Pair, Row, turns};

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for spacing in [Spacing::Even, Spacing::Uneven] {
        rows.extend(track::<[f32; 3]>("float3", spacing));
        rows.extend(track::<Quat<f32>>("floatQ", spacing));
    }
    rows
}

/// Playing against a hand-written loop, and random times against playing.
fn track<T: Blend + 'static>(kind: &str, spacing: Spacing) -> [Row; 3] {
    let name = |what| format!("sample {kind}, {spacing:?} keys: {what}").to_lowercase();
    [
        Row::at_most(name("played, to a loop by hand"), 1.3, move |_| {
            measure::<T>(spacing, Order::Rising).map(Pair::slower)
        }),
        Row::at_most(name("random seek, to played"), 1.3, move |_| {
            measure::<T>(spacing, Order::Random).map(Pair::slower)
        }),
        Row::ratio(name("played, to the maths alone"), move |_| {
            measure::<T>(spacing, Order::Known).map(Pair::slower)
        }),
    ]
}

/// The order of the sampled times.
#[derive(Clone, Copy)]
enum Order {
    Rising,
    Random,
    /// Rising, with a baseline that knows the segments.
    Known,
}

fn measure<T: Blend>(spacing: Spacing, order: Order) -> Result<Pair, String> {
    let data = bare::track::<T>(spacing).map_err(text)?;
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
    let seek =
        || -> f32 { shuffled.iter().filter_map(|&time| sampler.sample(time)).map(T::sum).sum() };
    Ok(match order {
        Order::Rising => turns(play, || bare::played(&times, values, &rising)),
        Order::Random => turns(seek, play),
        Order::Known => turns(play, || bare::blended(values, &places)),
    })
}
