//! Checks tracks and keys.
//!
//! Findings are noted while reading, because positions are known only then.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use inbetween_core::num::{f32_from_f64, f64_from_index};
use inbetween_core::{Code, Identical, Interpolation, Text, ValueKind, codes as shared};

use crate::codes;
use crate::file::AnimjKeys;
use crate::layout::{TrackType, interpolation_name};
use crate::notes::{ListedItem, Notes};
use crate::reader_path::{ReaderPath, Step};

/// The largest difference between the length of a quaternion and 1 that is not reported. Three
/// decimals stay within a tenth of it.
const LENGTH_TOLERANCE: f64 = 0.01;

/// Where findings are noted, and about what.
#[derive(Debug)]
pub(crate) struct Noting<'n> {
    pub(crate) place: ReaderPath,
    pub(crate) notes: &'n mut Notes,
}

impl Noting<'_> {
    fn note(&mut self, code: Code, at: usize, message: impl FnOnce() -> Cow<'static, str>) {
        let place = self.place;
        self.notes.add(code, at, || place.path(), message);
    }
}

/// The state of the checks.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    tracks: usize,
    track: TrackState,
    ends: Vec<End>,
    named: HashMap<(Option<Text>, Option<Text>), usize>,
}

/// The state for the current track.
#[derive(Debug)]
struct TrackState {
    start: usize,
    track_type: TrackType,
    kind: ValueKind,
    previous: Option<KeyFacts>,
    latest: Option<End>,
    /// The first quaternion that is not normalized, and the one with the largest difference.
    lengths: Option<(f64, f64)>,
    order: TimeOrder,
    foreign: ForeignKeys,
}

/// The order of the times of a track so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TimeOrder {
    #[default]
    Sorted,
    Unsorted,
    /// A key has no time, or an unreadable one.
    Unknown,
}

/// The keys of a track that have the form of another trackType.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ForeignKeys {
    /// The number of these keys.
    pub(crate) count: usize,
    /// The number of them with members of Curve keys.
    pub(crate) curve: usize,
    /// The number of keys in the track.
    pub(crate) keys: usize,
    /// Whether a track that is not Raw has an interval that is a number.
    pub(crate) has_interval: bool,
}

/// The latest key of a track.
#[derive(Clone, Copy, Debug)]
struct End {
    track: usize,
    key: usize,
    at: usize,
    time: f32,
}

/// The checked properties of a key.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyFacts {
    /// The offset of the key.
    pub(crate) at: usize,
    /// Its index in the list.
    pub(crate) index: usize,
    pub(crate) time: Option<f32>,
    /// The length of a quaternion value.
    pub(crate) quaternion: Option<f64>,
    pub(crate) interpolation: Option<Interpolation>,
    pub(crate) members: KeyMembers,
}

/// The members that a key has, one bit per name that keys may have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyMembers(pub(crate) u32);

impl KeyMembers {
    const TIME: u32 = 1;
    const VALUE: u32 = 1 << 1;
    const INTERPOLATION: u32 = 1 << 2;
    const LEFT_TANGENT: u32 = 1 << 3;
    const RIGHT_TANGENT: u32 = 1 << 4;

    const fn lack(self, member: u32) -> bool {
        self.0 & member == 0
    }
}

/// A possible finding about a key.
struct Remark {
    code: Code,
    key: KeyFacts,
    message: String,
}

impl Default for TrackState {
    fn default() -> Self {
        Self::new(0, TrackType::Raw, ValueKind::Float)
    }
}

impl TrackState {
    const fn new(start: usize, track_type: TrackType, kind: ValueKind) -> Self {
        Self {
            start,
            track_type,
            kind,
            previous: None,
            latest: None,
            lengths: None,
            order: TimeOrder::Sorted,
            foreign: ForeignKeys { count: 0, curve: 0, keys: 0, has_interval: false },
        }
    }

    /// Checks the next key.
    fn key(&mut self, key: KeyFacts, remark: &mut dyn FnMut(Remark)) {
        let mut say = |code, key, message: String| remark(Remark { code, key, message });
        if self.track_type != TrackType::Raw {
            self.members(key, &mut say);
            self.time(key, &mut say);
        }
        if self.track_type == TrackType::Curve {
            self.segment(key, &mut say);
        }
        self.previous = Some(key);
    }

    fn members(&self, key: KeyFacts, say: &mut dyn FnMut(Code, KeyFacts, String)) {
        if key.members.lack(KeyMembers::TIME) {
            say(codes::TIME_MISSING, key, "a key without time; 0 is used".into());
        }
        if !key.members.lack(KeyMembers::VALUE) {
            return;
        }
        if self.kind.is_quaternion() {
            let message = "a key without value; (0, 0, 0, 0) is used";
            say(codes::QUATERNION_MISSING, key, message.into());
        } else {
            say(codes::VALUE_MISSING, key, "a key without value".into());
        }
    }

    fn time(&mut self, key: KeyFacts, say: &mut dyn FnMut(Code, KeyFacts, String)) {
        if key.time.is_none() {
            self.order = TimeOrder::Unknown;
        }
        let Some(time) = key.time.or(key.members.lack(KeyMembers::TIME).then_some(0.0)) else {
            return;
        };
        if time < 0.0 {
            say(shared::TIME_NEGATIVE, key, format!("a key at {time} s"));
        }
        let known = self.previous.and_then(|previous| previous.time);
        match known.and_then(|previous| time.partial_cmp(&previous)) {
            Some(std::cmp::Ordering::Less) => {
                let previous = known.unwrap_or_default();
                let message = format!("a key at {time} s after one at {previous} s");
                say(shared::KEYS_UNSORTED, key, message);
                if self.order == TimeOrder::Sorted {
                    self.order = TimeOrder::Unsorted;
                }
            }
            Some(std::cmp::Ordering::Equal) => {
                say(shared::TIMES_EQUAL, key, format!("a second key at {time} s"));
            }
            _ => {}
        }
        let End { time: latest, .. } = self.latest.unwrap_or(End::NONE);
        if time > latest {
            self.latest = Some(End { track: 0, key: key.index, at: key.at, time });
        }
    }

    /// Checks the segment that ends at a key.
    fn segment(&self, key: KeyFacts, say: &mut dyn FnMut(Code, KeyFacts, String)) {
        let Some(previous) = self.previous else { return };
        if previous.members.lack(KeyMembers::INTERPOLATION) {
            let message = "a key without interpolation; Hold is used";
            say(codes::INTERPOLATION_MISSING, previous, message.into());
        }
        let Some(interpolation) = previous.interpolation.filter(|it| it.needs_tangents()) else {
            return;
        };
        let name = interpolation_name(interpolation);
        if !interpolation.uses_tangents(self.kind) {
            let message = format!("{name} on values of type {}, which have no tangents", self.kind);
            say(shared::TANGENT_UNUSABLE, previous, message);
            return;
        }
        if previous.members.lack(KeyMembers::RIGHT_TANGENT) {
            let message = format!("a {name} key without rightTangent");
            say(shared::TANGENT_MISSING, previous, message);
        }
        if key.members.lack(KeyMembers::LEFT_TANGENT) {
            let message = format!("a key without leftTangent after a {name} key");
            say(shared::TANGENT_MISSING, key, message);
        }
    }
}

impl End {
    const NONE: Self = Self { track: 0, key: 0, at: 0, time: f32::NEG_INFINITY };
}

impl Checks {
    /// Starts the list of tracks, again if the file has two.
    pub(crate) fn begin_tracks(&mut self) {
        *self = Self::default();
    }

    /// Starts a track.
    pub(crate) fn begin_track(&mut self, start: usize, track_type: TrackType, kind: ValueKind) {
        self.track = TrackState::new(start, track_type, kind);
    }

    /// Notes that the unreadable key has the form of another trackType.
    pub(crate) fn foreign_key(&mut self, curve: bool) {
        let foreign = &mut self.track.foreign;
        foreign.count = foreign.count.saturating_add(1);
        foreign.curve = foreign.curve.saturating_add(usize::from(curve));
    }

    /// Notes the first byte of the interval of a track that is not Raw.
    pub(crate) fn interval_in_keyed(&mut self, first: Option<u8>) {
        self.track.foreign.has_interval = first.is_some_and(|byte| byte.is_ascii_digit());
    }

    /// Ends the list of keys.
    pub(crate) const fn end_keys(&mut self, keys: usize) {
        self.track.foreign.keys = keys;
    }

    /// Returns the keys that have the form of another trackType.
    pub(crate) const fn foreign_keys(&self) -> ForeignKeys {
        self.track.foreign
    }

    /// Returns whether the keys should and can be sorted: all have a time, and one is earlier than
    /// the key before it.
    pub(crate) fn are_unsorted(&self) -> bool {
        self.track.order == TimeOrder::Unsorted
    }

    /// Counts a track, readable or not.
    pub(crate) fn count_track(&mut self) {
        self.tracks = self.tracks.saturating_add(1);
    }
}

/// The place of the number of a key in its path, from 0: `tracks`, 0, `data`, `keyframes`, number.
const ITEM: usize = 4;

/// Reports matrices, which Resonite reads as zero.
pub(crate) fn matrix_message(kind: ValueKind) -> String {
    format!("{kind} values, which Resonite reads as zero")
}

impl Checks {
    /// Checks the next key.
    #[cold]
    pub(crate) fn key(&mut self, noting: &mut Noting<'_>, key: &KeyFacts) {
        let Noting { place, ref mut notes } = *noting;
        self.track.key(*key, &mut |Remark { code, key, message }| {
            let path = || {
                let mut place = place;
                place.set(ITEM, Step::Item(key.index));
                place.path()
            };
            if code == shared::TANGENT_MISSING {
                notes.add_listed(code, key.at, path, ListedItem::Text(message));
            } else {
                notes.add(code, key.at, path, || message.into());
            }
        });
        if let Some(length) = key.quaternion.filter(|it| (it - 1.0).abs() > LENGTH_TOLERANCE) {
            self.quaternion_length(noting, key.at, length);
        }
    }

    fn quaternion_length(&mut self, noting: &mut Noting<'_>, at: usize, length: f64) {
        let (first, worst) = self.track.lengths.unwrap_or((length, length));
        let off = |length: f64| (length - 1.0).abs();
        let worst = if off(length) > off(worst) { length } else { worst };
        self.track.lengths = Some((first, worst));
        let place = noting.place;
        let code = shared::ROTATION_NOT_UNIT;
        let finding = noting.notes.add(code, at, || place.path(), || "".into());
        if let Some(finding) = finding {
            finding.message = if first.identical(&worst) {
                format!("a quaternion of length {first:.4}").into()
            } else {
                format!("a quaternion of length {first:.4}, worst {worst:.4}").into()
            };
        }
    }

    /// Checks a track as a whole, at `/tracks/0/data`.
    pub(crate) fn end_track(
        &mut self,
        noting: &mut Noting<'_>,
        interval: Option<f32>,
        [node, property]: [Option<&Text>; 2],
        keys: &AnimjKeys,
    ) {
        let kind = keys.values().kind();
        if kind.is_matrix() {
            let start = self.track.start;
            noting.note(codes::MATRIX, start, || matrix_message(kind).into());
        }
        // Keys of another trackType do not need an interval.
        if matches!(keys, AnimjKeys::Raw { .. }) && self.foreign_keys().count == 0 {
            self.interval(noting, interval, keys.values().len());
        }
        self.names(noting, [node, property]);
        let track = noting.place.item(TRACK).unwrap_or_default();
        if let Some(latest) = self.track.latest {
            self.ends.push(End { track, ..latest });
        }
    }

    fn interval(&mut self, noting: &mut Noting<'_>, interval: Option<f32>, keys: usize) {
        let TrackState { start, previous, .. } = self.track;
        match interval {
            None => {
                noting
                    .note(codes::INTERVAL_MISSING, start, || "a Raw track without interval".into());
            }
            Some(interval) if interval <= 0.0 && keys > 1 => {
                let message = || format!("an interval of {interval} s").into();
                noting.note(shared::INTERVAL_INVALID, start, message);
            }
            Some(_) => {}
        }
        if let Some(KeyFacts { at, index, .. }) = previous {
            let interval = f64::from(interval.unwrap_or_default());
            let time = f32_from_f64(interval * f64_from_index(index));
            self.track.latest = Some(End { track: 0, key: index, at, time });
        }
    }

    fn names(&mut self, noting: &mut Noting<'_>, [node, property]: [Option<&Text>; 2]) {
        let start = self.track.start;
        if node.is_none() && property.is_none() {
            noting.note(codes::TRACK_UNNAMED, start, || "a track without node and property".into());
            return;
        }
        let track = noting.place.item(TRACK).unwrap_or_default();
        let known = match self.named.entry((node.cloned(), property.cloned())) {
            Entry::Vacant(free) => {
                free.insert(track);
                return;
            }
            Entry::Occupied(known) => *known.get(),
        };
        let message = || format!("same node and property as track {known}").into();
        noting.note(shared::DUPLICATE_TRACK, start, message);
    }

    /// Checks the file as a whole.
    pub(crate) fn end_root(&mut self, notes: &mut Notes, global_duration: f32) {
        if self.tracks == 0 {
            let mut noting = Noting { place: ReaderPath::root(), notes };
            noting.note(codes::NO_TRACKS, 0, || "a file without tracks".into());
        }
        if global_duration <= 0.0 {
            return;
        }
        for End { track, key, at, time } in std::mem::take(&mut self.ends) {
            if time > global_duration {
                notes.next_track();
                let path = || ReaderPath::key(track, key).path();
                let message =
                    || format!("a key at {time} s, globalDuration is {global_duration} s").into();
                notes.add(shared::KEY_AFTER_DURATION, at, path, message);
            }
        }
        notes.next_track();
    }
}

/// The path depth of a track.
const TRACK: usize = 1;
