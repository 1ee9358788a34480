//! Interpolation between two values, for every type of value.

use crate::model::sealed::Float;
use crate::num::{f64_from_i128, i128_from_f64};
use crate::{Color, Color32, Handle, Quat, Real, Slerp};

/// A value that can be interpolated.
///
/// The formulas are in the docs of [`Rules`](crate::Rules); `t` is from 0 to 1. `slerp` is used
/// only for quaternions; for other types it is compiled away.
pub trait Interpolate: Copy {
    /// Whether the type is a single number: arrays of such types are vectors, other arrays
    /// matrices.
    const SCALAR: bool = false;

    fn linear<F: Real>(from: Self, to: Self, t: F, slerp: Slerp) -> Self;

    fn hermite<F: Real>(curve: Curve<Self>, t: F, slerp: Slerp) -> Self {
        Self::linear::<F>(curve.from, curve.to, t, slerp)
    }

    fn bezier<F: Real>(curve: Curve<Self>, t: F, slerp: Slerp) -> Self {
        Self::linear::<F>(curve.from, curve.to, t, slerp)
    }

    /// Returns the start of a linear segment to another angle according to
    /// [`FullTurn::BeginsAtZero`](crate::FullTurn::BeginsAtZero).
    fn straight_start(self, _to: Self) -> Self {
        self
    }

    /// Returns the value of the handles of key `index`, one handle per component.
    ///
    /// Only floats and their vectors have handles; other values are returned unchanged.
    fn with_handles(self, _handles: &[Handle], _index: usize) -> Self {
        self
    }

    /// Returns the difference between two values by the rules of
    /// [`value_error`](crate::value_error).
    fn distance(self, other: Self) -> f64;
}

/// The end point of a curve segment and the tangents that shape it.
#[derive(Clone, Copy, Debug)]
pub struct Curve<T> {
    pub from: T,
    /// The right tangent of the key at the start of the segment.
    pub right: T,
    /// The left tangent of the key at the end of the segment.
    pub left: T,
    pub to: T,
}

impl<T> Curve<T> {
    fn map<U>(self, mut f: impl FnMut(T) -> U) -> Curve<U> {
        Curve { from: f(self.from), right: f(self.right), left: f(self.left), to: f(self.to) }
    }
}

/// Curves are computed in `f64`: in `f32` the weights of a Hermite curve lose up to 4 units in the
/// last place, so that a curve and a part of it would not play alike.
impl Curve<f64> {
    fn hermite(self, t: f64) -> f64 {
        let (square, cube) = (t * t, t * t * t);
        let to = 3.0 * square - 2.0 * cube;
        (1.0 - to) * self.from
            + (cube - 2.0 * square + t) * self.right
            + to * self.to
            + (cube - square) * self.left
    }

    fn bezier(self, t: f64) -> f64 {
        let u = 1.0 - t;
        u * u * u * self.from
            + 3.0 * u * u * t * self.right
            + 3.0 * u * t * t * self.left
            + t * t * t * self.to
    }
}

impl<T: Real> Interpolate for T {
    const SCALAR: bool = true;

    #[inline]
    fn linear<F: Real>(from: Self, to: Self, t: F, _slerp: Slerp) -> Self {
        if t >= F::ONE {
            return to;
        }
        let (a, b): (T::Wider<F>, T::Wider<F>) = (from.cast(), to.cast());
        (a + (b - a) * t.cast()).cast()
    }

    fn hermite<F: Real>(curve: Curve<Self>, t: F, _slerp: Slerp) -> Self {
        T::from_f64(curve.map(T::to_f64).hermite(t.to_f64()))
    }

    fn bezier<F: Real>(curve: Curve<Self>, t: F, _slerp: Slerp) -> Self {
        T::from_f64(curve.map(T::to_f64).bezier(t.to_f64()))
    }

    fn straight_start(self, to: Self) -> Self {
        let angle: f32 = self.cast();
        if self != to && angle.abs() == core::f32::consts::TAU { T::ZERO } else { self }
    }

    fn with_handles(self, handles: &[Handle], index: usize) -> Self {
        handles.get(index).map_or(self, |handle| T::from_f64(handle.value))
    }

    fn distance(self, other: Self) -> f64 {
        let (a, b) = (self.to_f64(), other.to_f64());
        if a == b || (a.is_nan() && b.is_nan()) { 0.0 } else { or_infinite((a - b).abs()) }
    }
}

fn or_infinite(distance: f64) -> f64 {
    if distance.is_nan() { f64::INFINITY } else { distance }
}

macro_rules! interpolate_integers {
    ($($integer:ty),*) => {$(
        impl Interpolate for $integer {
            const SCALAR: bool = true;

            fn linear<F: Real>(from: Self, to: Self, t: F, _slerp: Slerp) -> Self {
                let between = between_integers(i128::from(from), i128::from(to), t.to_f64());
                Self::try_from(between).unwrap_or(to)
            }

            fn distance(self, other: Self) -> f64 {
                f64_from_i128(i128::from(self).saturating_sub(i128::from(other)).saturating_abs())
            }
        }
    )*};
}
interpolate_integers!(u8, u16, u32, u64, i8, i16, i32, i64);

/// Interpolates between 64-bit integers, rounded, halves away from zero.
///
/// Only the offset from the smaller one is a float: adding in `f64` would round large ends.
fn between_integers(from: i128, to: i128, t: f64) -> i128 {
    if t >= 1.0 {
        return to;
    }
    let (low, high, t) = if from < to { (from, to, t) } else { (to, from, 1.0 - t) };
    let way = f64_from_i128(high.saturating_sub(low)) * t;
    let below = low.saturating_add(i128_from_f64(way.floor()));
    let rest = way - way.floor();
    let up = rest > 0.5 || (rest == 0.5 && below >= 0);
    below.saturating_add(i128::from(up)).clamp(low, high)
}

impl Interpolate for bool {
    const SCALAR: bool = true;

    fn linear<F: Real>(from: Self, _to: Self, _t: F, _slerp: Slerp) -> Self {
        from
    }

    fn distance(self, other: Self) -> f64 {
        f64::from(u8::from(self != other))
    }
}

impl Interpolate for Option<&str> {
    fn linear<F: Real>(from: Self, _to: Self, _t: F, _slerp: Slerp) -> Self {
        from
    }

    fn distance(self, other: Self) -> f64 {
        f64::from(u8::from(self != other))
    }
}

impl<T: Interpolate, const N: usize> Interpolate for [T; N] {
    #[inline]
    fn linear<F: Real>(mut from: Self, to: Self, t: F, slerp: Slerp) -> Self {
        for (from, to) in from.iter_mut().zip(&to) {
            *from = T::linear::<F>(*from, *to, t, slerp);
        }
        from
    }

    fn hermite<F: Real>(curve: Curve<Self>, t: F, slerp: Slerp) -> Self {
        if T::SCALAR {
            by_component(curve, |curve| T::hermite::<F>(curve, t, slerp))
        } else {
            Self::linear::<F>(curve.from, curve.to, t, slerp)
        }
    }

    fn bezier<F: Real>(curve: Curve<Self>, t: F, slerp: Slerp) -> Self {
        by_component(curve, |curve| T::bezier::<F>(curve, t, slerp))
    }

    fn straight_start(mut self, to: Self) -> Self {
        for (from, to) in self.iter_mut().zip(to) {
            *from = from.straight_start(to);
        }
        self
    }

    fn with_handles(mut self, handles: &[Handle], index: usize) -> Self {
        for (component, value) in self.iter_mut().enumerate() {
            let index = index * N + component;
            *value = value.with_handles(handles, index);
        }
        self
    }

    fn distance(self, other: Self) -> f64 {
        self.into_iter().zip(other).fold(0.0, |sum, (a, b)| sum.hypot(a.distance(b)))
    }
}

fn by_component<T: Copy, const N: usize>(
    curve: Curve<[T; N]>,
    f: impl Fn(Curve<T>) -> T,
) -> [T; N] {
    let mut result = curve.from;
    let sides = curve.right.into_iter().zip(curve.left).zip(curve.to);
    for (value, ((right, left), to)) in result.iter_mut().zip(sides) {
        *value = f(Curve { from: *value, right, left, to });
    }
    result
}

impl<T: Real> Interpolate for Quat<T> {
    fn linear<F: Real>(from: Self, to: Self, t: F, slerp: Slerp) -> Self {
        let (from, to): (Quat<T::Wider<F>>, _) = (from.cast(), to.cast());
        match slerp {
            Slerp::Raw => from.slerp(to, t.cast()).cast(),
            Slerp::Directions => from.slerp_directions(to, t.cast()).cast(),
        }
    }

    fn bezier<F: Real>(curve: Curve<Self>, t: F, slerp: Slerp) -> Self {
        Self::from_array(<[T; 4]>::bezier::<F>(curve.map(Self::to_array), t, slerp)).normalized()
    }

    fn distance(self, other: Self) -> f64 {
        let angle = self.angle_to(other);
        let no_rotation = |q: Self| q.angle_to(q).is_nan();
        let neither = angle.is_nan() && no_rotation(self) && no_rotation(other);
        if neither { 0.0 } else { or_infinite(angle) }
    }
}

impl Interpolate for Color {
    fn linear<F: Real>(from: Self, to: Self, t: F, slerp: Slerp) -> Self {
        Self::from_array(<[f32; 4]>::linear::<F>(from.to_array(), to.to_array(), t, slerp))
    }

    fn bezier<F: Real>(curve: Curve<Self>, t: F, slerp: Slerp) -> Self {
        Self::from_array(<[f32; 4]>::bezier::<F>(curve.map(Self::to_array), t, slerp))
    }

    fn distance(self, other: Self) -> f64 {
        self.to_array().distance(other.to_array())
    }
}

impl Interpolate for Color32 {
    fn linear<F: Real>(from: Self, to: Self, t: F, slerp: Slerp) -> Self {
        Self::from_array(<[u8; 4]>::linear::<F>(from.to_array(), to.to_array(), t, slerp))
    }

    fn bezier<F: Real>(curve: Curve<Self>, t: F, slerp: Slerp) -> Self {
        let channels = curve.map(|color| color.to_array().map(f32::from));
        Self::from_array(<[f32; 4]>::bezier::<F>(channels, t, slerp).map(nearest_channel))
    }

    fn distance(self, other: Self) -> f64 {
        self.to_array().distance(other.to_array())
    }
}

fn nearest_channel(channel: f32) -> u8 {
    u8::try_from(i128_from_f64(f64::from(channel)).clamp(0, 255)).unwrap_or(u8::MAX)
}
