//! The line layout of a text form.

use std::io::{self, Write};

use serde_json::ser::Formatter;

use crate::printable_json;

/// The line layout of a text form: long lists have one line per item, the rest is on one line.
///
/// Members of the root that each start a line.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Members whose list items are laid out like the root: `bones`.
    pub open: &'static [&'static str],
    /// Members whose lists have one item per line: `keys`.
    pub lines: &'static [&'static str],
}

/// The content of an object or list that spans several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Members,
    OpenItems,
    LineItems,
}

/// The formatter that inserts line breaks.
#[derive(Debug)]
pub(super) struct Breaker {
    layout: Layout,
    /// The enclosing objects and lists that span several lines.
    around: Vec<Kind>,
    /// The number of further enclosing ones, all on one line.
    inline: usize,
    /// The content that the list of the last printed member would have.
    member: Option<Kind>,
    names: bool,
    empty: bool,
}

impl Breaker {
    pub(super) fn new(layout: Layout) -> Self {
        let around = Vec::with_capacity(8);
        Self { layout, around, inline: 0, member: None, names: false, empty: true }
    }

    fn begin<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        kind: Kind,
        bracket: &[u8],
    ) -> io::Result<()> {
        self.around.push(kind);
        self.empty = true;
        out.write_all(bracket)
    }

    fn begin_inline<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.inline = self.inline.saturating_add(1);
        out.write_all(bracket)
    }

    fn item<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if self.inline > 0 {
            return if first { Ok(()) } else { out.write_all(b", ") };
        }
        self.empty = false;
        let line = line_break(self.around.len());
        // The first one has no comma before it.
        out.write_all(if first { line.get(1..).unwrap_or(line) } else { line })
    }

    fn end<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        if let Some(inline) = self.inline.checked_sub(1) {
            self.inline = inline;
            return out.write_all(bracket);
        }
        self.around.pop();
        if !core::mem::take(&mut self.empty) {
            let line = line_break(self.around.len());
            out.write_all(line.get(1..).unwrap_or(line))?;
        }
        out.write_all(bracket)
    }
}

/// Returns a comma, a line feed and the indentation for a depth.
fn line_break(depth: usize) -> &'static [u8] {
    const BREAK: &[u8] = b",\n                                ";
    BREAK.get(..depth.saturating_mul(2).saturating_add(2)).unwrap_or(BREAK)
}

impl Formatter for Breaker {
    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        match self.around.last() {
            None | Some(Kind::OpenItems) if self.inline == 0 => {
                self.begin(out, Kind::Members, b"{")
            }
            _ => self.begin_inline(out, b"{"),
        }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.names = self.inline == 0;
        self.item(out, first)
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if self.names {
            self.member = if self.layout.open.contains(&fragment) {
                Some(Kind::OpenItems)
            } else if self.layout.lines.contains(&fragment) {
                Some(Kind::LineItems)
            } else {
                None
            };
        }
        if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return out.write_all(fragment.as_bytes());
        }
        // Hidden characters in names must be visible to whoever edits the text.
        write!(out, "{}", printable_json(fragment))
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.names = false;
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        if self.inline == 0 {
            self.empty = false;
        }
        Ok(())
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let in_members = self.inline == 0 && self.around.last() == Some(&Kind::Members);
        match self.member {
            Some(kind) if in_members => self.begin(out, kind, b"["),
            _ => self.begin_inline(out, b"["),
        }
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        if self.inline == 0 {
            self.empty = false;
        }
        Ok(())
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }
}
