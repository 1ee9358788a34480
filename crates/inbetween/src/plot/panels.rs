//! Groups tracks into panels: one per property of a node.

use std::collections::HashMap;

use inbetween_core::clip_names;
use inbetween_core::{Animation, Document, Property, Target, ValueKind};

use super::curves::{Angles, Line, Rotations};
use super::scale::Unit;

/// A clip of the file, and the corresponding clip of the earlier file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'d> {
    pub(super) now: &'d Animation,
    pub(super) before: Option<&'d Animation>,
}

/// Tracks that are drawn in one panel.
#[derive(Debug)]
pub(super) struct Panel<'d> {
    /// The index of the clip.
    pub(super) clip: usize,
    pub(super) node: &'d str,
    pub(super) property: &'d Property,
    pub(super) now: Vec<Line<'d>>,
    pub(super) before: Vec<Line<'d>>,
}

impl<'d> Panel<'d> {
    pub(super) fn lines(&self) -> impl Iterator<Item = &Line<'d>> {
        self.before.iter().chain(&self.now)
    }

    /// Returns whether all tracks are constant and equal.
    fn is_still(&self) -> bool {
        let value = |line: &Line<'d>| line.track.data().value(0);
        let component = |line: &Line<'d>| line.track.target().component;
        let same = |one: &Line<'d>, other: &Line<'d>| {
            component(one) != component(other) || value(one) == value(other)
        };
        let agree = self.before.iter().all(|one| self.now.iter().all(|other| same(one, other)));
        agree && self.lines().all(Line::is_constant)
    }

    fn kind(&self) -> Option<ValueKind> {
        self.lines().next().map(|line| line.track.data().kind())
    }

    fn angles(&self) -> Angles {
        self.lines().next().map_or(Angles::Absent, |line| line.angles)
    }

    pub(super) fn is_text(&self) -> bool {
        self.kind() == Some(ValueKind::String)
    }

    pub(super) fn is_bool(&self) -> bool {
        use ValueKind::{Bool, Bool2, Bool3, Bool4};
        matches!(self.kind(), Some(Bool | Bool2 | Bool3 | Bool4))
    }

    pub(super) fn unit(&self) -> Unit {
        match self.angles() {
            Angles::Absent if self.is_bool() => Unit::Whole,
            Angles::Absent => Unit::Number,
            Angles::Euler | Angles::OfQuaternions => Unit::Degrees,
        }
    }

    /// Returns the name of the property, with the unit if it is not that of the file.
    pub(super) fn property_name(&self) -> String {
        match (self.property, self.angles()) {
            (Property::RotationEuler(_), _) => "Rotation (degrees)".to_owned(),
            (property, Angles::OfQuaternions) => {
                format!("{} (degrees: z, then y, then x)", property.name())
            }
            (Property::Rotation, _) => "Rotation (quaternion)".to_owned(),
            (property, _) => property.name().into_owned(),
        }
    }

    /// Returns the number of keys, before and after if they differ: `61 to 20 keys`.
    pub(super) fn key_count(&self) -> String {
        let count = |lines: &[Line<'d>]| {
            lines.iter().map(|line| line.track.data().len()).fold(0, usize::saturating_add)
        };
        let (now, before) = (count(&self.now), count(&self.before));
        match now {
            _ if before > 0 && before != now => format!("{before} to {now} keys"),
            1 => "1 key".to_owned(),
            _ => format!("{now} keys"),
        }
    }
}

/// Pairs the clips of two files: by name, or the only clip of each.
pub(super) fn pairs<'d>(now: &'d Document, before: Option<&'d Document>) -> Vec<Pair<'d>> {
    let names = |document: &'d Document| {
        document.clips.iter().map(|clip| clip.name.as_deref()).collect::<Vec<_>>()
    };
    let partners = before.map(|before| clip_names::pair(&names(now), &names(before)));
    let partners = partners.into_iter().flatten().chain(core::iter::repeat(None));
    let pairs = now.clips.iter().zip(partners);
    let partner = |index: Option<usize>| before?.clips.get(index?);
    pairs.map(|(now, index)| Pair { now, before: partner(index) }).collect()
}

/// The panels of a document.
#[derive(Debug)]
pub(super) struct Panels<'d> {
    /// Sorted by clip, then by node in the order of their first tracks.
    pub(super) drawn: Vec<Panel<'d>>,
    /// The number of panels that are not drawn because nothing moves in them.
    pub(super) still: usize,
}

impl<'d> Panels<'d> {
    /// Groups the chosen tracks. Constant ones are drawn only if all are constant, or if `all` is
    /// given.
    pub(super) fn new(
        pairs: &[Pair<'d>],
        chosen: &dyn Fn(&Target) -> bool,
        all: bool,
        rotations: Rotations,
    ) -> Self {
        let mut panels = Vec::new();
        for (clip, pair) in pairs.iter().enumerate() {
            let mut found = Found::new(rotations);
            found.add(pair.now, chosen, clip, |panel| &mut panel.now);
            if let Some(before) = pair.before {
                found.add(before, chosen, clip, |panel| &mut panel.before);
            }
            panels.extend(found.in_order());
        }
        let moving = panels.iter().filter(|panel| !panel.is_still()).count();
        let mut still = 0;
        if !all && moving > 0 {
            still = panels.len().saturating_sub(moving);
            panels.retain(|panel| !panel.is_still());
        }
        Self { drawn: panels, still }
    }
}

/// The panels of a clip.
struct Found<'d> {
    rotations: Rotations,
    panels: Vec<(usize, Panel<'d>)>,
    index: HashMap<(&'d str, &'d Property), usize>,
    nodes: HashMap<&'d str, usize>,
}

impl<'d> Found<'d> {
    fn new(rotations: Rotations) -> Self {
        Self { rotations, panels: Vec::new(), index: HashMap::new(), nodes: HashMap::new() }
    }

    fn add(
        &mut self,
        animation: &'d Animation,
        chosen: &dyn Fn(&Target) -> bool,
        clip: usize,
        lines: impl for<'p> Fn(&'p mut Panel<'d>) -> &'p mut Vec<Line<'d>>,
    ) {
        for track in &animation.tracks {
            let target = track.target();
            if track.data().is_empty() || !chosen(target) {
                continue;
            }
            let (node, property) = (target.node.as_deref().unwrap_or_default(), &target.property);
            let count = self.nodes.len();
            let order = *self.nodes.entry(node).or_insert(count);
            let index = *self.index.entry((node, property)).or_insert_with(|| {
                let (now, before) = (Vec::new(), Vec::new());
                self.panels.push((order, Panel { clip, node, property, now, before }));
                self.panels.len().saturating_sub(1)
            });
            if let Some((_, panel)) = self.panels.get_mut(index) {
                lines(panel).push(Line::new(animation, track, self.rotations));
            }
        }
    }

    fn in_order(mut self) -> impl Iterator<Item = Panel<'d>> {
        self.panels.sort_by_key(|(order, _)| *order);
        self.panels.into_iter().map(|(_, panel)| panel)
    }
}
