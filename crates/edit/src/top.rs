//! Turns and moves the top bones, and multiplies lengths.

use std::collections::{HashMap, HashSet};

use inbetween_core::rows;
use inbetween_core::{
    Axes, Axis, Blend, Bone, BoneRole, Document, Outcome, Property, Quat, Skeleton, Target, Text,
    TrackData, ancestors_first, shown,
};

use crate::angles::join_angles;
use crate::resolve::{moved, turned};
use crate::units::{linear_map, say_out_of_range, scale};
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// A document whose top bones were turned, if they are known.
pub(crate) struct Placing {
    pub(crate) outcome: Outcome<Document>,
    pub(crate) is_turned: bool,
}

/// The largest difference of numbers that a writer of rotations as `f32` may have made.
const ROUNDING: f64 = 1e-6;

/// The transform above a top bone: applies the factor, then the turn, then the offset.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Above {
    matrix: [[f64; 3]; 3],
    rotation: Quat<f64>,
    offset: [f64; 3],
    factor: f64,
}

impl Above {
    fn of_axes(axes: Axes, factor: f64) -> Self {
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let columns = columns.map(|column| axes.apply(column));
        Self {
            matrix: transposed(columns),
            rotation: axes.rotation().unwrap_or(Quat::IDENTITY),
            offset: [0.0; 3],
            factor,
        }
    }

    /// Returns the transform of a static node; `None` if its scale is not uniform.
    fn of_node(bone: &Bone) -> Option<Self> {
        let [x, y, z] = bone.scale.unwrap_or([1.0; 3]);
        let is_uniform = (x - y).abs().max((x - z).abs()) <= ROUNDING * x.abs() && x > 0.0;
        let rotation = bone.rotation.unwrap_or(Quat::IDENTITY).normalized();
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        is_uniform.then(|| Self {
            matrix: transposed(columns.map(|column| rotation.rotate(column))),
            rotation,
            offset: bone.translation.unwrap_or([0.0; 3]),
            factor: x,
        })
    }

    /// Returns the transform that applies another one first.
    fn after(&self, first: &Self) -> Self {
        let columns = transposed(first.matrix).map(|column| product(&self.matrix, column));
        let both = Self {
            matrix: transposed(columns),
            rotation: self.rotation * first.rotation,
            offset: self.point(first.offset),
            factor: self.factor * first.factor,
        };
        both.without_rounding()
    }

    /// Returns no transform, if this is one only by the rounding of a file. A node that an earlier
    /// conversion added thus cancels.
    fn without_rounding(self) -> Self {
        let none = Self::of_axes(Axes::IDENTITY, 1.0);
        let lengths = self.offset.iter().map(|part| part.abs());
        let off = lengths.fold((self.factor - 1.0).abs(), f64::max);
        let is_none = self.rotation.angle_to(Quat::IDENTITY) <= ROUNDING && off <= ROUNDING;
        if is_none { none } else { self }
    }

    fn linear(&self, vector: [f64; 3]) -> [f64; 3] {
        product(&self.matrix, vector).map(|part| part * self.factor)
    }

    fn point(&self, vector: [f64; 3]) -> [f64; 3] {
        let moved = self.linear(vector);
        Axis::ALL.map(|axis| axis.of(moved) + axis.of(self.offset))
    }

    /// Returns the axis that one axis becomes and the factor of its values, if it becomes one.
    fn axis(&self, old: Axis) -> Option<(Axis, f64)> {
        let column = self.matrix.map(|row| old.of(row));
        let mut used = Axis::ALL.into_iter().filter(|axis| axis.of(column) != 0.0);
        let (new, None) = (used.next()?, used.next()) else { return None };
        Some((new, new.of(column) * self.factor))
    }
}

fn transposed(matrix: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    Axis::ALL.map(|axis| matrix.map(|row| axis.of(row)))
}

/// Returns a matrix times a vector. Zeros of the matrix hide numbers that are not finite.
fn product(matrix: &[[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| {
        let parts = row.into_iter().zip(vector).filter(|(by, _)| *by != 0.0);
        parts.map(|(by, part)| by * part).reduce(|sum, part| sum + part).unwrap_or(0.0)
    })
}

/// Turns the top bones of a document and multiplies all lengths.
///
/// Static nodes above the bones are multiplied into the top bones first. If no parents are known,
/// lengths are multiplied, and nothing is turned.
pub(crate) fn place(
    mut document: Document,
    (axes, factor): (Axes, f64),
    settings: &Settings,
) -> Result<Placing, EditError> {
    let names_top = |skeleton: &&Skeleton| skeleton.has_parents() || skeleton.bones().len() == 1;
    let Some(skeleton) = document.skeleton.as_ref().filter(names_top) else {
        let outcome = scale(document, factor, settings)?;
        return Ok(Placing { outcome, is_turned: false });
    };
    let moves = Moves::new(skeleton, &document, Above::of_axes(axes, factor));
    document.skeleton = Some(moves.skeleton(skeleton)?);
    let mut work = Work::on(&document, settings);
    for node in &moves.not_folded {
        work.say(codes::PARENT_NOT_FOLDED, shown(node).to_string());
    }
    let outcome = work.clips(document, |work, mut clip| {
        let turns = |target: &Target| {
            let node = target.node.as_deref().unwrap_or_default();
            let turn = moves.tops.get(node).is_some_and(|top| top.rotation != Quat::IDENTITY);
            turn && target.blend == Blend::Absolute
        };
        clip.tracks = join_angles(clip.tracks, turns, work)?;
        clip.tracks =
            work.tracks(clip.tracks, |work, target, data| moves.track(target, data, work))?;
        Ok(clip)
    })?;
    Ok(Placing { outcome, is_turned: true })
}

/// How the bones of a skeleton move.
struct Moves {
    /// The transform of each top bone.
    tops: HashMap<Text, Above>,
    /// The factor of lengths of the other bones.
    factors: HashMap<Text, f64>,
    /// The factor of lengths of nodes that are no bones.
    factor: f64,
    /// The nodes that are multiplied into the top bones.
    folded: HashSet<Text>,
    /// Nodes above the bones that cannot be multiplied into them.
    not_folded: Vec<Text>,
}

impl Moves {
    fn new(skeleton: &Skeleton, document: &Document, above: Above) -> Self {
        let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
        let animated: HashSet<&str> =
            tracks.filter_map(|track| track.target().node.as_deref()).collect();
        let mut moves = Self {
            tops: HashMap::new(),
            factors: HashMap::new(),
            factor: above.factor,
            folded: HashSet::new(),
            not_folded: Vec::new(),
        };
        // The transforms above the children of folded nodes, and the factors above other children.
        let mut transforms: Vec<Option<Above>> = vec![None; skeleton.bones().len()];
        let mut factors = vec![above.factor; skeleton.bones().len()];
        let count = skeleton.bones().len();
        for index in ancestors_first(count, |bone| skeleton.parent(bone)) {
            let Some(bone) = skeleton.bones().get(index) else { continue };
            let parent = skeleton.parent(index);
            let top = match parent {
                None => Some(above),
                Some(parent) => transforms.get(parent).copied().flatten(),
            };
            let Some(top) = top else {
                let of_parent = parent.and_then(|parent| factors.get(parent)).copied();
                let factor = of_parent.unwrap_or(above.factor);
                moves.factors.insert(bone.node.clone(), factor);
                set(&mut factors, index, factor);
                continue;
            };
            let is_above = bone.role == BoneRole::Above;
            let node = Above::of_node(bone).filter(|_| is_above && !animated.contains(&*bone.node));
            if let Some(node) = node {
                set(&mut transforms, index, Some(top.after(&node)));
                moves.folded.insert(bone.node.clone());
                continue;
            }
            if is_above {
                moves.not_folded.push(bone.node.clone());
            }
            set(&mut factors, index, top.factor);
            moves.tops.insert(bone.node.clone(), top);
        }
        moves
    }

    /// Returns the skeleton after the move.
    fn skeleton(&self, skeleton: &Skeleton) -> Result<Skeleton, EditError> {
        let bones = skeleton.bones().iter().filter(|bone| !self.folded.contains(&bone.node));
        let bones = bones.cloned().map(|mut bone| {
            if bone.parent.as_ref().is_some_and(|parent| self.folded.contains(parent)) {
                bone.parent = None;
            }
            if let Some(above) = self.tops.get(&bone.node) {
                bone.translation = bone.translation.map(|vector| above.point(vector));
                bone.rotation = bone.rotation.map(|rotation| above.rotation * rotation);
            } else if let Some(factor) = self.factors.get(&bone.node) {
                bone.translation = bone.translation.map(|vector| vector.map(|part| part * factor));
            }
            bone
        });
        Ok(Skeleton::new(bones.collect())?)
    }

    fn track(
        &self,
        mut target: Target,
        mut data: TrackData,
        work: &mut Work<'_>,
    ) -> Result<(Target, TrackData), EditError> {
        let node = target.node.as_deref().unwrap_or_default();
        let top = self.tops.get(node).copied();
        match (&target.property, top) {
            (Property::Translation, Some(above)) => {
                let before = rows::not_finite(data.values()).count();
                if let Some(old) = target.component {
                    let Some((new, factor)) = above.axis(old) else {
                        work.say(codes::NOT_RESOLVED, shown(&target.label()).to_string());
                        return Ok((target, data));
                    };
                    data = linear_map(data, |row| row.iter_mut().for_each(|it| *it *= factor))?;
                    target.component = Some(new);
                    if target.blend == Blend::Absolute && new.of(above.offset) != 0.0 {
                        data = moved(data, &[new.of(above.offset)])?;
                    }
                } else {
                    data = linear_map(data, |row| {
                        if let Ok(vector) = <[f64; 3]>::try_from(&*row) {
                            row.copy_from_slice(&above.linear(vector));
                        }
                    })?;
                    if target.blend == Blend::Absolute && above.offset != [0.0; 3] {
                        data = moved(data, &above.offset)?;
                    }
                }
                say_out_of_range(before, &data, work);
            }
            (Property::Translation, None) => {
                let factor = self.factors.get(node).copied().unwrap_or(self.factor);
                if factor != 1.0 {
                    let before = rows::not_finite(data.values()).count();
                    data = linear_map(data, |row| row.iter_mut().for_each(|it| *it *= factor))?;
                    say_out_of_range(before, &data, work);
                }
            }
            (Property::Rotation | Property::RotationEuler(_), Some(above))
                if target.blend == Blend::Absolute && above.rotation != Quat::IDENTITY =>
            {
                return turned(target, data, above.rotation, work);
            }
            _ => {}
        }
        Ok((target, data))
    }
}

fn set<T>(list: &mut [T], index: usize, item: T) {
    if let Some(place) = list.get_mut(index) {
        *place = item;
    }
}
