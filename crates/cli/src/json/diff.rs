//! The report of `diff` as JSON.

use serde::Serialize;

use inbetween::comparison::{Change, ClipChange, Fact, MarkerChange, Measure, TrackChange};

/// A comparison of two files.
#[derive(Debug, Serialize)]
pub(crate) struct DiffFile<'a> {
    before: &'a str,
    after: &'a str,
    equal: bool,
    tolerance: f64,
    clips: Vec<Clip<'a>>,
}

#[derive(Debug, Serialize)]
struct Clip<'a> {
    name: Option<&'a str>,
    status: &'static str,
    /// The properties of the clip that differ.
    facts: Vec<Member<'a>>,
    /// The number of properties of nodes that play the same.
    equal_tracks: usize,
    tracks: Vec<Track<'a>>,
    markers: Vec<MarkerRow<'a>>,
}

#[derive(Debug, Serialize)]
struct Member<'a> {
    name: &'static str,
    before: Json<'a>,
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

#[derive(Debug, Serialize)]
struct Track<'a> {
    node: Option<&'a str>,
    property: &'a str,
    status: &'static str,
    keys: [usize; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    kinds: Option<[&'static str; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blends: Option<[&'static str; 2]>,
    /// The largest difference in playback.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Played>,
    /// The largest difference between key times, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_times_apart: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_key: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Played {
    /// `value`, `angle` in radians, or `text`.
    measure: &'static str,
    /// `null` if the values cannot be compared.
    largest: Option<f64>,
    at: f64,
    from: f64,
    to: f64,
}

#[derive(Debug, Serialize)]
struct MarkerRow<'a> {
    name: &'a str,
    status: &'static str,
    before: Option<f64>,
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
