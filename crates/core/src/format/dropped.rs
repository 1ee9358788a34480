//! Findings about the properties of a clip that the target format does not store.

use crate::report::codes;
use crate::{
    Animation, BlendMode, Code, Finding, Findings, Looping, Path, Target, TrackData, counted, num,
    shown,
};

/// Reports the frame rate, the looping and the blend modes of a clip for a format that stores none
/// of them.
pub fn report_dropped_head(clip: &Animation, findings: &mut Findings) {
    let mut report = |code: Code, field, message: String, count: usize| {
        let finding = Finding::new(code, message).at(Path::field(field));
        findings.push(finding.count(num::u64_from_len(count)));
    };
    if let Some(rate) = clip.frame_rate {
        report(codes::FRAME_RATE_DROPPED, "frame_rate", format!("{rate} frames per second"), 1);
    }
    if clip.looping == Looping::Loop {
        report(codes::LOOPING_DROPPED, "looping", "the clip repeats".into(), 1);
    }
    let mut blended =
        clip.tracks.iter().filter(|track| track.target().blend != crate::Blend::Absolute);
    if let Some(first) = blended.next() {
        let message = format!("{} becomes absolute", first.target().blend.name());
        report(codes::BLEND_DROPPED, "blend", message, blended.count().saturating_add(1));
    } else if clip.blend != BlendMode::Absolute {
        let message = format!("{} becomes absolute", clip.blend.name());
        report(codes::BLEND_DROPPED, "blend", message, 1);
    }
    if let Some(first) = clip.blend_overrides.first() {
        let message = format!("\"{}\" is {}", shown(&first.node), first.mode.name());
        let count = clip.blend_overrides.len();
        report(codes::BLEND_OVERRIDES_DROPPED, "blend_overrides", message, count);
    }
}

/// Returns the finding about a track that a format cannot store.
pub fn dropped_track(target: &Target, data: &TrackData) -> Finding {
    let message = format!(
        "{} {} \"{}\" of node \"{}\", {}",
        data.kind(),
        data.shape().name(),
        shown(&target.property.name()),
        shown(target.node.as_deref().unwrap_or_default()),
        counted(data.len(), "key")
    );
    Finding::new(codes::TRACK_DROPPED, message)
}
