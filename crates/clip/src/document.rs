//! Clips -> animations.

use inbetween_core::memory::SpareColumns;
use inbetween_core::{
    Animation, Blend as SourceBlend, ClipSummary, Interpolation, Interpolations,
    Looping as SourceLooping, Property as SourceProperty, Quat, Rules, Shape, StatedDuration,
    Target, Text, TrackData, TrackSummary, ValueKind, Values, rows,
};

use crate::clip::{Column, Keys, Segments};
use crate::load::StoredClip;
use crate::num::index;
use crate::rows::{Layout, ROWS};
use crate::times::Timeline;
use crate::{Blend, Clip, Clock, LoadError, Looping, Property, Track};

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
    let mut columns =
        Columns::new(clip, |track| clip.key_count(track), &mut SpareColumns::default());
    for (set, mut columns) in clip.sets.iter().zip(columns.by_set()) {
        columns.decode(&set.layout, &set.words);
        columns.set_times(&set.timeline);
    }
    columns.animation()
}

/// Reads the animation of a clip in a file, in the memory of spare columns.
///
/// # Errors
///
/// At the first time or value that the builder never makes.
pub(crate) fn read(
    stored: &StoredClip<'_>,
    spare: &mut SpareColumns,
) -> Result<Animation, LoadError> {
    let clip = &stored.clip;
    let mut columns = Columns::new(clip, |track| stored.key_count(track), spare);
    let mut words = Vec::new();
    for (set, mut columns) in stored.sets().zip(columns.by_set()) {
        let timeline = set.timeline(clip.base)?;
        for block in set.blocks() {
            words.clear();
            words.extend(block.words());
            if !columns.decode(&set.layout, &words) {
                set.check(block, &words)?;
            }
        }
        columns.set_times(&timeline);
    }
    Ok(columns.animation())
}

/// Returns the summary of a clip in a file, which is that of its animation.
pub(crate) fn summarize(stored: &StoredClip<'_>) -> ClipSummary {
    let clip = &stored.clip;
    let tracks = targets(clip).map(|(track, target)| {
        let shape = match track.segments() {
            Segments::Linear => Shape::CURVE,
            Segments::Hold => Shape::STEPPED,
        };
        TrackSummary::new(&target, (kind(track), shape), stored.key_count(track))
    });
    // Without a stated duration, the last key determines it.
    let duration = Some(clip.duration()).filter(|duration| *duration > 0.0);
    ClipSummary { duration, tracks: tracks.collect(), ..ClipSummary::from(&head(clip)) }
}

/// Returns the animation of a clip without its tracks.
fn head(clip: &Clip) -> Animation {
    let clock = match clip.clock() {
        Clock::F32 => inbetween_core::Clock::F32,
        Clock::F64 => inbetween_core::Clock::F64,
    };
    let rules = Rules::LINEAR.with_clock(clock).with_stated_duration(StatedDuration::Exact);
    let looping = match clip.looping() {
        Looping::Once => SourceLooping::Once,
        Looping::Loop => SourceLooping::Loop,
    };
    let mut animation = Animation::new(Vec::new()).with_rules(rules).with_looping(looping);
    animation = animation.with_duration(clip.duration());
    animation.name = clip.name().map(Text::from);
    animation.frame_rate = clip.frame_rate();
    animation
}

/// Returns the tracks with their targets.
fn targets(clip: &Clip) -> impl Iterator<Item = (&Track, Target)> {
    let nodes: Vec<Option<Text>> = clip.nodes().map(|node| node.map(Text::from)).collect();
    clip.tracks().iter().map(move |track| {
        let node = nodes.get(track.node()).cloned().flatten();
        let target = Target::of(node, property(track.property()));
        (track, target.with_blend(blend(track.blend())))
    })
}

fn property(property: &Property) -> SourceProperty {
    match property {
        Property::Translation => SourceProperty::Translation,
        Property::Rotation => SourceProperty::Rotation,
        Property::Scale => SourceProperty::Scale,
        Property::Weight(name) => SourceProperty::Weight(Text::from(&**name)),
        Property::Custom(name) => SourceProperty::Custom(name.as_deref().map(Text::from)),
    }
}

const fn blend(blend: Blend) -> SourceBlend {
    match blend {
        Blend::Absolute => SourceBlend::Absolute,
        Blend::RestRelative => SourceBlend::RestRelative,
        Blend::Additive => SourceBlend::Additive,
    }
}

fn kind(track: &Track) -> ValueKind {
    match track.width() {
        _ if *track.property() == Property::Rotation => ValueKind::FloatQ,
        1 => ValueKind::Float,
        2 => ValueKind::Float2,
        3 => ValueKind::Float3,
        _ => ValueKind::Float4,
    }
}

/// The times and values of each track of a clip.
struct Columns<'a> {
    clip: &'a Clip,
    keys: Vec<(Vec<f64>, Values)>,
}

impl<'a> Columns<'a> {
    /// Creates the columns: those of constants with their key, the others with space for as many
    /// keys as `key_count` returns.
    fn new(clip: &'a Clip, key_count: impl Fn(&Track) -> usize, spare: &mut SpareColumns) -> Self {
        let of_track = |track: &Track| match &track.keys {
            Keys::Constant(value) => (vec![0.0], constant(kind(track), *value)),
            Keys::Sampled(_) => {
                let keys = key_count(track);
                (spare.take(keys), with_capacity(kind(track), keys, spare))
            }
        };
        Self { clip, keys: clip.tracks().iter().map(of_track).collect() }
    }

    /// Divides the columns among the key sets.
    fn by_set(&mut self) -> impl Iterator<Item = SetColumns<'_>> {
        let tracks = self.clip.tracks().iter().zip(&mut self.keys);
        let mut sets: Vec<SetColumns<'_>> = Vec::new();
        for (track, (times, values)) in tracks {
            if let Keys::Sampled(column) = &track.keys {
                let set = index(column.set);
                if sets.len() <= set {
                    sets.resize_with(set.saturating_add(1), SetColumns::default);
                }
                if let Some(set) = sets.get_mut(set) {
                    set.0.push((column, times, values));
                }
            }
        }
        sets.into_iter()
    }

    fn animation(self) -> Animation {
        let mut animation = head(self.clip);
        let tracks = targets(self.clip).zip(self.keys).filter_map(|((track, target), keys)| {
            // The loader and the builder check what the property accepts.
            inbetween_core::Track::new(target, data(track, keys)).ok()
        });
        animation.tracks = tracks.collect();
        animation
    }
}

/// The columns of the tracks of one key set.
#[derive(Default)]
struct SetColumns<'a>(Vec<(&'a Column, &'a mut Vec<f64>, &'a mut Values)>);

impl SetColumns<'_> {
    /// Appends the values of rows, and returns whether the builder makes all of them.
    fn decode(&mut self, layout: &Layout, words: &[u16]) -> bool {
        let mut sound = true;
        for rows in words.chunks(index(layout.words()).saturating_mul(ROWS).max(1)) {
            for (column, _, values) in &mut self.0 {
                sound &= column.decode(layout, rows, values);
            }
        }
        sound
    }

    fn set_times(self, timeline: &Timeline) {
        let mut all = self.0.into_iter().map(|(_, times, _)| times);
        let Some(first) = all.next() else { return };
        timeline.append_to(first);
        all.for_each(|times| times.extend_from_slice(first));
    }
}

fn constant(kind: ValueKind, value: [f32; 4]) -> Values {
    rows::column(kind, [value.map(f64::from)].iter())
}

fn with_capacity(kind: ValueKind, keys: usize, spare: &mut SpareColumns) -> Values {
    match kind {
        ValueKind::FloatQ => spare.take::<Quat<f32>>(keys).into(),
        ValueKind::Float => spare.take::<f32>(keys).into(),
        ValueKind::Float2 => spare.take::<[f32; 2]>(keys).into(),
        ValueKind::Float3 => spare.take::<[f32; 3]>(keys).into(),
        _ => spare.take::<[f32; 4]>(keys).into(),
    }
}

fn data(track: &Track, (times, values): (Vec<f64>, Values)) -> TrackData {
    let data = match track.segments() {
        Segments::Linear => {
            let linear = Interpolations::Shared(Interpolation::Linear);
            TrackData::curve(times, values, linear, None)
        }
        Segments::Hold => TrackData::stepped(times, values),
    };
    // The loader and the builder check that times are finite and in order.
    data.unwrap_or_else(|_| TrackData::empty(kind(track)))
}
