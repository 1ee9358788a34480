//! Prints everything that a format reports about a file, for people to compare.

use std::fmt::{self, Write};

use inbetween_core::{
    Animation, Bone, ClipSummary, Document, Finding, Format, Hint, Inspection, Interpolation,
    Limits, Outcome, Skeleton, Tangents, Text, Track, TrackData,
};

use crate::difference;

/// A track with more keys than this prints only its first and last ones.
const KEYS: usize = 16;
/// The number of tracks and markers that a clip prints.
const ITEMS: usize = 64;

/// Returns the text of a `.dump` file.
///
/// Floats print as the shortest text that reads back to the same bits.
pub(crate) fn dump(format: &dyn Format, bytes: &[u8], outcome: &Outcome<Document>) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_dump(&mut text, format, bytes, outcome);
    text
}

fn write_dump(
    out: &mut String,
    format: &dyn Format,
    bytes: &[u8],
    outcome: &Outcome<Document>,
) -> fmt::Result {
    let limits = Limits::default();
    writeln!(out, "bytes: {}", bytes.len())?;
    writeln!(out, "probe: {:?}", format.probe(bytes, &Hint::default()))?;
    match format.inspect(bytes, &limits) {
        Ok(inspection) => write_inspection(out, &inspection, &outcome.value)?,
        Err(error) => writeln!(out, "inspect: refused: {error}")?,
    }
    match format.check(bytes, &limits) {
        Ok(findings) => write_findings(out, "check", &findings)?,
        Err(error) => writeln!(out, "check: refused: {error}")?,
    }
    write_findings(out, "read", &outcome.findings)?;
    for bone in outcome.value.skeleton.iter().flat_map(Skeleton::bones) {
        write_bone(out, bone)?;
    }
    for (index, clip) in outcome.value.clips.iter().enumerate() {
        write_clip(out, index, clip)?;
    }
    write_back(out, format, &outcome.value)
}

fn write_inspection(out: &mut String, found: &Inspection, document: &Document) -> fmt::Result {
    writeln!(out, "layout: {}", found.layout)?;
    for (name, value) in &found.facts {
        writeln!(out, "fact: {name} = {value}")?;
    }
    let mut clips: Vec<ClipSummary> = document.clips.iter().map(ClipSummary::from).collect();
    for (clip, found) in clips.iter_mut().zip(&found.clips) {
        // Only reading the keys tells the durations and the first keys of some formats.
        clip.duration = found.duration.and(clip.duration);
        clip.first_key = found.first_key.and(clip.first_key);
    }
    if found.clips == clips {
        return writeln!(out, "inspect: the clips of the document");
    }
    for clip in &found.clips {
        writeln!(out, "inspect: {clip:?}")?;
    }
    Ok(())
}

fn write_findings(out: &mut String, title: &str, findings: &[Finding]) -> fmt::Result {
    if findings.is_empty() {
        return writeln!(out, "{title}: nothing");
    }
    for finding in findings {
        writeln!(out, "{title}: {finding}")?;
        if let Some(fix) = &finding.fix {
            writeln!(out, "  fix: {} ({} edits)", fix.title, fix.edits.len())?;
        }
    }
    Ok(())
}

fn write_bone(out: &mut String, bone: &Bone) -> fmt::Result {
    write!(out, "bone {:?}: parent {}", bone.node, bone.parent.as_deref().unwrap_or("unknown"))?;
    writeln!(
        out,
        ", translation {:?}, rotation {:?}, scale {:?}",
        bone.translation, bone.rotation, bone.scale
    )
}

fn write_clip(out: &mut String, index: usize, clip: &Animation) -> fmt::Result {
    writeln!(out, "clip {index}: {}", quoted(clip.name.as_ref()))?;
    let (duration, frame_rate) = (clip.duration, clip.frame_rate);
    writeln!(out, "  duration: {duration:?} s, plays {:?} s", clip.effective_duration())?;
    writeln!(out, "  frame rate: {frame_rate:?}")?;
    writeln!(out, "  looping: {:?}, blend: {}", clip.looping, clip.blend.name())?;
    for blend in &clip.blend_overrides {
        writeln!(out, "  blend of {:?}: {}", blend.node, blend.mode.name())?;
    }
    for (index, track) in clip.tracks.iter().enumerate().take(ITEMS) {
        write_track(out, index, track)?;
        // If the stated modes are not those of the tracks, the modes of the tracks are printed too.
        if !clip.states_blend() {
            writeln!(out, "    blend: {}", track.target().blend.name())?;
        }
    }
    write_rest(out, clip.tracks.len(), "tracks")?;
    for marker in clip.markers.iter().take(ITEMS) {
        writeln!(out, "  marker at {:?} s: {:?}", marker.time, marker.name)?;
    }
    write_rest(out, clip.markers.len(), "markers")
}

fn write_rest(out: &mut String, count: usize, what: &str) -> fmt::Result {
    match count.checked_sub(ITEMS) {
        None | Some(0) => Ok(()),
        Some(more) => writeln!(out, "  and {more} more {what}"),
    }
}

fn quoted(name: Option<&Text>) -> String {
    name.map_or_else(|| "no name".to_owned(), |name| format!("{name:?}"))
}

fn write_track(out: &mut String, index: usize, track: &Track) -> fmt::Result {
    let (target, data) = (track.target(), track.data());
    write!(out, "  track {index}: {} {:?}", quoted(target.node.as_ref()), target.property)?;
    if let Some(axis) = target.component {
        write!(out, " {}", axis.name())?;
    }
    writeln!(out, ": {} {} of {} keys", data.shape().name(), data.kind(), data.len())?;
    for key in 0..data.len() {
        if data.len() <= KEYS || key < KEYS / 2 || key >= data.len() - KEYS / 2 {
            write_key(out, data, key)?;
        } else if key == KEYS / 2 {
            writeln!(out, "    and {} more keys", data.len() - KEYS)?;
        }
    }
    Ok(())
}

fn write_key(out: &mut String, data: &TrackData, key: usize) -> fmt::Result {
    let time = data.time(key).unwrap_or(f64::NAN);
    write!(out, "    {time:?} s: ")?;
    match data.value(key) {
        Some(value) => write!(out, "{value:?}")?,
        None => write!(out, "no value")?,
    }
    match data.interpolation(key) {
        Interpolation::Linear => {}
        other => write!(out, " {other:?}")?,
    }
    match data.tangents() {
        Some(Tangents::Values { left, right }) => {
            write!(out, " left {:?} right {:?}", left.get(key), right.get(key))?;
        }
        Some(Tangents::Handles { left, right }) => {
            let entries = left.len() / data.len().max(1);
            let own = entries * key..entries * (key + 1);
            write!(out, " left {:?} right {:?}", left.get(own.clone()), right.get(own))?;
        }
        _ => {}
    }
    writeln!(out)
}

/// Prints the changes from writing the document in its own format.
fn write_back(out: &mut String, format: &dyn Format, document: &Document) -> fmt::Result {
    let limits = Limits::default();
    let written = match format.write(document.clone(), &limits) {
        Ok(written) => written,
        Err(error) => return writeln!(out, "write: refused: {error}"),
    };
    write_findings(out, "write", &written.findings)?;
    match format.read(&written.value, &limits) {
        Ok(again) => match difference(document, &again.value) {
            None => writeln!(out, "written and read again: the same document"),
            Some(text) => writeln!(out, "written and read again: {text}"),
        },
        Err(error) => writeln!(out, "written and read again: refused: {error}"),
    }
}
