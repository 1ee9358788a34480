//! Converts curves to tracks.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher as _;

use inbetween_core::keys::KeyOrder;
use inbetween_core::{
    Axis, Blend, Code, Context, Finding, Findings, Interpolation, Interpolations, Path, Property,
    Quat, ReadError, Record, Target, Text, Track, TrackData, Values, View, codes as shared, num,
    shown,
};

use crate::codes;
use crate::curve::{self, Channel, CurveProperty, Frames};
use crate::file::CastNode;
use crate::layout::{ID, NodeId};
use crate::names::{self, Encoding, show};
use crate::property::CastProperty;
use crate::value::PropertyValues;

/// Curves that may become one track.
struct Group<'f> {
    channel: Channel,
    /// The index of the first curve among the nodes.
    path: usize,
    node: Option<&'f [u8]>,
    /// One curve per axis for translations and scales; otherwise only the first one is used.
    curves: [Option<Curve<'f>>; 3],
    /// The properties that the next curve must have to join the group.
    next: Option<(Channel, Blend)>,
}

impl<'f> Group<'f> {
    /// Begins a group with a curve, which is added later.
    fn begin(channel: Channel, curve: &Properties<'f>) -> Self {
        let (path, node) = (curve.path, curve.node);
        Self { channel, path, node, curves: [const { None }; 3], next: None }
    }
}

/// The properties of a curve; of several with one name the last.
#[derive(Clone, Copy, Default)]
struct Properties<'f> {
    /// The index of the curve among the nodes.
    path: usize,
    /// `nn`, if it is a string.
    node: Option<&'f [u8]>,
    /// `kp`, if it is a string.
    channel: Option<&'f [u8]>,
    /// `kb`.
    frames: Option<CastProperty<'f>>,
    /// `kv`.
    values: Option<CastProperty<'f>>,
    /// `m`, if it is a string.
    mode: Option<&'f [u8]>,
    /// `ab`.
    weight: Option<CastProperty<'f>>,
}

impl<'f> Properties<'f> {
    fn of(curve: &CastNode<'f>) -> Self {
        let mut found = Self { path: curve.index(), ..Self::default() };
        for property in curve.properties() {
            match CurveProperty::from_name(property.name()) {
                Some(CurveProperty::Node) => found.node = property.string(),
                Some(CurveProperty::Channel) => found.channel = property.string(),
                Some(CurveProperty::Frames) => found.frames = Some(property),
                Some(CurveProperty::Values) => found.values = Some(property),
                Some(CurveProperty::Mode) => found.mode = property.string(),
                Some(CurveProperty::Weight) => found.weight = Some(property),
                None => {}
            }
        }
        found
    }
}

/// A curve whose properties were checked.
struct Curve<'f> {
    path: usize,
    frames: Frames<'f>,
    /// The bytes of the values, whose type is that of the channel.
    values: &'f [u8],
    /// The number of keys that have a frame and a value.
    keys: usize,
    blend: Blend,
}

/// Converts the curves of an animation to tracks.
pub(super) struct CurveReader<'c, 'b, 'f> {
    pub(super) rate: f64,
    pub(super) context: &'c mut Context<'b>,
    pub(super) names: Names<'f>,
    pub(super) tracks: Vec<Track>,
}

/// The names of nodes, which all tracks share.
///
/// The map has hashes instead of names, because it looks at all of its keys when it grows: names are
/// all over a large file. Hashes are keyed, so no file can have two names of one hash on purpose;
/// the second one would be stored again for each of its tracks.
#[derive(Default)]
pub(super) struct Names<'f> {
    known: Vec<(&'f [u8], Text)>,
    /// The indices of the names with a hash.
    indices: HashMap<u64, u32>,
    /// The index of the name of the last track, which most tracks share with the one before.
    last: usize,
}

impl<'f> Names<'f> {
    /// Returns a name, and whether it is new and was not valid UTF-8.
    fn get(&mut self, name: &'f [u8]) -> (Text, bool) {
        if let Some(known) = self.at(self.last, name) {
            return (known, false);
        }
        let hash = self.indices.hasher().hash_one(name);
        let new = self.known.len();
        match self.indices.entry(hash) {
            Entry::Vacant(vacant) => _ = vacant.insert(u32::try_from(new).unwrap_or(u32::MAX)),
            Entry::Occupied(index) => {
                self.last = num::len_from_u64((*index.get()).into());
                if let Some(known) = self.at(self.last, name) {
                    return (known, false);
                }
            }
        }
        let (text, encoding) = names::text(name);
        self.last = new;
        self.known.push((name, text.clone()));
        (text, encoding == Encoding::Latin1)
    }

    /// Returns the name at an index, if it is this one.
    fn at(&self, index: usize, name: &[u8]) -> Option<Text> {
        let (_, text) = self.known.get(index).filter(|(known, _)| *known == name)?;
        Some(text.clone())
    }
}

impl<'f> CurveReader<'_, '_, 'f> {
    fn say(&mut self, code: Code, node: usize, message: impl FnOnce() -> String) {
        let finding = || Finding::new(code, message()).at(Path::item("nodes", node));
        self.context.findings.add(code, finding);
    }

    /// Reads all curves of an animation. The blend mode of each track is that of its curves.
    ///
    /// Consecutive curves that are the axes x, y and z of one vector of a node, in one mode, form a
    /// group.
    pub(super) fn read(&mut self, animation: &CastNode<'f>) -> Result<(), ReadError> {
        // A track needs `kp`, `kb` and `kv`: curves with fewer properties reserve no memory. Most
        // tracks have one curve or three, half of each. With more tracks, the list grows once.
        self.tracks.reserve_exact(animation.count_complete_curves().div_ceil(2));
        // Curves of unknown properties share a scope, so they are one finding with a count.
        let mut unknown = Findings::new(self.context.budget.limits());
        let mut group: Option<Group<'f>> = None;
        for curve in animation.children_of(NodeId::CURVE) {
            let curve = Properties::of(&curve);
            let kp = curve.channel.unwrap_or_default();
            let Some(channel) = Channel::from_name(kp) else {
                unknown.add(codes::CURVE_DROPPED, || {
                    let message = format!("a curve of {}", show(kp));
                    Finding::new(codes::CURVE_DROPPED, message).at(Path::item("nodes", curve.path))
                });
                continue;
            };
            let blend = curve.mode.and_then(curve::mode);
            let stated = (channel, blend.unwrap_or_default());
            let joins = |group: &Group<'_>| group.next == Some(stated) && group.node == curve.node;
            if !group.as_ref().is_some_and(joins) {
                self.group(group.as_ref())?;
                self.context.findings.enter(Path::item("nodes", curve.path));
                group = Some(Group::begin(channel, &curve));
            }
            let Some(group) = &mut group else { continue };
            group.next = channel.next_axis().map(|channel| (channel, stated.1));
            let axis = channel.axis().map_or(0, Axis::index);
            if let Some(slot) = group.curves.get_mut(axis) {
                *slot = self.curve(&curve, group.channel, blend);
            }
        }
        self.group(group.as_ref())?;
        self.context.findings.leave();
        self.context.findings.extend(unknown.into_vec());
        Ok(())
    }

    /// Converts a group to one track, or to one track per axis.
    fn group(&mut self, group: Option<&Group<'f>>) -> Result<(), ReadError> {
        let Some(Group { channel, path, node, curves, .. }) = group else { return Ok(()) };
        let node = node.map(|node| self.name(node, *path));
        let property = match channel {
            Channel::Translation(_) => Property::Translation,
            Channel::Scale(_) => Property::Scale,
            Channel::Visibility => return Ok(()),
            Channel::Rotation => {
                let [curve, ..] = curves;
                return curve.as_ref().map_or(Ok(()), |curve| self.rotation(node, curve));
            }
            Channel::BlendShape => {
                let [curve, ..] = curves;
                let target = Target::of(None, Property::Weight(node.unwrap_or_default()));
                return curve.as_ref().map_or(Ok(()), |curve| self.numbers(target, curve));
            }
        };
        if let [Some(x), Some(y), Some(z)] = curves
            && x.is_like(y)
            && x.is_like(z)
        {
            return self.vector(Target::of(node, property).with_blend(x.blend), [x, y, z]);
        }
        for (axis, curve) in Axis::ALL.into_iter().zip(curves) {
            if let Some(curve) = curve {
                let target = Target::of(node.clone(), property.clone()).with_blend(curve.blend);
                self.numbers(target.with_component(axis), curve)?;
            }
        }
        Ok(())
    }

    /// Checks a curve; reports it and returns `None` if it cannot become a track.
    fn curve(
        &mut self,
        curve: &Properties<'f>,
        channel: Channel,
        blend: Option<Blend>,
    ) -> Option<Curve<'f>> {
        let path = curve.path;
        if channel == Channel::Visibility {
            let node = curve.node.unwrap_or_default();
            self.say(codes::VISIBILITY_DROPPED, path, || format!("of node {}", show(node)));
            return None;
        }
        let frames = curve.frames.as_ref().and_then(Frames::of);
        let values = curve.values.filter(|values| channel.accepts(values.kind()));
        let (Some(frames), Some(values)) = (frames, values) else {
            self.say(codes::CURVE_DROPPED, path, || {
                format!("a curve {} without frames and values of its types", channel.name())
            });
            return None;
        };
        let (count, value_count) = (frames.len(), values.values().len());
        let keys = count.min(value_count);
        if count != value_count {
            let (frames, values) = (count, value_count);
            self.say(codes::KEYS_DROPPED, path, || format!("{frames} frames, {values} values"));
        }
        self.report_weight(path, curve.weight);
        let blend = self.blend(curve, channel, blend);
        Some(Curve { path, frames, values: values.data, keys, blend })
    }

    /// Reports a weight of a curve, which the common model cannot store.
    fn report_weight(&mut self, path: usize, weight: Option<CastProperty<'_>>) {
        let weight = match weight.map(|weight| weight.values()) {
            Some(PropertyValues::F32(view)) => view.get(0).unwrap_or(1.0),
            _ => 1.0,
        };
        if weight != 1.0 {
            self.say(codes::WEIGHT_DROPPED, path, || format!("a weight of {weight}"));
        }
    }

    /// Returns the mode of a curve, and reports a mode that the common model cannot store.
    fn blend(&mut self, curve: &Properties<'_>, channel: Channel, blend: Option<Blend>) -> Blend {
        let Some(name) = curve.mode else { return Blend::Absolute };
        let path = curve.path;
        let Some(blend) = blend else {
            self.say(codes::MODE_DROPPED, path, || format!("{} becomes absolute", show(name)));
            return Blend::Absolute;
        };
        if channel == Channel::BlendShape && blend != Blend::Absolute {
            self.say(codes::MODE_DROPPED, path, || {
                format!("the weights of a blend shape are {}", curve::mode_name(blend))
            });
            return Blend::Absolute;
        }
        blend
    }

    fn rotation(&mut self, node: Option<Text>, curve: &Curve<'f>) -> Result<(), ReadError> {
        let target = Target::of(node, Property::Rotation).with_blend(curve.blend);
        let order = self.order(&target, curve, size_of::<[f32; 4]>())?;
        let values = curve.view::<[f32; 4]>().column(order.indices(), Quat::from_array);
        self.track(target, curve, order, values.into())
    }

    fn numbers(&mut self, target: Target, curve: &Curve<'f>) -> Result<(), ReadError> {
        let order = self.order(&target, curve, size_of::<f32>())?;
        let values = curve.view::<f32>().column(order.indices(), |value| value);
        self.track(target, curve, order, values.into())
    }

    /// Creates a track of three axes with the same frames.
    fn vector(&mut self, target: Target, axes: [&Curve<'f>; 3]) -> Result<(), ReadError> {
        let [x, ..] = axes;
        let order = self.order(&target, x, size_of::<[f32; 3]>())?;
        let [xs, ys, zs] = axes.map(Curve::view::<f32>);
        let keys = order.indices().map_or(x.keys, <[usize]>::len);
        let mut values: Vec<[f32; 3]> = Vec::with_capacity(keys);
        match order.indices() {
            None => {
                let axes = xs.iter().zip(ys.iter()).zip(zs.iter());
                values.extend(axes.map(|((x, y), z)| [x, y, z]));
            }
            Some(indices) => {
                let value = |&index| [xs, ys, zs].map(|axis| axis.get(index).unwrap_or(0.0));
                values.extend(indices.iter().map(value));
            }
        }
        self.track(target, x, order, values.into())
    }

    /// Charges the columns of a track to the budget, and computes the order of its keys.
    fn order(
        &mut self,
        target: &Target,
        curve: &Curve<'_>,
        value: usize,
    ) -> Result<KeyOrder, ReadError> {
        let bytes = curve.keys.saturating_mul(value.saturating_add(size_of::<f64>()));
        self.context.budget.charge_columns(bytes).map_err(|error| error.in_format(ID))?;
        let times = curve.frames.times(curve.keys, self.rate);
        let order = KeyOrder::of(times, |index| curve.time(index, self.rate));
        self.context.findings.name_track(self.tracks.len(), target);
        order.report(&mut self.context.findings);
        Ok(order)
    }

    fn track(
        &mut self,
        target: Target,
        curve: &Curve<'_>,
        order: KeyOrder,
        values: Values,
    ) -> Result<(), ReadError> {
        let times = order.into_times(|index| curve.time(index, self.rate));
        let linear = Interpolations::Shared(Interpolation::Linear);
        let broken = |error: String| {
            let path = Path::item("nodes", curve.path);
            ReadError::invalid("keys that make a track", error).in_format(ID).at_path(path)
        };
        let data = TrackData::curve(times, values, linear, None);
        let data = data.map_err(|error| broken(error.to_string()))?;
        self.tracks.push(Track::new(target, data).map_err(|error| broken(error.to_string()))?);
        Ok(())
    }

    /// Returns the name of the node of a curve, which all tracks share, and reports one that is not
    /// valid UTF-8.
    fn name(&mut self, name: &'f [u8], path: usize) -> Text {
        let (text, reencoded) = self.names.get(name);
        if reencoded {
            self.say(shared::NAME_REENCODED, path, || format!("read as \"{}\"", shown(&text)));
        }
        text
    }
}

impl<'f> Curve<'f> {
    fn time(&self, index: usize, rate: f64) -> f64 {
        self.frames.get(index).map_or(f64::NAN, |frame| f64::from(frame) / rate)
    }

    /// Returns the values that have a frame.
    fn view<R: Record<Layout = ()>>(&self) -> View<'f, R> {
        let bytes = self.values.get(..self.keys.saturating_mul(R::SIZE));
        View::new(bytes.unwrap_or(self.values), ())
    }

    /// Returns whether another axis has the same mode and the same frames.
    fn is_like(&self, other: &Self) -> bool {
        self.blend == other.blend
            && self.keys == other.keys
            && self.frames.are_like(&other.frames, self.keys)
    }
}
