//! Draws a track in one line of text.

use inbetween_core::num::index_from_f64;
use inbetween_core::{Animation, PlaybackCursor, Track, rows};

/// The bars from the lowest to the highest.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws a track as a line of bars, from the start of the clip to its end.
///
/// It shows the component that changes most. A constant track is a flat line. Tracks of strings and
/// tracks without keys give an empty string; values that are not finite give a blank.
///
/// # Examples
///
/// ```
/// use inbetween::{Animation, Property, Target, Track, TrackData};
/// use inbetween::plot::sparkline;
///
/// let data = TrackData::uniform(1.0, vec![0.0_f32, 1.0]);
/// let track = Track::new(Target::new("lamp", Property::Custom(None)), data)?;
/// let clip = Animation::new(vec![track]);
/// assert_eq!(sparkline(&clip, &clip.tracks[0], 8), "▁▂▃▄▅▆▇█");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sparkline(clip: &Animation, track: &Track, width: u16) -> String {
    let rules = clip.rules.of(&track.target().property);
    let duration = clip.effective_duration();
    let (mut cursor, mut row) = (PlaybackCursor::default(), Vec::new());
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for step in 0..width {
        let part = f64::from(step) / f64::from(width.saturating_sub(1).max(1));
        let value = rules.sample_from(track.data(), &mut cursor, part * duration);
        let Some(value) = value else { return String::new() };
        rows::read(&value, &mut row);
        columns.resize(row.len(), Vec::new());
        columns.iter_mut().zip(&row).for_each(|(column, number)| column.push(*number));
    }
    let span = |(low, high): (f64, f64)| high - low;
    let liveliest = columns.iter().max_by(|a, b| span(range(a)).total_cmp(&span(range(b))));
    liveliest.map(|column| bars(column)).unwrap_or_default()
}

/// Returns the smallest and the largest finite number; 0 and 0 if there are none.
fn range(numbers: &[f64]) -> (f64, f64) {
    let finite = numbers.iter().copied().filter(|number| number.is_finite());
    let ends = finite.fold(None, |ends: Option<(f64, f64)>, number| {
        let (low, high) = ends.unwrap_or((number, number));
        Some((low.min(number), high.max(number)))
    });
    ends.unwrap_or((0.0, 0.0))
}

fn bars(numbers: &[f64]) -> String {
    let (low, high) = range(numbers);
    let bar = |number: f64| {
        if !number.is_finite() {
            return ' ';
        }
        let part = (number / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        let part = if part.is_finite() { part } else { 0.0 };
        BARS.get(index_from_f64((part * 8.0).min(7.0))).copied().unwrap_or(' ')
    };
    numbers.iter().copied().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use inbetween_core::{Property, Target, TrackData};

    fn line(data: TrackData) -> String {
        let track = Track::new(Target::new("a", Property::Custom(None)), data).unwrap();
        let clip = Animation::new(vec![track]);
        sparkline(&clip, &clip.tracks[0], 4)
    }

    #[test]
    fn shows_the_component_that_changes_most() {
        assert_eq!(line(TrackData::uniform(1.0, vec![[0.0_f32, 9.0], [1.0, 0.0]])), "█▆▃▁");
    }

    #[test]
    fn a_track_that_never_changes_is_flat() {
        assert_eq!(line(TrackData::uniform(1.0, vec![5.0_f32, 5.0])), "▁▁▁▁");
    }

    #[test]
    fn stepped_keys_are_drawn_as_steps() {
        let data = TrackData::stepped(vec![0.0, 1.0], vec![false, true]).unwrap();
        assert_eq!(line(data), "▁▁▁█");
    }

    #[test]
    fn values_without_a_height_are_blank() {
        let data = TrackData::stepped(vec![0.0, 0.5, 1.0], vec![0.0, f64::NAN, 1.0]).unwrap();
        assert_eq!(line(data), "▁▁ █");
        let text = TrackData::empty(inbetween_core::ValueKind::String);
        assert_eq!(line(text), "");
    }
}
