//! The times at which the law compares two clips.

use inbetween_core::num::f64_from_index;

use super::TimeMap;
use super::channel::Channel;
use super::interval::around;

/// The largest number of keys of a channel whose times are all drawn; of more keys, some are
/// skipped.
const KEYS: usize = 300;
/// The number of frames that are drawn.
const FRAMES: usize = 40;

/// Returns the times of the result at which two channels are compared, in order.
pub(super) fn drawn(
    before: &Channel<'_>,
    map: TimeMap,
    after: &Channel<'_>,
    end: f64,
    rates: [Option<f64>; 2],
) -> Vec<f64> {
    let source = before.times().into_iter().map(|time| map.result(time));
    let mut keys: Vec<f64> = thinned(source.collect());
    keys.extend(thinned(after.times()));
    keys.extend([0.0, end]);
    keys.retain(|time| time.is_finite());
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    let mut times: Vec<f64> = keys.iter().copied().flat_map(around).collect();
    for pair in keys.windows(2) {
        let [start, stop] = pair else { continue };
        times.extend([0.13, 0.25, 0.5, 0.77, 0.9].map(|part| start + (stop - start) * part));
    }
    times.extend(before.extrema().into_iter().map(|time| map.result(time)));
    times.extend(after.extrema());
    for rate in rates.into_iter().flatten().filter(|rate| rate.is_finite() && *rate > 0.0) {
        let frames = (0..FRAMES).map(f64_from_index);
        times.extend(frames.flat_map(|frame| [frame / rate, (frame + 0.5) / rate]));
    }
    // Subnormal times have so few digits that every map moves them past their neighbors.
    let smallest = f64::from(f32::MIN_POSITIVE);
    times.retain(|time| *time == 0.0 || (smallest..=end).contains(time));
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

fn thinned(times: Vec<f64>) -> Vec<f64> {
    let every = times.len().div_ceil(KEYS).max(1);
    times.into_iter().step_by(every).collect()
}
