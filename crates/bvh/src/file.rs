//! The exact model: the bytes of a file, and an index of its tracks.

use std::borrow::Cow;

use inbetween_core::{Property, Quat, ValueKind, Values};

/// A Bvh file: its bytes, and where its tracks are. Keys are decoded on request.
#[derive(Clone, Debug)]
pub struct BvhFile<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) header: BvhHeader,
    pub(crate) tracks: Vec<Entry>,
    /// The offset of the bytes after the last track.
    pub(crate) trailing: usize,
}

/// The fields of the header that do not follow from the tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BvhHeader {
    /// 0, or a number of unknown meaning.
    pub reserved: u16,
    /// Frames per second.
    pub frame_rate: f32,
    /// Seconds.
    pub duration: f64,
}

impl Default for BvhHeader {
    fn default() -> Self {
        Self { reserved: 0, frame_rate: 30.0, duration: 0.0 }
    }
}

/// The offsets of the name of a track and of the channel after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) name: usize,
    pub(crate) channel: usize,
}

/// The property that a track animates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Vectors x y z, code 0.
    #[default]
    Translation,
    /// Quaternions x y z w, code 1.
    Rotation,
    /// Vectors x y z, code 2.
    Scale,
}

impl Channel {
    /// All channels, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Translation, Self::Rotation, Self::Scale];

    /// Returns the channel with a code, or `None` for an unknown code.
    pub fn of_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.code() == code)
    }

    /// Returns the code of the channel in a file.
    pub const fn code(self) -> u8 {
        match self {
            Self::Translation => 0,
            Self::Rotation => 1,
            Self::Scale => 2,
        }
    }

    /// Returns the channel of a property, or `None` if the format does not store the property.
    pub(crate) const fn of_property(property: &Property) -> Option<Self> {
        match property {
            Property::Translation => Some(Self::Translation),
            Property::Rotation => Some(Self::Rotation),
            Property::Scale => Some(Self::Scale),
            _ => None,
        }
    }

    /// Returns the property in the common model.
    pub(crate) const fn property(self) -> Property {
        match self {
            Self::Translation => Property::Translation,
            Self::Rotation => Property::Rotation,
            Self::Scale => Property::Scale,
        }
    }

    /// Returns the kind of the values.
    pub const fn kind(self) -> ValueKind {
        match self {
            Self::Translation | Self::Scale => ValueKind::Float3,
            Self::Rotation => ValueKind::FloatQ,
        }
    }

    /// Returns the size of a key in bytes: a frame, and three or four numbers.
    pub(crate) const fn key_size(self) -> usize {
        match self {
            Self::Translation | Self::Scale => 16,
            Self::Rotation => 20,
        }
    }
}

impl BvhFile<'_> {
    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the header.
    pub const fn header(&self) -> &BvhHeader {
        &self.header
    }

    /// Returns the tracks in file order.
    pub fn tracks(&self) -> impl ExactSizeIterator<Item = BvhTrack<'_>> {
        self.tracks.iter().map(|entry| {
            let from = |offset: usize| self.bytes.get(offset..).unwrap_or_default();
            let (name, head) = (from(entry.name), from(entry.channel));
            let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
            let (code, rest) = head.split_first().unwrap_or((&0, &[]));
            let (count, keys) = rest.split_first_chunk().unwrap_or((&[0; 4], &[]));
            // The reader has checked the name, the code and the count.
            let channel = Channel::of_code(*code).unwrap_or_default();
            let count = usize::try_from(u32::from_le_bytes(*count)).unwrap_or(usize::MAX);
            let size = count.saturating_mul(channel.key_size());
            BvhTrack {
                name: str::from_utf8(name).unwrap_or_default(),
                channel,
                keys: keys.get(..size).unwrap_or_default(),
                offset: entry.channel,
            }
        })
    }

    /// Returns the bytes after the last track.
    pub fn trailing(&self) -> &[u8] {
        self.bytes.get(self.trailing..).unwrap_or_default()
    }
}

/// A track of a file, with its encoded keys.
#[derive(Clone, Copy, Debug)]
pub struct BvhTrack<'a> {
    name: &'a str,
    channel: Channel,
    keys: &'a [u8],
    offset: usize,
}

impl<'a> BvhTrack<'a> {
    /// Returns the name of the node.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the channel.
    pub const fn channel(&self) -> Channel {
        self.channel
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.keys.len().checked_div(self.channel.key_size()).unwrap_or(0)
    }

    /// Returns whether the track has no keys.
    pub const fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the frame of a key, or `None` if the index is out of range.
    pub fn frame(&self, key: usize) -> Option<u32> {
        self.key(key)?.first_chunk().copied().map(u32::from_le_bytes)
    }

    /// Returns the frames of all keys in file order.
    pub fn frames(&self) -> impl Iterator<Item = u32> + use<'a> {
        let keys = self.keys.chunks_exact(self.channel.key_size());
        keys.filter_map(|key| key.first_chunk().copied().map(u32::from_le_bytes))
    }

    /// Decodes the values of all keys, or of those at `indices` in their order.
    pub fn values(&self, indices: Option<&[usize]>) -> Values {
        match self.channel {
            Channel::Translation | Channel::Scale => self.column(indices, numbers::<3>).into(),
            Channel::Rotation => {
                self.column(indices, |key| Quat::from_array(numbers::<4>(key))).into()
            }
        }
    }

    /// Decodes the keys in file order: their frames, and the first `N` numbers of their values.
    #[cfg(feature = "text")]
    pub(crate) fn keys<const N: usize>(
        &self,
    ) -> impl Iterator<Item = (u32, [f32; N])> + use<'a, N> {
        let keys = self.keys.chunks_exact(self.channel.key_size());
        self.frames().zip(keys.map(numbers))
    }

    /// Returns the offset of the channel.
    pub(crate) const fn offset(&self) -> usize {
        self.offset
    }

    fn key(&self, key: usize) -> Option<&'a [u8]> {
        let size = self.channel.key_size();
        let start = key.checked_mul(size)?;
        self.keys.get(start..)?.get(..size)
    }

    fn column<T>(&self, indices: Option<&[usize]>, value: impl Fn(&[u8]) -> T) -> Vec<T> {
        let Some(indices) = indices else {
            return self.keys.chunks_exact(self.channel.key_size()).map(value).collect();
        };
        let mut column = Vec::with_capacity(indices.len());
        column.extend(indices.iter().filter_map(|index| self.key(*index)).map(value));
        column
    }
}

/// Decodes the numbers after the frame of a key.
fn numbers<const N: usize>(key: &[u8]) -> [f32; N] {
    let (encoded, _) = key.get(4..).unwrap_or_default().as_chunks();
    let mut numbers = [0.0; N];
    for (number, bytes) in numbers.iter_mut().zip(encoded) {
        *number = f32::from_le_bytes(*bytes);
    }
    numbers
}
