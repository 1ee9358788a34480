//! Hostile files and their memory use.

use inbetween_core::{Format, Limits};
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_testing::{ByteBuilder, Peak};
use inbetween_x4_ani::{X4ani, X4aniFile};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[test]
fn rejects_counts_beyond_the_input_immediately() {
    let meter = Peak::begin();
    let many = ByteBuilder::new().i32s(&[13_421_772, 2_147_483_536, 1, 0]).build();
    assert!(meter.assert_read(&X4ani::default(), &many).is_err());
    let keys = ByteBuilder::new().i32s(&[1, 176, 1, 0]).zeros(128).i32s(&[i32::MAX; 5]).zeros(12);
    assert!(meter.assert_read(&X4ani::default(), &keys.build()).is_err());
}

#[test]
fn the_start_of_a_file_tells_where_it_ends() {
    let _meter = Peak::begin();
    let name = |name: &str| ByteBuilder::new().bytes(name.as_bytes()).zeros(64 - name.len());
    let record = ByteBuilder::new().bytes(name("part").build()).bytes(name("clip").build());
    let head = ByteBuilder::new().i32s(&[1, 176, 1, 0]).bytes(record.build()).i32s(&[0; 5]);
    let file = head.bytes(1.0_f32.to_le_bytes()).zeros(8).bytes(b"junk").build();
    let start = |bytes| X4ani::default().check_start(bytes).ok();
    assert_eq!(start(&file), Some(Some(176)));
    assert_eq!(start(&file[..100]), Some(None));
}

#[test]
fn records_without_keys_keep_the_memory_law() {
    let meter = Peak::begin();
    let records: i32 = 20_000;
    let head = ByteBuilder::new().i32s(&[records, 16 + 160 * records, 1, 0]);
    let bytes = head
        .each(0..records, |bytes, record| {
            bytes.padded_str(format!("anim_{record}"), 64).padded_str("loop", 64).zeros(32)
        })
        .build();
    let items = usize::try_from(records).unwrap();
    let law = Law::Parse { items };
    let file = meter.assert_memory_law(law, || X4aniFile::parse(&bytes, &Limits::default()));
    assert_eq!(file.unwrap().record_count(), items);
    assert!(meter.assert_read(&X4ani::default(), &bytes).is_ok());
}

#[test]
fn keys_keep_the_memory_law() {
    let meter = Peak::begin();
    let keys: i32 = 40_000;
    let head = ByteBuilder::new().i32s(&[1, 176, 1, 0]).padded_str("a", 64).padded_str("b", 64);
    let head = head.i32s(&[keys, 0, 0, 0, 0]).f32(1.0).zeros(8);
    let bytes = head.each(0..keys, |bytes, _| bytes.zeros(12).u32s(&[2; 3]).zeros(104)).build();
    assert!(meter.assert_read(&X4ani::default(), &bytes).is_ok());
}

#[test]
fn sorting_a_long_track_needs_no_second_copy() {
    let meter = Peak::begin();
    // The same interpolation on all axes; different ones, so that each axis is a track; control
    // points.
    for (types, points) in [([2; 3], 0), ([1, 2, 1], 0), ([5; 3], 1), ([5, 2, 1], 1)] {
        meter.assert_sorts(&X4ani::default(), |keys| {
            let count = i32::try_from(keys.len()).unwrap();
            let head = ByteBuilder::new().i32s(&[1, 176, 1, 0]).padded_str("a", 64);
            let head = head.padded_str("b", 64).i32s(&[count, 0, 0, 0, 0]).f32(1.0).zeros(8);
            let bytes = head.each(keys, |bytes, key| {
                let bytes = bytes.u32s(&[key.number; 3]).u32s(&types).f32(key.seconds());
                bytes.u32s(&[points * key.number; 12]).zeros(52)
            });
            bytes.build()
        });
    }
}
