//! A soldier of 100 bones: a relative `SEAnim` clip in inches on a rig in meters.
//!
//! The places of its bones are computed here from the rest pose and the keys of the source, without
//! the code that converts them.

use inbetween::core::Axis;
use inbetween::core::num::{f32_from_f64, f64_from_index};
use inbetween::edit::{MapOptions, Rig, Settings, UnitChoice, put_on};
use inbetween::gltf::Gltf;
use inbetween::seanim::Seanim;
use inbetween::{
    Animation, BlendMode, Bone, Document, Format, Limits, Property, Quat, Reading, Skeleton,
    Target, Track, TrackData,
};
use serde_json::{Value, json};

const BONES: usize = 100;
const FRAMES: usize = 31;
const FRAME_RATE: f64 = 30.0;
const INCH: f64 = 0.0254;
/// The height of the hips in inches.
const HIPS: f64 = 38.5;

/// A file and the places of its bones, as `play.mjs` reads them.
pub(super) struct Soldier {
    pub(super) file: Vec<u8>,
    pub(super) places: Value,
}

/// A local or a global pose.
#[derive(Clone, Copy)]
struct Pose {
    place: [f64; 3],
    turn: Quat<f64>,
}

/// A bone of the source, with the keys of its frames.
struct Source {
    bone: Bone,
    parent: Option<usize>,
    /// Translations are offsets from the rest pose; rotations replace it.
    keys: Vec<Pose>,
}

/// Writes the soldier as a user does: a rig from its rest pose, and the clip onto the rig. The
/// expected places are multiplied by a factor.
pub(super) fn soldier(factor: f64) -> Result<Soldier, Box<dyn core::error::Error>> {
    let sources = sources();
    let limits = &Limits::default();
    let skeleton = Skeleton::new(sources.iter().map(|source| source.bone.clone()).collect())?;
    let options = MapOptions { unit: UnitChoice::Meters(INCH), ..MapOptions::default() };
    let (from, to) = (Seanim::default(), Gltf::default());

    let still = from.write(Document::single(clip(&sources, 1)?), limits)?.value;
    let mut still = Reading::new(&from, &still, limits)?;
    still.document.skeleton = Some(skeleton);
    let rig = still.mapped(to.info(), options)?.write(&to)?.bytes;
    let mut document = to.read(&rig, limits)?.value;
    document.clips.clear();
    let rig = Rig { document, coordinates: to.info().coordinates };

    let moving = from.write(Document::single(clip(&sources, FRAMES)?), limits)?.value;
    let moving = from.read(&moving, limits)?.value;
    let put = put_on(moving, from.info().coordinates, &rig, options, &Settings::default())?;
    let file = to.write(put.value, limits)?.value;
    let frames = (0..FRAMES).map(|frame| {
        let time = f64_from_index(frame) / FRAME_RATE;
        json!([time, places(&sources, frame, factor)])
    });
    Ok(Soldier { file, places: json!([[0, frames.collect::<Vec<_>>()]]) })
}

/// Returns bones and keys that look random and are the same in every run.
fn sources() -> Vec<Source> {
    let mut state = 7_u32;
    let mut random = move |most: f64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        most * (f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0)
    };
    let mut sources: Vec<Source> = Vec::new();
    for index in 0..BONES {
        let mut vector = |most: f64| [random(most), random(most), random(most)];
        let (rest, parent) = if index == 0 {
            (Pose { place: [0.0, 0.0, HIPS], turn: Quat::IDENTITY }, None)
        } else {
            let [x, y, z] = vector(1.0);
            let turn = Quat { x, y, z, w: 0.5 }.normalized();
            // Chains of every length, with branches.
            let parent = if index % 3 == 0 { index / 2 } else { index.saturating_sub(1) };
            (Pose { place: vector(6.0), turn }, Some(parent))
        };
        let keys = (0..FRAMES).map(|_| {
            let [x, y, z] = vector(0.3);
            let turn = rest.turn * Quat { x, y, z, w: 1.0 };
            Pose { place: vector(1.0), turn: turn.normalized() }
        });
        let keys = keys.collect();
        let bone = Bone {
            node: name(index).into(),
            parent: parent.map(|parent| name(parent).into()),
            translation: Some(rest.place),
            rotation: Some(rest.turn),
            scale: Some([1.0; 3]),
            ..Bone::default()
        };
        sources.push(Source { bone, parent, keys });
    }
    sources
}

fn name(bone: usize) -> String {
    if bone == 0 { "j_mainroot".to_owned() } else { format!("j_{bone}") }
}

/// Returns the clip with its first frames.
fn clip(sources: &[Source], frames: usize) -> Result<Animation, Box<dyn core::error::Error>> {
    let mut tracks = Vec::new();
    for source in sources {
        let keys = source.keys.iter().take(frames);
        let places = keys.clone().map(|key| key.place.map(f32_from_f64)).collect::<Vec<_>>();
        let turns = keys.map(|key| Quat::from_array(key.turn.to_array().map(f32_from_f64)));
        let turns = turns.collect::<Vec<Quat<f32>>>();
        let target = |property| Target::new(&*source.bone.node, property);
        let places = TrackData::uniform(1.0 / FRAME_RATE, places);
        tracks.push(Track::new(target(Property::Translation), places)?);
        let turns = TrackData::uniform(1.0 / FRAME_RATE, turns);
        tracks.push(Track::new(target(Property::Rotation), turns)?);
    }
    Ok(Animation::new(tracks).with_frame_rate(FRAME_RATE).with_blend(BlendMode::Relative))
}

/// Returns the place of each bone in meters times a factor, with Y up.
fn places(sources: &[Source], frame: usize, factor: f64) -> Vec<Value> {
    let mut poses: Vec<Pose> = Vec::new();
    for source in sources {
        let rest = source.bone.translation.unwrap_or_default();
        let Some(key) = source.keys.get(frame) else { continue };
        let own = Pose { place: sum(rest, key.place), turn: key.turn };
        let parent = source.parent.and_then(|parent| poses.get(parent));
        poses.push(parent.map_or(own, |parent| Pose {
            place: sum(parent.place, parent.turn.rotate(own.place)),
            turn: parent.turn * own.turn,
        }));
    }
    let poses = sources.iter().zip(poses);
    let places = poses.map(|(source, pose)| {
        let [x, y, z] = pose.place.map(|part| part * INCH * factor);
        json!([*source.bone.node, "world", null, [x, z, -y]])
    });
    places.collect()
}

fn sum(one: [f64; 3], other: [f64; 3]) -> [f64; 3] {
    Axis::ALL.map(|axis| axis.of(one) + axis.of(other))
}
