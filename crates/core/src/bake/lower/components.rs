//! Joining tracks of one component each into tracks of vectors.

use std::collections::HashMap;

use super::Lowering;
use crate::{
    Axis, BakeError, Baked, Blend, Code, Context, Finding, Property, Skeleton, Target, Track,
    TrackData, WriteError, codes, counted,
};

impl Lowering {
    /// Joins the components of each property of each node; keeps the index of the first track.
    pub(super) fn join(
        &self,
        tracks: Vec<(usize, Track)>,
        context: &mut Context<'_>,
    ) -> Result<Vec<(usize, Track)>, WriteError> {
        let tracks = tracks.into_iter().map(|(index, track)| {
            let (target, data) = track.into_parts();
            (index, target, data)
        });
        let groups = group_components(tracks, self.stores.component).into_iter();
        let tracks = groups.map(|TrackGroup { index, target, keys, .. }| match keys {
            GroupedKeys::Whole(data) => Ok((index, Track::trusted(target, *data))),
            GroupedKeys::Axes(parts) => {
                let track = context.track(index, &target.clone(), |context| {
                    Ok(self.join_axes(target, &parts, context)?)
                })?;
                Ok((index, track))
            }
        });
        tracks.collect()
    }

    /// Joins the tracks of one property; Euler angles become quaternions.
    fn join_axes(
        &self,
        target: Target,
        parts: &[Option<TrackData>; 3],
        context: &mut Context<'_>,
    ) -> Result<Track, BakeError> {
        let rest = Rest::of(&target, self.skeleton.as_deref());
        context.findings.extend(rest.finding(parts));
        let Property::RotationEuler(order) = target.property else {
            let data = self.join_parts(&target.property, parts, rest, context)?;
            return Ok(Track::trusted(target, data));
        };
        let rules = self.baker.target;
        let baked =
            self.baker.join_quaternions(order, parts, rest.values, rules, context.budget)?;
        let target = Target { property: Property::Rotation, ..target };
        report_joined(parts, &baked, codes::EULER_BAKED, context);
        Ok(Track::trusted(target, baked.data))
    }

    /// Joins up to three tracks of numbers, one per axis, into one of vectors, and reports it.
    ///
    /// # Errors
    ///
    /// Same as [`Baker::join`](crate::Baker::join).
    pub fn join_parts(
        &self,
        property: &Property,
        parts: &[Option<TrackData>; 3],
        rest: Rest,
        context: &mut Context<'_>,
    ) -> Result<TrackData, BakeError> {
        let rules = self.baker.target.of(property);
        let baked = self.baker.join(parts, rest.values, rules, context.budget)?;
        report_joined(parts, &baked, codes::COMPONENTS_JOINED, context);
        Ok(baked.data)
    }
}

/// The values of the axes that have no track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// The values per axis; angles are in radians.
    pub values: [f64; 3],
    /// Whether the node is known to rest there.
    pub is_known: bool,
}

impl Rest {
    /// The values of a node without a rest pose: 1 for scales, and 0 for others.
    pub const fn neutral(property: &Property) -> Self {
        Self { values: [property.component_at_rest(); 3], is_known: true }
    }

    /// Returns the rest pose of a target.
    ///
    /// A track that is added to the rest pose, or multiplied with it, changes nothing where an axis
    /// has no track.
    pub fn of(target: &Target, skeleton: Option<&Skeleton>) -> Self {
        let neutral = Self::neutral(&target.property);
        if target.blend != Blend::Absolute {
            return neutral;
        }
        let bone = skeleton.zip(target.node.as_deref()).and_then(|(all, node)| all.bone(node));
        let values = bone.and_then(|bone| match &target.property {
            Property::Translation => bone.translation,
            Property::Scale => bone.scale,
            Property::RotationEuler(order) => {
                bone.rotation.map(|rotation| order.angles(rotation, None))
            }
            _ => None,
        });
        let custom = matches!(target.property, Property::Custom(_) | Property::Weight(_));
        values.map_or(Self { is_known: custom, ..neutral }, |values| Self { values, ..neutral })
    }

    /// Returns the finding about axes without a track whose rest pose is not known.
    pub fn finding(&self, parts: &[Option<TrackData>; 3]) -> Option<Finding> {
        let missing = Axis::ALL.into_iter().zip(parts).filter(|(_, part)| part.is_none());
        let names: Vec<&str> = missing.map(|(axis, _)| axis.name()).collect();
        let lost = !self.is_known && !names.is_empty();
        lost.then(|| {
            let [value, ..] = self.values;
            let message = format!("{} became {value}", names.join(" and "));
            Finding::new(codes::AXES_MISSING, message)
        })
    }
}

fn report_joined(
    parts: &[Option<TrackData>; 3],
    baked: &Baked,
    code: Code,
    context: &mut Context<'_>,
) {
    let given = || parts.iter().flatten();
    let message = format!(
        "{} of {} became {}",
        counted(given().count(), "track"),
        counted(given().map(TrackData::len).max().unwrap_or(0), "key"),
        counted(baked.data.len(), "key"),
    );
    context.findings.extend(baked.findings(code, &message));
}

/// A track, or the tracks of the components of one.
#[derive(Clone, Debug)]
pub struct TrackGroup {
    /// The index of the first track.
    pub index: usize,
    /// The index of the track of each component, or of the one track.
    pub indices: [Option<usize>; 3],
    /// The target, without a component if the group has several.
    pub target: Target,
    /// The keys.
    pub keys: GroupedKeys,
}

/// The keys of a [`TrackGroup`].
#[derive(Clone, Debug)]
pub enum GroupedKeys {
    /// The keys of one track.
    Whole(Box<TrackData>),
    /// The keys of the components x, y and z, as far as there are tracks of them.
    Axes(Box<[Option<TrackData>; 3]>),
}

impl GroupedKeys {
    /// Returns the keys of each track.
    pub fn tracks(&self) -> impl Iterator<Item = &TrackData> {
        let (whole, axes) = match self {
            Self::Whole(data) => (Some(&**data), None),
            Self::Axes(axes) => (None, Some(axes.iter().flatten())),
        };
        whole.into_iter().chain(axes.into_iter().flatten())
    }

    /// Returns the slot of a component if it is still free.
    fn free_slot(&mut self, axis: Axis) -> Option<&mut Option<TrackData>> {
        match self {
            Self::Axes(tracks) => tracks.get_mut(axis.index()).filter(|slot| slot.is_none()),
            Self::Whole(_) => None,
        }
    }
}

/// Groups the tracks of single components by their property and node, in the order of their first
/// tracks. Components for which `stores` returns true, and all other tracks, stay alone.
///
/// A second track of the same component begins a group of its own, since nothing says which of the
/// two plays.
pub fn group_components(
    tracks: impl Iterator<Item = (usize, Target, TrackData)>,
    stores: impl Fn(&Target) -> bool,
) -> Vec<TrackGroup> {
    let mut groups: Vec<TrackGroup> = Vec::with_capacity(tracks.size_hint().0);
    let mut open: HashMap<Target, usize> = HashMap::new();
    for (index, target, data) in tracks {
        let Some(axis) = target.component.filter(|_| !stores(&target)) else {
            let keys = GroupedKeys::Whole(Box::new(data));
            groups.push(TrackGroup { index, indices: [Some(index), None, None], target, keys });
            continue;
        };
        let target = Target { component: None, ..target };
        let known = open.get(&target).and_then(|&known| groups.get_mut(known));
        if let Some(group) = known
            && let Some(slot) = group.keys.free_slot(axis)
        {
            *slot = Some(data);
            *axis.of(group.indices.each_mut()) = Some(index);
            continue;
        }
        let mut keys = GroupedKeys::Axes(Box::default());
        if let Some(slot) = keys.free_slot(axis) {
            *slot = Some(data);
        }
        let mut indices = [None; 3];
        *axis.of(indices.each_mut()) = Some(index);
        open.insert(target.clone(), groups.len());
        groups.push(TrackGroup { index, indices, target, keys });
    }
    groups
}
