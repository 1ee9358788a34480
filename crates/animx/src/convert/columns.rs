//! The keys of a track as columns.

use inbetween_core::{Interpolation, Interpolations, Strings, Tangents, ValueKind, Values};

use crate::track::{PER_KEY, TextKey};
use crate::wire::{decode_keys, decode_pairs, decode_values};
use crate::{AnimxTrack, TangentOrder};

/// Decodes the values of a track, and its times unless it is Raw.
pub(super) fn keys(track: &AnimxTrack<'_>) -> (Vec<f64>, Values) {
    let (kind, block) = (track.kind(), track.key_block());
    let mut times = Vec::new();
    let values = match (track.time_at(), kind.encoded_size()) {
        (None, Some(_)) => decode_values(kind, block),
        (Some(at), Some(_)) => decode_keys(kind, block, at, &mut times),
        (at, None) => {
            if at.is_some() {
                times.reserve_exact(track.len());
                times.extend(track.times().map(f64::from));
            }
            strings(track.texts()).into()
        }
    };
    (times, values)
}

/// Decodes the tangents of a Curve track that has some.
pub(super) fn tangents(track: &AnimxTrack<'_>) -> Option<Tangents> {
    if !track.has_tangents() {
        return None;
    }
    let (first, second) = match track.kind() {
        ValueKind::String => {
            let texts = || track.tangent_texts();
            (strings(texts().step_by(2)).into(), strings(texts().skip(1).step_by(2)).into())
        }
        kind => decode_pairs(kind, track.tangent_block()),
    };
    Some(match track.layout().tangents {
        TangentOrder::LeftRight => Tangents::Values { left: first, right: second },
        TangentOrder::RightLeft => Tangents::Values { left: second, right: first },
    })
}

/// Returns how many bytes texts take in a column.
pub(super) fn text_bytes<'a>(texts: impl Iterator<Item = TextKey<'a>>) -> usize {
    texts.map(|key| Strings::lossy_len(key.value.text.bytes)).fold(0, usize::saturating_add)
}

/// Fills a column that is as long as the texts, so that no memory is moved.
fn strings<'a>(texts: impl Iterator<Item = TextKey<'a>> + Clone) -> Strings {
    let mut column = Strings::with_capacity(texts.clone().count(), text_bytes(texts.clone()));
    for TextKey { value, .. } in texts {
        match value.text() {
            Some(text) => column.push_lossy(text.bytes),
            None => column.push(None),
        }
    }
    column.shrink_to_fit();
    column
}

/// The interpolations of a Curve track, and how many of them are unknown.
pub(super) fn interpolations(track: &AnimxTrack<'_>) -> (Interpolations, usize) {
    let bytes = track.interpolations();
    let unknown = bytes.iter().filter(|byte| interpolation(**byte).is_none()).count();
    let of = |byte: &u8| interpolation(*byte).unwrap_or_default();
    let first = bytes.first().map(of).unwrap_or_default();
    let per_key = track.flags().is_some_and(|flags| flags & PER_KEY != 0);
    if per_key && !bytes.iter().all(|byte| of(byte) == first) {
        return (Interpolations::PerKey(bytes.iter().map(of).collect()), unknown);
    }
    (Interpolations::Shared(first), unknown)
}

/// Returns the interpolation of a byte that is known.
pub(crate) const fn interpolation(byte: u8) -> Option<Interpolation> {
    match byte {
        0 => Some(Interpolation::Hold),
        1 => Some(Interpolation::Linear),
        2 => Some(Interpolation::Hermite),
        3 => Some(Interpolation::Bezier),
        _ => None,
    }
}

/// The way back from [`interpolation`].
pub(super) const fn interpolation_byte(interpolation: Interpolation) -> u8 {
    match interpolation {
        Interpolation::Linear => 1,
        Interpolation::Hermite => 2,
        Interpolation::Bezier => 3,
        _ => 0,
    }
}
