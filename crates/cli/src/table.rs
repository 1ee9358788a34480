//! Columns that stand under each other.

use std::fmt::Write;

use crate::report::visible;

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The widest that a cell may be, in characters; a hostile name shall not fill the screen.
const WIDEST: usize = 80;

/// Lays out rows with two blanks between columns, each line indented.
pub(crate) fn lay_out(indent: usize, sides: &[Side], rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| shorten(cell)).collect()).collect();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..sides.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
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

fn shorten(cell: &str) -> String {
    let cell = visible(cell);
    match cell.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", cell.get(..end).unwrap_or_default()),
        None => cell.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_columns_and_leaves_no_blanks_at_the_end() {
        let rows = [["a", "10", "x"], ["long", "2", ""]].map(|row| row.map(String::from).to_vec());
        let text = lay_out(1, &[Side::Left, Side::Right, Side::Left], &rows);
        assert_eq!(text, " a     10  x\n long   2\n");
    }

    #[test]
    fn shortens_cells_and_shows_control_characters() {
        let row = vec!["\u{1b}[31m".to_owned(), "é".repeat(81)];
        let text = lay_out(0, &[Side::Left; 2], &[row]);
        assert_eq!(text, format!("\\u{{1b}}[31m  {}…\n", "é".repeat(80)));
    }
}
