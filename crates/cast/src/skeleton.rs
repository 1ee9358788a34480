//! The parents of bones.

use inbetween_core::num;

use crate::file::CastNode;
use crate::layout::NodeId;
use crate::value::PropertyValues;

/// The smallest value of a bone's property `p` that means no parent.
const NO_PARENT: u32 = 0x8000_0000;

/// The parent of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    /// The bone has no parent.
    Root,
    /// The bone with this index among the bones of the skeleton.
    Bone(usize),
    /// The skeleton has no bone with this index.
    Missing(u32),
    /// The parent links from the bone lead into a cycle.
    Cycle,
}

/// Returns the parent of each bone of a skeleton. The resulting links form no cycle.
pub(crate) fn parents(skeleton: &CastNode<'_>) -> Vec<Parent> {
    let bones = || skeleton.children_of(NodeId::BONE);
    let count = bones().count();
    let mut parents = Vec::with_capacity(count);
    parents.extend(bones().map(|bone| stated(&bone, count)));
    // The start from which each bone was first reached; a bone of an earlier start leads to no new
    // cycle.
    let mut reached: Vec<Option<usize>> = vec![None; count];
    for start in 0..count {
        let mut bone = start;
        while let Some(mark) = reached.get_mut(bone).filter(|mark| mark.is_none()) {
            *mark = Some(start);
            match parents.get(bone) {
                Some(Parent::Bone(above)) => bone = *above,
                _ => break,
            }
        }
        if reached.get(bone) != Some(&Some(start)) {
            continue;
        }
        // The last bone has no parent, or was reached twice from this start.
        while let Some(Parent::Bone(above)) = parents.get(bone).copied() {
            if let Some(parent) = parents.get_mut(bone) {
                *parent = Parent::Cycle;
            }
            bone = above;
        }
    }
    parents
}

fn stated(bone: &CastNode<'_>, count: usize) -> Parent {
    let stated = match bone.property("p").map(|property| property.values()) {
        Some(PropertyValues::U32(view)) => view.get(0),
        _ => None,
    };
    match stated {
        None => Parent::Root,
        Some(index) if index >= NO_PARENT => Parent::Root,
        Some(index) => {
            let found = num::len_from_u64(index.into());
            if found < count { Parent::Bone(found) } else { Parent::Missing(index) }
        }
    }
}
