//! Compares two documents: their clips, tracks and markers, and how they play.

mod channel;
mod clips;
mod keys;

use inbetween::{Animation, BlendMode, Looping};

pub(crate) use clips::compare;

/// The settings of a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rigor {
    /// Differences up to this size are ignored.
    pub(crate) tolerance: f64,
    /// Whether keys are compared bit for bit.
    pub(crate) keys: KeyComparison,
}

/// Whether keys are compared in addition to playback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyComparison {
    Ignored,
    Exact,
}

/// An item that is in both files, or was added or removed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change<T> {
    Added(T),
    Removed(T),
    Changed(T),
}

/// The differences of a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ClipChange {
    pub(crate) name: Option<String>,
    pub(crate) heads: Vec<HeadChange>,
    pub(crate) tracks: Vec<Change<TrackChange>>,
    /// The number of properties of nodes that play the same.
    pub(crate) equal: usize,
    pub(crate) markers: Vec<Change<MarkerChange>>,
}

impl ClipChange {
    pub(crate) fn is_equal(&self) -> bool {
        self.heads.is_empty() && self.tracks.is_empty() && self.markers.is_empty()
    }
}

/// A property of a clip that differs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeadChange {
    pub(crate) what: &'static str,
    pub(crate) before: Fact,
    pub(crate) after: Fact,
}

/// A property of a clip.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fact {
    Nothing,
    Text(String),
    Number(f64, &'static str),
    Flag(bool),
}

/// The differences of a property of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TrackChange {
    pub(crate) node: Option<String>,
    pub(crate) property: String,
    /// The number of keys before and after.
    pub(crate) keys: [usize; 2],
    /// The kinds of values before and after, if they differ.
    pub(crate) kinds: Option<[&'static str; 2]>,
    /// The blend modes before and after, if they differ.
    pub(crate) blends: Option<[&'static str; 2]>,
    /// The largest difference in playback, if it exceeds the tolerance.
    pub(crate) played: Option<Played>,
    /// The largest difference between key times in seconds, if the numbers of keys are equal.
    pub(crate) time: Option<f64>,
    /// The first key that differs in any bit, if keys are compared.
    pub(crate) first_key: Option<usize>,
}

/// The largest difference between two tracks as they play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) measure: Measure,
    /// The size in the unit of the values; radians for angles; 1 for strings that differ.
    pub(crate) size: f64,
    /// The time of the largest difference, in seconds.
    pub(crate) at: f64,
    /// The range of time in which the difference exceeds the tolerance, in seconds.
    pub(crate) span: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Value,
    Angle,
    Text,
}

/// The difference of a marker.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MarkerChange {
    pub(crate) name: String,
    /// The times before and after, in seconds; equal if the marker is in one file only.
    pub(crate) times: [f64; 2],
}

/// The distance below which times count as equal: that of rounding to `f32`.
fn same_time(one: f64, other: f64) -> bool {
    let grain = inbetween::num::ulp_f32(one.abs().max(other.abs()));
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
