//! The curves of the components of a track.

use inbetween_core::num::{f32_from_f64, f64_from_index};
use inbetween_core::{
    Animation, Axis, Clock, EulerOrder, Interpolation, PlaybackCursor, Property, Rules, Tangents,
    Track, TrackData, Value, ValueKind, rows,
};

use super::scale::Scale;
use super::svg::color;
use super::trace::{LARGEST, Trace};

/// A track and its playback rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'d> {
    pub(super) track: &'d Track,
    rules: Rules,
    pub(super) angles: Angles,
}

/// How the rotations of a plot are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rotations {
    /// Euler angles in degrees, and quaternions by component.
    AsStored,
    /// All as Euler angles in degrees.
    Degrees,
}

/// What the values of a track are drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Angles {
    /// The stored numbers.
    Absent,
    /// Euler angles in degrees.
    Euler,
    /// The Euler angles of quaternions, in degrees.
    OfQuaternions,
}

impl Angles {
    fn of(track: &Track, rotations: Rotations) -> Self {
        match (&track.target().property, track.data().kind()) {
            (Property::RotationEuler(_), _) => Self::Euler,
            (_, ValueKind::FloatQ | ValueKind::DoubleQ) if rotations == Rotations::Degrees => {
                Self::OfQuaternions
            }
            _ => Self::Absent,
        }
    }

    /// Appends the numbers to draw to an empty row. `near` holds the angles of the previous row in
    /// radians, so that angles do not jump by a full turn.
    fn read(self, value: &Value, near: &mut Option<[f64; 3]>, row: &mut Vec<f64>) {
        let rotation = match value {
            Value::FloatQ(rotation) if self == Self::OfQuaternions => (*rotation).into(),
            Value::DoubleQ(rotation) if self == Self::OfQuaternions => *rotation,
            _ => return rows::read(value, row),
        };
        let angles = EulerOrder::XYZ.angles(rotation, *near);
        *near = Some(angles);
        row.clear();
        row.extend(angles);
    }
}

/// One component of a track in the picture; times are pixels, values have the unit of the panel.
#[derive(Debug)]
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) color: &'static str,
    pub(super) lines: Vec<Vec<(f64, f64)>>,
    pub(super) keys: Vec<(f64, f64)>,
    /// A key and its control point.
    pub(super) handles: Vec<[(f64, f64); 2]>,
}

/// The largest number of keys that a panel marks per pixel.
const DOTS: f64 = 0.2;

impl<'d> Line<'d> {
    pub(super) fn new(clip: &Animation, track: &'d Track, rotations: Rotations) -> Self {
        let angles = Angles::of(track, rotations);
        Self { track, rules: clip.rules.of(&track.target().property), angles }
    }

    fn data(&self) -> &'d TrackData {
        self.track.data()
    }

    /// Returns whether the track shows the same value at all times.
    pub(super) fn is_constant(&self) -> bool {
        let data = self.data();
        let first = data.value(0);
        let held = data.tangents().is_none() || data.len() < 2;
        held && (1..data.len()).all(|key| data.value(key) == first)
    }

    /// Returns the factor of the values: angles are drawn in degrees.
    fn factor(&self) -> f64 {
        if self.angles == Angles::Absent { 1.0 } else { 1.0_f64.to_degrees() }
    }

    /// Returns the curves of all components, on a scale from seconds to pixels.
    pub(super) fn curves(&self, time: Scale) -> Vec<Curve> {
        let mut row = Vec::new();
        let first = self.data().value(0);
        if let Some(first) = &first {
            self.angles.read(first, &mut None, &mut row);
        }
        let mut traces = vec![Trace::default(); row.len()];
        let mut keys = vec![Vec::new(); row.len()];
        let marked = self.marks_keys(time);
        let (mut cursor, mut near) = (PlaybackCursor::default(), None);
        for (moment, is_key) in Moments::new(self.data(), self.rules.clock, time) {
            let value = self.rules.sample_from(self.data(), &mut cursor, moment);
            if let Some(value) = &value {
                self.angles.read(value, &mut near, &mut row);
            }
            let x = time.at(moment);
            for ((trace, keys), number) in traces.iter_mut().zip(&mut keys).zip(&row) {
                let number = number * self.factor();
                trace.push(x, number);
                if is_key && marked && number.is_finite() {
                    keys.push((x, number.clamp(-LARGEST, LARGEST)));
                }
            }
        }
        let count = traces.len();
        let curves = traces.into_iter().zip(keys).enumerate().map(|(index, (trace, keys))| {
            let (name, color) = self.component(index, count);
            // The control points of a quaternion are not rotations with Euler angles.
            let curved = marked && self.angles != Angles::OfQuaternions;
            let handles = if curved { self.handles(index, count, time) } else { Vec::new() };
            Curve { name, color, lines: trace.finish(), keys, handles }
        });
        curves.collect()
    }

    /// Returns whether the keys are far enough apart to distinguish them.
    fn marks_keys(&self, time: Scale) -> bool {
        let (start, end) = time.from;
        let keys = self.data().times();
        let seen = keys.filter(|at| (start..=end).contains(at)).count();
        f64_from_index(seen) <= ((time.to.1 - time.to.0) * DOTS).max(2.0)
    }

    /// Returns the control points of the keys at either end of a curved segment.
    fn handles(&self, component: usize, count: usize, time: Scale) -> Vec<[(f64, f64); 2]> {
        let data = self.data();
        let Some(tangents) = data.tangents() else { return Vec::new() };
        let mut handles = Vec::new();
        for key in 0..data.len() {
            let before = key.checked_sub(1);
            let sides = [
                (before, Side::Left, before.map(|before| data.interpolation(before))),
                (key.checked_add(1), Side::Right, Some(data.interpolation(key))),
            ];
            for (other, side, interpolation) in sides {
                let Some(interpolation) = interpolation.filter(|each| each.needs_tangents()) else {
                    continue;
                };
                let place = ControlPoint { key, other, component, count, side, interpolation };
                if let Some([from, to]) = place.handle(data, tangents) {
                    let px = |(at, value): (f64, f64)| (time.at(at), value * self.factor());
                    handles.push([px(from), px(to)]);
                }
            }
        }
        handles
    }

    fn component(&self, index: usize, count: usize) -> (String, &'static str) {
        let axes = [color::X, color::Y, color::Z, color::W];
        let kind = self.data().kind();
        let target = self.track.target();
        let index = target.component.map_or(index, Axis::index);
        let color = axes.into_iter().cycle().nth(index).unwrap_or(color::INK);
        let names = match kind {
            ValueKind::Color | ValueKind::Color32 => ["r", "g", "b", "a"],
            _ => ["x", "y", "z", "w"],
        };
        let alone = count == 1 && target.component.is_none();
        let name = if alone { None } else { names.get(index) };
        match name {
            _ if kind.is_matrix() => (format!("m{index}"), color),
            Some(name) => ((*name).to_owned(), color),
            // A single number has no axis, so it has the neutral color.
            None => (String::new(), color::W),
        }
    }

    /// Returns the keys of a track of text within a range.
    pub(super) fn texts(&self, time: Scale) -> Vec<(f64, Option<String>)> {
        let (start, end) = time.from;
        let Some(strings) = self.data().values().as_strings() else { return Vec::new() };
        let keys = (0..self.data().len()).filter_map(|key| Some((key, self.data().time(key)?)));
        let seen = keys.filter(|(_, at)| (start..=end).contains(at));
        let text = |key| strings.get(key).flatten().map(str::to_owned);
        seen.map(|(key, at)| (time.at(at), text(key))).collect()
    }
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// A control point of a key.
struct ControlPoint {
    key: usize,
    /// The key at the other end of the segment.
    other: Option<usize>,
    component: usize,
    count: usize,
    side: Side,
    interpolation: Interpolation,
}

impl ControlPoint {
    /// Returns the key and its control point, in seconds and the unit of the values.
    fn handle(&self, data: &TrackData, tangents: &Tangents) -> Option<[(f64, f64); 2]> {
        let number = |values, key| rows::numbers(values, key)?.get(self.component).copied();
        let from = (data.time(self.key)?, number(data.values(), self.key)?);
        let to = match tangents {
            Tangents::Handles { left, right } => {
                let handles = if matches!(self.side, Side::Left) { left } else { right };
                let index = self.key.checked_mul(self.count)?.checked_add(self.component)?;
                let handle = handles.get(index)?;
                (handle.time, handle.value)
            }
            Tangents::Values { left, right } => {
                // A control point without a time is a third of the segment away.
                let third = (data.time(self.other?)? - from.0) / 3.0;
                let (values, sign) = match self.side {
                    Side::Left => (left, -1.0),
                    Side::Right => (right, 1.0),
                };
                let tangent = number(values, self.key)?;
                let value = match self.interpolation {
                    Interpolation::Hermite => from.1 + sign * tangent / 3.0,
                    _ => tangent,
                };
                (from.0 + third, value)
            }
            _ => return None,
        };
        let finite = [from.1, to.0, to.1].iter().all(|number| number.abs() <= LARGEST);
        finite.then_some([from, to])
    }
}

/// The times at which a track is sampled, in order: each pixel, each key, and the last instant
/// before each key, since a track may jump there.
struct Moments<'d> {
    data: &'d TrackData,
    clock: Clock,
    range: (f64, f64),
    key: usize,
    pixel: u32,
    pixels: u32,
    /// The key for which the instant before it was returned.
    announced: bool,
}

impl<'d> Moments<'d> {
    fn new(data: &'d TrackData, clock: Clock, time: Scale) -> Self {
        let pixels = inbetween_core::num::u32_from_f64((time.to.1 - time.to.0).clamp(1.0, 1e4));
        let before = |key: &usize| data.time(*key).is_some_and(|at| at < time.from.0);
        let key = (0..data.len()).take_while(before).count();
        let range = time.from;
        Self { data, clock, range, key, pixel: 0, pixels, announced: false }
    }

    /// Returns the last time before another one that the clock of the rules distinguishes from it.
    fn before(&self, time: f64) -> f64 {
        match self.clock {
            Clock::F32 => f64::from(f32_from_f64(time).next_down()),
            Clock::F64 => time.next_down(),
        }
    }
}

impl Iterator for Moments<'_> {
    type Item = (f64, bool);

    fn next(&mut self) -> Option<(f64, bool)> {
        let (start, end) = self.range;
        let key = self.data.time(self.key).filter(|at| *at <= end);
        let part = f64::from(self.pixel) / f64::from(self.pixels);
        let pixel = (self.pixel <= self.pixels).then_some(start + part * (end - start));
        match (key, pixel) {
            (Some(key), pixel) if pixel.is_none_or(|pixel| key <= pixel) => {
                let before = self.before(key);
                if !self.announced && before > start {
                    self.announced = true;
                    return Some((before, false));
                }
                self.announced = false;
                self.key = self.key.saturating_add(1);
                Some((key, true))
            }
            (_, pixel) => {
                self.pixel = self.pixel.saturating_add(1);
                pixel.map(|pixel| (pixel, false))
            }
        }
    }
}
