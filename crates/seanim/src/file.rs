//! The exact model: the bytes of a SEAnim file and an index.

use core::ops::Range;
use std::borrow::Cow;

use inbetween_core::{Record, View};

use crate::header::SeanimHeader;
use crate::keys::{SeanimKeys, ShapeKey};
use crate::layout::{AnimType, Channel, SeanimLayout};

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
