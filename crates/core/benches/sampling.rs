//! Sampling one track, against the loop that one would write by hand.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark may end where it fails"
)]

mod bare;

use bare::{Blend, KEYS, Spacing};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_core::{Interpolation, Interpolations};

fn sampling<T: Blend>(criterion: &mut Criterion, kind: &str, spacing: Spacing) {
    let data = bare::track::<T>(spacing).expect("frames rise");
    let (rising, asked) = (bare::rising(&data), bare::shuffled(bare::rising(&data)));
    let times: Vec<f64> = (0..data.len()).filter_map(|key| data.time(key)).collect();
    let values = data.values().as_slice::<T>().expect("it was made of them");
    let places = bare::places(&times, &rising);
    let sampler = inbetween_core::resonite::RULES.sampler::<T>(&data).expect("it was made of them");
    let mut group = criterion.benchmark_group(format!("sample/{kind}/{spacing:?}"));
    group.throughput(Throughput::Elements(u64::from(KEYS) * 3));
    group.bench_function("maths alone", |bench| bench.iter(|| bare::blended(values, &places)));
    group.bench_function("bare loop", |bench| {
        bench.iter(|| bare::played(&times, values, &rising));
    });
    let shape = Interpolations::Shared(Interpolation::Linear);
    group.bench_function("bare loop from any cursor", |bench| {
        bench.iter(|| bare::played_from((&times, values, &shape), &mut 0, &rising));
    });
    group.bench_function("played", |bench| bench.iter(|| bare::play(&sampler, &rising)));
    group.bench_function("sought, rising", |bench| {
        bench.iter(|| bare::seek(&sampler, &rising));
    });
    group.bench_function("sought, at random", |bench| {
        bench.iter(|| bare::seek(&sampler, &asked));
    });
    if matches!(spacing, Spacing::Even) {
        group.bench_function("bare loop, at random", |bench| {
            bench.iter(|| bare::sought(&times, values, &asked));
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    for spacing in [Spacing::Even, Spacing::Uneven] {
        sampling::<[f32; 3]>(criterion, "float3", spacing);
        sampling::<inbetween_core::Quat<f32>>(criterion, "floatQ", spacing);
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
