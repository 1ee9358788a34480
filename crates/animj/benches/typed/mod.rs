//! The baseline of reading and writing: typed `serde_json` with `float_roundtrip`, from and into the
//! same columns.

#![expect(clippy::struct_field_names, reason = "the names of the format")]

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A file whose tracks are all Curve tracks of one value type.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct File<T> {
    pub(crate) name: Option<String>,
    pub(crate) global_duration: f32,
    pub(crate) tracks: Vec<Track<T>>,
}

/// A Curve track.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Track<T> {
    pub(crate) track_type: String,
    pub(crate) value_type: String,
    pub(crate) data: Data<T>,
}

/// The data of a Curve track.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Data<T> {
    pub(crate) node: Option<String>,
    pub(crate) property: Option<String>,
    pub(crate) keyframes: Columns<T>,
}

/// The columns.
#[derive(Debug)]
pub(crate) struct Columns<T> {
    pub(crate) times: Vec<f32>,
    pub(crate) values: Vec<T>,
    pub(crate) interpolation: Vec<Option<Interpolation>>,
}

/// The interpolations by their names.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) enum Interpolation {
    Hold,
    Linear,
    Tangent,
    CubicBezier,
}

/// A key.
#[derive(Debug, Deserialize, Serialize)]
struct Key<T> {
    time: f32,
    value: T,
    /// Discrete tracks have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    interpolation: Option<Interpolation>,
}

/// A `float3` or `double3`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Vector3<T> {
    pub(crate) x: T,
    pub(crate) y: T,
    pub(crate) z: T,
}

/// A `floatQ` or `doubleQ`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Quaternion<T> {
    pub(crate) x: T,
    pub(crate) y: T,
    pub(crate) z: T,
    pub(crate) w: T,
}

/// Reads a text.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> File<T> {
    serde_json::from_slice(text).expect("a file of one value type")
}

impl<T: Serialize> Serialize for Columns<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let keys = self.times.iter().zip(&self.values).zip(&self.interpolation);
        let key = |((&time, value), &interpolation)| Key { time, value, interpolation };
        serializer.collect_seq(keys.map(key))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Columns<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ColumnsVisitor(PhantomData))
    }
}

struct ColumnsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ColumnsVisitor<T> {
    type Value = Columns<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("keyframes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut keys: A) -> Result<Columns<T>, A::Error> {
        let mut columns =
            Columns { times: Vec::new(), values: Vec::new(), interpolation: Vec::new() };
        while let Some(key) = keys.next_element::<Key<T>>()? {
            columns.times.push(key.time);
            columns.values.push(key.value);
            columns.interpolation.push(key.interpolation);
        }
        Ok(columns)
    }
}
