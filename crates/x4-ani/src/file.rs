//! The exact model: the bytes of an X4 .ANI file and the offsets of its keys.

use std::borrow::Cow;

use inbetween_core::{Record, View, num};

use crate::key::X4aniKey;
use crate::layout::Group;
use crate::name::X4aniName;

/// The header fields in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct X4aniHeader {
    /// The number of records.
    pub record_count: i32,
    /// The offset of the keys: 16 + 160 per record.
    pub key_offset: i32,
    /// 1.
    pub version: i32,
    /// 0 in all known files.
    pub padding: i32,
}

impl X4aniHeader {
    /// The size in bytes.
    pub const SIZE: usize = 16;
}

impl Record for X4aniHeader {
    type Layout = ();

    const SIZE: usize = Self::SIZE;

    fn load(bytes: &[u8], (): ()) -> Self {
        let [record_count, key_offset, version, padding] = Record::load(bytes, ());
        Self { record_count, key_offset, version, padding }
    }

    fn store(self, (): (), bytes: &mut [u8]) {
        [self.record_count, self.key_offset, self.version, self.padding].store((), bytes);
    }
}

/// The fields of a record table entry in file order.
#[derive(Clone, Copy, Debug, Default)]
pub struct X4aniRecordHead {
    /// The part that moves: `<part name="...">` of the component.
    pub part: X4aniName,
    /// The animation that the record belongs to: `<animation name="...">`.
    pub subname: X4aniName,
    /// The number of keys of each group, in the order of [`Group::ALL`].
    pub counts: [i32; 5],
    /// Seconds.
    pub duration: f32,
    /// 0 in all known files.
    pub padding: [i32; 2],
}

impl X4aniRecordHead {
    /// The size in bytes.
    pub const SIZE: usize = 160;

    /// The offset of the key counts.
    pub(crate) const COUNTS: usize = 128;
}

impl Record for X4aniRecordHead {
    type Layout = ();

    const SIZE: usize = Self::SIZE;

    fn load(bytes: &[u8], (): ()) -> Self {
        let ((part, subname), (counts, (duration, padding))) = Record::load(bytes, ());
        Self { part: X4aniName(part), subname: X4aniName(subname), counts, duration, padding }
    }

    #[inline]
    fn store(self, (): (), bytes: &mut [u8]) {
        let names = (self.part.0, self.subname.0);
        (names, (self.counts, (self.duration, self.padding))).store((), bytes);
    }
}

/// An X4 .ANI file: its bytes and the offsets of the keys of each record.
///
/// Keys are decoded on request. `to_bytes` returns the parsed bytes unchanged.
#[derive(Clone, Debug)]
pub struct X4aniFile<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) header: X4aniHeader,
    /// The offset of the keys of each record, and the end of the last ones.
    pub(crate) starts: Vec<usize>,
}

impl X4aniFile<'_> {
    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the header.
    pub const fn header(&self) -> &X4aniHeader {
        &self.header
    }

    /// Returns the number of records.
    pub fn record_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns a record, or `None` if the index is out of range.
    pub fn record(&self, index: usize) -> Option<X4aniRecord<'_>> {
        let keys_at = *self.starts.get(index)?;
        let end = *self.starts.get(index.checked_add(1)?)?;
        let head = self.bytes.get(head_offset(index)..)?;
        Some(X4aniRecord {
            head: X4aniRecordHead::decode(head, ())?,
            keys: self.bytes.get(keys_at..end)?,
            keys_at,
        })
    }

    /// Returns the records in file order.
    pub fn records(&self) -> impl Iterator<Item = X4aniRecord<'_>> {
        (0..self.record_count()).filter_map(|index| self.record(index))
    }

    /// Returns the index of the first record of a part and animation, case-insensitive in ASCII.
    pub fn find(&self, part: &str, subname: &str) -> Option<usize> {
        self.records().position(|record| {
            record.head.part.matches(part) && record.head.subname.matches(subname)
        })
    }

    /// Returns the bytes after the last key.
    pub fn trailing(&self) -> &[u8] {
        self.bytes.get(self.trailing_offset()..).unwrap_or_default()
    }

    /// Returns the offset of the end of the last key.
    pub(crate) fn trailing_offset(&self) -> usize {
        self.starts.last().copied().unwrap_or(self.bytes.len())
    }

    /// Copies the borrowed bytes, so that the file owns them.
    pub fn into_owned(self) -> X4aniFile<'static> {
        X4aniFile {
            bytes: Cow::Owned(self.bytes.into_owned()),
            header: self.header,
            starts: self.starts,
        }
    }
}

/// Returns the offset of a record table entry.
pub(crate) const fn head_offset(index: usize) -> usize {
    index.saturating_mul(X4aniRecordHead::SIZE).saturating_add(X4aniHeader::SIZE)
}

/// A record: one part in one animation, with its encoded keys.
#[derive(Clone, Copy, Debug)]
pub struct X4aniRecord<'a> {
    head: X4aniRecordHead,
    keys: &'a [u8],
    keys_at: usize,
}

impl<'a> X4aniRecord<'a> {
    /// Returns the table entry of the record.
    pub const fn head(&self) -> &X4aniRecordHead {
        &self.head
    }

    /// Returns the keys of a group.
    pub fn keys(&self, group: Group) -> View<'a, X4aniKey> {
        let start = self.start(group);
        let end = start.saturating_add(self.size(group));
        View::new(self.keys.get(start..end).unwrap_or_default(), ())
    }

    /// Returns whether no group has a key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the offset of a key of a group.
    pub(crate) fn key_offset(&self, group: Group, key: usize) -> usize {
        let within = key.saturating_mul(X4aniKey::SIZE).saturating_add(self.start(group));
        self.keys_at.saturating_add(within)
    }

    fn size(&self, group: Group) -> usize {
        // The reader rejects negative counts, and counts of keys that the file does not have.
        let count = self.head.counts.get(group.index()).copied().unwrap_or_default();
        let count = num::len_from_u64(u64::try_from(count).unwrap_or_default());
        count.saturating_mul(X4aniKey::SIZE)
    }

    fn start(&self, group: Group) -> usize {
        let before = Group::ALL.into_iter().take(group.index());
        before.map(|group| self.size(group)).fold(0, usize::saturating_add)
    }
}
