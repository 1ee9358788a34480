//! The contents of files, for people.

use crate::{
    Animation, Axis, BlendMode, Budget, Format, Limits, Looping, Marker, Property, ReadError,
    Target, Track, ValueKind,
};

/// The contents of a file, for people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspection {
    /// The layout that the reader chose, if the bytes allow several.
    pub layout: String,
    /// Facts specific to the format, as name and value.
    pub facts: Vec<(&'static str, String)>,
    /// The contents of each clip.
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

/// Like [`Format::inspect`], but reads the keys where only they tell the effective durations, so that
/// every clip has one. Holds one clip at a time.
///
/// # Errors
///
/// If the bytes are not a file of the format, or exceed the limits.
pub fn inspect_fully(
    format: &dyn Format,
    bytes: &[u8],
    limits: &Limits,
) -> Result<Inspection, ReadError> {
    let mut inspection = format.inspect(bytes, limits)?;
    if inspection.clips.iter().all(|clip| clip.duration.is_some()) {
        return Ok(inspection);
    }
    let mut budget = Budget::new(limits, bytes.len());
    let mut reader = format.open(bytes, &mut budget)?;
    let mut summaries = inspection.clips.iter_mut();
    while let Some(read) = reader.next_clip(&mut budget)? {
        for (clip, summary) in read.value.clips.iter().zip(&mut summaries) {
            summary.duration = Some(clip.effective_duration());
        }
    }
    Ok(inspection)
}
