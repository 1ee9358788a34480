//! The loops that sample a track, the loops that one would write by hand over its arrays, and the
//! tracks and times that both go through.
//!
//! Every loop is a function of its own, as in a program that plays animations: inlined into the code
//! that measures, the same loop takes up to 30 % longer.

use inbetween_core::num::{f32_from_f64, f64_from_index, index_from_f64};
use inbetween_core::{
    Element, Interpolation, Interpolations, KeysError, PlaybackCursor, Quat, Sampler, TrackData,
};

/// 100 seconds at 30 frames.
pub(crate) const KEYS: u16 = 3_000;

/// A value that the loops go between, and look at afterwards.
pub(crate) trait Blend: Element {
    /// Makes the value of a key.
    fn key(number: f32) -> Self;
    fn blend(self, to: Self, t: f32) -> Self;
    fn sum(self) -> f32;
}

impl Blend for [f32; 3] {
    fn key(number: f32) -> Self {
        [number.sin(), number.cos(), number]
    }

    fn blend(mut self, to: Self, t: f32) -> Self {
        for (from, to) in self.iter_mut().zip(to) {
            *from += (to - *from) * t;
        }
        self
    }

    fn sum(self) -> f32 {
        self.iter().sum()
    }
}

impl Blend for Quat<f32> {
    fn key(number: f32) -> Self {
        Self::from_axis_angle([0.0, 0.6, 0.8], number * 0.05)
    }

    fn blend(self, to: Self, t: f32) -> Self {
        self.slerp(to, t)
    }

    fn sum(self) -> f32 {
        self.x + self.y + self.z + self.w
    }
}

/// Where the keys of a track are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spacing {
    /// On the frames of 30 a second.
    Even,
    /// Up to 17 frames apart, as reduced keys are.
    Uneven,
}

/// Makes a linear track.
pub(crate) fn track<T: Blend>(spacing: Spacing) -> Result<TrackData, KeysError> {
    let mut frame = 0_u32;
    let frames = (0..u32::from(KEYS)).map(|key| {
        let now = frame;
        frame += match spacing {
            Spacing::Even => 1,
            Spacing::Uneven => 1 + key.wrapping_mul(2_654_435_761) % 17,
        };
        f64::from(now)
    });
    let times: Vec<f64> = frames.map(|frame| f64::from(f32_from_f64(frame / 30.0))).collect();
    let values: Vec<T> = (0..KEYS).map(|key| T::key(f32::from(key))).collect();
    TrackData::curve(times, values, Interpolations::Shared(Interpolation::Linear), None)
}

/// Returns rising times over a whole track, three to a key on average.
pub(crate) fn rising(data: &TrackData) -> Vec<f64> {
    let end = data.end().unwrap_or(0.0);
    let count = usize::from(KEYS) * 3;
    (0..count).map(|step| end * f64_from_index(step) / f64_from_index(count)).collect()
}

/// Returns the same times in an order without order.
pub(crate) fn shuffled(mut times: Vec<f64>) -> Vec<f64> {
    let mut state = 1_u64;
    for last in (1..times.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = usize::try_from(state >> 33).unwrap_or(0) % (last + 1);
        times.swap(last, other);
    }
    times
}

/// Plays a track with its sampler.
#[inline(never)]
pub(crate) fn play<T: Blend>(sampler: &Sampler<'_, T>, asked: &[f64]) -> f32 {
    let mut cursor = PlaybackCursor::default();
    asked.iter().filter_map(|&time| sampler.sample_from(&mut cursor, time)).map(T::sum).sum()
}

/// Seeks every time with the sampler of a track.
#[inline(never)]
pub(crate) fn seek<T: Blend>(sampler: &Sampler<'_, T>, asked: &[f64]) -> f32 {
    asked.iter().filter_map(|&time| sampler.sample(time)).map(T::sum).sum()
}

/// Walks along the keys and blends: what playing a track costs at least.
#[inline(never)]
pub(crate) fn played<T: Blend>(times: &[f64], values: &[T], asked: &[f64]) -> f32 {
    let mut key = 0;
    let mut sum = 0.0;
    for &time in asked {
        let now = f32_from_f64(time);
        while key + 2 < times.len() && f32_from_f64(times[key + 1]) <= now {
            key += 1;
        }
        let (start, end) = (f32_from_f64(times[key]), f32_from_f64(times[key + 1]));
        sum += values[key].blend(values[key + 1], (now - start) / (end - start)).sum();
    }
    sum
}

/// Like [`played`], from a cursor that may be anywhere, with the interpolation of each key, and with
/// the exact value of a key at its time and outside of all keys: what playing costs at least if no
/// time is known before.
#[inline(never)]
pub(crate) fn played_from<T: Blend>(
    (times, values, shape): (&[f64], &[T], &Interpolations),
    cursor: &mut usize,
    asked: &[f64],
) -> f32 {
    let mut sum = 0.0;
    for &time in asked {
        let now = f32_from_f64(time);
        let mut key = (*cursor).min(times.len() - 2);
        if f32_from_f64(times[key]) > now {
            key = times.partition_point(|&time| f32_from_f64(time) <= now).max(1) - 1;
        }
        while key + 2 < times.len() && f32_from_f64(times[key + 1]) <= now {
            key += 1;
        }
        *cursor = key;
        let (start, end) = (f32_from_f64(times[key]), f32_from_f64(times[key + 1]));
        let interpolation = match shape {
            Interpolations::Shared(shared) => *shared,
            Interpolations::PerKey(each) => each[key],
        };
        let t = (now - start) / (end - start);
        let value = if interpolation == Interpolation::Hold || t <= 0.0 {
            values[key]
        } else if t >= 1.0 {
            values[key + 1]
        } else {
            values[key].blend(values[key + 1], t)
        };
        sum += value.sum();
    }
    sum
}

/// Computes the key of each time and blends: what seeking costs at least. It is correct only for
/// even keys, whose number follows from the time.
#[inline(never)]
pub(crate) fn sought<T: Blend>(times: &[f64], values: &[T], asked: &[f64]) -> f32 {
    let (first, last) = (times[0], times[times.len() - 1]);
    let rate = f64_from_index(times.len() - 1) / (last - first);
    let mut sum = 0.0;
    for &time in asked {
        let now = f32_from_f64(time);
        let key = index_from_f64((time - first) * rate).min(times.len() - 2);
        // The product may be a little too large.
        let key = key - usize::from(f32_from_f64(times[key]) > now && key > 0);
        let (start, end) = (f32_from_f64(times[key]), f32_from_f64(times[key + 1]));
        sum += values[key].blend(values[key + 1], (now - start) / (end - start)).sum();
    }
    sum
}

/// Returns the segment of each time and the normalized time within it.
pub(crate) fn places(times: &[f64], asked: &[f64]) -> Vec<(usize, f32)> {
    let place = |&time: &f64| {
        let key = times.partition_point(|&key| key <= time).clamp(1, times.len() - 1) - 1;
        (key, f32_from_f64((time - times[key]) / (times[key + 1] - times[key])))
    };
    asked.iter().map(place).collect()
}

/// Blends alone, at places that are known.
#[inline(never)]
pub(crate) fn blended<T: Blend>(values: &[T], places: &[(usize, f32)]) -> f32 {
    places.iter().map(|&(key, t)| values[key].blend(values[key + 1], t).sum()).sum()
}
