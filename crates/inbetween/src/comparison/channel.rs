//! The tracks of one property of one node, and how they play.

use inbetween_core::lower::Rest;
use inbetween_core::{Animation, ChannelTracks, Property, Rules, Skeleton, Track, ValueKind};

use super::{Measure, Played};

/// The tracks of one property of one node.
#[derive(Debug)]
pub(super) struct Channel<'d> {
    tracks: Vec<&'d Track>,
    rules: Rules,
    /// The values of axes without a track.
    rest: [f64; 3],
}

impl<'d> Channel<'d> {
    /// Creates the channel of a track; its other axes rest.
    pub(super) fn new(clip: &Animation, track: &'d Track, skeleton: Option<&Skeleton>) -> Self {
        let rest = Rest::of(track.target(), skeleton).values;
        Self { tracks: vec![track], rules: clip.rules, rest }
    }

    pub(super) fn push(&mut self, track: &'d Track) {
        self.tracks.push(track);
    }

    pub(super) fn tracks(&self) -> impl Iterator<Item = &'d Track> {
        self.tracks.iter().copied()
    }

    pub(super) fn keys(&self) -> usize {
        self.tracks().map(|track| track.data().len()).sum()
    }

    pub(super) fn kind(&self) -> Option<ValueKind> {
        self.tracks().next().map(|track| track.data().kind())
    }

    /// Returns the tracks as one that plays.
    fn played(&self) -> Option<inbetween_core::Channel<'d>> {
        let property = &self.tracks.first()?.target().property;
        let tracks = ChannelTracks::of(&self.tracks, self.rest);
        Some(inbetween_core::Channel { property, tracks, rules: self.rules })
    }

    fn measure(&self) -> Measure {
        let first = self.tracks().next();
        let turns = |track: &Track| {
            matches!(track.target().property, Property::Rotation | Property::RotationEuler(_))
        };
        match self.kind() {
            Some(ValueKind::String) => Measure::Text,
            Some(kind) if kind.is_quaternion() || first.is_some_and(turns) => Measure::Angle,
            _ => Measure::Value,
        }
    }
}

/// Plays two channels, and returns the largest difference if it exceeds the tolerance.
///
/// `end` is that of the longer clip.
pub(super) fn play(
    before: &Channel<'_>,
    after: &Channel<'_>,
    end: f64,
    tolerance: f64,
) -> Option<Played> {
    let measure = before.measure();
    let (one, other) = (before.played()?, after.played()?);
    let Some(found) = one.difference_above(tolerance, &other) else {
        return Some(Played { measure, size: f64::INFINITY, at: 0.0, span: [0.0; 2] });
    };
    let (first, last) = found.beyond?;
    let (size, at) = match found.undefined {
        Some(time) => (f64::INFINITY, time),
        None => (found.value, found.time),
    };
    let last = if last.is_finite() { last } else { end.max(at) };
    Some(Played { measure, size, at, span: [first, last] })
}
