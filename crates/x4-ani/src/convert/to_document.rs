//! Converts the exact model to the common model.

use std::collections::{HashMap, HashSet};

use inbetween_core::{
    Animation, Budget, ClipReader, Code, Document, Finding, Findings, Limits, Origin, Outcome,
    Path, ReadError, SharedFindings, Target, Text, Track, TrackData, ValueKind, codes as shared,
    grow, shown,
};

use super::keys::decode;
use super::property::property;
use crate::layout::ID;
use crate::read::Broken;
use crate::{Group, X4aniFile, X4aniName, X4aniRecord, X4aniRecordHead, codes};

/// The clips of a file, one per animation with a node per part, which are decoded one at a time.
#[derive(Debug)]
pub(crate) struct Clips<'a> {
    file: X4aniFile<'a>,
    /// The record with wrong counts, which is skipped.
    broken: Option<Broken>,
    findings: SharedFindings,
    file_findings: Vec<Finding>,
    names: Vec<Option<Text>>,
    /// The records of each clip.
    records: Vec<Vec<usize>>,
    /// The first spelling of each part, by its name in lowercase.
    parts: HashMap<Text, Text>,
    next: usize,
}

impl<'a> Clips<'a> {
    /// Groups the records by animation in one pass over their names.
    pub(crate) fn new((file, broken): (X4aniFile<'a>, Option<Broken>), limits: &Limits) -> Self {
        let mut findings = SharedFindings::new(limits);
        let file_findings = report_file(&file, findings.begin());
        let file_findings = findings.end(file_findings);
        let mut clips = Self {
            file_findings,
            findings,
            names: Vec::new(),
            records: Vec::new(),
            parts: HashMap::new(),
            next: 0,
            file,
            broken,
        };
        // Most files have one clip, and each record another part.
        clips.parts.reserve(clips.file.record_count());
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut last: Option<(X4aniName, usize)> = None;
        for (index, record) in clips.file.records().enumerate() {
            let X4aniRecordHead { part, subname, .. } = record.head();
            let next = clips.names.len();
            // The records of a clip usually follow each other.
            let repeated = last.filter(|(name, _)| name == subname).map(|(_, clip)| clip);
            let clip = repeated.unwrap_or_else(|| *known.entry(subname.folded()).or_insert(next));
            last = Some((*subname, clip));
            if let Some(records) = clips.records.get_mut(clip) {
                records.push(index);
            } else {
                clips.names.push(Some(subname.text().0));
                clips.records.push(vec![index]);
            }
            let part = part.text().0;
            clips.parts.entry(folded(&part)).or_insert(part);
        }
        clips
    }
}

impl ClipReader for Clips<'_> {
    fn names(&self) -> &[Option<Text>] {
        &self.names
    }

    fn file_findings(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.file_findings)
    }

    fn without_clips(&self) -> Document {
        Document::default().with_origin(Origin::new(ID))
    }

    fn skip(&mut self, clips: usize) {
        self.next = self.next.saturating_add(clips);
    }

    fn next_clip(&mut self, budget: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError> {
        let clip = self.next;
        let (Some(records), Some(Some(name))) = (self.records.get(clip), self.names.get(clip))
        else {
            return Ok(None);
        };
        self.next = clip.saturating_add(1);
        let mut findings = self.findings.begin();
        findings.enter_clip((self.names.len() > 1).then_some((clip, Some(name))));
        let mut reader = Reader {
            budget,
            findings,
            parts: &self.parts,
            seen: HashSet::with_capacity(records.len()),
            animation: Animation::default().with_rules(crate::RULES).with_name(name.clone()),
            stated: 0.0,
        };
        reader.make_room(&self.file, records);
        let mut last = None;
        for &index in records {
            let Some(record) = self.file.record(index) else { continue };
            reader.findings.enter(Path::item("records", index));
            if let Some(broken) = self.broken.as_ref().filter(|broken| broken.record == index) {
                if records.len() == 1 {
                    return Err(broken.error.clone());
                }
                let part = shown(&record.head().part.text().0).to_string();
                reader.findings.push(Finding::skipped(&part, &broken.error));
                continue;
            }
            reader.record(index, &record, last)?;
            last = Some(index);
        }
        let Reader { animation, findings, .. } = reader;
        let mut document = self.without_clips();
        document.clips.push(animation);
        Ok(Some(Outcome { value: document, findings: self.findings.end(findings) }))
    }
}

/// Reports data of the file that the common model cannot store.
fn report_file(file: &X4aniFile<'_>, mut findings: Findings) -> Findings {
    if file.header().padding != 0 {
        let message = format!("{:#x}", file.header().padding);
        let finding = Finding::new(shared::RESERVED_DROPPED, message);
        findings.push(finding.at(Path::field("padding")));
    }
    if !file.trailing().is_empty() {
        let message = format!("{} bytes", file.trailing().len());
        findings.push(Finding::new(shared::TRAILING_DROPPED, message));
    }
    findings
}

/// Returns a name in lowercase, as X4 compares names.
fn folded(name: &Text) -> Text {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        name.to_ascii_lowercase().into()
    } else {
        name.clone()
    }
}

/// A clip under construction, and the budget that it spends.
struct Reader<'c> {
    budget: &'c mut Budget,
    findings: Findings,
    /// The first spelling of each part, by its name in lowercase.
    parts: &'c HashMap<Text, Text>,
    /// The parts that have a record, in their first spelling.
    seen: HashSet<Text>,
    animation: Animation,
    /// The duration that all records so far have in common.
    stated: f32,
}

impl Reader<'_> {
    /// Counts the tracks, so that their list does not have to grow.
    fn make_room(&mut self, file: &X4aniFile<'_>, records: &[usize]) {
        let records = records.iter().filter_map(|&index| file.record(index));
        let tracks = records.map(|record| {
            let groups = Group::ALL.into_iter().filter(|group| !record.keys(*group).is_empty());
            groups.count().max(1)
        });
        self.animation.tracks.reserve_exact(tracks.sum());
    }

    /// Reads a record; `last` is the previous record of the clip.
    fn record(
        &mut self,
        index: usize,
        record: &X4aniRecord<'_>,
        last: Option<usize>,
    ) -> Result<(), ReadError> {
        let head = record.head();
        let path = || Path::item("records", index);
        self.clip(head.subname, head.duration, last, index, path);
        let node = self.part(head.part, path);
        if !self.seen.insert(node.clone()) {
            let message = format!("another record of {} in {}", head.part, head.subname);
            self.say(codes::DUPLICATE_DROPPED, message, Path::default());
            return Ok(());
        }
        if head.padding != [0; 2] {
            let message = format!("{:#x?}", head.padding);
            self.say(shared::RESERVED_DROPPED, message, path().then("padding"));
        }
        self.duration(head.duration, path);
        for group in Group::ALL {
            self.group(&node, record, group, || path().then(group.name()))?;
        }
        if record.is_empty() {
            let data = TrackData::empty(ValueKind::Float3);
            self.track(target(&node, Group::Position), data, path)?;
        }
        let (pre, post) = (record.keys(Group::PreScale), record.keys(Group::PostScale));
        if pre.bytes() != post.bytes() {
            let message = format!("{} pre-scale keys, {} post-scale keys", pre.len(), post.len());
            self.findings.enter(path());
            self.findings.push(Finding::new(codes::PRE_POST_DIFFER, message));
        }
        Ok(())
    }

    /// Takes the duration of the first record, and reports differences in the spelling of the other
    /// names.
    fn clip(
        &mut self,
        name: X4aniName,
        duration: f32,
        last: Option<usize>,
        index: usize,
        path: impl Fn() -> Path,
    ) {
        let known = self.animation.name.clone().unwrap_or_default();
        if !name.is_plain(&known) {
            let text = self.text(name, || path().then("subname"));
            self.case(&text, &known, || path().then("subname"));
        }
        let Some(last) = last else {
            self.animation.duration = Some(f64::from(duration));
            self.stated = duration;
            return;
        };
        if last.saturating_add(1) != index {
            let message = format!("the records of {name} are grouped");
            self.say(shared::TRACKS_REORDERED, message, Path::default());
        }
    }

    /// Returns the name of a part in its first spelling.
    fn part(&mut self, name: X4aniName, path: impl Fn() -> Path) -> Text {
        let text = self.text(name, || path().then("part"));
        let known = self.parts.get(&folded(&text)).unwrap_or(&text).clone();
        self.case(&text, &known, || path().then("part"));
        known
    }

    fn case(&mut self, text: &str, known: &str, path: impl Fn() -> Path) {
        if text != known {
            let (text, known) = (shown(text), shown(known));
            self.say(codes::NAME_CASE_DROPPED, format!("\"{text}\" became \"{known}\""), path());
        }
    }

    /// Returns a name as text, and reports bytes that are lost.
    fn text(&mut self, name: X4aniName, path: impl Fn() -> Path) -> Text {
        let (text, utf8) = name.text();
        if !utf8 {
            self.say(shared::NAME_REENCODED, format!("read as {name}"), path());
        }
        if name.has_garbage() {
            let garbage = name.tail().trim_ascii_end().escape_ascii().to_string();
            let garbage = garbage.trim_end_matches("\\x00").to_owned();
            self.say(codes::NAME_GARBAGE_DROPPED, format!("\"{garbage}\" after {name}"), path());
        }
        text
    }

    /// Sets the duration of the clip to the longest duration of its records.
    fn duration(&mut self, duration: f32, path: impl Fn() -> Path) {
        let stated = self.stated;
        if duration.to_bits() == stated.to_bits() {
            return;
        }
        if duration.is_finite() && (duration > stated || !stated.is_finite()) {
            self.stated = duration;
            self.animation.duration = Some(f64::from(duration));
        }
        let message = format!("{duration} s here, {stated} s before");
        self.say(codes::DURATIONS_JOINED, message, path().then("duration"));
    }

    fn group(
        &mut self,
        node: &Text,
        record: &X4aniRecord<'_>,
        group: Group,
        path: impl Fn() -> Path,
    ) -> Result<(), ReadError> {
        let keys = record.keys(group);
        if keys.is_empty() {
            return Ok(());
        }
        let whole = target(node, group);
        self.findings.name_track(self.animation.tracks.len(), &whole);
        let decoded = decode(keys, group, self.budget, &mut self.findings)?;
        let broken = |error: String| {
            ReadError::invalid("keys that make a track", error).in_format(ID).at_path(path())
        };
        decoded.into_iter().try_for_each(|(component, data)| {
            let data = data.map_err(|error| broken(error.to_string()))?;
            self.track(Target { component, ..whole.clone() }, data, &path)
        })
    }

    fn track(
        &mut self,
        target: Target,
        data: TrackData,
        path: impl Fn() -> Path,
    ) -> Result<(), ReadError> {
        let track = Track::new(target, data).map_err(|error| {
            ReadError::invalid("a track", error.to_string()).in_format(ID).at_path(path())
        })?;
        grow::column(&mut self.animation.tracks, 1);
        self.animation.tracks.push(track);
        Ok(())
    }

    fn say(&mut self, code: Code, message: String, path: Path) {
        self.findings.add(code, || Finding::new(code, message).at(path));
    }
}

fn target(node: &Text, group: Group) -> Target {
    Target::new(node.clone(), property(group))
}
