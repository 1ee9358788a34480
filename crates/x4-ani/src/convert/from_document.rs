//! Writes documents.

mod prepare;

use std::collections::{HashMap, HashSet};

use inbetween_core::lower::{GroupedKeys, TrackGroup, group_components};
use inbetween_core::wire::append;
use inbetween_core::{
    Animation, Axis, Context, Document, Extent, Fit, Fitted, FullTurn, LastBezier, Rules, Target,
    Text, WriteError, Written, codes as shared, grow, num, report_narrowed_times,
};

use super::STORES;
use super::group::GroupKeys;
use super::property::group;
use crate::write::{key_count, size_of_file, start};
use crate::{Group, RULES, X4ani, X4aniName, X4aniRecordHead, codes};

/// Converts a document to a file: one record for each node of each clip.
///
/// Keys are encoded last, because those of a record follow each other in the file, and those of a
/// node may be anywhere in the document. Until then they stay in the columns of its tracks.
pub(crate) fn from_document(
    mut document: Document,
    _: X4ani,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let tracks = document.clips.iter().map(|clip| clip.tracks.len()).max().unwrap_or(0);
    let mut writer = Writer {
        heads: Vec::new(),
        groups: Vec::with_capacity(tracks),
        clips: HashSet::new(),
        nodes: HashMap::with_capacity(tracks),
        rules: RULES,
        fit: Fit::new(STORES, RULES, &mut document, context),
        frame_rate: None,
    };
    let extents = context.clips(document.clips, |context, clip| writer.clip(clip, context))?;
    let Writer { heads, groups, .. } = writer;
    Ok(Written::new(encode(&heads, groups)?, extents))
}

fn encode(heads: &[X4aniRecordHead], mut groups: Vec<RecordGroup>) -> Result<Vec<u8>, WriteError> {
    groups.sort_by_key(|part| (part.record, part.group.index()));
    let keys = groups.iter().map(|part| part.keys.len()).fold(0, usize::saturating_add);
    let size = size_of_file(heads.len(), keys);
    let mut out = start(0, heads.len(), size)?;
    append(heads, &mut out);
    for part in groups {
        part.keys.append(&mut out);
    }
    Ok(out)
}

/// The keys of a group of a record.
struct RecordGroup {
    record: usize,
    group: Group,
    keys: GroupKeys,
}

/// The records under construction.
struct Writer {
    heads: Vec<X4aniRecordHead>,
    groups: Vec<RecordGroup>,
    /// The names of the clips so far, in lowercase.
    clips: HashSet<Vec<u8>>,
    /// The nodes by their names in lowercase.
    nodes: HashMap<Vec<u8>, Node>,
    /// The playback rules of the current clip.
    rules: Rules,
    /// The frame rate of the current clip.
    frame_rate: Option<f64>,
    fit: Fit,
}

/// A node of the document.
struct Node {
    /// Its first spelling.
    name: X4aniName,
    /// Its latest record, which may be of an earlier clip.
    record: usize,
}

/// The engine's rules without those for full turns and last keys.
const PLAIN: Rules = RULES.with_full_turn(FullTurn::Kept).with_last_bezier(LastBezier::Value);

/// The state of the current clip.
struct Clip {
    name: X4aniName,
    duration: f32,
    /// The node of the last track and its record, since the tracks of a node follow each other.
    last: Option<(Text, usize)>,
    /// The index of the first record.
    first: usize,
    /// The tracks with keys so far.
    extent: Extent,
    /// For each record, the groups that have a track already.
    taken: Vec<[bool; Group::ALL.len()]>,
    /// The index of each written track in the document, with its record, group and axis.
    places: Vec<(usize, (usize, usize, usize))>,
    /// The tracks without keys.
    empty: Vec<Empty>,
}

/// A track without keys.
struct Empty {
    record: usize,
    group: Group,
    index: usize,
    target: Target,
}

impl Clip {
    /// Returns the mark of a group of a record, which is set when the group gets a track.
    fn taken(&mut self, record: usize, group: Group) -> Option<&mut bool> {
        self.taken.get_mut(record.checked_sub(self.first)?)?.get_mut(group.index())
    }
}

impl Writer {
    fn clip(&mut self, clip: Animation, context: &mut Context<'_>) -> Result<Extent, WriteError> {
        // The engine's rules for full turns and last keys are applied at the end, since joining and
        // baking create keys that play without such rules.
        let plain = PLAIN.with_slerp(clip.rules.slerp);
        self.rules = if clip.rules == RULES { RULES } else { plain };
        let rules = clip.rules;
        let Fitted { mut head, tracks, plays } =
            self.fit.with_rules(self.rules).clip(clip, context)?;
        head.rules = rules;
        self.frame_rate = head.frame_rate;
        let name = context.field("name", |context| {
            let name = head.name.take().unwrap_or_else(|| {
                context.say(shared::CLIP_UNNAMED, "the name is \"\"");
                Text::default()
            });
            X4aniName::new(&name)
        })?;
        let duration = context.field("duration", |context| duration(&head, plays, context))?;
        let mut writing = Clip {
            name,
            duration,
            last: None,
            first: self.heads.len(),
            extent: Extent::default(),
            taken: Vec::new(),
            places: Vec::with_capacity(tracks.len()),
            empty: Vec::new(),
        };
        let tracks = tracks.into_iter().map(|(index, track)| {
            let (target, data) = track.into_parts();
            (index, target, data)
        });
        for group in group_components(tracks, |_| false) {
            self.group(&mut writing, group, context)?;
        }
        let extent = self.extent(&writing, plays);
        self.finish(writing, context)?;
        Ok(extent)
    }

    /// Returns the content of a clip whose tracks were counted. A clip without records is not
    /// counted, and a record without keys is a track without keys.
    fn extent(&self, clip: &Clip, duration: f64) -> Extent {
        let mut extent = clip.extent;
        let heads = self.heads.get(clip.first..).unwrap_or_default();
        if !heads.is_empty() {
            extent.add_clip(0, duration);
        }
        let empty = heads.iter().filter(|head| head.counts == [0; 5]);
        empty.for_each(|_| extent.add_track(0));
        extent
    }

    fn group(
        &mut self,
        clip: &mut Clip,
        source: TrackGroup,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        // The clip fits, so every track has a group.
        let Some(group) = group(&source.target.property) else { return Ok(()) };
        let (index, target) = (source.index, source.target.clone());
        let mut record = 0;
        for (axis, track, place) in tracks(&source) {
            record = context
                .track(track, &place, |context| self.record(clip, place.node.as_ref(), context))?;
            clip.places.push((track, (record, group.index(), axis)));
        }
        if let Some(taken) = clip.taken(record, group) {
            *taken = true;
        }
        let keys = self.keys(source, context)?;
        context.track(index, &target, |context| {
            report_shown(group, &keys, context);
            let head = self.heads.get_mut(record);
            let head = head.and_then(|head| head.counts.get_mut(group.index()));
            if keys.len() == 0 {
                clip.empty.push(Empty { record, group, index, target: target.clone() });
            } else if let Some(stored) = head {
                *stored = key_count(keys.len())?;
                clip.extent.add_track(keys.len());
                self.groups.push(RecordGroup { record, group, keys });
            }
            Ok(())
        })
    }

    /// Returns the record of a node, and creates it if the clip has none yet.
    fn record(
        &mut self,
        clip: &mut Clip,
        node: Option<&Text>,
        context: &mut Context<'_>,
    ) -> Result<usize, WriteError> {
        if node.is_none() {
            context.say(shared::NULL_TEXT, "the node is \"\"");
        }
        if let (Some(node), Some((last, record))) = (node, &clip.last)
            && node == last
        {
            return Ok(*record);
        }
        let text = node.map_or("", |node| node);
        let name = X4aniName::new(text)?;
        let next = self.heads.len();
        let known = self.nodes.entry(name.folded()).or_insert(Node { name, record: next });
        if known.record < clip.first {
            known.record = next;
        }
        let Node { name: known, record } = *known;
        if known != name {
            context.say(codes::NAME_CASE_DROPPED, format!("{name} became {known}"));
        }
        // Each other spelling is reported for each of its tracks.
        clip.last = node.filter(|_| known == name).map(|node| (node.clone(), record));
        if record == next {
            clip.taken.push(Default::default());
            grow::column(&mut self.heads, 1);
            let (subname, duration) = (clip.name, clip.duration);
            let head = X4aniRecordHead { part: known, subname, duration, ..Default::default() };
            self.heads.push(head);
        }
        Ok(record)
    }

    /// Reports facts that are known only after all tracks of the clip.
    fn finish(&mut self, clip: Clip, context: &mut Context<'_>) -> Result<(), WriteError> {
        if clip.first == self.heads.len() {
            context.say(codes::CLIP_DROPPED, format!("clip {}", clip.name));
            return Ok(());
        }
        if !self.clips.insert(clip.name.folded()) {
            let what = format!("a second clip {}", clip.name);
            let limit = "clip names are case-insensitive; rename the clip";
            return Err(WriteError::not_representable(what, limit));
        }
        let mut places = clip.places;
        places.sort_unstable();
        if !places.is_sorted_by_key(|(_, place)| *place) {
            let message = "the tracks of a node are grouped, in the order of the format";
            context.say(shared::TRACKS_REORDERED, message);
        }
        for empty in clip.empty {
            let taken = clip.taken.get(empty.record.saturating_sub(clip.first));
            let groups = taken.into_iter().flatten().filter(|taken| **taken).count();
            if groups > 1 || empty.group != Group::Position {
                let message = format!("no {}", empty.group.name());
                // One finding about all of them, at the first one.
                context.findings.name_track(empty.index, &empty.target);
                context.say(shared::EMPTY_TRACKS_DROPPED, message);
            }
        }
        context.findings.leave();
        Ok(())
    }
}

/// Returns the duration to write of a clip that plays for a number of seconds.
fn duration(clip: &Animation, plays: f64, context: &mut Context<'_>) -> Result<f32, WriteError> {
    let exact = clip.rules.stated_duration == RULES.stated_duration;
    let duration = clip.duration.filter(|stated| exact || *stated == plays).unwrap_or_else(|| {
        let stated = clip.duration.map_or("none".into(), |stated| format!("{stated} s"));
        context.say(shared::DURATION_EXTENDED, format!("{stated} became {plays} s"));
        plays
    });
    report_narrowed_times([duration].into_iter(), &mut context.findings)?;
    Ok(num::f32_from_f64(duration))
}

/// Reports keys whose shown value in the game differs from the stored value.
fn report_shown(group: Group, keys: &GroupKeys, context: &mut Context<'_>) {
    if keys.shows_handle() {
        context.say(codes::LAST_KEY_HANDLE, "X4 shows CP1 instead of the value");
    }
    if keys.starts_at_two_pi(group) {
        let message = "X4 interpolates this segment from 0 instead of 2 pi";
        context.say(codes::STARTS_AT_TWO_PI, message);
    }
}

/// Returns each track of a group: its axis, with 0 for a whole track, its index and its target.
pub(super) fn tracks(source: &TrackGroup) -> impl Iterator<Item = (usize, usize, Target)> {
    let is_whole = matches!(source.keys, GroupedKeys::Whole(_));
    source.indices.into_iter().zip(Axis::ALL).filter_map(move |(index, axis)| {
        let component = (!is_whole).then_some(axis);
        Some((axis.index(), index?, Target { component, ..source.target.clone() }))
    })
}
