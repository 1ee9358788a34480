//! Parsing, reading and writing a file of 160 bones.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(clippy::expect_used, reason = "a benchmark may end where it fails")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_cast::{Cast, CastFile, CastParts, NodeId, NodePart, ValuesPart};
use inbetween_core::{Format, Limits};

const BONES: u32 = 160;

/// A file of `frames` rotations of each bone.
fn file(frames: u16) -> Vec<u8> {
    let rate = ValuesPart::F32(vec![30.0]);
    let mut nodes =
        vec![NodePart::new(NodeId::ROOT, 0), NodePart::new(NodeId::ANIMATION, 1).with("fr", rate)];
    nodes.extend((0..BONES).map(|bone| {
        NodePart::new(NodeId::CURVE, 2)
            .with_string("nn", format!("j_bone_{bone}"))
            .with_string("kp", "rq")
            .with("kb", ValuesPart::U16((0..frames).collect()))
            .with("kv", ValuesPart::Vector4(vec![[0.0, 0.0, 0.6, 0.8]; usize::from(frames)]))
            .with_string("m", "absolute")
    }));
    let parts = CastParts { nodes, ..CastParts::default() };
    parts.to_bytes().expect("the parts are sound")
}

fn cast(criterion: &mut Criterion) {
    let limits = Limits::default();
    for frames in [30, 1_000] {
        let bytes = file(frames);
        let mut group = criterion.benchmark_group(format!("cast/{} kB", bytes.len() / 1000));
        group.throughput(Throughput::Bytes(inbetween_core::num::u64_from_len(bytes.len())));
        group.bench_function("parse", |bench| {
            bench.iter(|| CastFile::parse(&bytes, &limits).expect("the file is valid"));
        });
        let format = Cast::default();
        group.bench_function("inspect", |bench| {
            bench.iter(|| format.inspect(&bytes, &limits).expect("the file is valid"));
        });
        let parts = CastFile::parse(&bytes, &limits).expect("the file is valid").into_parts();
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

criterion_group!(benches, cast);
criterion_main!(benches);
