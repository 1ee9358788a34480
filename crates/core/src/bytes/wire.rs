//! Encoded values of fixed size, and interleaved columns of them.

use core::convert::identity;

use crate::{Color, Color32, Element, Quat};

/// A value of `SIZE` bytes: little-endian, components in the order x y z w or r g b a, matrices row
/// by row, `bool2` to `bool4` as bits of one byte with x lowest.
pub trait Wire<const SIZE: usize>: Element {
    /// Decodes a value; any nonzero byte is a true `bool`.
    fn from_wire(bytes: &[u8; SIZE]) -> Self;

    /// Returns the bytes of the value.
    fn to_wire(self) -> [u8; SIZE];
}

/// Appends the values of a column.
///
/// # Examples
///
/// ```
/// let mut out = vec![7];
/// inbetween_core::wire::append(&[1_u16, 0x302], &mut out);
/// assert_eq!(out, [7, 1, 0, 2, 3]);
/// ```
pub fn append<T: Wire<SIZE>, const SIZE: usize>(column: &[T], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start.saturating_add(column.len().saturating_mul(SIZE)), 0);
    let (slots, _) = out.get_mut(start..).unwrap_or_default().as_chunks_mut::<SIZE>();
    for (slot, value) in slots.iter_mut().zip(column) {
        *slot = value.to_wire();
    }
}

/// Appends records of `SIZE` bytes, each with a first and a second part, as many as both columns
/// have.
///
/// # Examples
///
/// ```
/// use inbetween_core::wire::{Wire, interleave};
///
/// let mut out = Vec::new();
/// let (frames, values) = ([1_u8, 2], [0.5_f32, 1.0]);
/// interleave::<_, _, 1, 4, 5>(&frames, &values, u8::to_le_bytes, f32::to_wire, &mut out);
/// assert_eq!(out, [1, 0, 0, 0, 0x3f, 2, 0, 0, 0x80, 0x3f]);
/// ```
pub fn interleave<A, B, const FRONT: usize, const BACK: usize, const SIZE: usize>(
    fronts: &[A],
    backs: &[B],
    front: impl Fn(A) -> [u8; FRONT],
    back: impl Fn(B) -> [u8; BACK],
    out: &mut Vec<u8>,
) where
    A: Copy,
    B: Copy,
{
    // Several records at a time need fewer capacity checks.
    const FEW: usize = 64;
    const { assert!(FRONT + BACK == SIZE, "a record is its front and its back") };
    let mut room = [[0; SIZE]; FEW];
    for (fronts, backs) in fronts.chunks(FEW).zip(backs.chunks(FEW)) {
        for ((record, a), b) in room.iter_mut().zip(fronts).zip(backs) {
            if let Some(place) = record.first_chunk_mut() {
                *place = front(*a);
            }
            if let Some(place) = record.last_chunk_mut() {
                *place = back(*b);
            }
        }
        let records = room.get(..fronts.len().min(backs.len())).unwrap_or_default();
        out.extend_from_slice(records.as_flattened());
    }
}

/// A little-endian number of `SIZE` bytes.
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
            fn from_wire(bytes: &[u8; $size]) -> Self {
                Self::from_le_bytes(*bytes)
            }

            fn to_wire(self) -> [u8; $size] {
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

/// Joins numbers of `WIDTH` bytes. The sizes match; a missing part would be 0.
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

/// The inverse of [`join`].
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

/// Returns the rows of a matrix from its numbers.
fn rows<T: Copy + Default, const N: usize, const COUNT: usize>(flat: [T; COUNT]) -> [[T; N]; N] {
    let (rows, _) = flat.as_chunks::<N>();
    rows.first_chunk().copied().unwrap_or([[T::default(); N]; N])
}

/// The inverse of [`rows`].
fn flat<T: Copy + Default, const N: usize, const COUNT: usize>(rows: [[T; N]; N]) -> [T; COUNT] {
    rows.as_flattened().first_chunk().copied().unwrap_or([T::default(); COUNT])
}

macro_rules! wires {
    ($($type:ty, $size:literal = $count:literal of $number:ty, $width:literal by $from:expr, $to:expr;)*) => {$(
        impl Wire<$size> for $type {
            fn from_wire(bytes: &[u8; $size]) -> Self {
                $from(join::<$number, $width, $count, $size>(bytes))
            }

            fn to_wire(self) -> [u8; $size] {
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
    fn from_wire([byte]: &[u8; 1]) -> Self {
        *byte != 0
    }

    fn to_wire(self) -> [u8; 1] {
        [u8::from(self)]
    }
}

macro_rules! flags {
    ($($count:literal),*) => {$(
        impl Wire<1> for [bool; $count] {
            fn from_wire([byte]: &[u8; 1]) -> Self {
                core::array::from_fn(|bit| byte >> bit & 1 != 0)
            }

            fn to_wire(self) -> [u8; 1] {
                let byte = self.iter().rev().fold(0_u8, |byte, &flag| byte << 1 | u8::from(flag));
                [byte]
            }
        }
    )*};
}
flags!(2, 3, 4);
