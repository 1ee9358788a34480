//! A line of bars for each track of a table.

use std::collections::{HashMap, VecDeque};

use inbetween::Document;
use inbetween::core::{ClipSummary, TrackSummary};
use inbetween::plot::sparkline;

/// The number of bars in a line.
const WIDTH: u16 = 24;

/// Returns the lines of the tracks of each clip, in the order of the summaries; a track that the
/// document lacks has an empty line.
pub(crate) fn of(document: &Document, clips: &[ClipSummary]) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for (clip, summary) in document.clips.iter().zip(clips) {
        // Tracks are found by name, since a format may list tracks that are not tracks in the
        // common model, such as those of markers.
        let mut known: HashMap<_, VecDeque<String>> = HashMap::new();
        for track in &clip.tracks {
            let line = sparkline(clip, track, WIDTH);
            known.entry(key(&TrackSummary::from(track))).or_default().push_back(line);
        }
        let mut line = |track: &TrackSummary| known.get_mut(&key(track))?.pop_front();
        lines.push(summary.tracks.iter().map(|track| line(track).unwrap_or_default()).collect());
    }
    lines
}

fn key(track: &TrackSummary) -> (Option<String>, Option<String>, Option<&'static str>) {
    let component = track.component.map(inbetween::core::Axis::name);
    (track.node.clone(), track.property.clone(), component)
}

/// Returns the lines of each clip, and empty lists after the last one.
pub(crate) fn each(lines: &[Vec<String>]) -> impl Iterator<Item = &[String]> {
    lines.iter().map(Vec::as_slice).chain(std::iter::repeat(&[][..]))
}
