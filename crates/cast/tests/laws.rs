//! The laws, on the fixtures and on generated files and documents.

use inbetween_cast::{
    Cast, CastFile, CastHeader, CastParts, NodeId, NodePart, PropertyPart, ValuesPart,
};
use inbetween_core::{Format, Limits};
use inbetween_testing::{arbitrary_documents, laws, properties, rewriter};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn the_laws_hold_on_all_fixtures() {
    laws::replay_fixtures(&Cast::default(), &rewriter!(CastFile::parse), |_| true);
}

#[test]
fn the_laws_hold_on_documents_of_other_formats() {
    laws::replay_documents(&Cast::default());
}

/// Values of every type and bit pattern.
fn values() -> impl Strategy<Value = ValuesPart> {
    let floats = || any::<u32>().prop_map(f32::from_bits);
    prop_oneof![
        vec(any::<u8>(), 0..4).prop_map(ValuesPart::U8),
        vec(any::<u16>(), 0..4).prop_map(ValuesPart::U16),
        vec(any::<u32>(), 0..4).prop_map(ValuesPart::U32),
        vec(any::<u64>(), 0..4).prop_map(ValuesPart::U64),
        vec(floats(), 0..4).prop_map(ValuesPart::F32),
        vec(any::<u64>().prop_map(f64::from_bits), 0..4).prop_map(ValuesPart::F64),
        vec(1..=255_u8, 0..6).prop_map(ValuesPart::String),
        vec([floats(), floats()], 0..3).prop_map(ValuesPart::Vector2),
        vec([floats(), floats(), floats()], 0..3).prop_map(ValuesPart::Vector3),
        vec([floats(), floats(), floats(), floats()], 0..3).prop_map(ValuesPart::Vector4),
    ]
}

fn property() -> impl Strategy<Value = PropertyPart> {
    let known = select(vec!["n", "nn", "kp", "kb", "kv", "m", "fr", "lo", "p", "lp"]);
    let names = prop_oneof![known.prop_map(Vec::from), vec(any::<u8>(), 0..4)];
    (names, values()).prop_map(|(name, values)| PropertyPart { name, array_length: None, values })
}

fn node() -> impl Strategy<Value = NodePart> {
    let ids = prop_oneof![
        4 => select(NodeId::KNOWN.to_vec()),
        1 => any::<[u8; 4]>().prop_map(NodeId),
    ];
    let sizes = option::weighted(0.1, any::<u32>());
    (ids, 0..4_u32, sizes, any::<u64>(), vec(property(), 0..4)).prop_map(
        |(id, depth, stated_size, hash, properties)| NodePart {
            id,
            depth,
            stated_size,
            hash,
            properties,
        },
    )
}

/// Parts with any value that the format can store in each field.
fn parts() -> impl Strategy<Value = CastParts> {
    let header = (prop_oneof![3 => Just(1), 1 => any::<u32>()], any::<u32>());
    (header, vec(node(), 0..8), vec(any::<u8>(), 0..5)).prop_map(
        |((version, flags), mut nodes, trailing)| {
            let mut deepest = 0;
            for node in &mut nodes {
                node.depth = node.depth.min(deepest);
                deepest = node.depth.saturating_add(1);
            }
            CastParts { header: CastHeader { version, flags }, nodes, trailing }
        },
    )
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn any_parts_survive_a_round_trip(parts in parts()) {
        let file = CastFile::from_parts(&parts).unwrap();
        let again = CastFile::parse(file.to_bytes(), &Limits::default()).unwrap();
        let nodes = again.clone().into_parts().nodes;
        let shape = |nodes: &[NodePart]| -> Vec<_> {
            nodes.iter().map(|node| (node.id, node.depth, node.hash, node.properties.len())).collect()
        };
        prop_assert_eq!(shape(&nodes), shape(&parts.nodes));
        let rebuilt = CastFile::from_parts(&again.into_parts()).unwrap();
        prop_assert_eq!(rebuilt.to_bytes(), file.to_bytes());
    }

    #[test]
    fn the_laws_hold_on_any_file(parts in parts()) {
        let file = CastFile::from_parts(&parts).unwrap();
        laws::all(&Cast::default(), &rewriter!(CastFile::parse), file.to_bytes());
    }

    #[cfg(feature = "text")]
    #[test]
    fn any_file_survives_its_text_form(parts in parts()) {
        use inbetween_testing::text_laws::{TextTrip, text_round_trip};
        let file = CastFile::from_parts(&parts).unwrap();
        let rewriter = &rewriter!(CastFile::parse);
        let trip = text_round_trip(&Cast::default(), rewriter, file.to_bytes());
        prop_assert_eq!(trip, TextTrip::Same);
    }

    #[test]
    fn the_laws_hold_on_any_document(document in arbitrary_documents()) {
        laws::document_round_trip(&Cast::default(), &document);
    }
}

#[test]
fn rejects_a_skipped_level_and_names_the_node() {
    let nodes = vec![NodePart::new(NodeId::ROOT, 0), NodePart::new(NodeId::CURVE, 2)];
    let parts = CastParts { nodes, ..CastParts::default() };
    assert_eq!(
        CastFile::from_parts(&parts).unwrap_err().to_string(),
        "cast: nodes[1].depth: depth 2, at most 1 can follow"
    );
}

#[test]
fn rejects_a_string_with_a_nul_byte() {
    let node = NodePart::new(NodeId::METADATA, 0).with_string("a", "x\0y");
    let parts = CastParts { nodes: vec![node], ..CastParts::default() };
    assert_eq!(
        CastFile::from_parts(&parts).unwrap_err().to_string(),
        "cast: nodes[0]: the string \"x\\u{0}y\" cannot be written: a NUL byte ends a string"
    );
}

#[test]
fn the_example_of_the_specification_has_188_bytes() {
    let cases = inbetween_testing::cases::of("cast");
    let file = cases.iter().find(|case| case.name == "one-curve").unwrap();
    assert_eq!(file.bytes.len(), 188);
    let parsed = CastFile::parse(&file.bytes, &Limits::default()).unwrap();
    let sizes: Vec<u32> = parsed.nodes().map(|node| node.stated_size()).collect();
    assert_eq!(sizes, [0xac, 0x94, 0x63]);
    let clip = Cast::default().read(&file.bytes, &Limits::default()).unwrap().value.clips.remove(0);
    assert_eq!((clip.frame_rate, clip.tracks[0].data().time(1)), (Some(30.0), Some(10.0)));
}
