//! Builds a clip, prints its report, saves and loads it, and prints what it plays.

use std::error::Error;

use inbetween_clip::{Bounds, Pose, build, load, save};
use inbetween_core::{Animation, Property, Quat, Target, Track, TrackData};

/// A door that swings open in a second and slides up.
fn door() -> Result<Animation, Box<dyn Error>> {
    let part = |frame: u8| f32::from(frame) / 30.0;
    let turn = |frame| Quat::from_axis_angle([0.0, 1.0, 0.0], 1.5 * part(frame));
    let turns: Vec<Quat<f32>> = (0..=30).map(turn).collect();
    let places: Vec<[f32; 3]> =
        (0..=30).map(|frame| [0.0, 0.2 * part(frame).powi(2), 0.0]).collect();
    let even = |values: inbetween_core::Values| TrackData::uniform(1.0 / 30.0, values);
    let tracks = vec![
        Track::new(Target::new("door", Property::Rotation), even(turns.into()))?,
        Track::new(Target::new("door", Property::Translation), even(places.into()))?,
    ];
    Ok(Animation::new(tracks).with_name("open").with_frame_rate(30.0))
}

#[expect(clippy::print_stdout, reason = "an example prints its results")]
fn main() -> Result<(), Box<dyn Error>> {
    let built = build(&door()?, &Bounds::default())?;
    for finding in &built.findings {
        println!("{finding}");
    }
    let report = &built.value.report;
    println!("{} -> {} bytes", report.bytes_before(), report.bytes_after);
    for track in &report.tracks {
        let (property, encoding) = (&track.property, track.encoding);
        println!("{property}: {encoding:?}, off by at most {:.2e}", track.error);
    }

    let bytes = save(&[built.value.clip]);
    for clip in load(&bytes)? {
        println!("{:?} plays {} s", clip.name().unwrap_or_default(), clip.duration());
        let mut context = clip.context();
        let mut pose = Pose::new(clip.nodes().len());
        for tenth in 0..=10 {
            let time = f64::from(tenth) / 10.0;
            clip.sample(time, &mut context, &mut pose);
            for (translation, rotation) in pose.translations().iter().zip(pose.rotations()) {
                println!("{time:.1} s: {translation:.3?} {rotation:.3?}");
            }
        }
    }
    Ok(())
}
