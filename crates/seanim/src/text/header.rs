//! The header in the text form, and other small parts.

use inbetween_core::text::{Named, Names, Skip};
use serde::{Deserialize, Serialize};

use super::FileText;
use crate::file::presence;
use crate::{AnimType, BlockRule, BoneIndex, SeanimHeader, SeanimModifier, WidthRule};

macro_rules! names {
    ($(#[$doc:meta])* $type:ident: $($name:expr),*) => {
        $(#[$doc])*
        pub(super) struct $type;

        impl Names for $type {
            const LARGEST: u32 = 255;
            const NAMED: u32 = 8;

            fn name(number: u32) -> Option<&'static str> {
                const NAMES: &[Option<&str>] = &[$($name),*];
                NAMES.get(usize::try_from(number).ok()?).copied().flatten()
            }
        }
    };
}

names!(
    /// The names of animation types.
    AnimTypes: Some("absolute"), Some("additive"), Some("relative"), Some("delta")
);
names!(
    /// The names of the bits of `animFlags`.
    AnimFlags: Some("looped")
);
names!(
    /// The names of the bits of `dataPresenceFlags`.
    Presence: Some("locations"), Some("rotations"), Some("scales"), None, None, None,
        Some("notes"), Some("custom")
);
names!(
    /// The names of the bits of `dataPropertyFlags`.
    Property: Some("high_precision")
);

pub(super) type AnimTypeText = Named<AnimTypes>;

#[derive(Deserialize, Serialize)]
#[serde(remote = "WidthRule", rename_all = "kebab-case")]
pub(super) enum WidthText {
    Standard,
    Legacy,
}

#[derive(Deserialize, Serialize)]
#[serde(remote = "BlockRule", rename_all = "kebab-case")]
pub(super) enum BlockText {
    Flags,
    Counts,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModifierText {
    bone: u32,
    anim_type: AnimTypeText,
}

impl From<SeanimModifier> for ModifierText {
    fn from(modifier: SeanimModifier) -> Self {
        let anim_type = AnimTypeText::new(modifier.anim_type.0.into());
        Self { bone: modifier.bone.0, anim_type }
    }
}

impl From<ModifierText> for SeanimModifier {
    fn from(modifier: ModifierText) -> Self {
        let anim_type = AnimType(modifier.anim_type.byte());
        Self { bone: BoneIndex(modifier.bone), anim_type }
    }
}

/// A member that contradicts the rest, with the expected and found values.
type Contradiction = (&'static str, String, String);

impl<B, N, P> FileText<'_, Vec<B>, Vec<ModifierText>, Vec<N>, P> {
    /// Returns the header.
    pub(super) fn header(&self) -> Result<SeanimHeader, Contradiction> {
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
