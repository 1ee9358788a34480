//! How engines evaluate tracks between keys.

mod clip;
mod column;
mod interpolate;
mod sampler;
mod segments;

pub use clip::{ClipCursor, ClipSampler, Pose, Slot};
pub(crate) use column::{Column, Reader};
pub(crate) use interpolate::Interpolate;
pub use sampler::{Cursor, Sampler};
pub(crate) use segments::{Place, Segments};

use crate::real::sealed::Float as _;
use crate::{Element, Property, Quat, Real, Text, TrackData, Value, Values, kind_table};

/// The rules by which an engine evaluates a track.
///
/// Each format names its own: [`FormatInfo::evaluator`](crate::FormatInfo::evaluator). The page
/// `docs/evaluation.md` shows the formulas with their sources and figures.
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
    /// X4 (.ANI): computes as [`Resonite`](Self::Resonite) does; angles stay angles, and the
    /// times of handles have no influence. A last or only key that begins a Bezier curve shows its
    /// right handle, not its value.
    ///
    /// What only the file knows, this does not: types of keys that show 0, and splines. The exact
    /// model of crate `inbetween-x4-ani` samples with these rules too.
    X4,
    /// X4, angles: as [`X4`](Self::X4), and a straight way from 2 pi or -2 pi to another angle
    /// begins at 0, also at the time of the key. See [`of`](Self::of).
    X4Angles,
    /// SEAnim, which no engine of its own plays: computes as [`Linear`](Self::Linear) does.
    SeAnim,
    /// No engine, as between two formats: everything is computed in `f64` and rounded once, and
    /// slerp does not depend on the lengths of the quaternions.
    Linear,
}

impl Evaluator {
    /// Every evaluator.
    pub const ALL: [Self; 5] =
        [Self::Resonite, Self::X4, Self::X4Angles, Self::SeAnim, Self::Linear];

    /// Returns the rules for tracks of a property: for X4, angles have one of their own.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{EulerOrder, Evaluator, Property};
    ///
    /// let angles = Property::RotationEuler(EulerOrder::X4);
    /// assert_eq!(Evaluator::X4.of(&angles), Evaluator::X4Angles);
    /// assert_eq!(Evaluator::X4.of(&Property::Scale), Evaluator::X4);
    /// assert_eq!(Evaluator::Linear.of(&angles), Evaluator::Linear);
    /// ```
    #[must_use]
    pub const fn of(self, property: &Property) -> Self {
        match (self, property) {
            (Self::X4, Property::RotationEuler(_)) => Self::X4Angles,
            _ => self,
        }
    }

    /// Returns the value of a track at a time in seconds; `None` for a track without keys.
    ///
    /// A time that is NaN gives the first key. The segment is searched for: see
    /// [`sample_from`](Self::sample_from) for playing, and [`sampler`](Self::sampler) for many
    /// samples of values whose type is known.
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
        with_engine!(self, sample(data, None, time))
    }

    /// As [`sample`](Self::sample), but walks on from where the cursor is.
    ///
    /// The value is the same to the bit, whatever the cursor was used for before. At rising times
    /// no key is looked at twice.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Cursor, Evaluator, TrackData, Value};
    ///
    /// let data = TrackData::uniform(1.0, vec![0.0_f32, 4.0, 6.0]);
    /// let mut cursor = Cursor::default();
    /// for (time, value) in [(0.5, 2.0), (1.5, 5.0), (0.25, 1.0)] {
    ///     let sampled = Evaluator::Linear.sample_from(&data, &mut cursor, time);
    ///     assert_eq!(sampled, Some(Value::Float(value)));
    /// }
    /// ```
    pub fn sample_from(self, data: &TrackData, cursor: &mut Cursor, time: f64) -> Option<Value> {
        with_engine!(self, sample(data, Some(cursor), time))
    }

    /// Makes a sampler of a track whose values are of type `T`; `None` if they are not.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Evaluator, TrackData};
    ///
    /// let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [1.0, 2.0, 3.0]]);
    /// let hips = Evaluator::Linear.sampler::<[f32; 3]>(&data).ok_or("not float3")?;
    /// assert_eq!(hips.sample(0.25), Some([0.5, 1.0, 1.5]));
    /// assert!(Evaluator::Linear.sampler::<f32>(&data).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    pub fn sampler<T: Element>(self, data: &TrackData) -> Option<Sampler<'_, T>> {
        Sampler::new(data, self)
    }
}

impl Evaluator {
    /// Returns the value at a time on a straight way from one key to another, each a time in
    /// seconds and a value; before the one and after the other they hold.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::Evaluator;
    ///
    /// let value = Evaluator::Linear.between((1.0, [0.0_f32, 8.0]), (3.0, [4.0, 0.0]), 2.5);
    /// assert_eq!(value, [3.0, 2.0]);
    /// ```
    pub fn between<T: Element>(self, from: (f64, T), to: (f64, T), time: f64) -> T {
        match self {
            Self::Resonite | Self::X4 => between::<Resonite, T>(from, to, time),
            Self::X4Angles => {
                between::<Resonite, T>((from.0, from.1.straight_start(to.1)), to, time)
            }
            Self::SeAnim | Self::Linear => between::<Linear, T>(from, to, time),
        }
    }
}

#[expect(clippy::arithmetic_side_effects, reason = "floats neither panic nor wrap")]
fn between<E: Engine, T: Element>(from: (f64, T), to: (f64, T), time: f64) -> T {
    let [start, end, now] = [from.0, to.0, time].map(E::Float::from_f64);
    let t = (now - start) / (end - start);
    if t > E::Float::ZERO { T::linear::<E>(from.1, to.1, t) } else { from.1 }
}

/// Calls a function with the engine of an evaluator as its first type argument, and the evaluator
/// itself as its first argument.
macro_rules! with_engine {
    ($evaluator:expr, $function:ident($($argument:expr),*)) => {
        match $evaluator {
            $crate::Evaluator::Resonite
            | $crate::Evaluator::X4
            | $crate::Evaluator::X4Angles => {
                $function::<$crate::eval::Resonite>($evaluator, $($argument),*)
            }
            $crate::Evaluator::SeAnim | $crate::Evaluator::Linear => {
                $function::<$crate::eval::Linear>($evaluator, $($argument),*)
            }
        }
    };
}
pub(crate) use with_engine;

macro_rules! define_sample {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        fn sample<E: Engine>(
            evaluator: Evaluator,
            data: &TrackData,
            cursor: Option<&mut Cursor>,
            time: f64,
        ) -> Option<Value> {
            let segments = Segments::new(data);
            let place = match cursor {
                Some(cursor) => segments.at_cursor(cursor, time)?,
                None => segments.at(time)?,
            };
            match data.values() {
                $(Values::$variant(values) => {
                    let column = Column::new(values, data.tangents(), evaluator);
                    column.at::<E>(place).map(Value::$variant)
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
pub trait Engine {
    /// The float in which the engine computes times and fractions.
    type Float: Real;

    /// Goes from one rotation to another.
    fn slerp<T: Real>(from: Quat<T>, to: Quat<T>, t: T) -> Quat<T>;
}

/// The engine of [`Evaluator::Resonite`], and of X4, whose own rules are those of a [`Column`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resonite;

impl Engine for Resonite {
    type Float = f32;

    fn slerp<T: Real>(from: Quat<T>, to: Quat<T>, t: T) -> Quat<T> {
        from.slerp(to, t)
    }
}

/// The engine of [`Evaluator::Linear`] and of [`Evaluator::SeAnim`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear;

impl Engine for Linear {
    type Float = f64;

    fn slerp<T: Real>(from: Quat<T>, to: Quat<T>, t: T) -> Quat<T> {
        from.slerp_directions(to, t)
    }
}
