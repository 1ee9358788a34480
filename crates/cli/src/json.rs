//! Reports as JSON: the shapes are part of the command's interface.

use std::io::{self, Write};

use inbetween::Finding;
use inbetween::core::{
    Applies, Axis, ClipCount, ClipSummary, FileEncoding, FormatInfo, Inspection, Looping, Marker,
    OptionInfo, Position, Space, TrackSummary, printable_json,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Prints a text or null.
pub(crate) fn json_text(text: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{}", printable_json(&serde_json::to_string(&text)?))
}

/// An array that is printed item by item.
#[derive(Debug, Default)]
pub(crate) struct List {
    begun: bool,
}

impl List {
    pub(crate) fn push(&mut self, item: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
        let before = if self.begun { ",\n  " } else { "[\n  " };
        self.begun = true;
        // A line break can only stand between tokens, since strings escape theirs.
        let text = serde_json::to_string_pretty(item)?.replace('\n', "\n  ");
        write!(out, "{before}{}", printable_json(&text))
    }

    pub(crate) fn end(self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(if self.begun { b"\n]\n" } else { b"[]\n" })
    }
}

/// What `info` tells of a file.
#[derive(Debug, Serialize)]
pub(crate) struct InfoFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) format: Option<&'static str>,
    pub(crate) bytes: Option<u64>,
    pub(crate) layout: Option<&'a str>,
    pub(crate) facts: Facts<'a>,
    pub(crate) clips: Vec<Clip<'a>>,
    pub(crate) error: Option<&'a str>,
}

impl<'a> InfoFile<'a> {
    pub(crate) fn new(
        path: &'a str,
        info: &FormatInfo,
        bytes: u64,
        inspection: &'a Inspection,
    ) -> Self {
        Self {
            path,
            format: Some(info.id),
            bytes: Some(bytes),
            layout: Some(&inspection.layout),
            facts: Facts(&inspection.facts),
            clips: inspection.clips.iter().map(Clip::from).collect(),
            error: None,
        }
    }

    pub(crate) fn failed(path: &'a str, error: &'a str) -> Self {
        Self {
            path,
            format: None,
            bytes: None,
            layout: None,
            facts: Facts(&[]),
            clips: Vec::new(),
            error: Some(error),
        }
    }
}

/// Facts as an object, in their order.
#[derive(Debug)]
pub(crate) struct Facts<'a>(&'a [(&'static str, String)]);

impl Serialize for Facts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Clip<'a> {
    name: Option<&'a str>,
    duration: f64,
    stated_duration: Option<f64>,
    frame_rate: Option<f64>,
    looping: bool,
    blend: std::borrow::Cow<'static, str>,
    tracks: Vec<Track<'a>>,
    markers: Vec<MarkerAt<'a>>,
}

impl<'a> From<&'a ClipSummary> for Clip<'a> {
    fn from(clip: &'a ClipSummary) -> Self {
        Self {
            name: clip.name.as_deref(),
            duration: clip.duration,
            stated_duration: clip.stated_duration,
            frame_rate: clip.frame_rate,
            looping: clip.looping == Looping::Loop,
            blend: clip.blend.name(),
            tracks: clip.tracks.iter().map(Track::from).collect(),
            markers: clip.markers.iter().map(MarkerAt::from).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Track<'a> {
    node: Option<&'a str>,
    property: Option<&'a str>,
    component: Option<&'static str>,
    kind: &'static str,
    shape: &'static str,
    keys: usize,
}

impl<'a> From<&'a TrackSummary> for Track<'a> {
    fn from(track: &'a TrackSummary) -> Self {
        Self {
            node: track.node.as_deref(),
            property: track.property.as_deref(),
            component: track.component.map(Axis::name),
            kind: track.kind.name(),
            shape: track.shape,
            keys: track.keys,
        }
    }
}

#[derive(Debug, Serialize)]
struct MarkerAt<'a> {
    time: f64,
    name: &'a str,
}

impl<'a> From<&'a Marker> for MarkerAt<'a> {
    fn from(marker: &'a Marker) -> Self {
        Self { time: marker.time, name: &marker.name }
    }
}

/// What `check` tells of a file.
#[derive(Debug, Serialize)]
pub(crate) struct CheckFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) format: Option<&'static str>,
    pub(crate) findings: Vec<FindingAt<'a>>,
    /// How many edits `--fix` made.
    pub(crate) edits: u64,
    /// Where the mended file went.
    pub(crate) written: Option<String>,
    pub(crate) error: Option<&'a str>,
}

/// What `convert` tells of an input.
#[derive(Debug, Serialize)]
pub(crate) struct ConvertFile<'a> {
    pub(crate) input: &'a str,
    /// The clip, where each goes to a file of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clip: Option<&'a str>,
    pub(crate) output: Option<&'a str>,
    pub(crate) from: Option<&'static str>,
    pub(crate) to: &'static str,
    /// The length of the output.
    pub(crate) bytes: Option<u64>,
    pub(crate) losses: Vec<FindingAt<'a>>,
    pub(crate) written: bool,
    pub(crate) error: Option<&'a str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct FindingAt<'a> {
    code: &'static str,
    severity: &'static str,
    loss: bool,
    path: String,
    position: Option<Place>,
    message: &'a str,
    count: u64,
    fixable: bool,
    help: &'static str,
}

impl<'a> From<&'a Finding> for FindingAt<'a> {
    fn from(finding: &'a Finding) -> Self {
        Self {
            code: finding.code.id(),
            severity: finding.severity().name(),
            loss: finding.code.is_loss(),
            path: format!("{:#}", finding.path),
            position: finding.position.map(Place::from),
            message: &finding.message,
            count: finding.count,
            fixable: finding.fix.is_some(),
            help: finding.code.help(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Place {
    offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
}

impl From<Position> for Place {
    fn from(position: Position) -> Self {
        let (mut space, mut text) = (None, None);
        match position {
            Position::Byte { space: Space::Decompressed, .. } => space = Some("decompressed"),
            Position::Text { line, column, .. } => text = Some((line, column)),
            _ => {}
        }
        Self {
            offset: position.offset(),
            space,
            line: text.map(|(line, _)| line),
            column: text.map(|(_, column)| column),
        }
    }
}

/// What `unpack` and `pack` tell of a file.
#[derive(Debug, Serialize)]
pub(crate) struct RewrittenFile<'a> {
    pub(crate) input: &'a str,
    pub(crate) output: Option<&'a str>,
    pub(crate) format: Option<&'static str>,
    pub(crate) bytes: Option<u64>,
    pub(crate) written: bool,
    pub(crate) error: Option<&'a str>,
}

/// What `formats` tells of a format.
#[derive(Debug, Serialize)]
pub(crate) struct FormatRow {
    id: &'static str,
    name: &'static str,
    extensions: &'static [&'static str],
    summary: &'static str,
    promise: &'static str,
    encoding: &'static str,
    clips: &'static str,
    options: Vec<OptionRow>,
}

impl From<&'static FormatInfo> for FormatRow {
    fn from(info: &'static FormatInfo) -> Self {
        Self {
            id: info.id,
            name: info.name,
            extensions: info.extensions,
            summary: info.summary,
            promise: info.promise,
            encoding: match info.encoding {
                FileEncoding::Binary => "binary",
                FileEncoding::Text => "text",
            },
            clips: match info.clips {
                ClipCount::One => "one",
                ClipCount::Many => "many",
            },
            options: info.options.iter().map(OptionRow::from).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct OptionRow {
    name: &'static str,
    value: &'static str,
    help: &'static str,
    applies: &'static str,
}

impl From<&'static OptionInfo> for OptionRow {
    fn from(option: &'static OptionInfo) -> Self {
        Self {
            name: option.name,
            value: option.value,
            help: option.help,
            applies: match option.applies {
                Applies::Reading => "reading",
                Applies::Writing => "writing",
                Applies::Both => "both",
            },
        }
    }
}
