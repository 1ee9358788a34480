//! From the common model to the exact one.

use std::collections::{HashMap, HashSet};

use inbetween_core::frames::{Framer, choose_rate};
use inbetween_core::lower::{Lowering, translate_tracks};
use inbetween_core::{
    Animation, Baker, Blend, BlendMode, Budget, Document, Extent, Finding, Findings, Grid, Looping,
    Outcome, Path, Text, Track, WriteError, codes as shared, num, shown,
};

use super::blend::{Kind, Modes, expand, set_blend};
use super::tracks::{Curve, TrackWriter, is_written, read_back, stores_axis};
use super::{FIRST_HASH, notes};
use crate::read::ID;
use crate::{Cast, CastParts, NodeId, NodePart, RULES, ScaleMode, Store, ValuesPart, codes};

/// Converts a document of any number of clips.
pub(crate) fn from_document(
    mut document: Document,
    options: &Cast,
    budget: &mut Budget,
) -> Result<Outcome<(CastParts, Vec<Extent>)>, WriteError> {
    let mut findings = Findings::new(budget.limits());
    document.drop_skeleton(&mut findings);
    let mut nodes = vec![NodePart::new(NodeId::ROOT, 0)];
    if let Some(up) = options.up() {
        nodes.push(NodePart::new(NodeId::METADATA, 1).with_string("up", up.name()));
    }
    let mut extents = Vec::with_capacity(document.clips.len());
    for clip in document.clips {
        findings.begin_scope();
        extents.push(write_clip(clip, options, &mut nodes, &mut findings, budget)?);
    }
    for (node, hash) in nodes.iter_mut().zip(FIRST_HASH..) {
        node.hash = hash;
    }
    let parts = CastParts { nodes, ..CastParts::default() };
    Ok(Outcome::new((parts, extents), findings))
}

fn write_clip(
    mut clip: Animation,
    options: &Cast,
    nodes: &mut Vec<NodePart>,
    findings: &mut Findings,
    budget: &mut Budget,
) -> Result<Extent, WriteError> {
    let plays = clip.effective_duration();
    let rounded = codes::RATE_ROUNDED;
    let rate = choose_rate(&clip, options.rate(), is_written, rounded, findings);
    let failed = |error| WriteError::from_bake(ID, &error);
    let path = |index| Path::item("tracks", index);
    let source = clip.rules;
    let tracks = core::mem::take(&mut clip.tracks);
    let tracks = with_modes(tracks, &clip, options.scale_mode());
    let tracks = translate_tracks(tracks, (source, RULES), path, budget, findings);
    let baker = Baker::new(Grid::Frames(rate), budget).for_target(RULES);
    let mut lowering = Lowering { baker };
    let tracks = lowering.lower_but(tracks.map_err(failed)?, stores_axis, findings);
    let tracks = tracks.map_err(failed)?;
    let mut framer = Framer { format: ID, lowering, rate, resample: options.rate().is_some() };
    let mut writer = TrackWriter {
        framer: &mut framer,
        findings: &mut *findings,
        curves: Vec::new(),
        tracks: 0,
        idle: Vec::new(),
    };
    for (index, track) in tracks {
        writer.findings.begin_scope();
        writer.track(track, &Path::item("tracks", index))?;
    }
    writer.fill_axes();
    let TrackWriter { mut curves, idle, .. } = writer;
    findings.begin_scope();
    let (notifications, last_note) = notes::from_markers(&clip.markers, &framer, findings)?;
    report_modes(&clip, &curves, findings);
    let last = curves.iter().filter_map(|curve| curve.frames.last().copied()).max();
    let last = last.max(last_note);
    end(&clip, last, options, &framer, &mut curves, findings)?;
    let (lengths, same) = read_back(&curves);
    if !same {
        findings.push(Finding::new(codes::AXES_REGROUPED, "axes that make other tracks"));
    }
    nodes.push(animation(&clip, rate));
    nodes.extend(names(&idle, &curves, options, findings));
    nodes.extend(curves.into_iter().map(Curve::into_part));
    nodes.extend(notifications);
    let mut extent = Extent::default();
    extent.add_clip(clip.markers.len(), plays);
    for keys in lengths {
        extent.add_track(keys);
    }
    Ok(extent)
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

/// Gives each track the mode that its clip and node stand for.
fn with_modes(mut tracks: Vec<Track>, clip: &Animation, scale: ScaleMode) -> Vec<Track> {
    let own: HashMap<&Text, BlendMode> =
        clip.blend_overrides.iter().map(|each| (&each.node, each.mode)).collect();
    let blend = |track: &Track| {
        let target = track.target();
        let kind = Kind::of(&target.property)?;
        let mode = target.node.as_ref().and_then(|node| own.get(node));
        let mode = mode.copied().unwrap_or(clip.blend);
        let additive = mode == BlendMode::Additive && scale == ScaleMode::Additive;
        let blend = match target.blend {
            Blend::Absolute if additive && kind == Kind::Scale => Blend::Additive,
            Blend::Absolute => expand(mode, kind),
            own => own,
        };
        (blend != target.blend).then_some(blend)
    };
    for track in &mut tracks {
        if let Some(blend) = blend(track) {
            set_blend(track, blend);
        }
    }
    tracks
}

/// Reports what of the blend modes of the clip does not come back from its curves.
fn report_modes(clip: &Animation, curves: &[Curve], findings: &mut Findings) {
    let kind = |curve: &Curve| match curve.channel {
        crate::curve::Channel::Translation(_) => Some(Kind::Translation),
        crate::curve::Channel::Rotation => Some(Kind::Rotation),
        crate::curve::Channel::Scale(_) => Some(Kind::Scale),
        _ => None,
    };
    let kinds = || curves.iter().filter_map(|curve| Some((&curve.node, kind(curve)?, curve.blend)));
    let modes = Modes::of(kinds());
    if modes.clip != clip.blend {
        let message = format!("{} becomes {}", clip.blend.name(), modes.clip.name());
        let lost = matches!(clip.blend, BlendMode::Delta | BlendMode::Other(_));
        let code = if lost || kinds().next().is_none() {
            shared::BLEND_DROPPED
        } else {
            codes::BLEND_REGROUPED
        };
        findings.push(Finding::new(code, message).at(Path::field("blend")));
    }
    let moved: HashSet<&Text> = kinds().map(|(node, ..)| node).collect();
    for (index, each) in clip.blend_overrides.iter().enumerate() {
        let lost = matches!(each.mode, BlendMode::Delta | BlendMode::Other(_));
        if lost || !moved.contains(&each.node) {
            let message = format!("\"{}\" is {}", shown(&each.node), each.mode.name());
            findings.add(codes::OVERRIDE_DROPPED, || {
                Finding::new(codes::OVERRIDE_DROPPED, message)
                    .at(Path::item("blend_overrides", index))
            });
        }
    }
    if modes.overrides != clip.blend_overrides {
        let message = format!("{} nodes differ from the clip", modes.overrides.len());
        let finding = Finding::new(codes::OVERRIDES_REGROUPED, message);
        findings.push(finding.at(Path::field("blend_overrides")));
    }
    if !clip.blend_overrides.is_empty() {
        let message = format!("{} overrides", clip.blend_overrides.len());
        findings.push(Finding::new(codes::OVERRIDE_SCOPE, message));
    }
}

/// Reports what of the stated duration the file does not keep, or holds the first track until then.
fn end(
    clip: &Animation,
    last: Option<u32>,
    options: &Cast,
    framer: &Framer<'_>,
    curves: &mut [Curve],
    findings: &mut Findings,
) -> Result<(), WriteError> {
    let path = Path::field("duration");
    let mut say = |code, message: String| {
        findings.push(Finding::new(code, message).at(path.clone()));
    };
    let keys = last.unwrap_or(0);
    let Some(stated) = clip.duration.filter(|duration| *duration >= 0.0) else {
        let message = format!("the last key is on frame {keys}");
        match clip.duration {
            None => say(shared::DURATION_EXTENDED, message),
            Some(given) => say(shared::DURATION_CHANGED, format!("{given} s")),
        }
        return Ok(());
    };
    let frame = framer.frame(stated, &path)?;
    let exact = stated == f64::from(frame) / framer.rate;
    if frame < keys {
        say(shared::DURATION_EXTENDED, format!("the last key is on frame {keys}"));
    } else if !framer.on_grid(stated) {
        say(shared::DURATION_CHANGED, format!("{stated} s is not on a frame"));
    } else if frame > keys {
        let track = curves.first().map(|curve| curve.track);
        if options.end() == Store::Keep && track.is_some() {
            let first = curves.iter_mut().filter(|curve| Some(curve.track) == track);
            first.for_each(|curve| curve.hold_until(frame));
            say(codes::CLOSING_KEY, format!("a key on frame {frame}"));
        } else {
            let message = format!("{stated} s becomes the time of the last key, frame {keys}");
            say(shared::DURATION_CHANGED, message);
        }
    } else if !exact {
        say(shared::TIMES_ROUNDED, format!("{stated} s is nearly on frame {frame}"));
    }
    Ok(())
}

/// Returns the skeleton that lists bones without keys, or reports them.
fn names(
    idle: &[Text],
    curves: &[Curve],
    options: &Cast,
    findings: &mut Findings,
) -> Vec<NodePart> {
    let moved: HashSet<&Text> = curves.iter().map(|curve| &curve.node).collect();
    let mut seen = HashSet::new();
    let mut bones =
        idle.iter().filter(|node| !moved.contains(node) && seen.insert(*node)).peekable();
    if bones.peek().is_none() {
        return Vec::new();
    }
    if options.names() == Store::Drop {
        for node in bones {
            findings.add(codes::BONE_DROPPED, || {
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
