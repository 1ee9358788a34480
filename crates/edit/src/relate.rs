//! Converts absolute poses to relative or additive clips.

use std::collections::BTreeSet;

use inbetween_core::{
    Blend, BlendMode, Bone, Document, Outcome, Property, Quat, Skeleton, Target, Text, TrackData,
    counted, rows, shown,
};

use crate::angles::join_angles;
use crate::fill::Channel;
use crate::resolve::{moved, quaternions};
use crate::units::{linear_map, say_out_of_range};
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Converts absolute clips to a blend mode on a rest pose: the inverse of [`resolve`](crate::resolve).
///
/// Which tracks of a clip a mode changes is that of the files that state it: relative clips have
/// relative translations, and additive ones also additive rotations. Translations become
/// `key - rest`, rotations `rest⁻¹ * key`. Euler angles that change become quaternions within the
/// error bound. Tracks that are not absolute stay, and so do the values of nodes that are not in the
/// skeleton, which is reported.
///
/// # Errors
///
/// If baking costs more than the limits allow.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, BlendMode, Bone, Document, Property, Skeleton, Target, Track};
/// use inbetween_core::{TrackData, Values};
/// use inbetween_edit::{Settings, relate};
///
/// let data = TrackData::uniform(1.0, vec![[0.0_f32, 95.0, 0.0]]);
/// let track = Track::new(Target::new("hips", Property::Translation), data)?;
/// let clip = Document::single(Animation::new(vec![track]));
/// let hips = Bone { node: "hips".into(), translation: Some([0.0, 90.0, 0.0]), ..Bone::default() };
/// let skeleton = Skeleton::new(vec![hips])?;
/// let relative = relate(clip, BlendMode::Relative, &skeleton, &Settings::default())?.value;
/// let values = relative.clips[0].tracks[0].data().values();
/// assert_eq!(*values, Values::from(vec![[0.0_f32, 5.0, 0.0]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn relate(
    document: Document,
    mode: BlendMode,
    skeleton: &Skeleton,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        let is_absolute = |target: &Target| target.blend == Blend::Absolute;
        let before: Vec<bool> =
            clip.tracks.iter().map(|track| is_absolute(track.target())).collect();
        clip.blend = mode;
        clip.expand_blend();
        // Only what was absolute and is not any more gets other values.
        for (track, was_absolute) in clip.tracks.iter_mut().zip(before) {
            if !was_absolute {
                track.set_blend(Blend::Absolute);
            }
        }
        clip.tracks = join_angles(clip.tracks, |target| !is_absolute(target), work)?;
        let mut lacking: BTreeSet<Text> = BTreeSet::new();
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let bone = target.node.as_deref().and_then(|node| skeleton.bone(node));
            relate_track(target, data, bone, &mut lacking, work)
        })?;
        clip.expand_blend();
        if let Some(first) = lacking.first() {
            let message = format!("{}, first {}", counted(lacking.len(), "node"), shown(first));
            work.say(codes::REST_MISSING, message);
        }
        Ok(clip)
    })
}

fn relate_track(
    mut target: Target,
    mut data: TrackData,
    bone: Option<&Bone>,
    lacking: &mut BTreeSet<Text>,
    work: &mut Work<'_>,
) -> Result<(Target, TrackData), EditError> {
    let Some(channel) = Channel::of(&target.property).filter(|_| target.blend != Blend::Absolute)
    else {
        return Ok((target, data));
    };
    let before = rows::not_finite(data.values()).count();
    let is_known = match channel {
        Channel::Translation => bone.and_then(|bone| bone.translation).map(|rest| {
            let rest = target.component.map_or(rest.to_vec(), |axis| vec![axis.of(rest)]);
            let away: Vec<f64> = rest.iter().map(|part| -part).collect();
            data = moved(data.clone(), &away)?;
            Ok::<_, EditError>(())
        }),
        Channel::Rotation if target.component.is_none() => {
            bone.and_then(|bone| bone.rotation).map(|rest| {
                if let Property::RotationEuler(order) = target.property {
                    data = quaternions(&data, order, work)?;
                    target.property = Property::Rotation;
                }
                let back = rest.normalized().conjugate();
                data = linear_map(data.clone(), |row| {
                    if let Ok(key) = <[f64; 4]>::try_from(&*row) {
                        row.copy_from_slice(&(back * Quat::from_array(key)).to_array());
                    }
                })?;
                Ok(())
            })
        }
        Channel::Rotation => {
            work.say(codes::NOT_RESOLVED, shown(&target.label()).to_string());
            return Ok((target, data));
        }
        Channel::Scale => bone.and_then(|bone| bone.scale).map(|rest| {
            let rest = target.component.map_or(rest.to_vec(), |axis| vec![axis.of(rest)]);
            data = linear_map(data.clone(), |row| {
                row.iter_mut().zip(&rest).for_each(|(number, factor)| *number /= factor);
            })?;
            Ok(())
        }),
    };
    match is_known {
        Some(done) => done?,
        None => _ = lacking.insert(target.node.clone().unwrap_or_default()),
    }
    say_out_of_range(before, &data, work);
    Ok((target, data))
}
