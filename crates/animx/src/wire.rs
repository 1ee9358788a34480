//! Values of fixed size as they lie in key blocks, and whole columns of them.

use core::convert::identity;

use inbetween_core::{Color, Color32, Element, Quat, ValueKind, Values, kind_table};

use crate::CurveKeyOrder;

/// A value that takes `SIZE` bytes.
pub(crate) trait Wire<const SIZE: usize>: Element {
    fn decode(bytes: &[u8; SIZE]) -> Self;
    fn encode(self) -> [u8; SIZE];
}

/// A number that takes `SIZE` bytes, the lowest first.
trait Number<const SIZE: usize>: Copy + Default {
    fn decode(bytes: [u8; SIZE]) -> Self;
    fn encode(self) -> [u8; SIZE];
}

macro_rules! numbers {
    ($($type:ty, $size:literal;)*) => {$(
        impl Number<$size> for $type {
            fn decode(bytes: [u8; $size]) -> Self {
                Self::from_le_bytes(bytes)
            }

            fn encode(self) -> [u8; $size] {
                self.to_le_bytes()
            }
        }

        impl Wire<$size> for $type {
            fn decode(bytes: &[u8; $size]) -> Self {
                Self::from_le_bytes(*bytes)
            }

            fn encode(self) -> [u8; $size] {
                self.to_le_bytes()
            }
        }
    )*};
}
numbers! {
    u8, 1; u16, 2; u32, 4; u64, 8;
    i8, 1; i16, 2; i32, 4; i64, 8;
    f32, 4; f64, 8;
}

/// Joins numbers of `WIDTH` bytes; the sizes fit, or what is missing is 0.
fn join<T: Number<WIDTH>, const WIDTH: usize, const COUNT: usize, const SIZE: usize>(
    bytes: &[u8; SIZE],
) -> [T; COUNT] {
    let (parts, _) = bytes.as_chunks::<WIDTH>();
    let mut numbers = [T::default(); COUNT];
    for (number, part) in numbers.iter_mut().zip(parts) {
        *number = T::decode(*part);
    }
    numbers
}

/// The way back from [`join`].
fn split<T: Number<WIDTH>, const WIDTH: usize, const COUNT: usize, const SIZE: usize>(
    numbers: [T; COUNT],
) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    let (parts, _) = bytes.as_chunks_mut::<WIDTH>();
    for (part, number) in parts.iter_mut().zip(numbers) {
        *part = number.encode();
    }
    bytes
}

/// Returns the rows of a matrix that is given number by number.
fn rows<T: Copy + Default, const N: usize, const COUNT: usize>(flat: [T; COUNT]) -> [[T; N]; N] {
    let (rows, _) = flat.as_chunks::<N>();
    rows.first_chunk().copied().unwrap_or([[T::default(); N]; N])
}

/// The way back from [`rows`].
fn flat<T: Copy + Default, const N: usize, const COUNT: usize>(rows: [[T; N]; N]) -> [T; COUNT] {
    rows.as_flattened().first_chunk().copied().unwrap_or([T::default(); COUNT])
}

macro_rules! wires {
    ($($type:ty, $size:literal = $count:literal of $number:ty, $width:literal by $from:expr, $to:expr;)*) => {$(
        impl Wire<$size> for $type {
            fn decode(bytes: &[u8; $size]) -> Self {
                $from(join::<$number, $width, $count, $size>(bytes))
            }

            fn encode(self) -> [u8; $size] {
                split::<$number, $width, $count, $size>($to(self))
            }
        }
    )*};
}
wires! {
    [i32; 2], 8 = 2 of i32, 4 by identity, identity;
    [i32; 3], 12 = 3 of i32, 4 by identity, identity;
    [i32; 4], 16 = 4 of i32, 4 by identity, identity;
    [u32; 2], 8 = 2 of u32, 4 by identity, identity;
    [u32; 3], 12 = 3 of u32, 4 by identity, identity;
    [u32; 4], 16 = 4 of u32, 4 by identity, identity;
    [i64; 2], 16 = 2 of i64, 8 by identity, identity;
    [i64; 3], 24 = 3 of i64, 8 by identity, identity;
    [i64; 4], 32 = 4 of i64, 8 by identity, identity;
    [f32; 2], 8 = 2 of f32, 4 by identity, identity;
    [f32; 3], 12 = 3 of f32, 4 by identity, identity;
    [f32; 4], 16 = 4 of f32, 4 by identity, identity;
    Quat<f32>, 16 = 4 of f32, 4 by Quat::from_array, Quat::to_array;
    [[f32; 2]; 2], 16 = 4 of f32, 4 by rows, flat;
    [[f32; 3]; 3], 36 = 9 of f32, 4 by rows, flat;
    [[f32; 4]; 4], 64 = 16 of f32, 4 by rows, flat;
    [f64; 2], 16 = 2 of f64, 8 by identity, identity;
    [f64; 3], 24 = 3 of f64, 8 by identity, identity;
    [f64; 4], 32 = 4 of f64, 8 by identity, identity;
    Quat<f64>, 32 = 4 of f64, 8 by Quat::from_array, Quat::to_array;
    [[f64; 2]; 2], 32 = 4 of f64, 8 by rows, flat;
    [[f64; 3]; 3], 72 = 9 of f64, 8 by rows, flat;
    [[f64; 4]; 4], 128 = 16 of f64, 8 by rows, flat;
    Color, 16 = 4 of f32, 4 by Color::from_array, Color::to_array;
    Color32, 4 = 4 of u8, 1 by Color32::from_array, Color32::to_array;
}

impl Wire<1> for bool {
    fn decode([byte]: &[u8; 1]) -> Self {
        *byte != 0
    }

    fn encode(self) -> [u8; 1] {
        [u8::from(self)]
    }
}

macro_rules! flags {
    ($($count:literal),*) => {$(
        impl Wire<1> for [bool; $count] {
            fn decode([byte]: &[u8; 1]) -> Self {
                core::array::from_fn(|bit| byte >> bit & 1 != 0)
            }

            fn encode(self) -> [u8; 1] {
                let byte = self.iter().rev().fold(0_u8, |byte, &flag| byte << 1 | u8::from(flag));
                [byte]
            }
        }
    )*};
}
flags!(2, 3, 4);

/// Returns the bits of a byte that a value of this kind does not use as our writer does: all but
/// the flags of `bool2` to `bool4`, and all but the lowest of `bool`.
pub(crate) const fn spare_bits(kind: ValueKind) -> u8 {
    match kind {
        ValueKind::Bool => !0x01,
        ValueKind::Bool2 => !0x03,
        ValueKind::Bool3 => !0x07,
        ValueKind::Bool4 => !0x0f,
        _ => 0,
    }
}

/// Returns how many bytes a value takes in a column, the text of texts not counted.
pub(crate) fn memory_size(kind: ValueKind) -> usize {
    macro_rules! sizes {
        (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
         pooled { $pid:literal $pooled:ident $pname:literal; }) => {
            match kind {
                $(ValueKind::$variant => size_of::<$type>(),)*
                // Where the text ends, and whether it is null.
                _ => size_of::<usize>().saturating_add(1),
            }
        };
    }
    kind_table!(sizes)
}

/// Where the time of a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeAt {
    Front,
    Back,
}

impl From<CurveKeyOrder> for TimeAt {
    fn from(order: CurveKeyOrder) -> Self {
        match order {
            CurveKeyOrder::TimeFirst => Self::Front,
            CurveKeyOrder::ValueFirst => Self::Back,
        }
    }
}

/// Calls a function with the type of a kind and its sizes: alone, with a time, twice.
macro_rules! by_kind {
    ($kind:ident $function:ident $arguments:tt else $other:block
     fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        match $kind {
            $(ValueKind::$variant => {
                $function::<$type, $size, { $size + 4 }, { $size * 2 }> $arguments
            })*
            _ => $other,
        }
    };
}

/// Decodes keys of a kind of fixed size: appends their times, and returns their values.
pub(crate) fn decode_keys(
    kind: ValueKind,
    block: &[u8],
    at: TimeAt,
    times: &mut Vec<impl From<f32>>,
) -> Values {
    kind_table!(by_kind kind keys (block, at, times) else { Values::empty(kind) })
}

fn keys<T: Wire<SIZE>, const SIZE: usize, const STRIDE: usize, const PAIR: usize>(
    block: &[u8],
    at: TimeAt,
    times: &mut Vec<impl From<f32>>,
) -> Values {
    let (keys, _) = block.as_chunks::<STRIDE>();
    times.reserve_exact(keys.len());
    // No default is ever taken: a key is as long as a time and a value.
    let seconds = |bytes: Option<&[u8; 4]>| f32::from_le_bytes(bytes.copied().unwrap_or_default());
    let value = |bytes: Option<&[u8; SIZE]>| T::decode(bytes.unwrap_or(&[0; SIZE]));
    T::into_values(match at {
        TimeAt::Front => {
            times.extend(keys.iter().map(|key| seconds(key.first_chunk()).into()));
            keys.iter().map(|key| value(key.last_chunk())).collect()
        }
        TimeAt::Back => {
            times.extend(keys.iter().map(|key| seconds(key.last_chunk()).into()));
            keys.iter().map(|key| value(key.first_chunk())).collect()
        }
    })
}

/// Decodes values of a kind of fixed size.
pub(crate) fn decode_values(kind: ValueKind, block: &[u8]) -> Values {
    kind_table!(by_kind kind values (block) else { Values::empty(kind) })
}

fn values<T: Wire<SIZE>, const SIZE: usize, const STRIDE: usize, const PAIR: usize>(
    block: &[u8],
) -> Values {
    let (values, _) = block.as_chunks::<SIZE>();
    T::into_values(values.iter().map(T::decode).collect())
}

/// Decodes pairs of values of a kind of fixed size into two columns.
pub(crate) fn decode_pairs(kind: ValueKind, block: &[u8]) -> (Values, Values) {
    kind_table!(by_kind kind pairs (block) else { (Values::empty(kind), Values::empty(kind)) })
}

fn pairs<T: Wire<SIZE>, const SIZE: usize, const STRIDE: usize, const PAIR: usize>(
    block: &[u8],
) -> (Values, Values) {
    let (pairs, _) = block.as_chunks::<PAIR>();
    let value = |bytes: Option<&[u8; SIZE]>| T::decode(bytes.unwrap_or(&[0; SIZE]));
    let firsts = pairs.iter().map(|pair| value(pair.first_chunk())).collect();
    let seconds = pairs.iter().map(|pair| value(pair.last_chunk())).collect();
    (T::into_values(firsts), T::into_values(seconds))
}

/// Appends keys of a kind of fixed size.
pub(crate) fn encode_keys(times: &[f32], values: &Values, at: TimeAt, out: &mut Vec<u8>) {
    let kind = values.kind();
    kind_table!(by_kind kind put_keys (times, values, at, out) else {});
}

fn put_keys<T: Wire<SIZE>, const SIZE: usize, const STRIDE: usize, const PAIR: usize>(
    times: &[f32],
    values: &Values,
    at: TimeAt,
    out: &mut Vec<u8>,
) {
    let column = T::column(values).map(Vec::as_slice).unwrap_or_default();
    encode_column::<T, SIZE, STRIDE>(times, column, at, out);
}

/// Appends keys of a type that takes `SIZE` bytes, with its time `STRIDE`.
pub(crate) fn encode_column<T: Wire<SIZE>, const SIZE: usize, const STRIDE: usize>(
    times: &[f32],
    values: &[T],
    at: TimeAt,
    out: &mut Vec<u8>,
) {
    // A few keys at a time spare a look at the room for each.
    const FEW: usize = 64;
    let mut room = [[0; STRIDE]; FEW];
    for (times, values) in times.chunks(FEW).zip(values.chunks(FEW)) {
        let keys = room.iter_mut().zip(times).zip(values);
        match at {
            TimeAt::Front => keys.for_each(|((key, time), value)| {
                set_front(key, time.to_le_bytes());
                set_back(key, value.encode());
            }),
            TimeAt::Back => keys.for_each(|((key, time), value)| {
                set_front(key, value.encode());
                set_back(key, time.to_le_bytes());
            }),
        }
        let keys = room.get(..times.len()).unwrap_or_default();
        out.extend_from_slice(keys.as_flattened());
    }
}

fn set_front<const SIZE: usize, const PART: usize>(key: &mut [u8; SIZE], part: [u8; PART]) {
    if let Some(front) = key.first_chunk_mut() {
        *front = part;
    }
}

fn set_back<const SIZE: usize, const PART: usize>(key: &mut [u8; SIZE], part: [u8; PART]) {
    if let Some(back) = key.last_chunk_mut() {
        *back = part;
    }
}

/// Appends values of a kind of fixed size.
pub(crate) fn encode_values(values: &Values, out: &mut Vec<u8>) {
    let kind = values.kind();
    kind_table!(by_kind kind put_values (values, out) else {});
}

fn put_values<T: Wire<SIZE>, const SIZE: usize, const STRIDE: usize, const PAIR: usize>(
    values: &Values,
    out: &mut Vec<u8>,
) {
    let column = T::column(values).map(Vec::as_slice).unwrap_or_default();
    let start = out.len();
    out.resize(start.saturating_add(column.len().saturating_mul(SIZE)), 0);
    let (room, _) = out.get_mut(start..).unwrap_or_default().as_chunks_mut::<SIZE>();
    for (place, value) in room.iter_mut().zip(column) {
        *place = value.encode();
    }
}

/// Appends pairs of values of a kind of fixed size.
pub(crate) fn encode_pairs(firsts: &Values, seconds: &Values, out: &mut Vec<u8>) {
    let kind = firsts.kind();
    kind_table!(by_kind kind put_pairs (firsts, seconds, out) else {});
}

fn put_pairs<T: Wire<SIZE>, const SIZE: usize, const STRIDE: usize, const PAIR: usize>(
    firsts: &Values,
    seconds: &Values,
    out: &mut Vec<u8>,
) {
    let firsts = T::column(firsts).into_iter().flatten();
    for (&first, &second) in firsts.zip(T::column(seconds).into_iter().flatten()) {
        out.extend_from_slice(&first.encode());
        out.extend_from_slice(&second.encode());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that are all different, so that no two can be swapped unseen.
    fn bytes(count: u8) -> Vec<u8> {
        (0..count).collect()
    }

    #[test]
    fn every_kind_of_fixed_size_comes_back_from_its_bytes() {
        for kind in ValueKind::ALL {
            let Some(size) = kind.encoded_size() else { continue };
            let block = bytes(u8::try_from(3 * size).unwrap_or(u8::MAX));
            let block = &block[..block.len() / size * size];
            let block: Vec<u8> = block.iter().map(|byte| byte & !spare_bits(kind)).collect();
            let values = decode_values(kind, &block);
            assert_eq!((values.kind(), values.len()), (kind, block.len() / size));
            let mut out = Vec::new();
            encode_values(&values, &mut out);
            assert_eq!(out, block, "{kind}");
        }
    }

    #[test]
    fn keys_have_their_time_in_front_or_behind() {
        let mut times: Vec<f64> = Vec::new();
        let block = [0, 0, 0x80, 0x3f, 7, 0, 0, 0, 0x40, 9];
        let values = decode_keys(ValueKind::Byte, &block, TimeAt::Front, &mut times);
        assert_eq!((times, values), (vec![1.0, 2.0], vec![7_u8, 9].into()));
        let mut times: Vec<f32> = Vec::new();
        let block = [7, 0, 0, 0x80, 0x3f, 9, 0, 0, 0, 0x40];
        let values = decode_keys(ValueKind::Byte, &block, TimeAt::Back, &mut times);
        assert_eq!((&times, &values), (&vec![1.0, 2.0], &vec![7_u8, 9].into()));
        let mut out = Vec::new();
        encode_keys(&times, &values, TimeAt::Back, &mut out);
        assert_eq!(out, block);
    }

    #[test]
    fn components_stand_in_their_order_and_matrices_row_by_row() {
        let numbers: Vec<u8> = (1..=9_u8).flat_map(|n| f32::from(n).to_le_bytes()).collect();
        let of = |kind: ValueKind| {
            decode_values(kind, &numbers[..kind.encoded_size().unwrap_or_default()])
        };
        assert_eq!(of(ValueKind::Float3), vec![[1.0_f32, 2.0, 3.0]].into());
        let quat = Quat { x: 1.0_f32, y: 2.0, z: 3.0, w: 4.0 };
        assert_eq!(of(ValueKind::FloatQ), vec![quat].into());
        let matrix = [[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
        assert_eq!(of(ValueKind::Float3x3), vec![matrix].into());
        let color = Color { r: 1.0, g: 2.0, b: 3.0, a: 4.0 };
        assert_eq!(of(ValueKind::Color), vec![color].into());
        let color = decode_values(ValueKind::Color32, &[1, 2, 3, 4]);
        assert_eq!(color, vec![Color32 { r: 1, g: 2, b: 3, a: 4 }].into());
    }

    #[test]
    fn flags_begin_with_the_lowest_bit_and_any_byte_but_zero_is_true() {
        let flags = decode_values(ValueKind::Bool3, &[0b0000_0101]);
        assert_eq!(flags, vec![[true, false, true]].into());
        assert_eq!(decode_values(ValueKind::Bool, &[0, 1, 2]), vec![false, true, true].into());
    }

    #[test]
    fn pairs_are_taken_apart() {
        let (firsts, seconds) = decode_pairs(ValueKind::UShort, &[1, 0, 2, 0, 3, 0, 4, 0]);
        assert_eq!((&firsts, &seconds), (&vec![1_u16, 3].into(), &vec![2_u16, 4].into()));
        let mut out = Vec::new();
        encode_pairs(&firsts, &seconds, &mut out);
        assert_eq!(out, [1, 0, 2, 0, 3, 0, 4, 0]);
    }
}
