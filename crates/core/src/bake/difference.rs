//! An upper bound of the difference between two tracks.

use core::ops::Range;

use super::apart::angle_above;
use super::cubic::Cubic;
use super::rotation::{Motion, Turn};
use super::slerp::{Pace, angle};
use super::source::{Segments, Width};
use crate::model::rows;
use crate::{Quat, TrackData};

/// The slerp from one key of a track of quaternions to another.
#[derive(Clone, Copy, Debug)]
pub struct KeySlerp {
    /// The index of the key at its start.
    pub from: usize,
    /// The index of the key at its end.
    pub to: usize,
    /// The part of it that passes between two measured times: 1 if only its ends are measured.
    pub step: f64,
}

/// Returns an upper bound of the angle in radians between two slerps of a track, from the largest
/// angle between them at measured times.
///
/// Between two measured times the angle can be larger by the curvature of the sphere, and where the
/// lengths of the quaternions differ, which makes a slerp uneven.
pub fn slerps_apart(data: &TrackData, measured: f64, slerps: [KeySlerp; 2]) -> f64 {
    let rotation = |key| Quat::from_array(rows::row::<4>(data.values(), key));
    let [one, other] = slerps.map(|KeySlerp { from, to, step }| {
        let turn = Turn::Arc { from: rotation(from), to: rotation(to), pace: Pace::Even };
        let whole = turn.motion(&(0.0..1.0));
        if whole.leaves > 0.0 {
            return whole;
        }
        Motion { turns: whole.turns * step, accelerates: whole.accelerates * step * step, ..whole }
    });
    one.farthest(&other, measured)
}

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
            self.next += 1;
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
/// after the last, and with the largest result so far.
fn each(
    one: &Segments<'_>,
    other: &Segments<'_>,
    mut of: impl FnMut(f64, &Piece, &Piece) -> f64,
) -> f64 {
    let (mut one, mut other) = (Walk::new(one), Walk::new(other));
    let mut times: Vec<f64> = one.times.iter().chain(&other.times).copied().collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let Some(&first) = times.first() else { return 0.0 };
    let starts = [f64::NEG_INFINITY].into_iter().chain(times.iter().copied());
    let ends = times.iter().copied().chain([f64::INFINITY]);
    starts.zip(ends).fold(0.0, |known, (start, end)| {
        // Before the first key both tracks hold.
        let end = if start == f64::NEG_INFINITY { first } else { end };
        of(known, &one.piece(start, end), &other.piece(start, end)).max(known)
    })
}

pub(super) fn of_rows<const N: usize>(one: &Segments<'_>, other: &Segments<'_>) -> f64 {
    let whole = matches!(Width::of(one.kind()), Width::Whole | Width::Byte);
    each(one, other, |_, a, b| {
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
    each(one, other, |known, a, b| {
        let (x, y) = (one.turn(a.key), other.turn(b.key));
        if a.part.is_empty() && b.part.is_empty() {
            return angle(x.at(a.part.start), y.at(b.part.start));
        }
        angle_above(known, &(&x, a.part.clone()), &(&y, b.part.clone()))
    })
}

pub(super) fn of_held(one: &Segments<'_>, other: &Segments<'_>) -> f64 {
    each(one, other, |_, a, b| f64::from(u8::from(one.value(a.key) != other.value(b.key))))
}
