//! The crate `gltf`, which Bevy uses, reads the same values from our files as we do.

#![expect(clippy::panic, reason = "a test may end where it fails")]

use gltf::animation::util::ReadOutputs;
use inbetween_core::{Animation, Format, Limits, Property, Value};
use inbetween_gltf::{Container, Gltf};
use inbetween_testing::{CaseKind, cases};

/// The values of a key as plain numbers.
fn numbers(value: &Value) -> Vec<f32> {
    match value {
        Value::Float(number) => vec![*number],
        Value::Float3(vector) => vector.to_vec(),
        Value::FloatQ(rotation) => rotation.to_array().to_vec(),
        other => panic!("no sampler holds {other:?}"),
    }
}

/// The components of each value of an output.
fn outputs(outputs: ReadOutputs<'_>) -> Vec<Vec<f32>> {
    match outputs {
        ReadOutputs::Translations(values) => values.map(|value| value.to_vec()).collect(),
        ReadOutputs::Scales(values) => values.map(|value| value.to_vec()).collect(),
        ReadOutputs::Rotations(values) => values.into_f32().map(|value| value.to_vec()).collect(),
        ReadOutputs::MorphTargetWeights(values) => {
            values.into_f32().map(|value| vec![value]).collect()
        }
    }
}

#[test]
fn a_second_reader_finds_the_same_keys() {
    // The other reader gets the buffer of a binary file.
    let (format, limits) = (Gltf::default().with_container(Container::Glb), Limits::default());
    let mut compared = 0;
    for case in cases::of("gltf").into_iter().filter(|case| case.kind == CaseKind::Ok) {
        let document = format.read(&case.bytes, &limits).unwrap().value;
        let Ok(written) = format.write(document, &limits) else { continue };
        let own = format.read(&written.value, &limits).unwrap().value;
        let other = match gltf::Gltf::from_slice(&written.value) {
            Ok(other) => other,
            Err(error) => {
                // What is wrong with a model stays so.
                let before = gltf::Gltf::from_slice(&case.bytes);
                assert!(before.is_err(), "{}: {error}", case.name);
                continue;
            }
        };
        let blob = other.blob.as_deref().unwrap_or_default();
        // Tracks of other properties are not channels.
        let channels = |clip: &Animation| {
            let tracks = clip.tracks.iter();
            let tracks =
                tracks.filter(|track| !matches!(track.target().property, Property::Custom(_)));
            tracks.cloned().collect::<Vec<_>>()
        };
        let clips = own.clips.iter().filter(|clip| !channels(clip).is_empty());
        for (clip, animation) in clips.zip(other.animations()) {
            assert_eq!(clip.name.as_deref(), animation.name(), "{}", case.name);
            let mut tracks = channels(clip).into_iter();
            for channel in animation.channels() {
                let reader = channel.reader(|_| Some(blob));
                let times: Vec<f32> = reader.read_inputs().unwrap().collect();
                let values = outputs(reader.read_outputs().unwrap());
                let spline = channel.sampler().interpolation()
                    == gltf::animation::Interpolation::CubicSpline;
                let sides = if spline { 3 } else { 1 };
                let own: Vec<_> = match channel.target().property() {
                    gltf::animation::Property::MorphTargetWeights => {
                        let weights = values.len() / times.len() / sides;
                        tracks.by_ref().take(weights).collect()
                    }
                    _ => tracks.by_ref().take(1).collect(),
                };
                for (place, track) in own.iter().enumerate() {
                    let node = channel.target().node();
                    assert_eq!(track.target().node.as_deref(), node.name(), "{}", case.name);
                    assert_eq!(
                        matches!(track.target().property, Property::Weight(_)),
                        channel.target().property()
                            == gltf::animation::Property::MorphTargetWeights
                    );
                    for (key, time) in times.iter().enumerate() {
                        let row = (key * sides + usize::from(spline)) * own.len() + place;
                        assert_eq!(track.data().time(key), Some(f64::from(*time)));
                        let value = numbers(&track.data().value(key).unwrap());
                        assert_eq!(value, values[row], "{} key {key}", case.name);
                        compared += 1;
                    }
                }
            }
            assert_eq!(tracks.len(), 0, "{}", case.name);
        }
    }
    assert!(compared > 50, "{compared} keys");
}

#[test]
fn the_comparison_finds_a_changed_key() {
    let bytes = cases::of("gltf").swap_remove(0).bytes;
    let read = gltf::Gltf::from_slice(&bytes).unwrap();
    let blob = read.blob.clone().unwrap();
    let channel = read.animations().next().unwrap().channels().next().unwrap();
    let first = |blob: &[u8]| {
        outputs(channel.reader(|_| Some(blob)).read_outputs().unwrap()).swap_remove(0)
    };
    let mut changed = blob.clone();
    changed[8 + 4] ^= 1;
    assert_ne!(first(&blob), first(&changed));
}
