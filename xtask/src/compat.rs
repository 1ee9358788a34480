//! Checks all laws and conversions on real files.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use inbetween::core::Confidence;
use inbetween::files::hint_of;
use inbetween::{Format, Limits, Registry, Severity};
use inbetween_testing::laws::{self, RoundTrip};

use crate::{Outcome, rewriters};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (folder, refusals) = match arguments.as_slice() {
        [folder] => (folder, Refusals::Fail),
        [folder, "--allow-refused"] | ["--allow-refused", folder] => (folder, Refusals::Pass),
        _ => return Err("expected a folder".to_owned()),
    };
    let mut files = Vec::new();
    collect(Path::new(folder), &mut files)?;
    files.sort();
    let registry = Registry::with_builtin();
    let mut head = vec!["format", "check", "reading", "exact"];
    head.extend(registry.formats().map(|format| format.info().name));
    head.push("file");
    print_row(&head);
    let mut report = Report::default();
    for path in &files {
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        report.examine(&registry, path, &name, &bytes);
    }
    report.end(refusals)
}

/// The meaning of a file that its format rejects.
#[derive(Clone, Copy)]
enum Refusals {
    Fail,
    Pass,
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let wrong = |error| format!("{}: {error}", path.display());
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(wrong)? {
        collect(&entry.map_err(wrong)?.path(), files)?;
    }
    Ok(())
}

/// Prints a row for each file, and keeps longer messages for the end.
#[derive(Default)]
struct Report {
    notes: Vec<String>,
    read: u32,
    refused: u32,
    skipped: u32,
    broken: u32,
}

impl Report {
    fn examine(&mut self, registry: &Registry, path: &Path, name: &str, bytes: &[u8]) {
        let format = match registry.detect(bytes, &hint_of(path)) {
            Ok(found) if found.confidence > Confidence::No => found.format,
            Ok(_) => return self.skip(name, "no format claims it"),
            Err(error) => return self.skip(name, error.looks_like()),
        };
        let Some(rewrite) = rewriters::of(format.info().id) else {
            return self.skip(name, "nothing rewrites files of its format");
        };
        let mut cells = vec![format.info().name.to_owned(), findings(format, bytes)];
        cells.push(self.law(name, "reading", || laws::reading(format, &rewrite, bytes)));
        cells.push(self.law(name, "exact", || laws::bytes_round_trip(format, &rewrite, bytes)));
        match format.read(bytes, &Limits::default()) {
            Ok(_) => self.read += 1,
            Err(error) => {
                self.refused += 1;
                self.notes.push(format!("{name}: refused: {error}"));
            }
        }
        for to in registry.formats() {
            cells.push(self.round_trip(name, format, to, bytes));
        }
        cells.push(name.to_owned());
        print_row(&cells);
    }

    fn skip(&mut self, name: &str, why: &str) {
        self.skipped += 1;
        self.notes.push(format!("{name}: skipped: {why}"));
    }

    /// Runs a law and returns whether it holds, for the table.
    fn law(&mut self, name: &str, title: &str, law: impl FnOnce()) -> String {
        match catch(law) {
            None => "ok".to_owned(),
            Some(message) => {
                self.broken += 1;
                self.notes.push(format!("{name}: BROKEN: {title}: {message}"));
                "BROKEN".to_owned()
            }
        }
    }

    /// Converts a file to another format and back, or writes it again in its own format.
    fn round_trip(
        &mut self,
        name: &str,
        from: &dyn Format,
        to: &dyn Format,
        bytes: &[u8],
    ) -> String {
        let title = to.info().name;
        let mut result = RoundTrip::NotRead;
        let verdict = self.law(name, title, || {
            result = if from.info().id == to.info().id {
                laws::model_round_trip(from, bytes)
            } else {
                laws::conversion_round_trip(from, to, bytes)
            };
        });
        match result {
            RoundTrip::NotRead => verdict.replace("ok", "-"),
            RoundTrip::Kept => "kept".to_owned(),
            RoundTrip::Reported(codes) => {
                let mut codes: Vec<&str> = codes.iter().map(|code| code.id()).collect();
                codes.sort_unstable();
                codes.dedup();
                self.notes.push(format!("{name}: {title}: reported {}", codes.join(", ")));
                "reported".to_owned()
            }
            RoundTrip::Refused(error) => {
                self.notes.push(format!("{name}: {title}: not written: {error}"));
                "refused".to_owned()
            }
        }
    }

    fn end(&self, refusals: Refusals) -> Outcome {
        println!();
        for note in &self.notes {
            println!("{note}");
        }
        let Self { read, refused, skipped, broken, .. } = self;
        println!("\n{read} read, {refused} refused, {skipped} skipped, {broken} laws broken");
        match (read, refused, broken, refusals) {
            (_, _, 1.., _) => Err(format!("{broken} laws are broken")),
            (0, _, _, _) => Err("no file was read".to_owned()),
            (_, 1.., _, Refusals::Fail) => Err(format!("{refused} files were refused")),
            _ => Ok(()),
        }
    }
}

fn print_row<S: AsRef<str>>(cells: &[S]) {
    let cells = cells.iter().map(|cell| format!("{:<9}", cell.as_ref()));
    println!("{}", cells.collect::<Vec<_>>().join(" ").trim_end());
}

/// Returns the number of findings of each severity of a check: `2E 1W`.
fn findings(format: &dyn Format, bytes: &[u8]) -> String {
    let Ok(findings) = format.check(bytes, &Limits::default()) else {
        return "refused".to_owned();
    };
    let counts = Severity::ALL.iter().rev().filter_map(|severity| {
        let number = findings.iter().filter(|finding| finding.severity() == *severity).count();
        let letter = severity.name().get(..1).unwrap_or_default().to_uppercase();
        (number > 0).then(|| format!("{number}{letter}"))
    });
    let counts: Vec<String> = counts.collect();
    if counts.is_empty() { "ok".to_owned() } else { counts.join(" ") }
}

/// Runs a law and returns the failure message if it is broken.
fn catch(law: impl FnOnce()) -> Option<String> {
    let message = Arc::new(Mutex::new(String::new()));
    let sink = Arc::clone(&message);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        *sink.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
    }));
    let held = catch_unwind(AssertUnwindSafe(law)).is_ok();
    std::panic::set_hook(hook);
    let message = message.lock().unwrap_or_else(PoisonError::into_inner);
    (!held).then(|| message.clone())
}
