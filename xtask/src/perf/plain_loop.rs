//! The baseline of baking, reducing and comparing: a plain loop that plays source and result at the
//! keys of both and at seven times between neighbors, and keeps the largest difference.

use std::collections::HashMap;

use inbetween::core::Text;
use inbetween::core::{Axis, PlaybackCursor, Rules};
use inbetween::{Animation, Document, Property, Quat};
use inbetween::{Track, Value};

use super::table::{Took, timed};

/// The tracks of one property of one node, one or one per axis, and how they are played.
type Channel<'a> = Vec<(&'a Track, Rules, PlaybackCursor)>;

/// Returns how long the loop takes.
pub(super) fn playing(source: &Document, result: &Document) -> Took {
    timed(|| {
        let mut largest = 0.0_f64;
        for (source, result) in source.clips.iter().zip(&result.clips) {
            let mut results = channels(result);
            for (key, source) in &mut channels(source) {
                if let Some(result) = results.get_mut(key) {
                    largest = largest.max(difference(source, result, &key.1));
                }
            }
        }
        Ok(largest)
    })
}

/// Returns how many keys the channels have; keys of several axes at one time are one.
pub(super) fn keys(document: &Document) -> usize {
    let channels = document.clips.iter().flat_map(channels);
    channels.map(|(_, channel)| times([&channel, &Vec::new()]).len()).sum()
}

fn channels(clip: &Animation) -> HashMap<(Option<Text>, Property), Channel<'_>> {
    let mut channels = HashMap::<_, Channel<'_>>::new();
    for track in &clip.tracks {
        let target = track.target();
        let property = match &target.property {
            Property::RotationEuler(_) => Property::Rotation,
            property => property.clone(),
        };
        let player = (track, clip.rules.of(&target.property), PlaybackCursor::default());
        channels.entry((target.node.clone(), property)).or_default().push(player);
    }
    channels
}

/// Returns the times at which either channel has a key.
fn times(channels: [&Channel<'_>; 2]) -> Vec<f64> {
    let tracks = channels.into_iter().flatten();
    let mut times: Vec<f64> = tracks.flat_map(|(track, ..)| track.data().times()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

fn difference(source: &mut Channel<'_>, result: &mut Channel<'_>, property: &Property) -> f64 {
    let times = times([source, result]);
    let mut largest = 0.0_f64;
    for (start, end) in times.iter().zip(times.iter().skip(1).chain(times.last())) {
        for step in 0..8 {
            let time = start + (end - start) * f64::from(step) / 8.0;
            let (one, two) = (play(source, time), play(result, time));
            let difference = match property {
                Property::Rotation => Quat::from_array(one).angle_to(Quat::from_array(two)),
                _ => one.iter().zip(two).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max),
            };
            largest = largest.max(difference);
        }
    }
    largest
}

fn play(channel: &mut Channel<'_>, time: f64) -> [f64; 4] {
    let (mut shown, mut order) = ([0.0; 4], None);
    for (track, rules, cursor) in channel {
        let target = track.target();
        if let Property::RotationEuler(of_angles) = target.property {
            order = Some(of_angles);
        }
        match rules.sample_from(track.data(), cursor, time) {
            Some(Value::FloatQ(rotation)) => shown = rotation.to_array().map(f64::from),
            Some(Value::Float3([x, y, z])) => shown = [x, y, z, 0.0].map(f64::from),
            Some(Value::Float(x)) => shown[target.component.map_or(0, Axis::index)] = x.into(),
            _ => {}
        }
    }
    let [x, y, z, _] = shown;
    order.map_or(shown, |order| order.quaternion([x, y, z]).to_array())
}
