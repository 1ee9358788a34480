//! A SEAnim file of 49 MB: 160 bones, a location and a rotation on each of 9,600 frames.

use std::hint::black_box;

use inbetween::seanim::{Channel, Seanim, SeanimFile, SeanimKey, SeanimKeys};
use inbetween::{Format, Limits, Quat, View};
use inbetween_testing::ByteBuilder;

use super::{Report, Target, fill_columns};
use crate::Outcome;

const BONES: u16 = 160;
const FRAMES: u16 = 9_600;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    let bytes = file(BONES, FRAMES);
    let limits = Limits::default();
    let format = Seanim::default();
    println!("seanim: {} bytes", bytes.len());

    let parse = || SeanimFile::parse(bytes.as_slice(), &limits).map(|file| file.bones().len());
    let copied = || bytes.clone();
    let (time, _) = report.slower("seanim: parse, to a copy", Target::None, parse, copied);
    let tracks = 2.0 * f64::from(BONES);
    let micros = time.as_secs_f64() * 1e6 / tracks;
    report.add("seanim: parse, a track", micros, " us", Target::Most(2.0));

    let document = format.read(&bytes, &limits).map_err(|error| error.to_string())?.value;
    let read = || format.read(&bytes, &limits);
    let columns = || fill_columns(&document);
    report.slower("seanim: read, to filling columns", Target::Most(2.0), read, columns);

    let file = SeanimFile::parse(bytes.as_slice(), &limits).map_err(|error| error.to_string())?;
    let decode = || decode(&file);
    report.slower("seanim: decode keys, to filling columns", Target::None, decode, columns);

    let keys = rotations(&file);
    let mut column = keys.clone();
    let mut copy = keys.clone();
    let decode = || {
        column.clear();
        rotation_views(&file).for_each(|view| view.decode_into(&mut column));
        column.len()
    };
    let copied = || {
        copy.clear();
        copy.extend_from_slice(&keys);
        copy.len()
    };
    let name = "seanim: decode rotations into a used column, to copying them";
    report.slower(name, Target::None, decode, copied);

    let mut documents = vec![document.clone(); 40];
    let write = || format.write(documents.pop().unwrap_or_default(), &limits);
    let filled = || vec![black_box(1_u8); bytes.len()];
    report.slower("seanim: write, to filling the file", Target::None, write, filled);
    Ok(())
}

fn decode(file: &SeanimFile<'_>) -> usize {
    let keys = file.bones().flat_map(|bone| Channel::ALL.map(|channel| bone.keys(channel)));
    keys.flatten().map(|keys| black_box(keys.decode(f64::from)).0.len()).sum()
}

type Rotation = SeanimKey<Quat<f32>>;

fn rotation_views<'a>(file: &'a SeanimFile<'_>) -> impl Iterator<Item = View<'a, Rotation>> {
    file.bones().filter_map(|bone| match bone.keys(Channel::Rotation) {
        Some(SeanimKeys::FloatQ(view)) => Some(view),
        _ => None,
    })
}

fn rotations(file: &SeanimFile<'_>) -> Vec<Rotation> {
    rotation_views(file).flat_map(|view| view.iter()).collect()
}

/// Builds a file with a location and a rotation of each bone on each frame, as described in
/// `docs/formats/seanim.md`.
pub(super) fn file(bones: u16, frames: u16) -> Vec<u8> {
    let header = ByteBuilder::new()
        .bytes("SEAnim")
        .u16(1)
        .u16(28)
        .u8s(&[0, 0, 0x03, 0, 0, 0])
        .f32(30.0)
        .u32(u32::from(frames))
        .u32(u32::from(bones))
        .u8s(&[0, 0, 0, 0])
        .u32(0);
    let named = header.each(0..bones, |file, bone| file.cstr(format!("j_bone_{bone}")));
    let keyed = named.each(0..bones, |file, bone| {
        let flagged = number(file.u8(0), frames, frames);
        let located = flagged.each(0..frames, |file, frame| {
            number(file, frame, frames).f32s(&[f32::from(bone), f32::from(frame), 0.5])
        });
        number(located, frames, frames).each(0..frames, |file, frame| {
            let (sin, cos) = (f32::from(frame) * 0.001).sin_cos();
            number(file, frame, frames).f32s(&[sin, 0.0, 0.0, cos])
        })
    });
    keyed.build()
}

/// Appends a frame or a number of keys, in the width for this number of frames.
fn number(file: ByteBuilder, number: u16, frames: u16) -> ByteBuilder {
    match (u8::try_from(frames), u8::try_from(number)) {
        (Ok(_), Ok(short)) => file.u8(short),
        _ => file.u16(number),
    }
}
