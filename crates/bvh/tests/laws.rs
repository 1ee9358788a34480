//! The laws, on the fixtures and on generated files and documents.

use inbetween_bvh::{Bvh, BvhFile, BvhHeader, BvhParts, Channel, TrackPart};
use inbetween_core::{Limits, Quat};
use inbetween_testing::{arbitrary_documents, laws, properties, rewriter};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn the_laws_hold_on_all_fixtures() {
    laws::replay_fixtures(&Bvh::default(), &rewriter!(BvhFile::parse), |_| true);
}

#[test]
fn the_laws_hold_on_documents_of_other_formats() {
    laws::replay_documents(&Bvh::default());
}

/// A track with frames and values of any bit pattern.
fn track() -> impl Strategy<Value = TrackPart> {
    let keys = vec((any::<u32>(), any::<[u32; 4]>()), 0..6);
    ("[^\0]{0,6}", select(Channel::ALL.to_vec()), keys).prop_map(|(name, channel, keys)| {
        let frames = keys.iter().map(|(frame, _)| *frame).collect();
        let values = keys.iter().map(|(_, bits)| bits.map(f32::from_bits));
        let values = match channel {
            Channel::Rotation => values.map(Quat::from_array).collect::<Vec<_>>().into(),
            _ => values.map(|[x, y, z, _]| [x, y, z]).collect::<Vec<_>>().into(),
        };
        TrackPart { name, channel, frames, values }
    })
}

/// Parts with any value that the format can store in each field.
fn parts() -> impl Strategy<Value = BvhParts> {
    let header = (any::<u16>(), any::<u32>(), any::<u64>());
    let header = header.prop_map(|(reserved, rate, duration)| BvhHeader {
        reserved,
        frame_rate: f32::from_bits(rate),
        duration: f64::from_bits(duration),
    });
    (header, vec(track(), 0..4), vec(any::<u8>(), 0..5))
        .prop_map(|(header, tracks, trailing)| BvhParts { header, tracks, trailing })
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn parts_survive_a_round_trip(parts in parts()) {
        let file = BvhFile::from_parts(&parts).unwrap();
        let again = BvhFile::parse(file.to_bytes(), &Limits::default()).unwrap();
        let rebuilt = BvhFile::from_parts(&again.into_parts()).unwrap();
        prop_assert_eq!(rebuilt.to_bytes(), file.to_bytes());
    }

    #[test]
    fn the_laws_hold_on_generated_files(parts in parts()) {
        let file = BvhFile::from_parts(&parts).unwrap();
        laws::all(&Bvh::default(), &rewriter!(BvhFile::parse), file.to_bytes());
    }

    #[cfg(feature = "text")]
    #[test]
    fn generated_files_survive_their_text_form(parts in parts()) {
        use inbetween_testing::text_laws::{TextTrip, text_round_trip};
        let file = BvhFile::from_parts(&parts).unwrap();
        let rewriter = &rewriter!(BvhFile::parse);
        let trip = text_round_trip(&Bvh::default(), rewriter, file.to_bytes());
        prop_assert_eq!(trip, TextTrip::Same);
    }

    #[test]
    fn the_laws_hold_on_generated_documents(document in arbitrary_documents()) {
        laws::document_round_trip(&Bvh::default(), &document);
    }

    #[test]
    fn the_laws_hold_on_any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        laws::all(&Bvh::default(), &rewriter!(BvhFile::parse), &bytes);
    }
}

#[test]
fn rejects_parts_that_contradict_each_other_and_names_the_track() {
    let refused = |track: TrackPart| {
        let parts = BvhParts { tracks: vec![track], ..BvhParts::default() };
        BvhFile::from_parts(&parts).unwrap_err().to_string()
    };
    let track = TrackPart {
        name: "root".into(),
        channel: Channel::Scale,
        frames: vec![0],
        values: vec![[1.0_f32; 3]].into(),
    };
    let mismatch = "the values do not match the channel and the frames";
    for wrong in [
        TrackPart { channel: Channel::Rotation, ..track.clone() },
        TrackPart { frames: vec![0, 1], ..track.clone() },
    ] {
        let error = refused(wrong);
        assert!(error.starts_with("bvh: tracks[0]: ") && error.ends_with(mismatch), "{error}");
    }
    let error = refused(TrackPart { name: "a\0b".into(), ..track });
    assert!(error.starts_with("bvh: tracks[0]: a name with a NUL"), "{error}");
}
