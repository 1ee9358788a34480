//! Tracks that are not stored as channels, in extras.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{
    Animation, Blend, Document, Format, Interpolation, Interpolations, Limits, Property, Quat,
    Tangents, Target, Track, TrackData, ValueKind,
};
use inbetween_gltf::Gltf;
use inbetween_testing::documents;

/// Writes tracks and reads them back; returns them with the ids of the findings of writing.
fn again(tracks: Vec<Track>) -> (Vec<Track>, Vec<&'static str>) {
    let (format, limits) = (Gltf::default(), Limits::default());
    let document = Document::single(Animation::new(tracks));
    let written = format.write(document, &limits).unwrap();
    let mut read = format.read(&written.value, &limits).unwrap().value;
    let codes = written.findings.iter().map(|finding| finding.code.id()).collect();
    (read.clips.remove(0).tracks, codes)
}

fn custom(name: &str, data: TrackData) -> Track {
    Track::new(Target::new("lamp", Property::Custom(Some(name.into()))), data).unwrap()
}

#[test]
fn every_kind_of_value_survives_bit_for_bit() {
    let (_, document) =
        documents::all().into_iter().find(|(name, _)| *name == "every kind").unwrap();
    let tracks: Vec<Track> = document.clips.into_iter().flat_map(|clip| clip.tracks).collect();
    let kinds: Vec<ValueKind> = tracks.iter().map(|track| track.data().kind()).collect();
    assert_eq!(kinds, ValueKind::ALL);
    let (whole, odd): (Vec<Track>, Vec<Track>) =
        tracks.into_iter().partition(|track| again(vec![track.clone()]).1.is_empty());
    // The rotations of the document have keys of the length 0, which are dropped.
    let odd: Vec<ValueKind> = odd.iter().map(|track| track.data().kind()).collect();
    assert_eq!(odd, [ValueKind::FloatQ, ValueKind::DoubleQ]);
    assert_eq!(again(whole.clone()), (whole, vec![]));
}

#[test]
fn custom_rotations_are_not_normalized() {
    let turn = TrackData::stepped(vec![0.5], vec![Quat { x: 0.1_f32, y: 0.0, z: -0.0, w: 3.0 }]);
    let wide = TrackData::stepped(vec![0.5], vec![Quat { x: 0.1_f64, y: 0.0, z: -0.0, w: 3.0 }]);
    let tracks = vec![custom("Turn", turn.unwrap()), custom("Wide", wide.unwrap())];
    assert_eq!(again(tracks.clone()), (tracks, vec![]));
}

#[test]
fn tangents_and_per_key_interpolations_survive_bit_for_bit() {
    let sides = |number: f64| vec![[number, -0.0]; 3].into();
    let tangents = Tangents::Values { left: sides(0.1), right: sides(1e-310) };
    let each = [Interpolation::Hermite, Interpolation::Bezier, Interpolation::Hold];
    let each = Interpolations::PerKey(each.to_vec());
    let values = vec![[1e300, 0.1], [0.2, 0.3], [1.0, 2.0]];
    let curve = TrackData::curve(vec![0.1, 0.2, 7.0], values, each, Some(tangents)).unwrap();
    let tracks = vec![custom("Light.Range", curve)];
    assert_eq!(again(tracks.clone()), (tracks, vec![]));
}

#[test]
fn custom_tracks_keep_their_order_and_their_blend() {
    let still = |property| {
        let data = TrackData::stepped(vec![0.0], vec![[1.0_f32; 3]]).unwrap();
        Track::new(Target::new("lamp", property), data).unwrap()
    };
    let lit = |name: &str| custom(name, TrackData::uniform(0.5, vec![true, false]));
    let mut added = lit("Added");
    added.set_blend(Blend::Additive);
    let tracks = vec![
        lit("First"),
        still(Property::Scale),
        lit("Lit"),
        lit("Lit"),
        still(Property::Translation),
        added,
    ];
    assert_eq!(again(tracks.clone()), (tracks, vec!["gltf/blend-in-extras"]));
}

#[test]
fn numbers_that_json_does_not_support_are_dropped_by_name() {
    let values = vec![0.5_f32, f32::NAN, f32::INFINITY, 1.0];
    let track = custom("Range", TrackData::stepped(vec![0.0, 1.0, 2.0, 3.0], values).unwrap());
    let endless = custom("Lit", TrackData::uniform(f64::INFINITY, vec![true]));
    let kept = custom("Range", TrackData::stepped(vec![0.0, 3.0], vec![0.5_f32, 1.0]).unwrap());
    let still = custom("Lit", TrackData::uniform(0.0, vec![true]));
    let codes = vec!["convert/value-not-finite"; 2];
    assert_eq!(again(vec![track, endless]), (vec![kept, still], codes));
}
