//! Keys in the text form, one line each.

use core::fmt;

use inbetween_core::View;
use inbetween_core::text::{Float, Named, Names, Skip, present};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, IntoDeserializer, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::helper;
use crate::{ControlPoints, Group, KeyType, X4aniKey};

/// The encoded keys of a group.
pub(super) struct KeysText<'a> {
    keys: View<'a, X4aniKey>,
    group: Group,
}

impl<'a> KeysText<'a> {
    pub(super) fn new(keys: View<'a, X4aniKey>, group: Group) -> Self {
        Self { keys, group }
    }
}

impl Skip for KeysText<'_> {
    fn skips(&self) -> bool {
        self.keys.is_empty()
    }
}

impl Serialize for KeysText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.keys.iter().map(|key| KeyText::new(key, self.group)))
    }
}

/// A parsed key; `ANGLES` returns whether its value is a rotation.
pub(super) struct Key<const ANGLES: bool>(pub(super) X4aniKey);

impl<'de, const ANGLES: bool> Deserialize<'de> for Key<ANGLES> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = KeyText::deserialize(deserializer)?;
        helper::check_frame(key.time.0, key.frame)?;
        let value =
            helper::value::<ANGLES, _>(key.value.map(|axes| axes.map(|axis| axis.0)), key.degrees)?;
        Ok(Self(key.with_value(value)))
    }
}

/// The mirror type of a key.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KeyText {
    time: Float<f32>,
    /// The time in frames, a helper.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Skip::skips")]
    frame: Option<f64>,
    /// Printed for every key; may be omitted if `degrees` replaces it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Skip::skips")]
    value: Option<[Float<f32>; 3]>,
    /// The value of a rotation in degrees, a helper.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Skip::skips")]
    degrees: Option<[f64; 3]>,
    interpolation: Types,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    control_points: AxesText,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    tension: Float<f32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    continuity: Float<f32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    bias: Float<f32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    ease_in: Float<f32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    ease_out: Float<f32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    derivatives_calculated: i32,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    derivative_in: [Float<f32>; 3],
    #[serde(default, skip_serializing_if = "Skip::skips")]
    derivative_out: [Float<f32>; 3],
    #[serde(default, skip_serializing_if = "Skip::skips")]
    angle_key: u32,
}

impl KeyText {
    fn new(key: X4aniKey, group: Group) -> Self {
        Self {
            time: Float(key.time),
            frame: helper::frame(key.time),
            value: Some(key.value.map(Float)),
            degrees: (group == Group::Rotation).then(|| helper::degrees(key.value)).flatten(),
            interpolation: Types(key.types),
            control_points: key.control_points.into(),
            tension: Float(key.tension),
            continuity: Float(key.continuity),
            bias: Float(key.bias),
            ease_in: Float(key.ease_in),
            ease_out: Float(key.ease_out),
            derivatives_calculated: key.derivatives_calculated,
            derivative_in: key.derivative_in.map(Float),
            derivative_out: key.derivative_out.map(Float),
            angle_key: key.angle_key,
        }
    }

    /// Returns the key; its value comes from the text or from its degrees.
    fn with_value(self, value: [f32; 3]) -> X4aniKey {
        X4aniKey {
            value,
            types: self.interpolation.0,
            time: self.time.0,
            control_points: self.control_points.into(),
            tension: self.tension.0,
            continuity: self.continuity.0,
            bias: self.bias.0,
            ease_in: self.ease_in.0,
            ease_out: self.ease_out.0,
            derivatives_calculated: self.derivatives_calculated,
            derivative_in: self.derivative_in.map(|value| value.0),
            derivative_out: self.derivative_out.map(|value| value.0),
            angle_key: self.angle_key,
        }
    }
}

/// The control points of the axes; unset ones are omitted.
#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct AxesText {
    #[serde(default, skip_serializing_if = "Skip::skips")]
    x: PointsText,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    y: PointsText,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    z: PointsText,
}

impl Skip for AxesText {
    fn skips(&self) -> bool {
        [&self.x, &self.y, &self.z].into_iter().all(Skip::skips)
    }
}

impl From<[ControlPoints; 3]> for AxesText {
    fn from(points: [ControlPoints; 3]) -> Self {
        let [x, y, z] = points.map(|points| PointsText {
            out: [Float(points.out_time), Float(points.out_value)],
            into: [Float(points.in_time), Float(points.in_value)],
        });
        Self { x, y, z }
    }
}

impl From<AxesText> for [ControlPoints; 3] {
    fn from(AxesText { x, y, z }: AxesText) -> Self {
        [x, y, z].map(|points| {
            let [Float(out_time), Float(out_value)] = points.out;
            let [Float(in_time), Float(in_value)] = points.into;
            ControlPoints { out_time, out_value, in_time, in_value }
        })
    }
}

/// The control points of an axis: time and value of each.
#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PointsText {
    out: [Float<f32>; 2],
    #[serde(rename = "in")]
    into: [Float<f32>; 2],
}

impl Skip for PointsText {
    fn skips(&self) -> bool {
        self.out.skips() && self.into.skips()
    }
}

/// The names of the types.
struct TypeNames;

impl Names for TypeNames {
    const LARGEST: u32 = u32::MAX;
    const NAMED: u32 = KeyType::TCB.0.saturating_add(1);

    fn name(number: u32) -> Option<&'static str> {
        KeyType(number).name()
    }
}

type TypeText = Named<TypeNames>;

/// The interpolation: one type for all axes, or a list of three.
struct Types([KeyType; 3]);

impl Serialize for Types {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let each = self.0.map(|each| TypeText::new(each.0));
        match self.0 {
            [x, y, z] if x == y && y == z => TypeText::new(x.0).serialize(serializer),
            _ => each.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Types {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TypesVisitor;

        impl<'de> Visitor<'de> for TypesVisitor {
            type Value = [TypeText; 3];

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a type such as \"linear\", or a list of three for X, Y and Z")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<[TypeText; 3], E> {
                TypeText::deserialize(name.into_deserializer()).map(|each| [each; 3])
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<[TypeText; 3], E> {
                TypeText::deserialize(number.into_deserializer()).map(|each| [each; 3])
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<[TypeText; 3], A::Error> {
                <[TypeText; 3]>::deserialize(SeqAccessDeserializer::new(seq))
            }
        }

        let types = deserializer.deserialize_any(TypesVisitor)?;
        Ok(Self(types.map(|each| KeyType(each.number()))))
    }
}
