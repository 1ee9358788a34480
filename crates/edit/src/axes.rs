//! Changes the axes of every transform.

use inbetween_core::{
    Axes, Axis, Bone, Document, Outcome, Property, Quat, Target, TrackData, shown,
};

use crate::units::map_keys;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// The source index of each component of a value, and whether it is negated.
pub(crate) type Sources = Vec<(usize, bool)>;

/// Converts every clip and the skeleton to other axes.
///
/// With M for the matrix of the change and d for its determinant, 1 or -1:
///
/// | values | become |
/// |---|---|
/// | translations v | M v |
/// | rotations (v, w) | (d M v, w), the rotation M R M⁻¹ |
/// | Euler angles | the same rotations about the new axes, each with the sign of its axis times d |
/// | scales | the same factors in the order of the new axes |
///
/// Tangents and handles are converted like their values, and single components move to their new
/// axis. Only signs change, so the inverse change gives the same bits, except that signaling NaNs
/// become quiet. Custom properties that could be vectors or rotations are reported and unchanged.
///
/// # Errors
///
/// Never for valid tracks and bones; the type allows callers to chain edits.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData, Values};
/// use inbetween_edit::{Settings, change_axes};
///
/// let data = TrackData::uniform(1.0, vec![[1.0_f32, 2.0, 3.0]]);
/// let track = Track::new(Target::new("door", Property::Translation), data)?;
/// let clip = Animation::new(vec![track]);
/// let axes = "x,z,-y".parse()?;
/// let up = change_axes(Document::single(clip), axes, &Settings::default())?.value;
/// let values = up.clips[0].tracks[0].data().values();
/// assert_eq!(*values, Values::from(vec![[1.0_f32, 3.0, -2.0]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn change_axes(
    mut document: Document,
    axes: Axes,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    document.forget_model();
    if let Some(skeleton) = &document.skeleton {
        document.skeleton = Some(skeleton.map(|bone| change_bone(bone, axes))?);
    }
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        clip.tracks = work.tracks(clip.tracks, |work, mut target, data| {
            let kind = data.kind();
            let Some(sources) = sources(axes, &target) else {
                if kind.is_vector3() || kind.is_quaternion() {
                    let message = format!("{} of kind {kind} stays", shown(&target.label()));
                    work.say(codes::CUSTOM_PROPERTY_UNCHANGED, message);
                }
                return Ok((target, data));
            };
            target.component = target.component.map(|old| axes.destination(old).0);
            if let Property::RotationEuler(order) = &mut target.property {
                *order = axes.euler_order(*order);
            }
            Ok((target, permute(data, &sources)?))
        })?;
        Ok(clip)
    })
}

/// Converts a bone to other axes.
fn change_bone(bone: &mut Bone, axes: Axes) {
    bone.translation = bone.translation.map(|vector| axes.apply(vector));
    bone.scale = bone.scale.map(|factors| Axis::ALL.map(|new| axes.source(new).0.of(factors)));
    bone.rotation = bone.rotation.map(|Quat { x, y, z, w }| {
        let [x, y, z] = axes.apply([x, y, z]).map(|part| signed(part, axes.is_mirror()));
        Quat { x, y, z, w }
    });
}

/// Returns how the values of a target change; `None` for properties without axes.
pub(crate) fn sources(axes: Axes, target: &Target) -> Option<Sources> {
    let sign = |negative: bool| match &target.property {
        Property::Translation => Some(negative),
        Property::Scale => Some(false),
        Property::Rotation | Property::RotationEuler(_) => Some(negative != axes.is_mirror()),
        _ => None,
    };
    if let Some(old) = target.component {
        return sign(axes.destination(old).1).map(|negative| vec![(0, negative)]);
    }
    let mut sources = Vec::with_capacity(4);
    for new in Axis::ALL {
        let (old, negative) = axes.source(new);
        sources.push((old.index(), sign(negative)?));
    }
    if target.property == Property::Rotation {
        sources.push((3, false));
    }
    Some(sources)
}

/// Permutes the components of every value, tangent and handle.
pub(crate) fn permute(data: TrackData, sources: &Sources) -> Result<TrackData, EditError> {
    let change = |row: &mut [f64]| {
        let before = row.to_vec();
        for (number, (source, negative)) in row.iter_mut().zip(sources) {
            *number = before.get(*source).map_or(*number, |old| signed(*old, *negative));
        }
    };
    map_keys(data, change, |handles| {
        let before = handles.to_vec();
        for (handle, (source, negative)) in handles.iter_mut().zip(sources) {
            let old = before.get(*source).copied().unwrap_or(*handle);
            *handle = old;
            handle.value = signed(old.value, *negative);
        }
    })
}

/// Returns a number, or its negative.
fn signed(number: f64, negative: bool) -> f64 {
    if negative { -number } else { number }
}
