//! Skeletons of files that are combined or split.

#![cfg(feature = "animj")]
#![expect(clippy::unwrap_used, reason = "a panic is how a broken rule shows")]

use inbetween::animj::Animj;
use inbetween::merge::Merge;
use inbetween::{Bone, Limits, Reading, Skeleton};

/// Returns a file that was read, with a skeleton of one bone if `bone` is given.
fn reading(bone: Option<&str>) -> Reading {
    let file = br#"{"name": "spin", "globalDuration": 1, "tracks": []}"#;
    let mut reading = Reading::new(&Animj::default(), file, &Limits::default()).unwrap();
    reading.document.skeleton = bone.map(|node| {
        let bone = Bone { node: node.into(), ..Bone::default() };
        Skeleton::new(vec![bone]).unwrap()
    });
    reading
}

#[test]
fn merged_files_must_share_a_skeleton() {
    let sources = |last| {
        let of = |name, bone| (name, reading(bone));
        [of("idle", None), of("walk", Some("hips")), of("run", Some(last))]
    };
    let merge = Merge::new(sources("hips")).unwrap();
    assert_eq!(merge.document().skeleton, reading(Some("hips")).document.skeleton);
    let error = Merge::new(sources("lid")).unwrap_err().to_string();
    assert!(error.starts_with("walk and run have different skeletons, first at bone lid"));
}

#[test]
fn joined_files_must_share_a_skeleton() {
    let mut walk = reading(Some("hips"));
    assert!(walk.append(reading(None), ["walk", "idle"]).is_ok());
    assert!(walk.append(reading(Some("hips")), ["walk", "run"]).is_ok());
    let error = walk.append(reading(Some("lid")), ["walk", "chest"]).unwrap_err();
    assert!(error.to_string().starts_with("walk and chest have different skeletons"), "{error}");
    assert_eq!(walk.document.clips.len(), 3);
}

#[test]
fn clips_of_a_file_keep_its_skeleton() {
    let mut walk = reading(Some("hips"));
    walk.append(reading(None), ["walk", "idle"]).unwrap();
    let expected = walk.document.skeleton.clone();
    for (_, part) in walk.split() {
        assert_eq!((part.document.clips.len(), &part.document.skeleton), (1, &expected));
    }
}

#[test]
fn a_format_without_skeletons_reports_the_dropped_one() {
    let written = reading(Some("hips")).write(&Animj::default()).unwrap();
    let codes: Vec<&str> = written.findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(codes, ["convert/skeleton-dropped"]);
}
