//! Writes documents.

use std::collections::HashMap;
use std::rc::Rc;

use inbetween_core::Framer;
use inbetween_core::{
    Animation, BlendReach, Context, Document, Extent, Finding, Fit, Fitted, Looping, Marker, Path,
    Property, Quat, Skeleton, Target, Text, Track, TrackData, Values, WriteError, Written,
    codes as shared, counted, narrow, num, shown,
};

use super::STORES;
use super::blend::{self, anim_type};
use super::bone::{Bone, Keys, channel};
use crate::RULES;
use crate::layout::{LOOPED, presence};
use crate::{
    AnimType, Channel, NotePart, PRECISION_HIGH, Precision, Seanim, SeanimHeader, SeanimParts,
    ShapeKey, ShapePart, codes,
};

/// Converts a document with one clip.
pub(crate) fn from_document(
    mut document: Document,
    options: &Seanim,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let fit = Fit::new(STORES, RULES, &mut document, context);
    let has_parents = fit.skeleton().is_some_and(Skeleton::has_parents);
    let (fitted, framer) = fit.frames(document.into_single()?, options.rate(), context)?;
    let Fitted { mut head, tracks, plays } = fitted;
    report_blend(&head, context);
    let indices: Vec<usize>;
    (indices, head.tracks) = tracks.into_iter().unzip();
    blend::restate(&mut head, &indices, context);
    if has_parents && head.rules.blend_reach == BlendReach::Node {
        blend::override_every_node(&mut head, context);
    }
    let mut builder = Builder {
        framer,
        precision: precision(&head.tracks),
        parts: SeanimParts::default(),
        bones: Vec::new(),
        names: HashMap::with_capacity(head.tracks.len()),
        places: Vec::with_capacity(head.tracks.len()),
        largest: None,
    };
    for (index, track) in indices.into_iter().zip(core::mem::take(&mut head.tracks)) {
        let (target, data) = track.into_parts();
        context.track(index, &target, |context| builder.track(&target, data, context))?;
    }
    builder.markers(&head.markers, context)?;
    builder.report_order(context);
    builder.fill_channels(context);
    let (bones, overrides) = (&builder.bones, &head.blend_overrides);
    builder.parts.modifiers = blend::modifiers(bones, head.blend, overrides, context);
    context.field("duration", |context| builder.header(&head, context))?;
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

/// Reports a blend mode without a number.
fn report_blend(clip: &Animation, context: &mut Context<'_>) {
    if anim_type(clip.blend).is_none() {
        let message = format!("{} becomes absolute", clip.blend.name());
        let finding = Finding::new(shared::BLEND_DROPPED, message);
        context.findings.push(finding.at(Path::field("blend")));
    }
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
        match channel(&target.property) {
            Some(channel) => self.channel(channel, target, data, context),
            // The clip fits, so there is no such track.
            None => Ok(()),
        }
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
        let Values::Float(weights) = narrow(values, context) else { return Ok(()) };
        let keys = frames.iter().copied().zip(weights);
        let keys = keys.map(|(frame, weight)| ShapeKey { frame, weight, unused: [0.0; 2] });
        let part = ShapePart { name: shape.as_bytes().to_vec(), keys: keys.collect() };
        self.parts.blend_shapes.get_or_insert_default().push(part);
        self.places.push((usize::MAX, None));
        Ok(())
    }

    fn markers(&mut self, markers: &[Marker], context: &mut Context<'_>) -> Result<(), WriteError> {
        let frames = self.framer.markers(markers, context)?;
        self.largest = self.largest.max(frames.iter().copied().max());
        let notes = frames.into_iter().zip(markers);
        let notes =
            notes.map(|(frame, marker)| NotePart { frame, name: marker.name.as_bytes().to_vec() });
        self.parts.notes = notes.collect();
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

    fn header(&mut self, clip: &Animation, context: &mut Context<'_>) -> Result<(), WriteError> {
        let last = self.framer.end(clip.duration, self.largest.unwrap_or(0), context)?;
        let frame_count = last.checked_add(1).ok_or_else(|| {
            let what = format!("a key on frame {last}");
            WriteError::not_representable(what, "frames go up to 4294967294")
        })?;
        let property = match self.precision {
            Precision::Single => 0,
            Precision::Double => PRECISION_HIGH,
        };
        self.parts.header = SeanimHeader {
            anim_type: anim_type(clip.blend).unwrap_or(AnimType::ABSOLUTE),
            anim_flags: if clip.looping == Looping::Loop { LOOPED } else { 0 },
            presence: self.parts.header.presence,
            property,
            framerate: num::f32_from_f64(self.framer.rate()),
            frame_count,
            ..SeanimHeader::default()
        };
        Ok(())
    }
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
