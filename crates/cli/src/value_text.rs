//! Formats values for CSV cells and JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use inbetween::core::{Component, printable};
use inbetween::{Value, ValueKind};

use crate::json::json_text;

/// One number or string of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Number(Component),
    Text(Option<&'a str>),
}

impl Cell<'_> {
    /// Prints floats with the fewest digits that identify them, and non-finite values as Resonite
    /// does: `"NaN"`, `"Infinity"`, `"-Infinity"`.
    pub(crate) fn write_json(self, out: &mut impl Write) -> io::Result<()> {
        match (self, self.not_finite()) {
            (_, Some(word)) => write!(out, "\"{word}\""),
            (Self::Text(text), None) => json_text(text, out),
            (Self::Number(number), None) => write_number(number, out),
        }
    }

    pub(crate) fn write_csv(self, out: &mut impl Write) -> io::Result<()> {
        match (self, self.not_finite()) {
            (_, Some(word)) => out.write_all(word.as_bytes()),
            (Self::Text(text), None) => csv_field(text, out),
            (Self::Number(number), None) => write_number(number, out),
        }
    }

    /// Returns an angle in radians as degrees; other values are unchanged.
    pub(crate) fn in_degrees(self) -> Self {
        match self {
            Self::Number(Component::Float(angle)) => {
                Self::Number(Component::Float(angle.to_degrees()))
            }
            Self::Number(Component::Double(angle)) => {
                Self::Number(Component::Double(angle.to_degrees()))
            }
            other => other,
        }
    }

    fn not_finite(self) -> Option<&'static str> {
        let Self::Number(component) = self else { return None };
        match component.number() {
            number if number.is_finite() => None,
            number if number.is_nan() => Some("NaN"),
            number if number > 0.0 => Some("Infinity"),
            _ => Some("-Infinity"),
        }
    }
}

fn write_number(number: Component, out: &mut impl Write) -> io::Result<()> {
    match number {
        Component::Bool(value) => write!(out, "{value}"),
        Component::Integer(value) => write!(out, "{value}"),
        Component::Float(value) => Ok(serde_json::to_writer(out, &value)?),
        Component::Double(value) => Ok(serde_json::to_writer(out, &value)?),
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
            return format!("m{}{}", index / side, index % side).into();
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
    if let Value::String(text) = value {
        return vec![Cell::Text(text.as_deref())];
    }
    let mut cells = Vec::with_capacity(4);
    value.visit(|component| cells.push(Cell::Number(component)));
    cells
}

#[cfg(test)]
mod tests {
    use inbetween::core::Color32;

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
