//! Rotations: interpolation, and the 48 bits that they are stored in.

use core::f32::consts::FRAC_1_SQRT_2;

/// A quaternion as x y z w.
pub(crate) type Rotation = [f32; 4];

/// The identity rotation.
pub(crate) const IDENTITY: Rotation = [0.0, 0.0, 0.0, 1.0];

/// The number that stands for 0. A component goes from `-1/sqrt(2)` at 0 to `1/sqrt(2)` at twice
/// this number; an odd number of steps would not contain 0, and so not the identity rotation.
const ZERO: u16 = 16_383;

/// From this dot product on, which is a rotation by up to 51 degrees, [`series`] replaces the
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
        let cosine = libm::fabsf(dot);
        let (a, b) = match self {
            Self::Nlerp => (1.0 - t, t),
            Self::Slerp if cosine >= NEAR => (series(cosine, 1.0 - t), series(cosine, t)),
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

/// Returns `sin(t * angle) / sin(angle)` for an angle with a cosine of at least [`NEAR`].
///
/// This is a power series in `cosine - 1`. Each factor is the ratio of a term to the one before it;
/// the terms after these are below 1.2e-7, the rounding of `f32`.
#[inline]
fn series(cosine: f32, t: f32) -> f32 {
    let (power, square) = (cosine - 1.0, t * t);
    let first = (square - 1.0) * power * (1.0 / 3.0);
    let second = (square - 4.0) * power * (1.0 / 10.0);
    let third = (square - 9.0) * power * (1.0 / 21.0);
    let fourth = (square - 16.0) * power * (1.0 / 36.0);
    t * (1.0 + first * (1.0 + second * (1.0 + third * (1.0 + fourth))))
}

#[inline]
fn dot([ax, ay, az, aw]: Rotation, [bx, by, bz, bw]: Rotation) -> f32 {
    ax * bx + ay * by + az * bz + aw * bw
}

/// Returns the quaternion of length 1 in the same direction; the identity rotation if it has none.
pub(crate) fn normalized(rotation: Rotation) -> Rotation {
    let length = libm::sqrtf(dot(rotation, rotation));
    if length > 0.0 && length.is_finite() { rotation.map(|part| part / length) } else { IDENTITY }
}

/// Returns the rotation of three words.
///
/// The low 15 bits of the words are the three components that are not the largest, in the order
/// x y z w. The top bits of the first two are the index of the largest component, which is
/// positive; that of the last word is 0.
#[inline]
pub(crate) fn decode(words: [u16; 3]) -> Rotation {
    let part = |word: u16| {
        (f32::from(word & 0x7fff) - f32::from(ZERO)) * (FRAC_1_SQRT_2 / f32::from(ZERO))
    };
    let [p, q, r] = words.map(part);
    let largest = libm::sqrtf((1.0 - p * p - q * q - r * r).max(0.0));
    let [first, second, _] = words.map(|word| word >> 15);
    match (first, second) {
        (0, 0) => [largest, p, q, r],
        (1, 0) => [p, largest, q, r],
        (0, _) => [p, q, largest, r],
        _ => [p, q, r, largest],
    }
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
        crate::num::u16_from_f32(steps).min(2 * ZERO)
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
                let off = f64::from(series(cosine, t)) - expected;
                assert!(off.abs() < 2e-7, "{off} at {t} of {cosine}");
            }
        }
        assert_eq!(series(1.0, 0.25), 0.25);
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
    }
}
