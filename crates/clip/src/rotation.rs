//! Rotations: interpolation, and the 48 bits that they are stored in.

use core::f32::consts::FRAC_1_SQRT_2;

use crate::four::{Four, LANES};
use crate::num::sqrt;

/// A quaternion as x y z w.
pub(crate) type Rotation = [f32; 4];

/// The identity rotation.
pub(crate) const IDENTITY: Rotation = [0.0, 0.0, 0.0, 1.0];

/// The number that stands for 0. A component goes from `-1/sqrt(2)` at 0 to `1/sqrt(2)` at twice
/// this number; an odd number of steps would not contain 0, and so not the identity rotation.
const ZERO: u16 = 16_383;

/// The words of the identity rotation.
pub(crate) const IDENTITY_WORDS: [u16; 3] = [ZERO | 0x8000, ZERO | 0x8000, ZERO];

/// The largest number in a word.
pub(crate) const LARGEST_WORD: u16 = 2 * ZERO;

/// From this dot product on, which is a rotation by up to 51 degrees, [`Series`] replaces the
/// trigonometric functions. It covers almost all pairs of neighboring keys.
const NEAR: f32 = 0.9;

/// How rotations of two poses are blended, on the shorter arc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RotationBlend {
    /// On a line, normalized: fast, and exact at weights 0, 0.5 and 1.
    #[default]
    Nlerp,
    /// At even speed.
    Slerp,
}

impl RotationBlend {
    /// Returns the normalized rotation at a weight from 0 to 1.
    pub(crate) fn between(self, from: Rotation, to: Rotation, t: f32) -> Rotation {
        let dot = dot(from, to);
        let near = if dot < 0.0 { to.map(|part| -part) } else { to };
        let cosine = dot.abs();
        let (a, b) = match self {
            Self::Nlerp => (1.0 - t, t),
            Self::Slerp if cosine >= NEAR => {
                let (weights, power) = (Weights::new(t), Four::splat(cosine - 1.0));
                let [Four([a, ..]), Four([b, ..])] =
                    [&weights.from, &weights.to].map(|it| it.at(power));
                (a, b)
            }
            Self::Slerp => {
                let angle = libm::acosf(cosine);
                let sine = libm::sinf(angle);
                (libm::sinf((1.0 - t) * angle) / sine, libm::sinf(t * angle) / sine)
            }
        };
        let [fx, fy, fz, fw] = from;
        let [tx, ty, tz, tw] = near;
        normalized([fx * a + tx * b, fy * a + ty * b, fz * a + tz * b, fw * a + tw * b])
    }
}

/// `sin(t * angle) / sin(angle)` as a power series in the cosine of the angle minus 1.
///
/// For a cosine of at least [`NEAR`], the terms after these are below 1.2e-7, the rounding of
/// `f32`.
#[derive(Clone, Copy, Debug)]
struct Series {
    /// The factor of the fourth power.
    highest: f32,
    /// The factors of the third power, of the lower ones, and the constant.
    rest: [f32; 4],
}

impl Series {
    fn new(t: f32) -> Self {
        // Each factor is a multiple of the one before it.
        let ratio = |index: f32| (t * t - index * index) / (index * (2.0 * index + 1.0));
        let [second, third, fourth, fifth] = [1.0, 2.0, 3.0, 4.0].map(ratio);
        let a = t * second;
        let b = a * third;
        let c = b * fourth;
        Self { highest: c * fifth, rest: [c, b, a, t] }
    }

    #[inline]
    fn at(&self, power: Four) -> Four {
        let add = |sum: Four, factor| sum * power + Four::splat(factor);
        self.rest.into_iter().fold(Four::splat(self.highest), add)
    }
}

/// The weights of two rotations at a normalized time, as functions of the angle between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    t: f32,
    from: Series,
    to: Series,
}

impl Weights {
    pub(crate) fn new(t: f32) -> Self {
        Self { t, from: Series::new(1.0 - t), to: Series::new(t) }
    }
}

/// The shorter arcs between four pairs of rotations.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arcs {
    /// The cosines of the angles minus 1.
    power: Four,
    /// -1 if the second rotation is on the other side.
    sign: Four,
    /// Whether an angle is too large for [`Series`].
    far: bool,
}

impl Arcs {
    #[inline]
    pub(crate) fn new(from: &Rotations, to: &Rotations) -> Self {
        let dot = from.x * to.x + from.y * to.y + from.z * to.z + from.w * to.w;
        let power = dot.map(f32::abs) - Four::splat(1.0);
        let far = power.0.iter().any(|power| *power < NEAR - 1.0);
        Self { power, sign: dot.map(|dot| if dot < 0.0 { -1.0 } else { 1.0 }), far }
    }
}

fn dot([ax, ay, az, aw]: Rotation, [bx, by, bz, bw]: Rotation) -> f32 {
    ax * bx + ay * by + az * bz + aw * bw
}

/// Returns the quaternion of length 1 in the same direction; the identity rotation if it has none.
pub(crate) fn normalized(rotation: Rotation) -> Rotation {
    let length = sqrt(dot(rotation, rotation));
    if length > 0.0 && length.is_finite() { rotation.map(|part| part / length) } else { IDENTITY }
}

/// Four rotations, component by component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rotations {
    x: Four,
    y: Four,
    z: Four,
    w: Four,
}

impl Default for Rotations {
    fn default() -> Self {
        let [x, y, z, w] = IDENTITY.map(Four::splat);
        Self { x, y, z, w }
    }
}

impl Rotations {
    /// Returns the rotations of three words each.
    ///
    /// The low 15 bits of the words are the three components that are not the largest, in the order
    /// x y z w. The top bits of the first two are the index of the largest component, which is
    /// positive; that of the last word is 0.
    #[inline]
    pub(crate) fn decode(words: &[[u16; 3]; LANES]) -> Self {
        let p = Four(words.map(|[word, _, _]| part(word)));
        let q = Four(words.map(|[_, word, _]| part(word)));
        let r = Four(words.map(|[_, _, word]| part(word)));
        let rest = Four::splat(1.0) - p * p - q * q - r * r;
        let largest = rest.map(|rest| rest.max(0.0)).sqrt();
        let index = words.map(|[low, high, _]| u32::from(low >> 15) | u32::from(high >> 15) << 1);
        Self {
            x: largest.where_index(index, |index| index == 0, p),
            y: p.where_index(
                index,
                |index| index == 0,
                largest.where_index(index, |index| index == 1, q),
            ),
            z: r.where_index(
                index,
                |index| index == 3,
                largest.where_index(index, |index| index == 2, q),
            ),
            w: largest.where_index(index, |index| index == 3, r),
        }
    }

    /// Returns the rotations between these and others, at even speed on the arcs between them.
    ///
    /// They are normalized if both ends are.
    #[inline]
    pub(crate) fn slerp(&self, to: &Self, arcs: &Arcs, weights: &Weights) -> Self {
        let a = weights.from.at(arcs.power);
        let b = weights.to.at(arcs.power) * arcs.sign;
        Self {
            x: self.x * a + to.x * b,
            y: self.y * a + to.y * b,
            z: self.z * a + to.z * b,
            w: self.w * a + to.w * b,
        }
    }

    /// Like [`slerp`](Self::slerp), for arcs of any length.
    #[cold]
    fn slerp_far(&self, to: &Self, weights: &Weights) -> Self {
        let mut between = Self::default();
        for (lane, (from, to)) in self.lanes().into_iter().zip(to.lanes()).enumerate() {
            between.set(lane, RotationBlend::Slerp.between(from, to, weights.t));
        }
        between
    }

    /// Returns the rotations one by one.
    #[inline]
    pub(crate) fn lanes(&self) -> [Rotation; LANES] {
        let Self { x: Four([xa, xb, xc, xd]), y: Four([ya, yb, yc, yd]), .. } = *self;
        let Self { z: Four([za, zb, zc, zd]), w: Four([wa, wb, wc, wd]), .. } = *self;
        [[xa, ya, za, wa], [xb, yb, zb, wb], [xc, yc, zc, wc], [xd, yd, zd, wd]]
    }

    /// Replaces one of the rotations.
    pub(crate) fn set(&mut self, lane: usize, rotation: Rotation) {
        let parts = [&mut self.x, &mut self.y, &mut self.z, &mut self.w];
        for (part, value) in parts.into_iter().zip(rotation) {
            if let Some(slot) = part.0.get_mut(lane) {
                *slot = value;
            }
        }
    }
}

/// Computes the arcs between two rows of rotations.
pub(crate) fn measure(from: &[Rotations], to: &[Rotations], arcs: &mut [Arcs]) {
    for (arc, (from, to)) in arcs.iter_mut().zip(from.iter().zip(to)) {
        *arc = Arcs::new(from, to);
    }
}

/// Computes the rotations between two rows at a normalized time above 0.
pub(crate) fn slerp(
    from: &[Rotations],
    to: &[Rotations],
    arcs: &[Arcs],
    t: f32,
    now: &mut [Rotations],
) {
    let weights = Weights::new(t);
    for (now, ((from, to), arcs)) in now.iter_mut().zip(from.iter().zip(to).zip(arcs)) {
        // The compiler computes four rotations by vector instructions. Without the call for far
        // arcs it would join several rounds of the loop instead, which takes four times as long.
        *now = if arcs.far { from.slerp_far(to, &weights) } else { from.slerp(to, arcs, &weights) };
    }
}

/// Returns the component that the low 15 bits of a word stand for.
#[inline]
fn part(word: u16) -> f32 {
    (f32::from(word & 0x7fff) - f32::from(ZERO)) * (FRAC_1_SQRT_2 / f32::from(ZERO))
}

/// Returns the rotation of three words, as [`Rotations::decode`] does for four of them.
///
/// Columns are decoded by a loop over this function, from separate lists of first, second and third
/// words, in half the time that fours take. In a row, the three words of a rotation are side by side,
/// and fours are faster.
#[cfg(feature = "build")]
#[inline]
pub(crate) fn decode([first, second, third]: [u16; 3]) -> Rotation {
    let [p, q, r] = [first, second, third].map(part);
    let largest = sqrt((1.0 - p * p - q * q - r * r).max(0.0));
    let index = u32::from(first >> 15) | u32::from(second >> 15) << 1;
    let after_x = if index == 1 { largest } else { q };
    let before_w = if index == 2 { largest } else { q };
    [
        if index == 0 { largest } else { p },
        if index == 0 { p } else { after_x },
        if index == 3 { r } else { before_w },
        if index == 3 { largest } else { r },
    ]
}

/// Returns the three words of a normalized rotation.
#[cfg(feature = "build")]
pub(crate) fn encode(rotation: Rotation) -> [u16; 3] {
    let mut largest = (0_u8, 0.0_f32);
    for (index, part) in (0..).zip(rotation) {
        if libm::fabsf(part) > libm::fabsf(largest.1) {
            largest = (index, part);
        }
    }
    let sign = if largest.1 < 0.0 { -1.0 } else { 1.0 };
    let word = |part: f32| {
        let steps = sign * part * (f32::from(ZERO) / FRAC_1_SQRT_2) + f32::from(ZERO);
        crate::num::u16_from_f32(steps).min(LARGEST_WORD)
    };
    let [x, y, z, w] = rotation.map(word);
    match largest.0 {
        0 => [y, z, w],
        1 => [x | 0x8000, z, w],
        2 => [x, y | 0x8000, w],
        _ => [x | 0x8000, y | 0x8000, z],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about_z(angle: f32) -> Rotation {
        [0.0, 0.0, libm::sinf(angle / 2.0), libm::cosf(angle / 2.0)]
    }

    fn angle(a: Rotation, b: Rotation) -> f64 {
        let [a, b] = [a, b].map(|rotation| rotation.map(f64::from));
        let length = |v: [f64; 4]| v.iter().map(|part| part * part).sum::<f64>().sqrt();
        let sign = if a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        let with = |sign: f64| {
            let [(ax, bx), (ay, by), (az, bz), (aw, bw)] =
                [(a[0], b[0]), (a[1], b[1]), (a[2], b[2]), (a[3], b[3])];
            length([ax + sign * bx, ay + sign * by, az + sign * bz, aw + sign * bw])
        };
        4.0 * with(-sign).atan2(with(sign))
    }

    #[test]
    fn an_arc_has_even_speed_whatever_the_signs() {
        for end in [0.001_f32, 0.02, 0.5, 0.9, 0.91, 3.0] {
            for t in [0.0_f32, 0.1, 0.5, 0.9, 1.0] {
                let to = about_z(end).map(|part| -part);
                let between = RotationBlend::Slerp.between(about_z(0.0), to, t);
                assert!(angle(between, about_z(end * t)) < 2e-6, "{end} at {t}");
            }
        }
    }

    #[test]
    fn the_series_gives_the_weights_of_an_arc() {
        for cosine in [NEAR, 0.95, 0.9999, 1.0 - f32::EPSILON] {
            for t in [0.0_f32, 0.1, 0.25, 0.5, 0.9, 1.0] {
                let angle = f64::from(cosine).acos();
                let expected = (f64::from(t) * angle).sin() / angle.sin();
                let Four([weight, ..]) = Series::new(t).at(Four::splat(cosine - 1.0));
                let off = f64::from(weight) - expected;
                assert!(off.abs() < 2e-7, "{off} at {t} of {cosine}");
            }
        }
        assert_eq!(Series::new(0.25).at(Four::default()), Four::splat(0.25));
    }

    #[test]
    fn four_rotations_play_as_each_alone() {
        let (mut from, mut to) = (Rotations::default(), Rotations::default());
        let ends = [0.02_f32, 0.9, -2.0, 3.0];
        for (lane, end) in ends.into_iter().enumerate() {
            from.set(lane, about_z(0.1 * end));
            to.set(lane, about_z(end).map(|part| -part));
        }
        let (mut arcs, mut now) = ([Arcs::default()], [Rotations::default()]);
        measure(&[from], &[to], &mut arcs);
        slerp(&[from], &[to], &arcs, 0.3, &mut now);
        let between = now.map(|now| now.lanes()).concat();
        for ((end, both), between) in ends.into_iter().zip(from.lanes()).zip(between) {
            assert!(angle(between, about_z(end * (0.1 + 0.9 * 0.3))) < 2e-6, "{end} from {both:?}");
        }
    }

    #[test]
    fn nlerp_is_on_the_same_arc() {
        let between = RotationBlend::Nlerp.between(about_z(0.0), about_z(2.0), 0.5);
        assert!(angle(between, about_z(1.0)) < 1e-6);
        let early = RotationBlend::Nlerp.between(about_z(0.0), about_z(2.0), 0.25);
        assert!((0.001..0.1).contains(&angle(early, about_z(0.5))));
    }

    #[test]
    fn quaternions_without_direction_give_the_identity() {
        assert_eq!(RotationBlend::Slerp.between([0.0; 4], [0.0; 4], 0.5), IDENTITY);
        assert_eq!(normalized([f32::NAN, 0.0, 0.0, 1.0]), IDENTITY);
    }

    #[cfg(feature = "build")]
    #[test]
    fn stored_rotations_are_off_by_at_most_16e_5_radians() {
        let parts = [-0.9_f32, -0.5, -0.31, 0.0, 0.07, 0.5, 0.77];
        let mut worst = 0.0_f64;
        for x in parts {
            for y in parts {
                for z in parts {
                    for w in [-1.0_f32, -0.5, 0.01, 0.5] {
                        let rotation = normalized([x, y, z, w]);
                        let off = angle(decode(encode(rotation)), rotation);
                        worst = worst.max(off);
                    }
                }
            }
        }
        assert!((5e-5..1.6e-4).contains(&worst), "{worst}");
    }

    #[cfg(feature = "build")]
    #[test]
    fn the_identity_and_the_half_turns_are_exact() {
        for largest in 0..4 {
            let mut rotation = [0.0; 4];
            rotation[largest] = 1.0;
            assert_eq!(decode(encode(rotation)), rotation);
            assert_eq!(encode(rotation.map(|part| -part)), encode(rotation));
        }
        assert_eq!(encode(IDENTITY), IDENTITY_WORDS);
    }
}
