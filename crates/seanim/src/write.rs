//! Encodes parts as bytes.

use inbetween_core::memory::{self, OutOfMemory};
use inbetween_core::wire::{append, interleave};
use inbetween_core::{Record, Values, WriteError};

use crate::header::SeanimHeader;
use crate::layout::{Channel, FrameWidth, ID, MAGIC, SHAPES_MAGIC, SeanimLayout, presence};
use crate::parts::{BoneSource, SeanimParts};

impl SeanimParts {
    /// Writes the file of the parts, without an index of it.
    ///
    /// # Errors
    ///
    /// Like [`SeanimFile::from_parts`](crate::SeanimFile::from_parts).
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.to_bytes_with(&self.bones).map_err(|error| error.in_format(ID))
    }

    /// Writes the file of the parts with other bones than theirs.
    pub(crate) fn to_bytes_with(&self, bones: &[impl BoneSource]) -> Result<Vec<u8>, WriteError> {
        let header = self.settled_header(bones.len())?;
        let layout = SeanimLayout::new(&header, self.reading);
        self.check(bones, &header, layout)?;
        Ok(encode(self, bones, &header, layout)?)
    }
}

/// Encodes parts with these bones, which were checked against the header and the layout.
///
/// # Errors
///
/// If the system cannot provide the memory for the file.
pub(crate) fn encode(
    parts: &SeanimParts,
    bones: &[impl BoneSource],
    header: &SeanimHeader,
    layout: SeanimLayout,
) -> Result<Vec<u8>, OutOfMemory> {
    let mut out = Vec::new();
    memory::reserve(&mut out, size(parts, bones, layout))?;
    out.extend_from_slice(MAGIC);
    1_u16.encode((), &mut out);
    header.encode(&mut out);
    out.extend_from_slice(&parts.header_extra);
    for bone in bones {
        encode_name(bone.name(), &mut out);
    }
    for modifier in &parts.modifiers {
        layout.bone_width.encode(modifier.bone.0, &mut out);
        out.push(modifier.anim_type.0);
    }
    for bone in bones {
        out.push(bone.flags());
        for keys in Channel::ALL.into_iter().filter_map(|channel| bone.keys(channel)) {
            encode_channel(keys, layout.frame_width, &mut out);
        }
    }
    for note in &parts.notes {
        layout.frame_width.encode(note.frame, &mut out);
        encode_name(&note.name, &mut out);
    }
    encode_end(parts, &mut out);
    Ok(out)
}

fn encode_name(name: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(name);
    out.push(0);
}

fn encode_channel((frames, values): (&[u32], &Values), width: FrameWidth, out: &mut Vec<u8>) {
    width.encode(u32::try_from(frames.len()).unwrap_or(u32::MAX), out);
    match values {
        Values::Float3(values) => encode_keys(frames, values, width, out),
        Values::Double3(values) => encode_keys(frames, values, width, out),
        Values::FloatQ(values) => encode_keys(frames, values, width, out),
        Values::DoubleQ(values) => encode_keys(frames, values, width, out),
        // The check of the parts accepts no other kind.
        _ => {}
    }
}

fn encode_keys<V: Record<Layout = ()>>(
    frames: &[u32],
    values: &[V],
    width: FrameWidth,
    out: &mut Vec<u8>,
) {
    // A loop for each width is faster than a choice for each key.
    match width {
        FrameWidth::One => interleave(frames, values, |frame, value| (low::<1>(frame), value), out),
        FrameWidth::Two => {
            let key = |frame, value| (u16::from_le_bytes(low(frame)), value);
            interleave(frames, values, key, out);
        }
        FrameWidth::Four => interleave(frames, values, |frame, value| (frame, value), out),
    }
}

/// Returns the lowest bytes of a frame number.
fn low<const WIDTH: usize>(frame: u32) -> [u8; WIDTH] {
    frame.to_le_bytes().first_chunk().copied().unwrap_or([0; WIDTH])
}

/// Appends the custom block, the blend shapes and the trailing bytes.
fn encode_end(parts: &SeanimParts, out: &mut Vec<u8>) {
    if let (Some(custom), true) = (&parts.custom, parts.header.presence & presence::CUSTOM != 0) {
        u32::try_from(custom.len()).unwrap_or(u32::MAX).encode((), out);
        out.extend_from_slice(custom);
    }
    if let Some(shapes) = &parts.blend_shapes {
        out.extend_from_slice(SHAPES_MAGIC);
        u64::try_from(shapes.len()).unwrap_or(u64::MAX).encode((), out);
        for shape in shapes {
            encode_name(&shape.name, out);
        }
        for shape in shapes {
            u32::try_from(shape.keys.len()).unwrap_or(u32::MAX).encode((), out);
            append(&shape.keys, out);
        }
    }
    out.extend_from_slice(&parts.trailing);
}

/// Returns an estimate of the file size, to reserve the memory at once.
pub(crate) fn size(parts: &SeanimParts, bones: &[impl BoneSource], layout: SeanimLayout) -> usize {
    let bones = bones.iter().flat_map(|bone| {
        let keys = Channel::ALL.into_iter().filter_map(|channel| {
            let (frames, _) = bone.keys(channel)?;
            Some(frames.len().saturating_mul(channel.key_size(layout)).saturating_add(4))
        });
        keys.chain([bone.name().len().saturating_add(2)])
    });
    let shapes = parts.blend_shapes.iter().flatten();
    let shapes = shapes.map(|shape| shape.keys.len().saturating_mul(16).saturating_add(64));
    let notes = parts.notes.iter().map(|note| note.name.len().saturating_add(5));
    let rest = parts.header_extra.len().saturating_add(parts.trailing.len());
    let custom = parts.custom.as_ref().map_or(0, Vec::len);
    let modifiers = parts.modifiers.len().saturating_mul(5);
    bones
        .chain(shapes)
        .chain(notes)
        .chain([rest, custom, modifiers, 64])
        .fold(0, usize::saturating_add)
}
