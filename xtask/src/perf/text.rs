//! Text forms of about 20 MB, compared with `serde_json` on the same mirror types. The difference
//! comes from our parsing, line breaks, limits and the building of files.

use inbetween::seanim::Seanim;
use inbetween::text::Float;
use inbetween::x4_ani::X4ani;
use inbetween::{Limits, TextForm};
use inbetween_testing::ByteBuilder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Report, Target};
use crate::Outcome;

const LISTS: u16 = 100;
const KEYS: u16 = 2_000;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    one::<X4File<Float<f32>>>(report, "x4-ani", &X4ani::default(), &x4_ani())?;
    one::<SeanimFile<Float<f32>>>(report, "seanim", &Seanim::default(), &seanim())?;
    // The cost of keeping every bit of every float.
    let text = X4ani::default().unpack(&x4_ani(), &Limits::default());
    let text = text.map_err(|error| error.to_string())?;
    let exact = || serde_json::from_slice::<X4File<Float<f32>>>(&text).is_ok();
    let plain = || serde_json::from_slice::<X4File<f32>>(&text).is_ok();
    report.faster("text: floats bit for bit, to plain f32", Target::None, exact, plain);
    Ok(())
}

fn one<M: Serialize + DeserializeOwned>(
    report: &mut Report,
    id: &str,
    form: &dyn TextForm,
    bytes: &[u8],
) -> Outcome {
    let limits = Limits::default();
    let failed = |error: inbetween::ReadError| error.to_string();
    let text = form.unpack(bytes, &limits).map_err(failed)?;
    println!("{id}: {} bytes, {} of text", bytes.len(), text.len());
    let mirror: M = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    if form.pack(&text, &limits).map_err(failed)? != bytes {
        return Err(format!("{id}: the text packs to another file"));
    }
    let unpack = || form.unpack(bytes, &limits);
    let print = || serde_json::to_vec(&mirror);
    let name = format!("{id}: unpack, serde_json to it");
    let start = std::time::Instant::now();
    unpack().map_err(failed)?;
    let megabytes = inbetween::num::f64_from_index(text.len()) / 1e6;
    let rate = megabytes / start.elapsed().as_secs_f64();
    report.add(format!("{id}: unpack, of text"), rate, " MB/s", Target::Least(50.0));
    report.faster(&name, Target::Least(0.8), unpack, print);
    let pack = || form.pack(&text, &limits);
    let parse = || serde_json::from_slice::<M>(&text);
    let start = std::time::Instant::now();
    pack().map_err(failed)?;
    let rate = megabytes / start.elapsed().as_secs_f64();
    report.add(format!("{id}: pack, of text"), rate, " MB/s", Target::Least(50.0));
    report.faster(&format!("{id}: pack, serde_json to it"), Target::Least(0.8), pack, parse);
    Ok(())
}

#[derive(Deserialize, Serialize)]
struct X4File<F> {
    format: String,
    text_version: u32,
    records: Vec<X4Record<F>>,
}

#[derive(Deserialize, Serialize)]
struct X4Record<F> {
    part: String,
    subname: String,
    duration: F,
    rotations: Vec<X4Key<F>>,
}

#[derive(Deserialize, Serialize)]
struct X4Key<F> {
    time: F,
    frame: f64,
    value: [F; 3],
    degrees: [f64; 3],
    interpolation: String,
    control_points: X4Axes<F>,
}

#[derive(Deserialize, Serialize)]
struct X4Axes<F> {
    x: X4Points<F>,
}

#[derive(Deserialize, Serialize)]
struct X4Points<F> {
    out: [F; 2],
    r#in: [F; 2],
}

/// Builds a file as described in `docs/formats/x4-ani.md`.
fn x4_ani() -> Vec<u8> {
    let head = ByteBuilder::new().i32s(&[i32::from(LISTS), 16 + 160 * i32::from(LISTS), 1, 0]);
    let table = head.each(0..LISTS, |file, list| {
        let file = file.padded_str(format!("part_{list}"), 64).padded_str("loop", 64);
        file.i32s(&[0, i32::from(KEYS), 0, 0, 0]).f32(f32::from(KEYS) / 30.0).zeros(8)
    });
    let keys = table.each(0..LISTS, |file, list| {
        file.each(0..KEYS, |file, key| {
            let (sin, cos) = (f32::from(key) * 0.001 + f32::from(list)).sin_cos();
            let file = file.f32s(&[sin, cos, 0.5]).u32s(&[5; 3]).f32(f32::from(key) / 30.0);
            file.f32s(&[cos, 0.25, sin, 0.75]).zeros(32 + 52)
        })
    });
    keys.build()
}

#[derive(Deserialize, Serialize)]
struct SeanimFile<F> {
    format: String,
    text_version: u32,
    anim_type: String,
    presence: Vec<String>,
    frame_rate: F,
    frame_count: u32,
    bones: Vec<SeanimBone<F>>,
}

#[derive(Deserialize, Serialize)]
struct SeanimBone<F> {
    name: String,
    rotations: Vec<SeanimKey<F>>,
}

#[derive(Deserialize, Serialize)]
struct SeanimKey<F> {
    frame: u32,
    value: [F; 4],
}

/// Builds a file as described in `docs/formats/seanim.md`.
fn seanim() -> Vec<u8> {
    let head = ByteBuilder::new().bytes("SEAnim").u16(1).u16(28).u8s(&[0, 0, 0x02, 0, 0, 0]);
    let head = head.f32(30.0).u32(u32::from(KEYS)).u32(u32::from(LISTS)).u8s(&[0; 4]).u32(0);
    let names = head.each(0..LISTS, |file, list| file.cstr(format!("j_bone_{list}")));
    let keys = names.each(0..LISTS, |file, list| {
        file.u8(0).u16(KEYS).each(0..KEYS, |file, key| {
            let (sin, cos) = (f32::from(key) * 0.001 + f32::from(list)).sin_cos();
            file.u16(key).f32s(&[sin, 0.0, 0.0, cos])
        })
    });
    keys.build()
}
