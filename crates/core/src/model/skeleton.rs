//! Skeletons: bones, their parents and their rest pose.

use core::fmt;
use std::collections::HashMap;
use std::sync::Arc;

use crate::{Quat, Text, shown};

/// A bone of a skeleton, with the known parts of its rest pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// The name of the bone, which is the node of its tracks.
    pub node: Text,
    /// The name of the parent bone; `None` for a root or if the parent is not known.
    pub parent: Option<Text>,
    /// The position relative to the parent, in the unit of the animation; `None` if unknown.
    pub translation: Option<[f64; 3]>,
    /// The rotation relative to the parent; `None` if unknown. It need not be normalized.
    pub rotation: Option<Quat<f64>>,
    /// The scale factor per axis; `None` if unknown.
    pub scale: Option<[f64; 3]>,
    /// Whether it is a bone, or a node above the bones.
    pub role: BoneRole,
}

/// Whether a node of a skeleton is a bone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoneRole {
    /// A bone, or a node of which nothing else is known.
    #[default]
    Bone,
    /// A node above the bones to which no vertices belong, such as the armature of Blender.
    Above,
}

/// Bones with their parents and rest transforms.
///
/// Invariants, checked by the constructor:
/// 1. No two bones have the same name.
/// 2. Every parent is a bone, and the parent links form no cycle.
/// 3. Numbers are finite, and no rotation has the length 0.
///
/// Clones share their bones, so a skeleton takes its memory once for any number of documents.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Bone, Skeleton};
///
/// let hips = Bone { node: "hips".into(), translation: Some([0.0, 90.0, 0.0]), ..Bone::default() };
/// let spine = Bone { node: "spine".into(), parent: Some("hips".into()), ..Bone::default() };
/// let skeleton = Skeleton::new(vec![spine.clone(), hips])?;
/// assert_eq!(skeleton.parent(0), Some(1));
/// assert!(Skeleton::new(vec![spine]).is_err());
/// # Ok::<(), inbetween_core::SkeletonError>(())
/// ```
#[derive(Clone, Default)]
pub struct Skeleton(Arc<Bones>);

#[derive(Default)]
struct Bones {
    list: Vec<Bone>,
    /// The index of each bone by its name.
    indices: HashMap<Text, usize>,
    /// The index of the parent of each bone.
    parents: Vec<Option<usize>>,
}

impl Skeleton {
    /// Creates a skeleton of bones in any order.
    ///
    /// # Errors
    ///
    /// If an invariant of the type does not hold.
    pub fn new(bones: Vec<Bone>) -> Result<Self, SkeletonError> {
        let mut indices = HashMap::with_capacity(bones.len());
        for (index, bone) in bones.iter().enumerate() {
            check_numbers(bone)?;
            if indices.insert(Text::clone(&bone.node), index).is_some() {
                return Err(SkeletonError::Duplicate { node: Text::clone(&bone.node) });
            }
        }
        let parents = bones.iter().map(|bone| parent_of(bone, &indices));
        let parents = parents.collect::<Result<Vec<_>, _>>()?;
        check_cycles(&bones, &parents)?;
        Ok(Self(Arc::new(Bones { list: bones, indices, parents })))
    }

    /// Returns the bones in their order.
    pub fn bones(&self) -> &[Bone] {
        &self.0.list
    }

    /// Returns the bone with a name.
    pub fn bone(&self, node: &str) -> Option<&Bone> {
        self.0.list.get(self.index(node)?)
    }

    /// Returns the index of the bone with a name.
    pub fn index(&self, node: &str) -> Option<usize> {
        self.0.indices.get(node).copied()
    }

    /// Returns the index of the parent of the bone at an index; `None` for a root.
    pub fn parent(&self, index: usize) -> Option<usize> {
        self.0.parents.get(index).copied().flatten()
    }

    /// Returns whether any bone has a parent.
    pub fn has_parents(&self) -> bool {
        self.0.parents.iter().any(Option::is_some)
    }

    /// Returns the skeleton with every bone changed by a function.
    ///
    /// # Errors
    ///
    /// If an invariant of the type no longer holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Bone, Skeleton};
    ///
    /// let hips = Bone { node: "hips".into(), scale: Some([1.0; 3]), ..Bone::default() };
    /// let skeleton = Skeleton::new(vec![hips])?.map(|bone| bone.scale = None)?;
    /// assert_eq!(skeleton.bones()[0].scale, None);
    /// # Ok::<(), inbetween_core::SkeletonError>(())
    /// ```
    pub fn map(&self, change: impl FnMut(&mut Bone)) -> Result<Self, SkeletonError> {
        let mut bones = self.0.list.clone();
        bones.iter_mut().for_each(change);
        Self::new(bones)
    }

    /// Returns the first bone in which two skeletons differ, ignoring the order of bones; `None` if
    /// they are the same.
    pub fn first_difference<'s>(&'s self, other: &'s Self) -> Option<&'s Text> {
        if Arc::ptr_eq(&self.0, &other.0) {
            return None;
        }
        let differs = |one: &Self, bone: &&Bone| one.bone(&bone.node) != Some(*bone);
        let of_other = other.bones().iter().find(|bone| differs(self, bone));
        let own = || self.bones().iter().find(|bone| differs(other, bone));
        of_other.or_else(own).map(|bone| &bone.node)
    }

    /// Returns how many bytes of memory the bones and their names hold.
    pub(crate) fn heap_bytes(&self) -> usize {
        // The bone itself, its key and value in the map, and the index of its parent.
        const BONE: usize =
            size_of::<Bone>() + 2 * size_of::<(Text, usize)>() + size_of::<Option<usize>>();
        let names = self.0.list.iter().map(|bone| bone.node.len() + BONE);
        names.sum()
    }
}

impl fmt::Debug for Skeleton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Skeleton").field(&self.0.list).finish()
    }
}

impl PartialEq for Skeleton {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.list == other.0.list
    }
}

fn check_numbers(bone: &Bone) -> Result<(), SkeletonError> {
    let rotation = bone.rotation.map(Quat::to_array);
    let vectors = bone.translation.into_iter().chain(bone.scale).flatten();
    let node = || Text::clone(&bone.node);
    if let Some(found) = vectors.chain(rotation.into_iter().flatten()).find(|x| !x.is_finite()) {
        return Err(SkeletonError::NotFinite { node: node(), found });
    }
    if bone.rotation.is_none_or(Quat::has_direction) {
        Ok(())
    } else {
        Err(SkeletonError::NoRotation { node: node() })
    }
}

fn parent_of(bone: &Bone, indices: &HashMap<Text, usize>) -> Result<Option<usize>, SkeletonError> {
    let Some(parent) = &bone.parent else { return Ok(None) };
    let missing = || SkeletonError::MissingParent {
        node: Text::clone(&bone.node),
        parent: Text::clone(parent),
    };
    indices.get(parent).copied().ok_or_else(missing).map(Some)
}

/// Fails if a bone is its own ancestor. Visits each bone once.
fn check_cycles(bones: &[Bone], parents: &[Option<usize>]) -> Result<(), SkeletonError> {
    let mut checked = vec![false; bones.len()];
    for start in 0..bones.len() {
        let mut chain = Vec::new();
        let mut next = Some(start);
        while let Some(index) = next.filter(|&index| checked.get(index) == Some(&false)) {
            // A chain that is longer than the list of bones has visited a bone twice.
            if let (Some(bone), true) = (bones.get(index), chain.len() >= bones.len()) {
                return Err(SkeletonError::Cycle { node: Text::clone(&bone.node) });
            }
            chain.push(index);
            next = parents.get(index).copied().flatten();
        }
        for index in chain {
            if let Some(checked) = checked.get_mut(index) {
                *checked = true;
            }
        }
    }
    Ok(())
}

/// The reason why bones do not form a skeleton.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// Two bones have the same name.
    Duplicate {
        /// The name.
        node: Text,
    },
    /// The parent of a bone is not among the bones.
    MissingParent {
        /// The bone.
        node: Text,
        /// The name of its parent.
        parent: Text,
    },
    /// The parent links form a cycle.
    Cycle {
        /// A bone of the cycle.
        node: Text,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// The bone.
        node: Text,
        /// The number.
        found: f64,
    },
    /// The length of a rotation is 0 or infinite.
    NoRotation {
        /// The bone.
        node: Text,
    },
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { node } => {
                write!(f, "bone {}: two bones have this name; remove or rename one", shown(node))
            }
            Self::MissingParent { node, parent } => write!(
                f,
                "bone {}: its parent {} is not among the bones; add it or remove the parent",
                shown(node),
                shown(parent)
            ),
            Self::Cycle { node } => {
                write!(f, "bone {}: the parent links form a cycle; fix the parents", shown(node))
            }
            Self::NotFinite { node, found } => {
                write!(f, "bone {}: expected finite numbers, found {found}", shown(node))
            }
            Self::NoRotation { node } => write!(
                f,
                "bone {}: expected a quaternion x y z w of length 1, found one of length 0 or \
                 of infinite length",
                shown(node)
            ),
        }
    }
}

impl core::error::Error for SkeletonError {}

/// Returns the indices of all bones, each after its parent; the parent links must form no cycle.
pub fn ancestors_first(
    count: usize,
    parent: impl Fn(usize) -> Option<usize>,
) -> impl Iterator<Item = usize> {
    let mut order = Vec::with_capacity(count);
    let mut listed = vec![false; count];
    for start in 0..count {
        let first = order.len();
        let mut next = Some(start);
        while let Some(bone) = next
            && let Some(mark) = listed.get_mut(bone).filter(|mark| !**mark)
        {
            *mark = true;
            order.push(bone);
            next = parent(bone);
        }
        if let Some(chain) = order.get_mut(first..) {
            chain.reverse();
        }
    }
    order.into_iter()
}

/// The error of combining two documents in which a bone has different parents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkeletonsDiffer {
    /// The name of the first document in the message.
    pub first: String,
    /// The name of the second document in the message.
    pub second: String,
    /// The first bone whose parents differ.
    pub bone: Text,
    /// Its parent in each of them.
    pub parents: [Option<Text>; 2],
}

impl fmt::Display for SkeletonsDiffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let role = |parent: &Option<Text>| match parent {
            Some(parent) => format!("a child of {}", shown(parent)),
            None => "a root".to_owned(),
        };
        let [first, second] = &self.parents;
        write!(
            f,
            "bone {} is {} in {} and {} in {}; give it one parent, rename it in one of them, or \
             write a format that stores no skeleton",
            shown(&self.bone),
            role(first),
            shown(&self.first),
            role(second),
            shown(&self.second)
        )
    }
}

impl core::error::Error for SkeletonsDiffer {}

#[cfg(test)]
mod tests {
    use super::*;

    fn bone(node: &str, parent: Option<&str>) -> Bone {
        Bone { node: node.into(), parent: parent.map(Into::into), ..Bone::default() }
    }

    #[test]
    fn rejects_bones_that_do_not_form_a_tree() {
        let problem = |bones: &[(&str, Option<&str>)]| {
            let bones = bones.iter().map(|(node, parent)| bone(node, *parent)).collect();
            Skeleton::new(bones).unwrap_err().to_string()
        };
        assert!(problem(&[("a", None), ("a", None)]).contains("two bones have this name"));
        assert!(problem(&[("a", Some("b"))]).contains("its parent b is not among the bones"));
        let ring = [("c", Some("a")), ("a", Some("b")), ("b", Some("a"))];
        assert!(problem(&ring).contains("the parent links form a cycle"));
        assert!(problem(&[("a", Some("a"))]).contains("the parent links form a cycle"));
    }

    #[test]
    fn rejects_numbers_that_are_not_a_transform() {
        let translation = Some([0.0, f64::NAN, 0.0]);
        let error = Skeleton::new(vec![Bone { translation, ..bone("a", None) }]);
        assert!(matches!(error, Err(SkeletonError::NotFinite { .. })));
        let rotation = Some(Quat { x: 0.0, y: 0.0, z: 0.0, w: 0.0 });
        let error = Skeleton::new(vec![Bone { rotation, ..bone("a", None) }]);
        assert!(matches!(error, Err(SkeletonError::NoRotation { .. })));
    }

    #[test]
    fn keeps_numbers_bit_for_bit() {
        let rotation = Some(Quat { x: 0.0, y: 0.0, z: 0.0, w: 2.0 });
        let skeleton = Skeleton::new(vec![Bone { rotation, ..bone("a", None) }]).unwrap();
        assert_eq!(skeleton.bones().first().unwrap().rotation, rotation);
    }

    #[test]
    fn names_the_first_bone_in_which_two_skeletons_differ() {
        let of = |bones: &[Bone]| Skeleton::new(bones.to_vec()).unwrap();
        let [a, b] = [bone("a", None), bone("b", Some("a"))];
        let one = of(&[a.clone(), b.clone()]);
        assert_eq!(one.first_difference(&of(&[b.clone(), a.clone()])), None);
        assert_eq!(
            one.first_difference(&of(core::slice::from_ref(&a))).map(|name| &**name),
            Some("b")
        );
        let other = of(&[a, Bone { parent: None, ..b }]);
        assert_eq!(one.first_difference(&other).map(|name| &**name), Some("b"));
    }

    #[test]
    fn every_bone_comes_after_its_parent() {
        let parents = [Some(2), None, Some(4), Some(2), None];
        let parent = |bone: usize| parents.get(bone).copied().flatten();
        let order: Vec<usize> = ancestors_first(parents.len(), parent).collect();
        assert_eq!(order, [4, 2, 0, 1, 3]);
    }
}
