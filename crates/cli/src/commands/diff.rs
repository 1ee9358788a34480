//! `inbetween diff`.

use std::io;

use inbetween::Registry;
use inbetween::comparison::{
    Change, ClipChange, Fact, HeadChange, KeyComparison, MarkerChange, Measure, Played, Rigor,
    TrackChange,
};
use inbetween::core::num::u64_from_len;
use inbetween::core::{printable, shown, significant};

use crate::args::DiffArgs;
use crate::chosen::Chosen;
use crate::console::{Console, Paint};
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::inputs::is_dash;
use crate::json::{self, DiffFile, List};
use crate::reading::{OnlyClip, ReadFile, Request};
use crate::report::plural;
use crate::times;

pub(crate) fn run(
    args: &DiffArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let result = compare(args, registry, given, console);
    let names = serde_json::json!({"before": args.before.display().to_string(), "after": args.after.display().to_string()});
    json::report_failure(result, args.json, names, console)
}

fn compare(
    args: &DiffArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let tolerance = times::number("--tolerance", &args.tolerance)?;
    if tolerance < 0.0 {
        let message = format!("--tolerance: expected a number of at least 0, found {tolerance}");
        return Err(Failure::Usage(message));
    }
    let keys = if args.exact { KeyComparison::Exact } else { KeyComparison::Ignored };
    let chosen = Chosen::new(&args.track)?;
    if is_dash(&args.before) && is_dash(&args.after) {
        return Err(Failure::Usage("standard input can be read only once".to_owned()));
    }
    let read = |path| {
        let clip = args.clip.as_deref();
        let request = Request { path, from: args.from.as_deref(), clip, only: OnlyClip::Fits };
        ReadFile::new(request, registry, given)
    };
    let (before, after) = (read(&args.before)?, read(&args.after)?);
    let fits = |file: &ReadFile| {
        let mut tracks = file.document.clips.iter().flat_map(|clip| &clip.tracks);
        tracks.any(|track| chosen.fits(track.target()))
    };
    if !chosen.is_everything() && !fits(&before) && !fits(&after) {
        return Err(Chosen::nothing(&after.name, &after.document));
    }
    let rigor = Rigor::within(tolerance).with_keys(keys);
    let fits = |target: &inbetween::Target| chosen.fits(target);
    let changes = inbetween::comparison::compare(&before.document, &after.document, &fits, rigor);
    let equal = changes.iter().all(is_equal);
    let printed = if args.json {
        let names = [before.name.as_str(), after.name.as_str()];
        let mut list = List::default();
        list.push(&DiffFile::new(names, equal, tolerance, &changes), &mut console.out)
            .and_then(|()| list.end(&mut console.out))
    } else {
        text(&changes, tolerance, console)
    };
    printed.map_err(|error| Failure::of_stdout(&error))?;
    before.report_skipped(console);
    after.report_skipped(console);
    Ok(if equal { Exit::Fine } else { Exit::Found })
}

fn is_equal(change: &Change<ClipChange>) -> bool {
    matches!(change, Change::Changed(clip) if clip.is_equal())
}

fn text(changes: &[Change<ClipChange>], tolerance: f64, console: &mut Console) -> io::Result<()> {
    let name = |clip: &ClipChange| match &clip.name {
        Some(name) => format!("clip '{}'", shown(name)),
        None => "clip".to_owned(),
    };
    for change in changes {
        match change {
            Change::Added(clip) | Change::Removed(clip) => {
                let sign = sign(change, console.paint);
                console.line(&format!("{sign} {}", name(clip)))?;
            }
            Change::Changed(clip) if clip.is_equal() => {}
            Change::Changed(clip) => {
                console.line(&console.paint.heading(&name(clip)))?;
                lines(clip, console)?;
            }
        }
    }
    console.line(&summary(changes, tolerance))
}

/// Prints the differences of a clip.
fn lines(clip: &ClipChange, console: &mut Console) -> io::Result<()> {
    for HeadChange { what, before, after } in &clip.heads {
        console.line(&format!("  {what}: {} -> {}", fact(before), fact(after)))?;
    }
    for change in &clip.tracks {
        let (Change::Added(track) | Change::Removed(track) | Change::Changed(track)) = change;
        let name = shown_track(track);
        let sign = sign(change, console.paint);
        let [before, after] = track.keys.map(u64_from_len);
        let line = match change {
            Change::Added(_) => plural(after, "key", "keys"),
            Change::Removed(_) => plural(before, "key", "keys"),
            Change::Changed(track) => differences(track).join("; "),
        };
        console.line(&format!("  {sign} {name}: {line}"))?;
    }
    for change in &clip.markers {
        let (Change::Added(marker) | Change::Removed(marker) | Change::Changed(marker)) = change;
        let MarkerChange { name, times: [before, after] } = marker;
        let (sign, name) = (sign(change, console.paint), shown(name));
        let times = match change {
            Change::Changed(_) => {
                format!("{} s -> {} s", significant(*before), significant(*after))
            }
            _ => format!("{} s", significant(*after)),
        };
        console.line(&format!("  {sign} marker '{name}': {times}"))?;
    }
    Ok(())
}

fn sign<T>(change: &Change<T>, paint: Paint) -> String {
    match change {
        Change::Added(_) => paint.heading("+"),
        Change::Removed(_) => paint.error("-"),
        Change::Changed(_) => paint.warning("~"),
    }
}

fn shown_track(track: &TrackChange) -> String {
    let node = track.node.as_deref().unwrap_or_default();
    format!("{}/{}", shown(node), shown(&track.property))
}

fn fact(fact: &Fact) -> String {
    match fact {
        Fact::Nothing => "none".to_owned(),
        Fact::Text(text) => format!("'{}'", shown(text)),
        Fact::Number(number, unit) => format!("{}{unit}", significant(*number)),
        Fact::Flag(true) => "yes".to_owned(),
        Fact::Flag(false) => "no".to_owned(),
    }
}

/// Returns the differences of a track, the largest first.
fn differences(track: &TrackChange) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(played) = &track.played {
        let [start, end] = played.span.map(significant);
        let size = size(played);
        let at = significant(played.at);
        parts.push(format!("{size} at {at} s (from {start} s to {end} s)"));
    }
    let [before, after] = track.keys;
    if before != after {
        parts.push(format!("{before} -> {after} keys"));
    }
    if let Some(time) = track.time {
        parts.push(format!("key times up to {} s apart", significant(time)));
    }
    if let Some([before, after]) = track.kinds {
        parts.push(format!("{before} -> {after}"));
    }
    if let Some([before, after]) = track.blends {
        parts.push(format!("{before} -> {after}"));
    }
    if let Some(key) = track.first_key {
        parts.push(format!("keys differ from key {key} on"));
    }
    parts
}

fn size(played: &Played) -> String {
    match played.measure {
        _ if played.size.is_infinite() => "not comparable".to_owned(),
        Measure::Value => format!("up to {}", significant(played.size)),
        Measure::Angle => match significant(played.size.to_degrees()).as_str() {
            "1" => "up to 1 degree".to_owned(),
            degrees => format!("up to {degrees} degrees"),
        },
        Measure::Text => "different text".to_owned(),
    }
}

/// Counts the differences, and names the largest one of each measure.
fn summary(changes: &[Change<ClipChange>], tolerance: f64) -> String {
    let clips = changes.iter().filter_map(|change| match change {
        Change::Changed(clip) => Some(clip),
        _ => None,
    });
    let clips: Vec<&ClipChange> = clips.collect();
    if changes.iter().all(is_equal) {
        let equal: usize = clips.iter().map(|clip| clip.equal).sum();
        let equal = plural(u64_from_len(equal), "property", "properties");
        return format!("no differences above {} ({equal})", significant(tolerance));
    }
    let tracks = || clips.iter().flat_map(|clip| &clip.tracks);
    let whole =
        |fits: fn(&&Change<ClipChange>) -> bool| u64_from_len(changes.iter().filter(fits).count());
    let count =
        |fits: fn(&&Change<TrackChange>) -> bool| u64_from_len(tracks().filter(fits).count());
    let mut parts = Vec::new();
    let counts = [
        (whole(|change| matches!(change, Change::Added(_))), "added"),
        (whole(|change| matches!(change, Change::Removed(_))), "removed"),
    ];
    for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
        parts.push(format!("{} {word}", plural(count, "clip", "clips")));
    }
    let counts = [
        (count(|change| matches!(change, Change::Changed(_))), "changed"),
        (count(|change| matches!(change, Change::Added(_))), "added"),
        (count(|change| matches!(change, Change::Removed(_))), "removed"),
    ];
    for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
        parts.push(format!("{} {word}", plural(count, "property", "properties")));
    }
    for measure in [Measure::Value, Measure::Angle] {
        let played = tracks().filter_map(|change| match change {
            Change::Changed(track) => Some((track, track.played.as_ref()?)),
            _ => None,
        });
        let played = played.filter(|(_, played)| played.measure == measure);
        let largest = played.max_by(|(_, a), (_, b)| a.size.total_cmp(&b.size));
        if let Some((track, played)) = largest {
            let (name, at) = (shown_track(track), significant(played.at));
            parts.push(format!("{} in {name} at {at} s", size(played)));
        }
    }
    if parts.is_empty() {
        parts.push("every track plays the same".to_owned());
    }
    printable(&parts.join("; ")).to_string()
}
