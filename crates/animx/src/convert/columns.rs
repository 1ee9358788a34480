//! Decodes the keys of a track into columns.

use inbetween_core::keys::{KeyOrder, column};
use inbetween_core::{Interpolations, Strings, Tangents, ValueKind, Values};

use crate::layout::{PER_KEY, TangentOrder, interpolation};
use crate::strings::{TextIndex, TextKey, TextSurvey, Texts};
use crate::track::AnimxTrack;
use crate::wire::{self, decode_pairs, decode_times, decode_values};

/// Finds the order of the keys of a track by time; keys of Raw tracks are always in order.
pub(super) fn order(track: &AnimxTrack<'_>) -> KeyOrder {
    let (kind, block) = (track.kind(), track.key_block());
    if let (Some(at), Some(_)) = (track.time_at(), kind.encoded_size()) {
        let fixed = wire::times(kind, block, at);
        let times = decode_times(kind, block, at);
        return KeyOrder::of(times, |index| seconds(fixed.get(index)));
    }
    // Finding the time of a string again is slow, so the times are kept; strings need far more
    // memory.
    let mut times = Vec::with_capacity(track.len());
    times.extend(track.texts().filter_map(|key| key.time).map(f64::from));
    KeyOrder::of_times(times)
}

/// Returns the sorted times of a track.
pub(super) fn times(track: &AnimxTrack<'_>, order: KeyOrder) -> Vec<f64> {
    if let KeyOrder::AsIs { times } = order {
        return times;
    }
    if let Some(fixed) = track.fixed_times() {
        return order.into_times(|index| seconds(fixed.get(index)));
    }
    let texts = order.indices().map(|_| TextIndex::new(track.texts()));
    order.into_times(|index| seconds(texts.as_ref().and_then(|texts| texts.get(index)?.time)))
}

/// Returns a time that is known to exist.
fn seconds(time: Option<f32>) -> f64 {
    time.map_or(f64::NAN, f64::from)
}

/// Decodes the values of all keys of a track, or of those at `indices`. `known` is what is known of
/// its strings.
pub(super) fn values(
    track: &AnimxTrack<'_>,
    indices: Option<&[usize]>,
    known: TextSurvey,
) -> Values {
    match track.kind() {
        ValueKind::String => strings(track.texts(), (0, 1), indices, known).into(),
        kind => decode_values(kind, track.key_block(), track.time_at(), indices),
    }
}

/// Decodes the tangents of a Curve track that has tangents, of all keys or of those at `indices`.
pub(super) fn tangents(
    track: &AnimxTrack<'_>,
    indices: Option<&[usize]>,
    known: TextSurvey,
) -> Option<Tangents> {
    if !track.has_tangents() {
        return None;
    }
    let (first, second) = match track.kind() {
        ValueKind::String => {
            let texts = || track.tangent_texts();
            let side = |first: usize| strings(texts(), (first, 2), indices, known).into();
            (side(0), side(1))
        }
        kind => decode_pairs(kind, track.tangent_block(), indices),
    };
    Some(match track.layout().tangents {
        TangentOrder::LeftRight => Tangents::Values { left: first, right: second },
        TangentOrder::RightLeft => Tangents::Values { left: second, right: first },
    })
}

/// Makes a column of every `step`th string from index `first`: of all keys, or of those at
/// `indices`.
fn strings(
    texts: Texts<'_>,
    (first, step): (usize, usize),
    indices: Option<&[usize]>,
    known: TextSurvey,
) -> Strings {
    let Some(indices) = indices else {
        return if step == 1 {
            fill(texts, known)
        } else {
            fill(texts.skip(first).step_by(step), known)
        };
    };
    let texts = TextIndex::new(texts);
    let number = |index: usize| index.saturating_mul(step).saturating_add(first);
    fill(indices.iter().filter_map(|index| texts.get(number(*index))), known)
}

/// Fills a column: at once, unless strings are null or must be changed.
fn fill<'a>(texts: impl Iterator<Item = TextKey<'a>> + Clone, known: TextSurvey) -> Strings {
    let pooled = if known.invalid || known.nulls > 0 { None } else { pool(texts.clone()) };
    pooled.unwrap_or_else(|| push_each(texts, known))
}

/// Makes a column without nulls; `None` if the strings are not UTF-8.
fn pool<'a>(texts: impl Iterator<Item = TextKey<'a>> + Clone) -> Option<Strings> {
    let texts = texts.map(|key| key.value.text.bytes);
    let size = |(keys, bytes): (usize, usize), text: &[u8]| {
        (keys.saturating_add(1), bytes.saturating_add(text.len()))
    };
    let (keys, bytes) = texts.clone().fold((0, 0), size);
    let (mut pool, mut ends) = (Vec::with_capacity(bytes), Vec::with_capacity(keys));
    for text in texts {
        pool.extend_from_slice(text);
        ends.push(pool.len());
    }
    Strings::from_pool(pool, ends)
}

/// Fills a column string by string. It is reserved for all of them, so no memory is moved.
fn push_each<'a>(texts: impl Iterator<Item = TextKey<'a>> + Clone, known: TextSurvey) -> Strings {
    let (keys, bytes) = texts.clone().fold((0_usize, 0_usize), |(keys, bytes), key| {
        let text = key.value.text.bytes;
        let length = if known.invalid { Strings::lossy_len(text) } else { text.len() };
        (keys.saturating_add(1), bytes.saturating_add(length))
    });
    let mut column = Strings::with_capacity(keys, bytes);
    for TextKey { value, .. } in texts {
        match value.text() {
            Some(text) => column.push_lossy(text.bytes),
            None => column.push(None),
        }
    }
    column.shrink_to_fit();
    column
}

/// Returns the interpolations of a Curve track, of all keys or of those at `indices`, and the
/// number of unknown ones among all keys.
pub(super) fn interpolations(
    track: &AnimxTrack<'_>,
    indices: Option<&[usize]>,
) -> (Interpolations, usize) {
    let bytes = track.interpolations();
    let unknown = bytes.iter().filter(|byte| interpolation(**byte).is_none()).count();
    let of = |byte: &u8| interpolation(*byte).unwrap_or_default();
    let first = bytes.first().map(of).unwrap_or_default();
    let per_key = track.flags().is_some_and(|flags| flags & PER_KEY != 0);
    if per_key && !bytes.iter().all(|byte| of(byte) == first) {
        return (Interpolations::PerKey(column(bytes, indices, of)), unknown);
    }
    (Interpolations::Shared(first), unknown)
}

#[cfg(test)]
mod tests {
    use crate::AnimxString;

    use super::*;

    #[test]
    fn strings_filled_at_once_equal_those_pushed_one_by_one() {
        let texts = ["", "a", "", "\u{e9}\u{1f600}", "line 5"];
        let keys = texts.map(|text| TextKey { at: 0, time: None, value: AnimxString::from(text) });
        for count in 0..=keys.len() {
            let keys = || keys.into_iter().take(count);
            let pushed = push_each(keys(), TextSurvey::new(keys()));
            assert_eq!(pool(keys()), Some(pushed.clone()));
            assert_eq!(fill(keys(), TextSurvey::new(keys())), pushed);
        }
    }

    #[test]
    fn a_null_is_not_filled_as_an_empty_string() {
        let null = TextKey { at: 0, time: None, value: AnimxString::default() };
        let column = fill([null].into_iter(), TextSurvey::new([null].into_iter()));
        assert_eq!(column.get(0), Some(None));
    }
}
