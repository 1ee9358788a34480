//! A plain AnimX file of 50 MB: 600 tracks of positions, rotations and numbers, without strings.

use std::hint::black_box;

use inbetween::animx::{Animx, AnimxFile, AnimxLayout, CurveKeyOrder, Encoding};
use inbetween::{Format, Limits};
use inbetween_testing::ByteBuilder;
use resonite_core::animation::Animation;

use super::{Report, Target, fill_columns};
use crate::Outcome;

const TRACKS: u16 = 600;
const KEYS: u16 = 5_600;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    let bytes = file();
    let limits = Limits::default();
    let format = Animx::default();
    println!("animx: {} bytes", bytes.len());

    let parse = || AnimxFile::parse(bytes.as_slice(), &limits).map(|file| file.track_count());
    let copied = || bytes.clone();
    let (time, _) = report.slower("animx: parse, to a copy", Target::None, parse, copied);
    let micros = time.as_secs_f64() * 1e6 / f64::from(TRACKS);
    report.add("animx: parse, a track", micros, " us", Target::Most(2.0));

    let document = format.read(&bytes, &limits).map_err(|error| error.to_string())?.value;
    let read = || format.read(&bytes, &limits);
    let columns = || fill_columns(&document);
    report.slower("animx: read, to filling columns", Target::Most(2.0), read, columns);

    let packed = format.encoding(Encoding::Lz4).write(document.clone(), &limits);
    let packed = packed.map_err(|error| error.to_string())?.value;
    let read_packed = || format.read(&packed, &limits);
    let blocks = blocks(&bytes);
    let unpack_and_read = || (unpack(&blocks), format.read(&bytes, &limits));
    let name = "animx: read LZ4, to unpacking and reading";
    report.slower(name, Target::Most(1.3), read_packed, unpack_and_read);

    let filled = || vec![black_box(1_u8); bytes.len()];
    let file = AnimxFile::parse(bytes.as_slice(), &limits).map_err(|error| error.to_string())?;
    let parts = file.into_parts();
    let build = || AnimxFile::from_parts(&parts);
    report.slower("animx: write parts, to filling the file", Target::Most(2.0), build, filled);
    // Writing reads as many bytes as it writes; filling does not.
    report.slower("animx: write parts, to copying the file", Target::None, build, copied);

    // A document that is no longer in the cache costs as much to load as to convert.
    let mut documents = vec![document.clone(); 40];
    let write = || format.write(documents.pop().unwrap_or_default(), &limits);
    report.slower("animx: write, to filling the file", Target::None, write, filled);

    // The other program reads only time-first keys.
    let layout = AnimxLayout { curve_key: CurveKeyOrder::TimeFirst, ..AnimxLayout::DEFAULT };
    let time_first = format.writing_layout(layout).write(document, &limits);
    let time_first = time_first.map_err(|error| error.to_string())?.value;
    let ours = || format.read(&time_first, &limits);
    let theirs = || Animation::from_animx(time_first.as_slice()).map(|read| read.tracks.len());
    let tracks = theirs().map_err(|error| format!("{error:?}"))?;
    if tracks != usize::from(TRACKS) {
        return Err(format!("resonite-core reads {tracks} tracks of {TRACKS}"));
    }
    report.faster("animx: read, resonite-core to it", Target::Least(2.0), ours, theirs);
    Ok(())
}

/// Compresses bytes to LZ4 blocks, each with its length.
fn blocks(bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let pieces = bytes.chunks(1 << 20);
    pieces.map(|piece| (piece.len(), lz4_flex::block::compress(piece))).collect()
}

/// Decompresses blocks with only `lz4_flex`.
fn unpack(blocks: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut out = vec![0; blocks.iter().map(|(length, _)| length).sum()];
    let mut rest = out.as_mut_slice();
    for (length, block) in blocks {
        let (room, after) = rest.split_at_mut(*length);
        black_box(lz4_flex::block::decompress_into(block, room).is_ok());
        rest = after;
    }
    out
}

/// Builds the file as described in `docs/formats/animx.md`; negative values show that keys are
/// value-first.
fn file() -> Vec<u8> {
    let head = ByteBuilder::new().dotnet_string("AnimX").i32(1).seven_bit(TRACKS.into());
    let head = head.f32(f32::from(KEYS) / 60.0).dotnet_string("perf").u8(0);
    let file = head.each(0..TRACKS, |bytes, track| {
        let (id, property): (u8, _) = match track % 3 {
            0 => (23, "Position"),
            1 => (25, "Rotation"),
            _ => (21, "Weight:smile"),
        };
        let bytes = bytes.u8s(&[2, id]).dotnet_string(format!("bone {track}"));
        let bytes = bytes.dotnet_string(property).seven_bit(KEYS.into()).u8s(&[0, 1]);
        bytes.each(0..KEYS, |bytes, key| {
            let (sin, cos) = (f32::from(key) * 0.001 + f32::from(track)).sin_cos();
            let bytes = match id {
                23 => bytes.f32s(&[-1.0 - cos, sin, 0.5]),
                25 => bytes.f32s(&[-sin.abs(), 0.0, 0.0, cos]),
                _ => bytes.f32(-cos.abs()),
            };
            bytes.f32(f32::from(key) / 60.0)
        })
    });
    file.build()
}
