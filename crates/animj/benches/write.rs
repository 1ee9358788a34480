//! Writing, compared with `serde_json::to_vec` of the same columns.

#![expect(
    missing_docs,
    clippy::expect_used,
    reason = "a bench may panic; criterion makes a public function"
)]

mod samples;
mod typed;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_animj::{AnimjFile, Style};
use serde::Serialize;
use serde::de::DeserializeOwned;
use typed::{Quaternion, Vector3};

/// Prints the same columns with `serde_json`.
type Side = fn(&[u8]) -> Box<dyn Fn()>;

fn side<T: DeserializeOwned + Serialize + 'static>(text: &[u8]) -> Box<dyn Fn()> {
    let typed = typed::read::<T>(text);
    Box::new(move || {
        black_box(serde_json::to_vec(&typed).is_ok());
    })
}

fn write(criterion: &mut Criterion) {
    let kinds: [(&str, AnimjFile, Side); 3] = [
        ("float3", samples::file(100, 1000, samples::float3), side::<Vector3<f32>>),
        ("floatQ", samples::file(100, 1000, samples::float_q), side::<Quaternion<f32>>),
        ("double3", samples::file(100, 1000, samples::double3), side::<Vector3<f64>>),
    ];
    for (kind, file, side) in kinds {
        let mut group = criterion.benchmark_group(format!("animj/write/{kind}"));
        for (name, style) in [("compact", Style::Compact), ("pretty", Style::Pretty)] {
            let bytes = inbetween_core::num::u64_from_len(file.to_text(style).len());
            group.throughput(Throughput::Bytes(bytes));
            group.sample_size(20);
            group.bench_function(name, |bencher| bencher.iter(|| black_box(file.to_text(style))));
        }
        let compact = file.to_text(Style::Compact);
        group.throughput(Throughput::Bytes(inbetween_core::num::u64_from_len(compact.len())));
        let to_vec = side(compact.as_bytes());
        group.bench_function("to_vec", |bencher| bencher.iter(&to_vec));
        group.finish();
    }
}

criterion_group!(benches, write);
criterion_main!(benches);
