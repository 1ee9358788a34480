//! Poses, and blending of two poses.

use alloc::vec;
use alloc::vec::Vec;

use crate::rotation::{IDENTITY, Rotation, RotationBlend};

/// The local transforms of the bones of a skeleton, one array per property.
///
/// # Examples
///
/// ```
/// use inbetween_clip::{Pose, RotationBlend};
///
/// let mut pose = Pose::new(2);
/// let mut other = Pose::new(2);
/// other.translations_mut()[1] = [0.0, 4.0, 0.0];
/// pose.blend(&other, 0.25, RotationBlend::Nlerp);
/// assert_eq!(pose.translations(), [[0.0; 3], [0.0, 1.0, 0.0]]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    translations: Vec<[f32; 3]>,
    rotations: Vec<Rotation>,
    scales: Vec<[f32; 3]>,
}

impl Pose {
    /// Creates a pose of bones at the origin, without rotation and scaling.
    ///
    /// Set the rest pose of the skeleton once; sampling then changes only the animated properties.
    pub fn new(bones: usize) -> Self {
        Self {
            translations: vec![[0.0; 3]; bones],
            rotations: vec![IDENTITY; bones],
            scales: vec![[1.0; 3]; bones],
        }
    }

    /// Returns the number of bones.
    pub fn len(&self) -> usize {
        self.translations.len()
    }

    /// Returns whether there are no bones.
    pub fn is_empty(&self) -> bool {
        self.translations.is_empty()
    }

    /// Returns the translation of each bone.
    pub fn translations(&self) -> &[[f32; 3]] {
        &self.translations
    }

    /// Returns the translation of each bone.
    pub fn translations_mut(&mut self) -> &mut [[f32; 3]] {
        &mut self.translations
    }

    /// Returns the rotation of each bone, as a quaternion x y z w.
    pub fn rotations(&self) -> &[[f32; 4]] {
        &self.rotations
    }

    /// Returns the rotation of each bone, as a quaternion x y z w.
    pub fn rotations_mut(&mut self) -> &mut [[f32; 4]] {
        &mut self.rotations
    }

    /// Returns the scale of each bone.
    pub fn scales(&self) -> &[[f32; 3]] {
        &self.scales
    }

    /// Returns the scale of each bone.
    pub fn scales_mut(&mut self) -> &mut [[f32; 3]] {
        &mut self.scales
    }

    /// Moves this pose toward another: 0 keeps it, 1 gives the other one. Rotations take the
    /// shorter arc. Bones that only one of the poses has stay as they are.
    pub fn blend(&mut self, other: &Self, weight: f32, rotations: RotationBlend) {
        for (own, other) in self.translations.iter_mut().zip(&other.translations) {
            *own = lerp(*own, *other, weight);
        }
        for (own, other) in self.rotations.iter_mut().zip(&other.rotations) {
            *own = rotations.between(*own, *other, weight);
        }
        for (own, other) in self.scales.iter_mut().zip(&other.scales) {
            *own = lerp(*own, *other, weight);
        }
    }
}

/// Returns the values between two at a normalized time.
pub(crate) fn lerp<const N: usize>(mut from: [f32; N], to: [f32; N], t: f32) -> [f32; N] {
    if t >= 1.0 {
        return to;
    }
    for (from, to) in from.iter_mut().zip(to) {
        *from += (to - *from) * t;
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(angle: f32) -> Pose {
        let mut pose = Pose::new(1);
        pose.rotations[0] = [libm::sinf(angle / 2.0), 0.0, 0.0, libm::cosf(angle / 2.0)];
        pose.scales[0] = [angle; 3];
        pose
    }

    #[test]
    fn blending_takes_the_shorter_arc() {
        for blend in [RotationBlend::Nlerp, RotationBlend::Slerp] {
            let mut pose = turned(0.5);
            let mut other = turned(1.5);
            other.rotations[0] = other.rotations[0].map(|part| -part);
            pose.blend(&other, 0.5, blend);
            let expected = turned(1.0);
            for (part, expected) in pose.rotations[0].iter().zip(expected.rotations[0]) {
                assert!((part - expected).abs() < 1e-6, "{pose:?}");
            }
            assert_eq!(pose.scales, expected.scales);
        }
    }

    #[test]
    fn weights_of_0_and_1_give_the_poses_themselves() {
        let (one, other) = (turned(0.5), turned(1.5));
        for blend in [RotationBlend::Nlerp, RotationBlend::Slerp] {
            for (weight, expected) in [(0.0, &one), (1.0, &other)] {
                let mut pose = one.clone();
                pose.blend(&other, weight, blend);
                for (part, expected) in pose.rotations[0].iter().zip(expected.rotations[0]) {
                    assert!((part - expected).abs() < 1e-6);
                }
                assert_eq!(pose.scales, expected.scales);
            }
        }
    }

    #[test]
    fn bones_of_only_one_pose_stay() {
        let mut pose = Pose::new(2);
        pose.blend(&turned(1.0), 1.0, RotationBlend::Slerp);
        assert_eq!(pose.rotations[1], IDENTITY);
        assert_eq!(pose.scales, [[1.0; 3], [1.0; 3]]);
    }
}
