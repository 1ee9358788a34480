//! The numbers and names of the format: magic numbers, sizes, ids of nodes and types of values.

use core::fmt;

use inbetween_core::{BlendReach, Rules, num};

/// The playback rules of Cast: linear segments and slerp in `f64`, and a blend mode per curve. No
/// engine defines them.
pub const RULES: Rules = Rules::LINEAR.with_blend_reach(BlendReach::Node);

/// The id of the format, in errors and findings.
pub(crate) const ID: &str = "cast";

/// The first four bytes of a file.
pub(crate) const MAGIC: &[u8] = b"cast";

/// The first bytes of a file of version 1.
pub(crate) const MAGIC_1: &[u8] = b"cast\x01\0\0\0";

/// The number of bytes of the head of a node.
pub(crate) const NODE_HEAD: usize = 24;

/// The number of bytes of the head of a property.
pub(crate) const PROPERTY_HEAD: usize = 8;

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
const FIRST_HASH: u64 = 0x534E_4957_5254_5250;

/// Returns the hash of the node with an index, as official programs number nodes.
pub(crate) fn hash(node: usize) -> u64 {
    FIRST_HASH.wrapping_add(num::u64_from_len(node))
}

/// The type of the values of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyType {
    /// `b`: unsigned, one byte.
    U8,
    /// `h`: unsigned, two bytes.
    U16,
    /// `i`: unsigned, four bytes.
    U32,
    /// `l`: unsigned, eight bytes; also the hash of a node.
    U64,
    /// `f`: four bytes.
    F32,
    /// `d`: eight bytes.
    F64,
    /// `s`: one string, terminated by a NUL byte.
    String,
    /// `2v`: two `f32`.
    Vector2,
    /// `3v`: three `f32`.
    Vector3,
    /// `4v`: four `f32`.
    Vector4,
}

impl PropertyType {
    /// Every type.
    pub const ALL: [Self; 10] = [
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F32,
        Self::F64,
        Self::String,
        Self::Vector2,
        Self::Vector3,
        Self::Vector4,
    ];

    /// Returns the name in the specification: `h`, `3v`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "b",
            Self::U16 => "h",
            Self::U32 => "i",
            Self::U64 => "l",
            Self::F32 => "f",
            Self::F64 => "d",
            Self::String => "s",
            Self::Vector2 => "2v",
            Self::Vector3 => "3v",
            Self::Vector4 => "4v",
        }
    }

    /// Returns the type with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|each| each.name() == name)
    }

    /// Returns the number in the file: the bytes of the name, padded with NUL.
    pub(crate) const fn code(self) -> u16 {
        match self {
            Self::U8 => 0x62,
            Self::U16 => 0x68,
            Self::U32 => 0x69,
            Self::U64 => 0x6c,
            Self::F32 => 0x66,
            Self::F64 => 0x64,
            Self::String => 0x73,
            Self::Vector2 => 0x7632,
            Self::Vector3 => 0x7633,
            Self::Vector4 => 0x7634,
        }
    }

    /// Returns the type of a number in the file.
    #[inline]
    pub(crate) const fn from_code(code: u16) -> Option<Self> {
        Some(match code {
            0x62 => Self::U8,
            0x68 => Self::U16,
            0x69 => Self::U32,
            0x6c => Self::U64,
            0x66 => Self::F32,
            0x64 => Self::F64,
            0x73 => Self::String,
            0x7632 => Self::Vector2,
            0x7633 => Self::Vector3,
            0x7634 => Self::Vector4,
            _ => return None,
        })
    }

    /// Returns the size of a value in bytes, or `None` for a string, which ends with a NUL byte.
    pub const fn size(self) -> Option<usize> {
        match self {
            Self::U8 => Some(1),
            Self::U16 => Some(2),
            Self::U32 | Self::F32 => Some(4),
            Self::U64 | Self::F64 | Self::Vector2 => Some(8),
            Self::Vector3 => Some(12),
            Self::Vector4 => Some(16),
            Self::String => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_override_has_the_number_of_the_specification() {
        assert_eq!(u32::from_le_bytes(NodeId::CURVE_MODE_OVERRIDE.0), 0x564F_4D43);
    }

    #[test]
    fn an_id_that_is_not_text_is_shown_escaped() {
        assert_eq!(NodeId([b'a', 0, 0xff, b'"']).to_string(), "a\\x00\\xff\\\"");
    }

    #[test]
    fn numbers_and_names_of_types_agree() {
        for kind in PropertyType::ALL {
            let mut bytes = kind.name().as_bytes().to_vec();
            bytes.resize(2, 0);
            assert_eq!(kind.code().to_le_bytes(), *bytes);
            assert_eq!(PropertyType::from_code(kind.code()), Some(kind));
            assert_eq!(PropertyType::from_name(kind.name()), Some(kind));
        }
        assert_eq!(PropertyType::from_code(0x7631), None);
    }
}
