//! Parses bytes into the exact model.

use core::ops::Range;
use std::borrow::Cow;

use inbetween_core::parse::{self, ByteCursor};
use inbetween_core::{Budget, Limits, ReadError, ReadErrorKind, SevenBit};

use crate::file::{Index, Section, Version};
use crate::key_order::{self, Choice};
use crate::track::{SMALLEST, TrackHead};
use crate::{
    AnimxFile, AnimxHeader, AnimxLayout, AnimxText, CurveKeyOrder, Encoding, Evidence, packing,
};

/// The id of the format, in errors and findings.
pub(crate) const ID: &str = "animx";

/// The magic number: the string "AnimX" with its length.
pub(crate) const MAGIC: &[u8] = b"\x05AnimX";

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

/// The start of each track and the end of the last one, in [`AnimxFile::body`].
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackRanges {
    starts: Vec<usize>,
    pub(crate) end: usize,
}

impl TrackRanges {
    /// Returns the number of tracks.
    pub(crate) const fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns the range of a track, or `None` if the index is out of range.
    pub(crate) fn get(&self, index: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(index)?;
        let next = self.starts.get(index.checked_add(1)?).copied();
        Some(start..next.unwrap_or(self.end))
    }

    /// Returns the ranges of the tracks in file order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

/// The result of scanning the tracks with one order of the Curve keys.
pub(crate) struct Walk {
    pub(crate) ranges: Result<TrackRanges, ReadError>,
    /// Whether the other order could move the tracks: there is a Curve track of strings.
    pub(crate) depends: bool,
}

/// Scans the tracks of a file.
pub(crate) fn walk(file: &AnimxFile<'_>, order: CurveKeyOrder, budget: &mut Budget) -> Walk {
    let mut depends = false;
    let ranges = walk_tracks(file, order, budget, &mut depends);
    Walk { ranges, depends }
}

fn walk_tracks(
    file: &AnimxFile<'_>,
    order: CurveKeyOrder,
    budget: &mut Budget,
    depends: &mut bool,
) -> Result<TrackRanges, ReadError> {
    let mut cursor = ByteCursor::in_space(ID, file.space(), file.body());
    if matches!(file.section, Section::Plain) {
        cursor.parse("tracks", parse::bytes(file.index.section))?;
    }
    let claimed = file.header.track_count.value();
    let count = cursor.count("trackCount", claimed, SMALLEST)?;
    budget.charge_items(claimed).map_err(|error| cursor.place(error, "trackCount"))?;
    let mut starts = Vec::with_capacity(count.get());
    for index in 0..count.get() {
        starts.push(cursor.offset());
        let head = TrackHead::read(&mut cursor, file.header.version);
        let walked = head.and_then(|head| {
            *depends |= head.is_curve_of_texts();
            head.skip_body(&mut cursor, order)
        });
        walked.map_err(|error| error.within("tracks", index))?;
    }
    Ok(TrackRanges { starts, end: cursor.offset() })
}
