//! The `data` of a track.

use inbetween_core::{Strings, Text, ValueKind, codes as shared, with_kind};

use super::Reader;
use super::members::{Name, Names, Unknown};
use crate::codes;
use crate::file::{AnimjKeys, AnimjTrack};
use crate::layout::TrackType;
use inbetween_core::json::{JsonError, JsonResult};

/// The indices of the members.
const NODE: usize = 0;
const PROPERTY: usize = 1;
const KEYFRAMES: usize = 2;
const INTERVAL: usize = 3;

/// The path depth below `/tracks/0/data`.
const MEMBER: usize = 3;

impl Reader<'_> {
    /// Reads `data`.
    pub(super) fn data(
        &mut self,
        track_type: TrackType,
        kind: ValueKind,
    ) -> JsonResult<AnimjTrack> {
        let start = self.json.offset();
        self.checks.begin_track(start, track_type, kind);
        self.json.begin_object("an object with keyframes")?;
        let mut names = Names::new(track_type.data_names(), MEMBER);
        let (mut node, mut property, mut interval) = (None, None, None);
        let (mut keys, mut extra) = (None, Vec::new());
        while let Some(name) = self.next_member(&mut names)? {
            self.take_repairs_at(MEMBER);
            let index = match name {
                Name::Known(index) => index,
                Name::Unknown(name) => {
                    if name == "interval" {
                        self.checks.interval_in_keyed(self.json.peek());
                    }
                    extra.extend(self.unknown(&mut names, &name, Unknown::Kept)?);
                    continue;
                }
            };
            self.meet(&mut names, index);
            match index {
                NODE => node = self.name()?,
                PROPERTY => property = self.name()?,
                INTERVAL => interval = self.seconds()?,
                _ => {
                    // Only one list of keys is in memory at a time.
                    drop(keys.take());
                    keys = self.keyframes(track_type, kind)?;
                }
            }
            self.take_repairs();
        }
        self.place.up_to(MEMBER);
        self.take_repairs();
        let mut keys = keys.unwrap_or_else(|| no_keys(track_type, kind));
        if let AnimjKeys::Raw { interval: seconds, .. } = &mut keys {
            *seconds = interval.unwrap_or_default();
        }
        if self.checks() {
            // An unreadable one was reported already, so nothing more is reported with it.
            let interval = interval.or(names.has(INTERVAL).then_some(f32::MIN_POSITIVE));
            self.end_of_foreign_keys(track_type);
            let (checks, mut noting) = self.checking();
            checks.end_track(&mut noting, interval, [node.as_ref(), property.as_ref()], &keys);
            if !names.has(KEYFRAMES) {
                self.note_no_keys(start);
            }
            self.end_of_names(&names);
        }
        Ok(AnimjTrack { node, property, keys, extra })
    }

    /// Reads the name of a node, a property or the file.
    pub(super) fn name(&mut self) -> JsonResult<Option<Text>> {
        let mark = self.json.mark();
        let name = match self.nullable_string() {
            Ok(name) => name,
            Err(fault) => {
                self.recover(mark, fault)?;
                None
            }
        };
        let Some(name) = name else { return Ok(None) };
        self.charge(name.len())?;
        Ok(Some(self.shared_names.share(&name)))
    }

    /// Reads `keyframes`; returns `None` for null and for values that a check skips.
    fn keyframes(
        &mut self,
        track_type: TrackType,
        kind: ValueKind,
    ) -> JsonResult<Option<AnimjKeys>> {
        if self.json.at_null() {
            self.note_no_keys(self.json.offset());
            return self.json.literal("an array of keyframes").map(|_| None);
        }
        let mark = self.json.mark();
        match self.keys_of_kind(track_type, kind) {
            Ok(keys) => Ok(Some(keys)),
            Err(fault) => self.recover(mark, fault).map(|()| None),
        }
    }

    /// Reports that a track has no keys.
    pub(super) fn note_no_keys(&mut self, at: usize) {
        self.note(shared::EMPTY_TRACK, at, || "a track without keyframes".into());
    }

    fn keys_of_kind(&mut self, track_type: TrackType, kind: ValueKind) -> JsonResult<AnimjKeys> {
        macro_rules! keys {
            ($column:ty) => {
                match track_type {
                    TrackType::Raw => self.raw::<$column>(),
                    TrackType::Discrete | TrackType::Curve => self.keyed::<$column>(track_type),
                }
            };
        }
        with_kind!(kind, T => keys!(Vec<T>), else match kind {
            ValueKind::String => keys!(Strings),
            other => Err(unsupported_kind(self.json.offset(), other.name())),
        })
    }
}

/// The error for a type of which Resonite has no tracks.
pub(super) fn unsupported_kind(at: usize, name: &str) -> JsonError {
    let what = format!("valueType \"{name}\"").into();
    let kind = inbetween_core::ReadErrorKind::Unsupported { what };
    let fault = JsonError::new(
        at,
        codes::VALUE_TYPE_UNSUPPORTED,
        kind,
        inbetween_core::json::Recovery::Skip,
    );
    fault.hint("Resonite has this type, but no tracks of it")
}

fn no_keys(track_type: TrackType, kind: ValueKind) -> AnimjKeys {
    let values = inbetween_core::Values::empty(kind);
    let times = Vec::new();
    match track_type {
        TrackType::Raw => AnimjKeys::Raw { interval: 0.0, values },
        TrackType::Discrete => AnimjKeys::Discrete { times, values },
        TrackType::Curve => {
            AnimjKeys::Curve { times, values, interpolation: Vec::new(), tangents: None }
        }
    }
}
