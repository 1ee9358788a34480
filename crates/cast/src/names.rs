//! The ids of nodes, and the names of properties and modes.

use core::fmt;

use inbetween_core::{Text, num, shown};

/// The id of a node: four ASCII letters. Unknown ids are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub [u8; 4]);

impl NodeId {
    /// The root above all other nodes.
    pub const ROOT: Self = Self(*b"root");
    /// A model.
    pub const MODEL: Self = Self(*b"modl");
    /// A mesh of a model.
    pub const MESH: Self = Self(*b"mesh");
    /// The hair of a model.
    pub const HAIR: Self = Self(*b"hair");
    /// A blend shape of a model.
    pub const BLEND_SHAPE: Self = Self(*b"blsh");
    /// A skeleton of a model or an animation.
    pub const SKELETON: Self = Self(*b"skel");
    /// A bone of a skeleton.
    pub const BONE: Self = Self(*b"bone");
    /// An IK handle of a skeleton.
    pub const IK_HANDLE: Self = Self(*b"ikhd");
    /// A constraint of a skeleton.
    pub const CONSTRAINT: Self = Self(*b"cnst");
    /// An animation.
    pub const ANIMATION: Self = Self(*b"anim");
    /// The keys of one property of a node.
    pub const CURVE: Self = Self(*b"curv");
    /// Another mode for the curves of a node. The only id in upper case.
    pub const CURVE_MODE_OVERRIDE: Self = Self(*b"CMOV");
    /// The frames of a notification.
    pub const NOTIFICATION_TRACK: Self = Self(*b"ntif");
    /// A material of a model.
    pub const MATERIAL: Self = Self(*b"matl");
    /// A file of a material.
    pub const FILE: Self = Self(*b"file");
    /// A color of a material.
    pub const COLOR: Self = Self(*b"colr");
    /// An instance of a scene.
    pub const INSTANCE: Self = Self(*b"inst");
    /// The author, the software and the up axis of the file.
    pub const METADATA: Self = Self(*b"meta");

    /// Every id that the specification names.
    pub const KNOWN: [Self; 18] = [
        Self::ROOT,
        Self::MODEL,
        Self::MESH,
        Self::HAIR,
        Self::BLEND_SHAPE,
        Self::SKELETON,
        Self::BONE,
        Self::IK_HANDLE,
        Self::CONSTRAINT,
        Self::ANIMATION,
        Self::CURVE,
        Self::CURVE_MODE_OVERRIDE,
        Self::NOTIFICATION_TRACK,
        Self::MATERIAL,
        Self::FILE,
        Self::COLOR,
        Self::INSTANCE,
        Self::METADATA,
    ];

    /// Returns whether the specification names the id.
    pub fn is_known(self) -> bool {
        Self::KNOWN.contains(&self)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.escape_ascii().fmt(f)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NodeId({self})")
    }
}

/// The hash of the first node in files of official programs; each further node adds 1.
const FIRST_HASH: u64 = 0x534E_4952_5752_5450;

/// Returns the hash of the node with an index, as official programs number nodes.
pub(crate) fn hash(node: usize) -> u64 {
    FIRST_HASH.wrapping_add(num::u64_from_len(node))
}

/// The detected encoding of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Valid UTF-8, including ASCII.
    Utf8,
    /// Anything else, read as Latin-1.
    Latin1,
}

/// Returns a string as text: decoded as UTF-8 if valid, otherwise as Latin-1.
pub(crate) fn text(bytes: &[u8]) -> (Text, Encoding) {
    if let Ok(text) = core::str::from_utf8(bytes) {
        return (text.into(), Encoding::Utf8);
    }
    let latin: String = bytes.iter().copied().map(char::from).collect();
    (latin.into(), Encoding::Latin1)
}

/// Returns a string in quotes for a message.
pub(crate) fn show(bytes: &[u8]) -> String {
    format!("\"{}\"", shown(&text(bytes).0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_override_has_the_number_of_the_specification() {
        assert_eq!(u32::from_le_bytes(NodeId::CURVE_MODE_OVERRIDE.0), 0x564F_4D43);
    }

    #[test]
    fn strings_that_are_not_utf8_are_latin1() {
        assert_eq!(text("j_\u{e9}".as_bytes()), ("j_\u{e9}".into(), Encoding::Utf8));
        assert_eq!(text(b"j_\xe9"), ("j_\u{e9}".into(), Encoding::Latin1));
    }

    #[test]
    fn an_id_that_is_not_text_is_shown_escaped() {
        assert_eq!(NodeId([b'a', 0, 0xff, b'"']).to_string(), "a\\x00\\xff\\\"");
    }
}
