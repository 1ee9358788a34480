//! Turning what adds to a pose into the pose.

use std::collections::HashSet;

use inbetween_core::{
    Axis, Baker, BlendMode, Document, EulerOrder, Grid, Outcome, Property, Quat, Shape, Tangents,
    Target, Text, TrackData, codes as shared, shown,
};

use crate::angles::join_angles;
use crate::fill::Channel;
use crate::keys::{Keys, Way};
use crate::select::describe;
use crate::trim::count;
use crate::units::linear_map;
use crate::work::Work;
use crate::{Bone, EditError, Settings, Skeleton, codes};
use inbetween_core::rows::each_row;

/// Turns clips that add to a pose into clips that are the pose.
///
/// With the values of the rest pose:
///
/// | blend mode | positions | rotations | scales |
/// |---|---|---|---|
/// | absolute | as they are | as they are | as they are |
/// | relative, delta | rest + key | as they are | as they are |
/// | additive | rest + key | rest × key (the key first, then the rest) | as they are |
///
/// A node blends as its own override says, else as that of the nearest bone above it, else as the
/// clip. Without parents in the skeleton overrides reach their own nodes alone, which is
/// reported. Euler angles that add become quaternions to the error bound; single ones of a node are
/// joined first, and an angle that is not animated is 0. Nodes that the skeleton lacks are reported
/// and taken to rest at 0.
///
/// # Errors
///
/// When baking costs more than the limits allow.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, BlendMode, Document, Property, Target, Track, TrackData};
/// use inbetween_core::Values;
/// use inbetween_edit::{Bone, Settings, Skeleton, resolve};
///
/// let data = TrackData::uniform(1.0, vec![[0.0_f32, 5.0, 0.0]]);
/// let track = Track::new(Target::new("hips", Property::Translation), data)?;
/// let clip = Animation::new(vec![track]).with_blend(BlendMode::Relative);
/// let hips = Bone { node: "hips".into(), translation: Some([0.0, 90.0, 0.0]), ..Bone::default() };
/// let skeleton = Skeleton::new(vec![hips])?;
/// let pose = resolve(Document::single(clip), &skeleton, &Settings::default())?.value;
/// let values = pose.clips[0].tracks[0].data().values();
/// assert_eq!(*values, Values::from(vec![[0.0_f32, 95.0, 0.0]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn resolve(
    document: Document,
    skeleton: &Skeleton,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        if !clip.blend_overrides.is_empty() && !skeleton.has_parents() {
            work.say(codes::NO_PARENTS, count(clip.blend_overrides.len(), "override"));
        }
        let modes = skeleton.modes(&clip);
        let whole = clip.blend;
        let mode_of = |node: &Text| modes.get(node).copied().unwrap_or(whole);
        let adds = |node: &Text| {
            let rests = skeleton.bone(node).is_some_and(|bone| bone.rotation.is_some());
            rests && mode_of(node) == BlendMode::Additive
        };
        clip.tracks = join_angles(clip.tracks, adds, work)?;
        let mut lacking: HashSet<Text> = HashSet::new();
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let node = target.node.clone().unwrap_or_default();
            let mode = mode_of(&node);
            let bone = skeleton.bone(&node);
            resolve_track(target, data, mode, bone, &mut lacking, work)
        })?;
        let mut lacking: Vec<Text> = lacking.into_iter().collect();
        lacking.sort_unstable();
        if let Some(first) = lacking.first() {
            let message =
                format!("{}, the first is {}", count(lacking.len(), "node"), shown(first));
            work.say(codes::REST_MISSING, message);
        }
        clip.blend = BlendMode::Absolute;
        clip.blend_overrides.clear();
        Ok(clip)
    })
}

fn resolve_track(
    mut target: Target,
    mut data: TrackData,
    mode: BlendMode,
    bone: Option<&Bone>,
    lacking: &mut HashSet<Text>,
    work: &mut Work<'_>,
) -> Result<(Target, TrackData), EditError> {
    let adds = match mode {
        BlendMode::Absolute => return Ok((target, data)),
        BlendMode::Additive | BlendMode::Relative | BlendMode::Delta => true,
        _ => false,
    };
    let channel = Channel::of(&target.property);
    if !adds {
        if channel.is_some() {
            let message = format!("{} blends as {}", shown(&describe(&target)), mode.name());
            work.say(codes::BLEND_UNKNOWN, message);
        }
        return Ok((target, data));
    }
    let mut lack = || {
        lacking.insert(target.node.clone().unwrap_or_default());
    };
    match channel {
        Some(Channel::Translation) => {
            let Some(rest) = bone.and_then(|bone| bone.translation) else {
                lack();
                return Ok((target, data));
            };
            let rest = target.component.map_or(rest.to_vec(), |axis| vec![part(rest, axis)]);
            data = moved(data, &rest)?;
        }
        Some(Channel::Rotation) if mode == BlendMode::Additive => {
            let Some(rest) = bone.and_then(|bone| bone.rotation) else {
                lack();
                return Ok((target, data));
            };
            if target.component.is_some() {
                work.say(codes::NOT_RESOLVED, shown(&describe(&target)).to_string());
                return Ok((target, data));
            }
            if let Property::RotationEuler(order) = target.property {
                data = quaternions(&data, order, work)?;
                target.property = Property::Rotation;
            }
            data = linear_map(data, |row| {
                if let Ok(key) = <[f64; 4]>::try_from(&*row) {
                    row.copy_from_slice(&composed(rest, Quat::from_array(key)).to_array());
                }
            })?;
        }
        _ => {}
    }
    Ok((target, data))
}

/// Returns the rotation by a key, then by the rest pose.
#[expect(clippy::arithmetic_side_effects, reason = "floats neither panic nor wrap")]
fn composed(rest: Quat<f64>, key: Quat<f64>) -> Quat<f64> {
    rest * key
}

const fn part([x, y, z]: [f64; 3], axis: Axis) -> f64 {
    match axis {
        Axis::X => x,
        Axis::Y => y,
        Axis::Z => z,
    }
}

/// Replaces Euler angles by quaternions, and reports it.
fn quaternions(
    data: &TrackData,
    order: EulerOrder,
    work: &mut Work<'_>,
) -> Result<TrackData, EditError> {
    let rules = work.rules;
    let grid = Grid::Bound(work.settings.bound);
    let baked = Baker::new(grid, &mut work.budget.lock()).quaternions(data, order, rules);
    let baked = work.baking(baked)?;
    if !baked.data.is_empty() {
        work.say_baked(shared::EULER_BAKED, data.len(), &baked);
    }
    Ok(baked.data)
}

/// Adds an amount to the values of a track, and to the control points of its curves.
fn moved(data: TrackData, amount: &[f64]) -> Result<TrackData, EditError> {
    let add = |row: &mut [f64]| {
        row.iter_mut().zip(amount).for_each(|(number, amount)| *number += *amount);
    };
    if let Shape::Uniform { interval } = data.shape() {
        let interval = *interval;
        let (_, mut values) = data.into_parts();
        each_row(&mut values, |_, row| add(row));
        return Ok(TrackData::uniform(interval, values));
    }
    let mut keys = Keys::of(data);
    let points: Vec<bool> = (0..keys.times.len()).map(|key| keys.way(key) == Way::Bezier).collect();
    let is_point = |key: usize| points.get(key) == Some(&true);
    each_row(&mut keys.values, |_, row| add(row));
    match &mut keys.tangents {
        Some(Tangents::Values { left, right }) => {
            each_row(right, |key, row| {
                if is_point(key) {
                    add(row);
                }
            });
            each_row(left, |key, row| {
                if key.checked_sub(1).is_some_and(is_point) {
                    add(row);
                }
            });
        }
        Some(Tangents::Handles { left, right }) => {
            let amounts = amount.iter().cycle();
            for (handle, amount) in left.iter_mut().zip(amounts.clone()) {
                handle.value += *amount;
            }
            for (handle, amount) in right.iter_mut().zip(amounts) {
                handle.value += *amount;
            }
        }
        _ => {}
    }
    Ok(keys.into_data()?)
}
