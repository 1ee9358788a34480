//! `inbetween info`.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use inbetween::core::num::u64_from_len;
use inbetween::core::{
    ClipSummary, FormatInfo, Inspection, TrackSummary, inspect_fully, printable, shown,
};
use inbetween::{Finding, Looping, Marker, Outcome, Registry};

use crate::args::InfoArgs;
use crate::batch::{self, Summary};
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::inputs;
use crate::json::{InfoFile, List};
use crate::plan::{Plan, Planned, Wanted, skipped_files};
use crate::report::{decimal, frames_per_second, plural, skipped_parts};
use crate::sparklines;
use crate::table::{Side, lay_out};

/// An inspected file.
struct Seen {
    path: String,
    looked: Result<Look, Failure>,
}

struct Look {
    info: &'static FormatInfo,
    bytes: u64,
    inspection: Inspection,
    /// The parts that cannot be read.
    skipped: Vec<Finding>,
    /// A line of bars for each track of each clip, if requested.
    sparklines: Vec<Vec<String>>,
}

pub(crate) fn run(
    args: &InfoArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let inputs = inputs::gather(&args.files, &args.batch, None)?;
    let wanted = Wanted { from: args.from.as_deref(), profile: None };
    let plan = Plan::make(inputs, wanted, registry)?;
    plan.check_flags(given, registry, None)?;
    let mut summary = Summary::default();
    let mut list = List::new(args.json.form());
    let look = |planned| look(planned, args, registry);
    batch::in_order(plan.files, console, look, |seen, console| {
        match &seen.looked {
            Ok(_) => summary.succeed(),
            Err(failure) => {
                summary.fail(failure);
                if !args.json.is_json() {
                    console.error(failure.message());
                }
            }
        }
        if args.json.is_json() {
            list.push(&json(&seen), &mut console.out)?;
        } else if let Ok(look) = &seen.looked {
            text(&seen.path, look, args, console)?;
            skipped_parts(&seen.path, &look.skipped, console);
        }
        Ok(if console.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    if args.json.is_json() {
        list.end(&mut console.out).map_err(|error| Failure::of_stdout(&error))?;
    }
    if !args.json.is_json() {
        summary.print_files(&plan.skipped, console);
    }
    if !plan.skipped.is_empty() {
        console.note(&skipped_files(plan.skipped.len()));
    }
    Ok(summary.exit())
}

fn look(planned: Planned<'_>, args: &InfoArgs, registry: &Registry) -> Seen {
    let path = planned.input.path().display().to_string();
    let name = planned.input.name();
    let looked = planned.load(registry).and_then(|(opened, bytes)| {
        let format = opened.get();
        let failed = |error| Failure::of_file(&name, error);
        let Outcome { value: inspection, findings: skipped } =
            inspect_fully(format, &bytes, registry.limits()).map_err(failed)?;
        let mut sparklines = Vec::new();
        if args.spark {
            let read = format.read(&bytes, registry.limits()).map_err(failed)?;
            sparklines = sparklines::of(&read.value, &inspection.clips);
        }
        let bytes = u64_from_len(bytes.len());
        Ok(Look { info: format.info(), bytes, inspection, skipped, sparklines })
    });
    Seen { path, looked }
}

fn json(seen: &Seen) -> InfoFile<'_> {
    match &seen.looked {
        Ok(look) => {
            let Look { info, bytes, inspection, skipped, sparklines } = look;
            let findings = skipped.iter().map(Into::into).collect();
            InfoFile { findings, ..InfoFile::new(&seen.path, info, *bytes, inspection, sparklines) }
        }
        Err(failure) => InfoFile::failed(&seen.path, failure),
    }
}

/// The number of rows that a table shows without `--all`.
const ROWS: usize = 20;

fn text(path: &str, look: &Look, args: &InfoArgs, console: &mut Console) -> io::Result<()> {
    let most = if args.all { usize::MAX } else { ROWS };
    let heading = console.paint.heading(&printable(path).to_string());
    let bytes = plural(look.bytes, "byte", "bytes");
    console.line(&format!("{heading}: {}, {bytes}", look.info.name))?;
    let mut facts = Vec::new();
    if !look.inspection.layout.is_empty() {
        facts.push(fact("layout", &look.inspection.layout));
    }
    facts.extend(look.inspection.facts.iter().map(|(name, value)| fact(name, value)));
    print_table(&lay_out(2, &[Side::Left; 2], &facts), console)?;
    let clips = &look.inspection.clips;
    let mut names: HashMap<Option<&str>, usize> = HashMap::new();
    for clip in clips {
        *names.entry(clip.name.as_deref()).or_default() += 1;
    }
    for (index, (clip, sparklines)) in
        clips.iter().zip(sparklines::each(&look.sparklines)).enumerate()
    {
        // A name that does not tell the clip from the others is followed by its number.
        let equal = names.get(&clip.name.as_deref()).copied().unwrap_or_default();
        let number = (equal > 1).then_some(index + 1);
        console.line(&format!("  {}", clip_line(clip, number)))?;
        let mut tracks: Vec<_> = clip.tracks.iter().enumerate().collect();
        // Tracks without keys play nothing, so they come last.
        tracks.sort_by_key(|(_, track)| track.keys == 0);
        let row = |(index, track): (usize, &TrackSummary)| {
            // Edits choose tracks by these numbers.
            let number = args.all.then(|| format!("#{}", index + 1));
            let mut row: Vec<String> = number.into_iter().chain(track_row(track)).collect();
            row.extend(sparklines.get(index).cloned());
            row
        };
        let rows: Vec<Vec<String>> = tracks.into_iter().take(most).map(row).collect();
        let sides = if args.all { &NUMBERED_SIDES[..] } else { &NUMBERED_SIDES[1..] };
        print_table(&lay_out(4, sides, &rows), console)?;
        print_rest(clip.tracks.len(), most, "tracks", console)?;
        let rows: Vec<Vec<String>> = clip.markers.iter().take(most).map(marker_row).collect();
        print_table(&lay_out(4, &MARKER_SIDES, &rows), console)?;
        print_rest(clip.markers.len(), most, "markers", console)?;
    }
    Ok(())
}

fn fact(name: &str, value: &str) -> Vec<String> {
    vec![name.to_owned(), printable(value).to_string()]
}

fn print_table(table: &str, console: &mut Console) -> io::Result<()> {
    if table.is_empty() { Ok(()) } else { console.line(table.trim_end()) }
}

fn print_rest(all: usize, shown: usize, what: &str, console: &mut Console) -> io::Result<()> {
    if all > shown {
        console.line(&format!("    ... and {} more {what} (--all lists them)", all - shown))?;
    }
    Ok(())
}

fn clip_line(clip: &ClipSummary, number: Option<usize>) -> String {
    let keys = clip.tracks.iter().map(|track| u64_from_len(track.keys));
    let mut parts: Vec<String> =
        clip.duration.iter().map(|duration| format!("{} s", decimal(*duration))).collect();
    if clip.stated_duration != clip.duration {
        parts.extend(clip.stated_duration.map(|stated| format!("stated {} s", decimal(stated))));
    }
    if let Some(first) = clip.first_key.filter(|first| *first != 0.0) {
        parts.push(format!("first key at {} s", decimal(first)));
    }
    if let Some(rate) = clip.frame_rate {
        parts.push(frames_per_second(rate));
    }
    if clip.looping == Looping::Loop {
        parts.push("looped".to_owned());
    }
    parts.push(clip.blend.name().into_owned());
    parts.push(plural(u64_from_len(clip.tracks.len()), "track", "tracks"));
    parts.push(plural(keys.fold(0, u64::saturating_add), "key", "keys"));
    parts.push(plural(u64_from_len(clip.markers.len()), "marker", "markers"));
    let name = clip.name.as_deref().map(|name| format!(" '{}'", shown(name)));
    let number = number.map(|number| format!(" #{number}"));
    let (name, number) = (name.unwrap_or_default(), number.unwrap_or_default());
    format!("clip{name}{number}: {}", parts.join(", "))
}

/// The columns of a track, after its number.
const NUMBERED_SIDES: [Side; 8] = [
    Side::Left,
    Side::Left,
    Side::Left,
    Side::Left,
    Side::Left,
    Side::Right,
    Side::Left,
    Side::Left,
];

fn track_row(track: &TrackSummary) -> Vec<String> {
    // A missing name and an empty one differ, and neither may look like the next column.
    let cell = |text: &Option<String>| match text.as_deref() {
        None => "-".to_owned(),
        Some("") => "\"\"".to_owned(),
        Some(text) => shown(text).to_string(),
    };
    let mut property = cell(&track.property);
    if let Some(axis) = track.component {
        property.push('.');
        property.push_str(axis.name());
    }
    let keys = if track.keys == 1 { "key" } else { "keys" };
    vec![
        cell(&track.node),
        property,
        track.kind.name().to_owned(),
        track.shape.to_owned(),
        track.keys.to_string(),
        keys.to_owned(),
    ]
}

const MARKER_SIDES: [Side; 3] = [Side::Left, Side::Right, Side::Left];

fn marker_row(marker: &Marker) -> Vec<String> {
    vec![
        "marker".to_owned(),
        format!("{} s", decimal(marker.time)),
        shown(&marker.name).to_string(),
    ]
}
