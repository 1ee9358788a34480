//! The laws, on the fixtures and on generated files and documents.

use inbetween_core::{Animation, Budget, Document, Format, Limits, Looping, Marker};
use inbetween_testing::{
    arbitrary_documents, cases, fixtures, laws, mutated, properties, rewriter,
};
use inbetween_unity_anim::{ObjectPart, Style, UnityAnim, UnityAnimFile, UnityAnimParts};
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn the_laws_hold_on_all_fixtures() {
    laws::replay_fixtures(&UnityAnim::default(), &rewriter!(text UnityAnimFile), |_| true);
}

#[test]
fn the_laws_hold_on_documents_of_other_formats() {
    laws::replay_documents(&UnityAnim::default());
}

#[test]
fn an_unchanged_file_is_written_byte_for_byte() {
    for fixture in fixtures::of("unity-anim") {
        let Ok(file) = UnityAnimFile::parse(&fixture.bytes, &Limits::default()) else { continue };
        assert_eq!(file.value.to_text(Style::Source).as_bytes(), fixture.bytes);
    }
}

/// A document that nothing changed is written with the text of its file.
#[test]
fn an_unchanged_document_is_written_byte_for_byte() {
    let (format, limits) = (UnityAnim::default(), Limits::default());
    for fixture in fixtures::of("unity-anim") {
        let Ok(read) = format.read(&fixture.bytes, &limits) else { continue };
        let name = fixture.path.display().to_string();
        // Without a broken curve, or with a line end at the end of the file.
        let changes =
            ["nan", "number-for", "text-for", "last-line-end", "one-clip-of", "sample-rate-0"];
        if changes.iter().any(|part| name.contains(part)) {
            continue;
        }
        let written = format.write(read.value, &limits).unwrap().value;
        assert_eq!(
            String::from_utf8(written).unwrap(),
            String::from_utf8(fixture.bytes).unwrap(),
            "{name}"
        );
    }
}

/// A file that lacks members gets those that a change needs.
#[test]
fn a_clip_without_settings_keeps_a_changed_head() {
    let (format, limits) = (UnityAnim::default(), Limits::default());
    let cases = cases::of("unity-anim");
    for name in ["numbers-without-slopes", "starts-later", "two-clips", "no-last-line-end"] {
        let case = cases.iter().find(|case| case.name == name).unwrap();
        let mut document = format.read(&case.bytes, &limits).unwrap().value;
        for clip in &mut document.clips {
            clip.name = Some("other: name".into());
            (clip.duration, clip.frame_rate) = (Some(3.5), Some(24.0));
            clip.looping = Looping::Loop;
            clip.markers = vec![Marker { time: 0.25, name: "step".into() }];
        }
        let written = format.write(document.clone(), &limits).unwrap().value;
        let again = format.read(&written, &limits).unwrap().value;
        let head = |document: &Document| -> Vec<Animation> {
            let heads = document.clips.iter().map(Animation::head);
            let markers = document.clips.iter().map(|clip| clip.markers.clone());
            heads.zip(markers).map(|(head, markers)| head.with_markers(markers)).collect()
        };
        assert_eq!(head(&again), head(&document), "{name}");
    }
}

/// One of several clips is written alone, with the text that it has in the file.
#[test]
fn one_clip_of_several_is_written_alone() {
    let (format, limits) = (UnityAnim::default(), Limits::default());
    let cases = cases::of("unity-anim");
    let case = cases.iter().find(|case| case.name == "two-clips").unwrap();
    let mut budget = Budget::new(&limits, case.bytes.len());
    let mut reader = format.open(&case.bytes, &mut budget).unwrap();
    reader.skip(1);
    let document = reader.next_clip(&mut budget).unwrap().unwrap().value;
    let written = format.write(document, &limits).unwrap().value;
    let text = String::from_utf8(case.bytes.clone()).unwrap();
    let (first, second) = text.split_at(text.find("--- !u!74 &7400002").unwrap());
    let head = first.split("--- ").next().unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), [head, second].concat());
}

fn parts() -> impl Strategy<Value = UnityAnimParts> {
    let object = (any::<u8>(), any::<i64>(), any::<bool>(), "[ a-z:{}\\[\\]\n\"'-]{0,40}");
    vec(object, 0..4).prop_map(|objects| {
        let part = |(class, id, is_stripped, body): (u8, i64, bool, String)| ObjectPart {
            class: class.into(),
            id,
            is_stripped,
            body: format!("{body}\n").replace("--- ", "-- "),
        };
        UnityAnimParts {
            head: "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n".to_owned(),
            objects: objects.into_iter().map(part).collect(),
        }
    })
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn parts_survive_a_round_trip(parts in parts()) {
        let file = UnityAnimFile::from_parts(parts.clone()).unwrap();
        prop_assert_eq!(file.into_parts(), parts);
    }

    #[test]
    fn the_laws_hold_on_generated_documents(document in arbitrary_documents()) {
        laws::document_round_trip(&UnityAnim::default(), &document);
    }

    #[test]
    fn the_laws_hold_on_changed_fixtures(bytes in mutated("unity-anim")) {
        laws::all(&UnityAnim::default(), &rewriter!(text UnityAnimFile), &bytes);
    }

    #[test]
    fn the_laws_hold_on_any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        laws::all(&UnityAnim::default(), &rewriter!(text UnityAnimFile), &bytes);
    }
}
