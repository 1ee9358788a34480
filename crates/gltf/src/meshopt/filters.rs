//! The filters that turn decoded bytes into those of a view, in place.

use core::f64::consts::FRAC_1_SQRT_2;

use inbetween_core::num;

/// The number of an `i16` that means 1.
const ONE: f64 = 32767.0;

/// Restores rotations of four normalized 16-bit integers.
///
/// Three components are fractions of what the fourth number means by 1 without its two lowest bits.
/// These bits are the place of the largest component, which follows from the length of 1.
pub(super) fn quaternions(bytes: &mut [u8]) {
    let (rotations, _) = bytes.as_chunks_mut::<8>();
    for rotation in rotations {
        let (parts, _) = rotation.as_chunks_mut();
        let mut numbers = parts.iter().copied().map(i16::from_le_bytes);
        let [x, y, z, last] = [(); 4].map(|()| numbers.next().unwrap_or_default());
        let scale = FRAC_1_SQRT_2 / f64::from(last | 3);
        let [x, y, z] = [x, y, z].map(|part| f64::from(part) * scale);
        let largest = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
        let whole = match last & 3 {
            0 => [largest, x, y, z],
            1 => [z, largest, x, y],
            2 => [y, z, largest, x],
            _ => [x, y, z, largest],
        };
        for (part, number) in parts.iter_mut().zip(whole) {
            *part = rounded(number * ONE).to_le_bytes();
        }
    }
}

/// Returns the nearest integer; halves are rounded away from zero, and numbers out of range clamped.
fn rounded(number: f64) -> i16 {
    let number = num::i128_from_f64(number.clamp(f64::from(i16::MIN), f64::from(i16::MAX)));
    i16::try_from(number).unwrap_or_default()
}

/// Restores floats from an exponent of 8 bits and a factor of 24 bits.
pub(super) fn exponents(bytes: &mut [u8]) {
    let (numbers, _) = bytes.as_chunks_mut::<4>();
    for number in numbers {
        let bits = i32::from_le_bytes(*number);
        let (exponent, factor) = (bits >> 24, bits << 8 >> 8);
        // A power of two is its exponent, shifted to where an f64 has it.
        let biased = u64::try_from(exponent.saturating_add(1023)).unwrap_or_default();
        let power = f64::from_bits(biased << 52);
        *number = num::f32_from_f64(power * f64::from(factor)).to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exponent_and_a_factor_make_a_float() {
        let float = |exponent: i32, factor: i32| {
            let mut bytes = (exponent << 24 | factor & 0xff_ffff).to_le_bytes();
            exponents(&mut bytes);
            f32::from_le_bytes(bytes)
        };
        assert_eq!(float(0, 5), 5.0);
        assert_eq!(float(-2, -7), -1.75);
        assert_eq!(float(100, 1), 2.0_f32.powi(100));
        assert_eq!(float(-100, (1 << 23) - 1), 8_388_607.0 * 2.0_f32.powi(-100));
        // Exponents that the specification excludes give a number too.
        assert_eq!(float(127, 1 << 22), f32::INFINITY);
        assert_eq!(float(-128, 1), f32::from_bits(1 << 21));
    }

    #[test]
    fn the_largest_component_follows_from_the_others() {
        let rotation = |parts: [i16; 4]| {
            let mut bytes = parts.map(i16::to_le_bytes).concat();
            quaternions(&mut bytes);
            let (parts, _) = bytes.as_chunks::<2>();
            parts.iter().map(|part| i16::from_le_bytes(*part)).collect::<Vec<_>>()
        };
        for (place, expected) in [[32767, 0, 0, 0], [0, 32767, 0, 0], [0, 0, 32767, 0]]
            .into_iter()
            .chain([[0, 0, 0, 32767]])
            .enumerate()
        {
            let last = 0x7fc | i16::try_from(place).unwrap();
            assert_eq!(rotation([0, 0, 0, last]), expected, "{place}");
        }
        assert_eq!(rotation([2047, 0, 0, 2047]), [23170, 0, 0, 23170]);
        // Numbers that no program writes are clamped.
        assert_eq!(rotation([i16::MAX, i16::MIN, 0, 3]), [32767, -32768, 0, 0]);
    }
}
