//! Converts tracks to the text of curves.

use std::fmt::Write as _;

use inbetween_core::{
    Baker, Bound, Context, Curves, EulerOrder, Grid, Interpolation, KeyColumns, Normalized,
    Property, Tangents, Target, TrackData, Values, WriteError, codes as shared, counted,
    dropped_track, is_unit, narrow, normalize, num, report_narrowed_times, rows,
};

use super::property::{Binding, NO_SCRIPT};
use crate::RULES;
use crate::codes;
use crate::layout::{FULL_WEIGHT, List, ORDERS};
use crate::read::curve::Keys;
use crate::write::{self, NO_ORDER, Number, scalar};

/// The text of a curve, the list that it belongs to, and the number of its keys.
pub(super) struct CurveText {
    pub(super) list: List,
    pub(super) text: String,
    pub(super) keys: usize,
}

/// Returns the list for a target; `None` if Unity cannot store it.
pub(super) fn list_of(target: &Target, is_text: bool) -> Option<List> {
    Some(match &target.property {
        Property::Translation => List::Position,
        Property::Rotation => List::Rotation,
        Property::RotationEuler(_) => List::Euler,
        Property::Scale => List::Scale,
        other => {
            Binding::of(other)?;
            if is_text { List::Object } else { List::Float }
        }
    })
}

/// Converts a track of the node with a path.
pub(super) fn curve_text(
    target: &Target,
    data: TrackData,
    (path, rate): (&str, Option<f64>),
    context: &mut Context<'_>,
) -> Result<Option<CurveText>, WriteError> {
    let is_text = data.values().as_strings().is_some();
    let Some(list) = list_of(target, is_text) else {
        context.findings.push(dropped_track(&data));
        return Ok(None);
    };
    report_narrowed_times(data.times(), &mut context.findings)?;
    if target.node.is_none() {
        context.say(shared::NULL_TEXT, "the node is \"\"");
    }
    let path = scalar(path);
    let (mut text, mut keys) = (String::new(), data.len());
    match list {
        List::Object => {
            if !objects(&data, &mut text) {
                context.findings.push(dropped_track(&data));
                return Ok(None);
            }
        }
        List::Float => numbers::<1>(data, 1.0, NO_ORDER, (&target.property, &mut text), context)?,
        List::Position | List::Scale => {
            numbers::<3>(data, 1.0, NO_ORDER, (&target.property, &mut text), context)?;
        }
        List::Euler => euler(data, (&target.property, &mut text), context)?,
        List::Rotation => {
            let data = curved(data, rate, context)?;
            keys = data.len();
            numbers::<4>(data, 1.0, NO_ORDER, (&target.property, &mut text), context)?;
        }
    }
    match Binding::of(&target.property) {
        None => {
            let _ = writeln!(text, "    path: {path}");
        }
        Some(binding) => {
            let (attribute, class) = (scalar(&binding.attribute), binding.class);
            let script = if binding.script.is_empty() { NO_SCRIPT } else { &binding.script };
            let _ = write!(
                text,
                "    attribute: {attribute}\n    path: {path}\n    classID: {class}\n    script: {script}\n"
            );
            // Unity does not read curves of objects without this flag.
            if list == List::Object {
                text.push_str("    flags: 2\n");
            }
        }
    }
    // The first line of an item begins with a dash.
    text.replace_range(..4, "  - ");
    Ok(Some(CurveText { list, text, keys }))
}

/// Appends references to objects; returns false if a text is none.
fn objects(data: &TrackData, text: &mut String) -> bool {
    let Some(values) = data.values().as_strings() else { return false };
    text.push_str(if values.iter().next().is_none() { "    curve: []\n" } else { "    curve:\n" });
    for (time, value) in data.times().zip(values.iter()) {
        let value = value.unwrap_or(NO_SCRIPT);
        if !(value.starts_with('{') && value.ends_with('}')) || value.contains(['\n', '\r', '#']) {
            return false;
        }
        let time = Number(num::f32_from_f64(time));
        let _ = write!(text, "    - time: {time}\n      value: {value}\n");
    }
    true
}

/// Returns rotations without slerps, which Unity does not have.
fn curved(
    data: TrackData,
    rate: Option<f64>,
    context: &mut Context<'_>,
) -> Result<TrackData, WriteError> {
    let keys = if data.plays() { data.len() } else { 0 };
    let value = |key: usize| rows::row::<4>(data.values(), key);
    let slerps = (1..keys).any(|next| {
        let key = next.saturating_sub(1);
        let is_curve =
            data.tangents().is_some() && data.interpolation(key) == Interpolation::Bezier;
        let is_line = !is_curve && data.interpolation(key) != Interpolation::Hold;
        is_line && value(key) != value(next) && data.time(key) < data.time(next)
    });
    if !slerps {
        return Ok(data);
    }
    // The speed that uneven lengths cause would take many keys.
    let normalized = normalize(&data, is_unit, (RULES, RULES));
    context.findings.extend(normalized.as_ref().map(Normalized::finding));
    let data = normalized.map_or(data, |normalized| normalized.data);
    let grid = Grid::Bound(Bound::new(Curves::Cubic).with_frame_rate(rate));
    let baker = Baker::new(grid).for_target(RULES);
    let curves = baker.unit_rotations(&data, RULES, context.budget)?;
    let message = format!("{} became {}", counted(data.len(), "key"), curves.data.len());
    context.findings.extend(curves.findings(codes::SLERPS_AS_CURVES, &message));
    Ok(curves.data)
}

fn euler(
    data: TrackData,
    (property, text): (&Property, &mut String),
    context: &mut Context<'_>,
) -> Result<(), WriteError> {
    let Property::RotationEuler(order) = property else { return Ok(()) };
    let number = ORDERS.iter().position(|axes| *axes == order.axes()).unwrap_or(NO_ORDER);
    let plain = EulerOrder::new(order.axes(), [1; 3]).unwrap_or(*order);
    let data = if plain == *order {
        data
    } else {
        context.say(codes::ROTATION_AS_EULER, "angles with other signs");
        order.mirrored(plain, &data).unwrap_or(data)
    };
    numbers::<3>(data, 1_f64.to_degrees(), number, (property, text), context)
}

/// Appends the keys of a track whose values have `N` numbers.
fn numbers<const N: usize>(
    data: TrackData,
    factor: f64,
    order: usize,
    (property, text): (&Property, &mut String),
    context: &mut Context<'_>,
) -> Result<(), WriteError> {
    let factor =
        if matches!(property, Property::Weight(_)) { f64::from(FULL_WEIGHT) } else { factor };
    let keys = keys::<N>(data, factor, context);
    inbetween_core::memory::ensure(keys.times.len().saturating_mul(400))?;
    write::keys(&keys, order, text);
    Ok(())
}

/// Returns the keys with their slopes.
fn keys<const N: usize>(data: TrackData, factor: f64, context: &mut Context<'_>) -> Keys<N> {
    let count = if data.plays() { data.len() } else { data.len().min(1) };
    let sides = match data.tangents() {
        Some(Tangents::Values { left, right }) => Some((left.clone(), right.clone())),
        _ => None,
    };
    let segment: Vec<Interpolation> = (0..count).map(|key| data.interpolation(key)).collect();
    let times: Vec<f32> = data.times().take(count).map(num::f32_from_f64).collect();
    let KeyColumns { values, .. } = KeyColumns::of(data);
    let values = narrow(values, context);
    let row = |values: &Values, key: usize| rows::row::<N>(values, key);
    let mut keys = Keys {
        values: Vec::with_capacity(count),
        slopes: [vec![[0.0; N]; count], vec![[0.0; N]; count]],
        weights: Vec::new(),
        times,
    };
    for key in 0..count {
        let value = row(&values, key);
        keys.values.push(value.map(|number| num::finite_f32_from_f64(number * factor)));
        let Some(next) = key.checked_add(1).filter(|next| *next < count) else { break };
        let time = |key: usize| f64::from(keys.times.get(key).copied().unwrap_or(0.0));
        let seconds = time(next) - time(key);
        if seconds.is_nan() || seconds <= 0.0 {
            continue;
        }
        let to = row(&values, next);
        let line =
            |part: usize| to.get(part).zip(value.get(part)).map_or(0.0, |(to, from)| to - from);
        let tangent = |part: usize| {
            let of = |row: [f64; N]| row.get(part).copied().unwrap_or(0.0);
            match (segment.get(key), &sides) {
                (Some(Interpolation::Hold), _) => [f64::INFINITY; 2],
                (Some(Interpolation::Hermite), Some((left, right))) if N != 4 => {
                    [of(row(right, key)), of(row(left, next))]
                }
                (Some(Interpolation::Bezier), Some((left, right))) => {
                    let (out, into) = (of(row(right, key)), of(row(left, next)));
                    [3.0 * (out - of(value)), 3.0 * (of(to) - into)]
                }
                _ => [line(part); 2],
            }
        };
        let slope = |part: usize, side: usize| {
            let tangent = tangent(part).get(side).copied().unwrap_or(0.0);
            if tangent.is_infinite() {
                f32::INFINITY
            } else {
                num::finite_f32_from_f64(tangent / seconds * factor)
            }
        };
        let (out, into) = (
            std::array::from_fn(|part| slope(part, 0)),
            std::array::from_fn(|part| slope(part, 1)),
        );
        if let Some(slot) = keys.slopes[1].get_mut(key) {
            *slot = out;
        }
        if let Some(slot) = keys.slopes[0].get_mut(next) {
            *slot = into;
        }
    }
    keys
}
