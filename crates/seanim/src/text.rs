//! The exact text form (`docs/text-form.md`).

mod bone;
mod header;

use inbetween_core::text::{
    self, Bits, Each, Float, Hex, HexArray, Layout, Name, Number, Skip, Tag, Version, is_default,
};
use inbetween_core::{Budget, Limits, ReadError, TextForm, num};
use serde::{Deserialize, Serialize};

use crate::layout::{ID, PRECISION_HIGH, presence};
use crate::{
    AnimType, BlockRule, Custom, NotePart, Seanim, SeanimFile, SeanimHeader, SeanimModifier,
    SeanimParts, ShapeKey, ShapePart, WidthRule,
};
use bone::{BoneText, Column};
use header::{AnimFlags, AnimTypeText, BlockText, ModifierText, Presence, Property, WidthText};

const LAYOUT: Layout = Layout {
    open: &["bones", "blend_shapes"],
    lines: &["locations", "rotations", "scales", "modifiers", "notes", "keys"],
};

impl TextForm for Seanim {
    fn unpack(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        let file = self.parse(bytes, limits)?;
        print(&file, limits).map_err(|error| error.in_format(ID))
    }

    fn pack(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        // The precision determines the type of the key values.
        let property = text::peek::<Bits<Property>>(text, "property", "bones").unwrap_or_default();
        let parts = if property.byte & PRECISION_HIGH == 0 {
            parse::<f32>(text, limits)?
        } else {
            parse::<f64>(text, limits)?
        };
        charge(&parts, text.len(), limits).map_err(|error| error.in_format(ID))?;
        let file = SeanimFile::from_parts(&parts).map_err(|error| text::refused(&error, text))?;
        Ok(file.bytes.into_owned())
    }
}

fn print(file: &SeanimFile<'_>, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let header = file.header();
    let reading = file.layout().reading;
    let usual_size = 28_usize.saturating_add(file.header_extra().len());
    // Counts of blocks that do not exist cannot be computed, so they are printed.
    let (bones, notes) = (header.presence & presence::BONES, header.presence & presence::NOTES);
    let hidden = |count: u32, there: bool| (!there && count != 0).then_some(count);
    let has_bones = bones != 0 || file.bone_count() > 0;
    let mirror = FileText {
        format: Tag(ID),
        text_version: Version,
        header_size: Some(header.header_size).filter(|size| usize::from(*size) != usual_size),
        anim_type: AnimTypeText::new(header.anim_type.0.into()),
        anim_flags: Bits::new(header.anim_flags),
        presence: Bits::new(header.presence),
        property: Bits::new(header.property),
        reserved1: HexArray(header.reserved1),
        frame_rate: Float(header.framerate),
        frame_count: header.frame_count,
        bone_count: hidden(header.bone_count, has_bones),
        modifier_count: hidden(header.modifier_count.into(), has_bones),
        reserved2: HexArray(header.reserved2),
        note_count: hidden(header.note_count, notes != 0 || file.note_count() > 0),
        widths: reading.widths,
        blocks: reading.blocks,
        header_extra: Hex(file.header_extra().into()),
        bones: Each(|| file.bones().map(BoneText::from)),
        modifiers: Each(|| file.modifiers().map(ModifierText::from)),
        notes: Each(|| {
            file.notes().map(|note| NoteText { frame: note.frame, name: Name(note.name.into()) })
        }),
        custom: match file.custom() {
            Custom::Present(bytes) => Some(Hex(bytes.into())),
            Custom::Absent | Custom::Missing => None,
        },
        blend_shapes: file.blend_shapes().is_some().then_some(Each(|| {
            file.blend_shapes().into_iter().flatten().map(|shape| ShapeText {
                name: Name(shape.name().into()),
                keys: Each(move || shape.keys().iter().map(ShapeKeyText::from)),
            })
        })),
        trailing: Hex(file.trailing().into()),
    };
    text::print(&mirror, LAYOUT, file.to_bytes().len(), limits)
}

/// The mirror type of a file; lists are printed from the file and parsed into vectors.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "B: Default + Deserialize<'de>, M: Default + Deserialize<'de>, \
                   N: Default + Deserialize<'de>, P: Deserialize<'de>"))]
struct FileText<'a, B: Skip, M: Skip, N: Skip, P> {
    format: Tag,
    text_version: Version,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    header_size: Option<u16>,
    anim_type: AnimTypeText,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    anim_flags: Bits<AnimFlags>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    presence: Bits<Presence>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    property: Bits<Property>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    reserved1: HexArray<2>,
    frame_rate: Float<f32>,
    frame_count: u32,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    bone_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    modifier_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    reserved2: HexArray<3>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    note_count: Option<u32>,
    #[serde(default, with = "WidthText", skip_serializing_if = "is_default")]
    widths: WidthRule,
    #[serde(default, with = "BlockText", skip_serializing_if = "is_default")]
    blocks: BlockRule,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    header_extra: Hex<'a>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    bones: B,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    modifiers: M,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    notes: N,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    custom: Option<Hex<'a>>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    blend_shapes: Option<P>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    trailing: Hex<'a>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct NoteText<'a> {
    frame: u32,
    name: Name<'a>,
}

impl From<NoteText<'_>> for NotePart {
    fn from(note: NoteText<'_>) -> Self {
        Self { frame: note.frame, name: note.name.0.into_owned() }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ShapeText<'a, K> {
    name: Name<'a>,
    keys: K,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ShapeKeyText {
    frame: u32,
    weight: Float<f32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    unused: [Float<f32>; 2],
}

impl From<ShapeKey> for ShapeKeyText {
    fn from(ShapeKey { frame, weight, unused }: ShapeKey) -> Self {
        Self { frame, weight: Float(weight), unused: unused.map(Float) }
    }
}

impl From<ShapeText<'_, Vec<ShapeKeyText>>> for ShapePart {
    fn from(shape: ShapeText<'_, Vec<ShapeKeyText>>) -> Self {
        let key = |key: ShapeKeyText| ShapeKey {
            frame: key.frame,
            weight: key.weight.0,
            unused: key.unused.map(|number| number.0),
        };
        let keys = shape.keys.into_iter().map(key).collect();
        Self { name: shape.name.0.into_owned(), keys }
    }
}

/// A member that contradicts the rest, with the expected and found values.
type Contradiction = (&'static str, String, String);

impl<B, N, P> FileText<'_, Vec<B>, Vec<ModifierText>, Vec<N>, P> {
    /// Returns the header.
    fn header(&self) -> Result<SeanimHeader, Contradiction> {
        let presence = self.presence.byte;
        let has_bones = presence & presence::BONES != 0 || !self.bones.is_empty();
        let has_notes = presence & presence::NOTES != 0 || !self.notes.is_empty();
        let count = |member, given: Option<u32>, there: bool, list: usize| match given {
            Some(given) if there && usize::try_from(given) != Ok(list) => Err((
                member,
                format!("{list}, as many as are listed, or no such member"),
                given.to_string(),
            )),
            given => Ok(given.unwrap_or(0)),
        };
        let modifiers = self.modifiers.len();
        let modifiers = count("modifier_count", self.modifier_count, has_bones, modifiers)?;
        let header_size = self.header_size.unwrap_or(28);
        let extra = self.header_extra.0.len();
        if self.header_size.is_some() && !self.header_extra.skips() {
            let size = extra.saturating_add(28);
            if usize::from(header_size) != size {
                let expected =
                    format!("{size}, which follows from header_extra, or no such member");
                return Err(("header_size", expected, header_size.to_string()));
            }
        }
        Ok(SeanimHeader {
            header_size,
            anim_type: AnimType(self.anim_type.byte()),
            anim_flags: self.anim_flags.byte,
            presence,
            property: self.property.byte,
            reserved1: self.reserved1.0,
            framerate: self.frame_rate.0,
            frame_count: self.frame_count,
            bone_count: count("bone_count", self.bone_count, has_bones, self.bones.len())?,
            modifier_count: u8::try_from(modifiers).map_err(|_| {
                ("modifier_count", "a number up to 255".to_owned(), modifiers.to_string())
            })?,
            reserved2: self.reserved2.0,
            note_count: count("note_count", self.note_count, has_notes, self.notes.len())?,
        })
    }
}

type Parsed<'a, T> = FileText<
    'a,
    Vec<BoneText<'a, Column<[Float<T>; 3]>, Column<[Float<T>; 4]>>>,
    Vec<ModifierText>,
    Vec<NoteText<'a>>,
    Vec<ShapeText<'a, Vec<ShapeKeyText>>>,
>;

/// Parses a text with keys of type `T`.
fn parse<T: Number>(text: &[u8], limits: &Limits) -> Result<SeanimParts, ReadError>
where
    Column<[Float<T>; 3]>: bone::IntoChannel,
    Column<[Float<T>; 4]>: bone::IntoChannel,
{
    let file: Parsed<'_, T> = text::parse(text, ID, limits)?;
    let high = file.property.byte & PRECISION_HIGH != 0;
    if high != (size_of::<T>() == size_of::<f64>()) {
        let expected = "the member property before the member bones".to_owned();
        let found = "it after them".to_owned();
        return Err(text::contradicted(text, "property", expected, found).in_format(ID));
    }
    let header = file.header().map_err(|(member, expected, found)| {
        text::contradicted(text, member, expected, found).in_format(ID)
    })?;
    Ok(SeanimParts {
        header,
        reading: crate::Reading { widths: file.widths, blocks: file.blocks },
        header_extra: file.header_extra.0.into_owned(),
        bones: file.bones.into_iter().map(BoneText::into_part).collect(),
        modifiers: file.modifiers.into_iter().map(SeanimModifier::from).collect(),
        notes: file.notes.into_iter().map(NotePart::from).collect(),
        custom: file.custom.map(|custom| custom.0.into_owned()),
        blend_shapes: file
            .blend_shapes
            .map(|shapes| shapes.into_iter().map(ShapePart::from).collect()),
        trailing: file.trailing.0.into_owned(),
    })
}

/// Charges the cost of the parts as a file.
fn charge(parts: &SeanimParts, text: usize, limits: &Limits) -> Result<(), ReadError> {
    let shapes = parts.blend_shapes.as_ref().map_or(0, Vec::len);
    let items = [parts.bones.len(), parts.modifiers.len(), parts.notes.len(), shapes];
    let mut budget = Budget::new(limits, text);
    budget.charge_items(num::u64_from_len(items.into_iter().fold(0, usize::saturating_add)))?;
    let layout = crate::SeanimLayout::new(&parts.header, parts.reading);
    budget.charge_bytes(crate::write::size(parts, &parts.bones, layout))
}
