//! Findings about skeletons.

use std::collections::HashSet;

use inbetween_core::codes as shared;

use super::findings::{Check, path};
use crate::codes;
use crate::file::CastNode;
use crate::layout::NodeId;
use crate::names::show;
use crate::skeleton::{Parent, parents};
use crate::value::PropertyValues;

impl Check {
    pub(super) fn skeleton(&mut self, node: &CastNode<'_>) {
        let bones = || node.children_of(NodeId::BONE);
        let name = |bone: &CastNode<'_>| show(bone.string("n").unwrap_or_default());
        let mut names = HashSet::new();
        for (bone, parent) in bones().zip(parents(node)) {
            if !names.insert(bone.string("n").unwrap_or_default()) {
                self.say(shared::DUPLICATE_BONE, bone.offset(), path(&bone).then("n"), || {
                    format!("a second bone {}", name(&bone))
                });
            }
            let missing = ["lp", "lr"].into_iter().find(|name| bone.property(name).is_none());
            if let Some(missing) = missing {
                self.say(codes::BONE_WITHOUT_TRANSFORM, bone.offset(), path(&bone), || {
                    format!("the bone {} has no property {missing}", name(&bone))
                });
            }
            let problem = match parent {
                Parent::Root | Parent::Bone(_) => None,
                Parent::Missing(index) => {
                    Some(format!("its parent is bone {index}, which does not exist"))
                }
                Parent::Cycle => Some("its parents form a cycle".to_owned()),
            };
            if let Some(problem) = problem {
                self.say(codes::BONE_PARENT, bone.offset(), path(&bone).then("p"), || {
                    format!("the bone {}: {problem}", name(&bone))
                });
            }
            self.rest_pose(&bone);
        }
    }

    /// Checks that the numbers of the rest pose of a bone are finite.
    fn rest_pose(&mut self, bone: &CastNode<'_>) {
        for (at, property) in bone.properties_at() {
            let finite = match property.values() {
                PropertyValues::Vector3(view) => view.iter().flatten().all(f32::is_finite),
                PropertyValues::Vector4(view) => view.iter().flatten().all(f32::is_finite),
                _ => true,
            };
            if !finite {
                self.say(shared::NUMBER_NOT_FINITE, at, path(bone), || {
                    let name = show(bone.string("n").unwrap_or_default());
                    format!("the property {} of the bone {name}", show(property.name()))
                });
            }
        }
    }
}
