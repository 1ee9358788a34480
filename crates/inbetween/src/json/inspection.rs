//! What a file contains.

use inbetween_core::{Axis, ClipSummary, Looping, Marker, TrackSummary};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Facts as an object, in order.
#[derive(Debug)]
pub struct Facts<'a>(pub &'a [(&'static str, String)]);

impl Serialize for Facts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A clip of `info`.
#[derive(Debug, Serialize)]
pub struct Clip<'a> {
    /// The name of the clip.
    name: Option<&'a str>,
    /// How long it plays, in seconds.
    duration: Option<f64>,
    /// The time of its first key in seconds.
    first_key: Option<f64>,
    /// The duration that the file states, in seconds.
    stated_duration: Option<f64>,
    /// Frames per second.
    frame_rate: Option<f64>,
    /// Whether it repeats.
    looping: bool,
    /// The blend mode: `absolute`, `additive`, `relative` or `delta`.
    blend: std::borrow::Cow<'static, str>,
    /// Its tracks, in the order of the file.
    tracks: Vec<Track<'a>>,
    /// Its markers.
    markers: Vec<MarkerAt<'a>>,
}

impl<'a> Clip<'a> {
    /// Describes a clip; `sparklines` are those of its tracks, or none.
    pub fn new(clip: &'a ClipSummary, sparklines: &'a [String]) -> Self {
        let sparklines = sparklines.iter().map(|line| Some(line.as_str()));
        let sparklines = sparklines.chain(core::iter::repeat(None));
        let tracks = clip.tracks.iter().zip(sparklines);
        Self {
            name: clip.name.as_deref(),
            duration: clip.duration,
            first_key: clip.first_key,
            stated_duration: clip.stated_duration,
            frame_rate: clip.frame_rate,
            looping: clip.looping == Looping::Loop,
            blend: clip.blend.name(),
            tracks: tracks.map(|(track, sparkline)| Track::new(track, sparkline)).collect(),
            markers: clip.markers.iter().map(MarkerAt::from).collect(),
        }
    }
}

/// A track of `info`.
#[derive(Debug, Serialize)]
struct Track<'a> {
    /// The node.
    node: Option<&'a str>,
    /// The property, such as `Rotation`.
    property: Option<&'a str>,
    /// `x`, `y` or `z`, if the track has only one component.
    component: Option<&'static str>,
    /// The kind of its values, such as `float3`.
    kind: &'static str,
    /// `uniform`, `stepped` or `curve`.
    shape: &'static str,
    /// The number of its keys.
    keys: usize,
    /// A line of bars, with `--spark`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sparkline: Option<&'a str>,
}

impl<'a> Track<'a> {
    fn new(track: &'a TrackSummary, sparkline: Option<&'a str>) -> Self {
        Self {
            node: track.node.as_deref(),
            property: track.property.as_deref(),
            component: track.component.map(Axis::name),
            kind: track.kind.name(),
            shape: track.shape,
            keys: track.keys,
            sparkline,
        }
    }
}

/// A marker of `info`.
#[derive(Debug, Serialize)]
struct MarkerAt<'a> {
    /// The time in seconds.
    time: f64,
    /// The name.
    name: &'a str,
}

impl<'a> From<&'a Marker> for MarkerAt<'a> {
    fn from(marker: &'a Marker) -> Self {
        Self { time: marker.time, name: &marker.name }
    }
}
