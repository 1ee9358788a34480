//! Parsing, reading and writing files of curves.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(clippy::expect_used, reason = "a benchmark may end where it fails")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_animx::{Animx, AnimxFile, Encoding};
use inbetween_core::{Format, Limits};
use inbetween_testing::ByteBuilder;

const TRACKS: u16 = 600;

/// A plain file of `keys` positions in each track.
fn file(keys: u16) -> Vec<u8> {
    let head = ByteBuilder::new().dotnet_string("AnimX").i32(1).seven_bit(TRACKS.into());
    let head = head.f32(f32::from(keys)).dotnet_string("bench").u8(0);
    let file = head.each(0..TRACKS, |bytes, track| {
        let bytes = bytes.u8s(&[2, 23]).dotnet_string(format!("bone {track}"));
        let bytes = bytes.dotnet_string("Position").seven_bit(keys.into()).u8s(&[0, 1]);
        bytes.each(0..keys, |bytes, key| bytes.f32s(&[-1.0, f32::from(key), 0.5, f32::from(key)]))
    });
    file.build()
}

fn animx(criterion: &mut Criterion) {
    let limits = Limits::default();
    for keys in [30, 1_000] {
        let bytes = file(keys);
        let mut group = criterion.benchmark_group(format!("animx/{} kB", bytes.len() / 1000));
        group.throughput(Throughput::Bytes(inbetween_core::num::u64_from_len(bytes.len())));
        group.bench_function("parse", |bench| {
            bench.iter(|| AnimxFile::parse(&bytes, &limits).expect("the file is valid"));
        });
        let format = Animx::default();
        group.bench_function("inspect", |bench| {
            bench.iter(|| format.inspect(&bytes, &limits).expect("the file is valid"));
        });
        let parts = AnimxFile::parse(&bytes, &limits).expect("the file is valid").into_parts();
        group.bench_function("write parts", |bench| {
            bench.iter(|| parts.to_bytes().expect("they came from a file"));
        });
        group.bench_function("read", |bench| {
            bench.iter(|| format.read(&bytes, &limits).expect("the file is valid"));
        });
        let document = format.read(&bytes, &limits).expect("the file is valid").value;
        let packed = format.encoding(Encoding::Lz4).write(document.clone(), &limits);
        let packed = packed.expect("it came from a file").value;
        group.bench_function("read lz4", |bench| {
            bench.iter(|| format.read(&packed, &limits).expect("the file is valid"));
        });
        group.bench_function("write", |bench| {
            bench.iter(|| format.write(document.clone(), &limits).expect("it came from a file"));
        });
        group.finish();
    }
}

criterion_group!(benches, animx);
criterion_main!(benches);
