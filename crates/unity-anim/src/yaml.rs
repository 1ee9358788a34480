//! A pull reader of the part of YAML that Unity writes.
//!
//! Objects are maps and lists of block style, whose innermost values are scalars, flow maps and flow
//! lists. What Unity never writes (aliases, tags, block scalars, comments, tabs) is an error, so
//! nothing is ever expanded.

mod scalar;

use std::borrow::Cow;

use inbetween_core::ReadError;
use inbetween_core::num::u64_from_len;

/// An error at a byte, whose line and column are found once.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) error: ReadError,
}

pub(crate) type Reading<T> = Result<T, Fault>;

/// A value. That of a map or a list is read by [`Yaml::key`] or [`Yaml::item`].
#[derive(Debug)]
pub(crate) enum Node<'t> {
    Scalar(Scalar<'t>),
    Map(Block),
    List(Block),
}

/// A scalar.
#[derive(Clone, Debug)]
pub(crate) struct Scalar<'t> {
    /// Its first byte, with its quote.
    pub(crate) at: usize,
    /// The byte after its last one.
    pub(crate) end: usize,
    pub(crate) text: Cow<'t, str>,
}

impl Node<'_> {
    /// Describes the value, for errors.
    pub(crate) fn found(&self) -> String {
        match self {
            Self::Scalar(scalar) => scalar.found(),
            Self::Map(_) => "a map".to_owned(),
            Self::List(_) => "a list".to_owned(),
        }
    }
}

impl Scalar<'_> {
    /// Describes the value, for errors.
    pub(crate) fn found(&self) -> String {
        match &*self.text {
            "" => "nothing".to_owned(),
            text => quoted(text),
        }
    }
}

/// Returns a part of the text in quotes, with hidden characters escaped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", inbetween_core::shown(text))
}

/// A map or a list that is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    form: Form,
    is_list: bool,
    is_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Lines that begin at a column.
    Lines(usize),
    /// Between brackets.
    Flow,
}

/// The reader.
#[derive(Clone, Debug)]
pub(crate) struct Yaml<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    deepest: usize,
}

/// What an error about a comment has found.
const COMMENT: &str = "#, which Unity never writes";

/// The column of the values at the top.
const OUTSIDE: Block = Block { form: Form::Lines(0), is_list: true, is_first: false };

impl<'t> Yaml<'t> {
    /// Starts at a byte of a text, which must begin a line. `deepest` is the largest number of maps
    /// and lists inside each other.
    pub(crate) const fn new(text: &'t str, at: usize, deepest: usize) -> Self {
        Self { text, at, depth: 0, deepest }
    }

    /// Returns the offset of the next byte.
    pub(crate) const fn offset(&self) -> usize {
        self.at
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn ahead(&self, bytes: usize) -> Option<u8> {
        self.byte(self.at.saturating_add(bytes))
    }

    const fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    pub(crate) fn fault<T>(at: usize, expected: &'static str, found: &str) -> Reading<T> {
        Err(Fault { at, error: ReadError::invalid(expected, found.to_owned()) })
    }

    fn spaces(&mut self) {
        while self.ahead(0) == Some(b' ') {
            self.advance(1);
        }
    }

    fn at_line_end(&self) -> bool {
        match self.ahead(0) {
            None | Some(b'\n') => true,
            Some(b'\r') => matches!(self.ahead(1), None | Some(b'\n')),
            Some(_) => false,
        }
    }

    /// Moves to the first character of the next line that has any, and returns its column; `None` at
    /// the end.
    fn next_line(&mut self) -> Reading<Option<usize>> {
        self.spaces();
        if !self.at_line_end() {
            return Self::fault(self.at, "the end of the line", "more text");
        }
        self.first_line()
    }

    /// Like [`next_line`](Self::next_line), where the cursor is at the begin of a line.
    fn first_line(&mut self) -> Reading<Option<usize>> {
        let mut column = 0_usize;
        loop {
            match self.ahead(0) {
                None => return Ok(None),
                Some(b'\n' | b'\r') => column = 0,
                Some(b' ') => column = column.saturating_add(1),
                Some(b'\t') => return Self::fault(self.at, "spaces", "a tab"),
                Some(b'#') => return Self::fault(self.at, "no comments", COMMENT),
                Some(_) => return Ok(Some(column)),
            }
            self.advance(1);
        }
    }

    fn is_dash(&self) -> bool {
        self.ahead(0) == Some(b'-') && matches!(self.ahead(1), None | Some(b' ' | b'\n' | b'\r'))
    }

    /// Reads the value of the whole text.
    pub(crate) fn top(&mut self) -> Reading<Node<'t>> {
        match self.first_line()? {
            Some(column) => self.in_line(OUTSIDE, column),
            None => Ok(Node::Scalar(self.empty())),
        }
    }

    /// Reads the value of a key or of an item.
    pub(crate) fn value(&mut self, parent: &Block) -> Reading<Node<'t>> {
        let Form::Lines(column) = parent.form else {
            self.white();
            return self.in_flow();
        };
        let start = self.at;
        self.spaces();
        if !self.at_line_end() {
            // An item begins two columns after its dash or later.
            let spaces = self.at.saturating_sub(start);
            return self.in_line(*parent, column.saturating_add(2).saturating_add(spaces));
        }
        let (empty, before) = (self.empty(), self.clone());
        let Some(next) = self.next_line()? else { return Ok(Node::Scalar(empty)) };
        let is_dash = self.is_dash();
        // The list of a key may begin at the column of the key.
        if next > column || (is_dash && !parent.is_list && next == column) {
            return self.in_line(Block { is_list: true, ..*parent }, next);
        }
        *self = before;
        Ok(Node::Scalar(empty))
    }

    const fn empty(&self) -> Scalar<'t> {
        Scalar { at: self.at, end: self.at, text: Cow::Borrowed("") }
    }

    /// Reads a value that begins here, at a column.
    fn in_line(&mut self, parent: Block, column: usize) -> Reading<Node<'t>> {
        if parent.is_list && self.is_dash() {
            return self.open(Form::Lines(column), true);
        }
        match self.ahead(0) {
            Some(b'{' | b'[') => return self.in_flow(),
            Some(b'?') if self.ahead(1) == Some(b' ') => {
                return Self::fault(self.at, "a key", "a complex key, which Unity never writes");
            }
            _ => {}
        }
        if parent.is_list && self.is_key() {
            return self.open(Form::Lines(column), false);
        }
        let Form::Lines(limit) = parent.form else { return self.in_flow() };
        Ok(Node::Scalar(self.scalar(Some(limit))?))
    }

    fn in_flow(&mut self) -> Reading<Node<'t>> {
        match self.ahead(0) {
            Some(b'{') => {
                self.advance(1);
                self.open(Form::Flow, false)
            }
            Some(b'[') => {
                self.advance(1);
                self.open(Form::Flow, true)
            }
            _ => Ok(Node::Scalar(self.scalar(None)?)),
        }
    }

    fn open(&mut self, form: Form, is_list: bool) -> Reading<Node<'t>> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > self.deepest {
            let [requested, limit] = [self.depth, self.deepest].map(u64_from_len);
            let error = ReadError::limit("levels of nesting", requested, limit);
            return Err(Fault { at: self.at, error });
        }
        let block = Block { form, is_list, is_first: true };
        Ok(if is_list { Node::List(block) } else { Node::Map(block) })
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Skips white space and line ends, between brackets.
    fn white(&mut self) {
        while matches!(self.ahead(0), Some(b' ' | b'\n' | b'\r')) {
            self.advance(1);
        }
    }

    /// Moves to the next entry of a map or a list; returns false after the last one.
    fn next(&mut self, block: &mut Block) -> Reading<bool> {
        let is_first = std::mem::replace(&mut block.is_first, false);
        let has_next = match block.form {
            Form::Flow => self.next_in_flow(is_first, block.is_list)?,
            // The cursor is at the first entry.
            Form::Lines(_) if is_first => true,
            Form::Lines(column) => {
                let before = self.at;
                let next = self.next_line()?;
                let goes_on = next == Some(column) && (!block.is_list || self.is_dash());
                if next.is_some_and(|next| next > column) {
                    return Self::fault(self.at, "less indentation", "a deeper line");
                }
                if !goes_on {
                    self.at = before;
                }
                goes_on
            }
        };
        if !has_next {
            self.close();
        }
        Ok(has_next)
    }

    fn next_in_flow(&mut self, is_first: bool, is_list: bool) -> Reading<bool> {
        let end = if is_list { b']' } else { b'}' };
        self.white();
        if !is_first && self.ahead(0) == Some(b',') {
            self.advance(1);
            self.white();
        } else if !is_first && self.ahead(0) != Some(end) {
            return Self::fault(self.at, "a comma or a closing bracket", &self.found());
        }
        if self.ahead(0) == Some(end) {
            self.advance(1);
            return Ok(false);
        }
        if self.ahead(0).is_none() {
            return Self::fault(self.at, "a closing bracket", &self.found());
        }
        Ok(true)
    }

    /// Returns what is next, for errors.
    fn found(&self) -> String {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let start: String = line.chars().take(20).collect();
        if rest.is_empty() {
            "the end of the object".to_owned()
        } else if line.is_empty() {
            "the end of the line".to_owned()
        } else {
            quoted(&start)
        }
    }

    /// Moves to the next item of a list; returns false after the last one.
    pub(crate) fn item(&mut self, list: &mut Block) -> Reading<bool> {
        if !self.next(list)? {
            return Ok(false);
        }
        if let Form::Lines(_) = list.form {
            self.advance(1);
            if self.ahead(0) == Some(b' ') {
                self.advance(1);
            }
        }
        Ok(true)
    }

    /// Reads the next key of a map, with its colon; returns `None` after the last one.
    pub(crate) fn key(&mut self, map: &mut Block) -> Reading<Option<Scalar<'t>>> {
        if !self.next(map)? {
            return Ok(None);
        }
        let key = match self.ahead(0) {
            Some(b'"' | b'\'') => self.scalar(None)?,
            _ => self.plain_key(),
        };
        self.spaces();
        if self.ahead(0) != Some(b':') {
            return Self::fault(self.at, "a colon", &self.found());
        }
        self.advance(1);
        Ok(Some(key))
    }

    fn plain_key(&mut self) -> Scalar<'t> {
        let at = self.at;
        while let Some(byte) = self.ahead(0) {
            if byte == b':' || matches!(byte, b'\n' | b',' | b'}') {
                break;
            }
            self.advance(1);
        }
        let text = self.text.get(at..self.at).unwrap_or_default().trim_end();
        Scalar { at, end: self.at, text: Cow::Borrowed(text) }
    }

    /// Returns whether the line goes on with a key.
    fn is_key(&self) -> bool {
        let mut ahead = self.clone();
        if matches!(self.ahead(0), Some(b'"' | b'\'')) {
            if ahead.scalar(None).is_err() {
                return false;
            }
            ahead.spaces();
        } else {
            while ahead.ahead(0).is_some_and(|byte| !matches!(byte, b':' | b'\n' | b'\r')) {
                ahead.advance(1);
            }
        }
        ahead.ahead(0) == Some(b':') && matches!(ahead.ahead(1), None | Some(b' ' | b'\n' | b'\r'))
    }

    /// Skips the rest of a value.
    pub(crate) fn skip(&mut self, node: &Node<'t>) -> Reading<()> {
        match node {
            Node::Scalar(_) => Ok(()),
            Node::Map(map) => {
                let mut map = *map;
                while self.key(&mut map)?.is_some() {
                    self.skip_value(&map)?;
                }
                Ok(())
            }
            Node::List(list) => {
                let mut list = *list;
                while self.item(&mut list)? {
                    self.skip_value(&list)?;
                }
                Ok(())
            }
        }
    }

    /// Skips the value of a key or of an item.
    pub(crate) fn skip_value(&mut self, parent: &Block) -> Reading<()> {
        let node = self.value(parent)?;
        self.skip(&node)
    }
}

#[cfg(test)]
mod tests {
    use granit_parser::{Event, Parser};
    use inbetween_core::Limits;
    use inbetween_testing::fixtures;

    use super::*;
    use crate::UnityAnimFile;

    /// Appends what a value consists of.
    fn events<'t>(yaml: &mut Yaml<'t>, node: Node<'t>, out: &mut Vec<String>) -> Reading<()> {
        match node {
            Node::Scalar(scalar) => out.push(format!("={}", scalar.text)),
            Node::Map(mut map) => {
                out.push("{".to_owned());
                while let Some(key) = yaml.key(&mut map)? {
                    out.push(format!("={}", key.text));
                    let value = yaml.value(&map)?;
                    events(yaml, value, out)?;
                }
                out.push("}".to_owned());
            }
            Node::List(mut list) => {
                out.push("[".to_owned());
                while yaml.item(&mut list)? {
                    let value = yaml.value(&list)?;
                    events(yaml, value, out)?;
                }
                out.push("]".to_owned());
            }
        }
        Ok(())
    }

    fn own(text: &str) -> Reading<Vec<String>> {
        let (mut yaml, mut out) = (Yaml::new(text, 0, 64), Vec::new());
        let top = yaml.top()?;
        events(&mut yaml, top, &mut out)?;
        Ok(out)
    }

    fn of_library(text: &str) -> Option<Vec<String>> {
        let mut out = Vec::new();
        for event in Parser::new_from_str(text) {
            out.push(match event.ok()?.0 {
                // An empty value is `~` there.
                Event::Scalar(text, style, ..) => {
                    let is_empty = text == "~" && format!("{style:?}") == "Plain";
                    format!("={}", if is_empty { "" } else { &text })
                }
                Event::SequenceStart(..) => "[".to_owned(),
                Event::SequenceEnd => "]".to_owned(),
                Event::MappingStart(..) => "{".to_owned(),
                Event::MappingEnd => "}".to_owned(),
                _ => continue,
            });
        }
        Some(out)
    }

    #[test]
    fn a_library_reads_the_same_in_all_fixtures() {
        let mut compared = 0;
        for fixture in fixtures::of("unity-anim") {
            let Ok(text) = std::str::from_utf8(&fixture.bytes) else { continue };
            let Ok(file) = UnityAnimFile::parse_text(text.into(), &Limits::default()) else {
                continue;
            };
            for object in file.objects() {
                let body = file.body(object);
                // The library has no event for a text without a value.
                if body.trim().is_empty() {
                    continue;
                }
                let Ok(found) = own(body) else { continue };
                assert_eq!(Some(found), of_library(body), "{}", fixture.path.display());
                compared += 1;
            }
        }
        assert!(compared > 50, "{compared}");
    }

    #[test]
    fn quotes_escapes_and_folds_are_those_of_a_library() {
        for text in [
            "a: b c\n   d\n  e\nf: 1\n",
            "a: 'it''s\n  two\n\n  lines'\n",
            "a: \"x \\\n   y\\u00e9\\uD83D\\uDE00\\x41\\t\"\n",
            "a: \"\\0\\a\\b\\n\\v\\f\\r\\e\\N\\_\\L\\P\\/\\\\\\\"\\ \"\n",
            "- - 1\n  - 2\n- a: 1\n  b:\n  - 3\n-\n- {}\n- []\n",
            "a: {b: [1, 'x, y', {c: d}], e: f g}\nh:\ni: \n",
            "a:\n- b\n- c: d\n  e: f\ng: h:i\n",
        ] {
            assert_eq!(own(text).ok(), of_library(text), "{text}");
        }
    }
}
