//! Plays a clip as the poses of its nodes.

use inbetween::core::{Axis, EulerOrder, Mapping, PlaybackCursor, Rules, num, rows};
use inbetween::edit::{MapOptions, Rig, Route, map_coordinates, put_on, resolve};
use inbetween::json::FindingAt;
use inbetween::{Animation, Bone, Finding, Looping, Property, Quat, Registry, Skeleton};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::document::Document;
use crate::failure::Failure;
use crate::{format_named, to_json};

/// The pose of a node, relative to its parent.
#[derive(Clone, Copy, Debug)]
struct Pose {
    translation: [f64; 3],
    rotation: Quat<f64>,
    scale: [f64; 3],
}

/// A clip that plays on nodes, with y up and lengths in meters below its root.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Player {
    clip: Animation,
    nodes: Vec<Node>,
    parts: Vec<Part>,
    /// The nodes with Euler angles, which start as 0.
    angles: Vec<Angles>,
    /// The turn and the factor above all nodes.
    root: Mapping,
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
    channel: Channel,
    component: Option<Axis>,
}

/// What a track sets.
#[derive(Clone, Copy, Debug)]
enum Channel {
    Translation,
    Rotation,
    /// The angles with this index.
    Angles(usize),
    Scale,
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
            let route = Route { from, to, has_node: true };
            let mapped = map_coordinates(content, route, options, &settings)?;
            content = mapped.value;
            findings.extend(mapped.findings);
        }
        let none = || Failure::usage("nothing is left to play");
        // Those of the rig come first.
        let clip = content.clips.pop().ok_or_else(none)?;
        let above = content.mapped.filter(|mapped| mapped.above);
        let root = above.map_or(Mapping::IDENTITY, |mapped| mapped.mapping);
        Ok(Self::of(clip, content.skeleton.as_ref(), root, findings))
    }

    fn of(
        clip: Animation,
        skeleton: Option<&Skeleton>,
        root: Mapping,
        findings: Vec<Finding>,
    ) -> Self {
        let mut rig = Nodes { list: skeleton.map(bones).unwrap_or_default(), angles: Vec::new() };
        let tracks = clip.tracks.iter().enumerate().filter(|(_, track)| !track.data().is_empty());
        let parts = tracks.filter_map(|(index, track)| {
            let target = track.target();
            let is_transform =
                !matches!(target.property, Property::Weight(_) | Property::Custom(_));
            let name = target.node.as_deref().unwrap_or_default();
            let node = is_transform.then(|| rig.node(name))?;
            let channel = match target.property {
                Property::Translation => Channel::Translation,
                Property::Rotation => Channel::Rotation,
                Property::RotationEuler(order) => Channel::Angles(rig.angles(node, order)),
                Property::Scale => Channel::Scale,
                _ => return None,
            };
            let (rules, cursor) = (clip.rules.of(&target.property), PlaybackCursor::default());
            Some(Part { track: index, rules, cursor, node, channel, component: target.component })
        });
        let parts = parts.collect();
        Self { clip, nodes: rig.list, parts, angles: rig.angles, root, findings }
    }
}

#[wasm_bindgen]
impl Player {
    /// Returns the nodes: their names, parents, and whether they are bones.
    #[wasm_bindgen(getter)]
    pub fn nodes(&self) -> String {
        to_json(&self.nodes)
    }

    /// Returns the rotation x y z w and the factor of a node above all nodes, which makes y up and
    /// lengths meters. A model has this node already.
    #[wasm_bindgen(getter)]
    pub fn root(&self) -> Vec<f64> {
        let rotation = self.root.top.rotation().unwrap_or(Quat::IDENTITY).to_array();
        rotation.into_iter().chain([self.root.factor]).collect()
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
            let Some(pose) = poses.get_mut(part.node) else { continue };
            let numbers = match part.channel {
                Channel::Rotation => {
                    pose.rotation =
                        row.as_slice().try_into().map_or(pose.rotation, Quat::from_array);
                    continue;
                }
                Channel::Translation => &mut pose.translation,
                Channel::Scale => &mut pose.scale,
                Channel::Angles(index) => match self.angles.get_mut(index) {
                    Some(angles) => &mut angles.numbers,
                    None => continue,
                },
            };
            let places = numbers.iter_mut().skip(part.component.map_or(0, Axis::index));
            places.zip(&row).for_each(|(place, number)| *place = *number);
        }
        for Angles { node, order, numbers } in &self.angles {
            if let Some(pose) = poses.get_mut(*node) {
                pose.rotation = order.quaternion(*numbers);
            }
        }
        poses.into_iter().flat_map(Pose::numbers).map(num::f32_from_f64).collect()
    }
}

impl Pose {
    /// The pose of a node of which nothing is known.
    const AT_REST: Self = Self { translation: [0.0; 3], rotation: Quat::IDENTITY, scale: [1.0; 3] };

    fn of(bone: &Bone) -> Self {
        Self {
            translation: bone.translation.unwrap_or_default(),
            rotation: bone.rotation.unwrap_or(Quat::IDENTITY),
            scale: bone.scale.unwrap_or([1.0; 3]),
        }
    }

    /// Returns translation, rotation of length 1, and scale.
    fn numbers(self) -> impl Iterator<Item = f64> {
        let rotation = self.rotation.normalized().to_array();
        self.translation.into_iter().chain(rotation).chain(self.scale)
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
            self.list.push(Node {
                name: name.to_owned(),
                parent: -1,
                bone: false,
                rest: Pose::AT_REST,
            });
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
            rest: Pose::of(bone),
        })
    };
    order.iter().filter_map(node).collect()
}
