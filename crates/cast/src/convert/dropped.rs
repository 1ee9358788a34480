//! Reports data of a file that the common model cannot store.

use inbetween_core::{Code, Finding, Findings, Path, Text, codes as shared};

use super::animations::is_animation;
use super::skeleton::Skeletons;
use crate::codes;
use crate::curve::{Known, known_properties};
use crate::file::{CastFile, CastNode};
use crate::layout::{NodeId, hash};
use crate::names::show;
use crate::value::PropertyValues;

/// Reports the losses of the file as a whole, and returns the names of the parts of the scene that
/// documents do not hold.
pub(super) fn report_file(
    file: &CastFile<'_>,
    skeletons: &Skeletons,
    findings: &mut Findings,
) -> Vec<Text> {
    let mut scene: Vec<Text> = Vec::new();
    let header = file.header();
    if header.version != 1 || header.flags != 0 {
        let message = format!("version {} and flags {:#x}", header.version, header.flags);
        findings.push(Finding::new(codes::HEADER_DROPPED, message));
    }
    if !file.trailing().is_empty() {
        let message = format!("{} bytes after the last node", file.trailing().len());
        findings.push(Finding::new(shared::TRAILING_DROPPED, message));
    }
    let mut say = |code: Code, node: &CastNode<'_>, message: &dyn Fn() -> String| {
        findings.add(code, || Finding::new(code, message()).at(Path::item("nodes", node.index())));
    };
    // The animation of the last usual curve; the next one is most likely in the same.
    let mut animation = None;
    for index in 0..file.node_count() {
        if let Some(parent) = file.parent_of_usual_curve(index) {
            if animation != Some(parent) {
                animation = file.node(parent).filter(is_animation).map(|_| parent);
            }
            if animation.is_some() {
                continue;
            }
        }
        let Some(node) = file.node(index) else { continue };
        if node.hash() != hash(node.index()) {
            say(codes::HASHES_DROPPED, &node, &|| {
                format!("the hash {:#x} of the node {}", node.hash(), node.id())
            });
        }
        match fate(&node, skeletons) {
            Fate::Read => report_properties(&node, &mut say),
            Fate::Dropped if part_of_scene(node.id()).is_some() => {
                let part =
                    part_of_scene(node.id()).filter(|part| scene.iter().all(|it| **it != **part));
                scene.extend(part.map(Text::from));
            }
            Fate::Dropped => say(codes::NODES_DROPPED, &node, &|| {
                format!("the node {} and all nodes below it", node.id())
            }),
            Fate::Metadata => report_metadata(&node, &mut say),
            Fate::Below => {}
        }
    }
    scene
}

/// Returns the name of the part of a scene that nodes with an id make; `None` for other nodes.
fn part_of_scene(id: NodeId) -> Option<&'static str> {
    Some(match id {
        NodeId::MODEL => "models",
        NodeId::MESH => "meshes",
        NodeId::HAIR => "hair",
        NodeId::BLEND_SHAPE => "blend shapes",
        NodeId::IK_HANDLE => "IK handles",
        NodeId::CONSTRAINT => "constraints",
        NodeId::MATERIAL => "materials",
        NodeId::FILE => "files",
        NodeId::COLOR => "colors",
        NodeId::INSTANCE => "instances",
        _ => return None,
    })
}

/// The result of converting a node.
enum Fate {
    Read,
    Metadata,
    Dropped,
    /// The node is below another node that is dropped and reported.
    Below,
}

fn fate(node: &CastNode<'_>, skeletons: &Skeletons) -> Fate {
    let Some(parent) = node.parent() else {
        return if node.id() == NodeId::ROOT { Fate::Read } else { Fate::Dropped };
    };
    let in_root = || parent.id() == NodeId::ROOT && parent.parent().is_none();
    let is_read = match node.id() {
        NodeId::METADATA if in_root() => return Fate::Metadata,
        NodeId::ANIMATION => in_root(),
        NodeId::MODEL => in_root() && node.children().any(|child| skeletons.keeps(&child)),
        NodeId::CURVE | NodeId::CURVE_MODE_OVERRIDE | NodeId::NOTIFICATION_TRACK => {
            is_animation(&parent)
        }
        NodeId::SKELETON => skeletons.keeps(node),
        NodeId::BONE => skeletons.keeps(&parent),
        _ => false,
    };
    if is_read {
        return Fate::Read;
    }
    let above =
        matches!(parent.id(), NodeId::ROOT | NodeId::ANIMATION | NodeId::MODEL | NodeId::SKELETON);
    if above { Fate::Dropped } else { Fate::Below }
}

/// Reports properties that the specification does not name for the node, and duplicates.
fn report_properties(
    node: &CastNode<'_>,
    say: &mut impl FnMut(Code, &CastNode<'_>, &dyn Fn() -> String),
) {
    let known = known_properties(node.id());
    let is_model = node.id() == NodeId::MODEL;
    let (mut seen, mut next) = (0_u32, 0);
    for property in node.properties() {
        let has_name = |known: &Known| known.name.as_bytes() == property.name();
        // Most properties are in the order of the specification.
        let usual = known.get(next).is_some_and(has_name).then_some(next);
        let place = usual.or_else(|| known.iter().position(has_name));
        next = place.map_or(next, |place| place.saturating_add(1));
        let bit = place.and_then(|place| u32::try_from(place).ok()).map(|place| 1_u32 << place);
        let again = bit.is_some_and(|bit| seen & bit != 0);
        seen |= bit.unwrap_or(0);
        // The name of a model is metadata of the exporter.
        if is_model && property.name() == b"n" && !again {
            continue;
        }
        let ssc = node.id() == NodeId::BONE
            && property.name() == b"ssc"
            && !matches!(property.values(), PropertyValues::U8(view) if view.get(0) == Some(1));
        if bit.is_none() || again || is_model || ssc {
            say(codes::PROPERTIES_DROPPED, node, &|| {
                format!("the property {} of the node {}", show(property.name()), node.id())
            });
        }
    }
}

fn report_metadata(
    node: &CastNode<'_>,
    say: &mut impl FnMut(Code, &CastNode<'_>, &dyn Fn() -> String),
) {
    say(codes::METADATA_DROPPED, node, &|| {
        let names = node.properties().take(4).map(|property| show(property.name()));
        format!("the metadata {}", names.collect::<Vec<_>>().join(", "))
    });
    if let Some(up) = node.string("up").filter(|up| !up.eq_ignore_ascii_case(b"y")) {
        say(codes::UP_AXIS, node, &|| format!("the up axis is {}", show(up)));
    }
}
