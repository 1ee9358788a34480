//! The head of a clip: what is not a track.

use crate::stores::{Head, Stores};
use crate::{
    Animation, Blend, BlendMode, Code, Context, Finding, Looping, Origin, Path, Skeleton, codes,
    counted, num, shown,
};

/// Drops the parts of the head that a format does not store, and reports them.
pub(super) fn drop_parts(clip: &mut Animation, stores: Stores, context: &mut Context<'_>) {
    let mut say = |code: Code, field, message: String, count: usize| {
        let finding = Finding::new(code, message).at(Path::field(field));
        context.findings.push(finding.count(num::u64_from_len(count)));
    };
    let drops = |part| !stores.has(part);
    if drops(Head::Name)
        // Formats that store a name for every clip use an empty one for "no name", so it is not a
        // loss.
        && let Some(name) = clip.name.take().filter(|name| !name.is_empty())
    {
        say(codes::NAME_DROPPED, "name", format!("\"{}\"", shown(&name)), 1);
    }
    if drops(Head::FrameRate)
        && let Some(rate) = clip.frame_rate
    {
        say(codes::FRAME_RATE_DROPPED, "frame_rate", format!("{rate} frames per second"), 1);
    }
    if drops(Head::Looping) && core::mem::take(&mut clip.looping) == Looping::Loop {
        say(codes::LOOPING_DROPPED, "looping", "the clip repeats".into(), 1);
    }
    if drops(Head::Blend) {
        report_blend(clip, &mut say);
        clip.make_absolute();
    }
    let markers = clip.markers.len();
    if drops(Head::Markers)
        && let Some(first) = core::mem::take(&mut clip.markers).first()
    {
        let message = format!("{}, first \"{}\"", counted(markers, "marker"), shown(&first.name));
        say(codes::MARKERS_DROPPED, "markers", message, markers);
    }
}

/// Reports the blend modes of a clip that becomes absolute.
fn report_blend(clip: &Animation, say: &mut impl FnMut(Code, &'static str, String, usize)) {
    let mut blended = clip.tracks.iter().filter(|track| track.target().blend != Blend::Absolute);
    if let Some(first) = blended.next() {
        let message = format!("{} becomes absolute", first.target().blend.name());
        say(codes::BLEND_DROPPED, "blend", message, blended.count().saturating_add(1));
    } else if clip.blend != BlendMode::Absolute {
        let message = format!("{} becomes absolute", clip.blend.name());
        say(codes::BLEND_DROPPED, "blend", message, 1);
    }
    if let Some(first) = clip.blend_overrides.first() {
        let message = format!("\"{}\" is {}", shown(&first.node), first.mode.name());
        let count = clip.blend_overrides.len();
        say(codes::BLEND_OVERRIDES_DROPPED, "blend_overrides", message, count);
    }
}

/// Returns the finding about a skeleton that a format does not store.
pub fn dropped_skeleton(skeleton: &Skeleton) -> Finding {
    let message = counted(skeleton.bones().len(), "bone");
    Finding::new(codes::SKELETON_DROPPED, message).at(Path::field("skeleton"))
}

/// Returns the finding about the parts of the file that documents do not hold: a loss if a format that
/// stores this could store them. `None` if there are none.
pub fn dropped_scene(origin: Option<&Origin>, stores: Stores) -> Option<Finding> {
    let origin = origin?;
    let mut parts = origin.scene.clone();
    parts.extend(origin.added_scene.iter().filter(|part| !origin.scene.contains(part)).cloned());
    let (first, more) = parts.split_first()?;
    let names = more
        .iter()
        .fold(shown(first).to_string(), |names, part| format!("{names}, {}", shown(part)));
    let holds = stores.has(Head::Skeleton);
    Some(Finding::new(if holds { codes::SCENE_DROPPED } else { codes::SCENE_LEFT_OUT }, names))
}
