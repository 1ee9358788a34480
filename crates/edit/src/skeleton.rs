//! The pose below an animation, and who hangs on whom.

use core::fmt;
use std::collections::HashMap;

use inbetween_core::{Animation, Axis, BlendMode, Property, Quat, Text, Value, Values, shown};

use inbetween_core::rows::numbers as row;

/// A bone of a rest pose.
///
/// Of what is `None` the rest pose knows nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// The name that tracks have for it.
    pub node: Text,
    /// The bone that it hangs on.
    pub parent: Option<Text>,
    /// Its position in the axes of its parent, in the unit of the animation.
    pub translation: Option<[f64; 3]>,
    /// Its rotation against its parent.
    pub rotation: Option<Quat<f64>>,
    /// Factor by axis.
    pub scale: Option<[f64; 3]>,
}

/// A rest pose.
///
/// Invariants, checked by the constructors:
/// 1. No two bones have the same name.
/// 2. Every parent is a bone, and no bone hangs on itself, however many lie between.
/// 3. Numbers are finite, and rotations are of length 1.
///
/// # Examples
///
/// ```
/// use inbetween_edit::{Bone, Skeleton};
///
/// let hips = Bone { node: "hips".into(), translation: Some([0.0, 90.0, 0.0]), ..Bone::default() };
/// let spine = Bone { node: "spine".into(), parent: Some("hips".into()), ..Bone::default() };
/// let skeleton = Skeleton::new(vec![hips, spine.clone()])?;
/// assert_eq!(skeleton.bones().len(), 2);
/// assert!(Skeleton::new(vec![spine]).is_err());
/// # Ok::<(), inbetween_edit::SkeletonError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
    places: HashMap<Text, usize>,
}

impl Skeleton {
    /// Makes a rest pose of its bones, in any order; rotations are brought to length 1.
    ///
    /// # Errors
    ///
    /// When an invariant of the type does not hold.
    pub fn new(mut bones: Vec<Bone>) -> Result<Self, SkeletonError> {
        let mut places = HashMap::with_capacity(bones.len());
        for (index, bone) in bones.iter_mut().enumerate() {
            check_numbers(bone)?;
            bone.rotation = bone.rotation.map(Quat::normalized);
            if places.insert(Text::clone(&bone.node), index).is_some() {
                return Err(SkeletonError::Twice { node: Text::clone(&bone.node) });
            }
        }
        let skeleton = Self { bones, places };
        skeleton.check_parents()?;
        Ok(skeleton)
    }

    /// Takes the first frame of an absolute clip as the rest pose; who hangs on whom stays
    /// unknown.
    ///
    /// # Errors
    ///
    /// When the clip is not absolute, or a value is no number.
    pub fn of_first_frame(clip: &Animation) -> Result<Self, SkeletonError> {
        if clip.blend != BlendMode::Absolute || !clip.blend_overrides.is_empty() {
            return Err(SkeletonError::NotAbsolute { blend: clip.blend });
        }
        let mut bones: Vec<(Bone, [Option<f64>; 3])> = Vec::new();
        let mut places: HashMap<Text, usize> = HashMap::new();
        let mut orders = HashMap::new();
        for track in &clip.tracks {
            let rules = clip.rules.of(&track.target().property);
            let (Some(node), Some(value)) = (&track.target().node, rules.sample(track.data(), 0.0))
            else {
                continue;
            };
            let place = *places.entry(Text::clone(node)).or_insert(bones.len());
            if place == bones.len() {
                bones.push((Bone { node: Text::clone(node), ..Bone::default() }, [None; 3]));
            }
            let Some((bone, angles)) = bones.get_mut(place) else { continue };
            let component = track.target().component;
            match &track.target().property {
                Property::Translation => place_parts(&mut bone.translation, 0.0, component, &value),
                Property::Scale => place_parts(&mut bone.scale, 1.0, component, &value),
                Property::Rotation => {
                    let parts = numbers(&value);
                    bone.rotation = parts.try_into().ok().map(Quat::from_array);
                }
                Property::RotationEuler(order) => {
                    let mut parts = Some(angles.map(Option::unwrap_or_default));
                    place_parts(&mut parts, 0.0, component, &value);
                    *angles = parts.unwrap_or_default().map(Some);
                    orders.insert(place, *order);
                }
                _ => {}
            }
        }
        for (place, order) in orders {
            if let Some((bone, angles)) = bones.get_mut(place) {
                bone.rotation = Some(order.quaternion(angles.map(Option::unwrap_or_default)));
            }
        }
        Self::new(bones.into_iter().map(|(bone, _)| bone).collect())
    }

    /// Returns the bones in their order.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Returns the bone with this name.
    pub fn bone(&self, node: &str) -> Option<&Bone> {
        self.places.get(node).and_then(|&place| self.bones.get(place))
    }

    /// Says whether any bone hangs on another.
    pub fn has_parents(&self) -> bool {
        self.bones.iter().any(|bone| bone.parent.is_some())
    }

    /// Returns how each node of a clip blends: as the nearest of itself and the bones above it
    /// that has an override, else as the clip.
    pub(crate) fn modes(&self, clip: &Animation) -> HashMap<Text, BlendMode> {
        let own = clip.blend_overrides.iter().map(|each| (Text::clone(&each.node), each.mode));
        let mut modes: HashMap<Text, BlendMode> = own.collect();
        for bone in &self.bones {
            let mut waiting = Vec::new();
            let mut at = Some(bone);
            let mode = loop {
                let Some(bone) = at else { break clip.blend };
                if let Some(mode) = modes.get(&bone.node) {
                    break *mode;
                }
                waiting.push(Text::clone(&bone.node));
                at = bone.parent.as_deref().and_then(|parent| self.bone(parent));
            };
            modes.extend(waiting.into_iter().map(|node| (node, mode)));
        }
        modes
    }

    /// Fails where a parent is missing, or a bone is above itself.
    fn check_parents(&self) -> Result<(), SkeletonError> {
        let mut sound = vec![false; self.bones.len()];
        for start in 0..self.bones.len() {
            let mut way = Vec::new();
            let mut at = Some(start);
            while let Some(place) = at.filter(|&place| sound.get(place) == Some(&false)) {
                let Some(bone) = self.bones.get(place) else { break };
                // A way that is longer than the list has been somewhere twice.
                if way.len() >= self.bones.len() {
                    return Err(SkeletonError::Cycle { node: Text::clone(&bone.node) });
                }
                way.push(place);
                at = match &bone.parent {
                    None => None,
                    Some(parent) => Some(*self.places.get(parent).ok_or_else(|| {
                        let (node, parent) = (Text::clone(&bone.node), Text::clone(parent));
                        SkeletonError::NoParent { node, parent }
                    })?),
                };
            }
            for place in way {
                if let Some(sound) = sound.get_mut(place) {
                    *sound = true;
                }
            }
        }
        Ok(())
    }
}

fn check_numbers(bone: &Bone) -> Result<(), SkeletonError> {
    let rotation = bone.rotation.map(Quat::to_array);
    let vectors = bone.translation.into_iter().chain(bone.scale).flatten();
    let node = || Text::clone(&bone.node);
    if let Some(found) = vectors.chain(rotation.into_iter().flatten()).find(|x| !x.is_finite()) {
        return Err(SkeletonError::NotFinite { node: node(), found });
    }
    match bone.rotation.map(Quat::length) {
        Some(length) if !(length > 0.0 && length.is_finite()) => {
            Err(SkeletonError::NoRotation { node: node() })
        }
        _ => Ok(()),
    }
}

/// Puts a value, or one component of it, into a vector.
fn place_parts(
    vector: &mut Option<[f64; 3]>,
    missing: f64,
    component: Option<Axis>,
    value: &Value,
) {
    let Some(axis) = component else {
        *vector = numbers(value).try_into().ok();
        return;
    };
    let [x, y, z] = vector.get_or_insert([missing; 3]);
    let part = match axis {
        Axis::X => x,
        Axis::Y => y,
        Axis::Z => z,
    };
    *part = value.number().unwrap_or(missing);
}

/// Returns the numbers of a value.
fn numbers(value: &Value) -> Vec<f64> {
    let mut column = Values::empty(value.kind());
    // A column takes values of its own kind.
    let _ = column.push(value.clone());
    row(&column, 0).unwrap_or_default()
}

/// Why bones are no rest pose.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// Two bones have the same name.
    Twice {
        /// The name.
        node: Text,
    },
    /// A bone hangs on one that is not there.
    NoParent {
        /// The bone.
        node: Text,
        /// What it hangs on.
        parent: Text,
    },
    /// A bone is above itself.
    Cycle {
        /// One of the bones that go round.
        node: Text,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// The bone.
        node: Text,
        /// The number.
        found: f64,
    },
    /// A rotation has no length.
    NoRotation {
        /// The bone.
        node: Text,
    },
    /// The first frame of a clip that adds to a pose is no pose.
    NotAbsolute {
        /// How the clip blends.
        blend: BlendMode,
    },
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice { node } => {
                write!(
                    f,
                    "bone {}: expected each name once, found it twice; remove one",
                    shown(node)
                )
            }
            Self::NoParent { node, parent } => write!(
                f,
                "bone {}: expected its parent among the bones, found no {}; add it, or leave the \
                 parent out",
                shown(node),
                shown(parent)
            ),
            Self::Cycle { node } => {
                write!(f, "bone {}: it is its own ancestor; mend the parents", shown(node))
            }
            Self::NotFinite { node, found } => {
                write!(f, "bone {}: expected finite numbers, found {found}", shown(node))
            }
            Self::NoRotation { node } => write!(
                f,
                "bone {}: expected a quaternion x y z w of length 1, found one of length 0 or \
                 beyond all numbers",
                shown(node)
            ),
            Self::NotAbsolute { blend } => write!(
                f,
                "expected an absolute clip as the rest pose, found one that is {} or has \
                 overrides; take another file",
                blend.name()
            ),
        }
    }
}

impl core::error::Error for SkeletonError {}
