//! Converts relative and additive clips to absolute poses.

use std::collections::BTreeSet;

use inbetween_core::{
    Animation, Baker, Blend, BlendMode, BlendReach, Bone, Document, EulerOrder, Grid, KeyColumns,
    Outcome, Property, Quat, SegmentKind, Shape, Skeleton, Tangents, Target, Text, Track,
    TrackData, codes as shared, counted, shown,
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
        clip.tracks = on_rest(clip.tracks, skeleton, Way::ToPose, work)?;
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

/// The way between a pose and what it adds to a rest pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Adds the rest pose; the tracks become absolute.
    ToPose,
    /// Takes the rest pose away.
    FromPose,
}

/// Adds the rest pose to the tracks that are not absolute, or takes it away, and reports nodes without
/// one.
pub(crate) fn on_rest(
    tracks: Vec<Track>,
    skeleton: &Skeleton,
    way: Way,
    work: &mut Work<'_>,
) -> Result<Vec<Track>, EditError> {
    let bone_of = |target: &Target| skeleton.bone(target.node.as_deref()?);
    let turns = |target: &Target| {
        let rests = bone_of(target).is_some_and(|bone| bone.rotation.is_some());
        rests && target.blend != Blend::Absolute
    };
    let tracks = join_angles(tracks, turns, work)?;
    let mut lacking: BTreeSet<Text> = BTreeSet::new();
    let tracks = work.tracks(tracks, |work, mut target, data| {
        let Some(bone) = bone_of(&target).filter(|_| target.blend != Blend::Absolute) else {
            let adds = target.blend != Blend::Absolute && Channel::of(&target.property).is_some();
            if adds {
                lacking.insert(target.node.clone().unwrap_or_default());
            }
            if way == Way::ToPose {
                target.blend = Blend::Absolute;
            }
            return Ok((target, data));
        };
        let node = target.node.clone().unwrap_or_default();
        if way == Way::ToPose {
            target.blend = Blend::Absolute;
        }
        let (target, data, rests) = track_on_rest(target, data, (bone, way), work)?;
        if !rests {
            lacking.insert(node);
        }
        Ok((target, data))
    })?;
    if let Some(first) = lacking.first() {
        let message = format!("{}, first {}", counted(lacking.len(), "node"), shown(first));
        work.say(codes::REST_MISSING, message);
    }
    Ok(tracks)
}

/// Returns a track with the rest pose, and whether that is known.
fn track_on_rest(
    target: Target,
    data: TrackData,
    (bone, way): (&Bone, Way),
    work: &mut Work<'_>,
) -> Result<(Target, TrackData, bool), EditError> {
    let before = rows::not_finite(data.values()).count();
    let component = target.component;
    let of_axis =
        |vector: [f64; 3]| component.map_or(vector.to_vec(), |axis| vec![axis.of(vector)]);
    let (target, data) = match Channel::of(&target.property) {
        Some(Channel::Translation) => {
            let Some(rest) = bone.translation else { return Ok((target, data, false)) };
            let rest = if way == Way::ToPose { rest } else { rest.map(|part| -part) };
            (target, moved(data, &of_axis(rest))?)
        }
        Some(Channel::Rotation) => {
            let Some(rest) = bone.rotation else { return Ok((target, data, false)) };
            let rest = rest.normalized();
            let turn = if way == Way::ToPose { rest } else { rest.conjugate() };
            turned(target, data, turn, work)?
        }
        Some(Channel::Scale) => {
            let Some(rest) = bone.scale else { return Ok((target, data, false)) };
            let rest = of_axis(rest);
            let data = linear_map(data, |row| {
                for (number, factor) in row.iter_mut().zip(&rest) {
                    *number = if way == Way::ToPose { *number * factor } else { *number / factor };
                }
            })?;
            (target, data)
        }
        // Weights and other properties rest at 0, so adding changes nothing.
        None => (target, data),
    };
    say_out_of_range(before, &data, work);
    Ok((target, data, true))
}

/// Turns rotations after their own rotation: `turn * key`. Euler angles become quaternions; a single
/// angle cannot be turned, which is reported.
pub(crate) fn turned(
    mut target: Target,
    mut data: TrackData,
    turn: Quat<f64>,
    work: &mut Work<'_>,
) -> Result<(Target, TrackData), EditError> {
    if target.component.is_some() {
        work.say(codes::NOT_RESOLVED, shown(&target.label()).to_string());
        return Ok((target, data));
    }
    if let Property::RotationEuler(order) = target.property {
        data = quaternions(&data, order, work)?;
        target.property = Property::Rotation;
    }
    let data = linear_map(data, |row| {
        if let Ok(key) = <[f64; 4]>::try_from(&*row) {
            row.copy_from_slice(&(turn * Quat::from_array(key)).to_array());
        }
    })?;
    Ok((target, data))
}

/// Replaces Euler angles by quaternions, and reports it.
fn quaternions(
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
