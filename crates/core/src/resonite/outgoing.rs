//! Prepares a clip for writing.

use super::{
    MARKERS, OutgoingTrack, RULES, ResoniteKeys, file_name, property, tracks_before_markers,
};
use crate::keys::KeyOrder;
use crate::num::f32_from_f64;
use crate::stores::Stores;
use crate::{
    Animation, Bound, Context, Curves, Document, Extent, Fit, Marker, Path, Property, Shape,
    Strings, Tangents, Target, Text, Track, TrackData, ValueKind, Values, WriteError, codes, cut,
    report_narrowed_times, shown,
};

/// A clip prepared for writing, track by track: what [`Fit`] returns, with the markers as a track,
/// the names of files, and times within the range of `f32`.
///
/// # Examples
///
/// ```
/// use inbetween_core::resonite::{Outgoing, ResoniteKeys, STORES};
/// use inbetween_core::{
///     Animation, Budget, Context, Document, Limits, Property, Target, Track, TrackData,
/// };
///
/// let data = TrackData::stepped(vec![0.0, 0.5], vec![7_i32, -1])?;
/// let track = Track::new(Target::new("door", Property::Custom(Some("Count".into()))), data)?;
/// let clip = Animation::new(vec![track]);
///
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let document = Document::single(clip);
/// let mut context = Context::new(&mut budget);
/// let outgoing = Outgoing::new(document, STORES, &mut context)?;
/// assert_eq!((outgoing.duration(), outgoing.len()), (0.5, 1));
/// outgoing.each_track(&mut context, |_, track| {
///     assert!(matches!(track.keys, ResoniteKeys::Discrete { times, .. } if times == [0.0, 0.5]));
///     Ok(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Outgoing {
    name: Option<Text>,
    duration: f32,
    /// The tracks, each with its index in the clip.
    tracks: Vec<(usize, Track)>,
    /// The markers, as a track.
    markers: Option<TrackData>,
    /// The number of tracks before the markers.
    before_markers: usize,
    /// The content written besides the tracks.
    extent: Extent,
}

impl Outgoing {
    /// Starts with a document of one clip, and what the format stores.
    ///
    /// # Errors
    ///
    /// If the document does not have exactly one clip, its duration exceeds the range of `f32`, or
    /// the new keys exceed the limits.
    pub fn new(
        mut document: Document,
        stores: Stores,
        context: &mut Context<'_>,
    ) -> Result<Self, WriteError> {
        let fit = Fit::new(stores, RULES, &mut document, context);
        let mut clip = document.into_single()?;
        name_components(&mut clip, context);
        let end = clip.effective_duration();
        let duration = context.field("duration", |context| clip_duration(&clip, end, context))?;
        let mut fitted = fit.clip(clip, context)?;
        let mut outgoing = Self {
            name: fitted.head.name.take(),
            duration,
            tracks: fitted.tracks,
            markers: None,
            before_markers: 0,
            extent: Extent::default(),
        };
        let markers = outgoing.place_markers(&fitted.head.markers, context)?;
        let keys = markers.as_ref().map_or(0, TrackData::len);
        outgoing.extent.add_clip(keys, fitted.plays.max(f64::from(duration)));
        outgoing.markers = markers.map(|data| cut_markers(data, context)).transpose()?;
        Ok(outgoing)
    }

    /// Returns the name of the clip.
    pub const fn name(&self) -> Option<&Text> {
        self.name.as_ref()
    }

    /// Returns the duration in seconds: the stated one, otherwise the effective one.
    pub const fn duration(&self) -> f32 {
        self.duration
    }

    /// Returns the number of remaining tracks, including the markers.
    pub fn len(&self) -> usize {
        self.tracks.len() + usize::from(self.markers.is_some())
    }

    /// Returns whether no tracks remain.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the content of the clip besides its tracks, which the formats count because only
    /// they know what they write. The track of the markers counts as markers.
    pub const fn extent(&self) -> Extent {
        self.extent
    }

    /// Calls `write` with each track, at its place in the context.
    ///
    /// Its times are those of the document. The writer rounds them while it writes them, and calls
    /// [`report_narrowed_times`](crate::report_narrowed_times).
    ///
    /// # Errors
    ///
    /// If an interval exceeds the range of `f32`, or an error of `write`.
    pub fn each_track(
        mut self,
        context: &mut Context<'_>,
        mut write: impl FnMut(&mut Context<'_>, OutgoingTrack) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let mut markers = self.markers.take();
        let tracks = core::mem::take(&mut self.tracks).into_iter();
        for (place, (index, track)) in tracks.enumerate() {
            if place == self.before_markers {
                write_markers(markers.take(), context, &mut write)?;
            }
            let (target, data) = track.into_parts();
            context.track(index, &target.clone(), |context| {
                let track = outgoing(target, data, context)?;
                write(context, track)
            })?;
        }
        write_markers(markers, context, &mut write)
    }

    /// Creates the track of the markers; it comes before a track that would be mistaken for it.
    fn place_markers(
        &mut self,
        markers: &[Marker],
        context: &mut Context<'_>,
    ) -> Result<Option<TrackData>, WriteError> {
        let tracks = &self.tracks;
        self.before_markers = tracks_before_markers(tracks.iter().map(|(_, track)| track));
        let names: Strings = markers.iter().map(|marker| Some(&*marker.name)).collect();
        let time = |index: usize| markers.get(index).map_or(f64::NAN, |marker| marker.time);
        let order = KeyOrder::of((0..markers.len()).map(time).collect(), time);
        context.findings.enter(Path::field("markers"));
        order.report(&mut context.findings);
        context.findings.leave();
        let names = order.apply(names.into());
        let times = order.into_times(time);
        if times.is_empty() {
            if let Some((index, track)) = tracks.get(self.before_markers) {
                context.findings.enter_track(*index, track.target());
                name_taken(MARKERS.1, "markers", context);
                context.findings.leave();
            }
            return Ok(None);
        }
        Ok(Some(TrackData::stepped(times, names)?))
    }
}

/// Cuts the markers before 0; the one that shows at 0 stays.
fn cut_markers(data: TrackData, context: &mut Context<'_>) -> Result<TrackData, WriteError> {
    if data.time(0).is_none_or(|first| first >= 0.0) {
        return Ok(data);
    }
    context.field("markers", |context| {
        let (window, bound) = ((Some(0.0), None), Bound::new(Curves::Cubic));
        let cut = cut(&data, window, RULES, bound, context.budget)?;
        context.findings.extend(cut.findings(codes::NEGATIVE_TIMES_CUT));
        Ok(cut.data)
    })
}

type Write<'w> = dyn FnMut(&mut Context<'_>, OutgoingTrack) -> Result<(), WriteError> + 'w;

fn write_markers(
    markers: Option<TrackData>,
    context: &mut Context<'_>,
    write: &mut Write<'_>,
) -> Result<(), WriteError> {
    let Some(data) = markers else { return Ok(()) };
    context.field("markers", |context| {
        let (node, property) = (Some(MARKERS.0.into()), Some(MARKERS.1.into()));
        let keys = keys(data, context)?;
        write(context, OutgoingTrack { node, property, keys, is_markers: true })
    })
}

fn outgoing(
    target: Target,
    data: TrackData,
    context: &mut Context<'_>,
) -> Result<OutgoingTrack, WriteError> {
    let name = file_name(&target.property);
    // Translations, rotations and scales fit their values, so their names mean the same to readers.
    if !matches!(target.property, Property::Translation | Property::Rotation | Property::Scale) {
        let read_back = property(name.clone(), data.kind());
        if read_back != target.property {
            name_taken(&target.property.name(), &read_back.name(), context);
        }
    }
    let keys = keys(data, context)?;
    Ok(OutgoingTrack { node: target.node, property: name, keys, is_markers: false })
}

/// Returns the duration to write: the effective one, which is `plays`. A stated one that keys
/// exceed is kept, because the target extends it in the same way.
fn clip_duration(
    clip: &Animation,
    plays: f64,
    context: &mut Context<'_>,
) -> Result<f32, WriteError> {
    let (duration, message) = match clip.duration {
        Some(stated) if clip.rules.stated_duration == RULES.stated_duration => (stated, None),
        Some(stated) if stated == plays || !stated.is_finite() => (stated, None),
        Some(stated) => (plays, Some(format!("{stated} s became {plays} s"))),
        None => (plays, Some(format!("none stated, {plays} s written"))),
    };
    if let Some(message) = message {
        context.say(codes::DURATION_EXTENDED, message);
    }
    seconds(duration, context)
}

/// Adds components that cannot be joined to the names of their properties.
fn name_components(clip: &mut Animation, context: &mut Context<'_>) {
    let odd = |track: &Track| {
        let number = matches!(track.data().kind(), ValueKind::Float | ValueKind::Double);
        track.target().component.is_some() && !number
    };
    for (index, slot) in clip.tracks.iter_mut().enumerate().filter(|(_, track)| odd(track)) {
        let empty = Track::trusted(slot.target().clone(), TrackData::empty(slot.data().kind()));
        let (mut target, data) = core::mem::replace(slot, empty).into_parts();
        context.findings.enter_track(index, &target);
        let axis = target.component.take().map_or("", crate::Axis::name);
        let name = format!("{}.{axis}", target.property.name());
        context.say(codes::COMPONENT_IN_NAME, format!("\"{}\"", shown(&name)));
        target.property = Property::Custom(Some(name.into()));
        *slot = Track::trusted(target, data);
    }
    context.findings.leave();
}

fn keys(data: TrackData, context: &mut Context<'_>) -> Result<ResoniteKeys, WriteError> {
    let (shape, values) = data.into_parts();
    Ok(match shape {
        Shape::Uniform { interval } => {
            ResoniteKeys::Raw { interval: seconds(interval, context)?, values }
        }
        Shape::Stepped { times } => ResoniteKeys::Discrete { times, values },
        Shape::Curve { times, interpolation, tangents } => ResoniteKeys::Curve {
            times,
            values,
            interpolation,
            tangents: tangents.and_then(|tangents| sides(*tangents)),
        },
    })
}

/// Rounds a time to `f32`.
fn seconds(time: f64, context: &mut Context<'_>) -> Result<f32, WriteError> {
    report_narrowed_times([time].into_iter(), &mut context.findings)?;
    Ok(f32_from_f64(time))
}

/// Returns value tangents; lowering has converted handles to control points.
fn sides(tangents: Tangents) -> Option<(Values, Values)> {
    match tangents {
        Tangents::Values { left, right } => Some((left, right)),
        Tangents::Handles { .. } => None,
    }
}

fn name_taken(name: &str, meaning: &str, context: &mut Context<'_>) {
    let message = format!("\"{}\" is read back as {}", shown(name), shown(meaning));
    context.say(codes::NAME_RESERVED, message);
}

#[cfg(test)]
mod tests {
    use super::super::{EmptyTracks, STORES};
    use super::*;
    use crate::{Axis, Budget, Interpolation, Interpolations, Limits};

    fn names(names: &[&str]) -> TrackData {
        let times = (0..names.len()).map(crate::num::f64_from_index).collect();
        let names: Strings = names.iter().map(|name| Some(*name)).collect();
        TrackData::stepped(times, names).unwrap()
    }

    fn custom(node: &str, property: &str, data: TrackData) -> Track {
        let property = Property::Custom(Some(property.into()));
        Track::new(Target::new(node, property), data).unwrap()
    }

    fn drain(clip: Animation, rule: EmptyTracks) -> (Vec<OutgoingTrack>, Vec<&'static str>) {
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let outgoing =
            Outgoing::new(Document::single(clip), rule.of(STORES), &mut context).unwrap();
        let (len, mut tracks) = (outgoing.len(), Vec::new());
        let each = outgoing.each_track(&mut context, |context, track| {
            report_narrowed_times(track.keys.times().iter().copied(), &mut context.findings)?;
            tracks.push(track);
            Ok(())
        });
        each.unwrap();
        assert_eq!(tracks.len(), len);
        (tracks, context.findings.into_vec().iter().map(|finding| finding.code.id()).collect())
    }

    fn all(clip: Animation) -> (Vec<OutgoingTrack>, Vec<&'static str>) {
        drain(clip, EmptyTracks::Keep)
    }

    #[test]
    fn markers_become_the_last_track() {
        let marker = Marker { time: 0.5, name: "hit".into() };
        let track = custom("a", "b", TrackData::uniform(1.0, vec![1_i32]));
        let clip = Animation { markers: vec![marker], tracks: vec![track], ..Default::default() };
        let (tracks, _) = all(clip);
        assert_eq!(tracks[1].node.as_deref(), Some("Markers"));
        assert!(matches!(&tracks[1].keys, ResoniteKeys::Discrete { times, .. } if *times == [0.5]));
    }

    #[test]
    fn markers_come_before_a_track_that_would_be_mistaken_for_them() {
        let marker = Marker { time: 0.5, name: "hit".into() };
        let rival = || custom("Markers", "Name", names(&["a", "b"]));
        let clip = |markers| Animation { markers, tracks: vec![rival()], ..Default::default() };
        let (tracks, _) = all(clip(vec![marker]));
        assert_eq!(
            tracks.iter().map(|track| track.keys.values().len()).collect::<Vec<_>>(),
            [1, 2]
        );
        let (_, codes) = all(clip(Vec::new()));
        assert!(codes.contains(&"convert/name-reserved"));
    }

    #[test]
    fn components_that_cannot_be_joined_go_into_names() {
        let property = Property::Custom(Some("Flags".into()));
        let target = Target { component: Some(Axis::Y), ..Target::new("a", property) };
        let track = Track::new(target, TrackData::uniform(1.0, vec![true])).unwrap();
        let clip = Animation { tracks: vec![track], ..Default::default() };
        let (tracks, codes) = all(clip);
        assert_eq!(tracks[0].property.as_deref(), Some("Flags.y"));
        assert!(codes.contains(&"convert/component-in-name"));
    }

    #[test]
    fn keys_before_zero_are_cut_and_times_are_rounded() {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(vec![-1.0, 1.0, 1.1], vec![0.0_f32, 4.0, 4.0], linear, None);
        let clip =
            Animation { tracks: vec![custom("a", "b", data.unwrap())], ..Default::default() };
        let (tracks, codes) = all(clip);
        let ResoniteKeys::Curve { times, values, .. } = &tracks[0].keys else {
            panic!("not a curve")
        };
        assert_eq!((times, values), (&vec![0.0, 1.0, 1.1], &vec![2.0_f32, 4.0, 4.0].into()));
        assert!(codes.contains(&"convert/negative-times-cut"));
        assert!(codes.contains(&"convert/times-rounded"));
    }

    #[test]
    fn tracks_without_keys_are_dropped_on_request() {
        let empty = || custom("a", "b", TrackData::empty(ValueKind::Float));
        let clip = Animation { tracks: vec![empty(), empty()], ..Default::default() };
        assert_eq!(all(clip.clone()).0.len(), 2);
        let (tracks, codes) = drain(clip, EmptyTracks::Drop);
        assert!(tracks.is_empty());
        assert_eq!(codes, ["convert/duration-extended", "convert/empty-tracks-dropped"]);
    }
}
