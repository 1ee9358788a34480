//! Parsing, reading and writing a file of 10,000 records.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(clippy::expect_used, reason = "a benchmark may end where it fails")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_core::{Format, Limits};
use inbetween_testing::ByteBuilder;
use inbetween_x4_ani::{X4ani, X4aniFile};

const RECORDS: i32 = 10_000;
const KEYS: i32 = 40;

/// A file of 40 position keys in each of 10,000 records, about 53 MB.
fn file() -> Vec<u8> {
    let head = ByteBuilder::new().i32s(&[RECORDS, 16 + 160 * RECORDS, 1, 0]);
    let table = head.each(0..RECORDS, |bytes, record| {
        let bytes = bytes.padded_str(format!("anim_{record}"), 64).padded_str("loop", 64);
        bytes.i32s(&[KEYS, 0, 0, 0, 0]).f32(2.0).zeros(8)
    });
    let keys = table.each(0..RECORDS, |bytes, _| {
        bytes.each(0_u8..40, |bytes, key| {
            bytes.f32s(&[1.0, 2.0, 3.0]).u32s(&[2; 3]).f32(f32::from(key) / 30.0).zeros(100)
        })
    });
    keys.build()
}

fn x4_ani(criterion: &mut Criterion) {
    let (bytes, limits, format) = (file(), Limits::default(), X4ani::default());
    let mut group = criterion.benchmark_group(format!("x4-ani/{} MB", bytes.len() / 1_000_000));
    group.throughput(Throughput::Bytes(inbetween_core::num::u64_from_len(bytes.len())));
    group.sample_size(10);
    group.bench_function("parse", |bench| {
        bench.iter(|| X4aniFile::parse(&bytes, &limits).expect("the file is valid"));
    });
    group.bench_function("inspect", |bench| {
        bench.iter(|| format.inspect(&bytes, &limits).expect("the file is valid"));
    });
    group.bench_function("read", |bench| {
        bench.iter(|| format.read(&bytes, &limits).expect("the file is valid"));
    });
    let parts = X4aniFile::parse(&bytes, &limits).expect("the file is valid").into_parts();
    group.bench_function("write parts", |bench| {
        bench.iter(|| parts.to_bytes().expect("it came from a file"));
    });
    let document = format.read(&bytes, &limits).expect("the file is valid").value;
    group.bench_function("write", |bench| {
        bench.iter(|| format.write(document.clone(), &limits).expect("it came from a file"));
    });
    group.finish();
}

criterion_group!(benches, x4_ani);
criterion_main!(benches);
