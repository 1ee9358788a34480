//! Drops tracks that hold the rest pose.

use inbetween_core::{
    Blend, Bone, Document, KeyColumns, Outcome, Property, Quat, SegmentKind, Skeleton, Tangents,
    Target, Track, TrackData, counted, rows,
};

use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Drops the tracks of positions, rotations and scales that hold the rest pose from start to end.
///
/// The rest pose is that of the skeleton. A scale of 1 is dropped if none is stated, and so is the value
/// that changes nothing in a relative or additive track. Constant tracks that hold anything else stay and
/// are counted, because dropping them would change the pose. The clip plays for as long as before.
///
/// # Errors
///
/// Never for valid tracks; the type allows callers to chain edits.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween_edit::{Settings, drop_constant};
///
/// let data = TrackData::uniform(1.0, vec![[1.0_f32; 3]; 30]);
/// let scale = Track::new(Target::new("hips", Property::Scale), data)?;
/// let clip = Document::single(Animation::new(vec![scale]));
/// assert!(drop_constant(clip, &Settings::default())?.value.clips[0].tracks.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn drop_constant(
    document: Document,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    let skeleton = document.skeleton.clone();
    work.clips(document, |work, mut clip| {
        let (before, mut kept) = (clip.tracks.len(), 0_usize);
        let plays = clip.effective_duration();
        clip.tracks.retain(|track| {
            let Some(value) = constant(track.data()) else { return true };
            let drop = is_rest(track, &value, skeleton.as_ref());
            kept += usize::from(!drop);
            !drop
        });
        let dropped = before - clip.tracks.len();
        clip.restate_blend();
        // The last key may be that of a dropped track.
        if clip.effective_duration() < plays {
            clip.duration = Some(plays);
        }
        if dropped > 0 {
            work.say(codes::CONSTANT_DROPPED, counted(dropped, "track"));
        }
        if kept > 0 {
            work.say(codes::CONSTANT_KEPT, counted(kept, "track"));
        }
        Ok(clip)
    })
}

/// How far two numbers may be apart that a file stores as one.
const ROUNDING: f64 = 1e-6;

/// Returns whether two rows are equal up to rounding.
pub(crate) fn near(one: &[f64], other: &[f64]) -> bool {
    let pairs = one.iter().zip(other);
    let mut off = pairs.map(|(one, other)| (one - other).abs() / one.abs().max(1.0));
    one.len() == other.len() && off.all(|off| off <= ROUNDING)
}

/// Returns the numbers of a track that shows the same value all the time.
fn constant(data: &TrackData) -> Option<Vec<f64>> {
    let value = rows::numbers(data.values(), 0)?;
    let is_first = |key: usize| rows::numbers(data.values(), key).is_some_and(|row| row == value);
    if !(1..data.len()).all(is_first) {
        return None;
    }
    let keys = KeyColumns::of(data.clone());
    let segments = 0..keys.times.len().saturating_sub(1);
    let is_flat = |kind: SegmentKind| match (kind, &keys.tangents) {
        (SegmentKind::Hold | SegmentKind::Linear | SegmentKind::Rounded, _) | (_, None) => true,
        (SegmentKind::Hermite, Some(Tangents::Values { left, right })) => {
            let none = vec![0.0; value.len()];
            [left, right].into_iter().all(|side| {
                (0..side.len()).all(|key| rows::numbers(side, key).is_some_and(|row| row == none))
            })
        }
        (_, Some(Tangents::Values { left, right })) => [left, right].into_iter().all(|side| {
            (0..side.len()).all(|key| rows::numbers(side, key).is_some_and(|row| row == value))
        }),
        (_, Some(Tangents::Handles { left, right })) => {
            let width = value.len().max(1);
            left.iter().chain(right).enumerate().all(|(index, handle)| {
                value.get(index % width).is_some_and(|value| *value == handle.value)
            })
        }
        _ => false,
    };
    segments.map(|key| keys.segment(key)).all(is_flat).then_some(value)
}

/// Returns whether a value leaves a bone in its rest pose.
fn is_rest(track: &Track, value: &[f64], skeleton: Option<&Skeleton>) -> bool {
    let target = track.target();
    let Some(node) = target.node.as_deref() else { return false };
    let unknown = Bone::default();
    let bone = match (target.blend, skeleton.and_then(|skeleton| skeleton.bone(node))) {
        (Blend::Absolute, Some(bone)) => bone,
        _ => &unknown,
    };
    let is_neutral = target.blend != Blend::Absolute;
    let vector = match target.property {
        Property::Translation => bone.translation.or(is_neutral.then_some([0.0; 3])),
        Property::Scale => Some(bone.scale.unwrap_or([1.0; 3])),
        Property::Rotation | Property::RotationEuler(_) => {
            let rest = bone.rotation.or(is_neutral.then_some(Quat::IDENTITY));
            return rest.is_some_and(|rest| is_rotation(target, value, rest));
        }
        _ => None,
    };
    vector.is_some_and(|vector| match target.component {
        Some(axis) => near(value, &[axis.of(vector)]),
        None => near(value, &vector),
    })
}

fn is_rotation(target: &Target, value: &[f64], rest: Quat<f64>) -> bool {
    let own = match (&target.property, target.component, value) {
        (Property::RotationEuler(order), None, [x, y, z]) => order.quaternion([*x, *y, *z]),
        // One angle alone is that of the rest pose only if there is none.
        (Property::RotationEuler(_), Some(_), [angle]) => {
            return *angle == 0.0 && rest.angle_to(Quat::IDENTITY) <= ROUNDING;
        }
        (_, None, [x, y, z, w]) => Quat { x: *x, y: *y, z: *z, w: *w },
        _ => return false,
    };
    own.has_direction() && own.normalized().angle_to(rest.normalized()) <= ROUNDING
}
