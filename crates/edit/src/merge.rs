//! Merges several documents into one.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use inbetween_core::{Animation, Axis, Document, Looping, Marker, Outcome, Target, Text, shown};

use crate::clips::DOCUMENTS;
use crate::property_key::PropertyKey;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Adds the tracks and markers of a second document to the clips of the first.
///
/// If both documents have one clip, these are merged, regardless of their names. Otherwise clips of
/// the same name are merged, and the others are added. The longest duration is used. The name, the
/// frame rate and looping of the first document are kept; differences are reported. Nodes with
/// another blend mode than the clip get a blend override.
///
/// # Errors
///
/// If both animate the same property of the same node, or a bone has another parent. See
/// [`Document::adopt_skeleton`].
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween_edit::{Settings, merge};
///
/// let clip = |node: &str| -> Result<Document, Box<dyn std::error::Error>> {
///     let data = TrackData::uniform(1.0, vec![[0.0_f32; 3]]);
///     let track = Track::new(Target::new(node, Property::Scale), data)?;
///     Ok(Document::single(Animation::new(vec![track])))
/// };
/// let both = merge(clip("arm")?, clip("leg")?, &Settings::default())?.value;
/// assert_eq!(both.clips[0].tracks.len(), 2);
/// let error = merge(clip("arm")?, clip("arm")?, &Settings::default()).unwrap_err();
/// assert!(error.to_string().starts_with("arm/Scale: several clips animate it"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(
    mut first: Document,
    second: Document,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let mut work = Work::on(&first, settings);
    first.adopt_scene(second.origin.as_ref());
    work.findings.extend(first.adopt_skeleton(second.skeleton, DOCUMENTS)?);
    let single = first.clips.len() == 1 && second.clips.len() == 1;
    let names = first.clips.iter().enumerate();
    let mut places: HashMap<Option<Text>, usize> = HashMap::new();
    for (index, clip) in names {
        places.entry(clip.name.clone()).or_insert(index);
    }
    let mut merged: HashMap<usize, Merged> = HashMap::new();
    for clip in second.clips {
        let place = if single { Some(0) } else { places.get(&clip.name).copied() };
        match place.and_then(|place| Some((place, first.clips.get_mut(place)?))) {
            Some((place, into)) => {
                work.enter_clip(Some(place).filter(|_| !single), &clip);
                let clip = work.play_by(clip, into.rules)?;
                report_heads(into, &clip, &mut work);
                merged.entry(place).or_insert_with(|| Merged::new(into)).add(into, clip)?;
            }
            None => first.clips.push(clip),
        }
    }
    for (place, merged) in merged {
        if let Some(into) = first.clips.get_mut(place) {
            merged.finish(into);
        }
    }
    Ok(Outcome::new(first, work.findings))
}

/// Makes one clip of all clips of a document, which plays them at once.
///
/// The name, the frame rate and looping are those of the first clip; differences are reported, names as a
/// note. The longest duration is used.
///
/// # Errors
///
/// If there is no clip, or two clips animate the same property of the same node.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween_edit::{Settings, merge_clips};
///
/// let clip = |node: &str| -> Result<Animation, Box<dyn std::error::Error>> {
///     let data = TrackData::uniform(1.0, vec![[0.0_f32; 3]]);
///     Ok(Animation::new(vec![Track::new(Target::new(node, Property::Scale), data)?]))
/// };
/// let both = Document::new(vec![clip("arm")?, clip("leg")?]);
/// let both = merge_clips(both, &Settings::default())?.value;
/// assert_eq!((both.clips.len(), both.clips[0].tracks.len()), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge_clips(
    mut document: Document,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let mut work = Work::on(&document, settings);
    let count = document.clips.len();
    let mut clips = core::mem::take(&mut document.clips).into_iter().enumerate();
    let Some((_, mut whole)) = clips.next() else { return Err(EditError::NoClips) };
    let mut merged = Merged::new(&whole);
    for (index, clip) in clips {
        work.enter_clip(Some(index), &clip);
        let mut clip = work.play_by(clip, whole.rules)?;
        // One clip has one name, which is no loss if that is wanted.
        clip.name.clone_from(&whole.name);
        report_heads(&whole, &clip, &mut work);
        merged.add(&mut whole, clip)?;
    }
    if count > 1 {
        merged.finish(&mut whole);
        work.enter_clip(None, &whole);
        let name = whole.name.as_deref().unwrap_or_default();
        work.say(codes::CLIPS_MERGED, format!("{count} clips into \"{}\"", shown(name)));
    }
    document.clips.push(whole);
    Ok(Outcome::new(document, work.findings))
}

/// What the clips that become one have in common: a file may have any number of clips.
struct Merged {
    /// What the tracks so far animate.
    taken: HashSet<Claim>,
    /// The markers of all clips but the first.
    markers: Vec<Vec<Marker>>,
}

impl Merged {
    /// Starts with the first clip.
    fn new(first: &Animation) -> Self {
        let taken = first.tracks.iter().flat_map(|track| claims(track.target())).collect();
        Self { taken, markers: Vec::new() }
    }

    /// Adds a clip to the first one.
    fn add(&mut self, into: &mut Animation, clip: Animation) -> Result<(), EditError> {
        let conflict = clip.tracks.iter().find(|track| claimed(track.target(), &self.taken));
        if let Some(track) = conflict {
            return Err(EditError::Conflict { target: Box::new(track.target().clone()) });
        }
        self.taken.extend(clip.tracks.iter().flat_map(|track| claims(track.target())));
        into.duration = match (into.duration, clip.duration) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        };
        into.tracks.extend(clip.tracks);
        self.markers.push(clip.markers);
        Ok(())
    }

    /// Completes the first clip.
    fn finish(self, into: &mut Animation) {
        into.restate_blend();
        let rises = |list: &Vec<Marker>| list.is_sorted_by(|one, other| one.time <= other.time);
        if rises(&into.markers) && self.markers.iter().all(rises) {
            into.markers.extend(self.markers.into_iter().flatten());
            into.markers
                .sort_by(|one, other| one.time.partial_cmp(&other.time).unwrap_or(Ordering::Equal));
        } else {
            self.markers.into_iter().for_each(|others| merge_markers(&mut into.markers, others));
        }
    }
}

/// Inserts each marker of a second list after those of the first that are not later; both lists
/// keep their order.
fn merge_markers(markers: &mut Vec<Marker>, others: Vec<Marker>) {
    let mut first = core::mem::take(markers).into_iter().peekable();
    for other in others {
        while let Some(marker) = first.next_if(|marker| marker.time <= other.time) {
            markers.push(marker);
        }
        markers.push(other);
    }
    markers.extend(first);
}

/// Reports properties of a clip that differ from those of the clip that it is merged into.
pub(crate) fn report_heads(whole: &Animation, part: &Animation, work: &mut Work<'_>) {
    let mut lost = Vec::new();
    if let Some(name) = part.name.as_deref().filter(|_| part.name != whole.name) {
        lost.push(format!("the name \"{}\"", shown(name)));
    }
    if part.frame_rate.map(f64::to_bits) != whole.frame_rate.map(f64::to_bits) {
        lost.push(
            part.frame_rate.map_or_else(
                || "no frame rate".to_owned(),
                |rate| format!("the frame rate {rate}"),
            ),
        );
    }
    if part.looping != whole.looping {
        let how = if part.looping == Looping::Loop { "repeating" } else { "not repeating" };
        lost.push(how.to_owned());
    }
    if part.blend != whole.blend {
        lost.push(format!("the blend mode {}", part.blend.name()));
    }
    if !lost.is_empty() {
        work.say(codes::CLIP_METADATA_DROPPED, format!("dropped: {}", lost.join(", ")));
    }
}

/// A component of a property of a node; `None` is the whole property.
type Claim = (Option<Text>, PropertyKey, Option<Axis>);

/// Returns the keys under which a track occupies its target: a whole property also occupies each
/// component.
fn claims(target: &Target) -> Vec<Claim> {
    let claim = |component| (target.node.clone(), PropertyKey::of(&target.property), component);
    match target.component {
        Some(axis) => vec![claim(Some(axis))],
        None => [None, Some(Axis::X), Some(Axis::Y), Some(Axis::Z)].map(claim).into(),
    }
}

fn claimed(target: &Target, taken: &HashSet<Claim>) -> bool {
    claims(target).iter().any(|claim| taken.contains(claim))
}
