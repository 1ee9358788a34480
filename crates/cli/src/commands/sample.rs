//! `inbetween sample`.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use inbetween::core::num::{f32_from_f64, f64_from_u64, i128_from_f64};
use inbetween::core::{Component, EulerOrder, PlaybackCursor, significant};
use inbetween::edit::{Settings, Time, play_frames_at};
use inbetween::{Animation, Document, Property, Quat, Registry, Value, ValueKind};

use crate::args::SampleArgs;
use crate::chosen::Chosen;
use crate::console::Console;
use crate::exit::{Exit, Failure, with_flag};
use crate::flags::Given;
use crate::inputs::is_dash;
use crate::json::json_text;
use crate::output::{self, Existing};
use crate::reading::{OnlyClip, ReadFile, Request};
use crate::times::{self, Range};
use crate::value_text::{Cell, cells, component_name, csv_field, write_json};

/// The largest number of rows to print. They are not held in memory; more would be a mistake.
const ROWS: u64 = 100_000_000;

/// Frames per second if neither the command nor the file states a rate.
const FRAME_RATE: f64 = 30.0;

pub(crate) fn run(
    args: &SampleArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let asked = Asked::of(args)?;
    let (from, clip) = (args.from.as_deref(), args.clip.as_deref());
    let request = Request { path: &args.file, from, clip, only: OnlyClip::Named };
    let mut file = ReadFile::new(request, registry, given)?;
    if let Some(rate) = args.from_fps {
        file.document = frames_at(core::mem::take(&mut file.document), rate, &file.name, registry)?;
    }
    let sheets = asked.sheets(&file.document, args, &file.name)?;
    write(args, &sheets, console)?;
    file.report_skipped(console);
    Ok(Exit::Fine)
}

/// Plays the frames of a file at another rate than the stated one.
fn frames_at(
    document: Document,
    rate: f64,
    name: &str,
    registry: &Registry,
) -> Result<Document, Failure> {
    let settings = Settings::default().limits(registry.limits().clone());
    let played = play_frames_at(document, rate, &settings);
    let played = played.map_err(|error| {
        Failure::Usage(format!("{name}: {}", with_flag(&error, error.remedy())))
    })?;
    Ok(played.value)
}

/// The requested times and tracks.
struct Asked {
    at: Vec<Time>,
    rate: Option<f64>,
    range: Option<Range>,
    tracks: Chosen,
    /// Whether angles are printed in degrees.
    degrees: bool,
}

impl Asked {
    fn of(args: &SampleArgs) -> Result<Self, Failure> {
        let mut at = Vec::new();
        for list in &args.at {
            for text in list.split(',') {
                at.push(times::time("--at", text)?);
            }
        }
        let rate = args.fps.as_deref().map(|text| times::number("--fps", text)).transpose()?;
        if let Some(rate) = rate.filter(|rate| *rate <= 0.0) {
            let message = format!("--fps: expected a rate above 0 such as 30, found {rate}");
            return Err(Failure::Usage(message));
        }
        let range = args.range.as_deref().map(Range::parse).transpose()?;
        let tracks = Chosen::new(&args.track)?;
        Ok(Self { at, rate, range, tracks, degrees: args.degrees })
    }

    /// Returns the samples of each clip, or an error if there are too many rows.
    fn sheets<'d>(
        &'d self,
        document: &'d Document,
        args: &SampleArgs,
        name: &str,
    ) -> Result<Vec<Sheet<'d>>, Failure> {
        let sheets = document
            .clips
            .iter()
            .map(|clip| Ok(Sheet { clip, times: self.times(clip)?, tracks: self.tracks(clip) }));
        let sheets: Vec<Sheet<'d>> = sheets.collect::<Result<_, Failure>>()?;
        if !self.tracks.is_everything() && sheets.iter().all(|sheet| sheet.tracks.is_empty()) {
            return Err(Chosen::nothing(name, document));
        }
        let rows =
            sheets.iter().map(|sheet| sheet.rows(args.json)).fold(0.0, |sum, rows| sum + rows);
        if rows > f64_from_u64(ROWS) {
            return Err(Failure::Cannot(format!(
                "{name}: {} rows requested, the limit is {ROWS}; use a lower --fps, a \
                 shorter --range, or fewer tracks with --track",
                significant(rows)
            )));
        }
        Ok(sheets)
    }

    fn times(&self, clip: &Animation) -> Result<Times, Failure> {
        if !self.at.is_empty() {
            let seconds = self.at.iter().map(|time| {
                time.in_clip(clip).map_err(|error| {
                    let error = with_flag(&error, error.remedy());
                    Failure::Usage(format!("--at: {error}"))
                })
            });
            return seconds.collect::<Result<_, _>>().map(Times::List);
        }
        let of_clip = clip.frame_rate.filter(|rate| *rate > 0.0 && rate.is_finite());
        let rate = self.rate.or(of_clip).unwrap_or(FRAME_RATE);
        let range = self.range.map(|range| range.in_clip(clip)).transpose()?;
        let (start, end) = range.unwrap_or((0.0, clip.effective_duration()));
        Ok(Times::Frames { start, rate, count: frames((end - start) * rate) })
    }

    fn tracks<'d>(&self, clip: &'d Animation) -> Vec<Row<'d>> {
        clip.tracks.iter().filter_map(|track| Row::of(track, self)).collect()
    }
}

impl Row<'_> {
    /// Returns the chosen numbers of a value with their indices.
    fn cells<'v>(&self, value: &'v Value) -> Vec<(usize, Cell<'v>)> {
        let chosen = |index: &usize| self.only.as_ref().is_none_or(|only| only.contains(index));
        let all = cells(value).into_iter().enumerate().filter(|(index, _)| chosen(index));
        let in_degrees = self.angles == Angles::Degrees;
        all.map(|(at, cell)| (at, if in_degrees { cell.in_degrees() } else { cell })).collect()
    }

    /// Returns the names of the chosen components if these are not all, or if they are the Euler
    /// angles of a quaternion.
    fn component_names(&self, value: &Value) -> Option<String> {
        let count = cells(value).len();
        let name = |index| self.angles.component_name(value.kind(), index, count);
        let names: Vec<_> = match &self.only {
            Some(only) => only.iter().copied().map(name).collect(),
            None if self.angles == Angles::OfQuaternions => (0..count).map(name).collect(),
            None => return None,
        };
        Some(names.join(","))
    }
}

/// Returns the number of samples of a duration in frames, including both ends.
///
/// Seconds from a file times a rate miss an integer by a rounding error.
fn frames(span: f64) -> f64 {
    let nearest = span.round();
    let whole =
        if (span - nearest).abs() <= 1e-6 * nearest.max(1.0) { nearest } else { span.floor() };
    whole.max(0.0) + 1.0
}

/// The samples of a clip.
struct Sheet<'d> {
    clip: &'d Animation,
    times: Times,
    tracks: Vec<Row<'d>>,
}

enum Times {
    List(Vec<f64>),
    Frames { start: f64, rate: f64, count: f64 },
}

impl Times {
    /// Returns the number of times; it may be rounded if it is beyond all limits.
    fn count(&self) -> f64 {
        match self {
            Self::List(list) => inbetween::core::num::f64_from_index(list.len()),
            Self::Frames { count, .. } => *count,
        }
    }

    fn iter(&self) -> Box<dyn Iterator<Item = f64> + '_> {
        match self {
            Self::List(list) => Box::new(list.iter().copied()),
            &Self::Frames { start, rate, count } => {
                // The count was checked against the limit before.
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

/// A track, and the content of its rows.
struct Row<'d> {
    track: &'d inbetween::Track,
    property: Option<Cow<'d, str>>,
    /// CSV rows per value.
    cells: u32,
    /// The indices of the chosen components, if these are not all.
    only: Option<Vec<usize>>,
    angles: Angles,
}

/// How the rotations of a track are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Angles {
    AsStored,
    /// Euler angles in degrees.
    Degrees,
    /// Quaternions as Euler angles in degrees.
    OfQuaternions,
}

impl Angles {
    fn of(property: &Property, kind: ValueKind, degrees: bool) -> Self {
        match (property, kind) {
            _ if !degrees => Self::AsStored,
            (Property::RotationEuler(_), _) => Self::Degrees,
            (_, ValueKind::FloatQ | ValueKind::DoubleQ) => Self::OfQuaternions,
            _ => Self::AsStored,
        }
    }

    /// Converts a quaternion to Euler angles in degrees if it is printed so. `near` holds the
    /// angles of the previous row in radians, so that angles do not jump by a full turn.
    fn convert(self, value: Value, near: &mut Option<[f64; 3]>) -> Value {
        let mut angles = |rotation: Quat<f64>| {
            let angles = EulerOrder::XYZ.angles(rotation, *near);
            *near = Some(angles);
            angles.map(f64::to_degrees)
        };
        match value {
            Value::FloatQ(rotation) if self == Self::OfQuaternions => {
                Value::Float3(angles(rotation.into()).map(f32_from_f64))
            }
            Value::DoubleQ(rotation) if self == Self::OfQuaternions => {
                Value::Double3(angles(rotation))
            }
            other => other,
        }
    }

    fn component_name(self, kind: ValueKind, index: usize, count: usize) -> Cow<'static, str> {
        match self {
            Self::OfQuaternions => format!("r{}", component_name(kind, index, count)).into(),
            _ => component_name(kind, index, count),
        }
    }
}

impl<'d> Row<'d> {
    /// Returns `None` for a track without keys, or one that is not chosen.
    fn of(track: &'d inbetween::Track, asked: &Asked) -> Option<Self> {
        let (target, value) = (track.target(), track.data().value(0)?);
        let angles = Angles::of(&target.property, value.kind(), asked.degrees);
        let value = angles.convert(value, &mut None);
        let count = cells(&value).len();
        let mut only = None;
        if !asked.tracks.fits(target) {
            let chosen = |index: &usize| {
                let name = angles.component_name(value.kind(), *index, count);
                asked.tracks.fits_component(target, &name)
            };
            let indices: Vec<usize> = (0..count).filter(chosen).collect();
            only = Some(indices).filter(|indices| !indices.is_empty());
            only.as_ref()?;
        }
        let property = match &track.target().property {
            Property::Custom(None) => None,
            property => Some(property.name()),
        };
        let count = only.as_ref().map_or(count, Vec::len);
        let cells = u32::try_from(count).unwrap_or(u32::MAX);
        Some(Self { track, property, cells, only, angles })
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

/// Prints all rows by clip, time and track; stops early if the output is closed.
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
        let mut states = vec![(PlaybackCursor::default(), None); sheet.tracks.len()];
        for time in sheet.times.iter() {
            if closed(out) {
                return Ok(());
            }
            let now = if args.repeat { sheet.clip.clip_time(time) } else { time };
            for (row, (cursor, near)) in sheet.tracks.iter().zip(&mut states) {
                let rules = sheet.clip.rules.of(&row.track.target().property);
                let Some(value) = rules.sample_from(row.track.data(), cursor, now) else {
                    continue;
                };
                let value = row.angles.convert(value, near);
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
    let cells = row.cells(value);
    let names = row.component_names(value);
    let component = target.component.map(|axis| axis.name().to_owned()).or(names);
    let texts = [
        ("{\"clip\":", clip.name.as_deref()),
        (",\"node\":", target.node.as_deref()),
        (",\"property\":", row.property.as_deref()),
        (",\"component\":", component.as_deref()),
    ];
    for (position, (member, text)) in texts.into_iter().enumerate() {
        out.write_all(member.as_bytes())?;
        json_text(text, out)?;
        if position == 0 {
            out.write_all(b",\"time\":")?;
            Cell::Number(Component::Double(time)).write_json(out)?;
        }
    }
    out.write_all(b",\"value\":")?;
    match cells.as_slice() {
        _ if row.only.is_none() && row.angles == Angles::AsStored => write_json(value, out)?,
        [(_, cell)] => cell.write_json(out)?,
        cells => {
            for (index, (_, cell)) in cells.iter().enumerate() {
                out.write_all(if index == 0 { b"[" } else { b"," })?;
                cell.write_json(out)?;
            }
            out.write_all(b"]")?;
        }
    }
    out.write_all(b"}\n")
}

/// Prints one line per number of a value.
fn csv(
    clip: &Animation,
    row: &Row<'_>,
    time: f64,
    value: &Value,
    out: &mut impl Write,
) -> io::Result<()> {
    let target = row.track.target();
    let count = cells(value).len();
    for (index, cell) in row.cells(value) {
        csv_field(clip.name.as_deref(), out)?;
        out.write_all(b",")?;
        Cell::Number(Component::Double(time)).write_csv(out)?;
        for text in [target.node.as_deref(), row.property.as_deref()] {
            out.write_all(b",")?;
            csv_field(text, out)?;
        }
        let name = match target.component {
            Some(axis) => axis.name().into(),
            None => row.angles.component_name(value.kind(), index, count),
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
    fn both_ends_of_a_range_are_sampled_despite_rounding() {
        assert_eq!(frames(f64::from(1.0_f32 / 3.0) * 30.0), 11.0);
        assert_eq!(frames(0.99), 1.0);
        assert_eq!(frames(0.0), 1.0);
        assert_eq!(frames(1e300), 1e300);
    }
}
