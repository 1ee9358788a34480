//! Poses of 100 bones, and building, loading and saving their clip.

#![expect(missing_docs, reason = "criterion makes the functions")]
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark may end where it fails"
)]

mod plain;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inbetween_clip::{Bounds, Pose, build, load, save};
use inbetween_core::num::{f32_from_f64, f64_from_u64, u64_from_len};
use inbetween_core::{Animation, Property, Quat, Target, Track, TrackData};
use plain::{FRAMES, Frames, Packed};

const BONES: u16 = 100;

fn animation(frames: &Frames) -> Animation {
    let tracks = (0..usize::from(BONES)).flat_map(|bone| {
        let (places, turns) = frames.of_bone(bone);
        let turn = |[x, y, z, w]: [f32; 4]| Quat { x, y, z, w };
        let turns: Vec<Quat<f32>> = turns.into_iter().map(turn).collect();
        let step = 1.0 / f64_from_u64(FRAMES);
        let tracks = [
            (Property::Translation, TrackData::uniform(step, places)),
            (Property::Rotation, TrackData::uniform(step, turns)),
        ];
        tracks.map(|(property, data)| {
            let target = Target::new(format!("bone_{bone}"), property);
            Track::new(target, data).expect("values fit their property")
        })
    });
    Animation::new(tracks.collect()).with_frame_rate(f64_from_u64(FRAMES))
}

fn clip(criterion: &mut Criterion) {
    let frames = Frames::new(BONES);
    let animation = animation(&frames);
    let built = || build(&animation, &Bounds::default()).expect("the bounds can be met");
    let clip = built().value.clip;
    let times: Vec<f64> = (0..700_u32).map(|step| f64::from(step) / 72.0).collect();

    let mut group = criterion.benchmark_group("clip/pose of 100 bones");
    group.throughput(Throughput::Elements(u64_from_len(times.len())));
    let (mut context, mut pose) = (clip.context(), Pose::new(BONES.into()));
    group.bench_function("played", |bench| {
        bench.iter(|| {
            for &time in &times {
                clip.sample(time, &mut context, black_box(&mut pose));
            }
        });
    });
    let mut packed = Packed::new(&frames);
    group.bench_function("by hand from 48-bit rotations and half floats", |bench| {
        bench.iter(|| {
            for &time in &times {
                packed.sample(f32_from_f64(time), black_box(&mut pose));
            }
        });
    });
    group.bench_function("nlerp over f32 arrays", |bench| {
        bench.iter(|| {
            for &time in &times {
                frames.sample(f32_from_f64(time), black_box(&mut pose));
            }
        });
    });
    group.finish();

    let bytes = save(std::slice::from_ref(&clip));
    let mut group = criterion.benchmark_group(format!("clip/{} kB", bytes.len() / 1000));
    group.throughput(Throughput::Bytes(u64_from_len(bytes.len())));
    group.sample_size(10);
    group.bench_function("build", |bench| bench.iter(built));
    group.bench_function("load", |bench| bench.iter(|| load(&bytes)));
    group.bench_function("save", |bench| bench.iter(|| save(std::slice::from_ref(&clip))));
    group.finish();
}

criterion_group!(benches, clip);
criterion_main!(benches);
