//! Prepares tracks for the engine: joins those of single components, and makes them play the same by
//! its rules.

use inbetween_core::lower::{GroupedKeys, Rest, TrackGroup};
use inbetween_core::{
    Axis, BakeError, Baker, Bound, Context, Curves, Grid, Normalized, Property, Rules, Target,
    TrackData, WriteError, codes as shared, counted, is_unit, normalize, translate,
};

use super::{PLAIN, Writer};
use crate::convert::group::{GroupKeys, report_numbers, share_times};
use crate::{EULER_ORDER, RULES, codes};

impl Writer {
    /// Creates the keys of the tracks of a group.
    pub(super) fn keys(
        &self,
        source: TrackGroup,
        context: &mut Context<'_>,
    ) -> Result<GroupKeys, WriteError> {
        let TrackGroup { index: first, indices, target, keys } = source;
        let target = &target;
        let axes = match keys {
            GroupedKeys::Whole(data) => {
                return context.track(first, target, |context| {
                    self.vectors(&target.property, *data, self.rules, context)
                });
            }
            GroupedKeys::Axes(axes) => *axes,
        };
        let numbers =
            context.track(first, target, |_| Ok(self.numbers(&target.property, axes)?))?;
        let axes = match numbers {
            Numbers::Stored(axes) => axes,
            Numbers::Joined(axes, rules) => {
                return context
                    .track(first, target, |context| self.joined(target, axes, rules, context));
            }
        };
        for ((axis, index), data) in Axis::ALL.into_iter().zip(indices).zip(&axes) {
            let target = target.clone().with_component(axis);
            context
                .track(index.unwrap_or(first), &target, |context| report_numbers(data, context))?;
        }
        context.track(first, target, |context| Ok(GroupKeys::of_numbers(axes, context)))
    }

    /// Makes components play by the engine's rules if their keys can be stored as they are.
    fn numbers(
        &self,
        property: &Property,
        axes: [Option<TrackData>; 3],
    ) -> Result<Numbers, BakeError> {
        let [x, y, z] = match axes {
            [Some(x), Some(y), Some(z)] if is_native(property) && share_times([&x, &y, &z]) => {
                [x, y, z]
            }
            axes => return Ok(Numbers::Joined(axes, self.rules)),
        };
        Ok(match translated_axes(property, [x, y, z].map(Some), (self.rules, RULES))? {
            [Some(x), Some(y), Some(z)] if share_times([&x, &y, &z]) => Numbers::Stored([x, y, z]),
            axes => Numbers::Joined(axes, RULES),
        })
    }

    /// Creates the keys of the available components, which play by `rules`. An axis without a
    /// track rests: X4 has 0 for positions and 1 for scales.
    fn joined(
        &self,
        target: &Target,
        axes: [Option<TrackData>; 3],
        rules: Rules,
        context: &mut Context<'_>,
    ) -> Result<GroupKeys, WriteError> {
        let property = &target.property;
        let rest = match property {
            Property::RotationEuler(_) => Rest::of(target, self.fit.skeleton()),
            _ => Rest { is_known: true, ..Rest::of(target, self.fit.skeleton()) },
        };
        context.findings.extend(rest.finding(&axes));
        let axes = translated_axes(property, axes, (rules, PLAIN))?;
        let baked = self.baker().join(&axes, rest.values, PLAIN, context.budget)?;
        let given = || axes.iter().flatten();
        let message = format!(
            "{} of {} became {}",
            counted(given().count(), "track"),
            counted(given().map(TrackData::len).max().unwrap_or(0), "key"),
            counted(baked.data.len(), "key")
        );
        context.findings.extend(baked.findings(shared::COMPONENTS_JOINED, &message));
        let vectors = if is_native(property) {
            baked.data
        } else {
            self.angles(property, &baked.data, PLAIN, context)?
        };
        // Angles may reach a full turn at any key.
        GroupKeys::of_baked(translated(property, vectors, (PLAIN, RULES))?, context)
    }

    /// Creates the keys of a track of vectors or quaternions that plays by `rules`.
    fn vectors(
        &self,
        property: &Property,
        data: TrackData,
        rules: Rules,
        context: &mut Context<'_>,
    ) -> Result<GroupKeys, WriteError> {
        if *property != Property::Rotation && is_native(property) {
            return GroupKeys::of_vectors(translated(property, data, (rules, RULES))?, context);
        }
        if let Property::RotationEuler(order) = property
            && let Some(data) = order.mirrored(EULER_ORDER, &data)
        {
            context.say(codes::ROTATION_AS_EULER, "angles with other signs");
            let data = translated(property, data, (rules, RULES))?;
            return GroupKeys::of_vectors(data, context);
        }
        let rules = rules.with_slerp(self.rules.slerp);
        // Angles have no length, and the speed that uneven lengths cause would take many keys.
        let normalized = normalize(&data, is_unit, (rules, rules));
        context.findings.extend(normalized.as_ref().map(Normalized::finding));
        let data = normalized.map_or(data, |normalized| normalized.data);
        let angles = self.angles(property, &data, rules, context)?;
        let property = Property::RotationEuler(EULER_ORDER);
        GroupKeys::of_baked(translated(&property, angles, (PLAIN, RULES))?, context)
    }

    /// Replaces rotations that play by `rules` by Euler angles of the engine's order.
    fn angles(
        &self,
        property: &Property,
        data: &TrackData,
        rules: Rules,
        context: &mut Context<'_>,
    ) -> Result<TrackData, BakeError> {
        let order = match property {
            Property::RotationEuler(order) => *order,
            _ => EULER_ORDER,
        };
        let baked = self.baker().angles(data, order, EULER_ORDER, rules, context.budget)?;
        if !data.is_empty() {
            let message = format!("{} became {}", counted(data.len(), "key"), baked.data.len());
            context.findings.extend(baked.findings(codes::ROTATION_AS_EULER, &message));
        }
        Ok(baked.data)
    }

    fn baker(&self) -> Baker {
        let bound = Bound::new(Curves::Cubic).with_frame_rate(self.frame_rate);
        Baker::new(Grid::Bound(bound)).for_target(PLAIN)
    }
}

/// The tracks of the axes of a property.
enum Numbers {
    /// With keys that are stored as they are.
    Stored([TrackData; 3]),
    /// To join; they play by these rules.
    Joined([Option<TrackData>; 3], Rules),
}

/// Returns components that play the same by other rules.
fn translated_axes(
    property: &Property,
    axes: [Option<TrackData>; 3],
    rules: (Rules, Rules),
) -> Result<[Option<TrackData>; 3], BakeError> {
    let translated = axes.map(|data| data.map(|data| translated(property, data, rules)));
    let [x, y, z] = translated.map(Option::transpose);
    Ok([x?, y?, z?])
}

/// Returns a track that plays the same by other rules.
fn translated(
    property: &Property,
    data: TrackData,
    (from, to): (Rules, Rules),
) -> Result<TrackData, BakeError> {
    // The format has no quaternions, so the slerp does not matter.
    Ok(translate(data, property, from.with_slerp(to.slerp), to)?.data)
}

/// Returns whether the file stores the values of a property unchanged.
fn is_native(property: &Property) -> bool {
    !matches!(property, Property::RotationEuler(order) if *order != EULER_ORDER)
}
