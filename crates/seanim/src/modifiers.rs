//! Resolves which bones a modifier affects.

use crate::{AnimType, BoneIndex, SeanimFile};

/// Which bones inherit the modifier of a bone; programs disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModifierPolicy {
    /// The bone and its descendants; the nearest modifier wins. As in the specification.
    #[default]
    Spec,
    /// Only the descendants; the nearest modifier wins. As in the Blender and Cast plugins.
    DescendantsNearest,
    /// Only the descendants; the topmost modifier wins. As in the Maya plugin.
    DescendantsTopmost,
    /// Only the bone. As in RedFox, LegionPlus and porter.
    BoneOnly,
}

impl SeanimFile<'_> {
    /// Returns the animation type of each bone, in the order of the bones.
    ///
    /// The file has no hierarchy, so the caller supplies the parent of each bone; parents that form
    /// a cycle are ignored. Modifiers of bones that the file does not have are ignored. If a bone
    /// has several, the last one counts.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_seanim::*;
    ///
    /// let bone = |name: &str| BonePart { name: name.into(), ..BonePart::default() };
    /// let modifier = SeanimModifier { bone: BoneIndex(0), anim_type: AnimType::ADDITIVE };
    /// let parts = SeanimParts {
    ///     reading: Reading { blocks: BlockRule::Counts, ..Reading::default() },
    ///     bones: vec![bone("root"), bone("hand")],
    ///     modifiers: vec![modifier],
    ///     ..SeanimParts::default()
    /// };
    /// let file = SeanimFile::from_parts(&parts)?;
    /// let parent = |bone: BoneIndex| bone.0.checked_sub(1).map(BoneIndex);
    /// let types = file.resolve_modifiers(ModifierPolicy::Spec, parent);
    /// assert_eq!(types, [AnimType::ADDITIVE, AnimType::ADDITIVE]);
    /// let types = file.resolve_modifiers(ModifierPolicy::BoneOnly, parent);
    /// assert_eq!(types, [AnimType::ADDITIVE, AnimType::ABSOLUTE]);
    /// # Ok::<(), inbetween_core::WriteError>(())
    /// ```
    pub fn resolve_modifiers(
        &self,
        policy: ModifierPolicy,
        parent: impl Fn(BoneIndex) -> Option<BoneIndex>,
    ) -> Vec<AnimType> {
        let mut own = vec![None; self.bone_count()];
        for modifier in self.modifiers() {
            if let Some(slot) = at_mut(&mut own, modifier.bone) {
                *slot = Some(modifier.anim_type);
            }
        }
        let bones = self.bone_count();
        let mut reached =
            Inheritance { own, visited: vec![false; bones], reached: vec![None; bones], policy };
        let bones = (0..bones).filter_map(|bone| u32::try_from(bone).ok());
        let types = bones.map(|bone| reached.of(BoneIndex(bone), &parent));
        types.map(|reached| reached.unwrap_or(self.header().anim_type)).collect()
    }
}

fn at<T: Copy>(list: &[Option<T>], bone: BoneIndex) -> Option<T> {
    list.get(usize::try_from(bone.0).ok()?).copied().flatten()
}

fn at_mut<T>(list: &mut [T], bone: BoneIndex) -> Option<&mut T> {
    list.get_mut(usize::try_from(bone.0).ok()?)
}

/// The animation types computed so far.
struct Inheritance {
    own: Vec<Option<AnimType>>,
    visited: Vec<bool>,
    reached: Vec<Option<AnimType>>,
    policy: ModifierPolicy,
}

impl Inheritance {
    /// Returns the type of a bone, and stores it for all bones on the path to the root.
    fn of(
        &mut self,
        bone: BoneIndex,
        parent: impl Fn(BoneIndex) -> Option<BoneIndex>,
    ) -> Option<AnimType> {
        if self.policy == ModifierPolicy::BoneOnly {
            return at(&self.own, bone);
        }
        let mut chain = Vec::new();
        let mut next = Some(bone);
        let mut above = None;
        while let Some(link) = next {
            // A bone that is not in the file has no parent.
            let Some(visited) = at_mut(&mut self.visited, link) else { break };
            if *visited {
                // The type is already known, or the links form a cycle, in which no type is known
                // yet.
                above = Some((link, at(&self.reached, link)));
                break;
            }
            *visited = true;
            chain.push(link);
            next = parent(link);
        }
        while let Some(link) = chain.pop() {
            let reached = self.combine(link, above);
            if let Some(slot) = at_mut(&mut self.reached, link) {
                *slot = reached;
            }
            above = Some((link, reached));
        }
        above.and_then(|(_, reached)| reached)
    }

    /// Combines a bone's own modifier with its parent's and with the one that the parent inherits.
    fn combine(
        &self,
        bone: BoneIndex,
        parent: Option<(BoneIndex, Option<AnimType>)>,
    ) -> Option<AnimType> {
        let of_parent = parent.and_then(|(parent, _)| at(&self.own, parent));
        let above = parent.and_then(|(_, reached)| reached);
        match self.policy {
            ModifierPolicy::Spec => at(&self.own, bone).or(above),
            ModifierPolicy::DescendantsNearest => of_parent.or(above),
            ModifierPolicy::DescendantsTopmost => above.or(of_parent),
            ModifierPolicy::BoneOnly => at(&self.own, bone),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockRule, BonePart, Reading, SeanimModifier, SeanimParts};

    /// A chain of five bones, each the parent of the next; modifiers on bones 1 and 3.
    fn chain() -> SeanimFile<'static> {
        let bone = |name: &str| BonePart { name: name.into(), ..BonePart::default() };
        let modifier =
            |bone, value| SeanimModifier { bone: BoneIndex(bone), anim_type: AnimType(value) };
        let parts = SeanimParts {
            reading: Reading { blocks: BlockRule::Counts, ..Reading::default() },
            bones: ["a", "b", "c", "d", "e"].map(bone).into(),
            modifiers: vec![modifier(1, 11), modifier(3, 13), modifier(9, 19)],
            ..SeanimParts::default()
        };
        SeanimFile::from_parts(&parts).unwrap()
    }

    fn resolve(policy: ModifierPolicy) -> Vec<u8> {
        let types = chain().resolve_modifiers(policy, |bone| bone.0.checked_sub(1).map(BoneIndex));
        types.into_iter().map(|anim_type| anim_type.0).collect()
    }

    #[test]
    fn each_policy_affects_its_own_bones() {
        assert_eq!(resolve(ModifierPolicy::Spec), [0, 11, 11, 13, 13]);
        assert_eq!(resolve(ModifierPolicy::DescendantsNearest), [0, 0, 11, 11, 13]);
        assert_eq!(resolve(ModifierPolicy::DescendantsTopmost), [0, 0, 11, 11, 11]);
        assert_eq!(resolve(ModifierPolicy::BoneOnly), [0, 11, 0, 13, 0]);
    }

    #[test]
    fn a_cycle_of_parents_terminates() {
        let types = chain().resolve_modifiers(ModifierPolicy::Spec, |bone| {
            Some(BoneIndex(if bone.0 == 4 { 0 } else { bone.0.saturating_add(1) }))
        });
        assert_eq!(types.len(), 5);
    }
}
