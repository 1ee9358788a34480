//! Converts markers to notification tracks.

use std::collections::HashMap;

use inbetween_core::frames::Framer;
use inbetween_core::{Finding, Findings, Marker, Path, WriteError, codes as shared};

use super::write_curves::frame_values;
use crate::{NodeId, NodePart, codes};

/// Returns one notification track per name, in the order of the first markers, and the last frame
/// of all.
pub(super) fn from_markers(
    markers: &[Marker],
    framer: &Framer<'_>,
    findings: &mut Findings,
) -> Result<(Vec<NodePart>, Option<u32>), WriteError> {
    let mut notes: Vec<(&str, Vec<u32>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut placed = Vec::with_capacity(markers.len());
    for (index, marker) in markers.iter().enumerate() {
        let frame = place(marker, Path::item("markers", index), framer, findings)?;
        let note = *known.entry(&marker.name).or_insert(notes.len());
        placed.push((frame, note));
        match notes.get_mut(note) {
            Some((_, list)) => list.push(frame),
            None => notes.push((&marker.name, vec![frame])),
        }
    }
    if !placed.is_sorted_by_key(|(frame, _)| frame) {
        findings.push(Finding::new(shared::TIMES_SORTED, "markers"));
    } else if !placed.is_sorted() {
        let message = "markers of several names on one frame";
        findings.push(Finding::new(codes::MARKERS_REORDERED, message));
    }
    let last = placed.iter().map(|(frame, _)| *frame).max();
    let note = |(name, mut list): (&str, Vec<u32>)| {
        list.sort_unstable();
        NodePart::new(NodeId::NOTIFICATION_TRACK, 2)
            .with_string("n", name)
            .with("kb", frame_values(&list))
    };
    Ok((notes.into_iter().map(note).collect(), last))
}

/// Returns the frame of a marker, and reports a marker that moves.
fn place(
    marker: &Marker,
    path: Path,
    framer: &Framer<'_>,
    findings: &mut Findings,
) -> Result<u32, WriteError> {
    let frame = framer.frame(marker.time, &path)?;
    let (code, message) = if marker.time < 0.0 {
        (shared::NEGATIVE_TIMES_CUT, format!("a marker at {} s moved to 0", marker.time))
    } else if !framer.on_grid(marker.time) {
        (shared::KEYS_OFF_GRID, format!("a marker at {} s", marker.time))
    } else if marker.time != f64::from(frame) / framer.rate() {
        (shared::TIMES_ROUNDED, format!("{} s is nearly on frame {frame}", marker.time))
    } else {
        return Ok(frame);
    };
    findings.add(code, || Finding::new(code, message).at(path));
    Ok(frame)
}
