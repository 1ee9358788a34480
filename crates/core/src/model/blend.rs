//! How values combine with the underlying pose: per track, and as files state it.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::{Animation, Property, Text, Track};

/// How the values of a track combine with the pose below the clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Blend {
    /// The values are the local pose.
    #[default]
    Absolute,
    /// The values change the rest pose: translations add to it, rotations are `rest * key`, scales
    /// multiply it.
    RestRelative,
    /// The values change the current pose, in the same way.
    Additive,
}

impl Blend {
    /// Returns the name in lower case: `absolute`, `rest-relative` or `additive`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::RestRelative => "rest-relative",
            Self::Additive => "additive",
        }
    }
}

/// A blend mode that a file states for a whole clip or node.
///
/// | mode | translation | rotation | scale and others |
/// |---|---|---|---|
/// | absolute, other | absolute | absolute | absolute |
/// | relative, delta | rest-relative | absolute | absolute |
/// | additive | additive | additive | absolute |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlendMode {
    /// The values are the local pose.
    #[default]
    Absolute,
    /// Translations and rotations add to the current pose.
    Additive,
    /// Translations add to the rest pose.
    Relative,
    /// Like relative. One bone carries the movement of the whole model.
    Delta,
    /// A value that no specification names. It plays as absolute.
    Other(u8),
}

impl BlendMode {
    /// Returns the name in lower case, or the number of an unnamed value.
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Self::Absolute => "absolute".into(),
            Self::Additive => "additive".into(),
            Self::Relative => "relative".into(),
            Self::Delta => "delta".into(),
            Self::Other(value) => value.to_string().into(),
        }
    }

    /// Returns how tracks of a property blend in this mode.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Blend, BlendMode, Property};
    ///
    /// assert_eq!(BlendMode::Relative.of(&Property::Translation), Blend::RestRelative);
    /// assert_eq!(BlendMode::Relative.of(&Property::Rotation), Blend::Absolute);
    /// ```
    pub const fn of(self, property: &Property) -> Blend {
        match (self, property) {
            (Self::Relative | Self::Delta, Property::Translation) => Blend::RestRelative,
            (
                Self::Additive,
                Property::Translation | Property::Rotation | Property::RotationEuler(_),
            ) => Blend::Additive,
            _ => Blend::Absolute,
        }
    }
}

/// A node for which a file states another blend mode than for its clip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlendOverride {
    /// The name of the node.
    pub node: Text,
    /// The mode.
    pub mode: BlendMode,
}

impl Animation {
    /// Sets the blend of every track from the stated modes: the last override of its node, or the
    /// mode of the clip.
    pub fn expand_blend(&mut self) {
        if self.blend == BlendMode::Absolute && self.blend_overrides.is_empty() {
            return self.make_absolute();
        }
        let modes = overrides(&self.blend_overrides);
        for track in &mut self.tracks {
            track.set_blend(stated(self.blend, &modes, track));
        }
    }

    /// Makes every track absolute without changing its values, and drops the stated modes. This is
    /// for targets that store no blend modes. Components that differed only in their blend then
    /// belong to one vector.
    pub fn make_absolute(&mut self) {
        self.blend = BlendMode::Absolute;
        self.blend_overrides.clear();
        // Most tracks are absolute, and reading their memory costs less than writing it.
        let blended =
            self.tracks.iter_mut().filter(|track| track.target().blend != Blend::Absolute);
        blended.for_each(|track| track.set_blend(Blend::Absolute));
    }

    /// Returns whether the stated blend modes give every track the blend that it has.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Animation, Blend, BlendMode, Property, Target, Track, TrackData};
    ///
    /// let data = TrackData::uniform(1.0, vec![[0.0_f32, 1.0, 0.0]]);
    /// let track = Track::new(Target::new("hips", Property::Translation), data)?;
    /// let mut clip = Animation::new(vec![track]).with_blend(BlendMode::Additive);
    /// assert!(clip.states_blend());
    /// clip.tracks[0].set_blend(Blend::RestRelative);
    /// assert!(!clip.states_blend());
    /// # Ok::<(), inbetween_core::TrackError>(())
    /// ```
    pub fn states_blend(&self) -> bool {
        let modes = overrides(&self.blend_overrides);
        self.tracks.iter().all(|track| stated(self.blend, &modes, track) == track.target().blend)
    }

    /// Replaces the stated blend modes if they do not give every track its blend. The new ones are
    /// the most frequent mode for the clip and, if nodes differ, one override for every node, so
    /// that no node inherits the mode of another.
    ///
    /// Returns the indices of the tracks that no mode can express: tracks of a node whose blends no
    /// single mode combines, and scales that are not absolute. They keep their blend.
    pub fn restate_blend(&mut self) -> Vec<usize> {
        if self.states_blend() {
            return Vec::new();
        }
        let mut nodes: Vec<Text> = Vec::new();
        let mut counts: HashMap<Text, [usize; MODES.len()]> = HashMap::new();
        for track in self.tracks.iter().filter(|track| moves_a_bone(track)) {
            let node = track.target().node.clone().unwrap_or_default();
            let fits = counts.entry(Text::clone(&node)).or_insert_with(|| {
                nodes.push(node);
                [0; MODES.len()]
            });
            for (count, mode) in fits.iter_mut().zip(MODES) {
                *count += usize::from(fits_mode(track, mode));
            }
        }
        let mut votes = [0_usize; MODES.len()];
        for fits in counts.values() {
            let best = fits.iter().copied().max().unwrap_or(0);
            for (vote, fit) in votes.iter_mut().zip(fits) {
                *vote += usize::from(*fit == best);
            }
        }
        self.blend = first_of_most(&votes, None);
        let mode = |node: &Text| {
            let fits = counts.get(node).copied().unwrap_or_default();
            first_of_most(&fits, Some(self.blend))
        };
        let modes: Vec<BlendOverride> = nodes
            .iter()
            .map(|node| BlendOverride { node: Text::clone(node), mode: mode(node) })
            .collect();
        let same = modes.iter().all(|each| each.mode == self.blend);
        self.blend_overrides = if same { Vec::new() } else { modes };
        let modes = overrides(&self.blend_overrides);
        let tracks = self.tracks.iter().enumerate();
        let unlike = |track: &Track| stated(self.blend, &modes, track) != track.target().blend;
        tracks.filter(|(_, track)| unlike(track)).map(|(index, _)| index).collect()
    }
}

/// The modes to choose from, the simplest first.
const MODES: [BlendMode; 3] = [BlendMode::Absolute, BlendMode::Relative, BlendMode::Additive];

/// Returns the mode with the highest count. Of several it returns the preferred one, otherwise the
/// first.
fn first_of_most(counts: &[usize; MODES.len()], preferred: Option<BlendMode>) -> BlendMode {
    let most = counts.iter().copied().max().unwrap_or(0);
    let mut best = MODES.into_iter().zip(counts).filter(|(_, count)| **count == most);
    let kept = best.clone().find(|(mode, _)| Some(*mode) == preferred);
    kept.or_else(|| best.next()).map(|(mode, _)| mode).unwrap_or_default()
}

/// Returns whether a mode affects a track: whether it is a translation, rotation or scale.
const fn moves_a_bone(track: &Track) -> bool {
    !matches!(track.target().property, Property::Weight(_) | Property::Custom(_))
}

fn fits_mode(track: &Track, mode: BlendMode) -> bool {
    mode.of(&track.target().property) == track.target().blend
}

fn overrides(overrides: &[BlendOverride]) -> HashMap<&str, BlendMode> {
    overrides.iter().map(|each| (&*each.node, each.mode)).collect()
}

fn stated(whole: BlendMode, modes: &HashMap<&str, BlendMode>, track: &Track) -> Blend {
    let own = track.target().node.as_deref().and_then(|node| modes.get(node));
    own.copied().unwrap_or(whole).of(&track.target().property)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quat, Target, TrackData, Values};

    fn track(node: &str, property: Property, blend: Blend) -> Track {
        let values: Values = match property {
            Property::Rotation => vec![Quat::<f32>::IDENTITY].into(),
            _ => vec![[0.0_f32; 3]].into(),
        };
        let target = Target { blend, ..Target::new(node, property) };
        Track::new(target, TrackData::uniform(1.0, values)).unwrap()
    }

    #[test]
    fn tracks_that_blend_alike_need_one_mode() {
        let tracks = vec![
            track("a", Property::Translation, Blend::Additive),
            track("a", Property::Rotation, Blend::Additive),
            track("a", Property::Scale, Blend::Absolute),
        ];
        let mut clip = Animation::new(tracks);
        assert_eq!(clip.restate_blend(), Vec::<usize>::new());
        assert_eq!((clip.blend, clip.blend_overrides), (BlendMode::Additive, Vec::new()));
    }

    #[test]
    fn every_node_gets_a_mode_if_one_differs() {
        let tracks = vec![
            track("a", Property::Translation, Blend::RestRelative),
            track("b", Property::Translation, Blend::Absolute),
            track("c", Property::Translation, Blend::Absolute),
        ];
        let mut clip = Animation::new(tracks);
        assert_eq!(clip.restate_blend(), Vec::<usize>::new());
        let modes: Vec<BlendMode> = clip.blend_overrides.iter().map(|each| each.mode).collect();
        assert_eq!(clip.blend, BlendMode::Absolute);
        assert_eq!(modes, [BlendMode::Relative, BlendMode::Absolute, BlendMode::Absolute]);
    }

    #[test]
    fn returns_tracks_whose_blend_no_mode_has() {
        let tracks = vec![
            track("a", Property::Translation, Blend::Absolute),
            track("a", Property::Rotation, Blend::Absolute),
            track("a", Property::Scale, Blend::Additive),
        ];
        assert_eq!(Animation::new(tracks).restate_blend(), [2]);
    }
}
