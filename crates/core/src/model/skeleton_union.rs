//! Combines the skeletons of files that go into one.

use super::skeleton::{Bone, Skeleton, SkeletonsDiffer};
use crate::{Finding, Text, codes, counted, shown, significant};

/// The largest difference of positions that counts as none, in lengths of the bone.
const NEAR: f64 = 1e-3;

/// The largest angle between rotations that counts as none: 0.1 degrees, in radians.
const NEAR_ANGLE: f64 = 0.1 * core::f64::consts::PI / 180.0;

/// The bones of two skeletons.
pub(super) struct Union {
    pub(super) skeleton: Skeleton,
    /// The first bone whose parents differ, with both parents. The skeleton has the first one.
    parents: Option<(Text, [Option<Text>; 2])>,
    /// The first bone whose rest poses differ, and how.
    rest: Option<(Text, String)>,
    /// How many bones have another rest pose.
    differing: usize,
}

impl Union {
    /// Returns the bones of both, with the parents and rest poses of the first where both have them.
    pub(super) fn of(first: &Skeleton, second: &Skeleton) -> Self {
        let longest = [first, second].into_iter().flat_map(Skeleton::bones);
        let longest = longest.filter_map(|bone| bone.translation).map(length).fold(0.0, f64::max);
        let mut bones = first.bones().to_vec();
        let (mut parents, mut rest, mut differing) = (None, None, 0_usize);
        for bone in second.bones() {
            let Some(own) = first.index(&bone.node).and_then(|index| bones.get_mut(index)) else {
                bones.push(bone.clone());
                continue;
            };
            let found = [own.parent.clone(), bone.parent.clone()];
            match join_parents(&found, [first, second]) {
                Ok(parent) => own.parent = parent,
                Err(Contradiction) => _ = parents.get_or_insert_with(|| (bone.node.clone(), found)),
            }
            if let Some(difference) = rest_difference(own, bone, longest) {
                differing = differing.saturating_add(1);
                rest.get_or_insert_with(|| (bone.node.clone(), difference));
            }
            own.translation = own.translation.or(bone.translation);
            own.rotation = own.rotation.or(bone.rotation);
            own.scale = own.scale.or(bone.scale);
        }
        if let Ok(skeleton) = Skeleton::new(bones) {
            return Self { skeleton, parents, rest, differing };
        }
        // Together, the parents form a cycle.
        let differs =
            |bone: &&Bone| second.bone(&bone.node).is_some_and(|other| other.parent != bone.parent);
        let bone = first.bones().iter().find(differs).cloned().unwrap_or_default();
        let other = second.bone(&bone.node).and_then(|bone| bone.parent.clone());
        let parents = Some((bone.node, [bone.parent, other]));
        Self { skeleton: first.clone(), parents, rest, differing }
    }

    /// Returns the error of bones that have different parents.
    pub(super) fn check_parents(&self, [first, second]: [&str; 2]) -> Result<(), SkeletonsDiffer> {
        let Some((bone, parents)) = &self.parents else { return Ok(()) };
        let (first, second) = (first.to_owned(), second.to_owned());
        Err(SkeletonsDiffer { first, second, bone: bone.clone(), parents: parents.clone() })
    }

    /// Returns the finding about rest poses that differ.
    pub(super) fn finding(&self, other: &str) -> Option<Finding> {
        let (bone, difference) = self.rest.as_ref()?;
        let bones = counted(self.differing, "bone");
        let message =
            format!("{}: {bones}, the first is {}: {difference}", shown(other), shown(bone));
        Some(Finding::new(codes::REST_POSES_DIFFER, message))
    }
}

/// Two skeletons in which a bone has different parents.
struct Contradiction;

/// Returns the parent of a bone in both skeletons. A bone may be a root where the file does not
/// contain its parent.
fn join_parents(
    parents: &[Option<Text>; 2],
    [first, second]: [&Skeleton; 2],
) -> Result<Option<Text>, Contradiction> {
    let lacks = |skeleton: &Skeleton, node: &Text| skeleton.index(node).is_none();
    let [own, other] = parents;
    let fits = match (own, other) {
        (Some(parent), None) => lacks(second, parent),
        (None, Some(parent)) => lacks(first, parent),
        (own, other) => own == other,
    };
    if fits { Ok(own.clone().or_else(|| other.clone())) } else { Err(Contradiction) }
}

/// Returns how far the rest poses of a bone are apart, if that is more than rounding.
///
/// A bone without a length is measured by the longest bone, which tells rounding from a difference.
fn rest_difference(one: &Bone, other: &Bone, longest: f64) -> Option<String> {
    if let (Some(one), Some(other)) = (one.translation, other.translation) {
        let length = length(one).max(length(other)).max(NEAR * longest);
        let apart = distance(one, other);
        if apart > NEAR * length {
            return Some(format!("the positions are {} apart", significant(apart)));
        }
    }
    if let (Some(one), Some(other)) = (one.rotation, other.rotation) {
        let angle = one.angle_to(other);
        if angle > NEAR_ANGLE {
            let degrees = significant(angle.to_degrees());
            return Some(format!("the rotations are {degrees} degrees apart"));
        }
    }
    if let (Some(one), Some(other)) = (one.scale, other.scale) {
        let apart = distance(one, other);
        if apart > NEAR * length(one).max(length(other)) {
            return Some(format!("the scales are {} apart", significant(apart)));
        }
    }
    None
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    x.hypot(y).hypot(z)
}

fn distance([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> f64 {
    length([ax - bx, ay - by, az - bz])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Quat};

    fn bone(node: &str, parent: Option<&str>, y: f64) -> Bone {
        let parent = parent.map(Into::into);
        Bone { node: node.into(), parent, translation: Some([0.0, y, 0.0]), ..Bone::default() }
    }

    fn combined(first: Vec<Bone>, second: Vec<Bone>) -> Result<(Document, Option<String>), String> {
        let [first, second] = [first, second].map(|bones| Skeleton::new(bones).unwrap());
        let mut document = Document::default().with_skeleton(first);
        let found = document.adopt_skeleton(Some(second), ["idle", "walk"]);
        let found = found.map_err(|error| error.to_string())?;
        Ok((document, found.map(|finding| finding.message.into_owned())))
    }

    #[test]
    fn rounding_of_the_rest_pose_is_no_difference() {
        let rig = |y: f64| vec![bone("hips", None, y), bone("spine", Some("hips"), 0.0)];
        let (document, finding) = combined(rig(1.0), rig(1.0005)).unwrap();
        assert_eq!((document.skeleton, finding), (Some(Skeleton::new(rig(1.0)).unwrap()), None));
        let far = combined(rig(1.0), rig(1.5)).unwrap().1.unwrap();
        assert_eq!(far, "walk: 1 bone, the first is hips: the positions are 0.5 apart");
    }

    #[test]
    fn a_bone_without_a_length_is_measured_by_the_longest_one() {
        let rig = |y: f64| vec![bone("hips", None, 10.0), bone("ik", None, y)];
        assert_eq!(combined(rig(0.0), rig(5e-6)).unwrap().1, None);
        assert!(combined(rig(0.0), rig(1e-2)).unwrap().1.is_some());
        let at_zero = || vec![bone("hips", None, 0.0)];
        assert_eq!(combined(at_zero(), at_zero()).unwrap().1, None);
    }

    #[test]
    fn rotations_may_differ_by_a_tenth_of_a_degree() {
        let turned = |degrees: f64, sign: f64| {
            let half = degrees.to_radians() / 2.0;
            let [z, w] = [half.sin(), half.cos()].map(|part| 2.0 * sign * part);
            let rotation = Some(Quat { x: 0.0, y: 0.0, z, w });
            vec![Bone { rotation, ..bone("hips", None, 1.0) }]
        };
        assert_eq!(combined(turned(0.0, 1.0), turned(0.09, -1.0)).unwrap().1, None);
        let far = combined(turned(0.0, 1.0), turned(90.0, -1.0)).unwrap().1.unwrap();
        assert!(far.ends_with("the rotations are 90 degrees apart"), "{far}");
    }

    #[test]
    fn more_bones_are_a_union_and_the_parent_may_be_in_one_file_only() {
        let first = vec![bone("hips", None, 1.0), bone("spine", Some("hips"), 1.0)];
        let second = vec![bone("root", None, 0.0), bone("hips", Some("root"), 1.0)];
        let (document, finding) = combined(first, second).unwrap();
        let skeleton = document.skeleton.unwrap();
        let parent = |node: &str| skeleton.bone(node).unwrap().parent.as_deref();
        assert_eq!((parent("hips"), parent("spine")), (Some("root"), Some("hips")));
        assert_eq!((skeleton.bones().len(), finding), (3, None));
    }

    #[test]
    fn bones_with_other_parents_are_no_skeleton() {
        let first = vec![bone("a", None, 1.0), bone("b", Some("a"), 1.0)];
        let second = vec![bone("a", None, 1.0), bone("b", None, 1.0)];
        let error = combined(first.clone(), second).unwrap_err();
        assert!(error.starts_with("bone b is a child of a in idle and a root in walk"), "{error}");
        let ring = vec![bone("b", None, 1.0), bone("c", Some("b"), 1.0), bone("a", Some("c"), 1.0)];
        let error = combined(first.clone(), ring.clone()).unwrap_err();
        assert!(error.contains("is a root in idle and a child of c in walk"), "{error}");
        let [first, ring] = [first, ring].map(|bones| Skeleton::new(bones).unwrap());
        let mut document = Document::default().with_skeleton(first.clone());
        document.adopt_rest_poses(Some(ring));
        assert_eq!(document.skeleton.unwrap().bone("a").unwrap().parent, None);
    }
}
