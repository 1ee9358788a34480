//! Encodes parts as bytes.

use inbetween_core::wire::append;
use inbetween_core::{Path, Record, WriteError, memory};

use crate::read::{ID, VERSION};
use crate::{Group, RecordPart, X4aniHeader, X4aniKey, X4aniParts, X4aniRecordHead};

/// Encodes parts; offsets and counts are computed from the lists.
pub(crate) fn encode(parts: &X4aniParts) -> Result<Vec<u8>, WriteError> {
    let mut out = Vec::new();
    let room = memory::reserve(&mut out, size(parts));
    room.map_err(|error| WriteError::new(ID, error.into()))?;
    header(parts)?.encode((), &mut out);
    for (index, record) in parts.records.iter().enumerate() {
        let head = head(record).map_err(|error| error.at_path(Path::item("records", index)))?;
        head.encode((), &mut out);
    }
    for keys in parts.records.iter().flat_map(|record| &record.keys) {
        append(keys, &mut out);
    }
    out.extend_from_slice(&parts.trailing);
    Ok(out)
}

fn header(parts: &X4aniParts) -> Result<X4aniHeader, WriteError> {
    let records = parts.records.len();
    let count = i32::try_from(records).ok();
    let key_offset = count.and_then(|count| count.checked_mul(160)?.checked_add(16));
    match (count, key_offset) {
        (Some(record_count), Some(key_offset)) => {
            Ok(X4aniHeader { record_count, key_offset, version: VERSION, padding: parts.padding })
        }
        _ => Err(too_many(records, "records", 13_421_772)),
    }
}

fn too_many(found: usize, what: &str, limit: i32) -> WriteError {
    WriteError::not_representable(ID, format!("{found} {what}"), format!("at most {limit} fit"))
}

/// Returns the size of the file, to reserve the memory at once.
pub(crate) fn size(parts: &X4aniParts) -> usize {
    let records = parts.records.len().saturating_mul(X4aniRecordHead::SIZE);
    let keys = parts.records.iter().flat_map(|record| &record.keys).map(Vec::len);
    let keys = keys.fold(0, usize::saturating_add).saturating_mul(X4aniKey::SIZE);
    [X4aniHeader::SIZE, records, keys, parts.trailing.len()]
        .into_iter()
        .fold(0, usize::saturating_add)
}

/// Returns the table entry of the record.
fn head(record: &RecordPart) -> Result<X4aniRecordHead, WriteError> {
    let mut counts = [0; 5];
    for (count, group) in counts.iter_mut().zip(Group::ALL) {
        let keys = record.keys(group).len();
        *count = i32::try_from(keys).map_err(|_| too_many(keys, "keys", i32::MAX))?;
    }
    let RecordPart { part, subname, duration, padding, .. } = *record;
    Ok(X4aniRecordHead { part, subname, counts, duration, padding })
}
