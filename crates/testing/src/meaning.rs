//! The law of meaning: a conversion or an edit keeps playback within the error that it states.
//!
//! For every time t from 0 to the effective duration of the result, and for every component:
//!
//! ```text
//! |source(map(t)) - result(t)| <= 1.25 x the stated errors + R
//! ```
//!
//! * `map` is the promise of the edit ([`TimeMap`]); conversions keep all times.
//! * R is 4 ulps, in the narrower value type, of the largest magnitude among the values and handles
//!   of the segment, plus the steepest slope of the segment times 4 ulps, in the narrower time
//!   type, of t or of the start of the segment, whichever is larger. The start counts because
//!   engines compute the time since it: after a key at -0.1 s that time is rounded by more than one
//!   ulp of a t near 0. Slopes and products below the smallest normal number of the narrower value
//!   type lose digits, so that number is added. Interpolated integers are rounded, which adds 1.
//! * The errors are those that the findings of the channel's tracks state. They are measured by
//!   sampling, hence the factor, and finite.
//! * Rotations whose lengths are within 1e-6 of 1 are played by one slerp in both clips, since the
//!   slerps of engines count as alike there (`docs/evaluation.md`).
//! * Rotations, Euler angles included, differ by the angle of the rotation between the two, in
//!   radians. Values of equal bits differ by 0, and so do two NaNs.
//! * Within the stated time shift of a jump, and at least one ulp of its time, the values before
//!   and after the jump are both right.
//! * A track that is lost, renamed, stored or blended in another way needs a finding of its own
//!   track, and another property of the clip needs one about the clip. The codes that count are
//!   listed and compared whole. If nothing is reported, nothing changed.
//! * Where a finding reports keys that are NaN, infinite or no valid rotation, the times between the
//!   finite keys around them are not compared.
//!
//! The law draws its own times: those of all keys, one representable time before and after them,
//! times inside segments, at extrema of curves and between frames. It draws no times between 0 and
//! the smallest normal `f32`. Clips of random draws obey it in the [domain].

pub mod cases;
mod channel;
mod conversion;
mod excuses;
mod head;
mod interval;
mod rest;
mod stated;
mod times;

use inbetween_core::{Animation, Axis, Finding, Quat, Tangents, Track, TrackData, Values, codes};

use crate::domain;
pub(crate) use channel::numbers;
use channel::{Channel, Shown};
pub use conversion::conversion;
use excuses::{INFINITE, STORED_OTHERWISE, TRACK_BLEND, has_code};
pub use rest::RestPose;

use stated::{Lost, Stated, joined_tracks, track_of};

/// The change of values that an edit promises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The new axis that each old one becomes, and its sign.
    pub axes: [(Axis, f64); 3],
    /// The factor of lengths.
    pub scale: f64,
}

impl View {
    /// The view that changes nothing.
    pub const IDENTITY: Self =
        Self { axes: [(Axis::X, 1.0), (Axis::Y, 1.0), (Axis::Z, 1.0)], scale: 1.0 };

    /// Returns the new axis of an old one, and the factor of translations along it.
    fn translation(&self, old: Axis) -> (Axis, f64) {
        let (axis, sign) = self.axes[old.index()];
        (axis, sign * self.scale)
    }

    /// Returns a rotation in the new axes: `(d M v, w)` of `(v, w)`, where d is the determinant of
    /// the change M.
    fn rotation(&self, rotation: Quat<f64>) -> Quat<f64> {
        let [x, y, z] = self.axes.map(|(axis, _)| axis.index());
        let even = matches!([x, y, z], [0, 1, 2] | [1, 2, 0] | [2, 0, 1]);
        let signs: f64 = self.axes.iter().map(|(_, sign)| sign).product();
        let determinant = if even { signs } else { -signs };
        let Quat { x, y, z, w } = rotation;
        let mut parts = [0.0, 0.0, 0.0, w];
        for ((axis, sign), old) in self.axes.into_iter().zip([x, y, z]) {
            parts[axis.index()] = determinant * sign * old;
        }
        Quat::from_array(parts)
    }
}

/// The time of the source that corresponds to a time of the result: `offset + factor * t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeMap {
    /// The time of the source at 0 s of the result, in seconds.
    pub offset: f64,
    /// Seconds of the source per second of the result; negative if it plays backward.
    pub factor: f64,
    /// The effective duration that the edit promises; `None` for that of the source.
    pub duration: Option<f64>,
}

impl TimeMap {
    /// The map that keeps all times.
    pub const IDENTITY: Self = Self { offset: 0.0, factor: 1.0, duration: None };

    /// Returns the time of the source that corresponds to a time of the result.
    #[must_use]
    pub fn source(self, time: f64) -> f64 {
        self.offset + self.factor * time
    }

    /// Returns the time of the result that corresponds to a time of the source.
    #[must_use]
    pub fn result(self, time: f64) -> f64 {
        (time - self.offset) / self.factor
    }

    /// Returns the largest intermediate number in computing a time of the source, which determines
    /// its rounding.
    fn magnitude(self, time: f64) -> f64 {
        time.abs().max(self.offset.abs()).max(self.source(time).abs())
    }
}

/// The changes that a conversion or an edit promises; everything else must stay the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promise {
    /// The change of times.
    pub time: TimeMap,
    /// The change of values.
    pub view: View,
    /// Whether the name, the markers, the duration and similar properties stay the same.
    pub head: Stays,
    /// Whether the kinds of the values and the order of Euler angles stay the same.
    pub storage: Stays,
    /// The pose on which both clips play, if the edit changes how tracks blend with it. Properties
    /// without a track then show the pose.
    pub rest: Option<RestPose>,
}

impl Promise {
    /// The promise of conversions: nothing changes.
    pub const NOTHING_CHANGES: Self = Self {
        time: TimeMap::IDENTITY,
        view: View::IDENTITY,
        head: Stays::Unchanged,
        storage: Stays::Unchanged,
        rest: None,
    };
}

/// Whether a property stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stays {
    /// It stays the same, or a finding reports the change.
    Unchanged,
    /// It changes, which is the purpose of the edit.
    Changes,
}

/// Checks the law for two clips, each played by its own rules.
///
/// # Errors
///
/// The first loss that is not reported, or whose reported error is too small.
pub fn check(
    source: &Animation,
    promise: &Promise,
    result: &Animation,
    findings: &[Finding],
) -> Result<(), String> {
    check_reports(source, promise, result, Reports { source: findings, result: findings })
}

/// Checks the law for a clip that a test or a fuzzer draws.
///
/// Outside of the [domain] no law asks for digits: there it checks only that a value that becomes
/// infinite is named.
///
/// # Errors
///
/// Same as [`check`].
pub fn check_drawn(
    source: &Animation,
    promise: &Promise,
    result: &Animation,
    findings: &[Finding],
) -> Result<(), String> {
    check_drawn_reports(source, promise, result, Reports { source: findings, result: findings })
}

fn check_drawn_reports(
    source: &Animation,
    promise: &Promise,
    result: &Animation,
    reports: Reports<'_>,
) -> Result<(), String> {
    if domain::holds(source) {
        return check_reports(source, promise, result, reports);
    }
    if reports.has(INFINITE) || !has_infinite_value(result) || plays_infinity(source) {
        return Ok(());
    }
    Err("a value became infinite, and no finding names it".into())
}

/// Returns whether the value of a key of a clip is infinite.
fn has_infinite_value(clip: &Animation) -> bool {
    let mut columns = clip.tracks.iter().map(|track| track.data().values());
    columns.any(is_infinite)
}

/// Returns whether the value or a tangent of a key of a clip is infinite, or the value in the middle
/// of two keys is: their difference may be beyond `f32`.
fn plays_infinity(clip: &Animation) -> bool {
    let has_infinite_tangent = |data: &TrackData| match data.tangents() {
        Some(Tangents::Values { left, right }) => is_infinite(left) || is_infinite(right),
        Some(Tangents::Handles { left, right }) => {
            left.iter().chain(right).any(|handle| handle.value.is_infinite())
        }
        _ => false,
    };
    let overflows = |data: &TrackData| {
        let times: Vec<f64> = data.times().collect();
        let mut middles = times.windows(2).map(|pair| pair.iter().sum::<f64>() / 2.0);
        middles.any(|time| {
            let shown = clip.rules.sample(data, time).map(Shown::from);
            matches!(shown, Some(Shown::Numbers(shown)) if shown.iter().any(|it| it.is_infinite()))
        })
    };
    let mut tracks = clip.tracks.iter().map(Track::data);
    has_infinite_value(clip) || tracks.any(|data| has_infinite_tangent(data) || overflows(data))
}

fn is_infinite(column: &Values) -> bool {
    numbers(column).into_iter().any(f64::is_infinite)
}

/// The findings, by the clip whose tracks they refer to.
#[derive(Clone, Copy, Debug)]
struct Reports<'a> {
    source: &'a [Finding],
    result: &'a [Finding],
}

/// Whether tracks keep their blend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blends {
    Stay,
    /// The result has no blends, which is reported; components with different blends then form one
    /// vector.
    Dropped,
}

/// How the channels of a clip are played.
#[derive(Clone, Copy, Debug)]
struct Playing {
    view: View,
    rest: Option<RestPose>,
    blends: Blends,
}

/// The factor of the stated errors, which are measured at some times and rounded.
const MARGIN: f64 = 1.25;

impl<'a> Reports<'a> {
    /// Returns whether a finding about the clip, and not about one of its tracks, has one of these
    /// codes.
    fn of_clip(self, ids: &[&str]) -> bool {
        let mut findings = self.source.iter().chain(self.result);
        findings.any(|finding| track_of(finding).is_none() && has_code(finding, ids))
    }

    /// Returns whether a finding has one of these codes.
    fn has(self, ids: &[&str]) -> bool {
        self.source.iter().chain(self.result).any(|finding| has_code(finding, ids))
    }

    /// Returns the findings about the tracks of a channel of the source.
    ///
    /// Findings about joined components are reported at the first of them.
    fn of_channel(self, channel: &Channel<'_>) -> impl Iterator<Item = &'a Finding> + use<'a> {
        let joined = channel.joined_at();
        let joined = joined.filter(|first| joined_tracks(self.source).any(|each| each == *first));
        let mut tracks = channel.tracks();
        tracks.extend(joined);
        about(self.source, tracks)
    }

    /// Returns the findings about the tracks of a channel of the source and of the same channel of
    /// the result.
    fn of_pair(
        self,
        before: &Channel<'_>,
        after: &Channel<'_>,
    ) -> impl Iterator<Item = &'a Finding> + use<'a> {
        // The findings of an edit are one list, and each counts once.
        let of_source = self.of_channel(before).collect::<Vec<_>>();
        let of_result = about(self.result, after.tracks());
        let of_result: Vec<&Finding> = of_result
            .filter(|finding| !of_source.iter().any(|known| core::ptr::eq(*known, *finding)))
            .collect();
        of_source.into_iter().chain(of_result)
    }

    /// Formats without blends report this for the whole clip; formats that cannot store one of them
    /// report its track.
    fn blends(self) -> Blends {
        if self.of_clip(&[codes::BLEND_DROPPED.id()]) { Blends::Dropped } else { Blends::Stay }
    }
}

/// Returns the findings about some tracks.
fn about(findings: &[Finding], tracks: Vec<usize>) -> impl Iterator<Item = &Finding> {
    let is_about = move |track| tracks.contains(&track);
    findings.iter().filter(move |finding| track_of(finding).is_some_and(&is_about))
}

fn check_reports(
    source: &Animation,
    promise: &Promise,
    result: &Animation,
    reports: Reports<'_>,
) -> Result<(), String> {
    let map = promise.time;
    if promise.head == Stays::Unchanged {
        head::check(source, map, result, reports)?;
    }
    let end = result.effective_duration();
    let rates = [source.frame_rate, result.frame_rate];
    let rest = promise.rest;
    let playing = Playing { view: promise.view, rest, blends: reports.blends() };
    let before = channel::of(source, playing, &Lost::of(reports.source));
    let playing = Playing { view: View::IDENTITY, ..playing };
    let after = channel::of(result, playing, &Lost::default());
    let pairs = channel::pairs(before, after, rest, reports)?;
    for (before, after) in &pairs {
        let stated = Stated::of(before, after, reports)?;
        let pair = Pair { before, after, map, frame_rate: result.frame_rate, stated };
        if promise.storage == Stays::Unchanged {
            pair.check_representation(reports)?;
        }
        if rest.is_none() {
            pair.check_blend(reports)?;
        }
        pair.check(&times::drawn(before, map, after, end, rates))?;
    }
    Ok(())
}

/// A channel of the source and the same channel of the result.
struct Pair<'a> {
    before: &'a Channel<'a>,
    after: &'a Channel<'a>,
    map: TimeMap,
    /// The frame rate of the result.
    frame_rate: Option<f64>,
    stated: Stated,
}

impl Pair<'_> {
    /// Checks that another kind of values, or other tracks for the same channel, are reported. An axis
    /// without a track has no findings of its own: those of the tracks that it joins count.
    fn check_representation(&self, reports: Reports<'_>) -> Result<(), String> {
        let (before, after) = (self.before.representation(), self.after.representation());
        let joins = || self.before.is_at_rest() && reports.has(STORED_OTHERWISE);
        // The result may fill a track whose keys are all dropped.
        let filled = || self.before.is_never_finite() && self.stated.names_not_finite;
        if before == after || self.stated.is_stored_otherwise || joins() || filled() {
            return Ok(());
        }
        Err(format!("{}: {before} became {after}, and no finding names it", self.before.name()))
    }

    /// Checks that another blend is reported.
    fn check_blend(&self, reports: Reports<'_>) -> Result<(), String> {
        let (before, after) = (self.before.blend(), self.after.blend());
        let mut findings = reports.of_pair(self.before, self.after);
        if before == after
            || reports.of_clip(TRACK_BLEND)
            || findings.any(|finding| has_code(finding, TRACK_BLEND))
        {
            return Ok(());
        }
        let (before, after) = (before.name(), after.name());
        Err(format!("{}: {before} became {after}, and no finding names it", self.before.name()))
    }

    fn check(&self, times: &[f64]) -> Result<(), String> {
        for &time in times {
            let (difference, rounding) = self.difference(time);
            if difference > self.allowed() + rounding {
                return Err(self.complaint(time, difference, rounding));
            }
        }
        Ok(())
    }

    /// Returns the difference that the stated errors allow.
    fn allowed(&self) -> f64 {
        MARGIN * self.stated.error
    }

    fn complaint(&self, time: f64, difference: f64, rounding: f64) -> String {
        let source = self.map.source(time);
        format!(
            "{} at {time:?} s: {:?} became {:?}, off by {difference:e}; stated are {:e} (and a \
             shift of {:e} s) and rounding allows {rounding:e}",
            self.before.name(),
            self.before.shown(source),
            self.after.shown(time),
            self.stated.error,
            self.stated.time_shift,
        )
    }

    /// Returns the difference at a time of the result, and R.
    fn difference(&self, time: f64) -> (f64, f64) {
        let source = self.map.source(time);
        let step = self.step(self.map.magnitude(time));
        let shift = self.stated.time_shift.max(step);
        let source_shift = shift * self.map.factor.abs().max(1.0);
        let rounding = self.rounding(time, source, shift);
        let shown = self.before.shown(source);
        // Keys on frames are up to a frame away from those of the source.
        let frame = self.frame_rate.map_or(0.0, |rate| self.map.factor.abs() / rate);
        if self.stated.names_not_finite && self.before.is_in_gap(source, source_shift + frame) {
            return (0.0, rounding);
        }
        let direct = shown.distance(&self.after.shown(time));
        if direct <= self.allowed() + rounding {
            return (direct, rounding);
        }
        let before = self.before.shown_near(source, source_shift);
        // A stated shift refers to the jumps of the source, so the jumps of the result do not add
        // it.
        let after = self.after.shown_near(time, step);
        let pairs = before.iter().flat_map(|one| after.iter().map(move |other| (one, other)));
        let nearest = pairs.map(|(one, other)| Shown::distance(one, other)).fold(direct, f64::min);
        (nearest, rounding)
    }

    /// Returns one ulp of a time in the narrower time type.
    fn step(&self, time: f64) -> f64 {
        let narrow = self.before.is_narrow_time() || self.after.is_narrow_time();
        if narrow && time.abs() > f64::from(f32::MAX) {
            // Times of this size have no neighbors to distinguish.
            return time.abs();
        }
        interval::ulp(time, narrow)
    }

    fn is_narrow_value(&self) -> bool {
        self.before.is_narrow_value() || self.after.is_narrow_value()
    }

    fn rounding(&self, time: f64, source: f64, shift: f64) -> f64 {
        let factor = self.map.factor.abs();
        let before = self.before.extent(source, shift * factor.max(1.0));
        let after = self.after.extent(time, shift);
        let magnitude = before.magnitude.max(after.magnitude);
        let slope = (before.slope * factor.max(1.0)).max(after.slope);
        let narrow = self.is_narrow_value();
        let rounded = before.whole_numbers.max(after.whole_numbers);
        let steps = self.step(self.map.magnitude(time).max(before.start).max(after.start));
        // Sines of half angles are rounded too, and angles are twice as large as the rounded
        // numbers.
        let turned = if self.before.is_euler() == self.after.is_euler() { 1.0 } else { 2.0 };
        // Small angles are compared as quaternions, whose numbers are up to 1.
        let smallest = if narrow { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
        let one = if self.before.is_euler() { 4.0 * f64::EPSILON } else { smallest };
        let products = slope * 4.0 * steps + one;
        turned * 4.0 * interval::ulp(magnitude, narrow) + products + rounded
    }
}
