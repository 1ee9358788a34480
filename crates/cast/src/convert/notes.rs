//! Converts markers to notification tracks.

use std::collections::HashMap;

use inbetween_core::{Context, Marker, codes as shared};

use super::write_curves::frame_values;
use crate::{NodeId, NodePart, codes};

/// Returns one notification track per name for markers with their frames, in the order of their
/// first frames, and the last frame of all.
pub(super) fn from_markers(
    markers: &[Marker],
    frames: &[u32],
    context: &mut Context<'_>,
) -> (Vec<NodePart>, Option<u32>) {
    let placed = frames.iter().zip(markers).map(|(frame, marker)| (*frame, &*marker.name));
    let mut placed: Vec<(u32, &str)> = placed.collect();
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
    (notes.into_iter().map(note).collect(), last)
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Budget, Limits};

    use super::*;

    #[test]
    fn unsorted_markers_are_read_back_in_the_order_in_which_they_are_written_again() {
        let limits = Limits::default();
        let mut budget = Budget::new(&limits, 0);
        let mut written = |markers: &[(u32, &str)]| {
            let marker = |(frame, name): &(u32, &str)| Marker {
                time: (*frame).into(),
                name: (*name).into(),
            };
            let frames: Vec<u32> = markers.iter().map(|(frame, _)| *frame).collect();
            let markers: Vec<Marker> = markers.iter().map(marker).collect();
            let mut context = Context::new(&mut budget);
            let (notes, last) = from_markers(&markers, &frames, &mut context);
            let codes: Vec<_> = context.findings.into_vec().iter().map(|each| each.code).collect();
            (notes, last, codes)
        };
        let (notes, last, found) = written(&[(5, "a"), (3, "b"), (5, "b")]);
        assert_eq!((last, found), (Some(5), vec![shared::TIMES_SORTED, codes::MARKERS_REORDERED]));
        assert_eq!(written(&[(3, "b"), (5, "b"), (5, "a")]), (notes, Some(5), vec![]));
    }
}
