//! The names of AnimJ: of types, interpolations and members.

use inbetween_core::Interpolation;

/// The id of the format, in errors.
pub(crate) const ID: &str = "animj";

/// The members of the root.
pub(crate) const ROOT: &[&str] = &["name", "globalDuration", "tracks"];

/// The members of a track, in the order that Resonite requires.
pub(crate) const TRACK: &[&str] = &["trackType", "valueType", "data"];

/// The members of the data of a track with keys at times, and of one with an interval.
const DATA: &[&str] = &["node", "property", "keyframes"];
const RAW_DATA: &[&str] = &["node", "property", "keyframes", "interval"];

/// The members of a Discrete key; a Curve key has all of these.
pub(crate) const DISCRETE: &[&str] = &["time", "value"];

/// The members of a Curve key.
pub(crate) const CURVE: &[&str] =
    &["time", "value", "interpolation", "leftTangent", "rightTangent"];

/// The types of tracks that Resonite has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrackType {
    Raw,
    Discrete,
    Curve,
}

impl TrackType {
    /// Every type with its name.
    pub(crate) const ALL: [(&'static str, Self); 3] = [
        (Self::Raw.name(), Self::Raw),
        (Self::Discrete.name(), Self::Discrete),
        (Self::Curve.name(), Self::Curve),
    ];

    /// Returns the name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Raw => "Raw",
            Self::Discrete => "Discrete",
            Self::Curve => "Curve",
        }
    }

    /// Returns the names of the members of `data`.
    pub(crate) const fn data_names(self) -> &'static [&'static str] {
        match self {
            Self::Raw => RAW_DATA,
            Self::Discrete | Self::Curve => DATA,
        }
    }
}

/// The interpolations by Resonite's names, in the order of their numbers.
pub(crate) const INTERPOLATIONS: [(&str, Interpolation); 4] = [
    ("Hold", Interpolation::Hold),
    ("Linear", Interpolation::Linear),
    ("Tangent", Interpolation::Hermite),
    ("CubicBezier", Interpolation::Bezier),
];

/// Returns Resonite's name of an interpolation.
pub(crate) fn interpolation_name(interpolation: Interpolation) -> &'static str {
    let known = INTERPOLATIONS.iter().find(|(_, known)| *known == interpolation);
    known.map_or("Linear", |(name, _)| name)
}
