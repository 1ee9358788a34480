//! Clips that are put on a rig.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests as well")]
#![expect(clippy::indexing_slicing, reason = "a panic is how a broken rule shows")]

mod near;

use inbetween_core::{
    Animation, Axes, Axis, BlendMode, Bone, BoneRole, Coordinates, Document, Handedness, Mapped,
    Mapping, Property, Quat, Skeleton, Target, Track, TrackData, Unit, Values,
};
use inbetween_edit::{EditError, MapOptions, Rig, Settings, UnitChoice, put_on};

use near::{assert_near, numbers};

const GLTF: Coordinates = Coordinates::new(Handedness::Right, Axis::Y).with_unit(Unit::Stated(1.0));
const GAME: Coordinates =
    Coordinates::new(Handedness::Right, Axis::Z).with_unit(Unit::Assumed(0.01));

fn track(node: &str, property: Property, values: impl Into<Values>) -> Track {
    Track::new(Target::new(node, property), TrackData::uniform(1.0, values.into())).unwrap()
}

fn bone(node: &str, parent: Option<&str>, translation: [f64; 3], rotation: Quat<f64>) -> Bone {
    let (node, parent) = (node.into(), parent.map(Into::into));
    let (translation, rotation, scale) = (Some(translation), Some(rotation), Some([1.0; 3]));
    Bone { node, parent, translation, rotation, scale, role: BoneRole::Bone }
}

/// The bones of a soldier in inches, turned at the root and multiplied by a factor.
fn rig(axes: Axes, factor: f64) -> Rig {
    let turn = axes.rotation().unwrap();
    let root = axes.apply([0.0, 0.0, 38.5]).map(|part| part * factor);
    let child = [10.0, 1.0, -2.0].map(|part| part * factor);
    let bones = vec![
        bone("j_mainroot", None, root, turn),
        bone("j_spine", Some("j_mainroot"), child, Quat::IDENTITY),
        bone("j_head", Some("j_spine"), child, Quat::IDENTITY),
    ];
    let document = Document::default().with_skeleton(Skeleton::new(bones).unwrap());
    Rig { document, coordinates: GLTF }
}

/// A clip of the game in inches.
fn clip() -> Document {
    Document::single(Animation::new(vec![
        track("j_mainroot", Property::Translation, vec![[0.0_f64, 0.0, 40.0]]),
        track("j_mainroot", Property::Rotation, vec![Quat::<f64>::IDENTITY]),
        track("J_Spine", Property::Translation, vec![[10.0_f64, 1.0, -2.0]]),
    ]))
}

fn on(document: Document, rig: &Rig, options: MapOptions) -> (Document, Vec<String>) {
    let put = put_on(document, GAME, rig, options, &Settings::default()).unwrap();
    (put.value, put.findings.iter().map(|finding| finding.message.to_string()).collect())
}

#[test]
fn the_rest_pose_of_the_rig_shows_the_unit_and_the_turn() {
    let (document, said) = on(clip(), &rig(Axes::Z_TO_Y_UP, 0.0254), MapOptions::default());
    assert_near(&numbers(&document, 0), &[0.0, 1.016, 0.0]);
    assert_near(&numbers(&document, 2), &[0.254, 0.0254, -0.0508]);
    let nodes: Vec<_> =
        document.clips[0].tracks.iter().map(|track| track.target().node.as_deref()).collect();
    assert_eq!(nodes[2], Some("j_spine"));
    let line = "onto: 2 of 2 nodes (1 ignoring case); 1 bone of the rig without keys; axes: x,z,-y on the top bones; unit: in";
    assert_eq!(said, [line]);
}

#[test]
fn a_rig_with_the_numbers_of_the_game_changes_nothing() {
    let (document, said) = on(clip(), &rig(Axes::IDENTITY, 1.0), MapOptions::default());
    assert_eq!(numbers(&document, 0), [0.0, 0.0, 40.0]);
    assert_eq!(numbers(&document, 2), [10.0, 1.0, -2.0]);
    assert!(said[0].ends_with("unit: 1, as bones of the rig"), "{said:?}");
}

#[test]
fn relative_clips_get_the_rest_pose_of_the_rig() {
    let clip = Animation::new(vec![
        track("j_mainroot", Property::Translation, vec![[0.0_f64, 0.0, 2.0]]),
        track("j_head", Property::Translation, vec![[1.0_f64, 0.0, 0.0]]),
    ]);
    let relative = || Document::single(clip.clone().with_blend(BlendMode::Relative));
    // Relative keys show no unit.
    let (_, said) = on(relative(), &rig(Axes::Z_TO_Y_UP, 0.0254), MapOptions::default());
    assert_eq!(said[0], "lengths times 0.01");
    let options = MapOptions { unit: UnitChoice::Meters(0.0254), ..MapOptions::default() };
    let (document, _) = on(relative(), &rig(Axes::Z_TO_Y_UP, 0.0254), options);
    assert_near(&numbers(&document, 0), &[0.0, 40.5 * 0.0254, 0.0]);
    assert_near(&numbers(&document, 1), &[0.2794, 0.0254, -0.0508]);
    // The note of a rig shows that its bones are those of the game.
    let mut noted = rig(Axes::IDENTITY, 1.0);
    let mapping = Mapping { locals: Axes::IDENTITY, top: Axes::Z_TO_Y_UP, factor: 0.0254 };
    noted.document.mapped = Some(Mapped { from: GAME, mapping, above: true });
    let (document, said) = on(relative(), &noted, MapOptions::default());
    assert_eq!(numbers(&document, 0), [0.0, 0.0, 40.5]);
    assert_eq!((said.len(), document.mapped), (1, noted.document.mapped));
    // A rig of the same bones that was made as if they were in centimeters is too small.
    let mapping = Mapping { factor: 0.01, ..mapping };
    noted.document.mapped = Some(Mapped { from: GAME, mapping, above: true });
    let (_, said) = on(relative(), &noted, MapOptions::default());
    let warning = "j_mainroot is at a height of 40.5, that of a person if the unit is in";
    assert_eq!((said.len(), &*said[0]), (2, warning));
}

#[test]
fn nodes_are_found_by_the_last_part_of_a_path_and_others_are_dropped() {
    let clip = Animation::new(vec![
        track("Soldier/Hips/j_head", Property::Translation, vec![[10.0_f64, 1.0, -2.0]]),
        track("tag_weapon", Property::Translation, vec![[0.0_f64; 3]]),
    ]);
    let rig = rig(Axes::IDENTITY, 1.0);
    let (document, said) = on(Document::single(clip), &rig, MapOptions::default());
    assert_eq!(document.clips[0].tracks.len(), 1);
    assert!(said[0].starts_with("onto: 1 of 2 nodes (1 by the last part of a path); "), "{said:?}");
    assert_eq!(said[1], "1 node, the first is tag_weapon");
    let stranger = Animation::new(vec![track("x", Property::Translation, vec![[0.0_f64; 3]])]);
    let put =
        put_on(Document::single(stranger), GAME, &rig, MapOptions::default(), &Settings::default());
    assert!(matches!(put, Err(EditError::NoBones { nodes: 1 })));
}
