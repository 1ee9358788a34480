//! The list of features.

use std::collections::{BTreeMap, BTreeSet};

use inbetween_core::{
    Animation, Blend, BlendMode, Interpolation, Looping, Property, Shape, StatedDuration, Tangents,
    Track, ValueKind, Values, num, resonite,
};

use super::Fate::{Elsewhere, Kept};
use super::shared::{
    BLEND, CUT, JOINED, LOOP, NULL, OVERRIDES, POINTS, QUATERNIONS, RATE, SORTED, UNUSED,
};
use super::{Fate, Feature, Way};
use crate::cases::FormatCases;

/// Every feature that clips of the formats can have, but for values and keys that all of them
/// keep.
pub static FEATURES: &[Feature] = &[
    Feature {
        id: "clip-name",
        name: "name of the clip",
        usually: Kept,
        has: |way| way.clip.name.as_ref().is_some_and(|name| !name.is_empty()),
        shows: |way, written| written.name == way.clip.name,
    },
    Feature {
        id: "empty-clip",
        name: "clip without tracks that the format can store",
        usually: Kept,
        has: |way| way.tracks().next().is_none(),
        shows: |_, _| true,
    },
    Feature {
        id: "frame-rate",
        name: "frame rate",
        usually: RATE,
        has: |way| way.clip.frame_rate.is_some(),
        shows: |way, written| written.frame_rate == way.clip.frame_rate,
    },
    Feature {
        id: "looping",
        name: "looping",
        usually: LOOP,
        has: |way| way.clip.looping == Looping::Loop,
        shows: |_, written| written.looping == Looping::Loop,
    },
    Feature {
        id: "blend-mode",
        name: "blend mode",
        usually: BLEND,
        has: |way| {
            // Tracks that have a row of their own where it is not "elsewhere".
            let apart = way.to.fate_of("mixed-blend-modes") != Elsewhere;
            let mixed = if apart { mixed_blends(way) } else { BTreeSet::new() };
            let blended = |track: &Track| {
                track.target().blend != Blend::Absolute && !mixed.contains(&blend_key(track))
            };
            way.clip.blend != BlendMode::Absolute || way.tracks().any(blended)
        },
        shows: |way, written| {
            if blends(way.clip) { blends(written) } else { written.blend == way.clip.blend }
        },
    },
    Feature {
        id: "unusual-blend-mode",
        name: "delta and unnamed blend modes",
        usually: Elsewhere,
        has: |way| is_unusual(way.clip.blend),
        shows: |way, written| written.blend == way.clip.blend,
    },
    Feature {
        id: "unusual-node-blend-mode",
        name: "delta and unnamed blend modes of nodes",
        usually: Elsewhere,
        has: |way| way.clip.blend_overrides.iter().any(|each| is_unusual(each.mode)),
        shows: |_, written| written.blend_overrides.iter().any(|each| is_unusual(each.mode)),
    },
    Feature {
        id: "mixed-blend-modes",
        name: "blend modes of tracks that no mode of their node combines",
        usually: Elsewhere,
        has: |way| !mixed_blends(way).is_empty(),
        shows: |way, written| {
            let tracks =
                |clip: &Animation| clip.tracks.iter().map(blend_key).collect::<BTreeSet<_>>();
            tracks(way.clip) == tracks(written)
        },
    },
    Feature {
        id: "node-blend-mode",
        name: "blend mode of a node",
        usually: OVERRIDES,
        has: |way| !way.clip.blend_overrides.is_empty(),
        shows: |_, written| !written.blend_overrides.is_empty(),
    },
    Feature {
        id: "node-blend-mode-with-tracks",
        name: "blend mode of a node that has tracks",
        usually: Elsewhere,
        has: |way| overrides(way, true) > 0,
        shows: |way, written| written.blend_overrides.len() == overrides(way, true),
    },
    Feature {
        id: "node-blend-mode-without-tracks",
        name: "blend mode of a node without tracks",
        usually: Elsewhere,
        has: |way| overrides(way, false) > 0,
        shows: |way, written| written.blend_overrides.len() > overrides(way, true),
    },
    Feature {
        id: "markers",
        name: "markers",
        usually: Kept,
        has: |way| !way.clip.markers.is_empty(),
        shows: |way, written| markers(way.clip) == markers(written),
    },
    Feature {
        id: "unsorted-markers",
        name: "markers out of order",
        usually: SORTED,
        has: |way| !way.clip.markers.is_sorted_by(|a, b| a.time <= b.time),
        shows: |_, written| !written.markers.is_sorted_by(|a, b| a.time <= b.time),
    },
    Feature {
        id: "duration",
        name: "duration",
        usually: Kept,
        has: |way| {
            let last = last_key(way);
            way.clip.duration.is_some_and(|duration| {
                let fits = way.rate.is_none_or(|rate| num::is_on_frame(duration, rate));
                duration.is_finite() && duration >= last && fits
            })
        },
        shows: |way, written| {
            let duration = |clip: &Animation| clip.duration.unwrap_or(f64::NAN);
            (duration(way.clip) - duration(written)).abs() <= 1e-6 * duration(way.clip)
        },
    },
    Feature {
        id: "duration-after-keys",
        name: "duration after the last key",
        usually: Elsewhere,
        has: |way| {
            let last = last_key(way);
            way.clip.duration.is_some_and(|duration| {
                let fits = way.rate.is_none_or(|rate| num::is_on_frame(duration, rate));
                let frame = |time: f64| (time * way.rate.unwrap_or(30.0)).round();
                duration.is_finite() && frame(duration) > frame(last) && fits
            })
        },
        shows: |way, written| written.duration == way.clip.duration,
    },
    Feature {
        id: "non-finite-duration",
        name: "non-finite duration",
        usually: Kept,
        has: |way| way.clip.duration.is_some_and(|duration| !duration.is_finite()),
        shows: |_, written| written.duration.is_some_and(|duration| !duration.is_finite()),
    },
    Feature {
        id: "negative-duration",
        name: "negative duration",
        usually: Kept,
        has: |way| way.clip.duration.is_some_and(|duration| duration < 0.0),
        shows: |_, written| written.duration.is_some_and(|duration| duration < 0.0),
    },
    Feature {
        id: "duration-off-grid",
        name: "duration between two frames",
        usually: Kept,
        has: |way| {
            let last = last_key(way);
            let rate = way.rate.unwrap_or(30.0);
            way.clip.duration.is_some_and(|duration| {
                let counts = (duration * rate).round() >= (last * rate).round();
                counts && duration.is_finite() && !num::is_on_frame(duration, rate)
            })
        },
        shows: |way, written| {
            let duration = |clip: &Animation| clip.duration.unwrap_or(f64::NAN);
            (duration(way.clip) - duration(written)).abs() < 1e-6
        },
    },
    Feature {
        id: "keys-off-grid",
        name: "keys between two frames",
        usually: Kept,
        has: |way| {
            let rate = way.rate.unwrap_or(30.0);
            let off = |time: &f64| *time >= 0.0 && !num::is_on_frame(*time, rate);
            way.tracks().filter(|track| is_lines(track)).flat_map(times).any(|time| off(&time))
        },
        shows: |way, written| {
            let rate = way.rate.unwrap_or(30.0);
            written.tracks.iter().flat_map(times).any(|time| !num::is_on_frame(time, rate))
        },
    },
    Feature {
        id: "close-keys",
        name: "keys that are closer than a frame",
        usually: Elsewhere,
        has: |way| {
            let rate = way.rate.unwrap_or(30.0);
            way.tracks().filter(|track| is_lines(track)).any(|track| has_close_keys(track, rate))
        },
        shows: |way, written| {
            let rate = way.rate.unwrap_or(30.0);
            written.tracks.iter().any(|track| has_close_keys(track, rate))
        },
    },
    Feature {
        id: "other-property",
        name: "track of another property",
        usually: Kept,
        has: |way| customs(way.clip, way).0 > 0,
        shows: |way, written| customs(way.clip, way).0 == customs(written, way).1,
    },
    Feature {
        id: "shape-weight",
        name: "weight of a blend shape",
        usually: Kept,
        has: |way| way.clip.tracks.iter().any(is_weight),
        shows: |_, written| written.tracks.iter().any(is_weight),
    },
    Feature {
        id: "shape-node",
        name: "node of a blend shape",
        usually: Kept,
        has: |way| way.clip.tracks.iter().any(|track| is_weight(track) && has_node(track)),
        shows: |_, written| written.tracks.iter().any(|track| is_weight(track) && has_node(track)),
    },
    Feature {
        id: "no-node",
        name: "track without a node",
        usually: NULL,
        has: |way| {
            let nodeless = matches!(way.to.fate_of("shape-node"), Fate::Dropped(_));
            way.tracks().any(|track| !(has_node(track) || nodeless && is_weight(track)))
        },
        shows: |_, written| written.tracks.iter().any(|track| !has_node(track)),
    },
    Feature {
        id: "no-property",
        name: "track without a property",
        usually: Elsewhere,
        has: |way| way.tracks().any(|track| track.target().property == Property::Custom(None)),
        shows: |_, written| {
            written.tracks.iter().any(|track| track.target().property == Property::Custom(None))
        },
    },
    Feature {
        id: "matrices",
        name: "matrices",
        usually: Elsewhere,
        has: |way| way.clip.tracks.iter().any(|track| track.data().kind().is_matrix()),
        shows: |_, written| written.tracks.iter().any(|track| track.data().kind().is_matrix()),
    },
    Feature {
        id: "non-finite-uniform-values",
        name: "non-finite values at a fixed interval",
        usually: Kept,
        has: |way| way.tracks().any(|track| is_uniform(track) && has_odd_values(track)),
        shows: |_, written| written.tracks.iter().any(has_odd_values),
    },
    Feature {
        id: "non-finite-key-values",
        name: "non-finite values of keys",
        usually: Kept,
        has: |way| way.tracks().any(|track| !is_uniform(track) && has_odd_values(track)),
        shows: |_, written| written.tracks.iter().any(has_odd_values),
    },
    Feature {
        id: "non-finite-interval",
        name: "non-finite interval",
        usually: Elsewhere,
        has: |way| way.tracks().any(has_odd_interval),
        shows: |_, written| written.tracks.iter().any(has_odd_interval),
    },
    Feature {
        id: "curves",
        name: "curves and steps of translations, rotations, scales and weights",
        usually: Kept,
        has: |way| {
            way.tracks()
                .any(|track| is_transform(track) && is_curved(track, turns_into_angles(way.to)))
        },
        shows: |way, written| {
            written
                .tracks
                .iter()
                .any(|track| is_transform(track) && is_curved(track, turns_into_angles(way.to)))
                // Handles are curves too.
                || written.tracks.iter().any(|track| is_transform(track) && has_handles(track))
        },
    },
    Feature {
        id: "unused-zero-tangents",
        name: "unused tangents of 0",
        usually: UNUSED,
        has: |way| way.tracks().any(|track| unused_tangents(track) == Some(false)),
        shows: |_, written| {
            written.tracks.iter().any(|track| unused_tangents(track) == Some(false))
        },
    },
    Feature {
        id: "unused-tangents",
        name: "unused tangents",
        usually: Kept,
        has: |way| way.tracks().any(|track| unused_tangents(track) == Some(true)),
        shows: |_, written| written.tracks.iter().any(|track| unused_tangents(track) == Some(true)),
    },
    Feature {
        id: "handles",
        name: "handles",
        usually: POINTS,
        has: |way| {
            let whole = |track: &&Track| track.target().component.is_none() && !is_euler(track);
            way.tracks().filter(whole).any(has_handles)
        },
        shows: |_, written| written.tracks.iter().any(has_handles),
    },
    Feature {
        id: "euler-angles",
        name: "Euler angles",
        usually: QUATERNIONS,
        has: |way| way.tracks().any(|track| is_euler(track) && !track.data().is_empty()),
        shows: |_, written| written.tracks.iter().any(is_euler),
    },
    Feature {
        id: "components",
        name: "tracks of single components",
        usually: JOINED,
        has: |way| {
            let keeps = way.to.fate_of("components") == Kept;
            way.tracks().any(|track| track.target().component.is_some())
                && (!keeps || vectors(way).iter().any(|axes| differ(axes)))
        },
        shows: |_, written| written.tracks.iter().any(|track| track.target().component.is_some()),
    },
    Feature {
        id: "alike-components",
        name: "single components that keys of whole vectors can store",
        usually: Elsewhere,
        has: |way| vectors(way).iter().any(|axes| !differ(axes)),
        shows: |_, _| false,
    },
    Feature {
        id: "curved-components",
        name: "curves and steps of single components",
        usually: Elsewhere,
        has: |way| {
            let curved = |track: &Track| {
                let data = track.data();
                let mut segments = 0..data.len().saturating_sub(1);
                has_handles(track)
                    || segments.any(|key| data.interpolation(key) != Interpolation::Linear)
            };
            let single = |track: &Track| track.target().component.is_some() && !is_euler(track);
            way.tracks().any(|track| single(track) && curved(track))
        },
        shows: |_, _| false,
    },
    Feature {
        id: "quaternions",
        name: "quaternions",
        usually: Kept,
        has: |way| way.tracks().any(|track| track.target().property == Property::Rotation),
        shows: |_, written| {
            written.tracks.iter().any(|track| track.target().property == Property::Rotation)
        },
    },
    Feature {
        id: "zero-rotations",
        name: "rotations of the length 0",
        usually: Elsewhere,
        has: |way| way.tracks().any(has_zero_rotations),
        shows: |_, written| written.tracks.iter().any(has_zero_rotations),
    },
    Feature {
        id: "wide-values",
        name: "f64 values of translations, rotations, scales and weights that f32 cannot store",
        usually: Kept,
        has: |way| way.tracks().any(|track| is_transform(track) && is_wide(track)),
        shows: |_, written| {
            written.tracks.iter().any(|track| is_transform(track) && is_wide(track))
        },
    },
    Feature {
        id: "wide-other-values",
        name: "f64 values of other properties that f32 cannot store",
        usually: Elsewhere,
        has: |way| way.tracks().any(|track| !is_transform(track) && is_wide(track)),
        shows: |_, written| {
            written.tracks.iter().any(|track| !is_transform(track) && is_wide(track))
        },
    },
    Feature {
        id: "keys-after-end",
        name: "keys after an exact duration",
        usually: Elsewhere,
        has: |way| end(way.clip).is_some_and(|end| way.tracks().flat_map(times).any(|it| it > end)),
        shows: |way, written| {
            let end = end(way.clip).unwrap_or(f64::INFINITY);
            written.tracks.iter().flat_map(times).any(|time| time > end * (1.0 + 1e-6))
        },
    },
    Feature {
        id: "negative-times",
        name: "keys before 0",
        usually: CUT,
        has: |way| way.tracks().flat_map(times).any(|time| time < 0.0),
        shows: |_, written| written.tracks.iter().flat_map(times).any(|time| time < 0.0),
    },
    Feature {
        id: "second-track",
        name: "second translation, rotation, scale or weight of a node",
        usually: Kept,
        has: |way| seconds(way.tracks().filter(|track| is_transform(track))) > 0,
        shows: |_, written| seconds(written.tracks.iter().filter(|track| is_transform(track))) > 0,
    },
    Feature {
        id: "second-other-track",
        name: "second track of another property of a node",
        usually: Elsewhere,
        has: |way| seconds(way.tracks().filter(|track| !is_transform(track))) > 0,
        shows: |_, written| seconds(written.tracks.iter().filter(|track| !is_transform(track))) > 0,
    },
    Feature {
        id: "mixed-axis-blends",
        name: "axes of one vector that blend in several modes",
        usually: Elsewhere,
        has: |way| mixes_blends(way.tracks()),
        shows: |_, written| mixes_blends(written.tracks.iter()),
    },
    Feature {
        id: "node-without-keys",
        name: "node without keys",
        usually: Elsewhere,
        has: |way| {
            let nodes = |empty: bool| {
                let tracks = way.clip.tracks.iter().filter(|track| is_bone(track));
                let tracks = tracks.filter(move |track| track.data().is_empty() == empty);
                tracks.map(|track| track.target().node.clone()).collect::<BTreeSet<_>>()
            };
            nodes(true).difference(&nodes(false)).next().is_some()
        },
        shows: |way, written| {
            let known = |track: &Track| {
                written.tracks.iter().any(|other| other.target().node == track.target().node)
            };
            way.clip.tracks.iter().filter(|track| is_bone(track)).all(known)
        },
    },
    Feature {
        id: "empty-track",
        name: "track without keys next to others of its node",
        usually: Kept,
        has: |way| way.tracks().any(|track| is_idle(track, way)),
        shows: |way, written| {
            let empty =
                |tracks: Vec<&Track>| tracks.iter().filter(|track| track.data().is_empty()).count();
            empty(written.tracks.iter().collect()) >= empty(way.tracks().collect())
        },
    },
];

const fn is_unusual(mode: BlendMode) -> bool {
    matches!(mode, BlendMode::Delta | BlendMode::Other(_))
}

/// Returns the tracks of single components, those of one property of a node together.
fn vectors<'a>(way: &Way<'a>) -> Vec<Vec<&'a Track>> {
    let mut vectors: BTreeMap<String, Vec<&Track>> = BTreeMap::new();
    for track in way.tracks().filter(|track| track.target().component.is_some()) {
        let (node, property) = (&track.target().node, &track.target().property);
        vectors.entry(format!("{node:?} {property:?}")).or_default().push(track);
    }
    vectors.into_values().collect()
}

/// Says whether components have keys at the same times with interpolations that differ, which X4
/// alone stores.
fn differ(axes: &[&Track]) -> bool {
    let [x, y, z] = axes else { return false };
    let same = |other: &Track| times(x).eq(times(other));
    let interpolation = |track: &Track, key| track.data().interpolation(key);
    let differs = |key| {
        let first = interpolation(x, key);
        interpolation(y, key) != first || interpolation(z, key) != first
    };
    same(y) && same(z) && (0..x.data().len()).any(differs)
}

/// Returns when the last key or marker comes that has a place in the target.
fn last_key(way: &Way<'_>) -> f64 {
    let keys = way.tracks().filter_map(|track| track.data().end());
    keys.chain(way.clip.markers.iter().map(|marker| marker.time)).fold(0.0, f64::max)
}

/// Returns where playback ends, if the stated duration is exact.
fn end(clip: &Animation) -> Option<f64> {
    let exact = clip.rules.stated_duration == StatedDuration::Exact;
    clip.duration.filter(|duration| exact && *duration > 0.0 && duration.is_finite())
}

/// Returns whether a track is not absolute.
fn blends(clip: &Animation) -> bool {
    clip.tracks.iter().any(|track| track.target().blend != Blend::Absolute)
}

/// Returns the properties of nodes, as [`blend_key`] does, whose blends no mode of their node
/// combines. Components count as one track, as they are written.
fn mixed_blends(way: &Way<'_>) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let whole = |track: &&Track| seen.insert(blend_key(track));
    let tracks = way.tracks().filter(whole).cloned().collect();
    let mut clip = way.clip.head().with_tracks(tracks);
    let mixed = clip.restate_blend();
    mixed.into_iter().map(|index| blend_key(&clip.tracks[index])).collect()
}

/// Returns the node, the property and the blend of a track.
fn blend_key(track: &Track) -> String {
    let target = track.target();
    format!("{:?} {:?} {:?}", target.node, target.property, target.blend)
}

fn overrides(way: &Way<'_>, with_tracks: bool) -> usize {
    let bone = |node: &str| {
        way.tracks().any(|track| !is_weight(track) && track.target().node.as_deref() == Some(node))
    };
    way.clip.blend_overrides.iter().filter(|each| bone(&each.node) == with_tracks).count()
}

/// Returns the names of the markers with their times in microseconds.
fn markers(clip: &Animation) -> BTreeSet<(String, String)> {
    let micros = |time: f64| format!("{:.0}", time * 1e6);
    clip.markers.iter().map(|marker| (marker.name.to_string(), micros(marker.time))).collect()
}

fn times(track: &Track) -> impl Iterator<Item = f64> {
    (0..track.data().len()).filter_map(|key| track.data().time(key))
}

/// Returns how many tracks of other properties a clip has: those that the target holds where all
/// other properties go, and all.
fn customs(clip: &Animation, way: &Way<'_>) -> (usize, usize) {
    let custom = |track: &&Track| matches!(track.target().property, Property::Custom(_));
    let keeps = way.to.fate_of("other-property") == Kept;
    let wanted = |track: &&Track| {
        let written = (way.to.stores)(track) && !drops_whole(track, way.to);
        if keeps { written } else { !(way.to.stores)(track) }
    };
    let all = clip.tracks.iter().filter(custom);
    (all.clone().filter(wanted).count(), all.count())
}

/// Returns whether a track is dropped because of its values.
fn drops_whole(track: &Track, to: &FormatCases) -> bool {
    let drops = matches!(to.fate_of("non-finite-uniform-values"), Fate::Dropped(_));
    drops && is_uniform(track) && has_odd_values(track)
}

const fn is_bone(track: &Track) -> bool {
    !matches!(track.target().property, Property::Weight(_) | Property::Custom(_))
}

const fn is_weight(track: &Track) -> bool {
    matches!(track.target().property, Property::Weight(_))
}

const fn is_euler(track: &Track) -> bool {
    matches!(track.target().property, Property::RotationEuler(_))
}

const fn is_transform(track: &Track) -> bool {
    !matches!(track.target().property, Property::Custom(_))
}

const fn has_node(track: &Track) -> bool {
    track.target().node.is_some()
}

const fn is_uniform(track: &Track) -> bool {
    matches!(track.data().shape(), Shape::Uniform { .. })
}

fn has_odd_interval(track: &Track) -> bool {
    matches!(track.data().shape(), Shape::Uniform { interval } if !interval.is_finite())
}

fn has_handles(track: &Track) -> bool {
    matches!(track.data().tangents(), Some(Tangents::Handles { .. })) && !track.data().is_empty()
}

/// Returns whether keys at different times are closest to the same frame.
fn has_close_keys(track: &Track, rate: f64) -> bool {
    let mut pairs = times(track).zip(times(track).skip(1));
    pairs.any(|(one, next)| one != next && (one * rate).round() == (next * rate).round())
}

/// Returns whether a rotation is no direction at all.
fn has_zero_rotations(track: &Track) -> bool {
    match track.data().values() {
        Values::FloatQ(column) => column.iter().any(|rotation| rotation.length() == 0.0),
        Values::DoubleQ(column) => column.iter().any(|rotation| rotation.length() == 0.0),
        _ => false,
    }
}

/// Returns whether a value is NaN or infinite, or a tangent where a key uses tangents.
fn has_odd_values(track: &Track) -> bool {
    let data = track.data();
    let odd = |values: &Values| {
        values.kind() != ValueKind::String && {
            let text = format!("{values:?}");
            text.contains("NaN") || text.contains("inf")
        }
    };
    let tangents = match data.tangents() {
        Some(Tangents::Values { left, right }) if uses_tangents(track) => odd(left) || odd(right),
        _ => false,
    };
    odd(data.values()) || tangents
}

fn uses_tangents(track: &Track) -> bool {
    let data = track.data();
    (0..data.len()).map(|key| data.interpolation(key)).any(|interpolation| {
        interpolation.needs_tangents() && resonite::takes_tangents(data.kind(), interpolation)
    })
}

/// Returns whether tangents that no key uses are anything but 0; `None` without such.
fn unused_tangents(track: &Track) -> Option<bool> {
    match track.data().tangents() {
        Some(Tangents::Values { left, right }) if !uses_tangents(track) => {
            let zeros = |values: &Values| {
                let text = format!("{values:?}");
                let (_, numbers) = text.split_once('(').expect("the kind stands in front");
                !numbers.contains(|c: char| matches!(c, '-' | '1'..='9' | 't'))
            };
            Some(!(zeros(left) && zeros(right)))
        }
        _ => None,
    }
}

/// Returns whether a track has segments that are not straight, and no other reason to be baked.
fn is_curved(track: &Track, angles: bool) -> bool {
    let data = track.data();
    let other = is_euler(track) || track.target().component.is_some() || has_handles(track);
    let angles = angles && track.target().property == Property::Rotation;
    let straight = |key| data.interpolation(key) == Interpolation::Linear;
    !other && !angles && !(0..data.len().saturating_sub(1)).all(straight)
}

/// Returns whether a track keeps its keys where frames are written.
fn is_lines(track: &Track) -> bool {
    let whole = track.target().component.is_none() && !is_euler(track) && !has_handles(track);
    whole && !is_curved(track, false)
}

/// Returns whether a format stores rotations as Euler angles.
fn turns_into_angles(to: &FormatCases) -> bool {
    matches!(to.fate_of("quaternions"), Fate::Becomes { .. })
}

fn is_wide(track: &Track) -> bool {
    let wide =
        |number: &f64| number.is_finite() && f64::from(num::f32_from_f64(*number)) != *number;
    match track.data().values() {
        Values::Double(numbers) => numbers.iter().any(wide),
        Values::Double3(vectors) => vectors.iter().flatten().any(wide),
        _ => false,
    }
}

/// Returns how many tracks are of the same target as one before them.
fn seconds<'a>(tracks: impl Iterator<Item = &'a Track>) -> usize {
    let mut seen = BTreeSet::new();
    tracks.filter(|track| !seen.insert(format!("{:?}", track.target()))).count()
}

/// Returns whether components of one vector blend in several modes.
fn mixes_blends<'a>(tracks: impl Iterator<Item = &'a Track>) -> bool {
    let mut blends = BTreeMap::new();
    let mut single = tracks.map(Track::target).filter(|target| target.component.is_some());
    single.any(|target| {
        let vector = format!("{:?} {:?}", target.node, target.property);
        *blends.entry(vector).or_insert(target.blend) != target.blend
    })
}

/// Returns whether a track without keys leaves nothing in a record of X4.
fn is_idle(track: &Track, way: &Way<'_>) -> bool {
    let target = track.target();
    let others = way.tracks().filter(|other| other.target().node == target.node).count() > 1;
    track.data().is_empty() && (others || target.property != Property::Translation)
}
