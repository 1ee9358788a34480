//! The structure of a file: everything but its times and values.

use alloc::vec::Vec;

use crate::clip::{Blend, ClipHead, Keys, Looping, PropertyRef, TrackHead};
use crate::column::{Column, Section, Segments, Storage};
use crate::layout::{
    LARGEST, LEAST_CLIP, LEAST_NODE, LEAST_SET, LOOPS, MAGIC, NARROW_CLOCK, RATES, STATES_RATE,
    VERSION,
};
use crate::load_error::{LoadError, LoadErrorKind};
use crate::num::index;
use crate::reader::{List, Reader, Result};
use crate::rows::{Layout, is_normalized};
use crate::times::{Clock, TimeBase, Times};

/// Reads the structure of a file: everything but its times and values.
pub(crate) fn parse(bytes: &[u8]) -> Result<Vec<StoredClip<'_>>> {
    let mut reader = Reader::new(bytes);
    if bytes.get(..MAGIC.len()) != Some(MAGIC) {
        return Err(reader.error(LoadErrorKind::Magic));
    }
    reader.take(MAGIC.len())?;
    let version = u16::from_le_bytes(reader.array()?);
    if version != VERSION {
        return Err(reader.error(LoadErrorKind::Version(version)));
    }
    reader.expect(reader.rest().first_chunk() == Some(&[0; 2]), "two zero bytes")?;
    reader.take(2)?;
    let clips = reader.list(LEAST_CLIP, Reader::clip)?;
    reader.expect(reader.rest().is_empty(), "the end of the file")?;
    Ok(clips)
}

/// A clip in a file whose structure is checked: every track has its words in the rows of a key set.
///
/// The tracks stay in the file and are read again when they are needed.
pub(crate) struct StoredClip<'a> {
    pub(crate) head: ClipHead<'a>,
    pub(crate) nodes: Vec<Option<&'a str>>,
    pub(crate) sets: Vec<StoredSet<'a>>,
    tracks: List<'a>,
    /// The bytes of the times and values of all tracks, as `f64` and `f32`.
    #[cfg_attr(not(feature = "build"), expect(dead_code, reason = "playback decodes rows"))]
    pub(crate) decoded: usize,
}

impl<'a> StoredClip<'a> {
    pub(crate) fn track_count(&self) -> usize {
        self.tracks.len()
    }

    pub(crate) fn tracks(&self) -> impl Iterator<Item = TrackHead<'a>> {
        let (nodes, mut places) = (self.nodes.len(), places(&self.sets));
        self.tracks.read(move |reader| reader.track(nodes, &mut places))
    }

    /// Returns the number of keys of a track of this clip.
    #[cfg(feature = "build")]
    pub(crate) fn key_count(&self, track: &TrackHead<'_>) -> usize {
        key_count(&self.sets, track)
    }
}

fn key_count(sets: &[StoredSet<'_>], track: &TrackHead<'_>) -> usize {
    let Keys::Sampled(column) = &track.keys else { return 1 };
    sets.get(index(column.set)).map_or(0, |set| set.keys)
}

/// A key set whose rows are divided among the tracks that are read after it. No word belongs to
/// two tracks, so checking all values takes no longer than reading them.
pub(crate) struct StoredSet<'a> {
    times: StoredTimes<'a>,
    /// The error if the times are not sound.
    unsorted: LoadError,
    keys: usize,
    pub(crate) layout: Layout,
    /// Words per row.
    stride: u32,
    /// The position of the rows in the file.
    offset: usize,
    pub(crate) rows: &'a [[u8; 2]],
}

impl StoredSet<'_> {
    /// Returns the times, or an error if they are not finite and in order.
    pub(crate) fn times(&self) -> Result<Times> {
        self.times.load().ok_or(self.unsorted)
    }

    /// Checks the words of rows, before which the set has `start` words. The error is at the first
    /// value that the builder never makes.
    pub(crate) fn check(&self, start: usize, words: &[u16]) -> Result<()> {
        let Some(within) = self.layout.first_unsound(words) else { return Ok(()) };
        let expected = "values up to 1e30, and normalized rotations";
        let word = start.saturating_add(within);
        let offset = self.offset.saturating_add(word.saturating_mul(2));
        Err(LoadError { kind: LoadErrorKind::Invalid { expected }, offset })
    }
}

/// The words of a row that the tracks read so far have.
struct Places {
    layout: Layout,
    /// Words per row.
    stride: u32,
}

impl Places {
    /// Adds a track and returns its place, or `None` if the rows have too few free words.
    fn take(&mut self, section: Section, width: usize) -> Option<u32> {
        let place = self.layout.add(section, width)?;
        (self.layout.words() <= self.stride).then_some(place)
    }
}

/// Returns the places of key sets before the first track.
fn places(sets: &[StoredSet<'_>]) -> Vec<Places> {
    let place = |set: &StoredSet<'_>| Places { layout: Layout::default(), stride: set.stride };
    sets.iter().map(place).collect()
}

/// [`Times`] in a file.
enum StoredTimes<'a> {
    Even { first: u32, step: u32, count: u32 },
    Frames(&'a [[u8; 2]]),
    Seconds(&'a [[u8; 4]]),
    Wide(&'a [[u8; 8]]),
}

impl<'a> Reader<'a> {
    fn clip(&mut self) -> Result<StoredClip<'a>> {
        let flags = self.byte()?;
        self.expect(flags & !(LOOPS | NARROW_CLOCK | STATES_RATE) == 0, "no unknown flags")?;
        let duration = self.finite()?;
        self.expect(duration >= 0.0, "a duration of at least 0")?;
        let rate = self.finite()?;
        self.expect(RATES.contains(&rate), "a frame rate from 0.001 to 1000000")?;
        let clock = if flags & NARROW_CLOCK == 0 { Clock::F64 } else { Clock::F32 };
        let base = TimeBase { clock, rate };
        let name = self.string()?;
        let nodes = self.list(LEAST_NODE, Self::string)?;
        let mut sets = self.list(LEAST_SET, Self::set)?;
        let mut places = places(&sets);
        let mut decoded = 0_usize;
        let tracks = self.skip(|reader| {
            let track = reader.track(nodes.len(), &mut places)?;
            let key = usize::from(track.width).saturating_mul(4).saturating_add(8);
            decoded = decoded.saturating_add(key_count(&sets, &track).saturating_mul(key));
            Ok(())
        })?;
        let are_full = places.iter().all(|places| places.layout.words() == places.stride);
        self.expect(are_full, "tracks for all words of the rows")?;
        for (set, places) in sets.iter_mut().zip(places) {
            set.layout = places.layout;
        }
        let looping = if flags & LOOPS == 0 { Looping::Once } else { Looping::Loop };
        let states_rate = flags & STATES_RATE != 0;
        let head = ClipHead { name, duration, looping, base, states_rate };
        Ok(StoredClip { head, nodes, sets, tracks, decoded })
    }

    fn set(&mut self) -> Result<StoredSet<'a>> {
        let kind = self.byte()?;
        let count = self.u32()?;
        self.expect(count > 0, "at least one key")?;
        let keys = index(count);
        let times = match kind {
            0 => {
                let (first, step) = (self.u32()?, self.u32()?);
                let last = step.checked_mul(count.saturating_sub(1));
                let last = last.and_then(|frames| frames.checked_add(first));
                self.expect(step > 0 && last.is_some(), "frames up to 4294967295")?;
                StoredTimes::Even { first, step, count }
            }
            1 => StoredTimes::Frames(self.block(keys)?),
            2 => StoredTimes::Seconds(self.block(keys)?),
            3 => StoredTimes::Wide(self.block(keys)?),
            _ => return Err(self.invalid("times of kind 0 to 3")),
        };
        let unsorted = self.invalid("finite times in order");
        let stride = self.u32()?;
        self.expect(stride > 0, "at least one word per key")?;
        let words = keys.saturating_mul(index(stride));
        let offset = self.offset();
        let rows = self.block(words)?;
        let layout = Layout::default();
        Ok(StoredSet { times, unsorted, keys, layout, stride, offset, rows })
    }

    #[inline]
    fn track(&mut self, nodes: usize, places: &mut [Places]) -> Result<TrackHead<'a>> {
        let node = self.u32()?;
        self.expect(index(node) < nodes, "the index of a node")?;
        let property = self.property()?;
        let width = self.byte()?;
        let allowed = match property {
            PropertyRef::Translation | PropertyRef::Scale => 3..=3,
            PropertyRef::Rotation => 4..=4,
            PropertyRef::Weight(_) => 1..=1,
            PropertyRef::Custom(_) => 1..=4,
        };
        self.expect(allowed.contains(&width), "as many components as the property has")?;
        let blend = match self.byte()? {
            0 => Blend::Absolute,
            1 => Blend::RestRelative,
            2 => Blend::Additive,
            _ => return Err(self.invalid("a blend from 0 to 2")),
        };
        let rotation = property == PropertyRef::Rotation;
        let keys = self.keys(usize::from(width), rotation, places)?;
        Ok(TrackHead { node, property, width, blend, keys })
    }

    #[inline]
    fn property(&mut self) -> Result<PropertyRef<'a>> {
        Ok(match self.byte()? {
            0 => PropertyRef::Translation,
            1 => PropertyRef::Rotation,
            2 => PropertyRef::Scale,
            3 => {
                let name = self.string()?;
                PropertyRef::Weight(name.ok_or_else(|| self.invalid("the name of a weight"))?)
            }
            4 => PropertyRef::Custom(self.string()?),
            _ => return Err(self.invalid("a property from 0 to 4")),
        })
    }

    #[inline]
    fn keys(&mut self, width: usize, rotation: bool, places: &mut [Places]) -> Result<Keys> {
        let encoding = self.byte()?;
        if encoding == 0 {
            let value = self.value(width)?;
            self.expect(!rotation || is_normalized(value), "a normalized quaternion")?;
            return Ok(Keys::Constant(value));
        }
        let segments = match self.byte()? {
            0 => Segments::Linear,
            1 => Segments::Hold,
            _ => return Err(self.invalid("segments of kind 0 or 1")),
        };
        let set = self.u32()?;
        let storage = match encoding {
            1 if !rotation => {
                let (offset, scale) = (self.value(width)?, self.value(width)?);
                Storage::Halves { offset, scale }
            }
            2 if rotation => Storage::Rotations,
            3 if rotation => Storage::FullRotations,
            3 => Storage::Floats,
            _ => return Err(self.invalid("an encoding of the property")),
        };
        let free = places.get_mut(index(set));
        let place = free.and_then(|places| places.take(storage.section(), width));
        let place = place.ok_or_else(|| self.invalid("a key set with free words"))?;
        Ok(Keys::Sampled(Column { set, place, storage, segments }))
    }

    /// Takes the components of a value; those after the width are 0.
    #[inline]
    fn value(&mut self, width: usize) -> Result<[f32; 4]> {
        let mut value = [0.0; 4];
        for (slot, bytes) in value.iter_mut().zip(self.block(width)?) {
            let number = f32::from_le_bytes(*bytes);
            self.expect(number.abs() <= LARGEST, "numbers up to 1e30")?;
            *slot = number;
        }
        Ok(value)
    }
}

impl StoredTimes<'_> {
    /// Returns the times, or `None` if they are not finite and in order.
    fn load(&self) -> Option<Times> {
        let times = match *self {
            Self::Even { first, step, count } => Times::Even { first, step, count },
            Self::Frames(frames) => Times::Frames(values(frames, u16::from_le_bytes)),
            Self::Seconds(times) => Times::Seconds(values(times, f32::from_le_bytes)),
            Self::Wide(times) => Times::Wide(values(times, f64::from_le_bytes)),
        };
        in_order(&times).then_some(times)
    }
}

/// Returns the numbers of a block of the file.
fn values<const N: usize, T>(block: &[[u8; N]], value: impl Fn([u8; N]) -> T) -> Vec<T> {
    block.iter().map(|bytes| value(*bytes)).collect()
}

fn in_order(times: &Times) -> bool {
    match times {
        Times::Even { .. } => true,
        Times::Frames(frames) => frames.is_sorted(),
        Times::Seconds(times) => times.is_sorted() && times.iter().all(|time| time.is_finite()),
        Times::Wide(times) => times.is_sorted() && times.iter().all(|time| time.is_finite()),
    }
}
