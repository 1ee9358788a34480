//! The keys of a track as separate columns that can be edited.

use core::ops::Range;

use crate::model::rows;
use crate::num::f64_from_index;
use crate::{
    Handle, Interpolation, Interpolations, KeysError, Shape, Tangents, TrackData, ValueKind, Values,
};

/// The keys of a track, with one time per key.
///
/// # Examples
///
/// ```
/// use inbetween_core::{KeyColumns, TrackData};
///
/// let mut keys = KeyColumns::of(TrackData::uniform(0.5, vec![1.0_f32, 2.0]));
/// keys.change_times(|time| time + 1.0);
/// let times: Vec<f64> = keys.into_data()?.times().collect();
/// assert_eq!(times, [1.0, 1.5]);
/// # Ok::<(), inbetween_core::KeysError>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyColumns {
    /// The times in seconds.
    pub times: Vec<f64>,
    /// The values.
    pub values: Values,
    /// What plays after each key.
    pub interpolation: Interpolations,
    /// The tangents.
    pub tangents: Option<Tangents>,
    /// Whether the keys come from a stepped track.
    pub stepped: bool,
}

/// How the values between two keys are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// The value holds.
    Hold,
    /// The value moves in a straight line; rotations turn along the shortest arc.
    Linear,
    /// Linear between integers, rounded.
    Rounded,
    /// A cubic with value tangents.
    Hermite,
    /// A cubic with value tangents that are control points.
    Bezier,
    /// A cubic with the values of handles.
    Handles,
    /// A cubic whose value is changed after evaluation: normalized or rounded.
    Shaped,
}

impl KeyColumns {
    /// Takes a track apart. Uniform keys get times; if their interval is invalid, only the first
    /// key is kept, as it plays.
    pub fn of(data: TrackData) -> Self {
        let count = if data.plays() { data.len() } else { data.len().min(1) };
        let (shape, values) = data.into_parts();
        let (times, interpolation, tangents, stepped) = match shape {
            Shape::Uniform { interval } => {
                // With an interval that is not a number, the only key is at 0.
                let time = |key| if key == 0 { 0.0 } else { f64_from_index(key) * interval };
                let times = (0..count).map(time).collect();
                (times, Interpolations::Shared(Interpolation::Linear), None, false)
            }
            Shape::Curve { times, interpolation, tangents } => {
                (times, interpolation, tangents.map(|tangents| *tangents), false)
            }
            Shape::Stepped { times } => {
                (times, Interpolations::Shared(Interpolation::Hold), None, true)
            }
        };
        let values = if times.len() == values.len() {
            values
        } else {
            let kept: Vec<usize> = (0..times.len()).collect();
            values.gather(&kept)
        };
        Self { times, values, interpolation, tangents, stepped }
    }

    /// Copies a range of the keys of a track.
    pub(crate) fn of_range(data: &TrackData, range: Range<usize>) -> Self {
        let indices: Vec<usize> = range.collect();
        let times = indices.iter().filter_map(|&key| data.time(key)).collect();
        let values = data.values().gather(&indices);
        let (interpolation, tangents, stepped) = match data.shape() {
            Shape::Curve { interpolation, tangents, .. } => {
                let tangents = tangents.as_ref().map(|it| it.gather(&indices, data.len()));
                (interpolation.gather(&indices), tangents, false)
            }
            Shape::Stepped { .. } => (Interpolations::Shared(Interpolation::Hold), None, true),
            Shape::Uniform { .. } => (Interpolations::Shared(Interpolation::Linear), None, false),
        };
        Self { times, values, interpolation, tangents, stepped }
    }

    /// Builds the track again; uniform keys become a curve.
    ///
    /// # Errors
    ///
    /// If the times are not finite or decrease, or the columns do not match.
    pub fn into_data(self) -> Result<TrackData, KeysError> {
        if self.stepped {
            TrackData::stepped(self.times, self.values)
        } else {
            TrackData::curve(self.times, self.values, self.interpolation, self.tangents)
        }
    }

    /// Returns the keys at these indices, in this order.
    #[must_use]
    pub fn gather(&self, indices: &[usize]) -> Self {
        Self {
            times: indices.iter().filter_map(|&key| self.times.get(key).copied()).collect(),
            values: self.values.gather(indices),
            interpolation: self.interpolation.gather(indices),
            tangents: self.tangents.as_ref().map(|it| it.gather(indices, self.times.len())),
            stepped: self.stepped,
        }
    }

    /// Maps all times, including those of handles; `change` must be monotonic.
    pub fn change_times(&mut self, change: impl Fn(f64) -> f64) {
        self.times.iter_mut().for_each(|time| *time = change(*time));
        if let Some(Tangents::Handles { left, right }) = &mut self.tangents {
            left.iter_mut().chain(right).for_each(|handle| handle.time = change(handle.time));
        }
    }

    /// Sets the interpolation of a key.
    pub fn set_interpolation(&mut self, key: usize, interpolation: Interpolation) {
        if self.interpolation.get(key) == interpolation {
            return;
        }
        if let Interpolations::Shared(shared) = self.interpolation {
            self.interpolation = Interpolations::PerKey(vec![shared; self.times.len()]);
        }
        if let Interpolations::PerKey(each) = &mut self.interpolation
            && let Some(place) = each.get_mut(key)
        {
            *place = interpolation;
        }
    }

    /// Moves the handles of the last key onto it, because X4 shows the handle's value there instead
    /// of the key's.
    pub fn hide_last_handle(&mut self) {
        let Some(last) = self.times.len().checked_sub(1) else { return };
        let (row, Some(&time)) = (self.row(last), self.times.get(last)) else { return };
        if let Some(Tangents::Handles { right, .. }) = &mut self.tangents {
            let handles = right.iter_mut().skip(last * row.len());
            for (handle, value) in handles.zip(row) {
                *handle = Handle { time, value };
            }
        }
    }

    /// Returns the kind of the segment after a key.
    pub fn segment(&self, key: usize) -> SegmentKind {
        let kind = self.values.kind();
        let shaped = kind.is_quaternion() || kind == ValueKind::Color32;
        match (self.interpolation.get(key), &self.tangents) {
            (Interpolation::Hold, _) => SegmentKind::Hold,
            _ if self.stepped || !kind.interpolates() => SegmentKind::Hold,
            (Interpolation::Hermite, Some(Tangents::Values { .. }))
                if rows::is_float_vector(kind) =>
            {
                SegmentKind::Hermite
            }
            (Interpolation::Bezier, Some(Tangents::Values { .. })) if shaped => SegmentKind::Shaped,
            (Interpolation::Bezier, Some(Tangents::Values { .. })) if kind.is_float() => {
                SegmentKind::Bezier
            }
            (Interpolation::Bezier, Some(Tangents::Handles { .. })) => SegmentKind::Handles,
            _ if kind.is_float() => SegmentKind::Linear,
            _ => SegmentKind::Rounded,
        }
    }

    /// Returns the numbers of a key.
    pub(crate) fn row(&self, key: usize) -> Vec<f64> {
        rows::numbers(&self.values, key).unwrap_or_default()
    }

    /// Returns the values of the right handles of the last key.
    pub(crate) fn last_handles(&self) -> Option<Vec<f64>> {
        let last = self.times.len().checked_sub(1)?;
        let Some(Tangents::Handles { right, .. }) = &self.tangents else { return None };
        let width = right.len().checked_div(self.times.len())?;
        let handles = right.get(last * width..)?;
        let bezier = self.interpolation.get(last) == Interpolation::Bezier;
        bezier.then(|| handles.iter().map(|handle| handle.value).collect())
    }
}
