//! An upper bound of the difference between two tracks.

use core::ops::Range;

use super::apart::largest_angle;
use super::cubic::Cubic;
use super::slerp::angle;
use super::source::{Segments, Width};

/// A track between two neighboring times at which either track begins a segment.
struct Piece {
    key: usize,
    /// The range of the segment; empty for the value before the first key or after the last.
    part: Range<f64>,
}

/// The active key of a track at a time that only increases, and its segment.
struct Walk {
    times: Vec<f64>,
    next: usize,
}

impl Walk {
    fn new(segments: &Segments<'_>) -> Self {
        Self { times: segments.times(), next: 0 }
    }

    /// Returns the piece from one time to another; times never decrease.
    fn piece(&mut self, start: f64, end: f64) -> Piece {
        while self.times.get(self.next).is_some_and(|time| *time <= start) {
            self.next = self.next.saturating_add(1);
        }
        let Some(key) = self.next.checked_sub(1) else { return Piece { key: 0, part: 0.0..0.0 } };
        let ends = self.times.get(key).zip(self.times.get(self.next));
        let part = ends.map_or(0.0..0.0, |(from, to)| {
            let part = |time: f64| ((time - from) / (to - from)).clamp(0.0, 1.0);
            part(start)..part(end)
        });
        Piece { key, part }
    }
}

/// Calls a function with the pieces of two tracks, pairwise, from before the first key of either to
/// after the last.
fn each(
    one: &Segments<'_>,
    other: &Segments<'_>,
    mut of: impl FnMut(&Piece, &Piece) -> f64,
) -> f64 {
    let (mut one, mut other) = (Walk::new(one), Walk::new(other));
    let mut times: Vec<f64> = one.times.iter().chain(&other.times).copied().collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let Some(&first) = times.first() else { return 0.0 };
    let starts = [f64::NEG_INFINITY].into_iter().chain(times.iter().copied());
    let ends = times.iter().copied().chain([f64::INFINITY]);
    let pairs = starts.zip(ends).map(|(start, end)| {
        // Before the first key both tracks hold.
        let end = if start == f64::NEG_INFINITY { first } else { end };
        of(&one.piece(start, end), &other.piece(start, end))
    });
    pairs.fold(0.0, f64::max)
}

pub(super) fn of_rows<const N: usize>(one: &Segments<'_>, other: &Segments<'_>) -> f64 {
    let whole = matches!(Width::of(one.kind()), Width::Whole | Width::Byte);
    each(one, other, |a, b| {
        let curves = one.rows::<N>(a.key).into_iter().zip(other.rows::<N>(b.key));
        let apart = curves.map(|(x, y)| {
            let (x, y) = (at(x, &a.part), at(y, &b.part));
            let off = x.distance(y);
            if whole { off.ceil() } else { off }
        });
        apart.fold(0.0, f64::max)
    })
}

fn at(curve: Cubic, part: &Range<f64>) -> Cubic {
    if part.is_empty() { Cubic::constant(curve.at(part.start)) } else { curve.part(part.clone()) }
}

pub(super) fn of_turns(one: &Segments<'_>, other: &Segments<'_>) -> f64 {
    each(one, other, |a, b| {
        let (x, y) = (one.turn(a.key), other.turn(b.key));
        if a.part.is_empty() && b.part.is_empty() {
            return angle(x.at(a.part.start), y.at(b.part.start));
        }
        largest_angle(&(&x, a.part.clone()), &(&y, b.part.clone()))
    })
}

pub(super) fn of_held(one: &Segments<'_>, other: &Segments<'_>) -> f64 {
    each(one, other, |a, b| f64::from(u8::from(one.value(a.key) != other.value(b.key))))
}
