//! Where the values of a track are in the rows of a key set, and how their words encode them.

/// Where the values of a track are in the rows of a key set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    pub(crate) set: u32,
    /// The place of its first value or component in its section of each row.
    pub(crate) place: u32,
    pub(crate) storage: Storage,
    pub(crate) segments: Segments,
}

/// What a track shows between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segments {
    Linear,
    Hold,
}

/// How a value is encoded in 16-bit words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Storage {
    /// A half float per component: `offset + scale * half`.
    Halves { offset: [f32; 4], scale: [f32; 4] },
    /// Three words.
    Rotations,
    /// A rotation in `f32`, two words per component: the low and the high half.
    FullRotations,
    /// Two words per component: the low and the high half of an `f32`.
    Floats,
}

impl Storage {
    /// Returns the section of the values in a row.
    pub(crate) const fn section(&self) -> Section {
        match self {
            Self::Halves { .. } => Section::Halves,
            Self::Rotations => Section::Rotations,
            Self::FullRotations => Section::FullRotations,
            Self::Floats => Section::Floats,
        }
    }
}

/// The parts of a row, in the order of their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    Rotations,
    Halves,
    FullRotations,
    Floats,
}

impl Section {
    /// Returns how many values or components a value of `width` components has here.
    pub(crate) const fn places(self, width: usize) -> usize {
        match self {
            Self::Rotations | Self::FullRotations => 1,
            Self::Halves | Self::Floats => width,
        }
    }
}
