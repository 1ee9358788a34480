//! Converts the exact model to the common model.

use std::sync::{Arc, OnceLock};

use inbetween_core::{
    Animation, Budget, ClipReader, ClipSummary, Document, Finding, Findings, Looping, Mapped,
    Model, Neighbors, OldAnimations, Origin, Outcome, Path, PathStyle, ReadError, Segment,
    SharedFindings, Skeleton, Text, TrackSummary, codes as shared, counted, num,
};

use super::channels::ChannelReader;
use super::clip_extras::path_of;
use super::coordinates::{self, Noted};
use super::rest;
use crate::accessor::Accessors;
use crate::buffers::Buffers;
use crate::custom::CustomTrack;
use crate::file::GltfFile;
use crate::layout::{ID, OWN};
use crate::options::{CONTAINER, Gltf};
use crate::read::item;
use crate::scene::{ClipExtras, Scene};
use crate::{RULES, codes, custom};

/// The source of a clip.
#[derive(Clone, Copy, Debug)]
enum ClipSource {
    Animation(usize),
    /// A clip without keys, from the extras of the file.
    Empty(usize),
}

/// The clips of a file, one per animation, which are decoded one at a time.
#[derive(Debug)]
pub(crate) struct Clips<'a> {
    file: GltfFile<'a>,
    scene: Scene,
    /// The names of the parts that documents do not hold.
    other_parts: Vec<Text>,
    /// A unique name for each node.
    node_names: Vec<Text>,
    buffers: Buffers,
    skeleton: Option<Skeleton>,
    /// All nodes, if the file has other parts than animations.
    nodes: Option<Skeleton>,
    /// The change of coordinates by which the file was made.
    mapped: Option<Mapped>,
    names: Vec<Option<Text>>,
    order: Vec<ClipSource>,
    next: usize,
    findings: SharedFindings,
    file_findings: Vec<Finding>,
    neighbors: Option<Arc<dyn Neighbors>>,
    /// The file for writers, made on the first request.
    model: OnceLock<Arc<[u8]>>,
}

impl<'a> Clips<'a> {
    pub(crate) fn new(
        file: GltfFile<'a>,
        options: &Gltf,
        budget: &mut Budget,
    ) -> Result<Self, ReadError> {
        let mut scene = Scene::parse(&file, budget.limits())?;
        let buffers = Buffers::load(&file, &scene, options.neighbors(), budget)?;
        let mut limit = SharedFindings::new(budget.limits());
        let mut findings = limit.begin();
        if !file.trailing().is_empty() {
            let message = counted(file.trailing().len(), "byte");
            findings.push(Finding::new(shared::TRAILING_DROPPED, message));
        }
        let mapped = match coordinates::check(&mut scene) {
            Noted::Nothing => None,
            Noted::Holds(mapped) => Some(mapped),
            Noted::Outdated => {
                let message = "the node that it names is missing or was changed";
                findings.push(Finding::new(codes::COORDINATES_OUTDATED, message));
                None
            }
        };
        let node_names = scene.names(&mut findings);
        for skipped in core::mem::take(&mut scene.skipped) {
            findings.leave();
            findings.push(skipped);
        }
        findings.leave();
        let skeleton = rest::skeleton(&file, &scene, &node_names, &mut findings);
        let skeleton = skeleton.map_err(|fault| file.place(fault))?;
        let other_parts = other_parts(&mut scene);
        let nodes = if other_parts.is_empty() { None } else { rest::nodes(&scene, &node_names) };
        let order = order(&scene);
        let name = |source: &ClipSource| match *source {
            ClipSource::Animation(index) => scene.animations.get(index)?.name.clone(),
            ClipSource::Empty(index) => scene.empty_clips.get(index)?.1.clone(),
        };
        let names = order.iter().map(name).collect();
        file.resolve(findings.as_mut_slice());
        let file_findings = limit.end(findings);
        Ok(Self {
            findings: limit,
            file_findings,
            next: 0,
            file,
            node_names,
            buffers,
            skeleton,
            mapped,
            names,
            order,
            other_parts,
            nodes,
            scene,
            neighbors: options.shared_neighbors(),
            model: OnceLock::new(),
        })
    }

    /// Returns the parts of the file that animations need.
    pub(crate) const fn scene(&self) -> &Scene {
        &self.scene
    }

    fn read(
        &self,
        source: ClipSource,
        findings: &mut Findings,
        budget: &mut Budget,
    ) -> Result<Animation, ReadError> {
        let tracks = match source {
            ClipSource::Animation(index) => self.channels(budget).read(index, findings),
            ClipSource::Empty(_) => Ok(Vec::new()),
        };
        let tracks = tracks.map_err(|fault| self.file.place(fault))?;
        if let ClipSource::Animation(index) = source
            && let Some(animation) = self.scene.animations.get(index)
            && let Some(fault) = animation.fault(&self.file, item("animations", index, &[]))
        {
            findings.leave();
            findings.push(self.file.skipped("", fault));
        }
        let empty = ClipExtras::default();
        let extras = self.extras(source).unwrap_or(&empty);
        findings.enter(Path::field("markers"));
        if extras.has_foreign_times {
            let message = counted(extras.markers.len(), "marker");
            findings.push(Finding::new(codes::FOREIGN_TIMES, message));
        }
        let mut clip = describe(Animation::new(tracks), extras);
        let customs = match self.custom_tracks(source, extras, budget) {
            Err(error) if error.is_limit() => return Err(error),
            Err(error) => {
                findings.leave();
                findings.push(Finding::skipped("the custom tracks", &error));
                Vec::new()
            }
            Ok(customs) => customs,
        };
        clip.tracks = custom::merge(core::mem::take(&mut clip.tracks), customs);
        Ok(clip)
    }

    /// Summarizes the clips without decoding the keys of their channels.
    pub(crate) fn summarize(&self, budget: &mut Budget) -> Result<Vec<ClipSummary>, ReadError> {
        let mut clips = Vec::with_capacity(self.order.len());
        let empty = ClipExtras::default();
        for (&source, name) in self.order.iter().zip(&self.names) {
            let tracks = match source {
                ClipSource::Animation(index) => self.channels(budget).summarize(index),
                ClipSource::Empty(_) => Ok(Vec::new()),
            };
            let tracks = tracks.map_err(|fault| self.file.place(fault))?;
            let extras = self.extras(source).unwrap_or(&empty);
            let customs = match self.custom_tracks(source, extras, budget) {
                Err(error) if error.is_limit() => return Err(error),
                customs => customs.unwrap_or_default().into_iter(),
            };
            let customs = customs.map(|CustomTrack { index, track }| CustomTrack {
                index,
                track: TrackSummary::from(&track),
            });
            let mut clip = describe(Animation::default(), extras);
            clip.name.clone_from(name);
            let tracks = custom::merge(tracks, customs.collect());
            clips.push(ClipSummary {
                tracks,
                duration: None,
                first_key: None,
                ..ClipSummary::from(&clip)
            });
        }
        Ok(clips)
    }

    fn channels<'c>(&'c self, budget: &'c mut Budget) -> ChannelReader<'c, 'c> {
        let accessors = Accessors { file: &self.file, scene: &self.scene, buffers: &self.buffers };
        ChannelReader { accessors, names: &self.node_names, budget, checked: None }
    }

    fn extras(&self, source: ClipSource) -> Option<&ClipExtras> {
        match source {
            ClipSource::Animation(index) => Some(&self.scene.animations.get(index)?.extras),
            ClipSource::Empty(index) => Some(&self.scene.empty_clips.get(index)?.2),
        }
    }

    /// Returns the tracks that are not stored as channels.
    fn custom_tracks(
        &self,
        source: ClipSource,
        extras: &ClipExtras,
        budget: &mut Budget,
    ) -> Result<Vec<CustomTrack>, ReadError> {
        let Some(range) = extras.custom_tracks.clone() else { return Ok(Vec::new()) };
        let path = |track: usize| {
            let index = |index: usize| Segment::Index(num::u64_from_len(index));
            let own = ["extras", OWN].map(Segment::Field);
            let mut segments = match source {
                ClipSource::Animation(animation) => {
                    vec![Segment::Field("animations"), index(animation)]
                }
                ClipSource::Empty(_) => Vec::new(),
            };
            segments.extend(own);
            if let ClipSource::Empty(clip) = source {
                segments.extend([Segment::Field("emptyClips"), index(clip)]);
            }
            segments.extend([Segment::Field("tracks"), index(track)]);
            Path::new(PathStyle::JsonPointer, segments)
        };
        let customs = custom::read(&self.file, range, path, budget);
        customs.map_err(|fault| self.file.place(fault))
    }
}

/// Returns the clips in order: those without keys are at their original indices.
fn order(scene: &Scene) -> Vec<ClipSource> {
    let mut order = Vec::with_capacity(scene.animations.len());
    let mut empty: Vec<(usize, usize)> =
        scene.empty_clips.iter().enumerate().map(|(index, clip)| (clip.0, index)).collect();
    empty.sort_unstable();
    let mut empty = empty.into_iter().peekable();
    for animation in 0..scene.animations.len() {
        while let Some((_, index)) = empty.next_if(|(place, _)| *place <= order.len()) {
            order.push(ClipSource::Empty(index));
        }
        order.push(ClipSource::Animation(animation));
    }
    order.extend(empty.map(|(_, index)| ClipSource::Empty(index)));
    order
}

/// Applies the extras of a clip to it.
fn describe(clip: Animation, extras: &ClipExtras) -> Animation {
    let looping = if extras.looping { Looping::Loop } else { Looping::Once };
    let mut clip = clip
        .with_rules(RULES)
        .with_looping(looping)
        .with_markers(extras.markers.clone())
        .with_blend(extras.blend)
        .with_blend_overrides(extras.overrides.clone());
    clip.duration = extras.duration;
    clip.frame_rate = extras.frame_rate;
    if extras.tracks.is_empty() {
        return clip;
    }
    let blends: std::collections::HashMap<(&str, &str), _> =
        extras.tracks.iter().map(|(node, path, blend)| ((&**node, &**path), *blend)).collect();
    for track in &mut clip.tracks {
        let target = track.target();
        let node = target.node.as_deref().unwrap_or_default();
        let blend = blends.get(&(node, &*path_of(&target.property))).copied();
        track.set_blend(blend.unwrap_or_default());
    }
    clip
}

/// Returns the names of the parts of the scene that documents do not hold.
fn other_parts(scene: &mut Scene) -> Vec<Text> {
    let mut parts = core::mem::take(&mut scene.dropped);
    if scene.meshes.iter().any(|mesh| !mesh.is_placeholder) {
        parts.insert(0, "meshes".into());
    }
    parts
}

impl ClipReader for Clips<'_> {
    fn names(&self) -> &[Option<Text>] {
        &self.names
    }

    fn file_findings(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.file_findings)
    }

    fn without_clips(&self) -> Document {
        let origin = Origin::new(ID).with_option(CONTAINER, self.file.container().name());
        let mut origin = origin.with_scene(self.other_parts.clone());
        if !self.other_parts.is_empty() {
            let bytes = self.model.get_or_init(|| self.file.to_bytes().into());
            let (bytes, neighbors) = (Arc::clone(bytes), self.neighbors.clone());
            let (nodes, animations) = (self.nodes.clone(), OldAnimations::Replaced);
            origin.model = Some(Model { bytes, neighbors, nodes, animations });
        }
        let mut document = Document::default().with_origin(origin);
        document.skeleton.clone_from(&self.skeleton);
        document.mapped = self.mapped;
        document
    }

    fn skip(&mut self, clips: usize) {
        self.next = self.next.saturating_add(clips);
    }

    fn next_clip(&mut self, budget: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError> {
        let Some(&source) = self.order.get(self.next) else { return Ok(None) };
        let (clip, name) = (self.next, self.names.get(self.next).cloned().flatten());
        self.next = self.next.saturating_add(1);
        let mut findings = self.findings.begin();
        findings.enter_clip((self.names.len() > 1).then_some((clip, name.as_ref())));
        let mut clip = self.read(source, &mut findings, budget)?;
        self.file.resolve(findings.as_mut_slice());
        clip.name = name;
        let mut document = self.without_clips();
        document.clips.push(clip);
        Ok(Some(Outcome { value: document, findings: self.findings.end(findings) }))
    }
}
