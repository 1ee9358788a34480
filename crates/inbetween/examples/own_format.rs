//! Adds a custom format to a registry: text with a time and a value per line.
//!
//! `cargo run -p inbetween --example own_format`

use std::error::Error;
use std::fmt::Write;

use inbetween::core::num::u64_from_len;
use inbetween::core::{
    Budget, ClipReader, ClipSummary, Confidence, Extent, FileEncoding, FormatInfo, Inspection,
    OptionError, Origin, Position, WholeFile, WriteErrorKind, Written,
};
use inbetween::{
    Animation, Document, Finding, Format, Hint, Limits, Outcome, Property, ReadError, Registry,
    Target, Track, TrackData, WriteError,
};

fn main() -> Result<(), Box<dyn Error>> {
    let registry = Registry::with_builtin().push(Box::new(Steps));
    let read = registry.read(b"steps\n0 1\n0.5 -2\n", &Hint::default())?;
    let text = format!("{:#?}\n", read.value);
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes())?;
    Ok(())
}

/// The word `steps`, then lines with a time in seconds and the value from then on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps;

static INFO: FormatInfo = FormatInfo::new("steps", "Steps", FileEncoding::Text)
    .with_extensions(&["steps"])
    .with_summary("one value over time, as text")
    .with_promise("the same values");

impl Format for Steps {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], _: &Hint<'_>) -> Confidence {
        if bytes.starts_with(b"steps\n") { Confidence::Certain } else { Confidence::No }
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let clips = self.read(bytes, limits)?.value.clips.iter().map(ClipSummary::from).collect();
        Ok(Inspection { clips, ..Inspection::default() })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        self.read(bytes, limits).map(|_| Vec::new())
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let read = Outcome { value: parse(bytes, budget)?, findings: Vec::new() };
        Ok(Box::new(WholeFile::new(read)))
    }

    fn write_within(
        &self,
        document: Document,
        _: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError> {
        let bytes = print(&document)?.into_bytes();
        let written = Written::new(bytes, vec![Extent::from(&document)]);
        Ok(Outcome { value: written, findings: Vec::new() })
    }

    fn with_option(&self, _: &str, _: &str) -> Result<Box<dyn Format>, OptionError> {
        Err(OptionError::Unknown)
    }
}

fn parse(bytes: &[u8], budget: &mut Budget) -> Result<Document, ReadError> {
    let text = str::from_utf8(bytes).map_err(|_| wrong(1, "UTF-8 text"))?;
    let (mut times, mut values) = (Vec::new(), Vec::<f64>::new());
    for (line, number) in text.lines().zip(1..).skip(1) {
        // Every key is charged before memory is allocated for it.
        budget.charge_bytes(size_of::<[f64; 2]>())?;
        let key = line.split_once(' ').map(|(time, value)| (time.parse(), value.parse()));
        let Some((Ok(time), Ok(value))) = key else {
            return Err(wrong(number, "a time and a value"));
        };
        times.push(time);
        values.push(value);
    }
    let last = u64_from_len(times.len()).saturating_add(1);
    let data = TrackData::stepped(times, values).map_err(|_| wrong(last, "times in order"))?;
    let target = Target::new("value", Property::Custom(None));
    let track = Track::new(target, data).map_err(|_| wrong(1, "numbers"))?;
    let document = Document::single(Animation::new(vec![track]));
    Ok(document.with_origin(Origin::new(INFO.id)))
}

fn wrong(line: u64, expected: &'static str) -> ReadError {
    let position = Position::Text { line, column: 1, offset: 0 };
    ReadError::invalid(expected, "something else").in_format("steps").at_position(position)
}

fn print(document: &Document) -> Result<String, WriteError> {
    let [clip] = document.clips.as_slice() else {
        let found = document.clips.len();
        return Err(WriteError::new(WriteErrorKind::ClipCount { found }).in_format("steps"));
    };
    let [track] = clip.tracks.as_slice() else {
        let what = format!("{} tracks", clip.tracks.len());
        return Err(WriteError::not_representable(what, "one fits").in_format("steps"));
    };
    let Some(values) = track.data().values().as_slice::<f64>() else {
        let what = format!("values of kind {}", track.data().kind());
        return Err(WriteError::not_representable(what, "only double fits").in_format("steps"));
    };
    let mut text = "steps\n".to_owned();
    for (key, value) in values.iter().enumerate() {
        let time = track.data().time(key).unwrap_or_default();
        // Writing to a String does not fail.
        let _ = writeln!(text, "{time} {value}");
    }
    Ok(text)
}
