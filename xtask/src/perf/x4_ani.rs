//! An X4 .ANI file of 53 MB: 40 position keys in each of 10,000 records.

use std::hint::black_box;

use inbetween::x4_ani::{X4ani, X4aniFile};
use inbetween::{Format, Limits};
use inbetween_testing::ByteBuilder;

use super::{Report, Target, fill_columns};
use crate::Outcome;

const RECORDS: i32 = 10_000;
const KEYS: u8 = 40;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    let bytes = file();
    let limits = Limits::default();
    let format = X4ani::default();
    println!("x4-ani: {} bytes", bytes.len());

    let parse = || X4aniFile::parse(bytes.as_slice(), &limits).map(|file| file.record_count());
    let copied = || bytes.clone();
    let (time, _) = report.slower("x4-ani: parse, to a copy", Target::None, parse, copied);
    let nanos = time.as_secs_f64() * 1e9 / f64::from(RECORDS);
    report.add("x4-ani: parse, a record", nanos, " ns", Target::Most(40.0));

    let document = format.read(&bytes, &limits).map_err(|error| error.to_string())?.value;
    let read = || format.read(&bytes, &limits);
    let columns = || fill_columns(&document);
    report.slower("x4-ani: read, to filling columns", Target::None, read, columns);

    let filled = || vec![black_box(1_u8); bytes.len()];
    let file = X4aniFile::parse(bytes.as_slice(), &limits).map_err(|error| error.to_string())?;
    let parts = file.into_parts();
    let build = || X4aniFile::from_parts(&parts);
    report.slower("x4-ani: write parts, to filling the file", Target::Most(1.5), build, filled);
    // Writing reads as many bytes as it writes; filling does not.
    report.slower("x4-ani: write parts, to copying the file", Target::None, build, copied);

    let mut documents = vec![document; 40];
    let write = || format.write(documents.pop().unwrap_or_default(), &limits);
    report.slower("x4-ani: write, to filling the file", Target::None, write, filled);
    Ok(())
}

/// Builds the file as described in `docs/formats/x4-ani.md`.
fn file() -> Vec<u8> {
    let head = ByteBuilder::new().i32s(&[RECORDS, 16 + 160 * RECORDS, 1, 0]);
    let table = head.each(0..RECORDS, |bytes, record| {
        let bytes = bytes.padded_str(format!("anim_{record}"), 64).padded_str("loop", 64);
        bytes.i32s(&[i32::from(KEYS), 0, 0, 0, 0]).f32(2.0).zeros(8)
    });
    let keys = table.each(0..RECORDS, |bytes, _| {
        bytes.each(0..KEYS, |bytes, key| {
            let time = f32::from(key) / 30.0;
            bytes.f32s(&[time, 2.0, 3.0]).u32s(&[2; 3]).f32(time).zeros(100)
        })
    });
    keys.build()
}
