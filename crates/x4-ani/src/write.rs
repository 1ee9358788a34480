//! Encodes parts as bytes.

use inbetween_core::wire::{append, append_each};
use inbetween_core::{Path, Record, WriteError, memory};

use crate::file::head_offset;
use crate::layout::{ID, VERSION};
use crate::{RecordPart, X4aniHeader, X4aniKey, X4aniParts, X4aniRecordHead};

impl X4aniParts {
    /// Writes the file of the parts, without an index of it. Offsets and counts are computed.
    ///
    /// # Errors
    ///
    /// Like [`X4aniFile::from_parts`](crate::X4aniFile::from_parts).
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        let start = size(self).and_then(|size| start(self.padding, self.records.len(), size));
        let mut out = start.map_err(|error| error.in_format(ID))?;
        append_each(&self.records, head, &mut out);
        // In known files, at least two of the five groups are empty.
        let groups = self.records.iter().flat_map(|record| &record.keys);
        for keys in groups.filter(|keys| !keys.is_empty()) {
            append(keys, &mut out);
        }
        out.extend_from_slice(&self.trailing);
        Ok(out)
    }
}

/// Encodes the header, and reserves memory for a file of `size` bytes. The heads of the records come
/// next.
pub(crate) fn start(padding: i32, records: usize, size: usize) -> Result<Vec<u8>, WriteError> {
    let mut out = Vec::new();
    memory::reserve(&mut out, size)?;
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
    WriteError::not_representable(format!("{found} {what}"), format!("at most {limit} fit"))
}

/// Returns the size of the file of parts.
///
/// # Errors
///
/// If a group has more keys than the format can count.
pub(crate) fn size(parts: &X4aniParts) -> Result<usize, WriteError> {
    let mut keys = 0_usize;
    for (index, record) in parts.records.iter().enumerate() {
        for group in &record.keys {
            let count = key_count(group.len());
            count.map_err(|error| error.at_path(Path::item("records", index)))?;
            keys = keys.saturating_add(group.len());
        }
    }
    Ok(size_of_file(parts.records.len(), keys).saturating_add(parts.trailing.len()))
}

/// Returns the size of a file with this many records and keys.
pub(crate) fn size_of_file(records: usize, keys: usize) -> usize {
    head_offset(records).saturating_add(keys.saturating_mul(X4aniKey::SIZE))
}

/// Returns the number of keys of a group as the file stores it.
pub(crate) fn key_count(keys: usize) -> Result<i32, WriteError> {
    i32::try_from(keys).map_err(|_| too_many(keys, "keys", i32::MAX))
}

/// Returns the head of a record whose numbers of keys are checked.
fn head(record: &RecordPart) -> X4aniRecordHead {
    let RecordPart { part, subname, duration, padding, .. } = *record;
    let counts = record.keys.each_ref().map(|keys| i32::try_from(keys.len()).unwrap_or(i32::MAX));
    X4aniRecordHead { part, subname, counts, duration, padding }
}
