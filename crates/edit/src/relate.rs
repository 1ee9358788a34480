//! Converts absolute poses to relative or additive clips.

use inbetween_core::{BlendMode, Document, Outcome, Skeleton};

use crate::resolve::{Way, on_rest, resolve};
use crate::work::Work;
use crate::{EditError, Settings};

/// Converts absolute clips to a blend mode on a rest pose: the inverse of [`resolve`](crate::resolve).
///
/// Which tracks of a clip a mode changes is that of the files that state it: relative clips have
/// relative translations, and additive ones also additive rotations. Translations become
/// `key - rest`, rotations `rest⁻¹ * key`. Euler angles that change become quaternions within the
/// error bound. Clips that are not absolute are resolved before. The values of nodes that are not in the
/// skeleton stay, which is reported.
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
    let resolved = resolve(document, skeleton, settings)?;
    let work = Work::on(&resolved.value, settings);
    let mut related = work.clips(resolved.value, |work, mut clip| {
        clip.blend = mode;
        clip.expand_blend();
        clip.tracks = on_rest(clip.tracks, skeleton, Way::FromPose, work)?;
        Ok(clip)
    })?;
    related.findings.splice(0..0, resolved.findings);
    Ok(related)
}
