//! Evaluates a column of values of one type.

use super::segments::PlaybackPosition;
use super::{PlaybackCursor, Segments};
use crate::model::{Curve, Interpolate};
use crate::{
    Element, FullTurn, Handle, Interpolation, LastBezier, Real, Rules, Tangents, TrackData,
};

/// The values of a track, and what shapes the segments between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a, T> {
    values: &'a [T],
    /// The values without the first one: the end values of the segments.
    ends: &'a [T],
    sides: Sides<'a, T>,
    rules: Rules,
    /// The interpolation whose segments are straight by the rules: linear, unless a full turn
    /// starts at 0. One comparison recognizes the likely case.
    straight: Option<Interpolation>,
}

#[derive(Clone, Copy, Debug)]
enum Sides<'a, T> {
    None,
    Values { left: &'a [T], right: &'a [T] },
    Handles { left: &'a [Handle], right: &'a [Handle] },
}

impl<'a, T: Element> Column<'a, T> {
    /// Creates the column of a track from its values.
    pub(crate) fn new(values: &'a [T], data: &'a TrackData, rules: Rules) -> Self {
        let sides = match data.tangents() {
            Some(Tangents::Values { left, right }) => match (left.as_slice(), right.as_slice()) {
                (Some(left), Some(right)) => Sides::Values { left, right },
                _ => Sides::None,
            },
            Some(Tangents::Handles { left, right }) => Sides::Handles { left, right },
            None => Sides::None,
        };
        // Keys at an interval that does not play have no segments.
        let ends = values.get(1..).filter(|_| data.plays()).unwrap_or_default();
        let keeps_turns = rules.full_turn == FullTurn::Kept;
        let straight = keeps_turns.then_some(Interpolation::Linear);
        Self { values, ends, sides, rules, straight }
    }
}

impl<T: Interpolate> Column<'_, T> {
    /// Returns the value at a segment position, or `None` if the index is out of range.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call costs as much as the rest of a sample")]
    pub(crate) fn at<F: Real>(&self, place: PlaybackPosition<F>) -> Option<T> {
        let PlaybackPosition { key, t, interpolation } = place;
        if self.straight != Some(interpolation) {
            return self.curved::<F>(key, t, interpolation);
        }
        let from = *self.values.get(key)?;
        if t <= F::ZERO {
            return Some(from);
        }
        let Some(&to) = self.ends.get(key) else { return Some(from) };
        Some(T::linear::<F>(from, to, t, self.rules.slerp))
    }

    /// Like [`at`](Self::at), for segments that are not straight.
    ///
    /// It is not inlined, so that sampling loops contain only the linear case. It takes no position
    /// or values as arguments, which would force them into memory.
    #[cold]
    fn curved<F: Real>(&self, key: usize, t: F, interpolation: Interpolation) -> Option<T> {
        let from = *self.values.get(key)?;
        if interpolation == Interpolation::Hold {
            return Some(from);
        }
        let Some(&to) = self.ends.get(key) else {
            return Some(self.last(from, key, interpolation));
        };
        if interpolation == Interpolation::Linear {
            // Only angles whose full turns start at 0 reach this with a linear segment.
            let from = from.straight_start(to);
            return Some(if t <= F::ZERO {
                from
            } else {
                T::linear::<F>(from, to, t, self.rules.slerp)
            });
        }
        if t <= F::ZERO {
            return Some(from);
        }
        let next = key + 1;
        let curve = |left: &[T], right: &[T]| {
            Some(Curve { from, right: *right.get(key)?, left: *left.get(next)?, to })
        };
        Some(match (interpolation, self.sides) {
            (Interpolation::Hermite, Sides::Values { left, right }) => {
                T::hermite::<F>(curve(left, right)?, t, self.rules.slerp)
            }
            (Interpolation::Bezier, Sides::Values { left, right }) => {
                T::bezier::<F>(curve(left, right)?, t, self.rules.slerp)
            }
            (Interpolation::Bezier, Sides::Handles { left, right }) => {
                let (right, left) = (from.with_handles(right, key), to.with_handles(left, next));
                T::bezier::<F>(Curve { from, right, left, to }, t, self.rules.slerp)
            }
            _ => T::linear::<F>(from, to, t, self.rules.slerp),
        })
    }

    /// Returns the value after the last key: by some rules its right handle, if it starts a curve.
    fn last(&self, from: T, key: usize, interpolation: Interpolation) -> T {
        let shows_handle = self.rules.last_bezier == LastBezier::RightHandle;
        match (interpolation, self.sides) {
            (Interpolation::Bezier, Sides::Handles { right, .. }) if shows_handle => {
                from.with_handles(right, key)
            }
            _ => from,
        }
    }
}

/// A column and its segments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a, F: Real, T> {
    pub(crate) segments: Segments<'a, F>,
    pub(crate) column: Column<'a, T>,
}

impl<'a, F: Real, T: Interpolate> Reader<'a, F, T> {
    pub(crate) fn new(data: &'a TrackData, column: Column<'a, T>) -> Self {
        Self { segments: Segments::new(data, column.rules), column }
    }

    /// Returns the value at a time in seconds, found from the cursor, or `None` without keys.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call costs as much as the rest of a sample")]
    pub(crate) fn at_from(&self, cursor: &mut PlaybackCursor, time: f64) -> Option<T> {
        self.column.at::<F>(self.segments.at_cursor(cursor, time)?)
    }
}
