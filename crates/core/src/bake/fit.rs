//! Creates the keys that play a signal: within a bound of the error, or on frames.

use core::f64::consts::FRAC_PI_2;
use core::ops::Range;

use super::cubic::Cubic;
use super::measure::{Difference, Piece, Signal, Times, measure, parts_of, span};
use super::rotation::{Turn, angle_rates, is_unit};
use super::source::{Row, Width};
use super::{BakeError, Bound, Curves, FrameKeys};
use crate::num::{self, u64_from_len};
use crate::{Budget, EulerOrder, Identical as _, Quat, Slerp, memory};

/// The values that new keys have, and how they play.
pub(super) trait Space<const N: usize>: Copy {
    /// What plays over a segment, of the source and of the result.
    type Piece: Piece;

    /// Returns the key at a normalized time, rounded to the kind of the result; `before` is the
    /// previous key.
    fn key(&self, piece: &Self::Piece, t: f64, before: Option<[f64; N]>) -> [f64; N];

    /// Returns the slope of the components at a key, per unit of normalized time.
    fn slope(&self, piece: &Self::Piece, t: f64, key: [f64; N]) -> [f64; N];

    /// Returns whether an angle turns by more than a quarter turn in a segment.
    fn is_far(&self, piece: &Self::Piece, part: &Range<f64>, keys: [[f64; N]; 2]) -> bool;

    /// Returns the largest slope per second that a curve follows.
    fn steepest(&self) -> f64 {
        f64::INFINITY
    }

    /// Returns whether a linear segment plays exactly like a part that does not turn far.
    fn is_line(&self, _: &Self::Piece) -> bool {
        false
    }

    /// Returns whether a linear segment moves in a straight line.
    fn has_lines(&self) -> bool {
        true
    }

    /// Returns the segment that plays exactly like a whole piece; `None` if there is none.
    fn exact(&self, piece: &Self::Piece) -> Option<Segment<N>>;

    /// Returns what a segment of the result plays.
    fn play(&self, from: [f64; N], segment: Segment<N>, to: [f64; N]) -> Self::Piece;
}

/// What plays from a key of the result to the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Segment<const N: usize> {
    Hold,
    Line,
    /// A Bezier curve with these two control points.
    Curve([[f64; N]; 2]),
}

/// The largest slope of an Euler angle in radians per second that a curve follows. Near gimbal lock
/// slopes have no limit.
const STEEPEST: f64 = 1e3;

/// A quarter turn in radians, and possible rounding.
const QUARTER: f64 = FRAC_PI_2 * (1.0 + 1e-6);

/// Numbers of any meaning.
#[derive(Clone, Copy)]
pub(super) struct Numbers(pub(super) Width);

impl<const N: usize> Space<N> for Numbers {
    type Piece = Row<N>;

    fn key(&self, piece: &Row<N>, t: f64, _: Option<[f64; N]>) -> [f64; N] {
        piece.curves.map(|curve| self.0.round(curve.at(t)))
    }

    fn slope(&self, piece: &Row<N>, t: f64, _: [f64; N]) -> [f64; N] {
        piece.curves.map(|curve| curve.slope(t))
    }

    fn is_far(&self, _: &Row<N>, _: &Range<f64>, _: [[f64; N]; 2]) -> bool {
        false
    }

    fn exact(&self, piece: &Row<N>) -> Option<Segment<N>> {
        Some(exact_cubics(&piece.curves, self.0))
    }

    fn play(&self, from: [f64; N], segment: Segment<N>, to: [f64; N]) -> Row<N> {
        Row { curves: cubics(from, segment, to), width: self.0 }
    }
}

/// Quaternions that play by a slerp.
#[derive(Clone, Copy)]
pub(super) struct Quaternions {
    pub(super) width: Width,
    pub(super) slerp: Slerp,
    pub(super) keys: QuaternionKeys,
}

/// The keys that a target stores.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum QuaternionKeys {
    /// Any, so whole curves and slerps keep theirs.
    Any,
    /// Unit quaternions with a curve between all of them.
    UnitCurves,
}

impl Quaternions {
    fn round(self, rotation: Quat<f64>) -> [f64; 4] {
        rotation.to_array().map(|part| self.width.round(part))
    }
}

impl Space<4> for Quaternions {
    type Piece = Turn;

    fn key(&self, piece: &Turn, t: f64, before: Option<[f64; 4]>) -> [f64; 4] {
        let keeps = self.keys == QuaternionKeys::Any;
        match piece {
            // Keys of the source keep their bits.
            Turn::Arc { from, .. } | Turn::Bezier([from, ..]) if keeps && t <= 0.0 => {
                self.round(*from)
            }
            Turn::Arc { to, .. } | Turn::Bezier([.., to]) if keeps && t >= 1.0 => self.round(*to),
            // Other rotations have no sign of their own. The first one gets a positive w, and each
            // of the others the sign that is nearer to the previous one.
            _ => {
                let before = before.map_or(Quat::IDENTITY, Quat::from_array);
                self.round(piece.at(t).normalized().aligned_to(before))
            }
        }
    }

    fn slope(&self, piece: &Turn, t: f64, key: [f64; 4]) -> [f64; 4] {
        let [x, y, z] = piece.spin(t).map(|part| part / 2.0);
        (Quat { x, y, z, w: 0.0 } * Quat::from_array(key)).to_array()
    }

    fn is_far(&self, piece: &Turn, part: &Range<f64>, _: [[f64; 4]; 2]) -> bool {
        turns_far(piece, part)
    }

    fn is_line(&self, piece: &Turn) -> bool {
        // A turn about one axis is a slerp.
        let Turn::Euler { angles, .. } = piece else { return false };
        let turning = angles.iter().filter(|angle| angle.spread() > 0.0);
        self.keys == QuaternionKeys::Any
            && angles.iter().all(|angle| angle.is_line())
            && turning.count() <= 1
    }

    fn has_lines(&self) -> bool {
        false
    }

    fn exact(&self, piece: &Turn) -> Option<Segment<4>> {
        let keeps = self.keys == QuaternionKeys::Any;
        match piece {
            _ if piece.is_constant() => Some(Segment::Hold),
            Turn::Arc { .. } if keeps => Some(Segment::Line),
            Turn::Bezier([from, right, left, to])
                if keeps || [from, to].into_iter().all(|key| is_unit(*key)) =>
            {
                Some(Segment::Curve([right, left].map(|point| self.round(*point))))
            }
            _ => None,
        }
    }

    fn play(&self, from: [f64; 4], segment: Segment<4>, to: [f64; 4]) -> Turn {
        let [from, to] = [from, to].map(Quat::from_array);
        match segment {
            Segment::Hold => Turn::constant(from),
            Segment::Line => Turn::arc(from, to, self.slerp),
            Segment::Curve([right, left]) => {
                Turn::Bezier([from, Quat::from_array(right), Quat::from_array(left), to])
            }
        }
    }
}

/// Euler angles of an order.
#[derive(Clone, Copy)]
pub(super) struct Angles {
    pub(super) order: EulerOrder,
    pub(super) width: Width,
}

impl Space<3> for Angles {
    type Piece = Turn;

    fn key(&self, piece: &Turn, t: f64, before: Option<[f64; 3]>) -> [f64; 3] {
        let angles = match piece {
            Turn::Euler { angles, order } if *order == self.order => {
                angles.map(|angle| angle.at(t))
            }
            _ => self.order.angles(piece.at(t), before),
        };
        angles.map(|angle| self.width.round(angle))
    }

    fn slope(&self, piece: &Turn, t: f64, key: [f64; 3]) -> [f64; 3] {
        match piece {
            Turn::Euler { angles, order } if *order == self.order => {
                angles.map(|angle| angle.slope(t))
            }
            _ => angle_rates(self.order, key, piece.spin(t)),
        }
    }

    fn is_far(&self, piece: &Turn, part: &Range<f64>, [from, to]: [[f64; 3]; 2]) -> bool {
        let mut turned = from.iter().zip(to).map(|(from, to)| (to - from).abs());
        turned.any(|angle| angle > QUARTER) || turns_far(piece, part)
    }

    fn steepest(&self) -> f64 {
        STEEPEST
    }

    fn exact(&self, piece: &Turn) -> Option<Segment<3>> {
        match piece {
            Turn::Euler { angles, order } if *order == self.order => {
                Some(exact_cubics(angles, self.width))
            }
            _ => piece.is_constant().then_some(Segment::Hold),
        }
    }

    fn play(&self, from: [f64; 3], segment: Segment<3>, to: [f64; 3]) -> Turn {
        Turn::Euler { angles: cubics(from, segment, to), order: self.order }
    }
}

/// Returns whether an Euler angle turns by more than a quarter turn. Between two equal rotations, a
/// whole turn would be lost.
fn turns_far(piece: &Turn, part: &Range<f64>) -> bool {
    let Turn::Euler { angles, .. } = piece else { return false };
    angles.iter().any(|angle| angle.part(part.clone()).spread() > QUARTER)
}

/// Returns the segment that plays curves of numbers.
fn exact_cubics<const N: usize>(curves: &[Cubic; N], width: Width) -> Segment<N> {
    if curves.iter().all(|curve| curve.spread() == 0.0) {
        return Segment::Hold;
    }
    if curves.iter().all(|curve| curve.is_line()) {
        return Segment::Line;
    }
    let points = curves.map(|curve| curve.points().map(|point| width.round(point)));
    Segment::Curve([points.map(|[_, right, ..]| right), points.map(|[.., left, _]| left)])
}

/// Returns the curves of a segment of numbers.
fn cubics<const N: usize>(from: [f64; N], segment: Segment<N>, to: [f64; N]) -> [Cubic; N] {
    let mut curves = from.map(Cubic::constant);
    let Segment::Curve([right, left]) = segment else {
        if segment == Segment::Line {
            let ends = from.into_iter().zip(to);
            curves
                .iter_mut()
                .zip(ends)
                .for_each(|(curve, (from, to))| *curve = Cubic::line(from, to));
        }
        return curves;
    };
    let points = from.into_iter().zip(right).zip(left).zip(to);
    for (curve, (((from, right), left), to)) in curves.iter_mut().zip(points) {
        *curve = Cubic::bezier([from, right, left, to]);
    }
    curves
}

/// The keys of the result.
pub(super) struct NewKeys<const N: usize> {
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<[f64; N]>,
    /// What plays from each key to the next one.
    pub(super) segments: Vec<Segment<N>>,
    pub(super) error: Difference,
    /// The largest time in seconds by which a jump moved.
    pub(super) shift: f64,
}

impl<const N: usize> NewKeys<N> {
    fn new() -> Self {
        let error = Difference::default();
        Self { times: Vec::new(), values: Vec::new(), segments: Vec::new(), error, shift: 0.0 }
    }

    fn last(&self) -> Option<[f64; N]> {
        self.values.last().copied()
    }

    /// Appends a key with a linear segment.
    fn push(&mut self, time: f64, value: [f64; N]) -> Result<(), memory::OutOfMemory> {
        crate::grow::try_column(&mut self.times, 1)?;
        crate::grow::try_column(&mut self.values, 1)?;
        crate::grow::try_column(&mut self.segments, 1)?;
        // Rounding must not move a key before the previous one.
        self.times.push(time.max(self.times.last().copied().unwrap_or(f64::NEG_INFINITY)));
        self.values.push(value);
        self.segments.push(Segment::Line);
        Ok(())
    }

    /// Sets what plays from the last key on.
    fn set_segment(&mut self, segment: Segment<N>) {
        if let Some(last) = self.segments.last_mut() {
            *last = segment;
        }
    }

    /// Returns what the keys play.
    fn signal<'a, S: Space<N> + 'a>(&'a self, space: S) -> Signal<'a, S::Piece> {
        let value = |key: usize| self.values.get(key).copied().unwrap_or([0.0; N]);
        let piece = move |key: usize| {
            let next = key + 1;
            let last = next >= self.values.len();
            let segment = self.segments.get(key).copied().filter(|_| !last);
            space.play(value(key), segment.unwrap_or(Segment::Hold), value(next))
        };
        let early = space.play(value(0), Segment::Hold, value(0));
        Signal { times: self.times.clone(), early, piece: Box::new(piece) }
    }
}

/// What new keys cost.
pub(super) struct Costs<'b> {
    pub(super) budget: &'b mut Budget,
    /// The size of a key in bytes.
    pub(super) key: usize,
}

impl Costs<'_> {
    /// Charges the keys of so many frames.
    pub(super) fn charge_frames(&mut self, frames: u64) -> Result<(), BakeError> {
        let left = self.budget.bytes_left();
        let bytes = frames.saturating_mul(u64_from_len(self.key));
        let failed = |_| BakeError::Limit { frames, bytes, left };
        self.budget.charge_bytes(num::len_from_u64(bytes)).map_err(failed)
    }

    fn charge(&mut self, keys: usize) -> Result<(), BakeError> {
        let left = self.budget.bytes_left();
        self.budget
            .charge_bytes(self.key)
            .map_err(|_| BakeError::Keys { keys: u64_from_len(keys) + 1, left })
    }
}

/// Creates keys within a bound.
///
/// # Errors
///
/// If the bound is not positive, or the keys cost more than the budget has.
pub(super) fn within_bound<const N: usize, S: Space<N>>(
    signal: &Signal<'_, S::Piece>,
    space: S,
    bound: Bound,
    costs: &mut Costs<'_>,
) -> Result<NewKeys<N>, BakeError> {
    if !(bound.error > 0.0 && bound.error.is_finite()) {
        return Err(BakeError::Bound { bound: bound.error });
    }
    let left = parts_of(signal.times.len());
    let mut fit = Fit { space, bound, costs, left, keys: NewKeys::new() };
    for index in 0..signal.times.len() {
        let Some(&start) = signal.times.get(index) else { break };
        let (piece, end) = ((signal.piece)(index), signal.times.get(index + 1).copied());
        if index == 0 {
            fit.push(start, space.key(&signal.early, 0.0, None))?;
            fit.note_constant(start, &signal.early);
        }
        fit.piece(&piece, start, end)?;
    }
    Ok(fit.keys)
}

/// The state of creating keys within a bound.
struct Fit<'c, 'b, const N: usize, S> {
    space: S,
    bound: Bound,
    costs: &'c mut Costs<'b>,
    /// The number of parts that may still be measured.
    left: usize,
    keys: NewKeys<N>,
}

impl<const N: usize, S: Space<N>> Fit<'_, '_, N, S> {
    fn push(&mut self, time: f64, value: [f64; N]) -> Result<(), BakeError> {
        self.costs.charge(self.keys.times.len())?;
        Ok(self.keys.push(time, value)?)
    }

    /// Measures the last key, which shows without an end.
    fn note_constant(&mut self, time: f64, piece: &S::Piece) {
        let Some(key) = self.keys.last() else { return };
        let shown = self.space.play(key, Segment::Hold, key);
        let times = time..time;
        let error = span((piece, 0.0..0.0), (&shown, 0.0..0.0), &times, (0.0, &mut self.left));
        self.keys.error = self.keys.error.max(error);
    }

    /// Appends the keys of a piece.
    fn piece(&mut self, piece: &S::Piece, start: f64, end: Option<f64>) -> Result<(), BakeError> {
        let before = self.keys.last();
        let first = self.space.key(piece, 0.0, before);
        let is_there = before.is_some_and(|before| before.identical(&first));
        if !(is_there && self.keys.times.last() == Some(&start)) {
            // A jump of the value becomes two keys at the same time.
            self.push(start, first)?;
        }
        match end {
            None => self.note_constant(start, piece),
            Some(end) if end > start => self.segments(piece, start..end)?,
            Some(_) => {}
        }
        Ok(())
    }

    /// Appends the keys after the start of a piece, up to its end.
    fn segments(&mut self, piece: &S::Piece, whole: Range<f64>) -> Result<(), BakeError> {
        let length = whole.end - whole.start;
        let mut ends = vec![whole.end];
        let mut start = whole.start;
        while let (Some(&end), Some(from)) = (ends.last(), self.keys.last()) {
            let upto = if end == whole.end { 1.0 } else { (end - whole.start) / length };
            let part = (start - whole.start) / length..upto;
            let to = self.space.key(piece, part.end, Some(from));
            let (segment, is_steep) = self.segment(piece, &part, [from, to], length);
            let play = self.space.play(from, segment, to);
            let parts = ((piece, part.clone()), (&play, 0.0..1.0));
            let error = span(parts.0, parts.1, &(start..end), (0.0, &mut self.left));
            let is_far = self.space.is_far(piece, &part, [from, to]);
            let is_exact = part == (0.0..1.0) && self.space.exact(piece) == Some(segment);
            let divides =
                !is_exact && (error.error().value > self.bound.error || is_far || is_steep);
            if divides && let Some(middle) = self.bound.middle(start, end, length) {
                ends.push(middle);
                continue;
            }
            self.keys.error = self.keys.error.max(error);
            self.left += parts_of(1) - parts_of(0);
            self.keys.set_segment(segment);
            if segment != Segment::Hold {
                self.push(end, to)?;
            }
            ends.pop();
            start = end;
        }
        Ok(())
    }

    /// Returns the segment to try for a part of a piece, and whether the part is too steep for a
    /// curve.
    fn segment(
        &self,
        piece: &S::Piece,
        part: &Range<f64>,
        [from, to]: [[f64; N]; 2],
        seconds: f64,
    ) -> (Segment<N>, bool) {
        let exact = self.space.exact(piece).filter(|_| *part == (0.0..1.0));
        match (self.bound.curves, exact) {
            (Curves::Linear, _) => return (Segment::Line, false),
            (Curves::Cubic, Some(exact)) => return (exact, false),
            (Curves::Cubic, None) if self.space.is_line(piece) => return (Segment::Line, false),
            (Curves::Cubic, None) => {}
        }
        let slopes = [(part.start, from), (part.end, to)];
        let [out, into] = slopes.map(|(t, key)| self.space.slope(piece, t, key));
        let steepest = self.space.steepest() * seconds;
        if !out.iter().chain(&into).all(|slope| slope.abs() <= steepest && slope.is_finite()) {
            return (Segment::Line, true);
        }
        let third = (part.end - part.start) / 3.0;
        let along = |key: [f64; N], slope: [f64; N], third: f64| {
            let mut point = key;
            point.iter_mut().zip(slope).for_each(|(point, slope)| *point += slope * third);
            point
        };
        let points = [along(from, out, third), along(to, into, -third)];
        let within = self.bound.error * STRAIGHT;
        let straight = self.space.has_lines() && is_straight([from, to], points, within);
        (if straight { Segment::Line } else { Segment::Curve(points) }, false)
    }
}

/// The part of the bound within which the control points of a straight segment are.
const STRAIGHT: f64 = 0.01;

/// Returns whether control points are where those of a line are.
fn is_straight<const N: usize>(
    [from, to]: [[f64; N]; 2],
    [right, left]: [[f64; N]; 2],
    within: f64,
) -> bool {
    let points = from.into_iter().zip(to).zip(right.into_iter().zip(left));
    points.into_iter().all(|((from, to), (right, left))| {
        let third = (to - from) / 3.0;
        (from + third - right).abs() <= within && (to - third - left).abs() <= within
    })
}

/// Numbered frames at a rate.
pub(super) struct Frames {
    rate: f64,
    /// The first and the last frame.
    frames: Range<u32>,
}

impl Frames {
    /// Returns the frames from 0 on that enclose all times; `None` without times.
    ///
    /// # Errors
    ///
    /// If the rate is not positive, or the last frame is beyond the last one that `u32` can count.
    pub(super) fn enclosing(times: &[f64], rate: f64) -> Result<Option<Self>, BakeError> {
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(BakeError::Rate { rate });
        }
        let (Some(&start), Some(&end)) = (times.first(), times.last()) else { return Ok(None) };
        let snapped = |time: f64, round: fn(f64) -> f64| {
            let frame = time * rate;
            if num::is_on_frame(time, rate) { frame.round() } else { round(frame) }
        };
        let first = num::frame_from_f64(snapped(start.max(0.0), f64::floor));
        let last = num::frame_from_f64(snapped(end.max(0.0), f64::ceil));
        let (Some(first), Some(last)) = (first, last) else {
            return Err(BakeError::Frames { rate, end });
        };
        let frames = Self { rate, frames: first..last };
        if frames.time(last).is_finite() { Ok(Some(frames)) } else { Err(BakeError::Rate { rate }) }
    }

    pub(super) fn time(&self, frame: u32) -> f64 {
        f64::from(frame) / self.rate
    }

    /// Returns the number of frames.
    pub(super) fn len(&self) -> u64 {
        u64::from(self.frames.end.saturating_sub(self.frames.start)).saturating_add(1)
    }

    /// Returns the frame nearest to a time, of those that enclose all times.
    pub(super) fn nearest(&self, time: f64) -> u32 {
        num::nearest_u32(time * self.rate).clamp(self.frames.start, self.frames.end)
    }

    /// Returns all frames.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> + use<> {
        self.frames.start..=self.frames.end
    }

    /// Returns whether a time is on a frame, up to rounding.
    pub(super) fn has(&self, time: f64) -> bool {
        time * self.rate > -0.5 && num::is_on_frame(time, self.rate)
    }
}

/// Creates keys on frames, with linear segments between them.
pub(super) fn on_frames<const N: usize, S: Space<N>>(
    signal: &Signal<'_, S::Piece>,
    space: S,
    (rate, which): (f64, FrameKeys),
    costs: &mut Costs<'_>,
) -> Result<NewKeys<N>, BakeError> {
    let mut keys = NewKeys::new();
    let Some(frames) = Frames::enclosing(&signal.times, rate)? else { return Ok(keys) };
    let every = match which {
        FrameKeys::Every => true,
        FrameKeys::Needed => !signal.times.iter().all(|time| frames.has(*time)),
        FrameKeys::Nearest => false,
    };
    let mut making = OnFrames { signal, space, frames, costs, keys: &mut keys };
    if every {
        making.every()?;
    } else {
        making.keyed()?;
    }
    let error = measure(signal, &keys.signal(space), 0.0..f64::INFINITY, (Times::Exact, 0.0));
    Ok(NewKeys { error, ..keys })
}

/// The state of creating keys on frames.
struct OnFrames<'c, 'b, 's, const N: usize, S: Space<N>> {
    signal: &'c Signal<'s, S::Piece>,
    space: S,
    frames: Frames,
    costs: &'c mut Costs<'b>,
    keys: &'c mut NewKeys<N>,
}

impl<const N: usize, S: Space<N>> OnFrames<'_, '_, '_, N, S> {
    fn push(&mut self, frame: u32, value: [f64; N]) -> Result<(), BakeError> {
        self.costs.charge(self.keys.times.len())?;
        Ok(self.keys.push(self.frames.time(frame), value)?)
    }

    /// Creates a key for each key, and for each frame of a curve.
    fn keyed(&mut self) -> Result<(), BakeError> {
        let frame =
            |index: usize| self.signal.times.get(index).map(|time| self.frames.nearest(*time));
        let frames: Vec<u32> = (0..self.signal.times.len()).map_while(frame).collect();
        // The piece that ends at the current frame, and the frame of its start.
        let mut before = (self.signal.early, frames.first().copied().unwrap_or(0));
        for (index, &start) in frames.iter().enumerate() {
            let next = frames.get(index + 1).copied();
            // Of several keys on a frame, the last one shows.
            if next == Some(start) {
                continue;
            }
            let piece = (self.signal.piece)(index);
            self.jump(&before.0, before.1..start, &piece)?;
            let value = self.space.key(&piece, 0.0, self.keys.last());
            self.push(start, value)?;
            let is_curved =
                !matches!(self.space.exact(&piece), Some(Segment::Hold | Segment::Line));
            if let Some(end) = next.filter(|_| is_curved) {
                self.costs.charge_frames(u64::from(end - start))?;
                for frame in start + 1..end {
                    let value = self.space.key(&piece, part(start..end, frame), self.keys.last());
                    self.keys.push(self.frames.time(frame), value)?;
                }
            }
            before = (piece, start);
        }
        Ok(())
    }

    /// Adds a key on the frame before one at which the value jumps.
    fn jump(
        &mut self,
        before: &S::Piece,
        frames: Range<u32>,
        piece: &S::Piece,
    ) -> Result<(), BakeError> {
        let last = self.keys.last();
        let end = self.space.key(before, 1.0, last);
        if frames.end == 0 || end.identical(&self.space.key(piece, 0.0, Some(end))) {
            return Ok(());
        }
        self.keys.shift = 1.0 / self.frames.rate;
        let frame = frames.end - 1;
        let is_free = last.is_none() || frame > frames.start;
        let taken = self.keys.times.last().is_some_and(|time| *time >= self.frames.time(frame));
        if is_free && !taken {
            let value = self.space.key(before, part(frames, frame), last);
            self.push(frame, value)?;
        }
        Ok(())
    }

    /// Creates a key for every frame.
    fn every(&mut self) -> Result<(), BakeError> {
        // A key or a jump within rounding of a frame shows on it.
        let snapped = |time: &f64| {
            if self.frames.has(*time) {
                self.frames.time(self.frames.nearest(*time))
            } else {
                *time
            }
        };
        let times: Vec<f64> = self.signal.times.iter().map(snapped).collect();
        let (mut next, mut piece) = (0, self.signal.early);
        self.costs.charge_frames(self.frames.len())?;
        for frame in self.frames.all() {
            let time = self.frames.time(frame);
            while times.get(next).is_some_and(|other| *other <= time) {
                let begins = (self.signal.piece)(next);
                let end = self.space.key(&piece, 1.0, None);
                if !end.identical(&self.space.key(&begins, 0.0, Some(end))) {
                    self.keys.shift = 1.0 / self.frames.rate;
                }
                (piece, next) = (begins, next + 1);
            }
            let ends = next.checked_sub(1).and_then(|start| times.get(start)).zip(times.get(next));
            let t =
                ends.map_or(0.0, |(start, end)| ((time - start) / (end - start)).clamp(0.0, 1.0));
            let value = self.space.key(&piece, t, self.keys.last());
            self.keys.push(time, value)?;
        }
        Ok(())
    }
}

/// Returns the part of a range of frames that is before one of them.
fn part(frames: Range<u32>, frame: u32) -> f64 {
    let (length, before) = (frames.end - frames.start, frame - frames.start.min(frame));
    if length == 0 { 0.0 } else { f64::from(before) / f64::from(length) }
}
