//! From a clip to an animation.

use std::collections::{HashMap, HashSet};

use inbetween_core::{
    Animation, Budget, Extent, Finding, Findings, Path, Property, Target, Text, Track, WriteError,
    codes as shared, shown,
};

use super::clip_extras::Extras;
use super::nodes::Nodes;
use super::prepare;
use super::samplers::{SamplerMaker, Samples};
use super::weights::Weight;
use crate::scene::ChannelPath;
use crate::{Curves, Gltf, codes};

/// A channel with its sampler.
#[derive(Debug)]
pub(super) struct ChannelPart {
    pub(super) node: usize,
    pub(super) path: ChannelPath,
    pub(super) samples: Samples,
}

/// An animation, or a clip without keys.
#[derive(Debug)]
pub(super) struct ClipPart {
    pub(super) name: Option<Text>,
    pub(super) channels: Vec<ChannelPart>,
    pub(super) extras: Extras,
    pub(super) extent: Extent,
}

/// How far apart the keys of a jump are with `--curves bake`, in frames: Blender merges keys that are
/// closer than 0.01 frames.
const GAP: f64 = 0.02;

/// What stands for the weights of a node until all of them are known.
enum Planned {
    Track { node: usize, path: ChannelPath, samples: Samples },
    Weights { node: usize },
}

/// Converts a clip.
pub(super) fn write(
    mut clip: Animation,
    options: &Gltf,
    nodes: &mut Nodes,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Result<ClipPart, WriteError> {
    let plays = clip.effective_duration();
    let states_blend = clip.states_blend();
    Extras::report_blend(&clip, findings);
    let tracks = prepare::tracks(&mut clip, budget, findings)?;
    let rate = clip.frame_rate.filter(|rate| rate.is_finite() && *rate > 0.0).unwrap_or(30.0);
    let gap = if options.curves() == Curves::Bake { GAP / rate } else { 0.0 };
    let maker = SamplerMaker { curves: options.curves(), gap, budget, findings };
    let mut writer = ClipWriter {
        maker,
        nodes,
        planned: Vec::new(),
        weights: HashMap::new(),
        seen: HashSet::new(),
        written: Vec::new(),
    };
    for (index, track) in tracks {
        writer.maker.findings.begin_scope();
        writer.track(track, Path::item("tracks", index))?;
    }
    let (channels, written) = writer.finish()?;
    findings.begin_scope();
    let mut extent = Extent::default();
    extent.add_clip(clip.markers.len(), plays);
    for channel in &channels {
        let tracks = if channel.path == ChannelPath::Weights { channel.samples.width } else { 1 };
        (0..tracks).for_each(|_| extent.add_track(channel.samples.times.len()));
    }
    let name = clip.name.take();
    let extras = Extras::new(clip, states_blend, written, findings);
    Ok(ClipPart { name, channels, extras, extent })
}

struct ClipWriter<'w, 'c> {
    maker: SamplerMaker<'c>,
    nodes: &'w mut Nodes,
    planned: Vec<Planned>,
    weights: HashMap<usize, Vec<Weight>>,
    /// The nodes and properties that have a channel.
    seen: HashSet<(usize, Property)>,
    written: Vec<Target>,
}

impl ClipWriter<'_, '_> {
    fn track(&mut self, track: Track, path: Path) -> Result<(), WriteError> {
        let (target, data) = track.into_parts();
        let name = target.node.clone().unwrap_or_default();
        if data.is_empty() {
            let message = format!("a track of node \"{}\"", shown(&name));
            let finding = Finding::new(codes::EMPTY_TRACK_DROPPED, message);
            self.maker.findings.push(finding.at(path));
            return Ok(());
        }
        if target.node.is_none() {
            let finding = Finding::new(shared::NULL_TEXT, "the node is \"\"");
            self.maker.findings.push(finding.at(path.clone()));
        }
        let node = self.nodes.of(&name);
        if !self.seen.insert((node, target.property.clone())) {
            let message = format!("{} of node \"{}\"", target.property.name(), shown(&name));
            let finding = Finding::new(codes::SECOND_TRACK_DROPPED, message);
            self.maker.findings.push(finding.at(path));
            return Ok(());
        }
        let channel = match &target.property {
            Property::Translation => ChannelPath::Translation,
            Property::Scale => ChannelPath::Scale,
            Property::Weight(shape) => {
                let shape = self.nodes.shape(node, shape);
                let weights = self.weights.entry(node).or_default();
                if weights.is_empty() {
                    self.planned.push(Planned::Weights { node });
                }
                weights.push(Weight { shape, data, path });
                self.written.push(target);
                return Ok(());
            }
            _ => ChannelPath::Rotation,
        };
        if let Some(samples) = self.maker.sampler(&data, &path)? {
            self.planned.push(Planned::Track { node, path: channel, samples });
            self.written.push(target);
        }
        Ok(())
    }

    /// Makes the channels; returns them with the targets of their tracks.
    fn finish(mut self) -> Result<(Vec<ChannelPart>, Vec<Target>), WriteError> {
        let mut channels = Vec::with_capacity(self.planned.len());
        let mut order = Vec::with_capacity(self.written.len());
        for planned in self.planned {
            let (node, path, samples) = match planned {
                Planned::Track { node, path, samples } => (node, path, samples),
                Planned::Weights { node } => {
                    let weights = self.weights.remove(&node).unwrap_or_default();
                    let shapes = self.nodes.get_mut(node).map_or(0, |node| node.shapes.len());
                    let Some(samples) = self.maker.weights(&weights, shapes)? else { continue };
                    (node, ChannelPath::Weights, samples)
                }
            };
            let Some(part) = self.nodes.get_mut(node) else { continue };
            part.rest(&path, &samples);
            match path {
                ChannelPath::Weights => {
                    order.extend(part.shapes.iter().map(|shape| {
                        (Text::clone(&part.name), Property::Weight(Text::clone(shape)))
                    }));
                }
                ChannelPath::Translation => {
                    order.push((Text::clone(&part.name), Property::Translation));
                }
                ChannelPath::Scale => order.push((Text::clone(&part.name), Property::Scale)),
                _ => order.push((Text::clone(&part.name), Property::Rotation)),
            }
            channels.push(ChannelPart { node, path, samples });
        }
        let unordered = {
            let mut read = order.iter().filter(|(node, property)| {
                self.written.iter().any(|target| {
                    target.node.as_deref().unwrap_or_default() == &**node
                        && target.property == *property
                })
            });
            self.written.iter().any(|target| {
                read.next().is_none_or(|(node, property)| {
                    target.node.as_deref().unwrap_or_default() != &**node
                        || target.property != *property
                })
            })
        };
        self.maker.findings.begin_scope();
        if unordered {
            let message = format!("{} tracks", self.written.len());
            let finding = Finding::new(shared::TRACKS_REORDERED, message);
            self.maker.findings.push(finding.at(Path::field("tracks")));
        }
        Ok((channels, self.written))
    }
}
