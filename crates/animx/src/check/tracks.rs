//! Checks a track and its keys.

use inbetween_core::{Interpolation, Path, Record, ValueKind, codes as shared};

use super::findings::Check;
use crate::codes;
use crate::layout::{PER_KEY, TANGENTS, TrackType, interpolation};
use crate::strings::TextKey;
use crate::track::AnimxTrack;
use crate::wire::spare_bits;

/// The largest difference between the length of a quaternion and 1 that is not reported.
const LENGTH_TOLERANCE: f64 = 0.01;

impl Check<'_, '_> {
    pub(super) fn track(&mut self, track: &AnimxTrack<'_>, index: usize) {
        let path = || Path::item("tracks", index);
        if track.is_empty() {
            self.say(shared::EMPTY_TRACK, track.offset(), path(), || "a track without keys".into());
        }
        let space = self.file.space();
        self.text(space, track.node(), track.node_offset(), || path().then("node"));
        self.text(space, track.property(), track.property_offset(), || path().then("property"));
        let padding = track.count().padding();
        if padding > 0 {
            self.say(codes::OVERLONG_LENGTH, track.count_offset(), path().then("keyCount"), || {
                format!("{padding} bytes more than it needs")
            });
        }
        self.interval(track, index);
        self.times(track, index);
        if track.kind() == ValueKind::String {
            self.texts(track, index);
        } else {
            self.values(track, index);
        }
        if track.track_type() == TrackType::Curve {
            self.curve(track, index);
        }
    }

    fn interval(&mut self, track: &AnimxTrack<'_>, index: usize) {
        let Some(interval) = track.interval() else { return };
        let path = || Path::item("tracks", index).then("interval");
        if !(interval > 0.0 && interval.is_finite()) && track.len() > 1 {
            self.say(shared::INTERVAL_INVALID, track.body_offset(), path(), || {
                format!("expected more than 0, found {interval}")
            });
        }
        let steps = inbetween_core::num::f64_from_index(track.len().saturating_sub(1));
        self.end(f64::from(interval) * steps, track.keys_offset(), path);
    }

    /// Checks the time of the last key.
    fn end(&mut self, time: f64, at: usize, path: impl Fn() -> Path) {
        let duration = f64::from(self.file.header().global_duration);
        if duration > 0.0 && time > duration && time.is_finite() {
            self.say(shared::KEY_AFTER_DURATION, at, path(), || {
                format!("a key at {time} s, the duration is {duration} s")
            });
        }
    }

    fn times(&mut self, track: &AnimxTrack<'_>, index: usize) {
        let path = || Path::item("tracks", index).then("keys");
        let (size, start) = (track.key_size(), track.keys_offset());
        let texts = || track.texts().map(|key| key.at);
        let at = |key: usize| match size {
            Some(size) => start.saturating_add(key.saturating_mul(size)),
            None => start.saturating_add(texts().nth(key).unwrap_or_default()),
        };
        let (mut last, mut latest) = (f32::NEG_INFINITY, None);
        for (key, time) in track.times().enumerate() {
            if !time.is_finite() {
                self.remark(shared::TIME_INVALID, &at, key, &path, || {
                    format!("key {key} is at {time} s")
                });
                continue;
            }
            if time < 0.0 {
                self.remark(shared::TIME_NEGATIVE, &at, key, &path, || {
                    format!("key {key} is at {time} s")
                });
            }
            if time < last {
                self.remark(shared::KEYS_UNSORTED, &at, key, &path, || {
                    format!("key {key} is at {time} s, after a key at {last} s")
                });
            }
            last = time;
            if latest.is_none_or(|(known, _)| time > known) {
                latest = Some((time, key));
            }
        }
        if let Some((time, key)) = latest {
            self.end(f64::from(time), at(key), path);
        }
    }

    /// Like `say`, for paths that take a search to compute.
    fn remark(
        &mut self,
        code: inbetween_core::Code,
        at: &dyn Fn(usize) -> usize,
        key: usize,
        path: &dyn Fn() -> Path,
        message: impl FnOnce() -> String,
    ) {
        let space = self.file.space();
        self.findings.add(code, || {
            let offset = inbetween_core::num::u64_from_len(at(key));
            let position = inbetween_core::Position::Byte { space, offset };
            inbetween_core::Finding::new(code, message()).at(path()).position(position)
        });
    }

    /// Checks values of fixed size.
    fn values(&mut self, track: &AnimxTrack<'_>, index: usize) {
        let kind = track.kind();
        let (spare, width) = (spare_bits(kind), float_width(kind));
        if spare == 0 && width.is_none() {
            return;
        }
        let size = track.key_size().unwrap_or_default();
        let start = track.keys_offset();
        let place = |key: usize| start.saturating_add(key.saturating_mul(size));
        let path = || Path::item("tracks", index).then("keys");
        for (key, value) in track.value_bytes().enumerate() {
            if let [byte] = value
                && byte & spare != 0
            {
                self.remark(codes::BYTE_ABOVE_1, &place, key, &path, || {
                    format!("key {key} is {byte:#04x}")
                });
            }
            if let Some(width) = width {
                self.floats(kind, value, width, key, &place, &path);
            }
        }
        let tangents = || Path::item("tracks", index).then("tangents");
        let start = start.saturating_add(size.saturating_mul(track.len()));
        let place = |_: usize| start;
        let needs = |byte: &u8| interpolation(*byte).is_some_and(Interpolation::needs_tangents);
        let is_used = track.interpolations().iter().any(needs);
        for (tangent, value) in track.tangent_bytes().enumerate() {
            if let [byte] = value
                && byte & spare != 0
            {
                self.remark(codes::BYTE_ABOVE_1, &place, 0, &tangents, || format!("{byte:#04x}"));
            }
            let mut numbers = width.filter(|_| is_used).map(|width| width.numbers(value));
            let odd = numbers.as_mut().and_then(|it| it.find(|number| !number.is_finite()));
            if let Some(number) = odd {
                self.remark(shared::NUMBER_NOT_FINITE, &place, 0, &tangents, || {
                    format!("a tangent of key {} has {number}", tangent / 2)
                });
            }
        }
    }

    fn floats(
        &mut self,
        kind: ValueKind,
        value: &[u8],
        width: Width,
        key: usize,
        at: &dyn Fn(usize) -> usize,
        path: &dyn Fn() -> Path,
    ) {
        let numbers = || width.numbers(value);
        if let Some(number) = numbers().find(|number| !number.is_finite()) {
            self.remark(shared::NUMBER_NOT_FINITE, at, key, path, || {
                format!("key {key} has {number}")
            });
        } else if kind.is_quaternion() {
            let length = numbers().map(|number| number * number).sum::<f64>().sqrt();
            if (length - 1.0).abs() > LENGTH_TOLERANCE {
                self.remark(shared::ROTATION_NOT_UNIT, at, key, path, || {
                    format!("key {key} has length {length:.4}")
                });
            }
        }
    }

    /// Checks strings, including those of tangents.
    fn texts(&mut self, track: &AnimxTrack<'_>, index: usize) {
        let space = self.file.space();
        let start = track.keys_offset();
        let keys = track.texts().map(|key| (key, "keys"));
        let tangents = track.tangent_texts().map(|key| (key, "tangents"));
        for (TextKey { at, value, .. }, field) in keys.chain(tangents) {
            let at = start.saturating_add(at);
            let path = || Path::item("tracks", index).then(field);
            if value.not_null > 1 {
                self.say(codes::BYTE_ABOVE_1, at, path(), || {
                    format!("null byte {:#04x} before a string", value.not_null)
                });
            }
            self.text(space, value.text, at.saturating_add(1), path);
        }
    }

    fn curve(&mut self, track: &AnimxTrack<'_>, index: usize) {
        let flags = track.flags().unwrap_or_default();
        let at = track.body_offset();
        let path = || Path::item("tracks", index).then("interpolation");
        let unknown = flags & !(PER_KEY | TANGENTS);
        if unknown != 0 {
            let path = Path::item("tracks", index).then("flags");
            self.say(codes::CURVE_FLAGS, at, path, || format!("unknown bits {unknown:#04x}"));
        }
        for (key, byte) in track.interpolations().iter().enumerate() {
            let at = at.saturating_add(1).saturating_add(key);
            let Some(interpolation) = interpolation(*byte) else {
                self.say(shared::INTERPOLATION_UNKNOWN, at, path(), || {
                    format!("expected 0 to 3, found {byte}")
                });
                continue;
            };
            // One that all keys share has the index 0.
            let leads_on = key.saturating_add(1) < track.len();
            if !leads_on || !interpolation.needs_tangents() {
                continue;
            }
            if !interpolation.uses_tangents(track.kind()) {
                self.say(shared::TANGENT_UNUSABLE, at, path(), || {
                    format!("interpolation {byte} on values of type {}", track.kind())
                });
            } else if !track.has_tangents() {
                self.say(shared::TANGENT_MISSING, at, path(), || {
                    format!("interpolation {byte} without tangents")
                });
            }
        }
    }
}

/// Returns the number of bytes of each component of a value.
#[derive(Clone, Copy, Debug)]
enum Width {
    Single,
    Double,
}

impl Width {
    fn numbers(self, value: &[u8]) -> impl Iterator<Item = f64> + '_ {
        let size = match self {
            Self::Single => 4,
            Self::Double => 8,
        };
        value.chunks_exact(size).filter_map(move |number| match self {
            Self::Single => f32::decode(number, ()).map(f64::from),
            Self::Double => f64::decode(number, ()),
        })
    }
}

/// Returns the width of the floats of a kind, if it consists of floats.
fn float_width(kind: ValueKind) -> Option<Width> {
    let name = kind.name();
    if name.starts_with("float") || kind == ValueKind::Color {
        Some(Width::Single)
    } else if name.starts_with("double") {
        Some(Width::Double)
    } else {
        None
    }
}
