//! The contents of files, for people.

use super::clip_reader::each_clip;
use crate::{
    Animation, Axis, BlendMode, Budget, Format, Limits, Looping, Marker, Outcome, Property,
    ReadError, Target, Track, ValueKind, codes,
};

/// The contents of a file, for people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspection {
    /// The layout that the reader chose, if the bytes allow several.
    pub layout: String,
    /// Facts specific to the format, as name and value.
    pub facts: Vec<(&'static str, String)>,
    /// The contents of each clip, without the tracks that cannot be read.
    pub clips: Vec<ClipSummary>,
}

/// The contents of a clip, without its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipSummary {
    /// The name of the clip.
    pub name: Option<String>,
    /// The effective duration in seconds, or `None` if only reading the keys tells it; see
    /// [`inspect_fully`].
    pub duration: Option<f64>,
    /// The time of the first key in seconds; `None` without keys, or if only reading the keys tells it.
    pub first_key: Option<f64>,
    /// The stated duration in seconds.
    pub stated_duration: Option<f64>,
    /// Frames per second.
    pub frame_rate: Option<f64>,
    /// Whether the clip repeats.
    pub looping: Looping,
    /// How the values combine with the pose below the clip.
    pub blend: BlendMode,
    /// The tracks.
    pub tracks: Vec<TrackSummary>,
    /// The markers.
    pub markers: Vec<Marker>,
}

/// The contents of a track, without its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackSummary {
    /// The node.
    pub node: Option<String>,
    /// The property, as [`Property::name`] spells it.
    pub property: Option<String>,
    /// The component, if the track has only one.
    pub component: Option<Axis>,
    /// The kind of the values.
    pub kind: ValueKind,
    /// `uniform`, `stepped` or `curve`.
    pub shape: &'static str,
    /// The number of keys, including those that reading drops because they have no time.
    pub keys: usize,
}

impl From<&Animation> for ClipSummary {
    fn from(clip: &Animation) -> Self {
        Self {
            name: clip.name.as_deref().map(str::to_owned),
            duration: Some(clip.effective_duration()),
            first_key: clip.first_key(),
            stated_duration: clip.duration,
            frame_rate: clip.frame_rate,
            looping: clip.looping,
            blend: clip.blend,
            tracks: clip.tracks.iter().map(TrackSummary::from).collect(),
            markers: clip.markers.clone(),
        }
    }
}

impl From<&Track> for TrackSummary {
    fn from(track: &Track) -> Self {
        let data = track.data();
        Self::new(track.target(), (data.kind(), data.shape().name()), data.len())
    }
}

impl TrackSummary {
    /// Summarizes a track by its target, the kind of its values, the name of its shape, and the
    /// number of its keys.
    pub fn new(target: &Target, (kind, shape): (ValueKind, &'static str), keys: usize) -> Self {
        let property = match &target.property {
            Property::Custom(None) => None,
            property => Some(property.name().into_owned()),
        };
        let node = target.node.as_deref().map(str::to_owned);
        Self { node, property, component: target.component, kind, shape, keys }
    }
}

/// Like [`Format::inspect`], but reads the keys where only they tell the effective durations and the first
/// keys, so that every clip that can be read has them. Holds one clip at a time. The findings are about the parts
/// that cannot be read.
///
/// # Errors
///
/// If the bytes are not a file of the format, or exceed the limits.
pub fn inspect_fully(
    format: &dyn Format,
    bytes: &[u8],
    limits: &Limits,
) -> Result<Outcome<Inspection>, ReadError> {
    let mut inspection = format.inspect(bytes, limits)?;
    let mut budget = Budget::new(limits, bytes.len());
    let mut reader = format.open(bytes, &mut budget)?;
    let mut findings = reader.file_findings();
    let has_keys = |clip: &ClipSummary| clip.tracks.iter().any(|track| track.keys > 0);
    let lacks = |clip: &ClipSummary| {
        clip.duration.is_none() || (clip.first_key.is_none() && has_keys(clip))
    };
    if inspection.clips.iter().any(lacks) {
        each_clip(&mut *reader, &mut budget, |index, read| {
            findings.extend(read.findings);
            if let (Some(summary), [clip]) =
                (inspection.clips.get_mut(index), read.value.clips.as_slice())
            {
                summary.duration = Some(clip.effective_duration());
                summary.first_key = clip.first_key();
            }
        })?;
    }
    findings.retain(|finding| finding.code == codes::PART_SKIPPED);
    Ok(Outcome { value: inspection, findings })
}
