//! Detecting the format of a file, and fixing files.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are tests as well")]

use std::borrow::Cow;

use inbetween::core::{
    Applies, Budget, ClipReader, Confidence, Edit, FileEncoding, Fix, FormatInfo, Inspection,
    OptionError, OptionInfo, WholeFile, Written, codes,
};
use inbetween::{
    Document, Error, Finding, Format, Hint, Limits, Outcome, ReadError, Registry, WriteError, fix,
};

/// A format of files that start with a letter. Its checks change every `a` to `b`, and every `b`
/// after a `b` to `c`.
#[derive(Clone, Debug)]
struct Fake {
    info: &'static FormatInfo,
    confidence: Confidence,
    tag: String,
}

const fn info(id: &'static str, extensions: &'static [&'static str]) -> FormatInfo {
    FormatInfo::new(id, id, FileEncoding::Text)
        .with_extensions(extensions)
        .with_options(&[OptionInfo { name: "tag", value: "T", help: "", applies: Applies::Both }])
}

static ONE: FormatInfo = info("one", &["fake", "one"]);
static TWO: FormatInfo = info("two", &["fake"]);

fn fake(info: &'static FormatInfo, confidence: Confidence) -> Box<dyn Format> {
    Box::new(Fake { info, confidence, tag: String::new() })
}

impl Format for Fake {
    fn info(&self) -> &'static FormatInfo {
        self.info
    }

    fn probe(&self, bytes: &[u8], _: &Hint<'_>) -> Confidence {
        if bytes.first().is_some_and(u8::is_ascii_lowercase) {
            self.confidence
        } else {
            Confidence::No
        }
    }

    fn inspect(&self, _: &[u8], _: &Limits) -> Result<Inspection, ReadError> {
        Ok(Inspection { layout: self.tag.clone(), ..Inspection::default() })
    }

    fn check(&self, bytes: &[u8], _: &Limits) -> Result<Vec<Finding>, ReadError> {
        let letter = |start: usize, to: &'static [u8], code| {
            let edits =
                vec![Edit { start, end: start.saturating_add(1), replacement: Cow::Borrowed(to) }];
            Finding::new(code, "letter").fix(Fix { title: "change it".into(), edits })
        };
        let mut findings = Vec::new();
        for (index, &byte) in bytes.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| bytes.get(before));
            match byte {
                b'a' => findings.push(letter(index, b"b", codes::TIMES_SORTED)),
                b'b' if before == Some(&b'b') => {
                    findings.push(letter(index, b"c", codes::TIMES_ROUNDED));
                }
                b'<' => findings.push(letter(index, b">", codes::NULL_TEXT)),
                b'>' => findings.push(letter(index, b"<", codes::NULL_TEXT)),
                _ => {}
            }
        }
        Ok(findings)
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        _: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        match bytes {
            [b'!', ..] => Err(ReadError::invalid("a letter", "'!'").in_format(self.info.id)),
            _ => Ok(Box::new(WholeFile::new(Outcome {
                value: Document::default(),
                findings: vec![Finding::new(codes::NAME_DROPPED, "read")],
            }))),
        }
    }

    fn write_within(&self, _: Document, _: &mut Budget) -> Result<Outcome<Written>, WriteError> {
        let findings = vec![Finding::new(codes::TRACK_DROPPED, "written")];
        let written = Written::new(self.tag.clone().into_bytes(), Vec::new());
        Ok(Outcome { value: written, findings })
    }

    fn with_option(&self, name: &str, value: &str) -> Result<Box<dyn Format>, OptionError> {
        match (name, value) {
            ("tag", "") => Err(OptionError::BadValue { expected: "a tag".into() }),
            ("tag", tag) => Ok(Box::new(Self { tag: tag.to_owned(), ..self.clone() })),
            _ => Err(OptionError::Unknown),
        }
    }
}

fn two(first: Confidence, second: Confidence) -> Registry {
    Registry::empty().push(fake(&ONE, first)).push(fake(&TWO, second))
}

fn detected(registry: &Registry, bytes: &[u8], extension: Option<&str>) -> (String, Confidence) {
    match registry.detect(bytes, &Hint { extension }) {
        Ok(found) => (found.format.info().id.to_owned(), found.confidence),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_most_confident_probe_wins_and_of_equals_the_later() {
    let likely = two(Confidence::Likely, Confidence::Possible);
    assert_eq!(detected(&likely, b"x", None), ("one".to_owned(), Confidence::Likely));
    let equal = two(Confidence::Likely, Confidence::Likely);
    assert_eq!(detected(&equal, b"x", None), ("two".to_owned(), Confidence::Likely));
}

#[test]
fn an_uncertain_probe_needs_the_extension() {
    let registry = two(Confidence::Possible, Confidence::No);
    assert!(registry.detect(b"x", &Hint::default()).is_err());
    assert_eq!(detected(&registry, b"x", Some("one")), ("one".to_owned(), Confidence::Possible));
}

#[test]
fn ids_and_extensions_ignore_case_and_belong_to_the_later_format() {
    let registry = two(Confidence::No, Confidence::No);
    assert_eq!(registry.by_extension("FAKE").unwrap().info().id, "two");
    assert_eq!(registry.by_extension("one").unwrap().info().id, "one");
    assert_eq!(registry.by_id("One").unwrap().info().id, "one");
    assert!(registry.by_id("three").is_none());
    assert_eq!(registry.formats().len(), 2);
}

#[test]
fn a_damaged_file_goes_to_the_reader_of_its_extension() {
    let registry = two(Confidence::Likely, Confidence::Likely);
    assert_eq!(detected(&registry, b"!x", Some("one")), ("one".to_owned(), Confidence::No));
    let error = registry.read(b"!x", &Hint { extension: Some("one") }).unwrap_err();
    assert_eq!(error.to_string(), "one: expected a letter, found '!'");
}

#[test]
fn a_file_of_another_kind_is_not_detected_by_its_extension() {
    let registry = two(Confidence::Likely, Confidence::Likely);
    for (bytes, verb, looks) in [
        (&b""[..], "is", "an empty file"),
        (b"\x89PNG\r\n\x1a\n", "looks like", "a PNG image"),
        (b"\0\0\0", "looks like", "nothing but zero bytes, as after a broken download"),
    ] {
        let error = registry.detect(bytes, &Hint { extension: Some("one") }).unwrap_err();
        assert_eq!(error.looks_like(), looks);
        assert_eq!(error.to_string(), format!("not a file of one or two: it {verb} {looks}"));
    }
}

#[test]
fn an_option_is_set_in_every_format_that_has_it() {
    let registry = two(Confidence::Likely, Confidence::Likely).with_option("tag", "t").unwrap();
    for format in registry.formats() {
        assert_eq!(format.inspect(b"", registry.limits()).unwrap().layout, "t");
    }
}

#[test]
fn an_unknown_option_or_an_invalid_value_is_an_error() {
    let make = || two(Confidence::No, Confidence::No);
    let error = make().with_option("tig", "t").unwrap_err();
    assert_eq!(error.to_string(), "unknown option tig");
    let error = make().with_option("tag", "").unwrap_err();
    assert_eq!(error.to_string(), "option tag: one expects a tag, found ''");
    assert_eq!(error.format(), Some("one"));
}

#[test]
fn a_conversion_reports_the_losses_of_reading_and_writing() {
    let registry = two(Confidence::Likely, Confidence::No).with_option("tag", "new").unwrap();
    let to = registry.by_id("two").unwrap();
    let conversion = registry.convert(b"x", &Hint::default(), to).unwrap();
    assert_eq!((conversion.from.id, conversion.to.id), ("one", "two"));
    assert_eq!(conversion.bytes, b"new");
    let messages: Vec<_> = conversion.findings.iter().map(|loss| loss.message.as_ref()).collect();
    assert_eq!(messages, ["read", "written"]);
    assert!(conversion.is_lossy());
}

#[test]
fn the_error_of_an_empty_registry_says_that_it_has_no_formats() {
    let error = Registry::empty().read(b"x", &Hint::default()).unwrap_err();
    assert!(matches!(error, Error::Detect(_)));
    assert_eq!(error.to_string(), "no formats are built in: it looks like plain text");
}

fn fixed(bytes: &[u8], wanted: impl Fn(&Finding) -> bool) -> (Vec<u8>, u64, u64) {
    let format = fake(&ONE, Confidence::Likely);
    let fixed = fix(&*format, bytes, &Limits::default(), wanted).unwrap();
    let left = fixed.left();
    (fixed.bytes, fixed.edits, left)
}

#[test]
fn fixing_repeats_until_nothing_is_fixable() {
    // The first round changes both letters to b, the second changes the last b to c.
    assert_eq!(fixed(b"aa", |_| true), (b"bc".to_vec(), 3, 0));
    assert_eq!(fixed(b"x", |_| true), (b"x".to_vec(), 0, 0));
}

#[test]
fn fixing_skips_unwanted_findings() {
    let wanted = |finding: &Finding| finding.code == codes::TIMES_SORTED;
    assert_eq!(fixed(b"aa", wanted), (b"bb".to_vec(), 2, 1));
}

#[test]
fn endless_fixing_is_stopped() {
    assert_eq!(fixed(b"<", |_| true), (b"<".to_vec(), 64, 1));
}

#[test]
fn every_code_is_listed_once() {
    let codes = Registry::with_builtin().codes();
    let mut ids: Vec<&str> = codes.iter().map(|code| code.id()).collect();
    for id in ["core/findings-truncated", "edit/reduced", "animj/track-member-order"] {
        assert!(ids.contains(&id), "{id}");
    }
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
}
