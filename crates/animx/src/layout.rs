//! What the bytes of Curve tracks leave open, and what spoke for the reading that was taken.

/// The order of the two halves of a Curve key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CurveKeyOrder {
    /// The value, then the time.
    ValueFirst,
    /// The time, then the value, as in Discrete tracks.
    TimeFirst,
}

impl CurveKeyOrder {
    /// Returns the name that options use.
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
    /// The left one, which shapes the way to the key, then the right one.
    LeftRight,
    /// The right one, then the left one.
    RightLeft,
}

impl TangentOrder {
    /// Returns the name that options use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LeftRight => "left-right",
            Self::RightLeft => "right-left",
        }
    }
}

/// How the Curve tracks of a file are laid out; no published text settles it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnimxLayout {
    /// The order of value and time.
    pub curve_key: CurveKeyOrder,
    /// The order of the tangents.
    pub tangents: TangentOrder,
}

impl AnimxLayout {
    /// The layout that is written, and read where the bytes speak for none.
    ///
    /// | who | Curve key | tangents |
    /// |---|---|---|
    /// | the wiki, whose Discrete keys are time first | value, time | right, left |
    /// | the importer that was debugged on the game's own files | value, time | left, right |
    /// | `resonite-core` | time, value | left, right |
    /// | a writer of Discrete tracks alone that the game loads | - | - |
    ///
    /// Value first is what the wiki states against its own text on Discrete tracks, and what the
    /// game's files asked for. Three programs have the left tangent first.
    pub const DEFAULT: Self =
        Self { curve_key: CurveKeyOrder::ValueFirst, tangents: TangentOrder::LeftRight };
}

impl Default for AnimxLayout {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What spoke for the order in which the Curve keys of a file were read.
///
/// A reading is refuted by a key at a time that is not finite, is negative, or is before the one
/// of the key before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// The caller asked for it.
    Asked,
    /// Nothing: there are no Curve keys.
    NoCurves,
    /// The other order does not even give tracks: they hold texts, whose lengths vary.
    OnlyStructure,
    /// The other order is refuted.
    OtherRefuted,
    /// Its last key is within the duration of the file, that of the other order is not.
    WithinDuration,
    /// Its last key is where the file ends, that of the other order is not.
    EndsWithDuration,
    /// More of its tracks begin at 0.
    BeginsAtZero,
    /// Nothing: both orders fit, so [`AnimxLayout::DEFAULT`] was taken.
    Ambiguous,
    /// Both orders are refuted, this one at fewer keys.
    LeastRefuted,
}

impl Evidence {
    /// Returns what spoke for the order, in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Asked => "as asked",
            Self::NoCurves => "there are no curve keys",
            Self::OnlyStructure => "the other order gives no tracks",
            Self::OtherRefuted => "the other order gives impossible times",
            Self::WithinDuration => "the keys end within the duration",
            Self::EndsWithDuration => "the keys end with the duration",
            Self::BeginsAtZero => "more tracks begin at 0",
            Self::Ambiguous => "both orders fit, the default taken",
            Self::LeastRefuted => "both orders give impossible times, this one no more",
        }
    }
}
