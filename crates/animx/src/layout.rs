//! The numbers and names of the format, and the layout of Curve tracks with the evidence for it.

use inbetween_core::Interpolation;

/// The id of the format, in errors and findings.
pub(crate) const ID: &str = "animx";

/// The magic number: the string "AnimX" with its length.
pub(crate) const MAGIC: &[u8] = b"\x05AnimX";

/// The version of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Version {
    /// 0: one byte holds both the type and the value kind of a track. No such file is known.
    V0,
    /// 1, as written by Resonite.
    #[default]
    V1,
}

impl Version {
    /// Returns the number.
    pub const fn number(self) -> i32 {
        match self {
            Self::V0 => 0,
            Self::V1 => 1,
        }
    }
}

/// The encoding of the tracks, according to the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// 0: uncompressed.
    #[default]
    Plain,
    /// 1: chunks of LZ4.
    Lz4,
    /// 2: one LZMA stream, the default of Resonite.
    Lzma,
}

impl Encoding {
    /// The encodings in the order of their bytes.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Lz4, Self::Lzma];

    /// Returns the byte of the encoding.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Plain => 0,
            Self::Lz4 => 1,
            Self::Lzma => 2,
        }
    }

    /// Returns the name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Lz4 => "lz4",
            Self::Lzma => "lzma",
        }
    }

    /// Returns the encoding with a name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name)
    }
}

/// The type of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrackType {
    /// 0: values at a fixed interval.
    Raw,
    /// 1: each value holds until the next.
    Discrete,
    /// 2: each key has its own interpolation to the next.
    Curve,
}

impl TrackType {
    /// The types in the order of their bytes.
    pub const ALL: [Self; 3] = [Self::Raw, Self::Discrete, Self::Curve];

    /// Returns the byte of the type.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Raw => 0,
            Self::Discrete => 1,
            Self::Curve => 2,
        }
    }

    /// Returns the name, as in AnimJ.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "Raw",
            Self::Discrete => "Discrete",
            Self::Curve => "Curve",
        }
    }
}

/// Bit of the flags of a Curve track: each key has its own interpolation.
pub(crate) const PER_KEY: u8 = 0x01;

/// Bit of the flags of a Curve track: tangents follow the keys.
pub(crate) const TANGENTS: u8 = 0x02;

/// The smallest size of a track: a type, a kind, two empty strings and a count of 0.
pub(crate) const SMALLEST: usize = 5;

/// Returns the interpolation of a known byte.
pub(crate) const fn interpolation(byte: u8) -> Option<Interpolation> {
    match byte {
        0 => Some(Interpolation::Hold),
        1 => Some(Interpolation::Linear),
        2 => Some(Interpolation::Hermite),
        3 => Some(Interpolation::Bezier),
        _ => None,
    }
}

/// The inverse of [`interpolation`].
pub(crate) const fn interpolation_byte(interpolation: Interpolation) -> u8 {
    match interpolation {
        Interpolation::Linear => 1,
        Interpolation::Hermite => 2,
        Interpolation::Bezier => 3,
        _ => 0,
    }
}

/// The order of the two halves of a Curve key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CurveKeyOrder {
    /// The value, then the time.
    ValueFirst,
    /// The time, then the value, as in Discrete tracks.
    TimeFirst,
}

impl CurveKeyOrder {
    /// Returns the name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ValueFirst => "value-first",
            Self::TimeFirst => "time-first",
        }
    }

    /// Returns the other order.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::ValueFirst => Self::TimeFirst,
            Self::TimeFirst => Self::ValueFirst,
        }
    }
}

/// The order of the two tangents of a Curve key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TangentOrder {
    /// The left tangent, which shapes the segment before the key, then the right one.
    LeftRight,
    /// The right tangent, then the left one.
    RightLeft,
}

impl TangentOrder {
    /// Returns the name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LeftRight => "left-right",
            Self::RightLeft => "right-left",
        }
    }
}

/// The layout of the Curve tracks of a file. No published source settles it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnimxLayout {
    /// The order of value and time.
    pub curve_key: CurveKeyOrder,
    /// The order of the tangents.
    pub tangents: TangentOrder,
}

impl AnimxLayout {
    /// The layout used for writing, and for reading if the bytes allow both orders.
    ///
    /// | source | Curve key | tangents |
    /// |---|---|---|
    /// | the wiki, whose Discrete keys are time first | value, time | right, left |
    /// | the importer that was debugged on the game's own files | value, time | left, right |
    /// | `resonite-core` | time, value | left, right |
    /// a writer of only Discrete tracks, whose files Resonite loads | - | - |
    ///
    /// The wiki states value first, against its own text on Discrete tracks, and files saved by
    /// Resonite need it. Three programs store the left tangent first.
    pub const DEFAULT: Self =
        Self { curve_key: CurveKeyOrder::ValueFirst, tangents: TangentOrder::LeftRight };
}

impl Default for AnimxLayout {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The evidence for the order of the Curve keys of a file.
///
/// A time that is not finite, is negative, or is earlier than that of the key before refutes an
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// The caller requested it.
    Requested,
    /// There are no Curve keys.
    NoCurves,
    /// The other order gives no valid tracks: they hold strings, whose lengths vary.
    OnlyStructure,
    /// The other order is refuted.
    OtherRefuted,
    /// The last key is within the duration of the file, unlike in the other order.
    WithinDuration,
    /// The last key is exactly at the duration, unlike in the other order.
    EndsWithDuration,
    /// More tracks have their first key at 0.
    BeginsAtZero,
    /// None: both orders fit, so [`AnimxLayout::DEFAULT`] was used.
    Ambiguous,
    /// Both orders are refuted, this one by fewer keys.
    LeastRefuted,
}

impl Evidence {
    /// Returns the evidence in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Requested => "as requested",
            Self::NoCurves => "there are no curve keys",
            Self::OnlyStructure => "the other order gives no valid tracks",
            Self::OtherRefuted => "the other order gives impossible times",
            Self::WithinDuration => "the keys end within the duration",
            Self::EndsWithDuration => "the keys end with the duration",
            Self::BeginsAtZero => "more tracks begin at 0",
            Self::Ambiguous => "both orders fit; default used",
            Self::LeastRefuted => {
                "both orders give impossible times; this one gives fewer or as many"
            }
        }
    }
}
