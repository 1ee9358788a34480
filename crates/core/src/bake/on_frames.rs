//! Creates keys on frames.

use core::ops::Range;

use super::measure::{Signal, Times, measure};
use super::new_keys::{Costs, NewKeys};
use super::space::{Segment, Space};
use super::{BakeError, FrameKeys};
use crate::{Identical as _, num};

/// Numbered frames at a rate.
pub(super) struct Frames {
    rate: f64,
    /// The first and the last frame.
    frames: Range<u32>,
}

impl Frames {
    /// Returns the frames from 0 on that enclose all times; `None` without times.
    ///
    /// # Errors
    ///
    /// If the rate is not positive, or the last frame is beyond the last one that `u32` can count.
    pub(super) fn enclosing(times: &[f64], rate: f64) -> Result<Option<Self>, BakeError> {
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(BakeError::Rate { rate });
        }
        let (Some(&start), Some(&end)) = (times.first(), times.last()) else { return Ok(None) };
        let snapped = |time: f64, round: fn(f64) -> f64| {
            let frame = time * rate;
            if num::is_on_frame(time, rate) { frame.round() } else { round(frame) }
        };
        let first = num::frame_from_f64(snapped(start.max(0.0), f64::floor));
        let last = num::frame_from_f64(snapped(end.max(0.0), f64::ceil));
        let (Some(first), Some(last)) = (first, last) else {
            return Err(BakeError::Frames { rate, end });
        };
        let frames = Self { rate, frames: first..last };
        if frames.time(last).is_finite() { Ok(Some(frames)) } else { Err(BakeError::Rate { rate }) }
    }

    /// Returns the number of times that come on the first frame, up to rounding.
    pub(super) fn first_times(&self, times: &[f64]) -> usize {
        let first = self.time(self.frames.start);
        let comes =
            |time: f64| time <= first || self.has(time) && self.nearest(time) == self.frames.start;
        times.iter().take_while(|time| comes(**time)).count()
    }

    /// Adds the frame before the first one, which shows what a jump on the first one replaces.
    pub(super) fn begin_earlier(&mut self) {
        self.frames.start = self.frames.start.saturating_sub(1);
    }

    pub(super) fn time(&self, frame: u32) -> f64 {
        f64::from(frame) / self.rate
    }

    /// Returns the number of frames.
    pub(super) fn len(&self) -> u64 {
        u64::from(self.frames.end.saturating_sub(self.frames.start)).saturating_add(1)
    }

    /// Returns the frame nearest to a time, of those that enclose all times.
    pub(super) fn nearest(&self, time: f64) -> u32 {
        num::nearest_u32(time * self.rate).clamp(self.frames.start, self.frames.end)
    }

    /// Returns all frames.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> + use<> {
        self.frames.start..=self.frames.end
    }

    /// Returns whether a time is on a frame, up to rounding.
    pub(super) fn has(&self, time: f64) -> bool {
        time * self.rate > -0.5 && num::is_on_frame(time, self.rate)
    }
}

/// Creates keys on frames, with linear segments between them.
pub(super) fn on_frames<const N: usize, S: Space<N>>(
    signal: &Signal<'_, S::Piece>,
    space: S,
    (rate, which): (f64, FrameKeys),
    costs: &mut Costs<'_>,
) -> Result<NewKeys<N>, BakeError> {
    let mut keys = NewKeys::new();
    let Some(mut frames) = Frames::enclosing(&signal.times, rate)? else { return Ok(keys) };
    // Before the first time, the start of the piece shows.
    let early = space.key(&signal.early, 0.0, None);
    let first = frames.first_times(&signal.times).checked_sub(1).map(&signal.piece);
    if first.is_some_and(|piece| !early.identical(&space.key(&piece, 0.0, Some(early)))) {
        frames.begin_earlier();
    }
    let every = match which {
        FrameKeys::Every => true,
        FrameKeys::Needed => !signal.times.iter().all(|time| frames.has(*time)),
        FrameKeys::Nearest => false,
    };
    let mut making = OnFrames { signal, space, frames, costs, keys: &mut keys };
    if every {
        making.every()?;
    } else {
        making.keyed()?;
    }
    let error = measure(signal, &keys.signal(space), 0.0..f64::INFINITY, (Times::Exact, 0.0));
    Ok(NewKeys { error, ..keys })
}

/// The state of creating keys on frames.
struct OnFrames<'c, 'b, 's, const N: usize, S: Space<N>> {
    signal: &'c Signal<'s, S::Piece>,
    space: S,
    frames: Frames,
    costs: &'c mut Costs<'b>,
    keys: &'c mut NewKeys<N>,
}

impl<const N: usize, S: Space<N>> OnFrames<'_, '_, '_, N, S> {
    fn push(&mut self, frame: u32, value: [f64; N]) -> Result<(), BakeError> {
        self.costs.charge(self.keys.times.len())?;
        Ok(self.keys.push(self.frames.time(frame), value)?)
    }

    /// Creates a key for each key, and for each frame of a curve.
    fn keyed(&mut self) -> Result<(), BakeError> {
        let frame =
            |index: usize| self.signal.times.get(index).map(|time| self.frames.nearest(*time));
        let frames: Vec<u32> = (0..self.signal.times.len()).map_while(frame).collect();
        // The piece that ends at the current frame, and the frame of its start.
        let mut before = (self.signal.early, frames.first().copied().unwrap_or(0));
        for (index, &start) in frames.iter().enumerate() {
            let next = frames.get(index + 1).copied();
            // Of several keys on a frame, the last one shows.
            if next == Some(start) {
                continue;
            }
            let piece = (self.signal.piece)(index);
            self.jump(&before.0, before.1..start, &piece)?;
            let value = self.space.key(&piece, 0.0, self.keys.last());
            self.push(start, value)?;
            let is_curved =
                !matches!(self.space.exact(&piece), Some(Segment::Hold | Segment::Line));
            if let Some(end) = next.filter(|_| is_curved) {
                self.costs.charge_frames(u64::from(end - start))?;
                for frame in start + 1..end {
                    let value = self.space.key(&piece, part(start..end, frame), self.keys.last());
                    self.keys.push(self.frames.time(frame), value)?;
                }
            }
            before = (piece, start);
        }
        Ok(())
    }

    /// Adds a key on the frame before one at which the value jumps.
    fn jump(
        &mut self,
        before: &S::Piece,
        frames: Range<u32>,
        piece: &S::Piece,
    ) -> Result<(), BakeError> {
        let last = self.keys.last();
        // Before the first key, the start of the piece shows.
        let end = self.space.key(before, if last.is_none() { 0.0 } else { 1.0 }, last);
        if frames.end == 0 || end.identical(&self.space.key(piece, 0.0, Some(end))) {
            return Ok(());
        }
        self.keys.shift = 1.0 / self.frames.rate;
        let frame = frames.end - 1;
        let is_free = last.is_none() || frame > frames.start;
        let taken = self.keys.times.last().is_some_and(|time| *time >= self.frames.time(frame));
        if is_free && !taken {
            let value = self.space.key(before, part(frames, frame), last);
            self.push(frame, value)?;
        }
        Ok(())
    }

    /// Creates a key for every frame.
    fn every(&mut self) -> Result<(), BakeError> {
        // A key or a jump within rounding of a frame shows on it.
        let snapped = |time: &f64| {
            if self.frames.has(*time) {
                self.frames.time(self.frames.nearest(*time))
            } else {
                *time
            }
        };
        let times: Vec<f64> = self.signal.times.iter().map(snapped).collect();
        let (mut next, mut piece) = (0, self.signal.early);
        self.costs.charge_frames(self.frames.len())?;
        for frame in self.frames.all() {
            let time = self.frames.time(frame);
            while times.get(next).is_some_and(|other| *other <= time) {
                let begins = (self.signal.piece)(next);
                let end = self.space.key(&piece, 1.0, None);
                if !end.identical(&self.space.key(&begins, 0.0, Some(end))) {
                    self.keys.shift = 1.0 / self.frames.rate;
                }
                (piece, next) = (begins, next + 1);
            }
            let ends = next.checked_sub(1).and_then(|start| times.get(start)).zip(times.get(next));
            let t =
                ends.map_or(0.0, |(start, end)| ((time - start) / (end - start)).clamp(0.0, 1.0));
            let value = self.space.key(&piece, t, self.keys.last());
            self.keys.push(time, value)?;
        }
        Ok(())
    }
}

/// Returns the part of a range of frames that is before one of them.
fn part(frames: Range<u32>, frame: u32) -> f64 {
    let (length, before) = (frames.end - frames.start, frame - frames.start.min(frame));
    if length == 0 { 0.0 } else { f64::from(before) / f64::from(length) }
}

/// The key of a stepped track that each frame shows.
pub(super) struct Shown {
    pub(super) times: Vec<f64>,
    pub(super) keys: Vec<usize>,
    /// The largest time in seconds by which a key shows late or early.
    pub(super) late: f64,
}

impl Shown {
    pub(super) fn find(&mut self, times: &[f64], frames: &Frames) {
        let mut next = 0_usize;
        for frame in frames.all() {
            let now = frames.time(frame);
            let comes =
                |time: f64| time <= now || (frames.has(time) && frames.nearest(time) <= frame);
            while let Some(&time) = times.get(next).filter(|time| comes(**time)) {
                // A key before frame 0 is cut, not late.
                if next > 0 && time > 0.0 {
                    self.late = self.late.max((now - time).abs());
                }
                next += 1;
            }
            self.times.push(now);
            self.keys.push(next.saturating_sub(1));
        }
    }
}
