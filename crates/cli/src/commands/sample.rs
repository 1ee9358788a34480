//! `inbetween sample`.

use std::io::{self, BufWriter, Write};

use inbetween::core::num::{f64_from_u64, i128_from_f64};
use inbetween::core::{Animation, Cursor, Property, Target, Value, printable, shown};
use inbetween::edit::{TrackPattern, describe};
use inbetween::{Document, Finding, Registry};

use crate::args::SampleArgs;
use crate::cells::{Cell, cells, component_name, csv_field, write_json};
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::inputs::{self, is_dash};
use crate::json::json_text;
use crate::output::{self, Existing};
use crate::plan::{Plan, Wanted};
use crate::report;

/// How many rows are printed at most. They are not held in memory; more would be a mistake.
const ROWS: u64 = 100_000_000;

/// Where neither the command nor the file says how many frames a second.
const FRAME_RATE: f64 = 30.0;

pub(crate) fn run(
    args: &SampleArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let asked = Asked::of(args)?;
    let inputs = inputs::expand(std::slice::from_ref(&args.file), None)?;
    let wanted = Wanted { from: args.from.as_deref(), profile: None };
    let plan = Plan::make(inputs, wanted, registry)?;
    plan.check_flags(given, registry, None)?;
    let mut files = plan.files.into_iter();
    let (Some(file), None) = (files.next(), files.next()) else {
        return Err(Failure::Usage("sample takes one file; give its name".to_owned()));
    };
    let name = file.input.name();
    let (format, bytes) = file.load(registry)?;
    let read = format.read(&bytes, registry.limits());
    let read = read.map_err(|error| Failure::of_file(&name, error))?;
    drop(bytes);
    let sheets = asked.sheets(&read.value, args, &name)?;
    write(args, &sheets, console)?;
    let lost: Vec<Finding> =
        read.losses.into_iter().filter(|finding| finding.code.is_loss()).collect();
    if !lost.is_empty() {
        let name = printable(&name);
        console
            .report(|paint| format!("{name}: lost in reading:\n{}", report::losses(&lost, paint)));
    }
    Ok(Exit::Fine)
}

/// Which times and tracks are asked for.
struct Asked {
    at: Vec<f64>,
    rate: Option<f64>,
    range: Option<(f64, f64)>,
    tracks: Vec<TrackPattern>,
}

impl Asked {
    fn of(args: &SampleArgs) -> Result<Self, Failure> {
        let mut at = Vec::new();
        for list in &args.at {
            for text in list.split(',') {
                at.push(number("--at", text)?);
            }
        }
        let rate = args.fps.as_deref().map(|text| number("--fps", text)).transpose()?;
        if let Some(rate) = rate.filter(|rate| *rate <= 0.0) {
            let message = format!("--fps: expected a rate above 0 such as 30, found {rate}");
            return Err(Failure::Usage(message));
        }
        let range = args.range.as_deref().map(range).transpose()?;
        let tracks = args.track.iter().map(|text| {
            TrackPattern::new(text).map_err(|error| Failure::Usage(format!("--track {error}")))
        });
        Ok(Self { at, rate, range, tracks: tracks.collect::<Result<_, _>>()? })
    }

    /// Returns what is to be printed of each clip, or says that it is too much.
    fn sheets<'d>(
        &'d self,
        document: &'d Document,
        args: &SampleArgs,
        name: &str,
    ) -> Result<Vec<Sheet<'d>>, Failure> {
        let sheets: Vec<Sheet<'d>> = document
            .clips
            .iter()
            .map(|clip| Sheet { clip, times: self.times(clip), tracks: self.tracks(clip) })
            .collect();
        if !self.tracks.is_empty() && sheets.iter().all(|sheet| sheet.tracks.is_empty()) {
            let all = document.clips.iter().flat_map(|clip| &clip.tracks);
            let some = all.map(|track| describe(track.target())).next();
            let such = some.map(|name| format!("; they are called such as {}", shown(&name)));
            let such = such.unwrap_or_default();
            return Err(Failure::Usage(format!("{name}: --track fits no track{such}")));
        }
        let rows =
            sheets.iter().map(|sheet| sheet.rows(args.json)).fold(0.0, |sum, rows| sum + rows);
        if rows > f64_from_u64(ROWS) {
            return Err(Failure::Cannot(format!(
                "{name}: {rows:.3e} rows asked for, the limit is {ROWS}; take a lower --fps, a \
                 shorter --range, or fewer tracks with --track"
            )));
        }
        Ok(sheets)
    }

    fn times(&self, clip: &Animation) -> Times<'_> {
        if !self.at.is_empty() {
            return Times::List(&self.at);
        }
        let of_clip = clip.frame_rate.filter(|rate| *rate > 0.0 && rate.is_finite());
        let rate = self.rate.or(of_clip).unwrap_or(FRAME_RATE);
        let (start, end) = self.range.unwrap_or((0.0, clip.effective_duration()));
        Times::Frames { start, rate, count: frames((end - start) * rate) }
    }

    fn tracks<'d>(&self, clip: &'d Animation) -> Vec<Row<'d>> {
        let fits = |target: &Target| {
            self.tracks.is_empty() || self.tracks.iter().any(|pattern| pattern.matches(target))
        };
        let tracks = clip.tracks.iter().filter(|track| fits(track.target()));
        tracks.filter_map(Row::of).collect()
    }
}

/// Returns how many frames a time of so many frames has, both ends counted.
///
/// Seconds from a file times a rate miss a whole number by a little.
fn frames(span: f64) -> f64 {
    let nearest = span.round();
    let whole =
        if (span - nearest).abs() <= 1e-6 * nearest.max(1.0) { nearest } else { span.floor() };
    whole.max(0.0) + 1.0
}

fn number(flag: &str, text: &str) -> Result<f64, Failure> {
    let number: Option<f64> = text.trim().parse().ok();
    number.filter(|number| number.is_finite()).ok_or_else(|| {
        Failure::Usage(format!("{flag}: expected a number such as 0.5, found '{}'", shown(text)))
    })
}

/// Reads `A:B` in seconds.
fn range(text: &str) -> Result<(f64, f64), Failure> {
    let Some((start, end)) = text.split_once(':') else {
        let message = format!("--range: expected A:B in seconds, found '{}'", shown(text));
        return Err(Failure::Usage(message));
    };
    let (start, end) = (number("--range", start)?, number("--range", end)?);
    if end < start {
        let message = format!("--range: {end} is before {start}; give the earlier time first");
        return Err(Failure::Usage(message));
    }
    Ok((start, end))
}

/// What is printed of a clip.
struct Sheet<'d> {
    clip: &'d Animation,
    times: Times<'d>,
    tracks: Vec<Row<'d>>,
}

enum Times<'d> {
    List(&'d [f64]),
    Frames { start: f64, rate: f64, count: f64 },
}

impl Times<'_> {
    /// Returns how many times there are; what is beyond all limits may be rounded.
    fn count(&self) -> f64 {
        match self {
            Self::List(list) => inbetween::core::num::f64_from_index(list.len()),
            Self::Frames { count, .. } => *count,
        }
    }

    fn iter(&self) -> Box<dyn Iterator<Item = f64> + '_> {
        match *self {
            Self::List(list) => Box::new(list.iter().copied()),
            Self::Frames { start, rate, count } => {
                // The count is within the limit when this runs.
                let count = u32::try_from(i128_from_f64(count)).unwrap_or(u32::MAX);
                Box::new((0..count).map(move |frame| start + f64::from(frame) / rate))
            }
        }
    }
}

impl Sheet<'_> {
    fn rows(&self, json: bool) -> f64 {
        let cells = |row: &Row<'_>| if json { 1.0 } else { f64::from(row.cells) };
        self.times.count() * self.tracks.iter().map(cells).fold(0.0, |sum, cells| sum + cells)
    }
}

/// A track, and what stands in each of its rows.
struct Row<'d> {
    track: &'d inbetween::core::Track,
    property: Option<std::borrow::Cow<'d, str>>,
    /// Rows a value takes as CSV.
    cells: u32,
}

impl<'d> Row<'d> {
    /// Returns `None` for a track without keys.
    fn of(track: &'d inbetween::core::Track) -> Option<Self> {
        let value = track.data().value(0)?;
        let property = match &track.target().property {
            Property::Custom(None) => None,
            property => Some(property.name()),
        };
        let cells = u32::try_from(cells(&value).len()).unwrap_or(u32::MAX);
        Some(Self { track, property, cells })
    }
}

fn write(args: &SampleArgs, sheets: &[Sheet<'_>], console: &mut Console) -> Result<(), Failure> {
    let form = if args.json { Form::Json } else { Form::Csv };
    match args.output.as_deref().filter(|path| !is_dash(path)) {
        Some(path) => output::write_with(path, Existing::forced(args.force), |file| {
            let mut file = BufWriter::new(file);
            print(args, sheets, form, &mut file, |_| false)?;
            file.flush()
        }),
        None => print(args, sheets, form, &mut console.out, crate::console::Output::is_closed)
            .map_err(|error| Failure::of_stdout(&error)),
    }
}

#[derive(Clone, Copy)]
enum Form {
    Csv,
    Json,
}

/// Prints all rows, by clip, time and track; ends early where nobody reads them any more.
fn print<W: Write>(
    args: &SampleArgs,
    sheets: &[Sheet<'_>],
    form: Form,
    out: &mut W,
    closed: impl Fn(&W) -> bool,
) -> io::Result<()> {
    if let Form::Csv = form {
        out.write_all(b"clip,time,node,property,component,value\n")?;
    }
    for sheet in sheets {
        let mut cursors = vec![Cursor::default(); sheet.tracks.len()];
        for time in sheet.times.iter() {
            if closed(out) {
                return Ok(());
            }
            let now = if args.repeat { sheet.clip.clip_time(time) } else { time };
            for (row, cursor) in sheet.tracks.iter().zip(&mut cursors) {
                let rules = sheet.clip.rules.of(&row.track.target().property);
                let Some(value) = rules.sample_from(row.track.data(), cursor, now) else {
                    continue;
                };
                match form {
                    Form::Csv => csv(sheet.clip, row, time, &value, out)?,
                    Form::Json => json(sheet.clip, row, time, &value, out)?,
                }
            }
        }
    }
    Ok(())
}

/// Prints an object on a line of its own.
fn json(
    clip: &Animation,
    row: &Row<'_>,
    time: f64,
    value: &Value,
    out: &mut impl Write,
) -> io::Result<()> {
    let target = row.track.target();
    let texts = [
        ("{\"clip\":", clip.name.as_deref()),
        (",\"node\":", target.node.as_deref()),
        (",\"property\":", row.property.as_deref()),
        (",\"component\":", target.component.map(inbetween::core::Axis::name)),
    ];
    for (position, (member, text)) in texts.into_iter().enumerate() {
        out.write_all(member.as_bytes())?;
        json_text(text, out)?;
        if position == 0 {
            out.write_all(b",\"time\":")?;
            Cell::Double(time).write_json(out)?;
        }
    }
    out.write_all(b",\"value\":")?;
    write_json(value, out)?;
    out.write_all(b"}\n")
}

/// Prints a line for each number of a value.
fn csv(
    clip: &Animation,
    row: &Row<'_>,
    time: f64,
    value: &Value,
    out: &mut impl Write,
) -> io::Result<()> {
    let target = row.track.target();
    let cells = cells(value);
    for (index, cell) in cells.iter().enumerate() {
        csv_field(clip.name.as_deref(), out)?;
        out.write_all(b",")?;
        Cell::Double(time).write_csv(out)?;
        for text in [target.node.as_deref(), row.property.as_deref()] {
            out.write_all(b",")?;
            csv_field(text, out)?;
        }
        let name = match target.component {
            Some(axis) => axis.name().into(),
            None => component_name(value.kind(), index, cells.len()),
        };
        write!(out, ",{name},")?;
        cell.write_csv(out)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_range_are_frames_though_seconds_are_rounded() {
        assert_eq!(frames(f64::from(1.0_f32 / 3.0) * 30.0), 11.0);
        assert_eq!(frames(0.99), 1.0);
        assert_eq!(frames(0.0), 1.0);
        assert_eq!(frames(1e300), 1e300);
    }

    #[test]
    fn ranges_are_two_times_in_order() {
        assert_eq!(range("-1.5:2"), Ok((-1.5, 2.0)));
        for bad in ["", "1", "1:", ":1", "a:b", "2:1", "0:inf", "0:NaN", "1:2:3"] {
            assert!(matches!(range(bad), Err(Failure::Usage(_))), "{bad}");
        }
    }
}
