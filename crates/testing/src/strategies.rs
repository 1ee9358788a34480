//! Random documents.

use inbetween_core::{
    Animation, BlendMode, BlendOverride, Document, Interpolation, Interpolations, Looping, Marker,
    Property, Tangents, Target, Text, Track, TrackData, ValueKind,
};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::domain::LARGEST_TIME;
use crate::samples::column;

/// Returns a strategy for documents of one clip with up to four tracks of up to five keys.
///
/// Names, times and values are of all kinds. Times are often on frames of the frame rate, so that
/// formats with frames keep them.
pub fn documents() -> impl Strategy<Value = Document> {
    let head = (option::of(text()), option::of(seconds()), option::of(rate()), any::<bool>());
    let overrides = prop::collection::vec((text(), blend()), 0..2);
    let markers = prop::collection::vec((seconds(), text()), 0..3);
    let tracks = prop::collection::vec(track(), 0..4);
    let skeleton = prop::bool::weighted(0.1);
    (head, blend(), overrides, markers, tracks, skeleton).prop_map(
        |(head, blend, overrides, markers, tracks, skeleton)| {
            let (name, duration, frame_rate, looping) = head;
            let overrides = overrides.into_iter().map(|(node, mode)| BlendOverride { node, mode });
            let markers = markers.into_iter().map(|(time, name)| Marker { time, name });
            let mut clip = Animation::new(tracks)
                .with_looping(if looping { Looping::Loop } else { Looping::Once })
                .with_blend(blend)
                .with_blend_overrides(overrides.collect())
                .with_markers(markers.collect());
            (clip.name, clip.duration, clip.frame_rate) = (name, duration, frame_rate);
            let document = Document::single(clip);
            if skeleton { document.with_skeleton(crate::documents::skeleton()) } else { document }
        },
    )
}

fn text() -> impl Strategy<Value = Text> {
    let text = prop_oneof![
        4 => select(vec!["tag_origin", "j_spine", "a", "", "Position", "Rotation"])
            .prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    text.prop_map(Text::from)
}

fn rate() -> impl Strategy<Value = f64> {
    prop_oneof![4 => select(vec![24.0, 30.0, 60.0, 29.97]), 1 => any::<f64>()]
}

fn seconds() -> impl Strategy<Value = f64> {
    let frames = select(vec![24.0, 30.0, 60.0]);
    prop_oneof![
        60 => (0_u16..600, frames).prop_map(|(frame, rate)| f64::from(frame) / rate),
        10 => -10.0..100.0,
        6 => -LARGEST_TIME..LARGEST_TIME,
        4 => prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL,
    ]
}

fn blend() -> impl Strategy<Value = BlendMode> {
    prop_oneof![
        4 => Just(BlendMode::Absolute),
        1 => Just(BlendMode::Additive),
        1 => Just(BlendMode::Relative),
        1 => Just(BlendMode::Delta),
        1 => (4_u8..).prop_map(BlendMode::Other),
    ]
}

fn property() -> impl Strategy<Value = (Property, ValueKind)> {
    let vectors = || select(vec![ValueKind::Float3, ValueKind::Double3]);
    let quats = select(vec![ValueKind::FloatQ, ValueKind::DoubleQ]);
    let numbers = select(vec![ValueKind::Float, ValueKind::Double]);
    let kinds = select(ValueKind::ALL.to_vec());
    prop_oneof![
        2 => vectors().prop_map(|kind| (Property::Translation, kind)),
        2 => quats.prop_map(|kind| (Property::Rotation, kind)),
        1 => vectors().prop_map(|kind| (Property::Scale, kind)),
        1 => (text(), numbers).prop_map(|(name, kind)| (Property::Weight(name), kind)),
        3 => (option::of(text()), kinds).prop_map(|(name, kind)| (Property::Custom(name), kind)),
    ]
}

fn track() -> impl Strategy<Value = Track> {
    let keys = prop::collection::vec((seconds(), any::<[u64; 3]>(), interpolation()), 0..5);
    (option::of(text()), property(), shape(), keys).prop_map(|(node, property, shape, keys)| {
        let (property, kind) = property;
        let target = Target::of(node, property);
        Track::new(target, data(kind, shape, keys)).expect("values that the property takes")
    })
}

#[derive(Clone, Copy, Debug)]
enum KeyShape {
    Uniform(f64),
    Stepped,
    Shared(Interpolation),
    PerKey,
    Tangents,
}

fn shape() -> impl Strategy<Value = KeyShape> {
    prop_oneof![
        1 => seconds().prop_map(KeyShape::Uniform),
        1 => Just(KeyShape::Stepped),
        3 => Just(KeyShape::Shared(Interpolation::Linear)),
        1 => interpolation().prop_map(KeyShape::Shared),
        1 => Just(KeyShape::PerKey),
        1 => Just(KeyShape::Tangents),
    ]
}

fn interpolation() -> impl Strategy<Value = Interpolation> {
    use Interpolation::{Bezier, Hermite, Hold, Linear};
    select(vec![Hold, Linear, Hermite, Bezier])
}

type Key = (f64, [u64; 3], Interpolation);

fn data(kind: ValueKind, shape: KeyShape, mut keys: Vec<Key>) -> TrackData {
    keys.sort_by(|a, b| a.0.total_cmp(&b.0));
    let times: Vec<f64> = keys.iter().map(|key| key.0).collect();
    let side = |side: usize| column(kind, &keys.iter().map(|key| key.1[side]).collect::<Vec<_>>());
    let each = || Interpolations::PerKey(keys.iter().map(|key| key.2).collect());
    let values = side(0);
    let tangents = || Tangents::Values { left: side(1), right: side(2) };
    let data = match shape {
        KeyShape::Uniform(interval) => Ok(TrackData::uniform(interval, values)),
        KeyShape::Stepped => TrackData::stepped(times, values),
        KeyShape::Shared(one) => TrackData::curve(times, values, Interpolations::Shared(one), None),
        KeyShape::PerKey => TrackData::curve(times, values, each(), None),
        KeyShape::Tangents => TrackData::curve(times, values, each(), Some(tangents())),
    };
    data.expect("sorted times and columns of one length")
}
