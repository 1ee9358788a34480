//! The parts of a file that animations need: nodes, skins, accessors and animations.

mod extras;
pub(crate) mod members;
mod parse;
mod tree;

use core::ops::{Deref, DerefMut, Range};

use inbetween_core::{
    Axis, Blend, BlendMode, BlendOverride, Finding, Handedness, Mapping, Marker, Text,
};

use crate::meshopt::Meshopt;

/// The parts of the JSON that animations need.
#[derive(Debug, Default)]
pub(crate) struct Scene {
    pub(crate) nodes: Vec<Listed<Node>>,
    /// The parent of each node.
    pub(crate) parents: Vec<Option<usize>>,
    pub(crate) meshes: Vec<Listed<Mesh>>,
    /// The joints of all skins.
    pub(crate) joints: Vec<usize>,
    pub(crate) accessors: Vec<Listed<Accessor>>,
    pub(crate) views: Vec<Listed<View>>,
    pub(crate) buffers: Vec<Listed<Buffer>>,
    pub(crate) animations: Vec<Listed<Animation>>,
    /// Clips without keys, with their indices among all clips.
    pub(crate) empty_clips: Vec<(usize, Option<Text>, ClipExtras)>,
    /// The members of the root for parts that documents do not hold, without duplicates.
    pub(crate) dropped: Vec<Text>,
    /// The extensions that the file requires.
    pub(crate) required: Vec<Text>,
    /// The change of coordinates by which the file was made, as its extras note it.
    pub(crate) coordinates: Option<CoordinatesNote>,
    /// Broken nodes and skins, whose broken members are skipped.
    pub(crate) skipped: Vec<Finding>,
}

/// A note about a change of coordinates.
#[derive(Clone, Debug)]
pub(crate) struct CoordinatesNote {
    /// The handedness and the axis that pointed up before.
    pub(crate) handedness: Option<Handedness>,
    pub(crate) up: Option<Axis>,
    pub(crate) mapping: Mapping,
    /// The name of the node above the bones with the turn and the factor.
    pub(crate) node: Option<Text>,
}

/// An item of a list, with its offset in the JSON.
#[derive(Debug, Default)]
pub(crate) struct Listed<T> {
    pub(crate) at: usize,
    /// The offset after it.
    pub(crate) end: usize,
    /// Whether it is no object, or members have the wrong type, which were skipped.
    pub(crate) is_broken: bool,
    item: T,
}

impl<T> Listed<T> {
    /// Returns the item without its offset.
    pub(crate) fn into_item(self) -> T {
        self.item
    }
}

impl<T> Deref for Listed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.item
    }
}

impl<T> DerefMut for Listed<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.item
    }
}

/// A node.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) name: Option<Text>,
    pub(crate) children: Vec<usize>,
    pub(crate) translation: Option<[f64; 3]>,
    pub(crate) rotation: Option<[f64; 4]>,
    pub(crate) scale: Option<[f64; 3]>,
    pub(crate) matrix: Option<Box<[f64; 16]>>,
    pub(crate) mesh: Option<usize>,
    pub(crate) role: Role,
}

/// The role of a node according to its extras.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// The extras state no role.
    #[default]
    Unsaid,
    /// A bone, even if nothing animates it.
    Bone,
    /// Not a bone: its rest pose is not known.
    NoBone,
    /// A node that a writer added above the bones.
    Added,
    /// Like [`Added`](Self::Added), above nodes whose rest pose is not known.
    Flat,
}

impl Role {
    /// The names in the extras.
    pub(crate) const NAMES: [(&'static str, Self); 4] = [
        ("bone", Self::Bone),
        ("other", Self::NoBone),
        ("added", Self::Added),
        ("flat", Self::Flat),
    ];
}

/// A mesh: its blend shapes.
#[derive(Debug, Default)]
pub(crate) struct Mesh {
    /// The number of blend shapes of the first primitive.
    pub(crate) targets: usize,
    pub(crate) names: Vec<Text>,
    /// Whether this crate wrote the mesh only for its blend shapes.
    pub(crate) is_placeholder: bool,
}

impl Mesh {
    /// Returns the name of a blend shape.
    pub(crate) fn shape_name(&self, shape: usize) -> Text {
        let own = self.names.get(shape).cloned();
        own.unwrap_or_else(|| format!("target_{shape}").into())
    }
}

/// A sequence of numbers in a view of a buffer.
#[derive(Debug, Default)]
pub(crate) struct Accessor {
    pub(crate) view: Option<usize>,
    pub(crate) offset: u64,
    pub(crate) component: u32,
    pub(crate) normalized: bool,
    pub(crate) count: u64,
    /// The number of components per element; 0 for an unknown type.
    pub(crate) width: usize,
    /// The first numbers of `min` and `max`.
    pub(crate) bounds: [Option<f64>; 2],
    pub(crate) sparse: Option<Box<Sparse>>,
}

/// Elements that replace others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    pub(crate) count: Option<u64>,
    pub(crate) indices: Option<usize>,
    pub(crate) indices_offset: u64,
    pub(crate) indices_type: u32,
    pub(crate) values: Option<usize>,
    pub(crate) values_offset: u64,
}

/// A range of a buffer.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) buffer: Option<usize>,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) stride: Option<u64>,
    /// An extension that encodes the bytes.
    pub(crate) encoding: Option<Encoding>,
}

impl View {
    /// Returns the buffer, the offset and the length of the bytes that are read: those of the
    /// compressed form, if there is one. Then the view itself is only for programs without the
    /// extension, and its buffer may not exist.
    pub(crate) fn source(&self) -> (Option<usize>, u64, u64) {
        match &self.encoding {
            Some(Encoding::Meshopt(packed)) => (packed.buffer, packed.offset, packed.length),
            _ => (self.buffer, self.offset, self.length),
        }
    }

    /// Returns the compressed form; `None` if it [is none](Self::is_its_own_form).
    pub(crate) fn packed(&self) -> Option<&Meshopt> {
        match &self.encoding {
            Some(Encoding::Meshopt(packed)) if !self.is_its_own_form() => Some(packed),
            _ => None,
        }
    }

    /// Returns whether the bytes of the view itself are stated as their compressed form, at the same
    /// place and of the same length. They cannot be both.
    pub(crate) fn is_its_own_form(&self) -> bool {
        let Some(Encoding::Meshopt(packed)) = &self.encoding else { return false };
        let decoded = packed.count.checked_mul(packed.stride);
        self.source() == (self.buffer, self.offset, self.length) && decoded == Some(self.length)
    }
}

/// An extension that encodes the bytes of a view.
#[derive(Debug)]
pub(crate) enum Encoding {
    Meshopt(Box<Meshopt>),
    /// One that this crate does not know, by its name.
    Other(Text),
}

/// Bytes in this file or in another one.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// The offset of the URI in the JSON.
    pub(crate) uri: Option<usize>,
    pub(crate) length: u64,
}

/// An animation.
#[derive(Debug, Default)]
pub(crate) struct Animation {
    pub(crate) name: Option<Text>,
    pub(crate) channels: Vec<Listed<Channel>>,
    pub(crate) samplers: Vec<Listed<Sampler>>,
    pub(crate) extras: ClipExtras,
}

/// The sampler and the target of a channel.
#[derive(Debug, Default)]
pub(crate) struct Channel {
    pub(crate) sampler: Option<usize>,
    pub(crate) node: Option<usize>,
    pub(crate) path: ChannelPath,
}

/// The property that a channel animates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ChannelPath {
    Translation,
    Rotation,
    Scale,
    Weights,
    /// The weight of one blend shape, which only a pointer can name.
    Weight(usize),
    /// Something else, by its name or pointer.
    Other(Text),
    #[default]
    Missing,
}

impl ChannelPath {
    pub(crate) const KNOWN: [(&'static str, Self); 4] = [
        ("translation", Self::Translation),
        ("rotation", Self::Rotation),
        ("scale", Self::Scale),
        ("weights", Self::Weights),
    ];

    /// Returns the name of a known path.
    pub(crate) fn name(&self) -> &str {
        let known = Self::KNOWN.iter().find(|(_, path)| path == self);
        match (known, self) {
            (Some((name, _)), _) => name,
            (None, Self::Weight(_)) => "weights",
            (None, Self::Other(name)) => name,
            (None, _) => "",
        }
    }
}

/// Times and values.
#[derive(Debug, Default)]
pub(crate) struct Sampler {
    pub(crate) input: Option<usize>,
    pub(crate) output: Option<usize>,
    pub(crate) mode: Mode,
}

/// How a sampler interpolates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    Step,
    #[default]
    Linear,
    Cubic,
}

impl Mode {
    pub(crate) const NAMES: [(&'static str, Self); 3] =
        [("STEP", Self::Step), ("LINEAR", Self::Linear), ("CUBICSPLINE", Self::Cubic)];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, mode)| *mode == self).map_or("LINEAR", |(name, _)| name)
    }
}

/// The parts of a clip that extras store.
#[derive(Debug, Default)]
pub(crate) struct ClipExtras {
    pub(crate) duration: Option<f64>,
    pub(crate) frame_rate: Option<f64>,
    pub(crate) looping: bool,
    pub(crate) blend: BlendMode,
    pub(crate) overrides: Vec<BlendOverride>,
    /// The node, the path or shape name, and the blend of tracks whose blend the modes do not give.
    pub(crate) tracks: Vec<(Text, Text, Blend)>,
    pub(crate) markers: Vec<Marker>,
    /// Where the JSON has the tracks that are not stored as channels. They are read with the clip.
    pub(crate) custom_tracks: Option<Range<usize>>,
    /// Whether the markers come from another program, which does not document the unit of their
    /// times.
    pub(crate) has_foreign_times: bool,
}
