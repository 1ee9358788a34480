//! Bones in the text form, with one line per key.

use core::fmt;

use inbetween_core::text::{Each, Float, Name, Skip};
use inbetween_core::{Quat, Record, Values, View};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{BonePart, Channel, ChannelPart, SeanimBone, SeanimKey, SeanimKeys};

/// The mirror type of a bone, with channels of vectors and of quaternions.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoneText<'a, V, Q> {
    name: Name<'a>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    flags: u8,
    #[serde(default = "none", skip_serializing_if = "Skip::skips")]
    locations: Option<V>,
    #[serde(default = "none", skip_serializing_if = "Skip::skips")]
    rotations: Option<Q>,
    #[serde(default = "none", skip_serializing_if = "Skip::skips")]
    scales: Option<V>,
}

fn none<T>() -> Option<T> {
    None
}

impl<'a> From<SeanimBone<'a>> for BoneText<'a, KeysText<'a>, KeysText<'a>> {
    fn from(bone: SeanimBone<'a>) -> Self {
        let keys = |channel| bone.keys(channel).map(KeysText);
        Self {
            name: Name(bone.name().into()),
            flags: bone.flags(),
            locations: keys(Channel::Location),
            rotations: keys(Channel::Rotation),
            scales: keys(Channel::Scale),
        }
    }
}

impl<V: IntoChannel, Q: IntoChannel> BoneText<'_, V, Q> {
    pub(super) fn into_part(self) -> BonePart {
        BonePart {
            name: self.name.0.into_owned(),
            flags: self.flags,
            locations: self.locations.map(IntoChannel::into_channel),
            rotations: self.rotations.map(IntoChannel::into_channel),
            scales: self.scales.map(IntoChannel::into_channel),
        }
    }
}

/// The mirror type of a key.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KeyText<V> {
    frame: u32,
    value: V,
}

/// The encoded keys of a channel.
pub(super) struct KeysText<'a>(SeanimKeys<'a>);

impl Serialize for KeysText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            SeanimKeys::Float3(view) => each(view, serializer, |value| value.map(Float)),
            SeanimKeys::Double3(view) => each(view, serializer, |value| value.map(Float)),
            SeanimKeys::FloatQ(view) => each(view, serializer, |value| value.to_array().map(Float)),
            SeanimKeys::DoubleQ(view) => {
                each(view, serializer, |value| value.to_array().map(Float))
            }
        }
    }
}

fn each<V: Record<Layout = ()>, T: Serialize, S: Serializer>(
    view: View<'_, SeanimKey<V>>,
    serializer: S,
    mirror: impl Fn(V) -> T,
) -> Result<S::Ok, S::Error> {
    let key = |key: SeanimKey<V>| KeyText { frame: key.frame, value: mirror(key.value) };
    Each(|| view.iter().map(key)).serialize(serializer)
}

/// The parsed keys of a channel.
#[derive(Default)]
pub(super) struct Column<V> {
    frames: Vec<u32>,
    values: Vec<V>,
}

/// Types that can become a channel: columns of vectors and quaternions of both precisions.
pub(super) trait IntoChannel {
    fn into_channel(self) -> ChannelPart;
}

macro_rules! into_channel {
    ($($float:ty, $count:literal, $make:expr;)*) => {$(
        impl IntoChannel for Column<[Float<$float>; $count]> {
            fn into_channel(self) -> ChannelPart {
                let values = self.values.into_iter().map(|value| $make(value.map(|part| part.0)));
                ChannelPart { frames: self.frames, values: Values::from(values.collect::<Vec<_>>()) }
            }
        }
    )*};
}
into_channel! {
    f32, 3, core::convert::identity;
    f64, 3, core::convert::identity;
    f32, 4, Quat::from_array;
    f64, 4, Quat::from_array;
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Column<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ColumnVisitor<V>(Column<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for ColumnVisitor<V> {
            type Value = Column<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of keys")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Column<V>, A::Error> {
                let Self(mut column) = self;
                while let Some(KeyText { frame, value }) = seq.next_element::<KeyText<V>>()? {
                    column.frames.push(frame);
                    column.values.push(value);
                }
                Ok(column)
            }
        }

        let empty = Column { frames: Vec::new(), values: Vec::new() };
        deserializer.deserialize_seq(ColumnVisitor(empty))
    }
}
