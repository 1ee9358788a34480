//! The number of keys that conversions make of a small file.

#![cfg(all(feature = "animj", feature = "animx", feature = "seanim", feature = "x4-ani"))]

use inbetween::core::{Extent, stores::Head};
use inbetween::{Registry, convert_as};

/// Eight seconds between two angles, one of which is too large for `f32` to resolve.
const WILD: &[u8] = include_bytes!("../../../fuzz/regressions/facade/angle-beyond-any-bound");

#[test]
fn an_angle_beyond_f32_precision_gets_few_keys_in_every_round_trip() {
    let registry = Registry::with_builtin();
    let (from, limits) = (registry.by_id("x4-ani").unwrap(), registry.limits());
    for to in registry.formats().filter(|to| !to.info().stores.has(Head::Hierarchy)) {
        let there = convert_as(from, WILD, to, limits).unwrap();
        let back = convert_as(to, &there.bytes, from, limits).unwrap();
        let again = from.read(&back.bytes, limits).unwrap();
        let (name, made) = (to.info().name, there.extent.keys);
        // SEAnim has 30 frames per second; segments of the others are at least half a frame long at
        // 60 frames per second.
        assert!(made <= 2 * 8 * 60 + 4, "{name}: 2 keys became {made}");
        let angles = Extent::from(&again.value).keys;
        assert!(angles <= 128 * made, "{name}: {made} rotations became {angles} angles");
    }
}
