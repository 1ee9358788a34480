//! Prepares tracks for the engine: joins those of single components, and makes them play the same by
//! its rules.

use inbetween_core::lower::Lowering;
use inbetween_core::{
    Baker, DEFAULT_BOUND, Finding, Grid, Interpolation, Path, Property, Quat, Rules, Shape,
    StatedError, TrackData, Value, Values, WriteError, codes as shared, counted, insert_keys, num,
    translate, value_error,
};

use super::{PLAIN, Source, Writer};
use crate::convert::group::{GroupKeys, share_times, times_of_all};
use crate::read::ID;
use crate::{EULER_ORDER, RULES, codes};

impl Writer<'_> {
    /// Creates the keys of the tracks of a group; the paths are those of the group and of each of
    /// its axes.
    pub(super) fn keys(
        &mut self,
        property: &Property,
        source: Source,
        (path, paths): (&Path, &[Path; 3]),
    ) -> Result<GroupKeys, WriteError> {
        let axes = match source {
            Source::Whole(_, data) => return self.vectors(property, data, self.rules, path),
            Source::Axes(axes) => axes.map(|axis| axis.map(|(_, data)| data)),
        };
        match axes {
            [Some(x), Some(y), Some(z)] if is_native(property) && share_times([&x, &y, &z]) => {
                let axes = self.translated_axes(property, [x, y, z], (self.rules, RULES), path)?;
                if share_times(axes.each_ref()) {
                    return GroupKeys::of_numbers(axes, paths, &mut self.findings);
                }
                self.merged(property, &axes.map(Some), (path, paths))
            }
            axes if is_native(property) && axes.iter().flatten().any(|axis| !axis.is_empty()) => {
                self.merged(property, &axes, (path, paths))
            }
            axes => self.joined(property, &axes, self.rules, path),
        }
    }

    /// Creates the keys of components whose keys are at different times. Each gets keys at the
    /// times of the others, which does not change how it plays.
    fn merged(
        &mut self,
        property: &Property,
        axes: &[Option<TrackData>; 3],
        (path, paths): (&Path, &[Path; 3]),
    ) -> Result<GroupKeys, WriteError> {
        let failed = |error| WriteError::from_bake(ID, &error).at_path(path.clone());
        let given = || axes.iter().flatten();
        let rest = property.component_at_rest();
        let plain = axes.each_ref().map(|axis| match axis {
            Some(data) if !data.is_empty() => data.clone(),
            _ => TrackData::uniform(1.0, vec![num::f32_from_f64(rest)]),
        });
        let plain = self.translated_axes(property, plain, (self.rules, PLAIN), path)?;
        let times = times_of_all(&plain);
        let filled = plain.each_ref().map(|axis| insert_keys(axis, &times, PLAIN).map_err(failed));
        let [x, y, z] = filled;
        let filled = [x?, y?, z?];
        if !share_times(filled.each_ref()) {
            return self.joined(property, axes, self.rules, path);
        }
        let finished = self.translated_axes(property, filled, (PLAIN, RULES), path)?;
        if !share_times(finished.each_ref()) {
            return self.joined(property, &finished.map(Some), RULES, path);
        }
        let message = format!(
            "{} of {} became {}, which play the same",
            counted(given().count(), "track"),
            counted(given().map(TrackData::len).max().unwrap_or(0), "key"),
            counted(times.len(), "key")
        );
        self.say(shared::COMPONENTS_JOINED, message, path.clone());
        GroupKeys::of_numbers(finished, paths, &mut self.findings)
    }

    /// Returns components that play the same by other rules.
    fn translated_axes(
        &mut self,
        property: &Property,
        axes: [TrackData; 3],
        rules: (Rules, Rules),
        path: &Path,
    ) -> Result<[TrackData; 3], WriteError> {
        let [x, y, z] = axes.map(|data| self.translated(property, data, rules, path));
        Ok([x?, y?, z?])
    }

    /// Returns a track that plays the same by other rules.
    fn translated(
        &mut self,
        property: &Property,
        data: TrackData,
        (from, to): (Rules, Rules),
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        // The format has no quaternions, so the slerp does not matter.
        let from = from.with_slerp(to.slerp);
        let translated = translate(data, property, from, to, self.budget);
        let failed = |error| WriteError::from_bake(ID, &error).at_path(path.clone());
        Ok(translated.map_err(failed)?.data)
    }

    /// Creates the keys of the available components, which play by `rules`.
    fn joined(
        &mut self,
        property: &Property,
        axes: &[Option<TrackData>; 3],
        rules: Rules,
        path: &Path,
    ) -> Result<GroupKeys, WriteError> {
        let making = Baker::new(Grid::Bound(DEFAULT_BOUND), self.budget).for_target(rules);
        let joined = Lowering { baker: making }
            .join_parts(property, axes, path, &mut self.findings)
            .map_err(|error| WriteError::from_bake(ID, &error).at_path(path.clone()))?;
        // Baked angles may reach a full turn at any key.
        self.vectors(property, joined, PLAIN, path)
    }

    /// Creates the keys of a track of vectors or quaternions that plays by `rules`.
    fn vectors(
        &mut self,
        property: &Property,
        data: TrackData,
        rules: Rules,
        path: &Path,
    ) -> Result<GroupKeys, WriteError> {
        let rules = rules.with_slerp(self.rules.slerp);
        let angles = match property {
            Property::Rotation => self.angles(&data, StatedError::default(), rules, path)?,
            Property::RotationEuler(order) if *order != EULER_ORDER => {
                let failed = |error| WriteError::from_bake(ID, &error).at_path(path.clone());
                // Each of the two steps gets half of the bound.
                let mut making = Baker::new(Grid::Bound(DEFAULT_BOUND / 2.0), self.budget);
                let baked = making.quaternions(&data, *order, rules).map_err(failed)?;
                let plain = PLAIN.with_slerp(making.target.slerp);
                self.angles(&baked.data, baked.error, plain, path)?
            }
            _ => {
                let data = self.translated(property, data, (rules, RULES), path)?;
                return GroupKeys::of_vectors(data, path, &mut self.findings);
            }
        };
        let property = Property::RotationEuler(EULER_ORDER);
        let angles = self.translated(&property, angles, (PLAIN, RULES), path)?;
        GroupKeys::of_vectors(angles, path, &mut self.findings)
    }

    /// Replaces quaternions that play by `rules` by Euler angles; `before` is the error that the
    /// quaternions already have.
    fn angles(
        &mut self,
        data: &TrackData,
        before: StatedError,
        rules: Rules,
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        let (angles, mut error) = if let Some(held) = held_angles(data) {
            let error = held_error(data, &held);
            (held, error)
        } else {
            let mut making = Baker::new(Grid::Bound(DEFAULT_BOUND / 2.0), self.budget);
            let baked = making.angles(data, EULER_ORDER, rules);
            let baked =
                baked.map_err(|error| WriteError::from_bake(ID, &error).at_path(path.clone()))?;
            (baked.data, baked.error)
        };
        error.value += before.value;
        let message =
            format!("{} became {}, {error} radians", counted(data.len(), "key"), angles.len());
        let finding = Finding::new(codes::ROTATION_AS_EULER, message).at(path.clone());
        self.findings.push(finding.error(error));
        Ok(angles)
    }
}

/// Returns whether the file stores the values of a property unchanged.
fn is_native(property: &Property) -> bool {
    !matches!(property, Property::RotationEuler(order) if *order != EULER_ORDER)
}

/// Returns the angles of quaternions that hold from key to key; `None` if some are interpolated.
fn held_angles(data: &TrackData) -> Option<TrackData> {
    let holds = |key| data.interpolation(key) == Interpolation::Hold;
    let uniform = matches!(data.shape(), Shape::Uniform { .. });
    if uniform || !(0..data.len().saturating_sub(1)).all(holds) {
        return None;
    }
    let rotations: Vec<Quat<f64>> = match data.values() {
        Values::FloatQ(values) => values.iter().map(|value| Quat::<f64>::from(*value)).collect(),
        Values::DoubleQ(values) => values.clone(),
        _ => return None,
    };
    let mut near = None;
    let angles = rotations.into_iter().map(|rotation| {
        let angles = EULER_ORDER.angles(rotation, near);
        near = Some(angles);
        angles.map(num::f32_from_f64)
    });
    let angles: Vec<[f32; 3]> = angles.collect();
    let times = data.times().collect();
    TrackData::stepped(times, angles).ok()
}

/// Returns the error of held angles compared to their quaternions; infinite if one of these is not
/// a valid rotation.
fn held_error(data: &TrackData, angles: &TrackData) -> StatedError {
    let off = |key: usize| {
        let rotation = match data.value(key) {
            Some(Value::FloatQ(rotation)) => Value::DoubleQ(rotation.into()),
            Some(other) => other,
            None => return 0.0,
        };
        let Some(Value::Float3(angles)) = angles.value(key) else { return f64::INFINITY };
        let rotated = EULER_ORDER.quaternion(angles.map(f64::from));
        value_error(&rotation, &Value::DoubleQ(rotated))
    };
    StatedError::of_value((0..data.len()).map(off).fold(0.0, f64::max))
}
