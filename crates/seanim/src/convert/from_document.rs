//! Writes documents.

use std::collections::HashMap;
use std::rc::Rc;

use inbetween_core::frames::{Framer, choose_rate};
use inbetween_core::lower::{Lowering, translate_tracks};
use inbetween_core::{
    Animation, Baker, BlendReach, Code, Context, Document, Extent, Finding, FrameKeys, Grid,
    Looping, Marker, Narrowing, Path, Property, Quat, Skeleton, Target, Text, Track, TrackData,
    Values, WriteError, Written, codes as shared, counted, dropped_track, num, shown,
};

use super::blend::{self, anim_type};
use super::bone::{Bone, Keys, channel, is_written};
use crate::RULES;
use crate::layout::{LOOPED, presence};
use crate::{
    AnimType, Channel, NotePart, PRECISION_HIGH, Precision, Seanim, SeanimHeader, SeanimParts,
    ShapeKey, ShapePart, codes,
};

/// Converts a document with one clip.
pub(crate) fn from_document(
    document: Document,
    options: &Seanim,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let has_parents = document.skeleton.as_ref().is_some_and(Skeleton::has_parents);
    let skeleton = document.skeleton.clone();
    let mut clip = document.into_single(&mut context.findings)?;
    let rate = choose_rate(&clip, options.rate(), is_written, context);
    let plays = clip.effective_duration();
    let tracks = translate_tracks(clip.take_tracks(), (clip.rules, RULES), context)?;
    let baker = Baker::new(Grid::Frames(rate, FrameKeys::Needed)).for_target(RULES);
    let lowering = Lowering { baker, skeleton };
    let indices: Vec<usize>;
    (indices, clip.tracks) = lowering.lower(tracks, context)?.into_iter().unzip();
    report_dropped(&clip, context);
    blend::restate(&mut clip, &indices, context);
    if has_parents && clip.rules.blend_reach == BlendReach::Node {
        blend::override_every_node(&mut clip, context);
    }
    let framer =
        Framer::new(lowering, rate).resample(options.rate().is_some()).clock(clip.rules.clock);
    let mut builder = Builder {
        framer,
        precision: precision(&clip.tracks),
        parts: SeanimParts::default(),
        bones: Vec::new(),
        names: HashMap::with_capacity(clip.tracks.len()),
        places: Vec::with_capacity(clip.tracks.len()),
        largest: None,
    };
    for (index, track) in indices.into_iter().zip(clip.tracks) {
        let (target, data) = track.into_parts();
        context.track(index, &target, |context| builder.track(&target, data, context))?;
    }
    context.findings.leave();
    builder.markers(&clip.markers, context)?;
    builder.report_order(context);
    builder.fill_channels(context);
    let (bones, overrides) = (&builder.bones, &clip.blend_overrides);
    builder.parts.modifiers = blend::modifiers(bones, clip.blend, overrides, context);
    let fields = HeaderFields {
        rate,
        duration: clip.duration,
        looping: clip.looping,
        anim_type: anim_type(clip.blend).unwrap_or(AnimType::ABSOLUTE),
    };
    context.field("duration", |context| builder.header(&fields, context))?;
    let mut extent = Extent::default();
    extent.add_clip(builder.parts.notes.len(), plays);
    builder.count_tracks(&mut extent);
    let bytes = builder.parts.to_bytes_with(&builder.bones)?;
    Ok(Written::new(bytes, vec![extent]))
}

/// Returns the narrowest precision that holds all values of bones exactly.
fn precision(tracks: &[Track]) -> Precision {
    let double = tracks.iter().any(|track| {
        channel(&track.target().property).is_some()
            && matches!(track.data().values(), Values::Double3(_) | Values::DoubleQ(_))
    });
    if double { Precision::Double } else { Precision::Single }
}

/// Reports properties of the clip that the format does not support.
fn report_dropped(clip: &Animation, context: &mut Context<'_>) {
    let findings = &mut context.findings;
    // Formats that store a name for every clip use an empty one for "no name", so it is not a loss.
    if let Some(name) = clip.name.as_ref().filter(|name| !name.is_empty()) {
        let message = format!("\"{}\"", shown(name));
        findings.push(Finding::new(shared::NAME_DROPPED, message).at(Path::field("name")));
    }
    if anim_type(clip.blend).is_none() {
        let message = format!("{} becomes absolute", clip.blend.name());
        findings.push(Finding::new(shared::BLEND_DROPPED, message).at(Path::field("blend")));
    }
}

/// The header fields that come from the clip and not from its tracks.
struct HeaderFields {
    rate: f64,
    duration: Option<f64>,
    looping: Looping,
    anim_type: AnimType,
}

/// The parts under construction.
struct Builder {
    framer: Framer,
    precision: Precision,
    /// The file without its bones.
    parts: SeanimParts,
    bones: Vec<Bone>,
    /// The bone for each name; later tracks of the same name join it.
    names: HashMap<Text, usize>,
    /// The bone or shape of each track, in the order of the tracks; shapes come after all bones.
    places: Vec<(usize, Option<Channel>)>,
    /// The largest frame of all tracks and notes so far. The frames of a track are sorted.
    largest: Option<u32>,
}

impl Builder {
    /// Returns the numbers of channels and shapes, including those without keys.
    fn count_tracks(&self, extent: &mut Extent) {
        self.bones.iter().flat_map(Bone::lengths).for_each(|keys| extent.add_track(keys));
        for shape in self.parts.blend_shapes.iter().flatten() {
            extent.add_track(shape.keys.len());
        }
    }

    fn track(
        &mut self,
        target: &Target,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        if let Property::Weight(shape) = &target.property {
            return self.shape(shape, target, data, context);
        }
        if let Some(channel) = channel(&target.property) {
            return self.channel(channel, target, data, context);
        }
        context.findings.push(dropped_track(target, &data));
        Ok(())
    }

    fn channel(
        &mut self,
        channel: Channel,
        target: &Target,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        let node = target.node.clone().unwrap_or_else(|| {
            context.say(shared::NULL_TEXT, "the node is \"\"");
            Text::from("")
        });
        let (frames, values) = self.framer.frames(data, context)?;
        self.largest = self.largest.max(frames.last().copied());
        self.parts.header.presence |= channel.bit();
        let kind = values.kind();
        let keys = Keys { frames, values: at_precision(values, self.precision) };
        if keys.values.kind() != kind {
            context.say(codes::VALUES_WIDENED, format!("{kind} became {}", keys.values.kind()));
        }
        self.put(node, channel, keys);
        Ok(())
    }

    /// Adds a channel to the last bone of its name, or to a new bone if that one already has the
    /// channel.
    fn put(&mut self, node: Text, channel: Channel, keys: Keys) {
        let bones = &mut self.bones;
        let next = bones.len();
        let lacks = |bone: &Bone| bone.channel(channel).is_none();
        // Tracks of a bone usually follow each other, which saves most lookups.
        let before = self.places.last().map(|(bone, _)| *bone).filter(|&before| {
            bones.get(before).is_some_and(|bone| bone.name == node && lacks(bone))
        });
        let bone = before.unwrap_or_else(|| {
            let last = self.names.entry(node.clone()).or_insert(next);
            if !bones.get(*last).is_some_and(lacks) {
                *last = next;
            }
            *last
        });
        if bone == next {
            bones.push(Bone::new(node));
        }
        if let Some(bone) = bones.get_mut(bone) {
            *bone.channel_mut(channel) = Some(keys);
        }
        self.places.push((bone, Some(channel)));
    }

    fn shape(
        &mut self,
        shape: &str,
        target: &Target,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        if let Some(node) = target.node.as_deref() {
            context.say(shared::SHAPE_NODE_DROPPED, format!("node \"{}\"", shown(node)));
        }
        let (frames, values) = self.framer.frames(data, context)?;
        self.largest = self.largest.max(frames.last().copied());
        let weights = weights(values, context);
        let keys = frames.iter().copied().zip(weights);
        let keys = keys.map(|(frame, weight)| ShapeKey { frame, weight, unused: [0.0; 2] });
        let part = ShapePart { name: shape.as_bytes().to_vec(), keys: keys.collect() };
        self.parts.blend_shapes.get_or_insert_default().push(part);
        self.places.push((usize::MAX, None));
        Ok(())
    }

    fn markers(&mut self, markers: &[Marker], context: &mut Context<'_>) -> Result<(), WriteError> {
        for (index, marker) in markers.iter().enumerate() {
            let path = || Path::item("markers", index);
            let time = marker.time;
            let mut say = |code: Code, message: &dyn Fn() -> String| {
                context.findings.add(code, || Finding::new(code, message()).at(path()));
            };
            if time < 0.0 {
                say(shared::NEGATIVE_TIMES_CUT, &|| format!("a marker at {time} s moved to 0"));
            } else if !self.framer.on_grid(time) {
                say(shared::KEYS_OFF_GRID, &|| format!("a marker at {time} s"));
            }
            let frame = self.framer.frame(time).map_err(|error| error.at_path(path()))?;
            if self.is_rounded(time, frame) {
                say(shared::TIMES_ROUNDED, &|| rounded(time, frame));
            }
            self.largest = self.largest.max(Some(frame));
            self.parts.notes.push(NotePart { frame, name: marker.name.as_bytes().to_vec() });
        }
        if !markers.is_empty() {
            self.parts.header.presence |= presence::NOTES;
        }
        Ok(())
    }

    fn report_order(&self, context: &mut Context<'_>) {
        if !self.places.is_sorted() {
            let message = "the channels of a bone are grouped, in the order of the format";
            context.say(shared::TRACKS_REORDERED, message);
        }
    }

    /// Gives every bone an empty channel that another bone has, as the format requires.
    fn fill_channels(&mut self, context: &mut Context<'_>) {
        let mut filled: u64 = 0;
        for bone in &mut self.bones {
            for channel in Channel::ALL {
                let keys = bone.channel_mut(channel);
                if self.parts.header.presence & channel.bit() != 0 && keys.is_none() {
                    let values = Values::empty(channel.kind(self.precision));
                    *keys = Some(Keys { frames: Rc::default(), values });
                    filled = filled.saturating_add(1);
                }
            }
        }
        if filled > 0 {
            let message = format!("{} without keys", counted(filled, "channel"));
            context.say(codes::CHANNELS_FILLED, message);
        }
    }

    /// Returns whether the time of a key on a frame does not survive a round trip.
    fn is_rounded(&self, time: f64, frame: u32) -> bool {
        time >= 0.0 && time != f64::from(frame) / self.framer.rate() && self.framer.on_grid(time)
    }

    /// Returns the last frame that the stated duration requires, and reports a duration that the
    /// file cannot store.
    fn last_frame(
        &self,
        duration: Option<f64>,
        context: &mut Context<'_>,
    ) -> Result<u32, WriteError> {
        let keys = self.largest.unwrap_or(0);
        let stated = duration.filter(|duration| *duration >= 0.0);
        let frame = self.framer.frame(stated.unwrap_or(0.0))?;
        match (duration, stated) {
            (Some(given), None) => {
                context.say(shared::DURATION_CHANGED, format!("{given} s"));
            }
            (_, Some(stated)) if frame >= keys && !self.framer.on_grid(stated) => {
                let message = format!("{stated} s is not an integer number of frames");
                context.say(shared::DURATION_CHANGED, message);
            }
            (_, Some(stated)) if frame >= keys => {
                if self.is_rounded(stated, frame) {
                    context.say(shared::TIMES_ROUNDED, rounded(stated, frame));
                }
            }
            _ => {
                let message = format!("the last key is on frame {keys}");
                context.say(shared::DURATION_EXTENDED, message);
            }
        }
        Ok(frame.max(keys))
    }

    fn header(
        &mut self,
        fields: &HeaderFields,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        let last = self.last_frame(fields.duration, context)?;
        let frame_count = last.checked_add(1).ok_or_else(|| {
            let what = format!("a key on frame {last}");
            WriteError::not_representable(what, "frames go up to 4294967294")
        })?;
        let property = match self.precision {
            Precision::Single => 0,
            Precision::Double => PRECISION_HIGH,
        };
        self.parts.header = SeanimHeader {
            anim_type: fields.anim_type,
            anim_flags: if fields.looping == Looping::Loop { LOOPED } else { 0 },
            presence: self.parts.header.presence,
            property,
            framerate: num::f32_from_f64(fields.rate),
            frame_count,
            ..SeanimHeader::default()
        };
        Ok(())
    }
}

/// Returns the message about a time that is not exactly on a frame.
fn rounded(time: f64, frame: u32) -> String {
    format!("{time} s is within rounding of frame {frame}")
}

/// Returns values at the precision of the file; widening is exact.
fn at_precision(values: Values, precision: Precision) -> Values {
    match (values, precision) {
        (Values::Float3(column), Precision::Double) => {
            Values::Double3(column.into_iter().map(|value| value.map(f64::from)).collect())
        }
        (Values::FloatQ(column), Precision::Double) => {
            Values::DoubleQ(column.into_iter().map(Quat::<f64>::from).collect())
        }
        (values, _) => values,
    }
}

/// Converts weights to `f32`, and reports those that change.
fn weights(values: Values, context: &mut Context<'_>) -> Vec<f32> {
    match values {
        Values::Float(weights) => weights,
        Values::Double(weights) => {
            let mut narrowing = Narrowing::default();
            let narrow = |wide: &f64| narrowing.number(*wide);
            let narrow: Vec<f32> = weights.iter().map(narrow).collect();
            if !narrowing.changes() && !weights.is_empty() {
                let message = "double weights became float, and did not change";
                context.say(shared::KIND_CHANGED, message);
            }
            context.findings.extend(narrowing.findings("weights"));
            narrow
        }
        // `Track` has checked that a weight track holds numbers.
        _ => Vec::new(),
    }
}
