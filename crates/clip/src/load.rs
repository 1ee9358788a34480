//! Bytes -> clips. Nothing in the bytes is trusted.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::clip::{Column, Identity, Keys, Segments, Storage};
use crate::num::index;
use crate::rows::{KeySet, Layout, ROWS, is_normalized};
use crate::save::{LOOPS, MAGIC, NARROW_CLOCK, NULL, STATES_RATE, VERSION};
use crate::times::{TimeBase, Timeline, Times};
use crate::{Blend, Clip, Clock, Looping, Property, Track};

/// The frame rates of clips. Outside of them, frames have no useful times.
pub(crate) const RATES: core::ops::RangeInclusive<f64> = 1e-3..=1e6;

/// The largest magnitude of a number in a clip: the difference of two of them is finite, and so is
/// everything that playback computes.
pub(crate) const LARGEST: f32 = 1e30;

/// Reads the clips of a file and checks every byte.
///
/// The clips are safe to sample: their numbers are finite, and every index is in range. Memory
/// grows with the bytes that are there, whatever the counts in them claim.
///
/// # Errors
///
/// If the bytes are not a file of this version, end too early, have bytes after the last clip, or
/// hold anything that [`save`](crate::save) does not write.
///
/// # Examples
///
/// ```
/// use inbetween_clip::{LoadErrorKind, load};
///
/// let error = load(b"SEAnim").unwrap_err();
/// assert_eq!(error.kind(), LoadErrorKind::Magic);
/// assert_eq!(error.to_string(), "not a playback clip (at byte 0x0)");
/// ```
pub fn load(bytes: &[u8]) -> Result<Vec<Clip>, LoadError> {
    parse(bytes)?.into_iter().map(StoredClip::load).collect()
}

/// Reads the structure of a file: everything but its times and values.
pub(crate) fn parse(bytes: &[u8]) -> Result<Vec<StoredClip<'_>>> {
    let mut reader = Reader { rest: bytes, length: bytes.len() };
    if bytes.get(..MAGIC.len()) != Some(MAGIC) {
        return Err(reader.error(LoadErrorKind::Magic));
    }
    reader.take(MAGIC.len())?;
    let version = u16::from_le_bytes(reader.array()?);
    if version != VERSION {
        return Err(reader.error(LoadErrorKind::Version(version)));
    }
    reader.expect(reader.rest.first_chunk() == Some(&[0; 2]), "two zero bytes")?;
    reader.take(2)?;
    let clips = reader.list(Reader::clip)?;
    reader.expect(reader.rest.is_empty(), "the end of the file")?;
    Ok(clips)
}

/// Why bytes are not clips, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadError {
    kind: LoadErrorKind,
    offset: usize,
}

impl LoadError {
    /// Returns what is wrong.
    pub const fn kind(&self) -> LoadErrorKind {
        self.kind
    }

    /// Returns the offset of the byte at which loading stopped.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

/// What is wrong with bytes that are not clips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The magic number is missing.
    Magic,
    /// The file has another version.
    Version(u16),
    /// The file ends before what it must hold.
    End {
        /// The number of bytes that must follow the offset of the error.
        needed: usize,
    },
    /// A field does not have an allowed value.
    Invalid {
        /// The allowed values.
        expected: &'static str,
    },
}

impl fmt::Display for LoadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("not a playback clip"),
            Self::Version(version) => {
                write!(f, "version {version}; this program reads version {VERSION}")
            }
            Self::End { .. } => f.write_str("the file ends too early"),
            Self::Invalid { expected } => write!(f, "expected {expected}"),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {:#x})", self.kind, self.offset)
    }
}

impl core::error::Error for LoadError {}

/// Reads bytes from start to end.
struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
}

type Result<T, E = LoadError> = core::result::Result<T, E>;

impl<'a> Reader<'a> {
    const fn error(&self, kind: LoadErrorKind) -> LoadError {
        LoadError { kind, offset: self.length.saturating_sub(self.rest.len()) }
    }

    fn expect(&self, holds: bool, expected: &'static str) -> Result<()> {
        if holds { Ok(()) } else { Err(self.error(LoadErrorKind::Invalid { expected })) }
    }

    const fn end(&self, needed: usize) -> LoadError {
        self.error(LoadErrorKind::End { needed })
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let split = self.rest.split_at_checked(count);
        let (bytes, rest) = split.ok_or_else(|| self.end(count))?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let split = self.rest.split_first_chunk::<N>();
        let (bytes, rest) = split.ok_or_else(|| self.end(N))?;
        self.rest = rest;
        Ok(*bytes)
    }

    fn byte(&mut self) -> Result<u8> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Takes `count` items of `N` bytes.
    fn block<const N: usize>(&mut self, count: usize) -> Result<&'a [[u8; N]]> {
        let (items, _) = self.take(count.saturating_mul(N))?.as_chunks::<N>();
        Ok(items)
    }

    /// Reads a count and as many items, each of at least one byte. The list grows with the items
    /// that are there, not with the count.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.u32()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn string(&mut self) -> Result<Option<Box<str>>> {
        let length = self.u32()?;
        if length == NULL {
            return Ok(None);
        }
        let start = self.error(LoadErrorKind::Invalid { expected: "UTF-8" });
        let bytes = self.take(index(length))?;
        let text = core::str::from_utf8(bytes).map_err(|_| start)?;
        Ok(Some(text.into()))
    }

    fn finite(&mut self) -> Result<f64> {
        let value = f64::from_le_bytes(self.array()?);
        self.expect(value.is_finite(), "a finite number")?;
        Ok(value)
    }

    /// Takes the components of a value; those after the width are 0.
    fn value(&mut self, width: usize) -> Result<[f32; 4]> {
        let mut value = [0.0; 4];
        for (slot, bytes) in value.iter_mut().zip(self.block(width)?) {
            let number = f32::from_le_bytes(*bytes);
            self.expect(number.abs() <= LARGEST, "numbers up to 1e30")?;
            *slot = number;
        }
        Ok(value)
    }

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
        let nodes = self.list(Self::string)?;
        let mut stored = self.list(Self::set)?;
        let tracks = self.list(|reader| reader.track(nodes.len(), &mut stored))?;
        let are_full = stored.iter().all(|set| set.layout.words() == set.stride);
        self.expect(are_full, "tracks for all words of the rows")?;
        let looping = if flags & LOOPS == 0 { Looping::Once } else { Looping::Loop };
        let states_rate = flags & STATES_RATE != 0;
        let (identity, sets) = (Identity::new(), Vec::new());
        let clip =
            Clip { identity, name, duration, looping, base, states_rate, nodes, sets, tracks };
        Ok(StoredClip { clip, sets: stored })
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
        let offset = self.length.saturating_sub(self.rest.len());
        let rows = self.block(words)?;
        Ok(StoredSet { times, unsorted, layout: Layout::default(), stride, offset, rows })
    }

    fn track(&mut self, nodes: usize, sets: &mut [StoredSet<'_>]) -> Result<Track> {
        let node = self.u32()?;
        self.expect(index(node) < nodes, "the index of a node")?;
        let property = self.property()?;
        let width = self.byte()?;
        let allowed = match property {
            Property::Translation | Property::Scale => 3..=3,
            Property::Rotation => 4..=4,
            Property::Weight(_) => 1..=1,
            Property::Custom(_) => 1..=4,
        };
        self.expect(allowed.contains(&width), "as many components as the property has")?;
        let blend = match self.byte()? {
            0 => Blend::Absolute,
            1 => Blend::RestRelative,
            2 => Blend::Additive,
            _ => return Err(self.invalid("a blend from 0 to 2")),
        };
        let rotation = property == Property::Rotation;
        let keys = self.keys(usize::from(width), rotation, sets)?;
        Ok(Track { node, property, width, blend, keys })
    }

    const fn invalid(&self, expected: &'static str) -> LoadError {
        self.error(LoadErrorKind::Invalid { expected })
    }

    fn property(&mut self) -> Result<Property> {
        Ok(match self.byte()? {
            0 => Property::Translation,
            1 => Property::Rotation,
            2 => Property::Scale,
            3 => {
                let name = self.string()?;
                Property::Weight(name.ok_or_else(|| self.invalid("the name of a weight"))?)
            }
            4 => Property::Custom(self.string()?),
            _ => return Err(self.invalid("a property from 0 to 4")),
        })
    }

    fn keys(&mut self, width: usize, rotation: bool, sets: &mut [StoredSet<'_>]) -> Result<Keys> {
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
        let free = sets.get_mut(index(set));
        let place = free.and_then(|set| set.add(&storage, width, segments));
        let place = place.ok_or_else(|| self.invalid("a key set with free words"))?;
        Ok(Keys::Sampled(Column { set, place, storage, segments }))
    }
}

/// A clip in a file whose structure is checked: every track has its words in the rows of a key set.
pub(crate) struct StoredClip<'a> {
    /// The clip without its key sets.
    pub(crate) clip: Clip,
    sets: Vec<StoredSet<'a>>,
}

impl StoredClip<'_> {
    /// Returns the number of keys of a track of this clip.
    #[cfg(feature = "build")]
    pub(crate) fn key_count(&self, track: &Track) -> usize {
        let Keys::Sampled(column) = &track.keys else { return 1 };
        let set = self.sets.get(index(column.set));
        set.and_then(|set| set.rows.len().checked_div(index(set.stride))).unwrap_or(0)
    }

    /// Returns the key sets, in the order of their indices in tracks.
    #[cfg(feature = "build")]
    pub(crate) fn sets(&self) -> impl Iterator<Item = &StoredSet<'_>> {
        self.sets.iter()
    }

    /// Reads and checks the times and values.
    pub(crate) fn load(self) -> Result<Clip> {
        let Self { mut clip, sets } = self;
        clip.sets = sets.into_iter().map(|set| set.load(clip.base)).collect::<Result<_>>()?;
        Ok(clip)
    }
}

/// A key set whose rows are divided among the tracks that are read after it. No word belongs to
/// two tracks, so checking all values takes no longer than reading them.
pub(crate) struct StoredSet<'a> {
    times: StoredTimes<'a>,
    /// The error if the times are not sound.
    unsorted: LoadError,
    pub(crate) layout: Layout,
    /// Words per row.
    stride: u32,
    /// The position of the rows in the file.
    offset: usize,
    rows: &'a [[u8; 2]],
}

/// [`Times`] in a file.
enum StoredTimes<'a> {
    Even { first: u32, step: u32, count: u32 },
    Frames(&'a [[u8; 2]]),
    Seconds(&'a [[u8; 4]]),
    Wide(&'a [[u8; 8]]),
}

impl<'a> StoredSet<'a> {
    /// Adds a track and returns its place, or `None` if the rows have too few free words.
    fn add(&mut self, storage: &Storage, width: usize, segments: Segments) -> Option<u32> {
        let place = self.layout.add(storage, width, segments)?;
        (self.layout.words() <= self.stride).then_some(place)
    }

    /// Returns the set, or an error at the first time or value that the builder never makes.
    fn load(self, base: TimeBase) -> Result<KeySet> {
        let timeline = self.timeline(base)?;
        let mut words = Vec::with_capacity(self.rows.len());
        for block in self.blocks() {
            let before = words.len();
            words.extend(block.words());
            self.check(block, words.get(before..).unwrap_or_default())?;
        }
        Ok(KeySet { timeline, layout: self.layout, words })
    }

    /// Returns the times, or an error if they are not finite and in order.
    pub(crate) fn timeline(&self, base: TimeBase) -> Result<Timeline> {
        let times = self.times.load().ok_or(self.unsorted)?;
        Ok(Timeline::new(times, base))
    }

    /// Returns the rows in blocks of [`ROWS`]: small enough to stay in the cache while they are
    /// checked and decoded.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Block<'a>> + use<'a> {
        let size = index(self.stride).saturating_mul(ROWS).max(1);
        let starts = (0..).map(move |block: usize| block.saturating_mul(size));
        starts.zip(self.rows.chunks(size)).map(|(start, bytes)| Block { start, bytes })
    }

    /// Checks the words of a block. The error is at the first value that the builder never makes.
    pub(crate) fn check(&self, block: Block<'_>, words: &[u16]) -> Result<()> {
        let Some(within) = self.layout.first_unsound(words) else { return Ok(()) };
        let expected = "values up to 1e30, and normalized rotations";
        let word = block.start.saturating_add(within);
        let offset = self.offset.saturating_add(word.saturating_mul(2));
        Err(LoadError { kind: LoadErrorKind::Invalid { expected }, offset })
    }
}

/// Some rows of a key set in a file.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    /// The number of words before them.
    start: usize,
    bytes: &'a [[u8; 2]],
}

impl<'a> Block<'a> {
    pub(crate) fn words(self) -> impl Iterator<Item = u16> + use<'a> {
        self.bytes.iter().map(|word| u16::from_le_bytes(*word))
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
