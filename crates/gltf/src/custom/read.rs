//! Reads custom tracks.

use core::ops::Range;

use inbetween_core::json::{Json, JsonResult, Mark};
use inbetween_core::{
    Blend, Budget, Interpolations, Path, Property, Tangents, Target, Text, Track, TrackData,
    ValueKind,
};

use super::track::CustomTrack;
use super::values;
use crate::file::GltfFile;
use crate::layout::{BLENDS, INTERPOLATIONS};
use crate::read::{FaultResult, json_error, json_reader};
use crate::scene::members::{array, charge, index, number, object, text, word, wrong};

/// Reads the array of tracks in a part of the JSON of a file; `path` is that of a track.
///
/// # Errors
///
/// If a member has the wrong type, the numbers of keys differ, or the tracks exceed the budget.
pub(crate) fn read(
    file: &GltfFile<'_>,
    range: Range<usize>,
    path: impl Fn(usize) -> Path,
    budget: &mut Budget,
) -> FaultResult<Vec<CustomTrack>> {
    let at = range.start;
    let text = file.json_part(range);
    let mut json = json_reader(text, budget.limits());
    let mut tracks = Vec::new();
    let read = array(&mut json, |json| {
        charge(json, budget, size_of::<CustomTrack>())?;
        tracks.push(track(json, budget)?);
        Ok(())
    });
    read.map_err(|error| {
        let mut fault = json_error(error, path(tracks.len()));
        fault.at = fault.at.saturating_add(at);
        fault
    })?;
    Ok(tracks)
}

/// The members of a track; the columns are read once the kind of the values is known.
#[derive(Default)]
struct Members<'t> {
    index: usize,
    node: Text,
    property: Option<Text>,
    blend: Blend,
    kind: Option<ValueKind>,
    interval: Option<f64>,
    times: Vec<f64>,
    interpolation: Option<Interpolations>,
    values: Option<Mark<'t>>,
    left: Option<Mark<'t>>,
    right: Option<Mark<'t>>,
}

fn track<'t>(json: &mut Json<'t>, budget: &mut Budget) -> JsonResult<CustomTrack> {
    let at = json.offset();
    let mut members = Members::default();
    object(json, |json, name| members.read(name, json, budget))?;
    let Some(kind) = members.kind else { return Err(wrong(at, "a kind of values", "none")) };
    let mut column = |mark: Option<Mark<'t>>| match mark {
        Some(mark) => json.look_at(mark, |json| values::read(json, kind, budget)),
        None => Ok(inbetween_core::Values::empty(kind)),
    };
    let values = column(members.values)?;
    let tangents = match (members.left, members.right) {
        (None, None) => None,
        (left, right) => Some(Tangents::Values { left: column(left)?, right: column(right)? }),
    };
    let data = match (members.interval, members.interpolation) {
        (Some(interval), _) => Ok(TrackData::uniform(interval, values)),
        (None, None) => TrackData::stepped(members.times, values),
        (None, Some(each)) => TrackData::curve(members.times, values, each, tangents),
    };
    let data = data.map_err(|error| wrong(at, "keys of one track", &error.to_string()))?;
    let target = Target::new(members.node, Property::Custom(members.property));
    let track = Track::new(target.with_blend(members.blend), data);
    let track = track.map_err(|error| wrong(at, "a track", &error.to_string()))?;
    Ok(CustomTrack { index: members.index, track })
}

impl<'t> Members<'t> {
    fn read(&mut self, name: &str, json: &mut Json<'t>, budget: &mut Budget) -> JsonResult<bool> {
        match name {
            "index" => self.index = index(json)?,
            "node" => self.node = text(json)?,
            "property" => self.property = Some(text(json)?),
            "blend" => self.blend = word(json, &BLENDS, "absolute, rest-relative or additive")?,
            "kind" => self.kind = Some(kind(json)?),
            "interval" => self.interval = Some(number(json)?),
            "times" => self.times = values::numbers(json, budget)?,
            "interpolation" => self.interpolation = Some(interpolations(json, budget)?),
            "values" => return Ok(mark(&mut self.values, json)),
            "leftTangents" => return Ok(mark(&mut self.left, json)),
            "rightTangents" => return Ok(mark(&mut self.right, json)),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Records the position of a value and skips it.
fn mark<'t>(slot: &mut Option<Mark<'t>>, json: &Json<'t>) -> bool {
    *slot = Some(json.mark());
    false
}

fn kind(json: &mut Json<'_>) -> JsonResult<ValueKind> {
    const EXPECTED: &str = "a kind of values such as float3";
    let at = json.offset();
    let name = json.string(EXPECTED)?;
    ValueKind::from_name(&name).ok_or_else(|| wrong(at, EXPECTED, &name))
}

fn interpolations(json: &mut Json<'_>, budget: &mut Budget) -> JsonResult<Interpolations> {
    const EXPECTED: &str = "hold, linear, hermite or bezier";
    if json.peek() == Some(b'"') {
        return word(json, &INTERPOLATIONS, EXPECTED).map(Interpolations::Shared);
    }
    let mut each = Vec::new();
    array(json, |json| {
        charge(json, budget, 1)?;
        each.push(word(json, &INTERPOLATIONS, EXPECTED)?);
        Ok(())
    })?;
    Ok(Interpolations::PerKey(each))
}
