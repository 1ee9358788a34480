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
        if let Evaluator::X4 | Evaluator::X4Angles = self.evaluator {
            return self.by_x4::<E>(place);
        }
        let Place { key, t, interpolation } = place;
        let from = *self.values.get(key)?;
        if t <= E::Float::ZERO || interpolation == Interpolation::Hold {
            return Some(from);
        }
        let to = *self.ends.get(key)?;
        if interpolation == Interpolation::Linear {
            return Some(T::linear::<E>(from, to, t));
        }
        self.curved::<E>(key, t, interpolation)
    }

    /// As [`at`](Self::at) in X4, where a key may show what is not its value.
    fn by_x4<E: Engine>(&self, place: Place<E::Float>) -> Option<T> {
        let Place { key, t, interpolation } = place;
        let from = *self.values.get(key)?;
        let Some(&to) = self.ends.get(key) else {
            return Some(match (interpolation, self.sides) {
                (Interpolation::Bezier, Sides::Handles { right, .. }) => {
                    from.with_handles(right, key)
                }
                _ => from,
            });
        };
        let straight = interpolation == Interpolation::Linear;
        let angles = self.evaluator == Evaluator::X4Angles;
        let from = if straight && angles { from.straight_start(to) } else { from };
        if t <= E::Float::ZERO || interpolation == Interpolation::Hold {
            return Some(from);
        }
        if straight {
            Some(T::linear::<E>(from, to, t))
        } else {
            self.curved::<E>(key, t, interpolation)
        }
    }

    /// As [`at`](Self::at) on a curve.
    ///
    /// Apart, so that the straight way alone becomes part of the loops that sample; and without
    /// values as arguments, which would have to lie in memory for it.
    #[cold]
    fn curved<E: Engine>(
        &self,
        key: usize,
        t: E::Float,
        interpolation: Interpolation,
    ) -> Option<T> {
        let next = key.checked_add(1)?;
        let (from, to) = (*self.values.get(key)?, *self.values.get(next)?);
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
