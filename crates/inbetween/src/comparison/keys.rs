//! Compares keys bit for bit.

use inbetween_core::{Handle, Shape, Tangents, TrackData, Values, rows};

/// Returns the first key in which two tracks differ in any bit.
pub(super) fn first_difference(before: &TrackData, after: &TrackData) -> Option<usize> {
    let shortest = before.len().min(after.len());
    let differs = |key: &usize| {
        !same_value(before.values(), after.values(), *key)
            || before.time(*key).map(f64::to_bits) != after.time(*key).map(f64::to_bits)
            || before.interpolation(*key) != after.interpolation(*key)
            || !same_tangents(before, after, *key)
    };
    let first = (0..shortest).find(differs);
    let shape = |data: &TrackData| std::mem::discriminant::<Shape>(data.shape());
    let whole = before.kind() != after.kind() || shape(before) != shape(after);
    match first {
        _ if whole => Some(0),
        None if before.len() != after.len() => Some(shortest),
        first => first,
    }
}

fn same_value(before: &Values, after: &Values, key: usize) -> bool {
    let (Some(one), Some(other)) = (before.get(key), after.get(key)) else { return false };
    if !one.kind().is_float() {
        return one == other;
    }
    let (mut numbers, mut others) = (Vec::new(), Vec::new());
    rows::read(&one, &mut numbers);
    rows::read(&other, &mut others);
    numbers.iter().map(|number| number.to_bits()).eq(others.iter().map(|number| number.to_bits()))
}

fn same_tangents(before: &TrackData, after: &TrackData, key: usize) -> bool {
    match (before.tangents(), after.tangents()) {
        (
            Some(Tangents::Values { left, right }),
            Some(Tangents::Values { left: other_left, right: other_right }),
        ) => same_value(left, other_left, key) && same_value(right, other_right, key),
        (
            Some(Tangents::Handles { left, right }),
            Some(Tangents::Handles { left: other_left, right: other_right }),
        ) => {
            let same = |one: &[Handle], other: &[Handle]| {
                of_key(one, before, key).map(bits).eq(of_key(other, after, key).map(bits))
            };
            same(left, other_left) && same(right, other_right)
        }
        (one, other) => one.is_none() && other.is_none(),
    }
}

fn bits(handle: &Handle) -> [u64; 2] {
    [handle.time.to_bits(), handle.value.to_bits()]
}

/// Returns the handles of a key, one per component.
fn of_key<'h>(
    handles: &'h [Handle],
    data: &TrackData,
    key: usize,
) -> impl Iterator<Item = &'h Handle> {
    let count = handles.len().checked_div(data.len()).unwrap_or(0).max(1);
    handles.chunks(count).nth(key).into_iter().flatten()
}

/// Returns the largest difference between key times, or `None` if the numbers of keys differ.
pub(super) fn time_difference(before: &TrackData, after: &TrackData) -> Option<f64> {
    let times = |data: &TrackData| data.times().collect();
    let (one, other): (Vec<f64>, Vec<f64>) = (times(before), times(after));
    let apart = one.iter().zip(&other).map(|(one, other)| (one - other).abs());
    (one.len() == other.len()).then(|| apart.fold(0.0, f64::max))
}
