//! The weights of the blend shapes of a node, which share one sampler.

use inbetween_core::{Context, Finding, StatedError, Target, TrackData, WriteError, counted, num};

use super::curve::{Curve, Row, Segment, narrow};
use super::keys::Samples;
use super::samplers::{
    Ready, SamplerMaker, check_times, read_back, report_rise, report_shape, report_slopes,
    slopes_of,
};
use super::slopes::Slopes;
use crate::codes;
use crate::scene::Mode;

/// A track of the weight of a blend shape.
#[derive(Debug)]
pub(super) struct Weight {
    /// The index of the shape in the node.
    pub(super) shape: usize,
    pub(super) data: TrackData,
    /// The index of the track in the clip.
    pub(super) index: usize,
    pub(super) target: Target,
}

/// A weight during its conversion to a sampler.
struct Part<'w> {
    weight: &'w Weight,
    curve: Curve,
    slopes: Option<Slopes>,
    /// Whether a finding explains why the keys are read back in another form.
    is_named: bool,
}

impl SamplerMaker {
    /// Creates a sampler of the weights of a node with the given number of blend shapes; `None`
    /// without keys.
    pub(super) fn weights(
        &self,
        weights: &[Weight],
        shapes: usize,
        context: &mut Context<'_>,
    ) -> Result<Option<Samples>, WriteError> {
        let (parts, mode) = self.parts(weights, context)?;
        if parts.is_empty() {
            return Ok(None);
        }
        let mut times: Vec<f64> =
            parts.iter().flat_map(|part| part.curve.times.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut joined = Vec::with_capacity(parts.len());
        for part in parts {
            let Weight { index, target, .. } = part.weight;
            joined
                .push(context.track(*index, target, |context| join(part, mode, &times, context))?);
        }
        let missing = shapes.saturating_sub(joined.len());
        if missing > 0 {
            context.say(codes::WEIGHTS_FILLED, counted(missing, "weight"));
        }
        Ok(Some(interleaved(&joined, shapes, mode, &times)))
    }

    /// Prepares the weights that have keys, and returns the mode that plays all of them.
    fn parts<'w>(
        &self,
        weights: &'w [Weight],
        context: &mut Context<'_>,
    ) -> Result<(Vec<Part<'w>>, Mode), WriteError> {
        let mut ready = Vec::with_capacity(weights.len());
        for weight in weights {
            let reported = context.findings.as_mut_slice().len();
            let part = context.track(weight.index, &weight.target, |context| {
                Ok(self.ready(&weight.data, context)?)
            })?;
            if let Some(part) = part {
                let is_named = context.findings.as_mut_slice().len() > reported;
                ready.push((weight, part, is_named));
            }
        }
        // One key plays the same in every mode.
        let modes = ready.iter().filter(|(_, part, _)| part.curve.len() > 1);
        let mode = modes.map(|(_, part, _)| part.mode).max();
        let mode = mode.or_else(|| ready.iter().map(|(_, part, _)| part.mode).max());
        let mode = mode.unwrap_or_default();
        let mut parts = Vec::with_capacity(ready.len());
        for (weight, Ready { curve, .. }, is_named) in ready {
            let (curve, rise) = curve.rise(mode, self.gap);
            context.track(weight.index, &weight.target, |context| {
                check_times(&curve)?;
                report_rise(rise, context);
                Ok(())
            })?;
            let is_named = is_named || rise.rounded > 0 || rise.jumps > 0;
            parts.push(Part { weight, curve, slopes: None, is_named });
        }
        Ok((parts, mode))
    }
}

/// Adds keys to a weight at all times of the sampler.
fn join<'w>(
    part: Part<'w>,
    mode: Mode,
    times: &[f64],
    context: &mut Context<'_>,
) -> Result<Part<'w>, WriteError> {
    let Part { weight, curve, is_named, .. } = part;
    let added = times.len().saturating_sub(curve.len());
    let curve = if added > 0 { curve.with_keys_at(times) } else { curve };
    let Ok(slopes) = slopes_of(&curve, mode) else {
        let what = "a curve with a slope beyond f32";
        return Err(WriteError::not_representable(what, "bake it first"));
    };
    if added > 0 {
        let error = StatedError::of_value(slopes.as_ref().map_or(0.0, |slopes| slopes.error));
        let message = format!("{} added{}", counted(added, "key"), error.and_text());
        let finding = Finding::new(codes::WEIGHTS_JOINED, message);
        context.findings.push(finding.count(num::u64_from_len(added)).error(error));
    } else {
        report_slopes(slopes.as_ref(), context);
    }
    let is_named = is_named || added > 0 || slopes.as_ref().is_some_and(|it| it.is_inexact);
    if !is_named {
        let again = read_back::<1>(&curve, mode, slopes.as_ref());
        report_shape(&weight.data, again.as_ref(), context);
    }
    Ok(Part { weight, curve, slopes, is_named })
}

/// Interleaves the weights of each key, in the order of the blend shapes.
fn interleaved(parts: &[Part<'_>], shapes: usize, mode: Mode, times: &[f64]) -> Samples {
    let mut of_shape: Vec<Option<&Part<'_>>> = vec![None; shapes];
    for part in parts {
        if let Some(slot) = of_shape.get_mut(part.weight.shape) {
            *slot = Some(part);
        }
    }
    let first = |row: Option<&[f32; 4]>| row.map_or(0.0, |[x, ..]| *x);
    let mut output = Vec::new();
    for key in 0..times.len() {
        let slope = |part: Option<&Part<'_>>, before: bool| {
            let slopes = part.and_then(|part| part.slopes.as_ref());
            let side = slopes.map(|slopes| if before { &slopes.left } else { &slopes.right });
            first(side.and_then(|side| side.get(key)))
        };
        let value = |part: Option<&Part<'_>>| {
            let row = part.map(|part| part.curve.row(key)).unwrap_or_default();
            num::f32_from_f64(row[0])
        };
        if mode == Mode::Cubic {
            output.extend(of_shape.iter().map(|part| slope(*part, true)));
        }
        output.extend(of_shape.iter().copied().map(value));
        if mode == Mode::Cubic {
            output.extend(of_shape.iter().map(|part| slope(*part, false)));
        }
    }
    let times = times.iter().copied().map(num::f32_from_f64).collect();
    Samples { mode, width: shapes, times, output }
}

impl Curve {
    /// Returns a curve of numbers with keys at more sorted times that plays the same.
    fn with_keys_at(&self, times: &[f64]) -> Self {
        let (rows, segments) = (Vec::new(), Vec::new());
        let sides = self.sides.as_ref().map(|_| [Vec::new(), Vec::new()]);
        let mut out = Self { quantity: self.quantity, times: Vec::new(), rows, segments, sides };
        // The next key of this curve, and the tangent of the remaining part of a divided segment.
        let mut next = 0;
        let mut rest: Option<Hermite> = None;
        for &time in times {
            if next < self.len() && self.time(next) == time {
                let [own, right] = self.side(next);
                let left = rest.take().map_or(own, |rest| [rest.end, 0.0, 0.0, 0.0]);
                out.push(time, self.row(next), self.segment(next), [left, right]);
                next = next.saturating_add(1);
                continue;
            }
            let Some(before) = next.checked_sub(1) else {
                out.push(time, self.row(0), Segment::Hold, [[0.0; 4]; 2]);
                continue;
            };
            if next >= self.len() {
                out.push(time, self.row(before), Segment::Hold, [[0.0; 4]; 2]);
                continue;
            }
            self.divide(before, time, &mut rest, &mut out);
        }
        out
    }

    /// Adds a key within a segment.
    fn divide(&self, key: usize, time: f64, rest: &mut Option<Hermite>, out: &mut Self) {
        let next = key.saturating_add(1);
        let [from, ..] = self.row(key);
        let [to, ..] = self.row(next);
        let row = |x: f64| -> Row { [x, 0.0, 0.0, 0.0] };
        match self.segment(key) {
            Segment::Hold => out.push(time, row(from), Segment::Hold, [[0.0; 4]; 2]),
            Segment::Line => {
                let t = (time - self.time(key)) / (self.time(next) - self.time(key));
                let value = narrow(from + (to - from) * t);
                out.push(time, row(value), Segment::Line, [[0.0; 4]; 2]);
            }
            Segment::Curve => {
                let [_, [begin, ..]] = self.side(key);
                let [[end, ..], _] = self.side(next);
                let start = out.times.last().copied().unwrap_or(0.0);
                let whole = rest.take().unwrap_or(Hermite { from, begin, end, to });
                let t = (time - start) / (self.time(next) - start);
                let (first, second) = whole.divided(t);
                // The tangent after the last key now belongs to a part of the segment.
                if let Some([_, right]) = &mut out.sides
                    && let Some(last) = right.last_mut()
                {
                    *last = row(first.begin);
                }
                let sides = [row(first.end), row(second.begin)];
                out.push(time, row(narrow(second.from)), Segment::Curve, sides);
                *rest = Some(second);
            }
        }
    }
}

/// A cubic curve between two values with tangents.
#[derive(Clone, Copy, Debug)]
struct Hermite {
    from: f64,
    begin: f64,
    end: f64,
    to: f64,
}

impl Hermite {
    /// Returns the parts before and after a normalized time.
    fn divided(self, t: f64) -> (Self, Self) {
        let Self { from, begin, end, to } = self;
        let (t2, t3) = (t * t, t * t * t);
        let value = (2.0 * t3 - 3.0 * t2 + 1.0) * from
            + (t3 - 2.0 * t2 + t) * begin
            + (3.0 * t2 - 2.0 * t3) * to
            + (t3 - t2) * end;
        let speed = (6.0 * t2 - 6.0 * t) * from
            + (3.0 * t2 - 4.0 * t + 1.0) * begin
            + (6.0 * t - 6.0 * t2) * to
            + (3.0 * t2 - 2.0 * t) * end;
        let left = 1.0 - t;
        let first = Self { from, begin: begin * t, end: speed * t, to: value };
        (first, Self { from: value, begin: speed * left, end: end * left, to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_of_a_divided_curve_play_like_the_whole() {
        // The polynomial of a curve, by its definition.
        let at = |curve: Hermite, t: f64| {
            let rise = curve.to - curve.from;
            let cubic = curve.begin + curve.end - 2.0 * rise;
            let square = rise - curve.begin - cubic;
            curve.from + t * (curve.begin + t * (square + t * cubic))
        };
        let whole = Hermite { from: 1.0, begin: 2.0, end: -3.0, to: 4.0 };
        for cut in [0.25, 0.5, 0.8] {
            let (first, second) = whole.divided(cut);
            for part in [0.0, 0.3, 0.5, 0.9, 1.0] {
                let left = at(whole, cut * part) - at(first, part);
                let right = at(whole, cut + (1.0 - cut) * part) - at(second, part);
                assert!(left.abs() < 1e-12 && right.abs() < 1e-12, "{cut} {part}: {left} {right}");
            }
        }
    }
}
