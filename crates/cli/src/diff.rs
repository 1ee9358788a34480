//! How two documents differ: in their clips, tracks and markers, and in what they play.

mod channel;
mod clips;
mod keys;

use inbetween::{Animation, BlendMode, Looping};

pub(crate) use clips::compare;

/// What is compared, and how closely.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rigor {
    /// Differences up to this do not count.
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

/// Something that one file has and the other may lack.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change<T> {
    Added(T),
    Removed(T),
    Changed(T),
}

/// How a clip differs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ClipChange {
    pub(crate) name: Option<String>,
    pub(crate) heads: Vec<HeadChange>,
    pub(crate) tracks: Vec<Change<TrackChange>>,
    /// How many properties of nodes play the same.
    pub(crate) equal: usize,
    pub(crate) markers: Vec<Change<MarkerChange>>,
}

impl ClipChange {
    pub(crate) fn is_equal(&self) -> bool {
        self.heads.is_empty() && self.tracks.is_empty() && self.markers.is_empty()
    }
}

/// A member of a clip that differs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeadChange {
    pub(crate) what: &'static str,
    pub(crate) before: Fact,
    pub(crate) after: Fact,
}

/// A member of a clip.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fact {
    Nothing,
    Text(String),
    Number(f64, &'static str),
    Flag(bool),
}

/// How a property of a node differs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TrackChange {
    pub(crate) node: Option<String>,
    pub(crate) property: String,
    /// Keys before and after.
    pub(crate) keys: [usize; 2],
    /// Kinds of values before and after, where they differ.
    pub(crate) kinds: Option<[&'static str; 2]>,
    /// Blend modes before and after, where they differ.
    pub(crate) blends: Option<[&'static str; 2]>,
    /// The largest difference of what plays, if it counts.
    pub(crate) played: Option<Played>,
    /// The largest difference of the times of keys in seconds, if there are as many.
    pub(crate) time: Option<f64>,
    /// The first key that differs in any bit, where keys are compared.
    pub(crate) first_key: Option<usize>,
}

/// The largest difference of what two tracks play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) measure: Measure,
    /// In the unit of the values; radians for angles; 1 for text that differs.
    pub(crate) size: f64,
    /// Where it is largest, in seconds.
    pub(crate) at: f64,
    /// From where to where it counts, in seconds.
    pub(crate) span: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Value,
    Angle,
    Text,
}

/// How a marker differs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MarkerChange {
    pub(crate) name: String,
    /// Seconds before and after; the same where there is only one.
    pub(crate) times: [f64; 2],
}

/// Times that are nearer than this are the same: what rounding to `f32` makes of them.
fn same_time(one: f64, other: f64) -> bool {
    let grain = inbetween::num::ulp_f32(one.abs().max(other.abs()));
    one == other || (one - other).abs() <= (4.0 * grain).max(1e-6)
}

/// Compares what clips have beside tracks and markers.
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
            // A format that requires a name writes an absent one as "".
            (Self::Nothing, Self::Text(text)) | (Self::Text(text), Self::Nothing) => {
                text.is_empty()
            }
            (one, other) => one == other,
        }
    }
}
