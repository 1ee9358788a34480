//! Applies the requested edits.

mod unused;

use core::slice;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use inbetween::core::stores::Head;
use inbetween::core::{
    Axes, ClipPlace, FormatInfo, OldAnimations, Path as Steps, PathStyle, Place, Segment,
    SkeletonsDiffer, Text, memory, shown,
};
use inbetween::edit::{
    self, AxesChoice, Case, EditError, MapOptions, Named, ReduceBounds, Renaming, Rig, Route,
    Settings, SplitAt, Time, TimeRange,
};
use inbetween::{Animation, Document, Finding, Outcome, ReadError, Reading, Registry};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::exit::{Failure, with_flag};
use crate::inputs::load_side_file;
use crate::operations::Operation;
use crate::report;
use crate::skeleton::{self, Given};

/// Edits with the files that they need.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    steps: Vec<Step>,
    missing: Missing,
    /// When the newest of the files of the edits was changed.
    newest: Option<SystemTime>,
    /// The format of the output; `None` if nothing is written.
    to: Option<&'static FormatInfo>,
}

/// What happens if a name or pattern of an edit matches nothing in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The command fails.
    #[default]
    Refused,
    /// The file gets a note, since other files of a batch may match.
    Noted,
}

/// An edit, with the contents of its file.
#[derive(Debug)]
pub(crate) enum Step {
    Plain(Operation),
    /// The bones that the clips get.
    Skeleton(Given),
    /// The model whose bones the clips are put on.
    Onto(Box<Rig>, MapOptions),
    Rename(Named, Renaming),
    /// The file whose clips are added, by its name.
    Append(String, Outcome<Document>),
    /// The file to merge, by its name.
    Merge(String, Outcome<Document>),
}

impl Step {
    const fn joins(&self) -> bool {
        matches!(self, Self::Plain(Operation::Join))
    }

    /// Returns whether the edit gives the same result and findings for each clip, regardless of the
    /// other clips. Patterns and names are not local, because they report names that match in none
    /// of the clips.
    const fn is_local(&self) -> bool {
        match self {
            Self::Rename(..) | Self::Merge(..) | Self::Append(..) => false,
            Self::Skeleton(_) | Self::Onto(..) => true,
            Self::Plain(operation) => !matches!(
                operation,
                Operation::Join
                    | Operation::Split(_)
                    | Operation::Select(_)
                    | Operation::Drop(_)
                    | Operation::ScaleValues(..)
                    | Operation::MergeClips
                    | Operation::CopyClip(..)
                    | Operation::DropClip(_)
                    | Operation::DropMarker(_)
            ),
        }
    }

    const fn bounds(&self) -> Option<ReduceBounds> {
        match self {
            Self::Plain(Operation::Reduce(bounds)) => Some(*bounds),
            _ => None,
        }
    }
}

/// The edited content of a file.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) reading: Reading,
    /// The same without reductions, if there are any: the reference for measuring the result.
    pub(crate) whole: Option<Reading>,
}

impl From<Reading> for Edited {
    fn from(reading: Reading) -> Self {
        Self { reading, whole: None }
    }
}

impl Edited {
    /// Applies the same change to both.
    pub(crate) fn map(self, change: impl Fn(Reading) -> Reading) -> Self {
        Self { reading: change(self.reading), whole: self.whole.map(change) }
    }

    /// Returns each clip on its own, with a name for its file.
    pub(crate) fn split(self) -> impl Iterator<Item = (Text, Self)> {
        let mut wholes = self.whole.map(Reading::split);
        self.reading.split().map(move |(name, reading)| {
            let whole = wholes.as_mut().and_then(Iterator::next).map(|(_, whole)| whole);
            (name, Self { reading, whole })
        })
    }

    /// Adds the clips of another file; returns the findings of reading and editing it. `names` are
    /// the names of this file and the other one.
    pub(crate) fn append(
        &mut self,
        other: Self,
        names: [&str; 2],
    ) -> Result<Vec<Finding>, SkeletonsDiffer> {
        if let (Some(whole), Some(other)) = (&mut self.whole, other.whole) {
            // Both have the same budget, so it is added only once.
            whole.document.clips.extend(other.document.clips);
        }
        self.reading.append(other.reading, names)
    }

    /// Removes all clips except one.
    pub(crate) fn keep_clip(&mut self, index: usize) {
        self.take_others(index);
    }

    /// Removes all clips except the one to edit; returns the others.
    fn take_others(&mut self, index: usize) -> Others {
        let take = |reading: &mut Reading| {
            let mut before = core::mem::take(&mut reading.document.clips);
            let mut rest = before.split_off(index.min(before.len()));
            let after = rest.split_off(rest.len().min(1));
            reading.document.clips = rest;
            (before, after)
        };
        if let Some(whole) = &mut self.whole {
            take(whole);
        }
        Others { index, reading: take(&mut self.reading) }
    }

    /// Puts the other clips back around the edited one.
    fn put_back(&mut self, others: Others, edited_from: usize) {
        let (before, after) = others.reading;
        let others_exist = !before.is_empty() || !after.is_empty();
        if let Some(whole) = &mut self.whole {
            surround(&mut whole.document, before.clone(), after.clone());
        }
        surround(&mut self.reading.document, before, after);
        if others_exist {
            let name = self.reading.document.clips.get(others.index);
            let name = name.and_then(|clip| clip.name.clone()).unwrap_or_default();
            for finding in self.reading.findings.iter_mut().skip(edited_from) {
                finding.place.clip = Some(ClipPlace { index: others.index, name: name.clone() });
            }
        }
    }
}

/// The clips of a file that are not edited.
struct Others {
    /// The index of the edited clip.
    index: usize,
    reading: (Vec<Animation>, Vec<Animation>),
}

fn surround(document: &mut Document, mut before: Vec<Animation>, after: Vec<Animation>) {
    before.append(&mut document.clips);
    before.extend(after);
    document.clips = before;
}

/// The first edits, and the others.
type Split<'s> = (&'s [Step], &'s [Step]);

/// Splits edits after the one that makes the copy of a clip with this name, if there is one.
///
/// # Errors
///
/// If another edit comes before it, which would change other clips too.
pub(crate) fn around_copy<'s>(steps: &'s [Step], name: &str) -> Result<Option<Split<'s>>, Failure> {
    let copies = |step: &Step| match step {
        Step::Plain(Operation::CopyClip(_, new)) => new.eq_ignore_ascii_case(name),
        _ => false,
    };
    let Some(index) = steps.iter().position(copies) else { return Ok(None) };
    let (copying, rest) = steps.split_at(index + 1);
    let is_for_all = |step: &Step| match step {
        Step::Skeleton(_) => true,
        Step::Plain(operation) => {
            matches!(operation, Operation::CopyClip(..) | Operation::PlayFramesAt(_))
        }
        _ => false,
    };
    if copying.iter().all(is_for_all) {
        return Ok(Some((copying, rest)));
    }
    Err(Failure::Usage(format!(
        "--clip {} edits the copy, so --copy-clip comes before all other edits",
        shown(name)
    )))
}

impl Edits {
    /// Reads the files of the edits.
    pub(crate) fn prepare(
        operations: &[Operation],
        skeleton: Option<&Path>,
        case: Case,
        registry: &Registry,
    ) -> Result<Self, Failure> {
        let paths = operations.iter().filter_map(Operation::file).chain(skeleton);
        let changed = |path: &Path| fs::metadata(path).ok()?.modified().ok();
        let newest = paths.filter_map(changed).max();
        let skeleton = skeleton.map(|path| skeleton::load(path, registry).map(Step::Skeleton));
        let steps = operations.iter().map(|operation| {
            Ok(match operation {
                Operation::Rename(named, map) => {
                    let rules = Renaming::new(&names(map, registry)?, case);
                    Step::Rename(*named, rules.map_err(|error| Failure::Usage(error.to_string()))?)
                }
                Operation::Onto(path, options) => {
                    Step::Onto(Box::new(rig(path, registry)?), *options)
                }
                Operation::Merge(path) => {
                    let (name, read) = other_file(path, registry)?;
                    Step::Merge(name, read)
                }
                Operation::Append(path) => {
                    let (name, mut read) = other_file(path, registry)?;
                    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                    for clip in read.value.clips.iter_mut().filter(|clip| clip.name.is_none()) {
                        clip.name = Some(stem.as_ref().into());
                    }
                    Step::Append(name, read)
                }
                other => Step::Plain(other.clone()),
            })
        });
        // The skeleton has the axes and the names of the inputs, so that all edits change it too.
        let steps = skeleton.into_iter().chain(steps).collect::<Result<_, Failure>>()?;
        Ok(Self { steps, missing: Missing::Refused, newest, to: None })
    }

    /// Returns when the newest of the files of the edits was changed.
    pub(crate) const fn newest_file(&self) -> Option<SystemTime> {
        self.newest
    }

    /// Returns the edits with another treatment of names that match nothing.
    pub(crate) fn missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }

    /// Returns the edits of files that are written in a format.
    ///
    /// Clips that are put on a rig are written into its file, so the format must be that of the rig.
    pub(crate) fn writing(self, to: &'static FormatInfo) -> Result<Self, Failure> {
        let is_other = |step: &Step| match step {
            Step::Onto(rig, _) => rig.document.origin_in(to.id).is_none(),
            _ => false,
        };
        if self.steps.iter().any(is_other) {
            return Err(Failure::Usage(format!(
                "--onto writes into a model, and {} stores none; write the format of the model, or \
                 use its bones with --skeleton",
                to.name
            )));
        }
        Ok(Self { to: Some(to), ..self })
    }

    /// Moves the rest poses of a document that will be added to another to it, if the output stores no
    /// skeleton: then the skeletons need not match.
    pub(crate) fn combine_rest_poses(&self, own: &mut Document, added: &mut Document) {
        if self.to.is_some_and(|to| !to.stores.has(Head::Skeleton)) {
            own.adopt_rest_poses(added.skeleton.take());
        }
    }

    /// Returns all edits.
    pub(crate) fn all(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the edits before the first `--join`, and the remaining ones.
    pub(crate) fn around_join(&self) -> (&[Step], &[Step]) {
        let join = self.steps.iter().position(Step::joins);
        self.steps.split_at(join.unwrap_or(self.steps.len()))
    }

    /// Returns whether clips are joined.
    pub(crate) fn joins(&self) -> bool {
        self.steps.iter().any(Step::joins)
    }

    /// Returns whether the clips of a file become one.
    pub(crate) fn make_one_clip(&self) -> bool {
        let merges = |step: &Step| matches!(step, Step::Plain(Operation::MergeClips));
        self.joins() || self.steps.iter().any(merges)
    }

    /// Returns whether each clip can be edited independently.
    pub(crate) fn are_local(&self) -> bool {
        self.steps.iter().all(Step::is_local)
    }

    /// Applies edits to the content of a file; `name` is for messages.
    pub(crate) fn make(
        &self,
        steps: &[Step],
        edited: Edited,
        name: &str,
    ) -> Result<Edited, Failure> {
        let Edited { mut reading, mut whole } = edited;
        let settings = Settings::default().budget(reading.budget().clone());
        let from = reading.from;
        let make = |step, document| {
            let made = self.step(step, (document, from), &settings);
            made.map_err(|error| refused(name, step, error))
        };
        for step in steps {
            self.check_model(step, &reading.document, name)?;
            check_numbers(step, &reading, name)?;
            if self.missing == Missing::Refused {
                unused::check(step, &reading.document, name)?;
            }
            match &mut whole {
                None if step.bounds().is_some() => {
                    let room = memory::ensure(reading.document.heap_bytes());
                    room.map_err(|error| Failure::of_file(name, ReadError::from(error)))?;
                    whole = Some(reading.clone());
                }
                Some(whole) if step.bounds().is_none() => {
                    let document = core::mem::take(&mut whole.document);
                    whole.document = make(step, document)?.value;
                }
                _ => {}
            }
            let outcome = make(step, core::mem::take(&mut reading.document))?;
            reading.document = outcome.value;
            reading.findings.extend(outcome.findings);
        }
        Ok(Edited { reading, whole })
    }

    /// Returns an error if the meshes of the model to write would have to follow an edit.
    fn check_model(&self, step: &Step, document: &Document, name: &str) -> Result<(), Failure> {
        let changes = match step {
            Step::Plain(Operation::Axes(axes)) => *axes != Axes::IDENTITY,
            Step::Plain(Operation::Scale(factor)) => *factor != 1.0,
            Step::Plain(Operation::Map(options)) => matches!(options.axes, AxesChoice::Given(_)),
            _ => false,
        };
        let to = self.to.map(|to| to.id).unwrap_or_default();
        let model = document.origin_in(to).filter(|origin| origin.model.is_some());
        let Some(origin) = model.filter(|_| changes) else { return Ok(()) };
        if origin.scene.iter().all(|part| &**part != "meshes") {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "{name}: its meshes would not follow a change of axes or lengths; write a format of \
             animations, or change the model in a modeling program"
        )))
    }

    /// Like [`make`](Self::make), for the clip at an index; the others stay unchanged.
    pub(crate) fn make_of_clip(
        &self,
        steps: &[Step],
        index: usize,
        mut edited: Edited,
        name: &str,
    ) -> Result<Edited, Failure> {
        let read = edited.reading.findings.len();
        let others = edited.take_others(index);
        let mut edited = self.make(steps, edited, name)?;
        edited.put_back(others, read);
        Ok(edited)
    }

    /// Returns the largest allowed error of the written file compared with one without reductions.
    pub(crate) fn bounds(&self) -> ReduceBounds {
        let bounds = self.steps.iter().filter_map(Step::bounds);
        bounds.fold(ReduceBounds::default(), ReduceBounds::and_then)
    }

    /// Returns how a given skeleton is converted to the coordinates of the input: automatically,
    /// unless axes are kept.
    fn mapping_of_skeleton(&self) -> MapOptions {
        let chosen = self.steps.iter().find_map(|step| match step {
            Step::Plain(Operation::Map(options)) => Some(*options),
            _ => None,
        });
        let chosen = chosen.unwrap_or_default();
        let axes = if chosen.axes == AxesChoice::Keep { chosen.axes } else { AxesChoice::Auto };
        MapOptions { axes, ..chosen }
    }

    fn step(
        &self,
        step: &Step,
        (mut document, from): (Document, &FormatInfo),
        settings: &Settings,
    ) -> Result<Outcome<Document>, EditError> {
        let operation = match step {
            Step::Rename(named, rules) => {
                return edit::rename_by(document, *named, rules, settings);
            }
            Step::Append(_, other) => {
                let mut added = other.value.clone();
                self.combine_rest_poses(&mut document, &mut added);
                let mut all = edit::append(document, added)?;
                all.findings.splice(0..0, other.findings.iter().cloned());
                return Ok(all);
            }
            Step::Merge(_, other) => {
                let mut added = other.value.clone();
                self.combine_rest_poses(&mut document, &mut added);
                let mut merged = edit::merge(document, added, settings)?;
                merged.findings.splice(0..0, other.findings.iter().cloned());
                return Ok(merged);
            }
            Step::Skeleton(given) => {
                let options = self.mapping_of_skeleton();
                let skeleton = given.for_document((&document, from), options, settings)?;
                let mut all = edit::give_skeleton(document, &skeleton.value);
                all.findings.splice(0..0, skeleton.findings);
                return Ok(all);
            }
            Step::Onto(rig, options) => {
                let from = from.coordinates_of(&document);
                return edit::put_on(document, from, rig, *options, settings);
            }
            Step::Plain(operation) => operation,
        };
        let own = document.skeleton.clone();
        let skeleton =
            |operation: &'static str| own.as_ref().ok_or(EditError::NoSkeleton { operation });
        match operation {
            Operation::Trim(start, end) => {
                let seconds =
                    |time: &Option<Time>| time.map(|time| time.seconds(&document)).transpose();
                let range = TimeRange::new(seconds(start)?, seconds(end)?)?;
                edit::trim(document, range, settings)
            }
            Operation::PlayFramesAt(rate) => edit::play_frames_at(document, *rate, settings),
            Operation::RetimeTo(length) => edit::retime_to(document, *length, settings),
            Operation::Retime(factor) => edit::retime(document, *factor, settings),
            Operation::StartAt(time) => edit::start_at(document, *time, settings),
            Operation::CloseLoop => edit::close_loop(document, settings),
            Operation::DropConstant => edit::drop_constant(document, settings),
            Operation::MergeClips => edit::merge_clips(document, settings),
            Operation::ScaleValues(patterns, factor) => {
                edit::scale_values(document, patterns, *factor, settings)
            }
            Operation::Shift(time) => {
                let seconds = time.seconds(&document)?;
                edit::shift(document, seconds, settings)
            }
            Operation::Reverse => edit::reverse(document, settings),
            Operation::Resample(rate) => edit::resample(document, *rate, settings),
            Operation::Reduce(bounds) => edit::reduce(document, *bounds, settings),
            Operation::Select(patterns) => Ok(edit::select(document, patterns, settings)),
            Operation::Drop(patterns) => Ok(edit::drop(document, patterns, settings)),
            Operation::Split(at) => {
                let seconds = |times: &Vec<Time>| {
                    times.iter().map(|time| time.seconds(&document)).collect::<Result<_, _>>()
                };
                let at = at.as_ref().map(seconds).transpose()?;
                edit::split(document, &at.map_or(SplitAt::Markers, SplitAt::Times), settings)
            }
            Operation::CopyClip(old, new) => edit::copy_clip(document, old, new.as_str(), settings),
            Operation::DropClip(name) => Ok(edit::drop_clips(document, slice::from_ref(name))),
            Operation::AddMarker(time, name) => {
                let seconds = time.seconds(&document)?;
                edit::add_marker(document, seconds, name.as_str())
            }
            Operation::DropMarker(name) => Ok(edit::drop_markers(document, slice::from_ref(name))),
            Operation::SetLooping(looping) => Ok(edit::set_looping(document, *looping)),
            Operation::SetFrameRate(rate) => edit::set_frame_rate(document, *rate),
            Operation::SetBlend(mode) => Ok(edit::set_blend(document, *mode)),
            Operation::Join => edit::join(document, settings),
            Operation::Fill => edit::fill(document, skeleton("--fill")?, settings),
            Operation::Resolve => edit::resolve(document, skeleton("--resolve")?, settings),
            Operation::Relate(mode) => {
                edit::relate(document, *mode, skeleton("--relate")?, settings)
            }
            Operation::Axes(axes) => edit::change_axes(document, *axes, settings),
            Operation::Map(options) => {
                let route = Route::new(&document, from, self.to.unwrap_or(from));
                edit::map_coordinates(document, route, *options, settings)
            }
            Operation::Scale(factor) => edit::scale(document, *factor, settings),
            Operation::ToF32 => edit::to_f32(document, settings),
            Operation::ToF64 => edit::to_f64(document, settings),
            // Their files were read in `prepare`.
            Operation::Rename(..)
            | Operation::Merge(_)
            | Operation::Append(_)
            | Operation::Onto(..) => Ok(Outcome { value: document, findings: Vec::new() }),
        }
    }
}

/// Returns an error if an edit chooses tracks by number in a file of which a part cannot be read: `info`
/// counts that part too.
fn check_numbers(step: &Step, reading: &Reading, name: &str) -> Result<(), Failure> {
    let patterns = match step {
        Step::Plain(
            Operation::Select(patterns)
            | Operation::Drop(patterns)
            | Operation::ScaleValues(patterns, _),
        ) => patterns.as_slice(),
        _ => return Ok(()),
    };
    let is_partial = reading.findings.iter().any(report::is_skipped);
    match patterns.iter().find(|pattern| pattern.is_number()) {
        Some(number) if is_partial => Err(Failure::Usage(format!(
            "{name}: a part of the file cannot be read, so {} is no certain track; choose it by its \
             name",
            number.as_str()
        ))),
        _ => Ok(()),
    }
}

/// Adds the name of a file to the path of a finding, which is listed among those of another file.
fn in_file(name: &str, mut finding: Finding) -> Finding {
    let path = if finding.location().is_whole() {
        name.to_owned()
    } else {
        format!("{name}: {:#}", finding.location())
    };
    finding.place = Place::default();
    finding.at(Steps::new(PathStyle::Dotted, vec![Segment::Name(path.into())]))
}

/// Creates the failure of an edit: the command is wrong, or the edit does not fit the file.
fn refused(name: &str, step: &Step, error: EditError) -> Failure {
    match (error, step) {
        (error @ (EditError::Number { .. } | EditError::NoSkeleton { .. }), _) => {
            Failure::Usage(with_flag(&error, error.remedy()))
        }
        (
            error @ (EditError::Range { .. }
            | EditError::NoFrameRate
            | EditError::FrameRatesDiffer
            | EditError::NoStatedRate
            | EditError::NoLength
            | EditError::NoClip { .. }
            | EditError::ClipExists { .. }),
            _,
        ) => Failure::Usage(format!("{name}: {}", with_flag(&error, error.remedy()))),
        (EditError::SkeletonsDiffer(error), Step::Merge(merged, _) | Step::Append(merged, _)) => {
            let (first, second) = (name.to_owned(), merged.clone());
            Failure::Cannot(SkeletonsDiffer { first, second, ..error }.to_string())
        }
        (error, _) => Failure::Cannot(format!("{name}: {}", with_flag(&error, error.remedy()))),
    }
}

/// Reads the file that an edit adds; its findings name the file.
fn other_file(path: &Path, registry: &Registry) -> Result<(String, Outcome<Document>), Failure> {
    let read = registry.read_path(path);
    let name = path.display().to_string();
    let mut read = read.map_err(|error| Failure::of_file(&name, error))?;
    read.findings = read.findings.into_iter().map(|it| in_file(&name, it)).collect();
    Ok((name, read))
}

/// Reads the model whose bones clips are put on. Its own animations stay in it.
fn rig(path: &Path, registry: &Registry) -> Result<Rig, Failure> {
    let name = path.display().to_string();
    let read = registry.read_path(path).map_err(|error| Failure::of_file(&name, error))?;
    let mut document = read.value;
    let format = document.origin.as_ref().and_then(|origin| registry.by_name(origin.format));
    let Some(format) = format else {
        let message = format!("{name}: expected a file of a known format, such as a .glb");
        return Err(Failure::Usage(message));
    };
    if let Some(model) = document.origin.as_mut().and_then(|origin| origin.model.as_mut()) {
        model.animations = OldAnimations::Kept;
        document.clips.clear();
    }
    Ok(Rig { document, coordinates: format.info().coordinates })
}

/// Parses a map of names: `old=new`, or a JSON file.
fn names(map: &str, registry: &Registry) -> Result<Vec<(Text, Text)>, Failure> {
    let path = Path::new(map);
    if let (Some((old, new)), false) = (map.split_once('='), path.exists()) {
        return Ok(vec![(old.into(), new.into())]);
    }
    let bytes = load_side_file(path, registry)?;
    let names: Names = serde_json::from_slice(&bytes).map_err(|error| {
        Failure::Cannot(format!(
            "{}: expected a JSON object of old and new names such as {{\"hip\": \"Hips\"}}: {error}",
            path.display()
        ))
    })?;
    Ok(names.0)
}

/// The members of an object of strings, in order.
struct Names(Vec<(Text, Text)>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Names;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("an object of strings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                let mut seen = std::collections::HashSet::new();
                while let Some((old, new)) = map.next_entry::<String, String>()? {
                    if !seen.insert(old.clone()) {
                        let message = format!("{old:?} is a duplicate");
                        return Err(serde::de::Error::custom(message));
                    }
                    names.push((old.into(), new.into()));
                }
                Ok(Names(names))
            }
        }

        deserializer.deserialize_map(Members)
    }
}
