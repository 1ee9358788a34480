//! Plays a clip as the poses of its nodes.

use inbetween::core::{Axis, EulerOrder, PlaybackCursor, Rules, num, rows};
use inbetween::edit::{MapOptions, Rig, Route, map_coordinates, put_on, resolve};
use inbetween::json::FindingAt;
use inbetween::{Animation, Bone, Finding, Looping, Property, Quat, Registry, Skeleton};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::document::Document;
use crate::failure::Failure;
use crate::{format_named, to_json};

/// The numbers of the pose of a node: translation, rotation as quaternion, and scale.
type Pose = [f64; 10];

/// The pose of a node of which nothing is known.
const AT_REST: Pose = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];

/// A clip that plays on nodes, with y up and lengths in meters.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Player {
    clip: Animation,
    nodes: Vec<Node>,
    parts: Vec<Part>,
    /// The nodes with Euler angles, which start as 0.
    angles: Vec<Angles>,
    findings: Vec<Finding>,
}

#[derive(Debug, Serialize)]
struct Node {
    name: String,
    /// The index of the parent, which stands before it, or -1.
    parent: i64,
    /// Whether it is a bone, and not only a name of tracks.
    bone: bool,
    #[serde(skip)]
    rest: Pose,
}

/// A track that moves a node.
#[derive(Debug)]
struct Part {
    track: usize,
    rules: Rules,
    cursor: PlaybackCursor,
    node: usize,
    /// The first number of the pose, or of the angles, that it sets.
    first: usize,
    /// The index in the list of angles, if it is one of Euler angles.
    angles: Option<usize>,
}

#[derive(Clone, Debug)]
struct Angles {
    node: usize,
    order: EulerOrder,
    numbers: [f64; 3],
}

impl Player {
    pub(crate) fn new(
        document: &Document,
        clip: usize,
        rig: Option<&Document>,
    ) -> Result<Self, Failure> {
        let mut content = inbetween::Document::single(document.clip(clip)?.clone());
        content.skeleton.clone_from(&document.content.skeleton);
        content.mapped = document.content.mapped;
        let (settings, from) = (document.settings(), document.coordinates());
        let options = MapOptions::default();
        let mut findings = Vec::new();
        if let Some(rig) = rig {
            let rig = Rig { document: rig.content.clone(), coordinates: rig.coordinates() };
            let put = put_on(content, from, &rig, options, &settings)?;
            (content, findings) = (put.value, put.findings);
        } else if let Some(skeleton) = content.skeleton.clone() {
            let resolved = resolve(content, &skeleton, &settings)?;
            (content, findings) = (resolved.value, resolved.findings);
        }
        if rig.is_none() {
            let registry = Registry::with_builtin();
            let to = format_named("gltf", &registry)?.info().coordinates;
            let route = Route { from, to, has_node: false };
            let mapped = map_coordinates(content, route, options, &settings)?;
            content = mapped.value;
            findings.extend(mapped.findings);
        }
        let none = || Failure::usage("nothing is left to play");
        // Those of the rig come first.
        let clip = content.clips.pop().ok_or_else(none)?;
        Ok(Self::of(clip, content.skeleton.as_ref(), findings))
    }

    fn of(clip: Animation, skeleton: Option<&Skeleton>, findings: Vec<Finding>) -> Self {
        let mut rig = Nodes { list: skeleton.map(bones).unwrap_or_default(), angles: Vec::new() };
        let tracks = clip.tracks.iter().enumerate().filter(|(_, track)| !track.data().is_empty());
        let parts = tracks.filter_map(|(index, track)| {
            let target = track.target();
            let (first, order) = match target.property {
                Property::Translation => (0, None),
                Property::RotationEuler(order) => (0, Some(order)),
                Property::Rotation => (3, None),
                Property::Scale => (7, None),
                _ => return None,
            };
            let node = rig.node(target.node.as_deref().unwrap_or_default());
            Some(Part {
                track: index,
                rules: clip.rules.of(&target.property),
                cursor: PlaybackCursor::default(),
                node,
                first: target.component.map_or(0, Axis::index).saturating_add(first),
                angles: order.map(|order| rig.angles(node, order)),
            })
        });
        let parts = parts.collect();
        Self { clip, nodes: rig.list, parts, angles: rig.angles, findings }
    }
}

#[wasm_bindgen]
impl Player {
    /// Returns the nodes: their names, parents, and whether they are bones.
    #[wasm_bindgen(getter)]
    pub fn nodes(&self) -> String {
        to_json(&self.nodes)
    }

    /// Returns the seconds of the clip.
    #[wasm_bindgen(getter)]
    pub fn duration(&self) -> f64 {
        self.clip.effective_duration()
    }

    /// Returns whether it repeats.
    #[wasm_bindgen(getter)]
    pub fn looping(&self) -> bool {
        self.clip.looping == Looping::Loop
    }

    /// Returns its frames per second.
    #[wasm_bindgen(getter, js_name = frameRate)]
    pub fn frame_rate(&self) -> Option<f64> {
        self.clip.frame_rate
    }

    /// Returns what was changed to play it.
    #[wasm_bindgen(getter)]
    pub fn findings(&self) -> String {
        to_json(&self.findings.iter().map(FindingAt::from).collect::<Vec<_>>())
    }

    /// Returns the poses of all nodes at a time in seconds: ten numbers each, relative to the parent.
    pub fn pose(&mut self, time: f64) -> Vec<f32> {
        let time = self.clip.clip_time(time);
        let mut poses: Vec<Pose> = self.nodes.iter().map(|node| node.rest).collect();
        for angles in &mut self.angles {
            angles.numbers = [0.0; 3];
        }
        let mut row = Vec::new();
        for part in &mut self.parts {
            let Some(track) = self.clip.tracks.get(part.track) else { continue };
            let value = part.rules.sample_from(track.data(), &mut part.cursor, time);
            let Some(value) = value else { continue };
            rows::read(&value, &mut row);
            let numbers = match part.angles {
                Some(index) => self.angles.get_mut(index).map(|it| it.numbers.as_mut_slice()),
                None => poses.get_mut(part.node).map(<[f64; 10]>::as_mut_slice),
            };
            let places = numbers.into_iter().flatten().skip(part.first);
            places.zip(&row).for_each(|(place, number)| *place = *number);
        }
        for Angles { node, order, numbers } in &self.angles {
            let rotation = order.quaternion(*numbers).to_array();
            let places = poses.get_mut(*node).into_iter().flatten().skip(3);
            places.zip(rotation).for_each(|(place, number)| *place = number);
        }
        poses.iter().flat_map(normalized).map(num::f32_from_f64).collect()
    }
}

/// The nodes of a player while it is made.
struct Nodes {
    list: Vec<Node>,
    angles: Vec<Angles>,
}

impl Nodes {
    /// Returns the index of a node, which is added if it is no bone.
    fn node(&mut self, name: &str) -> usize {
        self.list.iter().position(|node| node.name == name).unwrap_or_else(|| {
            self.list.push(Node { name: name.to_owned(), parent: -1, bone: false, rest: AT_REST });
            self.list.len().saturating_sub(1)
        })
    }

    /// Returns the index of the angles of a node.
    fn angles(&mut self, node: usize, order: EulerOrder) -> usize {
        let is_this = |it: &Angles| it.node == node && it.order == order;
        self.angles.iter().position(is_this).unwrap_or_else(|| {
            self.angles.push(Angles { node, order, numbers: [0.0; 3] });
            self.angles.len().saturating_sub(1)
        })
    }
}

/// Returns the bones of a skeleton; parents stand before their children.
fn bones(skeleton: &Skeleton) -> Vec<Node> {
    let depth =
        |index: usize| core::iter::successors(Some(index), |index| skeleton.parent(*index)).count();
    let mut order: Vec<usize> = (0..skeleton.bones().len()).collect();
    order.sort_by_cached_key(|index| depth(*index));
    let place = |bone: usize| order.iter().position(|each| *each == bone);
    let node = |index: &usize| {
        let bone = skeleton.bones().get(*index)?;
        let parent = skeleton.parent(*index).and_then(place);
        Some(Node {
            name: bone.node.as_ref().to_owned(),
            parent: parent.and_then(|parent| i64::try_from(parent).ok()).unwrap_or(-1),
            bone: true,
            rest: rest(bone),
        })
    };
    order.iter().filter_map(node).collect()
}

fn rest(bone: &Bone) -> Pose {
    let translation = bone.translation.unwrap_or_default();
    let rotation = bone.rotation.map_or([0.0, 0.0, 0.0, 1.0], Quat::to_array);
    let scale = bone.scale.unwrap_or([1.0; 3]);
    let mut numbers = translation.into_iter().chain(rotation).chain(scale);
    core::array::from_fn(|_| numbers.next().unwrap_or_default())
}

/// Returns a pose whose rotation has the length 1.
fn normalized(pose: &Pose) -> Pose {
    let mut pose = *pose;
    let [_, _, _, rotation @ .., _, _, _] = &mut pose;
    *rotation = Quat::from_array(*rotation).normalized().to_array();
    pose
}
