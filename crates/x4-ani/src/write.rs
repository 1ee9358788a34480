//! Encodes parts as bytes.

use inbetween_core::wire::append;
use inbetween_core::{Path, Record, WriteError, memory};

use crate::file::head_offset;
use crate::read::{ID, VERSION};
use crate::{RecordPart, X4aniHeader, X4aniKey, X4aniParts, X4aniRecordHead};

/// Encodes parts; offsets and counts are computed from the lists.
pub(crate) fn encode(parts: &X4aniParts) -> Result<Vec<u8>, WriteError> {
    let mut out = start(parts.padding, parts.records.len(), size(parts))?;
    for (index, record) in parts.records.iter().enumerate() {
        let counts = counts(record).map_err(|error| error.at_path(Path::item("records", index)))?;
        let RecordPart { part, subname, duration, padding, .. } = *record;
        X4aniRecordHead { part, subname, counts, duration, padding }.encode((), &mut out);
    }
    for keys in parts.records.iter().flat_map(|record| &record.keys) {
        append(keys, &mut out);
    }
    out.extend_from_slice(&parts.trailing);
    Ok(out)
}

/// Encodes the header, and reserves memory for a file of `size` bytes. The heads of the records come
/// next.
pub(crate) fn start(padding: i32, records: usize, size: usize) -> Result<Vec<u8>, WriteError> {
    let mut out = Vec::new();
    let room = memory::reserve(&mut out, size);
    room.map_err(|error| WriteError::new(ID, error.into()))?;
    header(records, padding)?.encode((), &mut out);
    Ok(out)
}

fn header(records: usize, padding: i32) -> Result<X4aniHeader, WriteError> {
    let count = i32::try_from(records).ok();
    let key_offset = count.and_then(|count| count.checked_mul(160)?.checked_add(16));
    match (count, key_offset) {
        (Some(record_count), Some(key_offset)) => {
            Ok(X4aniHeader { record_count, key_offset, version: VERSION, padding })
        }
        _ => Err(too_many(records, "records", 13_421_772)),
    }
}

fn too_many(found: usize, what: &str, limit: i32) -> WriteError {
    WriteError::not_representable(ID, format!("{found} {what}"), format!("at most {limit} fit"))
}

/// Returns the size of the file of parts.
pub(crate) fn size(parts: &X4aniParts) -> usize {
    let keys = parts.records.iter().flat_map(|record| &record.keys).map(Vec::len);
    size_of_file(parts.records.len(), keys).saturating_add(parts.trailing.len())
}

/// Returns the size of a file with this many records, and these numbers of keys in their groups.
pub(crate) fn size_of_file(records: usize, keys: impl Iterator<Item = usize>) -> usize {
    let keys = keys.fold(0, usize::saturating_add).saturating_mul(X4aniKey::SIZE);
    head_offset(records).saturating_add(keys)
}

/// Returns the number of keys of a group as the file stores it.
pub(crate) fn key_count(keys: usize) -> Result<i32, WriteError> {
    i32::try_from(keys).map_err(|_| too_many(keys, "keys", i32::MAX))
}

/// Returns the number of keys of each group.
fn counts(record: &RecordPart) -> Result<[i32; 5], WriteError> {
    let mut counts = [0; 5];
    for (count, keys) in counts.iter_mut().zip(&record.keys) {
        *count = key_count(keys.len())?;
    }
    Ok(counts)
}
