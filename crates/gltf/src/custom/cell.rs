//! Single values in JSON.

use inbetween_core::json::{Json, JsonResult};
use inbetween_core::{Color, Color32, Quat};

use crate::json_text::JsonText;
use crate::scene::members::{array, flag, wrong};

/// A value: a number, a boolean or a string of digits, or an array of those.
pub(super) trait Cell: Copy {
    /// Prints a value whose numbers are finite.
    fn print(&self, json: &mut JsonText);

    /// Reads a value.
    fn read(json: &mut Json<'_>) -> JsonResult<Self>;
}

/// A value that can be an item of an array.
trait Part: Cell {
    const ZERO: Self;
}

impl Cell for bool {
    fn print(&self, json: &mut JsonText) {
        json.bool(*self);
    }

    fn read(json: &mut Json<'_>) -> JsonResult<Self> {
        flag(json)
    }
}

impl Part for bool {
    const ZERO: Self = false;
}

macro_rules! numbers {
    ($($type:ty, $zero:literal, $to:ident, $expected:literal;)*) => {$(
        impl Cell for $type {
            fn print(&self, json: &mut JsonText) {
                json.number(self);
            }

            fn read(json: &mut Json<'_>) -> JsonResult<Self> {
                let at = json.offset();
                let number = json.number()?;
                let read = number.$to().and_then(|number| Self::try_from(number).ok());
                read.ok_or_else(|| wrong(at, $expected, number.text()))
            }
        }

        impl Part for $type {
            const ZERO: Self = $zero;
        }
    )*};
}
numbers! {
    u8, 0, to_i128, "an integer from 0 to 255";
    u16, 0, to_i128, "an integer from 0 to 65535";
    u32, 0, to_i128, "an integer from 0 to 4294967295";
    i8, 0, to_i128, "an integer from -128 to 127";
    i16, 0, to_i128, "an integer from -32768 to 32767";
    i32, 0, to_i128, "an integer from -2147483648 to 2147483647";
    f32, 0.0, to_f32, "a number that a float can hold";
    f64, 0.0, to_f64, "a finite number";
}

/// Integers that other JSON readers may round are stored as strings.
macro_rules! texts {
    ($($type:ty),*) => {$(
        impl Cell for $type {
            fn print(&self, json: &mut JsonText) {
                json.string(&self.to_string());
            }

            fn read(json: &mut Json<'_>) -> JsonResult<Self> {
                const EXPECTED: &str = "a text of an integer that 64 bits can hold";
                let at = json.offset();
                let text = json.string(EXPECTED)?;
                text.parse().map_err(|_| wrong(at, EXPECTED, &text))
            }
        }

        impl Part for $type {
            const ZERO: Self = 0;
        }
    )*};
}
texts!(u64, i64);

impl<T: Part, const N: usize> Cell for [T; N] {
    fn print(&self, json: &mut JsonText) {
        json.array(|json| self.iter().for_each(|part| part.print(json)));
    }

    fn read(json: &mut Json<'_>) -> JsonResult<Self> {
        let at = json.offset();
        let (mut parts, mut count) = ([T::ZERO; N], 0_usize);
        array(json, |json| {
            let part = T::read(json)?;
            if let Some(slot) = parts.get_mut(count) {
                *slot = part;
            }
            count = count.saturating_add(1);
            Ok(())
        })?;
        let expected = match N {
            2 => "2 items",
            3 => "3 items",
            _ => "4 items",
        };
        if count == N { Ok(parts) } else { Err(wrong(at, expected, &count.to_string())) }
    }
}

impl<T: Part, const N: usize> Part for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

macro_rules! arrays {
    ($($type:ty),*) => {$(
        impl Cell for $type {
            fn print(&self, json: &mut JsonText) {
                self.to_array().print(json);
            }

            fn read(json: &mut Json<'_>) -> JsonResult<Self> {
                Cell::read(json).map(Self::from_array)
            }
        }
    )*};
}
arrays!(Quat<f32>, Quat<f64>, Color, Color32);
