//! Samples all tracks of a clip together.

use core::marker::PhantomData;
use core::slice::IterMut;

use super::{PlaybackCursor, Sampler, Segments};
use crate::{
    Animation, Clock, Element, Rules, Strings, Text, TrackData, Value, ValueKind, Values,
    kind_table,
};

/// The tracks of a clip, prepared for sampling together.
///
/// The tracks play by the [rules](Animation::rules) of the clip. Everything that a sample needs is
/// looked up when the sampler is created. Sampling does not allocate and compares no names; the
/// tracks of a kind share a column of their type.
///
/// If the clip [loops](crate::Looping::Loop), times wrap as described at [`Animation::clip_time`].
/// Otherwise, the first and last values of each track hold.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, ClipSampler, Property, Target, Track, TrackData};
///
/// let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [1.0, 2.0, 3.0]]);
/// let hips = Track::new(Target::new("hips", Property::Translation), data)?;
/// let clip = Animation::new(vec![hips]);
///
/// let sampler = ClipSampler::new(&clip);
/// let hips = sampler.slot::<[f32; 3]>(0).ok_or("not float3")?;
/// let (mut pose, mut cursor) = (sampler.pose(), sampler.cursor());
/// for frame in 0..=4 {
///     sampler.play_into(&mut cursor, f64::from(frame) / 8.0, &mut pose);
/// }
/// assert_eq!(pose.get(hips), Some([1.0, 2.0, 3.0]));
/// sampler.sample_into(0.25, &mut pose);
/// assert_eq!(pose.column::<[f32; 3]>(), [[0.5, 1.0, 1.5]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClipSampler<'a> {
    /// One per kind, in the order of first occurrence.
    groups: Vec<Group<'a>>,
    /// The position of each track's values; `None` without keys.
    places: Vec<Option<Address>>,
    /// The period in seconds of a looping clip.
    period: Option<f64>,
}

/// The position of a track's value in a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Address {
    group: usize,
    index: usize,
}

impl<'a> ClipSampler<'a> {
    /// Creates the sampler of a clip; its size depends only on the number of tracks.
    pub fn new(clip: &'a Animation) -> Self {
        let mut sampler = Self { groups: Vec::new(), places: Vec::new(), period: clip.period() };
        for track in &clip.tracks {
            let rules = clip.rules.of(&track.target().property);
            let place = (!track.data().is_empty()).then(|| sampler.add(track.data(), rules));
            sampler.places.push(place);
        }
        sampler
    }

    fn add(&mut self, data: &'a TrackData, rules: Rules) -> Address {
        let known = self.groups.iter().position(|group| group.kind() == data.kind());
        let group = known.unwrap_or_else(|| {
            self.groups.push(Group::empty(data.kind()));
            self.groups.len() - 1
        });
        let index = self.groups.get(group).map_or(0, Group::len);
        if let Some(group) = self.groups.get_mut(group) {
            group.push(data, rules);
        }
        Address { group, index }
    }

    /// Returns a pose of the clip, at time 0.
    pub fn pose(&self) -> Pose {
        let columns = self.groups.iter().map(Group::column).collect();
        let texts = self.groups.iter().map(Group::texts).max().unwrap_or(0);
        let mut pose = Pose { columns, texts: vec![0; texts] };
        self.sample_into(0.0, &mut pose);
        pose
    }

    /// Returns a cursor at the start of the clip.
    pub fn cursor(&self) -> ClipCursor {
        let tracks = self.groups.iter().map(Group::len).sum();
        ClipCursor { cursors: vec![PlaybackCursor::default(); tracks] }
    }

    /// Writes the values of all tracks at a time in seconds to a pose of this sampler.
    ///
    /// If the pose comes from another sampler, some values may stay unchanged.
    pub fn sample_into(&self, time: f64, pose: &mut Pose) {
        self.fill(Seeking::Search, time, pose);
    }

    /// Like [`sample_into`](Self::sample_into), but starts at the cursor.
    ///
    /// At increasing times, no key is visited twice. The values are the same bit for bit.
    pub fn play_into(&self, cursor: &mut ClipCursor, time: f64, pose: &mut Pose) {
        self.fill(Seeking::From(cursor.cursors.iter_mut()), time, pose);
    }

    fn fill(&self, mut seeking: Seeking<'_>, time: f64, pose: &mut Pose) {
        let time = self.period.map_or(time, |period| wrap(time, period));
        for (group, column) in self.groups.iter().zip(&mut pose.columns) {
            group.fill(&mut seeking, time, column, &mut pose.texts);
        }
    }

    /// Returns the position of a track's values in a pose, or `None` if the track has no keys or
    /// its values are not of type `T`.
    pub fn slot<T: Element>(&self, track: usize) -> Option<Slot<T>> {
        let address = (*self.places.get(track)?)?;
        let group = self.groups.get(address.group)?;
        (group.kind() == T::KIND).then_some(Slot { address, kind: PhantomData })
    }

    /// Returns the tracks whose values [`Pose::column`] holds, in the same order.
    pub fn tracks_of<T: Element>(&self) -> impl Iterator<Item = usize> {
        (0..self.places.len()).filter(|&track| self.slot::<T>(track).is_some())
    }

    /// Returns the value of a track of any kind in a pose of this sampler, or `None` without keys.
    ///
    /// This allocates strings; [`text`](Self::text) borrows them.
    pub fn value(&self, pose: &Pose, track: usize) -> Option<Value> {
        let address = (*self.places.get(track)?)?;
        match pose.columns.get(address.group)? {
            Values::String(_) => {
                self.text(pose, track).map(|text| Value::String(text.map(Text::from)))
            }
            column => column.get(address.index),
        }
    }

    /// Returns the string of a track in a pose of this sampler: `Some(None)` for null, `None` if
    /// the track has no keys or holds no strings.
    pub fn text(&self, pose: &Pose, track: usize) -> Option<Option<&'a str>> {
        let address = (*self.places.get(track)?)?;
        let Group::String(texts) = self.groups.get(address.group)? else { return None };
        texts.get(address.index)?.strings.get(*pose.texts.get(address.index)?)
    }
}

/// The position of a track's values in a [`Pose`]; created by [`ClipSampler::slot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<T> {
    address: Address,
    kind: PhantomData<T>,
}

/// A playback position within a clip; created by [`ClipSampler::cursor`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipCursor {
    cursors: Vec<PlaybackCursor>,
}

/// The values of all tracks of a clip at one time; created by [`ClipSampler::pose`].
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// One column per kind; that of strings is empty.
    columns: Vec<Values>,
    /// The active keys of the string tracks.
    texts: Vec<usize>,
}

impl Pose {
    /// Returns the value of a track.
    pub fn get<T: Element>(&self, slot: Slot<T>) -> Option<T> {
        let Address { group, index } = slot.address;
        self.columns.get(group)?.as_slice().and_then(|column| column.get(index)).copied()
    }

    /// Returns the values of all tracks of type `T`, in the order of
    /// [`ClipSampler::tracks_of`].
    pub fn column<T: Element>(&self) -> &[T] {
        self.columns.iter().find_map(Values::as_slice).unwrap_or_default()
    }
}

/// How the samplers of a clip find their segments.
enum Seeking<'c> {
    Search,
    /// From these cursors, one per track.
    From(IterMut<'c, PlaybackCursor>),
}

impl Seeking<'_> {
    fn next(&mut self) -> Option<&mut PlaybackCursor> {
        match self {
            Self::Search => None,
            Self::From(cursors) => cursors.next(),
        }
    }
}

/// A track of strings.
#[derive(Clone, Copy, Debug)]
struct Texts<'a> {
    strings: &'a Strings,
    segments: TextSegments<'a>,
}

#[derive(Clone, Copy, Debug)]
enum TextSegments<'a> {
    Narrow(Segments<'a, f32>),
    Wide(Segments<'a, f64>),
}

impl<'a> Texts<'a> {
    fn new(data: &'a TrackData, rules: Rules) -> Option<Self> {
        let segments = match rules.clock {
            Clock::F32 => TextSegments::Narrow(Segments::new(data, rules)),
            Clock::F64 => TextSegments::Wide(Segments::new(data, rules)),
        };
        Some(Self { strings: data.values().as_strings()?, segments })
    }

    fn key(&self, cursor: &mut PlaybackCursor, time: f64) -> Option<usize> {
        match &self.segments {
            TextSegments::Narrow(segments) => Some(segments.at_cursor(cursor, time)?.key),
            TextSegments::Wide(segments) => Some(segments.at_cursor(cursor, time)?.key),
        }
    }
}

fn fill<T: Element>(
    samplers: &[Sampler<'_, T>],
    seeking: &mut Seeking<'_>,
    time: f64,
    column: &mut Values,
) {
    let slots = T::column_mut(column).into_iter().flatten();
    for (slot, sampler) in slots.zip(samplers) {
        let value = match seeking.next() {
            Some(cursor) => sampler.sample_from(cursor, time),
            None => sampler.sample(time),
        };
        if let Some(value) = value {
            *slot = value;
        }
    }
}

macro_rules! define_group {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        /// The tracks of one kind.
        #[derive(Clone, Debug)]
        enum Group<'a> {
            $($variant(Vec<Sampler<'a, $type>>),)*
            $pooled(Vec<Texts<'a>>),
        }

        impl<'a> Group<'a> {
            fn empty(kind: ValueKind) -> Self {
                match kind {
                    $(ValueKind::$variant => Self::$variant(Vec::new()),)*
                    ValueKind::$pooled => Self::$pooled(Vec::new()),
                }
            }

            fn kind(&self) -> ValueKind {
                match self {
                    $(Self::$variant(_) => ValueKind::$variant,)*
                    Self::$pooled(_) => ValueKind::$pooled,
                }
            }

            fn len(&self) -> usize {
                match self {
                    $(Self::$variant(samplers) => samplers.len(),)*
                    Self::$pooled(texts) => texts.len(),
                }
            }

            fn push(&mut self, data: &'a TrackData, rules: Rules) {
                match self {
                    $(Self::$variant(samplers) => samplers.extend(rules.sampler(data)),)*
                    Self::$pooled(texts) => texts.extend(Texts::new(data, rules)),
                }
            }

            /// Returns the column of a pose for these tracks.
            fn column(&self) -> Values {
                match self {
                    $(Self::$variant(samplers) => {
                        vec![<$type>::default(); samplers.len()].into()
                    })*
                    Self::$pooled(_) => Values::empty(ValueKind::$pooled),
                }
            }

            /// Returns how many tracks of strings these are.
            fn texts(&self) -> usize {
                match self {
                    Self::$pooled(texts) => texts.len(),
                    _ => 0,
                }
            }

            fn fill(
                &self,
                seeking: &mut Seeking<'_>,
                time: f64,
                column: &mut Values,
                keys: &mut [usize],
            ) {
                match self {
                    $(Self::$variant(samplers) => fill(samplers, seeking, time, column),)*
                    Self::$pooled(texts) => {
                        for (key, texts) in keys.iter_mut().zip(texts) {
                            let cursor = &mut PlaybackCursor::default();
                            let active = texts.key(seeking.next().unwrap_or(cursor), time);
                            *key = active.unwrap_or(*key);
                        }
                    }
                }
            }
        }
    };
}
kind_table!(define_group);

impl Animation {
    /// Returns the time within the clip at `time` seconds after its start.
    ///
    /// For a looping clip this is `time` modulo the
    /// [`effective_duration`](Self::effective_duration), also for negative times; the duration
    /// itself gives 0. A looping clip without a length stays at 0. For other clips and for times
    /// that are not finite it is `time` itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Animation, Looping};
    ///
    /// let walk = Animation::default().with_duration(2.0).with_looping(Looping::Loop);
    /// assert_eq!([5.0, 2.0, -0.5].map(|time| walk.clip_time(time)), [1.0, 0.0, 1.5]);
    /// let once = Animation::default().with_duration(2.0);
    /// assert_eq!(once.clip_time(5.0), 5.0);
    /// ```
    pub fn clip_time(&self, time: f64) -> f64 {
        self.period().map_or(time, |period| wrap(time, period))
    }

    /// Returns the period in seconds, if the clip loops.
    fn period(&self) -> Option<f64> {
        (self.looping == crate::Looping::Loop).then(|| self.effective_duration())
    }
}

fn wrap(time: f64, period: f64) -> f64 {
    if !time.is_finite() {
        return time;
    }
    let rest = time.rem_euclid(period);
    // A tiny negative remainder rounds up to the period, and a remainder by 0 is NaN.
    if rest < period { rest } else { 0.0 }
}
