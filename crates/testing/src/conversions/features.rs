//! The list of features.

use std::collections::BTreeSet;

use inbetween_core::{
    Animation, BlendMode, Interpolation, Looping, Property, Shape, Tangents, Track, ValueKind,
    Values, num, resonite,
};

use super::Fate::{Becomes, Dropped, Elsewhere, Kept};
use super::{Fate, Feature, Format, Way};

const NULL: Fate = Becomes { what: "\"\"", code: "convert/null-text" };
const TRACK: Fate = Dropped("convert/track-dropped");
const BAKED: Fate = Becomes { what: "lines", code: "convert/curve-baked" };
const POINTS: Fate = Becomes { what: "control points", code: "convert/handles-converted" };
const JOINED: Fate = Becomes { what: "one track", code: "convert/components-joined" };
const QUATERNIONS: Fate = Becomes { what: "quaternions", code: "convert/euler-baked" };
const SORTED: Fate = Becomes { what: "sorted", code: "convert/times-sorted" };
const CUT: Fate = Becomes { what: "a key at 0", code: "convert/negative-times-cut" };
const PLAYS: Fate = Becomes { what: "what plays", code: "convert/duration-changed" };
const GRID: Fate = Becomes { what: "the nearest frame", code: "convert/keys-off-grid" };
const UNUSED: Fate = Dropped("convert/tangents-dropped");
const RATE: Fate = Dropped("convert/frame-rate-dropped");
const LOOP: Fate = Dropped("convert/looping-dropped");
const BLEND: Fate = Dropped("convert/blend-dropped");
const OVERRIDES: Fate = Dropped("convert/blend-overrides-dropped");

/// Every feature that clips of the formats can have, but for values and keys that all of them
/// keep. The fates are those in AnimJ, AnimX, SEAnim and X4 .ANI.
pub static FEATURES: &[Feature] = &[
    Feature {
        name: "name of the clip",
        fates: [Kept, Kept, Dropped("convert/name-dropped"), Kept],
        has: |way| way.clip.name.as_ref().is_some_and(|name| !name.is_empty()),
        shows: |way, written| written.name == way.clip.name,
    },
    Feature {
        name: "clip without tracks that fit",
        fates: [Kept, Kept, Kept, Dropped("x4-ani/clip-dropped")],
        has: |way| way.tracks().next().is_none(),
        shows: |_, _| true,
    },
    Feature {
        name: "frame rate",
        fates: [RATE, RATE, Kept, RATE],
        has: |way| way.clip.frame_rate.is_some(),
        shows: |way, written| written.frame_rate == way.clip.frame_rate,
    },
    Feature {
        name: "looping",
        fates: [LOOP, LOOP, Kept, LOOP],
        has: |way| way.clip.looping == Looping::Loop,
        shows: |_, written| written.looping == Looping::Loop,
    },
    Feature {
        name: "blend mode",
        fates: [BLEND, BLEND, Kept, BLEND],
        has: |way| way.clip.blend != BlendMode::Absolute,
        shows: |way, written| written.blend == way.clip.blend,
    },
    Feature {
        name: "blend mode of a node",
        fates: [OVERRIDES, OVERRIDES, Elsewhere, OVERRIDES],
        has: |way| !way.clip.blend_overrides.is_empty(),
        shows: |_, written| !written.blend_overrides.is_empty(),
    },
    Feature {
        name: "blend mode of a node that has tracks",
        fates: [Elsewhere, Elsewhere, Kept, Elsewhere],
        has: |way| overrides(way, true) > 0,
        shows: |way, written| written.blend_overrides.len() == overrides(way, true),
    },
    Feature {
        name: "blend mode of a node without tracks",
        fates: [Elsewhere, Elsewhere, Dropped("seanim/override-dropped"), Elsewhere],
        has: |way| overrides(way, false) > 0,
        shows: |way, written| written.blend_overrides.len() > overrides(way, true),
    },
    Feature {
        name: "markers",
        fates: [Kept, Kept, Kept, Dropped("x4-ani/markers-dropped")],
        has: |way| !way.clip.markers.is_empty(),
        shows: |way, written| markers(way.clip) == markers(written),
    },
    Feature {
        name: "markers out of order",
        fates: [SORTED, SORTED, Kept, Elsewhere],
        has: |way| !way.clip.markers.is_sorted_by(|a, b| a.time <= b.time),
        shows: |_, written| !written.markers.is_sorted_by(|a, b| a.time <= b.time),
    },
    Feature {
        name: "duration",
        fates: [Kept, Kept, Kept, Kept],
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
        name: "duration that is no number",
        fates: [PLAYS, Kept, PLAYS, Kept],
        has: |way| way.clip.duration.is_some_and(|duration| !duration.is_finite()),
        shows: |_, written| written.duration.is_some_and(|duration| !duration.is_finite()),
    },
    Feature {
        name: "duration below 0",
        fates: [Kept, Kept, PLAYS, Kept],
        has: |way| way.clip.duration.is_some_and(|duration| duration < 0.0),
        shows: |_, written| written.duration.is_some_and(|duration| duration < 0.0),
    },
    Feature {
        name: "duration between two frames",
        fates: [Kept, Kept, PLAYS, Kept],
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
        name: "keys between two frames",
        fates: [Kept, Kept, GRID, Kept],
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
        name: "track of another property",
        fates: [Kept, Kept, TRACK, TRACK],
        has: |way| customs(way.clip, way).0 > 0,
        shows: |way, written| customs(way.clip, way).0 == customs(written, way).1,
    },
    Feature {
        name: "weight of a blend shape",
        fates: [Kept, Kept, Kept, TRACK],
        has: |way| way.clip.tracks.iter().any(is_weight),
        shows: |_, written| written.tracks.iter().any(is_weight),
    },
    Feature {
        name: "node of a blend shape",
        fates: [Kept, Kept, Dropped("seanim/shape-node-dropped"), Elsewhere],
        has: |way| way.clip.tracks.iter().any(|track| is_weight(track) && has_node(track)),
        shows: |_, written| written.tracks.iter().any(|track| is_weight(track) && has_node(track)),
    },
    Feature {
        name: "track without a node",
        fates: [Kept, NULL, NULL, NULL],
        has: |way| {
            let frames = way.to == Format::Seanim;
            way.tracks().any(|track| !(has_node(track) || frames && is_weight(track)))
        },
        shows: |_, written| written.tracks.iter().any(|track| !has_node(track)),
    },
    Feature {
        name: "track without a property",
        fates: [Kept, NULL, Elsewhere, Elsewhere],
        has: |way| way.tracks().any(|track| track.target().property == Property::Custom(None)),
        shows: |_, written| {
            written.tracks.iter().any(|track| track.target().property == Property::Custom(None))
        },
    },
    Feature {
        name: "matrices",
        fates: [TRACK, Kept, Elsewhere, Elsewhere],
        has: |way| way.clip.tracks.iter().any(|track| track.data().kind().is_matrix()),
        shows: |_, written| written.tracks.iter().any(|track| track.data().kind().is_matrix()),
    },
    Feature {
        name: "values at an interval that are no numbers",
        fates: [TRACK, Kept, Kept, Kept],
        has: |way| way.tracks().any(|track| is_uniform(track) && has_odd_values(track)),
        shows: |_, written| written.tracks.iter().any(has_odd_values),
    },
    Feature {
        name: "values of keys that are no numbers",
        fates: [Dropped("convert/value-not-finite"), Kept, Kept, Kept],
        has: |way| way.tracks().any(|track| !is_uniform(track) && has_odd_values(track)),
        shows: |_, written| written.tracks.iter().any(has_odd_values),
    },
    Feature {
        name: "interval that is no number",
        fates: [
            Becomes { what: "0", code: "convert/value-not-finite" },
            Kept,
            Elsewhere,
            Elsewhere,
        ],
        has: |way| way.tracks().any(has_odd_interval),
        shows: |_, written| written.tracks.iter().any(has_odd_interval),
    },
    Feature {
        name: "curves and steps of positions, rotations, scales and weights",
        fates: [Kept, Kept, BAKED, Kept],
        has: |way| way.tracks().any(|track| is_transform(track) && is_curved(track, way.to)),
        shows: |way, written| {
            written.tracks.iter().any(|track| is_transform(track) && is_curved(track, way.to))
        },
    },
    Feature {
        name: "tangents of 0 that no key uses",
        fates: [UNUSED, Kept, UNUSED, UNUSED],
        has: |way| way.tracks().any(|track| unused_tangents(track) == Some(false)),
        shows: |_, written| {
            written.tracks.iter().any(|track| unused_tangents(track) == Some(false))
        },
    },
    Feature {
        name: "tangents that no key uses",
        fates: [Kept, Kept, UNUSED, UNUSED],
        has: |way| way.tracks().any(|track| unused_tangents(track) == Some(true)),
        shows: |_, written| written.tracks.iter().any(|track| unused_tangents(track) == Some(true)),
    },
    Feature {
        name: "handles",
        fates: [POINTS, POINTS, BAKED, Kept],
        has: |way| {
            let whole = |track: &&Track| track.target().component.is_none() && !is_euler(track);
            way.tracks().filter(whole).any(has_handles)
        },
        shows: |_, written| written.tracks.iter().any(has_handles),
    },
    Feature {
        name: "Euler angles",
        fates: [QUATERNIONS, QUATERNIONS, QUATERNIONS, Kept],
        has: |way| way.tracks().any(|track| is_euler(track) && !track.data().is_empty()),
        shows: |_, written| written.tracks.iter().any(is_euler),
    },
    Feature {
        name: "tracks of single components",
        fates: [JOINED, JOINED, JOINED, Kept],
        has: |way| way.tracks().any(|track| track.target().component.is_some()),
        shows: |_, written| written.tracks.iter().any(|track| track.target().component.is_some()),
    },
    Feature {
        name: "quaternions",
        fates: [
            Kept,
            Kept,
            Kept,
            Becomes { what: "Euler angles", code: "x4-ani/rotation-as-euler" },
        ],
        has: |way| way.tracks().any(|track| track.target().property == Property::Rotation),
        shows: |_, written| {
            written.tracks.iter().any(|track| track.target().property == Property::Rotation)
        },
    },
    Feature {
        name: "f64 values that f32 does not hold",
        fates: [Kept, Kept, Kept, Becomes { what: "f32", code: "convert/values-narrowed" }],
        has: |way| way.tracks().any(is_wide),
        shows: |_, written| written.tracks.iter().any(is_wide),
    },
    Feature {
        name: "keys before 0",
        fates: [CUT, CUT, CUT, Kept],
        has: |way| way.tracks().flat_map(times).any(|time| time < 0.0),
        shows: |_, written| written.tracks.iter().flat_map(times).any(|time| time < 0.0),
    },
    Feature {
        name: "second track of one property of a node",
        fates: [Kept, Kept, Kept, Dropped("x4-ani/second-track-dropped")],
        has: |way| seconds(way.tracks()) > 0,
        shows: |_, written| seconds(written.tracks.iter()) > 0,
    },
    Feature {
        name: "track without keys beside others of its node",
        fates: [Kept, Kept, Kept, Dropped("x4-ani/empty-track-dropped")],
        has: |way| way.tracks().any(|track| is_idle(track, way)),
        shows: |way, written| {
            let empty =
                |tracks: Vec<&Track>| tracks.iter().filter(|track| track.data().is_empty()).count();
            empty(written.tracks.iter().collect()) >= empty(way.tracks().collect())
        },
    },
];

/// Returns when the last key or marker comes that has a place in the target.
fn last_key(way: &Way<'_>) -> f64 {
    let keys = way.tracks().filter_map(|track| track.data().end());
    keys.chain(way.clip.markers.iter().map(|marker| marker.time)).fold(0.0, f64::max)
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
    let wanted = |track: &&Track| match way.to {
        Format::Animj | Format::Animx => way.to.holds(track) && !drops_whole(track, way.to),
        Format::Seanim | Format::X4Ani => !way.to.holds(track),
    };
    let all = clip.tracks.iter().filter(custom);
    (all.clone().filter(wanted).count(), all.count())
}

/// Says whether a track goes for the sake of its values.
fn drops_whole(track: &Track, to: Format) -> bool {
    to == Format::Animj && is_uniform(track) && has_odd_values(track)
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

/// Says whether a value is NaN or infinite, or a tangent where a key uses tangents.
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

/// Says whether tangents that no key uses are anything but 0; `None` without such.
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

/// Says whether a track has segments that are not straight, and no other reason to be baked.
fn is_curved(track: &Track, to: Format) -> bool {
    let data = track.data();
    let other = is_euler(track) || track.target().component.is_some() || has_handles(track);
    let angles = to == Format::X4Ani && track.target().property == Property::Rotation;
    let straight = |key| data.interpolation(key) == Interpolation::Linear;
    !other && !angles && !(0..data.len().saturating_sub(1)).all(straight)
}

/// Says whether a track keeps its keys where frames are written.
fn is_lines(track: &Track) -> bool {
    let whole = track.target().component.is_none() && !is_euler(track) && !has_handles(track);
    whole && !is_curved(track, Format::Seanim)
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

/// Says whether a track without keys leaves nothing in a record of X4.
fn is_idle(track: &Track, way: &Way<'_>) -> bool {
    let target = track.target();
    let others = way.tracks().filter(|other| other.target().node == target.node).count() > 1;
    track.data().is_empty() && (others || target.property != Property::Translation)
}
