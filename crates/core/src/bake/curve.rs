//! The keys of a curve as separate columns that can be edited.

use core::ops::Range;

use super::BakeError;
use crate::model::rows;
use crate::{Handle, Interpolation, Interpolations, Shape, Tangents, TrackData, Values};

/// The keys of a curve as separate columns.
#[derive(Clone)]
pub(super) struct Curve {
    pub(super) times: Vec<f64>,
    pub(super) values: Values,
    pub(super) interpolation: Interpolations,
    pub(super) tangents: Option<Tangents>,
    /// Whether the keys come from a stepped track.
    pub(super) stepped: bool,
}

impl Curve {
    /// Splits a curve into columns; returns other tracks unchanged.
    pub(super) fn of(data: TrackData) -> Result<Self, Box<TrackData>> {
        if !matches!(data.shape(), Shape::Curve { .. }) {
            return Err(Box::new(data));
        }
        match data.into_parts() {
            (Shape::Curve { times, interpolation, tangents }, values) => {
                let tangents = tangents.map(|tangents| *tangents);
                Ok(Self { times, values, interpolation, tangents, stepped: false })
            }
            (_, values) => Err(Box::new(TrackData::uniform(0.0, values))),
        }
    }

    /// Splits a range of the keys of any track into columns; each key gets a time.
    pub(super) fn of_range(data: &TrackData, range: Range<usize>) -> Self {
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

    /// Joins the columns to a track again.
    pub(super) fn into_data(self) -> Result<TrackData, BakeError> {
        let data = if self.stepped {
            TrackData::stepped(self.times, self.values)
        } else {
            TrackData::curve(self.times, self.values, self.interpolation, self.tangents)
        };
        data.map_err(|_| BakeError::Times)
    }

    /// Returns the keys at these indices, in this order.
    pub(super) fn gather(&self, indices: &[usize]) -> Self {
        Self {
            times: indices.iter().filter_map(|&key| self.times.get(key).copied()).collect(),
            values: self.values.gather(indices),
            interpolation: self.interpolation.gather(indices),
            tangents: self.tangents.as_ref().map(|it| it.gather(indices, self.times.len())),
            stepped: self.stepped,
        }
    }

    /// Changes the interpolation of a key.
    pub(super) fn set_interpolation(&mut self, key: usize, interpolation: Interpolation) {
        if self.interpolation.get(key) == interpolation {
            return;
        }
        let each = 0..self.times.len();
        let mut each: Vec<Interpolation> = each.map(|key| self.interpolation.get(key)).collect();
        if let Some(place) = each.get_mut(key) {
            *place = interpolation;
        }
        self.interpolation = Interpolations::PerKey(each);
    }

    /// Sets the right handles of the last key, which no segment uses, to the value of the key.
    pub(super) fn hide_last_handle(&mut self) {
        let Some(last) = self.times.len().checked_sub(1) else { return };
        let (row, Some(&time)) = (self.row(last), self.times.get(last)) else { return };
        if let Some(Tangents::Handles { right, .. }) = &mut self.tangents {
            let handles = right.iter_mut().skip(last * row.len());
            for (handle, value) in handles.zip(row) {
                *handle = Handle { time, value };
            }
        }
    }

    /// Makes a key hold its value.
    pub(super) fn hold(&mut self, key: usize) {
        self.set_interpolation(key, Interpolation::Hold);
    }

    /// Returns the numbers of a key.
    pub(super) fn row(&self, key: usize) -> Vec<f64> {
        rows::numbers(&self.values, key).unwrap_or_default()
    }

    /// Returns the values of the right handles of the last key.
    pub(super) fn last_handles(&self) -> Option<Vec<f64>> {
        let last = self.times.len().checked_sub(1)?;
        let Some(Tangents::Handles { right, .. }) = &self.tangents else { return None };
        let width = right.len().checked_div(self.times.len())?;
        let handles = right.get(last * width..)?;
        let bezier = self.interpolation.get(last) == Interpolation::Bezier;
        bezier.then(|| handles.iter().map(|handle| handle.value).collect())
    }
}
