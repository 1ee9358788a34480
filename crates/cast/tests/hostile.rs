//! Hostile files and their memory use.

#![expect(clippy::arithmetic_side_effects, reason = "the sizes of a test file are small")]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_cast::{Cast, CastFile, CastParts, NodeId, NodePart};
use inbetween_core::{Format, Limits};
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_testing::{ByteBuilder, FileKey, Peak, cases, documents};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn header(roots: u32) -> ByteBuilder {
    ByteBuilder::new().bytes("cast").u32(1).u32(roots).u32(0)
}

/// The head of a node: its id, size, hash, and numbers of properties and children.
fn node(bytes: ByteBuilder, size: u32, properties: u32, children: u32) -> ByteBuilder {
    bytes.bytes("root").u32(size).u64(0).u32(properties).u32(children)
}

fn error(bytes: &[u8]) -> String {
    Cast::default().read(bytes, &Limits::default()).unwrap_err().to_string()
}

#[test]
fn a_start_that_claims_more_than_may_be_read_is_refused() {
    let _meter = Peak::begin();
    let start = |bytes: &[u8]| Cast::default().check_start(bytes);
    let many = node(header(1), 24, u32::MAX, u32::MAX).build();
    assert!(start(&many).is_err());
    assert_eq!(start(&node(header(1), 24, 1000, 0).build()), Ok(None));
    assert_eq!(start(&header(0).build()), Ok(Some(16)));
}

#[test]
fn rejects_counts_beyond_the_input_immediately() {
    let meter = Peak::begin();
    let max = u32::MAX;
    let roots = header(max).build();
    let children = node(header(1), 24, 0, max).build();
    let properties = node(header(1), 24, max, 0).build();
    let values = node(header(1), 24, 1, 0).bytes("4v").u16(1).u32(max).bytes("v").build();
    for (bytes, expected) in [
        (roots, "cast: rootCount: need 103079215080 bytes, 0 left (at byte 0x10)"),
        (children, "cast: nodes[0].childCount: need 103079215080 bytes, 0 left (at byte 0x28)"),
        (properties, "cast: nodes[0].propertyCount: need 34359738360 bytes, 0 left (at byte 0x28)"),
        (
            values,
            "cast: nodes[0].properties[0].values: need 68719476720 bytes, 0 left (at byte 0x31)",
        ),
    ] {
        assert!(meter.assert_read(&Cast::default(), &bytes).is_err());
        assert_eq!(error(&bytes), expected);
    }
}

#[test]
fn a_string_without_a_nul_is_one_error_with_its_position() {
    let _meter = Peak::begin();
    let bytes = node(header(1), 24, 1, 0).bytes("s\0").u16(1).u32(1).bytes("nno end").build();
    assert_eq!(
        error(&bytes),
        "cast: nodes[0].properties[0].values: expected a name that ends with a NUL byte, found \
         the end of the file (at byte 0x31)"
    );
}

const DEEP: usize = 100_000;

/// Nested nodes, each in the previous one.
fn nested() -> Vec<u8> {
    let size = |index: usize| u32::try_from((DEEP - index) * 24).unwrap();
    header(1)
        .each(0..DEEP, |bytes, index| node(bytes, size(index), 0, u32::from(index + 1 < DEEP)))
        .build()
}

#[test]
fn deep_nesting_is_rejected_by_the_limit_and_needs_no_stack_without_it() {
    let meter = Peak::begin();
    let bytes = nested();
    assert_eq!(
        error(&bytes),
        "cast: nodes: 65 levels of nodes requested, the limit is 64 (at byte 0x610)"
    );
    let limits = Limits::default().with_depth(DEEP);
    let law = Law::Parse { items: DEEP };
    let file = meter.assert_memory_law(law, || CastFile::parse(&bytes, &limits)).unwrap();
    assert_eq!(file.node_count(), DEEP);
    let deepest = file.node(DEEP - 1).unwrap();
    assert_eq!((deepest.content_size(), deepest.parent().unwrap().index()), (24, DEEP - 2));
    assert!(Cast::default().check(&bytes, &limits).is_ok());
    assert!(Cast::default().read(&bytes, &limits).unwrap().value.clips.is_empty());
    let parts = file.into_parts();
    assert_eq!(parts, parts.clone());
    assert_eq!(CastFile::from_parts(&parts).unwrap().to_bytes(), bytes);
}

#[cfg(feature = "text")]
#[test]
fn deep_nesting_survives_the_text_form() {
    let _meter = Peak::begin();
    let limits = Limits::default().with_depth(DEEP);
    let cast = Cast::default();
    let form = cast.text().unwrap();
    let text = form.unpack(&nested(), &limits).unwrap();
    assert_eq!(form.pack(&text, &limits).unwrap(), nested());
}

#[test]
fn nodes_and_properties_of_few_bytes_keep_the_memory_law() {
    let meter = Peak::begin();
    let count: u32 = 200_000;
    let nodes = header(count).each(0..count, |bytes, _| node(bytes, 24, 0, 0)).build();
    let properties =
        (0..count).fold(node(header(1), 24, count, 0), |bytes, _| bytes.bytes("b\0").u16(0).u32(0));
    for bytes in [nodes, properties.build()] {
        let law = Law::Parse { items: usize::try_from(count).unwrap() };
        let file = meter.assert_memory_law(law, || CastFile::parse(&bytes, &Limits::default()));
        assert!(file.is_ok());
    }
}

/// A file of one curve with these keys.
fn curve(keys: &[FileKey], kind: &str, components: u8) -> Vec<u8> {
    let count = u32::try_from(keys.len()).unwrap();
    let property = |bytes: ByteBuilder, kind: &str, name: &str, count: u32| {
        let size = u16::try_from(name.len()).unwrap();
        bytes.padded_str(kind, 2).u16(size).u32(count).bytes(name)
    };
    let root = node(header(1), 0, 0, 1).bytes("anim").u32(0).u64(0).u32(1).u32(1);
    let root = property(root, "f", "fr", 1).f32(30.0).bytes("curv").u32(0).u64(0).u32(4).u32(0);
    let named = property(root, "s", "nn", 1).cstr("hips");
    let kp = if components == 4 { "rq" } else { "bs" };
    let typed = property(named, "s", "kp", 1).cstr(kp);
    let frames = property(typed, "i", "kb", count).each(keys, |bytes, key| bytes.u32(key.time));
    let values = property(frames, kind, "kv", count);
    values
        .each(keys, |bytes, key| {
            bytes.each(0..components, |bytes, _| bytes.bytes(key.number.to_le_bytes()))
        })
        .build()
}

#[test]
fn sorting_a_long_track_needs_no_second_copy() {
    let meter = Peak::begin();
    meter.assert_sorts(&Cast::default(), |keys| curve(keys, "f", 1));
    meter.assert_sorts(&Cast::default(), |keys| curve(keys, "4v", 4));
}

#[test]
fn names_are_stored_once_for_all_tracks() {
    let meter = Peak::begin();
    let name = "x".repeat(1_000_000);
    let curve = |kp: &str| {
        NodePart::new(NodeId::CURVE, 2)
            .with_string("nn", name.as_bytes())
            .with_string("kp", kp)
            .with("kb", inbetween_cast::ValuesPart::U8(vec![0]))
            .with("kv", inbetween_cast::ValuesPart::F32(vec![0.0]))
            .with_string("m", "absolute")
    };
    let animation =
        NodePart::new(NodeId::ANIMATION, 1).with("fr", inbetween_cast::ValuesPart::F32(vec![30.0]));
    let nodes = vec![NodePart::new(NodeId::ROOT, 0), animation, curve("tx"), curve("sy")];
    let parts = CastParts { nodes, ..CastParts::default() };
    let bytes = CastFile::from_parts(&parts).unwrap().to_bytes().to_vec();
    assert!(meter.assert_read(&Cast::default(), &bytes).is_ok());
}

#[test]
fn exceeding_the_item_limit_is_a_limit_error() {
    let _meter = Peak::begin();
    let limits = Limits::default().with_items(3);
    let walk = cases::of("cast").swap_remove(0).bytes;
    let error = Cast::default().read(&walk, &limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cast: nodes[1].head: 4 items requested, the limit is 3 (at byte 0x40)"
    );
}

#[test]
fn a_distant_key_does_not_exhaust_memory_by_baking() {
    let meter = Peak::begin();
    for (document, is_written) in documents::distant().into_iter().zip([false, true]) {
        let (result, peak) = meter.measure(|| Cast::default().write(document, &Limits::default()));
        assert_eq!(result.is_ok(), is_written);
        assert!(peak < 64 * 1024, "{peak} bytes");
    }
}

#[test]
fn curves_without_properties_take_no_memory_for_tracks() {
    let meter = Peak::begin();
    let mut nodes = vec![NodePart::new(NodeId::ROOT, 0), NodePart::new(NodeId::ANIMATION, 1)];
    nodes.extend((0..100_000).map(|_| NodePart::new(NodeId::CURVE, 2)));
    let file = CastFile::from_parts(&CastParts { nodes, ..CastParts::default() }).unwrap();
    let bytes = file.to_bytes();
    let (read, peak) = meter.measure(|| Cast::default().read(bytes, &Limits::default()));
    assert_eq!(read.unwrap().value.clips[0].tracks.len(), 0);
    assert!(peak <= 2 * bytes.len(), "{peak} bytes beside {}", bytes.len());
}
