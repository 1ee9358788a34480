//! Compares a file with the component XML that names its animations.
//!
//! ```xml
//! <connection name="connection_44" parent="anim_hull">
//!   <animations><animation name="cockpit_opening" start="1" end="30"/></animations>
//!   <parts><part name="anim_ladder"/></parts>
//! </connection>
//! ```
//!
//! A part plays the animations that its connection selects, then those of the connection whose part
//! is named by `parent`, and so on, up to a connection with the tag `truncateanimations`. Frames
//! are a thirtieth of a second.

use std::collections::{HashMap, HashSet};

use inbetween_core::{
    Budget, Code, Finding, Findings, Limits, Path, Position, ReadError, ReadErrorKind, num,
    printable, shown,
};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::file::head_offset;
use crate::layout::ID;
use crate::{X4aniFile, X4aniRecord, codes};

/// The allowed difference between a duration and the one computed from start and end, in seconds,
/// unless `f32` is less precise.
const TOLERANCE: f64 = 1e-5;

/// The expected root elements, for messages.
const ROOT: &str = "the root element components or component";

/// The largest number of characters of an XML parser message to show.
const LONGEST: usize = 200;

/// The tag of a connection that does not inherit selections from its parents.
const TRUNCATE: &str = "truncateanimations";

/// Returns the differences between a file and its component.
///
/// Names are case-insensitive.
///
/// # Errors
///
/// If the bytes are not well-formed XML, the root element is not that of a component, the XML has a
/// document type declaration, nests deeper than `limits.depth`, or has more connections, parts and
/// animations than `limits.items`.
///
/// # Examples
///
/// ```
/// use inbetween_core::Limits;
/// use inbetween_x4_ani::{RecordPart, X4aniFile, X4aniName, X4aniParts, lint};
///
/// let record = RecordPart {
///     part: X4aniName::new("anim_ladder")?,
///     subname: X4aniName::new("opening")?,
///     duration: 2.0,
///     ..RecordPart::default()
/// };
/// let parts = X4aniParts { records: vec![record], ..X4aniParts::default() };
/// let file = X4aniFile::from_parts(&parts)?;
/// let component = br#"<components><connection name="c">
///     <animations><animation name="opening" start="1" end="30"/></animations>
///     <parts><part name="anim_ladder"/></parts>
/// </connection></components>"#;
/// let findings = lint(&file, component, &Limits::default())?;
/// assert_eq!(
///     findings[0].to_string(),
///     "warning: x4-ani/duration-mismatch: records[0].duration: 2 s, frames 1 to 30 of \
///      \"opening\" are 1 s; end=\"60\" fits (at byte 0xa4)"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lint(
    file: &X4aniFile<'_>,
    component: &[u8],
    limits: &Limits,
) -> Result<Vec<Finding>, ReadError> {
    let component = Component::parse(component, limits)?;
    let mut lint = Lint {
        component: &component,
        depth: limits.depth,
        used: HashSet::new(),
        findings: Findings::new(limits),
    };
    for (index, record) in file.records().enumerate() {
        lint.findings.enter(Path::item("records", index));
        lint.record(index, &record);
    }
    lint.unused();
    Ok(lint.findings.into_vec())
}

/// The animations that a component defines.
#[derive(Debug, Default)]
struct Component {
    connections: Vec<Connection>,
    /// The connection of each part, by lowercase name; the first one counts.
    parts: HashMap<String, usize>,
}

#[derive(Debug, Default)]
struct Connection {
    name: String,
    /// The connection of the part that `parent` names, if the component has that part.
    parent: Option<usize>,
    truncates: bool,
    selectors: Vec<Selector>,
    /// The index of each selector, by lowercase name; the first one counts.
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
struct Selector {
    name: String,
    /// The line in the component, from 1.
    line: u64,
    start: Option<f64>,
    end: Option<f64>,
}

impl Selector {
    /// Returns the length of the animation in seconds, if both ends are given.
    fn duration(&self) -> Option<(f64, f64, f64)> {
        let (start, end) = (self.start?, self.end?);
        let frames = if start == 1.0 { end - start + 1.0 } else { end - start };
        Some((start, end, (frames / 30.0).max(1.0 / 30.0)))
    }
}

/// Returns the end frame of a selector that fits a duration in seconds, for a message.
fn fitting_end(start: f64, duration: f64) -> String {
    let frames = duration * 30.0;
    let end = if start == 1.0 { start + frames - 1.0 } else { start + frames };
    if end.is_finite() && end > start { format!("; end=\"{end:.0}\" fits") } else { String::new() }
}

impl Component {
    fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, ReadError> {
        let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let text = bytes.get(start..).unwrap_or_default();
        let mut parser = Parser {
            reader: Reader::from_reader(text),
            text,
            lines: (0, 1),
            start,
            depth: 0,
            limit: limits.depth,
            budget: Budget::new(limits, bytes.len()),
            open: Vec::new(),
            refusal: Some(not_a_component("no element".into())),
            component: Self::default(),
            parents: Vec::new(),
        };
        while parser.step()? {}
        let Parser { mut component, parents, .. } = parser;
        // Resolved once: names may be as long as the component, and every record looks up parents.
        for (connection, parent) in component.connections.iter_mut().zip(parents) {
            connection.parent = parent.and_then(|name| component.parts.get(&name).copied());
        }
        Ok(component)
    }
}

/// The state of reading a component.
struct Parser<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a [u8],
    /// The offset up to which lines are counted, and the line there.
    lines: (usize, u64),
    /// The length of the byte order mark.
    start: usize,
    depth: usize,
    limit: usize,
    budget: Budget,
    /// The open connections: their depth and index.
    open: Vec<(usize, usize)>,
    /// The reason why this is not a component, if known; reported only for well-formed XML.
    refusal: Option<ReadError>,
    component: Component,
    /// The part that each connection names as its parent, in lowercase.
    parents: Vec<Option<String>>,
}

impl Parser<'_> {
    /// Reads one event; returns whether more may follow.
    fn step(&mut self) -> Result<bool, ReadError> {
        let event = self.reader.read_event();
        match event.map_err(|error| self.broken(&error.to_string()))? {
            Event::Start(element) => {
                self.depth = self.depth.saturating_add(1);
                if self.depth > self.limit {
                    let [requested, limit] = [self.depth, self.limit].map(num::u64_from_len);
                    return Err(self.place(ReadError::limit("levels of XML", requested, limit)));
                }
                self.element(&element)?;
            }
            Event::Empty(element) => {
                self.depth = self.depth.saturating_add(1);
                self.element(&element)?;
                self.close();
            }
            Event::End(_) => self.close(),
            Event::DocType(_) => {
                let what = "a document type declaration".into();
                return Err(self.place(ReadError::new(ReadErrorKind::Unsupported { what })));
            }
            Event::Eof if self.depth > 0 => {
                return Err(self.broken("end of file within an element"));
            }
            Event::Eof => return self.refusal.take().map_or(Ok(false), Err),
            _ => {}
        }
        Ok(true)
    }

    fn close(&mut self) {
        self.open.pop_if(|(depth, _)| *depth == self.depth);
        self.depth = self.depth.saturating_sub(1);
    }

    fn element(&mut self, element: &BytesStart<'_>) -> Result<(), ReadError> {
        let name = element.local_name();
        if self.depth == 1 {
            let known = matches!(name.as_ref(), b"components" | b"component");
            self.refusal = (!known).then(|| not_a_component(tag(name.as_ref())));
        }
        let known = matches!(name.as_ref(), b"connection" | b"part" | b"animation");
        if !known {
            return Ok(());
        }
        self.budget.charge_items(1).map_err(|error| self.place(error))?;
        let text = |key| self.attribute(element, key);
        let named = text("name")?.unwrap_or_default();
        match name.as_ref() {
            b"connection" => {
                let tags = text("tags")?.unwrap_or_default();
                let connection = Connection {
                    name: named,
                    truncates: tags.split_ascii_whitespace().any(|tag| tag == TRUNCATE),
                    ..Connection::default()
                };
                self.parents.push(text("parent")?.map(|parent| parent.to_ascii_lowercase()));
                self.open.push((self.depth, self.component.connections.len()));
                self.component.connections.push(connection);
            }
            b"part" => {
                if let Some(&(_, connection)) = self.open.last() {
                    let parts = &mut self.component.parts;
                    parts.entry(named.to_ascii_lowercase()).or_insert(connection);
                }
            }
            _ => {
                let frame = |text: Option<String>| {
                    let number: Option<f64> = text.and_then(|text| text.trim().parse().ok());
                    number.filter(|frame| frame.is_finite())
                };
                let (start, end) = (frame(text("start")?), frame(text("end")?));
                let line = self.line();
                self.select(Selector { name: named, line, start, end });
            }
        }
        Ok(())
    }

    /// Returns the current line of the parser.
    fn line(&mut self) -> u64 {
        let (from, line) = self.lines;
        let here = num::len_from_u64(self.reader.buffer_position());
        let passed = self.text.get(from..here).unwrap_or_default();
        let breaks = passed.split(|&byte| byte == b'\n').skip(1).count();
        self.lines = (here, line.saturating_add(num::u64_from_len(breaks)));
        self.lines.1
    }

    fn select(&mut self, selector: Selector) {
        let open = self.open.last().map(|&(_, connection)| connection);
        let connection = open.and_then(|open| self.component.connections.get_mut(open));
        if let Some(connection) = connection {
            let next = connection.selectors.len();
            connection.by_name.entry(selector.name.to_ascii_lowercase()).or_insert(next);
            connection.selectors.push(selector);
        }
    }

    /// Returns an attribute with its character references resolved.
    fn attribute(&self, element: &BytesStart<'_>, key: &str) -> Result<Option<String>, ReadError> {
        let found = element.try_get_attribute(key);
        let Some(found) = found.map_err(|error| self.broken(&error.to_string()))? else {
            return Ok(None);
        };
        let text = found.unescape_value().map_err(|error| self.broken(&error.to_string()))?;
        Ok(Some(text.into_owned()))
    }

    fn broken(&self, what: &str) -> ReadError {
        // The parser quotes names from the file.
        let what = printable(what).at_most(LONGEST).to_string();
        self.place(ReadError::invalid("well-formed XML", what))
    }

    fn place(&self, error: ReadError) -> ReadError {
        let at = self.reader.buffer_position();
        let at = at.saturating_add(num::u64_from_len(self.start));
        error.in_format(ID).at_path(Path::field("component")).at_position(Position::byte(at))
    }
}

/// Returns the tag of an element for messages.
fn tag(name: &[u8]) -> String {
    format!("<{}>", shown(&String::from_utf8_lossy(name)))
}

fn not_a_component(found: String) -> ReadError {
    let hint = "pass the XML with the parts and their animations";
    ReadError::invalid(ROOT, found).in_format(ID).at_path(Path::field("component")).with_hint(hint)
}

struct Lint<'c> {
    component: &'c Component,
    depth: usize,
    /// The selectors used by records: connection and index.
    used: HashSet<(usize, usize)>,
    findings: Findings,
}

impl Lint<'_> {
    fn record(&mut self, index: usize, record: &X4aniRecord<'_>) {
        let head = record.head();
        let lower = |name: crate::X4aniName| name.text().0.to_ascii_lowercase();
        let path = || Path::item("records", index);
        let mut say = |code: Code, within: usize, path: Path, message: String| {
            let at = num::u64_from_len(head_offset(index).saturating_add(within));
            let finding = Finding::new(code, message).at(path).position(Position::byte(at));
            self.findings.push(finding);
        };
        let Some(&connection) = self.component.parts.get(&lower(head.part)) else {
            let message = format!("the component has no part {}", head.part);
            say(codes::PART_MISSING, 0, path().then("part"), message);
            return;
        };
        let found = self.component.selector(connection, &lower(head.subname), self.depth);
        let Some((key, selector)) = found else {
            let message = format!("{} does not select {}", head.part, head.subname);
            say(codes::RECORD_WITHOUT_SELECTOR, 64, path().then("subname"), message);
            return;
        };
        if let Some((start, end, expected)) = selector.duration()
            && (f64::from(head.duration) - expected).abs() > TOLERANCE.max(num::ulp_f32(expected))
        {
            let fitting = fitting_end(start, f64::from(head.duration));
            let message = format!(
                "{} s, frames {start} to {end} of {} are {expected} s{fitting}",
                head.duration, head.subname
            );
            say(codes::DURATION_MISMATCH, 148, path().then("duration"), message);
        }
        self.used.insert(key);
    }

    /// Reports selectors that no record uses.
    fn unused(&mut self) {
        for (index, connection) in self.component.connections.iter().enumerate() {
            self.findings.enter(Path::field("component"));
            let mut places: Vec<usize> = connection.by_name.values().copied().collect();
            places.sort_unstable();
            for place in places.into_iter().filter(|place| !self.used.contains(&(index, *place))) {
                let Some(selector) = connection.selectors.get(place) else { continue };
                self.findings.add(codes::SELECTOR_WITHOUT_RECORD, || {
                    let (connection, name) = (shown(&connection.name), shown(&selector.name));
                    let line = selector.line;
                    let message =
                        format!("connection \"{connection}\" selects \"{name}\" in line {line}");
                    Finding::new(codes::SELECTOR_WITHOUT_RECORD, message)
                });
            }
        }
    }
}

impl Component {
    /// Returns the selector with a lowercase name in a connection or one of its parents.
    fn selector(
        &self,
        mut connection: usize,
        name: &str,
        depth: usize,
    ) -> Option<((usize, usize), &Selector)> {
        // Parents may form a cycle.
        for _ in 0..depth {
            let here = self.connections.get(connection)?;
            if let Some(&place) = here.by_name.get(name) {
                return Some(((connection, place), here.selectors.get(place)?));
            }
            if here.truncates {
                return None;
            }
            connection = here.parent?;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_resolved_after_the_component_is_parsed() {
        // A parent may come after its children, and the first part with a name counts.
        let text = b"<components><connection parent=\"B\"><part name=\"a\"/></connection>\
            <connection><part name=\"b\"/></connection><connection><part name=\"b\"/></connection>\
            <connection parent=\"gone\"/></components>";
        let component = Component::parse(text, &Limits::default()).unwrap();
        let parents: Vec<_> = component.connections.iter().map(|each| each.parent).collect();
        assert_eq!(parents, [Some(1), None, None, None]);
    }
}
