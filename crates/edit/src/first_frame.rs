//! The first frame of a clip as a rest pose.

use std::collections::HashMap;

use inbetween_core::{
    Animation, Axis, Blend, Bone, EulerOrder, Property, Quat, Skeleton, Text, Value, Values,
};

use crate::EditError;
use inbetween_core::rows::numbers as row;

/// Returns a skeleton whose rest pose is the first frame of a clip; the parents are unknown.
///
/// # Errors
///
/// If the clip is not absolute, or a value is not a valid transform.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Property, Target, Track, TrackData};
/// use inbetween_edit::first_frame;
///
/// let data = TrackData::uniform(1.0, vec![[0.0_f32, 90.0, 0.0], [0.0, 95.0, 0.0]]);
/// let track = Track::new(Target::new("hips", Property::Translation), data)?;
/// let skeleton = first_frame(&Animation::new(vec![track]))?;
/// assert_eq!(skeleton.bones()[0].translation, Some([0.0, 90.0, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_frame(clip: &Animation) -> Result<Skeleton, EditError> {
    let blends = clip.tracks.iter().map(|track| track.target().blend);
    if let Some(blend) = blends.into_iter().find(|blend| *blend != Blend::Absolute) {
        return Err(EditError::NotAbsolute { blend: blend.name().to_owned() });
    }
    let mut poses: Vec<Pose> = Vec::new();
    let mut places: HashMap<Text, usize> = HashMap::new();
    for track in &clip.tracks {
        let rules = clip.rules.of(&track.target().property);
        let (Some(node), Some(value)) = (&track.target().node, rules.sample(track.data(), 0.0))
        else {
            continue;
        };
        let place = *places.entry(Text::clone(node)).or_insert(poses.len());
        if place == poses.len() {
            poses.push(Pose::of(node));
        }
        if let Some(pose) = poses.get_mut(place) {
            pose.put(&track.target().property, track.target().component, &value);
        }
    }
    Ok(Skeleton::new(poses.into_iter().map(Pose::into_bone).collect())?)
}

/// A bone under construction.
struct Pose {
    bone: Bone,
    /// The Euler angles; an angle without a track is 0.
    angles: Option<(EulerOrder, [f64; 3])>,
}

impl Pose {
    fn of(node: &Text) -> Self {
        Self { bone: Bone { node: Text::clone(node), ..Bone::default() }, angles: None }
    }

    fn put(&mut self, property: &Property, component: Option<Axis>, value: &Value) {
        match property {
            Property::Translation => {
                place_parts(&mut self.bone.translation, 0.0, component, value);
            }
            Property::Scale => place_parts(&mut self.bone.scale, 1.0, component, value),
            Property::Rotation => {
                let parts = numbers(value).try_into().ok();
                self.bone.rotation = parts.map(|parts| Quat::from_array(parts).normalized());
            }
            Property::RotationEuler(order) => {
                let mut parts = self.angles.map(|(_, angles)| angles);
                place_parts(&mut parts, 0.0, component, value);
                self.angles = parts.map(|parts| (*order, parts));
            }
            _ => {}
        }
    }

    fn into_bone(self) -> Bone {
        let turned = self.angles.map(|(order, angles)| order.quaternion(angles));
        Bone { rotation: turned.or(self.bone.rotation), ..self.bone }
    }
}

/// Writes a value, or one component of it, to a vector.
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
    let part = axis.of(vector.get_or_insert([missing; 3]).each_mut());
    *part = value.number().unwrap_or(missing);
}

/// Returns the numbers of a value.
fn numbers(value: &Value) -> Vec<f64> {
    let mut column = Values::empty(value.kind());
    // A column accepts values of its own kind.
    let _ = column.push(value.clone());
    row(&column, 0).unwrap_or_default()
}
