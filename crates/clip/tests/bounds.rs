//! A built clip plays its animation within the bounds, at every time.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test may end where it fails"
)]

use inbetween_clip::{Bounds, BuildError, Built, Pose, build};
use inbetween_core::num::f32_from_f64;
use inbetween_core::{
    Animation, Clock, FirstTime, Interpolation, Interpolations, Outcome, Property, Quat, Rules,
    Tangents, Target, Track, TrackData, Value, element_error, rows,
};
use inbetween_testing::domain;
use inbetween_testing::hard::{self, Suits};
use inbetween_testing::properties;
use proptest::prelude::*;
use proptest::sample::select;

/// The tracks of one property of one node: a whole one, or up to one per axis.
struct Source {
    animation: Animation,
    target: Target,
}

/// Returns the tracks of each property and node as an animation of their own.
fn sources(animation: &Animation) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for track in &animation.tracks {
        let component = track.target().component;
        let target = Target { component: None, ..track.target().clone() };
        let open = sources.iter_mut().find(|source| {
            let mut taken = source.animation.tracks.iter().map(|known| known.target().component);
            source.target == target && taken.all(|known| known.is_some() && known != component)
        });
        if let Some(source) = open.filter(|_| component.is_some()) {
            source.animation.tracks.push(track.clone());
        } else {
            let animation = animation.head().with_tracks(vec![track.clone()]);
            sources.push(Source { animation, target });
        }
    }
    sources
}

impl Source {
    /// Returns what the engine of the animation shows, as a quaternion for rotations.
    fn at(&self, time: f64) -> Vec<f64> {
        let time = self.animation.clip_time(time);
        // A clip shows the last of several keys at the first time.
        let rules = self.animation.rules.with_first_time(FirstTime::LastKey);
        let rules = rules.of(&self.target.property);
        let mut shown = vec![self.target.property.component_at_rest(); 3];
        for track in &self.animation.tracks {
            let value = rules.sample(track.data(), time).unwrap();
            let mut row = Vec::new();
            rows::read(&value, &mut row);
            match track.target().component {
                Some(axis) => shown[axis.index()] = row[0],
                None => shown = row,
            }
        }
        match &self.target.property {
            Property::RotationEuler(order) => {
                order.quaternion([shown[0], shown[1], shown[2]]).to_array().to_vec()
            }
            _ => shown,
        }
    }

    /// Returns times at keys, beside them by one time of the clock, within segments, and outside.
    fn times(&self) -> Vec<f64> {
        let mut keys: Vec<f64> = Vec::new();
        for data in self.animation.tracks.iter().map(Track::data) {
            keys.extend((0..data.len()).filter_map(|key| data.time(key)));
        }
        keys.sort_by(f64::total_cmp);
        let near = keys.iter().flat_map(|&key| [self.step(key, false), key, self.step(key, true)]);
        let within = keys.windows(2).flat_map(|pair| {
            [0.003, 0.2, 0.5, 0.77, 0.999].map(|part| pair[0] + (pair[1] - pair[0]) * part)
        });
        near.chain(within).chain([-1.0, 0.0, 3.3, 100.0]).collect()
    }

    fn step(&self, time: f64, up: bool) -> f64 {
        match (self.animation.rules.clock, up) {
            (Clock::F32, true) => f64::from(f32_from_f64(time).next_up()),
            (Clock::F32, false) => f64::from(f32_from_f64(time).next_down()),
            (Clock::F64, true) => time.next_up(),
            (Clock::F64, false) => time.next_down(),
        }
    }

    /// Returns how far a shown value is from the source. At a jump either side is right.
    fn error(&self, time: f64, played: &[f64]) -> f64 {
        let sides = [time, self.step(time, false), self.step(time, true)];
        sides
            .map(|time| difference(&self.at(time), played))
            .into_iter()
            .fold(f64::INFINITY, f64::min)
    }

    fn is_rotation(&self) -> bool {
        matches!(self.target.property, Property::Rotation | Property::RotationEuler(_))
    }

    /// Returns what playing the largest number in `f32` may change.
    fn rounding(&self) -> f64 {
        self.largest() * 16.0 / 16_777_216.0
    }

    fn largest(&self) -> f64 {
        let mut largest = 0.0_f64;
        for data in self.animation.tracks.iter().map(Track::data) {
            let sides = match data.tangents() {
                Some(Tangents::Values { left, right }) => vec![left, right],
                Some(Tangents::Handles { left, right }) => {
                    let handles = left.iter().chain(right);
                    largest = handles.map(|it| it.value.abs()).fold(largest, f64::max);
                    Vec::new()
                }
                _ => Vec::new(),
            };
            for values in sides.into_iter().chain([data.values()]) {
                let numbers = (0..values.len()).filter_map(|key| rows::numbers(values, key));
                largest = numbers.flatten().map(f64::abs).fold(largest, f64::max);
            }
        }
        largest
    }

    fn has_curved_rotations(&self) -> bool {
        let curved = |data: &TrackData| {
            (0..data.len()).any(|key| data.interpolation(key) == Interpolation::Bezier)
                && data.kind().is_quaternion()
        };
        self.animation.tracks.iter().map(Track::data).any(curved)
    }

    fn played(&self, built: &Built, time: f64) -> Vec<f64> {
        let mut context = built.clip.context();
        if built.clip.curve_len() > 0 {
            let mut curves = vec![f32::NAN; built.clip.curve_len()];
            built.clip.sample_curves(time, &mut context, &mut curves);
            return curves.into_iter().map(f64::from).collect();
        }
        let mut pose = Pose::new(1);
        built.clip.sample(time, &mut context, &mut pose);
        match &self.target.property {
            Property::Translation => pose.translations()[0].map(f64::from).to_vec(),
            Property::Scale => pose.scales()[0].map(f64::from).to_vec(),
            _ => pose.rotations()[0].map(f64::from).to_vec(),
        }
    }
}

fn difference(one: &[f64], other: &[f64]) -> f64 {
    if let (&[x, y, z, w], &[a, b, c, d]) = (one, other) {
        return element_error(Quat { x, y, z, w }, Quat { x: a, y: b, z: c, w: d });
    }
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Checks the law for each property; returns how many were compared.
fn check(animation: &Animation, bounds: &Bounds) -> usize {
    let mut compared = 0;
    for source in sources(animation) {
        let Outcome { value: built, findings } = match build(&source.animation, bounds) {
            // A Bezier curve between opposite quaternions passes through one without direction.
            Err(BuildError::Bound { .. }) if source.has_curved_rotations() => continue,
            // Beyond the domain of animations, no key is near enough to the next one.
            Err(BuildError::Bound { .. }) if !domain::holds(&source.animation) => continue,
            // Playing numbers of this size in `f32` rounds by more than the bound.
            Err(BuildError::Bound { bound, .. }) if source.rounding() > bound => continue,
            // Angles of ten turns and more between two keys need more keys than a bake creates.
            Err(BuildError::Bound { .. }) if source.is_rotation() && source.largest() > 64.0 => {
                continue;
            }
            built => built.unwrap(),
        };
        let Some(report) = built.report.tracks.first() else {
            let named = findings.iter().any(|finding| {
                matches!(
                    finding.code.id(),
                    "convert/track-dropped" | "clip/not-finite" | "convert/empty-tracks-dropped"
                )
            });
            assert!(named, "{:?} is dropped silently", source.target);
            continue;
        };
        // An axis with a number that is not finite is missing: the others play without it.
        if findings.iter().any(|finding| finding.code.id() == "clip/not-finite") {
            continue;
        }
        let requested = if source.is_rotation() { bounds.rotation } else { bounds.translation };
        assert_eq!(report.bound, requested);
        assert!(report.error <= report.bound, "{report:?}");
        for time in source.times() {
            let off = source.error(time, &source.played(&built, time));
            assert!(
                off <= report.error,
                "{:?} at {time}: off by {off}, {report:?}, {:?}",
                source.target,
                source.animation
            );
        }
        compared += 1;
    }
    compared
}

fn bounds() -> impl Strategy<Value = Bounds> {
    let of = |bound: f64| {
        let bounds = Bounds::default().with_translation(bound).with_scale(bound);
        bounds.with_curve(bound).with_rotation(bound)
    };
    select(vec![1e-4, 1e-3, 0.05]).prop_map(of)
}

proptest! {
    #![proptest_config(properties::cases(400))]

    #[test]
    fn a_clip_is_within_its_bounds_at_every_time(
        animation in select(vec![Suits::Anything, Suits::X4, Suits::Resonite, Suits::SeAnim])
            .prop_flat_map(hard::animations),
        bounds in bounds(),
    ) {
        check(&animation, &bounds);
    }
}

fn track(property: Property, data: TrackData) -> Animation {
    Animation::new(vec![Track::new(Target::new("hips", property), data).unwrap()])
}

const LINEAR: Interpolations = Interpolations::Shared(Interpolation::Linear);

#[test]
fn the_law_compares_something() {
    let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [1.0, 2.0, 3.0]]);
    assert_eq!(check(&track(Property::Translation, data), &Bounds::default()), 1);
}

#[test]
fn a_jump_between_frames_keeps_its_time() {
    // The time is neither on a frame nor an `f32`.
    let data = TrackData::stepped(vec![0.0, 0.123_456_789_012], vec![[0.0_f32; 3], [5.0; 3]]);
    let animation = track(Property::Scale, data.unwrap());
    assert_eq!(check(&animation, &Bounds::default()), 1);
    assert_eq!(
        check(&animation.with_rules(Rules::LINEAR.with_clock(Clock::F32)), &Bounds::default()),
        1
    );
}

#[test]
fn quaternions_of_different_lengths_are_baked() {
    let values =
        vec![Quat { x: 0.0, y: 0.0, z: 0.0, w: 0.5_f64 }, Quat { x: 1.2, y: 0.0, z: 0.0, w: 0.9 }];
    let data = TrackData::curve(vec![0.0, 1.0], values, LINEAR, None).unwrap();
    let animation = track(Property::Rotation, data);
    assert_eq!(check(&animation, &Bounds::default()), 1);
    let built = build(&animation, &Bounds::default()).unwrap().value;
    assert!(built.report.tracks[0].keys > 10, "{:?}", built.report);
}

#[test]
fn a_bound_below_the_precision_of_f32_is_an_error() {
    let data = TrackData::uniform(1.0, vec![[0.0_f64; 3], [1_000_000.3, 0.0, 0.0]]);
    let animation = track(Property::Translation, data);
    let error = build(&animation, &Bounds::default()).unwrap_err().to_string();
    assert!(error.starts_with("hips/Position: off by"), "{error}");
    assert_eq!(check(&animation, &Bounds::default().with_translation(0.5)), 1);
}

#[test]
fn curves_are_baked_within_the_bound() {
    let turn = |angle: f32| Quat::from_axis_angle([0.0, 0.6, 0.8], angle);
    let values = vec![turn(0.0), turn(0.9)];
    let tangents = Tangents::Values {
        left: vec![turn(0.0), turn(1.2)].into(),
        right: vec![turn(-0.3), turn(0.9)].into(),
    };
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let rotation = TrackData::curve(vec![0.0, 1.0], values, bezier, Some(tangents)).unwrap();
    let side = || vec![[9.0_f32, 0.0, -2.0]; 2].into();
    let tangents = Tangents::Values { left: side(), right: side() };
    let hermite = Interpolations::Shared(Interpolation::Hermite);
    let values = vec![[0.0_f32; 3], [1.0, 2.0, 3.0]];
    let place = TrackData::curve(vec![0.0, 1.0], values, hermite, Some(tangents)).unwrap();
    for (property, data) in [(Property::Rotation, rotation), (Property::Translation, place)] {
        let animation = track(property, data);
        assert_eq!(check(&animation, &Bounds::default()), 1);
        let Outcome { value, findings } = build(&animation, &Bounds::default()).unwrap();
        assert!(value.report.tracks[0].keys > 10, "{:?}", value.report);
        assert!(findings.iter().any(|finding| finding.code.id() == "convert/curve-baked"));
    }
}

#[test]
fn bounds_must_be_positive() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = build(&Animation::default(), &Bounds::default().with_scale(bad)).unwrap_err();
        assert!(error.to_string().starts_with("the scale bound is"), "{error}");
    }
}

#[test]
fn smaller_encodings_that_exceed_the_bound_become_f32() {
    let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [50.0, 20.0, 3.3], [7.7, 1.2, 30.1]]);
    let animation = track(Property::Translation, data);
    let encoding = |bound| {
        let bounds = Bounds::default().with_translation(bound);
        build(&animation, &bounds).unwrap().value.report.tracks[0].encoding
    };
    assert_eq!(encoding(1e-4), inbetween_clip::Encoding::Float);
    assert_eq!(encoding(0.05), inbetween_clip::Encoding::Half);
    assert_eq!(encoding(60.0), inbetween_clip::Encoding::Constant);
}

#[test]
fn numbers_that_a_clip_cannot_hold_drop_the_track() {
    for bad in [f32::NAN, f32::INFINITY, 2e30] {
        let data = TrackData::uniform(1.0, vec![[0.0_f32; 3], [bad, 0.0, 0.0]]);
        let built = build(&track(Property::Scale, data), &Bounds::default()).unwrap();
        assert!(built.value.clip.tracks().is_empty());
        assert_eq!(built.findings.last().unwrap().code.id(), "clip/not-finite");
    }
    let none = Quat { x: 0.0_f32, y: 0.0, z: 0.0, w: 0.0 };
    let data = TrackData::uniform(1.0, vec![Quat::IDENTITY, none]);
    let built = build(&track(Property::Rotation, data), &Bounds::default()).unwrap();
    assert!(built.value.clip.tracks().is_empty());
}

#[test]
fn what_a_clip_does_not_keep_is_reported() {
    let data = TrackData::uniform(0.5, vec![1_i32, 2]);
    let mut animation = track(Property::Custom(Some("Level".into())), data);
    animation.markers = vec![inbetween_core::Marker { time: 0.5, name: "step".into() }];
    let findings = build(&animation, &Bounds::default()).unwrap().findings;
    let ids: Vec<&str> = findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(
        ids,
        ["convert/markers-dropped", "convert/duration-extended", "convert/track-dropped"]
    );
    assert_eq!(Rules::LINEAR.sample(animation.tracks[0].data(), 0.0), Some(Value::Int(1)));
}
