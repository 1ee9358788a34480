//! What plays on a node: one number or one rotation, whatever tracks make it.

mod curve;
mod shown;

use inbetween_core::{Animation, Axis, EulerOrder, Finding, Property, Rules, Text, Track};

use super::View;
use super::stated::concerns;
use curve::Curve;
pub(super) use shown::Shown;

/// What a channel animates. Vectors have a channel for each axis; rotations have one, whether they
/// are quaternions or angles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    node: Text,
    quantity: Quantity,
    /// How many channels of the same quantity and node came before.
    nth: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    Rotation,
    Axis(Property, Axis),
    Whole(Property),
}

/// What makes the values of a channel.
#[derive(Debug)]
enum Parts<'a> {
    /// A number or a value of any kind.
    One(Curve<'a>),
    /// Three angles, of which some may be missing.
    Euler(EulerOrder, Box<[Option<Curve<'a>>; 3]>),
    /// Nothing: the component of a vector whose other components are animated.
    Rest(f64),
}

/// One quantity of one node.
#[derive(Debug)]
pub(super) struct Channel<'a> {
    key: Key,
    parts: Parts<'a>,
    view: View,
    /// The factor of numbers.
    factor: f64,
}

/// How large the values near a time are, and how fast they change.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub(super) magnitude: f64,
    pub(super) slope: f64,
    /// The largest magnitude of the times at which the segments start.
    pub(super) start: f64,
    /// 1 between two integers, which round.
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

/// Returns the channels of all tracks that have keys.
pub(super) fn of(clip: &Animation, view: View) -> Vec<Channel<'_>> {
    let mut channels = Channels { list: Vec::new(), view };
    for (index, track) in clip.tracks.iter().enumerate() {
        if !track.data().is_empty() {
            channels.add(index, track, clip.rules);
        }
    }
    channels.list
}

/// Channels as they are put together.
struct Channels<'a> {
    list: Vec<Channel<'a>>,
    view: View,
}

impl<'a> Channels<'a> {
    fn add(&mut self, index: usize, track: &'a Track, rules: Rules) {
        let target = track.target();
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
                if let Some(free) = free_angle(&mut self.list, &node, *order, axis) {
                    *free = Some(curve(None));
                    return;
                }
                let mut angles = [None, None, None];
                angles[axis.index()] = Some(curve(None));
                self.push(&node, Quantity::Rotation, 1.0, Parts::Euler(*order, Box::new(angles)));
            }
            (property @ (Property::Translation | Property::Scale), component) => {
                for axis in Axis::ALL {
                    let part = match component {
                        None => Some(axis.index()),
                        Some(only) if only == axis => None,
                        Some(_) => continue,
                    };
                    let (axis, factor) = self.view.translation(axis);
                    let factor = if *property == Property::Scale { 1.0 } else { factor };
                    let quantity = Quantity::Axis(property.clone(), axis);
                    self.push(&node, quantity, factor, Parts::One(curve(part)));
                }
            }
            (property, _) => {
                let quantity = Quantity::Whole(property.clone());
                self.push(&node, quantity, 1.0, Parts::One(curve(None)));
            }
        }
    }

    fn push(&mut self, node: &Text, quantity: Quantity, factor: f64, parts: Parts<'a>) {
        let same =
            |channel: &&Channel<'_>| channel.key.node == *node && channel.key.quantity == quantity;
        let nth = self.list.iter().filter(same).count();
        let key = Key { node: node.clone(), quantity, nth };
        self.list.push(Channel { key, parts, view: self.view, factor });
    }
}

/// Returns the angle of an open rotation that a track of one component joins.
fn free_angle<'c, 'a>(
    channels: &'c mut [Channel<'a>],
    node: &Text,
    order: EulerOrder,
    axis: Axis,
) -> Option<&'c mut Option<Curve<'a>>> {
    let last = channels.iter_mut().rev().find(|channel| {
        channel.key.node == *node
            && matches!(&channel.parts, Parts::Euler(known, _) if *known == order)
    });
    match &mut last?.parts {
        Parts::Euler(_, angles) => Some(&mut angles[axis.index()]).filter(|angle| angle.is_none()),
        _ => None,
    }
}

/// Parts of the codes that say why a channel is not there under its name.
const GONE: [&str; 8] =
    ["dropped", "null", "name", "moved", "joined", "taken", "renamed", "not-finite"];

/// Returns each channel of the source with the channel of the result that it became.
pub(super) fn pairs<'a>(
    source: Vec<Channel<'a>>,
    mut result: Vec<Channel<'a>>,
    findings: &[Finding],
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
        let codes = findings.iter().filter(|finding| concerns(finding, &before));
        let codes: Vec<&str> = codes.map(|finding| finding.code.id()).collect();
        if !codes.iter().any(|code| GONE.iter().any(|word| code.contains(word))) {
            return Err(format!("{} is gone, and no finding names it", before.name()));
        }
        if codes.iter().any(|code| code.ends_with("track-dropped")) {
            continue;
        }
        // A channel of another name that nothing else became is the same one, renamed.
        let renamed = result.iter().position(|after| after.key.is_alike(&before.key));
        if let Some(index) = renamed {
            pairs.push((before, result.remove(index)));
        }
    }
    for after in result {
        let rest = after
            .key
            .rest()
            .filter(|_| pairs.iter().any(|(before, _)| before.key.is_sibling(&after.key)));
        let Some(rest) = rest else {
            return Err(format!("{} appeared", after.name()));
        };
        let (key, parts) = (after.key.clone(), Parts::Rest(rest));
        pairs.push((Channel { key, parts, view: after.view, factor: 1.0 }, after));
    }
    Ok(pairs)
}

impl Key {
    /// Says whether two channels can be the same one under another name.
    fn is_alike(&self, other: &Self) -> bool {
        match (&self.quantity, &other.quantity) {
            (Quantity::Whole(Property::Custom(_)), Quantity::Whole(Property::Custom(_))) => true,
            (one, other) => one == other,
        }
    }

    /// Says whether two channels are components of the same vector.
    fn is_sibling(&self, other: &Self) -> bool {
        match (&self.quantity, &other.quantity) {
            (Quantity::Axis(one, _), Quantity::Axis(another, _)) => {
                one == another && self.node == other.node
            }
            _ => false,
        }
    }

    /// Returns what a component shows that no track animates.
    fn rest(&self) -> Option<f64> {
        match &self.quantity {
            Quantity::Axis(property, _) => Some(property.component_at_rest()),
            _ => None,
        }
    }
}

impl<'a> Channel<'a> {
    pub(super) fn name(&self) -> String {
        let Key { node, quantity, nth } = &self.key;
        let what = match quantity {
            Quantity::Rotation => "rotation".into(),
            Quantity::Axis(property, axis) => format!("{}.{}", property.name(), axis.name()),
            Quantity::Whole(property) => property.name().into_owned(),
        };
        format!("{what:?} of {node:?}, number {nth} (tracks {:?})", self.tracks())
    }

    fn curves(&self) -> impl Iterator<Item = &Curve<'a>> {
        let (one, angles) = match &self.parts {
            Parts::One(curve) => (Some(curve), None),
            Parts::Euler(_, angles) => (None, Some(angles)),
            Parts::Rest(_) => (None, None),
        };
        one.into_iter().chain(angles.into_iter().flat_map(|angles| angles.iter()).flatten())
    }

    /// Returns the indices of the tracks that make the channel.
    pub(super) fn tracks(&self) -> Vec<usize> {
        let mut tracks: Vec<usize> = self.curves().map(|curve| curve.track).collect();
        tracks.dedup();
        tracks
    }

    /// Returns what the channel is stored as, to be compared and printed.
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

    /// Returns times at which curves turn.
    pub(super) fn extrema(&self) -> Vec<f64> {
        self.curves().flat_map(Curve::extrema).collect()
    }

    pub(super) fn shown(&self, time: f64) -> Shown {
        match self.played(time) {
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
        }
    }

    /// Returns what the tracks show, before an edit changes it.
    fn played(&self, time: f64) -> Shown {
        match &self.parts {
            Parts::One(curve) => curve.shown(time),
            Parts::Rest(number) => Shown::Numbers(vec![*number]),
            Parts::Euler(order, angles) => {
                let angle = |curve: &Option<Curve<'_>>| {
                    curve.as_ref().map_or(0.0, |curve| curve.shown(time).first())
                };
                let angles = [&angles[0], &angles[1], &angles[2]].map(angle);
                Shown::Rotation(order.quaternion(angles))
            }
        }
    }

    /// Returns what shows at a time and on both sides of every key near it.
    pub(super) fn shown_near(&self, time: f64, shift: f64) -> Vec<Shown> {
        let mut near = vec![time];
        for curve in self.curves() {
            near.extend(curve.sides(time, shift));
        }
        near.sort_by(f64::total_cmp);
        near.dedup();
        near.into_iter().map(|time| self.shown(time)).collect()
    }

    pub(super) fn extent(&self, time: f64, shift: f64) -> Extent {
        let extents = self.curves().map(|curve| {
            let extent = curve.extent(time, shift);
            let factor = self.factor.abs();
            Extent { magnitude: extent.magnitude * factor, slope: extent.slope * factor, ..extent }
        });
        match &self.parts {
            // Turns about three axes add up at most.
            Parts::Euler(..) => extents.fold(Extent::default(), |sum, each| Extent {
                magnitude: sum.magnitude + each.magnitude,
                slope: sum.slope + each.slope,
                ..sum.and(each)
            }),
            Parts::Rest(number) => Extent { magnitude: number.abs(), ..Extent::default() },
            Parts::One(_) => extents.fold(Extent::default(), Extent::and),
        }
    }
}
