//! Conversions between the coordinates of formats, with the check values of `docs/formats/axes.md`.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests as well")]
#![expect(clippy::indexing_slicing, reason = "a panic is how a broken rule shows")]

mod near;

use std::f64::consts::FRAC_1_SQRT_2;

use inbetween_core::{
    Animation, Axes, Axis, Bone, BoneRole, Coordinates, Document, Handedness, Mapped, Model,
    OldAnimations, Origin, Property, Quat, Skeleton, Target, Track, TrackData, Unit, Values, rows,
};
use inbetween_edit::{
    AxesChoice, MapAt, MapOptions, Route, Settings, UnitChoice, change_axes, map_coordinates, scale,
};

use near::{assert_near, numbers};

const GLTF: Coordinates = Coordinates::new(Handedness::Right, Axis::Y).with_unit(Unit::Stated(1.0));
const RESONITE: Coordinates =
    Coordinates::new(Handedness::Left, Axis::Y).with_unit(Unit::Stated(1.0));
const GAME: Coordinates =
    Coordinates::new(Handedness::Right, Axis::Z).with_unit(Unit::Assumed(0.01));

const INCHES: MapOptions =
    MapOptions { axes: AxesChoice::Auto, at: MapAt::Root, unit: UnitChoice::Meters(0.0254) };

fn track(node: &str, property: Property, values: impl Into<Values>) -> Track {
    let data = TrackData::uniform(1.0, values.into());
    Track::new(Target::new(node, property), data).unwrap()
}

fn bone(node: &str, parent: Option<&str>, translation: [f64; 3]) -> Bone {
    Bone {
        node: node.into(),
        parent: parent.map(Into::into),
        translation: Some(translation),
        rotation: Some(Quat::IDENTITY),
        ..Bone::default()
    }
}

/// A root at 38.5 inches with a child, as Call of Duty has them.
fn soldier() -> Document {
    let still = || vec![Quat::<f64>::IDENTITY];
    let clip = Animation::new(vec![
        track("root", Property::Translation, vec![[0.0_f64, 0.0, 38.5]]),
        track("root", Property::Rotation, still()),
        track("child", Property::Translation, vec![[10.0_f64, 1.0, -2.0]]),
        track("child", Property::Rotation, still()),
    ]);
    let bones =
        vec![bone("root", None, [0.0, 0.0, 38.5]), bone("child", Some("root"), [10.0, 1.0, -2.0])];
    Document::single(clip).with_skeleton(Skeleton::new(bones).unwrap())
}

fn mapped(
    document: Document,
    from: Coordinates,
    to: Coordinates,
    options: MapOptions,
) -> (Document, Vec<String>) {
    let route = Route { from, to, has_node: false };
    let outcome = map_coordinates(document, route, options, &Settings::default()).unwrap();
    let said = outcome.findings.iter().map(|finding| finding.message.to_string()).collect();
    (outcome.value, said)
}

#[test]
fn a_mirror_changes_every_local_transform() {
    let clip = Animation::new(vec![
        track("a", Property::Translation, vec![[1.0_f64, 2.0, 3.0]]),
        track("a", Property::Rotation, vec![Quat { x: 0.1, y: 0.2, z: 0.3, w: 0.927_361_8_f64 }]),
        track("a", Property::Scale, vec![[1.0_f64, 2.0, 3.0]]),
    ]);
    let (document, said) = mapped(Document::single(clip), GLTF, RESONITE, MapOptions::default());
    assert_eq!(numbers(&document, 0), [-1.0, 2.0, 3.0]);
    assert_eq!(numbers(&document, 1), [0.1, -0.2, -0.3, 0.927_361_8]);
    assert_eq!(numbers(&document, 2), [1.0, 2.0, 3.0]);
    assert_eq!(said, ["axes: X mirrored, right-handed -> left-handed"]);
}

#[test]
fn a_turn_changes_the_top_bone_and_the_unit_all_lengths() {
    let (document, said) = mapped(soldier(), GAME, GLTF, INCHES);
    assert_near(&numbers(&document, 0), &[0.0, 0.9779, 0.0]);
    assert_near(&numbers(&document, 1), &[-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2]);
    assert_near(&numbers(&document, 2), &[0.254, 0.0254, -0.0508]);
    assert_eq!(numbers(&document, 3), [0.0, 0.0, 0.0, 1.0]);
    let skeleton = document.skeleton.as_ref().unwrap();
    assert_near(&skeleton.bone("root").unwrap().translation.unwrap(), &[0.0, 0.9779, 0.0]);
    assert_eq!(said, ["axes: Z up -> Y up on the top bones; unit: in"]);
    let (back, _) = mapped(document, GLTF, GAME, INCHES);
    for track in 0..4 {
        assert_near(&numbers(&back, track), &numbers(&soldier(), track));
    }
}

#[test]
fn relative_roots_are_turned_only_where_they_add() {
    let mut document = soldier();
    for track in &mut document.clips[0].tracks {
        track.set_blend(inbetween_core::Blend::Additive);
    }
    let (document, _) = mapped(document, GAME, GLTF, INCHES);
    assert_near(&numbers(&document, 0), &[0.0, 0.9779, 0.0]);
    assert_eq!(numbers(&document, 1), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn without_top_bones_the_turn_is_left_out_and_said() {
    let mut document = soldier();
    document.skeleton = None;
    let (document, said) = mapped(document, GAME, RESONITE, MapOptions::default());
    assert_near(&numbers(&document, 0), &[0.0, 0.0, 0.385]);
    assert_eq!(said[0], "no skeleton with parents tells which bones are at the top");
    assert_eq!(said[1], "axes: X mirrored, right-handed -> left-handed; unit: cm assumed");
}

#[test]
fn given_axes_replace_the_automatic_ones_and_keep_lengths() {
    let axes = AxesChoice::Given(Axes::Z_TO_Y_UP);
    let options = MapOptions { axes, ..MapOptions::default() };
    let (document, _) = mapped(soldier(), GAME, RESONITE, options);
    assert_eq!(numbers(&document, 0), [0.0, 38.5, 0.0]);
    assert_eq!(numbers(&document, 2), [10.0, 1.0, -2.0]);
    let options = MapOptions { at: MapAt::All, ..options };
    let (document, said) = mapped(soldier(), GAME, RESONITE, options);
    assert_eq!(numbers(&document, 2), [10.0, -2.0, -1.0]);
    assert_eq!(said, ["axes: x,z,-y on every bone"]);
    let options = MapOptions { axes: AxesChoice::Keep, ..MapOptions::default() };
    let (document, said) = mapped(soldier(), GAME, RESONITE, options);
    assert_eq!((document, said), (soldier(), vec!["axes: kept".to_owned()]));
}

#[test]
fn equal_or_unknown_coordinates_stay() {
    for (from, to) in [(GAME, GAME), (RESONITE, RESONITE), (Coordinates::UNKNOWN, GLTF)] {
        let (document, said) = mapped(soldier(), from, to, MapOptions::default());
        assert_eq!((document, said), (soldier(), vec![]));
    }
}

#[test]
fn a_node_above_the_bones_leaves_them_and_is_undone() {
    let route = Route { from: GAME, to: GLTF, has_node: true };
    let placed = map_coordinates(soldier(), route, INCHES, &Settings::default()).unwrap().value;
    assert_eq!(placed, soldier());
    let Some(Mapped { mapping, above: true, .. }) = placed.mapped else { panic!("no note") };
    assert_eq!((mapping.top, mapping.factor), (Axes::Z_TO_Y_UP, 0.0254));
    // Back in the game, the bones are as they were, even if the unit is not named again.
    let (back, said) = mapped(placed.clone(), GLTF, GAME, MapOptions::default());
    assert_eq!((back, said.len()), (soldier(), 1));
    // Elsewhere, the node counts.
    let (other, _) = mapped(placed, GLTF, RESONITE, MapOptions::default());
    let (direct, _) = mapped(soldier(), GAME, RESONITE, INCHES);
    for track in 0..4 {
        assert_near(&numbers(&other, track), &numbers(&direct, track));
    }
}

#[test]
fn static_nodes_above_the_bones_are_multiplied_into_them() {
    // As Blender writes a file with a node above the bones: its rotation has the digits of f32.
    let turn = Quat { x: -0.707_106_77, y: 0.0, z: 0.0, w: 0.707_106_77 };
    let node = |scale: f64| Bone {
        rotation: Some(turn),
        scale: Some([scale; 3]),
        role: BoneRole::Above,
        ..bone("Armature", None, [0.0; 3])
    };
    let rig = |scale: f64| {
        let mut bones = soldier().skeleton.unwrap().bones().to_vec();
        bones[0].parent = Some("Armature".into());
        bones.insert(0, node(scale));
        soldier().with_skeleton(Skeleton::new(bones).unwrap())
    };
    let (document, _) = mapped(rig(0.0254), GLTF, GAME, INCHES);
    assert_eq!(document, soldier());
    // A node that scales differently along its axes stays.
    let mut bones = rig(1.0).skeleton.unwrap().bones().to_vec();
    bones[0].scale = Some([1.0, 2.0, 1.0]);
    let uneven = soldier().with_skeleton(Skeleton::new(bones).unwrap());
    let (document, said) = mapped(uneven, GLTF, GAME, MapOptions::default());
    assert_eq!(said[0], "Armature");
    assert_eq!(document.skeleton.unwrap().bones().len(), 3);
    assert_near(
        &rows::numbers(document.clips[0].tracks[0].data().values(), 0).unwrap(),
        &[0.0, 0.0, 3850.0],
    );
}

#[test]
fn a_unit_that_no_side_needs_is_said_to_have_no_effect() {
    let (document, said) = mapped(soldier(), RESONITE, GLTF, INCHES);
    assert_eq!(numbers(&document, 2), [-10.0, 1.0, -2.0]);
    let line = "axes: X mirrored, left-handed -> right-handed; unit: no effect, since both formats state theirs";
    assert_eq!(said, [line]);
    let (document, said) = mapped(soldier(), GAME, GAME, INCHES);
    assert_eq!(
        (document, said.as_slice()),
        (soldier(), &["unit: no effect, since neither format states one".to_owned()][..])
    );
}

#[test]
fn lengths_change_between_two_stated_units() {
    let scene = Coordinates::new(Handedness::Right, Axis::Y).with_unit(Unit::Stated(0.01));
    let (document, said) = mapped(soldier(), scene, GLTF, MapOptions::default());
    assert_near(&numbers(&document, 2), &[0.1, 0.01, -0.02]);
    assert_eq!(said, ["unit: cm"]);
    let kept = MapOptions { unit: UnitChoice::Keep, ..MapOptions::default() };
    assert_eq!(mapped(soldier(), scene, GLTF, kept).0, soldier());
    let kept = MapOptions { axes: AxesChoice::Keep, ..MapOptions::default() };
    assert_eq!(mapped(soldier(), scene, GLTF, kept).0, soldier());
}

#[test]
fn a_model_does_not_follow_a_change_of_lengths_or_axes() {
    let model = || {
        let mut origin = Origin::new("gltf").with_scene(vec!["meshes".into()]);
        let (bytes, animations) = (Vec::new().into(), OldAnimations::Replaced);
        origin.model = Some(Model { bytes, neighbors: None, nodes: None, animations });
        soldier().with_origin(origin)
    };
    let has_model = |document: &Document| document.origin.as_ref().unwrap().model.is_some();
    let settings = Settings::default();
    assert!(has_model(&scale(model(), 1.0, &settings).unwrap().value));
    assert!(!has_model(&scale(model(), 2.0, &settings).unwrap().value));
    assert!(!has_model(&change_axes(model(), Axes::MIRROR, &settings).unwrap().value));
    assert!(!has_model(&mapped(model(), GAME, RESONITE, INCHES).0));
    assert!(has_model(&mapped(model(), GLTF, GLTF, MapOptions::default()).0));
}

#[test]
fn hips_at_the_height_of_a_person_in_another_unit_are_reported() {
    let warning = "root is at a height of 38.5, that of a person if the unit is in";
    let (_, said) = mapped(soldier(), GAME, GLTF, MapOptions::default());
    assert_eq!(said[0], warning);
    // The first key counts from the rest pose in a relative clip, and the bone of the game is
    // known by its name where no parents are.
    let mut relative = soldier();
    relative.clips[0].tracks[0].set_blend(inbetween_core::Blend::RestRelative);
    let (_, said) = mapped(relative, GAME, GLTF, MapOptions::default());
    assert!(!said.contains(&warning.to_owned()), "77 is no height of hips: {said:?}");
    let named = |height: f64| {
        let hips = track("J_MainRoot", Property::Translation, vec![[0.0_f64, 0.0, height]]);
        Document::single(Animation::new(vec![hips]))
    };
    let said = |height: f64, options| mapped(named(height), GAME, RESONITE, options).1;
    let tells = |said: Vec<String>| said.iter().any(|line| line.starts_with("J_MainRoot is at"));
    assert!(tells(said(38.5, MapOptions::default())));
    assert!(!tells(said(98.0, MapOptions::default())));
    assert!(!tells(said(38.5, INCHES)));
    // A height that no person has says nothing.
    assert!(!tells(said(5.0, MapOptions::default())));
    // Meters are stated, and the game's unit is that of the result.
    let (_, said) = mapped(soldier(), GLTF, GAME, MapOptions::default());
    assert_eq!(said, ["axes: Y up -> Z up on the top bones; unit: cm assumed"]);
}
