//! Round trips between AnimX and AnimJ, which store the same tracks.

#![cfg(all(feature = "animj", feature = "animx", feature = "lzma"))]
#![expect(clippy::expect_used, reason = "a test may end where it fails")]

use inbetween::animj::{Animj, Matrices};
use inbetween::animx::{Animx, AnimxFile, AnimxLayout, EmptyTracks, Encoding};
use inbetween::{Format, Limits, ValueKind, convert_as};
use inbetween_testing::laws::{RoundTrip, conversion_round_trip};
use inbetween_testing::{CaseKind, cases, difference};

fn fixture(name: &str) -> Vec<u8> {
    let mut cases = cases::of("animx").into_iter();
    cases.find(|case| case.name == name).expect("a case of this name").bytes
}

/// The fixtures of a kind of values in a type of track.
fn kinds() -> impl Iterator<Item = (ValueKind, String)> {
    ValueKind::ALL.into_iter().flat_map(|kind| {
        let name = kind.name().to_lowercase();
        ["raw", "discrete", "curve"].map(|shape| (kind, format!("{shape}-{name}")))
    })
}

#[test]
fn every_type_that_animj_supports_survives_unchanged() {
    for (kind, name) in kinds().filter(|(kind, _)| !kind.is_matrix()) {
        let trip = conversion_round_trip(&Animx::default(), &Animj::default(), &fixture(&name));
        assert_eq!(trip, RoundTrip::Kept, "{name} of {kind}");
    }
    for name in ["worked-example", "transforms", "tangents", "null-texts", "version-0", "lzma"] {
        let trip = conversion_round_trip(&Animx::default(), &Animj::default(), &fixture(name));
        assert_eq!(trip, RoundTrip::Kept, "{name}");
    }
}

#[test]
fn a_canonical_file_survives_byte_for_byte() {
    let limits = Limits::default();
    for (_, name) in kinds().filter(|(kind, name)| !kind.is_matrix() && !name.starts_with("curve"))
    {
        let bytes = fixture(&name);
        let text = convert_as(&Animx::default(), &bytes, &Animj::default(), &limits);
        let text = text.expect("AnimJ holds it").bytes;
        let back = convert_as(&Animj::default(), &text, &Animx::default(), &limits);
        assert_eq!(back.expect("AnimX holds it").bytes, bytes, "{name}");
    }
}

#[test]
fn tracks_of_matrices_are_dropped_by_animj_with_advice() {
    let limits = Limits::default();
    for (_, name) in kinds().filter(|(kind, _)| kind.is_matrix()) {
        let bytes = fixture(&name);
        let text = convert_as(&Animx::default(), &bytes, &Animj::default(), &limits);
        let text = text.expect("the others are written");
        let dropped: Vec<&str> = text
            .findings
            .iter()
            .filter(|loss| loss.code.id() == "convert/track-dropped")
            .map(|loss| loss.message.as_ref())
            .collect();
        assert!(
            matches!(dropped[..], [loss] if loss.contains("take AnimX")),
            "{name}: {dropped:?}"
        );
        let rows = Animj::default().matrices(Matrices::Rows);
        let text = convert_as(&Animx::default(), &bytes, &rows, &limits).expect("rows").bytes;
        let before = Animx::default().read(&bytes, &limits).expect("a good file").value;
        let after = rows.read(&text, &limits).expect("it was just written");
        assert_eq!(difference(&before, &after.value), None, "{name}");
        let codes: Vec<&str> = after.findings.iter().map(|loss| loss.code.id()).collect();
        assert_eq!(codes, ["animj/matrix"], "{name}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_dropped_by_animj_and_reported() {
    for (name, code) in [
        ("odd-values", "convert/value-not-finite"),
        ("interval-nan", "convert/value-not-finite"),
        ("duration-nan", "convert/duration-changed"),
    ] {
        let limits = Limits::default();
        let text = convert_as(&Animx::default(), &fixture(name), &Animj::default(), &limits);
        let text = text.expect("the others are written");
        assert!(
            text.findings.iter().any(|loss| loss.code.id() == code),
            "{name}: {:?}",
            text.findings
        );
        assert!(Animj::default().read(&text.bytes, &limits).is_ok(), "{name}");
    }
}

#[test]
fn an_animx_file_written_as_animx_keeps_its_compression() {
    let limits = Limits::default();
    let encoding =
        |bytes: &[u8]| AnimxFile::parse(bytes, &limits).map(|file| file.header().encoding);
    for (name, expected) in
        [("lzma", Encoding::Lzma), ("lz4", Encoding::Lz4), ("worked-example", Encoding::Plain)]
    {
        let convert = |to| convert_as(&Animx::default(), &fixture(name), &to, &limits);
        let same = convert(Animx::default()).expect("it is AnimX").bytes;
        assert_eq!(encoding(&same), Ok(expected), "{name}");
        let asked = convert(Animx::default().encoding(Encoding::Plain)).expect("it is AnimX").bytes;
        assert_eq!(encoding(&asked), Ok(Encoding::Plain), "{name}");
    }
}

#[test]
fn every_animj_file_survives_every_animx_encoding() {
    let limits = Limits::default();
    for case in cases::of("animj").into_iter().filter(|case| case.kind == CaseKind::Ok) {
        let read = Animj::default().read(&case.bytes, &limits).expect("a good file").value;
        for encoding in Encoding::ALL {
            // A few keys do not reveal their order, so the order is requested.
            let animx = Animx::default().encoding(encoding).layout(AnimxLayout::DEFAULT);
            let animx = animx.empty_tracks(EmptyTracks::Keep);
            let written = animx.write(read.clone(), &limits).expect("AnimX holds all of AnimJ");
            let back = animx.read(&written.value, &limits).expect("it was written").value;
            let lossy = !written.findings.is_empty();
            // AnimX requires a name for every clip.
            let mut expected = read.clone();
            expected.clips[0].name.get_or_insert_with(|| "".into());
            let changed = difference(&expected, &back);
            assert!(lossy || changed.is_none(), "{}: {changed:?}", case.name);
        }
    }
}
