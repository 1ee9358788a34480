//! How engines evaluate tracks between keys.

mod column;
mod interpolate;
mod segments;

pub(crate) use column::{Column, Reader};
pub(crate) use interpolate::Interpolate;
pub(crate) use segments::{Place, Segments};

use crate::{Quat, Real, Text, TrackData, Value, Values, kind_table};

/// The rules by which an engine evaluates a track.
///
/// For all of them:
/// * The active key is the last one whose time has come; of keys at the same time the last.
///   At its time a key has exactly its value. Before the first key and after the last one the
///   track holds their values.
/// * The interpolation of the active key governs the way to the next one, with `t` going from 0
///   at the one key to 1 at the next.
/// * `bool`, its vectors and `string` hold, whatever the interpolation says.
///
/// Between keys with values a and b, and with the tangents `right` of the one and `left` of the
/// other:
///
/// | interpolation | values |
/// |---|---|
/// | Hold | a |
/// | Linear | a + (b - a) t; vectors, matrices and colours by component |
/// | | integers (`color32` too): from the smaller value on, rounded, halves away from zero |
/// | | quaternions: [`Quat::slerp`] |
/// | Hermite | (2t³ - 3t² + 1) a + (t³ - 2t² + t) right + (3t² - 2t³) b + (t³ - t²) left: `float`, `double` and their vectors; the others are linear |
/// | Bezier | (1-t)³ a + 3(1-t)²t right + 3(1-t)t² left + t³ b; quaternions are then normalised, `color32` rounded and clamped; integers are linear |
///
/// Curves without tangents are linear. Of X4 handles a Bezier curve takes the values, a
/// Hermite curve is linear. Uniform keys whose interval is not a positive finite number show
/// the first key at all times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evaluator {
    /// Resonite (AnimX, AnimJ): times are `f32`, and so is `t`; `f32` values are computed in
    /// `f32`, the others in `f64`.
    ///
    /// Times and intervals of the track are rounded to `f32` first, as a file has them.
    Resonite,
    /// Linear between keys, as SEAnim programs do: everything is computed in `f64` and rounded
    /// once, and slerp does not depend on the lengths of the quaternions.
    ///
    /// Segments that are not linear follow the table above.
    Linear,
}

impl Evaluator {
    /// Returns the value of a track at a time in seconds; `None` for a track without keys.
    ///
    /// A time that is NaN gives the first key.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Evaluator, TrackData, Value};
    ///
    /// let data = TrackData::uniform(0.5, vec![1_i32, 2]);
    /// assert_eq!(Evaluator::Resonite.sample(&data, 0.25), Some(Value::Int(2)));
    /// assert_eq!(Evaluator::Resonite.sample(&data, 9.0), Some(Value::Int(2)));
    /// ```
    pub fn sample(self, data: &TrackData, time: f64) -> Option<Value> {
        match self {
            Self::Resonite => sample::<Resonite>(data, time),
            Self::Linear => sample::<Linear>(data, time),
        }
    }
}

macro_rules! define_sample {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        fn sample<E: Engine>(data: &TrackData, time: f64) -> Option<Value> {
            let place = Segments::new(data).at(time)?;
            match data.values() {
                $(Values::$variant(values) => {
                    Column::new(values, data.tangents()).at::<E>(place).map(Value::$variant)
                })*
                Values::$pooled(strings) => {
                    strings.get(place.key).map(|value| Value::$pooled(value.map(Text::from)))
                }
            }
        }
    };
}
kind_table!(define_sample);

/// What engines do differently.
pub(crate) trait Engine {
    /// The float in which the engine computes times and fractions.
    type Float: Real;

    /// Goes from one rotation to another.
    fn slerp<T: Real>(from: Quat<T>, to: Quat<T>, t: T) -> Quat<T>;
}

/// The engine of [`Evaluator::Resonite`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resonite;

impl Engine for Resonite {
    type Float = f32;

    fn slerp<T: Real>(from: Quat<T>, to: Quat<T>, t: T) -> Quat<T> {
        from.slerp(to, t)
    }
}

/// The engine of [`Evaluator::Linear`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear;

impl Engine for Linear {
    type Float = f64;

    fn slerp<T: Real>(from: Quat<T>, to: Quat<T>, t: T) -> Quat<T> {
        from.slerp_directions(to, t)
    }
}
