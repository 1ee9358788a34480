//! A turning part of X4 keeps turning in formats that store only quaternions.

#![cfg(all(feature = "animj", feature = "animx", feature = "x4-ani"))]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween::{Quat, Registry, Value, convert_as};

/// The fixture: 0 to 360 degrees about z in 8 seconds, two keys that are the same rotation.
fn spin() -> Vec<u8> {
    let mut cases = inbetween_testing::cases::of("x4-ani").into_iter();
    cases.find(|case| case.name == "spin").unwrap().bytes
}

#[test]
fn a_whole_turn_about_z_survives_as_a_whole_turn() {
    let registry = Registry::with_builtin();
    let from = registry.by_id("x4-ani").unwrap();
    for id in ["animx", "animj"] {
        let to = registry.by_id(id).unwrap();
        let converted = convert_as(from, &spin(), to, registry.limits()).unwrap();
        let document = to.read(&converted.bytes, registry.limits()).unwrap().value;
        let track = &document.clips[0].tracks[0];
        let (mut turned, mut last) = (0.0, Quat::IDENTITY);
        for step in 0..=1000 {
            let time = 8.0 * f64::from(step) / 1000.0;
            let Some(Value::FloatQ(found)) =
                inbetween::core::resonite::RULES.sample(track.data(), time)
            else {
                panic!("{id}: no rotation at {time}")
            };
            // X4 rotates about z by the negative angle.
            let angle = -std::f64::consts::TAU * f64::from(step) / 1000.0;
            let expected = Quat::from_axis_angle([0.0, 0.0, 1.0], angle);
            let found = Quat::<f64>::from(found);
            assert!(found.angle_to(expected) < 1e-3, "{id}: {found:?} at {time}");
            turned += found.angle_to(last);
            last = found;
        }
        // The steps add up to a full turn; a track that stops or reverses would not.
        assert!((turned - std::f64::consts::TAU).abs() < 0.01, "{id}: {turned} radians");
    }
}
