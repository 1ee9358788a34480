//! Measures how far two ways of playing a channel are apart.
//!
//! Both are evaluated at the times of all keys of both, on both sides of jumps, and at seven times
//! between. This is the only measure of errors: baking, reduction, edits and comparison use it.

use core::ops::Range;

use crate::{StatedError, num};

/// The largest number of parts of a segment that are measured.
pub(super) const MOST_PARTS: u32 = 4096;

/// The number of parts of each piece of a track, on average, beyond which wide turns are not
/// measured. A segment may have more if others have fewer.
const MOST_PARTS_PER_PIECE: usize = 16;

/// The number of steps between two measured neighbors of a part: seven times lie inside it.
const STEPS: u32 = 8;

/// The factor between the largest measured difference and the stated error.
const RAISED: f64 = 1.1;

/// What plays over a segment.
pub(super) trait Piece: Copy + PartialEq {
    type Value: Copy;

    /// Returns the value at a normalized time.
    fn at(&self, t: f64) -> Self::Value;

    /// Returns the number of equal parts of a range in which it is measured.
    fn parts(&self, range: &Range<f64>) -> u32;

    /// Returns the distance of two values, or `None` if exactly one of them is no value.
    fn apart(one: Self::Value, other: Self::Value) -> Option<f64>;
}

/// The largest measured difference of two ways of playing a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The difference: the distance of vectors, radians for rotations, and 1 between different values
    /// of other kinds.
    pub value: f64,
    /// The time of the largest difference in seconds.
    pub time: f64,
    /// The first measured time at which exactly one of the two shows a value: the other is NaN,
    /// infinite, or a rotation without direction.
    pub undefined: Option<f64>,
    /// The start of the first segment with so many turns that it was measured at a few times only.
    pub unmeasured: Option<f64>,
    /// The measured times between which differences are above the tolerance; the last one is infinite
    /// if they stay.
    pub beyond: Option<(f64, f64)>,
    tolerance: f64,
    /// The last measured time, and whether its difference is above the tolerance.
    last: Option<(f64, bool)>,
}

impl Difference {
    /// Returns whether there is no difference, and nothing that cannot be measured.
    pub fn is_none(&self) -> bool {
        self.value == 0.0 && self.undefined.or(self.unmeasured).is_none()
    }

    /// Returns the error to state: the difference, raised by a tenth since samples can miss the
    /// largest one.
    pub const fn error(self) -> StatedError {
        StatedError::of_value(self.value * RAISED)
    }

    /// Returns an empty difference; only larger ones than a tolerance are [beyond](Self::beyond).
    pub(super) fn above(tolerance: f64) -> Self {
        Self { tolerance, ..Self::default() }
    }

    fn note(&mut self, time: f64, apart: Option<f64>) {
        if apart.is_none() {
            self.undefined = self.undefined.or(Some(time));
        }
        let is_beyond = apart.is_none_or(|apart| apart > self.tolerance);
        let (before, was_beyond) = self.last.unwrap_or((time, is_beyond));
        if is_beyond {
            let (first, _) = self.beyond.unwrap_or((before, time));
            self.beyond = Some((first, time));
        } else if let (true, Some((_, last))) = (was_beyond, &mut self.beyond) {
            *last = time;
        }
        self.last = Some((time, is_beyond));
        if let Some(value) = apart.filter(|apart| *apart > self.value) {
            (self.value, self.time) = (value, time);
        }
    }

    /// Returns the larger difference, and the first problems of both; `self` is the earlier one.
    #[must_use]
    pub fn max(self, later: Self) -> Self {
        let larger = if later.value > self.value { later } else { self };
        let beyond = match (self.beyond, later.beyond) {
            (Some((first, _)), Some((_, last))) => Some((first, last)),
            (one, other) => one.or(other),
        };
        Self {
            beyond,
            undefined: self.undefined.or(later.undefined),
            unmeasured: self.unmeasured.or(later.unmeasured),
            ..larger
        }
    }
}

/// A piece, and the range of its normalized time that plays.
pub(super) type Part<'p, P> = (&'p P, Range<f64>);

/// Measures two pieces that play between two times, in at most as many parts as are left.
pub(super) fn span<P: Piece>(
    (one, own): Part<'_, P>,
    (other, others): Part<'_, P>,
    times: &Range<f64>,
    (tolerance, left): (f64, &mut usize),
) -> Difference {
    let mut found = Difference::above(tolerance);
    if one == other && own == others {
        return found;
    }
    let mut parts = one.parts(&own).max(other.parts(&others));
    let most = num::u32_from_f64(num::f64_from_index(*left)).min(MOST_PARTS);
    if parts > most {
        found.unmeasured = Some(times.start);
        parts = 1;
    }
    *left = left.saturating_sub(num::len_from_u64(parts.into()));
    let steps = parts * STEPS;
    let at = |range: &Range<f64>, step: u32| {
        if step == steps {
            return range.end;
        }
        range.start + (range.end - range.start) * (f64::from(step) / f64::from(steps))
    };
    for step in 0..=steps {
        let apart = P::apart(one.at(at(&own, step)), other.at(at(&others, step)));
        found.note(at(times, step), apart);
    }
    found
}

/// Returns the number of parts in which all pieces of a track may be measured.
pub(super) fn parts_of(pieces: usize) -> usize {
    num::len_from_u64(MOST_PARTS.into()) + pieces * MOST_PARTS_PER_PIECE
}

/// What a channel plays, piece by piece.
pub(super) struct Signal<'a, P> {
    /// The start times of the pieces; the last one plays from its time on.
    pub(super) times: Vec<f64>,
    pub(super) piece: Box<dyn Fn(usize) -> P + 'a>,
    /// Its start shows before the first time.
    pub(super) early: P,
}

impl<P: Piece> Signal<'_, P> {
    /// Returns the piece that plays from one time to another between which no other begins, and its
    /// range. `next` is the number of pieces that begin at or before the first time.
    fn part(&self, next: usize, times: &Range<f64>) -> (P, Range<f64>) {
        let Some(index) = next.checked_sub(1) else { return (self.early, 0.0..0.0) };
        let ends = self.times.get(index).zip(self.times.get(next));
        let range = ends.map_or(0.0..0.0, |(start, end)| {
            let part = |time: f64| ((time - start) / (end - start)).clamp(0.0, 1.0);
            part(times.start)..part(times.end)
        });
        ((self.piece)(index), range)
    }
}

/// Measures two signals within a range of time.
pub(super) fn measure<P: Piece>(
    one: &Signal<'_, P>,
    other: &Signal<'_, P>,
    within: Range<f64>,
    (precision, tolerance): (Times, f64),
) -> Difference {
    let mut found = Difference::above(tolerance);
    let mut left = parts_of(one.times.len() + other.times.len());
    let (mut own, mut others) = (0, 0);
    let mut start = within.start;
    loop {
        let begun = |times: &[f64], mut next: usize| {
            while times.get(next).is_some_and(|time| *time <= start) {
                next += 1;
            }
            next
        };
        (own, others) = (begun(&one.times, own), begun(&other.times, others));
        let nexts = [one.times.get(own), other.times.get(others), Some(&within.end)];
        let end = nexts.into_iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let times = start..end;
        let parts = (one.part(own, &times), other.part(others, &times));
        let ((one, own), (other, others)) = (&parts.0, &parts.1);
        if own.is_empty() && others.is_empty() {
            // Both hold, so one time is enough. Before the first key the time is that of the key.
            let time = if start.is_finite() { start } else { end };
            let time = if time.is_finite() { time } else { 0.0 };
            found.note(time, P::apart(one.at(own.start), other.at(others.start)));
            let stays = end == f64::INFINITY && found.last.is_some_and(|(_, beyond)| beyond);
            if let (true, Some((_, last))) = (stays, &mut found.beyond) {
                *last = end;
            }
        } else if !precision.are_same(start, end) {
            found = found.max(span(
                (one, own.clone()),
                (other, others.clone()),
                &times,
                (tolerance, &mut left),
            ));
        }
        if end >= within.end || end == f64::INFINITY {
            return found;
        }
        start = end;
    }
}

/// The precision of times, within which a jump at one of them is the same as a jump at another.
#[derive(Clone, Copy)]
pub(super) enum Times {
    Exact,
    /// Rounded to `f32` in one of the two signals.
    Rounded,
}

impl Times {
    fn are_same(self, one: f64, other: f64) -> bool {
        match self {
            Self::Exact => one == other,
            Self::Rounded => (other - one).abs() <= 2.0 * num::ulp_f32(one.abs().max(other.abs())),
        }
    }
}

/// All of time.
pub(super) const ALWAYS: Range<f64> = f64::NEG_INFINITY..f64::INFINITY;
