//! Clips -> animations.

use inbetween_core::{
    Animation, Blend as SourceBlend, ClipSummary, Interpolation, Interpolations,
    Looping as SourceLooping, Property, Quat, Rules, Shape, StatedDuration, Target, Text,
    TrackData, TrackSummary, ValueKind, Values, rows,
};

use crate::clip::{Blend, Clip, ClipHead, Keys, Looping, PropertyRef, Track, TrackHead};
use crate::column::{Column, Segments};
use crate::load_error::LoadError;
use crate::num::index;
use crate::rows::{Layout, ROWS, Word};
use crate::stored::StoredClip;
use crate::times::Clock;

/// The number of tracks that are decoded together. Larger groups read longer pieces of each row, but
/// need more of the cache.
const GROUP: usize = 512;

/// The least number of words that are decoded together, which the cache keeps for the next track.
/// Larger blocks write longer pieces of each column.
const BLOCK: usize = 1 << 13;

/// Returns the animation of a clip: the same keys, with the values that playback decodes.
///
/// It states the duration of the clip exactly and has no markers. Its rules are
/// [`Rules::LINEAR`] with the clock of the clip.
///
/// # Examples
///
/// ```
/// use inbetween_clip::{Bounds, build, to_animation};
/// use inbetween_core::{Animation, Property, Target, Track, TrackData};
///
/// let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [0.0, 1.0, 0.0]]);
/// let hips = Track::new(Target::new("hips", Property::Translation), data)?;
/// let clip = build(&Animation::new(vec![hips]), &Bounds::default())?.value.clip;
/// assert_eq!(to_animation(&clip).tracks[0].data().time(1), Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_animation(clip: &Clip) -> Animation {
    let nodes = clip.nodes().map(text).collect();
    let sets = clip.sets.iter().map(|set| {
        let seconds = set.timeline.times().seconds(clip.base);
        SetRows::new(seconds, set.layout, &set.words)
    });
    let mut source = Source { nodes, sets: sets.collect() };
    let tracks = clip.tracks.iter().map(Track::head);
    let tracks = source.tracks(tracks, clip.tracks.len());
    animation(clip.head(), tracks.unwrap_or_default())
}

/// Reads the animation of a clip in a file.
///
/// # Errors
///
/// At the first time or value that the builder never makes.
pub(crate) fn read(stored: &StoredClip<'_>) -> Result<Animation, LoadError> {
    match decode(stored) {
        Some(animation) => Ok(animation),
        // Loading checks values in the order of the file, so it finds the first error.
        None => stored.load().map(|clip| to_animation(&clip)),
    }
}

/// Returns the animation of a clip in a file, or `None` if a time or value is not sound.
fn decode(stored: &StoredClip<'_>) -> Option<Animation> {
    let nodes = stored.nodes.iter().copied().map(text).collect();
    let sets = stored.sets.iter().map(|set| {
        let seconds = set.times().ok()?.seconds(stored.head.base);
        Some(SetRows::new(seconds, set.layout, set.rows))
    });
    let mut source = Source { nodes, sets: sets.collect::<Option<_>>()? };
    let tracks = source.tracks(stored.tracks(), stored.track_count())?;
    Some(animation(stored.head, tracks))
}

/// Returns the summary of a clip in a file, which is that of its animation.
pub(crate) fn summarize(stored: &StoredClip<'_>) -> ClipSummary {
    let nodes: Vec<_> = stored.nodes.iter().copied().map(text).collect();
    let tracks = stored.tracks().map(|track| {
        let shape = match track.keys.segments() {
            Segments::Linear => Shape::CURVE,
            Segments::Hold => Shape::STEPPED,
        };
        let keys = stored.key_count(&track);
        TrackSummary::new(&target(&track, &nodes), (kind(&track), shape), keys)
    });
    // Without a stated duration, the last key determines it.
    let duration = Some(stored.head.duration).filter(|duration| *duration > 0.0);
    ClipSummary {
        duration,
        first_key: None,
        tracks: tracks.collect(),
        ..ClipSummary::from(&animation(stored.head, Vec::new()))
    }
}

fn animation(head: ClipHead<'_>, tracks: Vec<inbetween_core::Track>) -> Animation {
    let clock = match head.base.clock {
        Clock::F32 => inbetween_core::Clock::F32,
        Clock::F64 => inbetween_core::Clock::F64,
    };
    let rules = Rules::LINEAR.with_clock(clock).with_stated_duration(StatedDuration::Exact);
    let looping = match head.looping {
        Looping::Once => SourceLooping::Once,
        Looping::Loop => SourceLooping::Loop,
    };
    let mut animation = Animation::new(tracks).with_rules(rules).with_looping(looping);
    animation = animation.with_duration(head.duration);
    animation.name = text(head.name);
    animation.frame_rate = head.states_rate.then_some(head.base.rate);
    animation
}

fn text(name: Option<&str>) -> Option<Text> {
    name.map(Text::from)
}

/// Returns the target of a track of a clip with these nodes.
fn target(track: &TrackHead<'_>, nodes: &[Option<Text>]) -> Target {
    let node = nodes.get(index(track.node)).cloned().flatten();
    Target::of(node, property(track.property)).with_blend(blend(track.blend))
}

fn property(property: PropertyRef<'_>) -> Property {
    match property {
        PropertyRef::Translation => Property::Translation,
        PropertyRef::Rotation => Property::Rotation,
        PropertyRef::Scale => Property::Scale,
        PropertyRef::Weight(name) => Property::Weight(name.into()),
        PropertyRef::Custom(name) => Property::Custom(text(name)),
    }
}

const fn blend(blend: Blend) -> SourceBlend {
    match blend {
        Blend::Absolute => SourceBlend::Absolute,
        Blend::RestRelative => SourceBlend::RestRelative,
        Blend::Additive => SourceBlend::Additive,
    }
}

fn kind(track: &TrackHead<'_>) -> ValueKind {
    match track.width {
        _ if track.property == PropertyRef::Rotation => ValueKind::FloatQ,
        1 => ValueKind::Float,
        2 => ValueKind::Float2,
        3 => ValueKind::Float3,
        _ => ValueKind::Float4,
    }
}

/// The parts of a clip or of a file that its tracks refer to.
struct Source<'a, W> {
    nodes: Vec<Option<Text>>,
    sets: Vec<SetRows<'a, W>>,
}

/// The rows of a key set, and its times in seconds.
struct SetRows<'a, W> {
    keys: usize,
    times: SetTimes,
    layout: Layout,
    words: &'a [W],
}

/// Where the times of a key set are. No copy is kept beside those of its tracks.
enum SetTimes {
    /// The first track will take them.
    Here(Vec<f64>),
    /// In the track of this index.
    InTrack(usize),
}

impl<'a, W> SetRows<'a, W> {
    fn new(seconds: Vec<f64>, layout: Layout, words: &'a [W]) -> Self {
        Self { keys: seconds.len(), times: SetTimes::Here(seconds), layout, words }
    }

    /// Returns the times for the next one of the tracks.
    fn times(&mut self, tracks: &[inbetween_core::Track]) -> Vec<f64> {
        match &mut self.times {
            SetTimes::Here(seconds) => {
                let seconds = core::mem::take(seconds);
                self.times = SetTimes::InTrack(tracks.len());
                seconds
            }
            SetTimes::InTrack(first) => tracks.get(*first).map_or(&[][..], seconds).to_vec(),
        }
    }
}

/// Returns the times of a track with its own times.
fn seconds(track: &inbetween_core::Track) -> &[f64] {
    match track.data().shape() {
        Shape::Stepped { times } | Shape::Curve { times, .. } => times,
        _ => &[],
    }
}

/// A track whose values are decoded after it is created.
struct Columns<'a> {
    track: TrackHead<'a>,
    values: Values,
}

impl<W: Word> Source<'_, W> {
    /// Returns the tracks, or `None` if the builder never makes one of the values.
    ///
    /// They are decoded in groups that are small enough for the cache.
    fn tracks<'a>(
        &mut self,
        mut heads: impl Iterator<Item = TrackHead<'a>>,
        count: usize,
    ) -> Option<Vec<inbetween_core::Track>> {
        let mut tracks = Vec::with_capacity(count);
        let mut group = Vec::with_capacity(count.min(GROUP));
        loop {
            group.extend(heads.by_ref().take(GROUP).map(|track| self.columns(track)));
            if group.is_empty() {
                return Some(tracks);
            }
            if !self.decode(&mut group) {
                return None;
            }
            for columns in group.drain(..) {
                let track = self.track(columns, &tracks)?;
                tracks.push(track);
            }
        }
    }

    /// Creates the columns of a track. The values of one that is not constant are decoded later.
    fn columns<'a>(&self, track: TrackHead<'a>) -> Columns<'a> {
        let values = match &track.keys {
            Keys::Constant(value) => constant(kind(&track), *value),
            Keys::Sampled(column) => {
                let keys = self.set(column).map_or(0, |set| set.keys);
                with_capacity(kind(&track), keys)
            }
        };
        Columns { track, values }
    }

    /// Appends the values of all rows, and returns whether the builder makes all of them.
    fn decode(&self, group: &mut [Columns<'_>]) -> bool {
        let sampled = group.iter_mut().filter_map(|Columns { track, values, .. }| {
            if let Keys::Sampled(column) = &track.keys { Some((column, values)) } else { None }
        });
        let mut sampled: Vec<_> = sampled.collect();
        sampled.sort_unstable_by_key(|(column, _)| column.set);
        let mut sound = true;
        for tracks in sampled.chunk_by_mut(|(one, _), (other, _)| one.set == other.set) {
            let Some(set) = tracks.first().and_then(|(column, _)| self.set(column)) else {
                continue;
            };
            let rows = BLOCK.div_ceil(set.layout.words_of(ROWS)).saturating_mul(ROWS);
            for rows in set.words.chunks(set.layout.words_of(rows)) {
                for (column, values) in &mut *tracks {
                    sound &= column.decode(&set.layout, rows, values);
                }
            }
        }
        sound
    }

    /// Creates the next one of the tracks, or returns `None` if its property does not accept it,
    /// which the loader and the builder check. Its times are copied here, so that the check of their
    /// order finds them in the cache.
    fn track(
        &mut self,
        columns: Columns<'_>,
        tracks: &[inbetween_core::Track],
    ) -> Option<inbetween_core::Track> {
        let Columns { track, values } = columns;
        let times = match &track.keys {
            Keys::Constant(_) => vec![0.0],
            Keys::Sampled(column) => self.sets.get_mut(index(column.set))?.times(tracks),
        };
        let target = target(&track, &self.nodes);
        inbetween_core::Track::new(target, data(&track, times, values)).ok()
    }

    fn set(&self, column: &Column) -> Option<&SetRows<'_, W>> {
        self.sets.get(index(column.set))
    }
}

fn constant(kind: ValueKind, value: [f32; 4]) -> Values {
    rows::column(kind, [value.map(f64::from)].iter())
}

fn with_capacity(kind: ValueKind, keys: usize) -> Values {
    match kind {
        ValueKind::FloatQ => Vec::<Quat<f32>>::with_capacity(keys).into(),
        ValueKind::Float => Vec::<f32>::with_capacity(keys).into(),
        ValueKind::Float2 => Vec::<[f32; 2]>::with_capacity(keys).into(),
        ValueKind::Float3 => Vec::<[f32; 3]>::with_capacity(keys).into(),
        _ => Vec::<[f32; 4]>::with_capacity(keys).into(),
    }
}

fn data(track: &TrackHead<'_>, times: Vec<f64>, values: Values) -> TrackData {
    let data = match track.keys.segments() {
        Segments::Linear => {
            let linear = Interpolations::Shared(Interpolation::Linear);
            TrackData::curve(times, values, linear, None)
        }
        Segments::Hold => TrackData::stepped(times, values),
    };
    // The loader and the builder check that times are finite and in order.
    data.unwrap_or_else(|_| TrackData::empty(kind(track)))
}
