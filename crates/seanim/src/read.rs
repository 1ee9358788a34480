//! Parses bytes into the exact model.

mod body;
pub(crate) mod diagnose;

use std::borrow::Cow;

use inbetween_core::num::u64_from_len;
use inbetween_core::parse::ByteCursor;
use inbetween_core::{Limits, ReadError, ReadErrorKind};

use crate::file::SeanimFile;
use crate::header::SeanimHeader;
use crate::layout::{BlockRule, Channel, ID, Reading, SHAPES_MAGIC, WidthRule, presence};
use body::{parse_body, parse_header};

impl<'a> SeanimFile<'a> {
    /// Reads a file without decoding its keys.
    ///
    /// If the bytes allow several readings, takes the first of these that uses all bytes and has no
    /// frame beyond `frameCount`: standard widths by presence bits, standard widths by counts,
    /// legacy widths by presence bits, legacy widths by counts. If there is none, takes the first
    /// that can be read at all.
    ///
    /// # Errors
    ///
    /// If the bytes are not a SEAnim file of version 1, are truncated, or contain more items than
    /// the limits allow.
    pub fn parse(bytes: impl Into<Cow<'a, [u8]>>, limits: &Limits) -> Result<Self, ReadError> {
        let bytes = bytes.into();
        let header = parse_header(&mut ByteCursor::new(ID, &bytes))?;
        let SeanimFile { layout, index, .. } = choose(&bytes, &header, limits)?;
        Ok(Self { bytes, header, layout, index })
    }

    /// Reads a file with a given reading.
    ///
    /// # Errors
    ///
    /// Fails like [`parse`](Self::parse), if the file cannot be read this way.
    pub fn parse_as(
        bytes: impl Into<Cow<'a, [u8]>>,
        reading: Reading,
        limits: &Limits,
    ) -> Result<Self, ReadError> {
        let bytes = bytes.into();
        let header = parse_header(&mut ByteCursor::new(ID, &bytes))?;
        let SeanimFile { layout, index, .. } = parse_body(&bytes, &header, reading, limits)?;
        Ok(Self { bytes, header, layout, index })
    }

    /// Returns the largest frame of all keys and notes.
    pub(crate) fn largest_frame(&self) -> Option<u32> {
        let keys = self.bones().flat_map(|bone| {
            Channel::ALL.into_iter().filter_map(move |channel| bone.keys(channel)?.frames().max())
        });
        keys.chain(self.notes().map(|note| note.frame)).max()
    }

    /// Returns whether the reading uses all bytes and has no frame beyond frameCount.
    pub(crate) fn is_clean(&self) -> bool {
        self.trailing().is_empty()
            && self.largest_frame().is_none_or(|frame| frame <= self.header.frame_count)
    }
}

/// Checks the header. Returns the offset where the data ends if only one reading is possible and
/// `head` shows that no blend shapes follow.
pub(crate) fn check_start(head: &[u8]) -> Result<Option<u64>, ReadError> {
    let header = parse_header(&mut ByteCursor::new(ID, head))?;
    let [only] = *candidates(&header) else { return Ok(None) };
    let Ok(file) = parse_body(head, &header, only, &Limits::default()) else { return Ok(None) };
    let after = file.trailing();
    // Shapes that `head` cuts are bytes after the data, too.
    let ends = after.len() >= SHAPES_MAGIC.len() && !after.starts_with(SHAPES_MAGIC);
    Ok(ends.then(|| u64_from_len(head.len().saturating_sub(after.len()))))
}

/// Returns the first reading without contradictions, else the first that can be read.
fn choose<'a>(
    bytes: &'a [u8],
    header: &SeanimHeader,
    limits: &Limits,
) -> Result<SeanimFile<'a>, ReadError> {
    let readings = candidates(header);
    let mut first = None;
    let mut first_error = None;
    for &reading in &readings {
        match parse_body(bytes, header, reading, limits) {
            Ok(file) if readings.len() > 1 && file.is_clean() => return Ok(file),
            Ok(file) => _ = first.get_or_insert(file),
            // A reading that exceeds a limit could be the right one, so no other may replace it.
            Err(error) if matches!(error.kind(), ReadErrorKind::Limit { .. }) => {
                return Err(error);
            }
            Err(error) => _ = first_error.get_or_insert(error),
        }
    }
    match (first, first_error) {
        (Some(file), _) => diagnose::refuse_wrapped_count(file),
        (None, Some(error)) => Err(diagnose::explain(error, bytes, header, limits)),
        (None, None) => Err(ReadError::invalid("a reading", "none").in_format(ID)),
    }
}

/// Returns the possible readings for this header, the likeliest first.
fn candidates(header: &SeanimHeader) -> Vec<Reading> {
    let hidden_bones = header.presence & presence::BONES == 0 && header.bone_count > 0;
    let hidden_notes = header.presence & presence::NOTES == 0 && header.note_count > 0;
    let blocks: &[_] = if hidden_bones || hidden_notes {
        &[BlockRule::Flags, BlockRule::Counts]
    } else {
        &[BlockRule::Flags]
    };
    let widths: &[_] = if matches!(header.frame_count, 0x100 | 0x1_0000) {
        &[WidthRule::Standard, WidthRule::Legacy]
    } else {
        &[WidthRule::Standard]
    };
    let pairs =
        widths.iter().flat_map(|&widths| blocks.iter().map(move |&blocks| (widths, blocks)));
    pairs.map(|(widths, blocks)| Reading { widths, blocks }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_four_readings_are_possible() {
        let readings = |frame_count, bone_count, note_count| {
            let header =
                SeanimHeader { frame_count, bone_count, note_count, ..SeanimHeader::default() };
            candidates(&header).len()
        };
        assert_eq!(readings(30, 0, 0), 1);
        assert_eq!(readings(0x100, 0, 0), 2);
        assert_eq!(readings(30, 0, 5), 2);
        assert_eq!(readings(0x1_0000, 5, 5), 4);
    }
}
