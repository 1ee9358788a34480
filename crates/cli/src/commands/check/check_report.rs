//! The report of a check.

use std::fmt::Write;
use std::io;

use inbetween::core::{Position, printable};
use inbetween::{Finding, Severity, Snippet};

use super::Good;
use crate::args::CheckArgs;
use crate::console::{Console, Paint};
use crate::report::{self, plural};

/// Prints the findings of a file, the fixed ones, and the number of findings.
pub(super) fn print(
    name: &str,
    good: &Good,
    args: &CheckArgs,
    console: &mut Console,
) -> io::Result<()> {
    if args.github {
        for finding in &good.findings {
            console.line(&annotation(name, finding))?;
        }
        return Ok(());
    }
    let data = good.to_stdout.as_deref().or(good.diff.as_ref().map(String::as_bytes));
    if let Some(data) = data {
        io::Write::write_all(&mut console.out, data)?;
        console.report(|paint| text(name, good, args, paint));
        return Ok(());
    }
    if console.is_quiet() && good.findings.is_empty() {
        return Ok(());
    }
    let text = text(name, good, args, console.paint);
    console.line(text.trim_end())
}

fn text(name: &str, good: &Good, args: &CheckArgs, paint: Paint) -> String {
    let mut text = String::new();
    for (finding, snippet) in good.findings.iter().zip(&good.snippets) {
        text.push_str(&report::finding(name, finding, paint));
        text.push('\n');
        if let Some(snippet) = snippet {
            text.push_str(&lines(snippet, paint));
            text.push('\n');
        }
        if let Some(fix) = &finding.fix {
            // Writing to a String does not fail.
            let _ = writeln!(text, "  --fix: {}", printable(&fix.title));
        }
    }
    text.push_str(&report::help(&good.findings, paint));
    text.push_str(&summary(name, good, args));
    for finding in &good.fixed {
        text.push_str(&fixed(finding, args));
    }
    if good.unpaired {
        text.push_str("\n  no companion file has the name of this file, so it was checked alone");
    }
    text
}

/// Formats a line with its number, and a mark below it.
fn lines(snippet: &Snippet, paint: Paint) -> String {
    let number = snippet.line.to_string();
    let margin = " ".repeat(number.len());
    let space = " ".repeat(snippet.before);
    let mark = paint.error("^");
    let bar = paint.quiet("|");
    format!("{} {bar} {}\n{margin} {bar} {space}{mark}", paint.quiet(&number), snippet.text)
}

fn summary(name: &str, good: &Good, args: &CheckArgs) -> String {
    let mut summary = format!("{} ({}): ", printable(name), good.info.name);
    if args.fixing.fix {
        let edits = if args.fixing.dry_run {
            plural(good.edits, "edit to make", "edits to make")
        } else {
            plural(good.edits, "edit made", "edits made")
        };
        summary.push_str(&edits);
        summary.push_str(", then ");
    }
    summary.push_str(&report::tally(&good.findings));
    let fixable = inbetween::core::fix::fixable(&good.findings);
    if fixable > 0 && !args.fixing.fix {
        let _ = write!(summary, " ({fixable} can be fixed with --fix)");
    }
    summary
}

/// Returns a line about a finding that was fixed.
fn fixed(finding: &Finding, args: &CheckArgs) -> String {
    let place = finding.position.map(report::place).unwrap_or_default();
    let title = finding.fix.as_ref().map_or("", |fix| fix.title.as_ref());
    let did = if args.fixing.dry_run { "to fix" } else { "fixed" };
    let place = place.strip_prefix(':').unwrap_or("file");
    format!("\n  {did}: {place}: {} [{}]", printable(title), finding.code)
}

/// Returns a finding as an annotation of GitHub Actions.
fn annotation(name: &str, finding: &Finding) -> String {
    let level = match finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "notice",
    };
    let mut place = format!("file={}", property(name));
    if let Some(Position::Text { line, column, .. }) = finding.position {
        let _ = write!(place, ",line={line},col={column}");
    }
    let message = finding.to_string();
    format!("::{level} {place},title={}::{}", property(finding.code.id()), data(&message))
}

/// Escapes the text of an annotation.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of an annotation.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
