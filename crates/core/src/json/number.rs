//! Numbers, read as the nearest float.

use std::str::FromStr;

use super::{Json, JsonResult};
use crate::num::{f32_from_f64, f64_from_u64};

/// A number and its text.
#[derive(Clone, Copy, Debug)]
pub struct Number<'t> {
    text: &'t [u8],
    /// The digits as one integer, if they fit.
    mantissa: u64,
    /// The power of ten by which the integer is multiplied.
    exponent: i32,
    sign: Sign,
    form: Form,
    digits: Digits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Integer,
    Fraction,
}

/// Whether the digits, including those of the exponent, fit into the fields of [`Number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    Fit,
    TooMany,
}

/// The number of decimal digits that always fit into a `u64`.
const DIGITS: usize = 19;

/// The powers of ten that an `f64` represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

impl<'t> Json<'t> {
    /// Reads a number.
    ///
    /// # Errors
    ///
    /// If the next value is not a number.
    #[inline]
    pub fn number(&mut self) -> JsonResult<Number<'t>> {
        match lex(self.rest) {
            Some((number, rest)) => {
                self.rest = rest;
                Ok(number)
            }
            None => self.meant_number(),
        }
    }
}

/// Returns whether the whole text is a number.
pub(super) fn is_number(text: &str) -> bool {
    lex(text.as_bytes()).is_some_and(|(_, rest)| rest.is_empty())
}

/// Takes a number from the start of a text, and returns the rest.
#[expect(
    clippy::inline_always,
    reason = "a call returns the number in memory, and waits when its parts are copied together"
)]
#[inline(always)]
fn lex(start: &[u8]) -> Option<(Number<'_>, &[u8])> {
    let (sign, unsigned) = match start {
        [b'-', rest @ ..] => (Sign::Minus, rest),
        _ => (Sign::Plus, start),
    };
    let (mut mantissa, mut rest) = match unsigned {
        [b'0', rest @ ..] => (0, rest),
        [b'1'..=b'9', ..] => digits(unsigned, 0),
        _ => return None,
    };
    let mut length = unsigned.len().saturating_sub(rest.len());
    let mut form = Form::Integer;
    let mut exponent = 0;
    if let [b'.', fraction @ ..] = rest {
        form = Form::Fraction;
        (mantissa, rest) = fraction_digits(fraction, mantissa);
        let places = fraction.len().saturating_sub(rest.len());
        if places == 0 {
            return None;
        }
        length = length.saturating_add(places);
        exponent = 0_i32.saturating_sub_unsigned(u32::try_from(places).unwrap_or(u32::MAX));
    }
    let mut fit = if length <= DIGITS { Digits::Fit } else { Digits::TooMany };
    if let [b'e' | b'E', tail @ ..] = rest {
        form = Form::Fraction;
        let (given, tail) = scientific(tail)?;
        rest = tail;
        match given {
            Some(given) => exponent = exponent.saturating_add(given),
            None => fit = Digits::TooMany,
        }
    }
    if let [byte, ..] = rest
        && (byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_'))
    {
        return None;
    }
    let text = start.get(..start.len().saturating_sub(rest.len())).unwrap_or_default();
    Some((Number { text, mantissa, exponent, sign, form, digits: fit }, rest))
}

/// Parses the part after the `e`; `Some(None)` if the exponent is too long to be meaningful.
#[inline(never)]
fn scientific(start: &[u8]) -> Option<(Option<i32>, &[u8])> {
    let (sign, unsigned) = match start {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1_i32, start),
    };
    let (exponent, rest) = digits(unsigned, 0);
    match unsigned.len().saturating_sub(rest.len()) {
        0 => None,
        1..=4 => Some((i32::try_from(exponent).ok().map(|it| sign.saturating_mul(it)), rest)),
        _ => Some((None, rest)),
    }
}

/// Appends the digits at the start of a text to a number, and returns the rest of the text; too many
/// of them wrap around.
#[inline]
fn digits(mut rest: &[u8], mut number: u64) -> (u64, &[u8]) {
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit & 0x0f));
        rest = tail;
    }
    (number, rest)
}

/// Like [`digits`], but reads eight digits at a time, without a branch per digit: the fractions of
/// floats have many digits, and not equally many.
#[inline]
fn fraction_digits(mut rest: &[u8], mut number: u64) -> (u64, &[u8]) {
    const POWERS: [u64; 9] =
        [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
    while let Some((eight, tail)) = rest.split_first_chunk() {
        let (count, value) = leading_digits(*eight);
        let power = POWERS.get(count).copied().unwrap_or_default();
        number = number.wrapping_mul(power).wrapping_add(value);
        if count < eight.len() {
            return (number, rest.get(count..).unwrap_or_default());
        }
        rest = tail;
    }
    digits(rest, number)
}

/// Returns how many digits eight bytes start with, and their value. It processes all of them at
/// once.
#[inline]
fn leading_digits(text: [u8; 8]) -> (usize, u64) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let digits = u64::from_le_bytes(text) ^ (0x30 * EACH);
    // A byte above 9 reaches the top bit when 0x76 is added, or has it already. What it carries
    // changes only later bytes.
    let others = (digits | digits.wrapping_add(0x76 * EACH)) & (0x80 * EACH);
    let bits = others.trailing_zeros() & !7;
    // Zeros before the digits replace the bytes after them.
    let digits = digits.checked_shl(64_u32.saturating_sub(bits)).unwrap_or_default();
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    let value = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff;
    (usize::try_from(bits >> 3).unwrap_or_default(), value)
}

impl<'t> Number<'t> {
    /// Returns the text of the number.
    pub fn text(self) -> &'t str {
        std::str::from_utf8(self.text).unwrap_or_default()
    }

    /// Returns the number that a whole text is.
    pub fn of_text(text: &'t str) -> Option<Self> {
        lex(text.as_bytes()).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
    }

    /// Returns a number with a fraction that the standard library reads, in syntax that JSON lacks.
    pub(super) const fn by_library(text: &'t str) -> Self {
        let (sign, form, digits) = (Sign::Plus, Form::Fraction, Digits::TooMany);
        Self { text: text.as_bytes(), mantissa: 0, exponent: 0, sign, form, digits }
    }

    /// Returns whether there is neither a fraction nor an exponent.
    pub const fn is_integer(&self) -> bool {
        matches!(self.form, Form::Integer)
    }

    /// Returns the number if it is an integer that fits into an `i128`.
    #[inline]
    pub fn to_i128(self) -> Option<i128> {
        match (self.form, self.digits) {
            (Form::Fraction, _) => None,
            (Form::Integer, Digits::TooMany) => self.text().parse().ok(),
            (Form::Integer, Digits::Fit) => Some(match self.sign {
                Sign::Plus => i128::from(self.mantissa),
                Sign::Minus => i128::from(self.mantissa).saturating_neg(),
            }),
        }
    }

    /// Returns the nearest float, or `None` if it is infinite.
    #[inline]
    pub fn to_f64(self) -> Option<f64> {
        match self.exact_operation() {
            Some(magnitude) => Some(self.signed(magnitude)),
            None => self.parse(),
        }
    }

    /// Returns the nearest float, or `None` if it is infinite.
    #[inline]
    pub fn to_f32(self) -> Option<f32> {
        /// The low bits of an `f64` that an `f32` lacks; a number halfway between two `f32` has the
        /// highest of them set.
        const MORE: u64 = (1 << 29) - 1;
        const HALF_WAY: u64 = 1 << 28;
        let normal = f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX);
        match self.exact_operation() {
            // The `f64` is off by at most half of its own step. So unless it is itself halfway
            // between two `f32`, it is on the same side of every such halfway point as the number.
            Some(wide)
                if wide == 0.0 || normal.contains(&wide) && wide.to_bits() & MORE != HALF_WAY =>
            {
                Some(f32_from_f64(self.signed(wide)))
            }
            _ => self.parse(),
        }
    }

    /// Returns the nearest float by the standard library, for numbers that are too long for one
    /// operation or too close to a halfway point; `None` if it is infinite.
    #[cold]
    fn parse<T: Copy + Into<f64> + FromStr>(self) -> Option<T> {
        self.text().parse().ok().filter(|float: &T| (*float).into().is_finite())
    }

    /// Returns the magnitude by one multiplication or division of two exact floats, which IEEE 754
    /// rounds correctly.
    #[inline]
    fn exact_operation(&self) -> Option<f64> {
        if self.digits == Digits::TooMany || self.mantissa > 1 << 53 {
            return None;
        }
        let power = POWERS.get(usize::try_from(self.exponent.unsigned_abs()).ok()?)?;
        let mantissa = f64_from_u64(self.mantissa);
        Some(if self.exponent < 0 { mantissa / power } else { mantissa * power })
    }

    #[inline]
    fn signed(self, magnitude: f64) -> f64 {
        match self.sign {
            Sign::Plus => magnitude,
            Sign::Minus => -magnitude,
        }
    }
}

#[cfg(test)]
mod tests {
    fn number(text: &str) -> Option<super::Number<'_>> {
        super::super::tests::json(text).number().ok()
    }

    #[test]
    fn accepts_only_numbers_in_json_syntax() {
        for text in ["0", "-0", "1", "10", "1.5", "-1.5e+10", "0e0", "1E-2", "0.000"] {
            assert!(number(text).is_some(), "{text}");
        }
        for text in [
            "", "-", "+1", ".5", "1.", "01", "1e", "1e+", "0x1", "1_0", "NaN", "1.5f", "--1",
            "1.2.3",
        ] {
            assert!(number(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_float_is_the_nearest_one() {
        assert_eq!(number("0.1").unwrap().to_f32(), Some(0.1));
        assert_eq!(number("1e-7").unwrap().to_f64(), Some(1e-7));
        // Halfway between 1 and the next f32: exactly, and with one more digit.
        let (exact, more) = ("1.000000059604644775390625", "1.0000000596046447753906250001");
        assert_eq!(number(exact).unwrap().to_f32(), Some(1.0));
        assert_eq!(number(more).unwrap().to_f32(), Some(1.000_000_1));
        // The nearest f64 is halfway between two f32; the number itself is above it.
        let double = number("16777217.000000001").unwrap();
        assert_eq!(double.to_f32(), Some(16_777_218.0));
        assert_eq!(number("1e-45").unwrap().to_f32(), Some(f32::from_bits(1)));
        assert_eq!(
            number("2.2250738585072011e-308").unwrap().to_f64(),
            Some(2.225_073_858_507_201e-308)
        );
    }

    #[test]
    fn numbers_that_overflow_are_not_floats() {
        assert_eq!(number("1e39").unwrap().to_f32(), None);
        // Halfway between the largest f32 and the next power of two.
        assert_eq!(number("3.4028235677973367e38").unwrap().to_f32(), None);
        assert_eq!(number("3.4028235677973366e38").unwrap().to_f32(), Some(f32::MAX));
        assert_eq!(number("3.4028235e38").unwrap().to_f32(), Some(f32::MAX));
        assert_eq!(number("-1e309").unwrap().to_f64(), None);
        assert_eq!(number("1e-99999999999").unwrap().to_f64(), Some(0.0));
        assert_eq!(number("1e99999999999999999999").unwrap().to_f64(), None);
    }

    #[test]
    fn zero_keeps_its_sign() {
        assert_eq!(number("-0").unwrap().to_f32().map(f32::to_bits), Some((-0.0_f32).to_bits()));
        assert_eq!(
            number("-0.0e5").unwrap().to_f64().map(f64::to_bits),
            Some((-0.0_f64).to_bits())
        );
        assert_eq!(number("-0").unwrap().to_i128(), Some(0));
    }

    #[test]
    fn integers_keep_all_digits() {
        assert_eq!(number("18446744073709551615").unwrap().to_i128(), Some(u64::MAX.into()));
        assert_eq!(number("-9223372036854775808").unwrap().to_i128(), Some(i64::MIN.into()));
        assert_eq!(number("1.0").unwrap().to_i128(), None);
        assert_eq!(number("1e2").unwrap().to_i128(), None);
        assert_eq!(number(&"9".repeat(60)).unwrap().to_i128(), None);
    }
}
