//! Objects with other members than expected.
//!
//! Resonite ignores unknown members and uses defaults for missing ones, so an object of the wrong
//! form would silently become zeros. A single unknown member is dropped with a finding; an object
//! with only unknown members is rejected.

use std::borrow::Cow;

use inbetween_core::{Edit, Remedy};

use super::Reader;
use crate::codes;
use crate::layout::{CURVE, TrackType};
use inbetween_core::json::{Json, JsonError, JsonResult, Mark};

/// An object while it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<'t> {
    start: Mark<'t>,
    role: Role,
    expected: &'static str,
    /// The components of the track's values.
    components: &'static [&'static str],
}

/// The path depth of the members of a key, as `/tracks/0/data/keyframes/0/value`.
pub(super) const KEY_MEMBER: usize = 5;

/// The role of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A key of a Discrete or Curve track.
    Key,
    /// A value that is a key of a Raw track.
    RawKey,
    /// A value within a key.
    Value,
}

impl<'t> Object<'t> {
    /// Creates a key, with time and value.
    pub(super) const fn key(start: Mark<'t>, components: &'static [&'static str]) -> Self {
        Self { start, role: Role::Key, expected: "an object with time and value", components }
    }

    /// Creates a value at its path depth.
    pub(super) const fn value(
        start: Mark<'t>,
        expected: &'static str,
        components: &'static [&'static str],
        depth: usize,
    ) -> Self {
        let role = if depth == KEY_MEMBER { Role::RawKey } else { Role::Value };
        Self { start, role, expected, components }
    }
}

/// The number of members of each kind, in any case.
#[derive(Debug, Default)]
struct Shape {
    /// The first names, for the message.
    names: Vec<String>,
    /// Members of keys.
    key: usize,
    /// Members that only Curve keys have.
    curve: usize,
    /// Members named `value`.
    value: usize,
    components: usize,
}

/// The largest number of names in a message.
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

    /// Returns the type of track whose keys have this form, if they have times.
    const fn keyed(&self) -> Option<TrackType> {
        match self {
            Self { components: 1.., .. } | Self { key: 0, .. } => None,
            Self { curve: 0, .. } => Some(TrackType::Discrete),
            Self { .. } => Some(TrackType::Curve),
        }
    }
}

impl<'t> Reader<'t> {
    /// Rejects an object that has members, but none of the expected ones.
    pub(super) fn judge(&mut self, object: &Object<'t>) -> JsonResult<()> {
        let Object { start, role, expected, components } = *object;
        // Invalid JSON is reported when the object is read.
        let Some(shape) = self.shape(start, components) else { return Ok(()) };
        let fault = match (role, &shape) {
            (Role::Key, Shape { key: 0, components: 1.., .. }) => self.bare_value(start),
            (Role::RawKey, shape) if shape.keyed().is_some() => self.keyed_value(start, shape),
            (Role::Key, Shape { key: 0, .. } | Shape { value: 0, components: 1.., .. })
            | (Role::RawKey | Role::Value, Shape { components: 0, .. }) => {
                let found = format!("an object with {}", shape.names.join(", "));
                JsonError::value(self.json.offset_of(start), codes::WRONG_MEMBERS, expected, found)
            }
            _ => return Ok(()),
        };
        Err(fault)
    }

    /// Counts the members of an object; returns `None` if it is not JSON.
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

    /// Returns the error for a key of a Raw track: a better one if the key has a time, otherwise
    /// the given one.
    #[cold]
    pub(super) fn keyed_in_raw(
        &mut self,
        start: Mark<'t>,
        components: &[&str],
        fault: JsonError,
    ) -> JsonError {
        if fault.0.code != codes::WRONG_TYPE || Json::byte_at(start) != Some(b'{') {
            return fault;
        }
        match self.shape(start, components) {
            Some(shape) if shape.keyed().is_some() => {
                self.place.up_to(KEY_MEMBER);
                self.keyed_value(start, &shape)
            }
            _ => fault,
        }
    }

    /// Returns the error for a key of another track: a better one if it is a bare value that starts
    /// with one of the bytes `first`, otherwise the given one.
    #[cold]
    pub(super) fn bare_in_keyed(
        &mut self,
        start: Mark<'t>,
        first: &[u8],
        fault: JsonError,
    ) -> JsonError {
        match Json::byte_at(start) {
            Some(byte) if byte != b'{' && first.contains(&byte) => self.bare_value(start),
            _ => fault,
        }
    }

    fn keyed_value(&mut self, start: Mark<'t>, shape: &Shape) -> JsonError {
        self.checks.foreign_key(shape.keyed() == Some(TrackType::Curve));
        let found = format!("a key with {}", shape.names.join(", "));
        let at = self.json.offset_of(start);
        JsonError::value(at, codes::TRACK_TYPE_MISMATCH, "a bare value in a Raw track", found)
            .hint(
                "keys with times belong to Discrete and Curve tracks; trackType can be fixed \
                 automatically if all keys have them",
            )
            .remedy(Remedy::Fix)
    }

    fn bare_value(&mut self, start: Mark<'t>) -> JsonError {
        const EXPECTED: &str = "an object with time and value";
        self.checks.foreign_key(false);
        let at = self.json.offset_of(start);
        JsonError::value(at, codes::TRACK_TYPE_MISMATCH, EXPECTED, "a bare value")
            .hint("only Raw tracks, which have an interval, have bare values as keys")
    }

    /// Completes the finding about keys of another track type, once all keys are known.
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
            ", mixed with keys of other shapes"
        } else if meant == TrackType::Raw && !foreign.has_interval {
            "; a Raw track needs an interval, which data does not have"
        } else {
            ""
        };
        finding.message = format!("{what} in a {} track{why_not}", track_type.name()).into();
        let (start, end) = self.track_type;
        if why_not.is_empty() && start < end {
            // The quotes stay.
            let (start, end) = (start.saturating_add(1), end.saturating_sub(1));
            let replacement = Cow::Borrowed(meant.name().as_bytes());
            let edits = vec![Edit { start, end, replacement }];
            let title = match meant {
                TrackType::Raw => "change trackType to Raw",
                TrackType::Discrete => "change trackType to Discrete",
                TrackType::Curve => "change trackType to Curve",
            };
            self.notes.fix(codes::TRACK_TYPE_MISMATCH, title, edits);
        }
    }
}
