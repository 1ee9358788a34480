//! Bytes -> clips. Nothing in the bytes is trusted.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::clip::{Clip, ClipHead, Identity, Keys};
use crate::load_error::LoadError;
use crate::num::index;
use crate::rows::{KeySet, Lanes, ROWS, Word};
use crate::stored::{StoredClip, StoredSet, parse};
use crate::times::{TimeBase, Timeline};

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
    parse(bytes)?.iter().map(StoredClip::load).collect()
}

impl StoredClip<'_> {
    /// Reads and checks the times and values.
    pub(crate) fn load(&self) -> Result<Clip, LoadError> {
        let ClipHead { name, duration, looping, base, states_rate } = self.head;
        let mut sets: Vec<KeySet> =
            self.sets.iter().map(|set| set.load(base)).collect::<Result<_, _>>()?;
        let nodes = self.nodes.iter().map(|node| node.map(Box::from)).collect();
        let mut tracks = Vec::with_capacity(self.track_count());
        for track in self.tracks() {
            if let Keys::Sampled(column) = &track.keys
                && let Some(set) = sets.get_mut(index(column.set))
            {
                set.lanes.add(column, track.width.into());
            }
            tracks.push(track.into());
        }
        let (identity, name) = (Identity::new(), name.map(Box::from));
        Ok(Clip { identity, name, duration, looping, base, states_rate, nodes, sets, tracks })
    }
}

impl StoredSet<'_> {
    /// Returns the set without its lanes, or an error at the first time or value that the builder
    /// never makes.
    fn load(&self, base: TimeBase) -> Result<KeySet, LoadError> {
        let timeline = Timeline::new(self.times()?, base);
        let mut words = Vec::with_capacity(self.rows.len());
        for block in self.rows.chunks(self.layout.words_of(ROWS)) {
            let before = words.len();
            words.extend(block.iter().map(|word| word.get()));
            self.check(before, words.get(before..).unwrap_or_default())?;
        }
        Ok(KeySet { timeline, layout: self.layout, lanes: Lanes::default(), words })
    }
}
