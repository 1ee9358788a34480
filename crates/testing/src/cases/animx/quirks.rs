//! Unusual contents of files.

use super::{
    CURVE, Case, DISCRETE, FLOAT, FLOAT_Q, FLOAT2, FLOAT3, INT, RAW, STRING, head, named, ok, track,
};
use crate::ByteBuilder;

const BOOL: u8 = 0;
const BOOL3: u8 = 2;
const DOUBLE: u8 = 29;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = forms();
    cases.extend(times());
    cases.extend(curves());
    cases
}

/// Unusual encodings of the same content.
fn forms() -> Vec<Case> {
    let padded = ByteBuilder::new().dotnet_string("AnimX").i32(1).seven_bit_in(1, 3).f32(1.0);
    let padded = padded.seven_bit_in(1, 2).bytes("p").u8(0).u8s(&[DISCRETE, STRING]);
    let padded = padded.seven_bit_in(1, 4).bytes("n").seven_bit_in(0, 10);
    let padded = padded.seven_bit_in(2, 2).f32(0.0).u8(1).seven_bit_in(2, 2).bytes("hi");
    let truth = track(head(3, 1.0, 0), RAW, BOOL, "Bool", 3).f32(0.5).u8s(&[0, 2, 255]);
    let truth = track(truth, CURVE, BOOL3, "Bool3", 2).u8s(&[2, 0]);
    let truth = truth.u8(0xf5).f32(0.0).u8(0x02).f32(1.0).u8s(&[0x80, 0x01, 0x03, 0x07]);
    let truth = track(truth, DISCRETE, STRING, "Text", 1).f32(0.0).u8(7).dotnet_string("hi");
    let latin = named(b"caf\xe9", 1, 1.0, 0).u8s(&[DISCRETE, STRING]);
    let latin = latin.dotnet_string(b"\xff\xfe").dotnet_string("ok").seven_bit(2);
    let latin =
        latin.f32(0.0).u8(1).dotnet_string(b"a\xc3(b").f32(1.0).u8(1).dotnet_string("\u{e9}");
    let junk = track(head(1, 1.0, 0), DISCRETE, INT, "Int", 1).f32(0.0).i32(1).bytes(b"junk");
    vec![
        ok("padded-numbers", padded.f32(1.0).u8(0)).reports(&["animx/overlong-length"]),
        ok("truth-bytes", truth).reports(&["animx/byte-above-1"]),
        ok("not-utf8", latin).reports(&["not-utf8"]),
        ok("trailing", junk).reports(&["trailing-bytes"]),
    ]
}

fn times() -> Vec<Case> {
    let keys = |duration: f32, times: &[f32]| {
        let count = inbetween_core::num::u64_from_len(times.len());
        let bytes = track(head(1, duration, 0), DISCRETE, INT, "Int", count);
        bytes.each((0..).zip(times), |bytes, (value, time)| bytes.f32(*time).i32(value))
    };
    let interval = |interval: f32| {
        track(head(1, 1.0, 0), RAW, FLOAT, "Float", 2).f32(interval).f32s(&[1.0, 2.0])
    };
    let twice = track(head(2, 1.0, 0), RAW, FLOAT, "Float", 1).f32(1.0).f32(1.0);
    let late = track(head(1, 1.0, 0), RAW, FLOAT, "Float", 4).f32(0.5).f32s(&[0.0; 4]);
    let shuffled = track(head(1, 3.0, 0), CURVE, FLOAT, "Float", 3).u8s(&[3, 2, 1, 0]);
    let shuffled = shuffled.f32s(&[-2.0, 2.0, -1.0, 1.0, -3.0, 3.0]);
    let shuffled = shuffled.f32s(&[0.25, 0.5, 0.75, 1.0, 1.25, 1.5]);
    vec![
        ok("times-unsorted", keys(2.0, &[1.0, 0.0, 2.0])).reports(&["keys-unsorted"]),
        ok("times-unsorted-curve", shuffled).reports(&["keys-unsorted"]),
        ok("times-negative", keys(2.0, &[-1.0, 0.5, 2.0])).reports(&["time-negative"]),
        ok("times-not-finite", keys(2.0, &[0.0, f32::NAN, f32::INFINITY]))
            .reports(&["time-invalid"]),
        ok("keys-after-duration", keys(1.0, &[0.0, 3.0])).reports(&["key-after-duration"]),
        ok("keys-after-duration-raw", late).reports(&["key-after-duration"]),
        ok("duration-negative", keys(-1.0, &[0.0])).reports(&["duration-invalid"]),
        ok("duration-nan", keys(f32::NAN, &[0.0])).reports(&["duration-invalid"]),
        ok("interval-zero", interval(0.0)).reports(&["interval-invalid"]),
        ok("duration-infinite", keys(f32::INFINITY, &[0.0])).reports(&["duration-invalid"]),
        ok("time-of-minus-infinity", keys(2.0, &[f32::NEG_INFINITY, 1.0]))
            .reports(&["time-invalid"]),
        ok("interval-nan", interval(f32::NAN)).reports(&["interval-invalid"]),
        ok("duplicate-tracks", track(twice, RAW, FLOAT, "Float", 1).f32(1.0).f32(2.0))
            .reports(&["duplicate-track"]),
    ]
}

fn curves() -> Vec<Case> {
    // Negative values show that keys are value-first.
    let keys = |bytes: ByteBuilder| bytes.f32s(&[-1.0, 0.0, 1.0, 1.0]);
    let float =
        |settings: &[u8]| keys(track(head(1, 1.0, 0), CURVE, FLOAT, "Float", 2).u8s(settings));
    let int = track(head(1, 1.0, 0), CURVE, INT, "Int", 2).u8s(&[0, 3]);
    let int = int.i32(-1).f32(0.0).i32(1).f32(1.0);
    let quats = track(head(2, 1.0, 0), RAW, FLOAT_Q, "Rotation", 2).f32(1.0);
    let quats = quats.f32s(&[0.0, 0.0, 0.0, 2.0]).f32s(&[0.0; 4]);
    let quats = track(quats, RAW, DOUBLE, "Double", 2).f32(1.0).f64s(&[f64::INFINITY, 1.0]);
    let payload = track(head(1, 1.0, 0), RAW, FLOAT3, "Position", 1).f32(1.0);
    let payload = payload.u32(0x7fc0_1234).u32(0xffff_ffff).u32(0x8000_0000);
    let spare = track(head(1, 1.0, 0), CURVE, FLOAT2, "Float2", 1).u8s(&[0xfc, 1]);
    vec![
        ok("curve-flags", spare.f32s(&[-1.0, 2.0, 1.0])).reports(&["animx/curve-flags"]),
        ok("interpolation-unknown", float(&[1, 4, 255])).reports(&["interpolation-unknown"]),
        ok("interpolation-unknown-shared", float(&[0, 9]))
            .reports(&["interpolation-unknown"]),
        ok("tangents-missing", float(&[0, 2])).reports(&["tangent-missing"]),
        ok("tangents-unusable", int).reports(&["tangent-unusable"]),
        ok("odd-values", quats).reports(&["rotation-not-unit", "number-not-finite"]),
        ok("nan-payloads", payload).reports(&["number-not-finite"]),
    ]
}
