//! A channel: one number or one rotation of a node, for any tracks that form it.

mod curve;
mod shown;

use inbetween_core::{Animation, Axis, Blend, EulerOrder, Property, Rules, Text, Track};

use super::excuses::{NOT_FINITE, TRACK_RENAMED, has_code};
use super::stated::Lost;
use super::{Blends, Playing, Reports, RestPose, View};
use curve::Curve;
pub(super) use shown::Shown;
pub(crate) use shown::numbers;

/// The identity of a channel. Vectors have a channel per axis. Rotations have one, whether they are
/// quaternions or Euler angles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    node: Text,
    quantity: Quantity,
    /// The number of earlier channels of the same quantity and node.
    nth: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    Rotation,
    Axis(Property, Axis),
    Whole(Property),
}

/// The number of combinations of the sides of jumps of three angles that are tried. With more jumps
/// near a time, all angles are on the same side.
const COMBINATIONS: usize = 1_000;

/// The tracks that form a channel.
#[derive(Debug)]
enum Parts<'a> {
    /// A number or a value of any kind.
    One(Curve<'a>),
    /// Three angles, of which some may be missing.
    Euler(EulerOrder, Box<[Option<Curve<'a>>; 3]>),
    /// None: the component of a vector whose other components are animated, or a part of the rest
    /// pose.
    Rest(Shown),
}

/// One quantity of one node.
#[derive(Debug)]
pub(super) struct Channel<'a> {
    key: Key,
    parts: Parts<'a>,
    /// The first of the tracks of single components that form a vector or a rotation. Joining them
    /// is reported there.
    joined_at: Option<usize>,
    /// The times around keys that are NaN or infinite, of components that form one vector with this
    /// one as well.
    gaps: Vec<Gap>,
    blend: Blend,
    rest: Option<RestPose>,
    view: View,
    /// The factor of numbers.
    factor: f64,
}

/// The times from the last finite key before a key that is NaN or infinite to the first one after
/// it; infinite if there is none.
#[derive(Clone, Copy, Debug)]
struct Gap {
    start: f64,
    end: f64,
    /// The time of the second key, if it is the one that is not finite: on the frame of the first
    /// key it replaces that key, which then no longer shows before it.
    second: Option<f64>,
}

/// The size of the values near a time, and the speed at which they change.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub(super) magnitude: f64,
    pub(super) slope: f64,
    /// The largest magnitude of the times at which the segments start and end, and of their lengths.
    pub(super) start: f64,
    /// 1 between two integers, which are rounded; otherwise 0.
    pub(super) whole_numbers: f64,
}

impl Extent {
    fn and(self, other: Self) -> Self {
        Self {
            magnitude: self.magnitude.max(other.magnitude),
            slope: self.slope.max(other.slope),
            start: self.start.max(other.start),
            whole_numbers: self.whole_numbers.max(other.whole_numbers),
        }
    }
}

/// Returns the channels of all tracks that have keys, except those of lost tracks.
///
/// A vector with tracks of single components has a channel for each of its axes, since some formats
/// store it whole.
pub(super) fn of<'a>(clip: &'a Animation, playing: Playing, lost: &Lost) -> Vec<Channel<'a>> {
    let blend = Blend::Absolute;
    let mut channels = Channels { list: Vec::new(), open: Vec::new(), blend, playing };
    for (index, track) in clip.tracks.iter().enumerate() {
        if !track.data().is_empty() && !lost.alone.contains(&index) {
            channels.add(index, track, clip.rules);
        }
    }
    channels.list.retain(|channel| !lost.joined.iter().any(|track| channel.is_of(*track)));
    number(&mut channels.list);
    share_gaps(&mut channels.list);
    channels.list
}

/// Channels under construction.
struct Channels<'a> {
    list: Vec<Channel<'a>>,
    /// The vectors with tracks of single components, as the indices of the channels of their axes.
    open: Vec<Vector>,
    /// The blend of the current track.
    blend: Blend,
    playing: Playing,
}

/// A vector with tracks of single components, all with the same blend.
struct Vector {
    node: Text,
    property: Property,
    blend: Blend,
    places: [usize; 3],
}

impl<'a> Channels<'a> {
    fn add(&mut self, index: usize, track: &'a Track, rules: Rules) {
        let target = track.target();
        if self.playing.blends == Blends::Stay {
            self.blend = target.blend;
        }
        let rules = rules.of(&target.property);
        let curve = |part| Curve::new(index, track, rules, part);
        let node = target.node.clone().unwrap_or_default();
        match (&target.property, target.component) {
            (Property::Rotation, _) => {
                self.push(&node, Quantity::Rotation, 1.0, Parts::One(curve(None)));
            }
            (Property::RotationEuler(order), None) => {
                let angles = Axis::ALL.map(|axis| Some(curve(Some(axis.index()))));
                self.push(&node, Quantity::Rotation, 1.0, Parts::Euler(*order, Box::new(angles)));
            }
            (Property::RotationEuler(order), Some(axis)) => {
                if let Some(free) = free_angle(&mut self.list, (&node, self.blend), *order, axis) {
                    *free = Some(curve(None));
                    return;
                }
                let mut angles = [None, None, None];
                angles[axis.index()] = Some(curve(None));
                self.push(&node, Quantity::Rotation, 1.0, Parts::Euler(*order, Box::new(angles)));
                self.join_last(index);
            }
            (property, None) if track.data().kind().is_vector3() => {
                for axis in Axis::ALL {
                    self.axis(&node, property, axis, Parts::One(curve(Some(axis.index()))));
                }
            }
            (property, Some(axis)) => {
                self.component(&node, property, axis, curve(None));
            }
            (property, None) => {
                let quantity = Quantity::Whole(property.clone());
                self.push(&node, quantity, 1.0, Parts::One(curve(None)));
            }
        }
    }

    /// Adds the channel of an axis of a vector.
    fn axis(&mut self, node: &Text, property: &Property, axis: Axis, parts: Parts<'a>) {
        let (turned, factor) = self.playing.view.translation(axis);
        let (axis, factor) = match property {
            Property::Translation => (turned, factor),
            Property::Scale => (turned, 1.0),
            // These components are not axes of space.
            _ => (axis, 1.0),
        };
        self.push(node, Quantity::Axis(property.clone(), axis), factor, parts);
    }

    /// Adds a track of one component to the last vector that lacks it, or to a new one.
    fn component(&mut self, node: &Text, property: &Property, axis: Axis, curve: Curve<'a>) {
        let blend = self.blend;
        let same = |vector: &&Vector| {
            vector.node == *node && vector.property == *property && vector.blend == blend
        };
        if let Some(vector) = self.open.iter().rev().find(same) {
            let channel = &mut self.list[vector.places[axis.index()]];
            if matches!(channel.parts, Parts::Rest(_)) {
                channel.parts = Parts::One(curve);
                return;
            }
        }
        let (first, start) = (curve.track, self.list.len());
        for each in Axis::ALL {
            self.axis(node, property, each, Parts::Rest(self.component_at_rest(property, each)));
            self.join_last(first);
        }
        let places = [start, start + 1, start + 2];
        self.list[places[axis.index()]].parts = Parts::One(curve);
        self.open.push(Vector { node: node.clone(), property: property.clone(), blend, places });
    }

    /// Returns the value of a component of a vector without a track.
    fn component_at_rest(&self, property: &Property, axis: Axis) -> Shown {
        match self.playing.rest {
            Some(rest) => rest.shown(&Quantity::Axis(property.clone(), axis)),
            None => Shown::Numbers(vec![property.component_at_rest()]),
        }
    }

    /// Records that the last channel is formed by several tracks, of which this is the first.
    fn join_last(&mut self, first: usize) {
        if let Some(channel) = self.list.last_mut() {
            channel.joined_at = Some(first);
        }
    }

    fn push(&mut self, node: &Text, quantity: Quantity, factor: f64, parts: Parts<'a>) {
        let key = Key { node: node.clone(), quantity, nth: 0 };
        let (blend, Playing { rest, view, .. }) = (self.blend, self.playing);
        let (joined_at, gaps) = (None, Vec::new());
        self.list.push(Channel { key, parts, joined_at, gaps, blend, rest, view, factor });
    }
}

/// Numbers the channels of the same quantity and node.
fn number(channels: &mut [Channel<'_>]) {
    for index in 1..channels.len() {
        let (before, rest) = channels.split_at_mut(index);
        let Some(Channel { key, .. }) = rest.first_mut() else { return };
        let same =
            |other: &&Channel<'_>| other.key.node == key.node && other.key.quantity == key.quantity;
        key.nth = before.iter().filter(same).count();
    }
}

/// Gives the channels of joined components the gaps of all of them: a key of the joined track is
/// dropped because of any component.
fn share_gaps(channels: &mut [Channel<'_>]) {
    let own: Vec<(Option<usize>, Vec<Gap>)> = channels
        .iter()
        .map(|channel| (channel.joined_at, channel.curves().flat_map(Curve::gaps).collect()))
        .collect();
    for (index, channel) in channels.iter_mut().enumerate() {
        let joined = |(other, (first, _)): &(usize, &(Option<usize>, _))| {
            *other == index || (first.is_some() && *first == channel.joined_at)
        };
        let gaps = own.iter().enumerate().filter(joined).flat_map(|(_, (_, gaps))| gaps);
        channel.gaps = gaps.copied().collect();
    }
}

/// Returns the angle of an open rotation that a track of one component joins.
fn free_angle<'c, 'a>(
    channels: &'c mut [Channel<'a>],
    (node, blend): (&Text, Blend),
    order: EulerOrder,
    axis: Axis,
) -> Option<&'c mut Option<Curve<'a>>> {
    let last = channels.iter_mut().rev().find(|channel| {
        channel.key.node == *node
            && channel.blend == blend
            && matches!(&channel.parts, Parts::Euler(known, _) if *known == order)
    });
    match &mut last?.parts {
        Parts::Euler(_, angles) => Some(&mut angles[axis.index()]).filter(|angle| angle.is_none()),
        _ => None,
    }
}

/// Returns each channel of the source with the corresponding channel of the result.
pub(super) fn pairs<'a>(
    source: Vec<Channel<'a>>,
    mut result: Vec<Channel<'a>>,
    rest: Option<RestPose>,
    reports: Reports<'_>,
) -> Result<Vec<(Channel<'a>, Channel<'a>)>, String> {
    let mut pairs = Vec::with_capacity(source.len());
    let mut gone = Vec::new();
    for before in source {
        match result.iter().position(|after| after.key == before.key) {
            Some(index) => pairs.push((before, result.remove(index))),
            None => gone.push(before),
        }
    }
    for before in gone {
        let has = |ids| reports.of_channel(&before).any(|finding| has_code(finding, ids));
        // A remaining channel of another name is the same channel, renamed.
        let spelled = |after: &Channel<'a>| after.key.is_spelled_as(&before.key);
        let alike = |after: &Channel<'a>| {
            after.key.is_alike(&before.key) && (!before.is_at_rest() || spelled(after))
        };
        let renamed = result.iter().position(|after| alike(after) && spelled(after));
        let renamed = renamed.or_else(|| result.iter().position(alike));
        match renamed.filter(|_| has(TRACK_RENAMED)) {
            Some(index) => pairs.push((before, result.remove(index))),
            None if before.is_at_rest() => {}
            None if before.is_never_finite() && has(NOT_FINITE) => {}
            None => return Err(format!("{} is gone, and no finding names it", before.name())),
        }
    }
    if let Some(rest) = rest {
        let resting = |after: &Channel<'a>| Channel::resting(after.key.clone(), rest);
        pairs.extend(result.drain(..).map(|after| (resting(&after), after)));
    }
    // An axis without a track is at rest, whether the vector is stored whole or not.
    match result.into_iter().find(|after| !after.is_at_rest()) {
        Some(after) => Err(format!("{} appeared", after.name())),
        None => Ok(pairs),
    }
}

impl Key {
    /// Returns whether two nodes have the same name, ignoring case, as in X4, and the characters
    /// that BVH replaces.
    fn is_spelled_as(&self, other: &Self) -> bool {
        let spelled = |key: &Self| {
            let breaks = ['\n', '\r', '{', '}'];
            key.node.replace(breaks, "_").trim().to_ascii_lowercase()
        };
        spelled(self) == spelled(other)
    }

    /// Returns whether two channels can be the same channel with different names.
    fn is_alike(&self, other: &Self) -> bool {
        use Property::Custom;
        use Quantity::{Axis, Whole};
        match (&self.quantity, &other.quantity) {
            (Whole(Custom(_)), Whole(Custom(_))) => true,
            (Axis(Custom(_), one), Axis(Custom(_), other)) => one == other,
            (one, other) => one == other,
        }
    }
}

impl<'a> Channel<'a> {
    /// Creates the channel of a node without a track.
    fn resting(key: Key, rest: RestPose) -> Self {
        let parts = Parts::Rest(rest.shown(&key.quantity));
        Self {
            key,
            parts,
            joined_at: None,
            gaps: Vec::new(),
            blend: Blend::Absolute,
            rest: Some(rest),
            view: View::IDENTITY,
            factor: 1.0,
        }
    }

    /// Returns the blend of the tracks of the channel.
    pub(super) const fn blend(&self) -> Blend {
        self.blend
    }

    pub(super) fn name(&self) -> String {
        let Key { node, quantity, nth } = &self.key;
        let what = match quantity {
            Quantity::Rotation => "rotation".into(),
            Quantity::Axis(property, axis) => format!("{}.{}", property.name(), axis.name()),
            Quantity::Whole(property) => property.name().into_owned(),
        };
        format!("{what:?} of {node:?}, number {nth} (tracks {:?})", self.tracks())
    }

    /// Returns whether the channel has no track.
    pub(super) fn is_at_rest(&self) -> bool {
        matches!(self.parts, Parts::Rest(_))
    }

    /// Returns whether the channel is formed by Euler angles.
    pub(super) const fn is_euler(&self) -> bool {
        matches!(self.parts, Parts::Euler(..))
    }

    /// Returns whether the channel is formed by a track, or by tracks that are joined to it.
    pub(super) fn is_of(&self, track: usize) -> bool {
        self.tracks().contains(&track) || self.joined_at == Some(track)
    }

    /// Returns the track at which the joining of the channel's components is reported.
    pub(super) const fn joined_at(&self) -> Option<usize> {
        self.joined_at
    }

    fn curves(&self) -> impl Iterator<Item = &Curve<'a>> {
        let (one, angles) = match &self.parts {
            Parts::One(curve) => (Some(curve), None),
            Parts::Euler(_, angles) => (None, Some(angles)),
            Parts::Rest(_) => (None, None),
        };
        one.into_iter().chain(angles.into_iter().flat_map(|angles| angles.iter()).flatten())
    }

    /// Returns the indices of the tracks that form the channel.
    pub(super) fn tracks(&self) -> Vec<usize> {
        let mut tracks: Vec<usize> = self.curves().map(|curve| curve.track).collect();
        tracks.dedup();
        tracks
    }

    /// Returns a description of how the channel is stored, to compare and print.
    pub(super) fn representation(&self) -> String {
        let curves: Vec<String> = self.curves().map(Curve::representation).collect();
        match &self.parts {
            Parts::One(_) => curves.join(", "),
            Parts::Euler(order, _) => format!("angles {order:?} of {}", curves.join(", ")),
            Parts::Rest(_) => "nothing".into(),
        }
    }

    pub(super) fn is_narrow_time(&self) -> bool {
        self.curves().any(Curve::is_narrow_time)
    }

    pub(super) fn is_narrow_value(&self) -> bool {
        self.curves().any(Curve::is_narrow_value)
    }

    /// Returns the times of all keys.
    pub(super) fn times(&self) -> Vec<f64> {
        self.curves().flat_map(|curve| curve.times.iter().copied()).collect()
    }

    /// Returns the times of extrema of curves.
    pub(super) fn extrema(&self) -> Vec<f64> {
        self.curves().flat_map(Curve::extrema).collect()
    }

    pub(super) fn shown(&self, time: f64) -> Shown {
        self.shown_at([time; 3])
    }

    /// Returns the value when each of three angles is evaluated at its own time; other channels use
    /// the first time.
    fn shown_at(&self, times: [f64; 3]) -> Shown {
        let played = match self.played(times) {
            Shown::Rotation(rotation) if self.key.quantity == Quantity::Rotation => {
                Shown::Rotation(self.view.rotation(rotation))
            }
            Shown::Numbers(mut numbers) if self.factor != 1.0 => {
                for number in &mut numbers {
                    *number *= self.factor;
                }
                Shown::Numbers(numbers)
            }
            other => other,
        };
        match self.rest {
            Some(rest) if self.blend != Blend::Absolute && !self.is_at_rest() => {
                rest.blended(&self.key.quantity, played)
            }
            _ => played,
        }
    }

    /// Returns the value of the tracks, before the promised change.
    fn played(&self, times: [f64; 3]) -> Shown {
        match &self.parts {
            Parts::One(curve) => curve.shown(times[0]),
            Parts::Rest(shown) => shown.clone(),
            Parts::Euler(order, angles) => {
                let rest = self.rest.filter(|_| self.blend == Blend::Absolute);
                let rest = rest.map_or([0.0; 3], |rest| order.angles(rest.rotation, None));
                let angle = |axis: usize| {
                    let curve = angles[axis].as_ref();
                    curve.map_or(rest[axis], |curve| curve.shown(times[axis]).first())
                };
                Shown::Rotation(order.quaternion([0, 1, 2].map(angle)))
            }
        }
    }

    /// Returns whether a time is between the finite keys around one that is NaN or infinite.
    pub(super) fn is_in_gap(&self, time: f64, shift: f64) -> bool {
        self.gaps.iter().any(|gap| {
            let replaces = gap.second.is_some_and(|second| second - gap.start <= shift);
            let start = if replaces { f64::NEG_INFINITY } else { gap.start - shift };
            (start..=gap.end + shift).contains(&time)
        })
    }

    /// Returns whether no key is finite.
    pub(super) fn is_never_finite(&self) -> bool {
        let mut gaps = self.gaps.clone();
        gaps.sort_by(|one, other| one.start.total_cmp(&other.start));
        let mut end = f64::NEG_INFINITY;
        for gap in gaps {
            if gap.start > f64::NEG_INFINITY && gap.start >= end {
                return false;
            }
            end = end.max(gap.end);
        }
        end == f64::INFINITY
    }

    /// Returns the values at a time, and before and after every key near it.
    pub(super) fn shown_near(&self, time: f64, shift: f64) -> Vec<Shown> {
        let sides = |curve: &Curve<'_>| {
            let mut near = curve.sides(time, shift);
            near.push(time);
            near.sort_by(f64::total_cmp);
            near.dedup();
            near
        };
        let near: Vec<f64> = self.curves().flat_map(sides).collect();
        let mut shown: Vec<Shown> = near.iter().map(|time| self.shown(*time)).collect();
        if let Parts::Euler(_, angles) = &self.parts {
            // Each angle may be before or after its own jumps.
            let of = |angle: &Option<Curve<'_>>| angle.as_ref().map_or(vec![time], sides);
            let [x, y, z] = angles.each_ref().map(of);
            if x.len() * y.len() * z.len() <= COMBINATIONS {
                let pairs = x.iter().flat_map(|x| y.iter().map(move |y| (*x, *y)));
                let triples = pairs.flat_map(|(x, y)| z.iter().map(move |z| [x, y, *z]));
                shown.extend(triples.map(|times| self.shown_at(times)));
            }
        }
        shown
    }

    pub(super) fn extent(&self, time: f64, shift: f64) -> Extent {
        let extents = self.curves().map(|curve| {
            let extent = curve.extent(time, shift);
            let factor = self.factor.abs();
            Extent { magnitude: extent.magnitude * factor, slope: extent.slope * factor, ..extent }
        });
        let extent = match &self.parts {
            // The angles of rotations about three axes add up at most.
            Parts::Euler(..) => extents.fold(Extent::default(), |sum, each| Extent {
                magnitude: sum.magnitude + each.magnitude,
                slope: sum.slope + each.slope,
                ..sum.and(each)
            }),
            Parts::Rest(shown) => Extent { magnitude: shown.magnitude(), ..Extent::default() },
            Parts::One(_) => extents.fold(Extent::default(), Extent::and),
        };
        match self.rest {
            Some(rest) if self.blend != Blend::Absolute => rest.extent(&self.key.quantity, extent),
            _ => extent,
        }
    }
}
