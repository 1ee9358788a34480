//! Writes documents.

use std::collections::{HashMap, HashSet};

use inbetween_core::{
    Animation, Blend, BlendMode, BlendReach, Context, Document, Extent, Finding, Fit, Fitted,
    Looping, Path, Property, Target, Text, Track, WriteError, Written, codes as shared, num, shown,
};

use super::STORES;
use super::blend::Modes;
use super::tracks::{Curve, ReadBack, TrackWriter, WrittenTracks, read_back};
use super::write_curves::CurveWriter;
use super::{bones, notes};
use crate::file::CastHeader;
use crate::layout::{NodeId, hash};
use crate::options::{Cast, ScaleMode, Store};
use crate::parts::NodePart;
use crate::value::ValuesPart;
use crate::write::{Writer, node_size};
use crate::{RULES, codes};

/// Writes a document with any number of clips.
pub(crate) fn from_document(
    mut document: Document,
    options: &Cast,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let fit = Fit::new(STORES, RULES, &mut document, context);
    let skeleton = fit.skeleton().filter(|skeleton| !skeleton.bones().is_empty());
    let mut bones = skeleton.map(|skeleton| bones::from_skeleton(skeleton, context));
    let mut nodes = vec![NodePart::new(NodeId::ROOT, 0)];
    if let Some(up) = options.up() {
        nodes.push(NodePart::new(NodeId::METADATA, 1).with_string("up", up.name()));
    }
    // A document without clips has no animation that could hold the skeleton.
    if options.names() == Store::Drop || document.clips.is_empty() {
        let model = bones.take().map(|bones| [vec![NodePart::new(NodeId::MODEL, 1)], bones]);
        nodes.extend(model.into_iter().flatten().flatten());
    }
    let mut writer = Writer::new(CastHeader::default());
    append(nodes, &mut writer)?;
    let writing = Writing { options, fit: &fit };
    let extents = context.clips(document.clips, |context, clip| {
        let Clip { head, names, curves, notes, extent } = writing.clip(clip, context)?;
        append([head], &mut writer)?;
        append(bones.take().into_iter().flatten(), &mut writer)?;
        append(names, &mut writer)?;
        CurveWriter::new(&mut writer).write(&curves)?;
        append(notes, &mut writer)?;
        Ok(extent)
    })?;
    Ok(Written::new(writer.finish(&[])?, extents))
}

/// Writes nodes, and numbers them as official programs do.
fn append(
    nodes: impl IntoIterator<Item = NodePart>,
    writer: &mut Writer,
) -> Result<(), WriteError> {
    for node in nodes {
        writer.reserve(node_size(&node))?;
        let hash = hash(writer.nodes());
        writer.part(&node.with_hash(hash))?;
    }
    Ok(())
}

/// The nodes of a clip in the order of the file, and the written content.
struct Clip {
    /// The animation.
    head: NodePart,
    /// The skeleton that lists bones without keys.
    names: Vec<NodePart>,
    curves: Vec<Curve>,
    /// The notification tracks.
    notes: Vec<NodePart>,
    extent: Extent,
}

/// What the clips of a file share.
struct Writing<'w> {
    options: &'w Cast,
    fit: &'w Fit,
}

impl Writing<'_> {
    fn clip(&self, mut clip: Animation, context: &mut Context<'_>) -> Result<Clip, WriteError> {
        let options = self.options;
        if options.scale_mode() == ScaleMode::Additive {
            add_scales(&mut clip);
        }
        let still = still_nodes(&clip);
        let (fitted, mut framer) = self.fit.frames(clip, options.rate(), context)?;
        let Fitted { head, tracks, plays } = fitted;
        let written = TrackWriter::new(&mut framer).write(tracks, context)?;
        let WrittenTracks { mut curves, origins } = written;
        let marked = framer.markers(&head.markers, context)?;
        let (notes, last_note) = notes::from_markers(&head.markers, &marked, context);
        report_modes(&head, &curves, context);
        let last = curves.iter().filter_map(|curve| curve.frames.last().copied()).max();
        let last = last.max(last_note).unwrap_or(0);
        let end = context.field("duration", |context| framer.end(head.duration, last, context))?;
        if end > last && head.duration.is_some_and(|stated| framer.on_grid(stated)) {
            hold_until(end, options, &mut curves, context);
        }
        let read = read_back(&curves);
        report_regrouped(&read, &origins, context);
        let names = self.names(&still, &curves, context);
        let mut extent = Extent::default();
        extent.add_clip(head.markers.len(), plays);
        for keys in read.lengths {
            extent.add_track(keys);
        }
        Ok(Clip { head: animation(&head, framer.rate()), names, curves, notes, extent })
    }

    /// Returns the skeleton that lists bones without keys, or reports these bones.
    fn names(&self, still: &[Text], curves: &[Curve], context: &mut Context<'_>) -> Vec<NodePart> {
        if still.is_empty() {
            return Vec::new();
        }
        let moved: HashSet<&Text> = curves.iter().map(|curve| &curve.node).collect();
        let mut seen = HashSet::new();
        let mut bones =
            still.iter().filter(|node| !moved.contains(node) && seen.insert(*node)).peekable();
        if bones.peek().is_none() {
            return Vec::new();
        }
        if self.options.names() == Store::Drop {
            let is_bone = |node: &Text| {
                self.fit.skeleton().is_some_and(|skeleton| skeleton.index(node).is_some())
            };
            for node in bones.filter(|node| !is_bone(node)) {
                context.findings.add(codes::BONE_DROPPED, || {
                    Finding::new(codes::BONE_DROPPED, format!("the bone \"{}\"", shown(node)))
                });
            }
            return Vec::new();
        }
        let bone = |node: &Text| {
            NodePart::new(NodeId::BONE, 3)
                .with_string("n", node.as_bytes())
                .with("lp", ValuesPart::Vector3(vec![[0.0; 3]]))
                .with("lr", ValuesPart::Vector4(vec![[0.0, 0.0, 0.0, 1.0]]))
        };
        let skeleton = NodePart::new(NodeId::SKELETON, 2);
        core::iter::once(skeleton).chain(bones.map(bone)).collect()
    }
}

fn animation(clip: &Animation, rate: f64) -> NodePart {
    let node = NodePart::new(NodeId::ANIMATION, 1);
    let node = match &clip.name {
        Some(name) => node.with_string("n", name.as_bytes()),
        None => node,
    };
    let looping = u8::from(clip.looping == Looping::Loop);
    node.with("fr", ValuesPart::F32(vec![num::f32_from_f64(rate)]))
        .with("lo", ValuesPart::U8(vec![looping]))
}

/// Changes the absolute scales of additive nodes to additive ones.
fn add_scales(clip: &mut Animation) {
    let own = clip.blend_overrides.iter().map(|each| (&*each.node, each.mode));
    let own: HashMap<&str, BlendMode> = own.collect();
    for track in &mut clip.tracks {
        let target = track.target();
        let mode = target.node.as_deref().and_then(|node| own.get(node));
        let is_additive = *mode.unwrap_or(&clip.blend) == BlendMode::Additive;
        if is_additive && target.property == Property::Scale && target.blend == Blend::Absolute {
            track.set_blend(Blend::Additive);
        }
    }
}

/// Reports the tracks that are read back as other tracks, or in another order.
fn report_regrouped(read: &ReadBack, origins: &[(usize, Target)], context: &mut Context<'_>) {
    for (index, target) in read.regrouped.iter().filter_map(|&track| origins.get(track)) {
        context.findings.enter_track(*index, target);
        context.say(codes::AXES_REGROUPED, "an axis of a vector");
    }
    context.findings.leave();
    if !read.is_same && read.regrouped.is_empty() {
        context.say(codes::AXES_REGROUPED, "axes that make other tracks");
    }
}

/// Reports stated blend modes that cannot be read back from the curves.
fn report_modes(clip: &Animation, curves: &[Curve], context: &mut Context<'_>) {
    let findings = &mut context.findings;
    let kinds =
        || curves.iter().filter_map(|curve| Some((&curve.node, curve.kind()?, curve.blend)));
    let modes = Modes::of(kinds());
    let is_lost = |mode| matches!(mode, BlendMode::Delta | BlendMode::Other(_));
    if modes.clip != clip.blend {
        let name = clip.blend.name();
        let (code, message) = if is_lost(clip.blend) || kinds().next().is_none() {
            (codes::BLEND_MODE_DROPPED, format!("the clip states the blend mode {name}"))
        } else {
            (codes::BLEND_REGROUPED, format!("{name} becomes {}", modes.clip.name()))
        };
        findings.push(Finding::new(code, message).at(Path::field("blend")));
    }
    let has_overrides = !clip.blend_overrides.is_empty();
    let moved: HashSet<&Text> =
        if has_overrides { kinds().map(|(node, ..)| node).collect() } else { HashSet::new() };
    for (index, each) in clip.blend_overrides.iter().enumerate() {
        if is_lost(each.mode) || !moved.contains(&each.node) {
            let message = format!("\"{}\" is {}", shown(&each.node), each.mode.name());
            findings.add(shared::OVERRIDE_DROPPED, || {
                Finding::new(shared::OVERRIDE_DROPPED, message)
                    .at(Path::item("blend_overrides", index))
            });
        }
    }
    if modes.overrides != clip.blend_overrides {
        let message = format!("{} nodes differ from the clip", modes.overrides.len());
        let finding = Finding::new(codes::OVERRIDES_REGROUPED, message);
        findings.push(finding.at(Path::field("blend_overrides")));
    }
    if has_overrides && clip.rules.blend_reach == BlendReach::Descendants {
        let message = format!("{} overrides", clip.blend_overrides.len());
        findings.push(Finding::new(codes::OVERRIDE_SCOPE, message));
    }
}

/// Holds the first track until the last frame of the clip, or reports that the clip gets shorter.
fn hold_until(end: u32, options: &Cast, curves: &mut [Curve], context: &mut Context<'_>) {
    let track = curves.first().map(|curve| curve.track);
    let (code, message) = if options.end() == Store::Keep && track.is_some() {
        let first = curves.iter_mut().filter(|curve| Some(curve.track) == track);
        first.for_each(|curve| curve.hold_until(end));
        (codes::CLOSING_KEY, format!("a key on frame {end}"))
    } else {
        (shared::DURATION_CHANGED, format!("frame {end} becomes the frame of the last key"))
    };
    context.findings.push(Finding::new(code, message).at(Path::field("duration")));
}

/// Returns the nodes of the tracks without keys, which no curve will name.
fn still_nodes(clip: &Animation) -> Vec<Text> {
    let targets = clip.tracks.iter().filter(|track| track.data().is_empty());
    let bones = targets
        .map(Track::target)
        .filter(|target| !matches!(target.property, Property::Weight(_) | Property::Custom(_)));
    let mut nodes: Vec<Text> =
        bones.map(|target| target.node.clone().unwrap_or_default()).collect();
    nodes.dedup();
    nodes
}
