//! Values that users reported as wrong: small documents, converted to every format.

#![cfg(feature = "formats")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a panic is how a wrong value shows"
)]

use inbetween::core::num::f32_from_f64;
use inbetween::core::stores::Head;
use inbetween::core::{Axis, Channel, ChannelTracks, Rules, Tangents, resonite};
use inbetween::edit::{Settings, TimeRange, trim};
use inbetween::{
    Animation, Bone, Document, Finding, Interpolation, Interpolations, Property, Quat, Registry,
    Skeleton, Target, Track, TrackData, Value,
};
use inbetween_testing::meaning::conversion;

/// What a format made of a document: the first clip that is read back, and what was reported.
struct Converted {
    id: &'static str,
    clip: Animation,
    findings: Vec<Finding>,
}

impl Converted {
    fn codes(&self) -> Vec<&'static str> {
        self.findings.iter().map(|finding| finding.code.id()).collect()
    }

    /// Returns the largest stated error.
    fn stated(&self) -> f64 {
        let errors = self.findings.iter().filter_map(|finding| finding.error);
        errors.map(|error| error.value).fold(0.0, f64::max)
    }

    /// Returns the measured difference of the only track from the only one of the source.
    fn difference(&self, source: &Animation) -> f64 {
        let [before, after] = [source, &self.clip].map(|clip| {
            let tracks: Vec<&Track> = clip.tracks.iter().collect();
            let property = &tracks[0].target().property;
            let tracks = ChannelTracks::of(&tracks, [0.0; 3]);
            Channel { property, tracks, rules: clip.rules }
        });
        before.difference(&after).unwrap().value
    }
}

/// Converts a document to every format.
fn everywhere(document: &Document) -> Vec<Converted> {
    let registry = Registry::with_builtin();
    let convert = |format: &dyn inbetween::Format| {
        let written = format.write(document.clone(), registry.limits()).unwrap();
        let read = format.read(&written.value, registry.limits()).unwrap();
        let clip = read.value.clips.into_iter().next().unwrap();
        Converted { id: format.info().id, clip, findings: written.findings }
    };
    let formats = registry.formats();
    formats.filter(|format| !format.info().stores.has(Head::Hierarchy)).map(convert).collect()
}

fn clip(tracks: Vec<Track>, rules: Rules) -> Animation {
    Animation::new(tracks).with_name("walk").with_rules(rules)
}

fn track(property: Property, data: TrackData) -> Track {
    Track::new(Target::new("hips", property), data).unwrap()
}

fn shared(each: Interpolation) -> Interpolations {
    Interpolations::Shared(each)
}

/// Returns the quaternion that turns about x.
fn about_x(angle: f64) -> Quat<f32> {
    Quat::from_array(Quat::from_axis_angle([1.0, 0.0, 0.0], angle).to_array().map(f32_from_f64))
}

#[test]
fn steep_curves_of_rotations_state_the_error_that_they_have() {
    for slope in [2.0_f32, 14.0, 30.0] {
        let side = |sign: f32| vec![Quat::from_array([0.0, 0.0, sign * slope, 0.0]); 2];
        let tangents = Tangents::Values { left: side(-1.0).into(), right: side(1.0).into() };
        let values = vec![about_x(0.0), about_x(1.0)];
        let curve = shared(Interpolation::Hermite);
        let data = TrackData::curve(vec![0.0, 1.0], values, curve, Some(tangents)).unwrap();
        let source = clip(vec![track(Property::Rotation, data)], inbetween::gltf::RULES);
        for result in everywhere(&Document::single(source.clone())) {
            let (found, stated) = (result.difference(&source), result.stated());
            assert!(stated.is_finite() && found <= stated.max(1e-6), "{}: {found}", result.id);
            assert!(stated < 0.2 || result.clip.frame_rate.is_some(), "{}: {stated}", result.id);
        }
    }
}

#[test]
fn rotations_of_unequal_lengths_play_on_or_are_a_named_loss() {
    let half = Quat::from_array(about_x(1.5).to_array().map(|part| part / 2.0));
    let values = vec![about_x(0.0), half];
    for rules in [inbetween::gltf::RULES, resonite::RULES, inbetween::seanim::RULES] {
        let linear = shared(Interpolation::Linear);
        let data = TrackData::curve(vec![0.0, 1.0], values.clone(), linear, None).unwrap();
        let source = clip(vec![track(Property::Rotation, data)], rules);
        for result in everywhere(&Document::single(source.clone())) {
            let is_named = result.codes().contains(&"convert/uneven-rotations-normalized");
            let found = result.difference(&source);
            assert_eq!(is_named, found > 1e-3, "{rules:?} to {}: {found}", result.id);
            assert!(found <= result.stated().max(1e-3), "{rules:?} to {}", result.id);
            assert!(result.clip.tracks[0].data().len() <= 8, "{}", result.id);
        }
    }
}

/// A clip that moves one axis of the position and of the scale.
fn one_axis(skeleton: Option<Skeleton>) -> Document {
    let number = |property, axis, values: [f32; 2]| {
        let linear = shared(Interpolation::Linear);
        let data = TrackData::curve(vec![0.0, 1.0], values.to_vec(), linear, None).unwrap();
        Track::new(Target::new("hips", property).with_component(axis), data).unwrap()
    };
    let tracks = vec![
        number(Property::Translation, Axis::X, [0.0, 1.0]),
        number(Property::Scale, Axis::Y, [2.0, 3.0]),
    ];
    let mut clip = clip(tracks, inbetween::cast::RULES);
    clip.frame_rate = Some(30.0);
    let mut document = Document::single(clip);
    document.skeleton = skeleton;
    document
}

/// Returns what a property shows: whole vectors, or the components that have tracks.
fn shown(clip: &Animation, property: &Property, time: f64) -> Vec<f64> {
    let tracks = clip.tracks.iter().filter(|track| track.target().property == *property);
    let values = tracks.filter_map(|track| clip.rules.sample(track.data(), time));
    let numbers = values.flat_map(|value| match value {
        Value::Float(number) => vec![f64::from(number)],
        Value::Double(number) => vec![number],
        Value::Float3(numbers) => numbers.map(f64::from).to_vec(),
        Value::Double3(numbers) => numbers.to_vec(),
        other => panic!("{other:?}"),
    });
    numbers.collect()
}

#[test]
fn an_axis_without_keys_keeps_the_rest_pose() {
    let bone = Bone {
        node: "hips".into(),
        translation: Some([5.0, 90.0, -1.0]),
        scale: Some([2.0, 1.0, 2.0]),
        ..Bone::default()
    };
    for result in everywhere(&one_axis(Some(Skeleton::new(vec![bone]).unwrap()))) {
        let (position, scale) = match result.id {
            // Stores single axes.
            "cast" => (vec![0.5], vec![2.5]),
            _ => (vec![0.5, 90.0, -1.0], vec![2.0, 2.5, 2.0]),
        };
        assert_eq!(shown(&result.clip, &Property::Translation, 0.5), position, "{}", result.id);
        assert_eq!(shown(&result.clip, &Property::Scale, 0.5), scale, "{}", result.id);
        assert!(!result.codes().contains(&"convert/axes-missing"), "{}", result.id);
    }
}

#[test]
fn an_axis_without_keys_and_rest_pose_is_a_named_loss() {
    for result in everywhere(&one_axis(None)) {
        // Cast stores single axes, and X4 has a rest pose of its own.
        let named = !matches!(result.id, "cast" | "x4-ani");
        let missing = result.findings.iter().filter(|it| it.code.id() == "convert/axes-missing");
        let missing: Vec<&str> = missing.map(|finding| &*finding.message).collect();
        let expected = ["y and z became 0", "x and z became 1"];
        assert_eq!(missing, if named { &expected[..] } else { &[] }, "{}", result.id);
    }
}

#[test]
fn two_keys_on_one_frame_leave_the_later_one() {
    let times = vec![0.0, 0.1, 0.105, 0.5];
    let values = vec![[0.0_f32; 3], [1.0; 3], [5.0; 3], [0.0; 3]];
    let data = TrackData::curve(times, values, shared(Interpolation::Linear), None).unwrap();
    let mut source = clip(vec![track(Property::Translation, data)], inbetween::gltf::RULES);
    source.frame_rate = Some(30.0);
    for result in everywhere(&Document::single(source.clone())) {
        let keys = result.clip.tracks[0].data();
        let times: Vec<f64> = keys.times().collect();
        let frames = matches!(result.id, "cast" | "seanim");
        assert_eq!(result.codes().contains(&"convert/keys-merged"), frames, "{}", result.id);
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{}: {times:?}", result.id);
        if frames {
            assert_eq!(shown(&result.clip, &Property::Translation, 0.1), vec![5.0; 3]);
            assert!(result.stated() >= 4.0, "{}: {}", result.id, result.stated());
        }
    }
}

#[test]
fn a_step_to_another_value_costs_frames_one_key() {
    let times = vec![0.0, 1.0, 2.0];
    let values = vec![[0.0_f32; 3], [1.0; 3], [1.0; 3]];
    let data = TrackData::curve(times, values, shared(Interpolation::Hold), None).unwrap();
    let mut source = clip(vec![track(Property::Translation, data)], inbetween::gltf::RULES);
    source.frame_rate = Some(30.0);
    for result in everywhere(&Document::single(source)) {
        let frames = matches!(result.id, "cast" | "seanim");
        let keys = result.clip.tracks[0].data().len();
        assert!(keys <= 4, "{}: {keys} keys", result.id);
        if frames {
            assert_eq!(shown(&result.clip, &Property::Translation, 29.0 / 30.0), vec![0.0; 3]);
            assert_eq!(shown(&result.clip, &Property::Translation, 1.0), vec![1.0; 3]);
        }
    }
}

/// A curve of rotations whose middle is 180 degrees from its ends, and one of numbers.
fn curves() -> [Track; 2] {
    let bezier = || shared(Interpolation::Bezier);
    let turn = [about_x(0.0), about_x(2.0)];
    let points = vec![Quat::from_array([2.0_f32, 0.0, 0.0, -0.5]); 2];
    let tangents = Tangents::Values { left: points.clone().into(), right: points.into() };
    let turn = TrackData::curve(vec![0.0, 1.0], turn.to_vec(), bezier(), Some(tangents));
    let points = vec![[4.0_f32, -3.0, 8.0]; 2];
    let tangents = Tangents::Values { left: points.clone().into(), right: points.into() };
    let ends = vec![[0.0_f32; 3], [1.0; 3]];
    let moves = TrackData::curve(vec![0.0, 1.0], ends, bezier(), Some(tangents));
    [track(Property::Rotation, turn.unwrap()), track(Property::Translation, moves.unwrap())]
}

#[test]
fn a_cut_curve_begins_where_it_was_cut() {
    let source = clip(curves().to_vec(), resonite::RULES);
    for at in [0.125, 0.25, 0.5, 0.875] {
        let range = TimeRange::new(Some(at), None).unwrap();
        let cut = trim(Document::single(source.clone()), range, &Settings::default()).unwrap();
        let cut = &cut.value.clips[0];
        for (before, after) in source.tracks.iter().zip(&cut.tracks) {
            let wanted = source.rules.sample(before.data(), at).unwrap();
            let found = cut.rules.sample(after.data(), 0.0).unwrap();
            match (wanted, found) {
                (Value::FloatQ(wanted), Value::FloatQ(found)) => {
                    assert!(wanted.angle_to(found) < 1e-6, "{at}: {wanted:?} became {found:?}");
                }
                (wanted, found) => {
                    let close = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-5;
                    let numbers = |value| match value {
                        Value::Float3(numbers) => numbers.map(f64::from),
                        other => panic!("{other:?}"),
                    };
                    let pair = [numbers(wanted), numbers(found)];
                    assert!(pair[0].iter().zip(&pair[1]).all(close), "{at}: {pair:?}");
                }
            }
        }
    }
}

#[test]
fn stated_errors_cover_the_rounding_of_times() {
    // A frame of 30 per second as f32; y leaves its key by 60,000 units per second.
    let key = 1.025_504_6;
    let axes = [
        (vec![0.0, 1.033_333_3], vec![0.0_f32, 1.0]),
        (vec![0.0, key, 1.033_333_3], vec![0.0, 454.387_2, -12.0]),
        (vec![0.0, 0.700_000_1, 1.033_333_3], vec![0.0, 3.0, 0.0]),
    ];
    let component = |(axis, (times, values)): (Axis, (Vec<f64>, Vec<f32>))| {
        let data = TrackData::curve(times, values, shared(Interpolation::Linear), None).unwrap();
        Track::new(Target::new("hips", Property::Translation).with_component(axis), data).unwrap()
    };
    let tracks: Vec<Track> = Axis::ALL.into_iter().zip(axes).map(component).collect();
    let registry = Registry::with_builtin();
    for rules in [inbetween::x4_ani::RULES, inbetween::cast::RULES] {
        let source = clip(tracks.clone(), rules);
        for format in registry.formats() {
            conversion(format, &source, registry.limits()).unwrap();
        }
    }
}

#[test]
fn x4_shows_the_first_of_two_keys_at_the_first_time() {
    let times = vec![0.0, 0.0, 1.0];
    let values = vec![[0.0_f32; 3], [5.0; 3], [6.0; 3]];
    let data = TrackData::curve(times, values, shared(Interpolation::Linear), None).unwrap();
    let at = |rules: Rules, time| match rules.sample(&data, time) {
        Some(Value::Float3([x, ..])) => x,
        other => panic!("{other:?}"),
    };
    let x4 = inbetween::x4_ani::RULES;
    assert_eq!([-1.0, 0.0, 0.5, 2.0].map(|time| at(x4, time)), [0.0, 0.0, 5.5, 6.0]);
    assert_eq!([-1.0, 0.0, 0.5, 2.0].map(|time| at(Rules::LINEAR, time)), [0.0, 5.0, 5.5, 6.0]);
    let source = clip(vec![track(Property::Translation, data.clone())], x4);
    for result in everywhere(&Document::single(source)) {
        let shows = shown(&result.clip, &Property::Translation, 0.0);
        match result.id {
            "x4-ani" => assert_eq!(shows, vec![0.0; 3]),
            // At most one key a frame, and none before the first: the last one stays.
            _ => assert_eq!(shows, vec![5.0; 3], "{}", result.id),
        }
        assert_eq!(shown(&result.clip, &Property::Translation, 0.5), vec![5.5; 3]);
    }
}
