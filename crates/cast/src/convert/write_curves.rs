//! Writes the curves of a document as nodes.

use core::ops::Range;
use std::rc::Rc;

use inbetween_core::{Axis, WriteError};

use super::tracks::{Curve, CurveValues};
use crate::curve::{Channel, mode_name};
use crate::layout::{NODE_HEAD, NodeId, PROPERTY_HEAD, PropertyType, hash};
use crate::value::ValuesPart;
use crate::write::Writer;

/// The bytes of a curve without its keys and the name of its node: the heads of the node and of its
/// properties, their names, and the longest strings, which end with NUL.
const CURVE_SIZE: usize = NODE_HEAD + 5 * PROPERTY_HEAD + "nn kp kb kv m \0 rq\0 relative\0".len();

/// Writes the curves of a clip.
pub(super) struct CurveWriter<'w, 'c> {
    writer: &'w mut Writer,
    last: Option<Start<'c>>,
}

/// The properties of a curve before its values: the name of the node, the channel and the frames.
struct Start<'c> {
    curve: &'c Curve,
    bytes: Range<usize>,
    /// The offset of the frames among these bytes.
    frames: usize,
}

impl<'w, 'c> CurveWriter<'w, 'c> {
    pub(super) const fn new(writer: &'w mut Writer) -> Self {
        Self { writer, last: None }
    }

    /// Writes all curves.
    pub(super) fn write(mut self, curves: &'c [Curve]) -> Result<(), WriteError> {
        self.writer.reserve(curves.iter().map(size).fold(0, usize::saturating_add))?;
        curves.iter().try_for_each(|curve| self.curve(curve))
    }

    /// Writes a curve, or the three curves of a vector.
    fn curve(&mut self, curve: &'c Curve) -> Result<(), WriteError> {
        match &curve.values {
            CurveValues::Numbers(values) => self.node(curve, curve.channel, |writer| {
                writer.column(b"kv", PropertyType::F32, values)
            }),
            CurveValues::Rotations(values) => self.node(curve, curve.channel, |writer| {
                writer.column(b"kv", PropertyType::Vector4, values)
            }),
            CurveValues::Vectors(values) => Axis::ALL.into_iter().try_for_each(|axis| {
                self.node(curve, curve.channel.on(axis), |writer| {
                    writer.column_of(b"kv", PropertyType::F32, values, |value| axis.of(*value))
                })
            }),
        }
    }

    /// Writes the node of a curve, with the property of its values.
    fn node(
        &mut self,
        curve: &'c Curve,
        channel: Channel,
        values: impl FnOnce(&mut Writer) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let hash = hash(self.writer.nodes());
        self.writer.node(NodeId::CURVE, 2, hash)?;
        self.start(curve, channel)?;
        values(self.writer)?;
        self.writer.word(b"m", mode_name(curve.blend))
    }

    /// Writes the properties before the values. Those that the curve before has are copied.
    fn start(&mut self, curve: &'c Curve, channel: Channel) -> Result<(), WriteError> {
        let same = self.last.as_ref().filter(|last| Rc::ptr_eq(&last.curve.frames, &curve.frames));
        if let Some(Start { bytes, frames, .. }) = same.filter(|last| last.curve.node == curve.node)
        {
            self.writer.repeat(bytes.clone(), 3);
            // All channels have names of two letters.
            let end = self.writer.len().saturating_sub(bytes.len()).saturating_add(*frames);
            self.writer.replace(end.saturating_sub("tx\0".len()), channel.name());
            return Ok(());
        }
        let same = same.map(|last| last.bytes.start.saturating_add(last.frames)..last.bytes.end);
        let start = self.writer.len();
        self.writer.string(b"nn", curve.node.as_bytes())?;
        self.writer.word(b"kp", channel.name())?;
        let frames = self.writer.len().saturating_sub(start);
        match same {
            Some(frames) => self.writer.repeat(frames, 1),
            None => self.writer.values(b"kb", &frame_values(&curve.frames))?,
        }
        self.last = Some(Start { curve, bytes: start..self.writer.len(), frames });
        Ok(())
    }
}

/// Returns the number of bytes of a curve in the file.
fn size(curve: &Curve) -> usize {
    let frame = frame_type(&curve.frames).size().unwrap_or(0);
    let (curves, value) = match curve.values {
        CurveValues::Numbers(_) => (1, 4),
        CurveValues::Vectors(_) => (3, 4),
        CurveValues::Rotations(_) => (1, 16),
    };
    let keys = curve.frames.len().saturating_mul(frame.saturating_add(value));
    keys.saturating_add(curve.node.len()).saturating_add(CURVE_SIZE).saturating_mul(curves)
}

/// Returns the narrowest type that holds the last of some frames in order.
fn frame_type(frames: &[u32]) -> PropertyType {
    match frames.last().copied().unwrap_or(0) {
        0..=0xff => PropertyType::U8,
        0x100..=0xffff => PropertyType::U16,
        _ => PropertyType::U32,
    }
}

/// Returns frames in order, in the narrowest type that holds the last.
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

#[cfg(test)]
mod tests {
    use inbetween_core::{Blend, Text};

    use super::super::tracks::read_back;
    use super::*;
    use crate::CastHeader;

    #[test]
    fn curves_that_share_frames_are_written_as_those_apart_and_of_about_the_stated_size() {
        let curve = |node, channel, values, frames: &Rc<[u32]>| Curve {
            node: Text::from(node),
            channel,
            blend: Blend::RestRelative,
            frames: Rc::clone(frames),
            values,
            track: 0,
        };
        let translation = Channel::Translation;
        let rotations = || CurveValues::Rotations(vec![[0.0, 0.0, 0.6, 0.8], [0.0, 0.0, 0.0, 1.0]]);
        let numbers = [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]];
        let vectors = || CurveValues::Vectors(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        let frames = [0, 300].into();
        let shared = [
            curve("hips", Channel::Rotation, rotations(), &frames),
            curve("hips", translation(Axis::X), vectors(), &frames),
            curve("head", translation(Axis::X), vectors(), &frames),
            curve("head", Channel::Rotation, rotations(), &frames),
        ];
        let own = || [0, 300].into();
        let axes = |node| {
            Axis::ALL.into_iter().zip(numbers).map(move |(axis, numbers)| {
                curve(node, translation(axis), CurveValues::Numbers(numbers.into()), &own())
            })
        };
        let rotation = |node| [curve(node, Channel::Rotation, rotations(), &own())];
        let apart = rotation("hips").into_iter().chain(axes("hips"));
        let apart: Vec<Curve> = apart.chain(axes("head")).chain(rotation("head")).collect();
        let written = |curves: &[Curve]| {
            let mut writer = Writer::new(CastHeader::default());
            writer.node(NodeId::ROOT, 0, 0).unwrap();
            writer.node(NodeId::ANIMATION, 1, 0).unwrap();
            CurveWriter::new(&mut writer).write(curves).unwrap();
            writer.finish(&[]).unwrap()
        };
        let bytes = written(&shared);
        assert_eq!(bytes, written(&apart));
        // The header and the two nodes above take 64 bytes.
        let size: usize = shared.iter().map(size).sum();
        assert!((bytes.len() - 64..bytes.len()).contains(&size), "{size} of {}", bytes.len());
        let lengths = |curves: &[Curve]| read_back(curves).lengths;
        assert_eq!((lengths(&shared), lengths(&apart)), (vec![2; 4], vec![2; 4]));
    }
}
