//! Reading a file into a used document.

#![cfg(feature = "formats")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a panic is how a broken rule shows")]

use inbetween::{
    Animation, Document, FileEncoding, Interpolation, Interpolations, Limits, Property, Quat,
    Registry, Shape, Target, Track, TrackData, Values,
};

const KEYS: usize = 200;

/// Returns a clip that every format stores as it is.
fn document(first: f32) -> Document {
    let numbers = || (0_u16..).map(f32::from).take(KEYS);
    let linear = || Interpolations::Shared(Interpolation::Linear);
    let times = || numbers().map(|number| f64::from(number) / 32.0).collect();
    let places: Vec<[f32; 3]> = numbers().map(|number| [first, number, 1.0]).collect();
    let turns = numbers().map(|number| Quat::from_axis_angle([0.0, 0.6, 0.8], number * 0.01));
    let turns: Vec<Quat<f32>> = turns.collect();
    let tracks = [
        (Property::Translation, TrackData::curve(times(), places, linear(), None)),
        (Property::Rotation, TrackData::curve(times(), turns, linear(), None)),
    ];
    let track = |(property, data): (Property, Result<TrackData, _>)| {
        Track::new(Target::new("hips", property), data.unwrap()).unwrap()
    };
    Document::single(Animation::new(tracks.map(track).into()).with_frame_rate(32.0))
}

/// Returns where the columns of a document are in memory, in ascending order.
fn memory(document: &Document) -> Vec<usize> {
    let mut places = Vec::new();
    for track in document.clips.iter().flat_map(|clip| &clip.tracks) {
        match track.data().values() {
            Values::Float(column) => places.push(column.as_ptr().addr()),
            Values::Float3(column) => places.push(column.as_ptr().addr()),
            Values::FloatQ(column) => places.push(column.as_ptr().addr()),
            other => panic!("{}", other.kind()),
        }
        if let Shape::Curve { times, .. } | Shape::Stepped { times } = track.data().shape() {
            places.push(times.as_ptr().addr());
        }
    }
    places.sort_unstable();
    places
}

#[test]
fn a_similar_file_fills_the_columns_of_the_used_document() {
    let limits = Limits::default();
    for format in Registry::with_builtin().formats() {
        let id = format.info().id;
        // A playback clip is built, not written.
        let Ok(written) = format.write(document(1.0), &limits) else { continue };
        let other = format.write(document(2.0), &limits).unwrap().value;
        let mut used = format.read(&written.value, &limits).unwrap().value;
        let before = memory(&used);
        let findings = format.read_again(&other, &limits, &mut used).unwrap();
        let expected = format.read(&other, &limits).unwrap();
        assert_eq!((&used, findings), (&expected.value, expected.findings), "{id}");
        let mut kept = memory(&used);
        kept.retain(|place| before.contains(place));
        // AnimJ widens the times of its exact file to new columns.
        let columns = match format.info().encoding {
            FileEncoding::Text => before.len() / 2,
            FileEncoding::Binary => before.len(),
        };
        assert!(kept.len() >= columns, "{id}: {} of {} columns", kept.len(), before.len());
    }
}

#[test]
fn a_document_is_empty_after_an_error() {
    let mut used = document(1.0);
    let registry = Registry::with_builtin();
    let format = registry.formats().next().unwrap();
    assert!(format.read_again(b"no file", &Limits::default(), &mut used).is_err());
    assert_eq!(used, Document::default());
}
