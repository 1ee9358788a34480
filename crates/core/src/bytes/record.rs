//! Records of fixed size in a block of bytes, decoded on request.

use core::fmt;
use core::marker::PhantomData;

use crate::Quat;

/// An item of fixed size in a binary file, little-endian.
///
/// The size may depend on a layout that is known before the block is read, such as the frame width
/// of a SEAnim file.
pub trait Record: Sized {
    /// What the size of the record depends on; `()` if it is constant.
    type Layout: Copy + fmt::Debug;

    /// Returns the size in bytes.
    fn size(layout: Self::Layout) -> usize;

    /// Decodes the record at the start of `bytes`, or returns `None` if there are too few bytes.
    fn decode(bytes: &[u8], layout: Self::Layout) -> Option<Self>;

    /// Appends the bytes of the record.
    fn encode(&self, layout: Self::Layout, out: &mut Vec<u8>);
}

/// A block of encoded records, decoded on request.
///
/// # Examples
///
/// ```
/// use inbetween_core::View;
///
/// let view: View<'_, u16> = View::new(&[1, 0, 2, 0], ());
/// assert_eq!(view.len(), 2);
/// assert_eq!(view.get(1), Some(2));
/// assert_eq!(view.iter().sum::<u16>(), 3);
/// ```
pub struct View<'a, R: Record> {
    bytes: &'a [u8],
    layout: R::Layout,
    record: PhantomData<fn() -> R>,
}

impl<'a, R: Record> View<'a, R> {
    /// Creates a view of the complete records in `bytes`.
    pub fn new(bytes: &'a [u8], layout: R::Layout) -> Self {
        Self { bytes, layout, record: PhantomData }
    }

    /// Returns the number of complete records.
    pub fn len(&self) -> usize {
        self.bytes.len().checked_div(R::size(self.layout)).unwrap_or(0)
    }

    /// Returns whether there are no complete records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of the block.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the layout of the records.
    pub const fn layout(&self) -> R::Layout {
        self.layout
    }

    /// Decodes record `index`, or returns `None` if it is out of range.
    pub fn get(&self, index: usize) -> Option<R> {
        let start = index.checked_mul(R::size(self.layout))?;
        R::decode(self.bytes.get(start..)?, self.layout)
    }

    /// Decodes the records in order.
    pub fn iter(&self) -> impl Iterator<Item = R> + use<'a, R> {
        let layout = self.layout;
        // `len` is 0 for records without bytes, so the size only has to be nonzero here.
        let size = R::size(layout).max(1);
        self.bytes.chunks_exact(size).filter_map(move |chunk| R::decode(chunk, layout))
    }

    /// Appends all records to a column.
    pub fn decode_into(&self, column: &mut Vec<R>) {
        column.reserve_exact(self.len());
        column.extend(self.iter());
    }
}

impl<R: Record> Clone for View<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record> Copy for View<'_, R> {}

impl<R: Record + fmt::Debug> fmt::Debug for View<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

macro_rules! number_records {
    ($($type:ty),*) => {$(
        impl Record for $type {
            type Layout = ();

            fn size((): ()) -> usize {
                size_of::<Self>()
            }

            fn decode(bytes: &[u8], (): ()) -> Option<Self> {
                bytes.first_chunk().copied().map(Self::from_le_bytes)
            }

            fn encode(&self, (): (), out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
number_records!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

/// The components of a vector in order, and the rows of a matrix in order.
impl<T: Record<Layout = ()> + Copy + Default, const N: usize> Record for [T; N] {
    type Layout = ();

    fn size((): ()) -> usize {
        T::size(()).saturating_mul(N)
    }

    fn decode(bytes: &[u8], (): ()) -> Option<Self> {
        let mut record = [T::default(); N];
        let size = T::size(());
        let mut rest = bytes;
        for component in &mut record {
            *component = T::decode(rest, ())?;
            rest = rest.get(size..)?;
        }
        Some(record)
    }

    fn encode(&self, (): (), out: &mut Vec<u8>) {
        for component in self {
            component.encode((), out);
        }
    }
}

/// The components in the order x y z w.
impl<T: Record<Layout = ()> + Copy + Default> Record for Quat<T> {
    type Layout = ();

    fn size((): ()) -> usize {
        <[T; 4]>::size(())
    }

    fn decode(bytes: &[u8], (): ()) -> Option<Self> {
        <[T; 4]>::decode(bytes, ()).map(Self::from_array)
    }

    fn encode(&self, (): (), out: &mut Vec<u8>) {
        self.to_array().encode((), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_ignores_a_partial_record_at_the_end() {
        let view: View<'_, u32> = View::new(&[1, 0, 0, 0, 2, 0], ());
        assert_eq!((view.len(), view.get(0), view.get(1)), (1, Some(1), None));
    }

    #[test]
    fn vectors_and_quaternions_keep_the_order_of_their_components() {
        let quat = Quat { x: 1.0_f32, y: 2.0, z: 3.0, w: 4.0 };
        let mut bytes = Vec::new();
        quat.encode((), &mut bytes);
        assert_eq!(<[f32; 4]>::decode(&bytes, ()), Some([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(Quat::<f32>::decode(&bytes, ()), Some(quat));
        assert_eq!(Quat::<f32>::decode(&bytes[..15], ()), None);
    }
}
