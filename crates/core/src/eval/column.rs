//! Evaluating a column of values of one type.

use super::interpolate::Curve;
use super::segments::Place;
use super::{Cursor, Engine, Evaluator, Interpolate, Segments};
use crate::real::sealed::Float;
use crate::{Element, Handle, Interpolation, Tangents, TrackData};

/// The values of a track and what shapes the way between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a, T> {
    values: &'a [T],
    /// The values without the first one: where the ways from the keys end.
    ends: &'a [T],
    sides: Sides<'a, T>,
    evaluator: Evaluator,
}

#[derive(Clone, Copy, Debug)]
enum Sides<'a, T> {
    None,
    Values { left: &'a [T], right: &'a [T] },
    Handles { left: &'a [Handle], right: &'a [Handle] },
}

impl<'a, T: Element> Column<'a, T> {
    /// Makes the column of a track that has these values and tangents.
    pub(crate) fn new(
        values: &'a [T],
        tangents: Option<&'a Tangents>,
        evaluator: Evaluator,
    ) -> Self {
        let sides = match tangents {
            Some(Tangents::Values { left, right }) => match (left.as_slice(), right.as_slice()) {
                (Some(left), Some(right)) => Sides::Values { left, right },
                _ => Sides::None,
            },
            Some(Tangents::Handles { left, right }) => Sides::Handles { left, right },
            None => Sides::None,
        };
        Self { values, ends: values.get(1..).unwrap_or_default(), sides, evaluator }
    }
}

impl<'a, T: Interpolate> Column<'a, T> {
    /// Makes a column without tangents.
    pub(crate) fn plain(values: &'a [T]) -> Self {
        Self {
            values,
            ends: values.get(1..).unwrap_or_default(),
            sides: Sides::None,
            evaluator: Evaluator::Linear,
        }
    }

    /// Returns the value at a place; `None` past the end.
    #[inline]
    pub(crate) fn at<E: Engine>(&self, place: Place<E::Float>) -> Option<T> {
        let Place { key, t, interpolation } = place;
        let from = *self.values.get(key)?;
        if interpolation == Interpolation::Hold {
            return Some(from);
        }
        if interpolation != Interpolation::Linear || self.evaluator == Evaluator::X4Angles {
            return self.curved::<E>(key, t, interpolation);
        }
        if t <= E::Float::ZERO {
            return Some(from);
        }
        Some(T::linear::<E>(from, *self.ends.get(key)?, t))
    }

    /// As [`at`](Self::at) where a key may begin a curve, or what X4 makes of it.
    ///
    /// Apart, so that the straight way alone becomes part of the loops that sample; and without a
    /// place or values as arguments, which would have to lie in memory for it.
    #[cold]
    fn curved<E: Engine>(
        &self,
        key: usize,
        t: E::Float,
        interpolation: Interpolation,
    ) -> Option<T> {
        let from = *self.values.get(key)?;
        let Some(&to) = self.ends.get(key) else {
            return Some(self.last(from, key, interpolation));
        };
        if interpolation == Interpolation::Linear {
            // Only angles of X4 come here with a straight way.
            let from = from.straight_start(to);
            return Some(if t <= E::Float::ZERO { from } else { T::linear::<E>(from, to, t) });
        }
        if t <= E::Float::ZERO {
            return Some(from);
        }
        let next = key.checked_add(1)?;
        let curve = |left: &[T], right: &[T]| {
            Some(Curve { from, right: *right.get(key)?, left: *left.get(next)?, to })
        };
        Some(match (interpolation, self.sides) {
            (Interpolation::Hermite, Sides::Values { left, right }) => {
                T::hermite::<E>(curve(left, right)?, t)
            }
            (Interpolation::Bezier, Sides::Values { left, right }) => {
                T::bezier::<E>(curve(left, right)?, t)
            }
            (Interpolation::Bezier, Sides::Handles { left, right }) => {
                let (right, left) = (from.with_handles(right, key), to.with_handles(left, next));
                T::bezier::<E>(Curve { from, right, left, to }, t)
            }
            _ => T::linear::<E>(from, to, t),
        })
    }

    /// Returns what the last key shows: in X4 the handle behind it, if it is one of a curve.
    fn last(&self, from: T, key: usize, interpolation: Interpolation) -> T {
        let x4 = matches!(self.evaluator, Evaluator::X4 | Evaluator::X4Angles);
        match (interpolation, self.sides) {
            (Interpolation::Bezier, Sides::Handles { right, .. }) if x4 => {
                from.with_handles(right, key)
            }
            _ => from,
        }
    }
}

/// A column and the segments that its keys begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a, E: Engine, T> {
    pub(crate) segments: Segments<'a, E::Float>,
    pub(crate) column: Column<'a, T>,
}

impl<'a, E: Engine, T: Interpolate> Reader<'a, E, T> {
    pub(crate) fn new(data: &'a TrackData, column: Column<'a, T>) -> Self {
        Self { segments: Segments::new(data), column }
    }

    /// Returns the value at a time in seconds, found from where the cursor is; `None` without
    /// keys.
    #[inline]
    pub(crate) fn at_from(&self, cursor: &mut Cursor, time: f64) -> Option<T> {
        self.column.at::<E>(self.segments.at_cursor(cursor, time)?)
    }
}
