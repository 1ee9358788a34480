//! Findings about animations, curves and notifications.

use std::collections::{HashMap, HashSet};

use inbetween_core::{Blend, Record, View, codes as shared};

use super::findings::{Check, path};
use crate::codes;
use crate::curve::{self, Channel, Frames};
use crate::file::CastNode;
use crate::layout::NodeId;
use crate::names::show;
use crate::property::CastProperty;
use crate::value::PropertyValues;

/// The largest difference between the length of a quaternion and 1 that is not reported.
const UNIT_TOLERANCE: f64 = 1e-3;

/// A frame that Blender takes long to reach: an hour and a half at 30 frames per second.
const HUGE: u32 = 160_000;

/// The frame rates that the Maya plugin can set.
const MAYA_RATES: [f32; 29] = [
    2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 16.0, 20.0, 24.0, 25.0, 30.0, 40.0, 48.0, 50.0,
    60.0, 75.0, 80.0, 100.0, 120.0, 125.0, 150.0, 200.0, 240.0, 250.0, 300.0, 375.0,
];

/// Returns whether Maya supports a frame rate exactly.
pub(crate) fn maya_has(rate: f32) -> bool {
    MAYA_RATES.contains(&rate)
}

/// The curves of one vector of a bone: the axes that exist, and their modes.
#[derive(Default)]
struct Axes {
    axes: [Option<Blend>; 3],
    offset: usize,
}

impl Check {
    pub(super) fn animation(&mut self, node: &CastNode<'_>) {
        let rate = match node.property("fr").map(|property| property.values()) {
            Some(PropertyValues::F32(view)) => view.get(0),
            _ => None,
        };
        if let Some(rate) = rate {
            self.frame_rate(node, rate);
        }
        if let Some(first) = node.children_of(NodeId::CURVE_MODE_OVERRIDE).next() {
            let count = node.children_of(NodeId::CURVE_MODE_OVERRIDE).count();
            self.say(codes::CURVE_MODE_OVERRIDE, first.offset(), path(&first), || {
                format!("{count} overrides, the first of node {}", name(&first, "nn"))
            });
        }
        self.curves(node);
    }

    fn frame_rate(&mut self, node: &CastNode<'_>, rate: f32) {
        let path = path(node).then("fr");
        if !(rate.is_finite() && rate > 0.0) {
            self.say(shared::FRAME_RATE_INVALID, node.offset(), path, || {
                format!("expected a frame rate above 0, found {rate}")
            });
        } else if !maya_has(rate) {
            self.say(codes::FRAME_RATE_MAYA, node.offset(), path, || {
                format!("a frame rate of {rate}")
            });
        }
    }

    /// Checks the curves of an animation against each other.
    fn curves(&mut self, animation: &CastNode<'_>) {
        let mut seen: HashSet<(&[u8], Channel)> = HashSet::new();
        let mut vectors: HashMap<(&[u8], bool), Axes> = HashMap::new();
        for node in animation.children_of(NodeId::CURVE) {
            let bone = node.string("nn").unwrap_or_default();
            let Some(channel) = channel(&node) else { continue };
            if !seen.insert((bone, channel)) {
                self.say(shared::DUPLICATE_TRACK, node.offset(), path(&node), || {
                    format!("a second curve {} of node {}", channel.name(), show(bone))
                });
            }
            let (axis, is_scale) = match channel {
                Channel::Translation(axis) => (axis, false),
                Channel::Scale(axis) => (axis, true),
                _ => continue,
            };
            let vector = vectors.entry((bone, is_scale)).or_default();
            vector.offset = node.offset();
            let mode = curve::mode(node.string("m").unwrap_or_default()).unwrap_or_default();
            if let Some(slot) = vector.axes.get_mut(axis.index()) {
                *slot = Some(mode);
            }
        }
        let mut vectors: Vec<_> = vectors.into_iter().collect();
        vectors.sort_unstable_by_key(|(_, vector)| vector.offset);
        for ((bone, is_scale), vector) in vectors {
            self.vector(animation, bone, is_scale, &vector);
        }
    }

    fn vector(&mut self, animation: &CastNode<'_>, bone: &[u8], is_scale: bool, vector: &Axes) {
        let what = if is_scale { "scale" } else { "translation" };
        let modes = || vector.axes.iter().flatten();
        let count = modes().count();
        if count < 3 && modes().any(|&mode| mode != Blend::Absolute) {
            self.say(codes::MISSING_AXIS, vector.offset, path(animation), || {
                format!("the {what} of node {} has {count} of three axes", show(bone))
            });
        }
        if modes().any(|&mode| Some(mode) != modes().next().copied()) {
            self.say(codes::MIXED_AXIS_MODES, vector.offset, path(animation), || {
                format!("the axes of the {what} of node {} have several modes", show(bone))
            });
        }
    }

    pub(super) fn curve(&mut self, node: &CastNode<'_>) {
        let kp = node.string("kp");
        let channel = kp.and_then(Channel::from_name);
        if let (Some(kp), None) = (kp, channel) {
            self.say(codes::UNKNOWN_CURVE, node.offset(), path(node).then("kp"), || {
                format!("a curve of the property {}", show(kp))
            });
        }
        let mode = node.string("m");
        let blend = mode.map(curve::mode);
        if let (Some(mode), Some(None)) = (mode, blend) {
            self.say(codes::UNKNOWN_MODE, node.offset(), path(node).then("m"), || {
                format!("expected absolute, relative or additive, found {}", show(mode))
            });
        }
        if blend.flatten() == Some(Blend::Additive) {
            self.say(codes::ADDITIVE_CURVE, node.offset(), path(node), || {
                format!("a curve of node {}", name(node, "nn"))
            });
        }
        self.weight(node);
        self.frames(node);
        self.values(node, channel);
    }

    pub(super) fn notifications(&mut self, node: &CastNode<'_>) {
        self.frames(node);
    }

    /// Checks the property `kb`.
    fn frames(&mut self, node: &CastNode<'_>) {
        let Some((at, property)) = last(node, b"kb") else { return };
        let Some(frames) = Frames::of(&property) else { return };
        if frames.len() == 0 && node.id() == NodeId::CURVE {
            self.say(shared::EMPTY_TRACK, at, path(node).then("kb"), || {
                format!("a curve of node {}", name(node, "nn"))
            });
        }
        let mut before = None;
        for (key, frame) in frames.iter().enumerate() {
            let path = || path(node).then("kb");
            match before {
                Some(last) if frame < last => {
                    self.say(shared::KEYS_UNSORTED, at, path(), || {
                        format!("key {key} is on frame {frame}, the one before on {last}")
                    });
                }
                Some(last) if frame == last => {
                    self.say(shared::DUPLICATE_FRAME, at, path(), || {
                        format!("keys {} and {key} are on frame {frame}", key.saturating_sub(1))
                    });
                }
                _ => {}
            }
            if frame > HUGE {
                self.say(codes::HUGE_FRAME, at, path(), || format!("a key on frame {frame}"));
            }
            before = Some(frame);
        }
    }

    /// Checks the property `ab`.
    fn weight(&mut self, node: &CastNode<'_>) {
        let Some((at, property)) = last(node, b"ab") else { return };
        let PropertyValues::F32(view) = property.values() else { return };
        if let Some(weight) = view.get(0).filter(|weight| !weight.is_finite()) {
            self.say(shared::NUMBER_NOT_FINITE, at, path(node).then("ab"), || {
                format!("the weight of an additive curve is {weight}")
            });
        }
    }

    /// Checks the property `kv`.
    fn values(&mut self, node: &CastNode<'_>, channel: Option<Channel>) {
        let Some((at, property)) = last(node, b"kv") else { return };
        let path = || path(node).then("kv");
        if let Some(channel) = channel.filter(|channel| !channel.accepts(property.kind())) {
            self.say(codes::PROPERTY_TYPE, at, path(), || {
                format!(
                    "values of the type {} for a curve {}",
                    property.kind().name(),
                    channel.name()
                )
            });
        }
        let frames = node.property("kb").and_then(|kb| Frames::of(&kb)).map(|frames| frames.len());
        let count = property.values().len();
        if let Some(frames) = frames.filter(|&frames| frames != count) {
            self.say(codes::KEY_COUNT, at, path(), || format!("{frames} frames, {count} values"));
        }
        match property.values() {
            PropertyValues::F32(view) => self.finite(view, at, node, |value| [value]),
            PropertyValues::Vector4(view) => {
                self.finite(view, at, node, |value| value);
                self.unit(view, at, node);
            }
            _ => {}
        }
    }

    fn finite<R: Record, const N: usize>(
        &mut self,
        view: View<'_, R>,
        at: usize,
        node: &CastNode<'_>,
        components: impl Fn(R) -> [f32; N],
    ) {
        for (key, value) in view.iter().map(components).enumerate() {
            if !value.iter().all(|component| component.is_finite()) {
                self.say(shared::NUMBER_NOT_FINITE, at, path(node).then("kv"), || {
                    format!("the value of key {key} is {value:?}")
                });
            }
        }
    }

    fn unit(&mut self, view: View<'_, [f32; 4]>, at: usize, node: &CastNode<'_>) {
        for (key, value) in view.iter().enumerate() {
            let length = length(value);
            if length.is_finite() && (length - 1.0).abs() > UNIT_TOLERANCE {
                self.say(shared::ROTATION_NOT_UNIT, at, path(node).then("kv"), || {
                    format!("the rotation of key {key} has length {length:.6}")
                });
            }
        }
    }
}

fn length(value: [f32; 4]) -> f64 {
    value.map(|component| f64::from(component) * f64::from(component)).iter().sum::<f64>().sqrt()
}

fn channel(node: &CastNode<'_>) -> Option<Channel> {
    node.string("kp").and_then(Channel::from_name)
}

/// Returns a string of a node for a message.
fn name(node: &CastNode<'_>, property: &str) -> String {
    show(node.string(property).unwrap_or_default())
}

/// Returns the last property with a name, and its offset.
fn last<'f>(node: &CastNode<'f>, name: &[u8]) -> Option<(usize, CastProperty<'f>)> {
    node.properties_at().filter(|(_, property)| property.name() == name).last()
}
