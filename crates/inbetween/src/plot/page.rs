//! The layout of panels on pages.

use super::panels::Panel;

/// The width of a page in pixels.
pub(super) const WIDTH: f64 = 1200.0;

/// The margin around a page.
pub(super) const MARGIN: f64 = 24.0;

/// The gap between two columns.
const GAP: f64 = 24.0;

/// The largest number of rows of panels on a page.
const ROWS: usize = 8;

/// The content of a row: over the whole width, or in columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The name of a clip.
    Heading(usize),
    /// The markers of a clip.
    Markers(usize),
    /// The indices of panels, one per column.
    Panels(Vec<usize>),
}

/// The rows of all pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) columns: usize,
    pub(super) pages: Vec<Vec<Row>>,
}

/// The parts of a clip that have rows of their own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) named: bool,
    pub(super) marked: bool,
}

impl Layout {
    /// Lays out panels; those of a clip must be adjacent.
    pub(super) fn new(heads: &[Head], panels: &[Panel<'_>]) -> Self {
        let columns = match panels.len() {
            0 | 1 => 1,
            2..=4 => 2,
            _ => 3,
        };
        let by_node = nodes(panels).saturating_mul(2) <= panels.len();
        let mut pages = vec![Vec::new()];
        let mut waiting = Vec::new();
        let mut count = 0;
        for (clip, head) in heads.iter().enumerate() {
            waiting.extend(head.named.then_some(Row::Heading(clip)));
            waiting.extend(head.marked.then_some(Row::Markers(clip)));
            for row in rows(panels, clip, columns, by_node) {
                if count == ROWS {
                    pages.push(Vec::new());
                    count = 0;
                }
                if let Some(page) = pages.last_mut() {
                    page.append(&mut waiting);
                    page.push(Row::Panels(row));
                }
                count = usize::saturating_add(count, 1);
            }
        }
        if let Some(page) = pages.last_mut() {
            page.append(&mut waiting);
        }
        Self { columns, pages }
    }

    /// Returns the width of a column.
    pub(super) fn column(&self) -> f64 {
        let columns = inbetween_core::num::f64_from_index(self.columns);
        (WIDTH - 2.0 * MARGIN - (columns - 1.0) * GAP) / columns
    }

    /// Returns the left edge of a column.
    pub(super) fn left(&self, column: usize) -> f64 {
        MARGIN + inbetween_core::num::f64_from_index(column) * (self.column() + GAP)
    }
}

/// Returns the number of times that the node changes from panel to panel.
fn nodes(panels: &[Panel<'_>]) -> usize {
    let mut nodes: Vec<_> = panels.iter().map(|panel| (panel.clip, panel.node)).collect();
    nodes.dedup();
    nodes.len()
}

/// Returns the rows of a clip; with `by_node`, each node starts a new row.
fn rows(panels: &[Panel<'_>], clip: usize, columns: usize, by_node: bool) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut last: Option<&str> = None;
    for (index, panel) in panels.iter().enumerate().filter(|(_, panel)| panel.clip == clip) {
        let begins = by_node && last.is_some_and(|node| node != panel.node);
        last = Some(panel.node);
        match rows.last_mut() {
            Some(row) if row.len() < columns && !begins => row.push(index),
            _ => rows.push(vec![index]),
        }
    }
    rows
}
