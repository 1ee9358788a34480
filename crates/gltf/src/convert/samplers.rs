//! Converts tracks to samplers.

use std::rc::Rc;

use inbetween_core::{
    BakeError, Baker, Bound, Context, DEFAULT_BOUND, Finding, Grid, Narrowing, Normalized, Quat,
    Shape, StatedError, TrackData, WriteError, codes as shared, counted, normalize, num,
};

use super::curve::Curve;
use super::keys::{Quantity, Rows, Samples};
use super::plain::PlainKeys;
use super::rising::{Rise, times_rounded};
use super::slopes::Slopes;
use crate::options::Curves;
use crate::scene::Mode;
use crate::{RULES, codes};

/// Creates samplers from tracks.
pub(super) struct SamplerMaker {
    pub(super) curves: Curves,
    /// The time in seconds between the two keys of a jump; 0 for the smallest possible time.
    pub(super) gap: f64,
    /// The frame rate of the clip.
    pub(super) frame_rate: Option<f64>,
}

/// Keys that are ready to write, and the simplest mode that plays them.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) curve: Curve,
    pub(super) mode: Mode,
}

impl SamplerMaker {
    /// Creates a sampler of a track of a translation, a rotation or a scale. `times` are those of
    /// the last sampler whose keys kept theirs.
    pub(super) fn sampler(
        &self,
        data: TrackData,
        times: &mut Option<Rc<[f32]>>,
        context: &mut Context<'_>,
    ) -> Result<Option<Samples>, WriteError> {
        let steps = self.curves == Curves::Linear && matches!(data.shape(), Shape::Stepped { .. });
        let plain = if steps { None } else { PlainKeys::of(&data, times) };
        let Some(keys) = plain else { return self.converted(&data, context) };
        context.findings.extend(keys.finding());
        Ok(keys.sampler(data))
    }

    /// Creates a sampler of keys that may need changes.
    pub(super) fn converted(
        &self,
        data: &TrackData,
        context: &mut Context<'_>,
    ) -> Result<Option<Samples>, WriteError> {
        let reported = context.findings.as_mut_slice().len();
        let Some(ready) = self.ready(data, context)? else { return Ok(None) };
        let (curve, rise) = ready.curve.rise(ready.mode, self.gap);
        let (curve, mode, slopes) = if let Ok(slopes) = slopes_of(&curve, ready.mode) {
            report_rise(rise, context);
            (curve, ready.mode, slopes)
        } else {
            let lines = self.baked(data, inbetween_core::Curves::Linear, context)?;
            let Some(ready) = narrowed(&lines, context) else { return Ok(None) };
            let (curve, rise) = ready.rise(Mode::Linear, self.gap);
            report_rise(rise, context);
            (curve, Mode::Linear, None)
        };
        report_slopes(slopes.as_ref(), context);
        check_times(&curve)?;
        let again = match curve.quantity {
            Quantity::Number => read_back::<1>(&curve, mode, slopes.as_ref()),
            Quantity::Vector => read_back::<3>(&curve, mode, slopes.as_ref()),
            Quantity::Rotation => read_back::<4>(&curve, mode, slopes.as_ref()),
        };
        if context.findings.as_mut_slice().len() == reported {
            report_shape(data, again.as_ref(), context);
        }
        Ok(Some(samples(&curve, mode, slopes.as_ref())))
    }

    /// Prepares the keys of a track; returns `None` without keys.
    pub(super) fn ready(
        &self,
        data: &TrackData,
        context: &mut Context<'_>,
    ) -> Result<Option<Ready>, BakeError> {
        let Some(curve) = Curve::of(data).filter(|curve| curve.len() > 0) else { return Ok(None) };
        let mode = self.mode(&curve, data.shape());
        let baked = match mode {
            Mode::Cubic if self.curves != Curves::Spline => {
                Some(self.baked(data, inbetween_core::Curves::Linear, context)?)
            }
            Mode::Cubic if curve.mixes_slerps() => {
                Some(self.baked(data, inbetween_core::Curves::Cubic, context)?)
            }
            _ => None,
        };
        if let Some(baked) = baked {
            let curve = narrowed(&baked, context);
            return Ok(curve.map(|curve| Ready { mode: self.mode(&curve, baked.shape()), curve }));
        }
        if mode != Mode::Cubic && data.tangents().is_some() {
            let message = format!("tangents of {}", counted(data.len(), "key"));
            context.say(shared::TANGENTS_DROPPED, message);
        }
        let curve = narrowed(data, context);
        Ok(curve.map(|curve| Ready { curve, mode }))
    }

    /// Returns the simplest mode that plays all segments, among those that are chosen.
    fn mode(&self, curve: &Curve, shape: &Shape) -> Mode {
        match curve.mode(shape) {
            Mode::Step if self.curves == Curves::Linear => Mode::Linear,
            mode => mode,
        }
    }

    /// Replaces a track by linear segments, or rotations by curves between all keys.
    fn baked(
        &self,
        data: &TrackData,
        curves: inbetween_core::Curves,
        context: &mut Context<'_>,
    ) -> Result<TrackData, BakeError> {
        let grid = Grid::Bound(Bound::new(curves).with_frame_rate(self.frame_rate));
        let maker = Baker::new(grid).for_target(RULES);
        let baked = match curves {
            inbetween_core::Curves::Linear => maker.same_kind(data, RULES, context.budget),
            inbetween_core::Curves::Cubic => maker.unit_rotations(data, RULES, context.budget),
        }?;
        let (before, after) = (data.len(), baked.data.len());
        let message = format!("{} of a curve became {after}", counted(before, "key"));
        context.findings.extend(baked.findings(shared::CURVE_BAKED, &message));
        Ok(baked.data)
    }
}

/// Converts the keys of a track to `f32` with unit rotations, and reports the changes.
fn narrowed(data: &TrackData, context: &mut Context<'_>) -> Option<Curve> {
    let keeps = |rotation: Quat<f64>| is_unit(&rotation.to_array());
    let normalized = normalize(data, keeps, (RULES, RULES));
    context.findings.extend(normalized.as_ref().map(Normalized::finding));
    let data = normalized.as_ref().map_or(data, |normalized| &normalized.data);
    let mut curve = Curve::of(data)?;
    let mut narrowing = Narrowing::default();
    for number in curve.rows.iter_mut().flatten() {
        *number = f64::from(narrowing.number(*number));
    }
    if narrowing.changes() {
        context.findings.extend(narrowing.findings("numbers"));
    } else if data.kind().is_wide() {
        context.say(shared::KIND_NARROWED, format!("{} values", data.kind()));
    }
    Some(curve)
}

/// Reports keys that are read back in another form.
pub(super) fn report_shape(data: &TrackData, again: Option<&TrackData>, context: &mut Context<'_>) {
    if Some(data) != again {
        let shape = data.shape().name();
        context.say(shared::SHAPE_CHANGED, format!("{} {shape} keys", data.len()));
    }
}

pub(super) fn report_slopes(slopes: Option<&Slopes>, context: &mut Context<'_>) {
    if let Some(slopes) = slopes.filter(|slopes| slopes.is_inexact) {
        let error = StatedError::of_value(slopes.error);
        let finding = Finding::new(codes::TANGENTS_CONVERTED, error.to_string());
        context.findings.push(finding.error(error));
    }
}

pub(super) fn report_rise(rise: Rise, context: &mut Context<'_>) {
    context.findings.extend(times_rounded(rise.rounded));
    if rise.jumps > 0 {
        let error = StatedError { value: 0.0, time_shift: rise.shift };
        let message = format!("{} jumps{}", rise.jumps, error.and_text());
        context.findings.push(Finding::new(codes::JUMPS_AS_KEYS, message).error(error));
    }
}

/// Returns the slopes of a spline, or an error if linear segments must replace it.
pub(super) fn slopes_of(curve: &Curve, mode: Mode) -> Result<Option<Slopes>, ()> {
    if mode != Mode::Cubic {
        return Ok(None);
    }
    let slopes = curve.slopes().ok_or(())?;
    let turns = curve.quantity == Quantity::Rotation && slopes.error > DEFAULT_BOUND;
    if turns { Err(()) } else { Ok(Some(slopes)) }
}

/// Rejects times that exceed the range of `f32`.
pub(super) fn check_times(curve: &Curve) -> Result<(), WriteError> {
    let largest = f64::from(f32::MAX);
    match curve.times.iter().find(|time| time.abs() >= largest) {
        Some(time) => {
            let what = format!("a time of {time:e} s");
            Err(WriteError::time_out_of_range(what))
        }
        None => Ok(()),
    }
}

/// How far from 1 the length of a rotation may be. Validators allow a bit more.
const LENGTHS: f64 = 5e-4;

/// Returns whether a rotation is written unchanged.
pub(super) fn is_unit(row: &[f64; 4]) -> bool {
    let length = row.iter().map(|part| part * part).sum::<f64>().sqrt();
    (length - 1.0).abs() <= LENGTHS && row.iter().all(|part| part.abs() <= 1.0)
}

fn single<const N: usize>(row: &[f64; 4]) -> [f32; N] {
    let mut parts = row.iter().copied().map(num::f32_from_f64);
    [(); N].map(|()| parts.next().unwrap_or(0.0))
}

/// Returns the track that a reader creates from a sampler.
pub(super) fn read_back<const N: usize>(
    curve: &Curve,
    mode: Mode,
    slopes: Option<&Slopes>,
) -> Option<TrackData> {
    let part = |rows: &Vec<[f32; 4]>| -> Vec<[f32; N]> {
        rows.iter().map(|row| single(&row.map(f64::from))).collect()
    };
    let rows = Rows {
        values: curve.rows.iter().map(single::<N>).collect(),
        slopes: slopes.map(|slopes| [part(&slopes.left), part(&slopes.right)]),
    };
    rows.into_data(mode, curve.quantity, curve.times.clone()).ok()
}

fn samples(curve: &Curve, mode: Mode, slopes: Option<&Slopes>) -> Samples {
    let width = curve.quantity.width();
    let mut output = Vec::with_capacity(curve.len().saturating_mul(width));
    let parts = |row: [f32; 4]| row.into_iter().take(width);
    for (key, row) in curve.rows.iter().enumerate() {
        let side = |rows: &Vec<[f32; 4]>| rows.get(key).copied().unwrap_or_default();
        output.extend(slopes.map(|slopes| parts(side(&slopes.left))).into_iter().flatten());
        output.extend(parts(row.map(num::f32_from_f64)));
        output.extend(slopes.map(|slopes| parts(side(&slopes.right))).into_iter().flatten());
    }
    let times = curve.times.iter().copied().map(num::f32_from_f64).collect();
    Samples { mode, width, times, output }
}
