//! Joins single Euler angles into whole rotations.

use std::collections::HashMap;

use inbetween_core::{
    Baker, Blend, EulerOrder, Grid, Property, Target, Text, Track, TrackData, codes as shared,
};

use crate::EditError;
use crate::work::Work;

/// Joins the single angles of each requested node, and reports it.
///
/// Angles that do not form a single rotation stay unchanged: two tracks of an axis, angles of two
/// orders or blends, and angles next to a whole rotation.
pub(crate) fn join_angles(
    tracks: Vec<Track>,
    asked: impl Fn(&Target) -> bool,
    work: &mut Work<'_>,
) -> Result<Vec<Track>, EditError> {
    let nodes = nodes(&tracks, asked);
    if nodes.is_empty() {
        return Ok(tracks);
    }
    let mut joined = Vec::with_capacity(tracks.len());
    let mut rest: Vec<Option<Track>> = tracks.into_iter().map(Some).collect();
    for index in 0..rest.len() {
        let Some(track) = rest.get_mut(index).and_then(Option::take) else { continue };
        let Some(angles) = nodes.get(&node(&track)).filter(|_| is_angle(&track)) else {
            joined.push(track);
            continue;
        };
        let target = Target { component: None, ..track.target().clone() };
        let mut parts = [None, None, None];
        for (part, place) in parts.iter_mut().zip(angles.places) {
            let other = place.and_then(|place| rest.get_mut(place)).and_then(Option::take);
            *part = other.map(|track| track.into_parts().1);
        }
        let axis = track.target().component;
        if let Some(part) = axis.and_then(|axis| parts.get_mut(axis.index())) {
            *part = Some(track.into_parts().1);
        }
        work.findings.enter_track(joined.len(), &target);
        let rules = work.clip_rules();
        let maker = Baker::new(Grid::Bound(work.bound()));
        let (rest, budget) = ([0.0; 3], &work.budget);
        let baked = maker.join_quaternions(angles.order, &parts, rest, rules, &mut budget.lock());
        let baked = work.baking(baked)?;
        let keys = parts.iter().flatten().map(TrackData::len).max().unwrap_or(0);
        work.say_baked(shared::EULER_BAKED, keys, &baked);
        let target = Target { property: Property::Rotation, ..target };
        joined.push(Track::new(target, baked.data)?);
    }
    work.findings.leave();
    Ok(joined)
}

/// The tracks of the angles of a node, per axis.
#[derive(Debug)]
struct Angles {
    order: EulerOrder,
    blend: Blend,
    places: [Option<usize>; 3],
}

/// Returns the nodes whose single angles form one rotation.
fn nodes(tracks: &[Track], asked: impl Fn(&Target) -> bool) -> HashMap<Text, Angles> {
    let mut nodes: HashMap<Text, Option<Angles>> = HashMap::new();
    for (place, track) in tracks.iter().enumerate() {
        let target = track.target();
        let order = match target.property {
            Property::RotationEuler(order) => Some(order),
            Property::Rotation => None,
            _ => continue,
        };
        let node = node(track);
        if !asked(target) {
            continue;
        }
        let (Some(order), Some(axis)) = (order, target.component) else {
            nodes.insert(node, None);
            continue;
        };
        let angles = nodes.entry(node).or_insert(Some(Angles {
            order,
            blend: target.blend,
            places: [None; 3],
        }));
        let known =
            angles.as_mut().filter(|known| (known.order, known.blend) == (order, target.blend));
        match known.and_then(|known| known.places.get_mut(axis.index())) {
            Some(free @ None) => *free = Some(place),
            _ => *angles = None,
        }
    }
    nodes.into_iter().filter_map(|(node, angles)| Some((node, angles?))).collect()
}

fn node(track: &Track) -> Text {
    track.target().node.clone().unwrap_or_default()
}

fn is_angle(track: &Track) -> bool {
    let target = track.target();
    matches!(target.property, Property::RotationEuler(_)) && target.component.is_some()
}
