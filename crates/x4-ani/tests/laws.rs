//! The laws, on the fixtures and on generated files and documents.

use inbetween_core::Limits;
use inbetween_testing::{arbitrary_documents, laws, properties, rewriter};
use inbetween_x4_ani::{
    ControlPoints, KeyType, RecordPart, X4ani, X4aniFile, X4aniKey, X4aniName, X4aniParts,
};
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn the_laws_hold_on_all_fixtures() {
    laws::replay_fixtures(&X4ani::default(), &rewriter!(X4aniFile::parse), |_| true);
}

#[test]
fn the_laws_hold_on_documents_of_other_formats() {
    laws::replay_documents(&X4ani::default());
}

/// Any bytes, or a name shared with other records.
fn name() -> impl Strategy<Value = X4aniName> {
    let known = prop_oneof![Just("open"), Just("OPEN"), Just("close")];
    prop_oneof![
        3 => known.prop_map(|name| X4aniName::new(name).unwrap_or_default()),
        1 => vec(any::<u8>(), 64).prop_map(|bytes| {
            let mut name = X4aniName::default();
            name.0.copy_from_slice(&bytes);
            name
        }),
    ]
}

/// Small numbers that make a valid document, or any bits.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![4 => (-8_i8..8).prop_map(f32::from), 1 => any::<u32>().prop_map(f32::from_bits)]
}

fn key() -> impl Strategy<Value = X4aniKey> {
    let types = prop::array::uniform3(prop_oneof![8 => 1_u32..3, 2 => Just(5), 1 => any::<u32>()]);
    let points = prop::array::uniform3(prop::array::uniform4(number()));
    let extra = prop_oneof![4 => Just([0_u32; 13]), 1 => any::<[u32; 13]>()];
    let set = any::<bool>();
    (prop::array::uniform3(number()), types, number(), points, extra, set).prop_map(
        |(value, types, time, points, extra, set)| {
            let [tension, continuity, bias, ease_in, ease_out, flag, rest @ ..] = extra;
            let [in_x, in_y, in_z, out_x, out_y, out_z, angle_key] = rest;
            X4aniKey {
                value,
                types: types.map(KeyType),
                time,
                control_points: points.map(|each| {
                    if set { ControlPoints::from_array(each) } else { ControlPoints::default() }
                }),
                tension: f32::from_bits(tension),
                continuity: f32::from_bits(continuity),
                bias: f32::from_bits(bias),
                ease_in: f32::from_bits(ease_in),
                ease_out: f32::from_bits(ease_out),
                derivatives_calculated: i32::from_le_bytes(flag.to_le_bytes()),
                derivative_in: [in_x, in_y, in_z].map(f32::from_bits),
                derivative_out: [out_x, out_y, out_z].map(f32::from_bits),
                angle_key,
            }
        },
    )
}

/// Parts with any value that the format can store in each field.
fn parts() -> impl Strategy<Value = X4aniParts> {
    let keys = prop::array::uniform5(vec(key(), 0..4));
    let record = (name(), name(), keys, number(), any::<[i32; 2]>()).prop_map(
        |(part, subname, keys, duration, padding)| RecordPart {
            part,
            subname,
            keys,
            duration,
            padding,
        },
    );
    (any::<i32>(), vec(record, 0..4), vec(any::<u8>(), 0..5))
        .prop_map(|(padding, records, trailing)| X4aniParts { padding, records, trailing })
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn parts_survive_a_round_trip(parts in parts()) {
        let file = X4aniFile::from_parts(&parts).unwrap();
        let again = X4aniFile::parse(file.to_bytes(), &Limits::default()).unwrap();
        prop_assert_eq!(again.into_parts(), parts);
    }

    #[test]
    fn the_laws_hold_on_generated_files(parts in parts()) {
        let file = X4aniFile::from_parts(&parts).unwrap();
        laws::all(&X4ani::default(), &rewriter!(X4aniFile::parse), file.to_bytes());
    }

    #[cfg(feature = "text")]
    #[test]
    fn generated_files_survive_their_text_form(parts in parts()) {
        use inbetween_testing::text_laws::{TextTrip, text_round_trip};
        let file = X4aniFile::from_parts(&parts).unwrap();
        let rewriter = &rewriter!(X4aniFile::parse);
        let trip = text_round_trip(&X4ani::default(), rewriter, file.to_bytes());
        prop_assert_eq!(trip, TextTrip::Same);
    }

    #[test]
    fn the_laws_hold_on_generated_documents(document in arbitrary_documents()) {
        laws::document_round_trip(&X4ani::default(), &document);
    }

    #[test]
    fn the_laws_hold_on_any_bytes(bytes in vec(any::<u8>(), 0..400)) {
        laws::all(&X4ani::default(), &rewriter!(X4aniFile::parse), &bytes);
    }
}
