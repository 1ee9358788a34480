//! The exact model: everything in an AnimJ file except white space.

use inbetween_core::{Identical, Interpolation, Text, Values};

use crate::layout::TrackType;
use crate::member::Member;

/// An AnimJ file.
///
/// Created from text by [`parse`](Self::parse) and from owned parts by
/// [`from_parts`](Self::from_parts). Invariants, which make every file writable:
/// 1. Every track has as many times, interpolations and tangents as values, and tangents of the
///    kind of its values.
/// 2. Every number is finite.
/// 3. No extra member has a name that the format defines at this position.
///
/// Two files are equal if all numbers are equal bit for bit.
///
/// # Examples
///
/// ```
/// use inbetween_animj::{AnimjFile, Style};
/// use inbetween_core::Limits;
///
/// let text = br#"{"name":"A","globalDuration":2,"tracks":[]}"#;
/// let file = AnimjFile::parse(text, &Limits::default())?.value;
/// assert_eq!(file.name(), Some("A"));
/// assert_eq!(file.to_text(Style::Compact).as_bytes(), text);
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnimjFile {
    pub(crate) parts: AnimjParts,
}

/// The parts of an AnimJ file.
#[derive(Clone, Debug, Default)]
pub struct AnimjParts {
    /// `name`; `None` if null or missing.
    pub name: Option<Text>,
    /// `globalDuration` in seconds; 0 if missing.
    pub global_duration: f32,
    /// `tracks`.
    pub tracks: Vec<AnimjTrack>,
    /// Unknown members, in file order.
    pub extra: Vec<Member>,
}

/// One track: its `data`, with `trackType` and `valueType` stored in the keys.
#[derive(Clone, Debug)]
pub struct AnimjTrack {
    /// `node`, the slot in the scene; `None` if null or missing.
    pub node: Option<Text>,
    /// `property`, the field of the slot; `None` if null or missing.
    pub property: Option<Text>,
    /// The keys.
    pub keys: AnimjKeys,
    /// Unknown members of `data`, in file order.
    pub extra: Vec<Member>,
}

/// The keys of a track, in the order of the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnimjKeys {
    /// Key `i` is at `i * interval` seconds; linear between keys.
    Raw {
        /// Seconds between two keys; 0 if missing.
        interval: f32,
        /// The values.
        values: Values,
    },
    /// Each value holds until the next.
    Discrete {
        /// Seconds.
        times: Vec<f32>,
        /// The values.
        values: Values,
    },
    /// Each key has its own interpolation to the next.
    Curve {
        /// Seconds.
        times: Vec<f32>,
        /// The values.
        values: Values,
        /// The interpolations. `Tangent` is Hermite, `CubicBezier` is Bezier.
        interpolation: Vec<Interpolation>,
        /// The tangents, if any key has one.
        tangents: Option<Box<AnimjTangents>>,
    },
}

/// The tangents of a Curve track: values of the kind of its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimjTangents {
    /// `leftTangent` of every key; the default value if missing.
    pub left: Values,
    /// `rightTangent` of every key; the default value if missing.
    pub right: Values,
    /// The tangents that are present in the file.
    pub given: Vec<Sides>,
}

/// The tangents of a key that are present in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sides {
    /// None.
    #[default]
    None,
    /// Only `leftTangent`.
    Left,
    /// Only `rightTangent`.
    Right,
    /// `leftTangent` and `rightTangent`.
    Both,
}

impl Sides {
    /// Returns the sides from whether there is a left and a right tangent.
    pub(crate) const fn of(left: bool, right: bool) -> Self {
        match (left, right) {
            (false, false) => Self::None,
            (true, false) => Self::Left,
            (false, true) => Self::Right,
            (true, true) => Self::Both,
        }
    }

    /// Returns whether there is a left tangent.
    pub const fn has_left(self) -> bool {
        matches!(self, Self::Left | Self::Both)
    }

    /// Returns whether there is a right tangent.
    pub const fn has_right(self) -> bool {
        matches!(self, Self::Right | Self::Both)
    }
}

impl AnimjFile {
    /// Returns `name`.
    pub fn name(&self) -> Option<&str> {
        self.parts.name.as_deref()
    }

    /// Returns `globalDuration` in seconds, as stored.
    pub const fn global_duration(&self) -> f32 {
        self.parts.global_duration
    }

    /// Returns the length that Resonite plays in seconds: `globalDuration`, or the time of the last
    /// key if later.
    pub fn effective_duration(&self) -> f32 {
        let ends = self.parts.tracks.iter().filter_map(|track| track.keys.end());
        ends.fold(self.parts.global_duration, f32::max)
    }

    /// Returns the tracks.
    pub fn tracks(&self) -> &[AnimjTrack] {
        &self.parts.tracks
    }

    /// Returns the unknown members of the root.
    pub fn extra(&self) -> &[Member] {
        &self.parts.extra
    }

    /// Splits the file into its parts without copying its keys.
    pub fn into_parts(self) -> AnimjParts {
        self.parts
    }
}

impl AnimjKeys {
    /// Returns the `trackType`: `Raw`, `Discrete` or `Curve`.
    pub const fn track_type(&self) -> &'static str {
        match self {
            Self::Raw { .. } => TrackType::Raw.name(),
            Self::Discrete { .. } => TrackType::Discrete.name(),
            Self::Curve { .. } => TrackType::Curve.name(),
        }
    }

    /// Returns the values; their kind is the `valueType`.
    pub const fn values(&self) -> &Values {
        match self {
            Self::Raw { values, .. }
            | Self::Discrete { values, .. }
            | Self::Curve { values, .. } => values,
        }
    }

    /// Returns the latest time of a key in seconds, or `None` without keys.
    pub fn end(&self) -> Option<f32> {
        match self {
            Self::Raw { interval, values } => {
                let steps = values.len().checked_sub(1)?;
                let end = f64::from(*interval) * inbetween_core::num::f64_from_index(steps);
                Some(inbetween_core::num::f32_from_f64(end))
            }
            Self::Discrete { times, .. } | Self::Curve { times, .. } => {
                times.iter().copied().reduce(f32::max)
            }
        }
    }
}

impl PartialEq for AnimjFile {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl PartialEq for AnimjParts {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, global_duration, tracks, extra } = self;
        *name == other.name
            && global_duration.identical(&other.global_duration)
            && *tracks == other.tracks
            && *extra == other.extra
    }
}

impl PartialEq for AnimjTrack {
    fn eq(&self, other: &Self) -> bool {
        let Self { node, property, keys, extra } = self;
        *node == other.node
            && *property == other.property
            && *keys == other.keys
            && *extra == other.extra
    }
}

impl PartialEq for AnimjKeys {
    fn eq(&self, other: &Self) -> bool {
        let same_times = match (self.times(), other.times()) {
            (Times::Interval(own), Times::Interval(theirs)) => own.identical(&theirs),
            (Times::Each(own), Times::Each(theirs)) => own.identical(theirs),
            _ => false,
        };
        self.track_type() == other.track_type()
            && same_times
            && self.values() == other.values()
            && self.interpolations() == other.interpolations()
    }
}

/// The times of keys.
enum Times<'a> {
    Interval(f32),
    Each(&'a [f32]),
}

impl AnimjKeys {
    fn times(&self) -> Times<'_> {
        match self {
            Self::Raw { interval, values: _ } => Times::Interval(*interval),
            Self::Discrete { times, values: _ }
            | Self::Curve { times, values: _, interpolation: _, tangents: _ } => Times::Each(times),
        }
    }

    /// Returns the interpolations of keys.
    fn interpolations(&self) -> (&[Interpolation], Option<&AnimjTangents>) {
        match self {
            Self::Curve { interpolation, tangents, .. } => (interpolation, tangents.as_deref()),
            _ => (&[], None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(interval: f32, values: Vec<f32>) -> AnimjKeys {
        AnimjKeys::Raw { interval, values: values.into() }
    }

    #[test]
    fn files_are_compared_bit_for_bit() {
        assert_ne!(raw(0.0, vec![]), raw(-0.0, vec![]));
        assert_ne!(raw(1.0, vec![0.0]), raw(1.0, vec![-0.0]));
        assert_eq!(raw(1.0, vec![-0.0]), raw(1.0, vec![-0.0]));
    }

    #[test]
    fn the_longest_track_decides_if_the_duration_is_shorter() {
        let track = |keys| AnimjTrack { node: None, property: None, keys, extra: Vec::new() };
        let parts = |global_duration| AnimjParts {
            global_duration,
            tracks: vec![track(raw(0.5, vec![1.0; 5])), track(raw(9.0, vec![1.0]))],
            ..AnimjParts::default()
        };
        let effective =
            |duration| AnimjFile::from_parts(parts(duration)).unwrap().effective_duration();
        assert_eq!(effective(1.0), 2.0);
        assert_eq!(effective(3.0), 3.0);
    }
}
