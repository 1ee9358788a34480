//! What animates one property of one node, and how far two of these are apart as they play.

use super::measure::{ALWAYS, Difference, Signal, Times, measure};
use super::rotation::Turn;
use super::source::{Joined, Row, Segments};
use crate::model::rows;
use crate::{Clock, Property, Rules, Track, TrackData, ValueKind};

/// A property of a node as it plays: the track of all of its components, or tracks of single ones.
#[derive(Clone, Copy, Debug)]
pub struct Channel<'a> {
    /// The property, which decides whether numbers are angles.
    pub property: &'a Property,
    /// The tracks.
    pub tracks: ChannelTracks<'a>,
    /// The playback rules.
    pub rules: Rules,
}

/// The tracks of a [`Channel`].
#[derive(Clone, Copy, Debug)]
pub enum ChannelTracks<'a> {
    /// One track of whole values.
    Whole(&'a TrackData),
    /// Tracks of numbers, one per axis, and the values of the axes without a track.
    Axes([Option<&'a TrackData>; 3], [f64; 3]),
}

impl<'a> ChannelTracks<'a> {
    /// Returns the tracks of one property of one node: the first one of whole values, or those of
    /// its axes. Axes without a track have the values of `rest`.
    pub fn of(tracks: &[&'a Track], rest: [f64; 3]) -> Self {
        let component = |track: &Track| {
            let number = matches!(track.data().kind(), ValueKind::Float | ValueKind::Double);
            track.target().component.filter(|_| number)
        };
        let mut found: [Option<&TrackData>; 3] = [None; 3];
        for track in tracks {
            match component(track) {
                Some(axis) => *axis.of(found.each_mut()) = Some(track.data()),
                None => return Self::Whole(track.data()),
            }
        }
        Self::Axes(found, rest)
    }
}

impl<'a> Channel<'a> {
    /// Creates the channel of a track of whole values, or of a single angle.
    pub fn of_track(property: &'a Property, data: &'a TrackData, rules: Rules) -> Self {
        let angle = matches!(property, Property::RotationEuler(_)) && rows::width(data.kind()) == 1;
        let tracks = if angle {
            ChannelTracks::Axes([Some(data), None, None], [0.0; 3])
        } else {
            ChannelTracks::Whole(data)
        };
        Self { property, tracks, rules }
    }

    fn turns(&self) -> Option<Signal<'a, Turn>> {
        let rules = self.rules.of(self.property);
        match (self.tracks, self.property) {
            (ChannelTracks::Whole(data), _) if data.kind().is_quaternion() => {
                Some(Segments::new(data, rules).turns())
            }
            (ChannelTracks::Whole(data), Property::RotationEuler(order)) => {
                Some(Segments::new(data, rules).angles(*order))
            }
            (ChannelTracks::Axes(tracks, rest), Property::RotationEuler(order)) => {
                Some(Joined::new(tracks, rest, rules).angles(*order))
            }
            _ => None,
        }
    }

    fn rows<const N: usize>(&self) -> Signal<'a, Row<N>> {
        match self.tracks {
            ChannelTracks::Whole(data) => Segments::new(data, self.rules).signal(),
            ChannelTracks::Axes(tracks, rest) => Joined::new(tracks, rest, self.rules).signal(),
        }
    }

    /// Returns the number of components; 0 for values that never interpolate.
    fn width(&self) -> usize {
        match self.tracks {
            ChannelTracks::Whole(data) => rows::width(data.kind()),
            ChannelTracks::Axes(..) => 3,
        }
    }

    fn is_empty(&self) -> bool {
        match self.tracks {
            ChannelTracks::Whole(data) => data.is_empty(),
            ChannelTracks::Axes(tracks, _) => tracks.iter().flatten().all(|data| data.is_empty()),
        }
    }

    /// Measures how far this channel and another one are apart at any time; `None` if they cannot
    /// be compared: values of different numbers of components, or only one of them has keys.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Channel, Property, Rules, TrackData};
    ///
    /// let one = TrackData::uniform(1.0, vec![0.0_f32, 1.0, 0.0]);
    /// let other = TrackData::uniform(2.0, vec![0.0_f32, 0.0]);
    /// let channel = |data| Channel::of_track(&Property::Custom(None), data, Rules::LINEAR);
    /// let apart = channel(&one).difference(&channel(&other)).ok_or("not comparable")?;
    /// assert_eq!((apart.value, apart.time), (1.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let exact = [self, other].iter().all(|it| it.rules.clock == Clock::F64);
        let precision = if exact { Times::Exact } else { Times::Rounded };
        self.measured(other, (precision, 0.0))
    }

    /// Like [`difference`](Self::difference), with a tolerance for [`Difference::beyond`].
    /// Jumps that differ by the rounding of times to `f32` are the same.
    pub fn difference_above(&self, tolerance: f64, other: &Self) -> Option<Difference> {
        self.measured(other, (Times::Rounded, tolerance))
    }

    fn measured(&self, other: &Self, tolerance: (Times, f64)) -> Option<Difference> {
        if self.is_empty() || other.is_empty() {
            return (self.is_empty() == other.is_empty()).then(Difference::default);
        }
        match (self.turns(), other.turns()) {
            (Some(one), Some(other)) => return Some(measure(&one, &other, ALWAYS, tolerance)),
            (None, None) => {}
            _ => return None,
        }
        match (self.width(), other.width()) {
            (one, other) if one != other => None,
            (0, _) => Some(self.held(other, tolerance)),
            (1, _) => Some(measure(&self.rows::<1>(), &other.rows::<1>(), ALWAYS, tolerance)),
            (2 | 3, _) => Some(measure(&self.rows::<3>(), &other.rows::<3>(), ALWAYS, tolerance)),
            (4, _) => Some(measure(&self.rows::<4>(), &other.rows::<4>(), ALWAYS, tolerance)),
            _ => Some(measure(&self.rows::<16>(), &other.rows::<16>(), ALWAYS, tolerance)),
        }
    }

    /// Measures values that hold.
    fn held(&self, other: &Self, tolerance: (Times, f64)) -> Difference {
        let signal = |channel: &Self| {
            let ChannelTracks::Whole(data) = channel.tracks else { return None };
            Some(Segments::new(data, channel.rules).held())
        };
        match (signal(self), signal(other)) {
            (Some(one), Some(other)) => measure(&one, &other, ALWAYS, tolerance),
            _ => Difference::default(),
        }
    }
}
