//! Converts markers to notification tracks.

use std::collections::HashMap;

use inbetween_core::frames::Framer;
use inbetween_core::{Context, Finding, Marker, Path, WriteError, codes as shared};

use super::write_curves::frame_values;
use crate::{NodeId, NodePart, codes};

/// Returns one notification track per name, in the order of their first frames, and the last frame
/// of all.
pub(super) fn from_markers(
    markers: &[Marker],
    framer: &Framer,
    context: &mut Context<'_>,
) -> Result<(Vec<NodePart>, Option<u32>), WriteError> {
    let mut placed: Vec<(u32, &str)> = Vec::with_capacity(markers.len());
    for (index, marker) in markers.iter().enumerate() {
        let path = Path::item("markers", index);
        let frame = framer.frame(marker.time).map_err(|error| error.at_path(path.clone()))?;
        report_moved(marker, (frame, path), framer, context);
        placed.push((frame, &marker.name));
    }
    if !placed.is_sorted_by_key(|(frame, _)| frame) {
        context.say(shared::TIMES_SORTED, "markers");
        placed.sort_by_key(|(frame, _)| *frame);
    }
    let mut notes: Vec<(&str, Vec<u32>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut order = Vec::with_capacity(placed.len());
    for &(frame, name) in &placed {
        let note = *known.entry(name).or_insert(notes.len());
        order.push((frame, note));
        match notes.get_mut(note) {
            Some((_, list)) => list.push(frame),
            None => notes.push((name, vec![frame])),
        }
    }
    if !order.is_sorted() {
        let message = "markers of several names on one frame";
        context.say(codes::MARKERS_REORDERED, message);
    }
    let last = placed.last().map(|(frame, _)| *frame);
    let note = |(name, list): (&str, Vec<u32>)| {
        NodePart::new(NodeId::NOTIFICATION_TRACK, 2)
            .with_string("n", name)
            .with("kb", frame_values(&list))
    };
    Ok((notes.into_iter().map(note).collect(), last))
}

/// Reports a marker that moves to its frame.
fn report_moved(
    marker: &Marker,
    (frame, path): (u32, Path),
    framer: &Framer,
    context: &mut Context<'_>,
) {
    let (code, message) = if marker.time < 0.0 {
        (shared::NEGATIVE_TIMES_CUT, format!("a marker at {} s moved to 0", marker.time))
    } else if !framer.on_grid(marker.time) {
        (shared::KEYS_OFF_GRID, format!("a marker at {} s", marker.time))
    } else if marker.time != f64::from(frame) / framer.rate() {
        (shared::TIMES_ROUNDED, format!("{} s is nearly on frame {frame}", marker.time))
    } else {
        return;
    };
    context.findings.push(Finding::new(code, message).at(path));
}

#[cfg(test)]
mod tests {
    use inbetween_core::lower::Lowering;
    use inbetween_core::{Baker, Budget, FrameKeys, Grid, Limits};

    use super::*;

    #[test]
    fn unsorted_markers_are_read_back_in_the_order_in_which_they_are_written_again() {
        let limits = Limits::default();
        let mut budget = Budget::new(&limits, 0);
        let baker = Baker::new(Grid::Frames(1.0, FrameKeys::Needed));
        let framer = Framer::new(Lowering { baker, skeleton: None }, 1.0);
        let mut written = |markers: &[(f64, &str)]| {
            let marker = |(time, name): &(f64, &str)| Marker { time: *time, name: (*name).into() };
            let markers: Vec<Marker> = markers.iter().map(marker).collect();
            let mut context = Context::new(&mut budget);
            let (notes, last) = from_markers(&markers, &framer, &mut context).unwrap();
            let codes: Vec<_> = context.findings.into_vec().iter().map(|each| each.code).collect();
            (notes, last, codes)
        };
        let (notes, last, found) = written(&[(5.0, "a"), (3.0, "b"), (5.0, "b")]);
        assert_eq!((last, found), (Some(5), vec![shared::TIMES_SORTED, codes::MARKERS_REORDERED]));
        assert_eq!(written(&[(3.0, "b"), (5.0, "b"), (5.0, "a")]), (notes, Some(5), vec![]));
    }
}
