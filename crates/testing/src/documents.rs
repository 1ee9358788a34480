//! Documents made in memory, as a library user may pass to a writer.

use std::collections::BTreeSet;

use inbetween_core::stores::Head;
use inbetween_core::{
    Animation, Axis, Blend, BlendMode, BlendOverride, Bone, Document, EulerOrder, Format, Handle,
    Interpolation, Interpolations, LastBezier, Looping, Marker, Origin, Property, Quat, Rules,
    Skeleton, StatedDuration, Strings, Tangents, Target, Text, Track, TrackData, ValueKind, Values,
    resonite,
};

use crate::samples::column;

/// The order of Euler angles in X4 .ANI files (`docs/formats/x4-ani.md`).
pub const X4_ORDER: EulerOrder =
    EulerOrder::new([Axis::Y, Axis::Z, Axis::X], [1, -1, -1]).expect("three axes");

/// Returns documents that each show one feature of the common model, with the names of the
/// features.
pub fn all() -> Vec<(&'static str, Document)> {
    let mut documents = vec![
        ("no clips", Document::default()),
        ("two clips", Document::new(vec![Animation::default(), Animation::default()])),
    ];
    let tracks = vec![translation(&[0.0, 1.0])];
    let clip = Animation::new(tracks).with_frame_rate(30.0).with_name("walk");
    let scene = Origin::new("other").with_scene(vec!["meshes".into()]);
    documents.push(("other parts", Document::single(clip.clone()).with_origin(scene)));
    documents.push(("a skeleton", Document::single(clip).with_skeleton(skeleton())));
    documents.extend(engines().into_iter().map(|(name, clip)| (name, Document::single(clip))));
    documents.extend(clips().into_iter().map(|(name, clip)| (name, Document::single(clip))));
    documents
}

/// Returns a curve, which needs a key on every frame, and a step, which needs one on the frame
/// before it, each with its last key 6e8 frames after its first.
pub fn distant() -> [Document; 2] {
    let values = || Values::from(vec![[0.0_f32; 3], [1.0; 3]]);
    let tangents = Some(Tangents::Values { left: values(), right: values() });
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let curve = TrackData::curve(vec![0.0, 1e7], values(), bezier, tangents);
    let steps = TrackData::stepped(vec![0.0, 1e7], values());
    [curve, steps].map(|data| {
        let tracks = vec![track("bone", Property::Translation, data.expect("times in order"))];
        Document::single(Animation::new(tracks).with_frame_rate(60.0))
    })
}

/// Returns a skeleton of two bones; a child comes before its parent.
pub fn skeleton() -> Skeleton {
    let rotation = Some(Quat { x: 0.6, y: 0.0, z: 0.0, w: 0.8 });
    let hand = Bone { node: "hand".into(), parent: Some("node".into()), ..Bone::default() };
    let node = Bone { node: "node".into(), translation: Some([0.0, 90.0, 0.0]), ..hand.clone() };
    let bones =
        vec![Bone { rotation, ..hand }, Bone { parent: None, scale: Some([2.0; 3]), ..node }];
    Skeleton::new(bones).expect("a chain of two bones")
}

/// Returns a document for a format: with its nodes as a chain of bones if the format needs one.
#[must_use]
pub fn suited(mut document: Document, to: &dyn Format) -> Document {
    if document.skeleton.is_none() && to.info().stores.has(Head::Hierarchy) {
        let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
        let mut nodes: BTreeSet<Text> = tracks.filter_map(|it| it.target().node.clone()).collect();
        nodes.insert("root".into());
        let parents = std::iter::once(None).chain(nodes.iter().cloned().map(Some));
        let bone = |(node, parent): (&Text, Option<Text>)| Bone {
            node: node.clone(),
            parent,
            ..Bone::default()
        };
        document.skeleton = Skeleton::new(nodes.iter().zip(parents).map(bone).collect()).ok();
    }
    document
}

/// Clips with the playback rules of different engines.
fn engines() -> Vec<(&'static str, Animation)> {
    let exact = Rules::LINEAR
        .with_last_bezier(LastBezier::RightHandle)
        .with_stated_duration(StatedDuration::Exact);
    let handles = |value| Tangents::Handles {
        left: vec![Handle { time: 0.1, value }; 6],
        right: vec![Handle { time: 0.2, value }; 6],
    };
    let bezier = |value| {
        let shared = Interpolations::Shared(Interpolation::Bezier);
        let values = vec![[0.0_f32; 3], [1.0; 3]];
        let data = TrackData::curve(vec![0.0, 1.0], values, shared, Some(handles(value)));
        vec![track("node", Property::Translation, data.expect("a curve"))]
    };
    // Rounding makes their lengths more than 1, so their dot product is more than 1 too.
    let near = |w: f32| Quat { x: 1e-4, y: 0.0, z: 0.0, w };
    let rotation = linear(&[0.0, 1.0], vec![near(1.0), Quat { x: 0.0, ..near(1.000_000_1) }]);
    let rotations = || vec![track("node", Property::Rotation, rotation.clone())];
    let clip = |tracks| Animation::new(tracks).with_frame_rate(30.0);
    let turned = |length: f32| {
        let long = Quat { x: 0.0, y: 0.0, z: 0.0, w: length };
        let keys = vec![long, Quat { x: 0.6, y: 0.0, z: 0.0, w: 0.8 }];
        clip(vec![track("node", Property::Rotation, linear(&[0.0, 1.0], keys))])
    };
    vec![
        ("a last key that shows its handle", clip(bezier(0.5)).with_rules(exact)),
        ("a handle that f32 rounds", clip(bezier(0.1))),
        ("keys after an exact duration", clip(bezier(0.5)).with_rules(exact).with_duration(0.5)),
        ("rotations that are nearly the same", clip(rotations())),
        ("rotations by the raw dot product", clip(rotations()).with_rules(resonite::RULES)),
        ("a long rotation", turned(2.0)),
        ("a long rotation by the raw dot product", turned(2.0).with_rules(resonite::RULES)),
        ("a slightly long rotation", turned(1.0001)),
        ("a slightly long rotation by the raw dot product", {
            turned(1.0001).with_rules(resonite::RULES)
        }),
    ]
}

fn clips() -> Vec<(&'static str, Animation)> {
    let mut clips = head_clips();
    clips.push(("a track that blends unlike its clip", {
        let mut clip = Animation::new(vec![translation(&[0.0, 1.0])]).with_frame_rate(30.0);
        clip.tracks.iter_mut().for_each(|track| track.set_blend(Blend::RestRelative));
        clip
    }));
    clips.push(("a scale that is additive", {
        let data = TrackData::uniform(1.0 / 30.0, vec![[1.0_f32; 3]; 2]);
        let target = Target { blend: Blend::Additive, ..Target::new("node", Property::Scale) };
        let scale = Track::new(target, data).expect("scales are vectors");
        let still = translation(&[0.0, 1.0]);
        Animation::new(vec![still, scale]).with_frame_rate(30.0)
    }));
    clips.extend(
        track_lists()
            .into_iter()
            .map(|(name, tracks)| (name, Animation::new(tracks).with_frame_rate(30.0))),
    );
    clips
}

/// Clips that show the properties other than tracks.
fn head_clips() -> Vec<(&'static str, Animation)> {
    type Change = fn(&mut Animation);
    let changes: [(&'static str, Change); 18] = [
        ("a name", |clip| clip.name = Some("walk".into())),
        ("an empty name", |clip| clip.name = Some("".into())),
        ("a stated duration", |clip| clip.duration = Some(2.5)),
        ("a duration before the end", |clip| clip.duration = Some(0.5)),
        ("a duration that is not a number", |clip| clip.duration = Some(f64::NAN)),
        ("no frame rate", |clip| clip.frame_rate = None),
        ("a frame rate of zero", |clip| clip.frame_rate = Some(0.0)),
        ("a fractional frame rate", |clip| clip.frame_rate = Some(29.97)),
        ("looping", |clip| clip.looping = Looping::Loop),
        ("additive", |clip| clip.blend = BlendMode::Additive),
        ("relative", |clip| clip.blend = BlendMode::Relative),
        ("delta", |clip| clip.blend = BlendMode::Delta),
        ("an unnamed blend mode", |clip| clip.blend = BlendMode::Other(9)),
        ("blend overrides", |clip| {
            let blend = |node: &str, mode| BlendOverride { node: node.into(), mode };
            clip.blend_overrides =
                vec![blend("node", BlendMode::Additive), blend("nowhere", BlendMode::Relative)];
        }),
        ("markers", |clip| clip.markers = markers(&[(0.5, "step"), (0.5, "step"), (0.0, "")])),
        ("a marker before 0", |clip| clip.markers = markers(&[(-1.0, "early")])),
        ("markers alone", |clip| {
            clip.tracks.clear();
            clip.markers = markers(&[(1.0, "end")]);
        }),
        ("no tracks", |clip| clip.tracks.clear()),
    ];
    let apply = |(name, change): (&'static str, Change)| {
        let tracks = vec![translation(&[0.0, 1.0])];
        let mut clip = Animation::new(tracks).with_frame_rate(30.0);
        change(&mut clip);
        clip.expand_blend();
        (name, clip)
    };
    changes.into_iter().map(apply).collect()
}

fn markers(markers: &[(f64, &str)]) -> Vec<Marker> {
    markers.iter().map(|&(time, name)| Marker { time, name: name.into() }).collect()
}

/// Lists of tracks that show targets, times, values and curves.
fn track_lists() -> Vec<(&'static str, Vec<Track>)> {
    let mut lists = times();
    lists.extend(targets());
    lists.extend(curves());
    lists.extend(values());
    lists.extend(rotations());
    lists
}

/// Rotations that targets cannot keep.
fn rotations() -> Vec<(&'static str, Vec<Track>)> {
    let euler = |times: [f64; 2], values: [[f32; 3]; 2], side: Option<f32>| {
        let points = |side: f32| Values::from(vec![[side, 0.0, 0.0]; 2]);
        let tangents =
            side.map(|side| Tangents::Values { left: points(side), right: points(side) });
        let bezier = Interpolations::Shared(Interpolation::Bezier);
        let data = TrackData::curve(times.to_vec(), values.to_vec(), bezier, tangents);
        vec![track("node", Property::RotationEuler(X4_ORDER), data.expect("a curve"))]
    };
    let angle = Target { component: Some(Axis::X), ..Target::new("node", X4_ANGLES) };
    let angle = Track::new(angle, linear(&[0.0, 1.0], vec![0.5_f32, 1.0])).expect("an angle");
    let quat = |x: f32, w: f32| Quat { x, y: 0.0, z: 0.0, w };
    // Halfway from the control point 1 to the control point -1 there is no direction.
    let points = |w: f32| Values::from(vec![quat(0.0, w); 2]);
    let tangents = Tangents::Values { left: points(-1.0), right: points(1.0) };
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let values = vec![quat(0.0, 1.0), quat(0.0, -1.0)];
    let times = vec![0.0, 1.0 / 30.0];
    let undirected = TrackData::curve(times, values, bezier, Some(tangents)).expect("a curve");
    // About no axis of Euler angles, in less than a frame.
    let far = Quat { x: 0.6_f32, y: 0.64, z: 0.48, w: 0.0 };
    let fast = linear(&[0.0, 0.01], vec![quat(0.0, 1.0), far]);
    vec![
        ("a fast rotation", vec![track("node", Property::Rotation, fast)]),
        ("angles that turn fast", euler([0.0, 1.0], [[0.0; 3], [1e6, 0.0, 0.0]], None)),
        ("angles that are not numbers", euler([0.0, 1.0 / 30.0], [[0.0; 3]; 2], Some(f32::NAN))),
        ("one angle", vec![angle]),
        ("a curve without direction", vec![track("node", Property::Rotation, undirected)]),
    ]
}

const X4_ANGLES: Property = Property::RotationEuler(X4_ORDER);

fn times() -> Vec<(&'static str, Vec<Track>)> {
    vec![
        ("keys on frames", vec![translation(&[0.0, 1.0 / 30.0, 2.0 / 30.0])]),
        ("keys between frames", vec![translation(&[0.0, 0.49 / 30.0, 1.7 / 30.0])]),
        ("keys before 0", vec![translation(&[-1.0, 0.5, 1.0])]),
        ("all keys before 0", vec![translation(&[-2.0, -1.0])]),
        ("keys at one time", vec![translation(&[0.0, 1.0, 1.0, 1.0])]),
        ("a first key after 0", vec![translation(&[1.0, 2.0])]),
        ("a time beyond all frames", vec![translation(&[0.0, 1e300])]),
        ("a time that f32 rounds", vec![translation(&[0.0, 0.1])]),
        (
            "no keys",
            vec![track("node", Property::Translation, TrackData::empty(ValueKind::Float3))],
        ),
        (
            "many keys",
            vec![translation(&(0..300).map(|i| f64::from(i) / 30.0).collect::<Vec<_>>())],
        ),
    ]
}

fn targets() -> Vec<(&'static str, Vec<Track>)> {
    let number =
        |property: Property| track("node", property, linear(&[0.0, 1.0], vec![0.5_f32, 1.0]));
    let vector = || linear(&[0.0, 1.0], vec![[0.1_f32, 0.2, 0.3], [3.0, 2.0, 1.0]]);
    let component = |axis| {
        let target = Target { component: Some(axis), ..Target::new("node", Property::Translation) };
        Track::new(target, linear(&[0.0, 1.0], vec![1.0_f64, 2.0])).expect("one component")
    };
    let nameless = |node: Option<&str>| {
        let target = Target { node: node.map(Into::into), ..Target::new("", Property::Scale) };
        Track::new(target, vector()).expect("a scale")
    };
    vec![
        ("scale", vec![track("node", Property::Scale, vector())]),
        ("Euler angles", vec![track("node", Property::RotationEuler(X4_ORDER), vector())]),
        ("components", [Axis::X, Axis::Y, Axis::Z].map(component).to_vec()),
        ("one component", vec![component(Axis::Y)]),
        ("a weight", vec![number(Property::Weight("smile".into()))]),
        ("a custom property", vec![number(Property::Custom(Some("Intensity".into())))]),
        (
            "a property that is called Position",
            vec![number(Property::Custom(Some("Position".into())))],
        ),
        ("a nameless property", vec![number(Property::Custom(None))]),
        ("a nameless node", vec![nameless(None)]),
        ("a node with an empty name", vec![nameless(Some(""))]),
        ("a name with a NUL", vec![nameless(Some("a\0b"))]),
        ("a name outside ASCII", vec![nameless(Some("관절 \u{1f9b4} \"\\/\u{7}"))]),
        ("one target twice", vec![translation(&[0.0, 1.0]), translation(&[0.0, 2.0])]),
        ("two nodes", vec![translation(&[0.0]), track("other", Property::Scale, vector())]),
    ]
}

fn curves() -> Vec<(&'static str, Vec<Track>)> {
    let curve = |interpolation, tangents| {
        let values = vec![[0.0_f32; 3], [1.0, 2.0, 3.0], [0.0, 0.0, 1.0]];
        let data = TrackData::curve(vec![0.0, 0.5, 1.0], values, interpolation, tangents);
        vec![track("node", Property::Translation, data.expect("a curve"))]
    };
    let shared = Interpolations::Shared;
    let side = |x: f32| Values::from(vec![[x, 0.0, -x]; 3]);
    let tangents = || Some(Tangents::Values { left: side(1.0), right: side(2.0) });
    let handle = |time| vec![Handle { time, value: 1.5 }; 9];
    let handles = || Some(Tangents::Handles { left: handle(0.1), right: handle(0.2) });
    let mixed = vec![Interpolation::Hold, Interpolation::Linear, Interpolation::Bezier];
    let stepped = TrackData::stepped(vec![0.0, 1.0], vec![[1.0_f32; 3], [2.0; 3]]).expect("steps");
    let uniform = |interval| TrackData::uniform(interval, vec![[0.5_f32; 3]; 3]);
    let position = |data| vec![track("node", Property::Translation, data)];
    vec![
        ("held keys", curve(shared(Interpolation::Hold), None)),
        ("steps", position(stepped)),
        ("keys at an interval", position(uniform(0.25))),
        ("keys at no interval", position(uniform(0.0))),
        ("keys at an interval that is not a number", position(uniform(f64::NAN))),
        ("Hermite tangents", curve(shared(Interpolation::Hermite), tangents())),
        ("Bezier tangents", curve(shared(Interpolation::Bezier), tangents())),
        ("Bezier without tangents", curve(shared(Interpolation::Bezier), None)),
        ("Bezier handles", curve(shared(Interpolation::Bezier), handles())),
        ("tangents that nothing uses", curve(shared(Interpolation::Linear), tangents())),
        ("mixed interpolations", curve(Interpolations::PerKey(mixed), tangents())),
    ]
}

fn values() -> Vec<(&'static str, Vec<Track>)> {
    let quat = |x, w| Quat { x, y: 0.0, z: 0.0, w };
    let turn = vec![quat(0.0, 1.0), quat(1.0, 0.0), quat(0.0, -1.0)];
    let rotation = |values: Vec<Quat<f64>>| {
        let times: Vec<f64> = (0..values.len()).map(inbetween_core::num::f64_from_index).collect();
        vec![track("node", Property::Rotation, linear(&times, values))]
    };
    let doubles =
        |x: f64| vec![track("node", Property::Scale, linear(&[0.0], vec![[x, 1.0, 1.0]]))];
    let texts: Strings = [Some("a"), None, Some("")].into_iter().collect();
    let texts = TrackData::stepped(vec![0.0, 1.0, 2.0], texts).expect("texts");
    vec![
        ("a rotation", rotation(turn)),
        ("a rotation of no length", rotation(vec![quat(0.0, 0.0)])),
        ("a value that is not a number", doubles(f64::NAN)),
        ("an infinite value", doubles(f64::INFINITY)),
        ("a negative zero", doubles(-0.0)),
        ("a value that f32 rounds", doubles(0.1)),
        ("a value beyond f32", doubles(1e39)),
        ("texts and nulls", vec![track("node", Property::Custom(Some("Name".into())), texts)]),
        ("f32 and f64 together", [doubles(0.1), vec![translation(&[0.0])]].concat()),
        ("every kind", ValueKind::ALL.map(|kind| of_kind(kind, &[0, 1, 2])).to_vec()),
    ]
}

fn track(node: &str, property: Property, data: TrackData) -> Track {
    Track::new(Target::new(node, property), data).expect("values that the property takes")
}

fn linear(times: &[f64], values: impl Into<Values>) -> TrackData {
    let linear = Interpolations::Shared(Interpolation::Linear);
    TrackData::curve(times.to_vec(), values, linear, None).expect("times in order")
}

fn translation(times: &[f64]) -> Track {
    let values: Vec<[f32; 3]> =
        (0_u8..=255).cycle().map(|i| [f32::from(i), 0.5, -1.0]).take(times.len()).collect();
    track("node", Property::Translation, linear(times, values))
}

/// A track of a kind, with one value per seed.
fn of_kind(kind: ValueKind, seeds: &[u64]) -> Track {
    let times: Vec<f64> = (0..seeds.len()).map(inbetween_core::num::f64_from_index).collect();
    let data = TrackData::stepped(times, column(kind, seeds)).expect("times in order");
    track("node", Property::Custom(Some(kind.name().into())), data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_is_different() {
        let names: BTreeSet<&str> = all().iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), all().len());
    }
}
