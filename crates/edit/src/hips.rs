//! Guesses the unit of a file from the height of its hips.

use inbetween_core::{
    Axis, Blend, BoneRole, Document, Finding, Property, Skeleton, Target, rows, shown, significant,
};

use crate::codes;
use crate::map::unit_name;

/// The names of the bone of the hips in Call of Duty.
const HIPS: &str = "j_mainroot";

/// The heights of the hips of a person in meters.
const HEIGHTS: core::ops::RangeInclusive<f64> = 0.83..=1.15;

/// The units of files about people, in meters.
const UNITS: [f64; 3] = [0.01, 0.0254, 1.0];

/// Returns a finding if the hips show another unit than the one that is taken.
pub(crate) fn other_unit(document: &Document, up: Option<Axis>, taken: f64) -> Option<Finding> {
    let (bone, height) = height(document, up?)?;
    let is_person = |unit: f64| HEIGHTS.contains(&(height * unit));
    let unit = UNITS.into_iter().find(|unit| is_person(*unit)).filter(|_| !is_person(taken))?;
    let message = format!(
        "{} is at a height of {}, that of a person if the unit is {}",
        shown(bone),
        significant(height),
        unit_name(unit)
    );
    Some(Finding::new(codes::UNIT_UNLIKELY, message))
}

/// Returns the bone of the hips and its height in the first key: that of the game's name, else the
/// top bone.
fn height(document: &Document, up: Axis) -> Option<(&str, f64)> {
    let tracks = || document.clips.iter().flat_map(|clip| &clip.tracks);
    let skeleton = document.skeleton.as_ref();
    let bones = skeleton.into_iter().flat_map(Skeleton::bones).map(|bone| &*bone.node);
    let mut nodes = tracks().filter_map(|track| track.target().node.as_deref()).chain(bones);
    let hips = nodes.find(|name| name.eq_ignore_ascii_case(HIPS));
    let hips = hips.or_else(|| {
        let skeleton = skeleton.filter(|skeleton| skeleton.has_parents())?;
        let is_top = |index: usize| {
            let parent = skeleton.parent(index).and_then(|parent| skeleton.bones().get(parent));
            parent.is_none_or(|parent| parent.role == BoneRole::Above)
        };
        let mut bones = skeleton.bones().iter().enumerate();
        let top = bones.find(|(index, bone)| bone.role == BoneRole::Bone && is_top(*index))?;
        Some(&*top.1.node)
    })?;
    let rest = skeleton.and_then(|skeleton| skeleton.bone(hips)?.translation);
    let rest = rest.map(|translation| up.of(translation));
    let moves = |target: &&Target| {
        let is_up = target.component.is_none_or(|axis| axis == up);
        target.node.as_deref() == Some(hips) && target.property == Property::Translation && is_up
    };
    let mut tracks = tracks();
    let key = tracks.find(|track| moves(&track.target())).and_then(|track| {
        let target = track.target();
        let numbers = rows::numbers(track.data().values(), 0)?;
        let key = match (target.component, numbers.as_slice()) {
            (Some(_), [number]) => *number,
            (None, [x, y, z]) => up.of([*x, *y, *z]),
            _ => return None,
        };
        if target.blend == Blend::Absolute { Some(key) } else { Some(key + rest?) }
    });
    Some((hips, key.or(rest)?))
}
