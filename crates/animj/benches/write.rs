//! Writing.

#![expect(missing_docs, reason = "criterion makes a public function")]

mod samples;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_animj::Style;

fn write(criterion: &mut Criterion) {
    let kinds = [
        ("float3", samples::file(100, 1000, samples::float3)),
        ("floatQ", samples::file(100, 1000, samples::float_q)),
        ("double3", samples::file(100, 1000, samples::double3)),
    ];
    for (kind, file) in kinds {
        let mut group = criterion.benchmark_group(format!("animj/write/{kind}"));
        for (name, style) in [("compact", Style::Compact), ("pretty", Style::Pretty)] {
            let bytes = inbetween_core::num::u64_from_len(file.to_text(style).len());
            group.throughput(Throughput::Bytes(bytes));
            group.sample_size(20);
            group.bench_function(name, |bencher| bencher.iter(|| black_box(file.to_text(style))));
        }
        group.finish();
    }
}

criterion_group!(benches, write);
criterion_main!(benches);
