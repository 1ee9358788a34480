//! Parses the blocks of a file in order.

use std::borrow::Cow;

use inbetween_core::parse::{self, ByteCursor};
use inbetween_core::{Budget, Limits, ReadError, ReadErrorKind, Record};

use crate::file::{CustomRange, Entry, Index, Notes, SeanimFile};
use crate::header::SeanimHeader;
use crate::keys::ShapeKey;
use crate::layout::{
    AnimType, BlockRule, Channel, HEADER_SIZES, ID, MAGIC, Reading, SHAPES_MAGIC, SeanimLayout,
    presence,
};

/// Reads the magic number, the version and the header.
pub(super) fn parse_header(cursor: &mut ByteCursor<'_>) -> Result<SeanimHeader, ReadError> {
    let magic = cursor.rest().get(..MAGIC.len()).unwrap_or(cursor.rest());
    if magic != MAGIC {
        let found = if magic.is_empty() { "an empty file".into() } else { ascii(magic) };
        let kind = ReadErrorKind::BadMagic { expected: "\"SEAnim\"", found: found.into() };
        return Err(cursor.place(ReadError::new(kind), "magic"));
    }
    cursor.parse("magic", parse::bytes(MAGIC.len()))?;
    let place = cursor.clone();
    let version: u16 = cursor.parse("version", parse::record)?;
    if version != 1 {
        let found = i64::from(version);
        let kind = ReadErrorKind::UnsupportedVersion { found, supported: "1" };
        return Err(place.place(ReadError::new(kind), "version"));
    }
    let place = cursor.clone();
    let header_size: u16 = cursor.parse("headerSize", parse::record)?;
    let (usual, of_the_text) = HEADER_SIZES;
    if header_size < usual && header_size != of_the_text {
        let error = ReadError::invalid("a header of at least 28 bytes", format!("{header_size}"));
        return Err(place.place(error, "headerSize"));
    }
    Ok(SeanimHeader {
        header_size,
        anim_type: AnimType(cursor.parse("animType", parse::record)?),
        anim_flags: cursor.parse("animFlags", parse::record)?,
        presence: cursor.parse("dataPresenceFlags", parse::record)?,
        property: cursor.parse("dataPropertyFlags", parse::record)?,
        reserved1: cursor.parse("reserved1", parse::record)?,
        framerate: cursor.parse("framerate", parse::record)?,
        frame_count: cursor.parse("frameCount", parse::record)?,
        bone_count: cursor.parse("boneCount", parse::record)?,
        modifier_count: cursor.parse("boneAnimModifierCount", parse::record)?,
        reserved2: cursor.parse("reserved2", parse::record)?,
        note_count: cursor.parse("noteCount", parse::record)?,
    })
}

fn ascii(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

/// Reads everything after the header with one reading.
pub(super) fn parse_body<'a>(
    bytes: &'a [u8],
    header: &SeanimHeader,
    reading: Reading,
    limits: &Limits,
) -> Result<SeanimFile<'a>, ReadError> {
    let mut cursor = ByteCursor::new(ID, bytes);
    parse_header(&mut cursor)?;
    let mut body = Body {
        cursor,
        header,
        layout: SeanimLayout::new(header, reading),
        budget: Budget::new(limits, bytes.len()),
        index: Index::default(),
    };
    body.header_extra()?;
    let by_counts = reading.blocks == BlockRule::Counts;
    if header.presence & presence::BONES != 0 || (by_counts && header.bone_count > 0) {
        body.names()?;
        body.modifiers()?;
        body.bones()?;
    }
    if header.presence & presence::NOTES != 0 || (by_counts && header.note_count > 0) {
        body.notes()?;
    }
    if header.presence & presence::CUSTOM != 0 {
        body.custom()?;
    }
    body.shapes()?;
    body.index.trailing = body.cursor.offset()..bytes.len();
    let (layout, index) = (body.layout, body.index);
    Ok(SeanimFile { bytes: Cow::Borrowed(bytes), header: *header, layout, index })
}

/// The remaining bytes and the items found so far.
struct Body<'a, 'h> {
    cursor: ByteCursor<'a>,
    header: &'h SeanimHeader,
    layout: SeanimLayout,
    budget: Budget,
    index: Index,
}

impl Body<'_, '_> {
    fn header_extra(&mut self) -> Result<(), ReadError> {
        let start = self.cursor.offset();
        let extra = self.header.header_size.saturating_sub(HEADER_SIZES.0);
        self.cursor.block("headerSize", u64::from(extra), 1)?;
        self.index.header_extra = start..self.cursor.offset();
        Ok(())
    }

    fn charge(&mut self, field: &'static str, items: u64) -> Result<(), ReadError> {
        let charged = self.budget.charge_items(items);
        charged.map_err(|error| self.cursor.place(error, field))
    }

    fn names(&mut self) -> Result<(), ReadError> {
        let claimed = u64::from(self.header.bone_count);
        // A bone has at least the NUL of its name, its flags, and one count per channel.
        let channels =
            Channel::ALL.iter().filter(|channel| self.header.presence & channel.bit() != 0);
        let counts = channels.count().saturating_mul(self.layout.frame_width.bytes());
        let count = self.cursor.count("boneCount", claimed, counts.saturating_add(2))?;
        self.charge("boneCount", claimed)?;
        self.index.bones.reserve_exact(count.get());
        for bone in 0..count.get() {
            let name = self.cursor.offset();
            let parsed = self.cursor.parse("name", parse::until_nul);
            parsed.map_err(|error| error.within("bones", bone))?;
            self.index.bones.push(Entry { name, data: 0 });
        }
        Ok(())
    }

    fn modifiers(&mut self) -> Result<(), ReadError> {
        let count = u64::from(self.header.modifier_count);
        self.charge("modifiers", count)?;
        let start = self.cursor.offset();
        let size = self.layout.bone_width.bytes().saturating_add(1);
        self.cursor.block("modifiers", count, size)?;
        self.index.modifiers = start..self.cursor.offset();
        Ok(())
    }

    fn bones(&mut self) -> Result<(), ReadError> {
        let (layout, presence) = (self.layout, self.header.presence);
        for (bone, entry) in self.index.bones.iter_mut().enumerate() {
            entry.data = self.cursor.offset();
            skip_bone(&mut self.cursor, layout, presence)
                .map_err(|error| error.within("bones", bone))?;
        }
        Ok(())
    }

    fn notes(&mut self) -> Result<(), ReadError> {
        let claimed = u64::from(self.header.note_count);
        let width = self.layout.frame_width.bytes();
        let count = self.cursor.count("noteCount", claimed, width.saturating_add(1))?;
        self.charge("noteCount", claimed)?;
        self.index.notes = Notes { start: self.cursor.offset(), count: count.get() };
        for note in 0..count.get() {
            let parsed = self.cursor.parse("frame", parse::bytes(width));
            let parsed = parsed.and_then(|_| self.cursor.parse("name", parse::until_nul));
            parsed.map_err(|error| error.within("notes", note))?;
        }
        Ok(())
    }

    fn custom(&mut self) -> Result<(), ReadError> {
        if self.cursor.rest().is_empty() {
            self.index.custom = CustomRange::Missing;
            return Ok(());
        }
        let size: u32 = self.cursor.parse("custom", parse::record)?;
        let start = self.cursor.offset();
        self.cursor.block("custom", u64::from(size), 1)?;
        self.index.custom = CustomRange::Present(start..self.cursor.offset());
        Ok(())
    }

    /// Reads the blend shapes if present; bytes that only start like them are left unread.
    fn shapes(&mut self) -> Result<(), ReadError> {
        if !self.cursor.rest().starts_with(SHAPES_MAGIC) {
            return Ok(());
        }
        let mut cursor = self.cursor.clone();
        match parse_shapes(&mut cursor, &mut self.budget) {
            Ok(shapes) => {
                self.cursor = cursor;
                self.index.shapes = Some(shapes);
                Ok(())
            }
            Err(error) if matches!(error.kind(), ReadErrorKind::Limit { .. }) => Err(error),
            Err(_) => Ok(()),
        }
    }
}

fn skip_bone(
    cursor: &mut ByteCursor<'_>,
    layout: SeanimLayout,
    presence: u8,
) -> Result<(), ReadError> {
    cursor.parse("flags", parse::bytes(1))?;
    for channel in Channel::ALL {
        if presence & channel.bit() != 0 {
            let width = layout.frame_width;
            let count = cursor.parse(channel.name(), parse::bytes(width.bytes()))?;
            let count = width.decode(count).unwrap_or_default();
            cursor.block(channel.name(), u64::from(count), channel.key_size(layout))?;
        }
    }
    Ok(())
}

fn parse_shapes(cursor: &mut ByteCursor<'_>, budget: &mut Budget) -> Result<Vec<Entry>, ReadError> {
    cursor.parse("SEBlend", parse::bytes(SHAPES_MAGIC.len()))?;
    let claimed: u64 = cursor.parse("shapeCount", parse::record)?;
    // A shape has at least the NUL of its name and a key count.
    let count = cursor.count("shapeCount", claimed, 5)?;
    let charged = budget.charge_items(claimed);
    charged.map_err(|error| cursor.place(error, "shapeCount"))?;
    let mut shapes = Vec::with_capacity(count.get());
    for _ in 0..count.get() {
        let name = cursor.offset();
        cursor.parse("name", parse::until_nul)?;
        shapes.push(Entry { name, data: 0 });
    }
    for shape in &mut shapes {
        shape.data = cursor.offset();
        let keys: u32 = cursor.parse("keyCount", parse::record)?;
        cursor.block("keys", u64::from(keys), ShapeKey::SIZE)?;
    }
    Ok(shapes)
}
