//! Findings about skeletons.

use super::{Check, path};
use crate::names::show;
use crate::skeleton::{Parent, parents};
use crate::{CastNode, NodeId, codes};

impl Check {
    pub(super) fn skeleton(&mut self, node: &CastNode<'_>) {
        let bones: Vec<_> = node.children_of(NodeId::BONE).collect();
        for bone in &bones {
            let missing = ["lp", "lr"].into_iter().find(|name| bone.property(name).is_none());
            if let Some(missing) = missing {
                self.say(codes::BONE_WITHOUT_TRANSFORM, bone.offset(), path(bone), || {
                    let name = show(bone.string("n").unwrap_or_default());
                    format!("the bone {name} has no property {missing}")
                });
            }
        }
        for (bone, parent) in bones.iter().zip(parents(&bones)) {
            let what = match parent {
                Parent::Root | Parent::Bone(_) => continue,
                Parent::Missing(index) => {
                    format!("its parent is bone {index} of {}", bones.len())
                }
                Parent::Cycle => "its parents form a cycle".to_owned(),
            };
            self.say(codes::BONE_PARENT, bone.offset(), path(bone).then("p"), || {
                format!("the bone {}: {what}", show(bone.string("n").unwrap_or_default()))
            });
        }
    }
}
