//! Poses of a playback clip of 100 bones, 10 seconds long: compared with loops over plain arrays of
//! `f32`, and with the tracks of the document.

use std::hint::black_box;

use inbetween::clip::{Bounds, Pose, build};
use inbetween::num::{f32_from_f64, f64_from_index, f64_from_u64};
use inbetween::{Animation, PlaybackCursor, Property, Quat, Sampler, Target, Track, TrackData};

use super::files::text;
use super::plain::{FRAMES, Frames, Packed};
use super::row::{Measured, Pair, Row, turns};

const BONES: u16 = 100;

/// A step that is no multiple of a frame.
const STEP: f64 = 1.0 / 72.0;

pub(crate) fn rows() -> [Row; 3] {
    [
        Row::at_most("clip: pose of 100 bones, to nlerp over f32 arrays", 1.5, |_| {
            arrays().map(Pair::slower)
        }),
        Row::ratio(
            "clip: pose of 100 bones by hand from 48-bit rotations and half floats, to nlerp over f32 \
             arrays",
            |_| packed().map(Pair::slower),
        ),
        Row::at_least("clip: pose of 100 bones, times as fast as the tracks", 3.0, |_| tracks()),
    ]
}

fn times() -> impl Iterator<Item = f64> {
    (0..700).map(|step| f64_from_index(step) * STEP)
}

fn arrays() -> Result<Pair, String> {
    let frames = Frames::new(BONES);
    let clip = build(&animation(&frames)?, &Bounds::default()).map_err(text)?.value.clip;
    let mut context = clip.context();
    compared(&frames, |time, pose| clip.sample(time, &mut context, pose))
}

/// The least that decoding a clip takes, compared with the same baseline.
fn packed() -> Result<Pair, String> {
    let frames = Frames::new(BONES);
    let mut packed = Packed::new(&frames);
    compared(&frames, |time, pose| packed.sample(f32_from_f64(time), pose))
}

/// Compares what computes poses with a loop by hand over plain arrays.
fn compared(frames: &Frames, mut sample: impl FnMut(f64, &mut Pose)) -> Result<Pair, String> {
    let (mut pose, mut by_hand) = (Pose::new(BONES.into()), Pose::new(BONES.into()));
    let play = || {
        for time in times() {
            sample(time, &mut pose);
            black_box(&pose);
        }
    };
    let plain = || {
        for time in times() {
            frames.sample(f32_from_f64(time), &mut by_hand);
            black_box(&by_hand);
        }
    };
    let pair = turns(play, plain);
    check_same(&pose, &by_hand).map(|()| pair)
}

/// Fails if two loops that are compared do not compute the same poses.
fn check_same(pose: &Pose, by_hand: &Pose) -> Result<(), String> {
    let numbers = |pose: &Pose| {
        let (places, turns) = (pose.translations().as_flattened(), pose.rotations().as_flattened());
        [places, turns].concat()
    };
    let far = numbers(pose).into_iter().zip(numbers(by_hand)).map(|(a, b)| (a - b).abs());
    let far = far.fold(0.0, f32::max);
    if far > 2e-4 { Err(format!("the poses differ by {far}")) } else { Ok(()) }
}

fn tracks() -> Result<Measured, String> {
    let animation = animation(&Frames::new(BONES))?;
    let clip = build(&animation, &Bounds::default()).map_err(text)?.value.clip;
    let (mut context, mut pose) = (clip.context(), Pose::new(BONES.into()));
    let mut other = pose.clone();
    let mut players: Vec<(usize, Player<'_>)> = animation
        .tracks
        .iter()
        .enumerate()
        .filter_map(|(index, track)| Some((index / 3, Player::new(&animation, track)?)))
        .collect();
    let play = || {
        for time in times() {
            clip.sample(time, &mut context, &mut pose);
            black_box(&pose);
        }
    };
    let one_by_one = || {
        for time in times() {
            for (bone, player) in &mut players {
                player.play(time, *bone, &mut other);
            }
            black_box(&other);
        }
    };
    Ok(turns(play, one_by_one).faster())
}

/// A sampler of a track, and its playback position.
enum Player<'a> {
    Translation(Sampler<'a, [f32; 3]>, PlaybackCursor),
    Rotation(Sampler<'a, Quat<f32>>, PlaybackCursor),
    Scale(Sampler<'a, [f32; 3]>, PlaybackCursor),
}

impl<'a> Player<'a> {
    fn new(animation: &Animation, track: &'a Track) -> Option<Self> {
        let (rules, cursor) = (animation.rules, PlaybackCursor::default());
        Some(match track.target().property {
            Property::Translation => Self::Translation(rules.sampler(track.data())?, cursor),
            Property::Rotation => Self::Rotation(rules.sampler(track.data())?, cursor),
            _ => Self::Scale(rules.sampler(track.data())?, cursor),
        })
    }

    fn play(&mut self, time: f64, bone: usize, pose: &mut Pose) {
        match self {
            Self::Translation(sampler, cursor) => {
                set(pose.translations_mut(), bone, sampler.sample_from(cursor, time));
            }
            Self::Rotation(sampler, cursor) => {
                let value = sampler.sample_from(cursor, time);
                set(pose.rotations_mut(), bone, value.map(|Quat { x, y, z, w }| [x, y, z, w]));
            }
            Self::Scale(sampler, cursor) => {
                set(pose.scales_mut(), bone, sampler.sample_from(cursor, time));
            }
        }
    }
}

fn set<T>(values: &mut [T], bone: usize, value: Option<T>) {
    if let (Some(slot), Some(value)) = (values.get_mut(bone), value) {
        *slot = value;
    }
}

/// Creates the clip: translations and rotations on each frame, and constant scales.
fn animation(frames: &Frames) -> Result<Animation, String> {
    let mut tracks = Vec::new();
    for bone in 0..usize::from(BONES) {
        let (places, turns) = frames.of_bone(bone);
        let turns: Vec<Quat<f32>> =
            turns.into_iter().map(|[x, y, z, w]| Quat { x, y, z, w }).collect();
        let step = 1.0 / f64_from_u64(FRAMES);
        for (property, data) in [
            (Property::Translation, TrackData::uniform(step, places)),
            (Property::Rotation, TrackData::uniform(step, turns)),
            (Property::Scale, TrackData::uniform(step, vec![[1.0_f32; 3]])),
        ] {
            let target = Target::new(format!("bone_{bone}"), property);
            tracks.push(Track::new(target, data).map_err(text)?);
        }
    }
    Ok(Animation::new(tracks).with_frame_rate(f64_from_u64(FRAMES)))
}
