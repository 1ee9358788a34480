//! The fate of each feature of the common model in each format: the list from which
//! `docs/conversions.md` and the tests of all conversions are generated.
//!
//! Conversions go through the common model, so the fate of a feature depends only on the target.
//! Losses of readers are in the field tables of the formats.

mod features;
pub(crate) mod shared;

use std::collections::BTreeSet;

pub use features::FEATURES;
use inbetween_core::{Animation, Track};

use crate::cases::{self, FormatCases};

/// What happens to a feature in a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The written file has it.
    Kept,
    /// It becomes something else, reported by a loss of this code.
    Becomes {
        /// The replacement.
        what: &'static str,
        /// The id of the code.
        code: &'static str,
    },
    /// It is dropped, reported by a loss of this code.
    Dropped(&'static str),
    /// It does not reach the writer: another row describes the fate of its track or clip.
    Elsewhere,
}

impl Fate {
    /// Returns the id of the code that reports it.
    pub const fn code(self) -> Option<&'static str> {
        match self {
            Self::Kept | Self::Elsewhere => None,
            Self::Becomes { code, .. } | Self::Dropped(code) => Some(code),
        }
    }
}

/// A clip and the format to which it is converted.
#[derive(Clone, Copy, Debug)]
pub struct ConvertedClip<'a> {
    /// The clip.
    pub clip: &'a Animation,
    /// The format that it is written to.
    pub to: &'static FormatCases,
    /// The frame rate of the written file, if it has one.
    pub rate: Option<f64>,
}

impl<'a> ConvertedClip<'a> {
    /// Returns the tracks that the target can store.
    pub fn tracks(&self) -> impl Iterator<Item = &'a Track> + use<'a> {
        let to = self.to;
        self.clip.tracks.iter().filter(move |track| (to.stores)(track))
    }
}

/// A feature that a clip may have.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// The id in the lists of the formats, in kebab-case.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// The fate in formats that do not list it.
    usually: Fate,
    /// Whether a clip has it in this conversion.
    has: fn(&ConvertedClip<'_>) -> bool,
    /// Whether the file read back still has the feature of the clip.
    shows: fn(&ConvertedClip<'_>, &Animation) -> bool,
}

impl Feature {
    /// Returns the fate of the feature in a format.
    pub fn fate(&self, to: &FormatCases) -> Fate {
        let listed = to.fates.iter().find(|(id, _)| *id == self.id);
        listed.map_or(self.usually, |(_, fate)| *fate)
    }

    /// Returns whether a clip has the feature in a conversion.
    pub fn is_on(&self, converted: &ConvertedClip<'_>) -> bool {
        self.fate(converted.to) != Fate::Elsewhere && (self.has)(converted)
    }

    /// Returns whether a clip has the feature, for any target.
    pub fn is_in(&self, clip: &Animation) -> bool {
        cases::targets().any(|to| self.is_on(&ConvertedClip { clip, to, rate: None }))
    }

    /// Returns whether the written file has the feature exactly if the list says that it is kept.
    pub fn is_as_listed(&self, converted: &ConvertedClip<'_>, written: &Animation) -> bool {
        (self.shows)(converted, written) == (self.fate(converted.to) == Fate::Kept)
    }
}

/// Returns the ids of the losses that writing a clip reports.
pub fn losses(converted: &ConvertedClip<'_>) -> BTreeSet<&'static str> {
    let on = FEATURES.iter().filter(|feature| feature.is_on(converted));
    on.filter_map(|feature| feature.fate(converted.to).code()).collect()
}

impl FormatCases {
    /// Returns the fate of the feature with this id.
    ///
    /// # Panics
    ///
    /// If there is no such feature.
    pub fn fate_of(&self, id: &str) -> Fate {
        let feature = FEATURES.iter().find(|feature| feature.id == id);
        feature.unwrap_or_else(|| panic!("there is no feature {id}")).fate(self)
    }
}

#[cfg(test)]
mod tests {
    use super::FEATURES;
    use crate::cases;

    #[test]
    fn formats_list_known_features_once_and_only_unusual_fates() {
        for format in cases::targets() {
            let mut seen = std::collections::BTreeSet::new();
            for (id, fate) in format.fates {
                let feature = FEATURES.iter().find(|feature| feature.id == *id);
                let feature = feature.unwrap_or_else(|| panic!("{}: no feature {id}", format.id));
                assert_ne!(*fate, feature.usually, "{}: {id} is as usual", format.id);
                assert!(seen.insert(id), "{}: {id} is listed twice", format.id);
            }
        }
    }
}
