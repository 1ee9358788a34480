//! The meaning of the properties of animation nodes, for checks and conversions.

use inbetween_core::{Axis, Blend, Record, View};

use crate::layout::{NodeId, PropertyType};
use crate::property::CastProperty;

/// The property that a curve animates: its `kp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Channel {
    /// `rq`: quaternions x y z w.
    Rotation,
    /// `tx`, `ty`, `tz`.
    Translation(Axis),
    /// `sx`, `sy`, `sz`.
    Scale(Axis),
    /// `bs`: the weight of the blend shape that the node name refers to.
    BlendShape,
    /// `vb`: 0 is hidden.
    Visibility,
}

impl Channel {
    pub(crate) const ALL: [Self; 9] = [
        Self::Rotation,
        Self::Translation(Axis::X),
        Self::Translation(Axis::Y),
        Self::Translation(Axis::Z),
        Self::Scale(Axis::X),
        Self::Scale(Axis::Y),
        Self::Scale(Axis::Z),
        Self::BlendShape,
        Self::Visibility,
    ];

    /// Returns the value of `kp`, two letters.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Rotation => "rq",
            Self::Translation(Axis::X) => "tx",
            Self::Translation(Axis::Y) => "ty",
            Self::Translation(Axis::Z) => "tz",
            Self::Scale(Axis::X) => "sx",
            Self::Scale(Axis::Y) => "sy",
            Self::Scale(Axis::Z) => "sz",
            Self::BlendShape => "bs",
            Self::Visibility => "vb",
        }
    }

    pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name().as_bytes() == name)
    }

    /// Returns the axis, if the curve is an axis of a vector.
    pub(crate) const fn axis(self) -> Option<Axis> {
        match self {
            Self::Translation(axis) | Self::Scale(axis) => Some(axis),
            _ => None,
        }
    }

    /// Returns the next axis of the same vector.
    pub(crate) const fn next_axis(self) -> Option<Self> {
        let next = match self.axis() {
            Some(Axis::X) => Axis::Y,
            Some(Axis::Y) => Axis::Z,
            _ => return None,
        };
        Some(self.on(next))
    }

    /// Returns another axis of the same vector; a channel without axes is returned unchanged.
    pub(crate) const fn on(self, axis: Axis) -> Self {
        match self {
            Self::Translation(_) => Self::Translation(axis),
            Self::Scale(_) => Self::Scale(axis),
            other => other,
        }
    }

    /// Returns whether the curve can have values of a type.
    pub(crate) const fn accepts(self, kind: PropertyType) -> bool {
        match self {
            Self::Rotation => matches!(kind, PropertyType::Vector4),
            Self::Translation(_) | Self::Scale(_) | Self::BlendShape => {
                matches!(kind, PropertyType::F32)
            }
            Self::Visibility => is_frames(kind),
        }
    }
}

/// A property of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CurveProperty {
    /// `nn`, the name of the node.
    Node,
    /// `kp`, what the curve animates.
    Channel,
    /// `kb`, the frames of the keys.
    Frames,
    /// `kv`, the values of the keys.
    Values,
    /// `m`, the blend mode.
    Mode,
    /// `ab`, the weight of an additive curve.
    Weight,
}

impl CurveProperty {
    /// Returns the property with a name, or `None` for a name that no specification has.
    #[inline]
    pub(crate) const fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"nn" => Self::Node,
            b"kp" => Self::Channel,
            b"kb" => Self::Frames,
            b"kv" => Self::Values,
            b"m" => Self::Mode,
            b"ab" => Self::Weight,
            _ => return None,
        })
    }

    /// Returns a number with a single bit set, a different one for each property.
    #[inline]
    pub(crate) const fn bit(self) -> u8 {
        match self {
            Self::Node => 1,
            Self::Channel => 2,
            Self::Frames => 4,
            Self::Values => 8,
            Self::Mode => 16,
            Self::Weight => 32,
        }
    }
}

/// Returns whether frames can have a type.
pub(crate) const fn is_frames(kind: PropertyType) -> bool {
    matches!(kind, PropertyType::U8 | PropertyType::U16 | PropertyType::U32)
}

/// Returns the name of a blend mode in the property `m`.
pub(crate) const fn mode_name(blend: Blend) -> &'static str {
    match blend {
        Blend::RestRelative => "relative",
        Blend::Additive => "additive",
        _ => "absolute",
    }
}

/// Returns the blend mode of a value of `m`, or `None` for a value that no specification names.
pub(crate) fn mode(name: &[u8]) -> Option<Blend> {
    let modes = [Blend::Absolute, Blend::RestRelative, Blend::Additive];
    modes.into_iter().find(|&blend| mode_name(blend).as_bytes() == name)
}

/// Encoded frame numbers; their width depends on the file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frames<'f> {
    U8(&'f [u8]),
    U16(&'f [u8]),
    U32(&'f [u8]),
}

impl<'f> Frames<'f> {
    /// Creates frames from the values of a property, or returns `None` if they cannot be frames.
    pub(crate) fn of(property: &CastProperty<'f>) -> Option<Self> {
        match property.kind {
            PropertyType::U8 => Some(Self::U8(property.data)),
            PropertyType::U16 => Some(Self::U16(property.data)),
            PropertyType::U32 => Some(Self::U32(property.data)),
            _ => None,
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::U8(bytes) => bytes.len(),
            Self::U16(bytes) => bytes.len() / 2,
            Self::U32(bytes) => bytes.len() / 4,
        }
    }

    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        match self {
            Self::U8(bytes) => bytes.get(index).copied().map(u32::from),
            Self::U16(bytes) => View::<u16>::new(bytes, ()).get(index).map(u32::from),
            Self::U32(bytes) => View::new(bytes, ()).get(index),
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = u32> + use<'f> {
        (0..self.len()).filter_map(move |index| self.get(index))
    }

    /// Decodes the first `count` frames as seconds.
    pub(crate) fn times(&self, count: usize, rate: f64) -> Vec<f64> {
        let mut times = match self {
            Self::U8(bytes) => seconds(View::<u8>::new(bytes, ()), rate),
            Self::U16(bytes) => seconds(View::<u16>::new(bytes, ()), rate),
            Self::U32(bytes) => seconds(View::<u32>::new(bytes, ()), rate),
        };
        times.truncate(count);
        times
    }

    /// Returns whether the first `count` frames are the same numbers. Comparing bytes is several
    /// times as fast as comparing numbers.
    pub(crate) fn are_like(&self, other: &Self, count: usize) -> bool {
        let frames = |frames: &Self| frames.iter().take(count);
        match (self, other) {
            (Self::U8(a), Self::U8(b)) => a.get(..count) == b.get(..count),
            (Self::U16(a), Self::U16(b)) => {
                let bytes = ..count.saturating_mul(2);
                a.get(bytes) == b.get(bytes)
            }
            (Self::U32(a), Self::U32(b)) => {
                let bytes = ..count.saturating_mul(4);
                a.get(bytes) == b.get(bytes)
            }
            _ => frames(self).eq(frames(other)),
        }
    }
}

fn seconds<R: Record + Into<f64>>(frames: View<'_, R>, rate: f64) -> Vec<f64> {
    frames.column(None, |frame| frame.into() / rate)
}

/// A known property of a kind of node.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) accepts: fn(PropertyType) -> bool,
    pub(crate) required: bool,
}

const fn known(name: &'static str, accepts: fn(PropertyType) -> bool) -> Known {
    Known { name, accepts, required: false }
}

const fn required(name: &'static str, accepts: fn(PropertyType) -> bool) -> Known {
    Known { name, accepts, required: true }
}

const STRING: fn(PropertyType) -> bool = |kind| matches!(kind, PropertyType::String);
const BYTE: fn(PropertyType) -> bool = |kind| matches!(kind, PropertyType::U8);
const INT: fn(PropertyType) -> bool = |kind| matches!(kind, PropertyType::U32);
const FLOAT: fn(PropertyType) -> bool = |kind| matches!(kind, PropertyType::F32);
const VECTOR3: fn(PropertyType) -> bool = |kind| matches!(kind, PropertyType::Vector3);
const VECTOR4: fn(PropertyType) -> bool = |kind| matches!(kind, PropertyType::Vector4);

/// Returns the properties of nodes that matter to animation; empty for other nodes.
pub(crate) fn known_properties(id: NodeId) -> &'static [Known] {
    static ANIMATION: [Known; 3] = [known("n", STRING), required("fr", FLOAT), known("lo", BYTE)];
    static CURVE: [Known; 6] = [
        required("nn", STRING),
        required("kp", STRING),
        required("kb", is_frames),
        // Their type depends on `kp`.
        required("kv", |_| true),
        required("m", STRING),
        known("ab", FLOAT),
    ];
    static OVERRIDE: [Known; 5] = [
        required("nn", STRING),
        required("m", STRING),
        known("ot", BYTE),
        known("or", BYTE),
        known("os", BYTE),
    ];
    static NOTIFICATION: [Known; 2] = [required("n", STRING), required("kb", is_frames)];
    static BONE: [Known; 8] = [
        required("n", STRING),
        known("p", INT),
        known("ssc", BYTE),
        known("lp", VECTOR3),
        known("lr", VECTOR4),
        known("wp", VECTOR3),
        known("wr", VECTOR4),
        known("s", VECTOR3),
    ];
    static MODEL: [Known; 4] =
        [known("n", STRING), known("p", VECTOR3), known("r", VECTOR4), known("s", VECTOR3)];
    static METADATA: [Known; 4] =
        [known("a", STRING), known("s", STRING), known("up", STRING), known("sr", STRING)];
    match id {
        NodeId::ANIMATION => &ANIMATION,
        NodeId::CURVE => &CURVE,
        NodeId::CURVE_MODE_OVERRIDE => &OVERRIDE,
        NodeId::NOTIFICATION_TRACK => &NOTIFICATION,
        NodeId::BONE => &BONE,
        NodeId::MODEL => &MODEL,
        NodeId::METADATA => &METADATA,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_channels_have_two_letters() {
        assert!(Channel::ALL.into_iter().all(|channel| channel.name().len() == 2));
    }

    #[test]
    fn the_properties_of_a_curve_have_their_own_bits() {
        let known = known_properties(NodeId::CURVE);
        let bits = known.iter().map(|known| CurveProperty::from_name(known.name.as_bytes()));
        let all = bits.fold(0, |all, property| all + property.unwrap().bit());
        assert_eq!((all, all.count_ones()), (63, 6));
        assert_eq!(known.len(), 6);
    }
}
