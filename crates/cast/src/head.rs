//! The head of a node.

use inbetween_core::parse::{self, PResult};

use crate::layout::NodeId;

/// The head of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeHead {
    pub(crate) id: NodeId,
    pub(crate) size: u32,
    pub(crate) hash: u64,
    pub(crate) properties: u32,
    pub(crate) children: u32,
}

/// Parses the head of a node.
// `inline`: a call returns its result through memory, and heads are parsed for each node, several
// times.
#[inline]
pub(crate) fn node_head(input: &[u8]) -> PResult<'_, NodeHead> {
    let (rest, words) = parse::record::<[u32; 6]>(input)?;
    let [id, size, low, high, properties, children] = words;
    let hash = u64::from(low) | u64::from(high) << u32::BITS;
    Ok((rest, NodeHead { id: NodeId(id.to_le_bytes()), size, hash, properties, children }))
}
