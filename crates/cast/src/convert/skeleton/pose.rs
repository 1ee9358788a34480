//! The rest pose of bones, relative to their parents.

use inbetween_core::{Bone, Findings, Quat, ancestors_first, num};

use super::findings::say;
use crate::codes;
use crate::file::CastNode;
use crate::layout::NodeId;
use crate::value::PropertyValues;

/// The allowed difference between a stated world position and the one computed from local
/// positions, relative to its length plus 1, and between two world rotations in radians. Programs
/// write both as `f32`.
const TOLERANCE: f64 = 1e-3;

/// A position and rotation relative to the model.
#[derive(Clone, Copy, Debug)]
struct World {
    position: [f64; 3],
    rotation: Quat<f64>,
}

/// A number of a bone that may be missing (`None`) or invalid (`Some(None)`).
type Stated<T> = Option<Option<T>>;

/// Reads the rest pose of each bone of a skeleton; `parent` returns the index of a parent.
///
/// If a bone states only its transform relative to the model, the one relative to its parent is
/// computed from that of the parent.
pub(super) fn read(
    skeleton: &CastNode<'_>,
    bones: &mut [Bone],
    parent: impl Fn(usize) -> Option<usize>,
    findings: &mut Findings,
) {
    let mut is_stated = false;
    for (node, bone) in skeleton.children_of(NodeId::BONE).zip(bones.iter_mut()) {
        bone.translation = vector(&node, "lp").flatten();
        bone.rotation = rotation(&node, "lr").flatten();
        bone.scale = vector(&node, "s").flatten();
        is_stated |= ["wp", "wr"].into_iter().any(|name| node.property(name).is_some());
        let broken = [
            ("lp", vector(&node, "lp") == Some(None)),
            ("lr", rotation(&node, "lr") == Some(None)),
            ("s", vector(&node, "s") == Some(None)),
        ];
        for (name, _) in broken.into_iter().filter(|(_, broken)| *broken) {
            say(findings, codes::REST_POSE_DROPPED, &node, |bone| format!("{name} of the {bone}"));
        }
    }
    if is_stated {
        Worlds { bones, parent }.read(skeleton, findings);
    }
}

struct Worlds<'b, P> {
    bones: &'b mut [Bone],
    parent: P,
}

impl<P: Fn(usize) -> Option<usize>> Worlds<'_, P> {
    fn read(&mut self, skeleton: &CastNode<'_>, findings: &mut Findings) {
        let mut nodes = Vec::with_capacity(self.bones.len());
        nodes.extend(skeleton.children_of(NodeId::BONE));
        let mut worlds: Vec<Option<World>> = vec![None; nodes.len()];
        for index in ancestors_first(nodes.len(), &self.parent) {
            let Some(node) = nodes.get(index) else { continue };
            // Programs differ in how the scale of a parent affects the positions of its children.
            let above = match (self.parent)(index) {
                None => Some(World { position: [0.0; 3], rotation: Quat::IDENTITY }),
                Some(parent) => worlds.get(parent).copied().flatten().filter(|_| {
                    let scale = self.bones.get(parent).and_then(|bone| bone.scale);
                    scale.is_none_or(|scale| scale == [1.0; 3])
                }),
            };
            let world =
                self.bones.get_mut(index).and_then(|bone| place(node, bone, above, findings));
            if let Some(slot) = worlds.get_mut(index) {
                *slot = world;
            }
        }
    }
}

/// Computes a missing local position or rotation of a bone from those relative to the model;
/// `above` is the parent. Returns the world transform of the bone.
fn place(
    node: &CastNode<'_>,
    bone: &mut Bone,
    above: Option<World>,
    findings: &mut Findings,
) -> Option<World> {
    let (position, turned) = (vector(node, "wp"), rotation(node, "wr"));
    let lacks_position = bone.translation.is_none() && position.is_some();
    let lacks_rotation = bone.rotation.is_none() && turned.is_some();
    if let Some(above) = above {
        if let (true, Some(position)) = (lacks_position, position.flatten()) {
            bone.translation = Some(above.local_position(position).map(as_stored));
        }
        if let (true, Some(turned)) = (lacks_rotation, turned.flatten()) {
            let local = above.local_rotation(turned).to_array();
            bone.rotation = Some(Quat::from_array(local.map(as_stored)));
        }
    }
    let unread = lacks_position && bone.translation.is_none();
    if unread || lacks_rotation && bone.rotation.is_none() {
        say(findings, codes::REST_POSE_DROPPED, node, |bone| {
            format!("the position of the {bone} in the model")
        });
    }
    let world = above?.below(bone.translation?, bone.rotation?);
    if !world.is_near(position.flatten(), turned.flatten()) {
        say(findings, codes::WORLD_POSE_DROPPED, node, |bone| {
            format!("wp or wr of the {bone}, whose lp and lr give {:?}", world.position)
        });
    }
    Some(world)
}

#[expect(clippy::arithmetic_side_effects, reason = "floats neither panic nor wrap")]
impl World {
    /// Returns a rotation relative to this bone.
    fn local_rotation(self, rotation: Quat<f64>) -> Quat<f64> {
        self.rotation.conjugate() * rotation
    }

    /// Returns a position relative to this bone.
    fn local_position(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [ox, oy, oz] = self.position;
        self.rotation.conjugate().rotate([x - ox, y - oy, z - oz])
    }

    /// Returns the world transform of a bone from its transform relative to this one.
    fn below(self, position: [f64; 3], rotation: Quat<f64>) -> Self {
        let [ox, oy, oz] = self.position;
        let [x, y, z] = self.rotation.rotate(position);
        let rotation = (self.rotation * rotation.normalized()).normalized();
        Self { position: [ox + x, oy + y, oz + z], rotation }
    }

    /// Returns whether the bone has the world transform that the file states.
    fn is_near(self, position: Option<[f64; 3]>, rotation: Option<Quat<f64>>) -> bool {
        let near = position.is_none_or(|stated| {
            let size = stated.iter().fold(1.0, |size, x| size + x.abs());
            stated.iter().zip(self.position).all(|(x, own)| (x - own).abs() <= TOLERANCE * size)
        });
        let angle = |stated: Quat<f64>| stated.normalized().angle_to(self.rotation);
        near && rotation.is_none_or(|stated| angle(stated) <= TOLERANCE)
    }
}

/// Rounds a number to `f32`, since computed numbers are no more precise than the stored ones.
fn as_stored(number: f64) -> f64 {
    f64::from(num::f32_from_f64(number))
}

fn vector(node: &CastNode<'_>, name: &str) -> Stated<[f64; 3]> {
    let PropertyValues::Vector3(view) = node.property(name)?.values() else { return Some(None) };
    let value = view.get(0).map(|value| value.map(f64::from));
    Some(value.filter(|value| value.iter().all(|x| x.is_finite())))
}

fn rotation(node: &CastNode<'_>, name: &str) -> Stated<Quat<f64>> {
    let PropertyValues::Vector4(view) = node.property(name)?.values() else { return Some(None) };
    let value = view.get(0).map(|value| Quat::from_array(value.map(f64::from)));
    Some(value.filter(|value| value.has_direction()))
}
