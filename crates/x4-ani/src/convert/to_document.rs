//! From the exact model to the common one.

use std::collections::{HashMap, HashSet};

use inbetween_core::{
    Animation, Budget, Code, Document, Finding, Findings, Limits, Outcome, Path, ReadError, Target,
    Text, Track, TrackData, ValueKind, codes as shared, grow, num, shown,
};

use super::keys::decode;
use super::property;
use crate::read::ID;
use crate::{Group, X4aniFile, X4aniName, X4aniRecord, codes};

/// Converts a file: one clip for each animation, one node for each part.
pub(crate) fn to_document(
    file: &X4aniFile<'_>,
    limits: &Limits,
) -> Result<Outcome<Document>, ReadError> {
    let mut reader = Reader {
        budget: Budget::new(limits, file.to_bytes().len()),
        findings: Findings::new(limits),
        clips: Vec::new(),
        names: HashMap::new(),
        rooms: Vec::new(),
        parts: HashMap::new(),
        seen: HashSet::new(),
        last: None,
    };
    reader.file(file);
    reader.make_room(file);
    for (index, record) in file.records().enumerate() {
        reader.findings.begin_scope();
        reader.record(index, &record)?;
    }
    let Reader { clips, findings, .. } = reader;
    let clips = clips.into_iter().map(|clip| clip.animation).collect();
    Ok(Outcome::new(Document::new(clips), findings))
}

/// The clips as they are made, and what they cost.
struct Reader {
    budget: Budget,
    findings: Findings,
    clips: Vec<Clip>,
    /// The clip of each animation, by its name in one case.
    names: HashMap<Vec<u8>, usize>,
    /// How many tracks each animation has, where axes share a track.
    rooms: Vec<usize>,
    /// The text of each part, by its name in one case.
    parts: HashMap<Text, Text>,
    /// The records that there are: a clip, and the part in one case.
    seen: HashSet<(usize, Text)>,
    /// The clip of the record before.
    last: Option<usize>,
}

struct Clip {
    animation: Animation,
    /// The duration that all records stated so far.
    stated: f32,
}

impl Reader {
    /// Reports what of the file the common model has no word for.
    fn file(&mut self, file: &X4aniFile<'_>) {
        if file.header().padding != 0 {
            let message = format!("{:#x}", file.header().padding);
            let finding = Finding::new(codes::PADDING_DROPPED, message);
            self.findings.push(finding.at(Path::field("padding")));
        }
        if !file.trailing().is_empty() {
            let message = format!("{} bytes", file.trailing().len());
            self.findings.push(Finding::new(codes::TRAILING_DROPPED, message));
        }
    }

    /// Names the animations and counts their tracks, so that no list must grow.
    fn make_room(&mut self, file: &X4aniFile<'_>) {
        for record in file.records() {
            let groups = Group::ALL.into_iter().filter(|group| !record.keys(*group).is_empty());
            let tracks = groups.count().max(1);
            let next = self.rooms.len();
            let clip = *self.names.entry(record.head().subname.folded()).or_insert(next);
            match self.rooms.get_mut(clip) {
                Some(room) => *room = room.saturating_add(tracks),
                None => self.rooms.push(tracks),
            }
        }
        self.clips.reserve_exact(self.rooms.len());
    }

    fn record(&mut self, index: usize, record: &X4aniRecord<'_>) -> Result<(), ReadError> {
        let head = record.head();
        let path = || Path::item("records", index);
        let clip = self.clip(head.subname, head.duration, path);
        let node = self.part(head.part, path);
        if !self.seen.insert((clip, node.clone())) {
            let message = format!("another record of {} in {}", head.part, head.subname);
            self.say(codes::DUPLICATE_DROPPED, message, path());
            return Ok(());
        }
        if head.padding != [0; 2] {
            let message = format!("{:#x?}", head.padding);
            self.say(codes::PADDING_DROPPED, message, path().then("padding"));
        }
        self.duration(clip, head.duration, path);
        for group in Group::ALL {
            self.group(clip, &node, record, group, || path().then(group.name()))?;
        }
        if record.is_empty() {
            let data = TrackData::empty(ValueKind::Float3);
            self.track(clip, target(&node, Group::Position), data, path)?;
        }
        let (pre, post) = (record.keys(Group::PreScale), record.keys(Group::PostScale));
        if pre.bytes() != post.bytes() {
            let message = format!("{} pre-scale keys, {} post-scale keys", pre.len(), post.len());
            self.say(codes::PRE_POST_DIFFER, message, path());
        }
        Ok(())
    }

    /// Returns the clip of an animation, which is new if its name is.
    fn clip(&mut self, name: X4aniName, duration: f32, path: impl Fn() -> Path) -> usize {
        let next = self.clips.len();
        let clip = self.names.get(&name.folded()).copied().unwrap_or(next);
        let text = self.text(name, || path().then("subname"));
        if clip == next {
            let room = self.rooms.get(clip).copied().unwrap_or_default();
            let animation = Animation::new(Vec::with_capacity(room))
                .with_rules(crate::RULES)
                .with_name(text)
                .with_duration(f64::from(duration));
            self.clips.push(Clip { animation, stated: duration });
        } else {
            let known = self.clips.get(clip).and_then(|clip| clip.animation.name.clone());
            self.case(&text, &known.unwrap_or_default(), || path().then("subname"));
            if self.last.is_some_and(|last| last != clip) {
                let message = format!("the records of {name} stand together");
                self.say(shared::TRACKS_REORDERED, message, path());
            }
        }
        self.last = Some(clip);
        clip
    }

    /// Returns the text of a part: the one of the first record that names it.
    fn part(&mut self, name: X4aniName, path: impl Fn() -> Path) -> Text {
        let text = self.text(name, || path().then("part"));
        let folded = if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Text::from(text.to_ascii_lowercase())
        } else {
            text.clone()
        };
        let known = self.parts.entry(folded).or_insert_with(|| text.clone()).clone();
        self.case(&text, &known, || path().then("part"));
        known
    }

    fn case(&mut self, text: &str, known: &str, path: impl Fn() -> Path) {
        if text != known {
            let (text, known) = (shown(text), shown(known));
            self.say(codes::NAME_CASE_DROPPED, format!("\"{text}\" became \"{known}\""), path());
        }
    }

    /// Returns a name as text, and reports what of its bytes is lost.
    fn text(&mut self, name: X4aniName, path: impl Fn() -> Path) -> Text {
        let (text, utf8) = name.text();
        if !utf8 {
            self.say(codes::NAME_REENCODED, format!("read as {name}"), path());
        }
        if name.has_garbage() {
            let garbage = name.tail().trim_ascii_end().escape_ascii().to_string();
            let garbage = garbage.trim_end_matches("\\x00").to_owned();
            self.say(codes::NAME_GARBAGE_DROPPED, format!("\"{garbage}\" behind {name}"), path());
        }
        text
    }

    /// Makes the longest duration of the records that of the clip.
    fn duration(&mut self, clip: usize, duration: f32, path: impl Fn() -> Path) {
        let Some(known) = self.clips.get_mut(clip) else { return };
        if duration.to_bits() == known.stated.to_bits() {
            return;
        }
        let stated = known.stated;
        if duration.is_finite() && (duration > stated || !stated.is_finite()) {
            known.stated = duration;
            known.animation.duration = Some(f64::from(duration));
        }
        let message = format!("{duration} s here, {stated} s before");
        self.say(codes::DURATIONS_JOINED, message, path().then("duration"));
    }

    fn group(
        &mut self,
        clip: usize,
        node: &Text,
        record: &X4aniRecord<'_>,
        group: Group,
        path: impl Fn() -> Path,
    ) -> Result<(), ReadError> {
        let keys = record.keys(group);
        if keys.is_empty() {
            return Ok(());
        }
        let decoded = decode(keys, group, &mut self.budget, &path, &mut self.findings)?;
        let broken = |error: String| {
            ReadError::invalid("keys that make a track", error).in_format(ID).at_path(path())
        };
        decoded.into_iter().try_for_each(|(component, data)| {
            let data = data.map_err(|error| broken(error.to_string()))?;
            self.track(clip, Target { component, ..target(node, group) }, data, &path)
        })
    }

    fn track(
        &mut self,
        clip: usize,
        target: Target,
        data: TrackData,
        path: impl Fn() -> Path,
    ) -> Result<(), ReadError> {
        let track = Track::new(target, data).map_err(|error| {
            ReadError::invalid("a track", error.to_string()).in_format(ID).at_path(path())
        })?;
        if let Some(clip) = self.clips.get_mut(clip) {
            grow::column(&mut clip.animation.tracks, 1);
            clip.animation.tracks.push(track);
        }
        Ok(())
    }

    fn say(&mut self, code: Code, message: String, path: Path) {
        self.findings.add(code, || Finding::new(code, message).at(path));
    }
}

fn target(node: &Text, group: Group) -> Target {
    Target::new(node.clone(), property(group))
}

/// Returns how many of some things there are, for findings.
pub(super) fn count(number: usize) -> u64 {
    num::u64_from_len(number)
}
