//! Chooses the smallest encoding of a track whose measured error is within the bound.

use half::f16;
use inbetween_core::{Rules, Values, num, rows};

use super::error::BuildError;
use super::keys::{keyed, wide_kind};
use super::prepare::{Prepared, largest_difference};
use crate::clip::Property;
use crate::column::{Segments, Storage};
use crate::layout::LARGEST;
use crate::num::{f32_from_f64, number};
use crate::rotation::{self, normalized};
use crate::times::{TimeBase, Times};

/// The keys of a track as a clip stores them.
pub(super) struct Encoded {
    pub(super) keys: EncodedKeys,
    /// How far the track plays from the animation, as measured.
    pub(super) error: f64,
}

pub(super) enum EncodedKeys {
    Constant([f32; 4]),
    Sampled { times: Times, storage: Storage, words: Vec<u16> },
}

/// Encodes a track.
///
/// Every candidate is decoded as playback decodes it, and compared with the keys: the error is
/// never that of a formula.
pub(super) fn encode(track: &Prepared, base: TimeBase) -> Result<Encoded, BuildError> {
    let keys = SourceKeys::new(track, base);
    if let Some(constant) = keys.constant() {
        return Ok(constant);
    }
    let times = keys.times();
    let mut best = f64::INFINITY;
    for (storage, words) in [keys.small(), keys.floats()] {
        for times in &times {
            let error = keys.error(times, &storage, &words);
            if error <= track.bound {
                let keys = EncodedKeys::Sampled { times: times.clone(), storage, words };
                return Ok(Encoded { keys, error });
            }
            best = best.min(error);
        }
    }
    Err(track.not_met(best))
}

/// The keys to encode.
struct SourceKeys<'a> {
    track: &'a Prepared,
    base: TimeBase,
    rotation: bool,
    times: Vec<f64>,
    values: Vec<[f64; 4]>,
}

impl<'a> SourceKeys<'a> {
    fn new(track: &'a Prepared, base: TimeBase) -> Self {
        let data = &track.data;
        let rotation = track.property == Property::Rotation;
        let value = |key| {
            let value: [f64; 4] = rows::row(data.values(), key);
            // Lengths near those that `f32` squares would be lost there.
            let length = value.iter().map(|part| part * part).sum::<f64>().sqrt();
            if rotation { value.map(|part| part / length) } else { value }
        };
        let values = (0..data.len()).map(value).collect();
        Self { track, base, rotation, times: data.times().collect(), values }
    }

    /// Returns the column of values with the kind of the track.
    fn column(&self, values: &[[f64; 4]]) -> Values {
        rows::column(wide_kind(self.rotation, self.track.width), values.iter())
    }

    fn narrow(&self, value: [f64; 4]) -> [f32; 4] {
        let narrow = value.map(f32_from_f64);
        if self.rotation { normalized(narrow) } else { narrow }
    }

    /// Returns the first value alone, if the track never leaves it by more than the bound.
    fn constant(&self) -> Option<Encoded> {
        let first = *self.values.first()?;
        let value = self.narrow(first);
        // Measuring is much slower than this, and most tracks move.
        let near = |other: &[f64; 4]| {
            let off = |sign: f64| {
                let parts = first.iter().zip(other).map(|(a, b)| (a - sign * b).abs());
                parts.fold(0.0, f64::max)
            };
            off(1.0).min(if self.rotation { off(-1.0) } else { f64::INFINITY }) <= self.track.bound
        };
        if !self.values.iter().all(near) {
            return None;
        }
        let column = self.column(&[value.map(f64::from)]);
        let steps = self.track.segments == Segments::Hold;
        let constant = keyed(vec![0.0], column, steps).ok()?;
        let off = largest_difference((&self.track.data, Rules::LINEAR), &constant);
        // The engine computes values between keys that differ.
        let error = self.track.error + off + if off > 0.0 { self.track.rounding } else { 0.0 };
        let keys = EncodedKeys::Constant(value);
        (error <= self.track.bound).then_some(Encoded { keys, error })
    }

    /// Returns the candidates for times, the smallest first.
    fn times(&self) -> Vec<Times> {
        let seconds: Vec<f32> = self.times.iter().map(|&time| f32_from_f64(time)).collect();
        let exact = self.times.iter().zip(&seconds).all(|(wide, time)| *wide == f64::from(*time));
        let finite = seconds.iter().all(|time| time.is_finite());
        let seconds = finite.then_some(Times::Seconds(seconds));
        let wide = (!exact).then(|| Times::Wide(self.times.clone()));
        self.frames().into_iter().chain(seconds).chain(wide).collect()
    }

    /// Returns frames if all keys are on one.
    fn frames(&self) -> Option<Times> {
        let rate = self.base.rate;
        let frame =
            |&time: &f64| num::frame_from_f64(time * rate).filter(|_| num::is_on_frame(time, rate));
        let frames: Vec<u32> = self.times.iter().map(frame).collect::<Option<_>>()?;
        let first = *frames.first()?;
        let step = frames.get(1).map_or(Some(1), |second| second.checked_sub(first))?;
        let mut pairs = frames.iter().zip(frames.iter().skip(1));
        if step > 0 && pairs.all(|(frame, next)| next.checked_sub(*frame) == Some(step)) {
            return Some(Times::Even { first, step, count: number(frames.len()) });
        }
        let short = frames.into_iter().map(|frame| u16::try_from(frame).ok());
        short.collect::<Option<_>>().map(Times::Frames)
    }

    /// Returns the smaller encoding of the values.
    fn small(&self) -> (Storage, Vec<u16>) {
        if self.rotation {
            let words = self.values.iter().flat_map(|value| rotation::encode(self.narrow(*value)));
            return (Storage::Rotations, words.collect());
        }
        let width = usize::from(self.track.width);
        let (mut offset, mut scale) = ([0.0_f32; 4], [0.0_f32; 4]);
        let mut ranges = [(f64::INFINITY, f64::NEG_INFINITY); 4];
        for value in &self.values {
            for ((low, high), part) in ranges.iter_mut().zip(value) {
                (*low, *high) = (low.min(*part), high.max(*part));
            }
        }
        let parts = offset.iter_mut().zip(&mut scale).zip(ranges);
        for ((offset, scale), (low, high)) in parts.take(width) {
            // Half of the range on either side of its middle: halves are finest near 0.
            *offset = f32_from_f64(f64::midpoint(low, high));
            let reach = (high - f64::from(*offset)).max(f64::from(*offset) - low);
            *scale = f32_from_f64(reach).next_up();
        }
        let half = |(value, (offset, scale)): (&f64, (&f32, &f32))| {
            let part = (value - f64::from(*offset)) / f64::from(*scale);
            f16::from_f64(part.clamp(-1.0, 1.0)).to_bits()
        };
        let words = self.values.iter().flat_map(|value| {
            value.iter().zip(offset.iter().zip(&scale)).take(width).map(half).collect::<Vec<_>>()
        });
        let words = words.collect();
        (Storage::Halves { offset, scale }, words)
    }

    /// Returns the values as `f32`.
    fn floats(&self) -> (Storage, Vec<u16>) {
        let width = usize::from(self.track.width);
        let words = self.values.iter().flat_map(|value| {
            let bits = self.narrow(*value).into_iter().take(width).map(f32::to_bits);
            bits.flat_map(|bits| {
                let [a, b, c, d] = bits.to_le_bytes();
                [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])]
            })
        });
        let storage = if self.rotation { Storage::FullRotations } else { Storage::Floats };
        (storage, words.collect())
    }

    /// Returns how far the encoded keys play from the animation; infinite for keys that cannot be
    /// stored.
    fn error(&self, times: &Times, storage: &Storage, words: &[u16]) -> f64 {
        let width = usize::from(self.track.width);
        let words = words.chunks(storage.words(width));
        let values: Vec<_> = words.map(|words| storage.numbers(words).map(f64::from)).collect();
        if !values.iter().flatten().all(|number| number.abs() <= f64::from(LARGEST)) {
            return f64::INFINITY;
        }
        let seconds = (0..times.len()).filter_map(|key| times.get(key, self.base)).collect();
        let played = keyed(seconds, self.column(&values), self.track.segments == Segments::Hold);
        played.map_or(f64::INFINITY, |played| {
            let off = largest_difference((&self.track.data, Rules::LINEAR), &played);
            self.track.error + off + self.track.rounding
        })
    }
}
