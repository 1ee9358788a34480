//! Trims clips to a range of time.

use inbetween_core::{Animation, Document, Marker, Outcome, Track, counted, significant};

use crate::cut::cut;
use crate::time_range::TimeRange;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Trims every clip to a range, whose start becomes 0.
///
/// A cut between two keys adds a key with the value at that time, and splits curves exactly, so
/// playback is the same except for rounding. Segments that cannot be split exactly are reported with
/// the measured error: curves of quaternions, slerps between rotations that are not normalized, and
/// segments of integers.
///
/// Keys and markers at the start and the end are kept. The duration becomes that of the range, or
/// the rest of the duration if the range is open at the end. A clip that ends before the range
/// holds its last pose.
///
/// # Errors
///
/// If baking a curve exceeds the limits.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Marker};
/// use inbetween_edit::{Settings, TimeRange, trim};
///
/// let markers = [0.2, 0.8].map(|time| Marker { time, name: "step".into() }).to_vec();
/// let clip = Animation::default().with_duration(1.0).with_markers(markers);
/// let range = TimeRange::new(Some(0.5), None)?;
/// let trimmed = trim(Document::single(clip), range, &Settings::default())?;
/// assert_eq!(trimmed.value.clips[0].duration, Some(0.5));
/// assert_eq!(trimmed.findings[0].message, "no keys and 1 marker");
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn trim(
    document: Document,
    range: TimeRange,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, clip| {
        let (mut trimmed, gone) = trim_clip(&clip, range, work)?;
        let kept = clip.markers.iter().filter(|marker| range.contains(marker.time)).cloned();
        trimmed.markers = kept.map(|marker| moved(marker, -range.offset())).collect();
        let markers = clip.markers.len() - trimmed.markers.len();
        if gone > 0 || markers > 0 {
            let message = format!("{} and {}", counted(gone, "key"), counted(markers, "marker"));
            work.say(codes::CUT, message);
        }
        let (reach, end) = (range.end().or(range.start()), clip.effective_duration());
        // Frames and `f32` times round the end of the range.
        if let Some(reach) = reach.filter(|&reach| reach > end * ROUNDED) {
            let (beyond, end) = (significant(reach - end), significant(end));
            let message = format!("the range ends {beyond} s after the end of the clip at {end} s");
            work.say(codes::BEYOND_END, message);
        }
        Ok(trimmed)
    })
}

/// The factor by which a range may exceed the end of a clip because of rounding.
const ROUNDED: f64 = 1.0 + 1e-6;

/// Returns the range of a clip without its markers, and the number of removed keys.
pub(crate) fn trim_clip(
    clip: &Animation,
    range: TimeRange,
    work: &mut Work<'_>,
) -> Result<(Animation, usize), EditError> {
    let mut tracks = Vec::with_capacity(clip.tracks.len());
    let mut gone = 0_usize;
    for (index, track) in clip.tracks.iter().enumerate() {
        work.findings.enter_track(index, track.target());
        work.play(track.target());
        let (data, keys) = cut(track.data(), range, work)?;
        gone += keys;
        tracks.push(Track::new(track.target().clone(), data)?);
    }
    work.findings.leave();
    let duration = match range.end() {
        Some(end) => Some((end - range.offset()).max(0.0)),
        None => clip.duration.map(|stated| {
            if range.offset() == 0.0 {
                stated
            } else {
                (clip.effective_duration() - range.offset()).max(0.0)
            }
        }),
    };
    let mut trimmed = clip.head().with_tracks(tracks);
    trimmed.duration = duration;
    Ok((trimmed, gone))
}

/// Returns a marker moved by some seconds.
pub(crate) fn moved(mut marker: Marker, seconds: f64) -> Marker {
    marker.time += seconds;
    marker
}
