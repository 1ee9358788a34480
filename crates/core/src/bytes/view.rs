//! Values of fixed size in a block of bytes, decoded on request.

use core::fmt;
use core::marker::PhantomData;

use super::record::Record;

/// Encoded values at a fixed distance from each other, decoded on request.
///
/// The values are either adjacent or one field of adjacent records.
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
///
/// // Records of a `u8` and a `u16`.
/// let numbers: View<'_, u16> = View::field(&[7, 1, 0, 8, 2, 0], 3, 1);
/// assert_eq!(numbers.column(None, f32::from), [1.0, 2.0]);
/// ```
#[derive(Clone, Copy)]
pub struct View<'a, R: Record> {
    bytes: &'a [u8],
    /// The bytes from a value to the next one; at least `at` and the size of a value.
    stride: usize,
    at: usize,
    layout: R::Layout,
    record: PhantomData<fn() -> R>,
}

impl<'a, R: Record> View<'a, R> {
    /// Creates a view of the complete values in `bytes`.
    pub fn new(bytes: &'a [u8], layout: R::Layout) -> Self {
        Self::every(bytes, R::size(layout), 0, layout)
    }

    fn every(bytes: &'a [u8], stride: usize, at: usize, layout: R::Layout) -> Self {
        let fits = at.checked_add(R::size(layout)).is_some_and(|end| 0 < end && end <= stride);
        let bytes = if fits { bytes } else { &[] };
        Self { bytes, stride: stride.max(1), at, layout, record: PhantomData }
    }

    /// Returns the number of complete values.
    pub fn len(&self) -> usize {
        self.bytes.len().checked_div(self.stride).unwrap_or(0)
    }

    /// Returns whether there are no complete values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of the block.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the layout of the values.
    pub const fn layout(&self) -> R::Layout {
        self.layout
    }

    /// Decodes value `index`, or returns `None` if it is out of range.
    pub fn get(&self, index: usize) -> Option<R> {
        let start = index.checked_mul(self.stride)?;
        let record = self.bytes.get(start..)?.get(..self.stride)?;
        R::decode(record.get(self.at..)?, self.layout)
    }

    /// Decodes the values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = R> + use<'a, R> {
        let Self { bytes, stride, at, layout, .. } = *self;
        let end = at.saturating_add(R::size(layout));
        // `every` checked that the value is within its record. The slice has the size of a value,
        // so `load` needs no further checks.
        bytes.chunks_exact(stride).map(move |record| match record.get(at..end) {
            Some(bytes) => R::load(bytes, layout),
            None => R::load(&[], layout),
        })
    }

    /// Returns the values in blocks of up to 8 KiB, or of one larger value. A block stays in the L1
    /// cache while several loops pass over it, such as one for each column.
    pub fn blocks(&self) -> impl Iterator<Item = Self> + use<'a, R> {
        const BYTES: usize = 1 << 13;
        let view = *self;
        let block = self.stride.saturating_mul(BYTES.checked_div(self.stride).unwrap_or(1).max(1));
        self.bytes.chunks(block).map(move |bytes| Self { bytes, ..view })
    }

    /// Decodes a column of what `of` makes of each value: of all of them, or of those at
    /// `indices` in their order.
    ///
    /// Indices out of range are skipped. The column allocates exactly the memory that it needs.
    pub fn column<T>(&self, indices: Option<&[usize]>, of: impl Fn(R) -> T) -> Vec<T> {
        let mut column = Vec::new();
        self.append(indices, of, &mut column);
        column
    }

    /// Appends all values to a column, whose memory can thus be used again.
    pub fn decode_into(&self, column: &mut Vec<R>) {
        self.append(None, |value| value, column);
    }

    /// Appends a [`column`](Self::column) to another one.
    pub fn append<T>(&self, indices: Option<&[usize]>, of: impl Fn(R) -> T, column: &mut Vec<T>) {
        if let Some(indices) = indices {
            column.reserve_exact(indices.len());
            column.extend(indices.iter().filter_map(|&index| self.get(index)).map(of));
            return;
        }
        column.reserve_exact(self.len());
        if self.stride == R::size(self.layout) {
            R::load_each(self.bytes, self.layout, of, column);
        } else {
            column.extend(self.iter().map(of));
        }
    }
}

impl<'a, R: Record<Layout = ()>> View<'a, R> {
    /// Creates a view of one field of the complete records in `bytes`: each record has `stride`
    /// bytes, and the field begins at its byte `at`.
    ///
    /// The view is empty if the field does not fit into a record.
    pub fn field(bytes: &'a [u8], stride: usize, at: usize) -> Self {
        Self::every(bytes, stride, at, ())
    }
}

impl<R: Record + fmt::Debug> fmt::Debug for View<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_ignores_a_partial_value_at_the_end() {
        let view: View<'_, u32> = View::new(&[1, 0, 0, 0, 2, 0], ());
        assert_eq!((view.len(), view.get(0), view.get(1)), (1, Some(1), None));
        let field: View<'_, u8> = View::field(&[1, 2, 3, 4], 3, 0);
        assert_eq!((field.column(None, u32::from), field.get(1)), (vec![1], None));
    }

    #[test]
    fn a_field_beyond_its_record_has_no_values() {
        for (stride, at) in [(3, 0), (4, 1), (0, 0), (usize::MAX, usize::MAX)] {
            let view: View<'_, u32> = View::field(&[0; 16], stride, at);
            assert_eq!((view.len(), view.get(0), view.iter().count()), (0, None, 0));
        }
        assert_eq!(View::<[u8; 0]>::new(&[0; 4], ()).iter().count(), 0);
    }

    #[test]
    fn blocks_have_all_values_in_order() {
        let bytes: Vec<u8> = (0..30_003).map(|byte: u32| byte.to_le_bytes()[0]).collect();
        for (stride, count) in [(3, 4), (5, 4), (9_000, 4)] {
            let view: View<'_, u16> = View::field(&bytes, stride, 1);
            let blocks = view.blocks().flat_map(|block| block.column(None, |value| value));
            assert_eq!(blocks.collect::<Vec<_>>(), view.column(None, |value| value), "{stride}");
            assert_eq!(view.blocks().count(), count, "{stride}");
        }
        assert_eq!(View::<u8>::new(&[], ()).blocks().count(), 0);
    }

    #[test]
    fn a_column_has_the_values_at_the_indices_in_their_order() {
        let view: View<'_, u8> = View::field(&[1, 0, 2, 0, 3, 0], 2, 0);
        assert_eq!(view.column(Some(&[2, 0, 3]), u32::from), [3, 1]);
        let mut column = view.column(None, |value| value);
        view.decode_into(&mut column);
        assert_eq!(column, [1, 2, 3, 1, 2, 3]);
    }
}
