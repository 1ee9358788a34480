//! Compares documents bit for bit, and describes the first difference.

use inbetween_core::{Animation, Document, Handle, Identical, Shape, Tangents, Track};

/// Returns the first difference between two documents, or `None` if they are the same.
///
/// Values are compared by their bits, so NaN equals the same NaN. Times and other numbers of a clip
/// are compared as numbers: 0.0 equals -0.0, and NaN equals NaN.
pub fn difference(a: &Document, b: &Document) -> Option<String> {
    let clips = differ("clips", &a.clips.len(), &b.clips.len());
    let skeleton = || differ("skeleton", &a.skeleton, &b.skeleton);
    clips.or_else(skeleton).or_else(|| {
        a.clips.iter().zip(&b.clips).enumerate().find_map(|(index, (a, b))| {
            clip_difference(a, b).map(|text| format!("clips[{index}]: {text}"))
        })
    })
}

fn differ<T: PartialEq + std::fmt::Debug>(what: &str, a: &T, b: &T) -> Option<String> {
    (a != b).then(|| format!("{what}: {a:?} became {b:?}"))
}

fn differ_number(what: &str, a: Option<f64>, b: Option<f64>) -> Option<String> {
    let same = a == b || a.is_some_and(f64::is_nan) && b.is_some_and(f64::is_nan);
    (!same).then(|| format!("{what}: {a:?} became {b:?}"))
}

fn clip_difference(a: &Animation, b: &Animation) -> Option<String> {
    differ("name", &a.name, &b.name)
        .or_else(|| differ_number("duration", a.duration, b.duration))
        .or_else(|| differ_number("frame rate", a.frame_rate, b.frame_rate))
        .or_else(|| differ("looping", &a.looping, &b.looping))
        .or_else(|| differ("blend", &a.blend, &b.blend))
        .or_else(|| differ("blend overrides", &a.blend_overrides, &b.blend_overrides))
        .or_else(|| differ("markers", &a.markers, &b.markers))
        .or_else(|| differ("number of tracks", &a.tracks.len(), &b.tracks.len()))
        .or_else(|| {
            a.tracks.iter().zip(&b.tracks).enumerate().find_map(|(index, (a, b))| {
                track_difference(a, b).map(|text| format!("tracks[{index}]: {text}"))
            })
        })
}

fn track_difference(a: &Track, b: &Track) -> Option<String> {
    let (left, right) = (a.data(), b.data());
    differ("target", a.target(), b.target())
        .or_else(|| differ("kind", &left.kind(), &right.kind()))
        .or_else(|| differ("number of keys", &left.len(), &right.len()))
        .or_else(|| shape_difference(left.shape(), right.shape()))
        .or_else(|| {
            (0..left.len()).find_map(|key| {
                differ(&format!("value of key {key}"), &left.value(key), &right.value(key))
            })
        })
}

fn shape_difference(a: &Shape, b: &Shape) -> Option<String> {
    match (a, b) {
        (Shape::Uniform { interval: a }, Shape::Uniform { interval: b }) => {
            differ_number("interval", Some(*a), Some(*b))
        }
        (Shape::Stepped { times: a }, Shape::Stepped { times: b }) => differ("times", a, b),
        (
            Shape::Curve { times: a, interpolation: how_a, tangents: tangents_a },
            Shape::Curve { times: b, interpolation: how_b, tangents: tangents_b },
        ) => differ("times", a, b)
            .or_else(|| {
                (0..a.len()).find_map(|key| {
                    differ("interpolation", &how_a.get(key), &how_b.get(key))
                        .map(|text| format!("key {key}: {text}"))
                })
            })
            .or_else(|| tangent_difference(tangents_a.as_deref(), tangents_b.as_deref())),
        _ => Some(format!("shape: {} became {}", a.name(), b.name())),
    }
}

fn tangent_difference(a: Option<&Tangents>, b: Option<&Tangents>) -> Option<String> {
    let same = match (a, b) {
        (
            Some(Tangents::Handles { left: left_a, right: right_a }),
            Some(Tangents::Handles { left: left_b, right: right_b }),
        ) => same_handles(left_a, left_b) && same_handles(right_a, right_b),
        _ => a == b,
    };
    (!same).then(|| format!("tangents: {a:?} became {b:?}"))
}

fn same_handles(a: &[Handle], b: &[Handle]) -> bool {
    let numbers = |handle: &Handle| [handle.time, handle.value];
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| numbers(a).identical(&numbers(b)))
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Property, Target, TrackData};

    use super::*;

    fn document(value: f32) -> Document {
        let data = TrackData::uniform(f64::NAN, vec![0.0, value]);
        let track = Track::new(Target::new("a", Property::Custom(None)), data).unwrap();
        let clip = Animation::new(vec![track]).with_frame_rate(f64::NAN);
        Document::single(clip)
    }

    #[test]
    fn nan_equals_nan() {
        assert_eq!(difference(&document(f32::NAN), &document(f32::NAN)), None);
    }

    #[test]
    fn names_the_key_whose_bits_differ() {
        let text = difference(&document(0.0), &document(-0.0)).unwrap();
        assert!(text.starts_with("clips[0]: tracks[0]: value of key 1: "), "{text}");
    }
}
