//! Converts tracks to curves.

use std::collections::HashMap;

use inbetween_core::frames::Framer;
use inbetween_core::lower::Lowered;
use inbetween_core::{
    Axis, Blend, Finding, Findings, Narrowing, Path, Property, Quat, Record, Target, Text, Track,
    ValueKind, Values, WriteError, codes as shared, dropped_track, shown,
};

use super::blend::Kind;
use super::hash;
use crate::curve::{Channel, mode_name};
use crate::read::{NODE_HEAD, PROPERTY_HEAD};
use crate::write::Writer;
use crate::{NodeId, PropertyType, ValuesPart, codes};

/// The bytes of a curve without its keys and the name of its node: the heads of the node and of its
/// properties, their names, and the longest strings, which end with NUL.
const CURVE_SIZE: usize = NODE_HEAD + 5 * PROPERTY_HEAD + "nn kp kb kv m \0 rq\0 relative\0".len();

/// The values of a curve, at the width that the format stores.
pub(super) enum CurveValues {
    Numbers(Vec<f32>),
    /// The values of three curves, one per axis.
    Vectors(Vec<[f32; 3]>),
    Rotations(Vec<Quat<f32>>),
}

/// A curve to write, or the three curves of a vector, with at least one key.
pub(super) struct Curve {
    pub(super) node: Text,
    /// The channel; that of the X axis for the three curves of a vector.
    pub(super) channel: Channel,
    pub(super) blend: Blend,
    pub(super) frames: Vec<u32>,
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
        self.frames.push(frame);
    }

    /// Returns the number of bytes of the curve in the file.
    pub(super) fn size(&self) -> usize {
        let frame = frame_type(&self.frames).size().unwrap_or(0);
        let (curves, value) = match self.values {
            CurveValues::Numbers(_) => (1, 4),
            CurveValues::Vectors(_) => (3, 4),
            CurveValues::Rotations(_) => (1, 16),
        };
        let keys = self.frames.len().saturating_mul(frame.saturating_add(value));
        keys.saturating_add(self.node.len()).saturating_add(CURVE_SIZE).saturating_mul(curves)
    }

    /// Writes the curve, or the three curves of a vector.
    pub(super) fn write(&self, writer: &mut Writer) -> Result<(), WriteError> {
        let (channel, frames) = (self.channel, frame_values(&self.frames));
        match &self.values {
            CurveValues::Numbers(values) => {
                let values = (PropertyType::F32, values.as_slice());
                self.write_one(channel, &frames, values, |value| value, writer)
            }
            CurveValues::Rotations(values) => {
                let values = (PropertyType::Vector4, values.as_slice());
                self.write_one(channel, &frames, values, |value| value, writer)
            }
            CurveValues::Vectors(values) => Axis::ALL.into_iter().try_for_each(|axis| {
                let values = (PropertyType::F32, values.as_slice());
                self.write_one(channel.on(axis), &frames, values, |value| axis.of(value), writer)
            }),
        }
    }

    /// Writes the node of a curve with the values that `of` makes of the items of a column.
    fn write_one<T: Copy, R: Record<Layout = ()>>(
        &self,
        channel: Channel,
        frames: &ValuesPart,
        (kind, values): (PropertyType, &[T]),
        of: impl Fn(T) -> R,
        writer: &mut Writer,
    ) -> Result<(), WriteError> {
        writer.node(NodeId::CURVE, 2, hash(writer.nodes()))?;
        writer.string(b"nn", self.node.as_bytes())?;
        writer.string(b"kp", channel.name().as_bytes())?;
        writer.values(b"kb", frames)?;
        writer.column(b"kv", kind, values, of)?;
        writer.string(b"m", mode_name(self.blend).as_bytes())
    }

    /// Returns the curve of another axis with the same frames and without effect.
    fn at_rest(&self, axis: Axis) -> Self {
        let rest = if matches!(self.channel, Channel::Scale(_)) { 1.0 } else { 0.0 };
        Self {
            node: self.node.clone(),
            channel: self.channel.on(axis),
            blend: self.blend,
            frames: self.frames.clone(),
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

/// Returns the narrowest type that holds the largest of some frames.
fn frame_type(frames: &[u32]) -> PropertyType {
    match frames.iter().copied().fold(0, u32::max) {
        0..=0xff => PropertyType::U8,
        0x100..=0xffff => PropertyType::U16,
        _ => PropertyType::U32,
    }
}

/// Returns frames in the narrowest type that holds the largest.
pub(super) fn frame_values(frames: &[u32]) -> ValuesPart {
    let bytes = frames.iter().map(|frame| frame.to_le_bytes());
    match frame_type(frames) {
        PropertyType::U8 => ValuesPart::U8(bytes.map(|[low, ..]| low).collect()),
        PropertyType::U16 => {
            ValuesPart::U16(bytes.map(|[low, high, ..]| u16::from_le_bytes([low, high])).collect())
        }
        _ => ValuesPart::U32(frames.to_vec()),
    }
}

/// Creates the curves of a clip.
pub(super) struct TrackWriter<'c, 'b> {
    framer: &'c mut Framer<'b>,
    findings: &'c mut Findings,
    curves: Vec<Curve>,
    /// The number of tracks that have curves.
    tracks: usize,
    /// The nodes of tracks without keys, in order and without duplicates.
    idle: Vec<Text>,
}

impl<'c, 'b> TrackWriter<'c, 'b> {
    pub(super) const fn new(framer: &'c mut Framer<'b>, findings: &'c mut Findings) -> Self {
        Self { framer, findings, curves: Vec::new(), tracks: 0, idle: Vec::new() }
    }

    /// Returns the curves of indexed tracks, and the nodes of tracks without keys, without
    /// duplicates.
    pub(super) fn write(mut self, tracks: Lowered) -> Result<(Vec<Curve>, Vec<Text>), WriteError> {
        for (index, track) in tracks.numbered() {
            self.findings.begin_scope();
            self.track(track, &Path::item("tracks", index))?;
        }
        self.fill_axes();
        Ok((self.curves, self.idle))
    }

    fn track(&mut self, track: Track, path: &Path) -> Result<(), WriteError> {
        let (target, data) = track.into_parts();
        let Some(channel) = channel_of(&target.property) else {
            self.findings.push(dropped_track(&target, &data, path.clone()));
            return Ok(());
        };
        if data.is_empty() {
            self.idle(&target, path);
            return Ok(());
        }
        let node = self.name(&target, path);
        let (frames, values) = self.framer.frames(data, path, self.findings)?;
        let values = self.values(values, path);
        let blend = if channel == Channel::BlendShape { Blend::Absolute } else { target.blend };
        let channel = target.component.map_or(channel, |axis| channel.on(axis));
        let track = self.tracks;
        self.tracks = track.saturating_add(1);
        self.curves.push(Curve { node, channel, blend, frames, values, track });
        Ok(())
    }

    /// Returns the name of the node or the blend shape that a curve animates.
    fn name(&mut self, target: &Target, path: &Path) -> Text {
        if let Property::Weight(shape) = &target.property {
            if let Some(node) = target.node.as_deref() {
                let message = format!("the node \"{}\"", shown(node));
                let finding = Finding::new(codes::SHAPE_NODE_DROPPED, message);
                self.findings.push(finding.at(path.clone()));
            }
            return shape.clone();
        }
        target.node.clone().unwrap_or_else(|| {
            let finding = Finding::new(shared::NULL_TEXT, "the node is \"\"");
            self.findings.push(finding.at(path.clone()));
            Text::from("")
        })
    }

    fn idle(&mut self, target: &Target, path: &Path) {
        let node = target.node.clone().unwrap_or_default();
        let message = format!("a track of node \"{}\"", shown(&node));
        let finding = Finding::new(codes::EMPTY_TRACK_DROPPED, message);
        self.findings.push(finding.at(path.clone()));
        if !matches!(target.property, Property::Weight(_)) && self.idle.last() != Some(&node) {
            self.idle.push(node);
        }
    }

    /// Adds the missing axes of vectors with a relative or additive axis.
    fn fill_axes(&mut self) {
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
            for curve in missing {
                self.findings.add(codes::AXES_FILLED, || {
                    let node = shown(&curve.node);
                    let message = format!("{} of node \"{node}\"", curve.channel.name());
                    Finding::new(codes::AXES_FILLED, message)
                });
                self.curves.push(curve);
            }
        }
    }

    /// Returns values as `f32`, and reports those that change.
    fn values(&mut self, values: Values, path: &Path) -> CurveValues {
        let mut narrowing = Narrowing::default();
        let kind = values.kind();
        let narrowed = match values {
            Values::Float(values) => CurveValues::Numbers(values),
            Values::Float3(values) => CurveValues::Vectors(values),
            Values::FloatQ(values) => CurveValues::Rotations(values),
            Values::Double(values) => {
                let narrow = |value| narrowing.number(value);
                CurveValues::Numbers(values.into_iter().map(narrow).collect())
            }
            Values::Double3(values) => {
                let mut narrow = |value| narrowing.number(value);
                let values = values.into_iter().map(|value| value.map(&mut narrow));
                CurveValues::Vectors(values.collect())
            }
            Values::DoubleQ(values) => {
                let narrow = |value| narrowing.rotation(value);
                CurveValues::Rotations(values.into_iter().map(narrow).collect())
            }
            // `Track` allows a property no values of another kind.
            _ => CurveValues::Numbers(Vec::new()),
        };
        if let Some(finding) = narrowing.finding("values", path) {
            self.findings.push(finding);
        } else if matches!(kind, ValueKind::Double | ValueKind::Double3 | ValueKind::DoubleQ) {
            let finding = Finding::new(codes::KIND_NARROWED, format!("{kind} values"));
            self.findings.push(finding.at(path.clone()));
        }
        narrowed
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

/// Returns the number of keys of each track that a reader creates from curves, and whether these
/// tracks are the written ones in the same order.
pub(super) fn read_back(curves: &[Curve]) -> (Vec<usize>, bool) {
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
    let mut lengths = Vec::with_capacity(groups.len());
    let mut same = true;
    for group in groups {
        if let [Some(x), Some(y), Some(z)] = group
            && x.is_like(y)
            && x.is_like(z)
        {
            same &= x.track == lengths.len() && [y, z].iter().all(|axis| axis.track == x.track);
            lengths.push(x.frames.len());
            continue;
        }
        for curve in group.into_iter().flatten() {
            same &= curve.track == lengths.len();
            lengths.push(curve.frames.len());
        }
    }
    (lengths, same)
}

/// Returns whether single components are not joined: axes of translations and scales have their own
/// curves, and custom tracks are dropped.
pub(super) const fn stays_apart(target: &Target) -> bool {
    matches!(target.property, Property::Translation | Property::Scale | Property::Custom(_))
}

/// Returns whether the format can store a track.
pub(super) const fn is_written(track: &Track) -> bool {
    !matches!(track.target().property, Property::Custom(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CastHeader;

    #[test]
    fn a_vector_is_written_as_three_curves_of_about_the_stated_size() {
        let curve = |channel, values, track| Curve {
            node: Text::from("hips"),
            channel,
            blend: Blend::RestRelative,
            frames: vec![0, 300],
            values,
            track,
        };
        let vector = CurveValues::Vectors(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        let vector = curve(Channel::Translation(Axis::X), vector, 0);
        let numbers = [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]];
        let apart = Axis::ALL.into_iter().zip(numbers).map(|(axis, numbers)| {
            curve(Channel::Translation(axis), CurveValues::Numbers(numbers.into()), 0)
        });
        let apart: Vec<Curve> = apart.collect();
        let written = |curves: &[Curve]| {
            let mut writer = Writer::new(CastHeader::default());
            writer.node(NodeId::ROOT, 0, 0).unwrap();
            writer.node(NodeId::ANIMATION, 1, 0).unwrap();
            for curve in curves {
                curve.write(&mut writer).unwrap();
            }
            writer.finish(&[]).unwrap()
        };
        let size = vector.size();
        let bytes = written(core::slice::from_ref(&vector));
        assert_eq!(bytes, written(&apart));
        // The header and the two nodes above take 64 bytes.
        assert!((bytes.len() - 64..bytes.len()).contains(&size), "{size} of {}", bytes.len());
        let lengths = |curves: &[Curve]| read_back(curves).0;
        assert_eq!((lengths(&[vector]), lengths(&apart)), (vec![2], vec![2]));
    }
}
