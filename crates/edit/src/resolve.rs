//! Converts relative and additive clips to absolute poses.

use std::collections::HashSet;

use inbetween_core::{
    Animation, Baker, Blend, BlendMode, BlendReach, Bone, Document, EulerOrder, Grid, KeyColumns,
    Outcome, Property, Quat, SegmentKind, Shape, Skeleton, Tangents, Target, Text, TrackData,
    codes as shared, counted, shown,
};

use crate::angles::join_angles;
use crate::blend::Inherited;
use crate::fill::Channel;
use crate::units::{linear_map, say_out_of_range};
use crate::work::Work;
use crate::{EditError, Settings, codes};
use inbetween_core::rows::{self, each_row};

/// Converts relative and additive clips to absolute poses.
///
/// Tracks that are rest-relative or additive ([`Target::blend`](inbetween_core::Target::blend))
/// become absolute: translations `rest + key`, rotations `rest * key` (the key first, then the
/// rest), scales `rest * key`.
///
/// Descendants inherit the blend mode that a file states for a bone, if the skeleton has parents.
/// If it has none, stated modes apply only to the nodes that they name, which is reported. Relative
/// and additive Euler angles become quaternions within the error bound; single angles of a node are
/// joined first, and an angle without a track is 0. Nodes that are not in the skeleton are reported
/// and rest at 0.
///
/// # Errors
///
/// If baking costs more than the limits allow.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, BlendMode, Bone, Document, Property, Skeleton, Target, Track};
/// use inbetween_core::{TrackData, Values};
/// use inbetween_edit::{Settings, resolve};
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
        let inherits = clip.rules.blend_reach == BlendReach::Descendants;
        if inherits && !clip.blend_overrides.is_empty() && !skeleton.has_parents() {
            work.say(codes::NO_PARENTS, counted(clip.blend_overrides.len(), "override"));
        }
        report_unknown(&clip, work);
        if let Some(mut inherited) = Inherited::of(&clip, skeleton) {
            inherited.apply(&mut clip);
        }
        let adds = |target: &Target| {
            let bone = target.node.as_deref().and_then(|node| skeleton.bone(node));
            let rests = bone.is_some_and(|bone| bone.rotation.is_some());
            rests && target.blend != Blend::Absolute
        };
        clip.tracks = join_angles(clip.tracks, adds, work)?;
        let mut lacking: HashSet<Text> = HashSet::new();
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let bone = target.node.as_deref().and_then(|node| skeleton.bone(node));
            resolve_track(target, data, bone, &mut lacking, work)
        })?;
        let mut lacking: Vec<Text> = lacking.into_iter().collect();
        lacking.sort_unstable();
        if let Some(first) = lacking.first() {
            let message = format!("{}, first {}", counted(lacking.len(), "node"), shown(first));
            work.say(codes::REST_MISSING, message);
        }
        clip.blend = BlendMode::Absolute;
        clip.blend_overrides.clear();
        Ok(clip)
    })
}

/// Reports stated modes that no specification names; they play as absolute.
fn report_unknown(clip: &Animation, work: &mut Work<'_>) {
    let overrides = clip.blend_overrides.iter().map(|each| each.mode);
    let modes = std::iter::once(clip.blend).chain(overrides);
    for mode in modes.filter(|mode| matches!(mode, BlendMode::Other(_))) {
        work.say(codes::BLEND_UNKNOWN, format!("blend mode {}", mode.name()));
    }
}

fn resolve_track(
    mut target: Target,
    mut data: TrackData,
    bone: Option<&Bone>,
    lacking: &mut HashSet<Text>,
    work: &mut Work<'_>,
) -> Result<(Target, TrackData), EditError> {
    if target.blend == Blend::Absolute {
        return Ok((target, data));
    }
    let channel = Channel::of(&target.property);
    let before = rows::not_finite(data.values()).count();
    target.blend = Blend::Absolute;
    let mut lack = || {
        lacking.insert(target.node.clone().unwrap_or_default());
    };
    match channel {
        Some(Channel::Translation) => {
            let Some(rest) = bone.and_then(|bone| bone.translation) else {
                lack();
                return Ok((target, data));
            };
            let rest = target.component.map_or(rest.to_vec(), |axis| vec![axis.of(rest)]);
            data = moved(data, &rest)?;
        }
        Some(Channel::Rotation) => {
            let Some(rest) = bone.and_then(|bone| bone.rotation) else {
                lack();
                return Ok((target, data));
            };
            if target.component.is_some() {
                work.say(codes::NOT_RESOLVED, shown(&target.label()).to_string());
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
        Some(Channel::Scale) => {
            let Some(rest) = bone.and_then(|bone| bone.scale) else {
                lack();
                return Ok((target, data));
            };
            let rest = target.component.map_or(rest.to_vec(), |axis| vec![axis.of(rest)]);
            data = linear_map(data, |row| {
                row.iter_mut().zip(&rest).for_each(|(number, factor)| *number *= factor);
            })?;
        }
        // Weights and other properties rest at 0, so adding changes nothing.
        None => {}
    }
    say_out_of_range(before, &data, work);
    Ok((target, data))
}

/// Returns the rotation that applies the key first, then the rest pose.
fn composed(rest: Quat<f64>, key: Quat<f64>) -> Quat<f64> {
    rest.normalized() * key
}

/// Replaces Euler angles by quaternions, and reports it.
pub(crate) fn quaternions(
    data: &TrackData,
    order: EulerOrder,
    work: &mut Work<'_>,
) -> Result<TrackData, EditError> {
    let rules = work.rules;
    let maker = Baker::new(Grid::Bound(work.bound()));
    let baked = maker.quaternions(data, order, rules, &mut work.budget.lock());
    let baked = work.baking(baked)?;
    if !baked.data.is_empty() {
        work.say_baked(shared::EULER_BAKED, data.len(), &baked);
    }
    Ok(baked.data)
}

/// Adds an amount to the values of a track, and to the control points of its curves.
pub(crate) fn moved(data: TrackData, amount: &[f64]) -> Result<TrackData, EditError> {
    let add = |row: &mut [f64]| {
        row.iter_mut().zip(amount).for_each(|(number, amount)| *number += *amount);
    };
    if let Shape::Uniform { interval } = data.shape() {
        let interval = *interval;
        let (_, mut values) = data.into_parts();
        each_row(&mut values, |_, row| add(row));
        return Ok(TrackData::uniform(interval, values));
    }
    let mut keys = KeyColumns::of(data);
    let points: Vec<bool> =
        (0..keys.times.len()).map(|key| keys.segment(key) == SegmentKind::Bezier).collect();
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
