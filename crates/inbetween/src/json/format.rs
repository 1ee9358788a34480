//! Formats and their options.

use inbetween_core::{ClipCount, FileEncoding, FormatInfo, OptionInfo};
use serde::Serialize;

/// The report of `formats` about a format.
#[derive(Debug, Serialize)]
pub struct FormatRow {
    /// The name for `--from` and `--to`.
    id: &'static str,
    /// The name for people.
    name: &'static str,
    /// The extensions of its files, without a dot.
    extensions: &'static [&'static str],
    /// What it is.
    summary: &'static str,
    /// How exactly a file is rewritten.
    promise: &'static str,
    /// `binary` or `text`.
    encoding: &'static str,
    /// Whether a file has `one` clip or `many`.
    clips: &'static str,
    /// Its options.
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

/// An option of a format.
#[derive(Debug, Serialize)]
struct OptionRow {
    /// The name, without dashes.
    name: &'static str,
    /// The values.
    value: &'static str,
    /// What it does.
    help: &'static str,
    /// `reading`, `writing`, `both` or `fixing`.
    applies: &'static str,
}

impl From<&'static OptionInfo> for OptionRow {
    fn from(option: &'static OptionInfo) -> Self {
        Self {
            name: option.name,
            value: option.value,
            help: option.help,
            applies: option.applies.name(),
        }
    }
}
