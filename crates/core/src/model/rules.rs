//! How an engine plays keys.

use crate::Property;

/// The rules by which keys play: what an engine makes of a track between and at its keys, and of
/// the duration that a clip states.
///
/// An [`Animation`](crate::Animation) carries the rules that its keys were made for: a reader sets
/// those of its format, and a clip made in memory has [`LINEAR`](Self::LINEAR). Sampling, edits,
/// baking and writers ask the clip. A format states its rules as a constant:
///
/// ```
/// use inbetween_core::{Clock, Rules, Slerp};
///
/// const RULES: Rules = Rules::LINEAR.with_clock(Clock::F32).with_slerp(Slerp::Raw);
/// assert_ne!(RULES, Rules::LINEAR);
/// ```
///
/// All engines share the rest. `docs/evaluation.md` shows the formulas with their sources and
/// figures.
/// * The active key is the last one with a time at or before the sampled time; of keys at the same
///   time the last. At its time a key shows exactly its value. Before the first key and after the
///   last one the track holds their values.
/// * The interpolation of the active key governs the segment to the next key. The normalized time
///   `t` goes from 0 at the one key to 1 at the next.
/// * `bool`, its vectors and `string` hold, whatever the interpolation is.
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
/// Curves without tangents are linear. Of handles a Bezier curve takes the values, and their times
/// have no influence; a Hermite curve with handles is linear. Uniform keys whose interval is not a
/// positive finite number show the first key at all times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Rules {
    /// The float in which times are compared and `t` is computed.
    pub clock: Clock,
    /// How rotations are interpolated.
    pub slerp: Slerp,
    /// What a last or only key shows that begins a Bezier segment with handles.
    pub last_bezier: LastBezier,
    /// Where a linear segment of an angle begins whose first key is at a full turn.
    pub full_turn: FullTurn,
    /// What the duration that a clip states means.
    pub stated_duration: StatedDuration,
    /// Which bones a blend mode reaches that a file states for a node.
    pub blend_reach: BlendReach,
}

/// A float in which an engine computes times.
///
/// Values are computed in the wider of this float and their own, curves in `f64`, and rounded once.
/// Times of keys are rounded to this float before they are compared. This width never makes two
/// rules differ: what it changes is rounding.
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
    /// By the angle between the directions of the two quaternions, whatever their lengths are.
    Directions,
    /// By the dot product as it is; from 1 on, the segment shows its end at once. Rounding to
    /// `f32` makes that happen to keys that are less than about 0.05 degrees apart.
    Raw,
}

/// What a last or only key shows that begins a Bezier segment with handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LastBezier {
    /// Its value, as every other key.
    Value,
    /// The value of its right handle.
    RightHandle,
}

/// Where a linear segment of an Euler angle begins whose first key is at 2 pi or -2 pi as `f32` has
/// it, and whose second key is elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FullTurn {
    /// At the value of the key.
    Kept,
    /// At 0, and the key itself shows 0 too.
    BeginsAtZero,
}

/// What the duration that a clip states means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StatedDuration {
    /// The clip plays at least so long: until the last key or marker if that comes later.
    AtLeast,
    /// The clip plays exactly so long if it is positive and finite; keys may come after the end.
    Exact,
}

/// Which bones a blend mode reaches that a file states for a node
/// ([`Animation::blend_overrides`](crate::Animation::blend_overrides)). The values of tracks play
/// the same either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlendReach {
    /// The node and everything below it that has no mode of its own, once a skeleton tells what that
    /// is. [`Target::blend`](crate::Target::blend) follows the node alone until then.
    Descendants,
    /// The node alone: every curve of the file has a mode of its own.
    Node,
}

impl Rules {
    /// No engine: everything is computed in `f64` and rounded once.
    pub const LINEAR: Self = Self {
        clock: Clock::F64,
        slerp: Slerp::Directions,
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

    /// Returns the rules for tracks of a property: [`FullTurn`] is about Euler angles alone.
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

    /// Returns these rules but with the width of another's clock, which never changes what plays
    /// beyond rounding.
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
