//! Converts tracks to curves.

use std::collections::HashMap;
use std::rc::Rc;

use inbetween_core::Framer;
use inbetween_core::{
    Axis, Blend, Context, Finding, Property, Quat, Target, Text, Track, TrackData, Values,
    WriteError, codes as shared, narrow, shown,
};

use super::blend::Kind;
use crate::codes;
use crate::curve::Channel;

/// The values of a curve, at the width that the format stores.
pub(super) enum CurveValues {
    Numbers(Vec<f32>),
    /// The values of three curves, one per axis.
    Vectors(Vec<[f32; 3]>),
    /// Quaternions x y z w.
    Rotations(Vec<[f32; 4]>),
}

/// A curve to write, or the three curves of a vector, with at least one key.
pub(super) struct Curve {
    pub(super) node: Text,
    /// The channel; that of the X axis for the three curves of a vector.
    pub(super) channel: Channel,
    pub(super) blend: Blend,
    /// In order. Most curves share them with the curve before.
    pub(super) frames: Rc<[u32]>,
    pub(super) values: CurveValues,
    /// The index of its track among the written tracks.
    pub(super) track: usize,
}

impl Curve {
    /// Adds a key with the value of the last one.
    pub(super) fn hold_until(&mut self, frame: u32) {
        match &mut self.values {
            CurveValues::Numbers(values) => values.extend(values.last().copied()),
            CurveValues::Vectors(values) => values.extend(values.last().copied()),
            CurveValues::Rotations(values) => values.extend(values.last().copied()),
        }
        self.frames = self.frames.iter().copied().chain([frame]).collect();
    }

    /// Returns the curve of another axis with the same frames and without effect.
    fn at_rest(&self, axis: Axis) -> Self {
        let rest = if matches!(self.channel, Channel::Scale(_)) { 1.0 } else { 0.0 };
        Self {
            node: self.node.clone(),
            channel: self.channel.on(axis),
            blend: self.blend,
            frames: Rc::clone(&self.frames),
            values: CurveValues::Numbers(vec![rest; self.frames.len()]),
            track: self.track,
        }
    }

    /// Returns the vector that the curve is an axis of: the node, and whether it is a scale.
    fn vector(&self) -> Option<(Text, bool)> {
        self.channel.axis()?;
        Some((self.node.clone(), matches!(self.channel, Channel::Scale(_))))
    }

    /// Returns the kind of the property for blend modes.
    pub(super) const fn kind(&self) -> Option<Kind> {
        match self.channel {
            Channel::Translation(_) => Some(Kind::Translation),
            Channel::Rotation => Some(Kind::Rotation),
            Channel::Scale(_) => Some(Kind::Scale),
            Channel::BlendShape | Channel::Visibility => None,
        }
    }

    /// Returns whether another axis has the same mode and the same frames.
    fn is_like(&self, other: &Self) -> bool {
        let is_same = core::ptr::eq(self, other);
        is_same || (self.blend == other.blend && self.frames == other.frames)
    }
}

/// The curves of a clip.
pub(super) struct WrittenTracks {
    pub(super) curves: Vec<Curve>,
    /// The index that each track with curves has in the clip, and its target.
    pub(super) origins: Vec<(usize, Target)>,
}

/// Creates the curves of a clip.
pub(super) struct TrackWriter<'f> {
    framer: &'f mut Framer,
    curves: Vec<Curve>,
    /// The index that each track with curves has in the clip, and its target.
    origins: Vec<(usize, Target)>,
}

impl<'f> TrackWriter<'f> {
    pub(super) const fn new(framer: &'f mut Framer) -> Self {
        Self { framer, curves: Vec::new(), origins: Vec::new() }
    }

    /// Returns the curves of indexed tracks.
    pub(super) fn write(
        mut self,
        tracks: Vec<(usize, Track)>,
        context: &mut Context<'_>,
    ) -> Result<WrittenTracks, WriteError> {
        self.curves.reserve(tracks.len());
        for (index, track) in tracks {
            let (target, data) = track.into_parts();
            context.track(index, &target, |context| self.track(&target, data, context))?;
            self.origins.push((index, target));
        }
        self.fill_axes(context);
        let Self { curves, origins, .. } = self;
        Ok(WrittenTracks { curves, origins })
    }

    /// Adds the curves of a track.
    fn track(
        &mut self,
        target: &Target,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        // The clip fits, so every track has a channel.
        let Some(channel) = channel_of(&target.property) else { return Ok(()) };
        let node = name(target, context);
        let (frames, values) = self.framer.frames(data, context)?;
        let values = curve_values(narrow(values, context));
        let blend = if channel == Channel::BlendShape { Blend::Absolute } else { target.blend };
        let channel = target.component.map_or(channel, |axis| channel.on(axis));
        let track = self.origins.len();
        self.curves.push(Curve { node, channel, blend, frames, values, track });
        Ok(())
    }

    /// Adds the missing axes of vectors with a relative or additive axis.
    fn fill_axes(&mut self, context: &mut Context<'_>) {
        if self.curves.iter().all(|curve| curve.blend == Blend::Absolute) {
            return;
        }
        // The axes that exist, and the first one that is not absolute.
        let mut present: HashMap<(Text, bool), ([bool; 3], Option<usize>)> = HashMap::new();
        for (index, curve) in self.curves.iter().enumerate() {
            let (Some(key), Some(axis)) = (curve.vector(), curve.channel.axis()) else { continue };
            let (found, first) = present.entry(key).or_default();
            if matches!(curve.values, CurveValues::Vectors(_)) {
                *found = [true; 3];
            } else if let Some(slot) = found.get_mut(axis.index()) {
                *slot = true;
            }
            *first = first.or((curve.blend != Blend::Absolute).then_some(index));
        }
        let present = present.into_values();
        let mut present: Vec<_> =
            present.filter_map(|(found, first)| Some((found, first?))).collect();
        present.sort_unstable_by_key(|(_, first)| *first);
        for (found, first) in present {
            let missing = Axis::ALL.into_iter().zip(found).filter(|(_, present)| !present);
            let Some(curve) = self.curves.get(first) else { continue };
            let missing: Vec<Curve> = missing.map(|(axis, _)| curve.at_rest(axis)).collect();
            if let Some((index, target)) = self.origins.get(curve.track) {
                context.findings.enter_track(*index, target);
            }
            for curve in missing {
                context.findings.add(codes::AXES_FILLED, || {
                    let node = shown(&curve.node);
                    let message = format!("{} of node \"{node}\"", curve.channel.name());
                    Finding::new(codes::AXES_FILLED, message)
                });
                self.curves.push(curve);
            }
        }
        context.findings.leave();
    }
}

/// Returns the name of the node or the blend shape that a curve animates.
fn name(target: &Target, context: &mut Context<'_>) -> Text {
    if let Property::Weight(shape) = &target.property {
        if let Some(node) = target.node.as_deref() {
            context.say(shared::SHAPE_NODE_DROPPED, format!("the node \"{}\"", shown(node)));
        }
        return shape.clone();
    }
    target.node.clone().unwrap_or_else(|| {
        context.say(shared::NULL_TEXT, "the node is \"\"");
        Text::from("")
    })
}

/// Returns values as a curve stores them.
fn curve_values(values: Values) -> CurveValues {
    match values {
        Values::Float(values) => CurveValues::Numbers(values),
        Values::Float3(values) => CurveValues::Vectors(values),
        Values::FloatQ(values) => {
            // This keeps the memory of the column and compiles to nothing.
            CurveValues::Rotations(values.into_iter().map(Quat::to_array).collect())
        }
        // `Track` allows a property no values of another kind, and they are narrow.
        _ => CurveValues::Numbers(Vec::new()),
    }
}

/// Returns the channel of a property, for the X axis if it has axes; `None` if curves do not
/// support it.
const fn channel_of(property: &Property) -> Option<Channel> {
    Some(match property {
        Property::Rotation => Channel::Rotation,
        Property::Translation => Channel::Translation(Axis::X),
        Property::Scale => Channel::Scale(Axis::X),
        Property::Weight(_) => Channel::BlendShape,
        _ => return None,
    })
}

/// The tracks that a reader creates from curves.
#[derive(Default)]
pub(super) struct ReadBack {
    /// The number of keys of each track.
    pub(super) lengths: Vec<usize>,
    /// The written tracks that become the axes of one track.
    pub(super) regrouped: Vec<usize>,
    /// Whether the tracks are the written ones in the same order.
    pub(super) is_same: bool,
}

/// Returns the tracks that a reader creates from curves.
pub(super) fn read_back(curves: &[Curve]) -> ReadBack {
    let mut groups: Vec<[Option<&Curve>; 3]> = Vec::new();
    let mut next: Option<(Channel, &Text, Blend)> = None;
    for curve in curves {
        if matches!(curve.values, CurveValues::Vectors(_)) {
            groups.push([Some(curve); 3]);
            next = None;
            continue;
        }
        let (channel, node, blend) = (curve.channel, &curve.node, curve.blend);
        let joins = next == Some((channel, node, blend));
        next = channel.next_axis().map(|channel| (channel, node, blend));
        let slot = match (channel.axis(), groups.last_mut()) {
            (Some(axis), Some(group)) if joins => group.get_mut(axis.index()),
            _ => None,
        };
        if let Some(slot) = slot {
            *slot = Some(curve);
            continue;
        }
        let mut group = [None; 3];
        if let Some(slot) = group.get_mut(channel.axis().map_or(0, Axis::index)) {
            *slot = Some(curve);
        }
        groups.push(group);
    }
    let mut read = ReadBack { is_same: true, ..ReadBack::default() };
    for group in groups {
        if let [Some(x), Some(y), Some(z)] = group
            && x.is_like(y)
            && x.is_like(z)
        {
            read.is_same &= x.track == read.lengths.len();
            if [y, z].iter().any(|axis| axis.track != x.track) {
                read.regrouped.extend([x, y, z].map(|axis| axis.track));
            }
            read.lengths.push(x.frames.len());
            continue;
        }
        for curve in group.into_iter().flatten() {
            read.is_same &= curve.track == read.lengths.len();
            read.lengths.push(curve.frames.len());
        }
    }
    read
}
