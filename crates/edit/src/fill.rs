//! Adds keys for bones that have none.

use std::collections::HashMap;

use inbetween_core::{
    Animation, Axis, Blend, Bone, Document, EulerOrder, Interpolation, Interpolations, Narrowing,
    Outcome, Property, Quat, Skeleton, Target, Text, Track, TrackData, ValueKind, Values, counted,
    num,
};

use crate::blend::Inherited;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Adds a key at 0 with the value of the rest pose for every bone without keys.
///
/// Positions, rotations and scales of the rest pose are added as new tracks, or to tracks that have
/// no keys. If a property is animated per component, the missing components are added. In a track
/// that is not absolute, the new key has no effect. The kind is `f64` if any position, rotation or
/// scale of the clip is.
///
/// # Errors
///
/// If the keys need more memory than the limits allow.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Bone, Document, Skeleton};
/// use inbetween_edit::{Settings, fill};
///
/// let hips = Bone { node: "hips".into(), translation: Some([0.0, 90.0, 0.0]), ..Bone::default() };
/// let skeleton = Skeleton::new(vec![hips])?;
/// let filled = fill(Document::single(Animation::default()), &skeleton, &Settings::default())?;
/// assert_eq!(filled.value.clips[0].tracks.len(), 1);
/// assert_eq!(filled.findings[0].message, "1 track");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fill(
    document: Document,
    skeleton: &Skeleton,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        let wide = clip.tracks.iter().any(is_wide_transform);
        let mut inherited = Inherited::of(&clip, skeleton);
        if let Some(inherited) = &mut inherited {
            inherited.apply(&mut clip);
        }
        let present = Present::of(&clip);
        let mut added = 0_usize;
        for bone in skeleton.bones() {
            let stated = inherited.as_mut().map(|inherited| inherited.mode(&bone.node));
            let blend = |channel| {
                let mode = stated.unwrap_or_default();
                present.blend(bone, channel).unwrap_or_else(|| mode.of(&channel.property()))
            };
            for (channel, rest) in neutral(bone, blend) {
                let tracks = present.missing(bone, channel, &rest);
                for (place, target, values) in tracks {
                    charge(work)?;
                    let target = Target { blend: blend(channel), ..target };
                    let track = Track::new(target, one_key(values, wide)?)?;
                    added += 1;
                    match place.and_then(|place| clip.tracks.get_mut(place)) {
                        Some(empty) => *empty = track,
                        None => clip.tracks.push(track),
                    }
                }
            }
        }
        clip.restate_blend();
        if added > 0 {
            work.say(codes::FILLED, counted(added, "track"));
        }
        Ok(clip)
    })
}

/// The minimum memory of a track with one key.
const TRACK_BYTES: usize = 256;

fn charge(work: &mut Work<'_>) -> Result<(), EditError> {
    let left = work.budget.lock().bytes_left();
    work.budget.lock().charge_bytes(TRACK_BYTES).map_err(|_| EditError::Limit {
        what: "the tracks of bones without keys",
        bytes: num::u64_from_len(TRACK_BYTES),
        left,
    })
}

fn is_wide_transform(track: &Track) -> bool {
    let kind = track.data().kind();
    let wide = matches!(kind, ValueKind::Double | ValueKind::Double3 | ValueKind::DoubleQ);
    wide && Channel::of(&track.target().property).is_some()
}

/// A part of the transform of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Channel {
    Translation,
    Rotation,
    Scale,
}

impl Channel {
    pub(crate) fn of(property: &Property) -> Option<Self> {
        match property {
            Property::Translation => Some(Self::Translation),
            Property::Rotation | Property::RotationEuler(_) => Some(Self::Rotation),
            Property::Scale => Some(Self::Scale),
            _ => None,
        }
    }
}

impl Channel {
    /// Returns the property that a new track of the channel animates.
    const fn property(self) -> Property {
        match self {
            Self::Translation => Property::Translation,
            Self::Rotation => Property::Rotation,
            Self::Scale => Property::Scale,
        }
    }
}

/// A value of the rest pose.
#[derive(Clone, Copy, Debug)]
enum Rest {
    Vector([f64; 3]),
    Rotation(Quat<f64>),
}

/// Returns the values that keep a bone at rest, depending on the blend of each channel.
fn neutral(bone: &Bone, blend: impl Fn(Channel) -> Blend) -> Vec<(Channel, Rest)> {
    let absolute = |channel| blend(channel) == Blend::Absolute;
    let vector = |channel, rest: Option<[f64; 3]>, none| {
        let value = rest.map(|rest| if absolute(channel) { rest } else { none });
        (channel, value.map(Rest::Vector))
    };
    let rotation = |rest| if absolute(Channel::Rotation) { rest } else { Quat::IDENTITY };
    let channels = [
        vector(Channel::Translation, bone.translation, [0.0; 3]),
        (Channel::Rotation, bone.rotation.map(|rest| Rest::Rotation(rotation(rest)))),
        vector(Channel::Scale, bone.scale, [1.0; 3]),
    ];
    channels.into_iter().filter_map(|(channel, rest)| Some((channel, rest?))).collect()
}

/// The channels of nodes that a clip animates.
#[derive(Debug, Default)]
struct Present {
    /// Whole tracks; the index of an empty one if all of them are empty.
    whole: HashMap<(Text, Channel), Option<usize>>,
    parts: HashMap<(Text, Channel), Parts>,
    /// The blend of the first track of each channel.
    blends: HashMap<(Text, Channel), Blend>,
}

/// Tracks of components; the indices of the empty ones.
#[derive(Debug, Default)]
struct Parts {
    axes: HashMap<Axis, Option<usize>>,
    /// The order of the components if they are angles.
    order: Option<EulerOrder>,
}

impl Present {
    fn of(clip: &Animation) -> Self {
        let mut present = Self::default();
        for (index, track) in clip.tracks.iter().enumerate() {
            let target = track.target();
            let (Some(node), Some(channel)) = (&target.node, Channel::of(&target.property)) else {
                continue;
            };
            let key = (Text::clone(node), channel);
            present.blends.entry(key.clone()).or_insert(target.blend);
            let empty = track.data().is_empty().then_some(index);
            let place = match target.component {
                None => present.whole.entry(key).or_insert(empty),
                Some(axis) => {
                    let parts = present.parts.entry(key).or_default();
                    if let Property::RotationEuler(order) = target.property {
                        parts.order = Some(order);
                    }
                    parts.axes.entry(axis).or_insert(empty)
                }
            };
            *place = place.and(empty);
        }
        present
    }

    /// Returns the blend of the tracks of a channel, if there are any.
    fn blend(&self, bone: &Bone, channel: Channel) -> Option<Blend> {
        self.blends.get(&(Text::clone(&bone.node), channel)).copied()
    }

    /// Returns the tracks that a channel lacks, and the empty tracks that they replace.
    fn missing(
        &self,
        bone: &Bone,
        channel: Channel,
        rest: &Rest,
    ) -> Vec<(Option<usize>, Target, Values)> {
        let key = (Text::clone(&bone.node), channel);
        let whole = self.whole.get(&key).copied();
        if whole.is_some_and(|empty| empty.is_none()) {
            return Vec::new();
        }
        if let (None, Some(parts)) = (whole, self.parts.get(&key)) {
            return missing_parts(bone, channel, rest, parts);
        }
        let (property, values) = match (channel, rest) {
            (Channel::Scale, Rest::Vector(vector)) => (Property::Scale, vec![*vector].into()),
            (_, Rest::Vector(vector)) => (Property::Translation, vec![*vector].into()),
            (_, Rest::Rotation(rotation)) => (Property::Rotation, vec![*rotation].into()),
        };
        vec![(whole.flatten(), Target::new(Text::clone(&bone.node), property), values)]
    }
}

fn missing_parts(
    bone: &Bone,
    channel: Channel,
    rest: &Rest,
    parts: &Parts,
) -> Vec<(Option<usize>, Target, Values)> {
    let (property, vector) = match (channel, rest, parts.order) {
        (Channel::Scale, Rest::Vector(vector), _) => (Property::Scale, *vector),
        (_, Rest::Vector(vector), _) => (Property::Translation, *vector),
        (_, Rest::Rotation(rotation), Some(order)) => {
            (Property::RotationEuler(order), order.angles(*rotation, None))
        }
        (_, Rest::Rotation(_), None) => return Vec::new(),
    };
    let axes = [Axis::X, Axis::Y, Axis::Z].into_iter().zip(vector);
    let missing = axes.filter_map(|(axis, value)| {
        let place = match parts.axes.get(&axis) {
            Some(None) => return None,
            Some(empty) => *empty,
            None => None,
        };
        let target = Target::new(Text::clone(&bone.node), property.clone());
        Some((place, Target { component: Some(axis), ..target }, Values::from(vec![value])))
    });
    missing.collect()
}

/// Creates a track of one key at 0, in `f32` unless the clip has `f64` values.
fn one_key(values: Values, wide: bool) -> Result<TrackData, EditError> {
    let values = if wide { values } else { Narrowing::default().values(values) };
    let linear = Interpolations::Shared(Interpolation::Linear);
    Ok(TrackData::curve(vec![0.0], values, linear, None)?)
}
