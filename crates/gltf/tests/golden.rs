//! The fixtures of glTF against their goldens.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{
    Animation, Document, Format, Interpolation, Interpolations, Limits, Marker, Property, Target,
    Track, TrackData,
};
use inbetween_gltf::{Container, Curves, Gltf};
use inbetween_testing::{documents, golden};

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&Gltf::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&Gltf::default());
}

#[test]
fn every_error_has_a_file() {
    let never = [("BadMagic", "a file without the magic number is read as JSON")];
    golden::every_error_has_a_file(&Gltf::default(), &never);
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    let documents = documents::all().into_iter().map(|(_, document)| document);
    let written =
        documents.chain(more()).flat_map(|document| golden::writing(&Gltf::default(), document));
    let baked = documents::all().into_iter().map(|(_, document)| document);
    let format = Gltf::default().with_curves(Curves::Bake);
    let baked = baked.flat_map(|document| golden::writing(&format, document));
    let model = golden::writing(&Gltf::default(), model_with_a_weight());
    golden::every_code_is_triggered(&Gltf::default(), written.chain(baked).chain(model));
}

/// A model without blend shapes, with a track of one.
fn model_with_a_weight() -> Document {
    let cases = inbetween_testing::cases::of("gltf");
    let case = cases.into_iter().find(|case| case.name == "model").unwrap();
    let mut document = Gltf::default().read(&case.bytes, &Limits::default()).unwrap().value;
    let keys = TrackData::uniform(1.0, vec![0.5_f32]);
    let smile = Track::new(Target::new("hips", Property::Weight("smile".into())), keys).unwrap();
    document.clips.first_mut().unwrap().tracks.push(smile);
    document
}

/// Documents with weights and with numbers that JSON does not support.
fn more() -> Vec<Document> {
    let weight = |shape: &str, times: &[f64]| {
        let values = vec![0.5_f32; times.len()];
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(times.to_vec(), values, linear, None).unwrap();
        Track::new(Target::new("face", Property::Weight(shape.into())), data).unwrap()
    };
    let still = TrackData::uniform(1.0, vec![[0.0_f32; 3]; 2]);
    let still = Track::new(Target::new("hips", Property::Translation), still).unwrap();
    let face = vec![weight("smile", &[0.0, 1.0]), still, weight("blink", &[0.0, 0.5])];
    let smile = Animation::new(vec![weight("smile", &[0.0])]);
    let marker = Marker { time: f64::NAN, name: "step".into() };
    let odd = Animation::default().with_frame_rate(f64::NAN).with_markers(vec![marker]);
    let moved = |node| {
        let keys = TrackData::uniform(1.0, vec![[0.0_f32; 3]]);
        Track::new(Target::new(node, Property::Translation), keys).unwrap()
    };
    let flat = Animation::new(vec![moved("hips"), moved("spine")]);
    let face = Document::new(vec![Animation::new(face), smile]);
    vec![face, Document::single(odd), Document::single(flat)]
}

#[test]
fn weights_of_a_node_share_a_sampler_and_play_as_before() {
    let document = more().swap_remove(0);
    let written = Gltf::default().write(document, &Limits::default()).unwrap();
    let read = Gltf::default().read(&written.value, &Limits::default()).unwrap();
    let tracks: Vec<_> =
        read.value.clips[0].tracks.iter().map(|track| track.data().len()).collect();
    // The weights stay together, each with the keys at 0, 0.5 and 1 s.
    assert_eq!(tracks, [3, 3, 2]);
    let codes: Vec<_> = written.findings.iter().map(|finding| finding.code.id()).collect();
    assert!(codes.contains(&"gltf/weights-joined") && codes.contains(&"gltf/weights-filled"));
}

#[test]
fn a_single_key_does_not_decide_how_the_other_weights_play() {
    let weight = |shape: &str, data| {
        Track::new(Target::new("face", Property::Weight(shape.into())), data).unwrap()
    };
    let smile = TrackData::stepped(vec![0.0], vec![0.5_f32]).unwrap();
    let linear = Interpolations::Shared(Interpolation::Linear);
    let blink = TrackData::curve(vec![0.0, 1.0], vec![0.0_f32, 1.0], linear, None).unwrap();
    let clip = Animation::new(vec![weight("smile", smile), weight("blink", blink)]);
    let written = Gltf::default().write(Document::single(clip), &Limits::default()).unwrap().value;
    let read = Gltf::default().read(&written, &Limits::default()).unwrap().value;
    for track in &read.clips[0].tracks {
        assert_eq!(track.data().len(), 2, "{}", track.target().label());
        assert_eq!(track.data().interpolation(0), Interpolation::Linear);
    }
}

#[test]
fn a_jump_right_after_a_key_comes_as_late_as_f32_allows() {
    let values = vec![[0.0_f32; 3], [1.0; 3], [0.0; 3]];
    let shown = TrackData::stepped(vec![0.0, f64::from(0.9995_f32), 1.0], values).unwrap();
    let shown = Track::new(Target::new("lamp", Property::Scale), shown).unwrap();
    let document = Document::single(Animation::new(vec![shown]).with_frame_rate(20.0));
    let format = Gltf::default().with_curves(Curves::Linear);
    let written = format.write(document, &Limits::default()).unwrap().value;
    let read = format.read(&written, &Limits::default()).unwrap().value;
    let times: Vec<f64> = read.clips[0].tracks[0].data().times().collect();
    // The first jump is 0.001 s early, and the second one is too near to the key before it.
    let early = [0.9995_f32 - 0.001, 0.9995, 1.0_f32.next_down()].map(f64::from);
    assert_eq!(times.len(), 5, "{times:?}");
    assert!((times[1] - early[0]).abs() < 1e-6, "{times:?}");
    assert_eq!(times[2..], [early[1], early[2], 1.0]);
}

#[test]
fn jumps_become_linear_keys_if_nothing_else_is_played() {
    let shown = TrackData::stepped(vec![0.0, 1.0, 2.0], vec![[1.0_f32; 3], [0.0; 3], [0.0; 3]]);
    let shown = Track::new(Target::new("lamp", Property::Scale), shown.unwrap()).unwrap();
    let smile = TrackData::stepped(vec![0.0, 0.5], vec![0.0_f32, 1.0]).unwrap();
    let smile = Track::new(Target::new("face", Property::Weight("smile".into())), smile).unwrap();
    let document = Document::single(Animation::new(vec![shown, smile]).with_frame_rate(20.0));
    let format = Gltf::default().with_curves(Curves::Linear);
    let written = format.write(document, &Limits::default()).unwrap().value;
    let read = format.read(&written, &Limits::default()).unwrap().value;
    let [lamp, face] = &read.clips[0].tracks[..] else { panic!("{:?}", read.clips) };
    for track in [lamp, face] {
        let data = track.data();
        assert!((0..data.len()).all(|key| data.interpolation(key) == Interpolation::Linear));
    }
    let times = |track: &Track| track.data().times().collect::<Vec<_>>();
    // The key before a jump is 0.02 frames before it.
    assert_eq!(times(lamp), [0.0, f64::from(0.999_f32), 1.0, 2.0]);
    assert_eq!(times(face), [0.0, f64::from(0.499_f32), 0.5]);
    let values = inbetween_core::Values::from(vec![0.0_f32, 0.0, 1.0]);
    assert_eq!(*face.data().values(), values);
}

#[test]
fn both_containers_have_the_same_content() {
    let bytes = inbetween_testing::cases::of("gltf").swap_remove(0).bytes;
    let limits = Limits::default();
    let document = Gltf::default().read(&bytes, &limits).unwrap().value;
    let text = Gltf::default().with_container(Container::Gltf).write(document.clone(), &limits);
    let text = text.unwrap().value;
    assert!(text.starts_with(b"{\"asset\""));
    assert_eq!(Gltf::default().read(&text, &limits).unwrap().value, document);
}
