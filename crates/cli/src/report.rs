//! Formats findings and numbers for people.

use std::collections::BTreeSet;
use std::fmt::Write;

use inbetween::Finding;
use inbetween::core::num::u64_from_len;
pub(crate) use inbetween::core::plural;
use inbetween::core::{Position, Space, codes, printable, significant};
use inbetween::edit::codes as edit_codes;
use inbetween::{Code, Severity};

use crate::console::{Console, Paint};
use crate::remedy;
use crate::strict::Strictness;

/// Returns a number with at most three decimals, or four significant digits if it is large or
/// small.
pub(crate) fn decimal(number: f64) -> String {
    if number.abs() >= 1e6 || (number != 0.0 && number.abs() < 0.1) {
        return significant(number);
    }
    let text = format!("{number:.3}");
    let short =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// Returns a rate: `30 frames per second`.
pub(crate) fn frames_per_second(rate: f64) -> String {
    let text = decimal(rate);
    let noun = if text == "1" { "frame" } else { "frames" };
    format!("{text} {noun} per second")
}

fn paint(severity: Severity, paint: Paint, text: &str) -> String {
    match severity {
        Severity::Error => paint.error(text),
        Severity::Warning => paint.warning(text),
        _ => paint.quiet(text),
    }
}

/// Formats one finding of a check: `file:line:col: severity: message [code]`.
pub(crate) fn finding(name: &str, finding: &Finding, colors: Paint) -> String {
    let severity = paint(finding.severity(), colors, finding.severity().name());
    let (place, position) = match finding.position {
        Some(position) if printed_by_place(position) => (place(position), None),
        other => (String::new(), other),
    };
    let message = path_and_message(finding, position);
    format!("{}{place}: {severity}: {message} [{}]", printable(name), finding.code)
}

/// Returns a position after a file name: `:6:7` in a text, `:0x1a4` in a binary file.
pub(crate) fn place(position: Position) -> String {
    match position {
        Position::Text { line, column, .. } => format!(":{line}:{column}"),
        other => format!(":{:#x}", other.offset()),
    }
}

/// Returns whether a position is one of the file itself, and not of a decompressed section.
pub(crate) const fn printed_by_place(position: Position) -> bool {
    matches!(position, Position::Text { .. } | Position::Byte { space: Space::File, .. })
}

fn place_and_message(finding: &Finding) -> String {
    path_and_message(finding, finding.position)
}

fn path_and_message(finding: &Finding, position: Option<Position>) -> String {
    let mut text = String::new();
    let location = finding.location();
    if !location.is_whole() {
        let _ = write!(text, "{location}: ");
    }
    let _ = write!(text, "{}", printable(&finding.message));
    if finding.count > 1 {
        let _ = write!(text, ", {} times", finding.count);
    }
    if let Some(position) = position {
        let _ = write!(text, " ({position})");
    }
    text
}

/// Prints the help of each code, once.
pub(crate) fn help(findings: &[Finding], colors: Paint) -> String {
    let mut printed = BTreeSet::new();
    let mut text = String::new();
    for code in findings.iter().map(|finding| finding.code) {
        if printed.insert(code.id()) {
            text.push_str(&colors.quiet(&format!("  {}: {}", code.id(), remedy::help(code))));
            text.push('\n');
        }
    }
    text
}

/// Returns the number of findings of each severity: `2 errors, 1 hint`.
pub(crate) fn tally(findings: &[Finding]) -> String {
    let mut parts = Vec::new();
    for severity in Severity::ALL.into_iter().rev() {
        let count = findings.iter().filter(|finding| finding.severity() == severity).count();
        if count > 0 {
            let many = format!("{severity}s");
            parts.push(plural(u64_from_len(count), severity.name(), &many));
        }
    }
    if parts.is_empty() { "no problems found".to_owned() } else { parts.join(", ") }
}

/// How a report lists findings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Listing<'a> {
    /// Lists all findings of a code, not only the first three.
    pub(crate) all: bool,
    /// The advice how to list all findings, printed after the number of the others.
    pub(crate) how: &'static str,
    /// The losses that `--strict` refuses, if it is given.
    pub(crate) strict: Option<&'a Strictness>,
}

/// The number of findings of one code in a short report.
const FEW: usize = 3;

/// The findings of a conversion, grouped for a report.
#[derive(Debug)]
pub(crate) struct Sorted<'f> {
    /// Data that the result lacks.
    pub(crate) losses: Vec<&'f Finding>,
    /// Other findings that are probably not intended.
    pub(crate) warnings: Vec<&'f Finding>,
    /// Other information; counted, and listed on request.
    pub(crate) notes: Vec<&'f Finding>,
}

impl<'f> Sorted<'f> {
    /// Sorts findings; those with a line of their own are left out.
    pub(crate) fn of(findings: &'f [Finding]) -> Self {
        let (losses, others): (Vec<_>, Vec<_>) = findings
            .iter()
            .filter(|finding| line(finding).is_none())
            .partition(|finding| finding.code.is_loss());
        let (warnings, notes) = others.into_iter().partition(|finding| is_warning(finding.code));
        Self { losses, warnings, notes }
    }
}

/// Returns whether a report lists findings of a code that are not losses.
pub(crate) fn is_warning(code: Code) -> bool {
    !code.is_loss() && code.severity() >= Severity::Warning
}

/// The findings with a line of their own: what was chosen for the whole file, and the flags that choose
/// otherwise.
const LINES: [(Code, &str); 5] = [
    (edit_codes::COORDINATES_MAPPED, " (--axes keep)"),
    (edit_codes::UNIT_ASSUMED, " (--unit in, --axes keep)"),
    (edit_codes::COORDINATES_KEPT, ""),
    (edit_codes::PUT_ON_RIG, " (--unit, --axes)"),
    (codes::SPLINES_WRITTEN, " (--for blender, --curves bake)"),
];

/// Returns the line of a finding that has one of its own.
pub(crate) fn line(finding: &Finding) -> Option<String> {
    let (_, flags) = LINES.iter().find(|(code, _)| *code == finding.code)?;
    Some(format!("{}{flags}", finding.message))
}

/// Returns whether a finding is about a broken part of a file, which is not read.
pub(crate) fn is_skipped(finding: &Finding) -> bool {
    finding.code == codes::PART_SKIPPED
}

/// Reports the broken parts of a file. A command that writes nothing loses nothing else.
pub(crate) fn skipped_parts(name: &str, findings: &[Finding], console: &mut Console) {
    let skipped: Vec<&Finding> = findings.iter().filter(|finding| is_skipped(finding)).collect();
    if !skipped.is_empty() {
        console.report(|paint| {
            let skipped = groups(&skipped, Listing::default(), paint);
            format!("{}: not read:\n{skipped}", printable(name))
        });
    }
}

/// Formats the findings of a conversion, grouped by code: losses first, then the most severe first.
pub(crate) fn groups(findings: &[&Finding], listing: Listing<'_>, colors: Paint) -> String {
    let mut codes: Vec<Code> = Vec::new();
    for finding in findings {
        if !codes.contains(&finding.code) {
            codes.push(finding.code);
        }
    }
    codes.sort_by_key(|code| (!code.is_loss(), core::cmp::Reverse(code.severity())));
    codes.into_iter().map(|code| group(code, findings, listing, colors)).collect()
}

fn group(code: Code, findings: &[&Finding], listing: Listing<'_>, colors: Paint) -> String {
    let group: Vec<&&Finding> = findings.iter().filter(|finding| finding.code == code).collect();
    let nature = if code.is_loss() { "loss" } else { "note" };
    let label = paint(code.severity(), colors, &format!("{} ({nature})", code.severity()));
    let mut text = format!("  {label}: {}", colors.heading(code.id()));
    if group.len() > 1 {
        let _ = write!(text, " in {} places", group.len());
    }
    text.push('\n');
    let most = if listing.all { usize::MAX } else { FEW };
    for finding in group.iter().take(most) {
        let _ = writeln!(text, "    {}", place_and_message(finding));
    }
    if group.len() > most {
        let _ = writeln!(text, "    ... and {} more{}", group.len() - most, listing.how);
    }
    let mut help = format!("    {}", remedy::help(code));
    if listing.strict.is_some_and(|strict| strict.refuses(code)) {
        let _ = write!(help, " To accept this loss, pass --allow {}.", code.id());
    }
    text.push_str(&colors.quiet(&help));
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use inbetween::core::Path;

    #[test]
    fn numbers_are_short() {
        assert_eq!(decimal(1.5), "1.5");
        assert_eq!(decimal(2.0), "2");
        assert_eq!(decimal(1.0 / 3.0), "0.333");
        assert_eq!(decimal(0.0), "0");
        assert_eq!(decimal(2000.0 / 3.0), "666.667");
        assert_eq!(decimal(-0.0001), "-1e-4");
        assert_eq!(decimal(0.012_345_6), "0.01235");
        assert_eq!(decimal(1e300), "1e300");
        assert_eq!(frames_per_second(1.0), "1 frame per second");
        assert_eq!(frames_per_second(30_000.0 / 1001.0), "29.97 frames per second");
        assert_eq!(decimal(f64::INFINITY), "inf");
        assert_eq!(plural(1, "key", "keys"), "1 key");
    }

    #[test]
    fn losses_are_grouped_by_code_and_come_before_notes() {
        let mut findings = vec![Finding::new(codes::FRAME_RATE_GUESSED, "24")];
        for track in 0..5 {
            let lost = Finding::new(codes::TRACK_DROPPED, "int").at(Path::item("tracks", track));
            findings.push(lost);
        }
        let help = [codes::TRACK_DROPPED, codes::FRAME_RATE_GUESSED].map(remedy::help);
        let all: Vec<&Finding> = findings.iter().collect();
        assert_eq!(
            groups(&all, Listing { how: " (-v lists all)", ..Listing::default() }, Paint::Plain),
            format!(
                "  warning (loss): convert/track-dropped in 5 places\n    tracks[0]: int\n    \
                 tracks[1]: int\n    tracks[2]: int\n    ... and 2 more (-v lists all)\n    \
                 {}\n  info (note): convert/frame-rate-guessed\n    24\n    {}\n",
                help[0], help[1]
            )
        );
    }

    #[test]
    fn a_finding_shows_file_path_and_count() {
        let found =
            Finding::new(codes::TIMES_SORTED, "moved \u{7}").count(2).position(Position::byte(16));
        assert_eq!(
            finding("a", &found, Paint::Plain),
            "a:0x10: warning: moved \\u{7}, 2 times [convert/times-sorted]"
        );
    }
}
