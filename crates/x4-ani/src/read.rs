//! Parses bytes into the exact model.

use std::borrow::Cow;

use inbetween_core::parse::{self, ByteCursor};
use inbetween_core::{Budget, Limits, ReadError, ReadErrorKind, Record};

use crate::file::{X4aniFile, X4aniHeader, X4aniRecordHead, head_offset};
use crate::key::X4aniKey;
use crate::layout::{Group, ID, VERSION};

impl<'a> X4aniFile<'a> {
    /// Reads a file without decoding its keys.
    ///
    /// # Errors
    ///
    /// If the version is not 1, `key_offset` is not 16 + 160 per record, a count is negative or
    /// larger than the file, or there are more records than the limits allow.
    pub fn parse(bytes: impl Into<Cow<'a, [u8]>>, limits: &Limits) -> Result<Self, ReadError> {
        let bytes = bytes.into();
        let mut cursor = ByteCursor::new(ID, &bytes);
        let header = parse_header(&mut cursor)?;
        let starts = parse_records(&mut cursor, &header, limits)?;
        Ok(Self { bytes, header, starts })
    }
}

pub(crate) fn parse_header(cursor: &mut ByteCursor<'_>) -> Result<X4aniHeader, ReadError> {
    let record_count = cursor.clone();
    let header: X4aniHeader = cursor.parse("header", parse::record)?;
    let place = |skipped: usize| {
        let mut place = record_count.clone();
        // The header was just read, so the fields exist.
        let _ = place.parse("header", parse::bytes(skipped));
        place
    };
    if header.version != VERSION {
        let found = i64::from(header.version);
        let kind = ReadErrorKind::UnsupportedVersion { found, supported: "1" };
        return Err(place(8).place(ReadError::new(kind), "version"));
    }
    let Ok(count) = u32::try_from(header.record_count) else {
        let found = header.record_count.to_string();
        let error = ReadError::invalid("a record count of 0 or more", found);
        return Err(place(0).place(error, "record_count"));
    };
    let expected = u64::from(count).saturating_mul(160).saturating_add(16);
    if u64::try_from(header.key_offset) != Ok(expected) {
        let what = format!("{expected}, which is 16 + 160 for each of {count} records");
        let error = ReadError::invalid(what, header.key_offset.to_string());
        return Err(place(4).place(error, "key_offset"));
    }
    Ok(header)
}

/// Returns the offset of the keys of each record, and the end of the last ones.
fn parse_records(
    cursor: &mut ByteCursor<'_>,
    header: &X4aniHeader,
    limits: &Limits,
) -> Result<Vec<usize>, ReadError> {
    // The header was checked: the count is not negative.
    let claimed = u64::try_from(header.record_count).unwrap_or_default();
    let place = cursor.clone();
    let table = cursor.block("records", claimed, X4aniRecordHead::SIZE)?;
    let charged = Budget::new(limits, table.len()).charge_items(claimed);
    charged.map_err(|error| place.place(error, "records"))?;
    let heads = table.chunks_exact(X4aniRecordHead::SIZE);
    let mut starts = Vec::with_capacity(heads.len().saturating_add(1));
    for (index, head) in heads.enumerate() {
        starts.push(cursor.offset());
        let counts = head.get(X4aniRecordHead::COUNTS..).unwrap_or_default();
        let counts = <[i32; 5]>::decode(counts, ()).unwrap_or_default();
        if skip_record(cursor, counts) {
            continue;
        }
        for (group, count) in Group::ALL.into_iter().zip(counts) {
            skip_keys(cursor, group, count, index)
                .map_err(|error| error.within("records", index))?;
        }
    }
    starts.push(cursor.offset());
    Ok(starts)
}

/// Skips the keys of a record at once, unless a count is wrong; the slow path then reports it.
fn skip_record(cursor: &mut ByteCursor<'_>, counts: [i32; 5]) -> bool {
    let sum = counts.into_iter().try_fold(0_u64, |sum, count| {
        u64::try_from(count).ok().map(|count| sum.saturating_add(count))
    });
    let mut after = cursor.clone();
    let skipped = sum.is_some_and(|sum| after.block("keys", sum, X4aniKey::SIZE).is_ok());
    if skipped {
        *cursor = after;
    }
    skipped
}

fn skip_keys(
    cursor: &mut ByteCursor<'_>,
    group: Group,
    count: i32,
    record: usize,
) -> Result<(), ReadError> {
    if let Ok(count) = u64::try_from(count) {
        cursor.block(group.name(), count, X4aniKey::SIZE)?;
        return Ok(());
    }
    let within = group.index().saturating_mul(4).saturating_add(X4aniRecordHead::COUNTS);
    let at = inbetween_core::num::u64_from_len(head_offset(record).saturating_add(within));
    let error = ReadError::invalid("a key count of 0 or more", count.to_string());
    let error = error.at_position(inbetween_core::Position::byte(at));
    Err(cursor.place(error, group.name()))
}
