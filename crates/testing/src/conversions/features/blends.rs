//! Blend modes of clips, nodes and tracks.

use std::collections::{BTreeMap, BTreeSet};

use inbetween_core::{Animation, Blend, BlendMode, Track};

use super::targets::is_weight;
use crate::conversions::ConvertedClip;

pub(super) const fn is_unusual(mode: BlendMode) -> bool {
    matches!(mode, BlendMode::Delta | BlendMode::Other(_))
}

/// Returns whether a track is not absolute.
pub(super) fn blends(clip: &Animation) -> bool {
    clip.tracks.iter().any(|track| track.target().blend != Blend::Absolute)
}

/// Returns the properties of nodes, as in [`blend_key`], whose blends no single mode of their node
/// combines. Components count as one track, as they are written.
pub(super) fn mixed_blends(converted: &ConvertedClip<'_>) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let whole = |track: &&Track| seen.insert(blend_key(track));
    let tracks = converted.tracks().filter(whole).cloned().collect();
    let mut clip = converted.clip.head().with_tracks(tracks);
    let mixed = clip.restate_blend();
    mixed.into_iter().map(|index| blend_key(&clip.tracks[index])).collect()
}

/// Returns the node, the property and the blend of a track.
pub(super) fn blend_key(track: &Track) -> String {
    let target = track.target();
    format!("{:?} {:?} {:?}", target.node, target.property, target.blend)
}

pub(super) fn overrides(converted: &ConvertedClip<'_>, with_tracks: bool) -> usize {
    let bone = |node: &str| {
        converted
            .tracks()
            .any(|track| !is_weight(track) && track.target().node.as_deref() == Some(node))
    };
    converted.clip.blend_overrides.iter().filter(|each| bone(&each.node) == with_tracks).count()
}

/// Returns whether components of one vector have different blends.
pub(super) fn mixes_blends<'a>(tracks: impl Iterator<Item = &'a Track>) -> bool {
    let mut blends = BTreeMap::new();
    let mut single = tracks.map(Track::target).filter(|target| target.component.is_some());
    single.any(|target| {
        let vector = format!("{:?} {:?}", target.node, target.property);
        *blends.entry(vector).or_insert(target.blend) != target.blend
    })
}
