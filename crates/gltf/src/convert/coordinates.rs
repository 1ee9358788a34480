//! What a file notes about the change of coordinates by which it was made.

use inbetween_core::{Axis, Coordinates, Handedness, Mapped, Mapping, Quat, Text};

#[cfg(feature = "write")]
use crate::json_text::JsonText;
use crate::scene::{CoordinatesNote, Role, Scene};

/// The words for the handedness.
pub(crate) const HANDS: [(&str, Handedness); 2] =
    [("left", Handedness::Left), ("right", Handedness::Right)];

/// The words for the axes.
pub(crate) const AXES: [(&str, Axis); 3] =
    [(Axis::X.name(), Axis::X), (Axis::Y.name(), Axis::Y), (Axis::Z.name(), Axis::Z)];

/// Prints the note; `node` is the name of the node above the bones.
#[cfg(feature = "write")]
pub(super) fn print(mapped: &Mapped, node: Option<&Text>, json: &mut JsonText) {
    let hand = |(_, hand): &&(&str, Handedness)| Some(*hand) == mapped.from.handedness;
    if let Some((name, _)) = HANDS.iter().find(hand) {
        json.name("handedness").string(name);
    }
    if let Some(up) = mapped.from.up {
        json.name("up").string(up.name());
    }
    json.name("locals").string(&mapped.mapping.locals.to_string());
    json.name("top").string(&mapped.mapping.top.to_string());
    json.name("factor").number(mapped.mapping.factor);
    if let Some(node) = node {
        json.name("node").string(node);
    }
}

/// Whether the note of a file holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Noted {
    /// The file notes nothing.
    Nothing,
    Holds(Mapped),
    /// The node that it names is missing or was changed.
    Outdated,
}

/// Compares the note of a file with the node that it names. Nodes that were added above the bones and
/// have another transform now become ordinary nodes.
pub(super) fn check(scene: &mut Scene) -> Noted {
    let note = scene.coordinates.take();
    let named = note.as_ref().and_then(|note| note.node.clone());
    let root = named.as_ref().and_then(|name| {
        let is_named = |index: &usize| {
            let is_root = scene.parents.get(*index).copied().flatten().is_none();
            is_root && scene.nodes.get(*index).and_then(|node| node.name.as_ref()) == Some(name)
        };
        (0..scene.nodes.len()).find(is_named)
    });
    let holds = match (&note, root.and_then(|root| scene.nodes.get(root))) {
        (Some(note), _) if !note.is_sound() => false,
        (Some(note), Some(above)) => {
            let is_plain =
                above.translation.unwrap_or_default() == [0.0; 3] && above.matrix.is_none();
            is_plain && has_transform(note, above.rotation, above.scale)
        }
        (Some(note), None) => note.node.is_none(),
        (None, _) => false,
    };
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        let is_still =
            node.translation.is_none() && node.rotation.is_none() && node.scale.is_none();
        let is_noted = holds && Some(index) == root;
        if is_noted && node.role == Role::Unsaid {
            node.role = Role::Added;
        } else if !is_noted
            && (!is_still || node.matrix.is_some())
            && matches!(node.role, Role::Added | Role::Flat)
        {
            node.role = Role::Unsaid;
        }
    }
    match note {
        None => Noted::Nothing,
        Some(note) if holds => Noted::Holds(note.mapped()),
        Some(_) => Noted::Outdated,
    }
}

/// Returns whether a node still has the transform of a note, up to the rounding of `f32`.
fn has_transform(
    note: &CoordinatesNote,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
) -> bool {
    const ROUNDING: f64 = 1e-6;
    let rotation = rotation.map_or(Quat::IDENTITY, Quat::from_array);
    let turn = note.mapping.top.rotation().unwrap_or(Quat::IDENTITY);
    let factor = note.mapping.factor;
    let is_near = |part: &f64| (part - factor).abs() <= ROUNDING * factor;
    rotation.angle_to(turn) <= ROUNDING && scale.unwrap_or([1.0; 3]).iter().all(is_near)
}

impl CoordinatesNote {
    /// Returns whether the change can be undone: the turn is no mirror, and the factor is usual.
    fn is_sound(&self) -> bool {
        let Mapping { top, factor, .. } = self.mapping;
        !top.is_mirror() && (1e-9..=1e9).contains(&factor)
    }

    fn mapped(&self) -> Mapped {
        let from = Coordinates { handedness: self.handedness, up: self.up, ..Coordinates::UNKNOWN };
        Mapped { from, mapping: self.mapping, above: self.node.is_some() }
    }
}
