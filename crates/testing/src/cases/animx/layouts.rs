//! Curve keys in either order, with more or less evidence for it.

use super::{CURVE, Case, FLOAT, FLOAT2, head, ok, track};
use crate::ByteBuilder;

/// A Curve track of floats, each key a pair of numbers as stored.
fn pairs(duration: f32, pairs: &[(f32, f32)]) -> ByteBuilder {
    let keys = inbetween_core::num::u64_from_len(pairs.len());
    let curve = track(head(1, duration, 0), CURVE, FLOAT, "Curve", keys).u8s(&[0, 1]);
    curve.each(pairs, |bytes, (first, second)| bytes.f32s(&[*first, *second]))
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        // Numbers that cannot be times are values.
        ok("value-first", pairs(2.0, &[(-5.0, 0.0), (3.0, 1.0), (-1.0, 2.0)])),
        ok("time-first", pairs(2.0, &[(0.0, -5.0), (1.0, 3.0), (2.0, -1.0)])),
        ok("time-first-nan", pairs(1.0, &[(0.0, f32::NAN), (1.0, 0.0)]))
            .reports(&["number-not-finite"]),
        // Both could be times.
        ok("layout-within-duration", pairs(2.0, &[(0.0, 3.0), (1.0, 4.0)])),
        ok("layout-ends-with-duration", pairs(4.0, &[(1.0, 2.0), (4.0, 3.0)])),
        ok("layout-begins-at-zero", pairs(9.0, &[(0.0, 1.0), (5.0, 6.0)])),
        ok("layout-ambiguous", pairs(9.0, &[(1.0, 2.0), (5.0, 6.0)]))
            .reports(&["animx/layout-ambiguous"]),
        ok("layout-of-no-duration", pairs(0.0, &[(0.5, 0.25), (1.0, 1.0)]))
            .reports(&["animx/layout-ambiguous"]),
        // Neither can be times.
        ok("layout-doubtful", pairs(9.0, &[(2.0, 3.0), (-1.0, 2.0), (-2.0, 3.0)]))
            .reports(&["animx/layout-doubtful", "keys-unsorted"]),
        ok("layout-of-two-tracks", two_tracks()),
        ok("layout-disagrees", late_refutation()).reports(&["animx/layout-disagrees"]),
    ]
}

/// A first track that fits both orders, and a second one that does not.
fn two_tracks() -> ByteBuilder {
    let first = track(head(2, 9.0, 0), CURVE, FLOAT, "First", 2).u8s(&[0, 1]);
    let first = first.f32s(&[1.0, 2.0, 5.0, 6.0]);
    let second = track(first, CURVE, FLOAT2, "Second", 2).u8s(&[0, 1]);
    second.f32s(&[0.0, -1.0, 7.0]).f32s(&[1.0, -1.0, 7.0])
}

/// Time-first keys whose values could be times except for one in the middle, and times that
/// continue after the duration: the sampled keys suggest the wrong order.
fn late_refutation() -> ByteBuilder {
    let pair =
        |key: u8| (f32::from(key) / 64.0, if key == 70 { 0.0 } else { f32::from(key) / 256.0 });
    pairs(1.0, &(0..100).map(pair).collect::<Vec<_>>())
}
