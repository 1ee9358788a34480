//! Targets with one track.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::stores::Targets;
use crate::{Axis, Property, Target};

/// The targets that have a track already: one track, or the components of one.
#[derive(Debug)]
pub(super) struct Once {
    targets: Targets,
    taken: HashMap<(String, Property), (Target, [bool; 3])>,
}

impl Once {
    pub(super) fn new(targets: Targets) -> Self {
        Self { targets, taken: HashMap::new() }
    }

    /// Returns whether a format stores a track beside those that were taken before it.
    pub(super) fn take(&mut self, target: &Target) -> bool {
        let node = target.node.as_deref().unwrap_or_default();
        let node = match self.targets {
            Targets::Any => return true,
            Targets::Once => node.to_owned(),
            Targets::OnceInAnyCase => node.to_ascii_lowercase(),
        };
        let property = match &target.property {
            Property::Custom(_) => return true,
            Property::RotationEuler(_) => Property::Rotation,
            property => property.clone(),
        };
        let axes = Axis::ALL.map(|axis| target.component.is_none_or(|own| own == axis));
        match self.taken.entry((node, property)) {
            Entry::Vacant(entry) => {
                entry.insert((target.clone(), axes));
                true
            }
            Entry::Occupied(mut entry) => {
                let (first, known) = entry.get_mut();
                // The components of one vector are joined, of a node in one spelling.
                let joins = Target { component: target.component, ..first.clone() } == *target;
                let is_free = !known.iter().zip(axes).any(|(known, own)| *known && own);
                if joins && is_free {
                    for (known, own) in known.iter_mut().zip(axes) {
                        *known |= own;
                    }
                }
                joins && is_free
            }
        }
    }
}
