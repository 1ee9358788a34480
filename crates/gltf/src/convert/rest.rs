//! The skeleton of a file: its nodes and their rest pose.

use inbetween_core::{Bone, BoneRole, Finding, Findings, Path, Quat, Skeleton, Text};

use crate::codes;
use crate::file::GltfFile;
use crate::read::{Fault, FaultResult, item};
use crate::scene::{ChannelPath, Listed, Node, Role, Scene};

/// A translation, a rotation and a scale.
pub(super) type Transform = ([f64; 3], Quat<f64>, [f64; 3]);

/// Returns a skeleton of the joints, the animated nodes and all their ancestors; `None` without
/// any.
pub(super) fn skeleton(
    file: &GltfFile<'_>,
    scene: &Scene,
    names: &[Text],
    findings: &mut Findings,
) -> FaultResult<Option<Skeleton>> {
    let bones = bones(scene);
    let role = |index: usize| bones.get(index).copied().flatten();
    let mut list = Vec::new();
    for (index, node) in scene.nodes.iter().enumerate() {
        let Some(role_of_node) = role(index) else { continue };
        let (translation, rotation, scale) = transform(index, node, file, findings);
        let parent =
            scene.parents.get(index).copied().flatten().filter(|parent| role(*parent).is_some());
        list.push(Bone {
            node: names.get(index).cloned().unwrap_or_default(),
            parent: parent.and_then(|parent| names.get(parent).cloned()),
            translation: Some(translation),
            rotation: Some(rotation),
            scale: Some(scale),
            role: role_of_node,
        });
    }
    if list.is_empty() {
        return Ok(None);
    }
    let skeleton = Skeleton::new(list).map_err(|error| {
        Fault::invalid(0, item("nodes", 0, &[]), "nodes that make a skeleton", error.to_string())
    })?;
    Ok(Some(skeleton))
}

/// Returns all nodes with their parents and transforms.
pub(super) fn nodes(scene: &Scene, names: &[Text]) -> Option<Skeleton> {
    let name = |index: usize| names.get(index).cloned().unwrap_or_default();
    let bones = scene.nodes.iter().enumerate().map(|(index, node)| {
        let (translation, rotation, scale) = match &node.matrix {
            Some(matrix) => decompose(matrix).0,
            None => (
                node.translation.unwrap_or_default(),
                node.rotation.map_or(Quat::IDENTITY, Quat::from_array),
                node.scale.unwrap_or([1.0; 3]),
            ),
        };
        Bone {
            node: name(index),
            parent: scene.parents.get(index).copied().flatten().map(name),
            translation: Some(translation),
            rotation: Some(rotation),
            scale: Some(scale),
            role: BoneRole::Bone,
        }
    });
    Skeleton::new(bones.collect()).ok()
}

/// Returns for each node whether it is a bone, or a node above the bones.
fn bones(scene: &Scene) -> Vec<Option<BoneRole>> {
    let parent = |index: usize| scene.parents.get(index).copied().flatten();
    let role = |index: usize| scene.nodes.get(index).map_or(Role::Unsaid, |node| node.role);
    let may_be = |index: usize| {
        let flat = parent(index).is_some_and(|parent| role(parent) == Role::Flat);
        !flat && !matches!(role(index), Role::NoBone | Role::Added | Role::Flat)
    };
    let channels = scene.animations.iter().flat_map(|animation| animation.channels.iter());
    let moved = channels.filter_map(|channel| {
        let known = matches!(
            channel.path,
            ChannelPath::Translation | ChannelPath::Rotation | ChannelPath::Scale
        );
        channel.node.filter(|_| known)
    });
    let stated = (0..scene.nodes.len()).filter(|index| role(*index) == Role::Bone);
    let mut bones = vec![None; scene.nodes.len()];
    for start in scene.joints.iter().copied().chain(moved).chain(stated) {
        let mut next = Some(start).filter(|index| may_be(*index));
        if let Some(mark) = next.and_then(|index| bones.get_mut(index)) {
            let was = mark.replace(BoneRole::Bone);
            // The ancestors of a node that is already marked are marked too.
            next = if was.is_none() { next } else { None };
        }
        while let Some(index) = next.and_then(parent).filter(|index| may_be(*index)) {
            match bones.get_mut(index) {
                Some(mark @ None) => *mark = Some(BoneRole::Above),
                _ => break,
            }
            next = Some(index);
        }
    }
    bones
}

fn transform(
    index: usize,
    node: &Listed<Node>,
    file: &GltfFile<'_>,
    findings: &mut Findings,
) -> Transform {
    if let Some(matrix) = &node.matrix {
        let (transform, off) = decompose(matrix);
        let message = format!("node {index}, off by {off:.1e}");
        findings.add(codes::MATRIX_DECOMPOSED, || {
            Finding::new(codes::MATRIX_DECOMPOSED, message).at(Path::item("nodes", index))
        });
        return transform;
    }
    let mut rotation = node.rotation.map_or(Quat::IDENTITY, Quat::from_array);
    if !rotation.has_direction() {
        let (length, path) = (rotation.length(), item("nodes", index, &["rotation"]));
        let found = format!("length {length}");
        let fault = Fault::invalid(node.at, path.clone(), "a unit quaternion", found);
        findings.enter(path);
        findings.push(file.skipped("", fault));
        findings.leave();
        rotation = Quat::IDENTITY;
    }
    (node.translation.unwrap_or([0.0; 3]), rotation, node.scale.unwrap_or([1.0; 3]))
}

/// Decomposes a matrix in column order; also returns the distance of the parts from it.
pub(super) fn decompose(matrix: &[f64; 16]) -> (Transform, f64) {
    let [xx, xy, xz, _, yx, yy, yz, _, zx, zy, zz, _, tx, ty, tz, _] = *matrix;
    let columns = [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]];
    let length = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
    let [x, y, z] = columns;
    let cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    let determinant = cross[0] * z[0] + cross[1] * z[1] + cross[2] * z[2];
    let mut scale = columns.map(length);
    if determinant < 0.0 {
        scale[0] = -scale[0];
    }
    let divided = |[a, b, c]: [f64; 3], by: f64| {
        if by == 0.0 { [0.0; 3] } else { [a / by, b / by, c / by] }
    };
    let axes = [divided(x, scale[0]), divided(y, scale[1]), divided(z, scale[2])];
    let rotation = Quat::from_axes(axes);
    let mut off = 0.0_f64;
    for ((axis, column), scale) in [0, 1, 2].into_iter().zip(columns).zip(scale) {
        let mut unit = [0.0; 3];
        if let Some(slot) = unit.get_mut(axis) {
            *slot = scale;
        }
        let again = rotation.rotate(unit);
        off = again.iter().zip(column).map(|(a, b)| (a - b).abs()).fold(off, f64::max);
    }
    (([tx, ty, tz], rotation, scale), off)
}
