//! Changed files: what is still read converts to every format, or is refused with an error.

#![cfg(all(feature = "formats", feature = "lzma"))]

use std::thread;

use inbetween::{Format, Registry};
use inbetween_testing::{CaseKind, fixtures, laws};

/// The changes of each fixture.
const CHANGES: usize = 200;

#[test]
fn changed_fixtures_convert_to_every_format_or_are_refused() {
    let registry = Registry::with_builtin();
    let formats: Vec<&dyn Format> = registry.formats().collect();
    // The formats take some seconds each.
    thread::scope(|scope| {
        for from in &formats {
            scope.spawn(|| convert_changed(*from, &formats));
        }
    });
}

fn convert_changed(from: &dyn Format, to: &[&dyn Format]) {
    let id = from.info().id;
    let fixtures = fixtures::of(id);
    let good = fixtures.iter().filter(|fixture| fixture.kind == CaseKind::Ok);
    let read = good.map(|fixture| laws::changes_convert(from, to, &fixture.bytes, CHANGES));
    assert!(read.sum::<usize>() > 500, "few changed files of {id} are read");
}
