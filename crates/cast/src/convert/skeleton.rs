//! The skeleton of a file: the node that stores it, and its bones.

mod findings;
mod pose;

use inbetween_core::{Bone, Context, Findings, Limits, Path, ReadError, Skeleton, codes as shared};
use inbetween_core::{num, shown};

use super::animations::is_animation;
use crate::codes;
use crate::file::{CastFile, CastNode};
use crate::layout::{ID, NodeId};
use crate::names::{self, Encoding};
use crate::skeleton::{Parent, parents};
use crate::value::PropertyValues;
use findings::say;

/// The result of reading the skeletons of a file.
#[derive(Debug, Default)]
pub(super) struct Skeletons {
    /// The skeleton of the document.
    pub(super) skeleton: Option<Skeleton>,
    /// The nodes of skeletons without losses, in ascending order.
    nodes: Vec<u32>,
}

impl Skeletons {
    /// Reads the skeleton of a file: the first one with bones in a model, otherwise the first one
    /// in an animation that is more than a list of names.
    ///
    /// # Errors
    ///
    /// If the bones exceed the budget.
    pub(super) fn read(file: &CastFile<'_>, context: &mut Context<'_>) -> Result<Self, ReadError> {
        let roots = || file.roots().filter(|root| root.id() == NodeId::ROOT);
        let all = |id| {
            let nodes = roots().flat_map(move |root| root.children_of(id));
            nodes.flat_map(|node| node.children_of(NodeId::SKELETON))
        };
        let model = all(NodeId::MODEL).find(|node| node.children_of(NodeId::BONE).next().is_some());
        let chosen = model.or_else(|| all(NodeId::ANIMATION).find(|node| !lists_names(node)));
        let skeleton = chosen.map(|node| read(&node, context)).transpose()?;
        let mut nodes: Vec<u32> = chosen.iter().filter_map(number).collect();
        for node in all(NodeId::ANIMATION) {
            if lists_names(&node) || is_same(&node, skeleton.as_ref(), context)? {
                nodes.extend(number(&node));
            }
        }
        nodes.sort_unstable();
        Ok(Self { skeleton, nodes })
    }

    /// Returns whether all bones of a skeleton are kept.
    pub(super) fn keeps(&self, node: &CastNode<'_>) -> bool {
        number(node).is_some_and(|index| self.nodes.binary_search(&index).is_ok())
    }
}

fn number(node: &CastNode<'_>) -> Option<u32> {
    u32::try_from(node.index()).ok()
}

/// Returns whether a skeleton of an animation is only a list of names, as the option
/// `cast-names` writes it: bones at 0 without rotation, parents and scale.
pub(super) fn lists_names(skeleton: &CastNode<'_>) -> bool {
    let is_name = |bone: &CastNode<'_>| {
        bone.properties().all(|property| match (property.name(), property.values()) {
            (b"n", _) => true,
            (b"lp", PropertyValues::Vector3(view)) => view.get(0) == Some([0.0; 3]),
            (b"lr", PropertyValues::Vector4(view)) => view.get(0) == Some([0.0, 0.0, 0.0, 1.0]),
            _ => false,
        })
    };
    let in_animation = skeleton.parent().is_some_and(|parent| is_animation(&parent));
    in_animation && skeleton.children_of(NodeId::BONE).all(|bone| is_name(&bone))
}

fn is_same(
    node: &CastNode<'_>,
    skeleton: Option<&Skeleton>,
    context: &mut Context<'_>,
) -> Result<bool, ReadError> {
    let Some(skeleton) = skeleton else { return Ok(false) };
    let findings = Findings::new(&Limits::default());
    let mut apart = Context { budget: &mut *context.budget, findings };
    let other = read(node, &mut apart)?;
    Ok(apart.findings.is_empty() && skeleton.first_difference(&other).is_none())
}

/// Reads the bones of a skeleton.
fn read(skeleton: &CastNode<'_>, context: &mut Context<'_>) -> Result<Skeleton, ReadError> {
    let findings = &mut context.findings;
    let nodes = || skeleton.children_of(NodeId::BONE);
    let count = nodes().count();
    let charged = context.budget.charge_bytes(count.saturating_mul(size_of::<Bone>()));
    charged.map_err(|error| error.in_format(ID))?;
    let mut bones = Vec::with_capacity(count);
    bones.extend(nodes().map(|node| Bone { node: name(&node, findings), ..Bone::default() }));
    let stated = parents(skeleton);
    let parent = |bone: usize| match stated.get(bone) {
        Some(Parent::Bone(parent)) => Some(*parent),
        _ => None,
    };
    pose::read(skeleton, &mut bones, parent, findings);
    let duplicates = duplicates(&bones);
    let is_duplicate = |bone: usize| duplicates.binary_search(&bone).is_ok();
    for (index, (node, stated)) in nodes().zip(&stated).enumerate() {
        if is_duplicate(index) {
            say(findings, codes::DUPLICATE_BONE_DROPPED, &node, |name| format!("a second {name}"));
            continue;
        }
        let parent = parent(index).filter(|&parent| !is_duplicate(parent));
        if parent.is_none() && *stated != Parent::Root {
            say(findings, codes::BONE_PARENT_DROPPED, &node, str::to_owned);
        }
        let parent = parent.and_then(|parent| bones.get(parent)).map(|bone| bone.node.clone());
        if let Some(bone) = bones.get_mut(index) {
            bone.parent = parent;
        }
    }
    drop(stated);
    let mut index = 0..;
    bones.retain(|_| index.next().is_none_or(|index| duplicates.binary_search(&index).is_err()));
    Skeleton::new(bones).map_err(|error| {
        let path = Path::item("nodes", skeleton.index());
        let invalid = ReadError::invalid("bones that make a skeleton", error.to_string());
        invalid.in_format(ID).at_path(path)
    })
}

fn name(node: &CastNode<'_>, findings: &mut Findings) -> inbetween_core::Text {
    let (text, encoding) = names::text(node.string("n").unwrap_or_default());
    if encoding == Encoding::Latin1 {
        say(findings, shared::NAME_REENCODED, node, |_| format!("read as \"{}\"", shown(&text)));
    }
    text
}

/// Returns the bones with the same name as an earlier one, in ascending order.
fn duplicates(bones: &[Bone]) -> Vec<usize> {
    let name = |index: u32| bones.get(num::len_from_u64(index.into())).map(|bone| &bone.node);
    let mut order: Vec<u32> = (0..u32::try_from(bones.len()).unwrap_or(u32::MAX)).collect();
    order.sort_by_key(|&index| name(index));
    let pairs = order.windows(2).filter_map(|pair| <[u32; 2]>::try_from(pair).ok());
    let same = pairs.filter(|&[first, second]| name(first) == name(second));
    let mut found: Vec<usize> = same.map(|[_, second]| num::len_from_u64(second.into())).collect();
    found.sort_unstable();
    found
}
