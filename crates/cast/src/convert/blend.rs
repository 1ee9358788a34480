//! Converts between the modes of curves and the blend modes of clips and nodes.
//!
//! Each curve has its own mode. A clip has one mode for all nodes, and overrides for single nodes;
//! each of these sets the modes of translation, rotation and scale together.

use std::collections::HashMap;

use inbetween_core::{Blend, BlendMode, BlendOverride, Property, Text};

/// The properties that blend modes distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Translation,
    Rotation,
    Scale,
}

impl Kind {
    const fn property(self) -> Property {
        match self {
            Self::Translation => Property::Translation,
            Self::Rotation => Property::Rotation,
            Self::Scale => Property::Scale,
        }
    }

    /// Returns the index of the kind, 0 to 2.
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Translation => 0,
            Self::Rotation => 1,
            Self::Scale => 2,
        }
    }

    pub(crate) const fn of(property: &Property) -> Option<Self> {
        match property {
            Property::Translation => Some(Self::Translation),
            Property::Rotation | Property::RotationEuler(_) => Some(Self::Rotation),
            Property::Scale => Some(Self::Scale),
            _ => None,
        }
    }
}

/// The blend modes that curves can express, the simplest first.
const MODES: [BlendMode; 3] = [BlendMode::Absolute, BlendMode::Relative, BlendMode::Additive];

/// Returns whether a track in a node of a mode can have a blend. Other converters write the scale
/// of additive animations as additive, as the option `cast-scale` does.
fn allows(mode: BlendMode, kind: Kind, blend: Blend) -> bool {
    let additive_scale = mode == BlendMode::Additive && kind == Kind::Scale;
    blend == mode.of(&kind.property()) || (additive_scale && blend == Blend::Additive)
}

/// The blend modes of a clip that follow from the modes of its curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Modes {
    /// The mode of the clip.
    pub(crate) clip: BlendMode,
    /// The nodes with another mode, in the order of their first tracks.
    pub(crate) overrides: Vec<BlendOverride>,
}

impl Modes {
    /// Derives the blend modes from the node, the kind and the mode of each track. The mode of the
    /// clip is the one that most nodes fit, of several the simplest. A node that fits no mode, such
    /// as one with a relative rotation, counts as absolute.
    pub(crate) fn of<'t>(tracks: impl Iterator<Item = (&'t Text, Kind, Blend)> + Clone) -> Self {
        // Most clips have no other tracks, and grouping them by node is slow.
        if tracks.clone().all(|(.., blend)| blend == Blend::Absolute) {
            return Self::default();
        }
        let mut nodes: Vec<(&Text, [bool; 3])> = Vec::new();
        let mut known: HashMap<&Text, usize> = HashMap::new();
        for (node, kind, blend) in tracks {
            let index = *known.entry(node).or_insert(nodes.len());
            if index == nodes.len() {
                nodes.push((node, [true; 3]));
            }
            let Some((_, fits)) = nodes.get_mut(index) else { continue };
            for (fits, mode) in fits.iter_mut().zip(MODES) {
                *fits &= allows(mode, kind, blend);
            }
        }
        let count =
            |place: usize| nodes.iter().filter(|(_, fits)| fits.get(place) == Some(&true)).count();
        // `max_by_key` returns the last of several maxima, so the simplest mode comes last.
        let most = (0..MODES.len()).rev().max_by_key(|&place| count(place)).unwrap_or(0);
        let clip = MODES.get(most).copied().unwrap_or_default();
        let mut modes = Self { clip, ..Self::default() };
        for (node, fits) in nodes {
            if fits.get(most) == Some(&true) {
                continue;
            }
            let own = MODES.into_iter().zip(fits).find(|(_, fits)| *fits).map(|(mode, _)| mode);
            let mode = own.unwrap_or_default();
            if mode != modes.clip {
                modes.overrides.push(BlendOverride { node: node.clone(), mode });
            }
        }
        modes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modes(tracks: &[(&str, Kind, Blend)]) -> (BlendMode, Vec<(String, BlendMode)>) {
        let texts: Vec<Text> = tracks.iter().map(|(node, ..)| Text::from(*node)).collect();
        let tracks = texts.iter().zip(tracks).map(|(text, &(_, kind, blend))| (text, kind, blend));
        let modes = Modes::of(tracks);
        let overrides = modes.overrides.into_iter().map(|each| (each.node.to_string(), each.mode));
        (modes.clip, overrides.collect())
    }

    #[test]
    fn clip_modes_survive_in_their_curves() {
        use Blend::{Absolute, Additive, RestRelative};
        use Kind::{Rotation, Scale, Translation};
        let relative = [("a", Translation, RestRelative), ("b", Rotation, Absolute)];
        assert_eq!(modes(&relative).0, BlendMode::Relative);
        let additive = [("a", Translation, Additive), ("a", Rotation, Additive)];
        let scaled = [additive.as_slice(), &[("a", Scale, Absolute)]].concat();
        assert_eq!(modes(&scaled).0, BlendMode::Additive);
        assert_eq!(modes(&[("a", Rotation, Absolute)]).0, BlendMode::Absolute);
        assert_eq!(modes(&[]), (BlendMode::Absolute, vec![]));
    }

    #[test]
    fn the_most_frequent_mode_is_that_of_the_clip() {
        use Blend::{Absolute, RestRelative};
        use Kind::{Rotation, Translation};
        let found = modes(&[
            ("a", Translation, RestRelative),
            ("b", Translation, Absolute),
            ("c", Translation, RestRelative),
            ("d", Rotation, RestRelative),
        ]);
        let absolute = |node: &str| (node.to_owned(), BlendMode::Absolute);
        assert_eq!(found, (BlendMode::Relative, vec![absolute("b"), absolute("d")]));
    }
}
