//! Converts the blend modes of a clip to the animation type and the modifiers of a file.

use std::collections::{HashMap, HashSet};

use inbetween_core::{
    Animation, BlendMode, BlendOverride, Context, Finding, Path, Text, Track, codes as shared,
    shown,
};

use super::bone::{Bone, channel, property};
use crate::{AnimType, BoneIndex, Channel, SeanimModifier, codes};

/// A file counts modifiers in one byte.
const MOST_MODIFIERS: usize = 255;

impl From<AnimType> for BlendMode {
    fn from(anim_type: AnimType) -> Self {
        match anim_type {
            AnimType::ABSOLUTE => Self::Absolute,
            AnimType::ADDITIVE => Self::Additive,
            AnimType::RELATIVE => Self::Relative,
            AnimType::DELTA => Self::Delta,
            AnimType(other) => Self::Other(other),
        }
    }
}

/// Returns the number of a blend mode, or `None` if SEAnim does not support it.
pub(super) const fn anim_type(mode: BlendMode) -> Option<AnimType> {
    match mode {
        BlendMode::Absolute => Some(AnimType::ABSOLUTE),
        BlendMode::Additive => Some(AnimType::ADDITIVE),
        BlendMode::Relative => Some(AnimType::RELATIVE),
        BlendMode::Delta => Some(AnimType::DELTA),
        BlendMode::Other(other) => Some(AnimType(other)),
        _ => None,
    }
}

/// Derives the mode of the clip and the modifiers from the blends of the tracks, if the stated
/// modes do not give these blends, and reports blends that the format cannot store. `indices` are
/// those of the tracks before components were joined.
pub(super) fn restate(clip: &mut Animation, indices: &[usize], context: &mut Context<'_>) {
    for place in clip.restate_blend() {
        let track = clip.tracks.get(place);
        let Some((target, index)) = track.map(Track::target).zip(indices.get(place)) else {
            continue;
        };
        let message = format!(
            "{} track \"{}\" of node \"{}\", which has another blend mode",
            target.blend.name(),
            shown(&target.property.name()),
            shown(target.node.as_deref().unwrap_or_default()),
        );
        context.findings.enter_track(*index, target);
        context.say(shared::BLEND_DROPPED, message);
    }
    context.findings.leave();
    if clip.blend_overrides.len() > MOST_MODIFIERS {
        let whole = clip.blend;
        clip.blend_overrides.retain(|each| each.mode != whole);
    }
}

/// Adds a modifier for every node if any node has one, so that no node inherits the mode of its
/// parent; reports the nodes for which the file cannot store one.
pub(super) fn override_every_node(clip: &mut Animation, context: &mut Context<'_>) {
    if clip.blend_overrides.is_empty() {
        return;
    }
    let mut known: HashSet<Text> =
        clip.blend_overrides.iter().map(|each| each.node.clone()).collect();
    let bones = clip.tracks.iter().map(Track::target);
    let bones = bones.filter(|target| channel(&target.property).is_some());
    let nodes = bones.filter_map(|target| target.node.clone());
    let others: Vec<Text> = nodes.filter(|node| known.insert(node.clone())).collect();
    if known.len() > MOST_MODIFIERS {
        let message = format!("{} bones need a modifier each", known.len());
        let finding = Finding::new(shared::OVERRIDE_DROPPED, message);
        context.findings.push(finding.at(Path::field("blend_overrides")));
        return;
    }
    let mode = clip.blend;
    clip.blend_overrides.extend(others.into_iter().map(|node| BlendOverride { node, mode }));
}

/// Returns the modifiers for the modes of nodes.
///
/// As in the common model, all bones that share a name get the last mode stated for it. Bones whose
/// channels blend the same by `whole`, the mode of the clip, need no modifier.
pub(super) fn modifiers(
    bones: &[Bone],
    whole: BlendMode,
    overrides: &[BlendOverride],
    context: &mut Context<'_>,
) -> Vec<SeanimModifier> {
    if overrides.is_empty() {
        return Vec::new();
    }
    let mut named: HashMap<&[u8], Vec<BoneIndex>> = HashMap::new();
    for (index, bone) in (0_u32..).zip(bones) {
        named.entry(bone.name.as_bytes()).or_default().push(BoneIndex(index));
    }
    let mut last: HashMap<&str, AnimType> = HashMap::new();
    last.extend(overrides.iter().filter_map(|each| Some((&*each.node, anim_type(each.mode)?))));
    let (mut modifiers, mut stated) = (Vec::new(), Vec::new());
    for (index, each) in overrides.iter().enumerate() {
        let same_name = named.get_mut(each.node.as_bytes());
        let (Some(same_name), Some(anim_type)) = (same_name, anim_type(each.mode)) else {
            context.findings.add(shared::OVERRIDE_DROPPED, || {
                let message = format!("\"{}\" is {}", shown(&each.node), each.mode.name());
                Finding::new(shared::OVERRIDE_DROPPED, message)
                    .at(Path::item("blend_overrides", index))
            });
            continue;
        };
        stated.push((each.node.as_bytes(), anim_type));
        let last = last.get(&*each.node).copied().unwrap_or(anim_type);
        if let [bone] = same_name[..] {
            modifiers.push(SeanimModifier { bone, anim_type });
        } else if BlendMode::from(last) == whole {
            modifiers.extend(same_name.first().map(|&bone| SeanimModifier { bone, anim_type }));
        } else {
            // All bones that need the mode, at the first mention of the name.
            let first = same_name.first().copied();
            let differs = |bone: &BoneIndex| differs(bones, *bone, last.into(), whole);
            let mut different = same_name.drain(..).filter(differs).peekable();
            let same = first.filter(|_| different.peek().is_none());
            let all = different.chain(same);
            modifiers.extend(all.map(|bone| SeanimModifier { bone, anim_type: last }));
        }
    }
    let written = modifiers.iter().map(|each| (name(bones, each.bone), each.anim_type));
    if !written.eq(stated.iter().copied()) {
        let message = "bones that share a name get the same modifier";
        context.say(codes::MODIFIERS_RESTATED, message);
    }
    modifiers
}

fn at(bones: &[Bone], bone: BoneIndex) -> Option<&Bone> {
    bones.get(usize::try_from(bone.0).ok()?)
}

fn name(bones: &[Bone], bone: BoneIndex) -> &[u8] {
    at(bones, bone).map(|bone| bone.name.as_bytes()).unwrap_or_default()
}

/// Returns whether a channel of a bone blends differently by the two modes.
fn differs(bones: &[Bone], bone: BoneIndex, mode: BlendMode, whole: BlendMode) -> bool {
    let Some(bone) = at(bones, bone) else { return false };
    let mut channels = Channel::ALL.into_iter().filter(|each| bone.channel(*each).is_some());
    channels.any(|channel| {
        let property = property(channel);
        mode.of(&property) != whole.of(&property)
    })
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Budget, Limits};

    use super::super::bone::Keys;
    use super::*;

    fn written(bones: &[&str], overrides: &[(&str, BlendMode)]) -> (Vec<(u32, u8)>, usize) {
        let keys = Keys { frames: [0].into(), values: vec![[0.0_f32; 3]].into() };
        let bone = |name: &&str| {
            let mut bone = Bone::new((*name).into());
            *bone.channel_mut(Channel::Location) = Some(keys.clone());
            bone
        };
        let bones: Vec<Bone> = bones.iter().map(bone).collect();
        let stated = |&(node, mode): &(&str, BlendMode)| BlendOverride { node: node.into(), mode };
        let overrides: Vec<BlendOverride> = overrides.iter().map(stated).collect();
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let modifiers = modifiers(&bones, BlendMode::Absolute, &overrides, &mut context);
        let modifiers = modifiers.iter().map(|each| (each.bone.0, each.anim_type.0)).collect();
        (modifiers, context.findings.into_vec().len())
    }

    #[test]
    fn one_bone_keeps_all_its_modifiers() {
        let overrides = [("b", BlendMode::Additive), ("a", BlendMode::Absolute)];
        assert_eq!(written(&["a", "b"], &overrides), (vec![(1, 1), (0, 0)], 0));
        let overrides = [("a", BlendMode::Additive), ("a", BlendMode::Relative)];
        assert_eq!(written(&["a", "b"], &overrides), (vec![(0, 1), (0, 2)], 0));
    }

    #[test]
    fn bones_of_one_name_get_the_last_mode() {
        let twice = [("a", BlendMode::Relative), ("a", BlendMode::Relative)];
        assert_eq!(written(&["a", "b", "a"], &twice), (vec![(0, 2), (2, 2)], 0));
        let once = [("a", BlendMode::Relative)];
        assert_eq!(written(&["a", "b", "a"], &once), (vec![(0, 2), (2, 2)], 1));
        let mode_of_clip = [("a", BlendMode::Additive), ("a", BlendMode::Absolute)];
        assert_eq!(written(&["a", "b", "a"], &mode_of_clip), (vec![(0, 1), (0, 0)], 0));
        let overrides =
            [("a", BlendMode::Additive), ("b", BlendMode::Delta), ("a", BlendMode::Relative)];
        assert_eq!(written(&["a", "b", "a"], &overrides), (vec![(0, 2), (2, 2), (1, 3)], 1));
    }
}
