//! The effect of edits on the skeleton of a document.

#![expect(clippy::unwrap_used, reason = "a panic is how a broken rule shows")]

use inbetween_core::{
    Animation, Blend, Bone, Document, Property, Quat, Skeleton, Target, Track, TrackData,
};
use inbetween_edit::{
    EditError, Settings, SplitAt, change_axes, fill, join, merge, rename, resolve, reverse, scale,
    split, to_f32,
};

fn settings() -> Settings {
    Settings::default()
}

fn skeleton() -> Skeleton {
    let hips = Bone {
        node: "hips".into(),
        parent: None,
        translation: Some([1.0, 2.0, 3.0]),
        rotation: Some(Quat { x: 0.5, y: 0.5, z: 0.5, w: 0.5 }),
        scale: Some([1.0, 2.0, 4.0]),
        ..Bone::default()
    };
    let hand = Bone { node: "hand".into(), parent: Some("hips".into()), ..Bone::default() };
    Skeleton::new(vec![hand, hips]).unwrap()
}

fn document(node: &str) -> Document {
    let data = TrackData::uniform(0.5, vec![[0.0_f32; 3]; 3]);
    let track = Track::new(Target::new(node, Property::Translation), data).unwrap();
    Document::single(Animation::new(vec![track])).with_skeleton(skeleton())
}

fn hips(document: &Document) -> Bone {
    document.skeleton.as_ref().unwrap().bone("hips").unwrap().clone()
}

#[test]
fn edits_of_clips_keep_the_skeleton() {
    let (set, own) = (settings(), || document("hips"));
    let parts = split(own(), &SplitAt::Times(vec![0.5]), &set).unwrap().value;
    assert_eq!((parts.clips.len(), &parts.skeleton), (2, &Some(skeleton())));
    for edited in [
        join(parts, &set).unwrap().value,
        reverse(own(), &set).unwrap().value,
        to_f32(own(), &set).unwrap().value,
        fill(own(), &skeleton(), &set).unwrap().value,
        resolve(own(), &skeleton(), &set).unwrap().value,
    ] {
        assert_eq!(edited.skeleton, Some(skeleton()));
    }
}

#[test]
fn axes_and_lengths_change_the_rest_pose() {
    let changed = change_axes(document("hips"), "x,z,-y".parse().unwrap(), &settings()).unwrap();
    let bone = hips(&changed.value);
    assert_eq!(bone.translation, Some([1.0, 3.0, -2.0]));
    assert_eq!(bone.rotation, Some(Quat { x: 0.5, y: 0.5, z: -0.5, w: 0.5 }));
    assert_eq!(bone.scale, Some([1.0, 4.0, 2.0]));
    let mirror = change_axes(document("hips"), "-x,y,z".parse().unwrap(), &settings()).unwrap();
    let bone = hips(&mirror.value);
    assert_eq!(bone.rotation, Some(Quat { x: 0.5, y: -0.5, z: -0.5, w: 0.5 }));
    let larger = scale(document("hips"), 100.0, &settings()).unwrap().value;
    assert_eq!(hips(&larger).translation, Some([100.0, 200.0, 300.0]));
    assert_eq!(hips(&larger).scale, Some([1.0, 2.0, 4.0]));
}

#[test]
fn renamed_bones_stay_the_parents_of_their_children() {
    let map = [("hips".into(), "Hips".into())];
    let renamed = rename(document("hips"), &map, &settings()).unwrap().value;
    let bones = renamed.skeleton.unwrap();
    assert_eq!(bones.bone("hand").unwrap().parent.as_deref(), Some("Hips"));
    let map = [("hips".into(), "hand".into())];
    let error = rename(document("hips"), &map, &settings()).unwrap_err();
    assert!(matches!(error, EditError::Skeleton(_)), "{error}");
}

#[test]
fn the_rest_pose_of_the_first_document_is_kept_and_the_other_is_named() {
    let merged = merge(document("hips"), document("hand"), &settings()).unwrap().value;
    assert_eq!(merged.skeleton, Some(skeleton()));
    let other = scale(document("hand"), 2.0, &settings()).unwrap().value;
    let merged = merge(document("hips"), other, &settings()).unwrap();
    assert_eq!(merged.value.skeleton, Some(skeleton()));
    let named = merged.findings.iter().map(|finding| finding.message.as_ref());
    let expected = "the second document: 1 bone, the first is hips: the positions are 3.742 apart";
    assert_eq!(named.collect::<Vec<_>>(), [expected]);
}

#[test]
fn a_resolved_value_that_becomes_infinite_is_reported() {
    let data = TrackData::uniform(0.5, vec![[f32::MAX; 3], [1.0; 3]]);
    let target = Target { blend: Blend::RestRelative, ..Target::new("hips", Property::Scale) };
    let track = Track::new(target, data).unwrap();
    let clip = Document::single(Animation::new(vec![track]));
    let resolved = resolve(clip, &skeleton(), &settings()).unwrap();
    let found: Vec<_> = resolved.findings.iter().map(|each| (each.code.id(), each.count)).collect();
    assert_eq!(found, [("edit/out-of-range", 1)]);
    assert_eq!(resolved.findings[0].message, "1 key");
}
