//! Playback rules: how an engine plays keys.

use crate::Property;

/// The rules by which an engine plays keys: how it interpolates them, and what the stated duration
/// of a clip means.
///
/// An [`Animation`](crate::Animation) carries the rules that its keys were made for: a reader sets
/// those of its format, and a clip made in memory has [`LINEAR`](Self::LINEAR). Sampling, edits,
/// baking and writers use the rules of the clip. A format states its rules as a constant:
///
/// ```
/// use inbetween_core::{Clock, Rules, Slerp};
///
/// const RULES: Rules = Rules::LINEAR.with_clock(Clock::F32).with_slerp(Slerp::Raw);
/// assert_ne!(RULES, Rules::LINEAR);
/// ```
///
/// All engines share the following rules. `docs/evaluation.md` shows the formulas with their
/// sources and figures.
/// * The active key is the last one at or before the sampled time; among keys with equal times, the
///   last one. At its time a key shows exactly its value. Before the first key and after the last
///   key, their values hold.
/// * The interpolation of the active key applies to the segment to the next key. The normalized
///   time `t` goes from 0 at the active key to 1 at the next.
/// * `bool`, its vectors and `string` hold their value with any interpolation.
///
/// Between keys with values a and b, with the tangents `right` of the first and `left` of the
/// second:
///
/// | interpolation | values |
/// |---|---|
/// | Hold | a |
/// | Linear | a + (b - a) t; vectors, matrices and colors by component |
/// | | integers (`color32` too): from the smaller value on, rounded, halves away from zero |
/// | | quaternions: [`Quat::slerp`](crate::Quat::slerp) |
/// | Hermite | (2t³ - 3t² + 1) a + (t³ - 2t² + t) right + (3t² - 2t³) b + (t³ - t²) left: `float`, `double` and their vectors; other kinds are linear |
/// | Bezier | (1-t)³ a + 3(1-t)²t right + 3(1-t)t² left + t³ b; quaternions are then normalized, `color32` rounded and clamped; integers are linear |
///
/// Curves without tangents are linear. A Bezier curve uses the values of handles and ignores their
/// times; a Hermite curve with handles is linear. Uniform keys whose interval is not a positive
/// finite number show the first key at all times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Rules {
    /// The float type in which times are compared and `t` is computed.
    pub clock: Clock,
    /// How rotations are interpolated.
    pub slerp: Slerp,
    /// What shows at the first time if several keys have it.
    pub first_time: FirstTime,
    /// What a last or only key shows if it has Bezier interpolation and handles.
    pub last_bezier: LastBezier,
    /// Where a linear segment begins if its first key is an angle of a full turn.
    pub full_turn: FullTurn,
    /// The meaning of the duration that a clip states.
    pub stated_duration: StatedDuration,
    /// The bones that a blend mode applies to if a file states it for a node.
    pub blend_reach: BlendReach,
}

/// The float type in which an engine computes times.
///
/// Values are computed in the wider of this type and their own, curves in `f64`, and rounded once.
/// Key times are rounded to this type before they are compared. Rules that differ only in the clock
/// count as equal, since the clock changes only rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

/// How rotations are interpolated on the shorter arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Slerp {
    /// By the angle between the directions of the two quaternions, for any lengths.
    Directions,
    /// By the raw dot product. If it is 1 or more, the segment shows its end value at once.
    /// Rounding to `f32` causes this for keys less than about 0.05 degrees apart.
    Raw,
}

/// What a last or only key shows if it has Bezier interpolation and handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LastBezier {
    /// Its value, like every other key.
    Value,
    /// The value of its right handle.
    RightHandle,
}

/// Which of several keys at the first time of a track shows at this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FirstTime {
    /// The last one, as at all other times.
    LastKey,
    /// The first one; after this time, the last one.
    FirstKey,
}

/// Where a linear segment of an Euler angle begins if its first key is exactly 2 pi or -2 pi in
/// `f32` and its second key is another angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FullTurn {
    /// At the value of the key.
    Kept,
    /// At 0; the key itself shows 0 too.
    BeginsAtZero,
}

/// The meaning of the duration that a clip states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StatedDuration {
    /// The clip plays at least this long: until the last key or marker if that is later.
    AtLeast,
    /// The clip plays exactly this long if it is positive and finite; keys may follow the end.
    Exact,
}

/// The bones that a blend mode applies to if a file states it for a node
/// ([`Animation::blend_overrides`](crate::Animation::blend_overrides)). It does not change how the
/// values of tracks play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlendReach {
    /// The node and all descendants without a mode of their own. Finding them requires a skeleton;
    /// without one, [`Target::blend`](crate::Target::blend) is set for the node only.
    Descendants,
    /// Only the node: every curve of the file has a mode of its own.
    Node,
}

impl Rules {
    /// The rules of no engine: everything is computed in `f64` and rounded once.
    pub const LINEAR: Self = Self {
        clock: Clock::F64,
        slerp: Slerp::Directions,
        first_time: FirstTime::LastKey,
        last_bezier: LastBezier::Value,
        full_turn: FullTurn::Kept,
        stated_duration: StatedDuration::AtLeast,
        blend_reach: BlendReach::Descendants,
    };

    /// Returns the rules with another clock.
    #[must_use]
    pub const fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Returns the rules with another interpolation of rotations.
    #[must_use]
    pub const fn with_slerp(mut self, slerp: Slerp) -> Self {
        self.slerp = slerp;
        self
    }

    /// Returns the rules with another rule for keys at the first time.
    #[must_use]
    pub const fn with_first_time(mut self, first_time: FirstTime) -> Self {
        self.first_time = first_time;
        self
    }

    /// Returns the rules with another rule for last Bezier keys.
    #[must_use]
    pub const fn with_last_bezier(mut self, last_bezier: LastBezier) -> Self {
        self.last_bezier = last_bezier;
        self
    }

    /// Returns the rules with another rule for full turns.
    #[must_use]
    pub const fn with_full_turn(mut self, full_turn: FullTurn) -> Self {
        self.full_turn = full_turn;
        self
    }

    /// Returns the rules with another meaning of the stated duration.
    #[must_use]
    pub const fn with_stated_duration(mut self, stated_duration: StatedDuration) -> Self {
        self.stated_duration = stated_duration;
        self
    }

    /// Returns the rules with another reach of blend modes.
    #[must_use]
    pub const fn with_blend_reach(mut self, reach: BlendReach) -> Self {
        self.blend_reach = reach;
        self
    }

    /// Returns the rules for tracks of a property: [`FullTurn`] applies only to Euler angles.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{EulerOrder, FullTurn, Property, Rules};
    ///
    /// let rules = Rules::LINEAR.with_full_turn(FullTurn::BeginsAtZero);
    /// assert_eq!(rules.of(&Property::RotationEuler(EulerOrder::XYZ)), rules);
    /// assert_eq!(rules.of(&Property::Scale), Rules::LINEAR);
    /// ```
    #[must_use]
    pub const fn of(self, property: &Property) -> Self {
        match property {
            Property::RotationEuler(_) => self,
            _ => self.with_full_turn(FullTurn::Kept),
        }
    }

    /// Returns these rules with the clock of others, which changes only rounding.
    #[must_use]
    pub const fn on_clock_of(self, other: Self) -> Self {
        self.with_clock(other.clock)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::LINEAR
    }
}
