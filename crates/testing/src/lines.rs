//! Straight segments of curves.

use inbetween_core::num::ulp_f32;
use inbetween_core::{Interpolation, Interpolations, Shape, Tangents, TrackData, Values, rows};

/// Returns the data with straight Hermite segments as linear ones, and without their tangents.
///
/// Formats that store only slopes read such a segment as linear. It plays the same.
pub(crate) fn with_lines(data: &TrackData) -> TrackData {
    let Shape::Curve { times, tangents: Some(tangents), .. } = data.shape() else {
        return data.clone();
    };
    let Tangents::Values { left, right } = &**tangents else { return data.clone() };
    let (mut left, mut right) = (left.clone(), right.clone());
    let mut each: Vec<Interpolation> = (0..data.len()).map(|key| data.interpolation(key)).collect();
    for (key, how) in each.iter_mut().enumerate() {
        let is_last = key + 1 == data.len();
        if *how == Interpolation::Hermite
            && (is_last || is_straight(data.values(), &left, &right, key))
        {
            *how = Interpolation::Linear;
        }
        if *how != Interpolation::Hermite {
            let zeros = vec![0.0; rows::width(data.kind())];
            rows::set_row(&mut right, key, &zeros);
            rows::set_row(&mut left, key + 1, &zeros);
        }
    }
    let curved = each.contains(&Interpolation::Hermite);
    let tangents = curved.then_some(Tangents::Values { left, right });
    let each = Interpolations::PerKey(each);
    let lines = TrackData::curve(times.clone(), data.values().clone(), each, tangents);
    lines.expect("the same keys")
}

/// Returns whether both tangents of a segment are the change of its values, up to rounding.
fn is_straight(values: &Values, left: &Values, right: &Values, key: usize) -> bool {
    let row = |column: &Values, key| rows::numbers(column, key);
    let (Some(from), Some(to)) = (row(values, key), row(values, key + 1)) else { return false };
    let (Some(out), Some(into)) = (row(right, key), row(left, key + 1)) else { return false };
    (0..from.len()).all(|part| {
        let change = to[part] - from[part];
        let near = 4.0 * ulp_f32(from[part].abs().max(to[part].abs())) + 1e-6 * change.abs();
        [out[part], into[part]].iter().all(|tangent| (tangent - change).abs() <= near)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_straight_segments_become_lines() {
        let tangents = Tangents::Values {
            left: vec![9.0_f32, 1.0, 0.5].into(),
            right: vec![1.0_f32, 0.5, 9.0].into(),
        };
        let curve = Interpolations::Shared(Interpolation::Hermite);
        let values = vec![0.0_f32, 1.0, 3.0];
        let data = TrackData::curve(vec![0.0, 1.0, 2.0], values, curve, Some(tangents)).unwrap();
        let lines = with_lines(&data);
        let each: Vec<_> = (0..3).map(|key| lines.interpolation(key)).collect();
        let [line, curve] = [Interpolation::Linear, Interpolation::Hermite];
        assert_eq!(each, [line, curve, line]);
        assert_eq!(with_lines(&lines), lines);
    }
}
