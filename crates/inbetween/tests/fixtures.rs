//! Every fixture through the facade.

#![cfg(feature = "formats")]

use inbetween::core::Confidence;
use inbetween::files::hint_of;
use inbetween::{Error, Hint, Registry, convert_as};
use inbetween_testing::{CaseKind, fixtures};

#[test]
fn every_valid_fixture_has_one_best_probe_with_any_name() {
    let registry = Registry::with_builtin();
    for format in registry.formats() {
        for fixture in fixtures::of(format.info().id) {
            if fixture.kind == CaseKind::Bad {
                continue;
            }
            let probe =
                |other: &dyn inbetween::Format| other.probe(&fixture.bytes, &Hint::default());
            let own = probe(format);
            assert!(own > Confidence::No, "{}", fixture.path.display());
            for other in registry.formats().filter(|other| other.info().id != format.info().id) {
                assert!(probe(other) < own, "{}: {}", fixture.path.display(), other.info().id);
            }
        }
    }
}

#[test]
fn no_two_formats_claim_an_invalid_fixture_with_equal_confidence() {
    let registry = Registry::with_builtin();
    for format in registry.formats() {
        for fixture in fixtures::of(format.info().id) {
            let hint = hint_of(&fixture.path);
            let mut claims: Vec<Confidence> =
                registry.formats().map(|format| format.probe(&fixture.bytes, &hint)).collect();
            claims.retain(|claim| *claim > Confidence::No);
            let best = claims.iter().max();
            let equal = claims.iter().filter(|claim| Some(*claim) == best).count();
            assert!(equal <= 1, "{}", fixture.path.display());
        }
    }
}

#[test]
fn every_fixture_converts_to_every_format_or_gives_a_reason() {
    let registry = Registry::with_builtin();
    for from in registry.formats() {
        let mut converted = 0;
        for fixture in fixtures::of(from.info().id) {
            for to in registry.formats() {
                let name = format!("{} to {}", fixture.path.display(), to.info().id);
                match convert_as(from, &fixture.bytes, to, registry.limits()) {
                    Ok(conversion) => {
                        let read = to.read(&conversion.bytes, registry.limits());
                        read.unwrap_or_else(|error| panic!("{name}: reading it back: {error}"));
                        converted += 1;
                    }
                    Err(Error::Read(_)) => assert_eq!(fixture.kind, CaseKind::Bad, "{name}"),
                    Err(Error::Write(error)) => assert_eq!(error.format(), to.info().id, "{name}"),
                    Err(error) => panic!("{name}: {error}"),
                }
            }
        }
        assert!(converted > 0, "nothing of {} was converted", from.info().name);
    }
}
