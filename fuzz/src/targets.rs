//! The laws that a target stands for.

use inbetween::x4_ani::{X4aniFile, X4aniParts, lint};
use inbetween::{Hint, Limits, Registry};
use inbetween_testing::laws;

/// Runs the laws of `read_<format>`, `round_trip_<format>`, `component_xml` or `facade` on an
/// input; panics when one is broken.
pub(crate) fn run(target: &str, bytes: &[u8]) {
    let registry = Registry::with_builtin();
    let format = |name: &str| {
        let id = name.replace('_', "-");
        registry.by_id(&id).unwrap_or_else(|| panic!("target {target} names no format"))
    };
    if let Some(name) = target.strip_prefix("read_") {
        laws::reading(format(name), bytes);
    } else if let Some(name) = target.strip_prefix("round_trip_") {
        laws::round_trips(format(name), bytes);
    } else if target == "component_xml" {
        component(bytes);
    } else {
        assert_eq!(target, "facade", "there is no such target");
        facade(&registry, bytes);
    }
}

/// Whatever the input is taken for is read, checked and converted to all formats.
fn facade(registry: &Registry, bytes: &[u8]) {
    for extension in [None, Some("json"), Some("seanim"), Some("ani")] {
        let hint = Hint { extension };
        let Ok(found) = registry.detect(bytes, &hint) else { continue };
        let read = registry.read(bytes, &hint);
        let check = found.format.check(bytes, registry.limits());
        assert!(read.is_err() || check.is_ok(), "read, but not checked");
        for to in registry.formats() {
            let converted = registry.convert(bytes, &hint, to);
            assert!(read.is_ok() || converted.is_err(), "converted, but not read");
            if extension.is_none() {
                laws::conversion_round_trip(found.format, to, bytes);
            }
        }
    }
}

/// The input is the component XML of a file without records: an error or findings, no panic.
fn component(bytes: &[u8]) {
    let file = X4aniFile::from_parts(&X4aniParts::default()).expect("no records make a file");
    let limits = Limits { findings: 100, ..Limits::default() };
    if let Ok(findings) = lint(&file, bytes, &limits) {
        assert!(findings.len() <= 101, "{} findings with a limit of 100", findings.len());
    }
}
