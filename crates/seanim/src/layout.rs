//! The numbers and names of the format: magic numbers, flags, widths and rules of reading.

use inbetween_core::{Record, Rules, ValueKind};

/// The playback rules of SEAnim: linear segments and slerp in `f64`. No engine defines them.
pub const RULES: Rules = Rules::LINEAR;

/// The id of the format, in errors and findings.
pub(crate) const ID: &str = "seanim";

/// The magic number.
pub(crate) const MAGIC: &[u8] = b"SEAnim";

/// The magic number of the block of blend shapes.
pub(crate) const SHAPES_MAGIC: &[u8] = b"SEBlend\n";

/// The headerSize of all known programs, and that of the specification's text.
pub(crate) const HEADER_SIZES: (u16, u16) = (28, 26);

/// How the values of a file combine with the rest pose; unknown numbers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnimType(pub u8);

impl AnimType {
    /// The values are the local pose.
    pub const ABSOLUTE: Self = Self(0);
    /// Translations and rotations are added to the rest pose.
    pub const ADDITIVE: Self = Self(1);
    /// Translations are added to the rest pose.
    pub const RELATIVE: Self = Self(2);
    /// Like relative; one bone carries the movement of the whole model.
    pub const DELTA: Self = Self(3);
}

/// Bits of [`SeanimHeader::presence`](crate::SeanimHeader::presence).
pub mod presence {
    /// Bones have locations.
    pub const LOCATION: u8 = 0x01;
    /// Bones have rotations.
    pub const ROTATION: u8 = 0x02;
    /// Bones have scales.
    pub const SCALE: u8 = 0x04;
    /// Any of the channel bits: the file has bones.
    pub const BONES: u8 = LOCATION | ROTATION | SCALE;
    /// Reserved bits, normally 0.
    pub const RESERVED: u8 = 0x38;
    /// The file has notes.
    pub const NOTES: u8 = 0x40;
    /// The file has a custom block.
    pub const CUSTOM: u8 = 0x80;
}

/// Bit of [`SeanimHeader::anim_flags`](crate::SeanimHeader::anim_flags): the animation repeats.
pub const LOOPED: u8 = 0x01;

/// Bit of [`SeanimHeader::property`](crate::SeanimHeader::property): values are `f64`.
pub const PRECISION_HIGH: u8 = 0x01;

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

/// The rule for the width of frame numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WidthRule {
    /// Specification 1.0.2: by `frameCount`.
    #[default]
    Standard,
    /// Specification 1.0.1: by `frameCount - 1`; differs only at 256 and 65,536.
    Legacy,
}

/// The rule for the presence of bone and note blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockRule {
    /// By the presence bits.
    #[default]
    Flags,
    /// By the presence bits or a nonzero count.
    Counts,
}

/// How to read a file whose bytes allow several readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The rule for widths.
    pub widths: WidthRule,
    /// The rule for blocks.
    pub blocks: BlockRule,
}

/// The layout of a file: the chosen reading, and what follows from it and the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SeanimLayout {
    /// The chosen reading.
    pub reading: Reading,
    /// The number of bytes of a frame number and of a key count.
    pub frame_width: FrameWidth,
    /// The number of bytes of a bone index.
    pub bone_width: FrameWidth,
    /// Whether values are `f32` or `f64`.
    pub precision: Precision,
}
