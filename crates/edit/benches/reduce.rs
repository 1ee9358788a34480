//! Measures the removal of redundant keys from a long track.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(clippy::expect_used, reason = "a benchmark may end where it fails")]

mod smooth;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use inbetween_core::Quat;
use inbetween_edit::{ReduceBounds, Settings, reduce};
use smooth::{KEYS, Smooth};

fn reducing<T: Smooth>(criterion: &mut Criterion, kind: &str) {
    let document = smooth::document::<T>().expect("keys in order");
    let settings = Settings::default();
    let mut group = criterion.benchmark_group(format!("reduce/{kind}, {KEYS} keys"));
    group.throughput(Throughput::Bytes(smooth::raw_bytes::<T>()));
    for bound in [0.0, 1e-4, 1e-3, 1e-2] {
        let bounds = ReduceBounds::all(bound);
        group.bench_function(format!("to {bound:e}"), |bench| {
            let reduce = |document| reduce(document, bounds, &settings);
            bench.iter_batched(|| document.clone(), reduce, BatchSize::SmallInput);
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    reducing::<[f32; 3]>(criterion, "float3");
    reducing::<Quat<f32>>(criterion, "floatQ");
}

criterion_group!(benches, all);
criterion_main!(benches);
