//! The header in the text form, and other small parts.

use inbetween_core::text::{Named, Names};
use serde::{Deserialize, Serialize};

use crate::{AnimType, BlockRule, BoneIndex, SeanimModifier, WidthRule};

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
