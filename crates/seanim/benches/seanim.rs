//! Parsing, reading and writing a file of 160 bones.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(clippy::expect_used, reason = "a benchmark may end where it fails")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_core::{Format, Limits};
use inbetween_seanim::{Seanim, SeanimFile};
use inbetween_testing::ByteBuilder;

const BONES: u32 = 160;

/// A file of `frames` keys in two channels of each bone: about 4.5 kB per frame.
fn file(frames: u16) -> Vec<u8> {
    let head = ByteBuilder::new().bytes(b"SEAnim").u16(1).u16(28).u8s(&[0, 0, 3, 0, 0, 0]);
    let head = head.f32(30.0).u32(u32::from(frames).max(256)).u32(BONES).u8s(&[0; 4]).u32(0);
    let names = head.each(0..BONES, |bytes, bone| bytes.cstr(format!("j_bone_{bone}")));
    let file = names.each(0..BONES, |bytes, _| {
        let locations = bytes.u8(0).u16(frames);
        let locations = locations.each(0..frames, |bytes, frame| bytes.u16(frame).f32s(&[1.5; 3]));
        let rotations = locations.u16(frames);
        rotations.each(0..frames, |bytes, frame| bytes.u16(frame).f32s(&[0.0, 0.0, 0.6, 0.8]))
    });
    file.build()
}

fn seanim(criterion: &mut Criterion) {
    let limits = Limits::default();
    for frames in [30, 1_000] {
        let bytes = file(frames);
        let mut group = criterion.benchmark_group(format!("seanim/{} kB", bytes.len() / 1000));
        group.throughput(Throughput::Bytes(inbetween_core::num::u64_from_len(bytes.len())));
        group.bench_function("parse", |bench| {
            bench.iter(|| SeanimFile::parse(&bytes, &limits).expect("the file is valid"));
        });
        let format = Seanim::default();
        group.bench_function("inspect", |bench| {
            bench.iter(|| format.inspect(&bytes, &limits).expect("the file is valid"));
        });
        let parts = SeanimFile::parse(&bytes, &limits).expect("the file is valid").into_parts();
        group.bench_function("write parts", |bench| {
            bench.iter(|| parts.to_bytes().expect("they came from a file"));
        });
        group.bench_function("read", |bench| {
            bench.iter(|| format.read(&bytes, &limits).expect("the file is valid"));
        });
        let document = format.read(&bytes, &limits).expect("the file is valid").value;
        group.bench_function("write", |bench| {
            bench.iter(|| format.write(document.clone(), &limits).expect("it came from a file"));
        });
        group.finish();
    }
}

criterion_group!(benches, seanim);
criterion_main!(benches);
