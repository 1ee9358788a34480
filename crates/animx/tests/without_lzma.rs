//! Without the feature `lzma`, compressed sections are kept unchanged.

#![cfg(not(feature = "lzma"))]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_animx::{Animx, AnimxFile, Encoding, PackedPart};
use inbetween_core::{Animation, Document, Format, Limits, OptionError};
use inbetween_testing::{cases, laws, rewriter};

fn case(name: &str) -> Vec<u8> {
    let mut cases = cases::of("animx").into_iter();
    cases.find(|case| case.name == name).unwrap().bytes
}

#[test]
fn the_header_is_read_and_the_missing_feature_named() {
    let seen = Animx::default().inspect(&case("lzma"), &Limits::default()).unwrap();
    let clip = &seen.clips[0];
    assert_eq!((clip.name.as_deref(), clip.stated_duration), (Some("test"), Some(3.5)));
    let fact = |name: &str| seen.facts.iter().find(|fact| fact.0 == name).unwrap().1.clone();
    assert_eq!(fact("tracks"), "1");
    assert_eq!(
        fact("missing"),
        "the tracks, which are compressed with LZMA: build inbetween-animx with its feature `lzma`, \
         or save the file uncompressed"
    );
}

#[test]
fn reading_and_checking_report_the_missing_feature() {
    let expected = "animx: tracks: a section compressed with LZMA is not supported; build \
                    inbetween-animx with its feature `lzma`, or save the file uncompressed";
    let format = Animx::default();
    let read = format.read(&case("lzma"), &Limits::default()).unwrap_err();
    assert_eq!(read.to_string(), expected);
    let check = format.check(&case("lzma"), &Limits::default()).unwrap_err();
    assert_eq!(check.to_string(), expected);
}

#[test]
fn a_sealed_section_is_rewritten_byte_for_byte() {
    for name in ["lzma", "lzma-end-marker", "lzma-trailing", "lzma-no-tracks"] {
        let bytes = case(name);
        laws::all(&Animx::default(), &rewriter!(AnimxFile::parse), &bytes);
        let file = AnimxFile::parse(&bytes, &Limits::default()).unwrap();
        assert!(file.is_sealed() && file.section().is_none());
        let mut parts = file.into_parts();
        assert!(matches!(parts.packed, PackedPart::Sealed { .. }));
        parts.global_duration = 9.0;
        let changed = AnimxFile::from_parts(&parts).unwrap();
        assert_eq!(changed.to_bytes().len(), bytes.len());
        assert_eq!(changed.header().global_duration, 9.0);
    }
}

#[test]
fn a_section_that_is_not_lzma_is_still_read() {
    let read = Animx::default().read(&case("lzma-that-is-lz4"), &Limits::default()).unwrap();
    assert_eq!(read.value.clips[0].tracks.len(), 1);
}

#[test]
fn lzma_is_not_written() {
    let format = Animx::default().encoding(Encoding::Lzma);
    let written = format.write(Document::single(Animation::default()), &Limits::default());
    assert_eq!(
        written.unwrap_err().to_string(),
        "animx: encoding: lzma encoding cannot be written: build inbetween-animx with its feature \
         `lzma`, or save the file uncompressed"
    );
    let error = Animx::default().with_option("encoding", "lzma").unwrap_err();
    assert!(matches!(error, OptionError::BadValue { .. }));
}
