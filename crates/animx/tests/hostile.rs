//! Hostile files and their memory use.

#![expect(clippy::arithmetic_side_effects, reason = "the numbers of the cases are small")]

use inbetween_animx::{Animx, AnimxFile, AnimxLayout};
use inbetween_core::num::u64_from_len;
use inbetween_core::{Format, Limits, ReadErrorKind, codes as shared};
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_testing::{ByteBuilder, FileKey, Peak};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

fn head(tracks: u64, encoding: u8) -> ByteBuilder {
    let bytes = ByteBuilder::new().dotnet_string("AnimX").i32(1).seven_bit(tracks);
    bytes.f32(1.0).dotnet_string("").u8(encoding)
}

fn track(bytes: ByteBuilder, track_type: u8, id: u8, keys: u64) -> ByteBuilder {
    bytes.u8s(&[track_type, id, 0, 0]).seven_bit(keys)
}

fn limit(error: &inbetween_core::ReadError) -> bool {
    matches!(error.kind(), ReadErrorKind::Limit { .. })
}

#[test]
fn rejects_counts_beyond_the_input_immediately() {
    let meter = Peak::begin();
    for count in [u64::MAX, 1 << 63, 1 << 32, 1000] {
        let files = [
            head(count, 0).zeros(30),
            head(1, 0).u8s(&[1, 10]).seven_bit(count),
            track(head(1, 0), 1, 36, count).zeros(30),
            track(head(1, 0), 0, 39, count).zeros(30),
            track(head(1, 0), 2, 39, count).u8s(&[3, 0]).zeros(30),
            track(head(1, 0), 2, 21, count).u8(1).zeros(30),
            head(1, 1).seven_bit(0).seven_bit(count),
            head(1, 1).seven_bit(1).seven_bit(count).seven_bit(3).zeros(3),
        ];
        for file in files {
            assert!(meter.assert_read(&Animx::default(), &file.build()).is_err());
        }
    }
}

#[test]
fn tracks_of_five_bytes_keep_the_memory_law() {
    let meter = Peak::begin();
    let tracks: u64 = 300_000;
    let empty = track(ByteBuilder::new(), 1, 21, 0).build();
    let bytes = head(tracks, 0).each(0..tracks, |bytes, _| bytes.bytes(&empty)).build();
    let items = usize::try_from(tracks).unwrap();
    let parse = || AnimxFile::parse(&bytes, &Limits::default());
    let file = meter.assert_memory_law(Law::Parse { items }, parse);
    assert_eq!(file.unwrap().track_count(), items);
    assert!(meter.assert_read(&Animx::default(), &bytes).is_ok());
}

#[test]
fn curves_of_strings_keep_the_memory_law_although_scanned_twice() {
    let meter = Peak::begin();
    let tracks: u64 = 100_000;
    // One key each: null at time 0.
    let curve = track(ByteBuilder::new(), 2, 39, 1).u8s(&[0, 0]).zeros(5).build();
    let bytes = head(tracks, 0).each(0..tracks, |bytes, _| bytes.bytes(&curve)).build();
    let items = usize::try_from(tracks).unwrap();
    let parse = || AnimxFile::parse(&bytes, &Limits::default());
    meter.assert_memory_law(Law::Parse { items }, parse).unwrap();
    assert!(meter.assert_read(&Animx::default(), &bytes).is_ok());
}

#[test]
fn long_columns_keep_the_memory_law() {
    let meter = Peak::begin();
    let keys = 400_000;
    let files = [
        track(head(1, 0), 0, 0, keys).f32(1.0).zeros(400_000),
        track(head(1, 0), 1, 0, keys).zeros(5 * 400_000),
        track(head(1, 0), 2, 23, keys).u8s(&[2, 1]).zeros(40 * 400_000),
        track(head(1, 0), 2, 3, keys).u8(3).zeros(8 * 400_000),
    ];
    for file in files {
        let bytes = file.build();
        let parse = || AnimxFile::parse(&bytes, &Limits::default());
        meter.assert_memory_law(Law::Parse { items: 1 }, parse).unwrap();
        assert!(meter.assert_read(&Animx::default(), &bytes).is_ok());
    }
}

#[test]
fn a_late_change_of_the_key_order_needs_no_second_document() {
    let meter = Peak::begin();
    let (tracks, keys): (u8, u16) = (100, 6_000);
    // The sampled keys suggest value first; one key in the middle of a track shows that it is time
    // first.
    let bytes = head(tracks.into(), 0).each(0..tracks, |bytes, index| {
        let curve = track(bytes, 2, 21, keys.into()).u8s(&[0, 1]);
        curve.each(0..keys, |bytes, key| {
            let slow = f32::from(key) / 10_000.0;
            bytes.f32s(&[f32::from(key), if (index, key) == (50, 3_000) { 0.0 } else { slow }])
        })
    });
    let outcome = meter.assert_read(&Animx::default(), &bytes.build()).unwrap();
    assert!(outcome.findings.iter().any(|loss| loss.code.id() == "animx/layout-disagrees"));
}

/// A number as a value: its bytes, repeated.
fn value(number: u32, size: usize) -> Vec<u8> {
    number.to_le_bytes().into_iter().cycle().take(size).collect()
}

fn built(keys: &[FileKey], head: ByteBuilder, key: impl Fn(&FileKey) -> Vec<u8>) -> ByteBuilder {
    head.each(keys, |bytes, each| bytes.bytes(key(each)))
}

#[test]
fn sorting_a_long_track_needs_no_second_copy() {
    let meter = Peak::begin();
    // Bytes, colors of four bytes, vectors and matrices.
    for (id, size) in [(1, 1), (38, 4), (23, 12), (28, 64)] {
        meter.assert_sorts(&Animx::default(), |keys| {
            let key = |key: &FileKey| {
                [&key.seconds().to_le_bytes()[..], &value(key.number, size)].concat()
            };
            built(keys, track(head(1, 0), 1, id, u64_from_len(keys.len())), key).build()
        });
    }
}

#[test]
fn sorting_a_curve_with_all_its_columns_needs_no_second_copy() {
    let meter = Peak::begin();
    let asked = Animx::default().layout(AnimxLayout::DEFAULT);
    for (id, size) in [(1, 1), (23, 12)] {
        meter.assert_sorts(&asked, |keys| {
            let head = track(head(1, 0), 2, id, u64_from_len(keys.len())).u8(3);
            let head =
                head.each(keys, |bytes, key| bytes.u8(u8::from(key.number.is_multiple_of(3))));
            let key = |key: &FileKey| {
                [&value(key.number, size)[..], &key.seconds().to_le_bytes()[..]].concat()
            };
            let keyed = built(keys, head, key);
            built(keys, keyed, |key| value(!key.number, 2 * size)).build()
        });
    }
}

#[test]
fn sorting_strings_needs_no_second_pool() {
    let meter = Peak::begin();
    let text = |number: u32| match number % 5 {
        0 => vec![0],
        _ => ByteBuilder::new().u8(1).dotnet_string(number.to_string()).build(),
    };
    meter.assert_sorts(&Animx::default(), |keys| {
        let key = |key: &FileKey| [&key.seconds().to_le_bytes()[..], &text(key.number)].concat();
        built(keys, track(head(1, 0), 1, 39, u64_from_len(keys.len())), key).build()
    });
    // Only nulls, so the pool is almost empty.
    meter.assert_sorts(&Animx::default(), |keys| {
        let key = |key: &FileKey| [&key.seconds().to_le_bytes()[..], &[0]].concat();
        built(keys, track(head(1, 0), 1, 39, u64_from_len(keys.len())), key).build()
    });
    let asked = Animx::default().layout(AnimxLayout::DEFAULT);
    meter.assert_sorts(&asked, |keys| {
        let head = track(head(1, 0), 2, 39, u64_from_len(keys.len())).u8(3);
        let head = head.each(keys, |bytes, key| bytes.u8(u8::from(key.number.is_multiple_of(3))));
        let keyed =
            built(keys, head, |key| [&text(key.number), &key.seconds().to_le_bytes()[..]].concat());
        let tangents = |key: &FileKey| [text(key.number / 2), text(key.number / 3)].concat();
        built(keys, keyed, tangents).build()
    });
}

#[test]
fn dropped_keys_take_no_memory_in_the_columns() {
    let meter = Peak::begin();
    let keys: u16 = 60_000;
    let bytes = track(head(1, 0), 1, 0, keys.into()).each(0..keys, |bytes, key| {
        let time = if key % 8 == 0 { f32::NAN } else { f32::from(!key) };
        bytes.f32(time).u8(1)
    });
    let outcome = meter.assert_read(&Animx::default(), &bytes.build()).unwrap();
    assert_eq!(outcome.value.clips[0].tracks[0].data().len(), 52_500);
    let dropped = outcome.findings.iter().find(|loss| loss.code == shared::TIME_NOT_FINITE);
    assert_eq!(dropped.unwrap().count, 7_500);
}

#[test]
fn strings_keep_the_memory_law_for_any_content() {
    let meter = Peak::begin();
    let keys = 300_000;
    let nulls = track(head(1, 0), 0, 39, keys).f32(1.0).zeros(300_000);
    let texts = track(head(1, 0), 0, 39, keys).f32(1.0);
    let texts = texts.each(0..keys, |bytes, _| bytes.u8(1).dotnet_string("hips"));
    // Each byte of these becomes three.
    let invalid = track(head(1, 0), 0, 39, 2).f32(1.0);
    let invalid = invalid.u8(1).dotnet_string(vec![0xff; MIB]).u8(0);
    for file in [nulls, texts, invalid] {
        assert!(meter.assert_read(&Animx::default(), &file.build()).is_ok());
    }
}

#[test]
fn names_are_stored_once_for_all_tracks() {
    let meter = Peak::begin();
    let name = vec![b'x'; 100 * KIB];
    let bytes = head(20, 0).each(0..20, |bytes, _| {
        bytes.u8s(&[1, 21]).dotnet_string(&name).dotnet_string("Position").u8(0)
    });
    assert!(meter.assert_read(&Animx::default(), &bytes.build()).is_ok());
}

#[test]
fn exceeding_the_item_limit_is_a_limit_error() {
    let _meter = Peak::begin();
    let limits = Limits::default().with_items(1);
    let bytes = track(track(head(2, 0), 1, 21, 0), 1, 21, 0).build();
    assert_eq!(
        Animx::default().read(&bytes, &limits).unwrap_err().to_string(),
        "animx: trackCount: 2 items requested, the limit is 1 (at byte 0x11)"
    );
}

/// An LZ4 block of more than `blocks` times 255 bytes, all of them `a`.
fn repeating_block(blocks: usize) -> (usize, Vec<u8>) {
    let repeats = 19 + 255 * blocks;
    let block = ByteBuilder::new().u8s(&[0x1f, b'a', 1, 0]).bytes(vec![255; blocks]);
    let block = block.u8s(&[0, 0x50]).bytes(b"aaaaa").build();
    (1 + repeats + 5, block)
}

#[test]
fn lz4_that_expands_to_gigabytes_stops_at_the_limit() {
    let meter = Peak::begin();
    let (length, block) = repeating_block(4096);
    let chunk = ByteBuilder::new().seven_bit(1);
    let chunk = chunk.seven_bit(u64::try_from(length).unwrap());
    let chunk = chunk.seven_bit(u64::try_from(block.len()).unwrap()).bytes(block).build();
    let bytes = head(1, 1).each(0..1100, |bytes, _| bytes.bytes(&chunk)).build();
    assert!(length * 1100 > 1 << 30, "the file expands to more than a GiB");
    let limits = Limits::default().with_decoded_bytes(8 << 20);
    let (result, peak) = meter.measure(|| Animx::default().read(&bytes, &limits));
    assert!(limit(&result.unwrap_err()));
    // The output so far, twice while it is moved.
    assert!(peak < 20 * MIB, "{peak} bytes");
}

fn lzma(dictionary: u32, unpacked: u64, packed: u64, stream: &[u8]) -> Vec<u8> {
    let bytes = head(1, 2).u8(0x5d).u32(dictionary).u64(unpacked).u64(packed);
    bytes.bytes(stream).build()
}

#[test]
fn lzma_that_claims_more_than_the_limit_fails_immediately() {
    let meter = Peak::begin();
    for size in [1 << 60, (1 << 63) - 1, 65 << 20] {
        let bytes = lzma(1 << 21, size, 100, &[0; 100]);
        let result = meter.assert_read(&Animx::default(), &bytes);
        if cfg!(feature = "lzma") {
            assert!(limit(&result.unwrap_err()));
        } else {
            assert!(result.is_err());
        }
    }
}

#[test]
#[cfg(feature = "lzma")]
fn lzma_with_a_large_claim_and_little_data_uses_little_memory() {
    let meter = Peak::begin();
    for dictionary in [1 << 21, u32::MAX] {
        let bytes = lzma(dictionary, 60 << 20, 100, &[0; 100]);
        let (result, peak) = meter.measure(|| Animx::default().read(&bytes, &Limits::default()));
        assert!(result.is_err());
        assert!(peak < 2 * MIB, "{peak} bytes with a dictionary of {dictionary}");
    }
}

#[test]
#[cfg(feature = "lzma")]
fn lzma_with_the_largest_probability_tables_needs_six_mebibytes() {
    let meter = Peak::begin();
    // lc 8, lp 4, pb 4.
    let bytes = head(1, 2).u8(224).u32(u32::MAX).u64(1000).u64(30).zeros(30).build();
    let (result, peak) = meter.measure(|| Animx::default().read(&bytes, &Limits::default()));
    assert!(result.is_err());
    assert!(peak < 7 * MIB, "{peak} bytes");
}

#[test]
#[cfg(feature = "lzma")]
fn decompression_needs_its_output_and_a_dictionary_of_that_size() {
    use inbetween_animx::Encoding;
    use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};

    let meter = Peak::begin();
    let data = TrackData::uniform(1.0, vec![[0.0_f64; 4]; 500_000]);
    let track = Track::new(Target::new("node", Property::Custom(None)), data).unwrap();
    let clip = Animation::new(vec![track]);
    for encoding in [Encoding::Lz4, Encoding::Lzma] {
        let format = Animx::default().encoding(encoding);
        let document = Document::single(clip.clone());
        let bytes = format.write(document, &Limits::default()).unwrap().value;
        let parse = || AnimxFile::parse(&bytes, &Limits::default());
        let (file, peak) = meter.measure(parse);
        assert_eq!(file.unwrap().section().unwrap().len(), 16_000_015);
        assert!(bytes.len() < MIB, "{} bytes", bytes.len());
        // The section and, for LZMA, a dictionary of 2 MiB, plus an eighth while it grows.
        assert!(peak < 2 * 18_000_000 + 5 * MIB, "{encoding:?}: {peak} bytes");
    }
}
