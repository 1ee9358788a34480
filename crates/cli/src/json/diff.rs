//! The report of `diff` as JSON.

use serde::Serialize;

use inbetween::comparison::{Change, ClipChange, Fact, MarkerChange, Measure, TrackChange};

/// The report of `diff` about two files.
#[derive(Debug, Serialize)]
pub(crate) struct DiffFile<'a> {
    /// The first file.
    before: &'a str,
    /// The second file.
    after: &'a str,
    /// Whether both play the same.
    equal: bool,
    /// The largest difference that counts as none.
    tolerance: f64,
    /// The clips that differ, and those of one file only.
    clips: Vec<Clip<'a>>,
}

/// A clip of `diff`.
#[derive(Debug, Serialize)]
struct Clip<'a> {
    /// The name of the clip.
    name: Option<&'a str>,
    /// `added`, `removed`, `changed` or `equal`.
    status: &'static str,
    /// The properties of the clip that differ.
    facts: Vec<Member<'a>>,
    /// The number of properties of nodes that play the same.
    equal_tracks: usize,
    /// The properties that differ.
    tracks: Vec<Track<'a>>,
    /// The markers that differ.
    markers: Vec<MarkerRow<'a>>,
}

/// A property of a clip that differs.
#[derive(Debug, Serialize)]
struct Member<'a> {
    /// The name of the property of the clip.
    name: &'static str,
    /// Its value in the first file.
    before: Json<'a>,
    /// Its value in the second file.
    after: Json<'a>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Json<'a> {
    Null,
    Text(&'a str),
    Number(f64),
    Flag(bool),
}

/// A property of a node that differs.
#[derive(Debug, Serialize)]
struct Track<'a> {
    /// The node.
    node: Option<&'a str>,
    /// The property.
    property: &'a str,
    /// `added`, `removed` or `changed`.
    status: &'static str,
    /// The numbers of keys in both files.
    keys: [usize; 2],
    /// The kinds of the values, if they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    kinds: Option<[&'static str; 2]>,
    /// The blend modes, if they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    blends: Option<[&'static str; 2]>,
    /// The largest difference in playback.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Played>,
    /// The largest difference between key times, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_times_apart: Option<f64>,
    /// The first key that differs, with `--exact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_key: Option<usize>,
}

/// How far playback differs.
#[derive(Debug, Serialize)]
struct Played {
    /// `value`, `angle` in radians, or `text`.
    measure: &'static str,
    /// `null` if the values cannot be compared.
    largest: Option<f64>,
    /// The time of the largest difference, in seconds.
    at: f64,
    /// When the difference begins, in seconds.
    from: f64,
    /// When it ends, in seconds.
    to: f64,
}

/// A marker that differs.
#[derive(Debug, Serialize)]
struct MarkerRow<'a> {
    /// The name.
    name: &'a str,
    /// `added`, `removed` or `changed`.
    status: &'static str,
    /// Its time in the first file, in seconds.
    before: Option<f64>,
    /// Its time in the second file, in seconds.
    after: Option<f64>,
}

impl<'a> DiffFile<'a> {
    pub(crate) fn new(
        [before, after]: [&'a str; 2],
        equal: bool,
        tolerance: f64,
        changes: &'a [Change<ClipChange>],
    ) -> Self {
        Self { before, after, equal, tolerance, clips: changes.iter().map(Clip::new).collect() }
    }
}

fn status<T>(change: &Change<T>) -> (&'static str, &T) {
    match change {
        Change::Added(item) => ("added", item),
        Change::Removed(item) => ("removed", item),
        Change::Changed(item) => ("changed", item),
    }
}

impl<'a> Clip<'a> {
    fn new(change: &'a Change<ClipChange>) -> Self {
        let (status, clip) = match change {
            Change::Changed(clip) if clip.is_equal() => ("equal", clip),
            change => status(change),
        };
        let facts = clip.heads.iter().map(|head| Member {
            name: head.what,
            before: Json::new(&head.before),
            after: Json::new(&head.after),
        });
        Self {
            name: clip.name.as_deref(),
            status,
            facts: facts.collect(),
            equal_tracks: clip.equal,
            tracks: clip.tracks.iter().map(Track::new).collect(),
            markers: clip.markers.iter().map(MarkerRow::new).collect(),
        }
    }
}

impl<'a> Json<'a> {
    fn new(fact: &'a Fact) -> Self {
        match fact {
            Fact::Nothing => Self::Null,
            Fact::Text(text) => Self::Text(text),
            Fact::Number(number, _) => Self::Number(*number),
            Fact::Flag(flag) => Self::Flag(*flag),
        }
    }
}

impl<'a> Track<'a> {
    fn new(change: &'a Change<TrackChange>) -> Self {
        let (status, track) = status(change);
        Self {
            node: track.node.as_deref(),
            property: &track.property,
            status,
            keys: track.keys,
            kinds: track.kinds,
            blends: track.blends,
            played: track.played.as_ref().map(|played| Played {
                measure: match played.measure {
                    Measure::Value => "value",
                    Measure::Angle => "angle",
                    Measure::Text => "text",
                },
                largest: Some(played.size).filter(|size| size.is_finite()),
                at: played.at,
                from: played.span[0],
                to: played.span[1],
            }),
            key_times_apart: track.time,
            first_key: track.first_key,
        }
    }
}

impl<'a> MarkerRow<'a> {
    fn new(change: &'a Change<MarkerChange>) -> Self {
        let (status, marker) = status(change);
        let [before, after] = marker.times;
        Self {
            name: &marker.name,
            status,
            before: (status != "added").then_some(before),
            after: (status != "removed").then_some(after),
        }
    }
}
