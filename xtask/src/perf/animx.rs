//! Packed `AnimX` files, and another reader of the format.

use std::hint::black_box;

use inbetween::Format;
use inbetween::animx::{Animx, AnimxLayout, CurveKeyOrder, Encoding};
use resonite_core::animation::Animation;

use super::files::{Files, Shape, Size, limits, text};
use super::row::{Row, Taken, turns};

pub(crate) fn rows() -> Vec<Row> {
    vec![
        Row::at_most("animx: read LZ4, to lz4_flex and reading", 1.3, lz4),
        Row::at_least("animx: read, times as fast as resonite-core", 2.0, other_reader),
    ]
}

fn lz4(files: &mut Files) -> Taken {
    let file = files.get("animx", Shape::Long, Size::Mib50)?;
    let (format, limits) = (Animx::default(), limits());
    let packed = format.encoding(Encoding::Lz4).write(file.document.clone(), &limits);
    let packed = packed.map_err(text)?.value;
    let blocks = blocks(&file.bytes);
    let baseline = || (unpack(&blocks), format.read(&file.bytes, &limits));
    Ok(turns(|| format.read(&packed, &limits), baseline).slower())
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

/// The other reader knows only time-first keys.
fn other_reader(files: &mut Files) -> Taken {
    let file = files.get("animx", Shape::Long, Size::Mib50)?;
    let (format, limits) = (Animx::default(), limits());
    let layout = AnimxLayout { curve_key: CurveKeyOrder::TimeFirst, ..AnimxLayout::DEFAULT };
    let time_first = format.writing_layout(layout).write(file.document.clone(), &limits);
    let bytes = time_first.map_err(text)?.value;
    let theirs = || Animation::from_animx(bytes.as_slice()).map(|read| read.tracks.len());
    let tracks = theirs().map_err(|error| format!("{error:?}"))?;
    if file.document.clips.iter().all(|clip| clip.tracks.len() != tracks) {
        return Err(format!("resonite-core reads {tracks} tracks"));
    }
    Ok(turns(|| format.read(&bytes, &limits), theirs).faster())
}
