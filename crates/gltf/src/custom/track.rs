//! Tracks that are not stored as channels, and merging them into the others.

use inbetween_core::Track;

/// A track that is not stored as a channel.
#[derive(Debug)]
pub(crate) struct CustomTrack<T = Track> {
    /// The index of the track among all tracks of the clip.
    pub(crate) index: usize,
    pub(crate) track: T,
}

/// Merges tracks into others: each is inserted at its index, or at the end if there are fewer.
pub(crate) fn merge<T>(others: Vec<T>, mut customs: Vec<CustomTrack<T>>) -> Vec<T> {
    customs.sort_by_key(|custom| custom.index);
    let mut merged = Vec::with_capacity(others.len().saturating_add(customs.len()));
    let mut customs = customs.into_iter().peekable();
    for other in others {
        while let Some(custom) = customs.next_if(|custom| custom.index <= merged.len()) {
            merged.push(custom.track);
        }
        merged.push(other);
    }
    merged.extend(customs.map(|custom| custom.track));
    merged
}
