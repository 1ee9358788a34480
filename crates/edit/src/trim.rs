//! Trims clips to a range of time.

use inbetween_core::{Animation, Document, Marker, Outcome, Track, counted, significant};

use crate::cut::cut;
use crate::work::{Work, check_number};
use crate::{EditError, Settings, codes};

/// A range of time in seconds, open at either end.
///
/// # Examples
///
/// ```
/// use inbetween_edit::TimeRange;
///
/// let range = TimeRange::new(Some(0.5), None)?;
/// assert_eq!((range.start(), range.end()), (Some(0.5), None));
/// assert!(TimeRange::new(Some(2.0), Some(1.0)).is_err());
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeRange {
    start: Option<f64>,
    end: Option<f64>,
}

impl TimeRange {
    /// Creates a range; `None` keeps everything before the start or after the end.
    ///
    /// # Errors
    ///
    /// If a time is not finite, or the end is before the start.
    pub fn new(start: Option<f64>, end: Option<f64>) -> Result<Self, EditError> {
        for time in [start, end].into_iter().flatten() {
            check_number("range", "finite seconds such as 0.5", time, true)?;
        }
        match (start, end) {
            (Some(start), Some(end)) if end < start => Err(EditError::Range { start, end }),
            _ => Ok(Self { start, end }),
        }
    }

    /// Returns the start in seconds, or `None` if nothing is cut there.
    pub const fn start(self) -> Option<f64> {
        self.start
    }

    /// Returns the end in seconds, or `None` if nothing is cut there.
    pub const fn end(self) -> Option<f64> {
        self.end
    }

    /// Returns the offset that moves the start of the range to 0.
    pub(crate) fn offset(self) -> f64 {
        self.start.unwrap_or(0.0)
    }

    fn contains(self, time: f64) -> bool {
        self.start.is_none_or(|start| start <= time) && self.end.is_none_or(|end| time <= end)
    }
}

/// Trims every clip to a range, whose start becomes 0.
///
/// A cut between two keys adds a key with the value at that time, and splits curves exactly, so
/// playback is the same except for rounding. Segments that cannot be split are reported: a
/// quaternion or `color32` Bezier curve becomes linear keys within the error bound, and linear
/// segments of integers round differently.
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
        let (reach, end) = (range.end.or(range.start), clip.effective_duration());
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
        work.enter_track(index);
        work.play(track.target());
        let (data, keys) = cut(track.data(), range, work)?;
        gone += keys;
        tracks.push(Track::new(track.target().clone(), data)?);
    }
    work.leave_tracks();
    let duration = match range.end {
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
