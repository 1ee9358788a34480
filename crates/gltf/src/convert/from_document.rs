//! Writes documents.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use inbetween_core::{
    Context, Document, Extent, Fit, Identical as _, Mapped, Property, Track, TrackData, WriteError,
    Written, codes as shared, counted, memory, rows, wire,
};

use super::clip_writer::{self, ChannelPart, ClipPart};
use super::keys::Samples;
use super::model::{self, ModelFile};
use super::nodes::{Nodes, Tree, own};
use super::{STORES, coordinates};
use crate::RULES;
use crate::codes;
use crate::file::Chunk;
use crate::json_text::JsonText;
use crate::layout::{Container, ID};
use crate::options::Gltf;
use crate::scene::{ChannelPath, Mode};
use crate::write;

/// Writes a document with any number of clips, into the model of its file if there is one.
pub(crate) fn from_document(
    mut document: Document,
    options: &Gltf,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let container = options.written_container(&document);
    let origin = document.origin_in(ID);
    let model = origin.and_then(|origin| Some((origin.model.clone()?, origin.renamed.clone())));
    let Some((model, renamed)) = model else {
        let (clips, mut nodes) = write_clips(&mut document, options, None, context)?;
        if nodes.are_flat() && document.origin_in(ID).is_none() {
            report_flat(&clips, context);
        }
        let mapped = document.mapped;
        let tree = nodes.finish(mapped.as_ref());
        let file = FileWriter { nodes: &nodes, tree: &tree, clips: &clips, mapped };
        return Ok(Written::new(file.bytes(container)?, extents(&clips)));
    };
    if let Some(origin) = &mut document.origin {
        origin.scene.clear();
    }
    let file = ModelFile::open(&model, context.budget.limits());
    let file = file.map_err(|error| model::unreadable(&error))?;
    let known = Nodes::of_model(file.nodes(&renamed));
    let (clips, nodes) = write_clips(&mut document, options, Some(known), context)?;
    let bytes = file.write((&clips, &nodes), container, context)?;
    Ok(Written::new(bytes, extents(&clips)))
}

/// Reports that parents are unknown, if several nodes move.
fn report_flat(clips: &[ClipPart], context: &mut Context<'_>) {
    let channels = clips.iter().flat_map(|clip| &clip.channels);
    let moving = channels.filter(|channel| channel.moves()).map(|channel| channel.node);
    let moving: BTreeSet<usize> = moving.collect();
    if moving.len() > 1 {
        context.say(codes::PARENTS_UNKNOWN, counted(moving.len(), "node"));
    }
}

fn extents(clips: &[ClipPart]) -> Vec<Extent> {
    clips.iter().map(|clip| clip.extent).collect()
}

/// Converts the clips of a document; `known` are the nodes of a model.
fn write_clips(
    document: &mut Document,
    options: &Gltf,
    known: Option<Nodes>,
    context: &mut Context<'_>,
) -> Result<(Vec<ClipPart>, Nodes), WriteError> {
    let fit = Fit::new(STORES, RULES, document, context);
    let mut nodes = known.unwrap_or_else(|| Nodes::new(fit.skeleton(), context));
    // The blend shapes of a node are those of all clips together. Tracks without a finite value are
    // dropped.
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
    let has_value = |data: &TrackData| rows::not_finite(data.values()).count() < data.len();
    for track in tracks.filter(|track| has_value(track.data())) {
        add_shape(track, &mut nodes);
    }
    let clips = core::mem::take(&mut document.clips);
    let clips = context.clips(clips, |context, clip| {
        clip_writer::write(clip, (&fit, options), &mut nodes, context)
    })?;
    let mut channels = clips.iter().flat_map(|clip| &clip.channels);
    if options.chooses_curves() && channels.any(|channel| channel.samples.mode == Mode::Cubic) {
        let message = "curves: cubic splines, whose tangents Blender drops";
        context.say(shared::SPLINES_WRITTEN, message);
    }
    Ok((clips, nodes))
}

fn add_shape(track: &Track, nodes: &mut Nodes) {
    let target = track.target();
    let Property::Weight(shape) = &target.property else { return };
    let node = nodes.of(&target.node.clone().unwrap_or_default());
    nodes.shape(node, shape);
}

/// The content to print as JSON.
struct FileWriter<'w> {
    nodes: &'w Nodes,
    tree: &'w Tree,
    clips: &'w [ClipPart],
    mapped: Option<Mapped>,
}

/// An accessor: its first byte and its type.
pub(super) struct AccessorPart {
    view: usize,
    offset: usize,
    count: usize,
    kind: &'static str,
    bounds: Option<(Vec<f64>, Vec<f64>)>,
}

/// The content of the buffer, and the offsets of its parts.
#[derive(Default)]
pub(super) struct Data<'w> {
    /// The numbers of the accessors, one after the other.
    blocks: Vec<&'w [f32]>,
    /// The length of the buffer in bytes.
    pub(super) length: usize,
    /// The length of the view of all samplers, which is the first one.
    samplers: usize,
    accessors: Vec<AccessorPart>,
    /// The accessors of times, which samplers share.
    times: HashMap<Vec<u32>, usize>,
    /// The times of the last channel and their accessor: most channels have those of the one before.
    last: Option<(&'w Rc<[f32]>, usize)>,
    /// The input and the output of each channel of each clip.
    pub(super) channels: Vec<Vec<(usize, usize)>>,
    /// The accessor of the vertices of all meshes.
    vertices: Option<usize>,
}

impl<'w> Data<'w> {
    /// Lays out the numbers of all samplers.
    pub(super) fn of_clips(clips: &'w [ClipPart]) -> Self {
        let mut data = Self::default();
        for clip in clips {
            let channels = clip.channels.iter();
            let channels = channels.map(|channel| data.channel(&channel.samples, &channel.path));
            let channels = channels.collect();
            data.channels.push(channels);
        }
        data.samplers = data.length;
        data
    }

    /// Returns the texts of the accessors of a view.
    pub(super) fn accessors_in(&mut self, view: usize) -> Vec<String> {
        let texts = self.accessors.iter_mut().map(|part| {
            part.view = view;
            let mut json = JsonText::default();
            part.print(&mut json);
            json.into_string()
        });
        texts.collect()
    }

    /// Gives the accessors other places in the file.
    pub(super) fn move_accessors(&mut self, places: &[usize]) {
        let place = |index: usize| places.get(index).copied().unwrap_or(index);
        for (input, output) in self.channels.iter_mut().flatten() {
            (*input, *output) = (place(*input), place(*output));
        }
    }

    fn add(&mut self, numbers: &'w [f32], count: usize, kind: &'static str) -> usize {
        let part = AccessorPart { view: 0, offset: self.length, count, kind, bounds: None };
        self.length = self.length.saturating_add(size_of_val(numbers));
        self.blocks.push(numbers);
        self.accessors.push(part);
        self.accessors.len().saturating_sub(1)
    }

    fn channel(&mut self, samples: &'w Samples, path: &ChannelPath) -> (usize, usize) {
        let times = &samples.times;
        let input = match self.last {
            Some((last, input)) if Rc::ptr_eq(last, times) || last.identical(times) => input,
            _ => self.input(times),
        };
        self.last = Some((times, input));
        let (width, kind) = match path {
            ChannelPath::Rotation => (4, "VEC4"),
            ChannelPath::Weights => (1, "SCALAR"),
            _ => (3, "VEC3"),
        };
        let count = samples.output.len().checked_div(width).unwrap_or(0);
        (input, self.add(&samples.output, count, kind))
    }

    /// Returns the accessor of times; adds it if there is none.
    fn input(&mut self, times: &'w [f32]) -> usize {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(known) = self.times.get(&bits) {
            return *known;
        }
        let input = self.add(times, times.len(), "SCALAR");
        let ends = times.first().zip(times.last());
        if let (Some((first, last)), Some(part)) = (ends, self.accessors.get_mut(input)) {
            part.bounds = Some((vec![f64::from(*first)], vec![f64::from(*last)]));
        }
        self.times.insert(bits, input);
        input
    }

    pub(super) fn append_to(&self, out: &mut Vec<u8>) {
        self.blocks.iter().for_each(|numbers| wire::append(numbers, out));
    }
}

impl FileWriter<'_> {
    fn bytes(&self, container: Container) -> Result<Vec<u8>, WriteError> {
        let data = self.data();
        match container {
            Container::Glb => self.binary(&data),
            Container::Gltf => self.text(&data),
        }
    }

    fn binary(&self, data: &Data<'_>) -> Result<Vec<u8>, WriteError> {
        let mut json = self.json(data, None).into_bytes();
        write::pad(&mut json, b' ');
        let buffer = (data.length > 0).then_some(data.length);
        let mut out = write::binary(&json, buffer.into_iter())?;
        if let Some(length) = buffer {
            write::begin_chunk(Chunk::BIN, length, &mut out);
            data.append_to(&mut out);
        }
        Ok(out)
    }

    fn text(&self, data: &Data<'_>) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        memory::reserve(&mut bytes, data.length)?;
        data.append_to(&mut bytes);
        let uri = ["data:application/octet-stream;base64,", &write::base64(&bytes)].concat();
        Ok(self.json(data, Some(&uri)).into_bytes())
    }

    /// Lays out the numbers of all samplers, and the vertices of the meshes of blend shapes.
    fn data(&self) -> Data<'_> {
        let mut data = Data::of_clips(self.clips);
        if self.nodes.list.iter().any(|node| !node.shapes.is_empty()) {
            let vertices = data.add(&[0.0; 9], 3, "VEC3");
            if let Some(part) = data.accessors.get_mut(vertices) {
                // Vertices need a view of their own.
                part.view = usize::from(data.samplers > 0);
                part.offset = 0;
                part.bounds = Some((vec![0.0; 3], vec![0.0; 3]));
            }
            data.vertices = Some(vertices);
        }
        data
    }

    fn json(&self, data: &Data<'_>, uri: Option<&str>) -> String {
        let mut json = JsonText::default();
        json.object(|json| {
            json.name("asset").object(|json| {
                json.name("version").string("2.0");
                json.name("generator").string("inbetween");
            });
            self.print_scene(json);
            self.print_meshes(data, json);
            if self.clips.iter().any(|clip| !clip.channels.is_empty()) {
                json.name("animations").array(|json| {
                    let clips = self.clips.iter().zip(&data.channels);
                    for (clip, accessors) in clips.filter(|(clip, _)| !clip.channels.is_empty()) {
                        print_animation(clip, accessors, json);
                    }
                });
            }
            print_data(data, uri, json);
            self.print_extras(json);
        });
        json.into_string()
    }

    fn print_scene(&self, json: &mut JsonText) {
        let Some(root) = self.tree.root else { return };
        json.name("scene").index(0);
        json.name("scenes").array(|json| {
            json.object(|json| json.name("nodes").indices([root]));
        });
        json.name("nodes").array(|json| {
            for (node, children) in self.nodes.list.iter().zip(&self.tree.children) {
                node.print(children, json);
            }
        });
        if !self.tree.joints.is_empty() {
            json.name("skins").array(|json| {
                json.object(|json| {
                    json.name("joints").indices(self.tree.joints.iter().copied());
                    json.name("skeleton").index(root);
                });
            });
        }
    }

    /// Prints a mesh of one triangle without area for each node with blend shapes.
    fn print_meshes(&self, data: &Data<'_>, json: &mut JsonText) {
        let Some(vertices) = data.vertices else { return };
        let position = |json: &mut JsonText| {
            json.object(|json| json.name("POSITION").index(vertices));
        };
        json.name("meshes").array(|json| {
            for node in self.nodes.list.iter().filter(|node| !node.shapes.is_empty()) {
                json.object(|json| {
                    json.name("primitives").array(|json| {
                        json.object(|json| {
                            position(json.name("attributes"));
                            json.name("targets").array(|json| {
                                node.shapes.iter().for_each(|_| position(json));
                            });
                        });
                    });
                    json.name("extras").object(|json| {
                        json.name("targetNames").array(|json| {
                            node.shapes.iter().for_each(|shape| json.string(shape));
                        });
                        json.name("inbetween").object(|json| json.name("placeholder").bool(true));
                    });
                });
            }
        });
    }

    /// Prints the change of coordinates by which the file was made, and the clips without keys, which
    /// cannot be animations.
    fn print_extras(&self, json: &mut JsonText) {
        let is_empty = empty_clips(self.clips).next().is_none();
        if is_empty && self.mapped.is_none() {
            return;
        }
        own(json, |json| {
            if let Some(mapped) = &self.mapped {
                let root = self.tree.root.and_then(|root| self.nodes.list.get(root));
                let node = root.filter(|_| mapped.above).map(|node| &node.name);
                json.name("coordinates").object(|json| coordinates::print(mapped, node, json));
            }
            if is_empty {
                return;
            }
            print_empty_clips(self.clips, json.name("emptyClips"));
        });
    }
}

/// Returns the clips without keys, which cannot be animations, with their indices.
pub(super) fn empty_clips(clips: &[ClipPart]) -> impl Iterator<Item = (usize, &ClipPart)> {
    clips.iter().enumerate().filter(|(_, clip)| clip.channels.is_empty())
}

fn print_empty_clips(clips: &[ClipPart], json: &mut JsonText) {
    json.array(|json| {
        for (index, clip) in empty_clips(clips) {
            json.object(|json| {
                json.name("index").index(index);
                if let Some(name) = &clip.name {
                    json.name("name").string(name);
                }
                clip.extras.print(json);
            });
        }
    });
}

/// Returns the text of the clips without keys; `None` if there are none.
pub(super) fn extras(clips: &[ClipPart]) -> Option<String> {
    empty_clips(clips).next()?;
    let mut json = JsonText::default();
    print_empty_clips(clips, &mut json);
    Some(json.into_string())
}

/// Prints a clip with keys.
fn print_animation(clip: &ClipPart, accessors: &[(usize, usize)], json: &mut JsonText) {
    json.object(|json| {
        if let Some(name) = &clip.name {
            json.name("name").string(name);
        }
        json.name("channels").array(|json| {
            clip.channels.iter().enumerate().for_each(|(at, it)| it.print(at, json));
        });
        json.name("samplers").array(|json| {
            for (channel, accessors) in clip.channels.iter().zip(accessors) {
                print_sampler(&channel.samples, *accessors, json);
            }
        });
        if !clip.extras.is_empty() {
            own(json, |json| clip.extras.print(json));
        }
    });
}

/// Returns the texts of the clips with keys.
pub(super) fn animations(clips: &[ClipPart], channels: &[Vec<(usize, usize)>]) -> Vec<String> {
    let clips = clips.iter().zip(channels).filter(|(clip, _)| !clip.channels.is_empty());
    let texts = clips.map(|(clip, accessors)| {
        let mut json = JsonText::default();
        print_animation(clip, accessors, &mut json);
        json.into_string()
    });
    texts.collect()
}

impl ChannelPart {
    fn print(&self, sampler: usize, json: &mut JsonText) {
        json.object(|json| {
            json.name("sampler").index(sampler);
            json.name("target").object(|json| {
                json.name("node").index(self.node);
                json.name("path").string(self.path.name());
            });
        });
    }
}

fn print_sampler(samples: &Samples, (input, output): (usize, usize), json: &mut JsonText) {
    json.object(|json| {
        json.name("input").index(input);
        json.name("output").index(output);
        if samples.mode != Mode::Linear {
            json.name("interpolation").string(samples.mode.name());
        }
    });
}

/// Prints accessors, views and the buffer.
fn print_data(data: &Data<'_>, uri: Option<&str>, json: &mut JsonText) {
    if data.length == 0 {
        return;
    }
    json.name("accessors").array(|json| data.accessors.iter().for_each(|part| part.print(json)));
    json.name("bufferViews").array(|json| print_views(data, json));
    json.name("buffers").array(|json| {
        json.object(|json| {
            if let Some(uri) = uri {
                json.name("uri").string(uri);
            }
            json.name("byteLength").index(data.length);
        });
    });
}

impl AccessorPart {
    fn print(&self, json: &mut JsonText) {
        /// The type of `f32`.
        const FLOAT: usize = 5126;
        json.object(|json| {
            json.name("bufferView").index(self.view);
            if self.offset > 0 {
                json.name("byteOffset").index(self.offset);
            }
            json.name("componentType").index(FLOAT);
            json.name("count").index(self.count);
            json.name("type").string(self.kind);
            if let Some((min, max)) = &self.bounds {
                json.name("min").numbers(min.iter().copied());
                json.name("max").numbers(max.iter().copied());
            }
        });
    }
}

/// Prints the view of the samplers and that of the vertices.
fn print_views(data: &Data<'_>, json: &mut JsonText) {
    /// The usage of vertices.
    const ARRAY_BUFFER: usize = 34962;
    let vertices = data.vertices.map(|_| (data.samplers, 36, Some(ARRAY_BUFFER)));
    let samplers = (data.samplers > 0).then_some((0, data.samplers, None));
    for (offset, length, target) in samplers.into_iter().chain(vertices) {
        json.object(|json| {
            json.name("buffer").index(0);
            if offset > 0 {
                json.name("byteOffset").index(offset);
            }
            json.name("byteLength").index(length);
            if let Some(target) = target {
                json.name("target").index(target);
            }
        });
    }
}

impl super::nodes::NodePart {
    /// Uses the first value of a sampler as the rest pose if that is not known.
    pub(super) fn rest(&mut self, path: &ChannelPath, samples: &Samples) {
        let spline = samples.mode == Mode::Cubic;
        let start = if spline { samples.width } else { 0 };
        let end = start.saturating_add(samples.width);
        let Some(first) = samples.output.get(start..end) else { return };
        let mut numbers = first.iter().copied().map(f64::from);
        let mut next = |()| numbers.next().unwrap_or(0.0);
        match path {
            ChannelPath::Translation => {
                self.translation.get_or_insert_with(|| [(); 3].map(&mut next));
            }
            ChannelPath::Scale => {
                self.scale.get_or_insert_with(|| [(); 3].map(&mut next));
            }
            ChannelPath::Rotation => {
                self.rotation.get_or_insert_with(|| [(); 4].map(&mut next));
            }
            _ => {
                self.weights.get_or_insert_with(|| first.to_vec());
            }
        }
    }
}
