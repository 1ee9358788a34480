//! Tracks in the text form.

use core::fmt;

use inbetween_core::ValueKind;
use inbetween_core::text::{Float, Skip};
use serde::de::{Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::keys::{InterpolationText, KeysSeed, KeysText, Parsed};
use super::strings::TextText;
use crate::{InterpolationPart, KeysPart, TangentsPart, TextPart, TrackPart, TrackType};

/// A track for printing.
pub(super) struct Track(pub(super) TrackPart);

/// The mirror type of a track for printing; [`TrackVisitor`] parses the same members.
#[derive(Serialize)]
struct TrackOut<'a> {
    #[serde(with = "TrackTypeText")]
    track_type: TrackType,
    value_type: KindText,
    node: TextText<'a>,
    property: TextText<'a>,
    #[serde(skip_serializing_if = "Skip::skips")]
    key_count_padding: u8,
    #[serde(skip_serializing_if = "Skip::skips")]
    interval: Option<Float<f32>>,
    #[serde(skip_serializing_if = "Skip::skips")]
    interpolation: Option<InterpolationText>,
    #[serde(skip_serializing_if = "Skip::skips")]
    tangents: bool,
    #[serde(skip_serializing_if = "Skip::skips")]
    other_flags: u8,
    #[serde(skip_serializing_if = "Skip::skips")]
    values: Option<KeysText<'a>>,
    #[serde(skip_serializing_if = "Skip::skips")]
    keys: Option<KeysText<'a>>,
}

impl Serialize for Track {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TrackPart { node, property, key_count_padding, keys } = &self.0;
        let (interpolation, tangents, other_flags) = match keys {
            KeysPart::Curve { interpolation, tangents, other_flags, .. } => {
                let shared = match interpolation {
                    InterpolationPart::Shared(byte) => Some(InterpolationText::new((*byte).into())),
                    InterpolationPart::PerKey(_) => None,
                };
                (shared, tangents.is_some(), *other_flags)
            }
            KeysPart::Raw { .. } | KeysPart::Discrete { .. } => (None, false, 0),
        };
        let interval = match keys {
            KeysPart::Raw { interval, .. } => Some(Float(*interval)),
            _ => None,
        };
        let track_type = keys.track_type();
        let is_raw = track_type == TrackType::Raw;
        let out = TrackOut {
            track_type,
            value_type: KindText(keys.values().kind()),
            node: node.borrow().into(),
            property: property.borrow().into(),
            key_count_padding: *key_count_padding,
            interval,
            interpolation,
            tangents,
            other_flags,
            values: is_raw.then_some(KeysText(keys)),
            keys: (!is_raw).then_some(KeysText(keys)),
        };
        out.serialize(serializer)
    }
}

#[derive(Deserialize, Serialize)]
#[serde(remote = "TrackType")]
enum TrackTypeText {
    Raw,
    Discrete,
    Curve,
}

/// A parsed track type.
#[derive(Deserialize)]
struct TypeIn(#[serde(with = "TrackTypeText")] TrackType);

/// A kind by its name.
struct KindText(ValueKind);

impl Serialize for KindText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for KindText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KindVisitor;

        impl Visitor<'_> for KindVisitor {
            type Value = ValueKind;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a value type, such as \"float3\" or \"string\"")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<ValueKind, E> {
                let kind = ValueKind::from_name(name);
                kind.ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
            }
        }

        deserializer.deserialize_str(KindVisitor).map(Self)
    }
}

/// A parsed track.
pub(super) struct TrackText(pub(super) TrackPart);

impl<'de> Deserialize<'de> for TrackText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TrackVisitor).map(Self)
    }
}

/// The members of a track.
#[derive(Clone, Copy, Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Member {
    TrackType,
    ValueType,
    Node,
    Property,
    KeyCountPadding,
    Interval,
    Interpolation,
    Tangents,
    OtherFlags,
    Values,
    Keys,
}

/// The parts of a track parsed so far.
#[derive(Default)]
struct Members<'a> {
    track_type: Option<TypeIn>,
    value_type: Option<KindText>,
    node: Option<TextText<'a>>,
    property: Option<TextText<'a>>,
    key_count_padding: Option<u8>,
    interval: Option<Float<f32>>,
    interpolation: Option<InterpolationText>,
    tangents: Option<bool>,
    other_flags: Option<u8>,
    keys: Option<Parsed>,
}

struct TrackVisitor;

impl<'de> Visitor<'de> for TrackVisitor {
    type Value = TrackPart;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a track")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TrackPart, A::Error> {
        let mut members = Members::default();
        while let Some(member) = map.next_key::<Member>()? {
            match member {
                Member::TrackType => set(&mut members.track_type, "track_type", &mut map)?,
                Member::ValueType => set(&mut members.value_type, "value_type", &mut map)?,
                Member::Node => set(&mut members.node, "node", &mut map)?,
                Member::Property => set(&mut members.property, "property", &mut map)?,
                Member::KeyCountPadding => {
                    set(&mut members.key_count_padding, "key_count_padding", &mut map)?;
                }
                Member::Interval => set(&mut members.interval, "interval", &mut map)?,
                Member::Interpolation => {
                    set(&mut members.interpolation, "interpolation", &mut map)?;
                }
                Member::Tangents => set(&mut members.tangents, "tangents", &mut map)?,
                Member::OtherFlags => set(&mut members.other_flags, "other_flags", &mut map)?,
                Member::Values => members.parse_keys("values", &mut map)?,
                Member::Keys => members.parse_keys("keys", &mut map)?,
            }
        }
        members.part()
    }
}

fn set<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    slot: &mut Option<T>,
    name: &'static str,
    map: &mut A,
) -> Result<(), A::Error> {
    match slot.replace(map.next_value()?) {
        None => Ok(()),
        Some(_) => Err(A::Error::duplicate_field(name)),
    }
}

impl Members<'_> {
    /// Parses the keys, whose types the members before them determine.
    fn parse_keys<'de, A: MapAccess<'de>>(
        &mut self,
        name: &'static str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let types = self.track_type.as_ref().zip(self.value_type.as_ref());
        let Some((&TypeIn(track_type), &KindText(kind))) = types else {
            return Err(A::Error::custom(format_args!(
                "expected track_type and value_type before {name}, found them missing or after it"
            )));
        };
        let right = if track_type == TrackType::Raw { "values" } else { "keys" };
        if name != right {
            let track_type = track_type.name();
            return Err(A::Error::custom(format_args!(
                "expected the member {right}, as in all {track_type} tracks, found {name}"
            )));
        }
        match self.keys.replace(map.next_value_seed(KeysSeed { track_type, kind })?) {
            None => Ok(()),
            Some(_) => Err(A::Error::duplicate_field(name)),
        }
    }

    /// Returns the track.
    fn part<E: Error>(self) -> Result<TrackPart, E> {
        let missing = E::missing_field;
        let TypeIn(track_type) = self.track_type.ok_or_else(|| missing("track_type"))?;
        self.value_type.ok_or_else(|| missing("value_type"))?;
        let keys = match track_type {
            TrackType::Raw => "values",
            TrackType::Discrete | TrackType::Curve => "keys",
        };
        let Parsed { times, values, interpolations, left, right } =
            self.keys.ok_or_else(|| missing(keys))?;
        let of_curves = [
            ("interpolation", self.interpolation.is_some()),
            ("tangents", self.tangents.is_some()),
            ("other_flags", self.other_flags.is_some()),
        ];
        let of_curves = of_curves.into_iter().filter(|_| track_type != TrackType::Curve);
        let of_raw = [("interval", self.interval.is_some() && track_type != TrackType::Raw)];
        if let Some((name, _)) = of_curves.chain(of_raw).find(|(_, there)| *there) {
            let track_type = track_type.name();
            return Err(E::custom(format_args!(
                "expected no member {name} in a {track_type} track, found it"
            )));
        }
        let keys = match track_type {
            TrackType::Raw => {
                let Float(interval) = self.interval.ok_or_else(|| missing("interval"))?;
                KeysPart::Raw { interval, values }
            }
            TrackType::Discrete => KeysPart::Discrete { times, values },
            TrackType::Curve => {
                let tangents = self.tangents.unwrap_or(left.1 > 0);
                let (found, keys) = (left.1, times.len());
                if tangents && found != keys {
                    return Err(E::custom(format_args!(
                        "expected left and right in all {keys} keys, found them in {found}"
                    )));
                }
                if !tangents && found > 0 {
                    return Err(E::custom(format_args!(
                        "expected no left and right, since tangents is false, found them in {found} keys"
                    )));
                }
                KeysPart::Curve {
                    interpolation: interpolation(self.interpolation, interpolations, times.len())
                        .map_err(E::custom)?,
                    times,
                    values,
                    tangents: tangents.then_some(TangentsPart { left: left.0, right: right.0 }),
                    other_flags: self.other_flags.unwrap_or(0),
                }
            }
        };
        let text = |text: Option<TextText<'_>>, name| {
            text.map(TextPart::from).ok_or_else(|| missing(name))
        };
        Ok(TrackPart {
            node: text(self.node, "node")?,
            property: text(self.property, "property")?,
            key_count_padding: self.key_count_padding.unwrap_or(0),
            keys,
        })
    }
}

/// Returns the interpolation of a track: its own member, or those of its keys.
fn interpolation(
    shared: Option<InterpolationText>,
    each: Vec<u8>,
    keys: usize,
) -> Result<InterpolationPart, String> {
    let found = each.len();
    match shared {
        Some(shared) if found == 0 => Ok(InterpolationPart::Shared(shared.byte())),
        None if found == keys => Ok(InterpolationPart::PerKey(each)),
        Some(_) => Err(format!(
            "expected the interpolation of the track or those of its keys, found it and {found}"
        )),
        None => Err(format!(
            "expected an interpolation of the track or of each of its {keys} keys, found {found}"
        )),
    }
}
