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

impl Layout {
    /// Returns the content of the list of a member, if it spans several lines.
    #[inline(never)]
    fn list_of(&self, member: &str) -> Option<Kind> {
        if self.open.contains(&member) {
            Some(Kind::OpenItems)
        } else if self.lines.contains(&member) {
            Some(Kind::LineItems)
        } else {
            None
        }
    }
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
    /// Whether the name of a member is printed.
    in_name: bool,
    empty: bool,
}

impl Breaker {
    pub(super) fn new(layout: Layout) -> Self {
        let around = Vec::with_capacity(8);
        Self { layout, around, inline: 0, member: None, in_name: false, empty: true }
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

    /// Begins an item of a list, or a member with the quotation mark of its name.
    #[inline]
    fn item<W: ?Sized + Write>(&mut self, out: &mut W, first: bool, name: bool) -> io::Result<()> {
        if self.inline == 0 {
            return self.item_on_line(out, first, name);
        }
        // One write for all characters between two items is faster than several.
        match (first, name) {
            (true, false) => Ok(()),
            (true, true) => out.write_all(b"\""),
            (false, false) => out.write_all(b", "),
            (false, true) => out.write_all(b", \""),
        }
    }

    /// Begins an item on its own line.
    #[inline(never)]
    fn item_on_line<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        first: bool,
        name: bool,
    ) -> io::Result<()> {
        self.empty = false;
        let line = line_break(self.around.len());
        // The first one has no comma before it.
        out.write_all(if first { line.get(1..).unwrap_or(line) } else { line })?;
        if name { out.write_all(b"\"") } else { Ok(()) }
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

/// Returns whether a fragment of a string may have hidden characters: anything but ASCII, or DEL.
///
/// The serializer escapes lower control characters itself.
fn may_hide(fragment: &[u8]) -> bool {
    // Most fragments are short names, so four bytes at a time are faster than eight. Adding one
    // sets the highest bit of DEL.
    let word = |bytes: &[u8; 4]| {
        let word = u32::from_ne_bytes(*bytes);
        (word | word.wrapping_add(0x0101_0101)) & 0x8080_8080 != 0
    };
    let (words, rest) = fragment.as_chunks::<4>();
    match fragment.last_chunk::<4>() {
        Some(last) => words.iter().any(word) || word(last),
        None => rest.iter().any(|&byte| byte >= 0x7f),
    }
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

    #[inline]
    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.in_name = true;
        self.item(out, first, true)
    }

    #[inline]
    fn begin_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.in_name { Ok(()) } else { out.write_all(b"\"") }
    }

    #[inline]
    fn end_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if self.in_name { b"\": " } else { b"\"" })
    }

    #[inline]
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if self.in_name && self.inline == 0 {
            self.member = self.layout.list_of(fragment);
        }
        if may_hide(fragment.as_bytes()) {
            // Hidden characters in names must be visible to whoever edits the text.
            return write!(out, "{}", printable_json(fragment));
        }
        out.write_all(fragment.as_bytes())
    }

    #[inline]
    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.in_name = false;
        Ok(())
    }

    #[inline]
    fn begin_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        // The colon was printed with the end of the name.
        Ok(())
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

    #[inline]
    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first, false)
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
