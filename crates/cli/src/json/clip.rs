//! The report of `clip`.

use inbetween::Finding;
use inbetween::clip::{Built, Encoding, TrackReport};
use inbetween::core::num::u64_from_len;
use serde::Serialize;

use super::finding::FindingAt;

/// What `clip` prints of a file.
#[derive(Debug, Serialize)]
pub(crate) struct ClipFile<'a> {
    input: String,
    output: String,
    bytes: u64,
    clips: Vec<BuiltClip<'a>>,
    findings: Vec<FindingAt<'a>>,
}

#[derive(Debug, Serialize)]
struct BuiltClip<'a> {
    name: Option<&'a str>,
    duration: f64,
    bytes_before: u64,
    bytes_after: u64,
    values_before: u64,
    values_after: u64,
    /// The share of tracks in full precision, 0 to 1.
    fallback_share: f64,
    tracks: Vec<BuiltTrack<'a>>,
}

#[derive(Debug, Serialize)]
struct BuiltTrack<'a> {
    node: Option<&'a str>,
    property: &'a str,
    encoding: &'static str,
    keys_before: u64,
    keys: u64,
    values_before: u64,
    values_after: u64,
    /// In radians for rotations, as the bound.
    error: f64,
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
