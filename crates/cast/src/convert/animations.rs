//! The nodes of animations.

use crate::{CastFile, CastNode, NodeId};

/// Returns the animations that become clips: the children of top-level roots.
pub(super) fn animations<'f>(file: &'f CastFile<'_>) -> impl Iterator<Item = CastNode<'f>> {
    let roots = file.roots().filter(|root| root.id() == NodeId::ROOT);
    roots.flat_map(|root| root.children_of(NodeId::ANIMATION))
}

/// Returns whether a node is one of the [`animations`].
pub(super) fn is_animation(node: &CastNode<'_>) -> bool {
    let is_root = |node: &CastNode<'_>| node.id() == NodeId::ROOT && node.parent().is_none();
    node.id() == NodeId::ANIMATION && node.parent().is_some_and(|parent| is_root(&parent))
}
