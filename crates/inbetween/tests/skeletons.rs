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
fn merged_files_must_agree_about_parents_if_the_format_stores_them() {
    let sources = |last| [("idle", reading(None)), ("walk", reading(Some("hips"))), ("run", last)];
    let to = Animj::default();
    let merge = Merge::new(sources(reading(Some("hips"))), &to).unwrap();
    assert_eq!(merge.document().skeleton, reading(Some("hips")).document.skeleton);
    let below = || {
        let bone = |node: &str, parent: Option<&str>| Bone {
            node: node.into(),
            parent: parent.map(Into::into),
            ..Bone::default()
        };
        let mut reading = reading(None);
        let bones = vec![bone("root", None), bone("hips", Some("root"))];
        reading.document.skeleton = Some(Skeleton::new(bones).unwrap());
        reading
    };
    let bones = |merge: &Merge<'_>| merge.document().skeleton.as_ref().unwrap().bones().len();
    assert_eq!(bones(&Merge::new(sources(below()), &to).unwrap()), 2);
    assert_eq!(bones(&Merge::new(sources(reading(Some("lid"))), &to).unwrap()), 2);
}

#[test]
fn joined_files_get_the_bones_of_all() {
    let mut walk = reading(Some("hips"));
    assert!(walk.append(reading(None), ["walk", "idle"]).is_ok());
    assert!(walk.append(reading(Some("hips")), ["walk", "run"]).is_ok());
    assert!(walk.append(reading(Some("lid")), ["walk", "chest"]).is_ok());
    assert_eq!(walk.document.clips.len(), 4);
    assert_eq!(walk.document.skeleton.unwrap().bones().len(), 2);
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
