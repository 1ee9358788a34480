//! The exact model: the bytes of a SEAnim file and an index.

use core::ops::Range;
use std::borrow::Cow;

use inbetween_core::{Record, View};

use crate::{Channel, FrameWidth, Precision, SeanimKeys, ShapeKey};

/// How the values of a file combine with the rest pose; unknown numbers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnimType(pub u8);

impl AnimType {
    /// The values are the local pose.
    pub const ABSOLUTE: Self = Self(0);
    /// Translations and rotations are added to the rest pose.
    pub const ADDITIVE: Self = Self(1);
    /// Translations are added to the rest pose.
    pub const RELATIVE: Self = Self(2);
    /// Like relative; one bone carries the movement of the whole model.
    pub const DELTA: Self = Self(3);
}

/// Bits of [`SeanimHeader::presence`].
pub mod presence {
    /// Bones have locations.
    pub const LOCATION: u8 = 0x01;
    /// Bones have rotations.
    pub const ROTATION: u8 = 0x02;
    /// Bones have scales.
    pub const SCALE: u8 = 0x04;
    /// Any of the channel bits: the file has bones.
    pub const BONES: u8 = LOCATION | ROTATION | SCALE;
    /// Reserved bits, normally 0.
    pub const RESERVED: u8 = 0x38;
    /// The file has notes.
    pub const NOTES: u8 = 0x40;
    /// The file has a custom block.
    pub const CUSTOM: u8 = 0x80;
}

/// Bit of [`SeanimHeader::anim_flags`]: the animation repeats.
pub const LOOPED: u8 = 0x01;

/// Bit of [`SeanimHeader::property`]: values are `f64`.
pub const PRECISION_HIGH: u8 = 0x01;

/// The header fields in file order (`docs/formats/seanim.md`).
#[derive(Clone, Copy, Debug)]
pub struct SeanimHeader {
    /// The size of the header including these two bytes: at least 28; 26 is read as 28.
    pub header_size: u16,
    /// How the values combine with the rest pose.
    pub anim_type: AnimType,
    /// Bit 0: [`LOOPED`].
    pub anim_flags: u8,
    /// Which blocks are present: see [`presence`].
    pub presence: u8,
    /// Bit 0: [`PRECISION_HIGH`].
    pub property: u8,
    /// 0 in all known files.
    pub reserved1: [u8; 2],
    /// Frames per second.
    pub framerate: f32,
    /// The largest frame plus 1; the widths of frames and key counts follow from it.
    pub frame_count: u32,
    /// Number of bones; the width of bone indices follows from it.
    pub bone_count: u32,
    /// Number of modifiers.
    pub modifier_count: u8,
    /// 0 in all known files.
    pub reserved2: [u8; 3],
    /// Number of notes.
    pub note_count: u32,
}

/// Headers are equal if they are equal bit for bit, including a NaN frame rate.
impl PartialEq for SeanimHeader {
    fn eq(&self, other: &Self) -> bool {
        let bytes = |header: &Self| {
            let mut out = Vec::with_capacity(28);
            crate::write::encode_header(header, &mut out);
            out
        };
        bytes(self) == bytes(other)
    }
}

impl Default for SeanimHeader {
    /// An empty absolute animation at 30 frames per second.
    fn default() -> Self {
        Self {
            header_size: 28,
            anim_type: AnimType::ABSOLUTE,
            anim_flags: 0,
            presence: 0,
            property: 0,
            reserved1: [0; 2],
            framerate: 30.0,
            frame_count: 0,
            bone_count: 0,
            modifier_count: 0,
            reserved2: [0; 3],
            note_count: 0,
        }
    }
}

/// The rule for the width of frame numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WidthRule {
    /// Specification 1.0.2: by `frameCount`.
    #[default]
    Standard,
    /// Specification 1.0.1: by `frameCount - 1`; differs only at 256 and 65,536.
    Legacy,
}

/// The rule for the presence of bone and note blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockRule {
    /// By the presence bits.
    #[default]
    Flags,
    /// By the presence bits or a nonzero count.
    Counts,
}

/// How to read a file whose bytes allow several readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The rule for widths.
    pub widths: WidthRule,
    /// The rule for blocks.
    pub blocks: BlockRule,
}

/// The layout of a file: the chosen reading, and what follows from it and the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SeanimLayout {
    /// The chosen reading.
    pub reading: Reading,
    /// The number of bytes of a frame number and of a key count.
    pub frame_width: FrameWidth,
    /// The number of bytes of a bone index.
    pub bone_width: FrameWidth,
    /// Whether values are `f32` or `f64`.
    pub precision: Precision,
}

impl SeanimLayout {
    /// Computes the layout of a file with this header and reading.
    pub const fn new(header: &SeanimHeader, reading: Reading) -> Self {
        let frames = match reading.widths {
            WidthRule::Standard => header.frame_count,
            WidthRule::Legacy => header.frame_count.saturating_sub(1),
        };
        let precision = if header.property & PRECISION_HIGH == 0 {
            Precision::Single
        } else {
            Precision::Double
        };
        Self {
            reading,
            frame_width: FrameWidth::for_count(frames),
            bone_width: FrameWidth::for_count(header.bone_count),
            precision,
        }
    }
}

/// The index of a bone in a file, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoneIndex(pub u32);

/// A SEAnim file: its bytes and an index.
///
/// Keys are decoded on request. `to_bytes` returns the parsed bytes unchanged.
#[derive(Clone, Debug)]
pub struct SeanimFile<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) header: SeanimHeader,
    pub(crate) layout: SeanimLayout,
    pub(crate) index: Index,
}

/// The offsets of items in the bytes; at most 16 bytes per item.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    pub(crate) header_extra: Range<usize>,
    pub(crate) bones: Vec<Entry>,
    pub(crate) modifiers: Range<usize>,
    pub(crate) notes: Notes,
    pub(crate) custom: CustomRange,
    pub(crate) shapes: Option<Vec<Entry>>,
    pub(crate) trailing: Range<usize>,
}

/// The offset of the notes and their number; a note's offset is found by scanning.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) start: usize,
    pub(crate) count: usize,
}

/// The offsets of the name and the data of a bone or blend shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) name: usize,
    pub(crate) data: usize,
}

/// Whether the custom block exists, and its range.
#[derive(Clone, Debug, Default)]
pub(crate) enum CustomRange {
    /// The custom bit is clear.
    #[default]
    Absent,
    /// The custom bit is set and nothing follows.
    Missing,
    /// The content, without its size.
    Present(Range<usize>),
}

/// The custom block of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Custom<'a> {
    /// The custom bit is clear.
    Absent,
    /// The custom bit is set, but the file ends where the block should be.
    Missing,
    /// The content of the block.
    Present(&'a [u8]),
}

impl SeanimFile<'_> {
    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the header.
    pub const fn header(&self) -> &SeanimHeader {
        &self.header
    }

    /// Returns the layout of the file.
    pub const fn layout(&self) -> &SeanimLayout {
        &self.layout
    }

    /// Returns the header's bytes after the first 28.
    pub fn header_extra(&self) -> &[u8] {
        self.slice(self.index.header_extra.clone())
    }

    /// Returns the number of bones in the file, which may differ from the header's count.
    pub const fn bone_count(&self) -> usize {
        self.index.bones.len()
    }

    /// Returns a bone, or `None` if the index is out of range.
    pub fn bone(&self, index: usize) -> Option<SeanimBone<'_>> {
        self.index.bones.get(index).map(|entry| self.bone_at(*entry))
    }

    /// Returns the bones in file order.
    pub fn bones(&self) -> impl ExactSizeIterator<Item = SeanimBone<'_>> {
        self.index.bones.iter().map(|entry| self.bone_at(*entry))
    }

    fn bone_at(&self, entry: Entry) -> SeanimBone<'_> {
        SeanimBone {
            name: name_at(&self.bytes, entry.name),
            data: self.bytes.get(entry.data..).unwrap_or_default(),
            offset: entry.data,
            presence: self.header.presence,
            layout: self.layout,
        }
    }

    /// Returns the modifiers in file order.
    pub fn modifiers(&self) -> impl ExactSizeIterator<Item = SeanimModifier> {
        let width = self.layout.bone_width;
        let size = width.bytes().saturating_add(1);
        self.slice(self.index.modifiers.clone()).chunks_exact(size).map(move |record| {
            // A chunk has the length of a modifier, so neither default is ever used.
            SeanimModifier {
                bone: BoneIndex(width.decode(record).unwrap_or_default()),
                anim_type: AnimType(record.last().copied().unwrap_or_default()),
            }
        })
    }

    /// Returns the number of notes in the file, which may differ from the header's count.
    pub const fn note_count(&self) -> usize {
        self.index.notes.count
    }

    /// Returns the notes in file order.
    pub fn notes(&self) -> impl Iterator<Item = SeanimNote<'_>> {
        self.notes_at().map(|(_, note)| note)
    }

    /// Returns the notes in file order with their offsets.
    pub(crate) fn notes_at(&self) -> impl Iterator<Item = (usize, SeanimNote<'_>)> {
        let width = self.layout.frame_width;
        let mut start = self.index.notes.start;
        (0..self.note_count()).map_while(move |_| {
            let at = start;
            let frame = width.decode(self.bytes.get(at..)?)?;
            let name = name_at(&self.bytes, at.checked_add(width.bytes())?);
            start = at.checked_add(width.bytes())?.checked_add(name.len())?.checked_add(1)?;
            Some((at, SeanimNote { frame, name }))
        })
    }

    /// Returns the custom block.
    pub fn custom(&self) -> Custom<'_> {
        match &self.index.custom {
            CustomRange::Absent => Custom::Absent,
            CustomRange::Missing => Custom::Missing,
            CustomRange::Present(range) => Custom::Present(self.slice(range.clone())),
        }
    }

    /// Returns the blend shapes that Greyhound appends, or `None` if the block is missing.
    pub fn blend_shapes(&self) -> Option<impl ExactSizeIterator<Item = BlendShape<'_>>> {
        self.index.shapes.as_ref().map(|shapes| {
            shapes.iter().map(|entry| BlendShape {
                name: name_at(&self.bytes, entry.name),
                data: self.bytes.get(entry.data..).unwrap_or_default(),
            })
        })
    }

    /// Returns the bytes after the last known block.
    pub fn trailing(&self) -> &[u8] {
        self.slice(self.index.trailing.clone())
    }

    /// Returns the bone that carries the movement of a DELTA animation: `tag_origin`, else the
    /// first bone. Returns `None` for other animations and without bones.
    ///
    /// The specification says the first bone, but programs write bones in any order.
    pub fn delta_bone(&self) -> Option<BoneIndex> {
        if self.header.anim_type != AnimType::DELTA || self.index.bones.is_empty() {
            return None;
        }
        let origin = self.bones().position(|bone| bone.name().eq_ignore_ascii_case(b"tag_origin"));
        u32::try_from(origin.unwrap_or(0)).ok().map(BoneIndex)
    }

    /// Copies the borrowed bytes, so that the file owns them.
    pub fn into_owned(self) -> SeanimFile<'static> {
        SeanimFile {
            bytes: Cow::Owned(self.bytes.into_owned()),
            header: self.header,
            layout: self.layout,
            index: self.index,
        }
    }

    fn slice(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }
}

/// Returns the name at `start`, without its NUL.
fn name_at(bytes: &[u8], start: usize) -> &[u8] {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// A bone: its name, and its encoded keys.
#[derive(Clone, Copy, Debug)]
pub struct SeanimBone<'a> {
    name: &'a [u8],
    data: &'a [u8],
    offset: usize,
    presence: u8,
    layout: SeanimLayout,
}

impl<'a> SeanimBone<'a> {
    /// Returns the name: any bytes except NUL.
    pub const fn name(&self) -> &'a [u8] {
        self.name
    }

    /// Returns the flags: 0, 1 (cosmetic), or another value of the exporter.
    pub fn flags(&self) -> u8 {
        self.data.first().copied().unwrap_or_default()
    }

    /// Returns the keys of a channel, or `None` if the file does not have the channel.
    pub fn keys(&self, channel: Channel) -> Option<SeanimKeys<'a>> {
        self.block(channel).map(|(_, block)| SeanimKeys::new(channel, block, self.layout))
    }

    /// Returns the offset of the keys of a channel.
    pub(crate) fn key_offset(&self, channel: Channel) -> usize {
        let within = self.block(channel).map_or(0, |(offset, _)| offset);
        self.offset.saturating_add(within)
    }

    /// Returns the offset of the flags.
    pub(crate) const fn flags_offset(&self) -> usize {
        self.offset
    }

    /// Returns the keys of a channel and their offset in `data`.
    fn block(&self, wanted: Channel) -> Option<(usize, &'a [u8])> {
        let width = self.layout.frame_width;
        let mut offset: usize = 1;
        for channel in Channel::ALL {
            if self.presence & channel.bit() == 0 {
                continue;
            }
            let count = width.decode(self.data.get(offset..)?)?;
            let start = offset.checked_add(width.bytes())?;
            let size = usize::try_from(count).ok()?.checked_mul(channel.key_size(self.layout))?;
            offset = start.checked_add(size)?;
            if channel == wanted {
                return Some((start, self.data.get(start..offset)?));
            }
        }
        None
    }
}

/// A bone whose animation type differs from that of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeanimModifier {
    /// The bone; the file may not have it.
    pub bone: BoneIndex,
    /// How the values of the bone combine with its rest pose.
    pub anim_type: AnimType,
}

/// A text event at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeanimNote<'a> {
    /// The frame.
    pub frame: u32,
    /// The text: any bytes except NUL. Prefixes such as `sndnt#` are part of it.
    pub name: &'a [u8],
}

/// A blend shape that Greyhound appends to a file.
#[derive(Clone, Copy, Debug)]
pub struct BlendShape<'a> {
    name: &'a [u8],
    data: &'a [u8],
}

impl<'a> BlendShape<'a> {
    /// Returns the name: any bytes except NUL.
    pub const fn name(&self) -> &'a [u8] {
        self.name
    }

    /// Returns the keys.
    pub fn keys(&self) -> View<'a, ShapeKey> {
        let count = u32::decode(self.data, ()).and_then(|count| usize::try_from(count).ok());
        let size = count.unwrap_or(0).saturating_mul(ShapeKey::SIZE);
        let block = self.data.get(4..).and_then(|rest| rest.get(..size));
        View::new(block.unwrap_or_default(), ())
    }
}
