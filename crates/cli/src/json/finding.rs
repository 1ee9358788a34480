//! Findings, and positions in a file.

use inbetween::{Finding, Position, Space};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct FindingAt<'a> {
    code: &'static str,
    severity: &'static str,
    loss: bool,
    path: String,
    position: Option<JsonPosition>,
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
            position: finding.position.map(JsonPosition::from),
            message: &finding.message,
            count: finding.count,
            fixable: finding.fix.is_some(),
            help: finding.code.help(),
        }
    }
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
