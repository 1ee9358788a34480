//! Changes units of length and the width of floats.

use std::collections::BTreeSet;

use inbetween_core::num::f32_from_f64;
use inbetween_core::{
    Document, Finding, Handle, Outcome, Property, Quat, Shape, StatedError, Tangents, TrackData,
    Value, Values, codes as shared, counted, leaps, value_error,
};

use crate::keys::EditedKeys;
use crate::work::{Work, check_number};
use crate::{EditError, Settings, codes};
use inbetween_core::rows::each_row;

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
    check_number("scale", "a positive factor such as 0.01", factor, factor > 0.0)?;
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
            let before = finite(data.values());
            let data = linear_map(data, |row| row.iter_mut().for_each(|part| *part *= factor))?;
            let lost = before.saturating_sub(finite(data.values()));
            if lost > 0 {
                work.say(codes::OUT_OF_RANGE, counted(lost, "key"));
            }
            Ok((target, data))
        })?;
        Ok(clip)
    })
}

/// Returns the number of rows of finite numbers.
fn finite(values: &Values) -> usize {
    let mut copy = values.clone();
    let mut finite = 0_usize;
    each_row(&mut copy, |_, row| {
        finite = finite.saturating_add(usize::from(row.iter().all(|part| part.is_finite())));
    });
    finite
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
    let mut keys = EditedKeys::of(data);
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

macro_rules! define_widths {
    ($($narrow:ident $wide:ident $narrow_type:ty, $wide_type:ty;)*) => {
        fn widened(values: Values) -> Values {
            match values {
                $(Values::$narrow(column) => {
                    let wide = column.into_iter().map(<$wide_type as From32<_>>::from32);
                    Values::$wide(wide.collect())
                })*
                other => other,
            }
        }

        /// Returns the values as `f32`, and the largest error if there is one.
        pub(crate) fn narrowed(values: Values) -> (Values, Option<f64>) {
            match values {
                $(Values::$wide(column) => {
                    let narrow: Vec<$narrow_type> =
                        column.iter().map(|value| value.to32()).collect();
                    let back = narrow.iter().map(|value| <$wide_type as From32<_>>::from32(*value));
                    let errors = column.iter().zip(back).map(|(value, back)| {
                        value_error(&Value::$wide(*value), &Value::$wide(back))
                    });
                    let worst = errors.fold(0.0, f64::max);
                    let narrow = Values::$narrow(narrow);
                    let exact = widened(narrow.clone()) == Values::$wide(column);
                    (narrow, (!exact).then_some(worst))
                })*
                other => (other, None),
            }
        }
    };
}
define_widths! {
    Float Double f32, f64;
    Float2 Double2 [f32; 2], [f64; 2];
    Float3 Double3 [f32; 3], [f64; 3];
    Float4 Double4 [f32; 4], [f64; 4];
    FloatQ DoubleQ Quat<f32>, Quat<f64>;
    Float2x2 Double2x2 [[f32; 2]; 2], [[f64; 2]; 2];
    Float3x3 Double3x3 [[f32; 3]; 3], [[f64; 3]; 3];
    Float4x4 Double4x4 [[f32; 4]; 4], [[f64; 4]; 4];
}

/// An `f64` type and the corresponding `f32` type.
trait From32<N>: Copy {
    fn from32(narrow: N) -> Self;
    fn to32(self) -> N;
}

impl From32<f32> for f64 {
    fn from32(narrow: f32) -> Self {
        Self::from(narrow)
    }

    fn to32(self) -> f32 {
        f32_from_f64(self)
    }
}

impl<W: From32<N>, N, const LEN: usize> From32<[N; LEN]> for [W; LEN] {
    fn from32(narrow: [N; LEN]) -> Self {
        narrow.map(W::from32)
    }

    fn to32(self) -> [N; LEN] {
        self.map(W::to32)
    }
}

impl From32<Quat<f32>> for Quat<f64> {
    fn from32(narrow: Quat<f32>) -> Self {
        narrow.into()
    }

    fn to32(self) -> Quat<f32> {
        Quat::from_array(self.to_array().map(f32_from_f64))
    }
}

/// Widens `f32` values to `f64`, exactly.
///
/// `color` has no wider kind and is unchanged. In Resonite, slerps between rotations that `f32`
/// cannot distinguish show their end at once, but turn in `f64`: the largest angle is reported.
///
/// # Errors
///
/// Never for valid tracks; the type allows callers to chain edits.
pub fn to_f64(document: Document, settings: &Settings) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let before = leaps(&data, work.rules);
            let data = change_columns(data, widened)?;
            work.say_slerp_differs(changed_leap(&before, &leaps(&data, work.rules)));
            Ok((target, data))
        })?;
        Ok(clip)
    })
}

/// Narrows `f64` values to `f32`, and reports the largest change in the unit of [`value_error`].
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
/// assert_eq!(narrow.findings[0].message, "double became float, off by at most 1.491e-9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_f32(document: Document, settings: &Settings) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let (before, mut worst) = (data.kind(), None::<f64>);
            let before_leaps = leaps(&data, work.rules);
            let data = change_columns(data, |values| {
                let (values, error) = narrowed(values);
                worst = error
                    .map_or(worst, |error| Some(worst.map_or(error, |worst| worst.max(error))));
                values
            })?;
            let early = changed_leap(&before_leaps, &leaps(&data, work.rules));
            if let Some(worst) = worst {
                let after = data.kind();
                let error = StatedError::of_value(worst + early);
                let finding = Finding::new(
                    shared::VALUES_NARROWED,
                    format!("{before} became {after}, {error}"),
                );
                work.findings.push(finding.at(work.path()).error(error));
            } else {
                work.say_slerp_differs(early);
            }
            Ok((target, data))
        })?;
        Ok(clip)
    })
}

/// Returns the largest angle of a slerp that jumps before a change or after it, but not both.
fn changed_leap(before: &[(usize, f64)], after: &[(usize, f64)]) -> f64 {
    let only = |one: &[(usize, f64)], other: &[(usize, f64)]| {
        let keys: BTreeSet<usize> = other.iter().map(|(key, _)| *key).collect();
        let alone = one.iter().filter(|(key, _)| !keys.contains(key));
        alone.map(|(_, angle)| *angle).fold(0.0, f64::max)
    };
    only(before, after).max(only(after, before))
}

/// Maps the values of a track and its value tangents.
fn change_columns(
    data: TrackData,
    mut change: impl FnMut(Values) -> Values,
) -> Result<TrackData, EditError> {
    if let Shape::Uniform { interval } = data.shape() {
        let interval = *interval;
        return Ok(TrackData::uniform(interval, change(data.into_parts().1)));
    }
    let mut keys = EditedKeys::of(data);
    keys.values = change(keys.values);
    keys.tangents = keys.tangents.map(|tangents| match tangents {
        Tangents::Values { left, right } => {
            Tangents::Values { left: change(left), right: change(right) }
        }
        other => other,
    });
    Ok(keys.into_data()?)
}
