//! Encoded values of fixed size, and whole columns of them.

use inbetween_core::wire::{append, interleave};
use inbetween_core::{
    Element, Record, TimeRounder, ValueKind, Values, View, kind_table, with_column,
};

use crate::layout::CurveKeyOrder;

/// Returns the bits of a byte that a value of this kind does not use: all except the flags of
/// `bool2` to `bool4`, and all except the lowest of `bool`.
pub(crate) const fn spare_bits(kind: ValueKind) -> u8 {
    match kind {
        ValueKind::Bool => !0x01,
        ValueKind::Bool2 => !0x03,
        ValueKind::Bool3 => !0x07,
        ValueKind::Bool4 => !0x0f,
        _ => 0,
    }
}

/// Returns the number of bytes of a value in a column, without the text of strings.
pub(crate) fn memory_size(kind: ValueKind) -> usize {
    macro_rules! sizes {
        (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
         pooled { $pid:literal $pooled:ident $pname:literal; }) => {
            match kind {
                $(ValueKind::$variant => size_of::<$type>(),)*
                // The end of the text, and whether it is null.
                _ => size_of::<usize>().saturating_add(1),
            }
        };
    }
    kind_table!(sizes)
}

/// The position of the time within a key.
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

/// Calls a function with the type of a kind of fixed size.
macro_rules! by_kind {
    ($kind:ident $function:ident $arguments:tt else $other:block
     fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        match $kind {
            $(ValueKind::$variant => $function::<$type> $arguments,)*
            _ => $other,
        }
    };
}

/// The size of a time in bytes.
const TIME: usize = 4;

impl TimeAt {
    /// Returns the offsets of the time and of the value in a key with a value of `size` bytes.
    pub(crate) const fn offsets(self, size: usize) -> (usize, usize) {
        match self {
            Self::Front => (0, TIME),
            Self::Back => (size, 0),
        }
    }
}

/// Returns the times of keys of a kind of fixed size; none for strings.
pub(crate) fn times(kind: ValueKind, block: &[u8], at: TimeAt) -> View<'_, f32> {
    let Some(size) = kind.encoded_size() else { return View::new(&[], ()) };
    View::field(block, size.saturating_add(TIME), at.offsets(size).0)
}

/// Decodes the times of keys of a kind of fixed size into a column. A view of records of a known
/// type is faster than [`times`].
pub(crate) fn decode_times<F: From<f32>>(kind: ValueKind, block: &[u8], at: TimeAt) -> Vec<F> {
    let mut times = Vec::new();
    kind_table!(by_kind kind put_times (block, at, &mut times) else {});
    times
}

fn put_times<T: Record<Layout = ()>>(block: &[u8], at: TimeAt, times: &mut Vec<impl From<f32>>) {
    *times = match at {
        TimeAt::Front => View::<(f32, T)>::new(block, ()).column(None, |(time, _)| time.into()),
        TimeAt::Back => View::<(T, f32)>::new(block, ()).column(None, |(_, time)| time.into()),
    };
}

/// Returns the values of keys with their times at `at`.
pub(crate) fn values<T: Record<Layout = ()>>(block: &[u8], at: Option<TimeAt>) -> View<'_, T> {
    let size = T::SIZE;
    match at {
        None => View::new(block, ()),
        Some(at) => View::field(block, size.saturating_add(TIME), at.offsets(size).1),
    }
}

/// Decodes the values of keys of a kind of fixed size, with their times at `at`: of all keys, or of
/// those at `indices`.
pub(crate) fn decode_values(
    kind: ValueKind,
    block: &[u8],
    at: Option<TimeAt>,
    indices: Option<&[usize]>,
) -> Values {
    kind_table!(by_kind kind value_column (block, at, indices) else { Values::empty(kind) })
}

fn value_column<T: Record<Layout = ()> + Element>(
    block: &[u8],
    at: Option<TimeAt>,
    indices: Option<&[usize]>,
) -> Values {
    T::into_values(match at {
        None => View::new(block, ()).column(indices, |value| value),
        Some(TimeAt::Front) => View::<(f32, T)>::new(block, ()).column(indices, |(_, value)| value),
        Some(TimeAt::Back) => View::<(T, f32)>::new(block, ()).column(indices, |(value, _)| value),
    })
}

/// Decodes pairs of values of a kind of fixed size into two columns: of all keys, or of those at
/// `indices`.
pub(crate) fn decode_pairs(
    kind: ValueKind,
    block: &[u8],
    indices: Option<&[usize]>,
) -> (Values, Values) {
    let none = || (Values::empty(kind), Values::empty(kind));
    kind_table!(by_kind kind pairs (block, indices) else { none() })
}

fn pairs<T: Record<Layout = ()> + Element>(
    block: &[u8],
    indices: Option<&[usize]>,
) -> (Values, Values) {
    let pairs: View<'_, (T, T)> = View::new(block, ());
    let (firsts, seconds) =
        (pairs.column(indices, |pair| pair.0), pairs.column(indices, |pair| pair.1));
    (T::into_values(firsts), T::into_values(seconds))
}

/// A time of a key in memory, in seconds.
pub(crate) trait Time: Copy {
    /// Returns the time as it is stored.
    fn stored(self, rounder: &TimeRounder) -> f32;
}

impl Time for f32 {
    fn stored(self, _: &TimeRounder) -> f32 {
        self
    }
}

impl Time for f64 {
    fn stored(self, rounder: &TimeRounder) -> f32 {
        rounder.round(self)
    }
}

/// Appends keys of a kind of fixed size.
pub(crate) fn encode_keys<T: Time>(
    times: (&[T], &TimeRounder),
    values: &Values,
    at: TimeAt,
    out: &mut Vec<u8>,
) {
    with_column!(values, values => encode_column(times, values, at, out), else {});
}

/// Appends keys with values of one type.
pub(crate) fn encode_column<T: Time, V: Record<Layout = ()>>(
    (times, rounder): (&[T], &TimeRounder),
    values: &[V],
    at: TimeAt,
    out: &mut Vec<u8>,
) {
    let own = TimeRounder::default();
    match at {
        TimeAt::Front => interleave(times, values, |time, value| (time.stored(&own), value), out),
        TimeAt::Back => interleave(values, times, |value, time| (value, time.stored(&own)), out),
    }
    rounder.add(&own);
}

/// Appends values of a kind of fixed size.
pub(crate) fn encode_values(values: &Values, out: &mut Vec<u8>) {
    with_column!(values, values => append(values, out), else {});
}

/// Appends pairs of values of the same kind of fixed size.
pub(crate) fn encode_pairs(firsts: &Values, seconds: &Values, out: &mut Vec<u8>) {
    with_column!(firsts, firsts => put_pairs(firsts, seconds, out), else {});
}

fn put_pairs<T: Record<Layout = ()> + Element>(firsts: &[T], seconds: &Values, out: &mut Vec<u8>) {
    let seconds: &[T] = seconds.as_slice().unwrap_or_default();
    interleave(firsts, seconds, |one, two| (one, two), out);
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Color, Color32, Quat};

    use super::*;

    /// Bytes that all differ, so that a swap is noticed.
    fn bytes(count: u8) -> Vec<u8> {
        (0..count).collect()
    }

    #[test]
    fn every_kind_of_fixed_size_survives_a_round_trip() {
        for kind in ValueKind::ALL {
            let Some(size) = kind.encoded_size() else { continue };
            let block = bytes(u8::try_from(3 * size).unwrap_or(u8::MAX));
            let block = &block[..block.len() / size * size];
            let block: Vec<u8> = block.iter().map(|byte| byte & !spare_bits(kind)).collect();
            let values = decode_values(kind, &block, None, None);
            assert_eq!((values.kind(), values.len()), (kind, block.len() / size));
            let mut out = Vec::new();
            encode_values(&values, &mut out);
            assert_eq!(out, block, "{kind}");
        }
    }

    #[test]
    fn the_time_of_a_key_comes_first_or_last() {
        let block = [0, 0, 0x80, 0x3f, 7, 0, 0, 0, 0x40, 9];
        let front = times(ValueKind::Byte, &block, TimeAt::Front).column(None, f64::from);
        assert_eq!(front, decode_times::<f64>(ValueKind::Byte, &block, TimeAt::Front));
        let values = decode_values(ValueKind::Byte, &block, Some(TimeAt::Front), None);
        assert_eq!((front, values), (vec![1.0, 2.0], vec![7_u8, 9].into()));
        let block = [7, 0, 0, 0x80, 0x3f, 9, 0, 0, 0, 0x40];
        let times = decode_times::<f32>(ValueKind::Byte, &block, TimeAt::Back);
        let values = decode_values(ValueKind::Byte, &block, Some(TimeAt::Back), None);
        assert_eq!((&times, &values), (&vec![1.0, 2.0], &vec![7_u8, 9].into()));
        let mut out = Vec::new();
        encode_keys((&times, &TimeRounder::default()), &values, TimeAt::Back, &mut out);
        assert_eq!(out, block);
    }

    #[test]
    fn components_keep_their_order_and_matrices_are_row_major() {
        let numbers: Vec<u8> = (1..=9_u8).flat_map(|n| f32::from(n).to_le_bytes()).collect();
        let of = |kind: ValueKind| {
            decode_values(kind, &numbers[..kind.encoded_size().unwrap_or_default()], None, None)
        };
        assert_eq!(of(ValueKind::Float3), vec![[1.0_f32, 2.0, 3.0]].into());
        let quat = Quat { x: 1.0_f32, y: 2.0, z: 3.0, w: 4.0 };
        assert_eq!(of(ValueKind::FloatQ), vec![quat].into());
        let matrix = [[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
        assert_eq!(of(ValueKind::Float3x3), vec![matrix].into());
        let color = Color { r: 1.0, g: 2.0, b: 3.0, a: 4.0 };
        assert_eq!(of(ValueKind::Color), vec![color].into());
        let color = decode_values(ValueKind::Color32, &[1, 2, 3, 4], None, None);
        assert_eq!(color, vec![Color32 { r: 1, g: 2, b: 3, a: 4 }].into());
    }

    #[test]
    fn flags_start_at_the_lowest_bit_and_any_nonzero_byte_is_true() {
        let flags = decode_values(ValueKind::Bool3, &[0b0000_0101], None, None);
        assert_eq!(flags, vec![[true, false, true]].into());
        assert_eq!(
            decode_values(ValueKind::Bool, &[0, 1, 2], None, None),
            vec![false, true, true].into()
        );
    }

    #[test]
    fn pairs_are_split_into_two_columns() {
        let (firsts, seconds) = decode_pairs(ValueKind::UShort, &[1, 0, 2, 0, 3, 0, 4, 0], None);
        assert_eq!((&firsts, &seconds), (&vec![1_u16, 3].into(), &vec![2_u16, 4].into()));
        let mut out = Vec::new();
        encode_pairs(&firsts, &seconds, &mut out);
        assert_eq!(out, [1, 0, 2, 0, 3, 0, 4, 0]);
    }
}
