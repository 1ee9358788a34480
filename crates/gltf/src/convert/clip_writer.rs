//! Converts a clip to an animation.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use inbetween_core::{
    Animation, Context, Extent, Finding, Fit, Fitted, Path, Property, Target, Text, Track,
    TrackData, WriteError, codes as shared, counted, dropped_track,
};

use super::clip_extras::Extras;
use super::keys::Samples;
use super::nodes::{NodePart, Nodes};
use super::samplers::SamplerMaker;
use super::weights::Weight;
use crate::custom::{self, CustomTrack};
use crate::options::{Curves, Gltf};
use crate::scene::ChannelPath;

/// A channel with its sampler.
#[derive(Debug)]
pub(super) struct ChannelPart {
    pub(super) node: usize,
    pub(super) path: ChannelPath,
    pub(super) samples: Samples,
}

impl ChannelPart {
    /// Returns whether the channel moves or turns its node.
    pub(super) const fn moves(&self) -> bool {
        matches!(self.path, ChannelPath::Translation | ChannelPath::Rotation)
    }
}

/// An animation, or a clip without keys.
#[derive(Debug)]
pub(super) struct ClipPart {
    pub(super) name: Option<Text>,
    pub(super) channels: Vec<ChannelPart>,
    pub(super) extras: Extras,
    pub(super) extent: Extent,
}

/// The distance of the two keys of a jump in baked curves, in frames: Blender merges keys that
/// are closer than 0.01 frames.
const GAP: f64 = 0.02;

/// A placeholder for the weights of a node until all of them are known.
enum Planned {
    Track { node: usize, path: ChannelPath, samples: Samples },
    Weights { node: usize },
}

/// Converts a clip.
pub(super) fn write(
    clip: Animation,
    (fit, options): (&Fit, &Gltf),
    nodes: &mut Nodes,
    context: &mut Context<'_>,
) -> Result<ClipPart, WriteError> {
    let states_blend = clip.states_blend();
    Extras::report_blend(&clip, context);
    let Fitted { mut head, tracks, plays } = fit.clip(clip, context)?;
    let frame_rate = head.frame_rate;
    let rate = frame_rate.filter(|rate| rate.is_finite() && *rate > 0.0).unwrap_or(30.0);
    let gap = if options.curves() == Curves::Spline { 0.0 } else { GAP / rate };
    let maker = SamplerMaker { curves: options.curves(), gap, frame_rate };
    let mut writer = ClipWriter {
        maker,
        nodes,
        planned: Vec::new(),
        times: None,
        weights: HashMap::new(),
        written: Vec::new(),
        custom_tracks: Vec::new(),
    };
    for (index, track) in tracks {
        let (target, data) = track.into_parts();
        let place = target.clone();
        context.track(index, &place, |context| writer.track((index, target), data, context))?;
    }
    let Written { channels, targets, custom_tracks } = writer.finish(context)?;
    let mut extent = extent(&channels, &custom_tracks);
    extent.add_clip(head.markers.len(), plays);
    let name = head.name.take();
    let extras = Extras::new(head, states_blend, (targets, custom_tracks), context);
    Ok(ClipPart { name, channels, extras, extent })
}

/// Counts the written tracks and keys.
fn extent(channels: &[ChannelPart], custom_tracks: &[CustomTrack]) -> Extent {
    let mut extent = Extent::default();
    for channel in channels {
        let tracks = if channel.path == ChannelPath::Weights { channel.samples.width } else { 1 };
        (0..tracks).for_each(|_| extent.add_track(channel.samples.times.len()));
    }
    for custom in custom_tracks {
        extent.add_track(custom.track.data().len());
    }
    extent
}

struct ClipWriter<'w> {
    maker: SamplerMaker,
    nodes: &'w mut Nodes,
    planned: Vec<Planned>,
    weights: HashMap<usize, Vec<Weight>>,
    /// The times of the last sampler whose keys kept theirs.
    times: Option<Rc<[f32]>>,
    /// The targets of the channels.
    written: Vec<Target>,
    /// The tracks that are not stored as channels, each with the number of written tracks before
    /// it.
    custom_tracks: Vec<CustomTrack>,
}

/// The written content of the tracks of a clip.
struct Written {
    channels: Vec<ChannelPart>,
    /// The targets of the channels, in the order of the tracks.
    targets: Vec<Target>,
    custom_tracks: Vec<CustomTrack>,
}

impl ClipWriter<'_> {
    fn track(
        &mut self,
        (index, target): (usize, Target),
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        if target.node.is_none() {
            context.say(shared::NULL_TEXT, "the node is \"\"");
        }
        if matches!(target.property, Property::Custom(_)) {
            let track = Track::new(target, custom::fit(data, context))?;
            self.custom_tracks.push(CustomTrack { index: self.written.len(), track });
            return Ok(());
        }
        let node = self.nodes.of(&target.node.clone().unwrap_or_default());
        if let Property::Weight(shape) = &target.property {
            let Some(shape) = self.nodes.shape(node, shape) else {
                context.findings.push(dropped_track(&data));
                return Ok(());
            };
            let weights = self.weights.entry(node).or_default();
            if weights.is_empty() {
                self.planned.push(Planned::Weights { node });
            }
            weights.push(Weight { shape, data, index, target: target.clone() });
            self.written.push(target);
            return Ok(());
        }
        let samples = self.maker.sampler(data, &mut self.times, context)?;
        let path = match target.property {
            Property::Translation => ChannelPath::Translation,
            Property::Scale => ChannelPath::Scale,
            _ => ChannelPath::Rotation,
        };
        if let Some(samples) = samples {
            self.planned.push(Planned::Track { node, path, samples });
            self.written.push(target);
        }
        Ok(())
    }

    /// Creates the channels, and sets the indices of the custom tracks.
    fn finish(mut self, context: &mut Context<'_>) -> Result<Written, WriteError> {
        let planned = core::mem::take(&mut self.planned);
        let mut channels = Vec::with_capacity(planned.len());
        let mut order = Vec::with_capacity(self.written.len());
        for planned in planned {
            let Some((node, path, samples)) = self.samples(planned, context)? else { continue };
            let Some(part) = self.nodes.get_mut(node) else { continue };
            part.rest(&path, &samples);
            order.extend(tracks_of(part, &path));
            channels.push(ChannelPart { node, path, samples });
        }
        let written: Vec<TrackKey> = self.written.iter().map(key).collect();
        report_order(&order, &written, context);
        place(&mut self.custom_tracks, &order, &written);
        Ok(Written { channels, targets: self.written, custom_tracks: self.custom_tracks })
    }

    /// Returns the node, the path and the samples of a channel; `None` if it has no keys.
    fn samples(
        &mut self,
        planned: Planned,
        context: &mut Context<'_>,
    ) -> Result<Option<(usize, ChannelPath, Samples)>, WriteError> {
        let node = match planned {
            Planned::Track { node, path, samples } => return Ok(Some((node, path, samples))),
            Planned::Weights { node } => node,
        };
        let weights = self.weights.remove(&node).unwrap_or_default();
        let shapes = self.nodes.get_mut(node).map_or(0, |node| node.shapes.len());
        let samples = self.maker.weights(&weights, shapes, context)?;
        Ok(samples.map(|samples| (node, ChannelPath::Weights, samples)))
    }
}

/// Reports tracks that are read back in another order.
fn report_order(order: &[TrackKey], written: &[TrackKey], context: &mut Context<'_>) {
    if order == written {
        return;
    }
    let known: HashSet<&TrackKey> = written.iter().collect();
    if !order.iter().filter(|key| known.contains(key)).eq(written) {
        let message = counted(written.len(), "track");
        let finding = Finding::new(shared::TRACKS_REORDERED, message);
        context.findings.push(finding.at(Path::field("tracks")));
    }
}

/// The node and the property of a track.
type TrackKey = (Text, Property);

fn key(target: &Target) -> TrackKey {
    (target.node.clone().unwrap_or_default(), target.property.clone())
}

/// Returns the tracks that a reader creates from a channel.
fn tracks_of(node: &NodePart, path: &ChannelPath) -> Vec<TrackKey> {
    let of = |property| (Text::clone(&node.name), property);
    match path {
        ChannelPath::Weights => {
            node.shapes.iter().map(|shape| of(Property::Weight(Text::clone(shape)))).collect()
        }
        ChannelPath::Translation => vec![of(Property::Translation)],
        ChannelPath::Scale => vec![of(Property::Scale)],
        _ => vec![of(Property::Rotation)],
    }
}

/// Sets the indices of custom tracks among all tracks that a reader creates, from the number of
/// written tracks before each.
fn place(custom_tracks: &mut [CustomTrack], order: &[TrackKey], written: &[TrackKey]) {
    if custom_tracks.is_empty() {
        return;
    }
    let places: HashMap<&TrackKey, usize> =
        order.iter().enumerate().map(|(place, key)| (key, place)).collect();
    for (count, custom) in custom_tracks.iter_mut().enumerate() {
        let before = custom.index.checked_sub(1).and_then(|last| places.get(written.get(last)?));
        let others = before.map_or(0, |place| place.saturating_add(1));
        custom.index = others.saturating_add(count);
    }
}
