//! Parses bytes into the exact model.

use core::ops::Range;
use std::borrow::Cow;

use inbetween_core::json::{
    Json, JsonCodes, JsonError, JsonErrorCause, Tolerance, locate, resolve, unresolved,
};
use inbetween_core::parse::{self, ByteCursor};
use inbetween_core::{
    Budget, Finding, Limits, Path, PathStyle, Position, ReadError, ReadErrorKind, Segment, codes,
    num,
};
use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::le_u32;

use crate::file::{Chunk, Entry, GltfFile};
use crate::layout::{CHUNK_HEAD, Container, HEADER, ID, MAGIC, VERSION};

/// Every error in the JSON stops the reader, so no code is ever reported.
static JSON_CODES: JsonCodes = JsonCodes::all(codes::FINDINGS_TRUNCATED);

/// Returns a reader of the JSON of a file, after an optional byte order mark.
pub(crate) fn json_reader<'t>(text: &'t str, limits: &Limits) -> Json<'t> {
    let mut json = Json::new(text, limits.depth, Tolerance::Strict, &JSON_CODES);
    json.byte_order_mark();
    json.space();
    json
}

/// Returns JSON without the NUL bytes at its end. Old programs fill its chunk with them instead of
/// spaces.
pub(crate) fn without_nuls(json: &[u8]) -> &[u8] {
    let nuls = json.iter().rev().take_while(|byte| **byte == 0).count();
    json.get(..json.len().saturating_sub(nuls)).unwrap_or(json)
}

impl<'a> GltfFile<'a> {
    /// Reads a file: a binary one if it starts with `glTF`, otherwise a text file.
    ///
    /// # Errors
    ///
    /// If lengths do not match the file, chunks are in the wrong order, the JSON is not valid, or
    /// there are more chunks or levels of nesting than the limits allow.
    pub fn parse(bytes: impl Into<Cow<'a, [u8]>>, limits: &Limits) -> Result<Self, ReadError> {
        let file = Self::open(bytes.into(), limits)?;
        file.check_json(limits)?;
        Ok(file)
    }

    /// Checks the syntax of the JSON.
    pub(crate) fn check_json(&self, limits: &Limits) -> Result<(), ReadError> {
        let mut json = json_reader(self.json(), limits);
        let skipped = json.skip_value().and_then(|_| json.end());
        skipped.map_err(|error| self.place(json_error(error, Path::default())))
    }

    /// Like [`parse`](Self::parse), without checking the JSON: `Scene::parse` does.
    pub(crate) fn open(bytes: Cow<'a, [u8]>, limits: &Limits) -> Result<Self, ReadError> {
        let (container, (json, chunks, end)) = if bytes.starts_with(MAGIC) {
            (Container::Glb, parse_binary(&bytes, limits)?)
        } else {
            (Container::Gltf, (0..bytes.len(), Vec::new(), bytes.len()))
        };
        let text = without_nuls(bytes.get(json.clone()).unwrap_or_default());
        let json = json.start..json.start.saturating_add(text.len());
        if let Err(error) = core::str::from_utf8(text) {
            let at = num::u64_from_len(json.start.saturating_add(error.valid_up_to()));
            let error = ReadError::invalid("JSON in UTF-8", "bytes that are not UTF-8");
            return Err(error.in_format(ID).at_position(Position::byte(at)));
        }
        Ok(Self { bytes, container, json, chunks, end })
    }

    /// Adds the format, and the position of the offset in the JSON, to an error.
    pub(crate) fn place(&self, error: Fault) -> ReadError {
        let position = self.position(error.at);
        error.error.in_format(ID).at_position(position)
    }

    /// Returns the finding about a part that is skipped; `what` names it.
    pub(crate) fn skipped(&self, what: &str, fault: Fault) -> Finding {
        Finding::skipped(what, &fault.error.at_position(self.unresolved(fault.at)))
    }

    /// Returns the position of a finding, whose line and column [`resolve`](Self::resolve) finds later.
    pub(crate) fn unresolved(&self, offset: usize) -> Position {
        match self.container {
            Container::Gltf => unresolved(offset),
            Container::Glb => self.position(offset),
        }
    }

    /// Finds the lines and columns of findings, all in one pass through the text.
    pub(crate) fn resolve(&self, findings: &mut [Finding]) {
        if self.container == Container::Gltf && !findings.is_empty() {
            resolve(self.json(), findings);
        }
    }

    /// Returns the position of an offset in the JSON.
    fn position(&self, offset: usize) -> Position {
        match self.container {
            Container::Gltf => locate(self.json(), offset),
            Container::Glb => {
                Position::byte(num::u64_from_len(self.json_start().saturating_add(offset)))
            }
        }
    }
}

/// An error at an offset in the JSON.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) error: ReadError,
}

pub(crate) type FaultResult<T> = Result<T, Fault>;

impl Fault {
    /// Creates the error of a value that is not allowed here.
    pub(crate) fn invalid(
        at: usize,
        path: Path,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { at, error: ReadError::invalid(expected, found).at_path(path) }
    }

    /// Creates the error of an index that does not exist in a list of `count` items.
    pub(crate) fn missing(at: usize, path: Path, what: &str, index: usize, count: usize) -> Self {
        let kind = ReadErrorKind::Missing { what: missing(what, index, count).into() };
        Self { at, error: ReadError::new(kind).at_path(path) }
    }

    /// Creates the error of a feature that this crate does not support.
    pub(crate) fn unsupported(at: usize, path: Path, what: impl Into<Cow<'static, str>>) -> Self {
        let kind = ReadErrorKind::Unsupported { what: what.into() };
        Self { at, error: ReadError::new(kind).at_path(path) }
    }

    /// Adds a location to an error without one.
    pub(crate) fn of(error: ReadError, at: usize, path: Path) -> Self {
        Self { at, error: error.at_path(path) }
    }
}

/// Returns the message about an index that does not exist: `node 5 does not exist (there are 2: 0 to
/// 1)`.
pub(crate) fn missing(what: &str, index: usize, count: usize) -> String {
    match count {
        0 => format!("{what} {index} does not exist (there is none)"),
        1 => format!("{what} {index} does not exist (there is one: 0)"),
        _ => {
            let last = count.saturating_sub(1);
            format!("{what} {index} does not exist (there are {count}: 0 to {last})")
        }
    }
}

/// Returns the JSON pointer of an item of a top-level list, or of a member of it.
pub(crate) fn item(list: &'static str, index: usize, members: &[&'static str]) -> Path {
    let head = [Segment::Field(list), Segment::Index(num::u64_from_len(index))];
    let members = members.iter().map(|member| Segment::Field(member));
    Path::new(PathStyle::JsonPointer, head.into_iter().chain(members).collect())
}

/// Returns the JSON pointer of an item of a list of an animation.
pub(crate) fn inner(animation: usize, list: &'static str, index: usize) -> Path {
    let (animation, index) = (num::u64_from_len(animation), num::u64_from_len(index));
    let segments = vec![
        Segment::Field("animations"),
        Segment::Index(animation),
        Segment::Field(list),
        Segment::Index(index),
    ];
    Path::new(PathStyle::JsonPointer, segments)
}

/// Converts an error of the JSON reader.
pub(crate) fn json_error(error: JsonError, path: Path) -> Fault {
    let JsonErrorCause { at, kind, hint, remedy, .. } = *error.0;
    let error = ReadError::new(kind).at_path(path);
    // The remedy is an automatic fix, which glTF does not have; then the hint does not apply either.
    let error = match (hint, remedy) {
        (Some(hint), None) => error.with_hint(hint),
        _ => error,
    };
    Fault { at, error }
}

/// Reads the header and the heads of the chunks; returns the range of the JSON, the chunks, and their
/// end.
fn parse_binary(
    bytes: &[u8],
    limits: &Limits,
) -> Result<(Range<usize>, Vec<Entry>, usize), ReadError> {
    let mut cursor = ByteCursor::new(ID, bytes);
    let mut header = parse::bytes(HEADER).and_then((take(4_usize), le_u32, le_u32));
    let (_, version, length) = cursor.parse("header", |input| header.parse_complete(input))?;
    let place = |error: ReadError, field, offset| {
        error.in_format(ID).at_path(Path::field(field)).at_position(Position::byte(offset))
    };
    if version != VERSION {
        let kind =
            ReadErrorKind::UnsupportedVersion { found: version.into(), supported: "version 2" };
        return Err(place(ReadError::new(kind), "version", 4));
    }
    let mut budget = Budget::new(limits, bytes.len());
    let mut chunks = Vec::new();
    let available = num::u64_from_len(bytes.len());
    if u64::from(length) > available {
        let kind = ReadErrorKind::UnexpectedEnd { needed: length.into(), available };
        return Err(place(ReadError::new(kind), "length", 8));
    }
    // Some programs state a length that is too small, and some write more after it. The chunks count.
    let length = num::len_from_u64(length.into());
    let end = if length <= HEADER { bytes.len() } else { length };
    while cursor.offset() < end {
        budget.charge_items(1).map_err(|error| cursor.place(error, "chunks"))?;
        let chunk = read_chunk(&mut cursor, &chunks);
        chunks.push(chunk.map_err(|error| error.within("chunks", chunks.len()))?);
    }
    let Some(first) = chunks.first() else {
        let error = ReadError::invalid("a chunk of JSON", "the end of the file");
        return Err(cursor.place(error, "chunks"));
    };
    let json_end = first.offset.saturating_add(num::len_from_u64(first.length.into()));
    Ok((first.offset..json_end, chunks, cursor.offset()))
}

/// Reads the next chunk.
fn read_chunk(cursor: &mut ByteCursor<'_>, before: &[Entry]) -> Result<Entry, ReadError> {
    let mut head = parse::bytes(CHUNK_HEAD).and_then((le_u32, le_u32));
    let start = cursor.clone();
    let (length, kind) = cursor.parse("head", |input| head.parse_complete(input))?;
    let name = |kind: u32| format!("\"{}\"", kind.to_le_bytes().escape_ascii());
    let wrong = match (before.len(), kind) {
        (0, Chunk::JSON) | (1, Chunk::BIN) => None,
        (0, kind) => Some(("the chunk JSON first", name(kind))),
        (_, Chunk::JSON) => Some(("one chunk JSON", "a second one".to_owned())),
        (_, Chunk::BIN) => Some(("the chunk BIN second", "it after another chunk".to_owned())),
        _ => None,
    };
    if let Some((expected, found)) = wrong {
        return Err(start.place(ReadError::invalid(expected, found), "type"));
    }
    let offset = cursor.offset();
    cursor.block("data", length.into(), 1)?;
    Ok(Entry { kind, length, offset })
}
