//! Clips and their tracks.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "build")]
use crate::column::Segments;
use crate::column::{Column, Storage};
use crate::num::index;
use crate::rows::KeySet;
use crate::times::{Clock, TimeBase};

/// An animation in its playback form. It never changes after it is built or loaded.
///
/// Tracks with the same key times share one list of times. The values of such tracks are stored
/// key by key, so sampling a whole pose reads a row of neighboring bytes for each key.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    pub(crate) identity: Identity,
    pub(crate) name: Option<Box<str>>,
    pub(crate) duration: f64,
    pub(crate) looping: Looping,
    pub(crate) base: TimeBase,
    /// Whether the animation stated the frame rate; otherwise it was chosen to fit the keys.
    pub(crate) states_rate: bool,
    pub(crate) nodes: Vec<Option<Box<str>>>,
    pub(crate) sets: Vec<KeySet>,
    pub(crate) tracks: Vec<Track>,
}

impl Clip {
    /// Returns the name of the clip, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the duration in seconds: finite and at least 0. A looping clip repeats after it.
    pub const fn duration(&self) -> f64 {
        self.duration
    }

    /// Returns whether the clip repeats.
    pub const fn looping(&self) -> Looping {
        self.looping
    }

    /// Returns the float in which times are compared.
    pub const fn clock(&self) -> Clock {
        self.base.clock
    }

    /// Returns the frames per second that the animation stated, if it did.
    pub fn frame_rate(&self) -> Option<f64> {
        self.states_rate.then_some(self.base.rate)
    }

    /// Returns the names of the nodes that the tracks move, each once. `None` is a node without a
    /// name.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        self.nodes.iter().map(Option::as_deref)
    }

    /// Returns the tracks, in the order of the animation.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Returns the number of keys of a track of this clip: 1 for a constant.
    pub fn key_count(&self, track: &Track) -> usize {
        match &track.keys {
            Keys::Constant(_) => 1,
            Keys::Sampled(column) => self.set(column).map_or(0, |set| set.timeline.times().len()),
        }
    }

    /// Returns how many numbers [`sample_curves`](Self::sample_curves) writes: the components of
    /// all weights and custom properties.
    pub fn curve_len(&self) -> usize {
        let curves = self.tracks.iter().filter(|track| track.property.is_curve());
        curves.map(|track| usize::from(track.width)).sum()
    }

    /// Returns everything but the nodes, key sets and tracks.
    #[cfg(feature = "build")]
    pub(crate) fn head(&self) -> ClipHead<'_> {
        ClipHead {
            name: self.name(),
            duration: self.duration,
            looping: self.looping,
            base: self.base,
            states_rate: self.states_rate,
        }
    }

    pub(crate) fn set(&self, column: &Column) -> Option<&KeySet> {
        self.sets.get(index(column.set))
    }
}

/// A clip without nodes, key sets and tracks.
#[derive(Clone, Copy)]
pub(crate) struct ClipHead<'a> {
    pub(crate) name: Option<&'a str>,
    pub(crate) duration: f64,
    pub(crate) looping: Looping,
    pub(crate) base: TimeBase,
    pub(crate) states_rate: bool,
}

/// Whether a clip repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Looping {
    /// The first and last values hold before and after the keys.
    #[default]
    Once,
    /// Times wrap at the duration of the clip.
    Loop,
}

/// How the values of a track apply to the pose that is there without it. Sampling does not apply
/// them: it writes the values as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blend {
    /// The values are the local pose.
    #[default]
    Absolute,
    /// The values change the rest pose.
    RestRelative,
    /// The values change the current pose.
    Additive,
}

/// What a track changes on its node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// Position, three numbers.
    Translation,
    /// Rotation, a normalized quaternion x y z w.
    Rotation,
    /// Factor by axis, three numbers.
    Scale,
    /// The weight of the blend shape with this name, one number.
    Weight(Box<str>),
    /// A property by its name, one to four numbers; `None` is a null name.
    Custom(Option<Box<str>>),
}

impl Property {
    /// Returns whether the property is not part of a [`Pose`](crate::Pose): weights and custom
    /// properties.
    pub const fn is_curve(&self) -> bool {
        matches!(self, Self::Weight(_) | Self::Custom(_))
    }

    #[cfg(feature = "build")]
    fn borrowed(&self) -> PropertyRef<'_> {
        match self {
            Self::Translation => PropertyRef::Translation,
            Self::Rotation => PropertyRef::Rotation,
            Self::Scale => PropertyRef::Scale,
            Self::Weight(name) => PropertyRef::Weight(name),
            Self::Custom(name) => PropertyRef::Custom(name.as_deref()),
        }
    }
}

/// A [`Property`] whose name is in a clip or in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyRef<'a> {
    Translation,
    Rotation,
    Scale,
    Weight(&'a str),
    Custom(Option<&'a str>),
}

impl From<PropertyRef<'_>> for Property {
    fn from(property: PropertyRef<'_>) -> Self {
        match property {
            PropertyRef::Translation => Self::Translation,
            PropertyRef::Rotation => Self::Rotation,
            PropertyRef::Scale => Self::Scale,
            PropertyRef::Weight(name) => Self::Weight(name.into()),
            PropertyRef::Custom(name) => Self::Custom(name.map(Box::from)),
        }
    }
}

/// How the values of a track are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One value for all times, as `f32`.
    Constant,
    /// A half float per number, relative to the range of the track.
    Half,
    /// 48 bits per rotation.
    Rotation48,
    /// `f32`, because the error of the smaller encoding exceeds the bound.
    Float,
}

/// One property of one node, over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    pub(crate) node: u32,
    pub(crate) property: Property,
    /// Numbers per value: 1 to 4.
    pub(crate) width: u8,
    pub(crate) blend: Blend,
    pub(crate) keys: Keys,
}

impl Track {
    /// Returns the index of the node in [`Clip::nodes`].
    pub fn node(&self) -> usize {
        index(self.node)
    }

    /// Returns what changes.
    pub const fn property(&self) -> &Property {
        &self.property
    }

    /// Returns the number of components of a value: 1 to 4.
    pub fn width(&self) -> usize {
        usize::from(self.width)
    }

    /// Returns how the values apply to the pose.
    pub const fn blend(&self) -> Blend {
        self.blend
    }

    /// Returns how the values are stored.
    pub const fn encoding(&self) -> Encoding {
        self.keys.encoding()
    }

    #[cfg(feature = "build")]
    pub(crate) fn head(&self) -> TrackHead<'_> {
        let (property, keys) = (self.property.borrowed(), self.keys);
        TrackHead { node: self.node, property, width: self.width, blend: self.blend, keys }
    }
}

/// A [`Track`] of a clip or of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrackHead<'a> {
    pub(crate) node: u32,
    pub(crate) property: PropertyRef<'a>,
    pub(crate) width: u8,
    pub(crate) blend: Blend,
    pub(crate) keys: Keys,
}

impl From<TrackHead<'_>> for Track {
    fn from(head: TrackHead<'_>) -> Self {
        let TrackHead { node, property, width, blend, keys } = head;
        Self { node, property: property.into(), width, blend, keys }
    }
}

/// The values of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Keys {
    /// One value; components after the width are 0.
    Constant([f32; 4]),
    Sampled(Column),
}

impl Keys {
    /// Returns how the values are stored.
    pub(crate) const fn encoding(&self) -> Encoding {
        match self {
            Self::Constant(_) => Encoding::Constant,
            Self::Sampled(column) => match column.storage {
                Storage::Halves { .. } => Encoding::Half,
                Storage::Rotations => Encoding::Rotation48,
                Storage::FullRotations | Storage::Floats => Encoding::Float,
            },
        }
    }

    /// Returns what the track shows between two keys.
    #[cfg(feature = "build")]
    pub(crate) const fn segments(&self) -> Segments {
        match self {
            Self::Constant(_) => Segments::Linear,
            Self::Sampled(column) => column.segments,
        }
    }
}

/// Tells clips apart, so that a context never uses a decoded row of another clip. A clone of a clip
/// is the same clip, since clips never change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity(usize);

impl Identity {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) const fn is(self, other: Self) -> bool {
        self.0 == other.0
    }
}

/// Clips with the same content are equal.
impl PartialEq for Identity {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
