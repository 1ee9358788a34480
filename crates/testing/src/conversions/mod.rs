//! What each format makes of each feature of the common model: the one list from which
//! `docs/conversions.md` and the tests of all conversions are made.
//!
//! Conversions go through the common model, so what becomes of a feature depends on the target
//! alone. What a reader loses on the way in stands in the field tables of the formats.

mod features;

use std::collections::BTreeSet;

pub use features::FEATURES;
use inbetween_core::{Animation, Property, Track, ValueKind};

/// A format that clips are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// AnimJ.
    Animj,
    /// AnimX.
    Animx,
    /// SEAnim.
    Seanim,
    /// X4 .ANI.
    X4Ani,
}

impl Format {
    /// The formats in the order of [`Feature::fates`].
    pub const ALL: [Self; 4] = [Self::Animj, Self::Animx, Self::Seanim, Self::X4Ani];

    /// Returns the id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Animj => "animj",
            Self::Animx => "animx",
            Self::Seanim => "seanim",
            Self::X4Ani => "x4-ani",
        }
    }

    /// Says whether a track has a place in a file of the format.
    pub fn holds(self, track: &Track) -> bool {
        let (target, kind) = (track.target(), track.data().kind());
        let own = |name| target.property == Property::Custom(Some(name));
        match self {
            Self::Animj => !kind.is_matrix(),
            Self::Animx => true,
            Self::Seanim => !matches!(target.property, Property::Custom(_)),
            Self::X4Ani => {
                let scale = own("PreScale".into()) || own("PostScale".into());
                let vector = kind.is_vector3()
                    || kind.is_quaternion()
                    || matches!(kind, ValueKind::Float | ValueKind::Double)
                        && target.component.is_some();
                let other = matches!(target.property, Property::Weight(_) | Property::Custom(_));
                vector && (scale || !other)
            }
        }
    }
}

/// What becomes of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The written file has it.
    Kept,
    /// It becomes something else, and a loss of this code says so.
    Becomes {
        /// What it becomes.
        what: &'static str,
        /// The id of the code.
        code: &'static str,
    },
    /// It is dropped, and a loss of this code says so.
    Dropped(&'static str),
    /// It does not come so far: a row above says what becomes of the track or clip that has it.
    Elsewhere,
}

impl Fate {
    /// Returns the id of the code that tells of it.
    pub const fn code(self) -> Option<&'static str> {
        match self {
            Self::Kept | Self::Elsewhere => None,
            Self::Becomes { code, .. } | Self::Dropped(code) => Some(code),
        }
    }
}

/// A clip on its way into a format.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    /// The clip.
    pub clip: &'a Animation,
    /// The format that it is written to.
    pub to: Format,
    /// The frame rate of the written file, if it has one.
    pub rate: Option<f64>,
}

impl<'a> Way<'a> {
    /// Returns the tracks that have a place in the target.
    pub fn tracks(&self) -> impl Iterator<Item = &'a Track> + use<'a> {
        let to = self.to;
        self.clip.tracks.iter().filter(move |track| to.holds(track))
    }
}

/// Something that a clip may have.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// What it is, for people.
    pub name: &'static str,
    /// What becomes of it in each of [`Format::ALL`].
    pub fates: [Fate; 4],
    /// Whether a clip has it, as far as it comes on this way.
    has: fn(&Way<'_>) -> bool,
    /// Whether the written file, read again, still has what the clip had.
    shows: fn(&Way<'_>, &Animation) -> bool,
}

impl Feature {
    /// Returns what becomes of the feature in a format.
    pub fn fate(&self, to: Format) -> Fate {
        let all = Format::ALL.iter().zip(self.fates);
        all.filter(|(format, _)| **format == to).map(|(_, fate)| fate).next().expect("a fate each")
    }

    /// Says whether a clip has the feature on a way.
    pub fn is_on(&self, way: &Way<'_>) -> bool {
        self.fate(way.to) != Fate::Elsewhere && (self.has)(way)
    }

    /// Says whether a clip has the feature at all, wherever it goes.
    pub fn is_in(&self, clip: &Animation) -> bool {
        Format::ALL.into_iter().any(|to| self.is_on(&Way { clip, to, rate: None }))
    }

    /// Says whether the written file has the feature exactly if it is to be kept.
    pub fn is_as_told(&self, way: &Way<'_>, written: &Animation) -> bool {
        (self.shows)(way, written) == (self.fate(way.to) == Fate::Kept)
    }
}

/// Returns the ids of the losses that writing a clip reports.
pub fn losses(way: &Way<'_>) -> BTreeSet<&'static str> {
    let on = FEATURES.iter().filter(|feature| feature.is_on(way));
    on.filter_map(|feature| feature.fate(way.to).code()).collect()
}
