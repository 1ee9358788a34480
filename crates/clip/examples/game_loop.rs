//! A game loop: a character that fades from walking to running.

use std::error::Error;

use inbetween_clip::{Bounds, Clip, Context, Pose, RotationBlend, build, load, save};
use inbetween_core::{Animation, Looping, Property, Quat, Target, Track, TrackData};

const BONES: [&str; 2] = ["hips", "leg"];

/// Returns the file that a build step would ship: a leg that swings this far.
fn shipped(swing: f32) -> Result<Vec<u8>, Box<dyn Error>> {
    let turn = |angle: f32| Quat::from_axis_angle([1.0, 0.0, 0.0], angle);
    let turns: Vec<Quat<f32>> = [0.0, swing, 0.0, -swing, 0.0].map(turn).to_vec();
    let leg = Track::new(Target::new("leg", Property::Rotation), TrackData::uniform(0.25, turns))?;
    let animation = Animation::new(vec![leg]).with_looping(Looping::Loop);
    Ok(save(&[build(&animation, &Bounds::default())?.value.clip]))
}

/// A clip that one character plays.
struct Playing {
    clip: Clip,
    context: Context,
    pose: Pose,
}

impl Playing {
    fn new(bytes: &[u8], rest: &Pose) -> Result<Self, Box<dyn Error>> {
        let clip = load(bytes)?.into_iter().next().ok_or("a file without clips")?;
        let context = clip.context_for(|node| BONES.iter().position(|bone| *bone == node));
        Ok(Self { clip, context, pose: rest.clone() })
    }

    fn update(&mut self, time: f64) -> &Pose {
        self.clip.sample(time, &mut self.context, &mut self.pose);
        &self.pose
    }
}

#[expect(clippy::print_stdout, reason = "an example prints its results")]
fn main() -> Result<(), Box<dyn Error>> {
    let rest = Pose::new(BONES.len());
    let mut walk = Playing::new(&shipped(0.4)?, &rest)?;
    let mut run = Playing::new(&shipped(1.2)?, &rest)?;
    let mut pose = rest;
    for frame in 0..120_u8 {
        let time = f64::from(frame) / 60.0;
        // One second of walking, then half a second to fade.
        let weight = (f32::from(frame) - 60.0).clamp(0.0, 30.0) / 30.0;
        pose.clone_from(walk.update(time));
        pose.blend(run.update(time), weight, RotationBlend::Nlerp);
        if frame % 15 == 0 {
            println!("{time:.2} s, {weight:.2} running: {:.3?}", pose.rotations());
        }
    }
    Ok(())
}
