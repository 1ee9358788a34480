//! Tracks as keys that a clip can store: linear or held, of whole vectors and quaternions.

use inbetween_core::lower::{GroupedKeys, Rest, TrackGroup};
use inbetween_core::{
    Animation, BakeError, Baked, Baker, Bound, Channel, Context, Curves, Difference, Grid,
    Interpolation, Place, Property as SourceProperty, Quat, Rules, Tangents, Target, Text,
    TrackData, Values, codes as shared, counted, rows,
};

use super::bounds::Bounds;
use super::error::BuildError;
use super::keys::{keyed, wide_kind};
use super::report::TrackReport;
use super::sources::joined;
use crate::clip::{Blend, Encoding, Property, Track};
use crate::column::Segments;
use crate::times::Clock;

/// Baking may use this part of the bound. The rest is for the smaller encodings, which need most
/// of the default bounds.
const BAKED_PART: f64 = 0.25;

/// What computing a value between two keys in `f32` may change, relative to the largest value: two
/// roundings here, and two in the engine.
const ROUNDING: f64 = 4.0 / 16_777_216.0;

/// The same for curves, which are steeper than the lines between their keys.
const CURVE_ROUNDING: f64 = 16.0 / 16_777_216.0;

/// What computing a rotation between two keys in `f32` may change, in radians.
const ROTATION_ROUNDING: f64 = 5e-6;

/// A track with keys that a clip can store.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The clip and the track.
    place: Place,
    /// The index of the track in the animation.
    pub(super) source: usize,
    pub(super) node: Option<Text>,
    pub(super) property: Property,
    property_name: String,
    pub(super) width: u8,
    pub(super) blend: Blend,
    pub(super) segments: Segments,
    /// The keys, with `f64` values.
    pub(super) data: TrackData,
    /// How far the keys are from the animation.
    pub(super) error: f64,
    /// What playback between two keys in `f32` adds.
    pub(super) rounding: f64,
    pub(super) bound: f64,
    source_keys: usize,
    values_before: usize,
}

impl Prepared {
    pub(super) fn report(&self, track: &Track, error: f64, bytes: usize) -> TrackReport {
        let encoding = track.encoding();
        let keys = if encoding == Encoding::Constant { 1 } else { self.data.len() };
        TrackReport {
            source: self.source,
            node: self.node.as_deref().map(str::to_owned),
            property: self.property_name.clone(),
            encoding,
            source_keys: self.source_keys,
            keys,
            values_before: self.values_before,
            values_after: bytes,
            error,
            bound: self.bound,
        }
    }

    pub(super) fn not_met(&self, error: f64) -> BuildError {
        BuildError::Bound { place: Box::new(self.place.clone()), bound: self.bound, error }
    }
}

/// Keys, and how far they play from the animation.
struct Kept {
    data: TrackData,
    error: f64,
    keys: KeptKeys,
}

/// Whether keys are those of the animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeptKeys {
    Same,
    /// They are computed, and so rounded even where they never change.
    Baked,
}

/// Prepares all tracks that a clip can store, and reports the others.
pub(super) fn prepare(
    animation: &Animation,
    clock: Clock,
    bounds: &Bounds,
    context: &mut Context<'_>,
) -> Result<Vec<Prepared>, BuildError> {
    let mut prepared = Vec::new();
    for source in joined(animation, clock, context) {
        context.findings.enter_track(source.index, &source.target);
        let bound = bounds.of(&source.target.property);
        let rules = animation.rules.of(&source.target.property);
        let made = Work { bound, rules, context }.track(source);
        prepared.push(made.map_err(|error| error.at(context.findings.place()))?);
    }
    context.findings.leave();
    Ok(prepared)
}

/// What the keys of a track play between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shaped {
    Lines,
    Steps,
    Curves,
}

/// Returns how a track plays: as lines or steps only if every segment does, and the last key
/// shows its value.
fn shaped(data: &TrackData) -> Shaped {
    let last = data.len().saturating_sub(1);
    let handles = matches!(data.tangents(), Some(Tangents::Handles { .. }));
    if handles && data.interpolation(last) == Interpolation::Bezier {
        return Shaped::Curves;
    }
    let all = |wanted| (0..last).all(|key| data.interpolation(key) == wanted);
    if all(Interpolation::Hold) {
        Shaped::Steps
    } else if all(Interpolation::Linear) {
        Shaped::Lines
    } else {
        Shaped::Curves
    }
}

/// What preparing a track needs.
struct Work<'c, 'b> {
    bound: f64,
    rules: Rules,
    context: &'c mut Context<'b>,
}

impl Work<'_, '_> {
    fn track(&mut self, source: TrackGroup) -> Result<Prepared, BuildError> {
        let TrackGroup { index, target, keys, .. } = source;
        let first = keys.tracks().next();
        let narrow = first.map_or(0, |data| data.kind().encoded_size().unwrap_or(0));
        let narrow =
            if first.is_some_and(|data| data.kind().is_wide()) { narrow / 2 } else { narrow };
        let values_before = keys.tracks().map(|data| data.len() * narrow).sum();
        let source_keys = keys.tracks().map(TrackData::len).max().unwrap_or_default();
        let rounding = keys.tracks().map(rounding).fold(0.0, f64::max);
        let steps = keys.tracks().all(|data| shaped(data) == Shaped::Steps)
            && matches!((&keys, &target.property), (GroupedKeys::Whole(_), property) if !is_euler(property));
        let kept = self.keys(&target, keys)?;
        let (property, width) = property(&target.property, &kept.data);
        let rounding = if property == Property::Rotation { ROTATION_ROUNDING } else { rounding };
        let prepared = Prepared {
            place: self.context.findings.place(),
            source: index,
            node: target.node,
            property,
            property_name: target.property.name().into_owned(),
            width,
            blend: target.blend.into(),
            segments: if steps { Segments::Hold } else { Segments::Linear },
            error: kept.error + if kept.keys == KeptKeys::Baked { rounding } else { 0.0 },
            rounding: if steps || kept.keys == KeptKeys::Baked { 0.0 } else { rounding },
            data: widened(&kept.data, steps)?,
            bound: self.bound,
            source_keys,
            values_before,
        };
        if prepared.error <= prepared.bound {
            Ok(prepared)
        } else {
            Err(prepared.not_met(prepared.error))
        }
    }

    fn keys(&mut self, target: &Target, keys: GroupedKeys) -> Result<Kept, BuildError> {
        let (rules, maker) = (self.rules, self.baker());
        let kept = match (keys, &target.property) {
            (GroupedKeys::Axes(axes), SourceProperty::RotationEuler(order)) => {
                let rest = self.rest(target, &axes);
                let budget = &mut *self.context.budget;
                let baked = maker.join_quaternions(*order, &axes, rest, rules, budget)?;
                self.reported(shared::EULER_BAKED, baked)
            }
            (GroupedKeys::Axes(axes), _) => {
                let rest = self.rest(target, &axes);
                let baked = maker.join(&axes, rest, rules, self.context.budget)?;
                self.reported(shared::COMPONENTS_JOINED, baked)
            }
            (GroupedKeys::Whole(data), SourceProperty::RotationEuler(order)) => {
                let baked = maker.quaternions(&data, *order, rules, self.context.budget)?;
                self.reported(shared::EULER_BAKED, baked)
            }
            (GroupedKeys::Whole(data), _) => self.whole(*data)?,
        };
        if kept.data.kind().is_quaternion() { self.evened(kept) } else { Ok(kept) }
    }

    /// Returns the values of the axes without a track, and reports them.
    fn rest(&mut self, target: &Target, axes: &[Option<TrackData>; 3]) -> [f64; 3] {
        let rest = Rest::of(target, None);
        self.context.findings.extend(rest.finding(axes));
        rest.values
    }

    /// Keeps lines and steps, and bakes everything else.
    fn whole(&mut self, data: TrackData) -> Result<Kept, BuildError> {
        if shaped(&data) != Shaped::Curves {
            if data.tangents().is_some() {
                self.context.say(shared::TANGENTS_DROPPED, counted(data.len(), "key"));
            }
            return Ok(Kept { data, error: 0.0, keys: KeptKeys::Same });
        }
        let baked = self.baker().same_kind(&data, self.rules, self.context.budget)?;
        Ok(self.reported(shared::CURVE_BAKED, baked))
    }

    /// Returns a baker of keys that play as those of a clip.
    const fn baker(&self) -> Baker {
        let bound = Bound::new(Curves::Linear).with_error(self.bound * BAKED_PART);
        // The bound must hold, so keys may be closer than frames.
        Baker::new(Grid::Bound(bound.with_shortest(0.0)))
    }

    fn reported(&mut self, code: inbetween_core::Code, baked: Baked) -> Kept {
        let message = format!("became {}", counted(baked.data.len(), "key"));
        self.context.findings.extend(baked.findings(code, &message));
        Kept { error: baked.error().value, data: baked.data, keys: KeptKeys::Baked }
    }

    /// Adds keys to segments that normalized, rounded quaternions would play differently: those
    /// between different lengths, which an engine plays at uneven speed, and half turns, where
    /// rounding decides which way is the shorter one.
    fn evened(&mut self, kept: Kept) -> Result<Kept, BuildError> {
        let rotation = |key| Quat::from_array(rows::row(kept.data.values(), key));
        let segments = 1..kept.data.len();
        let mut pairs = segments.map(|key| (rotation(key - 1), rotation(key)));
        if kept.data.interpolation(0) == Interpolation::Hold
            || !pairs.any(|(from, to)| is_fragile(from, to))
        {
            return Ok(kept);
        }
        let played = match kept.keys {
            KeptKeys::Same => self.rules,
            KeptKeys::Baked => Rules::LINEAR,
        };
        let baked = self.baker().unit_rotations(&kept.data, played, self.context.budget)?;
        let error = kept.error + stated(Some(baked.difference));
        Ok(Kept { data: baked.data, error, ..kept })
    }
}

/// Returns the stated difference between keys that play by some rules and those of a clip; infinite
/// if they cannot be compared.
pub(super) fn largest_difference((data, rules): (&TrackData, Rules), clip: &TrackData) -> f64 {
    let channel = |data, rules| Channel::of_track(&SourceProperty::Custom(None), data, rules);
    stated(channel(data, rules).difference(&channel(clip, Rules::LINEAR)))
}

/// Returns the error to state; infinite if something cannot be compared.
fn stated(found: Option<Difference>) -> f64 {
    let found = found.filter(|found| found.undefined.or(found.unmeasured).is_none());
    found.map_or(f64::INFINITY, |found| found.error().value)
}

const fn is_euler(property: &SourceProperty) -> bool {
    matches!(property, SourceProperty::RotationEuler(_))
}

/// Returns whether the segment between two quaternions changes if they are normalized or rounded.
fn is_fragile(from: Quat<f64>, to: Quat<f64>) -> bool {
    let (own, other) = (from.length(), to.length());
    (own / other - 1.0).abs() > 1e-6 || from.dot(to).abs() < 0.01 * own * other
}

/// Returns what playing a track in `f32` may change.
fn rounding(data: &TrackData) -> f64 {
    let mut largest = 0.0_f64;
    let mut see = |value: f64| largest = largest.max(value.abs());
    let mut see_all = |values: &Values| {
        for key in 0..values.len() {
            rows::numbers(values, key).into_iter().flatten().for_each(&mut see);
        }
    };
    see_all(data.values());
    if shaped(data) != Shaped::Curves {
        return largest * ROUNDING;
    }
    match data.tangents() {
        Some(Tangents::Values { left, right }) => [left, right].into_iter().for_each(see_all),
        Some(Tangents::Handles { left, right }) => {
            left.iter().chain(right).for_each(|handle| see(handle.value));
        }
        _ => {}
    }
    largest * CURVE_ROUNDING
}

/// Returns the property of a clip, and its number of components.
fn property(property: &SourceProperty, data: &TrackData) -> (Property, u8) {
    let boxed = |name: &Text| Box::from(&**name);
    match property {
        SourceProperty::Translation => (Property::Translation, 3),
        SourceProperty::Rotation | SourceProperty::RotationEuler(_) => (Property::Rotation, 4),
        SourceProperty::Scale => (Property::Scale, 3),
        SourceProperty::Weight(name) => (Property::Weight(boxed(name)), 1),
        SourceProperty::Custom(name) => (Property::Custom(name.as_ref().map(boxed)), width(data)),
        // Core adds properties only together with this list.
        _ => (Property::Custom(None), width(data)),
    }
}

fn width(data: &TrackData) -> u8 {
    // Only vectors of up to four floats get here.
    u8::try_from(rows::width(data.kind())).unwrap_or(1)
}

/// Returns keys with the same values in `f64`, as lines or steps.
fn widened(data: &TrackData, steps: bool) -> Result<TrackData, BuildError> {
    let rows = (0..data.len()).map(|key| rows::row::<4>(data.values(), key));
    let values = rows::column(wide_kind(data.kind().is_quaternion(), width(data)), rows);
    keyed(data.times().collect(), values, steps).map_err(|error| BakeError::from(error).into())
}
