//! Reports as JSON. Their structure is part of the command's interface.

mod clip;
mod diff;
mod log;

use std::io::{self, Write};
use std::path::Path;

use inbetween::Code;
use inbetween::core::{FormatInfo, Inspection, printable_json};
use inbetween::json::{Clip, ErrorAt, Facts, FindingAt, PositionAt};
use inbetween::plot::Picture;
use serde::Serialize;

use crate::args::JsonForm;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::remedy;
use crate::sparklines;

pub(crate) use clip::{ClipFile, encoding};
pub(crate) use diff::DiffFile;
pub(crate) use log::{Log, Row, groups};

/// Prints a string or null.
pub(crate) fn json_text(text: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{}", printable_json(&serde_json::to_string(&text)?))
}

/// An array that is printed item by item, or lines with an object each.
#[derive(Debug, Default)]
pub(crate) struct List {
    form: JsonForm,
    begun: bool,
}

impl List {
    pub(crate) fn new(form: JsonForm) -> Self {
        Self { form, begun: false }
    }

    pub(crate) fn push(&mut self, item: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
        if self.form == JsonForm::Lines {
            return writeln!(out, "{}", printable_json(&serde_json::to_string(item)?));
        }
        let before = if self.begun { ",\n  " } else { "[\n  " };
        self.begun = true;
        // Line breaks occur only between tokens, because strings escape theirs.
        let text = serde_json::to_string_pretty(item)?.replace('\n', "\n  ");
        write!(out, "{before}{}", printable_json(&text))
    }

    pub(crate) fn end(self, out: &mut impl Write) -> io::Result<()> {
        match (self.form, self.begun) {
            (JsonForm::Lines, _) => Ok(()),
            (JsonForm::Array, true) => out.write_all(b"\n]\n"),
            (JsonForm::Array, false) => out.write_all(b"[]\n"),
        }
    }
}

/// Returns the names of a file and its output for [`report_failure`].
pub(crate) fn names(input: &Path, output: &Path) -> serde_json::Value {
    serde_json::json!({
        "input": input.display().to_string(),
        "output": output.display().to_string(),
    })
}

/// Prints a failure with the names of its files as JSON if the report of a command is JSON. Wrong
/// usage is still printed as an error of the command.
pub(crate) fn report_failure(
    result: Result<Exit, Failure>,
    is_json: bool,
    names: serde_json::Value,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let failure = match result {
        Err(failure) if is_json && failure.exit() != Exit::Usage => failure,
        other => return other,
    };
    let mut list = List::default();
    let row = Failed { names, error: (&failure).into() };
    let printed = list.push(&row, &mut console.out).and_then(|()| list.end(&mut console.out));
    printed.map_err(|error| Failure::of_stdout(&error))?;
    Ok(failure.exit())
}

/// The error of a command that writes one file, beside `input` and `output`.
#[derive(Debug, Serialize)]
struct Failed<'a> {
    #[serde(flatten)]
    names: serde_json::Value,
    /// Why the command failed.
    error: ErrorAt<'a>,
}

/// The report of `info` about a file.
#[derive(Debug, Serialize)]
pub(crate) struct InfoFile<'a> {
    /// The file.
    pub(crate) path: &'a str,
    /// The id of its format.
    pub(crate) format: Option<&'static str>,
    /// Its size.
    pub(crate) bytes: Option<u64>,
    /// The layout that was found, for people.
    pub(crate) layout: Option<&'a str>,
    /// Facts of the format, as an object of strings.
    pub(crate) facts: Facts<'a>,
    /// Its clips.
    pub(crate) clips: Vec<Clip<'a>>,
    /// The parts that cannot be read.
    pub(crate) findings: Vec<FindingAt<'a>>,
    /// Why it cannot be read.
    pub(crate) error: Option<ErrorAt<'a>>,
}

impl<'a> InfoFile<'a> {
    pub(crate) fn new(
        path: &'a str,
        info: &FormatInfo,
        bytes: u64,
        inspection: &'a Inspection,
        sparklines: &'a [Vec<String>],
    ) -> Self {
        let clips = inspection.clips.iter().zip(sparklines::each(sparklines));
        Self {
            path,
            format: Some(info.id),
            bytes: Some(bytes),
            layout: Some(&inspection.layout),
            facts: Facts(&inspection.facts),
            clips: clips.map(|(clip, sparklines)| Clip::new(clip, sparklines)).collect(),
            findings: Vec::new(),
            error: None,
        }
    }

    pub(crate) fn failed(path: &'a str, failure: &'a Failure) -> Self {
        Self {
            path,
            format: None,
            bytes: None,
            layout: None,
            facts: Facts(&[]),
            clips: Vec::new(),
            findings: Vec::new(),
            error: Some(failure.into()),
        }
    }
}

/// The report of `check` about a file.
#[derive(Debug, Serialize)]
pub(crate) struct CheckFile<'a> {
    /// The file.
    pub(crate) path: &'a str,
    /// The id of its format.
    pub(crate) format: Option<&'static str>,
    /// What was found.
    pub(crate) findings: Vec<FindingAt<'a>>,
    /// The number of edits made by `--fix`.
    pub(crate) edits: u64,
    /// The path of the fixed file.
    pub(crate) written: Option<String>,
    /// Why it cannot be checked.
    pub(crate) error: Option<ErrorAt<'a>>,
}

/// The report of `convert` about an input.
#[derive(Debug, Serialize)]
pub(crate) struct ConvertFile<'a> {
    /// The input, `-` for standard input.
    pub(crate) input: &'a str,
    /// The clip, if each clip goes to a file of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clip: Option<&'a str>,
    /// The output.
    pub(crate) output: Option<&'a str>,
    /// The id of the format of the input.
    pub(crate) from: Option<&'static str>,
    /// The id of the format of the output.
    pub(crate) to: &'static str,
    /// The size of the output.
    pub(crate) bytes: Option<u64>,
    /// What was changed, lost or noticed.
    pub(crate) findings: Vec<FindingAt<'a>>,
    /// Whether the output was written.
    pub(crate) written: bool,
    /// `exists` or `up-to-date`, if nothing was done because of the output.
    pub(crate) skipped: Option<&'static str>,
    /// Whether a part of the input was not read.
    pub(crate) partial: bool,
    /// Why nothing was written.
    pub(crate) error: Option<ErrorAt<'a>>,
}

impl<'a> From<&'a Failure> for ErrorAt<'a> {
    fn from(failure: &'a Failure) -> Self {
        let invalid = match failure {
            Failure::Invalid(invalid) => Some(invalid),
            _ => None,
        };
        Self {
            code: failure.code(),
            message: failure.message(),
            path: invalid.and_then(|invalid| invalid.path.as_deref()),
            position: invalid.and_then(|invalid| invalid.position).map(PositionAt::from),
        }
    }
}

/// The report of `unpack` and `pack` about a file.
#[derive(Debug, Serialize)]
pub(crate) struct RewrittenFile<'a> {
    /// The input.
    pub(crate) input: &'a str,
    /// The output.
    pub(crate) output: Option<&'a str>,
    /// The id of the format of the binary file.
    pub(crate) format: Option<&'static str>,
    /// The size of the output.
    pub(crate) bytes: Option<u64>,
    /// Whether the output was written.
    pub(crate) written: bool,
    /// Why nothing was written.
    pub(crate) error: Option<ErrorAt<'a>>,
}

/// The report of `explain` about a code.
#[derive(Debug, Serialize)]
pub(crate) struct CodeRow {
    /// The code of findings.
    code: &'static str,
    /// `hint`, `info`, `warning` or `error`.
    severity: &'static str,
    /// Whether a conversion loses something.
    loss: bool,
    /// What it means and what to do.
    help: &'static str,
    /// The flags and commands that solve the problem, such as `check --fix`.
    remedies: Vec<String>,
}

impl From<Code> for CodeRow {
    fn from(code: Code) -> Self {
        Self {
            code: code.id(),
            severity: code.severity().name(),
            loss: code.is_loss(),
            help: code.help(),
            remedies: remedy::flags(code),
        }
    }
}

/// The report of `plot` about a picture.
#[derive(Debug, Serialize)]
pub(crate) struct PlotFile {
    /// The files that are drawn.
    inputs: Vec<String>,
    /// The picture.
    output: String,
    /// Its size.
    bytes: u64,
    /// The page that it shows, from 1.
    page: usize,
    /// The number of pages.
    pages: usize,
    /// The number of panels on this page.
    panels: usize,
    /// The number of panels on all pages.
    all_panels: usize,
    /// The number of panels that are not drawn because nothing moves in them.
    still: usize,
    /// The names that are drawn as marks: the first as `[1]`.
    marks: Vec<String>,
}

/// The report of `skeleton` about a skeleton file.
#[derive(Debug, Serialize)]
pub(crate) struct SkeletonFile {
    /// The input.
    pub(crate) input: String,
    /// The skeleton file.
    pub(crate) output: String,
    /// The number of bones.
    pub(crate) bones: u64,
    /// `skeleton`, `first-frame` or `nodes`.
    pub(crate) origin: &'static str,
}

impl PlotFile {
    pub(crate) fn new(inputs: Vec<String>, output: String, bytes: u64, picture: &Picture) -> Self {
        let Picture { page, pages, panels, all_panels, still, .. } = *picture;
        let marks = picture.marks.clone();
        Self { inputs, output, bytes, page, pages, panels, all_panels, still, marks }
    }
}
