//! One component, or one value, of a track over time.

use inbetween_core::{
    Clock, FirstTime, FullTurn, Handle, Interpolation, Quat, Rules, Slerp, Tangents, Track,
    TrackData, Value, ValueKind,
};

use super::shown::Shown;
use super::{Extent, Gap};
use crate::meaning::interval::around;

/// The values of a track, or one component of them.
#[derive(Debug)]
pub(in crate::meaning) struct Curve<'a> {
    pub(in crate::meaning) track: usize,
    pub(in crate::meaning) times: Vec<f64>,
    data: &'a TrackData,
    rules: Rules,
    /// The rules by which segments between rotations of length 1 are played, on which the slerps
    /// of engines count as alike.
    unit_rules: Rules,
    component: Option<usize>,
    /// The magnitude of each key and its tangents.
    magnitudes: Vec<f64>,
    /// The speed of each segment.
    segments: Vec<Extent>,
}

impl<'a> Curve<'a> {
    pub(super) fn new(
        index: usize,
        track: &'a Track,
        rules: Rules,
        component: Option<usize>,
    ) -> Self {
        // What shows at the first time only is a side of a jump, and both sides are right.
        let rules = rules.with_first_time(FirstTime::LastKey);
        let unit_rules = rules.with_slerp(Slerp::Directions);
        let data = track.data();
        let keys = if data.plays() { data.len() } else { data.len().min(1) };
        let times: Vec<f64> = data.times().take(keys).collect();
        let (magnitudes, segments) = (Vec::new(), Vec::new());
        let mut curve =
            Self { track: index, times, data, rules, unit_rules, component, magnitudes, segments };
        let keys = 0..curve.times.len();
        curve.magnitudes = keys.clone().map(|key| curve.magnitude(key)).collect();
        curve.segments = keys.skip(1).map(|key| curve.segment(key - 1)).collect();
        curve
    }

    /// Returns the kind of the values, and whether this is one component.
    pub(super) fn representation(&self) -> String {
        let component = self.component.map_or("whole", |_| "component");
        format!("{component} of {}", self.data.kind())
    }

    pub(super) fn is_narrow_time(&self) -> bool {
        self.rules.clock == Clock::F32
    }

    pub(super) fn is_narrow_value(&self) -> bool {
        use ValueKind::{
            Color, Float, Float2, Float2x2, Float3, Float3x3, Float4, Float4x4, FloatQ,
        };
        let kind = self.data.kind();
        matches!(
            kind,
            Float | Float2 | Float3 | Float4 | FloatQ | Float2x2 | Float3x3 | Float4x4 | Color
        )
    }

    pub(super) fn shown(&self, time: f64) -> Shown {
        let is_unit = self.rules != self.unit_rules && self.is_between_unit_rotations(time);
        let rules = if is_unit { self.unit_rules } else { self.rules };
        let value = rules.sample(self.data, time);
        value.map_or(Shown::Numbers(Vec::new()), |value| self.pick(value))
    }

    /// Returns whether both keys around a time are rotations of length 1.
    fn is_between_unit_rotations(&self, time: f64) -> bool {
        let next = self.times.partition_point(|key| *key <= time);
        let mut keys = next.saturating_sub(1)..(next + 1).min(self.times.len());
        keys.all(|key| match self.value(key) {
            Shown::Rotation(rotation) => (rotation.length() - 1.0).abs() <= UNIT,
            _ => false,
        })
    }

    fn pick(&self, value: Value) -> Shown {
        Shown::from(value).component(self.component)
    }

    /// Returns the times right before and after every key near a time.
    ///
    /// A key that is rounded to `f32` is moved by up to half a unit in the last place itself.
    pub(super) fn sides(&self, time: f64, shift: f64) -> Vec<f64> {
        let near = |key: &&f64| (**key - time).abs() <= shift * 1.51;
        self.times.iter().filter(near).copied().flat_map(around).collect()
    }

    /// Returns the keys whose segments touch the times from `time - shift` to `time + shift`, with
    /// the key after the last of them.
    fn keys_near(&self, time: f64, shift: f64) -> core::ops::Range<usize> {
        let before = self.times.partition_point(|key| *key <= time - 2.0 * shift);
        let after = self.times.partition_point(|key| *key <= time + 2.0 * shift);
        before.saturating_sub(1)..(after + 1).min(self.times.len())
    }

    /// Returns the times around keys with a number that is NaN or infinite, on any axis.
    pub(super) fn gaps(&self) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = Vec::new();
        let (mut start, mut open, mut second) = (f64::NEG_INFINITY, false, None);
        for (key, time) in self.times.iter().enumerate() {
            if !self.is_finite(key) {
                if !core::mem::replace(&mut open, true) {
                    second = (key == 1).then_some(*time);
                }
                continue;
            }
            if core::mem::take(&mut open) {
                gaps.push(Gap { start, end: *time, second });
            }
            start = *time;
        }
        if open {
            gaps.push(Gap { start, end: f64::INFINITY, second });
        }
        gaps
    }

    /// Returns whether a key and its tangents are finite, on all axes.
    fn is_finite(&self, key: usize) -> bool {
        let handles = self.handles(key).into_iter().flatten();
        let mut numbers = handles.flat_map(|handle| [handle.time, handle.value]);
        let sides = self.data.tangents().and_then(|tangents| match tangents {
            Tangents::Values { left, right } => Some([left.get(key), right.get(key)]),
            _ => None,
        });
        let values = [self.data.value(key)].into_iter().chain(sides.into_iter().flatten());
        numbers.all(f64::is_finite) && values.flatten().all(|value| Shown::from(value).is_finite())
    }

    /// Returns the left and right handles of a key.
    fn handles(&self, key: usize) -> [&[Handle]; 2] {
        let Some(Tangents::Handles { left, right }) = self.data.tangents() else {
            return [&[]; 2];
        };
        let width = left.len() / self.data.len().max(1);
        [left, right].map(|column| column.get(key * width..(key + 1) * width).unwrap_or_default())
    }

    pub(super) fn extent(&self, time: f64, shift: f64) -> Extent {
        let keys = self.keys_near(time, shift);
        let magnitudes = self.magnitudes[keys.clone()].iter();
        let magnitude = magnitudes.copied().fold(0.0, f64::max);
        let segments = &self.segments[keys.start..keys.end.saturating_sub(1).max(keys.start)];
        let extent = Extent { magnitude, ..Extent::default() };
        segments.iter().fold(extent, |extent, segment| extent.and(*segment))
    }

    /// Returns the speed of the values in the segment that begins at a key.
    fn segment(&self, key: usize) -> Extent {
        let holds = !self.data.kind().interpolates();
        let interpolation = self.data.interpolation(key);
        let length = self.times[key + 1] - self.times[key];
        if holds || interpolation == Interpolation::Hold || length <= 0.0 {
            return Extent::default();
        }
        let points = self.control_points(key);
        let [from, right, left, to] = &points;
        let whole_numbers = if self.is_integer() { 1.0 } else { 0.0 };
        // The keys at both ends are rounded, and a segment that begins before 0 is longer than the
        // part that shows.
        let [before, after] = [self.times[key].abs(), self.times[key + 1].abs()];
        let start = before.max(after).max(length);
        if let Some((speed, shortest)) = turning(&points, interpolation) {
            let magnitude = 1.0 / shortest;
            return Extent { magnitude, slope: speed / (shortest * length), start, whole_numbers };
        }
        let steps = [from.distance(right), right.distance(left), left.distance(to)];
        // A slerp between quaternions of different lengths is faster near the shorter one.
        let mut steepest = 3.0 * steps.into_iter().fold(0.0, f64::max) * from.ratio(to);
        if self.rules.full_turn == FullTurn::BeginsAtZero {
            // The segment may start at 0 instead of 2 pi.
            steepest = steepest.max(to.size(0.0));
        }
        Extent { magnitude: 0.0, slope: steepest / length, start, whole_numbers }
    }

    fn is_integer(&self) -> bool {
        use ValueKind::{
            Double, Double2, Double2x2, Double3, Double3x3, Double4, Double4x4, DoubleQ,
        };
        let kind = self.data.kind();
        let wide = matches!(
            kind,
            Double | Double2 | Double3 | Double4 | DoubleQ | Double2x2 | Double3x3 | Double4x4
        );
        !wide && !self.is_narrow_value()
    }

    /// Returns the four control points of a segment as a Bezier curve.
    fn control_points(&self, key: usize) -> [Shown; 4] {
        let (from, to) = (self.value(key), self.value(key + 1));
        let straight = [from.clone(), from.toward(&to, 1.0 / 3.0), from.toward(&to, 2.0 / 3.0), to];
        let interpolation = self.data.interpolation(key);
        let [from, _, _, to] = &straight;
        let tangents = self.tangent(key, Side::Right).zip(self.tangent(key + 1, Side::Left));
        match (interpolation, tangents) {
            (Interpolation::Bezier, Some((right, left))) => [from.clone(), right, left, to.clone()],
            (Interpolation::Hermite, Some((right, left))) if !self.has_handles() => {
                let right = from.plus(&right, 1.0 / 3.0);
                let left = to.plus(&left, -1.0 / 3.0);
                [from.clone(), right, left, to.clone()]
            }
            _ => straight,
        }
    }

    fn has_handles(&self) -> bool {
        matches!(self.data.tangents(), Some(Tangents::Handles { .. }))
    }

    fn value(&self, key: usize) -> Shown {
        let value = self.data.value(key);
        value.map_or(Shown::Numbers(Vec::new()), |value| self.pick(value))
    }

    fn tangent(&self, key: usize, side: Side) -> Option<Shown> {
        match self.data.tangents()? {
            Tangents::Values { left, right } => {
                let column = if side == Side::Left { left } else { right };
                Some(self.pick(column.get(key)?))
            }
            Tangents::Handles { left, right } => {
                let column = if side == Side::Left { left } else { right };
                let width = column.len() / self.data.len().max(1);
                let handles = column.get(key * width..(key + 1) * width)?;
                let numbers = handles.iter().map(|handle| handle.value).collect();
                Some(Shown::Numbers(numbers).component(self.component))
            }
            _ => None,
        }
    }

    /// Returns the largest number of a key and its tangents.
    fn magnitude(&self, key: usize) -> f64 {
        let sides = [Side::Left, Side::Right].map(|side| self.tangent(key, side));
        let points = [Some(self.value(key))].into_iter().chain(sides).flatten();
        let smallest = f64::from(f32::MIN_POSITIVE);
        let smallest = if self.is_narrow_value() { smallest } else { f64::MIN_POSITIVE };
        points.map(|point| point.size(smallest)).fold(0.0, f64::max)
    }

    /// Returns the times of extrema of curved segments.
    pub(super) fn extrema(&self) -> Vec<f64> {
        let mut times = Vec::new();
        let segments = self.times.len().saturating_sub(1).min(SEGMENTS);
        for key in (0..segments).filter(|key| self.data.interpolation(*key).needs_tangents()) {
            let (start, end) = (self.times[key], self.times[key + 1]);
            let at = |part: f64| start + (end - start) * part;
            times.extend((1..16).map(|part| at(f64::from(part) / 16.0)));
            let points = self.control_points(key);
            let inside = |part: &f64| (0.0..=1.0).contains(part);
            if let [Shown::Numbers(a), Shown::Numbers(b), Shown::Numbers(c), Shown::Numbers(d)] =
                &points
            {
                let points = a.iter().zip(b).zip(c.iter().zip(d));
                let turns = points.flat_map(|((a, b), (c, d))| turns(*a, *b, *c, *d));
                times.extend(turns.filter(inside).map(at));
            }
            if let Some(curve) = Quaternions::of(&points) {
                times.extend(curve.swing().into_iter().filter(inside).map(at));
            }
        }
        times
    }
}

/// The largest difference of the length of a rotation from 1 at which slerps play alike.
const UNIT: f64 = 1e-6;

/// The largest number of segments of a track whose extrema are computed.
const SEGMENTS: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Returns the angular speed of a Bezier curve of quaternions where they have length 1, and their
/// smallest length before normalization, which makes the rotation faster and less exact.
fn turning(points: &[Shown; 4], interpolation: Interpolation) -> Option<(f64, f64)> {
    let curve = (interpolation == Interpolation::Bezier).then(|| Quaternions::of(points))??;
    Some((2.0 * curve.fastest(), curve.shortest().1.min(1.0)))
}

/// The control points of a Bezier curve of quaternions.
struct Quaternions([[f64; 4]; 4]);

impl Quaternions {
    fn of(points: &[Shown; 4]) -> Option<Self> {
        let points: Vec<[f64; 4]> = points.iter().filter_map(Shown::quaternion).collect();
        points.try_into().ok().map(Self)
    }

    /// Returns a bound of the speed of the four components.
    fn fastest(&self) -> f64 {
        let step =
            |[from, to]: [[f64; 4]; 2]| length([0, 1, 2, 3].map(|part| to[part] - from[part]));
        let [a, b, c, d] = self.0;
        3.0 * [[a, b], [b, c], [c, d]].map(step).into_iter().fold(0.0, f64::max)
    }

    fn length(&self, t: f64) -> f64 {
        let rest = 1.0 - t;
        let weights = [rest * rest * rest, 3.0 * rest * rest * t, 3.0 * rest * t * t, t * t * t];
        length([0, 1, 2, 3].map(|part| {
            weights.iter().zip(&self.0).map(|(weight, point)| weight * point[part]).sum()
        }))
    }

    /// Returns the normalized time at which they are shortest, and the length there.
    fn shortest(&self) -> (f64, f64) {
        let places = (0..=64).map(|part| f64::from(part) / 64.0);
        let of_place = |place| (place, self.length(place));
        let shorter =
            |one: (f64, f64), other: (f64, f64)| if other.1 < one.1 { other } else { one };
        let mut best = places.map(of_place).fold((0.0, f64::INFINITY), shorter);
        let mut step = 1.0 / 128.0;
        while step > 1e-12 {
            for place in [best.0 - step, best.0 + step] {
                best = shorter(best, of_place(place.clamp(0.0, 1.0)));
            }
            step /= 2.0;
        }
        best
    }

    /// Returns normalized times around the shortest quaternion, where the rotation is fastest.
    fn swing(&self) -> [f64; 7] {
        let (place, length) = self.shortest();
        let width = length / self.fastest();
        [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0].map(|widths| place + widths * width)
    }
}

fn length(parts: [f64; 4]) -> f64 {
    parts.map(|part| part * part).iter().sum::<f64>().sqrt()
}

/// Returns the normalized times at which the derivative of a Bezier curve is 0.
fn turns(a: f64, b: f64, c: f64, d: f64) -> [f64; 2] {
    let (first, middle, last) = (b - a, c - b, d - c);
    let square = first - 2.0 * middle + last;
    let linear = 2.0 * (middle - first);
    if square == 0.0 {
        return [-first / linear; 2];
    }
    let root = (linear * linear - 4.0 * square * first).sqrt();
    [-1.0, 1.0].map(|sign| (sign * root - linear) / (2.0 * square))
}

impl Shown {
    fn quaternion(&self) -> Option<[f64; 4]> {
        match self {
            Self::Rotation(rotation) => Some(rotation.to_array()),
            _ => None,
        }
    }

    /// Returns the larger length of two quaternions divided by the smaller one; 1 for other values.
    fn ratio(&self, other: &Self) -> f64 {
        let (Self::Rotation(one), Self::Rotation(other)) = (self, other) else { return 1.0 };
        let (one, other) = (one.length(), other.length());
        let ratio = one.max(other) / one.min(other);
        if ratio.is_finite() { ratio } else { 1.0 }
    }

    /// Returns the largest magnitude of a number. For rotations it is 1, or more if they are
    /// shorter than the smallest normal number and so have fewer digits.
    fn size(&self, smallest: f64) -> f64 {
        match self {
            Self::Numbers(numbers) => {
                let finite = numbers.iter().filter(|number| number.is_finite());
                finite.fold(0.0, |most, number| most.max(number.abs()))
            }
            Self::Rotation(rotation) => {
                let shortness = smallest / rotation.length();
                if shortness.is_finite() { shortness.max(1.0) } else { 1.0 }
            }
            Self::Text(_) => 0.0,
        }
    }

    fn combine(&self, other: &Self, with: impl Fn(f64, f64) -> f64) -> Self {
        match (self, other) {
            (Self::Numbers(one), Self::Numbers(other)) => Self::Numbers(
                one.iter().zip(other).map(|(one, other)| with(*one, *other)).collect(),
            ),
            (Self::Rotation(one), Self::Rotation(other)) => {
                let (one, other) = (one.to_array(), other.aligned_to(*one).to_array());
                let parts = [0, 1, 2, 3].map(|part| with(one[part], other[part]));
                Self::Rotation(Quat::from_array(parts))
            }
            _ => self.clone(),
        }
    }

    /// Returns the linear interpolation to another value.
    fn toward(&self, other: &Self, part: f64) -> Self {
        self.combine(other, |one, other| one + (other - one) * part)
    }

    fn plus(&self, other: &Self, factor: f64) -> Self {
        self.combine(other, |one, other| one + other * factor)
    }
}
