//! Encoded keys of bones and blend shapes.

use inbetween_core::{Element, Quat, Record, Values, View};

use crate::layout::{Channel, FrameWidth, Precision, SeanimLayout};

/// A key of a bone: a frame and a value of `f32` or `f64` (`docs/formats/seanim.md`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeanimKey<V> {
    /// The frame.
    pub frame: u32,
    /// A vector, or a quaternion x y z w.
    pub value: V,
}

impl<V: Record<Layout = ()>> Record for SeanimKey<V> {
    type Layout = FrameWidth;

    const SIZE: usize = <(u32, V)>::SIZE;

    fn size(width: FrameWidth) -> usize {
        width.bytes().saturating_add(V::SIZE)
    }

    fn load(bytes: &[u8], width: FrameWidth) -> Self {
        match width {
            FrameWidth::One => Self::widened(<(u8, V)>::load(bytes, ())),
            FrameWidth::Two => Self::widened(<(u16, V)>::load(bytes, ())),
            FrameWidth::Four => Self::widened(<(u32, V)>::load(bytes, ())),
        }
    }

    fn load_each<T>(bytes: &[u8], width: FrameWidth, of: impl Fn(Self) -> T, column: &mut Vec<T>) {
        match width {
            FrameWidth::One => {
                <(u8, V)>::load_each(bytes, (), |key| of(Self::widened(key)), column);
            }
            FrameWidth::Two => {
                <(u16, V)>::load_each(bytes, (), |key| of(Self::widened(key)), column);
            }
            FrameWidth::Four => {
                <(u32, V)>::load_each(bytes, (), |key| of(Self::widened(key)), column);
            }
        }
    }

    fn store(self, width: FrameWidth, bytes: &mut [u8]) {
        let (frame, value) = (self.frame.to_le_bytes(), self.value);
        let [first, second, ..] = frame;
        match width {
            FrameWidth::One => (first, value).store((), bytes),
            FrameWidth::Two => ([first, second], value).store((), bytes),
            FrameWidth::Four => (frame, value).store((), bytes),
        }
    }
}

impl<V> SeanimKey<V> {
    /// Creates a key from its fields in the file.
    fn widened((frame, value): (impl Into<u32>, V)) -> Self {
        Self { frame: frame.into(), value }
    }
}

/// A key of a blend shape: always `u32` and `f32`, at any precision of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShapeKey {
    /// The frame.
    pub frame: u32,
    /// The weight of the shape.
    pub weight: f32,
    /// Two numbers that are 0 in all known files.
    pub unused: [f32; 2],
}

impl Record for ShapeKey {
    type Layout = ();

    const SIZE: usize = 16;

    fn load(bytes: &[u8], (): ()) -> Self {
        let (frame, [weight, a, b]) = Record::load(bytes, ());
        Self { frame, weight, unused: [a, b] }
    }

    fn store(self, (): (), bytes: &mut [u8]) {
        let [a, b] = self.unused;
        (self.frame, [self.weight, a, b]).store((), bytes);
    }
}

/// The encoded keys of one channel of a bone.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum SeanimKeys<'a> {
    /// Locations or scales in `f32`.
    Float3(View<'a, SeanimKey<[f32; 3]>>),
    /// Locations or scales in `f64`.
    Double3(View<'a, SeanimKey<[f64; 3]>>),
    /// Rotations in `f32`.
    FloatQ(View<'a, SeanimKey<Quat<f32>>>),
    /// Rotations in `f64`.
    DoubleQ(View<'a, SeanimKey<Quat<f64>>>),
}

/// Evaluates one expression for the view of any type.
macro_rules! with_view {
    ($keys:expr, $view:ident => $body:expr) => {
        match $keys {
            SeanimKeys::Float3($view) => $body,
            SeanimKeys::Double3($view) => $body,
            SeanimKeys::FloatQ($view) => $body,
            SeanimKeys::DoubleQ($view) => $body,
        }
    };
}

impl<'a> SeanimKeys<'a> {
    pub(crate) fn new(channel: Channel, bytes: &'a [u8], layout: SeanimLayout) -> Self {
        let width = layout.frame_width;
        match (channel, layout.precision) {
            (Channel::Rotation, Precision::Single) => Self::FloatQ(View::new(bytes, width)),
            (Channel::Rotation, Precision::Double) => Self::DoubleQ(View::new(bytes, width)),
            (_, Precision::Single) => Self::Float3(View::new(bytes, width)),
            (_, Precision::Double) => Self::Double3(View::new(bytes, width)),
        }
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        with_view!(self, view => view.len())
    }

    /// Returns whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the frames in file order, which may be unsorted.
    pub fn frames(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (bytes, size, width) = self.block();
        let keys = bytes.chunks_exact(size);
        keys.map(move |key| width.decode(key).unwrap_or_default())
    }

    /// Returns the frame of a key, or `None` if the index is out of range.
    pub(crate) fn frame(&self, index: usize) -> Option<u32> {
        let (bytes, size, width) = self.block();
        width.decode(bytes.chunks_exact(size).nth(index)?)
    }

    /// Returns the encoded keys, the size of a key, and the width of the frame number at its start.
    fn block(&self) -> (&'a [u8], usize, FrameWidth) {
        with_view!(self, view => (view.bytes(), size_of_keys(view), view.layout()))
    }

    /// Decodes the keys into a column of frames, mapped by `map`, and one of values.
    pub fn decode<T>(&self, map: impl Fn(u32) -> T) -> (Vec<T>, Values) {
        let mut frames = Vec::new();
        self.append_frames(map, &mut frames);
        (frames, self.decode_values(None))
    }

    /// Like [`decode`](Self::decode), but replaces the content of two columns, whose memory is used
    /// again. Values of another kind are replaced by a new column.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Limits, ValueKind, Values};
    /// use inbetween_seanim::{Channel, SeanimFile, SeanimParts};
    ///
    /// let file = SeanimFile::from_parts(&SeanimParts::default())?;
    /// let (mut frames, mut values) = (Vec::new(), Values::empty(ValueKind::FloatQ));
    /// for keys in file.bones().filter_map(|bone| bone.keys(Channel::Rotation)) {
    ///     keys.decode_into(|frame| frame, &mut frames, &mut values);
    ///     assert_eq!(frames.len(), values.len());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_into<T>(&self, map: impl Fn(u32) -> T, frames: &mut Vec<T>, values: &mut Values) {
        frames.clear();
        self.append_frames(map, frames);
        with_view!(self, view => refill(view, values));
    }

    /// Decodes the frames, mapped to seconds by `map`, and the values into columns, block by block.
    pub(crate) fn decode_columns(&self, map: impl Fn(u32) -> f64) -> (Vec<f64>, Values) {
        with_view!(self, view => {
            let (mut times, mut values) =
                (Vec::with_capacity(view.len()), Vec::with_capacity(view.len()));
            for block in view.blocks() {
                block.append(None, |key| map(key.frame), &mut times);
                block.append(None, |key| key.value, &mut values);
            }
            (times, values.into())
        })
    }

    fn append_frames<T>(&self, map: impl Fn(u32) -> T, frames: &mut Vec<T>) {
        with_view!(self, view => view.append(None, |key| map(key.frame), frames));
    }

    /// Decodes the values of all keys, or of those at `indices`, into a column.
    pub(crate) fn decode_values(&self, indices: Option<&[usize]>) -> Values {
        with_view!(self, view => view.column(indices, |key| key.value).into())
    }
}

fn size_of_keys<V: Record<Layout = ()>>(view: &View<'_, SeanimKey<V>>) -> usize {
    SeanimKey::<V>::size(view.layout())
}

fn refill<V>(view: &View<'_, SeanimKey<V>>, values: &mut Values)
where
    V: Record<Layout = ()> + Element,
{
    if let Some(column) = V::column_mut(values) {
        column.clear();
        view.append(None, |key| key.value, column);
    } else {
        *values = view.column(None, |key| key.value).into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_follow_the_specification() {
        let widths = [0, 0xff, 0x100, 0xffff, 0x1_0000, u32::MAX].map(FrameWidth::for_count);
        assert_eq!(widths.map(FrameWidth::bytes), [1, 1, 2, 2, 4, 4]);
    }

    #[test]
    fn every_width_and_precision_decodes_like_its_record() {
        fn check<V>(value: V, width: FrameWidth, channel: Channel, precision: Precision)
        where
            V: Record<Layout = ()> + Element,
        {
            let mut bytes = Vec::new();
            for frame in [3, 200] {
                SeanimKey { frame, value }.encode(width, &mut bytes);
            }
            let (reading, bone_width) = (crate::Reading::default(), width);
            let layout = SeanimLayout { reading, frame_width: width, bone_width, precision };
            let keys = SeanimKeys::new(channel, &bytes, layout);
            let (frames, values) = keys.decode(|frame| frame);
            assert_eq!(frames, [3, 200]);
            assert_eq!(values, Values::from(vec![value, value]));
            assert_eq!([0, 1, 2].map(|index| keys.frame(index)), [Some(3), Some(200), None]);
            assert_eq!(keys.decode_values(Some(&[1])), Values::from(vec![value]));
            // Used columns, of the same kind and of another one.
            for mut used in [Values::from(vec![value; 5]), Values::from(vec![true])] {
                let mut numbers = vec![7; 9];
                keys.decode_into(|frame| frame, &mut numbers, &mut used);
                assert_eq!((numbers, used), (frames.clone(), values.clone()));
            }
        }
        for width in [FrameWidth::One, FrameWidth::Two, FrameWidth::Four] {
            check([1.5_f32, -2.0, f32::MIN], width, Channel::Location, Precision::Single);
            check([1.5_f64, -2.0, f64::MIN], width, Channel::Scale, Precision::Double);
            let quat = Quat { x: 1.0_f32, y: 2.0, z: 3.0, w: 4.0 };
            check(quat, width, Channel::Rotation, Precision::Single);
            check(Quat::<f64>::from(quat), width, Channel::Rotation, Precision::Double);
        }
    }
}
