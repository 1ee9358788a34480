//! Keys and segments of a track under edit.

use inbetween_core::num::f64_from_index;
use inbetween_core::{
    Handle, Interpolation, Interpolations, KeysError, Shape, Tangents, TrackData, ValueKind, Values,
};

use inbetween_core::rows::{is_float_vector, numbers as row};

/// The keys of a track, with one time per key.
#[derive(Clone, Debug)]
pub(crate) struct EditedKeys {
    pub(crate) times: Vec<f64>,
    pub(crate) values: Values,
    pub(crate) interpolation: Interpolations,
    pub(crate) tangents: Option<Tangents>,
    pub(crate) stepped: bool,
}

impl EditedKeys {
    /// Takes a track apart. Uniform keys get times; if their interval is invalid, only the first
    /// key is kept, as it plays.
    pub(crate) fn of(data: TrackData) -> Self {
        let count = if data.plays() { data.len() } else { data.len().min(1) };
        let (shape, values) = data.into_parts();
        let curve = |times, interpolation, tangents, values| Self {
            times,
            values,
            interpolation,
            tangents,
            stepped: false,
        };
        match shape {
            Shape::Uniform { interval } => {
                let all: Vec<usize> = (0..count).collect();
                let values = if count == values.len() { values } else { values.gather(&all) };
                // With an interval that is not a number, the only key is at 0.
                let time =
                    |&key: &usize| if key == 0 { 0.0 } else { f64_from_index(key) * interval };
                let times = all.iter().map(time).collect();
                curve(times, Interpolations::Shared(Interpolation::Linear), None, values)
            }
            Shape::Curve { times, interpolation, tangents } => {
                curve(times, interpolation, tangents.map(|tangents| *tangents), values)
            }
            Shape::Stepped { times } => Self {
                stepped: true,
                ..curve(times, Interpolations::Shared(Interpolation::Hold), None, values)
            },
            // A shape unknown to this crate has no times.
            _ => curve(
                Vec::new(),
                Interpolations::Shared(Interpolation::Linear),
                None,
                values.gather(&[]),
            ),
        }
    }

    /// Builds the track again.
    pub(crate) fn into_data(self) -> Result<TrackData, KeysError> {
        if self.stepped {
            TrackData::stepped(self.times, self.values)
        } else {
            TrackData::curve(self.times, self.values, self.interpolation, self.tangents)
        }
    }

    /// Returns the keys at these indices, in this order, with times mapped by `time`.
    pub(crate) fn gather(&self, indices: &[usize]) -> Self {
        let times = indices.iter().filter_map(|&index| self.times.get(index).copied());
        let sides = self.tangents.as_ref();
        Self {
            times: times.collect(),
            values: self.values.gather(indices),
            interpolation: self.interpolation.gather(indices),
            tangents: sides.map(|sides| sides.gather(indices, self.times.len())),
            stepped: self.stepped,
        }
    }

    /// Maps all times, including those of handles; `change` must be monotonic.
    pub(crate) fn change_times(&mut self, change: impl Fn(f64) -> f64) {
        self.times.iter_mut().for_each(|time| *time = change(*time));
        if let Some(Tangents::Handles { left, right }) = &mut self.tangents {
            left.iter_mut().chain(right).for_each(|handle| handle.time = change(handle.time));
        }
    }

    /// Returns the kind of the segment after a key.
    pub(crate) fn segment(&self, key: usize) -> SegmentKind {
        let interpolation =
            if self.stepped { Interpolation::Hold } else { self.interpolation.get(key) };
        SegmentKind::of(self.values.kind(), interpolation, self.tangents.as_ref())
    }

    /// Moves the handles of the last key onto it, because X4 shows the handle's value there instead
    /// of the key's.
    pub(crate) fn settle_last(&mut self) {
        let Some(last) = self.times.len().checked_sub(1) else { return };
        let (Some(values), Some(&time)) = (row(&self.values, last), self.times.get(last)) else {
            return;
        };
        if let Some(Tangents::Handles { right, .. }) = &mut self.tangents {
            let handles = right.iter_mut().skip(last * values.len());
            for (handle, value) in handles.zip(values) {
                *handle = Handle { time, value };
            }
        }
    }

    /// Sets the interpolation of a key.
    pub(crate) fn set_interpolation(&mut self, key: usize, interpolation: Interpolation) {
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
}

/// Returns a single shared value if the list was shared before and all entries are equal.
pub(crate) fn shared_again(before: &Interpolations, each: Vec<Interpolation>) -> Interpolations {
    match before {
        Interpolations::Shared(shared) if each.iter().all(|one| one == shared) => {
            Interpolations::Shared(*shared)
        }
        _ => Interpolations::PerKey(each),
    }
}

/// How the values between two keys are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SegmentKind {
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

impl SegmentKind {
    fn of(kind: ValueKind, interpolation: Interpolation, tangents: Option<&Tangents>) -> Self {
        let shaped = kind.is_quaternion() || kind == ValueKind::Color32;
        match (interpolation, tangents) {
            (Interpolation::Hold, _) => Self::Hold,
            _ if !kind.interpolates() => Self::Hold,
            (Interpolation::Hermite, Some(Tangents::Values { .. })) if is_float_vector(kind) => {
                Self::Hermite
            }
            (Interpolation::Bezier, Some(Tangents::Values { .. })) if shaped => Self::Shaped,
            (Interpolation::Bezier, Some(Tangents::Values { .. })) if kind.is_float() => {
                Self::Bezier
            }
            (Interpolation::Bezier, Some(Tangents::Handles { .. })) => Self::Handles,
            _ if kind.is_float() => Self::Linear,
            _ => Self::Rounded,
        }
    }
}
