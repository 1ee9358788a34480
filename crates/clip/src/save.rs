//! Clips -> bytes. `docs/clip.md` of the repository describes every byte.

use alloc::vec::Vec;

use crate::clip::{Blend, Clip, Keys, Looping, Property, Track};
use crate::column::{Segments, Storage};
use crate::layout::{LOOPS, MAGIC, NARROW_CLOCK, NULL, STATES_RATE, VERSION};
use crate::num::number;
use crate::times::{Clock, Times};

/// Returns the bytes of a file with these clips; [`load`](crate::load) gives them back.
///
/// # Examples
///
/// ```
/// assert_eq!(inbetween_clip::load(&inbetween_clip::save(&[])), Ok(Vec::new()));
/// ```
pub fn save(clips: &[Clip]) -> Vec<u8> {
    let mut out = Vec::with_capacity(clips.iter().map(size).fold(16, usize::saturating_add));
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend([0; 2]);
    length(clips.len(), &mut out);
    for clip in clips {
        save_clip(clip, &mut out);
    }
    out
}

/// Returns an estimate of the bytes of a clip, so that they are not moved while they grow.
fn size(clip: &Clip) -> usize {
    let sets = clip.sets.iter().map(|set| {
        let times = match set.timeline.times() {
            Times::Even { .. } => 8,
            Times::Frames(frames) => frames.len().saturating_mul(2),
            Times::Seconds(seconds) => seconds.len().saturating_mul(4),
            Times::Wide(seconds) => seconds.len().saturating_mul(8),
        };
        set.words.len().saturating_mul(2).saturating_add(times).saturating_add(32)
    });
    let nodes = clip.nodes.iter().map(|node| node.as_deref().map_or(0, str::len));
    let nodes = nodes.map(|length| length.saturating_add(4));
    let tracks = clip.tracks.len().saturating_mul(64);
    sets.chain(nodes).chain([64, tracks]).fold(0, usize::saturating_add)
}

fn save_clip(clip: &Clip, out: &mut Vec<u8>) {
    let loops = if clip.looping == Looping::Loop { LOOPS } else { 0 };
    let clock = if clip.base.clock == Clock::F32 { NARROW_CLOCK } else { 0 };
    let rate = if clip.states_rate { STATES_RATE } else { 0 };
    out.push(loops | clock | rate);
    out.extend(clip.duration.to_le_bytes());
    out.extend(clip.base.rate.to_le_bytes());
    string(clip.name.as_deref(), out);
    length(clip.nodes.len(), out);
    for node in &clip.nodes {
        string(node.as_deref(), out);
    }
    length(clip.sets.len(), out);
    for set in &clip.sets {
        save_times(set.timeline.times(), out);
        out.extend(set.layout.words().to_le_bytes());
        out.extend(set.words.iter().flat_map(|word| word.to_le_bytes()));
    }
    length(clip.tracks.len(), out);
    for track in &clip.tracks {
        save_track(track, out);
    }
}

fn save_times(times: &Times, out: &mut Vec<u8>) {
    let mut head = |kind| {
        out.push(kind);
        length(times.len(), out);
    };
    match times {
        Times::Even { first, step, .. } => {
            head(0);
            out.extend([first, step].into_iter().flat_map(|frame| frame.to_le_bytes()));
        }
        Times::Frames(frames) => {
            head(1);
            out.extend(frames.iter().flat_map(|frame| frame.to_le_bytes()));
        }
        Times::Seconds(seconds) => {
            head(2);
            out.extend(seconds.iter().flat_map(|time| time.to_le_bytes()));
        }
        Times::Wide(seconds) => {
            head(3);
            out.extend(seconds.iter().flat_map(|time| time.to_le_bytes()));
        }
    }
}

fn save_track(track: &Track, out: &mut Vec<u8>) {
    let (property, name) = match &track.property {
        Property::Translation => (0, None),
        Property::Rotation => (1, None),
        Property::Scale => (2, None),
        Property::Weight(name) => (3, Some(Some(&**name))),
        Property::Custom(name) => (4, Some(name.as_deref())),
    };
    let [a, b, c, d] = track.node.to_le_bytes();
    out.extend_from_slice(&[a, b, c, d, property]);
    if let Some(name) = name {
        string(name, out);
    }
    let blend = match track.blend {
        Blend::Absolute => 0,
        Blend::RestRelative => 1,
        Blend::Additive => 2,
    };
    let floats = |values: &[f32; 4], out: &mut Vec<u8>| {
        let used = values.iter().take(track.width());
        out.extend(used.flat_map(|value| value.to_le_bytes()));
    };
    let column = match &track.keys {
        Keys::Constant(value) => {
            out.extend_from_slice(&[track.width, blend, 0]);
            return floats(value, out);
        }
        Keys::Sampled(column) => column,
    };
    let encoding = match &column.storage {
        Storage::Halves { .. } => 1,
        Storage::Rotations => 2,
        Storage::FullRotations | Storage::Floats => 3,
    };
    let segments = match column.segments {
        Segments::Linear => 0,
        Segments::Hold => 1,
    };
    let [a, b, c, d] = column.set.to_le_bytes();
    out.extend_from_slice(&[track.width, blend, encoding, segments, a, b, c, d]);
    if let Storage::Halves { offset, scale } = &column.storage {
        floats(offset, out);
        floats(scale, out);
    }
}

/// Clips never have lists or names that are too long for 32 bits: the builder refuses them.
fn length(length: usize, out: &mut Vec<u8>) {
    out.extend(number(length).to_le_bytes());
}

fn string(text: Option<&str>, out: &mut Vec<u8>) {
    match text {
        None => out.extend(NULL.to_le_bytes()),
        Some(text) => {
            length(text.len(), out);
            out.extend(text.as_bytes());
        }
    }
}
