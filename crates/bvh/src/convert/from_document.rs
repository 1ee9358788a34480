//! Converts the common model to the exact model.

use inbetween_core::stores::{Rotations, Stores};
use inbetween_core::{
    Axis, Baker, Context, Document, EulerOrder, Extent, Finding, Fit, Fitted, FrameKeys, Framer,
    Grid, Interpolation, Interpolations, Narrowing, Property, Quat, Skeleton, Target, TrackData,
    Values, WriteError, WriteErrorKind, Written, codes as shared, counted, dropped_scene, frames,
    memory, narrow, num, rows, shown,
};

use super::STORES;
use super::rest::{self, RestJoint};
use crate::file::{BvhJoint, Channel};
use crate::layout::ID;
use crate::options::DEFAULT_ORDER;
use crate::parts::{BvhParts, MotionPart};
use crate::rate::frame_time;
use crate::{Bvh, RULES, codes};

/// Converts a document with one clip.
pub(crate) fn from_document(
    mut document: Document,
    options: &Bvh,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let skeleton = hierarchy(&document)?;
    let joints = rest::joints(&skeleton, context);
    // A skeleton is stored, but no meshes, so they are no loss.
    let origin = document.origin.take();
    context.findings.extend(dropped_scene(origin.as_ref(), Stores { head: &[], ..STORES }));
    // Angles are multiplied with rest rotations as quaternions.
    let keeps = joints.iter().all(RestJoint::keeps_rotations);
    let rotations = if keeps { Rotations::All } else { Rotations::Quaternions };
    let fit = Fit::new(Stores { rotations, ..STORES }, RULES, &mut document, context);
    let (fitted, framer) = fit.frames(document.into_single()?, options.rate(), context)?;
    let Fitted { head, tracks, plays } = fitted;
    let moves = joints.iter().map(|_| Moves::default()).collect();
    let order = options.requested_order();
    let mut builder = Builder { framer, joints, moves, order, last: None };
    let indices = builder.indices();
    for (index, track) in tracks {
        let (target, data) = track.into_parts();
        let bone = target.node.as_deref().and_then(|node| skeleton.index(node));
        let joint = bone.and_then(|bone| indices.get(bone)).copied();
        context.track(index, &target, |context| builder.track(joint, &target, data, context))?;
    }
    builder.report_renamed(context);
    let parts = builder.parts(head.duration, context)?;
    let mut extent = Extent::default();
    extent.add_clip(0, plays);
    let rows = parts.motion.as_ref().map_or(0, |motion| num::len_from_u64(motion.frames));
    for joint in &parts.joints {
        (0..joint.tracks()).for_each(|_| extent.add_track(rows));
    }
    Ok(Written::new(parts.to_text()?.into_bytes(), vec![extent]))
}

/// Returns the skeleton of a document. Files of the format may have no parents.
fn hierarchy(document: &Document) -> Result<Skeleton, WriteError> {
    let skeleton = document.skeleton.clone().filter(|skeleton| {
        skeleton.has_parents() || skeleton.bones().len() == 1 || document.origin_in(ID).is_some()
    });
    skeleton.ok_or_else(|| WriteError::new(WriteErrorKind::NoHierarchy))
}

/// The values of a track on each frame from the first key to the last.
#[derive(Debug)]
struct OnFrames {
    first: u32,
    values: Vec<[f32; 3]>,
}

impl OnFrames {
    /// Returns the values of a track with a key on every frame.
    fn new(data: &TrackData, rate: f64) -> Self {
        let first = data.time(0).map_or(0, |time| num::nearest_u32(time * rate));
        let row = |index| rows::row::<3>(data.values(), index).map(num::finite_f32_from_f64);
        Self { first, values: (0..data.len()).map(row).collect() }
    }

    /// Returns the value at a frame. The first and the last one hold.
    fn at(&self, frame: u32) -> [f32; 3] {
        let index = num::len_from_u64(u64::from(frame.saturating_sub(self.first)));
        self.values.get(index).or(self.values.last()).copied().unwrap_or_default()
    }

    /// Returns the frame of the last key.
    fn last(&self) -> u32 {
        let frames = num::nearest_u32(num::f64_from_index(self.values.len().saturating_sub(1)));
        self.first.saturating_add(frames)
    }
}

/// The tracks of a joint.
#[derive(Debug, Default)]
struct Moves {
    position: Option<OnFrames>,
    /// Angles x y z in radians, with their order.
    rotation: Option<(EulerOrder, OnFrames)>,
}

struct Builder {
    framer: Framer,
    joints: Vec<RestJoint>,
    moves: Vec<Moves>,
    order: Option<EulerOrder>,
    /// The last frame of all tracks so far.
    last: Option<u32>,
}

impl Builder {
    /// Returns the index of the joint of each bone.
    fn indices(&self) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..self.joints.len()).collect();
        indices.sort_by_key(|index| self.joints.get(*index).map(|joint| joint.bone));
        indices
    }

    /// Adds a track, or reports why not. Fitting left each joint one track of a kind.
    fn track(
        &mut self,
        joint: Option<usize>,
        target: &Target,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        let Some(index) = joint else {
            let keys = counted(data.len(), "key");
            context.say(shared::TRACK_DROPPED, format!("{keys}; the skeleton has no such bone"));
            return Ok(());
        };
        context.findings.extend(self.joints.get(index).and_then(RestJoint::renamed));
        if target.property == Property::Translation {
            return self.position(index, data, context);
        }
        let rotation = self.rotation(index, &target.property, data, context)?;
        self.last = self.last.max(Some(rotation.1.last()));
        if let Some(moves) = self.moves.get_mut(index) {
            moves.rotation = Some(rotation);
        }
        Ok(())
    }

    /// Reports new names of joints without a track; those of the others were reported with it.
    fn report_renamed(&self, context: &mut Context<'_>) {
        for (joint, moves) in self.joints.iter().zip(&self.moves) {
            if moves.position.is_none() && moves.rotation.is_none() {
                context.findings.leave();
                context.findings.extend(joint.renamed());
            }
        }
    }

    /// Returns the keys of a track on frames, with linear segments, and whether one of them jumps.
    fn on_frames(
        &mut self,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(TrackData, bool), WriteError> {
        let rate = self.framer.rate();
        let (frames, values) = self.framer.frames(data, context)?;
        let times = frames.iter().map(|frame| f64::from(*frame) / rate).collect();
        let linear = Interpolations::Shared(Interpolation::Linear);
        let jumps = frames.windows(2).any(|pair| pair.first() == pair.last());
        Ok((TrackData::curve(times, narrow(values, context), linear, None)?, jumps))
    }

    /// Returns the values of linear keys in every row. A row shows one side of a jump, which is
    /// reported.
    fn rows(
        &self,
        (data, jumps): &(TrackData, bool),
        property: &Property,
        context: &mut Context<'_>,
    ) -> Result<OnFrames, WriteError> {
        let made = self.baker().same_property(data, property, RULES, context.budget)?;
        let rows = OnFrames::new(&made.data, self.framer.rate());
        if *jumps {
            let message = format!("{} with jumps", counted(data.len(), "key"));
            context.findings.extend(made.findings(shared::RESAMPLED, &message));
        }
        Ok(rows)
    }

    /// Returns what creates a key on every frame.
    fn baker(&self) -> Baker {
        Baker::new(Grid::Frames(self.framer.rate(), FrameKeys::Every)).for_target(RULES)
    }

    fn position(
        &mut self,
        index: usize,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(), WriteError> {
        let data = self.on_frames(data, context)?;
        let mut rows = self.rows(&data, &Property::Translation, context)?;
        self.last = self.last.max(Some(rows.last()));
        let (Some(joint), Some(moves)) = (self.joints.get(index), self.moves.get_mut(index)) else {
            return Ok(());
        };
        let mut narrowing = Narrowing::default();
        for value in &mut rows.values {
            *value = joint.position(value.map(f64::from)).map(|number| narrowing.number(number));
        }
        context.findings.extend(beyond_f32(&narrowing));
        if joint.parent.is_some() && rows.values.iter().all(|value| is_at(*value, joint.offset)) {
            context.say(codes::POSITION_CONSTANT, counted(data.0.len(), "key"));
            return Ok(());
        }
        if joint.parent.is_some() {
            context.say(codes::JOINT_POSITIONS, shown(&joint.name).to_string());
        }
        moves.position = Some(rows);
        Ok(())
    }

    fn rotation(
        &mut self,
        index: usize,
        property: &Property,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(EulerOrder, OnFrames), WriteError> {
        let own = match property {
            Property::RotationEuler(order) => Some(*order),
            _ => None,
        };
        let plain = own.and_then(|own| EulerOrder::new(own.axes(), [1; 3]));
        let order = self.order.or(plain).unwrap_or(DEFAULT_ORDER);
        let rest = self.joints.get(index).filter(|joint| !joint.keeps_rotations()).cloned();
        // Angles are made of a curve itself, so that its error is measured once.
        let is_curve = rest.is_none() && is_curve(&data);
        let (mut data, jumps) = if is_curve {
            let jumps = !frames::on_every_frame(data.times(), self.framer.rate());
            (data, jumps)
        } else {
            self.on_frames(data, context)?
        };
        if let (Some(joint), Values::FloatQ(column)) = (rest, data.values()) {
            let turned = |value: &Quat<f32>| joint.rotation(Quat::<f64>::from(*value));
            let values: Vec<Quat<f64>> = column.iter().map(turned).collect();
            let linear = Interpolations::Shared(Interpolation::Linear);
            data = TrackData::curve(data.times().collect(), values, linear, None)?;
        }
        if let Some(own) = own.filter(|own| own.axes() == order.axes() && !is_curve) {
            if own != order {
                context.say(codes::ROTATION_AS_EULER, "angles with other signs");
            }
            let mut rows = self.rows(&(data, jumps), property, context)?;
            rows.values.iter_mut().for_each(|angles| *angles = without_signs(*angles, own));
            return Ok((order, rows));
        }
        let from = own.unwrap_or(order);
        let mut made = self.baker().angles(&data, from, order, RULES, context.budget)?;
        let rows = OnFrames::new(&made.data, self.framer.rate());
        if is_curve {
            narrow(made.data.values().clone(), context);
        }
        if !jumps {
            // What looks like a jump is the rounding of angles.
            made.time_shift = 0.0;
        }
        let code = if own == Some(order) { shared::CURVE_BAKED } else { codes::ROTATION_AS_EULER };
        let message = format!("{} became angles", counted(data.len(), "key"));
        // Keys without jumps are on rows, and exact there. BVH defines nothing between rows, so the
        // difference there is stated, but it is no loss.
        let findings = made.findings(code, &message);
        let stated = findings.filter(|it| jumps || it.code != shared::BOUND_EXCEEDED);
        context.findings.extend(stated);
        Ok((order, rows))
    }

    /// Returns the parts of the file.
    fn parts(
        mut self,
        duration: Option<f64>,
        context: &mut Context<'_>,
    ) -> Result<BvhParts, WriteError> {
        let end = context.field("duration", |context| {
            self.framer.end(duration, self.last.unwrap_or(0), context)
        })?;
        // A clip without keys and length has no rows.
        let is_empty = self.last.is_none() && end == 0;
        let frames = if is_empty { 0 } else { u64::from(end).saturating_add(1) };
        self.fill(context);
        let joints = self.joints.iter().zip(&self.moves).map(|(joint, moves)| part(joint, moves));
        let joints = with_tips(joints.collect());
        let width = joints.iter().map(|joint| joint.channels.len()).fold(0, usize::saturating_add);
        let count = num::len_from_u64(frames).saturating_mul(width);
        let bytes = count.saturating_mul(size_of::<f64>());
        let (requested, limit) = (num::u64_from_len(bytes), context.budget.bytes_left());
        let kind = WriteErrorKind::Limit { what: "bytes of rows", requested, limit };
        context.budget.charge_columns(bytes).map_err(|_| WriteError::new(kind))?;
        let mut numbers = Vec::new();
        memory::reserve(&mut numbers, count)?;
        for frame in (0..=end).take(num::len_from_u64(frames)) {
            for moves in &self.moves {
                let position = moves.position.as_ref().map(|rows| rows.at(frame));
                numbers.extend(position.into_iter().flatten().map(shortest));
                if let Some((order, rows)) = &moves.rotation {
                    let angles = rows.at(frame);
                    numbers.extend(order.axes().map(|axis| degrees(axis.of(angles))));
                }
            }
        }
        let frame_time = frame_time(self.framer.rate());
        Ok(BvhParts { joints, motion: Some(MotionPart { frames, frame_time, numbers }) })
    }

    /// Gives each joint the channels that it lacks. Many programs expect six for a root, and three
    /// for any other joint.
    fn fill(&mut self, context: &mut Context<'_>) {
        let mut filled = 0_usize;
        let order = self.order.unwrap_or(DEFAULT_ORDER);
        let hold = |value: [f64; 3]| {
            let value = value.map(num::finite_f32_from_f64);
            OnFrames { first: 0, values: vec![value] }
        };
        for (joint, moves) in self.joints.iter().zip(&mut self.moves) {
            let lacks = joint.parent.is_none() && moves.position.is_none();
            if lacks {
                moves.position = Some(hold(joint.offset));
            }
            filled = filled.saturating_add(usize::from(lacks || moves.rotation.is_none()));
            moves.rotation.get_or_insert_with(|| (order, hold([0.0; 3])));
        }
        if filled > 0 {
            let message = format!("{} without a track", counted(filled, "joint"));
            context.say(codes::CHANNELS_FILLED, message);
        }
    }
}

/// Returns the finding about positions that rows cannot hold. Those that are rounded are part of what
/// is reported about the rest pose.
fn beyond_f32(narrowing: &Narrowing) -> impl Iterator<Item = Finding> + use<> {
    let findings = narrowing.findings("numbers of positions");
    findings.into_iter().filter(|finding| finding.code == shared::VALUE_UNDEFINED)
}

/// Returns whether a track from frame 0 on has other segments than lines.
fn is_curve(data: &TrackData) -> bool {
    let mut segments = (0..data.len().saturating_sub(1)).map(|key| data.interpolation(key));
    data.time(0).is_some_and(|time| time >= 0.0)
        && segments.any(|each| each != Interpolation::Linear)
}

/// Returns the joint of a file.
fn part(joint: &RestJoint, moves: &Moves) -> BvhJoint {
    let mut channels = Vec::new();
    if moves.position.is_some() {
        channels.extend(Axis::ALL.map(Channel::Position));
    }
    if let Some((order, _)) = &moves.rotation {
        channels.extend(order.axes().map(Channel::Rotation));
    }
    BvhJoint {
        name: joint.name.clone(),
        parent: joint.parent,
        offset: joint.offset,
        channels,
        tips: Vec::new(),
    }
}

/// Gives joints without children an end site, as most programs expect. No document has its length.
fn with_tips(mut joints: Vec<BvhJoint>) -> Vec<BvhJoint> {
    let mut is_leaf = vec![true; joints.len()];
    for parent in joints.iter().filter_map(|joint| joint.parent) {
        if let Some(is_leaf) = is_leaf.get_mut(parent) {
            *is_leaf = false;
        }
    }
    for (joint, _) in joints.iter_mut().zip(is_leaf).filter(|(_, is_leaf)| *is_leaf) {
        joint.tips.push([0.0; 3]);
    }
    joints
}

/// Returns whether a position is that of the rest pose, up to the rounding of files.
fn is_at(position: [f32; 3], offset: [f64; 3]) -> bool {
    position.into_iter().zip(offset).all(|(position, offset)| {
        (f64::from(position) - offset).abs() <= 1e-6 * offset.abs().max(1.0)
    })
}

/// Returns angles x y z that make the same rotation in the same order with positive signs.
fn without_signs(angles: [f32; 3], order: EulerOrder) -> [f32; 3] {
    let mut angles = angles;
    for (axis, sign) in order.axes().into_iter().zip(order.signs()) {
        if let Some(angle) = angles.get_mut(axis.index()).filter(|_| sign < 0) {
            *angle = -*angle;
        }
    }
    angles
}

/// Returns the number with the shortest text that is read back as a position.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// Returns degrees with a short text that is read back as an angle in radians.
fn degrees(radians: f32) -> f64 {
    let exact = f64::from(radians).to_degrees();
    let reads_back =
        |degrees: &f64| num::f32_from_f64(degrees.to_radians()).to_bits() == radians.to_bits();
    let scales = [1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
    let mut rounded = scales.into_iter().map(|scale| (exact * scale).round() / scale);
    rounded.find(reads_back).unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_short_and_exact() {
        assert_eq!(degrees(std::f32::consts::FRAC_PI_2), 90.0);
        assert_eq!(degrees(0.0).to_bits(), 0.0_f64.to_bits());
        assert_eq!(degrees(-0.0).to_bits(), (-0.0_f64).to_bits());
        for bits in (0..0x7f80_0000_u32).step_by(7_919_003) {
            let angle = f32::from_bits(bits);
            let text = degrees(angle).to_string();
            let read = text.parse::<f64>().unwrap().to_radians();
            assert_eq!(num::f32_from_f64(read).to_bits(), bits, "{angle} {text}");
        }
    }
}
