//! Converts channels to tracks.

use core::fmt::Write;

use inbetween_core::{
    Budget, Finding, Findings, Path, Property, ReadError, Shape, Target, Text, Track, TrackData,
    TrackSummary, counted, keys, memory, num, shown,
};

use super::keys::{Quantity, Rows};
use crate::accessor::{Accessors, Use};
use crate::codes;
use crate::file::GltfFile;
use crate::read::{Fault, FaultResult, inner, item};
use crate::scene::{Channel, ChannelPath, Listed, Mode, Sampler, Scene};

/// Converts the channels of an animation to tracks.
pub(super) struct ChannelReader<'c, 'f> {
    pub(super) accessors: Accessors<'f>,
    pub(super) names: &'f [Text],
    pub(super) budget: &'c mut Budget,
    /// The last accessor whose times were checked. Most channels share it.
    pub(super) checked: Option<usize>,
}

/// A channel that can be converted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sound<'s> {
    pub(crate) sampler: &'s Listed<Sampler>,
    /// The index of the sampler within the animation.
    pub(crate) index: usize,
    pub(crate) node: usize,
}

impl Scene {
    /// Returns the sampler and the node of a channel; `None` if it animates a property that the
    /// common model does not store.
    ///
    /// # Errors
    ///
    /// If there is no such sampler or node, or the channel or the sampler is broken.
    pub(crate) fn sound(
        &self,
        file: &GltfFile<'_>,
        (animation, index): (usize, usize),
        channel: &Listed<Channel>,
    ) -> FaultResult<Option<Sound<'_>>> {
        let samplers = self.animations.get(animation).map_or(&[][..], |it| &it.samplers);
        let path = || inner(animation, "channels", index);
        if let Some(fault) = channel.fault(file, path()) {
            return Err(fault);
        }
        let Some(place) = channel.sampler else {
            return Err(Fault::invalid(channel.at, path(), "a sampler", "none"));
        };
        let Some(sampler) = samplers.get(place) else {
            let path = path().then("sampler");
            return Err(Fault::missing(channel.at, path, "sampler", place, samplers.len()));
        };
        if matches!(channel.path, ChannelPath::Other(_) | ChannelPath::Missing) {
            return Ok(None);
        }
        let Some(node) = channel.node else { return Ok(None) };
        let Some(found) = self.nodes.get(node) else {
            return Err(Fault::missing(channel.at, path(), "node", node, self.nodes.len()));
        };
        // The weights of a node without a mesh have no effect.
        let weighs = matches!(channel.path, ChannelPath::Weights | ChannelPath::Weight(_));
        if weighs && found.mesh.is_none() {
            return Ok(None);
        }
        if let Some(fault) = sampler.fault(file, inner(animation, "samplers", place)) {
            return Err(fault);
        }
        Ok(Some(Sound { sampler, index: place, node }))
    }
}

impl<'f> ChannelReader<'_, 'f> {
    /// Reads the channels of an animation, and reports those that are dropped or broken.
    ///
    /// # Errors
    ///
    /// If channels are broken and none can be read, or they exceed the budget.
    pub(super) fn read(
        mut self,
        animation: usize,
        findings: &mut Findings,
    ) -> FaultResult<Vec<Track>> {
        let (mut tracks, mut has_sound, mut broken) = (Vec::new(), false, None);
        for (index, channel) in self.channels(animation).iter().enumerate() {
            let read = tracks.len();
            let fault = match self.channel((animation, index), channel, &mut tracks) {
                Ok(is_read) => {
                    has_sound |= is_read;
                    if !is_read {
                        findings.enter(inner(animation, "channels", index));
                        findings.push(dropped(channel));
                    }
                    continue;
                }
                Err(fault) if fault.error.is_limit() => return Err(fault),
                Err(fault) => fault,
            };
            tracks.truncate(read);
            findings.enter(inner(animation, "channels", index));
            findings.push(self.accessors.file.skipped(&self.label(channel), fault.clone()));
            let Fault { at, error } = fault;
            let error = match error.hint() {
                None => error.with_hint(format!("it belongs to {}", self.label(channel))),
                Some(_) => error,
            };
            broken.get_or_insert(Fault { at, error });
        }
        match broken {
            Some(fault) if !has_sound => Err(fault),
            _ => Ok(tracks),
        }
    }

    /// Adds the tracks of a channel. Returns whether the common model stores what it animates.
    fn channel(
        &mut self,
        place: (usize, usize),
        channel: &Listed<Channel>,
        tracks: &mut Vec<Track>,
    ) -> FaultResult<bool> {
        let Accessors { file, scene, .. } = self.accessors;
        let Some(sound) = scene.sound(file, place, channel)? else { return Ok(false) };
        let source = Source::of(place.0, sound)?;
        let times = self.times(source.input).map_err(|fault| source.refer(fault, "input"))?;
        let parts = self.parts(channel, sound)?;
        let times = core::iter::repeat_n(times, parts.len());
        for (part, times) in parts.into_iter().zip(times) {
            let data = self.data(&source, &part, times);
            let data = data.map_err(|fault| source.refer(fault, "output"))?;
            // The kinds of values match the properties.
            tracks.extend(Track::new(part.target, data));
        }
        Ok(true)
    }

    /// Names a channel: `hips/rotation`.
    fn label(&self, channel: &Channel) -> String {
        let node = channel.node.and_then(|node| self.names.get(node));
        match node {
            Some(node) => format!("{}/{}", shown(node), channel.path.name()),
            None if channel.path == ChannelPath::Missing => "a channel".to_owned(),
            None => format!("a channel of {}", shown(channel.path.name())),
        }
    }

    /// Summarizes the tracks of an animation from what its accessors state, without decoding keys and
    /// without broken channels.
    pub(super) fn summarize(mut self, animation: usize) -> FaultResult<Vec<TrackSummary>> {
        let mut tracks = Vec::new();
        for (index, channel) in self.channels(animation).iter().enumerate() {
            match self.summary((animation, index), channel) {
                Err(fault) if fault.error.is_limit() => return Err(fault),
                summary => tracks.extend(summary.into_iter().flatten()),
            }
        }
        Ok(tracks)
    }

    fn summary(
        &mut self,
        place: (usize, usize),
        channel: &Listed<Channel>,
    ) -> FaultResult<Vec<TrackSummary>> {
        let Accessors { file, scene, .. } = self.accessors;
        let Some(sound) = scene.sound(file, place, channel)? else { return Ok(Vec::new()) };
        let source = Source::of(place.0, sound)?;
        let keys = self.accessors.elements(source.input, 1, Use::Floats)?.count;
        if keys == 0 {
            return Ok(Vec::new());
        }
        let shape = match source.sampler.mode {
            Mode::Step => Shape::STEPPED,
            Mode::Linear | Mode::Cubic => Shape::CURVE,
        };
        let parts = self.parts(channel, sound)?.into_iter();
        let summary =
            |part: Part| TrackSummary::new(&part.target, (part.quantity.kind(), shape), keys);
        Ok(parts.map(summary).collect())
    }

    fn channels(&self, animation: usize) -> &'f [Listed<Channel>] {
        self.accessors.scene.animations.get(animation).map_or(&[][..], |it| &it.channels)
    }

    /// Returns the tracks of a channel: one, or one per blend shape of the node.
    fn parts(&mut self, channel: &Channel, sound: Sound<'_>) -> FaultResult<Vec<Part>> {
        let name = self.names.get(sound.node).cloned().unwrap_or_default();
        let (property, quantity) = match channel.path {
            ChannelPath::Weights => return self.weights(sound.node, &name, None),
            ChannelPath::Weight(shape) => return self.weights(sound.node, &name, Some(shape)),
            ChannelPath::Rotation => (Property::Rotation, Quantity::Rotation),
            ChannelPath::Scale => (Property::Scale, Quantity::Vector),
            _ => (Property::Translation, Quantity::Vector),
        };
        Ok(vec![Part { target: Target::new(name, property), quantity, column: (0, 1) }])
    }

    /// Reads times, which must be finite and must not decrease.
    fn times(&mut self, input: usize) -> FaultResult<Vec<f64>> {
        let elements = self.accessors.elements(input, 1, Use::Floats)?;
        let at = self.accessors.scene.accessors.get(input).map_or(0, |accessor| accessor.at);
        let path = || item("accessors", input, &[]);
        if elements.count == 0 {
            return Err(Fault::invalid(at, path(), "at least one key", "none"));
        }
        let charged = self.charge(elements.count, size_of::<f64>());
        charged.map_err(|error| Fault::of(error, at, path()))?;
        let times = elements.numbers();
        if self.checked == Some(input) || keys::are_sorted(&times) {
            self.checked = Some(input);
            return Ok(times);
        }
        let (expected, found) = wrong_time(&times);
        Err(Fault::invalid(at, path(), expected, found))
    }

    fn charge(&mut self, keys: usize, size: usize) -> Result<(), ReadError> {
        let bytes = num::u64_from_len(keys).saturating_mul(num::u64_from_len(size));
        self.budget.charge_claimed(bytes)?;
        Ok(memory::ensure(num::len_from_u64(bytes))?)
    }

    /// Reads the keys of a track.
    fn data(
        &mut self,
        source: &Source<'_>,
        part: &Part,
        times: Vec<f64>,
    ) -> FaultResult<TrackData> {
        match part.quantity {
            Quantity::Number => self.rows::<1>(source, part, times),
            Quantity::Vector => self.rows::<3>(source, part, times),
            Quantity::Rotation => self.rows::<4>(source, part, times),
        }
    }

    fn rows<const N: usize>(
        &mut self,
        source: &Source<'_>,
        &Part { quantity, column: (first, columns), .. }: &Part,
        times: Vec<f64>,
    ) -> FaultResult<TrackData> {
        let usage = if quantity == Quantity::Vector { Use::Floats } else { Use::Fractions };
        let elements = self.accessors.elements(source.output, N, usage)?;
        let sides: usize = if source.sampler.mode == Mode::Cubic { 3 } else { 1 };
        let step = columns.saturating_mul(sides);
        let expected = times.len().saturating_mul(step);
        if elements.count != expected {
            let found = elements.count.to_string();
            let mut product = counted(times.len(), "key");
            if columns > 1 {
                let _ = write!(product, " x {columns} shapes");
            }
            if sides > 1 {
                let _ = write!(product, " x {sides} (a value and two tangents)");
            }
            let expected = format!("{expected} values ({product})");
            return Err(Fault::invalid(source.sampler.at, source.path(), expected, found));
        }
        let row = size_of::<[f32; N]>().saturating_mul(sides).saturating_add(size_of::<f64>());
        let charged = self.charge(times.len(), row);
        charged.map_err(|error| Fault::of(error, source.sampler.at, source.path()))?;
        let part = |side: usize| {
            elements.column::<N>(first.saturating_add(side.saturating_mul(columns)), step)
        };
        // A spline of one key has no segment, so its slopes mean nothing.
        let (rows, mode) = match (sides, times.len()) {
            (1, _) => (Rows { values: part(0), slopes: None }, source.sampler.mode),
            (_, 1) => (Rows { values: part(1), slopes: None }, Mode::Linear),
            _ => (Rows { values: part(1), slopes: Some([part(0), part(2)]) }, Mode::Cubic),
        };
        let data = rows.into_data(mode, quantity, times);
        data.map_err(|error| {
            let error = ReadError::invalid("keys of one track", error.to_string());
            Fault::of(error, source.sampler.at, source.path())
        })
    }

    /// Returns one track per blend shape of a node, or the track of one shape.
    fn weights(&mut self, node: usize, name: &Text, one: Option<usize>) -> FaultResult<Vec<Part>> {
        let scene = self.accessors.scene;
        let found = scene.nodes.get(node);
        let index = found.and_then(|node| node.mesh);
        let Some((mesh, index)) = index.and_then(|index| Some((scene.meshes.get(index)?, index)))
        else {
            let at = found.map_or(0, |node| node.at);
            let (path, count) = (item("nodes", node, &["mesh"]), scene.meshes.len());
            return Err(Fault::missing(at, path, "mesh", index.unwrap_or_default(), count));
        };
        if let Some(fault) = mesh.fault(self.accessors.file, item("meshes", index, &[])) {
            return Err(fault);
        }
        if mesh.targets == 0 {
            let path = item("meshes", index, &["primitives"]);
            return Err(Fault::invalid(mesh.at, path, "blend shapes", "none"));
        }
        // The sampler of one shape has the values of this shape alone.
        let (shapes, columns) = match one {
            None => (0..mesh.targets, mesh.targets),
            Some(shape) if shape < mesh.targets => (shape..shape.saturating_add(1), 1),
            Some(shape) => {
                let (at, path) = (found.map_or(0, |node| node.at), item("nodes", node, &["mesh"]));
                return Err(Fault::missing(at, path, "blend shape", shape, mesh.targets));
            }
        };
        let charged = self.budget.charge_items(num::u64_from_len(shapes.len()));
        charged.map_err(|error| Fault::of(error, mesh.at, item("meshes", index, &[])))?;
        let part = |shape: usize| {
            let target = Target::new(name.clone(), Property::Weight(mesh.shape_name(shape)));
            let first = if one.is_some() { 0 } else { shape };
            Part { target, quantity: Quantity::Number, column: (first, columns) }
        };
        Ok(shapes.map(part).collect())
    }
}

/// Describes the first time that is not finite or less than the one before it.
fn wrong_time(times: &[f64]) -> (String, String) {
    let mut last = f64::NEG_INFINITY;
    for (key, &time) in times.iter().enumerate() {
        let found = || format!("{time} s");
        if !time.is_finite() {
            return (format!("a finite time at key {key}"), found());
        }
        if time < last {
            let before = key.saturating_sub(1);
            return (format!("times that rise, after {last} s at key {before}"), found());
        }
        last = time;
    }
    Default::default()
}

/// Returns the finding about a channel that is not read.
pub(crate) fn dropped(channel: &Channel) -> Finding {
    let message = match &channel.path {
        ChannelPath::Other(path) => format!("a channel of \"{}\"", shown(path)),
        path => format!("a channel of {} without a node or a mesh", path.name()),
    };
    Finding::new(codes::CHANNEL_DROPPED, message)
}

/// A track of a channel.
struct Part {
    target: Target,
    quantity: Quantity,
    /// The index of its column in the output of the sampler, and the number of columns there.
    column: (usize, usize),
}

/// The accessors of a channel.
struct Source<'s> {
    sampler: &'s Listed<Sampler>,
    input: usize,
    output: usize,
    /// The indices of the animation and of the sampler in it.
    place: (usize, usize),
}

impl<'s> Source<'s> {
    fn of(animation: usize, sound: Sound<'s>) -> FaultResult<Self> {
        let sampler = sound.sampler;
        let place = (animation, sound.index);
        let (Some(input), Some(output)) = (sampler.input, sampler.output) else {
            let expected = "an input and an output";
            return Err(Fault::invalid(sampler.at, output_path(place), expected, "none"));
        };
        Ok(Self { sampler, input, output, place })
    }

    /// Returns the path of the output.
    fn path(&self) -> Path {
        output_path(self.place)
    }

    /// Places the error of an accessor that does not exist where the sampler refers to it.
    fn refer(&self, fault: Fault, member: &'static str) -> Fault {
        if !fault.error.path().is_root() {
            return fault;
        }
        let (animation, sampler) = self.place;
        let path = inner(animation, "samplers", sampler).then(member);
        Fault::of(fault.error, self.sampler.at, path)
    }
}

fn output_path((animation, sampler): (usize, usize)) -> Path {
    inner(animation, "samplers", sampler).then("output")
}
