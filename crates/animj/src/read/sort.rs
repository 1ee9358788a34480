//! Sorts unsorted keys with an edit.

use std::borrow::Cow;
use std::cmp::Ordering;

use inbetween_core::{Edit, codes as shared};

use super::Reader;
use inbetween_core::json::Mark;

/// The range of a key.
type Span = (usize, usize);

impl<'t> Reader<'t> {
    /// Offers to sort the keys of the list that starts at `list`, if all have a time and they are
    /// unsorted.
    ///
    /// The texts of the keys are permuted, and the text between them stays. It is a single edit, so
    /// it is applied completely or not at all, regardless of other edits within keys.
    pub(super) fn sort_keys(&mut self, list: Mark<'t>, times: &[f32], keys: usize) {
        if !self.checks() || !self.checks.are_unsorted() || times.len() != keys {
            return;
        }
        let Some(spans) = self.spans(list, keys) else { return };
        if let Some(edit) = self.sorting(&spans, &sorted(times)) {
            self.notes.fix(shared::KEYS_UNSORTED, "sort the keys by time", vec![edit]);
        }
    }

    /// Returns the ranges of `keys` items of a list.
    fn spans(&mut self, list: Mark<'t>, keys: usize) -> Option<Vec<Span>> {
        self.json.look_at(list, |json| {
            let mut spans = Vec::with_capacity(keys);
            let mut first = true;
            json.begin_array("an array of keyframes").ok()?;
            while json.next_item(&mut first).ok()? {
                let start = json.offset();
                json.skip_value().ok()?;
                spans.push((start, json.offset()));
            }
            (spans.len() == keys).then_some(spans)
        })
    }

    /// Returns the edit that permutes the keys, from the first key that moves to the last one.
    fn sorting(&self, spans: &[Span], order: &[usize]) -> Option<Edit> {
        let moves = |(place, key): (usize, &usize)| place != *key;
        let first = order.iter().enumerate().position(moves)?;
        let kept = order.iter().enumerate().rev().take_while(|(place, key)| place == *key).count();
        let end = order.len().checked_sub(kept)?;
        let (places, order) = (spans.get(first..end)?, order.get(first..end)?);
        let (start, end) = (places.first()?.0, places.last()?.1);
        let mut text = String::with_capacity(end.saturating_sub(start));
        let mut copied = start;
        for (place, key) in places.iter().zip(order) {
            let key = spans.get(*key)?;
            text.push_str(self.json.slice(copied, place.0));
            text.push_str(self.json.slice(key.0, key.1));
            copied = place.1;
        }
        Some(Edit { start, end, replacement: Cow::Owned(text.into_bytes()) })
    }
}

/// Returns the indices of times in sorted order; equal times keep their order.
fn sorted(times: &[f32]) -> Vec<usize> {
    let mut keys: Vec<(usize, f32)> = times.iter().copied().enumerate().collect();
    // Times from a text are never NaN.
    keys.sort_by(|a, b| a.1.partial_cmp(&b.1).unwrap_or(Ordering::Equal));
    keys.into_iter().map(|(key, _)| key).collect()
}
