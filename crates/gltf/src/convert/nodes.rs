//! The nodes of a file: the bones of the skeleton, and other nodes that tracks animate.

use std::collections::{HashMap, HashSet};

use inbetween_core::{
    Axes, BoneRole, Context, Finding, Mapped, Path, Quat, Skeleton, Text, codes as shared, counted,
};

use crate::codes;
use crate::json_text::JsonText;
use crate::scene::Role;

/// A node to write.
#[derive(Debug, Default)]
pub(super) struct NodePart {
    pub(super) name: Text,
    parent: Option<usize>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    /// The names of the blend shapes, in the order of their weights.
    pub(super) shapes: Vec<Text>,
    pub(super) weights: Option<Vec<f32>>,
    pub(super) role: Role,
    /// Whether it is a node of the skeleton that is no bone.
    is_above: bool,
    mesh: Option<usize>,
}

/// The nodes by their names.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    pub(super) list: Vec<NodePart>,
    by_name: HashMap<Text, usize>,
    /// The node that was requested last.
    last: usize,
    /// The skeleton; without one the nodes have no parents.
    skeleton: Option<Skeleton>,
    /// Whether the nodes are those of a model, whose blend shapes are given.
    of_model: bool,
}

impl Nodes {
    /// Creates a node for each bone of a skeleton.
    pub(super) fn new(skeleton: Option<&Skeleton>, context: &mut Context<'_>) -> Self {
        let mut nodes = Self { skeleton: skeleton.cloned(), ..Self::default() };
        let Some(skeleton) = skeleton else { return nodes };
        let mut unknown = 0_usize;
        for (index, bone) in skeleton.bones().iter().enumerate() {
            let known =
                bone.translation.is_some() && bone.rotation.is_some() && bone.scale.is_some();
            unknown = unknown.saturating_add(usize::from(!known));
            let rotation = bone.rotation.map(|rotation| {
                let unit = (rotation.length() - 1.0).abs() <= 1e-5;
                let inside = rotation.to_array().iter().all(|part| part.abs() <= 1.0);
                if unit && inside { rotation } else { unit_rotation(rotation) }.to_array()
            });
            if let (Some(before), Some(after)) = (bone.rotation, rotation)
                && before.to_array() != after
            {
                let message = format!("bone {index}");
                let finding = Finding::new(shared::ROTATIONS_NORMALIZED, message);
                context.findings.push(finding.at(Path::field("skeleton")));
            }
            nodes.add(NodePart {
                name: Text::clone(&bone.node),
                parent: skeleton.parent(index),
                translation: bone.translation,
                rotation,
                scale: bone.scale,
                is_above: bone.role == BoneRole::Above,
                ..NodePart::default()
            });
        }
        if unknown > 0 {
            let message = counted(unknown, "bone");
            let finding = Finding::new(codes::REST_POSE_FILLED, message);
            context.findings.push(finding.at(Path::field("skeleton")));
        }
        nodes
    }

    /// Creates the nodes of a model, with their blend shapes.
    pub(super) fn of_model(known: Vec<(Text, Vec<Text>)>) -> Self {
        let mut nodes = Self { of_model: true, ..Self::default() };
        for (name, shapes) in known {
            nodes.add(NodePart { name, shapes, ..NodePart::default() });
        }
        nodes
    }

    /// Returns whether no parents are known.
    pub(super) const fn are_flat(&self) -> bool {
        self.skeleton.is_none() && !self.of_model
    }

    fn add(&mut self, node: NodePart) -> usize {
        let index = self.list.len();
        self.by_name.insert(Text::clone(&node.name), index);
        self.list.push(node);
        index
    }

    /// Returns the node with a name; adds it if there is none.
    pub(super) fn of(&mut self, name: &Text) -> usize {
        // The tracks of a node usually follow each other.
        if self.list.get(self.last).is_some_and(|last| last.name == *name) {
            return self.last;
        }
        self.last = if let Some(index) = self.by_name.get(name) {
            *index
        } else {
            let role = if self.skeleton.is_none() { Role::Unsaid } else { Role::NoBone };
            self.add(NodePart { name: Text::clone(name), role, ..NodePart::default() })
        };
        self.last
    }

    /// Returns the index of a blend shape of a node; adds it if there is none. A model gets no new
    /// ones.
    pub(super) fn shape(&mut self, node: usize, name: &Text) -> Option<usize> {
        let node = self.list.get_mut(node)?;
        let known = node.shapes.iter().position(|known| known == name);
        known.or_else(|| {
            (!self.of_model).then(|| {
                node.shapes.push(Text::clone(name));
                node.shapes.len().saturating_sub(1)
            })
        })
    }

    pub(super) fn get_mut(&mut self, node: usize) -> Option<&mut NodePart> {
        self.list.get_mut(node)
    }

    /// Completes the tree: nodes without blend shapes become joints below one root, which is
    /// returned. The root has the turn and the factor of a conversion that changed no bone.
    pub(super) fn finish(&mut self, mapped: Option<&Mapped>) -> Tree {
        let joints = self
            .indices(|node| node.shapes.is_empty() && node.role != Role::NoBone && !node.is_above);
        for node in &mut self.list {
            if self.skeleton.is_some() && node.role == Role::Unsaid && !node.shapes.is_empty() {
                node.role = Role::Bone;
            }
        }
        let above = mapped.filter(|mapped| mapped.above);
        let root = self.root(above.is_some());
        if let (Some(mapped), Some(root)) = (above, root.and_then(|root| self.list.get_mut(root))) {
            (root.rotation, root.scale) = transform_above(mapped);
        }
        let mut children = vec![Vec::new(); self.list.len()];
        for (index, node) in self.list.iter().enumerate() {
            if let Some(list) = node.parent.and_then(|parent| children.get_mut(parent)) {
                list.push(index);
            }
        }
        let mut mesh = 0_usize;
        for node in self.list.iter_mut().filter(|node| !node.shapes.is_empty()) {
            node.mesh = Some(mesh);
            mesh = mesh.saturating_add(1);
        }
        Tree { root, joints, children }
    }

    /// Returns the indices of the nodes that fulfill a condition.
    fn indices(&self, is_wanted: impl Fn(&NodePart) -> bool) -> Vec<usize> {
        let nodes = self.list.iter().enumerate().filter(|(_, node)| is_wanted(node));
        nodes.map(|(index, _)| index).collect()
    }

    /// Returns the common root of all nodes; adds one if it is requested, there are several, or none
    /// is known.
    fn root(&mut self, asked: bool) -> Option<usize> {
        let tops = self.indices(|node| node.parent.is_none());
        if self.list.is_empty() || !(asked || self.skeleton.is_none() || tops.len() > 1) {
            return tops.first().copied();
        }
        let role = if self.skeleton.is_none() { Role::Flat } else { Role::Added };
        let name = self.free_name();
        let root = self.add(NodePart { name, role, ..NodePart::default() });
        for index in tops {
            if let Some(node) = self.list.get_mut(index) {
                node.parent = Some(root);
            }
        }
        Some(root)
    }

    /// Returns a name for the root that no other node has.
    fn free_name(&self) -> Text {
        let taken: HashSet<&str> = self.list.iter().map(|node| &*node.name).collect();
        let mut name = "root".to_owned();
        let mut suffix = 1_usize;
        while taken.contains(name.as_str()) {
            suffix = suffix.saturating_add(1);
            name = format!("root.{suffix}");
        }
        name.into()
    }
}

/// Returns the rotation and the scale of the node above the bones.
pub(super) fn transform_above(mapped: &Mapped) -> (Option<[f64; 4]>, Option<[f64; 3]>) {
    let turn = mapped.mapping.top;
    let rotation = turn.rotation().filter(|_| turn != Axes::IDENTITY).map(Quat::to_array);
    let factor = mapped.mapping.factor;
    (rotation, (factor != 1.0).then_some([factor; 3]))
}

fn unit_rotation(rotation: Quat<f64>) -> Quat<f64> {
    let unit = rotation.normalized();
    Quat::from_array(unit.to_array().map(|part| part.clamp(-1.0, 1.0)))
}

/// The parents and children of the nodes.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) root: Option<usize>,
    pub(super) joints: Vec<usize>,
    pub(super) children: Vec<Vec<usize>>,
}

impl NodePart {
    /// Prints the node.
    pub(super) fn print(&self, children: &[usize], json: &mut JsonText) {
        json.object(|json| {
            json.name("name").string(&self.name);
            if !children.is_empty() {
                json.name("children").indices(children.iter().copied());
            }
            if let Some(translation) = self.translation {
                json.name("translation").numbers(translation);
            }
            if let Some(rotation) = self.rotation {
                json.name("rotation").numbers(rotation);
            }
            if let Some(scale) = self.scale {
                json.name("scale").numbers(scale);
            }
            if let Some(mesh) = self.mesh {
                json.name("mesh").index(mesh);
                let weights = self.weights.iter().flatten().copied().map(f64::from);
                if self.weights.is_some() {
                    json.name("weights").numbers(weights);
                }
            }
            let role = Role::NAMES.iter().find(|(_, role)| *role == self.role);
            if let Some((name, _)) = role {
                own(json, |json| json.name("role").string(name));
            }
        });
    }
}

/// Prints the extras of this crate.
pub(super) fn own(json: &mut JsonText, members: impl FnOnce(&mut JsonText)) {
    json.name("extras").object(|json| json.name("inbetween").object(members));
}
