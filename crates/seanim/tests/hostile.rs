//! Hostile files and their memory use.

use inbetween_core::{Format, Limits};
use inbetween_seanim::{Seanim, SeanimFile};
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_testing::{ByteBuilder, FileKey, Peak, documents};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn head(presence: u8, frames: u32, bones: u32, notes: u32) -> ByteBuilder {
    let head = ByteBuilder::new().bytes(b"SEAnim").u16(1).u16(28).u8s(&[0, 0, presence, 0, 0, 0]);
    head.f32(30.0).u32(frames).u32(bones).u8s(&[0; 4]).u32(notes)
}

#[test]
fn rejects_counts_beyond_the_input_immediately() {
    let meter = Peak::begin();
    for (presence, bones, notes) in
        [(1, u32::MAX, 0), (7, u32::MAX, u32::MAX), (0x40, 0, u32::MAX), (0, u32::MAX, u32::MAX)]
    {
        let bytes = head(presence, 1, bones, notes).build();
        if presence == 0 {
            // The flags say that the blocks are absent, so the counts claim nothing.
            assert!(meter.assert_read(&Seanim::default(), &bytes).is_ok());
        } else {
            assert!(meter.assert_read(&Seanim::default(), &bytes).is_err());
        }
    }
}

#[test]
fn bones_of_two_bytes_keep_the_memory_law() {
    let meter = Peak::begin();
    let bones: u32 = 500_000;
    // Read by counts, the file has two bytes per bone: the NUL of a name, and flags.
    let bytes = head(0, 1, bones, 0).zeros(1_000_000).build();
    let items = usize::try_from(bones).unwrap();
    let law = Law::Parse { items };
    let file = meter.assert_memory_law(law, || SeanimFile::parse(&bytes, &Limits::default()));
    assert_eq!(file.unwrap().bone_count(), items);
}

#[test]
fn empty_notes_and_channels_keep_the_memory_law() {
    let meter = Peak::begin();
    let notes = head(0x40, 1, 0, 300_000).zeros(600_000).build();
    assert!(meter.assert_read(&Seanim::default(), &notes).is_ok());
    let bones = head(7, 1, 200_000, 0).zeros(1_000_000).build();
    assert!(meter.assert_read(&Seanim::default(), &bones).is_ok());
}

#[test]
fn sorting_a_long_track_needs_no_second_copy() {
    let meter = Peak::begin();
    let value = |key: &FileKey| key.number.to_le_bytes();
    // Locations and rotations, and the weights of a blend shape.
    for (presence, components) in [(1, 3), (2, 4)] {
        meter.assert_sorts(&Seanim::default(), |keys| {
            let bone = head(presence, 200_000, 1, 0)
                .cstr("bone")
                .u8(0)
                .u32(u32::try_from(keys.len()).unwrap());
            let bytes = bone.each(keys, |bytes, key| {
                bytes.u32(key.time).each(0..components, |bytes, _| bytes.bytes(value(key)))
            });
            bytes.build()
        });
    }
    meter.assert_sorts(&Seanim::default(), |keys| {
        let shape = head(1, 200_000, 0, 0).bytes(b"SEBlend\n").u64(1).cstr("smile");
        let shape = shape.u32(u32::try_from(keys.len()).unwrap());
        shape.each(keys, |bytes, key| bytes.u32(key.time).bytes(value(key)).zeros(8)).build()
    });
}

#[test]
fn names_are_stored_once_for_all_tracks() {
    let meter = Peak::begin();
    let name = vec![b'x'; 1_000_000];
    let bytes = head(7, 1, 1, 0).cstr(&name).zeros(4).build();
    assert!(meter.assert_read(&Seanim::default(), &bytes).is_ok());
}

#[test]
fn exceeding_the_item_limit_is_a_limit_error() {
    let _meter = Peak::begin();
    let limits = Limits::default().with_items(10);
    let bytes = head(0, 1, 11, 0).zeros(22).build();
    let by_counts = Seanim::default().with_option("seanim-layout", "standard,counts").unwrap();
    let error = by_counts.read(&bytes, &limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "seanim: boneCount: 11 items requested, the limit is 10 (at byte 0x24)"
    );
}

#[test]
fn a_distant_key_does_not_exhaust_memory_by_baking() {
    let meter = Peak::begin();
    for (document, is_written) in documents::distant().into_iter().zip([false, true]) {
        let (result, peak) =
            meter.measure(|| Seanim::default().write(document, &Limits::default()));
        assert_eq!(result.is_ok(), is_written);
        assert!(peak < 64 * 1024, "{peak} bytes");
    }
}
