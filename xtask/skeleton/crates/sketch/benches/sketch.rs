//! Parsing, reading and writing a file of 160 tracks.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(clippy::expect_used, reason = "a benchmark may end where it fails")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_core::{Format, Limits, num};
use inbetween_sketch::{Sketch, SketchFile};
use inbetween_testing::ByteBuilder;

const TRACKS: u32 = 160;

/// A file of tracks with `keys` keys each.
fn file(keys: u32) -> Vec<u8> {
    let head = ByteBuilder::new().bytes(b"SKET").u16(1).u16(0).f32(30.0).f64(0.0).u32(TRACKS);
    let file = head.each(0..TRACKS, |bytes, track| {
        let track = bytes.cstr(format!("bone_{track}")).u8(0).u32(keys);
        track.each(0..keys, |bytes, frame| bytes.u32(frame).f32s(&[1.5; 3]))
    });
    file.build()
}

fn benches_of_file(criterion: &mut Criterion) {
    let (limits, format, bytes) = (Limits::default(), Sketch::default(), file(1_000));
    let document = format.read(&bytes, &limits).expect("the file is valid").value;
    let mut group = criterion.benchmark_group("sketch");
    group.throughput(Throughput::Bytes(num::u64_from_len(bytes.len())));
    group.bench_function("parse", |bench| {
        bench.iter(|| SketchFile::parse(&bytes, &limits).expect("the file is valid"));
    });
    group.bench_function("read", |bench| {
        bench.iter(|| format.read(&bytes, &limits).expect("the file is valid"));
    });
    group.bench_function("write", |bench| {
        bench.iter(|| format.write(document.clone(), &limits).expect("it came from a file"));
    });
    group.finish();
}

criterion_group!(benches, benches_of_file);
criterion_main!(benches);
