//! Numbers: the text of `core::fmt`, mostly from the faster printer that `serde_json` uses too.

use std::fmt::{Debug, Write as _};

use inbetween_core::Component;

/// Appends a flag, an integer, or a float as the shortest text that reads back to it.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the kind of the number is known to every caller")]
pub(super) fn push_number(out: &mut String, number: Component) {
    match number {
        Component::Bool(flag) => out.push_str(if flag { "true" } else { "false" }),
        Component::Integer(integer) => {
            // Writing to a string does not fail.
            let _ = write!(out, "{integer}");
        }
        Component::Float(float) => push_float(out, float),
        Component::Double(float) => push_float(out, float),
    }
}

/// Appends a float, a whole one without `.0`.
///
/// `zmij` and `core::fmt` both print the fewest digits that read back to the float, and of those the
/// nearest to it. They differ in which floats have an exponent, and if two are equally near: then
/// `zmij` chooses the even one, and `core::fmt` the larger one.
#[inline]
pub(super) fn push_float<F: Float>(out: &mut String, float: F) {
    if float.is_ordinary() {
        push_printed(out, float);
    } else {
        push_any(out, float);
    }
}

/// Appends the text of `zmij`.
#[inline]
fn push_printed<F: Float>(out: &mut String, float: F) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(float);
    out.push_str(text.strip_suffix(".0").unwrap_or(text));
}

/// Appends any float. A function of its own, so that printing ordinary ones can be inlined.
#[inline(never)]
fn push_any<F: Float>(out: &mut String, float: F) {
    match (float.layout(), float.digits_if_rounded_down()) {
        (Layout::Fixed, Some(digits)) => {
            push_rounded_up(out, zmij::Buffer::new().format_finite(float), digits);
        }
        (Layout::Fixed | Layout::Exponent, None) => push_printed(out, float),
        (Layout::Exponent, Some(_)) | (Layout::Other, _) => {
            // Writing to a string does not fail.
            let _ = write!(out, "{float:?}");
            if out.ends_with(".0") {
                out.truncate(out.len().saturating_sub(2));
            }
        }
    }
}

/// Appends a text of `zmij`, the last digit rounded up if it is at `digits` after the point. If it
/// is not, the text has fewer digits, and no other text of so few is as near.
fn push_rounded_up(out: &mut String, text: &str, digits: usize) {
    match text.as_bytes() {
        [start @ .., last] if start.iter().rev().nth(digits.saturating_sub(1)) == Some(&b'.') => {
            out.push_str(text.get(..start.len()).unwrap_or_default());
            // The digit is even, so this adds 1.
            out.push(char::from(last | 1));
        }
        _ => out.push_str(text.strip_suffix(".0").unwrap_or(text)),
    }
}

/// Where both printers agree on the layout.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layout {
    /// Digits with a point.
    Fixed,
    /// With a negative exponent.
    Exponent,
    /// They do not agree.
    Other,
}

/// A float that both printers support.
pub(super) trait Float: zmij::Float + Debug {
    /// Returns whether it is certain that both printers print the float alike. It is if the float is
    /// from 1e-4 to 4096 and its last 7 binary digits are not all 0, since only floats that end in
    /// zeros can be halfway between two decimals. Most floats of animations are ordinary.
    fn is_ordinary(self) -> bool;

    fn layout(self) -> Layout;

    /// Returns the number of digits after the point, if the float may be halfway between two
    /// decimals of so many digits, the smaller of which is even.
    fn digits_if_rounded_down(self) -> Option<usize>;
}

macro_rules! floats {
    ($($float:ident, $exponents:literal, below $fixed:literal;)*) => {$(
        impl Float for $float {
            #[inline]
            fn is_ordinary(self) -> bool {
                (1e-4..4096.0).contains(&self.abs()) && self.to_bits() & 0x7f != 0
            }

            #[inline]
            fn layout(self) -> Layout {
                let size = self.abs();
                if size == 0.0 || (1e-4..$fixed).contains(&size) {
                    Layout::Fixed
                } else if size < 1e-7 {
                    Layout::Exponent
                } else {
                    Layout::Other
                }
            }

            #[inline]
            fn digits_if_rounded_down(self) -> Option<usize> {
                const MANTISSA: u32 = $float::MANTISSA_DIGITS - 1;
                digits_if_rounded_down::<MANTISSA, $exponents>(self.to_bits().into())
            }
        }
    )*};
}
floats! {
    f32, 0xff, below 1e13;
    f64, 0x7ff, below 1e16;
}

/// The neighbors of a float are 2^-`places` away, so the shortest decimals have the fewest `digits`
/// after the point for which 10^-`digits` is less than that. A float halfway between two of them is
/// an odd multiple of half of 10^-`digits`, so its last binary digit is at `digits + 1` after the
/// point. Up to there, its binary digits are an odd integer `n`, and the smaller decimal is
/// (`n`·5^`digits` - 1) / 2, which is even if `n` is 1 modulo 4.
#[inline]
fn digits_if_rounded_down<const MANTISSA: u32, const EXPONENTS: u64>(bits: u64) -> Option<usize> {
    /// The logarithm of 2 to base 10, times 2^18.
    const LOG: u64 = 78_913;
    let most = (EXPONENTS / 2).saturating_add(MANTISSA.into());
    let places = most.saturating_sub(bits >> MANTISSA & EXPONENTS);
    let digits = (places.saturating_mul(LOG) >> 18).saturating_add(1);
    let zeros = (bits | 1 << MANTISSA).trailing_zeros();
    let halfway = places == u64::from(zeros).saturating_add(digits).saturating_add(1);
    let next_digit = zeros < MANTISSA && bits >> zeros & 2 != 0;
    (halfway && !next_digit).then(|| usize::try_from(digits).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(float: impl Float) -> String {
        let mut out = String::new();
        push_float(&mut out, float);
        out
    }

    fn expected(float: impl Debug) -> String {
        let text = format!("{float:?}");
        text.strip_suffix(".0").unwrap_or(&text).to_owned()
    }

    fn same(float: impl Float) -> bool {
        let same = printed(float) == expected(float);
        assert!(same, "{} instead of {}", printed(float), expected(float));
        if float.is_ordinary() {
            assert!(matches!(float.layout(), Layout::Fixed), "{float:?}");
            assert_eq!(float.digits_if_rounded_down(), None, "{float:?}");
        }
        !matches!(float.layout(), Layout::Other)
    }

    #[test]
    fn floats_are_short_and_valid_json() {
        for (float, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (1e16, "1e16"),
            (1e-7, "1e-7"),
            (16_777_216.0, "16777216"),
            (f32::MAX, "3.4028235e38"),
            (f32::from_bits(1), "1e-45"),
        ] {
            assert_eq!(printed(float), text);
        }
        assert_eq!(printed(0.1_f64), "0.1");
        assert_eq!(printed(f64::from(0.1_f32)), "0.10000000149011612");
    }

    #[test]
    fn spread_floats_have_the_text_of_fmt() {
        let singles = (0..0x7f80_0000).step_by(21_407).map(f32::from_bits);
        let fast = singles.filter(|float| same(*float) & same(-*float)).count();
        // Large and tiny floats are rare in files, but the fast path must not be.
        assert!(fast > 30_000, "{fast}");
        let doubles = (0..99_952_u64).map(|step| f64::from_bits(step * 92_233_720_367_881));
        let fast = doubles.filter(|float| same(*float)).count();
        assert!(fast > 45_000, "{fast}");
    }

    /// Floats halfway between two decimals have few binary digits.
    #[test]
    fn every_exponent_with_few_digits_has_the_text_of_fmt() {
        for exponent in 0..0xff_u32 {
            for ones in [0, 1, 2, 3, 0x1f, 0x2a_aaaa, 0x7f_ffff] {
                for shift in 0..23 {
                    same(f32::from_bits(exponent << 23 | (ones << shift & 0x7f_ffff)));
                }
            }
        }
        for exponent in 0..0x7ff_u64 {
            for ones in [0, 1, 5, 0xf_ffff_ffff_ffff] {
                for shift in 0..52 {
                    let mantissa = ones << shift & 0xf_ffff_ffff_ffff;
                    same(f64::from_bits(exponent << 52 | mantissa));
                }
            }
        }
    }

    #[test]
    fn powers_of_ten_have_the_text_of_fmt() {
        for power in -330..310 {
            for digits in ["1", "1.5", "9.999999", "1.2345678901234567"] {
                let text = format!("{digits}e{power}");
                let double: f64 = text.parse().unwrap();
                for near in [double.next_down(), double, double.next_up()] {
                    assert!(!near.is_finite() || printed(near) == expected(near));
                }
                let single: f32 = text.parse().unwrap();
                for near in [single.next_down(), single, single.next_up()] {
                    assert!(!near.is_finite() || printed(near) == expected(near));
                }
            }
        }
    }

    #[test]
    fn halfway_digits_are_those_of_fmt() {
        // 1048576.25 and 1048576.75
        assert_eq!(printed(f32::from_bits(0x4980_0002)), "1048576.3");
        assert_eq!(printed(f32::from_bits(0x4980_0006)), "1048576.8");
        assert_eq!(printed(2.0_f32.powi(-12)), "0.00024414063");
        assert_eq!(printed(2.0_f64.powi(-25)), "2.9802322387695313e-8");
        // Keys of long clips are often halfway.
        for frame in 0..u16::MAX {
            same(f32::from(frame) / 32.0);
        }
    }
}
