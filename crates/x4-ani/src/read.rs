//! Parses bytes into the exact model.

use std::borrow::Cow;

use inbetween_core::num::u64_from_len;
use inbetween_core::parse::{self, ByteCursor};
use inbetween_core::{Budget, Limits, ReadError, ReadErrorKind, Record, counted};

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
        match Self::parse_sound(bytes, limits)? {
            (_, Some(broken)) => Err(broken.error),
            (file, None) => Ok(file),
        }
    }

    /// Like [`parse`](Self::parse), but one record may have wrong counts: its keys are those that the
    /// other records leave. Such a file cannot be written again.
    pub(crate) fn parse_sound(
        bytes: impl Into<Cow<'a, [u8]>>,
        limits: &Limits,
    ) -> Result<(Self, Option<Broken>), ReadError> {
        let bytes = bytes.into();
        let mut cursor = ByteCursor::new(ID, &bytes);
        let header = parse_header(&mut cursor)?;
        let (starts, broken) = parse_records(&mut cursor, &header, limits)?;
        Ok((Self { bytes, header, starts }, broken))
    }
}

/// A record with wrong counts.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// Its index.
    pub(crate) record: usize,
    pub(crate) error: ReadError,
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
        let error = place(8).place(ReadError::new(kind), "version");
        let is_cursor = record_count.rest().starts_with(b"RIFF");
        let hint = "animated cursors of Windows have the same extension";
        return Err(if is_cursor { error.with_hint(hint) } else { error });
    }
    let Ok(count) = u32::try_from(header.record_count) else {
        let found = header.record_count.to_string();
        let error = ReadError::invalid("a record count of 0 or more", found);
        return Err(place(0).place(error, "record_count"));
    };
    let expected = u64::from(count).saturating_mul(160).saturating_add(16);
    if u64::try_from(header.key_offset) != Ok(expected) {
        let what = format!("{expected}, where the table of {} ends", counted(count, "record"));
        let error = ReadError::invalid(what, header.key_offset.to_string());
        return Err(place(4).place(error, "key_offset"));
    }
    Ok(header)
}

/// Returns the offset of the keys of each record and the end of the last ones, and the record with
/// wrong counts, if there is one.
fn parse_records(
    cursor: &mut ByteCursor<'_>,
    header: &X4aniHeader,
    limits: &Limits,
) -> Result<(Vec<usize>, Option<Broken>), ReadError> {
    // The header was checked: the count is not negative.
    let claimed = u64::try_from(header.record_count).unwrap_or_default();
    let place = cursor.clone();
    let table = cursor.block("records", claimed, X4aniRecordHead::SIZE)?;
    let charged = Budget::new(limits, table.len()).charge_items(claimed);
    charged.map_err(|error| place.place(error, "records"))?;
    let heads = table.chunks_exact(X4aniRecordHead::SIZE);
    let mut starts = Vec::with_capacity(heads.len().saturating_add(1));
    let mut broken: Option<Broken> = None;
    for (index, head) in heads.clone().enumerate() {
        starts.push(cursor.offset());
        if skip_record(cursor, counts(head)) {
            continue;
        }
        let start = cursor.clone();
        let error = broken_record(cursor, counts(head), index);
        *cursor = start;
        let mut others = heads.clone().skip(index).skip(1).map(|head| keys_of(counts(head)));
        let others = others.try_fold(0_u64, |sum, keys| sum.checked_add(keys?));
        let others = others.and_then(|keys| keys.checked_mul(u64_from_len(X4aniKey::SIZE)));
        let own = others.and_then(|others| u64_from_len(cursor.rest().len()).checked_sub(others));
        match (own, broken.take()) {
            (Some(own), None) => {
                cursor.block("keys", own, 1)?;
                broken = Some(Broken { record: index, error });
            }
            (_, first) => return Err(first.map_or(error, |first| first.error)),
        }
    }
    starts.push(cursor.offset());
    match broken {
        // Nothing else can be read.
        Some(broken) if claimed == 1 => Err(broken.error),
        broken => Ok((starts, broken)),
    }
}

/// Returns the key counts of an entry of the table.
fn counts(head: &[u8]) -> [i32; 5] {
    let counts = head.get(X4aniRecordHead::COUNTS..).unwrap_or_default();
    <[i32; 5]>::decode(counts, ()).unwrap_or_default()
}

/// Returns the number of keys of a record, or `None` if a count is negative.
fn keys_of(counts: [i32; 5]) -> Option<u64> {
    let mut counts = counts.into_iter().map(|count| u64::try_from(count).ok());
    counts.try_fold(0_u64, |sum, count| Some(sum.saturating_add(count?)))
}

/// Returns the error of a record whose keys cannot be skipped.
#[cold]
fn broken_record(cursor: &mut ByteCursor<'_>, counts: [i32; 5], index: usize) -> ReadError {
    for (group, count) in Group::ALL.into_iter().zip(counts) {
        if let Err(error) = skip_keys(cursor, group, count, index) {
            return error.within("records", index);
        }
    }
    // A count is wrong, since the keys were not skipped at once.
    cursor.place(ReadError::invalid("key counts", "others"), "records")
}

/// Skips the keys of a record at once, unless a count is wrong; the slow path then reports it.
fn skip_record(cursor: &mut ByteCursor<'_>, counts: [i32; 5]) -> bool {
    let sum = keys_of(counts);
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
    let at = u64_from_len(head_offset(record).saturating_add(within));
    let error = ReadError::invalid("a key count of 0 or more", count.to_string());
    let error = error.at_position(inbetween_core::Position::byte(at));
    Err(cursor.place(error, group.name()))
}
