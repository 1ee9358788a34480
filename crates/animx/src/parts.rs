//! The exact model as plain owned data that can be changed.

use inbetween_core::{Identical, Strings, ValueKind, Values};

use crate::file::{AnimxFile, Section};
use crate::layout::{AnimxLayout, Encoding, PER_KEY, TANGENTS, TangentOrder, TrackType, Version};
use crate::strings::{AnimxString, AnimxText};
use crate::track::AnimxTrack;
use crate::wire::{TimeAt, decode_pairs, decode_times, decode_values, spare_bits};

/// An AnimX file as owned parts.
///
/// The number of tracks, the lengths of strings and the numbers of keys are computed; everything
/// else is written unchanged. Paddings are the bytes by which such a number exceeds its shortest
/// form, usually 0.
///
/// # Examples
///
/// ```
/// use inbetween_animx::{AnimxFile, AnimxParts, KeysPart, TrackPart};
/// use inbetween_core::{Limits, Values};
///
/// let keys = KeysPart::Discrete { times: vec![0.0, 1.0], values: vec![7_i32, -1].into() };
/// let (node, property) = ("door".into(), "Count".into());
/// let tracks = vec![TrackPart { node, property, key_count_padding: 0, keys }];
/// let parts = AnimxParts { global_duration: 1.0, tracks, ..AnimxParts::default() };
///
/// let file = AnimxFile::from_parts(&parts)?;
/// let again = AnimxFile::parse(file.to_bytes(), &Limits::default())?;
/// assert_eq!(again.into_parts(), parts);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AnimxParts {
    /// The version.
    pub version: Version,
    /// The padding of the number of tracks.
    pub track_count_padding: u8,
    /// Seconds.
    pub global_duration: f32,
    /// The name.
    pub name: TextPart,
    /// The encoding of the tracks.
    pub encoding: Encoding,
    /// The layout of the Curve tracks.
    pub layout: AnimxLayout,
    /// The tracks.
    pub tracks: Vec<TrackPart>,
    /// The bytes after the last track.
    pub trailing: Vec<u8>,
    /// The source of the compressed section, unless the tracks are stored uncompressed.
    pub packed: PackedPart,
}

/// The source of the compressed section of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PackedPart {
    /// Compress the tracks.
    #[default]
    Anew,
    /// Use this one if it decompresses to the same tracks, so that an unchanged file stays the same
    /// byte for byte; otherwise compress the tracks.
    Kept(Vec<u8>),
    /// Use this one, which this build cannot decompress: there are no tracks and no trailing bytes.
    Sealed {
        /// The number of tracks according to the header.
        track_count: u64,
        /// The section.
        bytes: Vec<u8>,
    },
}

/// A string: usually UTF-8, but any bytes are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextPart {
    /// The bytes of the string.
    pub bytes: Vec<u8>,
    /// The padding of its length.
    pub length_padding: u8,
}

impl From<&str> for TextPart {
    fn from(text: &str) -> Self {
        Self { bytes: text.into(), length_padding: 0 }
    }
}

impl From<AnimxText<'_>> for TextPart {
    fn from(text: AnimxText<'_>) -> Self {
        Self { bytes: text.bytes.to_vec(), length_padding: text.padding }
    }
}

impl TextPart {
    pub(crate) fn borrow(&self) -> AnimxText<'_> {
        AnimxText { bytes: &self.bytes, padding: self.length_padding }
    }
}

/// A track.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackPart {
    /// The node, the slot in the scene.
    pub node: TextPart,
    /// The property, the field of the slot.
    pub property: TextPart,
    /// The padding of the number of keys.
    pub key_count_padding: u8,
    /// The keys.
    pub keys: KeysPart,
}

/// The keys of a track, in file order.
///
/// Times are `f32` as in files. A writer of documents has them as `f64` until it writes them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum KeysPart<T = f32> {
    /// Values at a fixed interval.
    Raw {
        /// Seconds between two keys.
        interval: f32,
        /// The values.
        values: ValuesPart,
    },
    /// Values that each hold until the next.
    Discrete {
        /// Seconds.
        times: Vec<T>,
        /// The values.
        values: ValuesPart,
    },
    /// Keys with an interpolation to the next key each.
    Curve {
        /// Seconds.
        times: Vec<T>,
        /// The values.
        values: ValuesPart,
        /// The interpolations.
        interpolation: InterpolationPart,
        /// The tangents of all keys.
        tangents: Option<TangentsPart>,
        /// Bits of the flags that nothing else determines; usually 0.
        other_flags: u8,
    },
}

/// The interpolation bytes of a Curve track: 0 Hold, 1 Linear, 2 Tangent, 3 `CubicBezier`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterpolationPart {
    /// All keys share one.
    Shared(u8),
    /// Each key has its own.
    PerKey(Vec<u8>),
}

/// The tangents of a Curve track: two values of the kind of its keys for each key.
#[derive(Clone, Debug, PartialEq)]
pub struct TangentsPart {
    /// They shape the segment before each key.
    pub left: ValuesPart,
    /// They shape the segment after each key.
    pub right: ValuesPart,
}

/// A column of values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ValuesPart {
    /// Values of any kind, encoded as our writer encodes them.
    Values(Values),
    /// Values of `bool` to `bool4` with unused bits set: one byte each.
    Flags {
        /// The kind.
        kind: ValueKind,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Strings with invalid UTF-8 or an unusual encoding.
    Strings(Vec<StringPart>),
}

/// A string value of a track.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StringPart {
    /// The null byte: 0 for null; usually 1 for a string.
    pub not_null: u8,
    /// The string; empty for null.
    pub text: TextPart,
}

impl StringPart {
    pub(crate) fn borrow(&self) -> AnimxString<'_> {
        AnimxString { not_null: self.not_null, text: self.text.borrow() }
    }
}

impl<T> From<T> for ValuesPart
where
    Values: From<T>,
{
    fn from(column: T) -> Self {
        Self::Values(column.into())
    }
}

impl ValuesPart {
    /// Returns the kind of the values.
    pub const fn kind(&self) -> ValueKind {
        match self {
            Self::Values(values) => values.kind(),
            Self::Flags { kind, .. } => *kind,
            Self::Strings(_) => ValueKind::String,
        }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Flags { bytes, .. } => bytes.len(),
            Self::Strings(strings) => strings.len(),
        }
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keeps values of fixed size as values, or as bytes if values cannot represent them exactly.
    fn of_block(kind: ValueKind, block: &[u8], step: usize, at: usize, values: Values) -> Self {
        let spare = spare_bits(kind);
        let bytes = || block.chunks_exact(step.max(1)).filter_map(|chunk| chunk.get(at).copied());
        if spare != 0 && bytes().any(|byte| byte & spare != 0) {
            return Self::Flags { kind, bytes: bytes().collect() };
        }
        Self::Values(values)
    }

    /// Keeps strings as values, or with their encoding if it is unusual.
    fn of_strings<'a>(strings: impl Iterator<Item = AnimxString<'a>> + Clone) -> Self {
        let plain = |string: AnimxString<'a>| {
            string.not_null <= 1 && string.text.padding == 0 && string.text.is_utf8()
        };
        if strings.clone().all(plain) {
            let text = |string: AnimxString<'a>| {
                string.text().map(|text| core::str::from_utf8(text.bytes).unwrap_or_default())
            };
            return Self::Values(strings.map(text).collect::<Strings>().into());
        }
        let part = |string: AnimxString<'_>| StringPart {
            not_null: string.not_null,
            text: string.text.into(),
        };
        Self::Strings(strings.map(part).collect())
    }
}

impl AnimxFile<'_> {
    /// Returns the file as owned parts, including a copy of the section if it is compressed.
    pub fn into_parts(self) -> AnimxParts {
        let packed = match self.section {
            Section::Plain => PackedPart::Anew,
            Section::Unpacked(_) => PackedPart::Kept(self.packed_section().to_vec()),
            Section::Sealed => PackedPart::Sealed {
                track_count: self.header.track_count.value(),
                bytes: self.packed_section().to_vec(),
            },
        };
        AnimxParts {
            version: self.header.version,
            track_count_padding: self.header.track_count.padding(),
            global_duration: self.header.global_duration,
            name: self.name().into(),
            encoding: self.header.encoding,
            layout: self.layout,
            tracks: self.tracks().map(|track| track.to_part()).collect(),
            trailing: self.trailing().to_vec(),
            packed,
        }
    }
}

impl AnimxTrack<'_> {
    /// Returns the track as an owned part.
    pub fn to_part(&self) -> TrackPart {
        let (times, values) = self.part_columns();
        let keys = match self.track_type() {
            TrackType::Raw => {
                KeysPart::Raw { interval: self.interval().unwrap_or_default(), values }
            }
            TrackType::Discrete => KeysPart::Discrete { times, values },
            TrackType::Curve => {
                let flags = self.flags().unwrap_or_default();
                let interpolation = match (flags & PER_KEY, self.interpolations()) {
                    (0, [shared, ..]) => InterpolationPart::Shared(*shared),
                    (_, each) => InterpolationPart::PerKey(each.to_vec()),
                };
                KeysPart::Curve {
                    times,
                    values,
                    interpolation,
                    tangents: self.has_tangents().then(|| self.part_tangents()),
                    other_flags: flags & !(PER_KEY | TANGENTS),
                }
            }
        };
        TrackPart {
            node: self.node().into(),
            property: self.property().into(),
            key_count_padding: self.count().padding(),
            keys,
        }
    }

    fn part_columns(&self) -> (Vec<f32>, ValuesPart) {
        let (kind, block) = (self.kind(), self.key_block());
        let Some(step) = self.key_size() else {
            let strings = self.texts().map(|key| key.value);
            return (self.times().collect(), ValuesPart::of_strings(strings));
        };
        let at = self.time_at();
        let times = at.map(|at| decode_times(kind, block, at)).unwrap_or_default();
        let values = decode_values(kind, block, at, None);
        let from = if at == Some(TimeAt::Front) { 4 } else { 0 };
        (times, ValuesPart::of_block(kind, block, step, from, values))
    }

    fn part_tangents(&self) -> TangentsPart {
        let kind = self.kind();
        let (first, second) = if let Some(size) = kind.encoded_size() {
            let block = self.tangent_block();
            let (firsts, seconds) = decode_pairs(kind, block, None);
            let step = size.saturating_mul(2);
            (
                ValuesPart::of_block(kind, block, step, 0, firsts),
                ValuesPart::of_block(kind, block, step, size, seconds),
            )
        } else {
            let texts = || self.tangent_texts().map(|key| key.value);
            (
                ValuesPart::of_strings(texts().step_by(2)),
                ValuesPart::of_strings(texts().skip(1).step_by(2)),
            )
        };
        match self.layout().tangents {
            TangentOrder::LeftRight => TangentsPart { left: first, right: second },
            TangentOrder::RightLeft => TangentsPart { left: second, right: first },
        }
    }
}

/// Parts are equal if all numbers are equal bit for bit.
impl PartialEq for AnimxParts {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            version,
            track_count_padding,
            global_duration,
            name,
            encoding,
            layout,
            tracks,
            trailing,
            packed,
        } = self;
        (version, track_count_padding, encoding, layout)
            == (&other.version, &other.track_count_padding, &other.encoding, &other.layout)
            && global_duration.identical(&other.global_duration)
            && (name, trailing, packed) == (&other.name, &other.trailing, &other.packed)
            && *tracks == other.tracks
    }
}

/// Keys are equal if all numbers are equal bit for bit.
impl PartialEq for KeysPart {
    fn eq(&self, other: &Self) -> bool {
        let interval = |keys: &Self| match keys {
            Self::Raw { interval, .. } => Some(interval.to_bits()),
            _ => None,
        };
        interval(self) == interval(other)
            && self.track_type() == other.track_type()
            && self.times().identical(other.times())
            && self.values() == other.values()
            && self.curve() == other.curve()
    }
}

impl<T> KeysPart<T> {
    /// Returns the type of the track.
    pub const fn track_type(&self) -> TrackType {
        match self {
            Self::Raw { .. } => TrackType::Raw,
            Self::Discrete { .. } => TrackType::Discrete,
            Self::Curve { .. } => TrackType::Curve,
        }
    }

    /// Returns the values.
    pub const fn values(&self) -> &ValuesPart {
        match self {
            Self::Raw { values, .. }
            | Self::Discrete { values, .. }
            | Self::Curve { values, .. } => values,
        }
    }

    /// Returns the times in seconds; none for Raw keys.
    pub fn times(&self) -> &[T] {
        match self {
            Self::Raw { .. } => &[],
            Self::Discrete { times, .. } | Self::Curve { times, .. } => times,
        }
    }

    /// Returns the columns that only Curve keys have.
    const fn curve(&self) -> Option<(&InterpolationPart, Option<&TangentsPart>, u8)> {
        match self {
            Self::Curve { interpolation, tangents, other_flags, .. } => {
                Some((interpolation, tangents.as_ref(), *other_flags))
            }
            _ => None,
        }
    }
}
