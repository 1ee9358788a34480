//! The parts of a clip that glTF has no member for, stored as extras.

use std::borrow::Cow;

use inbetween_core::{
    Animation, BlendMode, Context, Finding, Looping, Path, Property, Target, codes as shared,
    counted, num,
};

use crate::codes;
use crate::custom::CustomTrack;
use crate::json_text::JsonText;
use crate::layout::EXTRAS_VERSION;

/// The parts of a clip that are stored as extras.
#[derive(Debug)]
pub(super) struct Extras {
    clip: Animation,
    /// The written tracks, if the modes of the clip and its nodes do not give their blend.
    tracks: Vec<Target>,
    /// The tracks that are not stored as channels.
    custom_tracks: Vec<CustomTrack>,
}

impl Extras {
    /// Takes the extra parts of a clip, and reports values that JSON cannot represent. The clip has
    /// no tracks anymore; `written` are those of the channels.
    pub(super) fn new(
        mut clip: Animation,
        states_blend: bool,
        (written, custom_tracks): (Vec<Target>, Vec<CustomTrack>),
        context: &mut Context<'_>,
    ) -> Self {
        if let Some(duration) = clip.duration.take_if(|duration| !duration.is_finite()) {
            let message = format!("{duration} s");
            let finding = Finding::new(shared::DURATION_CHANGED, message);
            context.findings.push(finding.at(Path::field("duration")));
        }
        if let Some(rate) = clip.frame_rate.take_if(|rate| !rate.is_finite()) {
            let message = format!("{rate} frames per second");
            let finding = Finding::new(shared::FRAME_RATE_DROPPED, message);
            context.findings.push(finding.at(Path::field("frame_rate")));
        }
        let markers = clip.markers.len();
        clip.markers.retain(|marker| marker.time.is_finite());
        let gone = markers.saturating_sub(clip.markers.len());
        if gone > 0 {
            let finding = Finding::new(shared::TIME_NOT_FINITE, counted(gone, "marker"));
            let finding = finding.at(Path::field("markers"));
            context.findings.push(finding.count(num::u64_from_len(gone)));
        }
        let tracks = if states_blend { Vec::new() } else { written };
        Self { clip, tracks, custom_tracks }
    }

    /// Reports a clip that other programs play differently.
    pub(super) fn report_blend(clip: &Animation, context: &mut Context<'_>) {
        let mut blends = clip.tracks.iter().map(|track| track.target().blend);
        let mode = blends.find(|blend| *blend != inbetween_core::Blend::Absolute);
        let message = match mode {
            Some(mode) => format!("{} tracks", mode.name()),
            None if clip.blend != BlendMode::Absolute => {
                format!("a clip that is {}", clip.blend.name())
            }
            None if !clip.blend_overrides.is_empty() => {
                format!("{} nodes with a blend mode", clip.blend_overrides.len())
            }
            None => return,
        };
        let finding = Finding::new(codes::BLEND_IN_EXTRAS, message);
        context.findings.push(finding.at(Path::field("blend")));
    }

    /// Returns whether there is nothing to store.
    pub(super) fn is_empty(&self) -> bool {
        let clip = &self.clip;
        clip.duration.is_none()
            && clip.frame_rate.is_none()
            && clip.looping == Looping::Once
            && clip.blend == BlendMode::Absolute
            && clip.blend_overrides.is_empty()
            && clip.markers.is_empty()
            && self.tracks.is_empty()
            && self.custom_tracks.is_empty()
    }

    /// Prints the members.
    pub(super) fn print(&self, json: &mut JsonText) {
        let clip = &self.clip;
        json.name("version").number(EXTRAS_VERSION);
        if let Some(duration) = clip.duration {
            json.name("duration").number(duration);
        }
        if let Some(rate) = clip.frame_rate {
            json.name("frameRate").number(rate);
        }
        if clip.looping == Looping::Loop {
            json.name("looping").bool(true);
        }
        if clip.blend != BlendMode::Absolute {
            print_mode(json, clip.blend);
        }
        if !clip.blend_overrides.is_empty() {
            json.name("nodeBlends").array(|json| {
                for each in &clip.blend_overrides {
                    json.object(|json| {
                        json.name("node").string(&each.node);
                        print_mode(json, each.mode);
                    });
                }
            });
        }
        if !self.tracks.is_empty() {
            json.name("trackBlends").array(|json| self.print_tracks(json));
        }
        if !clip.markers.is_empty() {
            json.name("markers").array(|json| self.print_markers(json));
        }
        if !self.custom_tracks.is_empty() {
            json.name("tracks").array(|json| {
                self.custom_tracks.iter().for_each(|track| track.print(json));
            });
        }
    }

    fn print_markers(&self, json: &mut JsonText) {
        for marker in &self.clip.markers {
            json.object(|json| {
                json.name("time").number(marker.time);
                json.name("name").string(&marker.name);
            });
        }
    }

    fn print_tracks(&self, json: &mut JsonText) {
        for target in &self.tracks {
            json.object(|json| {
                json.name("node").string(target.node.as_deref().unwrap_or_default());
                json.name("path").string(&path_of(&target.property));
                json.name("blend").string(target.blend.name());
            });
        }
    }
}

fn print_mode(json: &mut JsonText, mode: BlendMode) {
    match mode {
        BlendMode::Other(number) => json.name("blend").index(usize::from(number)),
        named => json.name("blend").string(&named.name()),
    }
}

/// Returns the name of a property in the extras.
pub(super) fn path_of(property: &Property) -> Cow<'_, str> {
    match property {
        Property::Translation => "translation".into(),
        Property::Scale => "scale".into(),
        Property::Weight(shape) => format!("weights/{shape}").into(),
        _ => "rotation".into(),
    }
}
