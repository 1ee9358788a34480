//! Hostile files and their memory use.

use inbetween_bvh::{Bvh, BvhFile};
use inbetween_core::{Format, Limits};
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_testing::{ByteBuilder, FileKey, Peak};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn head(tracks: u32) -> ByteBuilder {
    ByteBuilder::new().bytes(b"BVH0").u16(1).u16(0).f32(30.0).f64(0.0).u32(tracks)
}

#[test]
fn rejects_counts_beyond_the_input_immediately() {
    let meter = Peak::begin();
    for file in [head(u32::MAX), head(1).cstr("root").u8(0).u32(u32::MAX)] {
        assert!(meter.assert_read(&Bvh::default(), &file.build()).is_err());
    }
}

#[test]
fn the_smallest_tracks_keep_the_memory_law() {
    let meter = Peak::begin();
    let tracks: u32 = 200_000;
    let bytes = head(tracks).zeros(1_200_000).build();
    let items = usize::try_from(tracks).unwrap();
    let parse = || BvhFile::parse(&bytes, &Limits::default());
    let file = meter.assert_memory_law(Law::Parse { items }, parse);
    assert_eq!(file.unwrap().tracks().len(), items);
    assert!(meter.assert_read(&Bvh::default(), &bytes).is_ok());
}

#[test]
fn sorting_a_long_track_needs_no_second_copy() {
    let meter = Peak::begin();
    for (channel, components) in [(0, 3), (1, 4)] {
        meter.assert_sorts(&Bvh::default(), |keys: &[FileKey]| {
            let count = u32::try_from(keys.len()).unwrap();
            let track = head(1).cstr("root").u8(channel).u32(count);
            let file = track.each(keys, |bytes, key| {
                let value = key.number.to_le_bytes();
                bytes.u32(key.time).each(0..components, |bytes, _| bytes.bytes(value))
            });
            file.build()
        });
    }
}

#[test]
fn exceeding_the_item_limit_is_a_limit_error() {
    let limits = Limits::default().with_items(10);
    let error = Bvh::default().read(&head(11).zeros(66).build(), &limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bvh: trackCount: 11 items requested, the limit is 10 (at byte 0x18)"
    );
}
