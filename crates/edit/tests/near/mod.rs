//! Numbers of tracks, compared up to rounding.

use inbetween_core::{Document, rows};

/// The numbers of the first key of a track of the first clip.
pub(crate) fn numbers(document: &Document, track: usize) -> Vec<f64> {
    rows::numbers(document.clips[0].tracks[track].data().values(), 0).unwrap()
}

/// Asserts that numbers are equal up to rounding.
pub(crate) fn assert_near(found: &[f64], expected: &[f64]) {
    let near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-12;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(near), "{found:?}");
}
