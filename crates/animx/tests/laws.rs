//! The laws, on the fixtures and on generated files and documents.

#![cfg(feature = "lzma")]
#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a test may end where it fails"
)]

use inbetween_animx::{
    Animx, AnimxFile, AnimxLayout, AnimxParts, CurveKeyOrder, Encoding, InterpolationPart,
    KeysPart, PackedPart, StringPart, TangentOrder, TangentsPart, TextPart, TrackPart, ValuesPart,
    Version,
};
use inbetween_core::{Limits, ValueKind};
use inbetween_testing::{arbitrary_documents, laws, properties, rewriter};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn the_laws_hold_on_fixtures_of_raw_tracks() {
    laws::replay_fixtures(&Animx::default(), &rewriter!(AnimxFile::parse), |name| {
        name.contains("/raw-")
    });
}

#[test]
fn the_laws_hold_on_fixtures_of_discrete_tracks() {
    laws::replay_fixtures(&Animx::default(), &rewriter!(AnimxFile::parse), |name| {
        name.contains("/discrete-")
    });
}

#[test]
fn the_laws_hold_on_fixtures_of_curves() {
    laws::replay_fixtures(&Animx::default(), &rewriter!(AnimxFile::parse), |name| {
        name.contains("/curve-")
    });
}

#[test]
fn the_laws_hold_on_all_other_fixtures() {
    let kinds = ["/raw-", "/discrete-", "/curve-"];
    laws::replay_fixtures(&Animx::default(), &rewriter!(AnimxFile::parse), |name| {
        !kinds.iter().any(|kind| name.contains(kind))
    });
}

#[test]
fn the_laws_hold_on_documents_of_other_formats() {
    laws::replay_documents(&Animx::default());
}

fn padding() -> impl Strategy<Value = u8> {
    prop_oneof![8 => Just(0), 1 => 0..5_u8]
}

/// Strings as the format stores them: any bytes, any encoding.
fn text() -> impl Strategy<Value = TextPart> {
    let bytes =
        prop_oneof![4 => "[a-c]{0,3}".prop_map(String::into_bytes), 1 => vec(any::<u8>(), 0..6)];
    (bytes, padding()).prop_map(|(bytes, length_padding)| TextPart { bytes, length_padding })
}

fn string() -> impl Strategy<Value = StringPart> {
    let not_null = prop_oneof![2 => Just(0), 4 => Just(1), 1 => any::<u8>()];
    (not_null, text()).prop_map(|(not_null, text)| {
        let text = if not_null == 0 { TextPart::default() } else { text };
        StringPart { not_null, text }
    })
}

/// A column of values of any bit pattern.
fn values(kind: ValueKind, keys: usize) -> BoxedStrategy<ValuesPart> {
    match kind {
        ValueKind::String => vec(string(), keys).prop_map(ValuesPart::Strings).boxed(),
        ValueKind::Bool | ValueKind::Bool2 | ValueKind::Bool3 | ValueKind::Bool4 => {
            vec(any::<u8>(), keys).prop_map(move |bytes| ValuesPart::Flags { kind, bytes }).boxed()
        }
        kind => {
            let size = kind.encoded_size().unwrap();
            vec(any::<u8>(), keys * size).prop_map(move |bytes| decoded(kind, bytes)).boxed()
        }
    }
}

/// Values from raw bytes, through a file with a single track.
fn decoded(kind: ValueKind, bytes: Vec<u8>) -> ValuesPart {
    let keys = bytes.len() / kind.encoded_size().unwrap();
    let head = inbetween_testing::ByteBuilder::new().dotnet_string("AnimX").i32(1).u8(1);
    let head = head.f32(0.0).u8s(&[0, 0, 0, kind.id(), 0, 0]).u8(u8::try_from(keys).unwrap());
    let file = head.f32(1.0).bytes(bytes).build();
    let mut parts = AnimxFile::parse(file, &Limits::default()).unwrap().into_parts();
    parts.tracks.swap_remove(0).keys.values().clone()
}

fn keys(kind: ValueKind) -> impl Strategy<Value = KeysPart> {
    let time = || prop_oneof![3 => (0..8_u8).prop_map(f32::from), 1 => any::<f32>()];
    (0..5_usize, 0..3_u8, any::<u8>(), any::<(bool, bool)>()).prop_flat_map(
        move |(keys, shape, flags, (per_key, has_tangents))| {
            let columns = (vec(time(), keys), vec(0..6_u8, keys), values(kind, keys));
            let sides = (values(kind, keys), values(kind, keys), any::<f32>(), any::<u8>());
            (columns, sides).prop_map(
                move |((times, each, values), (left, right, interval, one))| {
                    let interpolation = if per_key {
                        InterpolationPart::PerKey(each)
                    } else {
                        InterpolationPart::Shared(one)
                    };
                    let tangents = has_tangents.then_some(TangentsPart { left, right });
                    match shape {
                        0 => KeysPart::Raw { interval, values },
                        1 => KeysPart::Discrete { times, values },
                        _ => {
                            let other_flags = flags & 0xfc;
                            KeysPart::Curve { times, values, interpolation, tangents, other_flags }
                        }
                    }
                },
            )
        },
    )
}

fn track(version: Version) -> impl Strategy<Value = TrackPart> {
    let keys = select(ValueKind::ALL.to_vec()).prop_flat_map(keys);
    (text(), text(), padding(), keys).prop_map(move |(node, property, key_count_padding, keys)| {
        let keys = match keys {
            KeysPart::Discrete { values, .. } if version == Version::V0 => {
                KeysPart::Raw { interval: 0.5, values }
            }
            keys => keys,
        };
        TrackPart { node, property, key_count_padding, keys }
    })
}

fn layout() -> impl Strategy<Value = AnimxLayout> {
    let orders = [CurveKeyOrder::ValueFirst, CurveKeyOrder::TimeFirst];
    let tangents = [TangentOrder::LeftRight, TangentOrder::RightLeft];
    (select(orders.to_vec()), select(tangents.to_vec()))
        .prop_map(|(curve_key, tangents)| AnimxLayout { curve_key, tangents })
}

/// Parts with any value that the format can store in each field.
fn parts() -> impl Strategy<Value = AnimxParts> {
    let version = select(vec![Version::V1, Version::V1, Version::V0]);
    version.prop_flat_map(|version| {
        let head = (padding(), any::<f32>(), text(), select(Encoding::ALL.to_vec()), layout());
        let tracks = vec(track(version), 0..4);
        (head, tracks, vec(any::<u8>(), 0..5)).prop_map(move |(head, tracks, trailing)| {
            let (track_count_padding, global_duration, name, encoding, layout) = head;
            AnimxParts {
                version,
                track_count_padding,
                global_duration,
                name,
                encoding,
                layout,
                tracks,
                trailing,
                packed: PackedPart::Anew,
            }
        })
    })
}

/// Columns in the form that the reader returns: as values if they represent the bytes exactly.
fn normalized(parts: &AnimxParts) -> AnimxParts {
    let file = AnimxFile::from_parts(parts).unwrap();
    AnimxParts { packed: PackedPart::Anew, ..file.into_parts() }
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn any_parts_survive_a_round_trip(parts in parts()) {
        let parts = normalized(&parts);
        let file = AnimxFile::from_parts(&parts).unwrap();
        let again = AnimxFile::parse_as(file.to_bytes(), parts.layout, &Limits::default()).unwrap();
        let section = again.section().unwrap().to_vec();
        let back = again.into_parts();
        prop_assert_eq!(&AnimxParts { packed: PackedPart::Anew, ..back.clone() }, &parts);
        // With the compressed section, the bytes stay the same; without it, the tracks do.
        let rebuilt = AnimxFile::from_parts(&back).unwrap();
        prop_assert_eq!(rebuilt.to_bytes(), file.to_bytes());
        let anew = AnimxFile::from_parts(&AnimxParts { packed: PackedPart::Anew, ..back }).unwrap();
        prop_assert_eq!(anew.section().unwrap(), &section[..]);
    }

    #[test]
    fn the_laws_hold_on_any_file(parts in parts()) {
        let file = AnimxFile::from_parts(&parts).unwrap();
        laws::all(&Animx::default(), &rewriter!(AnimxFile::parse), file.to_bytes());
        let written_like_it = Animx::default().layout(parts.layout);
        laws::all(&written_like_it, &rewriter!(AnimxFile::parse), file.to_bytes());
    }

    #[cfg(feature = "text")]
    #[test]
    fn any_file_survives_its_text_form(parts in parts()) {
        use inbetween_core::TextForm;
        use inbetween_testing::text_laws::{TextTrip, text_round_trip};
        let file = AnimxFile::from_parts(&parts).unwrap();
        let format = Animx::default().reading_layout(parts.layout);
        let trip = text_round_trip(&format, &rewriter!(format.parse), file.to_bytes());
        prop_assert!(parts.encoding != Encoding::Plain || trip == TextTrip::Same, "{:?}", trip);
        // After compressing again, the section decompresses to the same bytes.
        let text = format.unpack(file.to_bytes(), &Limits::default()).unwrap();
        let packed = format.pack(&text, &Limits::default()).unwrap();
        let packed = format.parse(&packed, &Limits::default()).unwrap();
        prop_assert_eq!(packed.section(), file.section());
        prop_assert_eq!(packed.header(), file.header());
    }

    #[test]
    fn the_laws_hold_on_any_document(document in arbitrary_documents()) {
        laws::document_round_trip(&Animx::default(), &document);
    }

    #[test]
    fn the_laws_hold_on_any_document_in_every_encoding_and_layout(
        document in arbitrary_documents(),
        encoding in select(Encoding::ALL.to_vec()),
        layout in layout(),
    ) {
        let format = Animx::default().encoding(encoding).layout(layout);
        laws::document_round_trip(&format, &document);
    }

    #[test]
    fn changing_one_part_changes_only_its_bytes(parts in parts(), duration in any::<f32>()) {
        let parts = AnimxParts { encoding: Encoding::Plain, ..parts };
        let before = AnimxFile::from_parts(&parts).unwrap();
        let changed = AnimxParts { global_duration: duration, ..parts };
        let after = AnimxFile::from_parts(&changed).unwrap();
        let mut expected = before.to_bytes().to_vec();
        let at = 10 + usize::from(before.header().track_count.size());
        expected[at..at + 4].copy_from_slice(&duration.to_le_bytes());
        prop_assert_eq!(after.to_bytes(), expected);
    }
}
