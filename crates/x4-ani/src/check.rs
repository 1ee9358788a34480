//! Checks a file and reports findings.

use std::collections::HashMap;

use inbetween_core::{
    Axis, Code, Finding, Findings, Limits, Path, Position, View, codes as shared, num,
};

use crate::convert::{shows_handle, starts_at_two_pi};
use crate::evaluate::ruling_type;
use crate::file::head_offset;
use crate::read::Broken;
use crate::{Group, X4aniFile, X4aniKey, X4aniName, X4aniRecord, codes};

/// Checks a file as a whole, then record by record; `broken` is a record with wrong counts.
pub(crate) fn check(
    file: &X4aniFile<'_>,
    broken: Option<&Broken>,
    limits: &Limits,
) -> Vec<Finding> {
    let mut check = Check { findings: Findings::new(limits) };
    let padding = file.header().padding;
    if padding != 0 {
        check.say(shared::RESERVED_NOT_ZERO, 0x0c, Path::field("padding"), || {
            format!("{padding:#x}")
        });
    }
    let trailing = file.trailing().len();
    if trailing > 0 {
        let at = file.trailing_offset();
        check.say(shared::TRAILING_BYTES, at, Path::field("trailing"), || {
            format!("{trailing} bytes")
        });
    }
    let mut seen = HashMap::new();
    for (index, record) in file.records().enumerate() {
        check.findings.enter(Path::item("records", index));
        if let Some(broken) = broken.filter(|broken| broken.record == index) {
            check.findings.push(Finding::skipped("a record", &broken.error));
            continue;
        }
        let head = record.head();
        let first = *seen.entry((head.part.folded(), head.subname.folded())).or_insert(index);
        if first != index {
            check.say(codes::DUPLICATE_RECORD, head_offset(index), Path::default(), || {
                format!("{} in {} duplicates records[{first}]", head.part, head.subname)
            });
        }
        check.record(index, &record);
    }
    check.findings.into_vec()
}

struct Check {
    findings: Findings,
}

impl Check {
    fn say(&mut self, code: Code, at: usize, path: Path, message: impl FnOnce() -> String) {
        let position = Position::byte(num::u64_from_len(at));
        self.findings.add(code, || Finding::new(code, message()).at(path).position(position));
    }

    fn record(&mut self, index: usize, record: &X4aniRecord<'_>) {
        let head = record.head();
        let path = || Path::item("records", index);
        let at = |within: usize| head_offset(index).saturating_add(within);
        self.name(head.part, at(0), || path().then("part"));
        self.name(head.subname, at(64), || path().then("subname"));
        if head.padding != [0; 2] {
            let [a, b] = head.padding;
            let message = || format!("{a:#x} and {b:#x}");
            self.say(shared::RESERVED_NOT_ZERO, at(152), path().then("padding"), message);
        }
        if !(head.duration.is_finite() && head.duration >= 0.0) {
            let message = || format!("expected 0 or more seconds, found {}", head.duration);
            self.say(shared::DURATION_INVALID, at(148), path().then("duration"), message);
        }
        if record.is_empty() {
            self.say(codes::RECORD_EMPTY, at(0), Path::default(), || head.part.to_string());
        }
        self.pre_post(record, at(140));
        for group in Group::ALL {
            let keys = record.keys(group);
            let place =
                GroupKeys { start: record.key_offset(group, 0), path: path().then(group.name()) };
            self.times(keys, head.duration, &place);
            self.keys(keys, group, &place);
        }
    }

    fn name(&mut self, name: X4aniName, at: usize, path: impl Fn() -> Path) {
        if name.bytes().is_empty() {
            self.say(codes::NAME_EMPTY, at, path(), || "the name is empty".into());
        }
        if !name.is_terminated() {
            self.say(codes::NAME_NOT_TERMINATED, at, path(), || {
                format!("{name} has 64 bytes, at most 63 are allowed")
            });
        }
        if name.has_garbage() {
            let behind = || format!("{} bytes after {name}", name.tail().len());
            self.say(codes::NAME_GARBAGE, at, path(), behind);
        }
        if !name.text().1 {
            self.say(shared::NAME_ENCODING, at, path(), || name.to_string());
        }
    }

    fn pre_post(&mut self, record: &X4aniRecord<'_>, at: usize) {
        let (pre, post) = (record.keys(Group::PreScale), record.keys(Group::PostScale));
        let counts = || format!("{} pre-scale keys, {} post-scale keys", pre.len(), post.len());
        if !pre.is_empty() || !post.is_empty() {
            self.say(codes::PRE_POST_SCALE, at, Path::default(), counts);
        }
        if pre.bytes() != post.bytes() {
            self.say(codes::PRE_POST_DIFFER, at, Path::default(), counts);
        }
    }

    fn times(&mut self, keys: View<'_, X4aniKey>, duration: f32, place: &GroupKeys) {
        let mut last: Option<f32> = None;
        for (index, key) in keys.iter().enumerate() {
            let (time, before) = (key.time, index.saturating_sub(1));
            let (at, path) = (place.at(index), place.path.clone());
            if !time.is_finite() {
                let message = || format!("the time of key {index} is {time}");
                self.say(shared::TIME_INVALID, at, path, message);
                continue;
            }
            if time < 0.0 || time > duration {
                self.say(codes::TIME_OUTSIDE_DURATION, at, path.clone(), || {
                    format!("key {index} is at {time} s, the duration is {duration} s")
                });
            }
            match last {
                Some(last) if time < last => self.say(shared::KEYS_UNSORTED, at, path, || {
                    format!("key {index} is at {time} s, after a key at {last} s")
                }),
                Some(last) if time == last => self.say(shared::TIMES_EQUAL, at, path, || {
                    format!("keys {before} and {index} are at {time} s")
                }),
                _ => {}
            }
            last = Some(time);
        }
    }

    fn keys(&mut self, keys: View<'_, X4aniKey>, group: Group, place: &GroupKeys) {
        let last = keys.len().saturating_sub(1);
        let mut before: Option<X4aniKey> = None;
        for (index, key) in keys.iter().enumerate() {
            let at = place.at(index);
            let mut say = |code, message: String| {
                self.say(code, at, place.path.clone(), || format!("key {index}: {message}"));
            };
            for each in Axis::ALL.map(|axis| ruling_type(&key, axis)) {
                if each.is_zero() {
                    say(codes::TYPE_SHOWS_ZERO, format!("interpolation {each}"));
                } else if each.is_approximate() {
                    say(codes::SPLINE_APPROXIMATED, format!("interpolation {each}"));
                }
            }
            let points = key.control_points.iter().flat_map(|points| points.to_array());
            if !key.value.into_iter().chain(points).all(f32::is_finite) {
                say(shared::NUMBER_NOT_FINITE, format!("{:?}", key.value));
            }
            if key.has_extra() {
                say(codes::KEY_EXTRA, "bytes 76 to 127 are not 0".into());
            }
            if key.angle_key != 0 {
                say(codes::ANGLE_KEY, format!("{:#x}", key.angle_key));
            }
            if index == last && shows_handle(&key) {
                say(codes::LAST_KEY_HANDLE, format!("the value is {:?}", key.value));
            }
            if before.is_some_and(|from| starts_at_two_pi(group, &from, &key)) {
                say(codes::STARTS_AT_TWO_PI, "the segment starts from 0".into());
            }
            before = Some(key);
        }
    }
}

/// Returns the path of the keys of a group.
struct GroupKeys {
    start: usize,
    path: Path,
}

impl GroupKeys {
    fn at(&self, key: usize) -> usize {
        self.start.saturating_add(key.saturating_mul(X4aniKey::SIZE))
    }
}
