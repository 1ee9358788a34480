//! Reading the parts of a file.

use alloc::vec::Vec;

use crate::layout::NULL;
use crate::load_error::{LoadError, LoadErrorKind};
use crate::num::index;

/// Reads bytes from start to end.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
}

pub(crate) type Result<T, E = LoadError> = core::result::Result<T, E>;

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, length: bytes.len() }
    }

    /// Returns the number of bytes before those that are read next.
    pub(crate) const fn offset(&self) -> usize {
        self.length.saturating_sub(self.rest.len())
    }

    /// Returns the bytes that are not read yet.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) const fn error(&self, kind: LoadErrorKind) -> LoadError {
        LoadError { kind, offset: self.offset() }
    }

    pub(crate) fn expect(&self, holds: bool, expected: &'static str) -> Result<()> {
        if holds { Ok(()) } else { Err(self.error(LoadErrorKind::Invalid { expected })) }
    }

    pub(crate) const fn invalid(&self, expected: &'static str) -> LoadError {
        self.error(LoadErrorKind::Invalid { expected })
    }

    const fn end(&self, needed: usize) -> LoadError {
        self.error(LoadErrorKind::End { needed })
    }

    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let split = self.rest.split_at_checked(count);
        let (bytes, rest) = split.ok_or_else(|| self.end(count))?;
        self.rest = rest;
        Ok(bytes)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let split = self.rest.split_first_chunk::<N>();
        let (bytes, rest) = split.ok_or_else(|| self.end(N))?;
        self.rest = rest;
        Ok(*bytes)
    }

    pub(crate) fn byte(&mut self) -> Result<u8> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Takes `count` items of `N` bytes.
    pub(crate) fn block<const N: usize>(&mut self, count: usize) -> Result<&'a [[u8; N]]> {
        let (items, _) = self.take(count.saturating_mul(N))?.as_chunks::<N>();
        Ok(items)
    }

    /// Reads a count and as many items, each of at least `size` bytes: the memory for them grows
    /// with the bytes that are there, not with the count.
    pub(crate) fn list<T>(
        &mut self,
        size: usize,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = index(self.u32()?);
        let most = self.rest.len().checked_div(size).unwrap_or(0);
        let mut items = Vec::with_capacity(count.min(most));
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads items like [`list`](Self::list), but keeps only where they are.
    pub(crate) fn skip(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<List<'a>> {
        let count = self.u32()?;
        let list = List { count, items: *self };
        for _ in 0..count {
            item(self)?;
        }
        Ok(list)
    }

    pub(crate) fn string(&mut self) -> Result<Option<&'a str>> {
        let length = self.u32()?;
        if length == NULL {
            return Ok(None);
        }
        let start = self.invalid("UTF-8");
        let bytes = self.take(index(length))?;
        core::str::from_utf8(bytes).map(Some).map_err(|_| start)
    }

    pub(crate) fn finite(&mut self) -> Result<f64> {
        let value = f64::from_le_bytes(self.array()?);
        self.expect(value.is_finite(), "a finite number")?;
        Ok(value)
    }
}

/// A list of the file whose items were read once, so that reading them again never fails.
#[derive(Clone, Copy)]
pub(crate) struct List<'a> {
    count: u32,
    items: Reader<'a>,
}

impl<'a> List<'a> {
    /// Returns the number of items, each of at least one byte of the file.
    pub(crate) fn len(&self) -> usize {
        index(self.count)
    }

    /// Reads the items again.
    pub(crate) fn read<T>(
        &self,
        mut item: impl FnMut(&mut Reader<'a>) -> Result<T>,
    ) -> impl Iterator<Item = T> {
        let mut reader = self.items;
        (0..self.count).map_while(move |_| item(&mut reader).ok())
    }
}
