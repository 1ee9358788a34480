//! The offsets of the nodes of a file, and their nesting.

use inbetween_core::num;

use crate::layout::NodeId;

/// The parent of a top-level node.
pub(crate) const NONE: u32 = u32::MAX;

/// A node: 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The lower bits of the offset of the head of the node.
    low: u32,
    /// Its next 16 bits. 48 bits are enough for the memory of any system, and leave room for the kind.
    high: u16,
    pub(crate) kind: Kind,
    /// The index of the parent, or [`NONE`].
    pub(crate) parent: u32,
    /// The index of the first node after this one and its descendants. While the node is read, it
    /// is the number of children still to read, so that reading needs no stack.
    pub(crate) next: u32,
}

const _: () = assert!(size_of::<Entry>() <= 16);

impl Entry {
    pub(crate) fn new(offset: usize, kind: Kind, parent: u32, next: u32) -> Self {
        let offset = num::u64_from_len(offset);
        let low = u32::try_from(offset & u64::from(u32::MAX)).unwrap_or(u32::MAX);
        let high = u16::try_from(offset >> u32::BITS).unwrap_or(u16::MAX);
        Self { low, high, kind, parent, next }
    }

    /// Returns the offset of the head of the node.
    pub(crate) fn offset(&self) -> usize {
        num::len_from_u64(u64::from(self.low) | u64::from(self.high) << u32::BITS)
    }
}

/// What the index knows about a node. Most nodes are curves, and with this a search for other nodes
/// reads none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Other,
    Curve,
    /// A curve whose head and properties are kept by documents, if it is in an animation. It has the
    /// hash that official programs write, and at least three properties, all of which the
    /// specification names, each once.
    UsualCurve,
}

/// The number of entries in a full chunk.
const CHUNK: usize = 1024;

/// The nodes of a file in depth-first order.
///
/// A file does not state its number of nodes. A growing `Vec` would hold three times its content,
/// so the entries are stored in chunks that never move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    chunks: Vec<Vec<Entry>>,
    /// A bit for each id of [`NodeId::KNOWN`] that a node has, except for curves; the highest bit
    /// stands for all other ids.
    ids: u32,
}

/// Returns the bit of an id.
fn bit(id: NodeId) -> u32 {
    let known = NodeId::KNOWN.iter().zip(0..).find(|(known, _)| **known == id);
    1 << known.map_or(u32::BITS.saturating_sub(1), |(_, place)| place)
}

impl Index {
    pub(crate) fn len(&self) -> usize {
        let full = self.chunks.len().saturating_sub(1).saturating_mul(CHUNK);
        full.saturating_add(self.chunks.last().map_or(0, Vec::len))
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Entry> {
        self.chunks.get(index / CHUNK)?.get(index % CHUNK)
    }

    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut Entry> {
        let index = usize::try_from(index).ok()?;
        self.chunks.get_mut(index / CHUNK)?.get_mut(index % CHUNK)
    }

    /// Removes the nodes from an index on. It may still say that a node may have one of their ids.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.chunks.truncate(length.div_ceil(CHUNK));
        let full = self.chunks.len().saturating_sub(1).saturating_mul(CHUNK);
        if let Some(last) = self.chunks.last_mut() {
            last.truncate(length.saturating_sub(full));
        }
    }

    /// Returns whether a node may have an id.
    pub(crate) fn may_have(&self, id: NodeId) -> bool {
        id == NodeId::CURVE || self.ids & bit(id) != 0
    }

    pub(crate) fn push(&mut self, id: NodeId, entry: Entry) {
        if entry.kind == Kind::Other {
            self.ids |= bit(id);
        }
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(entry),
            // The first chunk grows with its content, since most files have few nodes.
            None => self.chunks.push(vec![entry]),
            Some(_) => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(entry);
                self.chunks.push(chunk);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_across_chunks() {
        let mut index = Index::default();
        assert_eq!(index.len(), 0);
        for offset in 0..3000 {
            index.push(NodeId::BONE, Entry::new(offset, Kind::Other, NONE, 0));
        }
        assert_eq!(index.len(), 3000);
        for offset in [0, 1023, 1024, 2047, 2048, 2999] {
            assert_eq!(index.get(offset).map(Entry::offset), Some(offset));
        }
        assert!(index.get(3000).is_none());
        for length in [2049, 2048, 1025, 3, 0] {
            index.truncate(length);
            assert_eq!((index.len(), index.get(length).is_none()), (length, true));
        }
        assert!(index.get_mut(NONE).is_none());
    }

    #[test]
    fn ids_without_a_node_are_known() {
        let mut index = Index::default();
        let unknown = NodeId(*b"what");
        for (id, kind) in [(NodeId::ROOT, Kind::Other), (NodeId::CURVE, Kind::UsualCurve)] {
            index.push(id, Entry::new(0, kind, NONE, 0));
        }
        assert!(index.may_have(NodeId::ROOT) && index.may_have(NodeId::CURVE));
        assert!(!index.may_have(NodeId::BONE) && !index.may_have(unknown));
        index.push(unknown, Entry::new(0, Kind::Other, NONE, 0));
        assert!(index.may_have(unknown) && !index.may_have(NodeId::BONE));
    }

    #[test]
    fn offsets_beyond_4_gib_are_kept() {
        let offsets = [0, 1, 0xffff_ffff, 0x1_0000_0000, 0x7fff_1234_5678_u64];
        // With 32 bits there are no others.
        for offset in offsets.into_iter().filter_map(|offset| usize::try_from(offset).ok()) {
            assert_eq!(Entry::new(offset, Kind::Curve, NONE, 0).offset(), offset);
        }
    }
}
