//! Pairs clips, properties and markers by name.

use std::collections::{HashMap, HashSet};

use inbetween_core::clip_names::pair;
use inbetween_core::{Animation, Document, Marker, Property, Skeleton, Target, Track, TrackData};

use super::channel::{Channel, play};
use super::{
    Change, ClipChange, KeyComparison, MarkerChange, Rigor, TrackChange, heads, keys, same_time,
};

/// Compares two documents; equal clips are listed too.
///
/// Clips are paired by name, equal names in their order, and if each document has one clip, with each
/// other. Tracks are paired
/// by node and property; those that animate axes of one property, and rotations however they are
/// stored, are compared as a whole. Only targets that `chosen` returns true for are compared. Both
/// play by the rules of their clips, and axes without a track rest as the skeleton says.
///
/// # Examples
///
/// ```
/// use inbetween::comparison::{Change, Rigor, compare};
/// use inbetween::{Animation, Document, Property, Target, Track, TrackData};
///
/// let door = |open: f32| {
///     let data = TrackData::uniform(1.0, vec![[0.0; 3], [0.0, open, 0.0]]);
///     let track = Track::new(Target::new("door", Property::Translation), data)?;
///     Ok::<_, inbetween::core::TrackError>(Document::single(Animation::new(vec![track])))
/// };
/// let changes = compare(&door(2.0)?, &door(2.5)?, &|_| true, Rigor::within(1e-5));
/// let [Change::Changed(clip)] = &changes[..] else { return Err("one clip".into()) };
/// let [Change::Changed(track)] = &clip.tracks[..] else { return Err("one track".into()) };
/// assert_eq!(track.played.map(|played| (played.size, played.at)), Some((0.5, 1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare<'d>(
    before: &'d Document,
    after: &'d Document,
    chosen: &dyn Fn(&Target) -> bool,
    rigor: Rigor,
) -> Vec<Change<ClipChange>> {
    let mut changes = Vec::new();
    // A file without a rest pose is compared on that of the other.
    let (own, other_own) = (before.skeleton.as_ref(), after.skeleton.as_ref());
    let skeletons = [own.or(other_own), other_own.or(own)];
    let names = |document: &'d Document| {
        document.clips.iter().map(|clip| clip.name.as_deref()).collect::<Vec<_>>()
    };
    let pairs = pair(&names(before), &names(after));
    for (clip, partner) in before.clips.iter().zip(&pairs) {
        match partner.and_then(|index| after.clips.get(index)) {
            Some(other) => {
                changes.push(Change::Changed(clip_change([clip, other], skeletons, chosen, rigor)));
            }
            None => changes.push(Change::Removed(alone(clip))),
        }
    }
    let paired: HashSet<usize> = pairs.into_iter().flatten().collect();
    let added = after.clips.iter().enumerate().filter(|(index, _)| !paired.contains(index));
    changes.extend(added.map(|(_, clip)| Change::Added(alone(clip))));
    changes
}

fn alone(clip: &Animation) -> ClipChange {
    ClipChange { name: clip.name.as_deref().map(str::to_owned), ..ClipChange::default() }
}

fn clip_change(
    [before, after]: [&Animation; 2],
    [skeleton, other_skeleton]: [Option<&Skeleton>; 2],
    chosen: &dyn Fn(&Target) -> bool,
    rigor: Rigor,
) -> ClipChange {
    let mut change = alone(before);
    change.heads = heads(before, after);
    change.markers = markers(&before.markers, &after.markers);
    let end = before.effective_duration().max(after.effective_duration());
    let one = channels(before, skeleton, chosen);
    let other = channels(after, other_skeleton, chosen);
    for (key, channel) in one.list {
        let place = other.index.get(&key).and_then(|index| other.list.get(*index));
        let Some((_, partner)) = place else {
            change.tracks.push(Change::Removed(key.change([channel.keys(), 0])));
            continue;
        };
        match track_change(&key, [&channel, partner], end, rigor) {
            Some(track) => change.tracks.push(Change::Changed(track)),
            None => change.equal = change.equal.saturating_add(1),
        }
    }
    let added = other.list.iter().filter(|(key, _)| !one.index.contains_key(key));
    let added = added.map(|(key, channel)| Change::Added(key.change([0, channel.keys()])));
    change.tracks.extend(added);
    change
}

/// The key by which a property of a node is found. Quaternions and Euler angles share one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    node: Option<String>,
    property: String,
}

impl Key {
    fn of(target: &Target) -> Self {
        let property = match &target.property {
            Property::RotationEuler(_) => Property::Rotation.name().into_owned(),
            property => property.name().into_owned(),
        };
        Self { node: target.node.as_deref().map(str::to_owned), property }
    }

    fn change(&self, keys: [usize; 2]) -> TrackChange {
        let Self { node, property } = self.clone();
        TrackChange { node, property, keys, ..TrackChange::default() }
    }
}

/// The properties of a clip, in file order.
struct Channels<'d> {
    list: Vec<(Key, Channel<'d>)>,
    index: HashMap<Key, usize>,
}

/// Returns the properties that have keys.
fn channels<'d>(
    clip: &'d Animation,
    skeleton: Option<&Skeleton>,
    chosen: &dyn Fn(&Target) -> bool,
) -> Channels<'d> {
    let mut found = Channels { list: Vec::new(), index: HashMap::new() };
    let tracks = clip.tracks.iter().filter(|track| !track.data().is_empty());
    for track in tracks.filter(|track| chosen(track.target())) {
        let key = Key::of(track.target());
        let known = found.index.get(&key).and_then(|index| found.list.get_mut(*index));
        if let Some((_, channel)) = known {
            channel.push(track);
        } else {
            found.index.insert(key.clone(), found.list.len());
            found.list.push((key, Channel::new(clip, track, skeleton)));
        }
    }
    found
}

/// Compares two properties; returns `None` if no difference exceeds the tolerance.
fn track_change(
    key: &Key,
    [before, after]: [&Channel<'_>; 2],
    end: f64,
    rigor: Rigor,
) -> Option<TrackChange> {
    let mut change = key.change([before.keys(), after.keys()]);
    let blend = |channel: &Channel<'_>| {
        let first = channel.tracks().next().map(|track| track.target().blend);
        first.unwrap_or_default()
    };
    let (one, other) = (blend(before), blend(after));
    change.blends = (one != other).then(|| [one.name(), other.name()]);
    let (one, other) = (keys_of(before), keys_of(after));
    let alike = one.len() == other.len();
    let pairs = || one.iter().zip(&other).filter(|_| alike);
    let times = pairs().map(|(one, other)| keys::time_difference(one, other));
    let times: Option<Vec<f64>> = times.collect();
    let time = times.map(|times| times.into_iter().fold(0.0, f64::max)).filter(|_| alike);
    change.time = time.filter(|time| !same_time(*time, 0.0));
    if rigor.keys == KeyComparison::Exact {
        let first = pairs().find_map(|(one, other)| keys::first_difference(one, other));
        change.first_key = if alike { first } else { Some(0) };
    }
    change.played = play(before, after, end, rigor.tolerance);
    let counts = change.played.is_some() || change.blends.is_some() || change.first_key.is_some();
    let kinds = [before.kind(), after.kind()].map(|kind| kind.map_or("none", |kind| kind.name()));
    change.kinds = (kinds[0] != kinds[1]).then_some(kinds);
    counts.then_some(change)
}

fn keys_of<'d>(channel: &Channel<'d>) -> Vec<&'d TrackData> {
    channel.tracks().map(Track::data).collect()
}

/// Pairs markers by name, and those with the same name by order.
fn markers(before: &[Marker], after: &[Marker]) -> Vec<Change<MarkerChange>> {
    let mut open: HashMap<&str, Vec<&Marker>> = HashMap::new();
    for marker in after.iter().rev() {
        open.entry(&marker.name).or_default().push(marker);
    }
    let change = |marker: &Marker, times| MarkerChange { name: marker.name.to_string(), times };
    let mut changes = Vec::new();
    for marker in before {
        match open.get_mut(&*marker.name).and_then(Vec::pop) {
            None => changes.push(Change::Removed(change(marker, [marker.time; 2]))),
            Some(other) if same_time(marker.time, other.time) => {}
            Some(other) => {
                changes.push(Change::Changed(change(marker, [marker.time, other.time])));
            }
        }
    }
    let mut added: Vec<&Marker> = open.into_values().flatten().collect();
    added.sort_by(|a, b| a.time.total_cmp(&b.time).then_with(|| a.name.cmp(&b.name)));
    changes.extend(added.into_iter().map(|marker| Change::Added(change(marker, [marker.time; 2]))));
    changes
}
