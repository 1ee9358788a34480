//! Pooled string columns.

use crate::memory::OutOfMemory;
use crate::{Text, grow};

/// A column of strings in one pool; null differs from the empty string.
///
/// Invariants:
/// 1. `bytes` is the concatenation of all values; `ends[i]` is the end of value `i`.
/// 2. `ends` never decreases, and its last entry is `bytes.len()`.
/// 3. `nulls` is empty (no value is null) or has one entry per value; a null value is empty in the
///    pool.
///
/// For example, `"hi"`, null and `"you"`:
///
/// ```text
/// bytes  h i y o u ends   2 2 5 nulls  false true false
/// ```
///
/// # Examples
///
/// ```
/// use inbetween_core::Strings;
///
/// let mut strings = Strings::default();
/// strings.push(Some("hi"));
/// strings.push(None);
/// assert_eq!(strings.get(0), Some(Some("hi")));
/// assert_eq!(strings.get(1), Some(None));
/// assert_eq!(strings.get(2), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strings {
    bytes: String,
    ends: Vec<usize>,
    nulls: Vec<bool>,
}

impl Strings {
    /// Returns an empty column with capacity for `values` strings of `bytes` bytes in total.
    pub fn with_capacity(values: usize, bytes: usize) -> Self {
        Self {
            bytes: String::with_capacity(bytes),
            ends: Vec::with_capacity(values),
            nulls: Vec::new(),
        }
    }

    /// Creates a column without nulls from the concatenation of its texts and the end of each, or
    /// returns `None` if that is not UTF-8 or an end is not at the end of a text.
    ///
    /// Checking all texts at once is many times as fast as pushing short ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::Strings;
    ///
    /// let strings = Strings::from_pool(b"hiyou".to_vec(), vec![2, 2, 5]).ok_or("not UTF-8")?;
    /// assert!(strings.iter().eq([Some("hi"), Some(""), Some("you")]));
    /// assert_eq!(Strings::from_pool(b"hiyou".to_vec(), vec![2]), None);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn from_pool(bytes: Vec<u8>, ends: Vec<usize>) -> Option<Self> {
        let bytes = String::from_utf8(bytes).ok()?;
        let covered = ends.last().copied().unwrap_or_default() == bytes.len();
        let texts = ends.is_sorted() && ends.iter().all(|&end| bytes.is_char_boundary(end));
        (covered && texts).then_some(Self { bytes, ends, nulls: Vec::new() })
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the column has no values.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Like [`push`](Self::push), but returns an error if memory runs out. For every string whose
    /// length comes from a file.
    ///
    /// # Errors
    ///
    /// If the system cannot provide the memory.
    pub fn try_push(&mut self, value: Option<&str>) -> Result<(), OutOfMemory> {
        let text = value.unwrap_or_default();
        grow::try_text(&mut self.bytes, text.len())?;
        grow::try_column(&mut self.ends, 1)?;
        if value.is_none() || !self.nulls.is_empty() {
            let missing = self.ends.len().saturating_sub(self.nulls.len());
            grow::try_column(&mut self.nulls, missing + 1)?;
            self.nulls.resize(self.ends.len(), false);
            self.nulls.push(value.is_none());
        }
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        Ok(())
    }

    /// Appends a value; `None` is null.
    pub fn push(&mut self, value: Option<&str>) {
        if value.is_none() && self.nulls.is_empty() {
            grow::column(&mut self.nulls, self.ends.len());
            self.nulls.resize(self.ends.len(), false);
        }
        let text = value.unwrap_or_default();
        grow::text(&mut self.bytes, text.len());
        self.bytes.push_str(text);
        self.end_value(value.is_none());
    }

    /// Ends the value whose text is at the end of the pool.
    fn end_value(&mut self, null: bool) {
        grow::column(&mut self.ends, 1);
        self.ends.push(self.bytes.len());
        if null || !self.nulls.is_empty() {
            grow::column(&mut self.nulls, 1);
            self.nulls.push(null);
        }
    }

    /// Appends bytes that may not be UTF-8; U+FFFD replaces each invalid part.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::Strings;
    ///
    /// let mut strings = Strings::default();
    /// strings.push_lossy(b"a\xffb");
    /// assert_eq!(strings.get(0), Some(Some("a\u{fffd}b")));
    /// assert_eq!(Strings::lossy_len(b"a\xffb"), 5);
    /// ```
    pub fn push_lossy(&mut self, value: &[u8]) {
        if let Ok(text) = core::str::from_utf8(value) {
            self.push(Some(text));
            return;
        }
        grow::text(&mut self.bytes, Self::lossy_len(value));
        for chunk in value.utf8_chunks() {
            self.bytes.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                self.bytes.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.end_value(false);
    }

    /// Returns how many bytes [`push_lossy`](Self::push_lossy) appends to the pool.
    pub fn lossy_len(value: &[u8]) -> usize {
        if core::str::from_utf8(value).is_ok() {
            return value.len();
        }
        let replaced = char::REPLACEMENT_CHARACTER.len_utf8();
        let chunks = value.utf8_chunks().map(|chunk| {
            let invalid = if chunk.invalid().is_empty() { 0 } else { replaced };
            chunk.valid().len().saturating_add(invalid)
        });
        chunks.fold(0, usize::saturating_add)
    }

    /// Returns value `index`: `None` past the end, `Some(None)` for null.
    pub fn get(&self, index: usize) -> Option<Option<&str>> {
        let end = *self.ends.get(index)?;
        if self.nulls.get(index).copied().unwrap_or(false) {
            return Some(None);
        }
        let start = match index.checked_sub(1) {
            Some(previous) => *self.ends.get(previous)?,
            None => 0,
        };
        Some(self.bytes.get(start..end))
    }

    /// Returns the values in order; `None` is null.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        let mut start = 0;
        self.ends.iter().enumerate().map(move |(index, &end)| {
            let text = self.bytes.get(core::mem::replace(&mut start, end)..end);
            text.filter(|_| !self.nulls.get(index).copied().unwrap_or(false))
        })
    }

    /// Returns whether any value is null.
    pub fn has_nulls(&self) -> bool {
        self.nulls.contains(&true)
    }

    /// Returns how many bytes of memory the column holds.
    pub fn heap_bytes(&self) -> usize {
        let ends = self.ends.len() * size_of::<usize>();
        self.bytes.len() + ends + self.nulls.len()
    }

    /// Releases memory that the column does not need.
    pub fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.nulls.shrink_to_fit();
    }
}

impl<'a> FromIterator<Option<&'a str>> for Strings {
    fn from_iter<I: IntoIterator<Item = Option<&'a str>>>(values: I) -> Self {
        let mut strings = Self::default();
        for value in values {
            strings.push(value);
        }
        strings
    }
}

impl FromIterator<Option<Text>> for Strings {
    fn from_iter<I: IntoIterator<Item = Option<Text>>>(values: I) -> Self {
        let mut strings = Self::default();
        for value in values {
            strings.push(value.as_deref());
        }
        strings
    }
}

#[cfg(test)]
mod tests {
    use super::Strings;

    #[test]
    fn a_pool_is_divided_only_between_characters_and_in_order() {
        let of = |ends: &[usize]| Strings::from_pool("aé".into(), ends.to_vec());
        assert_eq!(of(&[1, 3]), Some([Some("a"), Some("é")].into_iter().collect()));
        for ends in [&[2, 3][..], &[3, 1, 3], &[1, 3, 4], &[1], &[]] {
            assert_eq!(of(ends), None, "{ends:?}");
        }
        assert_eq!(Strings::from_pool(vec![0xff], vec![1]), None);
        assert_eq!(Strings::from_pool(Vec::new(), Vec::new()), Some(Strings::default()));
    }

    #[test]
    fn both_ways_to_append_a_value_agree() {
        let values = [Some("a"), None, Some(""), Some("b"), None];
        for count in 0..=values.len() {
            let mut strings = Strings::default();
            for value in &values[..count] {
                strings.try_push(*value).unwrap();
            }
            assert_eq!(strings, values[..count].iter().copied().collect::<Strings>());
        }
    }

    #[test]
    fn null_differs_from_empty() {
        let nulls: Strings = [Some("a"), None, Some("")].into_iter().collect();
        let empties: Strings = [Some("a"), Some(""), Some("")].into_iter().collect();
        assert_ne!(nulls, empties);
        assert_eq!(nulls.iter().collect::<Vec<_>>(), [Some("a"), None, Some("")]);
        assert!(nulls.has_nulls() && !empties.has_nulls());
    }
}
