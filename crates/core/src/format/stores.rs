//! What a format stores.

use crate::{Animation, RateGuess, Target, Track, ValueKind};

/// What a format stores of a clip, as data. [`Fit`](crate::Fit) changes clips so that they need
/// nothing else, and reports what is lost.
///
/// # Examples
///
/// A format of bones with linear keys on frames:
///
/// ```
/// use inbetween_core::Property;
/// use inbetween_core::stores::{CurveForm, Head, Stores, Times};
///
/// static STORES: Stores = Stores {
///     head: &[Head::FrameRate],
///     track: |target, _| !matches!(target.property, Property::Custom(_)),
///     curves: CurveForm::Lines,
///     times: Times::Frames,
///     ..Stores::ALL
/// };
/// assert!(STORES.has(Head::FrameRate) && !STORES.has(Head::Name));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Stores {
    /// The parts of the head of a clip.
    pub head: &'static [Head],
    /// Whether there is a place for a track with this target and values of this kind. Others are
    /// dropped. It is asked before components are joined and rotations converted.
    pub track: fn(&Target, ValueKind) -> bool,
    /// How many tracks a target may have.
    pub targets: Targets,
    /// Whether a track with this target may be without keys. Others are dropped.
    pub empty_track: fn(&Target) -> bool,
    /// Whether a track of one component stays alone. Others are joined to vectors.
    pub component: fn(&Target) -> bool,
    /// The rotations.
    pub rotations: Rotations,
    /// The segments between keys.
    pub curves: CurveForm,
    /// The times of keys.
    pub times: Times,
    /// The numbers of values and tangents.
    pub numbers: Numbers,
    /// Whether every clip needs a name that no other one has.
    pub unique_names: bool,
}

impl Stores {
    /// Everything that a clip can have.
    pub const ALL: Self = Self {
        head: &[
            Head::Name,
            Head::FrameRate,
            Head::Looping,
            Head::Blend,
            Head::Markers,
            Head::Skeleton,
            Head::Placement,
        ],
        track: |_, _| true,
        targets: Targets::Any,
        empty_track: |_| true,
        component: |_| true,
        rotations: Rotations::All,
        curves: CurveForm::Handles,
        times: Times::All,
        numbers: Numbers::All,
        unique_names: false,
    };

    /// Returns whether a part of the head of a clip is stored.
    pub fn has(&self, part: Head) -> bool {
        self.head.contains(&part)
    }

    /// Returns whether a track has a place.
    pub fn has_place(&self, track: &Track) -> bool {
        (self.track)(track.target(), track.data().kind())
    }

    /// Adds the keys that have a place to the guess of a frame rate, if the format stores frames.
    pub fn guess_rate(&self, clips: &[Animation], guess: &mut RateGuess) {
        if self.times == Times::Frames {
            for clip in clips {
                guess.add(clip, |track| self.has_place(track));
            }
        }
    }
}

/// A part of the head of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// Its name.
    Name,
    /// Its frame rate.
    FrameRate,
    /// Whether it repeats.
    Looping,
    /// The blend modes of the clip, its nodes and its tracks.
    Blend,
    /// Its markers.
    Markers,
    /// The skeleton of the file.
    Skeleton,
    /// A skeleton with parents, without which no file can be written.
    Hierarchy,
    /// A turn and a factor of lengths above all bones; see [`Mapped`](crate::Mapped).
    Placement,
}

/// How many tracks with keys a target may have. Custom properties may have any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Targets {
    /// Any number.
    Any,
    /// One, or one for each component. The first one is kept.
    Once,
    /// Like [`Once`](Self::Once), and nodes are the same if they differ only in case.
    OnceInAnyCase,
}

/// The rotations that a format stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rotations {
    /// Euler angles, and any quaternions.
    All,
    /// Quaternions. Euler angles become quaternions.
    Quaternions,
    /// Quaternions with a direction. Keys without one are dropped.
    Directions,
    /// Euler angles, and quaternions with a direction.
    AllDirections,
}

impl Rotations {
    /// Returns whether Euler angles are stored.
    pub const fn has_angles(self) -> bool {
        matches!(self, Self::All | Self::AllDirections)
    }

    /// Returns whether quaternions need a direction.
    pub const fn need_direction(self) -> bool {
        matches!(self, Self::Directions | Self::AllDirections)
    }
}

/// The segments between keys that a format stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CurveForm {
    /// Lines only.
    Lines,
    /// Curves with value tangents. Bezier handles become control points.
    Tangents,
    /// Curves with Bezier handles, too.
    Handles,
}

/// The times of keys that a format stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Times {
    /// Any time in seconds.
    All,
    /// Any time in seconds from 0 on. The part before is cut.
    FromZero,
    /// Frames, counted from 0.
    Frames,
}

/// The numbers of values and tangents that a format stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// Any.
    All,
    /// Finite ones. Keys with others are dropped, and tangents become flat.
    Finite,
}
