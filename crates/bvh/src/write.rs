//! Encodes parts as bytes.

use inbetween_core::memory::{self, OutOfMemory};
use inbetween_core::{Path, Quat, Values, WriteError};

use crate::layout::{ID, MAGIC, VERSION};
use crate::parts::BvhParts;

impl BvhParts {
    /// Writes the file of the parts, without an index of it.
    ///
    /// # Errors
    ///
    /// Like [`BvhFile::from_parts`](crate::BvhFile::from_parts).
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        for (index, track) in self.tracks.iter().enumerate() {
            let checked = track.check().map_err(|error| error.in_format(ID));
            checked.map_err(|error| error.at_path(Path::item("tracks", index)))?;
        }
        encode(self).map_err(|error| WriteError::from(error).in_format(ID))
    }
}

/// Encodes parts that were checked.
///
/// # Errors
///
/// If the system cannot provide the memory for the file.
fn encode(parts: &BvhParts) -> Result<Vec<u8>, OutOfMemory> {
    let mut out = Vec::new();
    memory::reserve(&mut out, size(parts))?;
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&parts.header.reserved.to_le_bytes());
    out.extend_from_slice(&parts.header.frame_rate.to_le_bytes());
    out.extend_from_slice(&parts.header.duration.to_le_bytes());
    out.extend_from_slice(&count(parts.tracks.len()));
    for track in &parts.tracks {
        out.extend_from_slice(track.name.as_bytes());
        out.extend_from_slice(&[0, track.channel.code()]);
        out.extend_from_slice(&count(track.frames.len()));
        match &track.values {
            Values::Float3(values) => {
                encode_keys(&track.frames, values.iter().copied(), &mut out);
            }
            Values::FloatQ(values) => {
                let values = values.iter().copied().map(Quat::to_array);
                encode_keys(&track.frames, values, &mut out);
            }
            // The check of the parts accepts no other kind.
            _ => {}
        }
    }
    out.extend_from_slice(&parts.trailing);
    Ok(out)
}

fn encode_keys<const N: usize>(
    frames: &[u32],
    values: impl Iterator<Item = [f32; N]>,
    out: &mut Vec<u8>,
) {
    for (frame, value) in frames.iter().zip(values) {
        out.extend_from_slice(&frame.to_le_bytes());
        out.extend_from_slice(value.map(f32::to_le_bytes).as_flattened());
    }
}

/// Returns a count; no list in memory has more items than `u32` counts.
fn count(items: usize) -> [u8; 4] {
    u32::try_from(items).unwrap_or(u32::MAX).to_le_bytes()
}

/// Returns the file size, to reserve the memory at once.
pub(crate) fn size(parts: &BvhParts) -> usize {
    let tracks = parts.tracks.iter().map(|track| {
        let keys = track.frames.len().saturating_mul(track.channel.key_size());
        track.name.len().saturating_add(6).saturating_add(keys)
    });
    tracks.chain([24, parts.trailing.len()]).fold(0, usize::saturating_add)
}
