//! Removing redundant keys of tracks of 20,000 keys that move smoothly and slightly unevenly.

use std::time::{Duration, Instant};

use inbetween::Quat;
use inbetween::edit::{ReduceBounds, Settings, reduce};
use inbetween::num::f64_from_u64;

use super::smooth::{self, KEYS, Smooth};
use super::{Report, Target};
use crate::Outcome;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    one::<[f32; 3]>(report, "float3")?;
    one::<Quat<f32>>(report, "floatQ")
}

fn one<T: Smooth>(report: &mut Report, kind: &str) -> Outcome {
    let document = smooth::document::<T>()?;
    let settings = Settings::default();
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
    let bytes = f64_from_u64(smooth::raw_bytes::<T>());
    let name = format!("reduce {kind}, {KEYS} keys to {left}: raw keys");
    report.add(name, bytes / middle / 1e6, " MB/s", Target::Least(10.0));
    Ok(())
}
