//! Golden dumps and golden errors.
//!
//! Each file of `fixtures/<format>/ok` has a `.dump` with everything that the format reports about
//! it, and each file of `bad` has an `.err` with the message. `INBETWEEN_BLESS=1` rewrites fixtures
//! and goldens; review the diff before you commit it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use inbetween_core::{
    Document, Fate, Finding, Format, Limits, OptionError, ReadError, ReadErrorKind, Severity,
};

use crate::cases::{self, Case, CaseKind};
use crate::dump::dump;
use crate::fixtures::{self, Fixture};

/// Checks the fixtures of a format: the files against the cases, the goldens against the output of
/// the format, and the findings against those that the cases require.
pub fn golden(format: &dyn Format) {
    let id = format.info().id;
    if bless() {
        fixtures::write(id).expect("fixtures can be written");
    }
    let mut wrong = fixtures::drift(id);
    for fixture in fixtures::of(id) {
        wrong.extend(compare(format, &fixture));
    }
    wrong.extend(broken_promises(format));
    assert!(wrong.is_empty(), "{}", report(id, &wrong));
}

fn bless() -> bool {
    std::env::var_os("INBETWEEN_BLESS").is_some_and(|value| value == "1")
}

fn report(id: &str, wrong: &[String]) -> String {
    format!(
        "{id}: {} things are not as they should be:\n{}\n\
         if that is meant, run the test with INBETWEEN_BLESS=1 and read the difference",
        wrong.len(),
        wrong.join("\n")
    )
}

fn compare(format: &dyn Format, fixture: &Fixture) -> Option<String> {
    let name = fixture.path.display();
    let actual = match (fixture.kind, format.read(&fixture.bytes, &Limits::default())) {
        (CaseKind::Ok, Ok(outcome)) => dump(format, &fixture.bytes, &outcome),
        (CaseKind::Bad, Err(error)) => refusal(format, &fixture.bytes, &error.to_string()),
        (CaseKind::Ok, Err(error)) => return Some(format!("{name} is refused: {error}")),
        (CaseKind::Bad, Ok(_)) => return Some(format!("{name} is read, but it is bad")),
    };
    let path = fixture.golden();
    if bless() {
        fs::write(&path, &actual).expect("goldens can be written");
    }
    let expected = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => return Some(format!("{}: {error}", path.display())),
    };
    let (line, was, is) = first_difference(&expected, &actual)?;
    Some(format!("{}:{line}: expected\n  {was}\nfound\n  {is}", path.display()))
}

fn first_difference<'a>(was: &'a str, is: &'a str) -> Option<(usize, &'a str, &'a str)> {
    if was == is {
        return None;
    }
    let end = "(the end)";
    let mut lines = (was.lines().chain([end]), is.lines().chain([end]));
    let mut line = 1;
    loop {
        match (lines.0.next(), lines.1.next()) {
            (Some(was), Some(is)) if was == is => line += 1,
            (was, is) => return Some((line, was.unwrap_or(end), is.unwrap_or(end))),
        }
    }
}

/// The text of an `.err` file.
fn refusal(format: &dyn Format, bytes: &[u8], error: &str) -> String {
    let mut text = format!("{error}\n");
    if let Ok(findings) = format.check(bytes, &Limits::default()) {
        for finding in findings {
            let _ = writeln!(text, "check: {finding}");
        }
    }
    text
}

/// Returns the codes that cases require and checks do not report.
fn broken_promises(format: &dyn Format) -> Vec<String> {
    let mut broken = Vec::new();
    for case in cases::of(format.info().id) {
        let reported: BTreeSet<&str> = match format.check(&case.bytes, &Limits::default()) {
            Ok(findings) => findings.iter().map(|finding| finding.code.id()).collect(),
            Err(_) => BTreeSet::new(),
        };
        let missing = case.codes.iter().filter(|code| !reported.contains(*code));
        broken.extend(missing.map(|code| format!("check of {} does not report {code}", case.name)));
    }
    broken
}

/// Asserts that every code of [`FormatInfo::codes`](inbetween_core::FormatInfo) is reported by
/// checking, reading or writing some case, and that no other code is.
///
/// `extra` are findings that no file of the format can trigger: those of writing documents from
/// other formats, or with options.
pub fn every_code_is_triggered(format: &dyn Format, extra: impl IntoIterator<Item = Finding>) {
    let mut reported: BTreeSet<&str> = extra.into_iter().map(|finding| finding.code.id()).collect();
    for case in cases::of(format.info().id) {
        let findings = findings_of(format, &case.bytes);
        reported.extend(findings.iter().map(|finding| finding.code.id()));
    }
    let listed: BTreeSet<&str> = format.info().codes.iter().map(|code| code.id()).collect();
    let id = format.info().id;
    let silent: Vec<_> = listed.difference(&reported).collect();
    assert!(silent.is_empty(), "{id}: no case triggers {silent:?}");
    let unlisted: Vec<_> = reported.difference(&listed).collect();
    assert!(unlisted.is_empty(), "{id}: {unlisted:?} missing in FormatInfo::codes");
}

/// The kinds of read errors, except for `Refused`, which only text forms give.
const KINDS: [&str; 8] = [
    "BadMagic",
    "UnexpectedEnd",
    "Invalid",
    "UnsupportedVersion",
    "Unsupported",
    "Missing",
    "Limit",
    "Json",
];

/// Asserts that the bad files of a format give every kind of read error, its cases every code of
/// severity error, and small limits an error.
///
/// `never` has the kinds that the format cannot give, each with the reason.
pub fn every_error_has_a_file(format: &dyn Format, never: &[(&'static str, &str)]) {
    let id = format.info().id;
    let cases = cases::of(id);
    let errors = cases.iter().filter_map(|case| format.read(&case.bytes, &Limits::default()).err());
    let given: BTreeSet<String> = errors.map(|error| kind_name(error.kind())).collect();
    for kind in &given {
        assert!(KINDS.contains(&kind.as_str()), "{id}: {kind} is not in the list of kinds");
    }
    for kind in KINDS {
        let reason = never.iter().find(|(never, _)| *never == kind).map(|(_, reason)| reason);
        match (given.contains(kind), reason) {
            (false, None) => panic!("{id}: no bad file is refused with {kind}"),
            (true, Some(reason)) => panic!("{id}: {kind} should not occur: {reason}"),
            _ => {}
        }
    }
    small_limits_refuse_a_file(format, &cases);
    let findings = cases.iter().flat_map(|case| findings_of(format, &case.bytes));
    let reported: BTreeSet<&str> = findings.map(|finding| finding.code.id()).collect();
    let errors = format.info().codes.iter().filter(|code| code.severity() == Severity::Error);
    let silent: Vec<_> = errors.filter(|code| !reported.contains(code.id())).collect();
    assert!(silent.is_empty(), "{id}: no file triggers {silent:?}");
}

/// Asserts that a file is refused if nothing is left of a limit that only large files exceed.
fn small_limits_refuse_a_file(format: &dyn Format, cases: &[Case]) {
    let limits = Limits::default();
    let none =
        [("items", limits.clone().with_items(0)), ("decoded bytes", limits.with_decoded_bytes(0))];
    for (unit, limits) in none {
        let mut errors = cases.iter().filter_map(|case| format.read(&case.bytes, &limits).err());
        let is_limit = |error: ReadError| match error.kind() {
            ReadErrorKind::Limit { what, .. } => *what == unit,
            _ => false,
        };
        assert!(errors.any(is_limit), "{}: no limit on {unit}", format.info().id);
    }
}

/// Returns the name of the variant of a kind, which its code does not always tell.
fn kind_name(kind: &ReadErrorKind) -> String {
    format!("{kind:?}").split(' ').next().unwrap_or_default().to_owned()
}

/// Returns the findings of checking a file, reading it and writing it back.
fn findings_of(format: &dyn Format, bytes: &[u8]) -> Vec<Finding> {
    let limits = Limits::default();
    let mut findings = format.check(bytes, &limits).unwrap_or_default();
    if let Ok(outcome) = format.read(bytes, &limits) {
        findings.extend(outcome.findings);
        findings.extend(writing(format, outcome.value));
    }
    findings
}

/// Returns the findings of writing a document; none if it is rejected.
pub fn writing(format: &dyn Format, document: Document) -> Vec<Finding> {
    format.write(document, &Limits::default()).map(|outcome| outcome.findings).unwrap_or_default()
}

/// Asserts that the description of a format is consistent.
pub fn info_is_consistent(format: &dyn Format) {
    let info = format.info();
    let id = info.id;
    let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    assert!(!id.is_empty() && id.chars().all(kebab), "the id {id:?} is not kebab-case");
    assert!(!info.extensions.is_empty(), "{id}: no extension");
    for extension in info.extensions {
        assert!(extension.chars().all(kebab), "{id}: extension {extension:?} is not lower case");
    }
    let mut seen = BTreeSet::new();
    for code in info.codes {
        // The code of a fact of several formats has no owner.
        let owner = code.id().split_once('/').map(|(owner, _)| owner);
        let is_own = owner.is_none_or(|owner| [id, "convert", "core"].contains(&owner));
        assert!(is_own, "{id}: {code} belongs to another format");
        assert!(seen.insert(code.id()), "{id}: {code} is listed twice");
        assert!(code.help().ends_with('.'), "{id}: the help of {code} is no sentence");
    }
    let mut names = BTreeSet::new();
    for field in info.fields {
        assert!(names.insert(field.name), "{id}: field {} is listed twice", field.name);
        if let Fate::Reported(code) = field.fate {
            assert!(seen.contains(code.id()), "{id}: field {} is reported as {code}", field.name);
        }
    }
    for option in info.options {
        let error = format.with_option(option.name, "\0").err();
        assert!(
            matches!(error, Some(OptionError::BadValue { .. })),
            "{id}: option {} takes a value that nobody can mean: {error:?}",
            option.name
        );
        // `drop|rows` lists values; a word in capitals stands for others.
        let words = option.value.split('|').filter(|word| word.starts_with(char::is_lowercase));
        for word in words.filter(|_| option.value.contains('|')) {
            let error = format.with_option(option.name, word).err();
            assert_eq!(error, None, "{id}: option {} refuses {word}", option.name);
        }
    }
    assert_eq!(format.with_option("no such option", "").err(), Some(OptionError::Unknown));
}
