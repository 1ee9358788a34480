//! BVH files, ours and fixtures, with the places of their joints in every row.

use std::path::{Path, PathBuf};

use inbetween::bvh::{Bvh, BvhFile};
use inbetween::core::{Axis, Values, num::f64_from_index, rows};
use inbetween::{Bone, Document, Format, Limits, Property, Quat, Reading, Registry};
use inbetween_testing::cases::{self, Case, CaseKind};
use serde_json::{Value, json};

use super::write_expected;

/// The fixtures that three.js refuses or reads otherwise, as `docs/formats/bvh.md` says.
const READ_OTHERWISE: &[&str] = &[
    "any-case",
    "brace-on-the-line",
    "decimal-comma",
    "end-sites",
    "frames-beyond-64-bits",
    "frames-billion",
    "frames-max",
    "frames-missing",
    "frames-more-than-rows",
    "frames-negative",
    "frames-not-a-number",
    "last-row-cut",
    "mixed-white-space",
    "no-channels",
    "offset-missing",
    "row-over-lines",
    "same-name-twice",
];

type Failed = Box<dyn core::error::Error>;

/// Writes every fixture that three.js can read, and what our writer makes of it and of rigs.
pub(super) fn write_files(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut files = Vec::new();
    for case in cases::all().into_iter().filter(|case| case.kind == CaseKind::Ok) {
        let name = format!("{}-{}", case.format, case.name);
        // three.js plays NaN where we skip a part.
        let is_broken = case.codes.contains(&"part-skipped");
        if case.format == "bvh" && !is_broken && !READ_OTHERWISE.contains(&case.name) {
            files.push(write_file(&folder.join(format!("{name}.bvh")), &case.bytes)?);
        }
        if let Some(made) = converted(&case)? {
            files.push(write_file(&folder.join(format!("{name}-made.bvh")), &made)?);
        }
    }
    Ok(files.into_iter().flatten().collect())
}

/// Returns a fixture of BVH or glTF as a BVH file; `None` for one without a skeleton.
fn converted(case: &Case) -> Result<Option<Vec<u8>>, Failed> {
    let registry = Registry::with_builtin();
    if !["bvh", "gltf"].contains(&case.format) {
        return Ok(None);
    }
    let from = registry.by_id(case.format).ok_or("no such format")?;
    let reading = Reading::new(from, &case.bytes, registry.limits())?;
    Ok(reading.write(&Bvh::default()).ok().map(|made| made.bytes))
}

/// Writes a walk of which a number differs from the places of its joints.
pub(super) fn damaged(folder: &Path, walk: &[u8]) -> Result<PathBuf, Failed> {
    let path = folder.join("damaged.bvh");
    write_file(&path, walk)?;
    let text = std::str::from_utf8(walk)?;
    std::fs::write(&path, text.replacen("0 91 1", "0 91.1 1", 1))?;
    Ok(path)
}

/// Writes a file and the places of its joints; `None` if nothing of it plays, or it has several roots,
/// of which three.js reads one.
fn write_file(path: &Path, bytes: &[u8]) -> Result<Option<PathBuf>, Failed> {
    let limits = Limits::default();
    let file = BvhFile::parse(bytes, &limits)?.value;
    let roots = file.joints().iter().filter(|joint| joint.parent.is_none());
    let is_read = roots.count() == 1;
    let Some(motion) = file.motion().filter(|it| is_read && it.rows() > 0 && it.frame_time > 0.0)
    else {
        return Ok(None);
    };
    let document = Bvh::default().read(bytes, &limits)?.value;
    let rows = (0..usize::try_from(motion.rows())?)
        .map(|row| json!([f64_from_index(row) * motion.frame_time, places(&document, row)]));
    write_expected(path, bytes, &json!([[0, rows.collect::<Vec<_>>()]]))?;
    Ok(Some(path.to_owned()))
}

/// Returns the place of each joint in a row, as three.js has it: it adds the position channels of a
/// joint to its offset.
fn places(document: &Document, row: usize) -> Vec<Value> {
    let bones = document.skeleton.as_ref().map_or(&[][..], |skeleton| skeleton.bones());
    let mut poses: Vec<(&Bone, [f64; 3], Quat<f64>)> = Vec::new();
    for bone in bones {
        let (place, turn) = local(document, bone, row);
        let above = poses.iter().find(|(above, ..)| Some(&above.node) == bone.parent.as_ref());
        let pose = above.map_or((bone, place, turn), |(_, above, turned)| {
            (bone, sum(*above, turned.rotate(place)), *turned * turn)
        });
        poses.push(pose);
    }
    let place = |(index, (_, place, _)): (usize, &(&Bone, [f64; 3], Quat<f64>))| {
        json!([index, "world", null, place])
    };
    poses.iter().enumerate().map(place).collect()
}

/// Returns the place of a joint in its parent, and its rotation.
fn local(document: &Document, bone: &Bone, row: usize) -> ([f64; 3], Quat<f64>) {
    let (mut place, mut turn) = (bone.translation.unwrap_or_default(), Quat::IDENTITY);
    for track in document.clips.iter().flat_map(|clip| clip.tracks_of(&bone.node)) {
        let vector = || rows::row::<3>(track.data().values(), row);
        match (&track.target().property, track.data().values()) {
            (Property::RotationEuler(order), _) => turn = order.quaternion(vector()),
            (Property::Rotation, Values::FloatQ(keys)) => {
                turn = keys.get(row).map_or(turn, |key| Quat::from(*key));
            }
            _ => place = sum(place, vector()),
        }
    }
    (place, turn)
}

fn sum(one: [f64; 3], other: [f64; 3]) -> [f64; 3] {
    Axis::ALL.map(|axis| axis.of(one) + axis.of(other))
}
