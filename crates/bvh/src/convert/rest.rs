//! The rest pose in the terms of BVH: joints in depth-first order, with offsets and no rotations.

use inbetween_core::{Bone, Context, Finding, Path, Quat, Skeleton, Text, counted, num, shown};

use super::names::Names;
use crate::codes;

/// A bone that becomes a joint.
#[derive(Clone, Debug)]
pub(crate) struct RestJoint {
    /// The index of the bone in the skeleton.
    pub(crate) bone: usize,
    /// The index of the parent among the joints.
    pub(crate) parent: Option<usize>,
    pub(crate) name: Text,
    /// The name of the bone, if it is another one.
    old_name: Option<Text>,
    /// The position in the parent, with the axes of the world.
    pub(crate) offset: [f64; 3],
    /// The rotation of the bone in the world at rest.
    world: Quat<f64>,
    /// That of its parent.
    parent_world: Quat<f64>,
}

impl RestJoint {
    /// Returns the local rotation of a joint whose local axes at rest are those of the world.
    ///
    /// With the rest rotations `W` in the world, a bone that is animated to `G` in the world turns by
    /// `G W⁻¹`. Relative to the parent that is `W_p G_p⁻¹ G W⁻¹`, and `G_p⁻¹ G` is the local
    /// rotation of the bone.
    #[expect(clippy::arithmetic_side_effects, reason = "products of floats")]
    pub(crate) fn rotation(&self, local: Quat<f64>) -> Quat<f64> {
        self.parent_world * local * self.world.conjugate()
    }

    /// Returns a position in the parent, with the axes of the world at rest.
    pub(crate) fn position(&self, local: [f64; 3]) -> [f64; 3] {
        if self.parent_world == Quat::IDENTITY { local } else { self.parent_world.rotate(local) }
    }

    /// Returns the finding about a new name.
    pub(crate) fn renamed(&self) -> Option<Finding> {
        let old = self.old_name.as_ref()?;
        let message = format!("\"{}\" becomes \"{}\"", shown(old), shown(&self.name));
        Some(Finding::new(codes::JOINT_RENAMED, message))
    }

    /// Returns whether rotations stay as they are.
    pub(crate) fn keeps_rotations(&self) -> bool {
        self.world == Quat::IDENTITY && self.parent_world == Quat::IDENTITY
    }
}

/// Returns the joints of a skeleton, and reports what BVH does not store of it.
#[expect(clippy::arithmetic_side_effects, reason = "products of floats")]
pub(crate) fn joints(skeleton: &Skeleton, context: &mut Context<'_>) -> Vec<RestJoint> {
    let bones = skeleton.bones();
    let mut joints: Vec<RestJoint> = Vec::with_capacity(bones.len());
    let mut names = Names::new(bones.iter().map(|bone| &bone.node));
    for (bone, parent) in depth_first(skeleton) {
        let Some(Bone { node, translation, rotation, .. }) = bones.get(bone) else { continue };
        let above = parent.and_then(|parent| joints.get(parent));
        let parent_world = above.map_or(Quat::IDENTITY, |above| above.world);
        let local = rotation.map_or(Quat::IDENTITY, unit);
        let world = match (local == Quat::IDENTITY, parent_world == Quat::IDENTITY) {
            (true, _) => parent_world,
            (false, true) => local,
            (false, false) => (parent_world * local).normalized(),
        };
        let name = names.unique(node, &writable(node));
        let old_name = (name != *node).then(|| node.clone());
        let offset = [0.0; 3];
        let mut joint = RestJoint { bone, parent, name, old_name, offset, world, parent_world };
        let moved = joint.position(translation.unwrap_or_default());
        // Rows repeat the offset, and tracks of positions hold `f32`.
        joint.offset = moved.map(|number| number.clamp(f32::MIN.into(), f32::MAX.into()));
        joints.push(joint);
    }
    report(bones, &joints, context);
    joints
}

/// Returns a unit quaternion, and exactly the identity for a rotation that is none.
fn unit(rotation: Quat<f64>) -> Quat<f64> {
    let unit = rotation.normalized();
    if [unit.x, unit.y, unit.z] == [0.0; 3] { Quat::IDENTITY } else { unit }
}

/// Returns each bone after its parent, which comes with the index that it has in this order. No other
/// branch comes between the bones of a branch, as braces require.
fn depth_first(skeleton: &Skeleton) -> Vec<(usize, Option<usize>)> {
    let count = skeleton.bones().len();
    let mut children = vec![Vec::new(); count];
    let mut open = Vec::new();
    for bone in (0..count).rev() {
        match skeleton.parent(bone).and_then(|parent| children.get_mut(parent)) {
            Some(list) => list.push(bone),
            None => open.push((bone, None)),
        }
    }
    let mut order = Vec::with_capacity(count);
    while let Some((bone, parent)) = open.pop() {
        let index = order.len();
        order.push((bone, parent));
        // Both lists are reversed, so the first child comes first.
        let below = children.get(bone).into_iter().flatten();
        open.extend(below.map(|child| (*child, Some(index))));
    }
    order
}

/// Returns a name that is read back: without braces, line breaks, and spaces at its ends.
fn writable(name: &Text) -> Text {
    let breaks = ['\n', '\r', '{', '}'];
    if name.contains(breaks) || name.trim() != &**name {
        name.replace(breaks, "_").trim().into()
    } else {
        name.clone()
    }
}

fn report(bones: &[Bone], joints: &[RestJoint], context: &mut Context<'_>) {
    context.findings.enter(Path::field("skeleton"));
    let turned =
        bones.iter().filter(|bone| bone.rotation.is_some_and(|it| unit(it) != Quat::IDENTITY));
    let mut say = |code, count: usize, what: String| {
        if count > 0 {
            let finding = Finding::new(code, what).count(num::u64_from_len(count));
            context.findings.push(finding);
        }
    };
    let turned = turned.count();
    say(codes::REST_ROTATIONS_FOLDED, turned, format!("of {}", counted(turned, "bone")));
    let scaled = bones.iter().filter(|bone| bone.scale.is_some_and(|scale| scale != [1.0; 3]));
    let scaled = scaled.count();
    say(codes::REST_SCALES_DROPPED, scaled, format!("of {}", counted(scaled, "bone")));
    let is_same = |(index, bone): (usize, &Bone)| {
        joints.get(index).is_some_and(|joint| {
            let (parent, rotation) = (bone.parent.clone(), Some(Quat::IDENTITY));
            let (node, translation) = (joint.name.clone(), Some(joint.offset));
            let written = Bone { node, parent, translation, rotation, ..Bone::default() };
            joint.bone == index && *bone == written
        })
    };
    let changed = bones.iter().enumerate().filter(|bone| !is_same(*bone)).count();
    say(codes::SKELETON_REWRITTEN, changed, format!("{} changed", counted(changed, "bone")));
    context.findings.leave();
}
