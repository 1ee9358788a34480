//! The laws, on the fixtures and on generated files and documents.

use inbetween_core::{Animation, Document, Format, Limits, Quat, Values};
use inbetween_seanim::{
    AnimType, BoneIndex, BonePart, Channel, ChannelPart, FrameWidth, NotePart, Precision, Reading,
    Seanim, SeanimFile, SeanimHeader, SeanimLayout, SeanimModifier, SeanimParts, ShapeKey,
    ShapePart, presence,
};
use inbetween_testing::{arbitrary_documents, laws, properties, rewriter};
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn the_laws_hold_on_all_fixtures() {
    laws::replay_fixtures(&Seanim::default(), &rewriter!(SeanimFile::parse), |_| true);
}

#[test]
fn the_laws_hold_on_documents_of_other_formats() {
    laws::replay_documents(&Seanim::default());
}

/// Names as the format stores them: any bytes except NUL.
fn name() -> impl Strategy<Value = Vec<u8>> {
    vec(1..=255_u8, 0..12)
}

/// A channel with frames and values of any bit pattern.
fn channel(channel: Channel, layout: SeanimLayout) -> impl Strategy<Value = ChannelPart> {
    let largest = layout.frame_width.max();
    vec((0..=largest, any::<[u64; 4]>()), 0..6).prop_map(move |keys| {
        let frames = keys.iter().map(|(frame, _)| *frame).collect();
        let singles = keys.iter().map(|(_, bits)| bits.map(|bits| f32::from_bits(low(bits))));
        let doubles = keys.iter().map(|(_, bits)| bits.map(f64::from_bits));
        let values = match (channel, layout.precision) {
            (Channel::Rotation, Precision::Single) => {
                Values::from(singles.map(Quat::from_array).collect::<Vec<_>>())
            }
            (Channel::Rotation, Precision::Double) => {
                Values::from(doubles.map(Quat::from_array).collect::<Vec<_>>())
            }
            (_, Precision::Single) => {
                Values::from(singles.map(|[x, y, z, _]| [x, y, z]).collect::<Vec<_>>())
            }
            (_, Precision::Double) => {
                Values::from(doubles.map(|[x, y, z, _]| [x, y, z]).collect::<Vec<_>>())
            }
        };
        ChannelPart { frames, values }
    })
}

fn low(bits: u64) -> u32 {
    u32::try_from(bits & 0xffff_ffff).unwrap_or_default()
}

fn bone(header: SeanimHeader, layout: SeanimLayout) -> impl Strategy<Value = BonePart> {
    let part = move |each: Channel| {
        let present = header.presence & each.bit() != 0;
        channel(each, layout).prop_map(move |part| present.then_some(part))
    };
    (name(), any::<u8>(), part(Channel::Location), part(Channel::Rotation), part(Channel::Scale))
        .prop_map(|(name, flags, locations, rotations, scales)| BonePart {
            name,
            flags,
            locations,
            rotations,
            scales,
        })
}

fn header() -> impl Strategy<Value = SeanimHeader> {
    let frame_counts = prop_oneof![0..300_u32, Just(256), Just(65_536), any::<u32>()];
    let bytes = any::<([u8; 3], [u8; 2], [u8; 3], u8)>();
    (bytes, any::<u32>(), frame_counts).prop_map(|(bytes, framerate, frame_count)| {
        let ([kind, flags, property], reserved1, reserved2, presence) = bytes;
        SeanimHeader {
            anim_type: AnimType(kind),
            anim_flags: flags,
            presence,
            property,
            reserved1,
            framerate: f32::from_bits(framerate),
            frame_count,
            reserved2,
            ..SeanimHeader::default()
        }
    })
}

/// Parts with any value that the format can store in each field.
fn parts() -> impl Strategy<Value = SeanimParts> {
    header().prop_flat_map(|header| {
        let layout = SeanimLayout::new(&header, Reading::default());
        let largest = layout.frame_width.max();
        let has_bones = header.presence & presence::BONES != 0;
        let bones = vec(bone(header, layout), if has_bones { 0..5 } else { 0..1 });
        let modifiers = vec((0..=255_u32, any::<u8>()), if has_bones { 0..3 } else { 0..1 });
        let has_notes = header.presence & presence::NOTES != 0;
        let notes = vec((0..=largest, name()), if has_notes { 0..4 } else { 0..1 });
        let shape = (name(), vec(any::<[u32; 4]>(), 0..4));
        let end = (
            vec(any::<u8>(), 0..9),
            proptest::option::of(vec(shape, 0..3)),
            vec(any::<u8>(), 0..5),
        );
        (bones, modifiers, notes, vec(any::<u8>(), 0..5), end).prop_map(
            move |(bones, modifiers, notes, header_extra, end)| {
                build(header, bones, modifiers, notes, header_extra, end)
            },
        )
    })
}

type End = (Vec<u8>, Option<Vec<(Vec<u8>, Vec<[u32; 4]>)>>, Vec<u8>);

fn build(
    header: SeanimHeader,
    bones: Vec<BonePart>,
    modifiers: Vec<(u32, u8)>,
    notes: Vec<(u32, Vec<u8>)>,
    header_extra: Vec<u8>,
    (custom, shapes, trailing): End,
) -> SeanimParts {
    let has_bones = header.presence & presence::BONES != 0;
    let modifier =
        |(bone, kind)| SeanimModifier { bone: BoneIndex(bone), anim_type: AnimType(kind) };
    let key = |[frame, weight, a, b]: [u32; 4]| ShapeKey {
        frame,
        weight: f32::from_bits(weight),
        unused: [a, b].map(f32::from_bits),
    };
    let shapes = shapes.map(|shapes| {
        let shape = |(name, keys): (Vec<u8>, Vec<[u32; 4]>)| ShapePart {
            name,
            keys: keys.into_iter().map(key).collect(),
        };
        shapes.into_iter().map(shape).collect()
    });
    SeanimParts {
        header,
        reading: Reading::default(),
        header_extra,
        bones: if has_bones { bones } else { Vec::new() },
        modifiers: if has_bones {
            modifiers.into_iter().map(modifier).collect()
        } else {
            Vec::new()
        },
        notes: if header.presence & presence::NOTES == 0 {
            Vec::new()
        } else {
            notes.into_iter().map(|(frame, name)| NotePart { frame, name }).collect()
        },
        custom: (header.presence & presence::CUSTOM != 0).then_some(custom),
        blend_shapes: shapes,
        trailing,
    }
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn any_parts_survive_a_round_trip(parts in parts()) {
        let file = SeanimFile::from_parts(&parts).unwrap();
        let again = SeanimFile::parse_as(file.to_bytes(), parts.reading, &Limits::default()).unwrap();
        prop_assert_eq!(again.clone().into_parts().bones, parts.bones);
        let rebuilt = SeanimFile::from_parts(&again.into_parts()).unwrap();
        prop_assert_eq!(rebuilt.to_bytes(), file.to_bytes());
    }

    #[test]
    fn the_laws_hold_on_any_file(parts in parts()) {
        let file = SeanimFile::from_parts(&parts).unwrap();
        laws::all(&Seanim::default(), &rewriter!(SeanimFile::parse), file.to_bytes());
    }

    #[cfg(feature = "text")]
    #[test]
    fn any_file_survives_its_text_form(parts in parts()) {
        use inbetween_testing::text_laws::{TextTrip, text_round_trip};
        let file = SeanimFile::from_parts(&parts).unwrap();
        let format = Seanim::default().reading(parts.reading);
        let trip = text_round_trip(&format, &rewriter!(format.parse), file.to_bytes());
        prop_assert_eq!(trip, TextTrip::Same);
    }

    #[test]
    fn the_laws_hold_on_any_document(document in arbitrary_documents()) {
        laws::document_round_trip(&Seanim::default(), &document);
    }

    #[test]
    fn changing_one_part_changes_only_its_bytes(parts in parts(), framerate in any::<f32>()) {
        let before = SeanimFile::from_parts(&parts).unwrap().to_bytes().to_vec();
        let header = SeanimHeader { framerate, ..parts.header };
        let after = SeanimFile::from_parts(&SeanimParts { header, ..parts }).unwrap();
        let mut expected = before;
        expected[0x10..0x14].copy_from_slice(&framerate.to_le_bytes());
        prop_assert_eq!(after.to_bytes(), expected);
    }
}

#[test]
fn an_empty_clip_name_becomes_none_without_a_report() {
    let clip = Animation::new(Vec::new()).with_name("").with_duration(0.0).with_frame_rate(24.0);
    let document = Document::single(clip);
    let kept = laws::document_round_trip(&Seanim::default(), &document);
    assert_eq!(kept, laws::RoundTrip::Kept);
}

#[test]
fn rejects_a_frame_beyond_the_width_and_names_bone_and_limit() {
    let part = ChannelPart { frames: vec![256], values: Values::from(vec![[0.0_f32; 3]]) };
    let bone = BonePart { name: b"a".into(), locations: Some(part), ..BonePart::default() };
    let header =
        SeanimHeader { presence: presence::LOCATION, frame_count: 255, ..SeanimHeader::default() };
    let parts = SeanimParts { header, bones: vec![bone], ..SeanimParts::default() };
    assert_eq!(SeanimLayout::new(&header, Reading::default()).frame_width, FrameWidth::One);
    assert_eq!(
        SeanimFile::from_parts(&parts).unwrap_err().to_string(),
        "seanim: bones[0].locations: frame 256 cannot be written: at most 255 fits"
    );
}

#[test]
fn rejects_more_modifiers_than_a_byte_can_count() {
    let modifier = SeanimModifier { bone: BoneIndex(0), anim_type: AnimType::DELTA };
    let header = SeanimHeader { presence: presence::LOCATION, ..SeanimHeader::default() };
    let parts = SeanimParts { header, modifiers: vec![modifier; 256], ..SeanimParts::default() };
    assert_eq!(
        SeanimFile::from_parts(&parts).unwrap_err().to_string(),
        "seanim: boneAnimModifierCount: 256 modifiers cannot be written: at most 255 fit"
    );
}

#[test]
fn the_sample_walk_converts_to_seconds() {
    let walk = inbetween_testing::cases::of("seanim").swap_remove(0).bytes;
    let outcome = Seanim::default().read(&walk, &Limits::default()).unwrap();
    let clip = &outcome.value.clips[0];
    assert_eq!((clip.duration, clip.frame_rate), (Some(1.0), Some(30.0)));
    let times: Vec<f64> = clip.markers.iter().map(|marker| marker.time).collect();
    assert_eq!(times, [7.0 / 30.0, 22.0 / 30.0]);
    assert_eq!(clip.tracks[0].data().time(1), Some(0.5));
}
