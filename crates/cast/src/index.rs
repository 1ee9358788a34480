//! The offsets of the nodes of a file, and their nesting.

/// The parent of a top-level node.
pub(crate) const NONE: u32 = u32::MAX;

/// A node: 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The offset of the head of the node.
    pub(crate) offset: usize,
    /// The index of the parent, or [`NONE`].
    pub(crate) parent: u32,
    /// The index of the first node after this one and its descendants. While the node is read, it
    /// is the number of children still to read, so that reading needs no stack.
    pub(crate) next: u32,
}

const _: () = assert!(size_of::<Entry>() <= 16);

/// The number of entries in a full chunk.
const CHUNK: usize = 1024;

/// The nodes of a file in depth-first order.
///
/// A file does not state its number of nodes. A growing `Vec` would hold three times its content,
/// so the entries are stored in chunks that never move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    chunks: Vec<Vec<Entry>>,
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

    pub(crate) fn push(&mut self, entry: Entry) {
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
            index.push(Entry { offset, parent: NONE, next: 0 });
        }
        assert_eq!(index.len(), 3000);
        for offset in [0, 1023, 1024, 2047, 2048, 2999] {
            assert_eq!(index.get(offset).map(|entry| entry.offset), Some(offset));
        }
        assert!(index.get(3000).is_none());
        assert!(index.get_mut(NONE).is_none());
    }
}
