//! Creates a document in memory and writes it to two formats.
//!
//! `cargo run -p inbetween --example own_document`

use std::error::Error;
use std::io::Write;

use inbetween::animj::Animj;
use inbetween::seanim::Seanim;
use inbetween::{
    Animation, Document, Finding, Format, Interpolation, Interpolations, Marker, Property, Quat,
    Target, Track, TrackData,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout();
    for (name, bytes, findings) in write_to_both()? {
        writeln!(out, "{name}: {} bytes", bytes.len())?;
        for loss in findings {
            writeln!(out, "  {loss}")?;
        }
    }
    Ok(())
}

/// Creates a door that opens in one second: it swings by a quarter turn and creaks.
pub(crate) fn door() -> Result<Document, Box<dyn Error>> {
    let linear = || Interpolations::Shared(Interpolation::Linear);
    let half = core::f32::consts::FRAC_1_SQRT_2;
    let closed = Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    let open = Quat { x: 0.0, y: half, z: 0.0, w: half };
    let swing = TrackData::curve(vec![0.0, 1.0], vec![closed, open], linear(), None)?;
    let places = vec![[0.0_f32, 0.0, 0.0], [0.0, 0.5, 0.0]];
    let lift = TrackData::curve(vec![0.0, 0.5], places, linear(), None)?;
    Ok(Document::single(
        Animation::new(vec![
            Track::new(Target::new("door", Property::Rotation), swing)?,
            Track::new(Target::new("latch", Property::Translation), lift)?,
        ])
        .with_frame_rate(30.0)
        .with_markers(vec![Marker { time: 0.5, name: "creak".into() }]),
    ))
}

/// A file of a format, and the findings of writing it.
pub(crate) type Written = (&'static str, Vec<u8>, Vec<Finding>);

/// Writes the door in every format.
pub(crate) fn write_to_both() -> Result<Vec<Written>, Box<dyn Error>> {
    let formats: [Box<dyn Format>; 2] = [Box::new(Animj::default()), Box::new(Seanim::default())];
    let mut files = Vec::new();
    for format in formats {
        let written = inbetween::write(door()?, &*format)?;
        files.push((format.info().name, written.value, written.findings));
    }
    Ok(files)
}
