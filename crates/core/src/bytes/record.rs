//! Values of fixed size, and how they are encoded.

use core::fmt;

use crate::{Color, Color32, Quat};

/// A value of fixed size in a binary file, little-endian.
///
/// Components are in the order x y z w or r g b a, and matrices row by row. `bool2` to `bool4` are
/// bits of one byte with x lowest, and any nonzero byte is a true `bool`.
///
/// The size may depend on a layout that is known before the block is read, such as the frame width
/// of a SEAnim file.
///
/// # Examples
///
/// ```
/// use inbetween_core::Record;
///
/// let mut bytes = Vec::new();
/// [1.0_f32, 2.0].encode((), &mut bytes);
/// assert_eq!(bytes, [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]);
/// assert_eq!(<[f32; 2]>::decode(&bytes, ()), Some([1.0, 2.0]));
/// assert_eq!(f64::decode(&bytes[1..], ()), None);
/// ```
pub trait Record: Copy {
    /// What the size of the value depends on; `()` if it is constant.
    type Layout: Copy + fmt::Debug;

    /// The size in bytes; the largest one if it depends on the layout.
    const SIZE: usize;

    /// Returns the size in bytes.
    #[inline]
    fn size(_: Self::Layout) -> usize {
        Self::SIZE
    }

    /// Decodes the value at the start of `bytes`; missing bytes are 0.
    ///
    /// Loops over blocks call this function. It cannot fail, so nothing interrupts them.
    fn load(bytes: &[u8], layout: Self::Layout) -> Self;

    /// Writes the value to the start of `bytes`, which has at least its size.
    fn store(self, layout: Self::Layout, bytes: &mut [u8]);

    /// Appends what `of` makes of each complete value of a block.
    ///
    /// A record of several sizes implements this by a loop for each: a loop over values of a size
    /// that the compiler knows is about twice as fast.
    fn load_each<T>(
        bytes: &[u8],
        layout: Self::Layout,
        of: impl Fn(Self) -> T,
        column: &mut Vec<T>,
    ) {
        let values = bytes.chunks_exact(Self::size(layout).max(1));
        column.extend(values.map(|bytes| of(Self::load(bytes, layout))));
    }

    /// Decodes the value at the start of `bytes`, or returns `None` if there are too few bytes.
    fn decode(bytes: &[u8], layout: Self::Layout) -> Option<Self> {
        bytes.get(..Self::size(layout)).map(|bytes| Self::load(bytes, layout))
    }

    /// Appends the bytes of the value.
    fn encode(self, layout: Self::Layout, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start.saturating_add(Self::size(layout)), 0);
        self.store(layout, out.get_mut(start..).unwrap_or_default());
    }

    /// Appends the bytes of the values of a column.
    ///
    /// Arrays append their components instead: the compiler turns a loop over numbers into one copy of
    /// memory, but not a loop over arrays.
    fn encode_all(column: &[Self], out: &mut Vec<u8>)
    where
        Self: Record<Layout = ()>,
    {
        append_each(column, |value| *value, out);
    }
}

/// A value whose arrays are encoded as one value after the other. `bool` is not: its arrays are
/// bits of one byte.
pub trait Contiguous: Record<Layout = ()> {}

// `inline`: other crates call these functions for each value, and many builds have no link-time
// optimization.
macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Contiguous for $type {}

        impl Record for $type {
            type Layout = ();

            const SIZE: usize = size_of::<Self>();

            #[inline]
            fn load(bytes: &[u8], (): ()) -> Self {
                Self::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default())
            }

            #[inline]
            fn store(self, (): (), bytes: &mut [u8]) {
                if let Some(bytes) = bytes.first_chunk_mut() {
                    *bytes = self.to_le_bytes();
                }
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

impl<T: Contiguous, const N: usize> Contiguous for [T; N] {}

/// The components of a vector in order, and the rows of a matrix in order.
impl<T: Contiguous, const N: usize> Record for [T; N] {
    type Layout = ();

    const SIZE: usize = T::SIZE.saturating_mul(N);

    fn load(bytes: &[u8], (): ()) -> Self {
        let at = |index: usize| bytes.get(index.saturating_mul(T::SIZE)..);
        core::array::from_fn(|index| T::load(at(index).unwrap_or_default(), ()))
    }

    // By value: components that are borrowed go through the stack.
    fn store(self, (): (), bytes: &mut [u8]) {
        let mut rest = bytes;
        for component in self {
            let Some((slot, others)) = rest.split_at_mut_checked(T::SIZE) else { return };
            component.store((), slot);
            rest = others;
        }
    }

    fn encode_all(column: &[Self], out: &mut Vec<u8>) {
        T::encode_all(column.as_flattened(), out);
    }
}

macro_rules! by_array {
    ($([$($generics:tt)*] $type:ty = $array:ty;)*) => {$(
        impl<$($generics)*> Record for $type {
            type Layout = ();

            const SIZE: usize = <$array>::SIZE;

            #[inline]
            fn load(bytes: &[u8], (): ()) -> Self {
                Self::from_array(Record::load(bytes, ()))
            }

            #[inline]
            fn store(self, (): (), bytes: &mut [u8]) {
                self.to_array().store((), bytes);
            }
        }
    )*};
}
by_array! {
    [T: Contiguous] Quat<T> = [T; 4];
    [] Color = [f32; 4];
    [] Color32 = [u8; 4];
}

impl Record for bool {
    type Layout = ();

    const SIZE: usize = 1;

    #[inline]
    fn load(bytes: &[u8], (): ()) -> Self {
        u8::load(bytes, ()) != 0
    }

    #[inline]
    fn store(self, (): (), bytes: &mut [u8]) {
        u8::from(self).store((), bytes);
    }
}

macro_rules! flags {
    ($($count:literal),*) => {$(
        impl Record for [bool; $count] {
            type Layout = ();

            const SIZE: usize = 1;

            #[inline]
            fn load(bytes: &[u8], (): ()) -> Self {
                let byte = u8::load(bytes, ());
                core::array::from_fn(|bit| byte >> bit & 1 != 0)
            }

            #[inline]
            fn store(self, (): (), bytes: &mut [u8]) {
                let byte = self.iter().rev().fold(0_u8, |byte, &flag| byte << 1 | u8::from(flag));
                byte.store((), bytes);
            }
        }
    )*};
}
flags!(2, 3, 4);

/// Two values, one after the other, such as the time and the value of a key.
impl<A: Record<Layout = ()>, B: Record<Layout = ()>> Record for (A, B) {
    type Layout = ();

    const SIZE: usize = A::SIZE.saturating_add(B::SIZE);

    fn load(bytes: &[u8], (): ()) -> Self {
        let second = bytes.get(A::SIZE..).unwrap_or_default();
        (A::load(bytes, ()), B::load(second, ()))
    }

    fn store(self, (): (), bytes: &mut [u8]) {
        if let Some((first, second)) = bytes.split_at_mut_checked(A::SIZE) {
            self.0.store((), first);
            self.1.store((), second);
        }
    }
}

/// Appends records of type `R` one after the other.
///
/// Arrays of bytes are what a vector takes without a check for each and without filling memory
/// first, and their size must be a constant: the compiler keeps the arm of the size of the record.
/// Rare sizes have no arm, and their records are appended one by one.
///
/// This is not a function, because columns must be parameters of the function that has the loop:
/// there the compiler knows that `out` is apart from them, and copies numbers as one block.
macro_rules! extend {
    ($out:ident, $records:expr, $R:ident) => {
        extend!(
            $out, $records, $R,
            1 2 4 5 6 8 12 13 14 16 17 18 20 24 25 26 28 32 33 34 36 40 48 64 68 72 76 128 132 160
        )
    };
    ($out:ident, $records:expr, $R:ident, $($size:literal)*) => {
        match $R::SIZE {
            $($size => $out.extend($records.flat_map(bytes::<$R, $size>)),)*
            _ => $records.for_each(|record| record.encode((), $out)),
        }
    };
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
pub fn append<R: Record<Layout = ()>>(column: &[R], out: &mut Vec<u8>) {
    R::encode_all(column, out);
}

/// Appends the records that `record` makes of the values of a column.
///
/// # Examples
///
/// ```
/// let mut out = Vec::new();
/// inbetween_core::wire::append_each(&[[1_u8, 2], [3, 4]], |[_, y]| *y, &mut out);
/// assert_eq!(out, [2, 4]);
/// ```
pub fn append_each<T, R: Record<Layout = ()>>(
    column: &[T],
    record: impl Fn(&T) -> R,
    out: &mut Vec<u8>,
) {
    extend!(out, column.iter().map(record), R);
}

/// Appends the records that `record` makes of two columns, as many as both columns have.
///
/// # Examples
///
/// ```
/// use inbetween_core::wire::interleave;
///
/// let mut out = Vec::new();
/// interleave(&[1_u8, 2], &[0.5_f32, 1.0], |frame, value| (frame, value), &mut out);
/// assert_eq!(out, [1, 0, 0, 0, 0x3f, 2, 0, 0, 0x80, 0x3f]);
/// ```
pub fn interleave<A: Copy, B: Copy, R: Record<Layout = ()>>(
    firsts: &[A],
    seconds: &[B],
    record: impl Fn(A, B) -> R,
    out: &mut Vec<u8>,
) {
    extend!(out, firsts.iter().zip(seconds).map(|(first, second)| record(*first, *second)), R);
}

/// Returns the bytes of a record of this size.
fn bytes<R: Record<Layout = ()>, const SIZE: usize>(record: R) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    record.store((), &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_and_quaternions_keep_the_order_of_their_components() {
        let quat = Quat { x: 1.0_f32, y: 2.0, z: 3.0, w: 4.0 };
        let mut bytes = Vec::new();
        quat.encode((), &mut bytes);
        assert_eq!(<[f32; 4]>::decode(&bytes, ()), Some([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(Quat::<f32>::decode(&bytes, ()), Some(quat));
        assert_eq!(Quat::<f32>::decode(&bytes[..15], ()), None);
    }

    #[test]
    fn any_nonzero_byte_is_a_true_bool() {
        let decoded = [0, 1, 2, 0x80].map(|byte| bool::decode(&[byte], ()));
        assert_eq!(decoded, [false, true, true, true].map(Some));
    }

    #[test]
    fn matrices_are_stored_row_by_row_and_into_few_bytes_in_part() {
        let mut bytes = [0; 9];
        [[1_u8, 2], [3, 4]].store((), &mut bytes);
        assert_eq!(bytes, [1, 2, 3, 4, 0, 0, 0, 0, 0]);
        [0x201_u16, 0x403, 0x605].store((), &mut bytes[..5]);
        assert_eq!(bytes, [1, 2, 3, 4, 0, 0, 0, 0, 0]);
        let mut out = Vec::new();
        append(&[[[0x201_u16, 0x403], [0x605, 0x807]], [[0x201; 2]; 2]], &mut out);
        assert_eq!(out, [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 1, 2, 1, 2, 1, 2]);
    }

    #[test]
    fn columns_are_appended_completely_whatever_the_size_of_their_values() {
        fn holds<const SIZE: usize>() {
            let column: Vec<[u8; SIZE]> = (1..=200).map(|number| [number; SIZE]).collect();
            let (mut whole, mut each) = (vec![9], vec![9]);
            append(&column, &mut whole);
            append_each(&column, |value| *value, &mut each);
            assert_eq!((whole[0], &whole[1..]), (9, column.as_flattened()), "{SIZE} bytes");
            assert_eq!(each, whole, "{SIZE} bytes");
        }
        // With an arm of their own in `extend!`, and without one.
        holds::<1>();
        holds::<14>();
        holds::<128>();
        holds::<3>();
        holds::<500>();
    }

    #[test]
    fn values_without_bytes_append_nothing() {
        let mut out = Vec::new();
        append::<[u8; 0]>(&[[]; 3], &mut out);
        assert_eq!(out.len(), 0);
    }
}
