//! Objects that have other members than their place needs.
//!
//! Resonite ignores members that it does not know and takes the default for those that are
//! missing, so an object of the wrong shape would become zeros without a word. A single
//! unknown member is dropped with a finding; an object with nothing else is refused.

use std::borrow::Cow;

use inbetween_core::Edit;

use super::Reader;
use super::data::TrackType;
use super::keys::{CURVE, MEMBER};
use crate::codes;
use crate::json::{Fault, Json, Mark, Parsed};

/// An object that is being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<'t> {
    start: Mark<'t>,
    role: Role,
    expected: &'static str,
    /// The components of the track's values.
    components: &'static [&'static str],
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A key of a Discrete or Curve track.
    Key,
    /// A value that is a key of a Raw track.
    RawKey,
    /// A value in a key.
    Value,
}

impl<'t> Object<'t> {
    /// Makes a key, with time and value.
    pub(super) const fn key(start: Mark<'t>, components: &'static [&'static str]) -> Self {
        Self { start, role: Role::Key, expected: "an object with time and value", components }
    }

    /// Makes a value at the depth of its steps.
    pub(super) const fn value(
        start: Mark<'t>,
        expected: &'static str,
        components: &'static [&'static str],
        depth: usize,
    ) -> Self {
        let role = if depth == MEMBER { Role::RawKey } else { Role::Value };
        Self { start, role, expected, components }
    }
}

/// How many members of which kind an object has, in whatever case.
#[derive(Debug, Default)]
struct Shape {
    /// The first names, to print them.
    names: Vec<String>,
    /// Members of keys.
    key: usize,
    /// Those that only Curve keys have.
    curve: usize,
    /// Members named `value`.
    value: usize,
    components: usize,
}

/// A message lists at most this many names.
const MOST_NAMES: usize = 5;

impl Shape {
    fn add(&mut self, name: &str, components: &[&str]) {
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        let count = |counter: &mut usize, found: bool| {
            *counter = counter.saturating_add(usize::from(found));
        };
        let member = CURVE.iter().position(is);
        count(&mut self.key, member.is_some());
        count(&mut self.value, member == Some(1));
        count(&mut self.curve, member > Some(1));
        count(&mut self.components, components.iter().any(is));
        if self.names.len() < MOST_NAMES {
            self.names.push(inbetween_core::shown(name).to_string());
        } else if self.names.len() == MOST_NAMES {
            self.names.push("...".into());
        }
    }

    /// Returns the type of track that has keys of this shape, if they are keys with times.
    const fn keyed(&self) -> Option<TrackType> {
        match self {
            Self { components: 1.., .. } | Self { key: 0, .. } => None,
            Self { curve: 0, .. } => Some(TrackType::Discrete),
            Self { .. } => Some(TrackType::Curve),
        }
    }
}

impl<'t> Reader<'t> {
    /// Refuses an object that has members, but not those that its place needs.
    pub(super) fn judge(&mut self, object: &Object<'t>) -> Parsed<()> {
        let Object { start, role, expected, components } = *object;
        // What is no JSON is found again when it is read.
        let Some(shape) = self.shape(start, components) else { return Ok(()) };
        let fault = match (role, &shape) {
            (Role::Key, Shape { key: 0, components: 1.., .. }) => self.bare_value(start),
            (Role::RawKey, shape) if shape.keyed().is_some() => self.keyed_value(start, shape),
            (Role::Key, Shape { key: 0, .. } | Shape { value: 0, components: 1.., .. })
            | (Role::RawKey | Role::Value, Shape { components: 0, .. }) => {
                let found = format!("an object with {}", shape.names.join(", "));
                Fault::value(self.json.offset_of(start), codes::WRONG_MEMBERS, expected, found)
            }
            _ => return Ok(()),
        };
        Err(fault)
    }

    /// Counts the members of an object; `None` if it is not JSON.
    fn shape(&mut self, start: Mark<'t>, components: &[&str]) -> Option<Shape> {
        self.json.look_at(start, |json| {
            let (mut shape, mut first) = (Shape::default(), true);
            json.begin_object("an object").ok()?;
            while let Some(name) = json.next_name(&mut first).ok()? {
                shape.add(&name, components);
                json.skip_value().ok()?;
            }
            Some(shape)
        })
    }

    /// Returns the fault of a key of a Raw track: that it has a time, or the one at hand.
    #[cold]
    pub(super) fn keyed_in_raw(
        &mut self,
        start: Mark<'t>,
        components: &[&str],
        fault: Fault,
    ) -> Fault {
        if fault.0.code != codes::WRONG_TYPE || Json::byte_at(start) != Some(b'{') {
            return fault;
        }
        match self.shape(start, components) {
            Some(shape) if shape.keyed().is_some() => {
                self.place.up_to(MEMBER);
                self.keyed_value(start, &shape)
            }
            _ => fault,
        }
    }

    /// Returns the fault of a key of another track: that it is a bare value, which begins with
    /// one of the bytes `first`, or the one at hand.
    #[cold]
    pub(super) fn bare_in_keyed(&mut self, start: Mark<'t>, first: &[u8], fault: Fault) -> Fault {
        match Json::byte_at(start) {
            Some(byte) if byte != b'{' && first.contains(&byte) => self.bare_value(start),
            _ => fault,
        }
    }

    fn keyed_value(&mut self, start: Mark<'t>, shape: &Shape) -> Fault {
        self.checks.foreign_key(shape.keyed() == Some(TrackType::Curve));
        let found = format!("a key with {}", shape.names.join(", "));
        let at = self.json.offset_of(start);
        Fault::value(at, codes::TRACK_TYPE_MISMATCH, "a bare value in a Raw track", found).hint(
            "keys with times belong to Discrete and Curve tracks; `inbetween check --fix` \
             changes trackType if all keys have them",
        )
    }

    fn bare_value(&mut self, start: Mark<'t>) -> Fault {
        const EXPECTED: &str = "an object with time and value";
        self.checks.foreign_key(false);
        let at = self.json.offset_of(start);
        Fault::value(at, codes::TRACK_TYPE_MISMATCH, EXPECTED, "a bare value")
            .hint("bare values are the keys of Raw tracks, which have an interval")
    }

    /// Completes the finding about keys of another track type, when all keys are known.
    pub(super) fn end_of_foreign_keys(&mut self, track_type: TrackType) {
        let foreign = self.checks.foreign_keys();
        let Some(finding) = self.notes.of_this_track(codes::TRACK_TYPE_MISMATCH) else { return };
        if foreign.count == 0 {
            return;
        }
        let (what, meant) = match track_type {
            TrackType::Raw if foreign.curve > 0 => ("a Curve key", TrackType::Curve),
            TrackType::Raw => ("a Discrete key", TrackType::Discrete),
            TrackType::Discrete | TrackType::Curve => ("a bare value", TrackType::Raw),
        };
        let why_not = if foreign.count != foreign.keys {
            ", among keys of other shapes"
        } else if meant == TrackType::Raw && foreign.interval.is_none() {
            "; a Raw track needs an interval, which data does not have"
        } else {
            ""
        };
        finding.message = format!("{what} in a {} track{why_not}", track_type.name()).into();
        if why_not.is_empty() {
            let (start, end) = self.track_type;
            // The quotes stay.
            let (start, end) = (start.saturating_add(1), end.saturating_sub(1));
            let replacement = Cow::Borrowed(meant.name().as_bytes());
            let edits = vec![Edit { start, end, replacement }];
            let title = match meant {
                TrackType::Raw => "change trackType to Raw",
                TrackType::Discrete => "change trackType to Discrete",
                TrackType::Curve => "change trackType to Curve",
            };
            self.notes.mend(codes::TRACK_TYPE_MISMATCH, title, edits);
        }
    }
}
