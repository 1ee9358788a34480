//! Adds keys to a track without changing how it plays.

use super::BakeError;
use super::cubic::Cubic;
use super::source::Segments;
use crate::model::rows;
use crate::{Handle, Interpolation, Interpolations, Rules, Tangents, TrackData, ValueKind};

pub(super) fn insert_keys(
    data: &TrackData,
    times: &[f64],
    rules: Rules,
) -> Result<TrackData, BakeError> {
    if !matches!(data.kind(), ValueKind::Float | ValueKind::Double) {
        return Err(BakeError::NotNumbers { kind: data.kind() });
    }
    let segments = Segments::new(data, rules);
    let own = segments.times();
    let mut keys = Inserted { own: &own, segments, added: Added::default() };
    let mut wanted = times.iter().copied().peekable();
    let mut place = 0;
    while let Some(&time) = own.get(place) {
        while let Some(before) = wanted.next_if(|wanted| *wanted < time) {
            keys.between(place.checked_sub(1), before, wanted.peek() == Some(&before));
        }
        let next = own.partition_point(|other| *other <= time);
        let mut there = (place..next).len();
        while wanted.next_if_eq(&time).is_some() {
            match there.checked_sub(1) {
                Some(fewer) => there = fewer,
                None => keys.again(place, time),
            }
        }
        (place..next).for_each(|key| keys.key(key, time));
        place = next;
    }
    while let Some(after) = wanted.next() {
        keys.between(own.len().checked_sub(1), after, wanted.peek() == Some(&after));
    }
    keys.added.into_data(data.kind())
}

/// The keys of the result, as they are added.
#[derive(Default)]
struct Added {
    times: Vec<f64>,
    values: Vec<[f64; 1]>,
    interpolation: Vec<Interpolation>,
    left: Vec<Handle>,
    right: Vec<Handle>,
}

struct Inserted<'a> {
    own: &'a [f64],
    segments: Segments<'a>,
    added: Added,
}

impl Inserted<'_> {
    /// Adds a key of the track.
    fn key(&mut self, key: usize, time: f64) {
        let value = self.segments.rows::<1>(key)[0].at(0.0);
        self.push(time, value, self.segments.interpolation(key));
    }

    /// Adds a copy of a key of the track, at the same time and before it, so that it never shows.
    fn again(&mut self, key: usize, time: f64) {
        let value = self.segments.rows::<1>(key)[0].at(0.0);
        self.push(time, value, Interpolation::Hold);
    }

    /// Adds a key between two keys of the track, or before the first one or after the last. A key
    /// that another follows at the same time never shows.
    fn between(&mut self, key: Option<usize>, time: f64, another: bool) {
        let Some(key) = key else {
            let value = self.segments.rows::<1>(0)[0].at(0.0);
            return self.push(time, value, Interpolation::Hold);
        };
        let curve = self.segments.rows::<1>(key)[0];
        let next = self.own.get(key + 1);
        let Some((start, end)) = self.own.get(key).zip(next) else {
            self.push(time, curve.at(1.0), Interpolation::Hold);
            return;
        };
        let value = curve.at((time - start) / (end - start));
        let goes_on = self.segments.interpolation(key);
        self.push(time, value, if another { Interpolation::Hold } else { goes_on });
    }

    fn push(&mut self, time: f64, value: f64, interpolation: Interpolation) {
        // The curve is stored as control points, so Hermite curves become Bezier curves.
        let interpolation = match interpolation {
            Interpolation::Hermite => Interpolation::Bezier,
            other => other,
        };
        self.added.times.push(time);
        self.added.values.push([value]);
        self.added.interpolation.push(interpolation);
        let handle = Handle { time, value };
        self.added.left.push(handle);
        self.added.right.push(handle);
        self.close(time);
    }

    /// Gives the segment that ends at the last key its control points, at thirds of the segment.
    fn close(&mut self, end: f64) {
        let Some(last) = self.added.times.len().checked_sub(1) else { return };
        let Some(before) = last.checked_sub(1) else { return };
        if self.added.interpolation.get(before) != Some(&Interpolation::Bezier) {
            return;
        }
        let Some(&start) = self.added.times.get(before) else { return };
        let Some(key) = self.own.partition_point(|time| *time <= start).checked_sub(1) else {
            return;
        };
        let [_, out, into, _] = self.part(key, start, end).points();
        let third = (end - start) / 3.0;
        if let Some(handle) = self.added.right.get_mut(before) {
            *handle = Handle { time: start + third, value: out };
        }
        if let Some(handle) = self.added.left.get_mut(last) {
            *handle = Handle { time: end - third, value: into };
        }
    }

    fn part(&self, key: usize, start: f64, end: f64) -> Cubic {
        let curve = self.segments.rows::<1>(key)[0];
        match self.own.get(key).zip(self.own.get(key + 1)) {
            Some((&from, &to)) => {
                let part = |time: f64| ((time - from) / (to - from)).clamp(0.0, 1.0);
                curve.part(part(start)..part(end))
            }
            None => Cubic::constant(curve.at(1.0)),
        }
    }
}

impl Added {
    fn into_data(self, kind: ValueKind) -> Result<TrackData, BakeError> {
        let values = rows::column(kind, self.values.into_iter());
        let curved = self.interpolation.contains(&Interpolation::Bezier);
        let tangents = curved.then_some(Tangents::Handles { left: self.left, right: self.right });
        let interpolation = Interpolations::PerKey(self.interpolation);
        TrackData::curve(self.times, values, interpolation, tangents).map_err(|_| BakeError::Times)
    }
}
