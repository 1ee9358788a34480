//! Converts tracks to samplers.

use inbetween_core::{
    Baker, Bound, Budget, DEFAULT_BOUND, Finding, Findings, Grid, Narrowing, Path, Quat,
    StatedError, TrackData, WriteError, codes as shared, counted, normalize, num,
};

use super::curve::Curve;
use super::keys::{Quantity, Rows, Samples};
use super::plain::PlainKeys;
use super::rising::{Rise, times_rounded};
use super::slopes::Slopes;
use crate::layout::ID;
use crate::options::Curves;
use crate::scene::Mode;
use crate::{RULES, codes};

/// Creates samplers from tracks.
pub(super) struct SamplerMaker<'c> {
    pub(super) curves: Curves,
    /// The time in seconds between the two keys of a jump; 0 for the smallest possible time.
    pub(super) gap: f64,
    /// The frame rate of the clip.
    pub(super) frame_rate: Option<f64>,
    pub(super) budget: &'c mut Budget,
    pub(super) findings: &'c mut Findings,
}

/// Keys that are ready to write, and the simplest mode that plays them.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) curve: Curve,
    pub(super) mode: Mode,
}

impl SamplerMaker<'_> {
    /// Creates a sampler of a track of a translation, a rotation or a scale.
    pub(super) fn sampler(
        &mut self,
        data: TrackData,
        path: &Path,
    ) -> Result<Option<Samples>, WriteError> {
        let Some(keys) = PlainKeys::of(&data, &mut None) else {
            return self.converted(&data, path);
        };
        self.findings.extend(keys.finding(path));
        Ok(keys.sampler(data))
    }

    /// Creates a sampler of keys that may need changes.
    pub(super) fn converted(
        &mut self,
        data: &TrackData,
        path: &Path,
    ) -> Result<Option<Samples>, WriteError> {
        let reported = self.findings.as_mut_slice().len();
        let Some(ready) = self.ready(data, path)? else { return Ok(None) };
        let (curve, rise) = ready.curve.rise(ready.mode, self.gap);
        let (curve, mode, slopes) = if let Ok(slopes) = slopes_of(&curve, ready.mode) {
            self.report_rise(rise, path);
            (curve, ready.mode, slopes)
        } else {
            let lines = self.baked(data, inbetween_core::Curves::Linear, path)?;
            let Some(ready) = self.narrowed(&lines, path) else { return Ok(None) };
            let (curve, rise) = ready.rise(Mode::Linear, self.gap);
            self.report_rise(rise, path);
            (curve, Mode::Linear, None)
        };
        self.report_slopes(slopes.as_ref(), path);
        check_times(&curve, path)?;
        let again = match curve.quantity {
            Quantity::Number => read_back::<1>(&curve, mode, slopes.as_ref()),
            Quantity::Vector => read_back::<3>(&curve, mode, slopes.as_ref()),
            Quantity::Rotation => read_back::<4>(&curve, mode, slopes.as_ref()),
        };
        if self.findings.as_mut_slice().len() == reported {
            self.report_shape(data, again.as_ref(), path);
        }
        Ok(Some(samples(&curve, mode, slopes.as_ref())))
    }

    /// Reports keys that are read back in another form.
    pub(super) fn report_shape(
        &mut self,
        data: &TrackData,
        again: Option<&TrackData>,
        path: &Path,
    ) {
        if Some(data) != again {
            let shape = data.shape().name();
            let message = format!("{} {shape} keys", data.len());
            self.findings.push(Finding::new(shared::SHAPE_CHANGED, message).at(path.clone()));
        }
    }

    /// Prepares the keys of a track; returns `None` without keys.
    pub(super) fn ready(
        &mut self,
        data: &TrackData,
        path: &Path,
    ) -> Result<Option<Ready>, WriteError> {
        let Some(curve) = Curve::of(data).filter(|curve| curve.len() > 0) else { return Ok(None) };
        let mode = curve.mode(data.shape());
        let baked = match mode {
            Mode::Cubic if self.curves == Curves::Bake => {
                Some(self.baked(data, inbetween_core::Curves::Linear, path)?)
            }
            Mode::Cubic if curve.mixes_slerps() => {
                Some(self.baked(data, inbetween_core::Curves::Cubic, path)?)
            }
            _ => None,
        };
        if let Some(baked) = baked {
            let curve = self.narrowed(&baked, path);
            return Ok(curve.map(|curve| Ready { mode: curve.mode(baked.shape()), curve }));
        }
        if mode != Mode::Cubic && data.tangents().is_some() {
            self.report_unused(data, path);
        }
        let curve = self.narrowed(data, path);
        Ok(curve.map(|curve| Ready { curve, mode }))
    }

    /// Replaces a track by linear segments, or rotations by curves between all keys.
    fn baked(
        &mut self,
        data: &TrackData,
        curves: inbetween_core::Curves,
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        let grid = Grid::Bound(Bound::new(curves).with_frame_rate(self.frame_rate));
        let mut maker = Baker::new(grid, self.budget).for_target(RULES);
        let baked = match curves {
            inbetween_core::Curves::Linear => maker.same_kind(data, RULES),
            inbetween_core::Curves::Cubic => maker.unit_rotations(data, RULES),
        };
        let baked =
            baked.map_err(|error| WriteError::from_bake(ID, &error).at_path(path.clone()))?;
        let (before, after) = (data.len(), baked.data.len());
        let message = format!("{} of a curve became {after}", counted(before, "key"));
        self.findings.extend(baked.findings(shared::CURVE_BAKED, &message, path));
        Ok(baked.data)
    }

    /// Reports tangents that no segment uses.
    fn report_unused(&mut self, data: &TrackData, path: &Path) {
        let message = format!("tangents of {}", counted(data.len(), "key"));
        self.findings.push(Finding::new(shared::TANGENTS_DROPPED, message).at(path.clone()));
    }

    /// Converts the keys of a track to `f32` with unit rotations, and reports the changes.
    fn narrowed(&mut self, data: &TrackData, path: &Path) -> Option<Curve> {
        let keeps = |rotation: Quat<f64>| is_unit(&rotation.to_array());
        let normalized = normalize(data, keeps, (RULES, RULES));
        self.findings.extend(normalized.as_ref().map(|normalized| normalized.finding(path)));
        let data = normalized.as_ref().map_or(data, |normalized| &normalized.data);
        let mut curve = Curve::of(data)?;
        let mut narrowing = Narrowing::default();
        for number in curve.rows.iter_mut().flatten() {
            *number = f64::from(narrowing.number(*number));
        }
        if narrowing.changes() {
            self.findings.extend(narrowing.findings("numbers", path));
        } else if data.kind().is_wide() {
            let finding = Finding::new(codes::KIND_NARROWED, format!("{} values", data.kind()));
            self.findings.push(finding.at(path.clone()));
        }
        Some(curve)
    }

    pub(super) fn report_slopes(&mut self, slopes: Option<&Slopes>, path: &Path) {
        if let Some(slopes) = slopes.filter(|slopes| slopes.is_inexact) {
            let error = StatedError::of_value(slopes.error);
            let finding = Finding::new(codes::TANGENTS_CONVERTED, error.to_string());
            self.findings.push(finding.at(path.clone()).error(error));
        }
    }

    pub(super) fn report_rise(&mut self, rise: Rise, path: &Path) {
        self.findings.extend(times_rounded(rise.rounded, path));
        if rise.jumps > 0 {
            let error = StatedError { value: 0.0, time_shift: rise.shift };
            let message = format!("{} jumps{}", rise.jumps, error.and_text());
            let finding = Finding::new(codes::JUMPS_AS_KEYS, message).at(path.clone());
            self.findings.push(finding.error(error));
        }
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
pub(super) fn check_times(curve: &Curve, path: &Path) -> Result<(), WriteError> {
    let largest = f64::from(f32::MAX);
    match curve.times.iter().find(|time| time.abs() >= largest) {
        Some(time) => {
            let what = format!("a time of {time:e} s");
            Err(WriteError::time_out_of_range(ID, what).at_path(path.clone()))
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
