//! The keys that are created, and what they cost.

use super::BakeError;
use super::measure::{Difference, Signal};
use super::space::{Segment, Space};
use crate::model::rows;
use crate::num::{self, u64_from_len};
use crate::{Budget, Interpolation, Interpolations, Tangents, TrackData, ValueKind, memory};

/// The keys of the result.
pub(super) struct NewKeys<const N: usize> {
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<[f64; N]>,
    /// What plays from each key to the next one.
    pub(super) segments: Vec<Segment<N>>,
    pub(super) error: Difference,
    /// The largest time in seconds by which a jump moved.
    pub(super) shift: f64,
}

impl<const N: usize> NewKeys<N> {
    pub(super) fn new() -> Self {
        let error = Difference::default();
        Self { times: Vec::new(), values: Vec::new(), segments: Vec::new(), error, shift: 0.0 }
    }

    pub(super) fn last(&self) -> Option<[f64; N]> {
        self.values.last().copied()
    }

    /// Appends a key with a linear segment.
    pub(super) fn push(&mut self, time: f64, value: [f64; N]) -> Result<(), memory::OutOfMemory> {
        crate::grow::try_column(&mut self.times, 1)?;
        crate::grow::try_column(&mut self.values, 1)?;
        crate::grow::try_column(&mut self.segments, 1)?;
        // Rounding must not move a key before the previous one.
        self.times.push(time.max(self.times.last().copied().unwrap_or(f64::NEG_INFINITY)));
        self.values.push(value);
        self.segments.push(Segment::Line);
        Ok(())
    }

    /// Sets what plays from the last key on.
    pub(super) fn set_segment(&mut self, segment: Segment<N>) {
        if let Some(last) = self.segments.last_mut() {
            *last = segment;
        }
    }

    /// Returns what the keys play.
    pub(super) fn signal<'a, S: Space<N> + 'a>(&'a self, space: S) -> Signal<'a, S::Piece> {
        let value = |key: usize| self.values.get(key).copied().unwrap_or([0.0; N]);
        let piece = move |key: usize| {
            let next = key + 1;
            let last = next >= self.values.len();
            let segment = self.segments.get(key).copied().filter(|_| !last);
            space.play(value(key), segment.unwrap_or(Segment::Hold), value(next))
        };
        let early = space.play(value(0), Segment::Hold, value(0));
        Signal { times: self.times.clone(), early, piece: Box::new(piece) }
    }

    /// Creates the track.
    pub(super) fn into_data(self, kind: ValueKind) -> Result<TrackData, BakeError> {
        let Self { times, values, segments, .. } = self;
        memory::ensure(values.len().saturating_mul(kind.encoded_size().unwrap_or(0)))?;
        let points = |key: usize| match segments.get(key) {
            Some(Segment::Curve(points)) => Some(*points),
            _ => None,
        };
        let curved = (0..segments.len()).any(|key| points(key).is_some());
        let tangents = curved.then(|| {
            // Tangents that no segment uses are 0.
            let unused = [[0.0; N]; 2];
            let right = (0..segments.len()).map(|key| points(key).unwrap_or(unused)[0]);
            let before = |key: usize| key.checked_sub(1).and_then(points);
            let left = (0..segments.len()).map(|key| before(key).unwrap_or(unused)[1]);
            Tangents::Values { left: rows::column(kind, left), right: rows::column(kind, right) }
        });
        let each = segments.iter().map(|segment| match segment {
            Segment::Hold => Interpolation::Hold,
            Segment::Line => Interpolation::Linear,
            Segment::Curve(_) => Interpolation::Bezier,
        });
        let interpolation = if segments.iter().all(|segment| *segment == Segment::Line) {
            Interpolations::Shared(Interpolation::Linear)
        } else {
            Interpolations::PerKey(each.collect())
        };
        let values = rows::column(kind, values.into_iter());
        // The times come from a track or from frames, so they are finite and sorted.
        Ok(TrackData::curve(times, values, interpolation, tangents)?)
    }
}

/// What new keys cost.
pub(super) struct Costs<'b> {
    pub(super) budget: &'b mut Budget,
    /// The size of a key in bytes.
    pub(super) key: usize,
}

impl Costs<'_> {
    /// Charges the keys of so many frames.
    pub(super) fn charge_frames(&mut self, frames: u64) -> Result<(), BakeError> {
        let left = self.budget.bytes_left();
        let bytes = frames.saturating_mul(u64_from_len(self.key));
        let failed = |_| BakeError::Limit { frames, bytes, left };
        self.budget.charge_bytes(num::len_from_u64(bytes)).map_err(failed)
    }

    pub(super) fn charge(&mut self, keys: usize) -> Result<(), BakeError> {
        let left = self.budget.bytes_left();
        self.budget
            .charge_bytes(self.key)
            .map_err(|_| BakeError::Keys { keys: u64_from_len(keys) + 1, left })
    }
}
