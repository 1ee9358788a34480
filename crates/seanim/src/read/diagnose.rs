//! Finds the likely cause of a file that cannot be read.
//!
//! Three programs write files that have no valid reading. The bytes often reveal which program it
//! was, and naming it helps more than the bare error.

use inbetween_core::{Limits, Path, ReadError, ReadErrorKind, Record};

use super::body::parse_body;
use crate::file::SeanimFile;
use crate::header::SeanimHeader;
use crate::layout::{Channel, ID, Reading, presence};

/// The largest number of bones for which modifier records are searched; more would be slow.
const SEARCHED_BONES: u32 = 4_096;

/// Rejects a file whose key counts were written modulo 256 or 65,536.
///
/// RedFox writes the largest frame as frameCount, so 256 keys up to frame 255 get a one-byte count
/// of 0. Such a file has a channel without keys, and enough remaining bytes for them.
pub(crate) fn refuse_wrapped_count(file: SeanimFile<'_>) -> Result<SeanimFile<'_>, ReadError> {
    if !may_wrap(&file.header) || file.trailing().len() < wrapped_size(&file) {
        return Ok(file);
    }
    let empty = file.bones().enumerate().find_map(|(index, bone)| {
        let channel = Channel::ALL
            .into_iter()
            .find(|&channel| bone.keys(channel).is_some_and(|keys| keys.is_empty()))?;
        Some(Path::item("bones", index).then(channel.name()))
    });
    match empty {
        None => Ok(file),
        Some(path) => {
            let found = format!("0 keys, and {} bytes after the last block", file.trailing().len());
            let error = ReadError::invalid("keys", found).in_format(ID).at_path(path);
            Err(error.with_hint(wrap_hint(&file.header)))
        }
    }
}

fn may_wrap(header: &SeanimHeader) -> bool {
    matches!(header.frame_count, 0xff | 0xffff)
}

/// Returns the size of the smallest block of keys whose count wraps to 0.
fn wrapped_size(file: &SeanimFile<'_>) -> usize {
    let keys = usize::try_from(file.header.frame_count).unwrap_or(usize::MAX).saturating_add(1);
    Channel::Location.key_size(file.layout).saturating_mul(keys)
}

fn wrap_hint(header: &SeanimHeader) -> String {
    let (count, keys) = (header.frame_count, u64::from(header.frame_count).saturating_add(1));
    format!(
        "a frameCount of {count} suggests that the writer stored {keys} keys as a count of 0 \
         (RedFox does): export the file again with another program"
    )
}

/// Adds the likely cause to an error if the bytes reveal one.
pub(crate) fn explain(
    error: ReadError,
    bytes: &[u8],
    header: &SeanimHeader,
    limits: &Limits,
) -> ReadError {
    if matches!(error.kind(), ReadErrorKind::Limit { .. }) {
        return error;
    }
    if let Some(count) = hidden_modifiers(bytes, header, limits) {
        return error.with_hint(format!(
            "the file can be read with {count} modifier records, but its modifierCount is 0, as \
             io_anim_seanim writes it: set the byte at 0x1c to {count}"
        ));
    }
    if may_wrap(header) {
        return error.with_hint(wrap_hint(header));
    }
    if has_name_beyond_ascii(bytes, header) {
        return error.with_hint(
            "a bone name has non-ASCII characters: io_anim_seanim omits the NUL after such names; \
             rename the bone and export again",
        );
    }
    error
}

/// Finds the number of modifier records with which the file can be read without remaining bytes.
pub(crate) fn hidden_modifiers(bytes: &[u8], header: &SeanimHeader, limits: &Limits) -> Option<u8> {
    let searched = 1..=header.bone_count.min(u32::from(u8::MAX));
    if header.modifier_count != 0
        || header.presence & presence::BONES == 0
        || header.bone_count > SEARCHED_BONES
    {
        return None;
    }
    searched.filter_map(|count| u8::try_from(count).ok()).find(|&modifier_count| {
        let header = SeanimHeader { modifier_count, ..*header };
        parse_body(bytes, &header, Reading::default(), limits).is_ok_and(|file| {
            file.is_clean() && file.modifiers().all(|each| each.bone.0 < header.bone_count)
        })
    })
}

fn has_name_beyond_ascii(bytes: &[u8], header: &SeanimHeader) -> bool {
    let names = usize::from(header.header_size.max(28)).saturating_add(u64::SIZE);
    let names = bytes.get(names..).unwrap_or_default().split(|&byte| byte == 0);
    let bones = usize::try_from(header.bone_count).unwrap_or(usize::MAX);
    header.presence & presence::BONES != 0
        && names.take(bones).any(|name| {
            // A lost NUL leaves valid text, while key bytes are usually not valid names.
            core::str::from_utf8(name).is_ok_and(|name| !name.is_ascii())
        })
}
