//! Parses bytes into the exact model.

use core::ops::Range;
use std::borrow::Cow;

use inbetween_core::parse::{self, ByteCursor};
use inbetween_core::{Budget, Limits, ReadError, ReadErrorKind, SevenBit};

use crate::file::{AnimxFile, AnimxHeader, Section};
use crate::index::Index;
use crate::key_order::{self, Choice};
use crate::layout::{AnimxLayout, Encoding, Evidence, ID, MAGIC, Version};
use crate::packing;
use crate::strings::AnimxText;

impl<'a> AnimxFile<'a> {
    /// Reads a file without decoding its keys.
    ///
    /// The reader detects from the first keys of the tracks whether Curve keys store their value or
    /// their time first (`docs/formats/animx.md`); see [`evidence`](Self::evidence).
    ///
    /// # Errors
    ///
    /// If the bytes are not an AnimX file of version 0 or 1, are truncated, or exceed the limits.
    pub fn parse(bytes: impl Into<Cow<'a, [u8]>>, limits: &Limits) -> Result<Self, ReadError> {
        parse(bytes.into(), None, limits)
    }

    /// Reads a file with a given layout.
    ///
    /// # Errors
    ///
    /// Fails like [`parse`](Self::parse), if the file cannot be read this way.
    pub fn parse_as(
        bytes: impl Into<Cow<'a, [u8]>>,
        layout: AnimxLayout,
        limits: &Limits,
    ) -> Result<Self, ReadError> {
        parse(bytes.into(), Some(layout), limits)
    }
}

fn parse<'a>(
    bytes: Cow<'a, [u8]>,
    asked: Option<AnimxLayout>,
    limits: &Limits,
) -> Result<AnimxFile<'a>, ReadError> {
    let mut cursor = ByteCursor::new(ID, &bytes);
    let (header, name) = parse_header(&mut cursor)?;
    let mut budget = Budget::new(limits, bytes.len());
    let from = cursor.offset();
    let section = match header.encoding {
        Encoding::Plain => Section::Plain,
        Encoding::Lz4 => packing::unpack_lz4(&mut cursor, &mut budget).map(Section::Unpacked)?,
        Encoding::Lzma => packing::unpack_lzma(&mut cursor, &mut budget)?,
    };
    let index = Index { name, section: from, ..Index::default() };
    let evidence = Evidence::NoCurves;
    let layout = asked.unwrap_or_default();
    let mut file = AnimxFile { bytes, header, layout, evidence, section, index };
    if !file.is_sealed() {
        let asked = asked.map(|layout| layout.curve_key);
        let Choice { order, evidence, tracks } = key_order::choose(&file, asked, &mut budget)?;
        file.layout.curve_key = order;
        file.evidence = evidence;
        file.index.tracks = tracks;
    }
    Ok(file)
}

/// Reads the header; returns the range of the name, including its length.
pub(crate) fn parse_header(
    cursor: &mut ByteCursor<'_>,
) -> Result<(AnimxHeader, Range<usize>), ReadError> {
    let magic = cursor.rest().get(..MAGIC.len()).unwrap_or(cursor.rest());
    if magic != MAGIC {
        let found = if magic.is_empty() { "an empty file".into() } else { ascii(magic) };
        let kind = ReadErrorKind::BadMagic { expected: "\"\\x05AnimX\"", found: found.into() };
        return Err(cursor.place(ReadError::new(kind), "magic"));
    }
    cursor.parse("magic", parse::bytes(MAGIC.len()))?;
    let place = cursor.clone();
    let version = match cursor.parse("version", parse::record::<i32>)? {
        0 => Version::V0,
        1 => Version::V1,
        other => {
            let found = i64::from(other);
            let kind = ReadErrorKind::UnsupportedVersion { found, supported: "0 and 1" };
            return Err(place.place(ReadError::new(kind), "version"));
        }
    };
    let track_count = cursor.parse("trackCount", SevenBit::parse)?;
    let global_duration = cursor.parse("globalDuration", parse::record)?;
    let start = cursor.offset();
    cursor.parse("name", AnimxText::parse)?;
    let name = start..cursor.offset();
    let place = cursor.clone();
    let encoding = match cursor.parse("encoding", parse::record::<u8>)? {
        0 => Encoding::Plain,
        1 => Encoding::Lz4,
        2 => Encoding::Lzma,
        other => {
            let what = format!("encoding {other}, known are 0 to 2,").into();
            return Err(
                place.place(ReadError::new(ReadErrorKind::Unsupported { what }), "encoding")
            );
        }
    };
    Ok((AnimxHeader { version, track_count, global_duration, encoding }, name))
}

fn ascii(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}
