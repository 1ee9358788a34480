//! Writes documents: into the text of the file that they come from, or of an empty clip.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;

use inbetween_core::stores::{Head, Stores};
use inbetween_core::{
    Animation, Budget, Context, Document, Extent, Finding, Fit, Fitted, Limits, Looping, Marker,
    Model, OldAnimations, Path, ReadError, ReadErrorKind, Skeleton, Text, Track, WriteError,
    WriteErrorKind, Written, codes as shared, counted, num, shown,
};

use super::STORES;
use super::curve_text::{CurveText, curve_text, list_of};
use super::names::{Paths, path};
use super::to_document::to_document;
use crate::codes;
use crate::file::UnityAnimFile;
use crate::layout::{
    BINDINGS, CLIP_CLASS, CLIP_ID, EDITOR_CURVES, EDITOR_EULER_CURVES, EVENTS, ID, LEGACY, LOOP,
    List, NAME, SAMPLE_RATE, SEPARATOR, SETTINGS, START, STOP, TEMPLATE, WRAP_MODE,
};
use crate::read::clip::{Clip, clip};
use crate::write::{Number, scalar};
use crate::{RULES, read};

/// The head of a file without objects.
const HEAD: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";

/// Writes a document with any number of clips.
pub(crate) fn from_document(
    mut document: Document,
    _options: crate::UnityAnim,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let model = document.origin_in(ID).and_then(|origin| origin.model.clone());
    let limits = Limits::default().with_items(u64::MAX).with_decoded_bytes(u64::MAX);
    let old = model.as_ref().map(|model| OldFile::open(model, &limits)).transpose()?;
    report_objects(&mut document, old.is_some(), context);
    let skeleton = document.skeleton.clone();
    let paths = Paths::new(&document, skeleton.as_ref(), context.budget);
    let paths = paths.map_err(|error| of_paths(&error))?;
    let stores = Stores { head: stored_head(&document, &paths), ..STORES };
    let fit = Fit::new(stores, RULES, &mut document, context);
    let text = match &old {
        Some(old) => old.text.clone(),
        None => HEAD.to_owned(),
    };
    let clips = std::mem::take(&mut document.clips);
    let places = old.as_ref().map(|old| old.places(&clips)).unwrap_or_default();
    let mut next_id = next_id(&text);
    let (mut edits, mut extents, mut index) = (Vec::new(), Vec::new(), 0_usize);
    let mut new = String::new();
    let file = old.as_ref().map(|old| parse(&old.text, &limits)).transpose()?;
    context.clips(clips, |context, clip| {
        let place = places.get(index).copied().flatten();
        index = index.saturating_add(1);
        let known = old.as_ref().zip(file.as_ref()).zip(place);
        if let Some(((old, file), place)) = known {
            let made = old.read_clip(file, place, &limits)?;
            let writer = ClipWriter { fit: &fit, paths: &paths, old: old.clip(place) };
            extents.push(writer.write(clip, (&old.text, &made), &mut edits, context)?);
            return Ok(());
        }
        let header = format!("{HEAD}{SEPARATOR}!u!{CLIP_CLASS} &{next_id}\n");
        next_id = next_id.saturating_add(2);
        let template = [header.as_str(), TEMPLATE].concat();
        let file = parse(&template, &limits)?;
        let (made, mut own) = (only_clip(&file, &limits)?, Vec::new());
        let writer = ClipWriter { fit: &fit, paths: &paths, old: None };
        extents.push(writer.write(clip, (&template, &made), &mut own, context)?);
        new.push_str(replace(&template, own).get(HEAD.len()..).unwrap_or_default());
        Ok(())
    })?;
    let text = replace(&text, edits) + &new;
    Ok(Written::new(text.into_bytes(), extents))
}

/// Reports objects that are no clips and get lost, because the text of their file is gone.
fn report_objects(document: &mut Document, is_kept: bool, context: &mut Context<'_>) {
    let origin = document.origin.as_mut().filter(|origin| is_kept || origin.format == ID);
    let objects = origin.map(|origin| std::mem::take(&mut origin.scene)).unwrap_or_default();
    if !is_kept && !objects.is_empty() {
        context.say(shared::SCENE_DROPPED, objects.join(", "));
    }
}

/// Returns the stored parts of the head of clips: paths state the parents of a skeleton, if they name all
/// of its bones, but not its rest pose.
fn stored_head(document: &Document, paths: &Paths<'_>) -> &'static [Head] {
    const ALL: [Head; 5] =
        [Head::Name, Head::FrameRate, Head::Looping, Head::Markers, Head::Skeleton];
    let Some(skeleton) = document.skeleton.as_ref().filter(|it| it.has_parents()) else {
        return STORES.head;
    };
    let mut named = vec![false; skeleton.bones().len()];
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
    for track in tracks.filter(|track| STORES.has_place(track) && !track.data().is_empty()) {
        let mut next = track.target().node.as_deref().and_then(|node| skeleton.index(node));
        while let Some(slot) = next.and_then(|bone| named.get_mut(bone)).filter(|slot| !**slot) {
            *slot = true;
            next = next.and_then(|bone| skeleton.parent(bone));
        }
    }
    let rests = |bone: &inbetween_core::Bone| {
        bone.translation.is_some() || bone.rotation.is_some() || bone.scale.is_some()
    };
    let is_named = named.iter().all(|named| *named) && paths.keep_bones();
    let is_stored = is_named && !skeleton.bones().iter().any(rests);
    if is_stored { &ALL } else { STORES.head }
}

/// Returns an id that no object of a text has.
fn next_id(text: &str) -> i64 {
    let ids = text.lines().filter_map(|line| line.strip_prefix(SEPARATOR)?.split('&').nth(1));
    let ids = ids.filter_map(|id| id.split_whitespace().next()?.parse::<i64>().ok());
    ids.max().map_or(CLIP_ID, |last| last.max(CLIP_ID).saturating_add(2))
}

/// Replaces ranges of a text, which do not overlap.
fn replace(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut out, mut at) = (String::new(), 0);
    for (range, new) in edits {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&new);
        at = range.end.max(at);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

fn parse<'t>(text: &'t str, limits: &Limits) -> Result<UnityAnimFile<'t>, WriteError> {
    let parsed = UnityAnimFile::parse_text(text.into(), limits);
    parsed.map_err(|error| WriteError::inconsistent(error.to_string()))
}

/// Decodes the clip of an object.
fn only_clip<'t>(file: &'t UnityAnimFile<'_>, limits: &Limits) -> Result<Clip<'t>, WriteError> {
    let object = file.clips().next();
    let object = object.ok_or_else(|| WriteError::inconsistent("a file without clips"))?;
    decode(file, object, limits)
}

fn decode<'t>(
    file: &'t UnityAnimFile<'_>,
    object: &crate::UnityObject,
    limits: &Limits,
) -> Result<Clip<'t>, WriteError> {
    let mut budget = Budget::new(limits, file.source.len());
    let mut findings = inbetween_core::Findings::new(limits);
    let read = clip(file, object, limits, (&mut budget, &mut findings));
    read.map_err(|fault| WriteError::inconsistent(fault.error.to_string()))
}

/// The file that a document comes from.
struct OldFile {
    text: String,
    clips: Vec<Animation>,
    /// The indices of their objects: those of broken clips are left out.
    objects: Vec<usize>,
    skeleton: Option<Skeleton>,
    animations: OldAnimations,
}

/// A clip of the file, as it was read.
#[derive(Clone, Copy)]
struct OldClip<'o> {
    clip: &'o Animation,
    skeleton: Option<&'o Skeleton>,
}

impl OldFile {
    fn open(model: &Model, limits: &Limits) -> Result<Self, WriteError> {
        let text = read::utf8(&model.bytes).map(str::to_owned);
        let broken = |error: ReadError| WriteError::inconsistent(error.to_string());
        let mut text = text.map_err(broken)?;
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let file = parse(&text, limits)?;
        let mut budget = Budget::new(limits, text.len());
        let read = to_document(&file, &mut budget).map_err(broken)?;
        let Document { clips, skeleton, .. } = read.document;
        let (objects, animations) = (read.objects, model.animations);
        Ok(Self { text, clips, objects, skeleton, animations })
    }

    fn read_clip<'t>(
        &self,
        file: &'t UnityAnimFile<'_>,
        place: usize,
        limits: &Limits,
    ) -> Result<Clip<'t>, WriteError> {
        let object = self.objects.get(place).and_then(|object| file.objects().get(*object));
        let object = object.ok_or_else(|| WriteError::inconsistent("a file without this clip"))?;
        decode(file, object, limits)
    }

    fn clip(&self, place: usize) -> Option<OldClip<'_>> {
        Some(OldClip { clip: self.clips.get(place)?, skeleton: self.skeleton.as_ref() })
    }

    /// Returns for each clip of a document the clip of the file that it replaces: the one of the same
    /// name, else the one at the same place if the numbers of clips are equal.
    fn places(&self, clips: &[Animation]) -> Vec<Option<usize>> {
        if self.animations == OldAnimations::Kept {
            return vec![None; clips.len()];
        }
        let mut named: HashMap<Option<Text>, VecDeque<usize>> = HashMap::new();
        for (at, old) in self.clips.iter().enumerate() {
            named.entry(old.name.clone()).or_default().push_back(at);
        }
        let place = |clip: &Animation| named.get_mut(&clip.name)?.pop_front();
        let mut places: Vec<Option<usize>> = clips.iter().map(place).collect();
        if clips.len() == self.clips.len() {
            let mut free: Vec<usize> = named.into_values().flatten().collect();
            free.sort_unstable();
            let open = places.iter_mut().filter(|place| place.is_none());
            open.zip(free).for_each(|(place, free)| *place = Some(free));
        }
        places
    }
}

struct ClipWriter<'w> {
    fit: &'w Fit,
    paths: &'w Paths<'w>,
    old: Option<OldClip<'w>>,
}

impl ClipWriter<'_> {
    /// Adds the edits that turn the text of a clip into another clip.
    fn write(
        &self,
        clip: Animation,
        (source, made): (&str, &Clip<'_>),
        edits: &mut Vec<(Range<usize>, String)>,
        context: &mut Context<'_>,
    ) -> Result<Extent, WriteError> {
        let mut kept = self.kept(&clip);
        // The times of the common model begin at 0, so all of them change if one does.
        let is_same =
            self.old.is_some_and(|old| *old.clip == clip) && kept.len() == List::ALL.len();
        let moves = !is_same && made.number(START).is_some_and(|start| start != 0.0);
        if moves {
            kept.clear();
        }
        let markers = clip.markers.clone();
        let Fitted { head, tracks, plays } = self.fit.clip(clip, context)?;
        let mut lists: BTreeMap<usize, String> = BTreeMap::new();
        let mut extent = Extent::default();
        let mut places = Vec::new();
        let mut last = 0.0_f64;
        for (index, track) in tracks {
            let (target, data) = track.into_parts();
            let end = data.end().unwrap_or(0.0);
            let node = target.node.clone().unwrap_or_default();
            let path = self.paths.path(&node);
            context.budget.charge_bytes(path.len()).map_err(|error| of_paths(&error))?;
            let made = context.track(index, &target, |context| {
                if let Some(read) = self.paths.renamed(&node, &path) {
                    let message = format!("\"{}\" becomes \"{}\"", shown(&node), shown(&read));
                    context.say(codes::NODE_RENAMED, message);
                }
                curve_text(&target, data, (&path, head.frame_rate), context)
            })?;
            let Some(CurveText { list, text, keys }) = made else { continue };
            extent.add_track(keys);
            last = last.max(end);
            let place = List::ALL.iter().position(|known| *known == list).unwrap_or_default();
            places.push(place);
            lists.entry(place).or_default().push_str(&text);
        }
        // Tracks that were dropped do not play.
        let plays = if head.rules.stated_duration == RULES.stated_duration {
            plays
        } else {
            head_end(&head, last)
        };
        extent.add_clip(head.markers.len(), plays);
        if !places.is_sorted() {
            let message = counted(places.len(), "track");
            let finding = Finding::new(shared::TRACKS_REORDERED, message);
            context.findings.push(finding.at(Path::field("tracks")));
        }
        let mut text =
            ClipText { source, made, edits, end: String::new(), settings: String::new() };
        self.lists(&kept, &lists, &mut text);
        self.head(&head, (&markers, plays, moves), &mut text, context)?;
        text.finish();
        Ok(extent)
    }

    /// Replaces the lists that changed.
    fn lists(&self, kept: &[List], lists: &BTreeMap<usize, String>, text: &mut ClipText<'_, '_>) {
        for (place, list) in List::ALL.into_iter().enumerate() {
            if !kept.contains(&list) {
                text.list(list.name(), lists.get(&place).map_or("", String::as_str));
            }
        }
        if kept.len() == List::ALL.len() {
            return;
        }
        // Unity derives the rest.
        for name in [EDITOR_CURVES, EDITOR_EULER_CURVES] {
            text.list(name, "");
        }
        if self.old.is_some() {
            let none = "    genericBindings: []\n    pptrCurveMapping: []\n";
            text.member(BINDINGS, format!("  {BINDINGS}:\n{none}"));
        }
    }

    /// Returns the lists whose curves are those of the file.
    fn kept(&self, clip: &Animation) -> Vec<List> {
        let Some(old) = self.old else { return Vec::new() };
        let of =
            |track: &Track| list_of(track.target(), track.data().values().as_strings().is_some());
        let place = |track: &Track, skeleton| {
            let node = track.target().node.clone().unwrap_or_default();
            path(&node, skeleton)
        };
        let same = |list: &List| {
            let is_of = |track: &&Track| of(track) == Some(*list);
            let new = clip.tracks.iter().filter(is_of);
            let old_tracks = old.clip.tracks.iter().filter(is_of);
            let paths = |track: &Track| place(track, self.paths.skeleton);
            let old_paths = |track: &Track| place(track, old.skeleton);
            new.clone().eq(old_tracks.clone()) && new.map(paths).eq(old_tracks.map(old_paths))
        };
        List::ALL.into_iter().filter(same).collect()
    }

    fn head(
        &self,
        head: &Animation,
        (markers, plays, moves): (&[Marker], f64, bool),
        text: &mut ClipText<'_, '_>,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        let old = self.old.map(|old| old.clip);
        let name = head.name.clone().unwrap_or_else(|| "".into());
        if old.is_none_or(|old| old.name.as_deref() != Some(&*name)) {
            text.value(NAME, &scalar(&name));
        }
        if old.is_none_or(|old| old.frame_rate != head.frame_rate) {
            let rate = num::f32_from_f64(head.frame_rate.unwrap_or(60.0));
            text.value(SAMPLE_RATE, &Number(rate).to_string());
        }
        let rate = head.frame_rate.unwrap_or_else(|| {
            context.say(codes::SAMPLE_RATE_DEFAULT, "60 frames per second");
            60.0
        });
        if f64::from(num::f32_from_f64(rate)) != rate {
            context.say(shared::RATE_ROUNDED, format!("{rate} frames per second"));
        }
        let is_legacy = text.made.is_set(LEGACY);
        if old.is_none_or(|old| old.looping != head.looping) {
            let repeats = head.looping == Looping::Loop;
            match (is_legacy, repeats) {
                (false, _) => text.value(LOOP, if repeats { "1" } else { "0" }),
                (true, _) => text.value(WRAP_MODE, if repeats { "2" } else { "0" }),
            }
        }
        let same_end =
            |old: &Animation| old.duration == head.duration && old.effective_duration() == plays;
        if moves {
            text.value(START, "0");
        }
        if !old.is_some_and(same_end) || moves {
            duration(head.duration, (plays, is_legacy), context)?;
            text.value(STOP, &Number(num::finite_f32_from_f64(plays)).to_string());
        }
        if old.is_none_or(|old| old.markers != markers) || moves {
            if self.old.is_some() && !head.markers.is_empty() {
                context.say(codes::EVENT_PARAMETERS, counted(head.markers.len(), "event"));
            }
            let times = head.markers.iter().map(|marker| marker.time);
            inbetween_core::report_narrowed_times(times, &mut context.findings)?;
            text.list(EVENTS, &events(&head.markers));
        }
        Ok(())
    }
}

/// Returns the error of paths beyond the budget. The paths of nested bones grow with the square of their
/// number.
fn of_paths(error: &ReadError) -> WriteError {
    let ReadErrorKind::Limit { requested, limit, .. } = *error.kind() else {
        return WriteError::inconsistent(error.to_string());
    };
    WriteError::new(WriteErrorKind::Limit { what: "bytes of paths", requested, limit })
}

/// Returns how long a clip plays whose last key is known, if the stated duration may be exceeded.
fn head_end(head: &Animation, last: f64) -> f64 {
    let stated = head.duration.filter(|stated| stated.is_finite()).unwrap_or(0.0);
    let markers = head.markers.iter().map(|marker| marker.time).filter(|time| time.is_finite());
    markers.chain([stated, last]).fold(0.0, f64::max)
}

/// Reports what becomes of a stated duration: Unity stores the time for which the clip plays.
fn duration(
    stated: Option<f64>,
    (plays, is_legacy): (f64, bool),
    context: &mut Context<'_>,
) -> Result<(), WriteError> {
    context.field("duration", |context| {
        inbetween_core::report_narrowed_times([plays].into_iter(), &mut context.findings)?;
        match stated {
            // The keys alone say how long a legacy clip plays.
            Some(stated) if is_legacy => {
                let message = format!("{stated} s, a legacy clip plays to its last key");
                context.say(shared::DURATION_CHANGED, message);
            }
            None => {
                let message = format!("none stated, {plays} s written");
                context.say(shared::DURATION_EXTENDED, message);
            }
            Some(stated) if stated != plays => {
                let is_valid = stated.is_finite() && stated >= 0.0;
                let code =
                    if is_valid { shared::DURATION_EXTENDED } else { shared::DURATION_CHANGED };
                context.say(code, format!("{stated} s became {plays} s"));
            }
            Some(_) => {}
        }
        Ok(())
    })
}

/// Returns the text of events without parameters.
fn events(markers: &[Marker]) -> String {
    let event = |marker: &Marker| {
        let (time, name) = (Number(num::finite_f32_from_f64(marker.time)), scalar(&marker.name));
        format!(
            "  - time: {time}\n    functionName: {name}\n    data: \n    \
             objectReferenceParameter: {{fileID: 0}}\n    floatParameter: 0\n    \
             intParameter: 0\n    messageOptions: 1\n"
        )
    };
    markers.iter().map(event).collect()
}

/// The text of a clip, and what is replaced in it.
struct ClipText<'e, 'c> {
    source: &'e str,
    made: &'e Clip<'c>,
    edits: &'e mut Vec<(Range<usize>, String)>,
    /// Members that the clip lacks.
    end: String,
    /// Settings that the clip lacks.
    settings: String,
}

impl ClipText<'_, '_> {
    /// Replaces a list by one with these items.
    fn list(&mut self, name: &str, items: &str) {
        let text = if items.is_empty() {
            format!("  {name}: []\n")
        } else {
            format!("  {name}:\n{items}")
        };
        if self.made.members.contains_key(name) || !items.is_empty() {
            self.member(name, text);
        }
    }

    fn member(&mut self, name: &str, text: String) {
        match self.made.members.get(name) {
            Some(range) => self.edits.push((range.clone(), text)),
            None => self.end.push_str(&text),
        }
    }

    /// Replaces a single value, or adds it.
    fn value(&mut self, name: &'static str, text: &str) {
        if let Some(value) = self.made.values.get(name) {
            // Some files have no space after the colon of an empty value.
            let before = self.source.get(..value.at).unwrap_or_default();
            let space = if before.ends_with(':') { " " } else { "" };
            self.edits.push((value.at..value.end, format!("{space}{text}")));
        } else if [START, STOP, LOOP].contains(&name) {
            self.settings.extend(["    ", name, ": ", text, "\n"]);
        } else {
            self.end.extend(["  ", name, ": ", text, "\n"]);
        }
    }

    /// Adds the members that the clip lacks at its end.
    fn finish(mut self) {
        if !self.settings.is_empty() {
            match self.made.members.get(SETTINGS) {
                Some(range) => self.edits.push((range.end..range.end, self.settings)),
                None => self.end.extend(["  ", SETTINGS, ":\n", &self.settings]),
            }
        }
        if !self.end.is_empty() {
            self.edits.push((self.made.end..self.made.end, self.end));
        }
    }
}
