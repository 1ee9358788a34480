//! Prepares tracks for the engine: joins those of single components, and makes them play the same by
//! its rules.

use inbetween_core::lower::Rest;
use inbetween_core::{
    BakeError, Baked, Baker, Bound, Curves, Grid, Path, Property, Rules, Target, TrackData,
    WriteError, codes as shared, counted, is_unit, normalize, translate,
};

use super::{PLAIN, Source, Writer};
use crate::convert::group::{GroupKeys, share_times};
use crate::layout::ID;
use crate::{EULER_ORDER, RULES, codes};

impl Writer<'_> {
    /// Creates the keys of the tracks of a group; the paths are those of the group and of each of
    /// its axes.
    pub(super) fn keys(
        &mut self,
        target: &Target,
        source: Source,
        (path, paths): (&Path, &[Path; 3]),
    ) -> Result<GroupKeys, WriteError> {
        let property = &target.property;
        let axes = match source {
            Source::Whole(_, data) => return self.vectors(property, data, self.rules, path),
            Source::Axes(axes) => axes.map(|axis| axis.map(|(_, data)| data)),
        };
        let [x, y, z] = match axes {
            [Some(x), Some(y), Some(z)] if is_native(property) && share_times([&x, &y, &z]) => {
                [x, y, z]
            }
            axes => return self.joined(target, axes, self.rules, path),
        };
        let axes = Self::translated_axes(property, [x, y, z].map(Some), (self.rules, RULES), path)?;
        match axes {
            [Some(x), Some(y), Some(z)] if share_times([&x, &y, &z]) => {
                GroupKeys::of_numbers([x, y, z], paths, &mut self.findings)
            }
            axes => self.joined(target, axes, RULES, path),
        }
    }

    /// Returns components that play the same by other rules.
    fn translated_axes(
        property: &Property,
        axes: [Option<TrackData>; 3],
        rules: (Rules, Rules),
        path: &Path,
    ) -> Result<[Option<TrackData>; 3], WriteError> {
        let translated =
            axes.map(|data| data.map(|data| Self::translated(property, data, rules, path)));
        let [x, y, z] = translated.map(Option::transpose);
        Ok([x?, y?, z?])
    }

    /// Returns a track that plays the same by other rules.
    fn translated(
        property: &Property,
        data: TrackData,
        (from, to): (Rules, Rules),
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        // The format has no quaternions, so the slerp does not matter.
        let translated = translate(data, property, from.with_slerp(to.slerp), to);
        let failed = |error| WriteError::from_bake(ID, &error).at_path(path.clone());
        Ok(translated.map_err(failed)?.data)
    }

    /// Creates the keys of the available components, which play by `rules`. An axis without a
    /// track rests: X4 has 0 for positions and 1 for scales.
    fn joined(
        &mut self,
        target: &Target,
        axes: [Option<TrackData>; 3],
        rules: Rules,
        path: &Path,
    ) -> Result<GroupKeys, WriteError> {
        let property = &target.property;
        let rest = match property {
            Property::RotationEuler(_) => Rest::of(target, self.skeleton.as_ref()),
            _ => Rest { is_known: true, ..Rest::of(target, self.skeleton.as_ref()) },
        };
        self.findings.extend(rest.finding(&axes, path));
        let axes = Self::translated_axes(property, axes, (rules, PLAIN), path)?;
        let baked = self.bake(path, |baker| baker.join(&axes, rest.values, PLAIN))?;
        let given = || axes.iter().flatten();
        let message = format!(
            "{} of {} became {}",
            counted(given().count(), "track"),
            counted(given().map(TrackData::len).max().unwrap_or(0), "key"),
            counted(baked.data.len(), "key")
        );
        self.findings.extend(baked.findings(shared::COMPONENTS_JOINED, &message, path));
        let vectors = if is_native(property) {
            baked.data
        } else {
            self.angles(property, &baked.data, PLAIN, path)?
        };
        // Angles may reach a full turn at any key.
        let data = Self::translated(property, vectors, (PLAIN, RULES), path)?;
        GroupKeys::of_baked(data, path, &mut self.findings)
    }

    /// Creates the keys of a track of vectors or quaternions that plays by `rules`.
    fn vectors(
        &mut self,
        property: &Property,
        data: TrackData,
        rules: Rules,
        path: &Path,
    ) -> Result<GroupKeys, WriteError> {
        if *property != Property::Rotation && is_native(property) {
            let data = Self::translated(property, data, (rules, RULES), path)?;
            return GroupKeys::of_vectors(data, path, &mut self.findings);
        }
        let rules = rules.with_slerp(self.rules.slerp);
        // Angles have no length, and the speed that uneven lengths cause would take many keys.
        let normalized = normalize(&data, is_unit, (rules, rules));
        self.findings.extend(normalized.as_ref().map(|normalized| normalized.finding(path)));
        let data = normalized.map_or(data, |normalized| normalized.data);
        let angles = self.angles(property, &data, rules, path)?;
        let property = Property::RotationEuler(EULER_ORDER);
        let angles = Self::translated(&property, angles, (PLAIN, RULES), path)?;
        GroupKeys::of_baked(angles, path, &mut self.findings)
    }

    /// Replaces rotations that play by `rules` by Euler angles of the engine's order.
    fn angles(
        &mut self,
        property: &Property,
        data: &TrackData,
        rules: Rules,
        path: &Path,
    ) -> Result<TrackData, WriteError> {
        let order = match property {
            Property::RotationEuler(order) => *order,
            _ => EULER_ORDER,
        };
        let baked = self.bake(path, |baker| baker.angles(data, order, EULER_ORDER, rules))?;
        if !data.is_empty() {
            let message = format!("{} became {}", counted(data.len(), "key"), baked.data.len());
            self.findings.extend(baked.findings(codes::ROTATION_AS_EULER, &message, path));
        }
        Ok(baked.data)
    }

    fn bake(
        &mut self,
        path: &Path,
        bake: impl FnOnce(&mut Baker<'_>) -> Result<Baked, BakeError>,
    ) -> Result<Baked, WriteError> {
        let bound = Bound::new(Curves::Cubic).with_frame_rate(self.frame_rate);
        let baked = bake(&mut Baker::new(Grid::Bound(bound), self.budget).for_target(PLAIN));
        baked.map_err(|error| WriteError::from_bake(ID, &error).at_path(path.clone()))
    }
}

/// Returns whether the file stores the values of a property unchanged.
fn is_native(property: &Property) -> bool {
    !matches!(property, Property::RotationEuler(order) if *order != EULER_ORDER)
}
