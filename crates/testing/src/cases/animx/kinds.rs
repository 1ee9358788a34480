//! One file per kind of value and type of track.

use std::sync::LazyLock;

use super::{CURVE, Case, DISCRETE, RAW, head, text, track};
use crate::ByteBuilder;

/// The parts of a value.
#[derive(Clone, Copy)]
enum Parts {
    /// A number of flags in one byte.
    Flags(u8),
    U8(u8),
    U16(u8),
    U32(u8),
    U64(u8),
    I8(u8),
    I16(u8),
    I32(u8),
    I64(u8),
    F32(u8),
    F64(u8),
    Text,
}
use Parts::{F32, F64, Flags, I8, I16, I32, I64, Text, U8, U16, U32, U64};

/// The element table of the format's documentation, in the order of the ids.
const KINDS: [(&str, Parts); 40] = [
    ("bool", Flags(1)),
    ("bool2", Flags(2)),
    ("bool3", Flags(3)),
    ("bool4", Flags(4)),
    ("byte", U8(1)),
    ("ushort", U16(1)),
    ("uint", U32(1)),
    ("ulong", U64(1)),
    ("sbyte", I8(1)),
    ("short", I16(1)),
    ("int", I32(1)),
    ("long", I64(1)),
    ("int2", I32(2)),
    ("int3", I32(3)),
    ("int4", I32(4)),
    ("uint2", U32(2)),
    ("uint3", U32(3)),
    ("uint4", U32(4)),
    ("long2", I64(2)),
    ("long3", I64(3)),
    ("long4", I64(4)),
    ("float", F32(1)),
    ("float2", F32(2)),
    ("float3", F32(3)),
    ("float4", F32(4)),
    ("floatq", F32(4)),
    ("float2x2", F32(4)),
    ("float3x3", F32(9)),
    ("float4x4", F32(16)),
    ("double", F64(1)),
    ("double2", F64(2)),
    ("double3", F64(3)),
    ("double4", F64(4)),
    ("doubleq", F64(4)),
    ("double2x2", F64(4)),
    ("double3x3", F64(9)),
    ("double4x4", F64(16)),
    ("color", F32(4)),
    ("color32", U8(4)),
    ("string", Text),
];

/// The names of the files: `raw-bool`, `discrete-bool`, `curve-bool` and so on.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let kinds = KINDS.iter().map(|(kind, _)| kind);
    kinds
        .flat_map(|kind| ["raw", "discrete", "curve"].map(|shape| format!("{shape}-{kind}")))
        .collect()
});

pub(super) fn cases() -> Vec<Case> {
    let files = (0..).zip(KINDS).flat_map(|(id, (kind, parts))| {
        let value = move |bytes, key| value(bytes, kind, parts, key);
        let raw = track(head(1, 0.5, 0), RAW, id, kind, 2).f32(0.5);
        let raw = raw.each(0..2, value);
        let discrete = track(head(1, 1.0, 0), DISCRETE, id, kind, 2);
        let discrete = discrete.each(0..2, |bytes, key| value(bytes.f32(f32::from(key)), key));
        let curve = track(head(1, 1.0, 0), CURVE, id, kind, 2).u8s(&[1, 1, 0]);
        let curve = curve.each(0..2, |bytes, key| value(bytes, key).f32(f32::from(key)));
        [raw, discrete, curve]
    });
    let case =
        |(name, bytes): (&'static String, ByteBuilder)| Case::ok("animx", name, bytes.build());
    NAMES.iter().zip(files).map(case).collect()
}

/// The value of a key; all of its numbers differ.
fn value(bytes: ByteBuilder, kind: &str, parts: Parts, key: u8) -> ByteBuilder {
    let first = 10 * key + 1;
    let numbers = |count: u8| first..first + count;
    let signed = |number: u8| if number.is_multiple_of(2) { -i8_of(number) } else { i8_of(number) };
    match parts {
        Text => text(bytes, [Some("first"), None][usize::from(key)]),
        Flags(count) => bytes.u8((0b0101 >> key) & ((1 << count) - 1)),
        F32(4) if kind == "floatq" => {
            bytes.f32s(&[[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]][usize::from(key)])
        }
        F64(4) if kind == "doubleq" => {
            bytes.f64s(&[[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]][usize::from(key)])
        }
        U8(count) => bytes.each(numbers(count), |bytes, number| bytes.u8(255 - number)),
        U16(count) => {
            bytes.each(numbers(count), |bytes, number| bytes.u16(u16::MAX - u16::from(number)))
        }
        U32(count) => {
            bytes.each(numbers(count), |bytes, number| bytes.u32(u32::MAX - u32::from(number)))
        }
        U64(count) => {
            bytes.each(numbers(count), |bytes, number| bytes.u64(u64::MAX - u64::from(number)))
        }
        I8(count) => bytes.each(numbers(count), |bytes, number| bytes.i8(signed(number))),
        I16(count) => {
            bytes.each(numbers(count), |bytes, number| bytes.i16(i16::from(signed(number)) * 256))
        }
        I32(count) => {
            bytes.each(numbers(count), |bytes, number| bytes.i32(i32::from(signed(number)) << 20))
        }
        I64(count) => {
            bytes.each(numbers(count), |bytes, number| bytes.i64(i64::from(signed(number)) << 40))
        }
        F32(count) => {
            bytes.each(numbers(count), |bytes, number| bytes.f32(f32::from(signed(number)) + 0.25))
        }
        F64(count) => {
            bytes.each(numbers(count), |bytes, number| bytes.f64(f64::from(signed(number)) + 0.1))
        }
    }
}

fn i8_of(number: u8) -> i8 {
    i8::try_from(number).expect("numbers of cases are small")
}
