//! The rest pose on which clips play.

use inbetween_core::{Bone, Property, Quat};

use super::channel::{Extent, Quantity, Shown};

/// The rest pose of every node of a skeleton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestPose {
    /// The translation, in meters.
    pub translation: [f64; 3],
    /// The rotation, of length 1.
    pub rotation: Quat<f64>,
    /// The factors by axis.
    pub scale: [f64; 3],
}

impl RestPose {
    /// The pose of bones that are at their parents.
    pub const IDENTITY: Self =
        Self { translation: [0.0; 3], rotation: Quat::IDENTITY, scale: [1.0; 3] };

    /// Returns a bone that rests in this pose.
    #[must_use]
    pub fn bone(self, node: &str) -> Bone {
        Bone {
            node: node.into(),
            translation: Some(self.translation),
            rotation: Some(self.rotation),
            scale: Some(self.scale),
            ..Bone::default()
        }
    }

    /// Returns the value of a property without a track.
    pub(super) fn shown(self, quantity: &Quantity) -> Shown {
        match quantity {
            Quantity::Rotation => Shown::Rotation(self.rotation),
            Quantity::Axis(property, axis) => {
                let vector = match property {
                    Property::Translation => self.translation,
                    Property::Scale => self.scale,
                    _ => [0.0; 3],
                };
                Shown::Numbers(vec![vector[axis.index()]])
            }
            Quantity::Whole(_) => Shown::Numbers(vec![0.0]),
        }
    }

    /// Returns the value of a track combined with the pose, unless it is absolute.
    pub(super) fn blended(self, quantity: &Quantity, played: Shown) -> Shown {
        match (quantity, self.shown(quantity), played) {
            (Quantity::Rotation, Shown::Rotation(rest), Shown::Rotation(key)) => {
                Shown::Rotation(rest * key)
            }
            (Quantity::Axis(property, _), Shown::Numbers(rest), Shown::Numbers(key)) => {
                let blend = |(rest, key): (&f64, &f64)| match property {
                    Property::Scale => rest * key,
                    _ => rest + key,
                };
                Shown::Numbers(rest.iter().zip(&key).map(blend).collect())
            }
            (_, _, played) => played,
        }
    }

    /// Returns the size and the speed of a track combined with the pose.
    pub(super) fn extent(self, quantity: &Quantity, extent: Extent) -> Extent {
        let rest = self.shown(quantity).magnitude();
        match quantity {
            Quantity::Axis(Property::Scale, _) => {
                Extent { magnitude: extent.magnitude * rest, slope: extent.slope * rest, ..extent }
            }
            Quantity::Axis(..) => Extent { magnitude: extent.magnitude + rest, ..extent },
            _ => extent,
        }
    }
}
