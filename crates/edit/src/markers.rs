//! Adds and drops markers.

use inbetween_core::{Document, Marker, Outcome, Text};

use crate::EditError;
use crate::clips::unused;
use crate::names::NamePattern;
use crate::work::check_number;

/// Adds a marker at a time in seconds to every clip.
///
/// It is inserted after all markers that are not later. A clip without a stated duration becomes
/// longer if the marker is after its end.
///
/// # Errors
///
/// If the time is not finite.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document};
/// use inbetween_edit::add_marker;
///
/// let clip = Animation::default().with_duration(1.0);
/// let marked = add_marker(Document::single(clip), 0.5, "step")?.value;
/// assert_eq!(&*marked.clips[0].markers[0].name, "step");
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn add_marker(
    mut document: Document,
    time: f64,
    name: impl Into<Text>,
) -> Result<Outcome<Document>, EditError> {
    check_number("marker", "finite seconds such as 0.5", time, true)?;
    let name = name.into();
    for clip in &mut document.clips {
        let earlier = clip.markers.iter().take_while(|marker| marker.time <= time).count();
        clip.markers.insert(earlier, Marker { time, name: name.clone() });
    }
    Ok(Outcome { value: document, findings: Vec::new() })
}

/// Drops the markers whose name one of the patterns matches.
///
/// Patterns that match no marker are reported.
pub fn drop_markers(mut document: Document, patterns: &[NamePattern]) -> Outcome<Document> {
    let markers = document.clips.iter().flat_map(|clip| &clip.markers);
    let findings = unused(patterns, markers.map(|marker| Some(marker.name.as_ref())));
    for clip in &mut document.clips {
        clip.markers.retain(|marker| !patterns.iter().any(|pattern| pattern.matches(&marker.name)));
    }
    Outcome { value: document, findings }
}
