//! The numbers and names of the format: its id, its groups of keys, and how they play.

use inbetween_core::{
    Axis, Clock, EulerOrder, FirstTime, FullTurn, LastBezier, Rules, StatedDuration,
};

/// The id of the format, in errors and findings.
pub(crate) const ID: &str = "x4-ani";

/// The version of all known files.
pub(crate) const VERSION: i32 = 1;

/// The playback rules of X4, from a trace of its evaluator (`docs/formats/x4-ani.md`, "Meaning").
pub const RULES: Rules = Rules::LINEAR
    .with_clock(Clock::F32)
    .with_first_time(FirstTime::FirstKey)
    .with_last_bezier(LastBezier::RightHandle)
    .with_full_turn(FullTurn::BeginsAtZero)
    .with_stated_duration(StatedDuration::Exact);

/// The order and the signs of rotation angles: `qY(y) qZ(-z) qX(-x)`.
pub const EULER_ORDER: EulerOrder =
    EulerOrder::new([Axis::Y, Axis::Z, Axis::X], [1, -1, -1]).unwrap();

/// A group of keys of a record, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Meters, X right, Y up, Z forward.
    Position,
    /// Euler angles in radians.
    Rotation,
    /// Factors per axis.
    Scale,
    /// Not present in known files; probably the orientation of the scaling axes.
    PreScale,
    /// Not present in known files.
    PostScale,
}

impl Group {
    /// The groups in the order of the file.
    pub const ALL: [Self; 5] =
        [Self::Position, Self::Rotation, Self::Scale, Self::PreScale, Self::PostScale];

    /// Returns the name used in paths and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "positions",
            Self::Rotation => "rotations",
            Self::Scale => "scales",
            Self::PreScale => "pre_scales",
            Self::PostScale => "post_scales",
        }
    }

    /// Returns the index of the group.
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Position => 0,
            Self::Rotation => 1,
            Self::Scale => 2,
            Self::PreScale => 3,
            Self::PostScale => 4,
        }
    }
}
