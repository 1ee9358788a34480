//! Findings, errors, and positions in a file.

use inbetween_core::{Finding, Place, Position, Space};
use serde::Serialize;

/// A finding.
#[derive(Debug, Serialize)]
pub struct FindingAt<'a> {
    /// Its code, which `docs/findings.md` explains.
    code: &'static str,
    /// `hint`, `info`, `warning` or `error`.
    severity: &'static str,
    /// Whether something is lost.
    loss: bool,
    /// The path of the value in the file.
    path: String,
    /// The clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<ItemAt>,
    /// The track.
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<ItemAt>,
    /// The index of the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<usize>,
    /// Where it is in the file.
    position: Option<PositionAt>,
    /// What was found.
    message: &'a str,
    /// How often.
    count: u64,
    /// Whether `check --fix` fixes it.
    fixable: bool,
    /// What it means and what to do.
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
            position: finding.position.map(PositionAt::from),
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
    /// Its index in the file or the clip, from 0.
    index: usize,
    /// Its name.
    name: String,
}

/// A position in a file.
#[derive(Debug, Serialize)]
pub struct PositionAt {
    /// The offset in bytes.
    offset: u64,
    /// `decompressed`, if the offset counts decompressed bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<&'static str>,
    /// The line of a text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The column in the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
}

impl From<Position> for PositionAt {
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

/// The error of a file.
#[derive(Debug, Serialize)]
pub struct ErrorAt<'a> {
    /// The kind of the error: `usage`, `loss-refused`, `exists`, `failed`, `unknown-format`, or one
    /// of reading or writing, such as `unexpected-end`, `invalid`, `limit` or `not-representable`.
    pub code: &'static str,
    /// The error, with the name of the file.
    pub message: &'a str,
    /// The path of the value in the file.
    pub path: Option<&'a str>,
    /// Where it is.
    pub position: Option<PositionAt>,
}
