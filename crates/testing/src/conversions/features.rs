//! The list of features.

mod blends;
mod keys;
mod targets;
mod times;

use std::collections::BTreeSet;

use inbetween_core::{
    Animation, Blend, BlendMode, EulerOrder, Interpolation, Looping, Property, Track, num,
};

use super::Fate::{Elsewhere, Kept};
use super::shared::{
    BLEND, CUT, JOINED, LOOP, NULL, OVERRIDES, POINTS, QUATERNIONS, RATE, SORTED, UNUSED,
};
use super::{Fate, Feature};
use crate::documents::X4_ORDER;
use blends::{blend_key, blends, is_unusual, mixed_blends, mixes_blends, overrides};
use keys::{
    has_curved_angles, has_handles, has_odd_interval, has_odd_values, has_zero_rotations,
    ignores_handles, is_curved, is_lines, is_uniform, is_wide, unused_tangents,
};
use targets::{
    customs, differ, has_node, is_bone, is_euler, is_idle, is_transform, is_weight, seconds,
    turns_into_angles, vectors,
};
use times::{end, has_close_keys, last_key, markers, times};

/// Returns whether a track moves a bone or a shape.
fn moves(track: &Track) -> bool {
    is_transform(track) && !track.data().is_empty()
}

fn is_scale(track: &Track) -> bool {
    track.target().property == Property::Scale && !track.data().is_empty()
}

/// Returns whether angles of a track turn the other way about some axes.
fn is_mirrored(track: &Track) -> bool {
    let signs = |order: EulerOrder| order.signs() != [1; 3];
    matches!(track.target().property, Property::RotationEuler(order) if signs(order))
}

/// Returns whether a clip has a custom track for which a format has no place.
fn is_foreign(converted: &super::ConvertedClip<'_>, clip: &Animation) -> bool {
    let is_custom = |track: &Track| matches!(track.target().property, Property::Custom(_));
    clip.tracks.iter().any(|track| is_custom(track) && !(converted.to.stores)(track))
}

/// A feature of single tracks.
macro_rules! of_tracks {
    ($id:literal, $name:literal, $usually:expr, $is:expr) => {
        Feature {
            id: $id,
            name: $name,
            usually: $usually,
            has: |converted| converted.tracks().any($is),
            shows: |_, written| written.tracks.iter().any($is),
        }
    };
}

/// Every feature that clips can have, except values and keys that all formats keep.
pub static FEATURES: &[Feature] = &[
    Feature {
        id: "clip-name",
        name: "name of the clip",
        usually: Kept,
        has: |converted| converted.clip.name.as_ref().is_some_and(|name| !name.is_empty()),
        shows: |converted, written| written.name == converted.clip.name,
    },
    Feature {
        id: "empty-clip",
        name: "clip without tracks that the format can store",
        usually: Kept,
        has: |converted| converted.tracks().next().is_none(),
        shows: |_, _| true,
    },
    Feature {
        id: "frame-rate",
        name: "frame rate",
        usually: RATE,
        has: |converted| converted.clip.frame_rate.is_some(),
        shows: |converted, written| written.frame_rate == converted.clip.frame_rate,
    },
    Feature {
        id: "looping",
        name: "looping",
        usually: LOOP,
        has: |converted| converted.clip.looping == Looping::Loop,
        shows: |_, written| written.looping == Looping::Loop,
    },
    Feature {
        id: "blend-mode",
        name: "blend mode",
        usually: BLEND,
        has: |converted| {
            // Tracks that have a row of their own, unless its fate is "elsewhere".
            let apart = converted.to.fate_of("mixed-blend-modes") != Elsewhere;
            let mixed = if apart { mixed_blends(converted) } else { BTreeSet::new() };
            let blended = |track: &Track| {
                track.target().blend != Blend::Absolute && !mixed.contains(&blend_key(track))
            };
            converted.clip.blend != BlendMode::Absolute || converted.tracks().any(blended)
        },
        shows: |converted, written| {
            if blends(converted.clip) {
                blends(written)
            } else {
                written.blend == converted.clip.blend
            }
        },
    },
    Feature {
        id: "unusual-blend-mode",
        name: "delta and unnamed blend modes",
        usually: Elsewhere,
        has: |converted| is_unusual(converted.clip.blend),
        shows: |converted, written| written.blend == converted.clip.blend,
    },
    Feature {
        id: "unusual-node-blend-mode",
        name: "delta and unnamed blend modes of nodes",
        usually: Elsewhere,
        has: |converted| converted.clip.blend_overrides.iter().any(|each| is_unusual(each.mode)),
        shows: |_, written| written.blend_overrides.iter().any(|each| is_unusual(each.mode)),
    },
    Feature {
        id: "mixed-blend-modes",
        name: "blend modes of tracks that no mode of their node combines",
        usually: Elsewhere,
        has: |converted| !mixed_blends(converted).is_empty(),
        shows: |converted, written| {
            let tracks =
                |clip: &Animation| clip.tracks.iter().map(blend_key).collect::<BTreeSet<_>>();
            tracks(converted.clip) == tracks(written)
        },
    },
    Feature {
        id: "node-blend-mode",
        name: "blend mode of a node",
        usually: OVERRIDES,
        has: |converted| !converted.clip.blend_overrides.is_empty(),
        shows: |_, written| !written.blend_overrides.is_empty(),
    },
    Feature {
        id: "node-blend-mode-with-tracks",
        name: "blend mode of a node that has tracks",
        usually: Elsewhere,
        has: |converted| overrides(converted, true) > 0,
        shows: |converted, written| written.blend_overrides.len() == overrides(converted, true),
    },
    Feature {
        id: "node-blend-mode-without-tracks",
        name: "blend mode of a node without tracks",
        usually: Elsewhere,
        has: |converted| overrides(converted, false) > 0,
        shows: |converted, written| written.blend_overrides.len() > overrides(converted, true),
    },
    Feature {
        id: "markers",
        name: "markers",
        usually: Kept,
        has: |converted| !converted.clip.markers.is_empty(),
        shows: |converted, written| markers(converted.clip) == markers(written),
    },
    Feature {
        id: "unsorted-markers",
        name: "markers out of order",
        usually: SORTED,
        has: |converted| !converted.clip.markers.is_sorted_by(|a, b| a.time <= b.time),
        shows: |_, written| !written.markers.is_sorted_by(|a, b| a.time <= b.time),
    },
    Feature {
        id: "duration",
        name: "duration",
        usually: Kept,
        has: |converted| {
            let last = last_key(converted);
            converted.clip.duration.is_some_and(|duration| {
                let fits = converted.rate.is_none_or(|rate| num::is_on_frame(duration, rate));
                duration.is_finite() && duration >= last && fits
            })
        },
        shows: |converted, written| {
            let duration = |clip: &Animation| clip.duration.unwrap_or(f64::NAN);
            (duration(converted.clip) - duration(written)).abs() <= 1e-6 * duration(converted.clip)
        },
    },
    Feature {
        id: "duration-after-keys",
        name: "duration after the last key",
        usually: Elsewhere,
        has: |converted| {
            let last = last_key(converted);
            converted.clip.duration.is_some_and(|duration| {
                let fits = converted.rate.is_none_or(|rate| num::is_on_frame(duration, rate));
                let frame = |time: f64| (time * converted.rate.unwrap_or(30.0)).round();
                duration.is_finite() && frame(duration) > frame(last) && fits
            })
        },
        shows: |converted, written| written.duration == converted.clip.duration,
    },
    Feature {
        id: "non-finite-duration",
        name: "non-finite duration",
        usually: Kept,
        has: |converted| converted.clip.duration.is_some_and(|duration| !duration.is_finite()),
        shows: |_, written| written.duration.is_some_and(|duration| !duration.is_finite()),
    },
    Feature {
        id: "negative-duration",
        name: "negative duration",
        usually: Kept,
        has: |converted| converted.clip.duration.is_some_and(|duration| duration < 0.0),
        shows: |_, written| written.duration.is_some_and(|duration| duration < 0.0),
    },
    Feature {
        id: "duration-off-grid",
        name: "duration between two frames",
        usually: Kept,
        has: |converted| {
            let last = last_key(converted);
            let rate = converted.rate.unwrap_or(30.0);
            converted.clip.duration.is_some_and(|duration| {
                let counts = (duration * rate).round() >= (last * rate).round();
                counts && duration.is_finite() && !num::is_on_frame(duration, rate)
            })
        },
        shows: |converted, written| {
            let duration = |clip: &Animation| clip.duration.unwrap_or(f64::NAN);
            (duration(converted.clip) - duration(written)).abs() < 1e-6
        },
    },
    Feature {
        id: "keys-off-grid",
        name: "keys between two frames",
        usually: Kept,
        has: |converted| {
            let rate = converted.rate.unwrap_or(30.0);
            let off = |time: &f64| *time >= 0.0 && !num::is_on_frame(*time, rate);
            converted
                .tracks()
                .filter(|track| is_lines(track))
                .flat_map(times)
                .any(|time| off(&time))
        },
        shows: |converted, written| {
            let rate = converted.rate.unwrap_or(30.0);
            written.tracks.iter().flat_map(times).any(|time| !num::is_on_frame(time, rate))
        },
    },
    Feature {
        id: "close-keys",
        name: "keys that are closer than a frame",
        usually: Elsewhere,
        has: |converted| {
            let rate = converted.rate.unwrap_or(30.0);
            converted
                .tracks()
                .filter(|track| is_lines(track))
                .any(|track| has_close_keys(track, rate))
        },
        shows: |converted, written| {
            let rate = converted.rate.unwrap_or(30.0);
            written.tracks.iter().any(|track| has_close_keys(track, rate))
        },
    },
    Feature {
        id: "other-property",
        name: "track of another property",
        usually: Kept,
        has: |converted| customs(converted.clip, converted).0 > 0,
        shows: |converted, written| {
            customs(converted.clip, converted).0 == customs(written, converted).1
        },
    },
    Feature {
        id: "foreign-property",
        name: "track of a property that the format does not know",
        usually: Elsewhere,
        has: |converted| is_foreign(converted, converted.clip),
        shows: |converted, written| is_foreign(converted, written),
    },
    Feature {
        id: "scale",
        name: "scale",
        usually: Kept,
        has: |converted| converted.clip.tracks.iter().any(is_scale),
        shows: |_, written| written.tracks.iter().any(is_scale),
    },
    Feature {
        id: "shape-weight",
        name: "weight of a blend shape",
        usually: Kept,
        has: |converted| converted.clip.tracks.iter().any(is_weight),
        shows: |_, written| written.tracks.iter().any(is_weight),
    },
    Feature {
        id: "shape-node",
        name: "node of a blend shape",
        usually: Kept,
        has: |converted| {
            converted.clip.tracks.iter().any(|track| is_weight(track) && has_node(track))
        },
        shows: |_, written| written.tracks.iter().any(|track| is_weight(track) && has_node(track)),
    },
    Feature {
        id: "no-node",
        name: "track without a node",
        usually: NULL,
        has: |converted| {
            let nodeless = matches!(converted.to.fate_of("shape-node"), Fate::Dropped(_));
            converted.tracks().any(|track| !(has_node(track) || nodeless && is_weight(track)))
        },
        shows: |_, written| written.tracks.iter().any(|track| !has_node(track)),
    },
    Feature {
        id: "no-property",
        name: "track without a property",
        usually: Elsewhere,
        has: |converted| {
            converted.tracks().any(|track| track.target().property == Property::Custom(None))
        },
        shows: |_, written| {
            written.tracks.iter().any(|track| track.target().property == Property::Custom(None))
        },
    },
    Feature {
        id: "matrices",
        name: "matrices",
        usually: Elsewhere,
        has: |converted| converted.clip.tracks.iter().any(|track| track.data().kind().is_matrix()),
        shows: |_, written| written.tracks.iter().any(|track| track.data().kind().is_matrix()),
    },
    Feature {
        id: "non-finite-uniform-values",
        name: "non-finite values at a fixed interval",
        usually: Kept,
        has: |converted| converted.tracks().any(|track| is_uniform(track) && has_odd_values(track)),
        shows: |_, written| written.tracks.iter().any(has_odd_values),
    },
    Feature {
        id: "non-finite-key-values",
        name: "non-finite values of keys",
        usually: Kept,
        has: |converted| {
            converted.tracks().any(|track| !is_uniform(track) && has_odd_values(track))
        },
        shows: |_, written| written.tracks.iter().any(has_odd_values),
    },
    of_tracks!("non-finite-interval", "non-finite interval", Elsewhere, has_odd_interval),
    Feature {
        id: "curves",
        name: "curves and steps of translations, rotations, scales and weights",
        usually: Kept,
        has: |converted| {
            let keeps = |id| converted.to.fate_of(id) == Kept;
            let turns = converted.to.fate_of("mirrored-angles") != Elsewhere;
            let curves = |track: &Track| {
                is_curved(track, turns_into_angles(converted.to))
                    || (keeps("euler-angles")
                        && has_curved_angles(track)
                        && !(turns && is_mirrored(track)))
            };
            converted.tracks().any(|track| is_transform(track) && curves(track))
        },
        shows: |converted, written| {
            written
                .tracks
                .iter()
                .any(|track| is_transform(track) && is_curved(track, turns_into_angles(converted.to)))
                || written.tracks.iter().any(has_curved_angles)
                // Handles are curves too.
                || written.tracks.iter().any(|track| is_transform(track) && has_handles(track))
        },
    },
    Feature {
        id: "unused-zero-tangents",
        name: "unused tangents of 0",
        usually: UNUSED,
        has: |converted| converted.tracks().any(|track| unused_tangents(track) == Some(false)),
        shows: |_, written| {
            written.tracks.iter().any(|track| unused_tangents(track) == Some(false))
        },
    },
    of_tracks!("unused-tangents", "unused tangents", Kept, |track| unused_tangents(track)
        == Some(true)),
    Feature {
        id: "handles",
        name: "handles",
        usually: POINTS,
        has: |converted| {
            // Others convert the handles of angles together with the angles.
            let fate = |id| converted.to.fate_of(id);
            let turns = fate("euler-angles") != Kept || fate("handles") != POINTS;
            let is_apart = |track: &Track| turns && is_euler(track);
            let whole = |track: &&Track| track.target().component.is_none() && !is_apart(track);
            let apart = converted.to.fate_of("unused-handles") != Elsewhere;
            let counts = |track: &Track| has_handles(track) && !(apart && ignores_handles(track));
            converted.tracks().filter(whole).any(counts)
        },
        shows: |_, written| written.tracks.iter().any(has_handles),
    },
    Feature {
        id: "unused-handles",
        name: "handles that shape no curve",
        usually: Elsewhere,
        has: |converted| {
            let whole = |track: &&Track| track.target().component.is_none() && !is_euler(track);
            converted.tracks().filter(whole).any(ignores_handles)
        },
        shows: |_, written| written.tracks.iter().any(has_handles),
    },
    Feature {
        id: "euler-angles",
        name: "Euler angles",
        usually: QUATERNIONS,
        has: |converted| {
            converted.tracks().any(|track| is_euler(track) && !track.data().is_empty())
        },
        shows: |_, written| written.tracks.iter().any(is_euler),
    },
    Feature {
        id: "components",
        name: "tracks of single components",
        usually: JOINED,
        has: |converted| {
            let keeps = converted.to.fate_of("components") == Kept;
            converted.tracks().any(|track| track.target().component.is_some())
                && (!keeps || vectors(converted).iter().any(|axes| differ(axes)))
        },
        shows: |_, written| written.tracks.iter().any(|track| track.target().component.is_some()),
    },
    Feature {
        id: "alike-components",
        name: "single components that keys of whole vectors can store",
        usually: Elsewhere,
        has: |converted| vectors(converted).iter().any(|axes| !differ(axes)),
        shows: |_, _| false,
    },
    Feature {
        id: "curved-components",
        name: "curves and steps of single components",
        usually: Elsewhere,
        has: |converted| {
            let curved = |track: &Track| {
                let data = track.data();
                let mut segments = 0..data.len().saturating_sub(1);
                has_handles(track)
                    || segments.any(|key| data.interpolation(key) != Interpolation::Linear)
            };
            let single = |track: &Track| track.target().component.is_some() && !is_euler(track);
            converted.tracks().any(|track| single(track) && curved(track))
        },
        shows: |_, _| false,
    },
    Feature {
        id: "quaternions",
        name: "quaternions",
        usually: Kept,
        has: |converted| {
            let rotates = |track: &Track| track.target().property == Property::Rotation;
            converted.tracks().any(|track| rotates(track) && !track.data().is_empty())
        },
        shows: |_, written| {
            written.tracks.iter().any(|track| track.target().property == Property::Rotation)
        },
    },
    of_tracks!(
        "other-euler-order",
        "Euler angles in another order than X4 stores",
        Elsewhere,
        |it| {
            is_euler(it)
                && !it.data().is_empty()
                && it.target().property != Property::RotationEuler(X4_ORDER)
        }
    ),
    of_tracks!("mirrored-angles", "Euler angles that turn the other way", Elsewhere, is_mirrored),
    of_tracks!("zero-rotations", "rotations of the length 0", Elsewhere, has_zero_rotations),
    of_tracks!(
        "wide-values",
        "f64 values of translations, rotations, scales and weights that f32 cannot store",
        Kept,
        |track| is_transform(track) && is_wide(track)
    ),
    of_tracks!(
        "wide-other-values",
        "f64 values of other properties that f32 cannot store",
        Elsewhere,
        |track| !is_transform(track) && is_wide(track)
    ),
    Feature {
        id: "keys-after-end",
        name: "keys after an exact duration",
        usually: Elsewhere,
        has: |converted| {
            end(converted.clip)
                .is_some_and(|end| converted.tracks().flat_map(times).any(|it| it > end))
        },
        shows: |converted, written| {
            let end = end(converted.clip).unwrap_or(f64::INFINITY);
            written.tracks.iter().flat_map(times).any(|time| time > end * (1.0 + 1e-6))
        },
    },
    Feature {
        id: "negative-times",
        name: "keys before 0",
        usually: CUT,
        has: |converted| converted.tracks().flat_map(times).any(|time| time < 0.0),
        shows: |_, written| written.tracks.iter().flat_map(times).any(|time| time < 0.0),
    },
    Feature {
        id: "second-track",
        name: "second translation, rotation, scale or weight of a node",
        usually: Kept,
        has: |converted| seconds(converted.tracks().filter(|track| moves(track))) > 0,
        shows: |_, written| seconds(written.tracks.iter().filter(|track| moves(track))) > 0,
    },
    Feature {
        id: "second-other-track",
        name: "second track of another property of a node",
        usually: Elsewhere,
        has: |converted| seconds(converted.tracks().filter(|track| !is_transform(track))) > 0,
        shows: |_, written| seconds(written.tracks.iter().filter(|track| !is_transform(track))) > 0,
    },
    Feature {
        id: "mixed-axis-blends",
        name: "axes of one vector that blend in several modes",
        usually: Elsewhere,
        has: |converted| mixes_blends(converted.tracks()),
        shows: |_, written| mixes_blends(written.tracks.iter()),
    },
    Feature {
        id: "node-without-keys",
        name: "node without keys",
        usually: Elsewhere,
        has: |converted| {
            let nodes = |empty: bool| {
                let tracks = converted.clip.tracks.iter().filter(|track| is_bone(track));
                let tracks = tracks.filter(move |track| track.data().is_empty() == empty);
                tracks.map(|track| track.target().node.clone()).collect::<BTreeSet<_>>()
            };
            nodes(true).difference(&nodes(false)).next().is_some()
        },
        shows: |converted, written| {
            let known = |track: &Track| {
                written.tracks.iter().any(|other| other.target().node == track.target().node)
            };
            converted.clip.tracks.iter().filter(|track| is_bone(track)).all(known)
        },
    },
    Feature {
        id: "empty-track",
        name: "track without keys next to others of its node",
        usually: Kept,
        has: |converted| converted.tracks().any(|track| is_idle(track, converted)),
        shows: |converted, written| {
            let empty =
                |tracks: Vec<&Track>| tracks.iter().filter(|track| track.data().is_empty()).count();
            empty(written.tracks.iter().collect()) >= empty(converted.tracks().collect())
        },
    },
];
