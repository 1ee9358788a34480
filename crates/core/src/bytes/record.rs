//! Values of fixed size, and how they are encoded.

use core::fmt;
use core::ops::Range;
use core::slice::ChunksExactMut;

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

    /// Returns the size in bytes.
    fn size(layout: Self::Layout) -> usize;

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

            #[inline]
            fn size((): ()) -> usize {
                size_of::<Self>()
            }

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

    fn size((): ()) -> usize {
        T::size(()).saturating_mul(N)
    }

    fn load(bytes: &[u8], (): ()) -> Self {
        let at = |index: usize| bytes.get(index.saturating_mul(T::size(()))..);
        core::array::from_fn(|index| T::load(at(index).unwrap_or_default(), ()))
    }

    // By value: components that are borrowed go through the stack.
    fn store(self, (): (), bytes: &mut [u8]) {
        let mut rest = bytes;
        for component in self {
            let Some((slot, others)) = rest.split_at_mut_checked(T::size(())) else { return };
            component.store((), slot);
            rest = others;
        }
    }
}

macro_rules! by_array {
    ($([$($generics:tt)*] $type:ty = $array:ty;)*) => {$(
        impl<$($generics)*> Record for $type {
            type Layout = ();

            #[inline]
            fn size((): ()) -> usize {
                <$array>::size(())
            }

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

    #[inline]
    fn size((): ()) -> usize {
        1
    }

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

            #[inline]
            fn size((): ()) -> usize {
                1
            }

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

    fn size((): ()) -> usize {
        A::size(()).saturating_add(B::size(()))
    }

    fn load(bytes: &[u8], (): ()) -> Self {
        let second = bytes.get(A::size(())..).unwrap_or_default();
        (A::load(bytes, ()), B::load(second, ()))
    }

    fn store(self, (): (), bytes: &mut [u8]) {
        if let Some((first, second)) = bytes.split_at_mut_checked(A::size(())) {
            self.0.store((), first);
            self.1.store((), second);
        }
    }
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
    append_each(column, |value| value, out);
}

/// Appends the records that `record` makes of the values of a column.
///
/// # Examples
///
/// ```
/// let mut out = Vec::new();
/// inbetween_core::wire::append_each(&[[1_u8, 2], [3, 4]], |[_, y]| y, &mut out);
/// assert_eq!(out, [2, 4]);
/// ```
pub fn append_each<T: Copy, R: Record<Layout = ()>>(
    column: &[T],
    record: impl Fn(T) -> R,
    out: &mut Vec<u8>,
) {
    append_steps::<R>(column.len(), out, |step, slots| {
        let values = column.get(step).unwrap_or_default();
        slots.zip(values).for_each(|(slot, value)| record(*value).store((), slot));
    });
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
    append_steps::<R>(firsts.len().min(seconds.len()), out, |step, slots| {
        let firsts = firsts.get(step.clone()).unwrap_or_default();
        let pairs = firsts.iter().zip(seconds.get(step).unwrap_or_default());
        slots.zip(pairs).for_each(|(slot, (a, b))| record(*a, *b).store((), slot));
    });
}

/// The number of bytes that are appended at a time. They stay in the cache between their zeros and
/// their values, and a check of the capacity per value would take as long as the value.
const STEP: usize = 2048;

/// Appends room for `count` records, and lets `fill` encode each range of them.
fn append_steps<R: Record<Layout = ()>>(
    count: usize,
    out: &mut Vec<u8>,
    mut fill: impl FnMut(Range<usize>, ChunksExactMut<'_, u8>),
) {
    let size = R::size(());
    let Some(most) = STEP.checked_div(size) else { return };
    let most = most.max(1);
    for from in (0..count).step_by(most) {
        let step = from..count.min(from.saturating_add(most));
        let start = out.len();
        out.resize(start.saturating_add(step.len().saturating_mul(size)), 0);
        fill(step, out.get_mut(start..).unwrap_or_default().chunks_exact_mut(size));
    }
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
    fn matrices_are_stored_row_by_row_and_into_few_bytes_in_part() {
        let mut bytes = [0; 9];
        [[1_u8, 2], [3, 4]].store((), &mut bytes);
        assert_eq!(bytes, [1, 2, 3, 4, 0, 0, 0, 0, 0]);
        [0x201_u16, 0x403, 0x605].store((), &mut bytes[..5]);
        assert_eq!(bytes, [1, 2, 3, 4, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_column_longer_than_a_step_is_appended_completely() {
        let column: Vec<[u16; 3]> = (0..2000).map(|number| [number, 1, 2]).collect();
        let mut out = vec![9];
        append(&column, &mut out);
        assert_eq!((out.len(), out[0]), (12_001, 9));
        let view: crate::View<'_, [u16; 3]> = crate::View::new(&out[1..], ());
        assert_eq!(view.column(None, |value| value), column);
    }

    #[test]
    fn values_without_bytes_append_nothing() {
        let mut out = Vec::new();
        append::<[u8; 0]>(&[[]; 3], &mut out);
        assert_eq!(out.len(), 0);
    }
}
