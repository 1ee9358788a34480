//! The report of `clip`.

use inbetween::Finding;
use inbetween::clip::{Built, Encoding, TrackReport};
use inbetween::core::num::u64_from_len;
use inbetween::json::FindingAt;
use serde::Serialize;

/// The report of `clip` about a file.
#[derive(Debug, Serialize)]
pub(crate) struct ClipFile<'a> {
    /// The input.
    input: String,
    /// The playback clips.
    output: String,
    /// The size of the output.
    bytes: u64,
    /// Its clips.
    clips: Vec<BuiltClip<'a>>,
    /// What was changed or noticed.
    findings: Vec<FindingAt<'a>>,
}

/// A clip of `clip`.
#[derive(Debug, Serialize)]
struct BuiltClip<'a> {
    /// The name of the clip.
    name: Option<&'a str>,
    /// How long it plays, in seconds.
    duration: f64,
    /// The size of its keys before.
    bytes_before: u64,
    /// The size of its keys.
    bytes_after: u64,
    /// The number of values before.
    values_before: u64,
    /// The number of values.
    values_after: u64,
    /// The share of tracks in full precision, 0 to 1.
    fallback_share: f64,
    /// Its tracks.
    tracks: Vec<BuiltTrack<'a>>,
}

/// A track of `clip`.
#[derive(Debug, Serialize)]
struct BuiltTrack<'a> {
    /// The node.
    node: Option<&'a str>,
    /// The property.
    property: &'a str,
    /// How its values are stored.
    encoding: &'static str,
    /// The number of keys before.
    keys_before: u64,
    /// The number of keys.
    keys: u64,
    /// The number of values before.
    values_before: u64,
    /// The number of values.
    values_after: u64,
    /// The largest error, in radians for rotations, as the bound.
    error: f64,
    /// The bound of the error.
    bound: f64,
}

impl<'a> ClipFile<'a> {
    pub(crate) fn new(
        input: String,
        output: String,
        bytes: u64,
        built: &'a [Built],
        findings: &'a [Finding],
    ) -> Self {
        let clips = built.iter().map(BuiltClip::from).collect();
        let findings = findings.iter().map(FindingAt::from).collect();
        Self { input, output, bytes, clips, findings }
    }
}

impl<'a> From<&'a Built> for BuiltClip<'a> {
    fn from(built: &'a Built) -> Self {
        let report = &built.report;
        Self {
            name: built.clip.name(),
            duration: built.clip.duration(),
            bytes_before: u64_from_len(report.bytes_before()),
            bytes_after: u64_from_len(report.bytes_after),
            values_before: u64_from_len(report.values_before()),
            values_after: u64_from_len(report.values_after()),
            fallback_share: report.fallback_share(),
            tracks: report.tracks.iter().map(BuiltTrack::from).collect(),
        }
    }
}

impl<'a> From<&'a TrackReport> for BuiltTrack<'a> {
    fn from(track: &'a TrackReport) -> Self {
        Self {
            node: track.node.as_deref(),
            property: &track.property,
            encoding: encoding(track.encoding),
            keys_before: u64_from_len(track.source_keys),
            keys: u64_from_len(track.keys),
            values_before: u64_from_len(track.values_before),
            values_after: u64_from_len(track.values_after),
            error: track.error,
            bound: track.bound,
        }
    }
}

/// Returns the name of an encoding.
pub(crate) const fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Constant => "constant",
        Encoding::Half => "half",
        Encoding::Rotation48 => "rotation48",
        Encoding::Float => "float",
    }
}
