//! What a conversion reports as a loss: what someone could miss in the result, and nothing else.

#![cfg(feature = "formats")]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween::core::{Blend, BlendMode, stores::Head};
use inbetween::{
    Animation, Bone, Document, Format, Interpolation, Interpolations, Limits, Looping, Marker,
    Property, Quat, Reading, Registry, Skeleton, Target, Track, TrackData, Values,
};
use inbetween_testing::documents::suited;

fn track(node: &str, property: Property, values: impl Into<Values>) -> Track {
    let values = values.into();
    let times = (0_u32..).take(values.len()).map(|key| f64::from(key) / 30.0).collect();
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, values, linear, None).unwrap();
    Track::new(Target::new(node, property), data).unwrap()
}

/// Two bones that move, turn and grow, every value for every format.
fn clip() -> Animation {
    let turn = |angle: f32| Quat { x: 0.0, y: 0.0, z: (angle / 2.0).sin(), w: (angle / 2.0).cos() };
    let turns: Vec<Quat<f32>> = [0.0, 0.2, 0.5, 0.3].map(turn).into();
    let tracks = ["hips", "spine"].into_iter().flat_map(|node| {
        [
            track(node, Property::Translation, vec![[0.0_f32, 1.0, 0.25], [0.5, 1.0, 0.0]]),
            track(node, Property::Rotation, turns.clone()),
            track(node, Property::Scale, vec![[1.0_f32; 3], [1.0, 2.0, 1.0], [1.0; 3]]),
        ]
    });
    Animation::new(tracks.collect()).with_name("walk").with_duration(3.0 / 30.0)
}

fn document(clip: Animation) -> Document {
    let bone = |node: &str, parent: Option<&str>| Bone {
        node: node.into(),
        parent: parent.map(Into::into),
        translation: Some([0.0, 1.0, 0.0]),
        rotation: Some(Quat::IDENTITY),
        scale: Some([1.0; 3]),
        ..Bone::default()
    };
    let skeleton = Skeleton::new(vec![bone("hips", None), bone("spine", Some("hips"))]).unwrap();
    Document::single(clip).with_skeleton(skeleton)
}

/// Returns the losses of writing a document in a format and converting the file to another.
fn losses(document: &Document, from: &dyn Format, to: &dyn Format) -> Vec<String> {
    let file = from.write(document.clone(), &Limits::default()).unwrap();
    let mut reading = Reading::new(from, &file.value, &Limits::default()).unwrap();
    reading.document = suited(reading.document, to);
    let conversion = reading.write(to).unwrap();
    let losses = conversion.findings.into_iter().filter(|finding| finding.code.is_loss());
    losses.map(|finding| finding.to_string()).collect()
}

#[test]
fn absolute_clips_of_bones_convert_between_all_formats_without_a_loss() {
    let registry = Registry::with_builtin();
    let mut pairs = 0;
    for from in registry.formats() {
        for to in registry.formats().filter(|to| to.info().id != "clip") {
            let none: [String; 0] = [];
            let mut clip = clip();
            clip.tracks.retain(|it| [from, to].iter().all(|each| each.info().stores.has_place(it)));
            let pair = (from.info().id, to.info().id);
            assert_eq!(losses(&document(clip), from, to), none, "{pair:?}");
            pairs += 1;
        }
    }
    assert!(pairs >= 36, "{pairs} pairs");
}

/// A change of the clip, and whether a format keeps it.
type Twin = (&'static str, fn(Animation) -> Animation, fn(&dyn Format) -> bool);

#[test]
fn a_clip_with_one_more_thing_loses_it_where_it_has_no_place() {
    let stores = |to: &dyn Format, part| to.info().stores.has(part);
    let twins: [Twin; 5] = [
        (
            "marker",
            |clip| clip.with_markers(vec![Marker { time: 1.0 / 30.0, name: "step".into() }]),
            |to| to.info().stores.has(Head::Markers),
        ),
        (
            "looping",
            |clip| clip.with_looping(Looping::Loop),
            |to| to.info().stores.has(Head::Looping),
        ),
        (
            "custom track",
            |mut clip| {
                let glow = Property::Custom(Some("Glow".into()));
                clip.tracks.push(track("lamp", glow, vec![0.0_f32, 1.0]));
                clip
            },
            |to| !matches!(to.info().id, "bvh" | "seanim" | "cast" | "unity-anim" | "x4-ani"),
        ),
        (
            "relative mode",
            |clip| clip.with_blend(BlendMode::Relative),
            |to| to.info().stores.has(Head::Blend),
        ),
        (
            "shape",
            |mut clip| {
                clip.tracks.push(track(
                    "face",
                    Property::Weight("smile".into()),
                    vec![0.0_f32, 1.0],
                ));
                clip
            },
            |to| matches!(to.info().id, "animj" | "animx" | "gltf" | "unity-anim"),
        ),
    ];
    let registry = Registry::with_builtin();
    for (what, change, keeps) in twins {
        let document = document(change(clip()));
        assert!(
            document.clips[0].tracks.iter().all(|track| track.target().blend != Blend::Additive)
        );
        for to in registry.formats() {
            let written = to.write(document.clone(), &Limits::default()).unwrap();
            let losses: Vec<String> = written
                .findings
                .iter()
                .filter(|finding| finding.code.is_loss())
                .map(ToString::to_string)
                .collect();
            assert_eq!(losses.is_empty(), keeps(to), "{what} in {}: {losses:?}", to.info().id);
        }
    }
    assert!(registry.formats().any(|to| !stores(to, Head::Markers)));
}
