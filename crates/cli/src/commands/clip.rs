//! `inbetween clip`.

use std::io;

use inbetween::clip::{
    Bounds, BuildError, Built, Clip, Encoding, TrackReport, build_document, save,
};
use inbetween::core::num::u64_from_len;
use inbetween::core::{Budget, printable, shown, significant};
use inbetween::{Finding, Outcome, Registry};

use crate::args::ClipArgs;
use crate::console::Console;
use crate::exit::{Exit, Failure, with_flag};
use crate::flags::Given;
use crate::json::{self, ClipFile, List};
use crate::reading::{OnlyClip, ReadFile, Request};
use crate::report::{self, Listing, plural};
use crate::single_output::Single;
use crate::strict::Strictness;
use crate::times;

pub(crate) fn run(
    args: &ClipArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let result = build(args, registry, given, console);
    json::report_failure(result, args.json, json::names(&args.file, &args.output), console)
}

fn build(
    args: &ClipArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let bounds = bounds(args)?;
    let strictness = Strictness::new(&args.strict, registry)?;
    let output = Single::new(&args.output, args.force, args.json)?;
    let (from, clip) = (args.from.as_deref(), args.clip.as_deref());
    let request = Request { path: &args.file, from, clip, only: OnlyClip::Named };
    let mut file = ReadFile::new(request, registry, given)?;
    let document = std::mem::take(&mut file.document);
    let mut budget = Budget::new(registry.limits(), document.heap_bytes());
    let built = build_document(document, &bounds, &mut budget);
    let Outcome { value, findings } = built.map_err(|error| failed(&file.name, &error))?;
    let findings: Vec<Finding> = file.losses().iter().cloned().chain(findings).collect();
    let clips: Vec<Clip> = value.iter().map(|built| built.clip.clone()).collect();
    let bytes = save(&clips);
    let refused = strictness.check(&file.name, &findings);
    if refused.is_ok() {
        let report = |console: &mut Console| print(args, &value, &findings, bytes.len(), console);
        output.write(&bytes, console, report)?;
    }
    if !args.json {
        report_findings(args, &findings, &strictness, console);
    }
    refused.map(|()| Exit::Fine)
}

fn bounds(args: &ClipArgs) -> Result<Bounds, Failure> {
    let bound = |flag: &str, text: &str| {
        let number = times::number(flag, text)?;
        if number > 0.0 {
            return Ok(number);
        }
        let message = format!("{flag}: expected a positive number such as 0.001, found {number}");
        Err(Failure::Usage(message))
    };
    let degrees = bound("--rotation-error", &args.rotation_error)?;
    Ok(Bounds::default()
        .with_translation(bound("--translation-error", &args.translation_error)?)
        .with_rotation(degrees.to_radians())
        .with_scale(bound("--scale-error", &args.scale_error)?)
        .with_curve(bound("--curve-error", &args.curve_error)?))
}

fn failed(name: &str, error: &BuildError) -> Failure {
    Failure::Cannot(format!("{name}: {}", with_flag(error, error.remedy())))
}

fn print(
    args: &ClipArgs,
    built: &[Built],
    findings: &[Finding],
    bytes: usize,
    console: &mut Console,
) -> io::Result<()> {
    let [input, output] = [&args.file, &args.output].map(|path| path.display().to_string());
    if args.json {
        let mut list = List::default();
        let row = ClipFile::new(input, output, u64_from_len(bytes), built, findings);
        list.push(&row, &mut console.out)?;
        return list.end(&mut console.out);
    }
    let count = |fits: fn(&TrackReport) -> bool| {
        let tracks = built.iter().flat_map(|built| &built.report.tracks);
        u64_from_len(tracks.filter(|track| fits(track)).count())
    };
    let before: usize = built.iter().map(|built| built.report.bytes_before()).sum();
    let mut parts = vec![
        plural(u64_from_len(built.len()), "clip", "clips"),
        plural(count(|_| true), "track", "tracks"),
        format!("{before} -> {bytes} bytes"),
    ];
    let full = count(|track| track.encoding == Encoding::Float);
    if full > 0 {
        parts.push(format!("{} in full precision", plural(full, "track", "tracks")));
    }
    console.line(&format!("{}: {}", printable(&output), parts.join(", ")))?;
    for built in built {
        let worst = built.report.worst();
        let tracks = built.report.tracks.iter();
        for track in tracks.filter(|track| args.verbose || Some(*track) == worst) {
            console.line(&line(track, args.verbose))?;
        }
    }
    Ok(())
}

/// Describes a track and its error.
fn line(track: &TrackReport, with_storage: bool) -> String {
    let node = track.node.as_deref().unwrap_or_default();
    let (node, property) = (shown(node).to_string(), shown(&track.property).to_string());
    let storage = if with_storage {
        let keys = plural(u64_from_len(track.keys), "key", "keys");
        format!("{}, {keys}, ", json::encoding(track.encoding))
    } else {
        "largest part of a bound: ".to_owned()
    };
    let part = 100.0 * track.error / track.bound;
    let error = if property.starts_with("Rotation") {
        let degrees = significant(track.error.to_degrees());
        format!("{degrees} degrees")
    } else {
        significant(track.error)
    };
    format!("  {node}/{property}: {storage}off by at most {error} ({part:.0} % of the bound)")
}

/// Reports what the clips do not keep; with --verbose, what became of everything else too.
fn report_findings(
    args: &ClipArgs,
    findings: &[Finding],
    strictness: &Strictness,
    console: &mut Console,
) {
    let all = args.verbose;
    let shown: Vec<&Finding> =
        findings.iter().filter(|finding| all || finding.code.is_loss()).collect();
    if !shown.is_empty() {
        let name = args.output.display().to_string();
        let listing = Listing { all, how: "--verbose lists all", strict: Some(strictness) };
        console.report(|paint| {
            let groups = report::groups(&shown, listing, paint);
            format!("{}: not kept exactly:\n{groups}", printable(&name))
        });
    }
}
