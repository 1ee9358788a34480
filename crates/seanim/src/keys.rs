//! Encoded keys of bones and blend shapes.

use inbetween_core::keys::column;
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

    fn size(width: FrameWidth) -> usize {
        width.bytes().saturating_add(V::size(()))
    }

    fn decode(bytes: &[u8], width: FrameWidth) -> Option<Self> {
        let value = V::decode(bytes.get(width.bytes()..)?, ())?;
        Some(Self { frame: width.decode(bytes)?, value })
    }

    fn encode(&self, width: FrameWidth, out: &mut Vec<u8>) {
        width.encode(self.frame, out);
        self.value.encode((), out);
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

impl ShapeKey {
    /// The size in bytes.
    pub(crate) const SIZE: usize = 16;
}

impl Record for ShapeKey {
    type Layout = ();

    fn size((): ()) -> usize {
        Self::SIZE
    }

    fn decode(bytes: &[u8], (): ()) -> Option<Self> {
        let frame = u32::decode(bytes, ())?;
        let [weight, unused @ ..] = <[f32; 3]>::decode(bytes.get(4..)?, ())?;
        Some(Self { frame, weight, unused })
    }

    fn encode(&self, (): (), out: &mut Vec<u8>) {
        self.frame.encode((), out);
        self.weight.encode((), out);
        self.unused.encode((), out);
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
        let (chunks, width) = self.chunks();
        chunks.filter_map(move |key| width.decode(key))
    }

    /// Returns the frame of a key, or `None` if the index is out of range.
    pub(crate) fn frame(&self, index: usize) -> Option<u32> {
        let (mut chunks, width) = self.chunks();
        width.decode(chunks.nth(index)?)
    }

    /// Returns the encoded keys, and the width of the frame number at the start of each.
    fn chunks(&self) -> (core::slice::ChunksExact<'a, u8>, FrameWidth) {
        let (bytes, width) = with_view!(self, view => (view.bytes(), view.layout()));
        let size = bytes.len().checked_div(self.len()).unwrap_or(0).max(1);
        (bytes.chunks_exact(size), width)
    }

    /// Decodes the keys into a column of frames, mapped by `map`, and one of values.
    pub fn decode<T>(&self, map: impl Fn(u32) -> T) -> (Vec<T>, Values) {
        (self.decode_frames(map), self.decode_values(None))
    }

    /// Decodes the frames into a column, mapped by `map`.
    pub(crate) fn decode_frames<T>(&self, map: impl Fn(u32) -> T) -> Vec<T> {
        let (chunks, width) = self.chunks();
        let mut frames = Vec::with_capacity(chunks.len());
        // Each width gets its own loop; the defaults are never used.
        let frame = |key: &[u8], width: FrameWidth| map(width.decode(key).unwrap_or_default());
        match width {
            FrameWidth::One => frames.extend(chunks.map(|key| frame(key, FrameWidth::One))),
            FrameWidth::Two => frames.extend(chunks.map(|key| frame(key, FrameWidth::Two))),
            FrameWidth::Four => frames.extend(chunks.map(|key| frame(key, FrameWidth::Four))),
        }
        frames
    }

    /// Decodes the values of all keys, or of those at `indices`, into a column.
    pub(crate) fn decode_values(&self, indices: Option<&[usize]>) -> Values {
        match self {
            Self::Float3(view) => values_3(view, indices),
            Self::Double3(view) => values_3(view, indices),
            Self::FloatQ(view) => values_q(view, indices),
            Self::DoubleQ(view) => values_q(view, indices),
        }
    }
}

/// Decodes values of 3 components. All six key sizes are constants, so the compiler knows the chunk
/// size of each loop.
fn values_3<V>(view: &View<'_, SeanimKey<V>>, indices: Option<&[usize]>) -> Values
where
    V: Record<Layout = ()> + Element,
{
    match (V::size(()), view.layout()) {
        (12, FrameWidth::One) => values::<V, 13>(view, indices),
        (12, FrameWidth::Two) => values::<V, 14>(view, indices),
        (12, FrameWidth::Four) => values::<V, 16>(view, indices),
        (_, FrameWidth::One) => values::<V, 25>(view, indices),
        (_, FrameWidth::Two) => values::<V, 26>(view, indices),
        (_, FrameWidth::Four) => values::<V, 28>(view, indices),
    }
}

/// Decodes values of 4 components, like [`values_3`] for 3.
fn values_q<V>(view: &View<'_, SeanimKey<V>>, indices: Option<&[usize]>) -> Values
where
    V: Record<Layout = ()> + Element,
{
    match (V::size(()), view.layout()) {
        (16, FrameWidth::One) => values::<V, 17>(view, indices),
        (16, FrameWidth::Two) => values::<V, 18>(view, indices),
        (16, FrameWidth::Four) => values::<V, 20>(view, indices),
        (_, FrameWidth::One) => values::<V, 33>(view, indices),
        (_, FrameWidth::Two) => values::<V, 34>(view, indices),
        (_, FrameWidth::Four) => values::<V, 36>(view, indices),
    }
}

fn values<V, const SIZE: usize>(view: &View<'_, SeanimKey<V>>, indices: Option<&[usize]>) -> Values
where
    V: Record<Layout = ()> + Element,
{
    let (keys, _) = view.bytes().as_chunks::<SIZE>();
    // Same as `view.layout()`, but known at compile time.
    let width = SIZE.saturating_sub(V::size(()));
    // The default is never used: a chunk has the length of a key of this width.
    let value = |key: &[u8; SIZE]| key.get(width..).and_then(|rest| V::decode(rest, ()));
    V::into_values(column(keys, indices, |key| value(key).unwrap_or_default()))
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
