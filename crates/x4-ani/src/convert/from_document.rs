//! Writes documents.

mod prepare;

use std::collections::{HashMap, HashSet};

use inbetween_core::lower::translate_tracks;
use inbetween_core::wire::append;
use inbetween_core::{
    Animation, Axis, Budget, Code, Document, Extent, Finding, Findings, FullTurn, LastBezier,
    Outcome, Path, PathStyle, Property, Rules, Segment, Skeleton, Target, Text, Track, TrackData,
    ValueKind, WriteError, Written, codes as shared, counted, dropped_track, grow, num,
    report_dropped_head, report_narrowed_times, shown,
};

use super::group::GroupKeys;
use super::property::group;
use crate::layout::ID;
use crate::write::{key_count, size_of_file, start};
use crate::{Group, RULES, X4aniName, X4aniRecordHead, codes};

/// Converts a document to a file: one record for each node of each clip.
///
/// Keys are encoded last, because those of a record follow each other in the file, and those of a
/// node may be anywhere in the document. Until then they stay in the columns of its tracks.
pub(crate) fn from_document(
    mut document: Document,
    budget: &mut Budget,
) -> Result<Outcome<Written>, WriteError> {
    let tracks = document.clips.iter().map(|clip| clip.tracks.len()).max().unwrap_or(0);
    let mut writer = Writer {
        findings: Findings::new(budget.limits()),
        budget,
        extents: Vec::new(),
        heads: Vec::new(),
        groups: Vec::with_capacity(tracks),
        clips: HashSet::new(),
        nodes: HashMap::with_capacity(tracks),
        rules: RULES,
        skeleton: document.skeleton.clone(),
        frame_rate: None,
    };
    document.drop_skeleton(&mut writer.findings);
    for (index, clip) in document.clips.into_iter().enumerate() {
        writer.findings.begin_scope();
        writer.clip(index, clip)?;
    }
    let Writer { heads, groups, extents, findings, .. } = writer;
    Ok(Outcome::new(Written::new(encode(&heads, groups)?, extents), findings))
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
struct Writer<'b> {
    budget: &'b mut Budget,
    findings: Findings,
    /// The written content of each clip so far.
    extents: Vec<Extent>,
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
    index: usize,
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
    path: Path,
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

    fn path(&self, track: usize) -> Path {
        clip_path(self.index, [Segment::Field("tracks"), Segment::Index(num::u64_from_len(track))])
    }
}

fn clip_path<const N: usize>(clip: usize, rest: [Segment; N]) -> Path {
    let start = [Segment::Field("clips"), Segment::Index(num::u64_from_len(clip))];
    Path::new(PathStyle::Dotted, start.into_iter().chain(rest).collect())
}

impl Writer<'_> {
    fn say(&mut self, code: Code, message: impl Into<String>, path: Path) {
        self.findings.add(code, || Finding::new(code, message.into()).at(path));
    }

    fn clip(&mut self, index: usize, mut clip: Animation) -> Result<(), WriteError> {
        let field = |name| clip_path(index, [Segment::Field(name)]);
        self.report_dropped(index, &clip);
        clip.make_absolute();
        let name = clip.name.clone().unwrap_or_else(|| {
            self.say(shared::CLIP_UNNAMED, "the name is \"\"", field("name"));
            Text::from("")
        });
        let name = X4aniName::new(&name).map_err(|error| error.at_path(field("name")))?;
        let (first, plays) = (self.heads.len(), clip.effective_duration());
        let tracks = clip.tracks.len();
        let exact = clip.rules.stated_duration == RULES.stated_duration;
        let duration =
            clip.duration.filter(|stated| exact || *stated == plays).unwrap_or_else(|| {
                let stated = clip.duration.map_or("none".into(), |stated| format!("{stated} s"));
                let message = format!("{stated} became {plays} s");
                self.say(shared::DURATION_EXTENDED, message, field("duration"));
                plays
            });
        let path = field("duration");
        report_narrowed_times([duration].into_iter(), ID, &path, &mut self.findings)?;
        let mut writing = Clip {
            index,
            name,
            duration: num::f32_from_f64(duration),
            last: None,
            first,
            extent: Extent::default(),
            taken: Vec::new(),
            places: Vec::with_capacity(tracks),
            empty: Vec::new(),
        };
        let path = |track| {
            clip_path(index, [Segment::Field("tracks"), Segment::Index(num::u64_from_len(track))])
        };
        // The engine's rules for full turns and last keys are applied at the end, since joining and
        // baking create keys that play without such rules.
        let plain = PLAIN.with_slerp(clip.rules.slerp);
        let to = if clip.rules == RULES { RULES } else { plain };
        let tracks = translate_tracks(clip.tracks, (clip.rules, to), path, &mut self.findings);
        let tracks = tracks.map_err(|error| WriteError::from_track(ID, &error, path))?;
        (self.rules, self.frame_rate) = (to, clip.frame_rate);
        for (target, source) in self.sources(&writing, tracks) {
            self.findings.begin_scope();
            self.source(&mut writing, &target, source)?;
        }
        self.findings.begin_scope();
        self.count(&writing, plays);
        self.finish(writing)
    }

    /// Counts a clip whose tracks were counted. A clip without records is not counted, and a record
    /// without keys is a track without keys.
    fn count(&mut self, clip: &Clip, duration: f64) {
        let mut extent = clip.extent;
        let heads = self.heads.get(clip.first..).unwrap_or_default();
        if !heads.is_empty() {
            extent.add_clip(0, duration);
        }
        let empty = heads.iter().filter(|head| head.counts == [0; 5]);
        empty.for_each(|_| extent.add_track(0));
        self.extents.push(extent);
    }

    /// Reports properties of the clip that the format does not support.
    fn report_dropped(&mut self, index: usize, clip: &Animation) {
        let path = |name| clip_path(index, [Segment::Field(name)]);
        report_dropped_head(clip, path, &mut self.findings);
        if let Some(first) = clip.markers.first() {
            let name = shown(&first.name);
            let message = format!("{}, first \"{name}\"", counted(clip.markers.len(), "marker"));
            let finding = Finding::new(codes::MARKERS_DROPPED, message).at(path("markers"));
            self.findings.push(finding);
        }
    }

    /// Joins the components of a property and drops tracks that the format does not support.
    fn sources(&mut self, clip: &Clip, tracks: Vec<Track>) -> Vec<(Target, Source)> {
        let mut sources: Vec<(Target, Source)> = Vec::with_capacity(tracks.len());
        let mut open: HashMap<Target, usize> = HashMap::new();
        for (index, track) in tracks.into_iter().enumerate() {
            let (target, data) = track.into_parts();
            self.findings.begin_scope();
            if !is_written(&target, data.kind()) {
                self.findings.push(dropped_track(&target, &data, clip.path(index)));
                continue;
            }
            let Some(axis) = target.component else {
                sources.push((target, Source::Whole(index, data)));
                continue;
            };
            let whole = Target { component: None, ..target };
            let known = open.get(&whole).and_then(|&at| sources.get_mut(at));
            let next = match known {
                Some((_, Source::Axes(parts))) => Some(axis.of(parts.each_mut())),
                _ => None,
            };
            match next {
                Some(slot @ None) => *slot = Some((index, data)),
                Some(Some(_)) => {
                    let message = format!("another {} of the same property", axis.name());
                    self.say(codes::SECOND_TRACK_DROPPED, message, clip.path(index));
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

    fn source(
        &mut self,
        clip: &mut Clip,
        target: &Target,
        source: Source,
    ) -> Result<(), WriteError> {
        let path = clip.path(source.first());
        let Some(group) = group(&target.property) else { return Ok(()) };
        let mut paths = [path.clone(), path.clone(), path.clone()];
        let mut record = 0;
        for (axis, index) in source.indices() {
            self.findings.begin_scope();
            let path = clip.path(index);
            record = self.record(clip, target.node.as_ref(), &path)?;
            if let Some(of_axis) = paths.get_mut(axis) {
                *of_axis = path;
            }
        }
        let taken = clip.taken(record, group).map(|taken| core::mem::replace(taken, true));
        if taken == Some(true) {
            for (_, index) in source.indices() {
                self.findings.begin_scope();
                let message = format!("another {}", target.property.name());
                self.say(codes::SECOND_TRACK_DROPPED, message, clip.path(index));
            }
            return Ok(());
        }
        let axes = source.indices();
        let places = axes.map(|(axis, index)| (index, (record, group.index(), axis)));
        clip.places.extend(places);
        let keys = self.keys(target, source, (&path, &paths))?;
        self.report_shown(group, &keys, &path);
        let head = self.heads.get_mut(record).and_then(|head| head.counts.get_mut(group.index()));
        if keys.len() == 0 {
            clip.empty.push(Empty { record, group, path });
        } else if let Some(stored) = head {
            *stored = key_count(keys.len()).map_err(|error| error.at_path(path))?;
            clip.extent.add_track(keys.len());
            self.groups.push(RecordGroup { record, group, keys });
        }
        Ok(())
    }

    /// Reports keys whose shown value in the game differs from the stored value.
    fn report_shown(&mut self, group: Group, keys: &GroupKeys, path: &Path) {
        if keys.shows_handle() {
            self.say(codes::LAST_KEY_HANDLE, "X4 shows CP1 instead of the value", path.clone());
        }
        if keys.starts_at_two_pi(group) {
            self.say(
                codes::STARTS_AT_TWO_PI,
                "X4 interpolates this segment from 0 instead of 2 pi",
                path.clone(),
            );
        }
    }

    /// Returns the record of a node, and creates it if the clip has none yet.
    fn record(
        &mut self,
        clip: &mut Clip,
        node: Option<&Text>,
        path: &Path,
    ) -> Result<usize, WriteError> {
        if node.is_none() {
            self.say(shared::NULL_TEXT, "the node is \"\"", path.clone());
        }
        if let (Some(node), Some((last, record))) = (node, &clip.last)
            && node == last
        {
            return Ok(*record);
        }
        let text = node.map_or("", |node| node);
        let name = X4aniName::new(text).map_err(|error| error.at_path(path.clone()))?;
        let next = self.heads.len();
        let known = self.nodes.entry(name.folded()).or_insert(Node { name, record: next });
        if known.record < clip.first {
            known.record = next;
        }
        let Node { name: known, record } = *known;
        if known != name {
            self.say(codes::NAME_CASE_DROPPED, format!("{name} became {known}"), path.clone());
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
    fn finish(&mut self, clip: Clip) -> Result<(), WriteError> {
        let path = clip_path(clip.index, []);
        if clip.first == self.heads.len() {
            self.say(codes::CLIP_DROPPED, format!("clip {}", clip.name), path);
            return Ok(());
        }
        if !self.clips.insert(clip.name.folded()) {
            let what = format!("a second clip {}", clip.name);
            let limit = "clip names are case-insensitive; rename the clip";
            return Err(WriteError::not_representable(ID, what, limit).at_path(path));
        }
        let mut places = clip.places;
        places.sort_unstable();
        if !places.is_sorted_by_key(|(_, place)| *place) {
            let message = "the tracks of a node are grouped, in the order of the format";
            self.say(shared::TRACKS_REORDERED, message, path);
        }
        for empty in clip.empty {
            let taken = clip.taken.get(empty.record.saturating_sub(clip.first));
            let groups = taken.into_iter().flatten().filter(|taken| **taken).count();
            if groups > 1 || empty.group != Group::Position {
                let message = format!("no {}", empty.group.name());
                self.say(codes::EMPTY_TRACK_DROPPED, message, empty.path);
            }
        }
        Ok(())
    }
}

impl Source {
    /// Returns the index of the first track.
    fn first(&self) -> usize {
        self.indices().map(|(_, index)| index).min().unwrap_or_default()
    }

    /// Returns the axes, with 0 for all of them, and the index of the track of each.
    fn indices(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let each = match self {
            Self::Whole(index, _) => [Some(*index), None, None],
            Self::Axes(axes) => axes.each_ref().map(|axis| Some(axis.as_ref()?.0)),
        };
        each.into_iter().enumerate().filter_map(|(axis, index)| Some((axis, index?)))
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
