//! The byte form: round trips, and files that nothing good wrote.

#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a test may end where it fails"
)]

use inbetween_clip::{Bounds, Clip, ClipFile, Pose, build, load, save, to_animation};
use inbetween_core::{
    Animation, ClipSummary, Format, Limits, Position, Property, Quat, Target, Track, TrackData,
    Values, inspect_fully, rows,
};
use inbetween_testing::hard::{self, Suits};
use inbetween_testing::{ByteBuilder, properties};
use proptest::prelude::*;
use proptest::sample::{Index, select};

fn animations() -> impl Strategy<Value = Animation> {
    let suits = vec![Suits::Anything, Suits::X4, Suits::Resonite, Suits::SeAnim];
    select(suits).prop_flat_map(hard::animations)
}

fn clips() -> impl Strategy<Value = Vec<Clip>> {
    let bounds = Bounds::default().with_rotation(0.01).with_curve(0.01);
    let clip = animations().prop_filter_map("no clip within the bounds", move |animation| {
        build(&animation, &bounds).ok().map(|built| built.value.clip)
    });
    prop::collection::vec(clip, 0..3)
}

/// A small clip with every kind of track: two rotations, a translation, a constant and a weight.
fn example() -> Clip {
    let turn = |angle: f32| Quat::from_axis_angle([1.0, 0.0, 0.0], angle);
    let track = |node: &str, property, data| Track::new(Target::new(node, property), data).unwrap();
    let steps = TrackData::stepped(vec![0.0, 0.007_812_5, 0.5], vec![1.0_f32, 3.0, 2.0]).unwrap();
    let even = |values: Values| TrackData::uniform(0.25, values);
    let turns = vec![turn(0.0), turn(1.0), turn(0.0)];
    let tracks = vec![
        track("hips", Property::Rotation, even(turns.into())),
        track("hips", Property::Translation, even(vec![[0.0_f32; 3], [0.1; 3], [0.0; 3]].into())),
        track("hand", Property::Scale, even(vec![[1.0_f32; 3]; 3].into())),
        track("hand", Property::Weight("smile".into()), steps),
        track("hand", Property::Translation, even(vec![[0.0; 3], [33.3; 3], [90.3; 3]].into())),
    ];
    let animation = Animation::new(tracks).with_name("walk").with_frame_rate(60.0);
    build(&animation, &Bounds::default()).unwrap().value.clip
}

/// Checks that bytes are refused, or are those of the clips that they give; plays those clips.
fn read(bytes: &[u8]) -> bool {
    let document = ClipFile.read(bytes, &Limits::default());
    let clips = match load(bytes) {
        Ok(clips) => clips,
        Err(error) => {
            let position = document.unwrap_err().position();
            let offset = u64::try_from(error.offset()).unwrap();
            assert_eq!(position, Some(Position::byte(offset)), "{error}");
            return false;
        }
    };
    let animations: Vec<_> = clips.iter().map(to_animation).collect();
    assert_eq!(document.unwrap().value.clips, animations);
    assert_eq!(save(&clips), bytes);
    for clip in &clips {
        let mut context = clip.context();
        let mut pose = Pose::new(clip.nodes().len());
        let mut curves = vec![0.0; clip.curve_len()];
        for time in [0.0, 0.011, 0.3, clip.duration(), 1e300, -1.0, f64::NAN, f64::INFINITY] {
            clip.sample(time, &mut context, &mut pose);
            clip.sample_curves(time, &mut context, &mut curves);
            let rotations = pose.rotations().iter().flatten();
            assert!(rotations.chain(&curves).all(|number| number.is_finite()));
        }
        let _ = to_animation(clip);
    }
    inspects_what_is_read(bytes, &clips);
    true
}

/// Checks that an inspection, which does not look at values, lists what reading gives.
fn inspects_what_is_read(bytes: &[u8], clips: &[Clip]) {
    let inspected = inspect_fully(&ClipFile, bytes, &Limits::default()).unwrap().value.clips;
    let read: Vec<_> = clips.iter().map(|clip| ClipSummary::from(&to_animation(clip))).collect();
    assert_eq!(inspected, read);
}

proptest! {
    #![proptest_config(properties::cases(300))]

    #[test]
    fn loading_gives_back_the_saved_clips(clips in clips()) {
        let bytes = save(&clips);
        prop_assert_eq!(load(&bytes), Ok(clips));
        prop_assert!(read(&bytes));
    }

    #[test]
    fn damaged_files_never_panic(
        clips in clips(),
        changes in prop::collection::vec((any::<Index>(), any::<u32>(), 1_usize..=4), 1..6),
        length in any::<Index>(),
        cut in prop::bool::weighted(0.2),
    ) {
        let mut bytes = save(&clips);
        for (at, word, size) in changes {
            let at = at.index(bytes.len());
            for (byte, new) in bytes.iter_mut().skip(at).zip(&word.to_le_bytes()[..size]) {
                *byte = *new;
            }
        }
        if cut {
            bytes.truncate(length.index(bytes.len() + 1));
        }
        read(&bytes);
    }

    #[test]
    fn random_bytes_after_the_head_never_panic(bytes in prop::collection::vec(0_u8..6, 0..200)) {
        let head = ByteBuilder::new().bytes(inbetween_clip::MAGIC).u16(1).u16(0);
        read(&head.bytes(bytes).build());
    }
}

#[test]
fn every_byte_can_be_changed_and_every_end_cut() {
    let bytes = save(&[example(), example()]);
    assert!(read(&bytes));
    let mut accepted = 0;
    for at in 0..bytes.len() {
        assert!(!read(&bytes[..at]), "a file of {at} bytes");
        for flip in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            accepted += usize::from(read(&changed));
        }
    }
    // Values and names may be any; the structure may not.
    assert!((bytes.len() / 2..3 * bytes.len() - 200).contains(&accepted), "{accepted} accepted");
}

#[test]
fn numbers_whose_difference_is_infinite_are_refused() {
    let bytes = save(&[example()]);
    let number = 33.3_f32.to_le_bytes();
    let at = bytes.windows(4).position(|bytes| bytes == number).unwrap();
    let with = |number: f32| {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
        read(&changed)
    };
    assert_eq!([1e30, 1.1e30, -f32::MAX, f32::NAN].map(with), [true, false, false, false]);
}

#[test]
fn the_error_of_a_value_names_its_byte() {
    let bytes = save(&[example()]);
    let turned = [0x63, 0xeb, 0xff, 0xbf, 0xff, 0x3f];
    let at = bytes.windows(6).position(|bytes| bytes == turned).unwrap();
    let mut changed = bytes;
    // The top bit of the third word.
    changed[at + 5] = 0xff;
    let error = load(&changed).unwrap_err();
    assert_eq!(error.offset(), at, "{error}");
    assert!(error.to_string().starts_with("expected values up to 1e30, and normalized rotations"));
}

/// Reading decodes tracks in groups of 512, and those of one key set together.
#[test]
fn many_tracks_of_several_key_sets_keep_their_order() {
    let track = |number: u16| {
        let last = f32::from(number);
        let data = match number % 3 {
            0 => TrackData::uniform(0.25, vec![last]),
            1 => TrackData::uniform(0.25, vec![0.0, last]),
            _ => TrackData::uniform(0.5, vec![0.0, 0.5, last]),
        };
        let weight = Property::Weight(number.to_string().into());
        Track::new(Target::new("face", weight), data).unwrap()
    };
    let animation = Animation::new((0..1200).map(track).collect());
    let clip = build(&animation, &Bounds::default().with_curve(0.01)).unwrap().value.clip;
    let read = ClipFile.read(&save(&[clip]), &Limits::default()).unwrap().value;
    let tracks = &read.clips[0].tracks;
    assert_eq!(tracks.len(), animation.tracks.len());
    for (track, source) in tracks.iter().zip(&animation.tracks) {
        let (data, key) = (track.data(), source.data().len() - 1);
        assert_eq!(track.target(), source.target());
        assert_eq!(data.time(key), source.data().time(key), "{:?}", track.target());
        let [values, sources]: [Vec<f64>; 2] = [data, source.data()]
            .map(|data| (0..data.len()).map(|key| rows::row::<1>(data.values(), key)[0]).collect());
        let near = |(value, source): (&f64, &f64)| (value - source).abs() <= 0.01;
        assert!(values.iter().zip(&sources).all(near), "{values:?} for {sources:?}");
    }
}

#[test]
fn inspecting_does_not_look_at_values() {
    let mut bytes = save(&[example()]);
    let whole = ClipFile.inspect(&bytes, &Limits::default()).unwrap();
    let turned = [0x63, 0xeb, 0xff, 0xbf, 0xff, 0x3f];
    let at = bytes.windows(6).position(|bytes| bytes == turned).unwrap();
    bytes[at + 5] = 0xff;
    assert_eq!(ClipFile.inspect(&bytes, &Limits::default()).unwrap().clips, whole.clips);
    assert!(ClipFile.check(&bytes, &Limits::default()).is_err());
    assert!(ClipFile.read(&bytes, &Limits::default()).is_err());
}

#[test]
fn errors_name_the_mistake_and_the_byte() {
    let head = || ByteBuilder::new().bytes(b"INBCLIP\0");
    let message = |builder: ByteBuilder| load(&builder.build()).unwrap_err().to_string();
    assert_eq!(message(ByteBuilder::new()), "not a playback clip (at byte 0x0)");
    assert_eq!(message(head().u16(2)), "version 2; this program reads version 1 (at byte 0xa)");
    assert_eq!(message(head().u16(1).u16(7)), "expected two zero bytes (at byte 0xa)");
    assert_eq!(message(head().u16(1).u16(0).u32(1)), "the file ends too early (at byte 0x10)");
    let clip = head().u16(1).u16(0).u32(1).u8(8);
    assert_eq!(message(clip), "expected no unknown flags (at byte 0x11)");
    let trailing = head().u16(1).u16(0).u32(0).u8(0);
    assert_eq!(load(&trailing.build()).unwrap_err().offset(), 16);
    let cut = head().u16(1).u16(0).u32(1).u8(0).u32(0).build();
    let error = ClipFile.read(&cut, &Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "clip: need 8 bytes, 4 left (at byte 0x11)");
}

#[test]
fn the_byte_form_is_as_documented() {
    let head = ByteBuilder::new().bytes(b"INBCLIP\0").u16(1).u16(0).u32(1);
    // Flags: states a frame rate. Duration, frame rate, name.
    let head = head.u8(4).f64(0.5).f64(60.0).u32(4).bytes(b"walk");
    // Two nodes and two key sets: every 15th frame in rows of twelve words, and seconds.
    let nodes = head.u32(2).u32(4).bytes(b"hips").u32(4).bytes(b"hand").u32(2);
    let still = [0xbfff, 0xbfff, 0x3fff];
    // x is 16383 + 16383 * sin(0.5) * sqrt(2).
    let turned = [0xeb63, 0xbfff, 0x3fff];
    let rows = [(still, 0xbc00, 0.0_f32), (turned, 0x3c00, 33.3), (still, 0xbc00, 90.3)];
    let row = |file: ByteBuilder, (turn, half, number): ([u16; 3], u16, f32)| {
        file.u16s(&turn).u16s(&[half; 3]).f32s(&[number; 3])
    };
    let sets = nodes.u8(0).u32(3).u32(0).u32(15).u32(12).each(rows, row);
    let seconds = sets.u8(2).u32(3).f32s(&[0.0, 0.007_812_5, 0.5]);
    let sets = seconds.u32(1).u16s(&[0xbc00, 0x3c00, 0]);
    // Tracks: node, property, width, blend, encoding, segments, key set, ranges.
    let tracks = sets.u32(5).u32(0).u8s(&[1, 4, 0, 2, 0]).u32(0);
    let tracks = tracks.u32(0).u8s(&[0, 3, 0, 1, 0]).u32(0).f32s(&[0.05; 3]);
    let tracks = tracks.f32s(&[0.05_f32.next_up(); 3]);
    let tracks = tracks.u32(1).u8s(&[2, 3, 0, 0]).f32s(&[1.0; 3]);
    let tracks = tracks.u32(1).u8(3).u32(5).bytes(b"smile").u8s(&[1, 0, 1, 1]).u32(1);
    let tracks = tracks.f32(2.0).f32(1.0_f32.next_up());
    let tracks = tracks.u32(1).u8s(&[0, 3, 0, 3, 0]).u32(0);
    let written = tracks.build();
    let saved = save(&[example()]);
    assert_eq!(written.len(), saved.len());
    let differing = written.iter().zip(&saved).filter(|(one, other)| one != other).count();
    // The last bits of numbers may be rounded in another way than written here.
    assert!(differing <= 8, "{differing} bytes differ\n{written:02x?}\n{saved:02x?}");
    assert!(read(&written));
}
