//! Writes documents.

mod prepare;

use std::collections::{HashMap, HashSet};

use inbetween_core::lower::translate_tracks;
use inbetween_core::wire::append;
use inbetween_core::{
    Animation, Axis, Context, Document, Extent, Finding, FullTurn, LastBezier, Path, Property,
    Rules, Skeleton, Target, Text, Track, TrackData, ValueKind, WriteError, Written,
    codes as shared, counted, dropped_track, grow, num, report_dropped_head, report_narrowed_times,
    shown,
};

use super::group::GroupKeys;
use super::property::group;
use crate::write::{key_count, size_of_file, start};
use crate::{Group, RULES, X4aniName, X4aniRecordHead, codes};

/// Converts a document to a file: one record for each node of each clip.
///
/// Keys are encoded last, because those of a record follow each other in the file, and those of a
/// node may be anywhere in the document. Until then they stay in the columns of its tracks.
pub(crate) fn from_document(
    mut document: Document,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let tracks = document.clips.iter().map(|clip| clip.tracks.len()).max().unwrap_or(0);
    let mut writer = Writer {
        heads: Vec::new(),
        groups: Vec::with_capacity(tracks),
        clips: HashSet::new(),
        nodes: HashMap::with_capacity(tracks),
        rules: RULES,
        skeleton: document.skeleton.clone(),
        frame_rate: None,
    };
    document.drop_skeleton(&mut context.findings);
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
    /// The rest pose, which axes without a track hold.
    skeleton: Option<Skeleton>,
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

/// The tracks of one group of a node: a single one, or one per axis; each with its index in the
/// document.
enum Source {
    Whole(usize, TrackData),
    Axes(Box<[Option<(usize, TrackData)>; 3]>),
}

impl Clip {
    /// Returns the mark of a group of a record, which is set when the group gets a track.
    fn taken(&mut self, record: usize, group: Group) -> Option<&mut bool> {
        self.taken.get_mut(record.checked_sub(self.first)?)?.get_mut(group.index())
    }
}

impl Writer {
    fn clip(
        &mut self,
        mut clip: Animation,
        context: &mut Context<'_>,
    ) -> Result<Extent, WriteError> {
        report_dropped(&clip, context);
        clip.make_absolute();
        let name = context.field("name", |context| {
            let name = clip.name.take().unwrap_or_else(|| {
                context.say(shared::CLIP_UNNAMED, "the name is \"\"");
                Text::default()
            });
            X4aniName::new(&name)
        })?;
        let plays = clip.effective_duration();
        let duration = context.field("duration", |context| duration(&clip, plays, context))?;
        let mut writing = Clip {
            name,
            duration,
            last: None,
            first: self.heads.len(),
            extent: Extent::default(),
            taken: Vec::new(),
            places: Vec::with_capacity(clip.tracks.len()),
            empty: Vec::new(),
        };
        // The engine's rules for full turns and last keys are applied at the end, since joining and
        // baking create keys that play without such rules.
        let plain = PLAIN.with_slerp(clip.rules.slerp);
        let to = if clip.rules == RULES { RULES } else { plain };
        let tracks = translate_tracks(clip.take_tracks(), (clip.rules, to), context)?;
        (self.rules, self.frame_rate) = (to, clip.frame_rate);
        for (target, source) in sources(tracks, context) {
            self.source(&mut writing, &target, source, context)?;
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

    fn source(
        &mut self,
        clip: &mut Clip,
        target: &Target,
        source: Source,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        let Some(group) = group(&target.property) else { return Ok(()) };
        let mut record = 0;
        for (_, index, target) in source.tracks(target) {
            record = context.track(index, &target, |context| {
                self.record(clip, target.node.as_ref(), context)
            })?;
        }
        let taken = clip.taken(record, group).map(|taken| core::mem::replace(taken, true));
        if taken == Some(true) {
            for (_, index, target) in source.tracks(target) {
                let message = format!("another {}", target.property.name());
                report_dropped_track(
                    Finding::new(shared::SECOND_TRACK_DROPPED, message),
                    (index, &target),
                    context,
                );
            }
            return Ok(());
        }
        let tracks = source.tracks(target);
        clip.places.extend(tracks.map(|(axis, index, _)| (index, (record, group.index(), axis))));
        let index = source.first();
        let keys = self.keys(target, source, context)?;
        context.track(index, target, |context| {
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

/// Reports properties of the clip that the format does not support.
fn report_dropped(clip: &Animation, context: &mut Context<'_>) {
    report_dropped_head(clip, &mut context.findings);
    if let Some(first) = clip.markers.first() {
        let name = shown(&first.name);
        let message = format!("{}, first \"{name}\"", counted(clip.markers.len(), "marker"));
        let finding = Finding::new(shared::MARKERS_DROPPED, message);
        context.findings.push(finding.at(Path::field("markers")));
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

/// Joins the components of a property and drops tracks that the format does not support.
fn sources(tracks: Vec<(usize, Track)>, context: &mut Context<'_>) -> Vec<(Target, Source)> {
    let mut sources: Vec<(Target, Source)> = Vec::with_capacity(tracks.len());
    let mut open: HashMap<Target, usize> = HashMap::new();
    for (index, track) in tracks {
        let (target, data) = track.into_parts();
        if !is_written(&target, data.kind()) {
            report_dropped_track(dropped_track(&target, &data), (index, &target), context);
            continue;
        }
        let Some(axis) = target.component else {
            sources.push((target, Source::Whole(index, data)));
            continue;
        };
        let whole = Target { component: None, ..target.clone() };
        let known = open.get(&whole).and_then(|&at| sources.get_mut(at));
        let next = match known {
            Some((_, Source::Axes(parts))) => Some(axis.of(parts.each_mut())),
            _ => None,
        };
        match next {
            Some(slot @ None) => *slot = Some((index, data)),
            Some(Some(_)) => {
                let message = format!("another {} of the same property", axis.name());
                let finding = Finding::new(shared::SECOND_TRACK_DROPPED, message);
                report_dropped_track(finding, (index, &target), context);
            }
            None => {
                let mut parts = Box::new([None, None, None]);
                *axis.of(parts.each_mut()) = Some((index, data));
                open.insert(whole.clone(), sources.len());
                sources.push((whole, Source::Axes(parts)));
            }
        }
    }
    sources
}

fn report_dropped_track(
    finding: Finding,
    (index, target): (usize, &Target),
    context: &mut Context<'_>,
) {
    context.findings.enter_track(index, target);
    context.findings.push(finding);
    context.findings.leave();
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

impl Source {
    /// Returns the index of the first track.
    fn first(&self) -> usize {
        self.indices().into_iter().flatten().min().unwrap_or_default()
    }

    /// Returns the index of the track of each axis, or of the one track.
    fn indices(&self) -> [Option<usize>; 3] {
        match self {
            Self::Whole(index, _) => [Some(*index), None, None],
            Self::Axes(axes) => axes.each_ref().map(|axis| Some(axis.as_ref()?.0)),
        }
    }

    /// Returns each track of a group: its axis, with 0 for all of them, its index and its target.
    fn tracks<'t>(
        &self,
        group: &'t Target,
    ) -> impl Iterator<Item = (usize, usize, Target)> + use<'t> {
        let is_whole = matches!(self, Self::Whole(..));
        self.indices().into_iter().zip(Axis::ALL).filter_map(move |(index, axis)| {
            let component = (!is_whole).then_some(axis);
            Some((axis.index(), index?, Target { component, ..group.clone() }))
        })
    }
}

/// Returns whether the format can store a property with values of a kind.
fn is_written(target: &Target, kind: ValueKind) -> bool {
    let number = matches!(kind, ValueKind::Float | ValueKind::Double);
    let fits = match target.component {
        Some(Axis::X | Axis::Y | Axis::Z) => number,
        None => {
            kind.is_vector3() || (kind.is_quaternion() && target.property == Property::Rotation)
        }
    };
    fits && group(&target.property).is_some()
}
