//! Reading and writing a file of 160 bones.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(clippy::expect_used, reason = "a benchmark may end where it fails")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_core::{
    Animation, Document, Format, Limits, Property, Quat, Target, Track, TrackData,
};
use inbetween_gltf::{Gltf, GltfFile};

/// A file of `frames` rotations of each of 160 bones.
fn file(frames: usize) -> Vec<u8> {
    let turn = Quat { x: 0.0_f32, y: 0.0, z: 0.6, w: 0.8 };
    let track = |bone: u32| {
        let data = TrackData::uniform(1.0 / 32.0, vec![turn; frames]);
        let target = Target::new(format!("j_bone_{bone}"), Property::Rotation);
        Track::new(target, data).expect("rotations are quaternions")
    };
    let document = Document::single(Animation::new((0..160).map(track).collect()));
    Gltf::default().write(document, &Limits::default()).expect("it can be written").value
}

fn gltf(criterion: &mut Criterion) {
    let limits = Limits::default();
    for frames in [30, 1_000] {
        let bytes = file(frames);
        let mut group = criterion.benchmark_group(format!("gltf/{} kB", bytes.len() / 1000));
        group.throughput(Throughput::Bytes(inbetween_core::num::u64_from_len(bytes.len())));
        group.bench_function("parse", |bench| {
            bench.iter(|| GltfFile::parse(&bytes, &limits).expect("the file is valid"));
        });
        let format = Gltf::default();
        group.bench_function("inspect", |bench| {
            bench.iter(|| format.inspect(&bytes, &limits).expect("the file is valid"));
        });
        let parts = GltfFile::parse(&bytes, &limits).expect("the file is valid").into_parts();
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

criterion_group!(benches, gltf);
criterion_main!(benches);
