//! Writes the curves of a document as nodes.

use core::ops::Range;
use std::rc::Rc;

use inbetween_core::{Axis, WriteError};

use super::tracks::{Curve, CurveValues};
use crate::curve::{Channel, mode_name};
use crate::names::hash;
use crate::read::{NODE_HEAD, PROPERTY_HEAD};
use crate::write::Writer;
use crate::{NodeId, PropertyType, ValuesPart};

/// The bytes of a curve without its keys and the name of its node: the heads of the node and of its
/// properties, their names, and the longest strings, which end with NUL.
const CURVE_SIZE: usize = NODE_HEAD + 5 * PROPERTY_HEAD + "nn kp kb kv m \0 rq\0 relative\0".len();

/// Writes the curves of a clip.
pub(super) struct CurveWriter<'w> {
    writer: &'w mut Writer,
    /// The frames of the last curve, and the bytes of their property.
    last: Option<(Rc<[u32]>, Range<usize>)>,
}

impl<'w> CurveWriter<'w> {
    pub(super) const fn new(writer: &'w mut Writer) -> Self {
        Self { writer, last: None }
    }

    /// Writes all curves.
    pub(super) fn write(mut self, curves: &[Curve]) -> Result<(), WriteError> {
        self.writer.reserve(curves.iter().map(size).fold(0, usize::saturating_add))?;
        curves.iter().try_for_each(|curve| self.curve(curve))
    }

    /// Writes a curve, or the three curves of a vector.
    fn curve(&mut self, curve: &Curve) -> Result<(), WriteError> {
        match &curve.values {
            CurveValues::Numbers(values) => self.node(curve, curve.channel, |writer| {
                writer.column(b"kv", PropertyType::F32, values)
            }),
            CurveValues::Rotations(values) => self.node(curve, curve.channel, |writer| {
                writer.column(b"kv", PropertyType::Vector4, values)
            }),
            CurveValues::Vectors(values) => Axis::ALL.into_iter().try_for_each(|axis| {
                self.node(curve, curve.channel.on(axis), |writer| {
                    writer.column_of(b"kv", PropertyType::F32, values, |value| axis.of(value))
                })
            }),
        }
    }

    /// Writes the node of a curve, with the property of its values.
    fn node(
        &mut self,
        curve: &Curve,
        channel: Channel,
        values: impl FnOnce(&mut Writer) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let hash = hash(self.writer.nodes());
        self.writer.node(NodeId::CURVE, 2, hash)?;
        self.writer.string(b"nn", curve.node.as_bytes())?;
        self.writer.word(b"kp", channel.name())?;
        self.frames(&curve.frames)?;
        values(self.writer)?;
        self.writer.word(b"m", mode_name(curve.blend))
    }

    /// Writes the frames of a curve: a copy of those of the curve before, if both share them.
    fn frames(&mut self, frames: &Rc<[u32]>) -> Result<(), WriteError> {
        if let Some((last, property)) = &self.last
            && Rc::ptr_eq(last, frames)
        {
            self.writer.repeat(property.clone());
            return Ok(());
        }
        let start = self.writer.len();
        self.writer.values(b"kb", &frame_values(frames))?;
        self.last = Some((Rc::clone(frames), start..self.writer.len()));
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
    fn a_vector_is_written_as_three_curves_of_about_the_stated_size() {
        // The curves of a vector share their frames, and those apart have frames of their own.
        let curve = |channel, values, track| Curve {
            node: Text::from("hips"),
            channel,
            blend: Blend::RestRelative,
            frames: [0, 300].into(),
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
            CurveWriter::new(&mut writer).write(curves).unwrap();
            writer.finish(&[]).unwrap()
        };
        let size = size(&vector);
        let bytes = written(core::slice::from_ref(&vector));
        assert_eq!(bytes, written(&apart));
        // The header and the two nodes above take 64 bytes.
        assert!((bytes.len() - 64..bytes.len()).contains(&size), "{size} of {}", bytes.len());
        let lengths = |curves: &[Curve]| read_back(curves).0;
        assert_eq!((lengths(&[vector]), lengths(&apart)), (vec![2], vec![2]));
    }
}
