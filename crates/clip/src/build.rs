//! Animations -> clips, within error bounds that are measured.

mod bounds;
mod encode;
mod error;
mod keys;
mod prepare;
mod report;
mod short;
mod sources;

use std::collections::HashMap;

use inbetween_core::{
    Animation, Blend as SourceBlend, BlendMode, Budget, Context, Document, Finding, Limits,
    Outcome, Path, RateGuess, Shape, Text, codes as shared, counted, dropped_skeleton, shown,
};

use crate::clip::{Blend, Clip, Encoding, Identity, Keys, Looping, Track};
use crate::codes;
use crate::column::{Column, Section, Storage};
use crate::layout::RATES;
use crate::num::index;
use crate::rows::{KeySet, Lanes, Layout};
use crate::save::save;
use crate::times::{Clock, TimeBase, Timeline, Times};
pub use bounds::Bounds;
use encode::{Encoded, EncodedKeys};
pub use error::{BadBound, BuildError};
use prepare::Prepared;
pub use report::{Report, TrackReport};

/// A clip, and what building it did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Built {
    /// The clip.
    pub clip: Clip,
    /// Sizes and errors.
    pub report: Report,
}

/// Builds the clip of an animation. The findings say what the clip does not keep.
///
/// # Errors
///
/// If a bound is not a positive number, or cannot be met with `f32` values, or the keys of baked
/// curves exceed the default [`Limits`].
///
/// # Examples
///
/// ```
/// use inbetween_clip::{Bounds, build};
/// use inbetween_core::{Animation, Property, Target, Track, TrackData};
///
/// let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [0.0, 1.0, 0.0]]);
/// let hips = Track::new(Target::new("hips", Property::Translation), data)?;
/// let built = build(&Animation::new(vec![hips]), &Bounds::default())?.value;
/// assert_eq!(built.clip.duration(), 0.5);
/// assert!(built.report.tracks[0].error <= 0.0001);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(animation: &Animation, bounds: &Bounds) -> Result<Outcome<Built>, BuildError> {
    let keys = animation.tracks.iter().map(|track| track.data().heap_bytes()).sum();
    build_within(animation, bounds, &mut Budget::new(&Limits::default(), keys))
}

/// Builds the clips of a document. A skeleton is dropped, which a finding reports.
///
/// # Errors
///
/// Fails like [`build`].
pub fn build_document(
    mut document: Document,
    bounds: &Bounds,
    budget: &mut Budget,
) -> Result<Outcome<Vec<Built>>, BuildError> {
    let mut context = Context::new(budget);
    context.findings.extend(document.skeleton.take().as_ref().map(dropped_skeleton));
    let many = document.clips.len() > 1;
    let mut clips = Vec::new();
    for (index, animation) in document.clips.iter().enumerate() {
        let clip = many.then_some((index, animation.name.as_ref()));
        context.findings.enter_clip(clip);
        clips.push(build_in(animation, bounds, &mut context)?);
    }
    Ok(Outcome::new(clips, context.findings))
}

/// Builds the clip of an animation and charges a budget for the keys that it makes.
///
/// # Errors
///
/// Fails like [`build`], with the limits of the budget.
pub fn build_within(
    animation: &Animation,
    bounds: &Bounds,
    budget: &mut Budget,
) -> Result<Outcome<Built>, BuildError> {
    let mut context = Context::new(budget);
    let built = build_in(animation, bounds, &mut context)?;
    Ok(Outcome::new(built, context.findings))
}

fn build_in(
    animation: &Animation,
    bounds: &Bounds,
    context: &mut Context<'_>,
) -> Result<Built, BuildError> {
    bounds.check()?;
    report_head(animation, context);
    let base = time_base(animation);
    let prepared = prepare::prepare(animation, base.clock, bounds, context)?;
    let mut builder = Builder::new(base);
    for track in prepared {
        context.budget.charge_columns(track.data.heap_bytes().saturating_mul(2))?;
        let encoded = encode::encode(&track, base)?;
        builder.add(&track, encoded)?;
    }
    let built = builder.finish(animation)?;
    report_storage(&built.report, context);
    Ok(built)
}

/// Returns the clock of an animation, and frames per second: those that it states, else a
/// rate that puts all keys on frames, else that of its first uniform track, else 60.
///
/// Tracks whose keys are not on frames store seconds, so a rate that does not fit costs only bytes.
fn time_base(animation: &Animation) -> TimeBase {
    let clock = match animation.rules.clock {
        inbetween_core::Clock::F32 => Clock::F32,
        inbetween_core::Clock::F64 => Clock::F64,
    };
    let mut guess = RateGuess::default();
    animation.tracks.iter().for_each(|track| guess.add_times(track.data().times()));
    let intervals = || {
        let shapes = animation.tracks.iter().map(|track| track.data().shape());
        shapes.filter_map(|shape| match shape {
            Shape::Uniform { interval } => Some(1.0 / interval).filter(|rate| RATES.contains(rate)),
            _ => None,
        })
    };
    let rate = stated_rate(animation).or_else(|| guess.rate());
    TimeBase { clock, rate: rate.or_else(|| intervals().next()).unwrap_or(60.0) }
}

fn stated_rate(animation: &Animation) -> Option<f64> {
    animation.frame_rate.filter(|rate| RATES.contains(rate))
}

/// Returns the duration that plays, which is finite and at least 0.
fn duration(animation: &Animation) -> f64 {
    let duration = animation.effective_duration();
    if duration.is_finite() { duration } else { 0.0 }
}

/// Reports what the clip does not keep beside its tracks.
fn report_head(animation: &Animation, context: &mut Context<'_>) {
    let findings = &mut context.findings;
    if let Some(first) = animation.markers.first() {
        let count = animation.markers.len();
        let message =
            format!("{}, the first is \"{}\"", counted(count, "marker"), shown(&first.name));
        findings.push(Finding::new(shared::MARKERS_DROPPED, message).at(Path::field("markers")));
    }
    if let Some(rate) = animation.frame_rate.filter(|rate| !RATES.contains(rate)) {
        let message = format!("{rate} frames per second");
        let finding = Finding::new(shared::FRAME_RATE_DROPPED, message);
        findings.push(finding.at(Path::field("frame_rate")));
    }
    if animation.blend != BlendMode::Absolute || !animation.blend_overrides.is_empty() {
        let overrides = animation.blend_overrides.len();
        let message = format!("{}, {}", animation.blend.name(), counted(overrides, "override"));
        findings.push(Finding::new(codes::BLEND_EXPANDED, message).at(Path::field("blend")));
    }
    let plays = duration(animation);
    if animation.duration != Some(plays) {
        let finding = Finding::new(shared::DURATION_EXTENDED, format!("{plays} s"));
        findings.push(finding.at(Path::field("duration")));
    }
}

/// Reports how the values are stored.
fn report_storage(report: &Report, context: &mut Context<'_>) {
    let count = |encodings: &[Encoding]| {
        report.tracks.iter().filter(|track| encodings.contains(&track.encoding)).count()
    };
    let compressed = count(&[Encoding::Half, Encoding::Rotation48]);
    if compressed > 0 {
        context.say(codes::VALUES_COMPRESSED, counted(compressed, "track"));
    }
    let full = count(&[Encoding::Float]);
    if full > 0 {
        context.say(codes::FULL_PRECISION, counted(full, "track"));
    }
}

/// The parts of a clip that grow track by track.
struct Builder {
    base: TimeBase,
    nodes: Vec<Option<Box<str>>>,
    node_indices: HashMap<Option<Text>, u32>,
    sets: Vec<GrowingSet>,
    set_indices: HashMap<Vec<u64>, u32>,
    tracks: Vec<Track>,
    report: Report,
}

/// A key set whose values are still stored track by track.
struct GrowingSet {
    times: Times,
    layout: Layout,
    lanes: Lanes,
    /// The words of each track, and how many each key has.
    columns: Vec<(Section, usize, Vec<u16>)>,
}

impl Builder {
    fn new(base: TimeBase) -> Self {
        Self {
            base,
            nodes: Vec::new(),
            node_indices: HashMap::new(),
            sets: Vec::new(),
            set_indices: HashMap::new(),
            tracks: Vec::new(),
            report: Report::default(),
        }
    }

    fn add(&mut self, track: &Prepared, encoded: Encoded) -> Result<(), BuildError> {
        let node = self.node(track.node.as_ref())?;
        let Encoded { keys, error } = encoded;
        let (keys, bytes) = match keys {
            EncodedKeys::Constant(value) => (Keys::Constant(value), usize::from(track.width) * 4),
            EncodedKeys::Sampled { times, storage, words } => {
                let ranges = if matches!(storage, Storage::Halves { .. }) { 8 } else { 0 };
                let ranges = usize::from(track.width) * ranges;
                let bytes = size_of_val(words.as_slice()) + ranges;
                let set = self.set(times)?;
                let growing = self.sets.get_mut(index(set)).ok_or(BuildError::TooLarge)?;
                let place = growing.layout.add(storage.section(), track.width.into());
                let place = place.ok_or(BuildError::TooLarge)?;
                let column = Column { set, place, storage, segments: track.segments };
                growing.add(&column, track.width.into(), words);
                (Keys::Sampled(column), bytes)
            }
        };
        let (property, width) = (track.property.clone(), track.width);
        let added = Track { node, property, width, blend: track.blend, keys };
        self.report.tracks.push(track.report(&added, error, bytes));
        self.tracks.push(added);
        Ok(())
    }

    fn node(&mut self, name: Option<&Text>) -> Result<u32, BuildError> {
        let name = name.cloned();
        if let Some(&known) = self.node_indices.get(&name) {
            return Ok(known);
        }
        let index = u32::try_from(self.nodes.len()).map_err(|_| BuildError::TooLarge)?;
        self.nodes.push(name.as_deref().map(Box::from));
        self.node_indices.insert(name, index);
        Ok(index)
    }

    /// Returns the set with these times.
    fn set(&mut self, times: Times) -> Result<u32, BuildError> {
        let next = u32::try_from(self.sets.len()).map_err(|_| BuildError::TooLarge)?;
        let set = *self.set_indices.entry(times.bits()).or_insert(next);
        if set == next {
            self.sets.push(GrowingSet::new(times));
        }
        Ok(set)
    }

    fn finish(self, animation: &Animation) -> Result<Built, BuildError> {
        let too_long = |length: usize| u32::try_from(length).map_or(true, |it| it == u32::MAX);
        let lists = [self.nodes.len(), self.sets.len(), self.tracks.len()];
        let names = self.nodes.iter().flatten().map(|name| name.len());
        if lists.into_iter().chain(names).any(too_long) {
            return Err(BuildError::TooLarge);
        }
        let sets = self.sets.into_iter().map(|set| set.finish(self.base)).collect();
        let looping = match animation.looping {
            inbetween_core::Looping::Once => Looping::Once,
            inbetween_core::Looping::Loop => Looping::Loop,
        };
        let clip = Clip {
            identity: Identity::new(),
            name: animation.name.as_deref().map(Box::from),
            duration: duration(animation),
            looping,
            base: self.base,
            states_rate: stated_rate(animation).is_some(),
            nodes: self.nodes,
            sets,
            tracks: self.tracks,
        };
        let mut report = self.report;
        report.bytes_after = save(core::slice::from_ref(&clip)).len();
        Ok(Built { clip, report })
    }
}

impl GrowingSet {
    fn new(times: Times) -> Self {
        let (layout, lanes, columns) = (Layout::default(), Lanes::default(), Vec::new());
        Self { times, layout, lanes, columns }
    }

    /// Adds a track that has its place in the layout.
    fn add(&mut self, column: &Column, width: usize, words: Vec<u16>) {
        self.lanes.add(column, width);
        self.columns.push((column.storage.section(), column.storage.words(width), words));
    }

    /// Stores the values key by key, and section by section.
    fn finish(mut self, base: TimeBase) -> KeySet {
        // Stable: the tracks of a section stay in their order.
        self.columns.sort_by_key(|(section, ..)| *section);
        let all = self.columns.iter().map(|(.., words)| words.len());
        let mut words = Vec::with_capacity(all.sum::<usize>());
        for key in 0..self.times.len() {
            for (_, size, column) in &self.columns {
                words.extend(column.iter().skip(key * size).take(*size));
            }
        }
        let timeline = Timeline::new(self.times, base);
        KeySet { timeline, layout: self.layout, lanes: self.lanes, words }
    }
}

impl From<SourceBlend> for Blend {
    fn from(blend: SourceBlend) -> Self {
        match blend {
            SourceBlend::RestRelative => Self::RestRelative,
            SourceBlend::Additive => Self::Additive,
            _ => Self::Absolute,
        }
    }
}
