//! The targets of tracks.

use std::collections::{BTreeMap, BTreeSet};

use inbetween_core::{Animation, Property, Track};

use super::keys::{has_odd_values, is_uniform};
use super::times::times;
use crate::cases::FormatCases;
use crate::conversions::Fate::Kept;
use crate::conversions::{ConvertedClip, Fate};

/// Returns the tracks of single components, grouped by property of a node.
pub(super) fn vectors<'a>(converted: &ConvertedClip<'a>) -> Vec<Vec<&'a Track>> {
    let mut vectors: BTreeMap<String, Vec<&Track>> = BTreeMap::new();
    for track in converted.tracks().filter(|track| track.target().component.is_some()) {
        let (node, property) = (&track.target().node, &track.target().property);
        vectors.entry(format!("{node:?} {property:?}")).or_default().push(track);
    }
    vectors.into_values().collect()
}

/// Returns whether components have keys at the same times with different interpolations, which only
/// X4 stores.
pub(super) fn differ(axes: &[&Track]) -> bool {
    let [x, y, z] = axes else { return false };
    let same = |other: &Track| times(x).eq(times(other));
    let interpolation = |track: &Track, key| track.data().interpolation(key);
    let differs = |key| {
        let first = interpolation(x, key);
        interpolation(y, key) != first || interpolation(z, key) != first
    };
    same(y) && same(z) && (0..x.data().len()).any(differs)
}

/// Returns the number of tracks of other properties that the target stores, and of all of them.
pub(super) fn customs(clip: &Animation, converted: &ConvertedClip<'_>) -> (usize, usize) {
    let custom = |track: &&Track| matches!(track.target().property, Property::Custom(_));
    let keeps = converted.to.fate_of("other-property") == Kept;
    let wanted = |track: &&Track| {
        let written = (converted.to.stores)(track) && !drops_whole(track, converted.to);
        if keeps { written } else { !(converted.to.stores)(track) }
    };
    let all = clip.tracks.iter().filter(custom);
    (all.clone().filter(wanted).count(), all.count())
}

/// Returns whether a track is dropped because of its values.
pub(super) fn drops_whole(track: &Track, to: &FormatCases) -> bool {
    let drops = matches!(to.fate_of("non-finite-uniform-values"), Fate::Dropped(_));
    drops && is_uniform(track) && has_odd_values(track)
}

pub(super) const fn is_bone(track: &Track) -> bool {
    !matches!(track.target().property, Property::Weight(_) | Property::Custom(_))
}

pub(super) const fn is_weight(track: &Track) -> bool {
    matches!(track.target().property, Property::Weight(_))
}

pub(super) const fn is_euler(track: &Track) -> bool {
    matches!(track.target().property, Property::RotationEuler(_))
}

pub(super) const fn is_transform(track: &Track) -> bool {
    !matches!(track.target().property, Property::Custom(_))
}

pub(super) const fn has_node(track: &Track) -> bool {
    track.target().node.is_some()
}

/// Returns whether a format stores rotations as Euler angles.
pub(super) fn turns_into_angles(to: &FormatCases) -> bool {
    matches!(to.fate_of("quaternions"), Fate::Becomes { .. })
}

/// Returns the number of tracks with the same target as an earlier one.
pub(super) fn seconds<'a>(tracks: impl Iterator<Item = &'a Track>) -> usize {
    let mut seen = BTreeSet::new();
    tracks.filter(|track| !seen.insert(format!("{:?}", track.target()))).count()
}

/// Returns whether a track without keys leaves no trace in a record of X4.
pub(super) fn is_idle(track: &Track, converted: &ConvertedClip<'_>) -> bool {
    let target = track.target();
    let others = converted.tracks().filter(|other| other.target().node == target.node).count() > 1;
    track.data().is_empty() && (others || target.property != Property::Translation)
}
