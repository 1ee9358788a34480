//! The memory that loading takes.

use inbetween_clip::{LoadErrorKind, load};
use inbetween_testing::peak::PeakAlloc;
use inbetween_testing::{ByteBuilder, Peak};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// A clip without a name and nodes, up to its key sets.
fn empty_clip() -> ByteBuilder {
    let head = ByteBuilder::new().bytes(b"INBCLIP\0").u16(1).u16(0).u32(1);
    head.u8(0).f64(1.0).f64(60.0).u32(u32::MAX).u32(0)
}

#[test]
fn claimed_counts_allocate_nothing() {
    let meter = Peak::begin();
    let huge = u32::MAX;
    let nodes = ByteBuilder::new().bytes(b"INBCLIP\0").u16(1).u16(0).u32(huge).u8(0);
    let nodes = nodes.f64(1.0).f64(60.0).u32(huge).u32(huge);
    let files = [
        nodes.build(),
        empty_clip().u32(huge).u8(0).u32(huge).u32(0).u32(1).u32(huge).build(),
        empty_clip().u32(huge).u8(3).u32(huge).build(),
        empty_clip().u32(1).u8(0).u32(1 << 30).u32(0).u32(1).u32(1 << 30).build(),
        empty_clip().u32(0).u32(huge).build(),
    ];
    for file in files {
        let (error, peak) = meter.measure(|| load(&file).unwrap_err());
        assert!(matches!(error.kind(), LoadErrorKind::End { .. }), "{error}");
        assert!(peak < 4096, "{peak} bytes for a file of {}", file.len());
    }
}

#[test]
fn memory_grows_with_the_bytes_that_are_there() {
    let meter = Peak::begin();
    // Null names, the smallest items of a list.
    let names = empty_clip().patch(41 - 4, 200_000_u32.to_le_bytes());
    let names = names.each(0..200_000, |file, _| file.u32(u32::MAX)).u32(0).u32(0).build();
    // Keys of one word at times of their own.
    let keys = empty_clip().u32(1).u8(2).u32(200_000).zeros(800_000).u32(1).zeros(400_000).u32(0);
    for file in [names, keys.build()] {
        let (_, peak) = meter.measure(|| load(&file).is_ok());
        assert!(peak < 9 * file.len(), "{peak} bytes for a file of {}", file.len());
    }
}
