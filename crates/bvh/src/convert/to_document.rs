//! Converts the exact model to the common model.

use inbetween_core::frames::DEFAULT_RATE;
use inbetween_core::json::resolve;
use inbetween_core::{
    Animation, Bone, Budget, Context, Document, Finding, Interpolation, Interpolations, Origin,
    Outcome, Path, Property, Quat, ReadError, Skeleton, Target, Text, Track, TrackData, Values,
    codes as shared, num, shown,
};

use super::names::Names;
use crate::file::BvhMotion;
use crate::layout::ID;
use crate::rate::frame_rate;
use crate::read::joint_path;
use crate::rows::{self, Turns};
use crate::{Bvh, BvhFile, RULES, codes};

/// Converts a file; `options` supplies the frame rate if that of the file is invalid.
pub(crate) fn to_document(
    file: &BvhFile<'_>,
    options: &Bvh,
    budget: &mut Budget,
) -> Result<Outcome<Document>, ReadError> {
    let mut context = Context::new(budget);
    let nodes = nodes(file, &mut context);
    let mut document = Document::new(Vec::new()).with_origin(Origin::new(ID));
    if let Some(motion) = file.motion() {
        document.clips.push(clip(file, motion, (&nodes, options), &mut context)?);
    }
    if !nodes.is_empty() {
        document = document.with_skeleton(skeleton(file, &nodes, &mut context)?);
    }
    resolve(&file.source, context.findings.as_mut_slice());
    Ok(Outcome::new(document, context.findings))
}

/// Returns the node of each joint.
fn nodes(file: &BvhFile<'_>, context: &mut Context<'_>) -> Vec<Text> {
    let mut names = Names::new(file.joints().iter().map(|joint| &joint.name));
    let node = |(index, joint): (usize, &crate::BvhJoint)| {
        let node = names.unique(&joint.name, &joint.name);
        if node != joint.name {
            let message = format!("\"{}\" becomes \"{}\"", shown(&joint.name), shown(&node));
            context.findings.push(file.finding(index, codes::JOINT_RENAMED, message));
        }
        node
    };
    file.joints().iter().enumerate().map(node).collect()
}

fn skeleton(
    file: &BvhFile<'_>,
    nodes: &[Text],
    context: &mut Context<'_>,
) -> Result<Skeleton, ReadError> {
    let mut bones = Vec::with_capacity(nodes.len());
    for ((index, joint), node) in file.joints().iter().enumerate().zip(nodes) {
        let skipped = rows::skipped_offset(joint).map(|skipped| skipped.message.into_owned());
        let is_finite = skipped.is_none();
        let skipped = skipped.map(|message| file.finding(index, shared::PART_SKIPPED, message));
        context.findings.extend(skipped);
        if joint.tips.iter().any(|tip| *tip != [0.0; 3]) {
            let message = shown(node).to_string();
            context.findings.push(file.finding(index, codes::END_SITES_LEFT_OUT, message));
        }
        bones.push(Bone {
            node: node.clone(),
            parent: joint.parent.and_then(|parent| nodes.get(parent)).cloned(),
            translation: is_finite.then_some(joint.offset),
            rotation: Some(Quat::IDENTITY),
            ..Bone::default()
        });
    }
    let broken = |error: inbetween_core::SkeletonError| {
        ReadError::invalid("joints that form a skeleton", error.to_string()).in_format(ID)
    };
    Skeleton::new(bones).map_err(broken)
}

fn clip(
    file: &BvhFile<'_>,
    motion: &BvhMotion,
    (nodes, options): (&[Text], &Bvh),
    context: &mut Context<'_>,
) -> Result<Animation, ReadError> {
    let rate = frame_rate(motion.frame_time).unwrap_or_else(|| {
        let rate = options.rate().unwrap_or(DEFAULT_RATE);
        let message = format!("Frame Time {}, using {rate} frames per second", motion.frame_time);
        let finding = Finding::new(shared::FRAME_RATE_REPLACED, message);
        context.findings.push(finding.at(Path::field("Frame Time")));
        rate
    });
    let rows = motion.rows();
    if rows < motion.complete {
        let message = format!("{rows} stated, {} in the file", motion.complete);
        context.findings.push(Finding::new(codes::ROWS_DROPPED, message).at(Path::field("Frames")));
    }
    let mut tracks = Vec::new();
    let columns = rows::decode(file, context.budget)?;
    let joints = file.joints().iter().zip(nodes).enumerate();
    for ((index, (joint, node)), columns) in joints.zip(columns) {
        context.findings.enter(joint_path(index));
        context.findings.extend(columns.skipped(file, joint));
        if let Some(positions) = columns.positions {
            tracks.push(track(node, Property::Translation, positions.into(), rate)?);
        }
        if let Some(turns) = columns.turns {
            let property = match &turns {
                Turns::Angles(order, _) => Property::RotationEuler(*order),
                Turns::Products(_) => Property::Rotation,
            };
            tracks.push(track(node, property, turns.into_values(), rate)?);
        }
    }
    context.findings.leave();
    let last = num::f64_from_u64(rows.saturating_sub(1));
    let clip = Animation::new(tracks).with_rules(RULES).with_frame_rate(rate);
    Ok(clip.with_duration(last / rate))
}

/// Returns the track of a column with one value per row.
fn track(node: &Text, property: Property, values: Values, rate: f64) -> Result<Track, ReadError> {
    let broken = |error: String| ReadError::invalid("rows that make a track", error).in_format(ID);
    let times = (0..values.len()).map(|row| num::f64_from_index(row) / rate).collect();
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, values, linear, None);
    let data = data.map_err(|error| broken(error.to_string()))?;
    Track::new(Target::new(node.clone(), property), data).map_err(|error| broken(error.to_string()))
}
