//! Replaces a track by linear segments, on frames or within a bound.

use core::ops::{Range, RangeInclusive};

use super::source::Curve;
use super::{BakeError, Grid};
use crate::num::{self, u64_from_len};
use crate::{Budget, StatedError, memory};

/// The shortest part of a segment between two keys: halved 12 times, so at most 4,096 keys, which
/// is enough for 2,000 turns.
const SHORTEST: f64 = 1.0 / 4096.0;

/// The number of spans of a segment whose error halving did not reduce before it counts as noise. A
/// jump leaves one or two such spans; numbers that are rounded too coarsely leave all of them.
const STUCK: usize = 16;

/// A track to follow: the start times of its curves, and the curves.
///
/// The last curve plays from the last time on.
pub(super) struct Path<F, C> {
    pub(super) times: Vec<f64>,
    pub(super) curve: F,
    /// The curve whose start shows before the first time.
    pub(super) early: C,
}

/// The keys of the result, with linear segments between them.
pub(super) struct FollowedKeys<K> {
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<K>,
    pub(super) error: StatedError,
}

impl<K> FollowedKeys<K> {
    const fn new() -> Self {
        let error = StatedError { value: 0.0, time_shift: 0.0 };
        Self { times: Vec::new(), values: Vec::new(), error }
    }

    fn note(&mut self, error: f64) {
        self.error.value = self.error.value.max(error);
    }
}

/// Follows a track on a grid; `size` is the size in bytes of a key in the result.
pub(super) fn follow<C: Curve>(
    path: &Path<impl Fn(usize) -> C, C>,
    grid: Grid,
    size: usize,
    budget: &mut Budget,
) -> Result<FollowedKeys<C::Key>, BakeError> {
    match grid {
        Grid::Frames(rate) => {
            check_rate(rate)?;
            let Some(frames) = enclosing_frames(&path.times, rate)? else {
                return Ok(FollowedKeys::new());
            };
            let grid = Frames::new(rate, frames)?;
            grid.charge(size, budget)?;
            let (snapped, shift) = grid.snap(path);
            let (early, most) = (path.early, path.early.largest());
            let mut keys = on_frames(&Path { times: snapped, curve: &path.curve, early }, &grid)?;
            let off = keys.error.value + shift.value;
            // The error of an invalid rotation stays infinite.
            keys.error.value = if off.is_finite() { off.min(most) } else { off };
            keys.error.time_shift = shift.time_shift;
            Ok(keys)
        }
        Grid::Bound(bound) if bound > 0.0 && bound.is_finite() => {
            let left = budget.bytes_left();
            Fit { path, bound, budget, left, size, keys: FollowedKeys::new() }.run()
        }
        Grid::Bound(bound) => Err(BakeError::Bound { bound }),
    }
}

fn check_rate(rate: f64) -> Result<(), BakeError> {
    if rate > 0.0 && rate.is_finite() { Ok(()) } else { Err(BakeError::Rate { rate }) }
}

/// Returns the frames from 0 on that enclose all times; `None` without times.
///
/// # Errors
///
/// If the last one is beyond the last frame that `u32` can count.
fn enclosing_frames(times: &[f64], rate: f64) -> Result<Option<Range<u32>>, BakeError> {
    let (Some(&start), Some(&end)) = (times.first(), times.last()) else { return Ok(None) };
    let frame = |time: f64, round| num::frame_from_f64(snapped(time.max(0.0), rate, round));
    let (first, last) = (frame(start, f64::floor), frame(end, f64::ceil));
    let frames = first.zip(last).map(|(first, last)| first..last);
    frames.map(Some).ok_or(BakeError::Frames { rate, end })
}

/// Returns a time in frames: the nearest frame if the time is on it, otherwise the result of
/// `round`.
fn snapped(time: f64, rate: f64, round: fn(f64) -> f64) -> f64 {
    let frame = time * rate;
    if num::is_on_frame(time, rate) { frame.round() } else { round(frame) }
}

/// Frames at a rate, including the last one.
pub(super) struct Frames {
    rate: f64,
    frames: Range<u32>,
}

impl Frames {
    fn new(rate: f64, frames: Range<u32>) -> Result<Self, BakeError> {
        let grid = Self { rate, frames };
        let usable = rate > 0.0 && rate.is_finite() && grid.time(grid.frames.end).is_finite();
        if usable { Ok(grid) } else { Err(BakeError::Rate { rate }) }
    }

    fn time(&self, frame: u32) -> f64 {
        f64::from(frame) / self.rate
    }

    /// Moves the times that are within rounding of a frame exactly onto it, so that a jump there
    /// shows on its frame; returns the error of that.
    fn snap<C: Curve>(&self, path: &Path<impl Fn(usize) -> C, C>) -> (Vec<f64>, StatedError) {
        let mut error = StatedError::default();
        let mut times = path.times.clone();
        for (index, time) in times.iter_mut().enumerate() {
            if !num::is_on_frame(*time, self.rate) {
                continue;
            }
            let frame = (*time * self.rate).round() / self.rate;
            let shift = (frame - *time).abs();
            if shift > 0.0 {
                let near = [index.checked_sub(1), Some(index)].into_iter().flatten();
                let speed = near.map(|piece| {
                    let ends = path.times.get(piece).zip(path.times.get(piece + 1));
                    let length = ends.map_or(0.0, |(start, end)| end - start);
                    if length > 0.0 { (path.curve)(piece).speed() / length } else { 0.0 }
                });
                let value = speed.fold(0.0, f64::max) * shift;
                error = error.max(StatedError { value, time_shift: shift });
                *time = frame;
            }
        }
        (times, error)
    }

    fn len(&self) -> u64 {
        u64::from(self.frames.end.saturating_sub(self.frames.start)).saturating_add(1)
    }

    fn charge(&self, size: usize, budget: &mut Budget) -> Result<(), BakeError> {
        let bytes = self.len().saturating_mul(u64_from_len(size));
        let left = budget.bytes_left();
        let failed = |_| BakeError::Limit { frames: self.len(), bytes, left };
        budget.charge_bytes(num::len_from_u64(bytes)).map_err(failed)
    }
}

/// Creates a key per frame. The error covers everything that plays from the first frame to the
/// last, and before the first key and frame.
fn on_frames<C: Curve>(
    path: &Path<impl Fn(usize) -> C, C>,
    grid: &Frames,
) -> Result<FollowedKeys<C::Key>, BakeError> {
    let mut keys = FollowedKeys::new();
    memory::reserve(&mut keys.times, num::len_from_u64(grid.len()))?;
    memory::reserve(&mut keys.values, num::len_from_u64(grid.len()))?;
    let mut walk = Walk { path, piece: 0 };
    let mut last: Option<(f64, C::Key)> = None;
    for frame in grid.frames.start..=grid.frames.end {
        let time = grid.time(frame);
        let started = walk.piece;
        let (curve, t) = walk.curve_at(time);
        let key = curve.key(t, last.map(|(_, key)| key));
        match last {
            Some((start, from)) => {
                let line = Line { start, end: time, from, to: key };
                keys.note(line.error_above(keys.error.value, path, started..=walk.piece));
            }
            None => {
                // The part before frame 0 is cut, so it has no error.
                if time > 0.0 && path.times.first().is_some_and(|first| *first >= time) {
                    keys.note(path.early.error(0.0..0.0, (key, key), 0.0..0.0));
                }
            }
        }
        keys.times.push(time);
        keys.values.push(key);
        last = Some((time, key));
    }
    // By rounding, the last frame may be slightly before the last time.
    if let Some((_, key)) = last {
        let end = path.times.len().saturating_sub(1);
        keys.note((path.curve)(end).error(0.0..0.0, (key, key), 0.0..0.0));
    }
    Ok(keys)
}

/// The piece of a path that the current frame is in.
struct Walk<'a, F, C> {
    path: &'a Path<F, C>,
    piece: usize,
}

impl<C: Curve, F: Fn(usize) -> C> Walk<'_, F, C> {
    /// Advances to a time; returns the curve that plays there, and the normalized time in it.
    fn curve_at(&mut self, time: f64) -> (C, f64) {
        let times = &self.path.times;
        while times.get(self.piece + 1).is_some_and(|next| *next <= time) {
            self.piece += 1;
        }
        let ends = times.get(self.piece).zip(times.get(self.piece + 1));
        let t = ends.map_or(0.0, |(start, end)| part(*start, *end, time));
        ((self.path.curve)(self.piece), t)
    }
}

fn part(start: f64, end: f64, time: f64) -> f64 {
    let part = (time - start) / (end - start);
    if part > 0.0 { part.min(1.0) } else { 0.0 }
}

/// The linear segment from one key of the result to the next.
struct Line<K> {
    start: f64,
    end: f64,
    from: K,
    to: K,
}

impl<K: Copy> Line<K> {
    /// Returns the largest difference from the pieces of a path that play during the segment, or a
    /// known one if that is larger.
    fn error_above<C: Curve<Key = K>>(
        &self,
        known: f64,
        path: &Path<impl Fn(usize) -> C, C>,
        pieces: RangeInclusive<usize>,
    ) -> f64 {
        let (first, mut largest) = (*pieces.start(), known);
        for piece in pieces {
            let Some(&begins) = path.times.get(piece) else { break };
            let ends = path.times.get(piece + 1).copied();
            let from = begins.max(self.start);
            let to = ends.unwrap_or(f64::INFINITY).min(self.end);
            if piece == 0 && self.start < begins {
                let over = 0.0..part(self.start, self.end, begins);
                let keys = (self.from, self.to);
                largest = largest.max(path.early.error_above(largest, 0.0..0.0, keys, over));
            }
            // Of several keys at one time, only the last shows.
            let hidden = ends.is_some_and(|ends| ends <= begins);
            // A piece that ends with this segment is followed by another on the next frame; a piece
            // that begins with the next frame belongs to the next segment.
            if to < from || hidden || (from >= self.end && piece > first) {
                continue;
            }
            let over = part(self.start, self.end, from)..part(self.start, self.end, to);
            let curve = (path.curve)(piece);
            let within =
                ends.map_or(0.0..0.0, |end| part(begins, end, from)..part(begins, end, to));
            largest = largest.max(curve.error_above(largest, within, (self.from, self.to), over));
        }
        largest
    }
}

/// The state of following a path within a bound.
struct Fit<'a, 'b, F, C: Curve> {
    path: &'a Path<F, C>,
    bound: f64,
    budget: &'b mut Budget,
    /// The budget that was left before the first key.
    left: u64,
    size: usize,
    keys: FollowedKeys<C::Key>,
}

impl<C: Curve, F: Fn(usize) -> C> Fit<'_, '_, F, C> {
    fn run(mut self) -> Result<FollowedKeys<C::Key>, BakeError> {
        if let Some(&start) = self.path.times.first() {
            let early = self.path.early.key(0.0, None);
            if start > 0.0 {
                self.note_constant(&self.path.early, early);
            }
            self.push(start, early)?;
        }
        for piece in 0..self.path.times.len() {
            let (Some(&start), end) = (self.path.times.get(piece), self.path.times.get(piece + 1))
            else {
                break;
            };
            let curve = (self.path.curve)(piece);
            let before = self.keys.values.last().copied();
            // A jump of the value becomes two keys at the same time.
            if before.is_none_or(|before| !curve.is_at(0.0, before)) {
                self.push(start, curve.key(0.0, before))?;
            }
            if let Some(&end) = end.filter(|end| **end > start) {
                self.segment(&curve, start..end)?;
            } else if let (None, Some(&last)) = (end, self.keys.values.last()) {
                self.note_constant(&curve, last);
            }
        }
        Ok(self.keys)
    }

    /// Notes the error of a key that plays before the first segment or after the last. It is only
    /// rounding, except at an invalid rotation, which becomes the previous key or none.
    fn note_constant(&mut self, curve: &C, key: C::Key) {
        let off = curve.error(0.0..0.0, (key, key), 0.0..0.0);
        self.keys.note(if off.is_finite() { 0.0 } else { off });
    }

    /// Appends the keys after the start of a segment, up to its end.
    fn segment(&mut self, curve: &C, times: Range<f64>) -> Result<(), BakeError> {
        let mut halving = Halving::default();
        while let (Some(&Waiting { end, .. }), Some(&from)) =
            (halving.waiting.last(), self.keys.values.last())
        {
            let start = halving.start;
            let to = curve.key(end, Some(from));
            let error = curve.error(start..end, (from, to), 0.0..1.0);
            let too_far = (error > self.bound && error.is_finite()) || curve.is_far(start..end);
            if too_far && halving.halve(error) {
                continue;
            }
            self.keys.note(error);
            let time =
                if end < 1.0 { times.start + (times.end - times.start) * end } else { times.end };
            self.push(time, to)?;
            halving.finish();
        }
        Ok(())
    }

    fn push(&mut self, time: f64, value: C::Key) -> Result<(), BakeError> {
        self.budget.charge_bytes(self.size).map_err(|_| {
            let keys = u64_from_len(self.keys.times.len()) + 1;
            BakeError::Keys { keys, bound: self.bound, left: self.left }
        })?;
        crate::grow::try_column(&mut self.keys.times, 1)?;
        crate::grow::try_column(&mut self.keys.values, 1)?;
        // Rounding must not move a key before the previous one.
        let last = self.keys.times.last().copied().unwrap_or(f64::NEG_INFINITY);
        self.keys.times.push(time.max(last));
        self.keys.values.push(value);
        Ok(())
    }
}

/// A segment between two keys that is halved until the error is small enough.
struct Halving {
    /// The end of the finished part of the segment, 0 to 1.
    start: f64,
    /// The remaining spans, the next one last.
    waiting: Vec<Waiting>,
    /// The number of spans whose error halving did not reduce.
    stuck: usize,
}

/// A span that is not finished.
#[derive(Clone, Copy)]
struct Waiting {
    end: f64,
    /// The errors of the span that this is half of, and of the span that contains that one.
    errors: [f64; 2],
}

impl Default for Halving {
    fn default() -> Self {
        let whole = Waiting { end: 1.0, errors: [f64::INFINITY; 2] };
        Self { start: 0.0, waiting: vec![whole], stuck: 0 }
    }
}

impl Halving {
    /// Halves the next span, whose error is too large; returns whether it did.
    ///
    /// It does not if the span has the shortest length, or if halving was of no use: a quarter of a
    /// curve is 16 times nearer to its linear segment, and a quarter of noise is not.
    fn halve(&mut self, error: f64) -> bool {
        let Some(span) = self.waiting.last_mut() else { return false };
        let [parent, grandparent] = span.errors;
        let stuck = error >= grandparent / 2.0;
        let whole = span.end - self.start;
        if whole <= SHORTEST || (stuck && self.stuck >= STUCK) {
            self.stuck += usize::from(stuck);
            return false;
        }
        span.errors = [error, parent];
        let half = Waiting { end: self.start + whole / 2.0, ..*span };
        self.waiting.push(half);
        true
    }

    /// Moves on to the next span.
    fn finish(&mut self) {
        if let Some(done) = self.waiting.pop() {
            self.start = done.end;
        }
    }
}

/// The key of a stepped track that each frame shows.
pub(super) struct Steps {
    pub(super) times: Vec<f64>,
    pub(super) keys: Vec<usize>,
    /// The keys that are not on a frame, each with the seconds by which it shows late or early.
    pub(super) late: Vec<(usize, f64)>,
}

/// Finds the key that each frame shows.
pub(super) fn steps(
    times: &[f64],
    rate: f64,
    size: usize,
    budget: &mut Budget,
) -> Result<Steps, BakeError> {
    let mut steps = Steps { times: Vec::new(), keys: Vec::new(), late: Vec::new() };
    check_rate(rate)?;
    let Some(frames) = enclosing_frames(times, rate)? else { return Ok(steps) };
    let grid = Frames::new(rate, frames)?;
    grid.charge(size, budget)?;
    memory::reserve(&mut steps.times, num::len_from_u64(grid.len()))?;
    memory::reserve(&mut steps.keys, num::len_from_u64(grid.len()))?;
    let mut next = 0_usize;
    for frame in grid.frames.start..=grid.frames.end {
        let now = grid.time(frame);
        let comes = |time: f64| {
            time <= now
                || (num::is_on_frame(time, rate) && (time * rate).round() <= f64::from(frame))
        };
        while let Some(&time) = times.get(next).filter(|time| comes(**time)) {
            // A key before frame 0 is cut, not late.
            if time != now && next > 0 && time > 0.0 {
                steps.late.push((next, (now - time).abs()));
            }
            next += 1;
        }
        steps.times.push(now);
        steps.keys.push(next.saturating_sub(1));
    }
    Ok(steps)
}
