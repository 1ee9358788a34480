//! Findings, and positions in a file.

use inbetween::Finding;
use inbetween::core::{Place, Position, Space};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct FindingAt<'a> {
    code: &'static str,
    severity: &'static str,
    loss: bool,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<ItemAt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<ItemAt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<usize>,
    position: Option<JsonPosition>,
    message: &'a str,
    count: u64,
    fixable: bool,
    help: &'static str,
}

impl<'a> From<&'a Finding> for FindingAt<'a> {
    fn from(finding: &'a Finding) -> Self {
        let Place { clip, track, key } = &finding.place;
        let (clip, track) = (clip.as_ref(), track.as_ref());
        Self {
            code: finding.code.id(),
            severity: finding.severity().name(),
            loss: finding.code.is_loss(),
            path: format!("{:#}", finding.location()),
            clip: clip.map(|clip| ItemAt {
                index: clip.index,
                name: clip.name.chars().take(256).collect(),
            }),
            track: track.map(|track| ItemAt { index: track.index, name: format!("{track:#}") }),
            key: *key,
            position: finding.position.map(JsonPosition::from),
            message: &finding.message,
            count: finding.count,
            fixable: finding.fix.is_some(),
            help: finding.code.help(),
        }
    }
}

/// A clip or a track.
#[derive(Debug, Serialize)]
struct ItemAt {
    index: usize,
    name: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct JsonPosition {
    offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
}

impl From<Position> for JsonPosition {
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
