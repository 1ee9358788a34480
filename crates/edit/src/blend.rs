//! Stated blend modes that descendants inherit.

use std::collections::HashMap;

use inbetween_core::{Animation, BlendMode, BlendReach, Skeleton, Text};

/// The blend modes that a clip states for its nodes. A node without an override has that of its
/// nearest ancestor with one, otherwise that of the clip.
pub(crate) struct Inherited<'s> {
    /// The skeleton, if overrides reach descendants.
    skeleton: Option<&'s Skeleton>,
    whole: BlendMode,
    modes: HashMap<Text, BlendMode>,
}

impl<'s> Inherited<'s> {
    /// Reads the stated modes of a clip, unless its tracks already blend differently.
    pub(crate) fn of(clip: &Animation, skeleton: &'s Skeleton) -> Option<Self> {
        let inherits = clip.rules.blend_reach == BlendReach::Descendants;
        let stated = clip.blend != BlendMode::Absolute || !clip.blend_overrides.is_empty();
        (stated && (clip.states_blend() || !inherits)).then(|| {
            let own = clip.blend_overrides.iter();
            let modes = own.map(|each| (Text::clone(&each.node), each.mode)).collect();
            Self { skeleton: inherits.then_some(skeleton), whole: clip.blend, modes }
        })
    }

    /// Returns the mode of a node. Each bone between it and the ancestor with the override is
    /// visited once for all nodes.
    pub(crate) fn mode(&mut self, node: &Text) -> BlendMode {
        let mut undecided = Vec::new();
        let mut next = Some(node);
        let mode = loop {
            let Some(node) = next else { break self.whole };
            if let Some(mode) = self.modes.get(node) {
                break *mode;
            }
            undecided.push(Text::clone(node));
            next = self.skeleton.and_then(|skeleton| {
                let parent = skeleton.parent(skeleton.index(node)?)?;
                skeleton.bones().get(parent).map(|bone| &bone.node)
            });
        };
        self.modes.extend(undecided.into_iter().map(|node| (node, mode)));
        mode
    }

    /// Applies the inherited blends to the tracks of a clip, if overrides apply to descendants.
    pub(crate) fn apply(&mut self, clip: &mut Animation) {
        if self.skeleton.is_none() {
            return;
        }
        for track in &mut clip.tracks {
            let Some(node) = track.target().node.clone() else { continue };
            let blend = self.mode(&node).of(&track.target().property);
            track.set_blend(blend);
        }
    }
}
