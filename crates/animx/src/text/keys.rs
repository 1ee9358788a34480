//! Keys in the text form, one line each.

use core::fmt;
use core::marker::PhantomData;

use inbetween_core::text::{Each, Float, Named, Names, Skip, present};
use inbetween_core::{ValueKind, with_kind};
use serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::cell::{Cell, Strings};
use crate::{InterpolationPart, KeysPart, TrackType, ValuesPart};

/// The names of the interpolations, as in AnimJ.
pub(super) struct InterpolationNames;

impl Names for InterpolationNames {
    const LARGEST: u32 = 255;
    const NAMED: u32 = 4;

    fn name(number: u32) -> Option<&'static str> {
        const NAMES: [&str; 4] = ["Hold", "Linear", "Tangent", "CubicBezier"];
        NAMES.get(usize::try_from(number).ok()?).copied()
    }
}

pub(super) type InterpolationText = Named<InterpolationNames>;

/// The mirror type of a Discrete key.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct DiscreteKey<V> {
    time: Float<f32>,
    value: V,
}

/// The mirror type of a Curve key.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CurveKey<V> {
    time: Float<f32>,
    value: V,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    interpolation: Option<InterpolationText>,
    // Null is a valid value here.
    #[serde(default = "none", deserialize_with = "present", skip_serializing_if = "Skip::skips")]
    left: Option<V>,
    #[serde(default = "none", deserialize_with = "present", skip_serializing_if = "Skip::skips")]
    right: Option<V>,
}

fn none<V>() -> Option<V> {
    None
}

/// The keys of a track for printing.
pub(super) struct KeysText<'a>(pub(super) &'a KeysPart);

impl Serialize for KeysText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (keys, kind) = (self.0, self.0.values().kind());
        with_kind!(kind, T => print::<T, S>(keys, serializer), else {
            print::<Strings, S>(keys, serializer)
        })
    }
}

fn print<C: Cell, S: Serializer>(keys: &KeysPart, serializer: S) -> Result<S::Ok, S::Error> {
    let values = keys.values();
    let time = |index: usize| Float(keys.times().get(index).copied().unwrap_or_default());
    let indices = 0..values.len();
    match keys {
        KeysPart::Raw { .. } => {
            Each(|| indices.clone().filter_map(|index| C::get(values, index))).serialize(serializer)
        }
        KeysPart::Discrete { .. } => {
            let key =
                |index| Some(DiscreteKey { time: time(index), value: C::get(values, index)? });
            Each(|| indices.clone().filter_map(key)).serialize(serializer)
        }
        KeysPart::Curve { interpolation, tangents, .. } => {
            let interpolation = |index| match interpolation {
                InterpolationPart::Shared(_) => None,
                InterpolationPart::PerKey(each) => {
                    each.get::<usize>(index).map(|byte| InterpolationText::new((*byte).into()))
                }
            };
            let tangents = tangents.as_ref();
            let key = |index| {
                Some(CurveKey {
                    time: time(index),
                    value: C::get(values, index)?,
                    interpolation: interpolation(index),
                    left: tangents.and_then(|tangents| C::get(&tangents.left, index)),
                    right: tangents.and_then(|tangents| C::get(&tangents.right, index)),
                })
            };
            Each(|| indices.clone().filter_map(key)).serialize(serializer)
        }
    }
}

/// Parses the keys of a track with a type and a kind.
pub(super) struct KeysSeed {
    pub(super) track_type: TrackType,
    pub(super) kind: ValueKind,
}

/// The parsed keys of a track.
pub(super) struct Parsed {
    pub(super) times: Vec<f32>,
    pub(super) values: ValuesPart,
    /// The interpolations of keys that have one.
    pub(super) interpolations: Vec<u8>,
    /// The tangents of keys that have one, and their number.
    pub(super) left: (ValuesPart, usize),
    pub(super) right: (ValuesPart, usize),
}

impl<'de> DeserializeSeed<'de> for KeysSeed {
    type Value = Parsed;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Parsed, D::Error> {
        let kind = self.kind;
        with_kind!(kind, T => parse::<T, D>(self, deserializer), else {
            parse::<Strings, D>(self, deserializer)
        })
    }
}

fn parse<'de, C: Cell, D: Deserializer<'de>>(
    seed: KeysSeed,
    deserializer: D,
) -> Result<Parsed, D::Error> {
    deserializer.deserialize_seq(KeysVisitor::<C> { seed, cell: PhantomData })
}

struct KeysVisitor<C> {
    seed: KeysSeed,
    cell: PhantomData<C>,
}

impl<'de, C: Cell> Visitor<'de> for KeysVisitor<C> {
    type Value = Parsed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of keys of {}", self.seed.kind)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Parsed, A::Error> {
        let mut columns = Columns::<C>::default();
        match self.seed.track_type {
            TrackType::Raw => {
                while let Some(value) = seq.next_element()? {
                    C::push(&mut columns.values, value);
                }
            }
            TrackType::Discrete => {
                while let Some(DiscreteKey { time, value }) = seq.next_element()? {
                    columns.times.push(time.0);
                    C::push(&mut columns.values, value);
                }
            }
            TrackType::Curve => {
                while let Some(key) = seq.next_element()? {
                    columns.push(key).map_err(A::Error::custom)?;
                }
            }
        }
        Ok(columns.parsed(self.seed.kind))
    }
}

/// The columns of a track under construction.
struct Columns<C: Cell> {
    times: Vec<f32>,
    values: C::Column,
    interpolations: Vec<u8>,
    left: (C::Column, usize),
    right: (C::Column, usize),
}

impl<C: Cell> Default for Columns<C> {
    fn default() -> Self {
        Self {
            times: Vec::new(),
            values: C::Column::default(),
            interpolations: Vec::new(),
            left: (C::Column::default(), 0),
            right: (C::Column::default(), 0),
        }
    }
}

impl<C: Cell> Columns<C> {
    /// Appends a key, which must have the same members as the keys before it.
    fn push(&mut self, key: CurveKey<C::Text>) -> Result<(), String> {
        let before = self.times.len();
        let fits = |what: &str, found: bool, all: usize| {
            if before == 0 || found == (all == before) {
                return Ok(());
            }
            let (expected, found) = if found { ("no", "one") } else { ("a member", "none") };
            Err(format!("expected {expected} {what}, as in the keys before, found {found}"))
        };
        fits("interpolation", key.interpolation.is_some(), self.interpolations.len())?;
        fits("left", key.left.is_some(), self.left.1)?;
        fits("right", key.right.is_some(), self.right.1)?;
        if key.left.is_some() != key.right.is_some() {
            return Err("expected both left and right, found one of them".to_owned());
        }
        self.times.push(key.time.0);
        C::push(&mut self.values, key.value);
        self.interpolations.extend(key.interpolation.map(Named::byte));
        for (side, value) in [(&mut self.left, key.left), (&mut self.right, key.right)] {
            if let Some(value) = value {
                C::push(&mut side.0, value);
                side.1 = side.1.saturating_add(1);
            }
        }
        Ok(())
    }

    fn parsed(self, kind: ValueKind) -> Parsed {
        Parsed {
            times: self.times,
            values: C::part(kind, self.values),
            interpolations: self.interpolations,
            left: (C::part(kind, self.left.0), self.left.1),
            right: (C::part(kind, self.right.0), self.right.1),
        }
    }
}
