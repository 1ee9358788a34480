//! Removing keys of tracks of 20,000 keys that move smoothly and a little unevenly.

use std::time::{Duration, Instant};

use inbetween::Document;
use inbetween::core::{
    Animation, Element, Evaluator, Interpolation, Interpolations, Property, Quat, Target as Aim,
    Track, TrackData,
};
use inbetween::edit::{ReduceBounds, Settings, reduce};

use super::{Report, Target};
use crate::Outcome;

const KEYS: u16 = 20_000;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    let position = |key: f32| [(key * 0.01).sin(), (key * 0.37).sin() * 1e-3, key * 1e-4];
    let turn = |key: f32| {
        let angle = (key * 0.01).sin() + (key * 0.37).sin() * 1e-3;
        Quat::from_axis_angle([0.0, 0.6, 0.8], angle)
    };
    one(report, "float3", Property::Translation, position)?;
    one(report, "floatQ", Property::Rotation, turn)
}

fn one<T: Element>(
    report: &mut Report,
    kind: &str,
    property: Property,
    value: impl Fn(f32) -> T,
) -> Outcome {
    let times = (0..KEYS).map(|key| f64::from(key) / 30.0).collect();
    let values: Vec<T> = (0..KEYS).map(|key| value(f32::from(key))).collect();
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, values, linear, None).map_err(|error| error.to_string())?;
    let track = Track::new(Aim::new("node", property), data).map_err(|error| error.to_string())?;
    let document = Document::single(Animation { tracks: vec![track], ..Animation::default() });
    let settings = Settings::default().evaluator(Evaluator::Resonite);
    let mut times: Vec<Duration> = Vec::new();
    let mut left = 0;
    for _ in 0..15 {
        let document = document.clone();
        let start = Instant::now();
        let reduced = reduce(document, ReduceBounds::all(1e-3), &settings);
        times.push(start.elapsed());
        let reduced = reduced.map_err(|error| error.to_string())?.value;
        left = reduced
            .clips
            .iter()
            .flat_map(|clip| &clip.tracks)
            .map(|track| track.data().len())
            .sum();
    }
    times.sort();
    let middle = times.get(7).copied().unwrap_or_default().as_secs_f64();
    // As a file of Resonite holds them: a time of four bytes and the value.
    let bytes = f64::from(KEYS) * inbetween::core::num::f64_from_index(size_of::<T>() + 4);
    let name = format!("reduce {kind}, {KEYS} keys to {left}: raw keys");
    report.add(name, bytes / middle / 1e6, " MB/s", Target::Least(10.0));
    Ok(())
}
