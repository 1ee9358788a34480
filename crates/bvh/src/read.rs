//! Parses bytes into the exact model.

use std::borrow::Cow;

use inbetween_core::parse::{self, ByteCursor};
use inbetween_core::{Budget, Limits, ReadError, ReadErrorKind};
use nom::number::complete::{le_f32, le_f64, le_u8, le_u16, le_u32};

use crate::file::{BvhFile, BvhHeader, Channel, Entry};
use crate::layout::{ID, MAGIC, VERSION};

impl<'a> BvhFile<'a> {
    /// Reads a file without decoding its keys.
    ///
    /// # Errors
    ///
    /// If the bytes are not a Bvh file of version 1, are truncated, or contain more items than
    /// the limits allow.
    pub fn parse(bytes: impl Into<Cow<'a, [u8]>>, limits: &Limits) -> Result<Self, ReadError> {
        let bytes = bytes.into();
        let mut cursor = ByteCursor::new(ID, &bytes);
        let (header, count) = parse_header(&mut cursor)?;
        let mut budget = Budget::new(limits, bytes.len());
        let tracks = parse_tracks(&mut cursor, count, &mut budget)?;
        let trailing = cursor.offset();
        Ok(Self { bytes, header, tracks, trailing })
    }
}

/// Reads the header; returns it with the number of tracks.
fn parse_header(cursor: &mut ByteCursor<'_>) -> Result<(BvhHeader, u32), ReadError> {
    let magic = cursor.rest().get(..MAGIC.len()).unwrap_or(cursor.rest());
    if magic != MAGIC {
        let found = format!("\"{}\"", magic.escape_ascii()).into();
        let kind = ReadErrorKind::BadMagic { expected: "\"BVH0\"", found };
        return Err(cursor.place(ReadError::new(kind), "magic"));
    }
    cursor.parse("magic", parse::bytes(MAGIC.len()))?;
    let place = cursor.clone();
    let version = cursor.parse("version", le_u16)?;
    if version != VERSION {
        let found = i64::from(version);
        let kind = ReadErrorKind::UnsupportedVersion { found, supported: "1" };
        return Err(place.place(ReadError::new(kind), "version"));
    }
    let header = BvhHeader {
        reserved: cursor.parse("reserved", le_u16)?,
        frame_rate: cursor.parse("frameRate", le_f32)?,
        duration: cursor.parse("duration", le_f64)?,
    };
    Ok((header, cursor.parse("trackCount", le_u32)?))
}

fn parse_tracks(
    cursor: &mut ByteCursor<'_>,
    claimed: u32,
    budget: &mut Budget,
) -> Result<Vec<Entry>, ReadError> {
    // A track has at least the NUL of its name, its channel and its key count.
    let count = cursor.count("trackCount", claimed.into(), 6)?;
    let charged = budget.charge_items(claimed.into());
    charged.map_err(|error| cursor.place(error, "trackCount"))?;
    let mut tracks = Vec::with_capacity(count.get());
    for index in 0..count.get() {
        let parsed = parse_track(cursor);
        tracks.push(parsed.map_err(|error| error.within("tracks", index))?);
    }
    Ok(tracks)
}

fn parse_track(cursor: &mut ByteCursor<'_>) -> Result<Entry, ReadError> {
    let name = cursor.clone();
    if str::from_utf8(cursor.parse("name", parse::until_nul)?).is_err() {
        return Err(name.place(ReadError::invalid("UTF-8", "other bytes"), "name"));
    }
    let place = cursor.clone();
    let code = cursor.parse("channel", le_u8)?;
    let channel = Channel::of_code(code).ok_or_else(|| {
        place.place(ReadError::invalid("a channel from 0 to 2", code.to_string()), "channel")
    })?;
    let keys = cursor.parse("keyCount", le_u32)?;
    cursor.block("keys", keys.into(), channel.key_size())?;
    Ok(Entry { name: name.offset(), channel: place.offset() })
}
