//! What conversions make of a small file, counted in keys.

#![cfg(all(feature = "animj", feature = "animx", feature = "seanim", feature = "x4-ani"))]

use inbetween::{Extent, Registry, convert_as};

/// Eight seconds between two angles, one of which is beyond any that `f32` can tell from the next.
const WILD: &[u8] = include_bytes!("../../../fuzz/regressions/facade/angle-beyond-any-bound");

#[test]
fn an_angle_that_says_nothing_costs_next_to_nothing_on_any_way_there_and_back() {
    let registry = Registry::with_builtin();
    let (from, limits) = (registry.by_id("x4-ani").unwrap(), registry.limits());
    for to in registry.formats() {
        let there = convert_as(from, WILD, to, limits).unwrap();
        let back = convert_as(to, &there.bytes, from, limits).unwrap();
        let again = from.read(&back.bytes, limits).unwrap();
        let (name, made) = (to.info().name, there.extent.keys);
        // SEAnim has a frame every thirtieth of a second, the others keys where they are needed.
        assert!(made <= 8 * 30 + 2, "{name}: 2 keys became {made}");
        let angles = Extent::from(&again.value).keys;
        assert!(angles <= 128 * made, "{name}: {made} rotations became {angles} angles");
    }
}
