//! Converts the common model to the exact model.

use inbetween_core::stores::{Rotations, Stores};
use inbetween_core::{
    Axis, Baker, Context, Document, EulerOrder, Extent, Fit, Fitted, FrameKeys, Framer, Grid,
    Interpolation, Interpolations, Property, Quat, Skeleton, Target, TrackData, Values, WriteError,
    Written, codes as shared, counted, dropped_scene, memory, narrow, num, rows, shown,
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
    let without = Stores { head: &[], ..STORES };
    context.findings.extend(dropped_scene(document.origin.as_ref(), without));
    document.origin = None;
    // Angles are multiplied with rest rotations as quaternions.
    let keeps = joints.iter().all(RestJoint::keeps_rotations);
    let rotations = if keeps { Rotations::All } else { Rotations::Quaternions };
    let fit = Fit::new(Stores { rotations, ..STORES }, RULES, &mut document, context);
    let (fitted, framer) = fit.frames(document.into_single()?, options.rate(), context)?;
    let Fitted { head, tracks, plays } = fitted;
    let mut extent = Extent::default();
    extent.add_clip(0, plays);
    let moves = joints.iter().map(|_| Moves::default()).collect();
    let mut builder = Builder {
        framer,
        joints,
        moves,
        order: options.requested_order(),
        last: None,
        places: Vec::new(),
    };
    for (index, track) in tracks {
        let (target, data) = track.into_parts();
        let joint = builder.joint_of(&skeleton, &target);
        let keys = data.len();
        context.track(index, &target, |context| {
            if builder.track(joint, &target, data, context)? {
                extent.add_track(keys);
            }
            Ok(())
        })?;
    }
    builder.report(context);
    let parts = builder.parts(head.duration, context)?;
    Ok(Written::new(parts.to_text()?.into_bytes(), vec![extent]))
}

/// Returns the skeleton of a document. Files of the format may have no parents.
fn hierarchy(document: &Document) -> Result<Skeleton, WriteError> {
    let skeleton = document.skeleton.clone().filter(|skeleton| {
        skeleton.has_parents() || skeleton.bones().len() == 1 || document.origin_in(ID).is_some()
    });
    skeleton.ok_or_else(|| WriteError::new(inbetween_core::WriteErrorKind::NoHierarchy))
}

/// The keys of a track, on frames.
#[derive(Debug)]
struct Keys {
    frames: Vec<u32>,
    values: Vec<[f32; 3]>,
}

impl Keys {
    /// Returns the value at a frame, of keys with linear segments between them. `next` is the index
    /// of the first key after the frame before.
    fn at(&self, frame: u32, next: &mut usize) -> Option<[f32; 3]> {
        while self.frames.get(*next).is_some_and(|key| *key <= frame) {
            *next = next.saturating_add(1);
        }
        let before = next.checked_sub(1);
        let key = |index: usize| Some((*self.frames.get(index)?, *self.values.get(index)?));
        let (start, from) = match before {
            Some(before) => key(before)?,
            None => return key(0).map(|(_, value)| value),
        };
        let Some((end, to)) = key(*next).filter(|_| start != frame) else { return Some(from) };
        let part = f64::from(frame.saturating_sub(start)) / f64::from(end.saturating_sub(start));
        let mut value = from;
        for (value, to) in value.iter_mut().zip(to) {
            let from = f64::from(*value);
            *value = num::f32_from_f64((f64::from(to) - from).mul_add(part, from));
        }
        Some(value)
    }
}

/// The tracks of a joint.
#[derive(Debug, Default)]
struct Moves {
    position: Option<Keys>,
    /// Angles x y z in radians, with their order.
    rotation: Option<(EulerOrder, Keys)>,
}

struct Builder {
    framer: Framer,
    joints: Vec<RestJoint>,
    moves: Vec<Moves>,
    order: Option<EulerOrder>,
    /// The last frame of all tracks so far.
    last: Option<u32>,
    /// The joint of each track, and whether it is its rotation.
    places: Vec<(usize, bool)>,
}

impl Builder {
    /// Returns the index of the joint that a target animates.
    fn joint_of(&self, skeleton: &Skeleton, target: &Target) -> Option<usize> {
        let bone = skeleton.index(target.node.as_deref()?)?;
        // Most skeletons are in depth-first order already.
        let is_of = |joint: &RestJoint| joint.bone == bone;
        if self.joints.get(bone).is_some_and(is_of) {
            return Some(bone);
        }
        self.joints.iter().position(is_of)
    }

    /// Adds a track; returns whether it is written.
    fn track(
        &mut self,
        joint: Option<usize>,
        target: &Target,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<bool, WriteError> {
        let keys = || counted(data.len(), "key");
        let Some(index) = joint.filter(|index| *index < self.joints.len()) else {
            let message = format!("{}; the skeleton has no such bone", keys());
            context.say(shared::TRACK_DROPPED, message);
            return Ok(false);
        };
        let turns = target.property != Property::Translation;
        let taken = self.moves.get(index).is_some_and(|moves| {
            if turns { moves.rotation.is_some() } else { moves.position.is_some() }
        });
        if taken {
            context.say(shared::SECOND_TRACK_DROPPED, keys());
            return Ok(false);
        }
        let is_written = if turns {
            let rotation = self.rotation(index, &target.property, data, context)?;
            self.last = self.last.max(rotation.1.frames.last().copied());
            if let Some(moves) = self.moves.get_mut(index) {
                moves.rotation = Some(rotation);
            }
            true
        } else {
            self.position(index, data, context)?
        };
        if is_written {
            self.places.push((index, turns));
        }
        Ok(is_written)
    }

    fn position(
        &mut self,
        index: usize,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<bool, WriteError> {
        let Some(joint) = self.joints.get(index) else { return Ok(false) };
        let (frames, values) = self.framer.frames(data, context)?;
        self.last = self.last.max(frames.last().copied());
        let values = vectors(&narrow(values, context));
        let turned = |value: [f32; 3]| joint.position(value.map(f64::from)).map(num::f32_from_f64);
        let values: Vec<[f32; 3]> = values.into_iter().map(turned).collect();
        if joint.parent.is_some() && values.iter().all(|value| is_at(*value, joint.offset)) {
            context.say(codes::POSITION_CONSTANT, counted(values.len(), "key"));
            return Ok(false);
        }
        if joint.parent.is_some() {
            context.say(codes::JOINT_POSITIONS, shown(&joint.name).to_string());
        }
        if let Some(moves) = self.moves.get_mut(index) {
            moves.position = Some(Keys { frames: frames.to_vec(), values });
        }
        Ok(true)
    }

    fn rotation(
        &mut self,
        index: usize,
        property: &Property,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<(EulerOrder, Keys), WriteError> {
        let own = match property {
            Property::RotationEuler(order) => Some(*order),
            _ => None,
        };
        let axes = own.and_then(|own| EulerOrder::new(own.axes(), [1; 3]));
        let order = self.order.or(axes).unwrap_or(DEFAULT_ORDER);
        let (frames, values) = self.framer.frames(data, context)?;
        let values = narrow(values, context);
        if let Some(own) = own.filter(|own| own.axes() == order.axes()) {
            if own != order {
                context.say(codes::ROTATIONS_CONVERTED, "angles with other signs");
            }
            let values = vectors(&values).into_iter().map(|angles| without_signs(angles, own));
            return Ok((order, Keys { frames: frames.to_vec(), values: values.collect() }));
        }
        let rate = self.framer.rate();
        let times: Vec<f64> = frames.iter().map(|frame| f64::from(*frame) / rate).collect();
        let values = match (values, self.joints.get(index)) {
            (Values::FloatQ(column), Some(joint)) if !joint.keeps_rotations() => {
                let turned = |value: Quat<f32>| joint.rotation(Quat::<f64>::from(value));
                column.into_iter().map(turned).collect::<Vec<_>>().into()
            }
            (values, _) => values,
        };
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(times, values, linear, None)?;
        let baker = Baker::new(Grid::Frames(rate, FrameKeys::Every)).for_target(RULES);
        let mut made = baker.angles(&data, own.unwrap_or(order), order, RULES, context.budget)?;
        // Jumps were moved to frames and reported before; what is left is the rounding of angles.
        made.time_shift = 0.0;
        let message = format!("{} became angles", counted(data.len(), "key"));
        context.findings.extend(made.findings(codes::ROTATIONS_CONVERTED, &message));
        let frame = |time: f64| num::nearest_u32(time * rate);
        let frames = made.data.times().map(frame).collect();
        let values = vectors(made.data.values());
        Ok((order, Keys { frames, values }))
    }

    /// Reports tracks in another order than that of the file.
    fn report(&self, context: &mut Context<'_>) {
        if !self.places.is_sorted() {
            let message = "the tracks of a joint are grouped, in the order of the hierarchy";
            context.say(shared::TRACKS_REORDERED, message);
        }
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
        let rows =
            if self.last.is_none() && end == 0 { 0 } else { u64::from(end).saturating_add(1) };
        let (filled, short) = self.fill(rows);
        if filled > 0 {
            context.say(
                codes::CHANNELS_FILLED,
                format!("{} without a track", counted(filled, "joint")),
            );
        }
        if short > 0 {
            let message = format!("{} with fewer keys than rows", counted(short, "track"));
            context.say(codes::ROWS_FILLED, message);
        }
        let joints: Vec<BvhJoint> =
            self.joints.iter().zip(&self.moves).map(|(joint, moves)| part(joint, moves)).collect();
        let joints = with_tips(joints);
        let width = joints.iter().map(|joint| joint.channels.len()).fold(0, usize::saturating_add);
        let count = num::len_from_u64(rows).saturating_mul(width);
        context
            .budget
            .charge_columns(count.saturating_mul(size_of::<f64>()))
            .map_err(|error| limit(&error))?;
        let mut numbers = Vec::new();
        memory::reserve(&mut numbers, count)?;
        let mut next = vec![[0_usize; 2]; self.moves.len()];
        for frame in 0..num::nearest_u32(num::f64_from_u64(rows)) {
            for (moves, [position, rotation]) in self.moves.iter().zip(&mut next) {
                let found = moves.position.as_ref().and_then(|keys| keys.at(frame, position));
                numbers.extend(found.into_iter().flatten().map(shortest));
                if let Some((order, keys)) = &moves.rotation {
                    let angles = keys.at(frame, rotation).unwrap_or_default();
                    numbers.extend(order.axes().map(|axis| degrees(axis.of(angles))));
                }
            }
        }
        let motion =
            MotionPart { frames: rows, frame_time: frame_time(self.framer.rate()), numbers };
        Ok(BvhParts { joints, motion: Some(motion) })
    }

    /// Gives each joint the channels that it lacks; returns the number of joints that got some, and of
    /// tracks that have fewer keys than there are rows.
    fn fill(&mut self, rows: u64) -> (usize, usize) {
        let (mut filled, mut short) = (0_usize, 0_usize);
        let order = self.order.unwrap_or(DEFAULT_ORDER);
        for (joint, moves) in self.joints.iter().zip(&mut self.moves) {
            let keys = [moves.position.as_ref(), moves.rotation.as_ref().map(|(_, keys)| keys)];
            let fewer = |keys: &&Keys| num::u64_from_len(keys.frames.len()) != rows;
            short = short.saturating_add(keys.into_iter().flatten().filter(fewer).count());
            let lacks_position = joint.parent.is_none() && moves.position.is_none();
            let hold = |value: [f64; 3]| Keys {
                frames: vec![0],
                values: vec![value.map(num::f32_from_f64)],
            };
            let empty = |keys: &Keys| keys.frames.is_empty();
            let rests = moves.position.as_ref().is_some_and(empty);
            if lacks_position || rests {
                moves.position = Some(hold(joint.offset));
            }
            let lacks_rotation = moves.rotation.is_none();
            moves.rotation.get_or_insert_with(|| (order, hold([0.0; 3])));
            filled = filled.saturating_add(usize::from(lacks_position || lacks_rotation));
        }
        (filled, short)
    }
}

/// Returns the error of a budget that the rows exceed.
fn limit(error: &inbetween_core::ReadError) -> WriteError {
    match error.kind() {
        inbetween_core::ReadErrorKind::Limit { what, requested, limit } => {
            let (what, requested, limit) = (*what, *requested, *limit);
            WriteError::new(inbetween_core::WriteErrorKind::Limit { what, requested, limit })
        }
        kind => WriteError::inconsistent(kind.to_string()),
    }
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

/// Returns the vectors of a column.
fn vectors(values: &Values) -> Vec<[f32; 3]> {
    let row = |index| rows::row::<3>(values, index).map(num::f32_from_f64);
    match values {
        Values::Float3(column) => column.clone(),
        values => (0..values.len()).map(row).collect(),
    }
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
    let mut rounded = (4_usize..10).filter_map(|digits| format!("{exact:.digits$}").parse().ok());
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

    #[test]
    fn values_between_keys_are_linear() {
        let keys = Keys { frames: vec![1, 3], values: vec![[0.0; 3], [2.0, 4.0, -2.0]] };
        let mut next = 0;
        let values: Vec<_> = (0..5).map(|frame| keys.at(frame, &mut next).unwrap()).collect();
        assert_eq!(values[0], [0.0; 3]);
        assert_eq!(values[2], [1.0, 2.0, -1.0]);
        assert_eq!(values[4], [2.0, 4.0, -2.0]);
    }
}
