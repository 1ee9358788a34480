//! Encoded keys of bones and blend shapes.

use inbetween_core::{Element, Quat, Record, ValueKind, Values, View};

use crate::SeanimLayout;

/// The number of bytes of a frame number and of a key count (`frame_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameWidth {
    /// `u8`.
    One,
    /// `u16`.
    Two,
    /// `u32`.
    Four,
}

impl FrameWidth {
    /// Returns the width for a largest number: `u8` up to 0xff, `u16` up to 0xffff.
    pub const fn for_count(count: u32) -> Self {
        match count {
            0..=0xff => Self::One,
            0x100..=0xffff => Self::Two,
            _ => Self::Four,
        }
    }

    /// Returns the number of bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// Returns the largest number that fits.
    pub const fn max(self) -> u32 {
        match self {
            Self::One => 0xff,
            Self::Two => 0xffff,
            Self::Four => u32::MAX,
        }
    }

    /// Reads a number of this width from the start of `bytes`.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<u32> {
        match self {
            Self::One => bytes.first().copied().map(u32::from),
            Self::Two => u16::decode(bytes, ()).map(u32::from),
            Self::Four => u32::decode(bytes, ()),
        }
    }

    /// Appends a number; one that does not fit is truncated, so check it first.
    pub(crate) fn encode(self, number: u32, out: &mut Vec<u8>) {
        let bytes = number.to_le_bytes();
        out.extend_from_slice(bytes.get(..self.bytes()).unwrap_or_default());
    }
}

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

/// One of the three channels that a bone may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Channel {
    /// Locations, in no stated unit.
    Location,
    /// Rotations, quaternions x y z w.
    Rotation,
    /// Scales, factors per axis.
    Scale,
}

impl Channel {
    /// The channels in file order.
    pub const ALL: [Self; 3] = [Self::Location, Self::Rotation, Self::Scale];

    /// Returns the presence bit of the channel.
    pub const fn bit(self) -> u8 {
        match self {
            Self::Location => 0x01,
            Self::Rotation => 0x02,
            Self::Scale => 0x04,
        }
    }

    /// Returns the name used in paths.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Location => "locations",
            Self::Rotation => "rotations",
            Self::Scale => "scales",
        }
    }

    /// Returns the item of the channel among those of all channels, in the order of [`ALL`](Self::ALL).
    pub(crate) fn of<T>(self, [location, rotation, scale]: [T; 3]) -> T {
        match self {
            Self::Location => location,
            Self::Rotation => rotation,
            Self::Scale => scale,
        }
    }

    /// Returns the kind of the values at a precision.
    pub const fn kind(self, precision: Precision) -> ValueKind {
        match (self, precision) {
            (Self::Rotation, Precision::Single) => ValueKind::FloatQ,
            (Self::Rotation, Precision::Double) => ValueKind::DoubleQ,
            (_, Precision::Single) => ValueKind::Float3,
            (_, Precision::Double) => ValueKind::Double3,
        }
    }

    /// Returns the number of bytes per key in a file of this layout.
    pub(crate) const fn key_size(self, layout: SeanimLayout) -> usize {
        let components: usize = match self {
            Self::Rotation => 4,
            Self::Location | Self::Scale => 3,
        };
        let width = match layout.precision {
            Precision::Single => 4,
            Precision::Double => 8,
        };
        components.saturating_mul(width).saturating_add(layout.frame_width.bytes())
    }
}

/// Whether the values of a file are `f32` or `f64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// `f32`.
    Single,
    /// `f64` (`PRECISION_HIGH`).
    Double,
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
