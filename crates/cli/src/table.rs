//! Aligned columns.

use std::fmt::Write;

/// The alignment of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Formats rows with two spaces between columns, indented.
pub(crate) fn lay_out(indent: usize, sides: &[Side], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..sides.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = " ".repeat(indent);
        for ((cell, &side), &width) in row.iter().zip(sides).zip(&widths) {
            // Writing to a String does not fail.
            let _ = match side {
                Side::Left => write!(line, "{cell:<width$}  "),
                Side::Right => write!(line, "{cell:>width$}  "),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_columns_without_trailing_spaces() {
        let rows = [["a", "10", "x"], ["long", "2", ""]].map(|row| row.map(String::from).to_vec());
        let text = lay_out(1, &[Side::Left, Side::Right, Side::Left], &rows);
        assert_eq!(text, " a     10  x\n long   2\n");
    }
}
