//! Random animations: times in eighths of a second, unit rotations, moderate numbers.

use std::ops::RangeInclusive;

use inbetween_core::num::f32_from_f64;
use inbetween_core::{
    Animation, Axes, Handle, Interpolation, Interpolations, Marker, Property, Quat, Strings,
    Tangents, Target, Track, TrackData, Value, Values,
};
use proptest::prelude::*;
use proptest::sample::select;

/// The keys that may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Any,
    /// A track holds everywhere or nowhere.
    AllOrNone,
}

/// Returns a strategy for clips of 2.5 s with up to four tracks.
pub(crate) fn clip(holds: Holds) -> impl Strategy<Value = Animation> {
    clip_with(holds, 1..=4)
}

/// Like [`clip`], with keys the given number of eighths apart; 1 gives a key at every eighth from 0
/// to 2.5 s.
pub(crate) fn clip_with(
    holds: Holds,
    gaps: RangeInclusive<u8>,
) -> impl Strategy<Value = Animation> {
    let dense = gaps == (1..=1);
    let tracks = prop::collection::vec(track(holds, gaps, dense), 1..5);
    let markers = prop::collection::vec(0_u8..20, 0..3);
    (tracks, markers).prop_map(|(tracks, mut markers)| {
        markers.sort_unstable();
        let marker = |at| Marker { time: f64::from(at) / 8.0, name: "step".into() };
        let tracks = tracks.into_iter().enumerate();
        Animation::new(
            tracks.map(|(index, (property, data))| named(index, property, data)).collect(),
        )
        .with_name("walk")
        .with_duration(2.5)
        .with_markers(markers.into_iter().map(marker).collect())
    })
}

fn named(index: usize, property: Property, data: TrackData) -> Track {
    let node: String = format!("node {index}");
    Track::new(Target::new(node, property), data).expect("values that the property takes")
}

/// A property, and its values computed from seeds.
type Sort = (Property, fn(&[f64]) -> Values);

fn sorts() -> Vec<Sort> {
    let custom = || Property::Custom(Some("Level".into()));
    vec![
        (Property::Translation, vectors),
        (Property::Scale, vectors),
        (Property::RotationEuler(inbetween_testing::documents::X4_ORDER), vectors),
        (Property::Rotation, turns),
        (custom(), |seeds| narrow(seeds).into()),
        (custom(), |seeds| seeds.iter().map(|x| *x > 0.0).collect::<Vec<bool>>().into()),
        (custom(), |seeds| {
            let texts: Vec<String> = seeds.iter().map(f64::to_string).collect();
            texts.iter().map(|text| Some(text.as_str())).collect::<Strings>().into()
        }),
    ]
}

fn narrow(seeds: &[f64]) -> Vec<f32> {
    seeds.iter().copied().map(f32_from_f64).collect()
}

fn vectors(seeds: &[f64]) -> Values {
    narrow(seeds).into_iter().map(|x| [x, -x, x * 0.5]).collect::<Vec<_>>().into()
}

fn turns(seeds: &[f64]) -> Values {
    let turn = |x: &f64| {
        let q = Quat::from_axis_angle([0.6, 0.0, 0.8], x * 0.25);
        Quat::from_array(q.to_array().map(f32_from_f64))
    };
    seeds.iter().map(turn).collect::<Vec<Quat<f32>>>().into()
}

/// The random parts of a key.
#[derive(Clone, Debug)]
struct Key {
    gap: u8,
    interpolation: Interpolation,
    value: f64,
    left: f64,
    right: f64,
}

fn key(gaps: RangeInclusive<u8>) -> impl Strategy<Value = Key> {
    use Interpolation::{Bezier, Hermite, Hold, Linear};
    let each = select(vec![Hold, Linear, Hermite, Bezier]);
    (gaps, each, -8.0..8.0_f64, -4.0..4.0_f64, -4.0..4.0_f64).prop_map(
        |(gap, interpolation, value, left, right)| Key { gap, interpolation, value, left, right },
    )
}

fn track(
    holds: Holds,
    gaps: RangeInclusive<u8>,
    dense: bool,
) -> impl Strategy<Value = (Property, TrackData)> {
    let count = if dense { 21..22 } else { 1..6 };
    let keys = prop::collection::vec(key(gaps), count);
    (0..sorts().len(), keys, 0..5_u8).prop_map(move |(sort, keys, shape)| {
        let (property, column) = sorts().swap_remove(sort);
        let data = data(&property, column, keys, shape, holds);
        (property, data)
    })
}

fn numbers(values: &Values, key: usize) -> [f64; 3] {
    match values.get(key) {
        Some(Value::Float3(vector)) => vector.map(f64::from),
        Some(Value::Double3(vector)) => vector,
        other => panic!("{other:?} is no vector"),
    }
}

fn data(
    property: &Property,
    column: fn(&[f64]) -> Values,
    mut keys: Vec<Key>,
    shape: u8,
    holds: Holds,
) -> TrackData {
    if holds == Holds::AllOrNone {
        let held = keys.iter_mut().filter(|key| key.interpolation == Interpolation::Hold);
        held.for_each(|key| key.interpolation = Interpolation::Linear);
    }
    let gaps = keys.iter().enumerate().map(|(at, key)| if at == 0 { 0 } else { key.gap });
    let times: Vec<f64> = gaps
        .scan(0.0, |time, gap| {
            *time += f64::from(gap) / 8.0;
            Some(*time)
        })
        .collect();
    let side = |of: fn(&Key) -> f64| column(&keys.iter().map(of).collect::<Vec<f64>>());
    let values = side(|key| key.value);
    let each = Interpolations::PerKey(keys.iter().map(|key| key.interpolation).collect());
    let handles = |of: fn(&Key) -> f64| -> Vec<Handle> {
        let keys = keys.iter().zip(&times);
        keys.flat_map(|(key, time)| [Handle { time: *time, value: of(key) }; 3]).collect()
    };
    let is_vector = values.kind().is_vector3() && *property != Property::Rotation;
    let data = match shape {
        0 => Ok(TrackData::uniform(0.5, values)),
        1 => TrackData::stepped(times, values),
        2 => {
            let linear = Interpolations::Shared(Interpolation::Linear);
            TrackData::curve(times, values, linear, None)
        }
        3 if is_vector => {
            let (mut left, mut right) = (handles(|key| key.left), handles(|key| key.right));
            // No segment uses the handles at the ends, and edits move them onto their keys.
            let last = times.len().saturating_sub(1);
            let on = |key: usize| {
                let time = times.get(key).copied().unwrap_or_default();
                numbers(&values, key).map(|value| Handle { time, value })
            };
            left.iter_mut().zip(on(0)).for_each(|(handle, on)| *handle = on);
            let behind = right.iter_mut().rev().zip(on(last).into_iter().rev());
            behind.for_each(|(handle, on)| *handle = on);
            TrackData::curve(times, values, each, Some(Tangents::Handles { left, right }))
        }
        _ => {
            let (left, right) = (side(|key| key.left), side(|key| key.right));
            TrackData::curve(times, values, each, Some(Tangents::Values { left, right }))
        }
    };
    data.expect("sorted times and columns of one length")
}

/// Returns a strategy for all 48 changes of axes.
pub(crate) fn axes() -> impl Strategy<Value = Axes> {
    let orders = ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"];
    (select(orders.to_vec()), any::<[bool; 3]>()).prop_map(|(order, minus)| {
        let parts = order.chars().zip(minus);
        let parts = parts.map(|(axis, minus)| if minus { format!("-{axis}") } else { axis.into() });
        parts.collect::<Vec<String>>().join(",").parse().expect("each axis once")
    })
}
