//! Formats values for CSV cells and JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use inbetween::{Color, Color32, Quat, Value, ValueKind, kind_table, printable};

use crate::json::json_text;

/// One number or string of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Bool(bool),
    Whole(i128),
    Single(f32),
    Double(f64),
    Text(Option<&'a str>),
}

impl Cell<'_> {
    /// Prints floats with the fewest digits that identify them, and non-finite values as Resonite
    /// does: `"NaN"`, `"Infinity"`, `"-Infinity"`.
    pub(crate) fn write_json(self, out: &mut impl Write) -> io::Result<()> {
        match (self, self.not_finite()) {
            (_, Some(word)) => write!(out, "\"{word}\""),
            (Self::Text(text), None) => json_text(text, out),
            (_, None) => self.write_number(out),
        }
    }

    pub(crate) fn write_csv(self, out: &mut impl Write) -> io::Result<()> {
        match (self, self.not_finite()) {
            (_, Some(word)) => out.write_all(word.as_bytes()),
            (Self::Text(text), None) => csv_field(text, out),
            (_, None) => self.write_number(out),
        }
    }

    /// Returns an angle in radians as degrees; other values are unchanged.
    pub(crate) fn in_degrees(self) -> Self {
        match self {
            Self::Single(angle) => Self::Single(angle.to_degrees()),
            Self::Double(angle) => Self::Double(angle.to_degrees()),
            other => other,
        }
    }

    fn write_number(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Bool(value) => write!(out, "{value}"),
            Self::Whole(value) => write!(out, "{value}"),
            Self::Single(value) => Ok(serde_json::to_writer(out, &value)?),
            Self::Double(value) => Ok(serde_json::to_writer(out, &value)?),
            Self::Text(_) => Ok(()),
        }
    }

    fn not_finite(self) -> Option<&'static str> {
        let number = match self {
            Self::Single(value) => f64::from(value),
            Self::Double(value) => value,
            _ => return None,
        };
        match number {
            _ if number.is_finite() => None,
            _ if number.is_nan() => Some("NaN"),
            _ if number > 0.0 => Some("Infinity"),
            _ => Some("-Infinity"),
        }
    }
}

/// Prints a string as a cell: quoted if necessary, with control characters escaped; null is empty,
/// and an empty string is two quotes.
pub(crate) fn csv_field(text: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    let Some(text) = text else { return Ok(()) };
    let shown = printable(text).to_string();
    if shown.is_empty() || shown.contains([',', '"', ' ']) {
        write!(out, "\"{}\"", shown.replace('"', "\"\""))
    } else {
        out.write_all(shown.as_bytes())
    }
}

/// Prints a value: vectors, quaternions and colors as arrays, matrices as arrays of rows.
pub(crate) fn write_json(value: &Value, out: &mut impl Write) -> io::Result<()> {
    let cells = cells(value);
    let list = |cells: &[Cell<'_>], out: &mut dyn Write| -> io::Result<()> {
        let mut out = out;
        for (index, cell) in cells.iter().enumerate() {
            out.write_all(if index == 0 { b"[" } else { b"," })?;
            cell.write_json(&mut out)?;
        }
        out.write_all(b"]")
    };
    match cells.as_slice() {
        [only] => only.write_json(out),
        all if value.kind().is_matrix() => {
            for (index, row) in all.chunks(side(all.len())).enumerate() {
                out.write_all(if index == 0 { b"[" } else { b"," })?;
                list(row, out)?;
            }
            out.write_all(b"]")
        }
        all => list(all, out),
    }
}

/// Returns the name of a component: x y z w, r g b a, or row and column of a matrix.
pub(crate) fn component_name(kind: ValueKind, index: usize, count: usize) -> Cow<'static, str> {
    let names = match kind {
        _ if count == 1 => return "".into(),
        _ if kind.is_matrix() => {
            let side = side(count);
            let (row, column) = (index.checked_div(side), index.checked_rem(side));
            return format!("m{}{}", row.unwrap_or(0), column.unwrap_or(0)).into();
        }
        ValueKind::Color | ValueKind::Color32 => ["r", "g", "b", "a"],
        _ => ["x", "y", "z", "w"],
    };
    names.get(index).copied().unwrap_or_default().into()
}

/// Returns the number of rows of a matrix with this many numbers.
fn side(numbers: usize) -> usize {
    numbers.isqrt().max(1)
}

/// Returns the numbers of a value in order.
pub(crate) fn cells(value: &Value) -> Vec<Cell<'_>> {
    let mut cells = Vec::with_capacity(4);
    macro_rules! cells_of {
        (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
         pooled { $pid:literal $pooled:ident $pname:literal; }) => {
            match value {
                $(Value::$variant(value) => value.push(&mut cells),)*
                Value::$pooled(text) => cells.push(Cell::Text(text.as_deref())),
                _ => {}
            }
        };
    }
    kind_table!(cells_of);
    cells
}

trait Cells {
    fn push(&self, cells: &mut Vec<Cell<'_>>);
}

macro_rules! one_cell {
    ($($type:ty => $cell:expr;)*) => {$(
        impl Cells for $type {
            fn push(&self, cells: &mut Vec<Cell<'_>>) {
                cells.push($cell(*self));
            }
        }
    )*};
}
one_cell! {
    bool => Cell::Bool;
    f32 => Cell::Single;
    f64 => Cell::Double;
    u8 => |value| Cell::Whole(i128::from(value));
    u16 => |value| Cell::Whole(i128::from(value));
    u32 => |value| Cell::Whole(i128::from(value));
    u64 => |value| Cell::Whole(i128::from(value));
    i8 => |value| Cell::Whole(i128::from(value));
    i16 => |value| Cell::Whole(i128::from(value));
    i32 => |value| Cell::Whole(i128::from(value));
    i64 => |value| Cell::Whole(i128::from(value));
}

impl<T: Cells, const N: usize> Cells for [T; N] {
    fn push(&self, cells: &mut Vec<Cell<'_>>) {
        for part in self {
            part.push(cells);
        }
    }
}

impl<T: Cells + Copy> Cells for Quat<T> {
    fn push(&self, cells: &mut Vec<Cell<'_>>) {
        self.to_array().push(cells);
    }
}

impl Cells for Color {
    fn push(&self, cells: &mut Vec<Cell<'_>>) {
        self.to_array().push(cells);
    }
}

impl Cells for Color32 {
    fn push(&self, cells: &mut Vec<Cell<'_>>) {
        self.to_array().push(cells);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(value: &Value) -> String {
        let mut out = Vec::new();
        write_json(value, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn floats_have_the_digits_of_their_width() {
        assert_eq!(json(&Value::Float(0.1)), "0.1");
        assert_eq!(json(&Value::Double(0.1)), "0.1");
        assert_eq!(json(&Value::Double(f64::from(0.1_f32))), "0.10000000149011612");
        assert_eq!(json(&Value::Float2([f32::NAN, f32::NEG_INFINITY])), r#"["NaN","-Infinity"]"#);
    }

    #[test]
    fn values_keep_their_shape() {
        assert_eq!(json(&Value::Double2x2([[1.0, 2.0], [3.0, 4.0]])), "[[1.0,2.0],[3.0,4.0]]");
        assert_eq!(json(&Value::ULong(u64::MAX)), "18446744073709551615");
        assert_eq!(json(&Value::Bool2([true, false])), "[true,false]");
        assert_eq!(json(&Value::String(None)), "null");
        assert_eq!(json(&Value::String(Some("a\u{1b}\"".into()))), r#""a\u001b\"""#);
        assert_eq!(json(&Value::Color32(Color32::from_array([1, 2, 3, 4]))), "[1,2,3,4]");
    }

    #[test]
    fn cells_are_quoted_only_if_necessary() {
        let csv = |text: Option<&str>| {
            let mut out = Vec::new();
            csv_field(text, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!((csv(None), csv(Some(""))), (String::new(), "\"\"".to_owned()));
        assert_eq!(csv(Some("a,\"b\"")), "\"a,\"\"b\"\"\"");
        assert_eq!(csv(Some("a\nb\u{1b}")), "a\\nb\\u{1b}");
    }

    #[test]
    fn components_have_the_names_of_their_kind() {
        assert_eq!(component_name(ValueKind::FloatQ, 3, 4), "w");
        assert_eq!(component_name(ValueKind::Color, 3, 4), "a");
        assert_eq!(component_name(ValueKind::Float3x3, 5, 9), "m12");
        assert_eq!(component_name(ValueKind::Int, 0, 1), "");
    }
}
