//! Converts seconds to frames, for formats with keys on numbered frames and linear segments.

use std::rc::Rc;

use super::error::LAST_FRAME;
use super::lower::Lowering;
use crate::frames::{DEFAULT_RATE, valid_rate};
use crate::{
    Animation, BakeError, Baker, Bound, Clock, Context, Curves, Finding, FrameKeys, Grid,
    Interpolation, Marker, Path, RateGuess, Shape, StatedError, TrackData, Values, WriteError,
    codes, counted, cut, memory, num, significant,
};

/// Returns the frame rate to write, rounded to `f32`: the requested one, that of the clip, the
/// guessed one, or 30.
pub(crate) fn choose_rate(
    clip: &Animation,
    asked: Option<f64>,
    guess: &RateGuess,
    context: &mut Context<'_>,
) -> f64 {
    let stated = clip.frame_rate.filter(|rate| valid_rate(*rate));
    if let Some(rate) = asked.or(stated) {
        let stored = f64::from(num::f32_from_f64(rate));
        if !stored.to_bits().eq(&rate.to_bits()) {
            context.say(codes::RATE_ROUNDED, format!("{rate} becomes {stored}"));
        }
        return stored;
    }
    if let Some(rate) = guess.rate() {
        let message = format!("{} frames per second puts all keys on frames", significant(rate));
        context.say(codes::FRAME_RATE_GUESSED, message);
        return rate;
    }
    if guess.has_keys() {
        let message = format!("using {DEFAULT_RATE} frames per second");
        context.say(codes::FRAME_RATE_DEFAULT, message);
    } else {
        let message = format!("{DEFAULT_RATE} frames per second, since there are no keys");
        context.say(codes::FRAME_RATE_GUESSED, message);
    }
    DEFAULT_RATE
}

/// Converts the keys of tracks to frames and values.
#[derive(Debug)]
pub struct Framer {
    lowering: Lowering,
    rate: f64,
    resample: bool,
    /// The clock of the keys: their times are exact up to its rounding.
    clock: Clock,
    /// The times of the last track whose keys are exactly on frames, as bits, and their frames: most
    /// tracks share their times with the track before.
    last: (Vec<u64>, Rc<[u32]>),
}

impl Framer {
    /// Creates a framer for `rate` frames per second that bakes curves by the rules of a format.
    pub fn new(lowering: Lowering, rate: f64) -> Self {
        let last = (Vec::new(), Rc::default());
        Self { lowering, rate, resample: false, clock: Clock::F64, last }
    }

    /// Sets whether keys that are not on frames are resampled, as for a rate that the caller
    /// requested.
    #[must_use]
    pub const fn resample(mut self, resample: bool) -> Self {
        self.resample = resample;
        self
    }

    /// Sets the clock by which the keys were made: a key within two of its ulps of a frame is on it.
    #[must_use]
    pub const fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Returns the frames per second.
    pub const fn rate(&self) -> f64 {
        self.rate
    }

    /// Returns the frames and values of a track, with linear segments between them, and reports
    /// what changes. The frames are in order, and tracks with the same times share one list.
    ///
    /// # Errors
    ///
    /// If a key is beyond the last frame that `u32` holds, or keys that must be made cost more than
    /// the budget has.
    pub fn frames(
        &mut self,
        mut data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(Rc<[u32]>, Values), WriteError> {
        let curved = first_curved(&data);
        if curved.is_none()
            && let Some(frames) = self.frames_of_last(&mut data)
        {
            report_shape(&data, context);
            return Ok((frames, data.into_parts().1));
        }
        // The values, the frames, and the times for which rounding makes a difference.
        let lists = data.len().saturating_mul(size_of::<[f64; 8]>());
        memory::ensure(data.heap_bytes().saturating_add(lists))?;
        if curved.is_none()
            && let Some((frames, rounded)) = frames_within_rounding(&data, self.rate, self.clock)
        {
            if rounded > 0 {
                let finding = Finding::new(codes::TIMES_ROUNDED, "keys within rounding of a frame");
                context.findings.push(finding.count(num::u64_from_len(rounded)));
            }
            report_shape(&data, context);
            let (shape, values) = data.into_parts();
            if let (Shape::Stepped { times } | Shape::Curve { times, .. }, 0) = (shape, rounded) {
                self.last = (bits_of(times), Rc::clone(&frames));
            }
            return Ok((frames, values));
        }
        let rate = self.rate;
        let data = self.on_frames(&data, curved, context)?;
        let frames: Option<Rc<[u32]>> =
            data.times().map(|time| num::frame_from_f64(time * rate)).collect();
        let end = data.end().unwrap_or_default();
        let frames = frames.ok_or(BakeError::Frames { rate, end })?;
        Ok((frames, data.into_parts().1))
    }

    /// Returns linear keys on frames, and reports what changes.
    fn on_frames(
        &self,
        data: &TrackData,
        curved: Option<&'static str>,
        context: &mut Context<'_>,
    ) -> Result<TrackData, BakeError> {
        let off = worst_distance(data, self.rate);
        let resampled = self.resample.then_some(("of lines", codes::RESAMPLED));
        let bent = curved.filter(|_| has_curves(data)).map(|what| (what, codes::CURVE_BAKED));
        if let Some((what, code)) = bent.or(resampled.filter(|_| off.is_some())) {
            return self.lowering.bake(data, code, what, context);
        }
        let (rate, rules) = (self.rate, self.lowering.baker.target);
        let (start, bound) = ((Some(0.0), None), Bound::new(Curves::Linear));
        let cut = cut(data, start, rules, bound, context.budget)?;
        context.findings.extend(cut.findings(codes::NEGATIVE_TIMES_CUT));
        let data = cut.data;
        let baker = Baker::new(Grid::Frames(rate, FrameKeys::Nearest)).for_target(rules);
        let made = baker.same_kind(&data, rules, context.budget)?;
        let shift = |time: f64| (f64::from(num::nearest_u32(time * rate)) / rate - time).abs();
        let time_shift = data.times().map(shift).fold(made.time_shift, f64::max);
        let error = StatedError { time_shift, ..made.error() };
        let (before, after) = (counted(data.len(), "key"), made.data.len());
        let (code, message, count) = match (off, curved) {
            (Some((off, count)), _) => {
                let message = format!("up to {off:.4} frames at {rate} fps");
                (codes::KEYS_OFF_GRID, message, count)
            }
            (None, Some(what)) if after != data.len() || error.value > 0.0 => {
                (codes::CURVE_BAKED, format!("{before} {what} became {after}"), 1)
            }
            _ => (codes::TIMES_ROUNDED, "keys within rounding of a frame".to_owned(), 1),
        };
        if off.is_some() || after != data.len() || error != StatedError::default() {
            let mut all = made.findings(code, &message);
            context.findings.extend(all.next().map(|finding| finding.error(error).count(count)));
            context.findings.extend(all);
        }
        let frame = |time: f64| num::nearest_u32(time * rate);
        let times = data.times().zip(data.times().skip(1));
        let merged = times.filter(|(one, next)| one < next && frame(*one) == frame(*next)).count();
        if merged > 0 {
            let message = format!("{} on the frame of the key after", counted(merged, "key"));
            let finding = Finding::new(codes::KEYS_MERGED, message);
            context.findings.push(finding.count(num::u64_from_len(merged)));
        }
        report_shape(&data, context);
        Ok(made.data)
    }

    /// Returns the frames of keys with the same times as the last track on frames.
    fn frames_of_last(&self, data: &mut TrackData) -> Option<Rc<[u32]>> {
        let (last, frames) = &self.last;
        let times = data.times_mut()?;
        let own = bits_of(core::mem::take(times));
        let is_same = own == *last;
        *times = own.into_iter().map(f64::from_bits).collect();
        is_same.then(|| Rc::clone(frames))
    }

    /// Returns the frame nearest to a time; times before 0 give frame 0.
    ///
    /// # Errors
    ///
    /// If it is beyond the last frame that `u32` can store.
    pub fn frame(&self, time: f64) -> Result<u32, WriteError> {
        num::frame_from_f64(time.max(0.0) * self.rate).ok_or_else(|| {
            let (time, rate) = (significant(time), self.rate);
            let what = format!("a time of {time} s at {rate} frames per second");
            WriteError::not_representable(what, LAST_FRAME)
        })
    }

    /// Returns whether a time is on a frame.
    pub fn on_grid(&self, time: f64) -> bool {
        num::is_on_frame(time, self.rate)
    }

    /// Returns the frames of markers, and reports those that move.
    ///
    /// # Errors
    ///
    /// If a frame is beyond the last one that `u32` can store.
    pub fn markers(
        &self,
        markers: &[Marker],
        context: &mut Context<'_>,
    ) -> Result<Vec<u32>, WriteError> {
        let frame = |(index, marker): (usize, &Marker)| {
            let (path, time) = (Path::item("markers", index), marker.time);
            let frame = self.frame(time).map_err(|error| error.at_path(path.clone()))?;
            let code = if time < 0.0 {
                Some(codes::NEGATIVE_TIMES_CUT)
            } else if !self.on_grid(time) {
                Some(codes::KEYS_OFF_GRID)
            } else {
                (time != f64::from(frame) / self.rate).then_some(codes::TIMES_ROUNDED)
            };
            context.findings.extend(code.map(|code| {
                let message = format!("a marker at {time} s moves to frame {frame}");
                Finding::new(code, message).at(path)
            }));
            Ok(frame)
        };
        markers.iter().enumerate().map(frame).collect()
    }

    /// Returns the last frame of a clip: that of its stated duration, or the last one of its keys
    /// and markers, `last`, if that is later. Reports a duration that changes.
    ///
    /// # Errors
    ///
    /// If the frame is beyond the last one that `u32` can store.
    pub fn end(
        &self,
        duration: Option<f64>,
        last: u32,
        context: &mut Context<'_>,
    ) -> Result<u32, WriteError> {
        let Some(stated) = duration.filter(|duration| *duration >= 0.0) else {
            match duration {
                None => context.say(codes::DURATION_EXTENDED, last_key(last)),
                Some(invalid) => context.say(codes::DURATION_CHANGED, format!("{invalid} s")),
            }
            return Ok(last);
        };
        let frame = self.frame(stated)?;
        if frame < last {
            context.say(codes::DURATION_EXTENDED, last_key(last));
        } else if !self.on_grid(stated) {
            let message = format!("{stated} s is not an integer number of frames");
            context.say(codes::DURATION_CHANGED, message);
        } else if stated != f64::from(frame) / self.rate {
            context.say(codes::TIMES_ROUNDED, format!("{stated} s is nearly on frame {frame}"));
        }
        Ok(frame.max(last))
    }
}

fn last_key(last: u32) -> String {
    format!("the last key is on frame {last}")
}

/// Returns times as bits: columns of integers are compared as blocks of memory, and columns of floats
/// key by key. This keeps the memory of the column and compiles to nothing.
fn bits_of(times: Vec<f64>) -> Vec<u64> {
    times.into_iter().map(f64::to_bits).collect()
}

/// Returns the column of times of keys that have one.
const fn times_of(data: &TrackData) -> Option<&[f64]> {
    match data.shape() {
        Shape::Stepped { times } | Shape::Curve { times, .. } => Some(times.as_slice()),
        Shape::Uniform { .. } => None,
    }
}

/// Returns the frames of keys that are on frames up to the rounding of their clock, as in a document
/// read from a file of the same rate, and the number of keys that are not on them exactly.
fn frames_within_rounding(data: &TrackData, rate: f64, clock: Clock) -> Option<(Rc<[u32]>, usize)> {
    let times = times_of(data)?;
    let frames: Rc<[u32]> = times.iter().map(|time| num::nearest_u32(time * rate)).collect();
    let keys = || times.iter().zip(&*frames);
    // Counting all of them is faster than stopping at the first.
    let rounded = keys().filter(|(time, frame)| **time != f64::from(**frame) / rate).count();
    if rounded == 0 {
        return Some((frames, 0));
    }
    // Reversed and shifted times carry the rounding of the longest time.
    let longest = times.iter().fold(0.0_f64, |longest, time| longest.max(time.abs()));
    let rounding = |time: f64| match clock {
        Clock::F64 => 2.0 * (longest.next_up() - longest),
        Clock::F32 => 2.0 * num::ulp_f32(time),
    };
    let is_near = |time: f64, frame: u32| (time - f64::from(frame) / rate).abs() <= rounding(time);
    let mut pairs = keys().zip(keys().skip(1));
    let stay_apart = pairs.all(|(one, next)| one.0 == next.0 || one.1 < next.1);
    let are_near = keys().all(|(time, frame)| is_near(*time, *frame));
    (are_near && stay_apart).then_some((frames, rounded))
}

/// Reports properties of playable keys that the file does not store.
fn report_shape(data: &TrackData, context: &mut Context<'_>) {
    if data.tangents().is_some() {
        let message = format!("of {} linear keys", data.len());
        context.say(codes::TANGENTS_DROPPED, message);
    }
    let plain = match data.shape() {
        Shape::Curve { interpolation, .. } => {
            data.is_empty() || interpolation.shared(data.len()) == Some(Interpolation::Linear)
        }
        _ => false,
    };
    if !plain {
        let message = format!("{} keys became a linear curve", data.shape().name());
        context.say(codes::SHAPE_CHANGED, message);
    }
}

/// Returns the largest distance of a key from its frame, and the number of keys off frames.
fn worst_distance(data: &TrackData, rate: f64) -> Option<(f64, u64)> {
    let times = data.times();
    let off = times.filter(|time| !num::is_on_frame(*time, rate));
    off.map(|time| (time * rate - (time * rate).round()).abs()).fold(
        None,
        |worst: Option<(f64, u64)>, distance| {
            let (farthest, count) = worst.unwrap_or_default();
            Some((farthest.max(distance), count + 1))
        },
    )
}

/// Returns the name of the first interpolation that frames cannot express.
///
/// A uniform track whose interval is not a positive number plays only its first key, so it is not
/// linear either.
fn first_curved(data: &TrackData) -> Option<&'static str> {
    if matches!(data.shape(), Shape::Uniform { .. }) {
        return (!data.plays() && data.len() > 1).then_some("without an interval");
    }
    let segments = data.len().saturating_sub(1);
    if let Shape::Curve { interpolation, .. } = data.shape()
        && interpolation.shared(segments) == Some(Interpolation::Linear)
    {
        return None;
    }
    let curved = (0..segments).map(|key| data.interpolation(key));
    curved.filter(|each| *each != Interpolation::Linear).map(name).next()
}

/// Returns whether any segment is a curve, which needs keys between its ends.
fn has_curves(data: &TrackData) -> bool {
    let segments = data.len().saturating_sub(1);
    let mut each = (0..segments).map(|key| data.interpolation(key));
    data.tangents().is_some() && each.any(Interpolation::needs_tangents)
}

const fn name(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Hold => "that hold",
        Interpolation::Hermite => "of a Hermite curve",
        Interpolation::Bezier => "of a Bezier curve",
        _ => "of lines",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::Stores;
    use crate::{Budget, Interpolations, Limits};

    #[test]
    fn tracks_with_the_same_times_share_their_frames() {
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let baker = Baker::new(Grid::Frames(30.0, FrameKeys::Needed));
        let mut framer = Framer::new(Lowering { baker, skeleton: None, stores: Stores::ALL }, 30.0);
        let mut place = |times: [f64; 2]| {
            let linear = Interpolations::Shared(Interpolation::Linear);
            let data = TrackData::curve(times.into(), vec![1.0_f32, 2.0], linear, None).unwrap();
            framer.frames(data, &mut context).unwrap().0
        };
        let (first, same, other) = (place([0.0, 0.5]), place([0.0, 0.5]), place([0.0, 0.1]));
        assert_eq!((&*first, &*same, &*other), (&[0, 15][..], &[0, 15][..], &[0, 3][..]));
        assert!(Rc::ptr_eq(&first, &same));
        assert_eq!(*place([-0.0, 0.5]), [0, 15]);
    }

    #[test]
    fn only_times_within_the_rounding_of_the_clock_are_on_frames() {
        let on = |time: f64, rate: f64, clock: Clock| {
            let linear = Interpolations::Shared(Interpolation::Linear);
            let data = TrackData::curve(vec![time], vec![1.0_f32], linear, None).unwrap();
            let frames = frames_within_rounding(&data, rate, clock);
            frames.map(|(frames, rounded)| (frames[0], rounded))
        };
        for frame in [0, 1, 2, 29, 30_000, 1 << 24, u32::MAX] {
            for rate in [24.0, 29.97, 30.0, 60.0, 1e-3, 1e6] {
                let time = f64::from(frame) / rate;
                assert_eq!(on(time, rate, Clock::F64), Some((frame, 0)), "{time} s at {rate}");
                assert_eq!(on(time.next_up(), rate, Clock::F64), Some((frame, 1)));
                let ulp = num::ulp_f32(time);
                // Elsewhere, `f32` cannot tell one frame from the next.
                if ulp * rate < 0.1 {
                    assert_eq!(on(time + 1.9 * ulp, rate, Clock::F64), None);
                    assert_eq!(on(time + 1.9 * ulp, rate, Clock::F32), Some((frame, 1)));
                    assert_eq!(on(time + 3.0 * ulp, rate, Clock::F32), None);
                }
            }
        }
        let frames = f64::from(u32::MAX);
        for frame in [-1.0, 0.5, 1.5, frames + 1.0, 2.0 * frames, f64::MAX] {
            assert_eq!(on(frame / 30.0, 30.0, Clock::F64), None, "frame {frame}");
        }
    }

    #[test]
    fn keys_that_are_apart_by_less_than_rounding_are_no_frames() {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let times = vec![1.0, 1.0_f64.next_up()];
        let data = TrackData::curve(times, vec![1.0_f32, 5.0], linear, None).unwrap();
        assert_eq!(frames_within_rounding(&data, 30.0, Clock::F64), None);
    }
}
