//! The cases of AnimX: one per feature of files (`docs/formats/animx.md`).

mod bad;
mod fates;
mod kinds;
mod layouts;
mod quirks;
mod packed;

use super::{Case, FormatCases};
use crate::ByteBuilder;

pub(super) const FORMAT: FormatCases = FormatCases {
    id: "animx",
    extension: "animx",
    cases,
    stores: fates::stores,
    fates: fates::FATES,
};

const RAW: u8 = 0;
const DISCRETE: u8 = 1;
const CURVE: u8 = 2;

const INT: u8 = 10;
const FLOAT: u8 = 21;
const FLOAT2: u8 = 22;
const FLOAT3: u8 = 23;
const FLOAT_Q: u8 = 25;
const STRING: u8 = 39;

/// The start of a version 1 file, up to its tracks.
fn head(tracks: u64, duration: f32, encoding: u8) -> ByteBuilder {
    named("test", tracks, duration, encoding)
}

fn named(name: impl AsRef<[u8]>, tracks: u64, duration: f32, encoding: u8) -> ByteBuilder {
    let bytes = ByteBuilder::new().dotnet_string("AnimX").i32(1).seven_bit(tracks);
    bytes.f32(duration).dotnet_string(name).u8(encoding)
}

/// The start of a track, up to its body.
fn track(bytes: ByteBuilder, track_type: u8, id: u8, property: &str, keys: u64) -> ByteBuilder {
    let bytes = bytes.u8s(&[track_type, id]).dotnet_string("node").dotnet_string(property);
    bytes.seven_bit(keys)
}

/// A string value or null.
fn text(bytes: ByteBuilder, text: Option<&str>) -> ByteBuilder {
    match text {
        Some(text) => bytes.u8(1).dotnet_string(text),
        None => bytes.u8(0),
    }
}

fn ok(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::ok("animx", name, bytes.build())
}

fn bad(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::bad("animx", name, bytes.build())
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = plain();
    cases.extend(kinds::cases());
    cases.extend(layouts::cases());
    cases.extend(packed::cases());
    cases.extend(quirks::cases());
    cases.extend(bad::cases());
    cases
}

fn plain() -> Vec<Case> {
    let mut cases = vec![
        ok("worked-example", ByteBuilder::new().bytes(WORKED_EXAMPLE)),
        ok("no-tracks", named("", 0, 0.0, 0)),
        ok("version-0", version_0()).reports(&["animx/version-0"]),
        ok("transforms", transforms()),
        ok("tangents", tangents()),
        ok("tangents-unused", unused_tangents()),
        ok("between-frames", between_frames()),
    ];
    cases.extend(texts());
    cases.push(ok("empty-tracks", empty_tracks()).reports(&["empty-track"]));
    cases
}

/// The example in the format's documentation, byte for byte.
const WORKED_EXAMPLE: &[u8] = b"\
    \x05AnimX\x01\x00\x00\x00\x04\x00\x00\x00\x40\x01A\x00\
    \x00\x15\x01N\x01P\x02\x00\x00\x00\x3f\x00\x00\x80\x3f\x00\x00\x00\x40\
    \x01\x0a\x01N\x01I\x02\x00\x00\x00\x00\x07\x00\x00\x00\x00\x00\x80\x3f\xff\xff\xff\xff\
    \x01\x27\x01N\x01S\x02\x00\x00\x00\x00\x01\x02hi\x00\x00\x80\x3f\x00\
    \x02\x16\x01N\x01C\x02\x01\x01\x01\
    \x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x40\
    \x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40";

/// Version 0 has one byte for the type and the kind: bit 0 means Curve, the other bits are the
/// kind.
fn version_0() -> ByteBuilder {
    let head = ByteBuilder::new().dotnet_string("AnimX").i32(0).seven_bit(2).f32(2.0);
    let head = head.dotnet_string("old").u8(0);
    let raw = head.u8(FLOAT << 1).dotnet_string("a").dotnet_string("b").seven_bit(3);
    let raw = raw.f32(0.5).f32s(&[1.0, 2.0, 3.0]);
    let curve = raw.u8(INT << 1 | 1).dotnet_string("c").dotnet_string("d").seven_bit(2);
    curve.u8s(&[0, 1]).i32(-7).f32(0.0).i32(7).f32(2.0)
}

/// Everything that the common model stores, followed by the markers.
fn transforms() -> ByteBuilder {
    let curve = |bytes, id, property| track(bytes, CURVE, id, property, 2).u8s(&[0, 1]);
    let bytes = curve(head(5, 1.5, 0), FLOAT3, "Position");
    let bytes = bytes.f32s(&[0.0, -1.0, 0.0, 0.0]).f32s(&[2.0, 1.0, 0.5, 1.5]);
    let bytes = curve(bytes, FLOAT_Q, "Rotation");
    let bytes = bytes.f32s(&[0.0, 0.0, 0.0, 1.0, 0.0]).f32s(&[0.0, 0.0, 0.6, 0.8, 1.5]);
    let bytes = track(bytes, DISCRETE, FLOAT3, "Scale", 1).f32s(&[0.0, 1.0, 2.0, 3.0]);
    let bytes = track(bytes, RAW, FLOAT, "Weight:smile", 4).f32(0.5).f32s(&[0.0, 0.5, 1.0, 0.0]);
    let bytes = bytes.u8s(&[DISCRETE, STRING]).dotnet_string("Markers").dotnet_string("Name");
    let bytes = text(bytes.seven_bit(2).f32(0.25), Some("step"));
    text(bytes.f32(1.0), Some("step"))
}

/// Linear segments with tangents: 0 and other values.
fn unused_tangents() -> ByteBuilder {
    let lines = |bytes, property| {
        let bytes = track(bytes, CURVE, FLOAT3, property, 2).u8s(&[2, 1]);
        bytes.f32s(&[-1.0, 0.0, 0.0, 0.0]).f32s(&[1.0, 0.0, 0.0, 1.0])
    };
    let zeros = lines(head(2, 1.0, 0), "Position").f32s(&[0.0; 12]);
    let others = lines(zeros, "Scale").f32s(&[1.0, 2.0, 3.0, -1.0, -2.0, -3.0]);
    others.f32s(&[4.0, 5.0, 6.0, -4.0, -5.0, -6.0])
}

/// Keys and a duration that are on no frame of a common rate.
fn between_frames() -> ByteBuilder {
    let bytes = track(head(1, 1.5037, 0), CURVE, FLOAT3, "Position", 3).u8s(&[0, 1]);
    let bytes = bytes.f32s(&[-1.0, 0.0, 0.0, 0.0]).f32s(&[-2.0, 0.0, 0.0, 0.1234]);
    bytes.f32s(&[-3.0, 0.0, 0.0, 1.01])
}

/// Curves with tangents: left, then right, for each key.
fn tangents() -> ByteBuilder {
    let hermite = track(head(2, 1.0, 0), CURVE, FLOAT, "Hermite", 2).u8s(&[2, 2]);
    let hermite = hermite.f32s(&[-1.0, 0.0, 3.0, 1.0]).f32s(&[-0.25, 0.25, -0.5, 0.5]);
    let bezier = track(hermite, CURVE, FLOAT_Q, "Bezier", 2).u8s(&[3, 3, 1]);
    let bezier = bezier.f32s(&[0.0, 0.0, 0.0, 1.0, 0.0]).f32s(&[0.0, 0.0, 0.6, 0.8, 1.0]);
    bezier.each(0..4_u8, |bytes, i| bytes.f32s(&[f32::from(i), 0.0, 0.0, 1.0]))
}

fn texts() -> Vec<Case> {
    let values = [Some("hi"), None, Some("")];
    let nulls = values
        .iter()
        .zip([0.0, 1.0, 2.0])
        .fold(track(head(1, 2.0, 0), DISCRETE, STRING, "Text", 3), |bytes, (value, time)| {
            text(bytes.f32(time), *value)
        });
    let raw = values
        .iter()
        .fold(track(head(1, 2.0, 0), RAW, STRING, "Text", 3).f32(1.0), |bytes, value| {
            text(bytes, *value)
        });
    let markers = head(2, 1.0, 0).u8s(&[DISCRETE, STRING]);
    let markers = markers.dotnet_string("Markers").dotnet_string("Name").seven_bit(1);
    let markers = text(markers.f32(0.5), Some("hit"));
    let moved = track(markers, DISCRETE, INT, "Count", 1).f32(0.0).i32(1);
    vec![
        ok("null-texts", nulls),
        ok("null-texts-raw", raw),
        ok("markers-before-a-track", moved),
        ok("curve-texts-value-first", curve_texts(true)),
        ok("curve-texts-time-first", curve_texts(false)),
    ]
}

/// Strings with tangents in a Curve track. Their lengths determine the offsets of everything after
/// them.
fn curve_texts(value_first: bool) -> ByteBuilder {
    let keys = [(0.0, Some("one")), (0.5, None), (1.0, Some("three"))];
    let curve = track(head(2, 1.0, 0), CURVE, STRING, "Text", 3).u8s(&[2, 0]);
    let keyed = curve.each(keys, |bytes, (time, value)| {
        if value_first { text(bytes, value).f32(time) } else { text(bytes.f32(time), value) }
    });
    let sides = [Some("l"), Some("r"), None, None, Some(""), None];
    let tangents = keyed.each(sides, text);
    track(tangents, RAW, INT, "Behind", 1).f32(1.0).i32(5)
}

/// Tracks without keys; a shared interpolation is stored anyway.
fn empty_tracks() -> ByteBuilder {
    let raw = track(head(4, 1.0, 0), RAW, FLOAT, "Raw", 0).f32(0.5);
    let discrete = track(raw, DISCRETE, STRING, "Discrete", 0);
    let shared = track(discrete, CURVE, FLOAT2, "Shared", 0).u8s(&[0, 1]);
    track(shared, CURVE, FLOAT_Q, "PerKey", 0).u8(3)
}
