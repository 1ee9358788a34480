//! Detecting and reading small files, on one core.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(clippy::expect_used, reason = "a benchmark may end where it fails")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween::num::f64_from_u64;
use inbetween::{
    Animation, Document, Interpolation, Interpolations, Limits, Property, Registry, Target, Track,
    TrackData,
};

/// A clip of one bone, which makes files of about 1 kB.
fn document(keys: u64) -> Document {
    let times = (0..keys).map(|key| f64_from_u64(key) / 32.0).collect();
    let values = vec![[0.25_f32, -0.5, 0.75]; usize::try_from(keys).expect("few keys")];
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, values, linear, None).expect("times increase");
    let track = Track::new(Target::new("bone", Property::Translation), data);
    Document::single(Animation::new(vec![track.expect("vectors move bones")]))
}

fn small_files(criterion: &mut Criterion) {
    let registry = Registry::with_builtin();
    let mut group = criterion.benchmark_group("facade/read");
    group.throughput(Throughput::Elements(1));
    for format in registry.formats() {
        let info = format.info();
        let keys = if info.id == "animj" || info.id == "x4-ani" { 8 } else { 50 };
        let file = format.write(document(keys), &Limits::default()).expect("it can be written");
        let bytes = file.value;
        group.bench_function(format!("{}, {} bytes", info.id, bytes.len()), |bench| {
            bench.iter(|| inbetween::read(black_box(&bytes)).expect("the file is valid"));
        });
    }
    group.finish();
}

criterion_group!(benches, small_files);
criterion_main!(benches);
