//! Keys in the text form: a line each.

use core::fmt;

use inbetween_core::text::{Float, Helper, Named, Names, Skip};
use inbetween_core::{View, num};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, IntoDeserializer, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{ControlPoints, Group, KeyType, X4aniKey};

/// Frames a second that the helper member `frame` counts in: those of the game.
const FRAMES: f64 = 30.0;

/// The keys of a group where they lie.
pub(super) struct Keys<'a> {
    keys: View<'a, X4aniKey>,
    group: Group,
}

impl<'a> Keys<'a> {
    pub(super) fn new(keys: View<'a, X4aniKey>, group: Group) -> Self {
        Self { keys, group }
    }
}

impl Skip for Keys<'_> {
    fn skips(&self) -> bool {
        self.keys.is_empty()
    }
}

impl Serialize for Keys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.keys.iter().map(|key| KeyText::new(key, self.group)))
    }
}

/// A key as it is parsed.
pub(super) struct Key(pub(super) X4aniKey);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        KeyText::deserialize(deserializer).map(|key| Self(key.into()))
    }
}

/// The mirror of a key.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KeyText {
    time: Float<f32>,
    /// The time in frames, for the reader.
    #[serde(default, skip_serializing_if = "Skip::skips")]
    frame: Helper<f64>,
    value: [Float<f32>; 3],
    /// The value of a rotation in degrees, for the reader.
    #[serde(default, skip_serializing_if = "Skip::skips")]
    degrees: Helper<[f64; 3]>,
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
        let degrees = || key.value.map(|angle| rounded(f64::from(angle).to_degrees()));
        let is_angle = group == Group::Rotation && key.value.iter().all(|angle| angle.is_finite());
        Self {
            time: Float(key.time),
            frame: Helper(key.time.is_finite().then(|| frame(f64::from(key.time)))),
            value: key.value.map(Float),
            degrees: Helper(is_angle.then(degrees)),
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
}

/// Returns the frame of a time; a whole one where the time is on it as far as an `f32` can tell.
fn frame(time: f64) -> f64 {
    let frame = time * FRAMES;
    if num::is_on_frame(time, FRAMES) { frame.round() } else { rounded(frame) }
}

/// Rounds a number that is only looked at: an `f32` has no more digits to show.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

impl From<KeyText> for X4aniKey {
    fn from(key: KeyText) -> Self {
        Self {
            value: key.value.map(|value| value.0),
            types: key.interpolation.0,
            time: key.time.0,
            control_points: key.control_points.into(),
            tension: key.tension.0,
            continuity: key.continuity.0,
            bias: key.bias.0,
            ease_in: key.ease_in.0,
            ease_out: key.ease_out.0,
            derivatives_calculated: key.derivatives_calculated,
            derivative_in: key.derivative_in.map(|value| value.0),
            derivative_out: key.derivative_out.map(|value| value.0),
            angle_key: key.angle_key,
        }
    }
}

/// The control points of the axes; what is not set is left out.
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

/// How the axes lead to the next key: one type for all of them, or a list of three.
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
