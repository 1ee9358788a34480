//! Sampling a track of 3,000 keys 9,000 times.

use std::hint::black_box;

use inbetween::{Interpolation, Interpolations, Quat, resonite};

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
fn track<T: Blend + 'static>(kind: &str, spacing: Spacing) -> Vec<Row> {
    let name = |what| format!("sample {kind}, {spacing:?} keys: {what}").to_lowercase();
    let mut rows = vec![
        Row::at_most(name("played, to a loop by hand"), 1.3, move |_| {
            measure::<T>(spacing, Order::Rising).map(Pair::slower)
        }),
        Row::at_most(name("random seek, to played"), 1.3, move |_| {
            measure::<T>(spacing, Order::Random).map(Pair::slower)
        }),
        Row::ratio(name("played, to the maths alone"), move |_| {
            measure::<T>(spacing, Order::Known).map(Pair::slower)
        }),
        Row::ratio(name("played by hand from any cursor, to a loop by hand"), move |_| {
            measure::<T>(spacing, Order::RisingByHand).map(Pair::slower)
        }),
    ];
    // The loop by hand computes the number of the key, which uneven keys do not allow.
    if matches!(spacing, Spacing::Even) {
        rows.push(Row::ratio(name("random seek by hand, to played"), move |_| {
            measure::<T>(spacing, Order::RandomByHand).map(Pair::slower)
        }));
    }
    rows
}

/// The order of the sampled times.
#[derive(Clone, Copy)]
enum Order {
    Rising,
    /// Rising, with a loop by hand that starts at any cursor and reads the interpolation of each key.
    RisingByHand,
    Random,
    /// Random, with a loop by hand instead of the sampler.
    RandomByHand,
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
    let play = || bare::play(&sampler, &rising);
    Ok(match order {
        Order::Rising => turns(play, || bare::played(&times, values, &rising)),
        Order::RisingByHand => {
            let shape = Interpolations::Shared(Interpolation::Linear);
            let keys = (&*times, values, black_box(&shape));
            let from = || bare::played_from(keys, &mut black_box(0), &rising);
            turns(from, || bare::played(&times, values, &rising))
        }
        Order::Random => turns(|| bare::seek(&sampler, &shuffled), play),
        Order::RandomByHand => turns(|| bare::sought(&times, values, &shuffled), play),
        Order::Known => turns(play, || bare::blended(values, &places)),
    })
}
