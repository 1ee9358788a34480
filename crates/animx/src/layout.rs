//! The layout of Curve tracks, and the evidence for it.

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
