//! Segments that are so short that no key fits into them.

use inbetween_core::{Interpolation, Interpolations, Rules, Shape, TrackData};

/// Up to this many representable times, a segment gets a key at each of them.
const STEPS: usize = 4;

/// Returns a track whose shortest segments hold, with a key at every `f64` within them. It plays the same.
///
/// Such segments are steps in all but name. Baking would halve them, and rounding would put the new
/// keys onto their ends, where they show at the wrong time.
pub(super) fn held(data: TrackData, rules: Rules) -> TrackData {
    let Shape::Curve { times, .. } = data.shape() else { return data };
    let within = |key: usize| within(times, key);
    if (0..times.len()).all(|key| within(key).is_none()) {
        return data;
    }
    let (mut sources, mut all, mut each) = (Vec::new(), Vec::new(), Vec::new());
    for (key, &time) in times.iter().enumerate() {
        let inner = within(key);
        let held = if inner.is_some() { Interpolation::Hold } else { data.interpolation(key) };
        for time in [time].into_iter().chain(inner.into_iter().flatten()) {
            sources.push(key);
            all.push(time);
            each.push(held);
        }
    }
    let mut values = data.values().gather(&sources);
    let mut before = None;
    for (index, (&key, &time)) in sources.iter().zip(&all).enumerate() {
        // The first key of a source is that of the track itself.
        if before == Some(key)
            && let Some(value) = rules.sample(&data, time)
        {
            values.set(index, value);
        }
        before = Some(key);
    }
    let tangents = data.tangents().map(|tangents| tangents.gather(&sources, data.len()));
    TrackData::curve(all, values, Interpolations::PerKey(each), tangents).unwrap_or(data)
}

/// Returns the times within a short segment; `None` for other ones.
fn within(times: &[f64], key: usize) -> Option<Vec<f64>> {
    let (start, end) = (*times.get(key)?, *times.get(key + 1)?);
    if end <= start {
        return None;
    }
    let mut inner = Vec::new();
    let mut time = start.next_up();
    while time < end {
        inner.push(time);
        time = time.next_up();
        if inner.len() >= STEPS {
            return None;
        }
    }
    Some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_segments_hold_and_play_the_same() {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let late = 1.0_f64.next_up().next_up();
        let data = TrackData::curve(vec![0.0, 1.0, late], vec![0.0_f64, 1.0, 3.0], linear, None);
        let data = data.unwrap();
        let held = held(data.clone(), Rules::LINEAR);
        let each: Vec<_> = (0..held.len()).map(|key| held.interpolation(key)).collect();
        assert_eq!(
            each,
            [
                Interpolation::Linear,
                Interpolation::Hold,
                Interpolation::Hold,
                Interpolation::Linear
            ]
        );
        for time in [0.5, 1.0, 1.0_f64.next_up(), late, 2.0] {
            let played = [&data, &held].map(|data| Rules::LINEAR.sample(data, time));
            assert_eq!(played[0], played[1], "{time}");
        }
    }

    #[test]
    fn other_tracks_stay_as_they_are() {
        let data = TrackData::stepped(vec![1.0, 1.0_f64.next_up()], vec![1, 2]).unwrap();
        assert_eq!(held(data.clone(), Rules::LINEAR), data);
    }
}
