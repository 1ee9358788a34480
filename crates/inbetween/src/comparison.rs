//! Compares two documents: their clips, tracks and markers, and how they play.

mod channel;
mod clips;
mod keys;

use inbetween_core::{Animation, BlendMode, Looping};

pub use crate::reduction::measure_written;
pub use clips::compare;

/// How exactly two documents are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rigor {
    /// Differences up to this size are ignored.
    pub tolerance: f64,
    /// Whether keys are compared in addition to playback.
    pub keys: KeyComparison,
}

impl Rigor {
    /// Compares how documents play: differences up to the tolerance, in radians for rotations and in
    /// the unit of the values for others, are ignored.
    pub const fn within(tolerance: f64) -> Self {
        Self { tolerance, keys: KeyComparison::Ignored }
    }

    /// Returns the rigor with keys that are compared bit for bit, or not.
    #[must_use]
    pub const fn with_keys(mut self, keys: KeyComparison) -> Self {
        self.keys = keys;
        self
    }
}

/// Whether keys are compared in addition to playback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyComparison {
    /// Only playback is compared.
    Ignored,
    /// Times, values, interpolations and tangents are compared bit for bit too.
    Exact,
}

/// An item that is in both files, or was added or removed.
#[derive(Clone, Debug, PartialEq)]
pub enum Change<T> {
    /// Only the second document has it.
    Added(T),
    /// Only the first document has it.
    Removed(T),
    /// Both have it. A clip is listed even if nothing in it differs ([`ClipChange::is_equal`]).
    Changed(T),
}

/// The differences of a clip.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ClipChange {
    /// The name, in the first document if both have the clip.
    pub name: Option<String>,
    /// The properties of the clip that differ.
    pub heads: Vec<HeadChange>,
    /// The properties of nodes that differ.
    pub tracks: Vec<Change<TrackChange>>,
    /// The number of properties of nodes that play the same.
    pub equal: usize,
    /// The markers that differ.
    pub markers: Vec<Change<MarkerChange>>,
}

impl ClipChange {
    /// Returns whether nothing differs.
    pub fn is_equal(&self) -> bool {
        self.heads.is_empty() && self.tracks.is_empty() && self.markers.is_empty()
    }
}

/// A property of a clip that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadChange {
    /// The name of the property, such as `duration`.
    pub what: &'static str,
    /// Its value in the first document.
    pub before: Fact,
    /// Its value in the second document.
    pub after: Fact,
}

/// The value of a property of a clip.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// The clip does not state it.
    Nothing,
    /// A text.
    Text(String),
    /// A number, and its unit with a space before it.
    Number(f64, &'static str),
    /// Yes or no.
    Flag(bool),
}

/// The differences of a property of a node.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TrackChange {
    /// The node.
    pub node: Option<String>,
    /// The name of the property. Quaternions and Euler angles have one name.
    pub property: String,
    /// The number of keys before and after.
    pub keys: [usize; 2],
    /// The kinds of values before and after, if they differ.
    pub kinds: Option<[&'static str; 2]>,
    /// The blend modes before and after, if they differ.
    pub blends: Option<[&'static str; 2]>,
    /// The largest difference in playback, if it exceeds the tolerance.
    pub played: Option<Played>,
    /// The largest difference between key times in seconds, if the numbers of keys are equal.
    pub time: Option<f64>,
    /// The first key that differs in any bit, if keys are compared.
    pub first_key: Option<usize>,
}

/// The largest difference between two tracks as they play.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Played {
    /// What the size measures.
    pub measure: Measure,
    /// The size in the unit of the values; radians for angles; 1 for strings that differ. It is
    /// infinite if the two cannot be compared.
    pub size: f64,
    /// The time of the largest difference, in seconds.
    pub at: f64,
    /// The range of time in which the difference exceeds the tolerance, in seconds.
    pub span: [f64; 2],
}

/// What a difference measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The distance of values.
    Value,
    /// The angle between rotations.
    Angle,
    /// Whether strings differ.
    Text,
}

/// The difference of a marker.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerChange {
    /// The name.
    pub name: String,
    /// The times before and after, in seconds; equal if the marker is in one file only.
    pub times: [f64; 2],
}

/// The distance below which times count as equal: that of rounding to `f32`.
fn same_time(one: f64, other: f64) -> bool {
    let grain = inbetween_core::num::ulp_f32(one.abs().max(other.abs()));
    one == other || (one - other).abs() <= (4.0 * grain).max(1e-6)
}

/// Compares the properties of clips other than tracks and markers.
fn heads(before: &Animation, after: &Animation) -> Vec<HeadChange> {
    let name = |clip: &Animation| clip.name.as_deref().map_or(Fact::Nothing, Fact::of);
    let duration = |clip: &Animation| Fact::Number(clip.effective_duration(), " s");
    let rate = |clip: &Animation| {
        clip.frame_rate.map_or(Fact::Nothing, |rate| Fact::Number(rate, " frames per second"))
    };
    let looped = |clip: &Animation| Fact::Flag(clip.looping == Looping::Loop);
    let blend = |clip: &Animation| Fact::Text(BlendMode::name(clip.blend).into_owned());
    let each: [(&'static str, [Fact; 2]); 5] = [
        ("name", [before, after].map(name)),
        ("duration", [before, after].map(duration)),
        ("frame rate", [before, after].map(rate)),
        ("looped", [before, after].map(looped)),
        ("blend mode", [before, after].map(blend)),
    ];
    let changed = each.into_iter().filter(|(_, [before, after])| !before.is_same(after));
    changed.map(|(what, [before, after])| HeadChange { what, before, after }).collect()
}

impl Fact {
    fn of(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one, _), Self::Number(other, _)) => same_time(*one, *other),
            // A format that requires a name writes a missing one as "".
            (Self::Nothing, Self::Text(text)) | (Self::Text(text), Self::Nothing) => {
                text.is_empty()
            }
            (one, other) => one == other,
        }
    }
}
