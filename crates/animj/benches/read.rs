//! Compares reading with typed `serde_json` into the same columns, in one process.
//!
//! `cargo bench -p inbetween-animj --bench read` prints the times of both, and first the ratio of
//! interleaved runs, which is the number to quote.

#![expect(
    missing_docs,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench prints and may panic; criterion makes a public function"
)]

mod samples;
mod typed;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group};
use inbetween_animj::{Animj, AnimjFile, Style};
use inbetween_core::{Format, Limits};
use serde::de::DeserializeOwned;
use typed::{Quaternion, Vector3};

type Side = fn(&[u8]);

/// The files: name, text, and the `serde_json` reader.
fn cases() -> Vec<(String, Vec<u8>, Side)> {
    let kinds: [(&str, AnimjFile, Side); 3] = [
        ("float3", samples::file(100, 1000, samples::float3), typed::<Vector3<f32>>),
        ("floatQ", samples::file(100, 1000, samples::float_q), typed::<Quaternion<f32>>),
        ("double3", samples::file(100, 1000, samples::double3), typed::<Vector3<f64>>),
    ];
    let mut cases = Vec::new();
    for (kind, file, side) in kinds {
        for (name, style) in [("compact", Style::Compact), ("pretty", Style::Pretty)] {
            cases.push((format!("{kind} {name}"), file.to_text(style).into_bytes(), side));
        }
    }
    cases
}

fn typed<T: DeserializeOwned>(text: &[u8]) {
    black_box(typed::read::<T>(text));
}

fn exact(text: &[u8]) {
    black_box(AnimjFile::parse(text, &Limits::default()).expect("a file of ours"));
}

fn document(text: &[u8]) {
    black_box(Animj::default().read(text, &Limits::default()).expect("a file of ours"));
}

/// Returns how many times as long `serde_json` takes as our reader: the median of interleaved runs.
fn ratio(text: &[u8], serde: Side, other: Side, runs: usize) -> f64 {
    let time = |side: Side| {
        let start = Instant::now();
        side(text);
        start.elapsed()
    };
    let mut ratios: Vec<f64> = (0..runs)
        .map(|_| {
            let (serde, other): (Duration, Duration) = (time(serde), time(other));
            serde.as_secs_f64() / other.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(runs / 2).copied().unwrap_or(f64::NAN)
}

fn read(criterion: &mut Criterion) {
    for (name, text, side) in cases() {
        let mut group = criterion.benchmark_group(format!("animj/read/{name}"));
        let bytes = inbetween_core::num::u64_from_len(text.len());
        group.throughput(Throughput::Bytes(bytes));
        group.sample_size(20);
        group.bench_function("exact", |bencher| bencher.iter(|| exact(&text)));
        group.bench_function("document", |bencher| bencher.iter(|| document(&text)));
        group.bench_function("typed serde_json", |bencher| bencher.iter(|| side(&text)));
        group.finish();
    }
}

criterion_group!(benches, read);

fn main() {
    // `cargo test` runs benches once to check that they work.
    let runs = if std::env::args().any(|argument| argument == "--bench") { 15 } else { 1 };
    for (name, text, side) in cases() {
        let (exact, document) =
            (ratio(&text, side, exact, runs), ratio(&text, side, document, runs));
        println!("{name}: serde_json takes {exact:.2} x exact, {document:.2} x document");
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
