//! Tests of reading and writing skeletons.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_cast::{Cast, CastFile, NodeId, Store};
use inbetween_core::{Blend, BlendMode, Bone, Document, Format, Limits, Quat, Skeleton};
use inbetween_testing::{cases, documents};

fn fixture(name: &str) -> Document {
    let case = cases::of("cast").into_iter().find(|case| case.name == name).unwrap();
    Cast::default().read(&case.bytes, &Limits::default()).unwrap().value
}

fn skeleton(name: &str) -> Skeleton {
    fixture(name).skeleton.unwrap()
}

/// Writes a document and reads it back; returns it with the ids of the losses and its node ids.
fn trip(document: Document, format: &Cast) -> (Document, Vec<&'static str>, Vec<String>) {
    let limits = Limits::default();
    let written = format.write(document, &limits).unwrap();
    let read = format.read(&written.value, &limits).unwrap();
    let findings = written.findings.iter().chain(&read.findings);
    let losses = findings.filter(|finding| finding.code.is_loss());
    let losses = losses.map(|finding| finding.code.id()).collect();
    let file = CastFile::parse(&written.value, &limits).unwrap();
    (read.value, losses, file.nodes().map(|node| node.id().to_string()).collect())
}

#[test]
fn bones_with_a_world_pose_get_a_local_pose() {
    let skeleton = skeleton("bones-in-model");
    let hand = skeleton.bone("hand").unwrap();
    let near = |found: f64, expected: f64| (found - expected).abs() < 1e-6;
    let expected = [0.0, 2.0, 0.0];
    assert!(hand.translation.unwrap().into_iter().zip(expected).all(|(x, y)| near(x, y)));
    assert!(near(hand.rotation.unwrap().angle_to(Quat::IDENTITY), 0.0));
    assert_eq!(hand.parent.as_deref(), Some("arm"));
    assert_eq!(skeleton.bone("arm").unwrap().translation, Some([1.0, 0.0, 0.0]));
}

#[test]
fn a_local_pose_below_a_scaled_bone_is_not_computed() {
    assert_eq!(skeleton("bone-below-scale").bone("hand").unwrap().translation, None);
}

#[test]
fn parents_that_form_no_tree_are_dropped() {
    for name in ["bone-of-itself", "bone-parent-missing", "bone-parent-cycle"] {
        let skeleton = skeleton(name);
        let parents: Vec<Option<usize>> =
            (0..skeleton.bones().len()).map(|bone| skeleton.parent(bone)).collect();
        // The bone below the cycle keeps its parent.
        assert_eq!(parents.iter().flatten().count(), parents.len() / 3, "{name}");
    }
    assert_eq!(skeleton("bones-of-one-name").bones().len(), 1);
}

#[test]
fn a_list_of_names_is_not_a_skeleton() {
    let document = fixture("animation-names");
    assert_eq!(document.skeleton, None);
    let empty = document.clips.iter().flat_map(|clip| &clip.tracks);
    assert_eq!(empty.filter(|track| track.data().is_empty()).count(), 1);
    // Next to a skeleton it stays a list.
    assert_eq!(skeleton("skeletons-of-animations").bones().len(), 2);
}

#[test]
fn the_skeleton_of_a_document_goes_to_a_model_or_the_first_animation() {
    let document = fixture("walk");
    let (same, losses, nodes) = trip(document.clone(), &Cast::default());
    assert_eq!((same.skeleton, losses), (document.skeleton.clone(), vec![]));
    let bones = NodeId::BONE.to_string();
    assert_eq!(nodes.get(..4).unwrap(), ["root", "modl", "skel", bones.as_str()]);
    let (same, losses, nodes) = trip(document.clone(), &Cast::default().with_names(Store::Keep));
    assert_eq!((same.skeleton, losses), (document.skeleton, vec![]));
    assert_eq!(nodes.get(..4).unwrap(), ["root", "anim", "skel", bones.as_str()]);
}

#[test]
fn a_document_without_clips_keeps_its_skeleton() {
    let mut document = Document::new(Vec::new());
    document.skeleton = fixture("walk").skeleton;
    for names in [Store::Drop, Store::Keep] {
        let (same, losses, _) = trip(document.clone(), &Cast::default().with_names(names));
        assert_eq!((same.skeleton, losses), (document.skeleton.clone(), vec![]));
    }
}

#[test]
fn unknown_parts_of_a_rest_pose_are_filled_and_reported() {
    let mut document = Document::new(Vec::new());
    document.skeleton = Some(documents::skeleton());
    let (written, losses, _) = trip(document, &Cast::default());
    // Filling and rounding are notes.
    assert_eq!(losses, [""; 0]);
    let bones = written.skeleton.unwrap();
    assert_eq!(bones.bone("hand").unwrap().translation, Some([0.0; 3]));
    assert_eq!(bones.bone("hand").unwrap().scale, None);
}

#[test]
fn numbers_beyond_f32_are_reported_and_survive() {
    let bone = Bone {
        node: "a".into(),
        translation: Some([1e300, 0.0, 0.0]),
        rotation: Some(Quat { x: 1e-60, y: 0.0, z: 0.0, w: 0.0 }),
        scale: Some([0.1; 3]),
        parent: None,
        ..Bone::default()
    };
    let mut document = Document::new(Vec::new());
    document.skeleton = Some(Skeleton::new(vec![bone]).unwrap());
    let (written, losses, _) = trip(document, &Cast::default());
    assert_eq!(losses, ["convert/value-undefined"]);
    let (again, losses, _) = trip(written.clone(), &Cast::default());
    assert_eq!((again.skeleton, losses), (written.skeleton, vec![]));
}

#[test]
fn an_override_applies_to_descendants_if_the_file_has_a_skeleton() {
    let blends = |name: &str| -> Vec<Blend> {
        let clip = fixture(name).clips.remove(0);
        clip.tracks.iter().map(|track| track.target().blend).collect()
    };
    assert_eq!(blends("overrides"), [Blend::RestRelative, Blend::Absolute]);
    assert_eq!(blends("overrides-below"), [Blend::RestRelative; 2]);
}

#[test]
fn every_curve_keeps_its_own_mode() {
    for name in ["relative-rotation", "mixed-axis-modes", "additive", "overrides"] {
        let document = fixture(name);
        let (again, _, _) = trip(document.clone(), &Cast::default());
        let blends = |document: &Document| -> Vec<Blend> {
            let clip = document.clips.first().unwrap();
            clip.tracks.iter().map(|track| track.target().blend).collect()
        };
        assert_eq!(blends(&again), blends(&document), "{name}");
    }
    let rotation = fixture("relative-rotation").clips.remove(0);
    assert_eq!(rotation.blend, BlendMode::Absolute);
    assert!(!rotation.states_blend());
}
