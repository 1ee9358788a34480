//! Changes units of length and the width of floats.

use inbetween_core::rows::{self, each_row};
use inbetween_core::{
    Document, Handle, KeyColumns, Narrowing, Outcome, Property, Quat, Shape, Tangents, TrackData,
    Values, counted,
};

use crate::work::{Work, check_number};
use crate::{EditError, Settings, TrackPattern, codes};

/// Multiplies all lengths by a factor: translations, their tangents and their handles, and the rest
/// positions of the skeleton.
///
/// Rotations, scales, weights and custom properties are not lengths. Values are rounded to their
/// kind; a factor that is a power of two is exact, and a factor of 1 changes nothing.
///
/// # Errors
///
/// If the factor is not a positive finite number, or makes a rest position infinite.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData, Values};
/// use inbetween_edit::{Settings, scale};
///
/// let data = TrackData::uniform(1.0, vec![[100.0_f32, 0.0, -50.0]]);
/// let track = Track::new(Target::new("door", Property::Translation), data)?;
/// let clip = Animation::new(vec![track]);
/// let meters = scale(Document::single(clip), 0.01, &Settings::default())?.value;
/// let values = meters.clips[0].tracks[0].data().values();
/// assert_eq!(*values, Values::from(vec![[1.0_f32, 0.0, -0.5]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scale(
    mut document: Document,
    factor: f64,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    check_factor("scale", "a positive factor such as 0.01", factor)?;
    if factor != 1.0 {
        document.forget_model();
    }
    if let Some(skeleton) = &document.skeleton {
        let scaled = skeleton.map(|bone| {
            bone.translation = bone.translation.map(|vector| vector.map(|part| part * factor));
        });
        document.skeleton = Some(scaled?);
    }
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            if target.property != Property::Translation || factor == 1.0 {
                return Ok((target, data));
            }
            Ok((target, multiplied(data, factor, work)?))
        })?;
        Ok(clip)
    })
}

/// Multiplies the values of a track, and reports those that become infinite.
fn multiplied(data: TrackData, factor: f64, work: &mut Work<'_>) -> Result<TrackData, EditError> {
    let before = rows::not_finite(data.values()).count();
    let data = linear_map(data, |row| row.iter_mut().for_each(|part| *part *= factor))?;
    say_out_of_range(before, &data, work);
    Ok(data)
}

/// Multiplies the values of the tracks that one of the patterns matches, with their tangents and
/// handles; without patterns those of all tracks.
///
/// Quaternions, and values that are not floats, have no multiple: they stay, and are reported. The rest
/// pose stays.
///
/// # Errors
///
/// If the factor is not finite.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData, Values};
/// use inbetween_edit::{Settings, TrackPattern, scale_values};
///
/// let data = TrackData::uniform(1.0, vec![0.5_f32, 1.0]);
/// let smile = Track::new(Target::new("face", Property::Weight("smile".into())), data)?;
/// let clip = Document::single(Animation::new(vec![smile]));
/// let patterns = TrackPattern::list("face/Weight:smile")?;
/// let wide = scale_values(clip, &patterns, 1.5, &Settings::default())?.value;
/// let values = wide.clips[0].tracks[0].data().values();
/// assert_eq!(*values, Values::from(vec![0.75_f32, 1.5]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scale_values(
    document: Document,
    patterns: &[TrackPattern],
    factor: f64,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    check_number("scale-values", "a factor such as 1.2", factor, true)?;
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        let mut numbers = 0..clip.tracks.len();
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let index = numbers.next().unwrap_or_default();
            let is_chosen = patterns.is_empty()
                || patterns.iter().any(|pattern| pattern.matches_track(index, &target));
            if !is_chosen || factor == 1.0 {
                return Ok((target, data));
            }
            let kind = data.kind();
            if kind.is_quaternion() || !kind.is_float() {
                work.say(codes::NOT_SCALED, format!("{kind} values"));
                return Ok((target, data));
            }
            Ok((target, multiplied(data, factor, work)?))
        })?;
        Ok(clip)
    })
}

/// Returns an error unless a factor of lengths is positive and finite.
pub(crate) fn check_factor(
    what: &'static str,
    expected: &'static str,
    factor: f64,
) -> Result<(), EditError> {
    check_number(what, expected, factor, factor > 0.0)
}

/// Reports the keys that became infinite, given how many were not finite before an edit that makes
/// none of them finite.
pub(crate) fn say_out_of_range(before: usize, data: &TrackData, work: &mut Work<'_>) {
    let lost = rows::not_finite(data.values()).count().saturating_sub(before);
    if lost > 0 {
        work.say(codes::OUT_OF_RANGE, counted(lost, "key"));
    }
}

/// Applies a linear map to the values of a track, and to its tangents and handles.
///
/// Tangents are differences or points; a linear map treats both alike. Handles of vectors have one
/// time per component, which stays with the component.
pub(crate) fn linear_map(
    data: TrackData,
    change: impl Fn(&mut [f64]),
) -> Result<TrackData, EditError> {
    map_keys(data, &change, |handles| {
        let mut row: Vec<f64> = handles.iter().map(|handle| handle.value).collect();
        change(&mut row);
        for (handle, value) in handles.iter_mut().zip(row) {
            *handle = Handle { value, ..*handle };
        }
    })
}

/// Maps the numbers of every value and tangent of a track, and the handles of every key.
pub(crate) fn map_keys(
    data: TrackData,
    change: impl Fn(&mut [f64]),
    change_handles: impl Fn(&mut [Handle]),
) -> Result<TrackData, EditError> {
    if let Shape::Uniform { interval } = data.shape() {
        let interval = *interval;
        let (_, mut values) = data.into_parts();
        each_row(&mut values, |_, row| change(row));
        return Ok(TrackData::uniform(interval, values));
    }
    let mut keys = KeyColumns::of(data);
    each_row(&mut keys.values, |_, row| change(row));
    match &mut keys.tangents {
        Some(Tangents::Values { left, right }) => {
            each_row(left, |_, row| change(row));
            each_row(right, |_, row| change(row));
        }
        Some(Tangents::Handles { left, right }) => {
            let width = left.len().checked_div(keys.times.len()).unwrap_or(1).max(1);
            left.chunks_mut(width).chain(right.chunks_mut(width)).for_each(change_handles);
        }
        _ => {}
    }
    Ok(keys.into_data()?)
}

fn widened(values: Values) -> Values {
    let kind = values.kind().widened();
    rows::converted(values, kind)
}

/// Widens `f32` values to `f64`, exactly.
///
/// `color` has no wider kind and is unchanged.
///
/// # Errors
///
/// Never for valid tracks; the type allows callers to chain edits.
pub fn to_f64(document: Document, settings: &Settings) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        clip.tracks =
            work.tracks(clip.tracks, |_, target, data| Ok((target, data.map_columns(widened)?)))?;
        Ok(clip)
    })
}

/// Narrows `f64` values to `f32`, and reports the largest change in the unit of
/// [`value_error`](inbetween_core::value_error).
///
/// Handles are unchanged.
///
/// # Errors
///
/// Never for valid tracks; the type allows callers to chain edits.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween_edit::{Settings, to_f32};
///
/// let data = TrackData::uniform(1.0, vec![0.5_f64, 0.1]);
/// let track = Track::new(Target::new("lamp", Property::Custom(None)), data)?;
/// let clip = Animation::new(vec![track]);
/// let narrow = to_f32(Document::single(clip), &Settings::default())?;
/// assert_eq!(narrow.findings[0].message, "1 of 2 double values, off by at most 1.5e-9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_f32(document: Document, settings: &Settings) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let (kind, mut narrowing) = (data.kind(), Narrowing::default());
            let wide = match (data.tangents(), data.values()) {
                (None, Values::DoubleQ(wide)) => Some(wide.clone()),
                _ => None,
            };
            let data = data.map_columns(|values| {
                let mut narrow = narrowing.values(values);
                if let (Some(wide), Values::FloatQ(narrow)) = (&wide, &mut narrow) {
                    keep_directions(wide, narrow);
                }
                narrow
            })?;
            let findings = narrowing.findings(format_args!("{kind} values"));
            work.findings.extend(findings);
            Ok((target, data))
        })?;
        Ok(clip)
    })
}

/// Keeps the way that slerps turn between rotations about half a turn apart.
///
/// A slerp turns the other way if the product of its two rotations is negative. Rounding may make a small
/// negative product 0. The second rotation is then negated, which is the same rotation.
fn keep_directions(wide: &[Quat<f64>], narrow: &mut [Quat<f32>]) {
    let mut before: Option<(Quat<f64>, Quat<f32>)> = None;
    for (wide, narrow) in wide.iter().zip(narrow) {
        let mut wide = *wide;
        if let Some((wide_before, narrow_before)) = before
            && wide_before.dot(wide) < 0.0
            && narrow_before.dot(*narrow) == 0.0
        {
            wide = Quat::from_array(wide.to_array().map(|part| -part));
            *narrow = Quat::from_array(narrow.to_array().map(|part| -part));
        }
        before = Some((wide, *narrow));
    }
}
