//! Converts the common model to the exact model.

use std::collections::{HashMap, HashSet};

use inbetween_core::lower::{Lowering, translate_tracks};
use inbetween_core::{
    Animation, Axis, Baker, Budget, Code, DEFAULT_BOUND, Document, Extent, Finding, Findings,
    FullTurn, Grid, Interpolation, LastBezier, Outcome, Path, PathStyle, Property, Quat, Rules,
    Segment, Shape, StatedError, Target, Text, Track, TrackData, Value, ValueKind, Values,
    WriteError, codes as shared, counted, dropped_track, grow, narrow_times, num,
    report_dropped_head, shown, translate, value_error,
};

use super::group::{of_numbers, of_vectors, share_times, times_of_all};
use super::keys::{shows_handle, starts_at_two_pi};
use super::to_document::count;
use crate::read::ID;
use crate::{EULER_ORDER, Group, RULES, RecordPart, X4aniKey, X4aniName, X4aniParts, codes};

/// Converts a document: one record for each node of each clip.
pub(crate) fn from_document(
    mut document: Document,
    budget: &mut Budget,
) -> Result<Outcome<(X4aniParts, Vec<Extent>)>, WriteError> {
    let tracks = document.clips.iter().map(|clip| clip.tracks.len()).max().unwrap_or(0);
    let mut writer = Writer {
        findings: Findings::new(budget.limits()),
        budget,
        extents: Vec::new(),
        records: Vec::new(),
        clips: HashSet::new(),
        nodes: HashMap::with_capacity(tracks),
        rules: RULES,
    };
    document.drop_skeleton(&mut writer.findings);
    for (index, clip) in document.clips.into_iter().enumerate() {
        writer.findings.begin_scope();
        writer.clip(index, clip)?;
    }
    let Writer { records, extents, findings, .. } = writer;
    Ok(Outcome::new((X4aniParts { records, ..X4aniParts::default() }, extents), findings))
}

/// Counts the tracks of a record; a record without keys counts as one track without keys.
fn count_tracks(record: &RecordPart, extent: &mut Extent) {
    let groups = record.keys.iter().map(Vec::len).filter(|keys| *keys > 0);
    let tracks = groups.map(|keys| extent.add_track(keys)).count();
    if tracks == 0 {
        extent.add_track(0);
    }
}

/// The records under construction.
struct Writer<'b> {
    budget: &'b mut Budget,
    findings: Findings,
    /// The written content of each clip so far.
    extents: Vec<Extent>,
    records: Vec<RecordPart>,
    /// The names of the clips so far, in lowercase.
    clips: HashSet<Vec<u8>>,
    /// The first spelling of each node, by its name in lowercase.
    nodes: HashMap<Vec<u8>, X4aniName>,
    /// The playback rules of the current clip.
    rules: Rules,
}

/// The engine's rules without those for full turns and last keys.
const PLAIN: Rules = RULES.with_full_turn(FullTurn::Kept).with_last_bezier(LastBezier::Value);

/// The state of the current clip.
struct Clip {
    index: usize,
    name: X4aniName,
    duration: f32,
    /// The index of the record of each node.
    records: HashMap<X4aniName, usize>,
    /// The node of the last track and its record, since the tracks of a node follow each other.
    last: Option<(Text, usize)>,
    /// The index of the first record.
    first: usize,
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
    Whole(usize, Box<TrackData>),
    Axes(Box<[Option<(usize, TrackData)>; 3]>),
}

impl Clip {
    /// Returns the mark of a group of a record, which is set when the group gets a track.
    fn taken(&mut self, record: usize, group: Group) -> Option<&mut bool> {
        self.taken.get_mut(record.checked_sub(self.first)?)?.get_mut(group.index())
    }

    fn path(&self, track: usize) -> Path {
        clip_path(self.index, [Segment::Field("tracks"), Segment::Index(count(track))])
    }
}

fn clip_path<const N: usize>(clip: usize, rest: [Segment; N]) -> Path {
    let start = [Segment::Field("clips"), Segment::Index(count(clip))];
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
        let (first, plays) = (self.records.len(), clip.effective_duration());
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
        let duration = narrow_times([duration].into_iter(), ID, &path, &mut self.findings)?;
        let mut writing = Clip {
            index,
            name,
            duration: duration.first().copied().unwrap_or_default(),
            records: HashMap::with_capacity(tracks),
            last: None,
            first,
            taken: Vec::new(),
            places: Vec::with_capacity(tracks),
            empty: Vec::new(),
        };
        let path =
            |track| clip_path(index, [Segment::Field("tracks"), Segment::Index(count(track))]);
        // The engine's rules for full turns and last keys are applied at the end, since joining and
        // baking create keys that play without such rules.
        let plain = PLAIN.with_slerp(clip.rules.slerp);
        let to = if clip.rules == RULES { RULES } else { plain };
        let tracks =
            translate_tracks(clip.tracks, (clip.rules, to), path, self.budget, &mut self.findings);
        let tracks = tracks.map_err(|error| WriteError::from_bake(ID, &error))?;
        self.rules = to;
        for (target, source) in self.sources(&writing, tracks) {
            self.findings.begin_scope();
            self.source(&mut writing, &target, source)?;
        }
        self.findings.begin_scope();
        self.count(first, plays);
        self.finish(&writing)
    }

    /// Counts the written content of a clip: the records from `first` on. A clip without records is
    /// not counted.
    fn count(&mut self, first: usize, duration: f64) {
        let mut extent = Extent::default();
        let records = self.records.get(first..).unwrap_or_default();
        if !records.is_empty() {
            extent.add_clip(0, duration);
        }
        for record in records {
            count_tracks(record, &mut extent);
        }
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
                sources.push((target, Source::Whole(index, Box::new(data))));
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
        let first = source.first();
        let path = clip.path(first);
        let Some(group) = super::group(&target.property) else { return Ok(()) };
        let record = self.record(clip, target.node.as_ref(), &path)?;
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
        let keys = self.keys(target, source, &path)?;
        self.report_shown(group, &keys, &path);
        if keys.is_empty() {
            clip.empty.push(Empty { record, group, path });
        }
        if let Some(part) = self.records.get_mut(record) {
            *part.keys_mut(group) = keys;
        }
        Ok(())
    }

    /// Reports keys whose shown value in the game differs from the stored value.
    fn report_shown(&mut self, group: Group, keys: &[X4aniKey], path: &Path) {
        if keys.last().is_some_and(shows_handle) {
            self.say(codes::LAST_KEY_HANDLE, "X4 shows CP1 instead of the value", path.clone());
        }
        // Only rotations have full turns, so the keys of other groups need no search.
        let keys = if group == Group::Rotation { keys } else { &[] };
        let mut segments = keys.windows(2);
        if segments.any(|keys| matches!(keys, [from, to] if starts_at_two_pi(group, from, to))) {
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
        let known = *self.nodes.entry(name.folded()).or_insert(name);
        if known != name {
            self.say(codes::NAME_CASE_DROPPED, format!("{name} became {known}"), path.clone());
        }
        let next = self.records.len();
        let record = *clip.records.entry(known).or_insert(next);
        // Each other spelling is reported for each of its tracks.
        clip.last = node.filter(|_| known == name).map(|node| (node.clone(), record));
        if record != next {
            return Ok(record);
        }
        clip.taken.push(Default::default());
        grow::column(&mut self.records, 1);
        self.records.push(RecordPart {
            part: known,
            subname: clip.name,
            duration: clip.duration,
            ..RecordPart::default()
        });
        Ok(record)
    }

    fn keys(
        &mut self,
        target: &Target,
        source: Source,
        path: &Path,
    ) -> Result<Vec<X4aniKey>, WriteError> {
        match source {
            Source::Whole(_, data) => self.vectors(&target.property, *data, self.rules, path),
            Source::Axes(axes) => {
                let axes = axes.map(|axis| axis.map(|(_, data)| data));
                if let [Some(x), Some(y), Some(z)] = &axes
                    && is_native(&target.property)
                    && share_times([x, y, z])
                {
                    let axes = [x, y, z].map(|axis| self.finished(target, axis.clone(), path));
                    let [x, y, z] = axes;
                    let (x, y, z) = (x?, y?, z?);
                    if share_times([&x, &y, &z]) {
                        return of_numbers([&x, &y, &z], path, &mut self.findings);
                    }
                    return self.merged(target, &[Some(x), Some(y), Some(z)], path);
                }
                let has_keys = axes.iter().flatten().any(|axis| !axis.is_empty());
                if has_keys && is_native(&target.property) {
                    return self.merged(target, &axes, path);
                }
                self.joined(target, &axes, self.rules, path)
            }
        }
    }

    /// Creates the keys of components whose keys are at different times. Each gets keys at the
    /// times of the others, which does not change how it plays.
    fn merged(
        &mut self,
        target: &Target,
        axes: &[Option<TrackData>; 3],
        path: &Path,
    ) -> Result<Vec<X4aniKey>, WriteError> {
        let failed = |error| WriteError::from_bake(ID, &error).at_path(path.clone());
        let given = || axes.iter().flatten();
        let rest = target.property.component_at_rest();
        let mut plain = Vec::with_capacity(3);
        for axis in axes {
            let data = match axis {
                Some(data) if !data.is_empty() => data.clone(),
                _ => TrackData::uniform(1.0, vec![num::f32_from_f64(rest)]),
            };
            plain.push(self.plain(target, data, path)?);
        }
        let times = times_of_all(&plain);
        let filled = plain.iter().map(|axis| inbetween_core::insert_keys(axis, &times, PLAIN));
        let filled: Vec<TrackData> = filled.collect::<Result<_, _>>().map_err(failed)?;
        match filled.as_slice() {
            [x, y, z] if share_times([x, y, z]) => {
                let [x, y, z] =
                    [x, y, z].map(|axis| self.finished_from(target, PLAIN, axis.clone(), path));
                let (x, y, z) = (x?, y?, z?);
                if share_times([&x, &y, &z]) {
                    let message = format!(
                        "{} of {} became {}, which play the same",
                        counted(given().count(), "track"),
                        counted(given().map(TrackData::len).max().unwrap_or(0), "key"),
                        counted(times.len(), "key")
                    );
                    self.say(shared::COMPONENTS_JOINED, message, path.clone());
                    return of_numbers([&x, &y, &z], path, &mut self.findings);
                }
                self.joined(target, &[Some(x), Some(y), Some(z)], RULES, path)
            }
            _ => self.joined(target, axes, self.rules, path),
        }
    }

    /// Returns a track that plays the same without the rules for full turns and last keys.
    fn plain(
        &mut self,
        target: &Target,
        data: TrackData,
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        self.translated(target, data, (self.rules, PLAIN), path)
    }

    /// Returns a track that plays as intended by the engine's rules.
    fn finished(
        &mut self,
        target: &Target,
        data: TrackData,
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        self.finished_from(target, self.rules, data, path)
    }

    fn finished_from(
        &mut self,
        target: &Target,
        from: Rules,
        data: TrackData,
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        self.translated(target, data, (from, RULES), path)
    }

    fn translated(
        &mut self,
        target: &Target,
        data: TrackData,
        (from, to): (Rules, Rules),
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        // The format has no quaternions, so the slerp does not matter.
        let from = from.with_slerp(to.slerp);
        let translated = translate(data, &target.property, from, to, self.budget);
        let failed = |error| WriteError::from_bake(ID, &error).at_path(path.clone());
        Ok(translated.map_err(failed)?.data)
    }

    /// Creates the keys of the available components, which play by `rules`.
    fn joined(
        &mut self,
        target: &Target,
        axes: &[Option<TrackData>; 3],
        rules: Rules,
        path: &Path,
    ) -> Result<Vec<X4aniKey>, WriteError> {
        let making = Baker::new(Grid::Bound(DEFAULT_BOUND), self.budget).for_target(rules);
        let joined = Lowering { baker: making }
            .join_parts(&target.property, axes, path, &mut self.findings)
            .map_err(|error| WriteError::from_bake(ID, &error).at_path(path.clone()))?;
        // Baked angles may reach a full turn at any key.
        self.vectors(&target.property, joined, PLAIN, path)
    }

    fn vectors(
        &mut self,
        property: &Property,
        data: TrackData,
        rules: Rules,
        path: &Path,
    ) -> Result<Vec<X4aniKey>, WriteError> {
        let failed = |error| WriteError::from_bake(ID, &error).at_path(path.clone());
        let target = Target::of(None, property.clone());
        let rules = rules.with_slerp(self.rules.slerp);
        let angles = match property {
            Property::Rotation => self.angles(&data, StatedError::default(), rules, path)?,
            Property::RotationEuler(order) if *order != EULER_ORDER => {
                // Each of the two steps gets half of the bound.
                let mut making = Baker::new(Grid::Bound(DEFAULT_BOUND / 2.0), self.budget);
                let baked = making.quaternions(&data, *order, rules).map_err(failed)?;
                let plain = PLAIN.with_slerp(making.target.slerp);
                self.angles(&baked.data, baked.error, plain, path)?
            }
            _ => {
                let data = self.finished_from(&target, rules, data, path)?;
                return of_vectors(&data, path, &mut self.findings);
            }
        };
        let target = Target::of(None, Property::RotationEuler(EULER_ORDER));
        let angles = self.finished_from(&target, PLAIN, angles, path)?;
        of_vectors(&angles, path, &mut self.findings)
    }

    /// Replaces quaternions that play by `rules` by Euler angles; `before` is the error that the
    /// quaternions already have.
    fn angles(
        &mut self,
        data: &TrackData,
        before: StatedError,
        rules: Rules,
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        let (angles, mut error) = if let Some(held) = held_angles(data) {
            let error = held_error(data, &held);
            (held, error)
        } else {
            let mut making = Baker::new(Grid::Bound(DEFAULT_BOUND / 2.0), self.budget);
            let baked = making.angles(data, EULER_ORDER, rules);
            let baked =
                baked.map_err(|error| WriteError::from_bake(ID, &error).at_path(path.clone()))?;
            (baked.data, baked.error)
        };
        error.value += before.value;
        let message =
            format!("{} became {}, {error} radians", counted(data.len(), "key"), angles.len());
        let finding = Finding::new(codes::ROTATION_AS_EULER, message).at(path.clone());
        self.findings.push(finding.error(error));
        Ok(angles)
    }

    /// Reports facts that are known only after all tracks of the clip.
    fn finish(&mut self, clip: &Clip) -> Result<(), WriteError> {
        let path = clip_path(clip.index, []);
        if clip.records.is_empty() {
            self.say(codes::CLIP_DROPPED, format!("clip {}", clip.name), path);
            return Ok(());
        }
        if !self.clips.insert(clip.name.folded()) {
            let what = format!("a second clip {}", clip.name);
            let limit = "clip names are case-insensitive; rename the clip";
            return Err(WriteError::not_representable(ID, what, limit).at_path(path));
        }
        let mut places = clip.places.clone();
        places.sort_unstable();
        if !places.is_sorted_by_key(|(_, place)| *place) {
            let message = "the tracks of a node are grouped, in the order of the format";
            self.say(shared::TRACKS_REORDERED, message, path);
        }
        for empty in &clip.empty {
            let taken = clip.taken.get(empty.record.saturating_sub(clip.first));
            let groups = taken.into_iter().flatten().filter(|taken| **taken).count();
            if groups > 1 || empty.group != Group::Position {
                let message = format!("no {}", empty.group.name());
                self.say(codes::EMPTY_TRACK_DROPPED, message, empty.path.clone());
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
    fits && super::group(&target.property).is_some()
}

/// Returns whether the file stores the values of a property unchanged.
fn is_native(property: &Property) -> bool {
    !matches!(property, Property::RotationEuler(order) if *order != EULER_ORDER)
}

/// Returns the angles of quaternions that hold from key to key; `None` if some are interpolated.
fn held_angles(data: &TrackData) -> Option<TrackData> {
    let holds = |key| data.interpolation(key) == Interpolation::Hold;
    let uniform = matches!(data.shape(), Shape::Uniform { .. });
    if uniform || !(0..data.len().saturating_sub(1)).all(holds) {
        return None;
    }
    let rotations: Vec<Quat<f64>> = match data.values() {
        Values::FloatQ(values) => values.iter().map(|value| Quat::<f64>::from(*value)).collect(),
        Values::DoubleQ(values) => values.clone(),
        _ => return None,
    };
    let mut near = None;
    let angles = rotations.into_iter().map(|rotation| {
        let angles = EULER_ORDER.angles(rotation, near);
        near = Some(angles);
        angles.map(num::f32_from_f64)
    });
    let angles: Vec<[f32; 3]> = angles.collect();
    let times = data.times().collect();
    TrackData::stepped(times, angles).ok()
}

/// Returns the error of held angles compared to their quaternions; infinite if one of these is not
/// a valid rotation.
fn held_error(data: &TrackData, angles: &TrackData) -> StatedError {
    let off = |key: usize| {
        let rotation = match data.value(key) {
            Some(Value::FloatQ(rotation)) => Value::DoubleQ(rotation.into()),
            Some(other) => other,
            None => return 0.0,
        };
        let Some(Value::Float3(angles)) = angles.value(key) else { return f64::INFINITY };
        let rotated = EULER_ORDER.quaternion(angles.map(f64::from));
        value_error(&rotation, &Value::DoubleQ(rotated))
    };
    StatedError::of_value((0..data.len()).map(off).fold(0.0, f64::max))
}
