//! Converts the exact model to the common model.

use std::collections::{HashMap, HashSet};

use inbetween_core::frames::DEFAULT_RATE;
use inbetween_core::{
    Animation, Axis, Blend, Budget, ClipReader, Context, Coordinates, Document, Finding, Findings,
    Looping, Marker, Origin, Outcome, Path, Property, ReadError, SharedFindings, Skeleton, Target,
    Text, Track, TrackData, ValueKind, ancestors_first, codes as shared, shown,
};

use super::COORDINATES;
use super::animations::animations;
use super::blend::{Kind, Modes};
use super::curves::{CurveReader, Names};
use super::dropped;
use super::skeleton::{Skeletons, lists_names};
use crate::codes;
use crate::curve::{self, Frames};
use crate::file::{CastFile, CastNode};
use crate::layout::{ID, NodeId};
use crate::names::{self, show};
use crate::options::Cast;
use crate::value::PropertyValues;

/// The clips of a file, one per animation, which are decoded one at a time.
#[derive(Debug)]
pub(crate) struct Clips<'a> {
    file: CastFile<'a>,
    /// The frame rate of animations that state none.
    rate: Option<f64>,
    findings: SharedFindings,
    file_findings: Vec<Finding>,
    skeleton: Option<Skeleton>,
    /// The names of the parts of the scene that documents do not hold.
    scene: Vec<Text>,
    /// The coordinates of the file, if they are not those of the format.
    coordinates: Option<Coordinates>,
    names: Vec<Option<Text>>,
    /// The indices of the nodes of the animations.
    animations: Vec<usize>,
    next: usize,
}

impl<'a> Clips<'a> {
    /// Opens a file, and reports the errors of its broken animations.
    ///
    /// # Errors
    ///
    /// If the skeletons exceed the budget.
    pub(crate) fn new(
        (file, broken): (CastFile<'a>, Vec<ReadError>),
        options: &Cast,
        budget: &mut Budget,
    ) -> Result<Self, ReadError> {
        let mut context = Context::new(budget);
        for error in &broken {
            context.findings.enter(error.path().clone());
            context.findings.push(Finding::skipped("an animation", error));
        }
        context.findings.leave();
        let skeletons = Skeletons::read(&file, &mut context)?;
        let scene = dropped::report_file(&file, &skeletons, &mut context.findings);
        let findings = context.findings;
        let mut limit = SharedFindings::new(budget.limits());
        let clips_of_file = || animations(&file);
        let mut indices = Vec::with_capacity(clips_of_file().count());
        indices.extend(clips_of_file().map(|node| node.index()));
        let names = clips_of_file().map(|node| node.string("n").map(|name| names::text(name).0));
        Ok(Self {
            file_findings: limit.end(findings),
            findings: limit,
            skeleton: skeletons.skeleton,
            scene,
            coordinates: coordinates(&file),
            rate: options.rate(),
            names: names.collect(),
            animations: indices,
            next: 0,
            file,
        })
    }
}

impl ClipReader for Clips<'_> {
    fn names(&self) -> &[Option<Text>] {
        &self.names
    }

    fn without_clips(&self) -> Document {
        let mut document = Document::default();
        let mut origin = Origin::new(ID).with_scene(self.scene.clone());
        origin.coordinates = self.coordinates;
        document.origin = Some(origin);
        document.skeleton.clone_from(&self.skeleton);
        document
    }

    fn file_findings(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.file_findings)
    }

    fn skip(&mut self, clips: usize) {
        self.next = self.next.saturating_add(clips);
    }

    fn next_clip(&mut self, budget: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError> {
        let clip = self.next;
        let (Some(&index), Some(name)) = (self.animations.get(clip), self.names.get(clip)) else {
            return Ok(None);
        };
        self.next = clip.saturating_add(1);
        let mut context = Context { budget, findings: self.findings.begin() };
        let many = self.animations.len() > 1;
        context.findings.enter_clip(many.then_some((clip, name.as_ref())));
        let Some(node) = self.file.node(index) else { return Ok(None) };
        let options = (self.rate, self.skeleton.as_ref());
        let mut animation = read_clip(&self.file, &node, options, &mut context)?;
        animation.name.clone_from(name);
        let mut document = self.without_clips();
        document.clips.push(animation);
        let findings = self.findings.end(context.findings);
        Ok(Some(Outcome { value: document, findings }))
    }
}

/// Returns the coordinates of a file whose metadata names another axis than Z as up. Blender's add-on
/// names Y although its data has Z up.
fn coordinates(file: &CastFile<'_>) -> Option<Coordinates> {
    let metadata = file.nodes().find(|node| node.id() == NodeId::METADATA)?;
    let is_blender = |software: &[u8]| {
        software.to_ascii_lowercase().windows(b"blender".len()).any(|part| part == b"blender")
    };
    let up = match metadata.string("up")? {
        b"x" | b"X" => Axis::X,
        b"y" | b"Y" if !metadata.string("s").is_some_and(is_blender) => Axis::Y,
        _ => return None,
    };
    Some(Coordinates { up: Some(up), ..COORDINATES })
}

fn read_clip(
    file: &CastFile<'_>,
    node: &CastNode<'_>,
    (rate, skeleton): (Option<f64>, Option<&Skeleton>),
    context: &mut Context<'_>,
) -> Result<Animation, ReadError> {
    // The node borrows the file, whose lifetime parameter is longer than this borrow.
    let Some(node) = file.node(node.index()) else { return Ok(Animation::default()) };
    let rate = frame_rate(&node, rate, &mut context.findings);
    let mut reader = CurveReader { rate, context, names: Names::default(), tracks: Vec::new() };
    reader.read(&node)?;
    let mut tracks = reader.tracks;
    context.findings.leave();
    report_name(&node, &mut context.findings);
    apply_overrides(&node, skeleton, &mut tracks, &mut context.findings);
    let modes = common_modes(&tracks);
    add_names(&node, &mut tracks);
    let markers = markers(&node, rate, context)?;
    let looping = match node.property("lo").map(|property| property.values()) {
        Some(PropertyValues::U8(view)) if view.get(0).is_some_and(|flag| flag != 0) => {
            Looping::Loop
        }
        _ => Looping::Once,
    };
    let mut clip = Animation::new(tracks)
        .with_rules(crate::RULES)
        .with_frame_rate(rate)
        .with_looping(looping)
        .with_markers(markers);
    // Not through `with_blend`, which would also change the blend of the tracks.
    (clip.blend, clip.blend_overrides) = (modes.clip, modes.overrides);
    let end = clip.effective_duration();
    Ok(clip.with_duration(end))
}

/// Returns the frame rate used to compute times.
fn frame_rate(node: &CastNode<'_>, rate: Option<f64>, findings: &mut Findings) -> f64 {
    let stated = match node.property("fr").map(|property| property.values()) {
        Some(PropertyValues::F32(view)) => view.get(0).map(f64::from),
        _ => None,
    };
    if let Some(stated) = stated.filter(|rate| rate.is_finite() && *rate > 0.0) {
        return stated;
    }
    let taken = rate.unwrap_or(DEFAULT_RATE);
    let found = stated.map_or_else(|| "no frame rate".to_owned(), |rate| format!("{rate} fps"));
    let finding = Finding::new(shared::FRAME_RATE_REPLACED, format!("{found}, {taken} is used"));
    findings.push(finding.at(Path::item("nodes", node.index())));
    taken
}

fn report_name(node: &CastNode<'_>, findings: &mut Findings) {
    let Some(name) = node.string("n") else { return };
    if let (text, names::Encoding::Latin1) = names::text(name) {
        let finding = Finding::new(shared::NAME_REENCODED, format!("read as \"{}\"", shown(&text)));
        findings.push(finding.at(Path::item("nodes", node.index())));
    }
}

/// The modes that overrides give to translations, rotations and scales.
type Overrides = [Option<Blend>; 3];

/// Applies overrides to tracks: that of the node, otherwise that of its nearest ancestor with one.
fn apply_overrides(
    node: &CastNode<'_>,
    skeleton: Option<&Skeleton>,
    tracks: &mut [Track],
    findings: &mut Findings,
) {
    let mut modes: HashMap<Text, Overrides> = HashMap::new();
    for each in node.children_of(NodeId::CURVE_MODE_OVERRIDE) {
        let blend = curve::mode(each.string("m").unwrap_or_default());
        let (Some(bone), Some(blend)) = (each.string("nn"), blend) else {
            let code = shared::OVERRIDE_DROPPED;
            let mode = show(each.string("m").unwrap_or_default());
            findings.add(code, || {
                Finding::new(code, format!("an override with the mode {mode}"))
                    .at(Path::item("nodes", each.index()))
            });
            continue;
        };
        let code = codes::OVERRIDE_SCOPE;
        findings.add(code, || {
            Finding::new(code, format!("an override of node {}", show(bone)))
                .at(Path::item("nodes", each.index()))
        });
        let slots = modes.entry(names::text(bone).0).or_default();
        for (slot, flag) in slots.iter_mut().zip(["ot", "or", "os"]) {
            let values = each.property(flag).map(|property| property.values());
            if matches!(values, Some(PropertyValues::U8(view)) if view.get(0).is_some_and(|on| on != 0))
            {
                *slot = Some(blend);
            }
        }
    }
    if modes.is_empty() {
        return;
    }
    let inherited = skeleton.map(|skeleton| inherited(skeleton, &modes)).unwrap_or_default();
    for track in tracks {
        let target = track.target();
        let bone = |node: &Text| inherited.get(skeleton?.index(node)?);
        let own = target.node.as_ref().and_then(|node| bone(node).or_else(|| modes.get(node)));
        let kind = Kind::of(&target.property);
        let slot = own.and_then(|slots| slots.get(kind?.index()).copied().flatten());
        if let Some(blend) = slot {
            track.set_blend(blend);
        }
    }
}

/// Returns the override that applies to each bone of a skeleton.
fn inherited(skeleton: &Skeleton, modes: &HashMap<Text, Overrides>) -> Vec<Overrides> {
    let count = skeleton.bones().len();
    let mut inherited = vec![Overrides::default(); count];
    for index in ancestors_first(count, |bone| skeleton.parent(bone)) {
        let own = skeleton.bones().get(index).and_then(|bone| modes.get(&bone.node));
        let mut slots = own.copied().unwrap_or_default();
        let above = skeleton.parent(index).and_then(|parent| inherited.get(parent));
        for (slot, above) in slots.iter_mut().zip(above.copied().unwrap_or_default()) {
            *slot = slot.or(above);
        }
        if let Some(reached) = inherited.get_mut(index) {
            *reached = slots;
        }
    }
    inherited
}

/// Derives the blend modes of the clip and its nodes from the modes of its curves.
fn common_modes(tracks: &[Track]) -> Modes {
    let unnamed = Text::from("");
    let kinds = tracks.iter().filter_map(|track| {
        let target = track.target();
        let kind = Kind::of(&target.property)?;
        Some((target.node.as_ref().unwrap_or(&unnamed), kind, target.blend))
    });
    Modes::of(kinds)
}

/// Adds a track without keys for each bone without curves, if a skeleton of the animation is only a
/// list of names.
fn add_names(node: &CastNode<'_>, tracks: &mut Vec<Track>) {
    let skeletons = node.children_of(NodeId::SKELETON).filter(lists_names);
    let mut bones = skeletons.flat_map(|skeleton| skeleton.children_of(NodeId::BONE)).peekable();
    if bones.peek().is_none() {
        return;
    }
    let mut known: HashSet<Text> =
        tracks.iter().filter_map(|track| track.target().node.clone()).collect();
    for bone in bones {
        let (name, _) = names::text(bone.string("n").unwrap_or_default());
        if known.insert(name.clone()) {
            let empty = TrackData::empty(ValueKind::Float3);
            tracks.extend(Track::new(Target::new(name, Property::Translation), empty));
        }
    }
}

/// Reads the notifications sorted by frame; those on one frame stay in the order of the file.
fn markers(
    node: &CastNode<'_>,
    rate: f64,
    context: &mut Context<'_>,
) -> Result<Vec<Marker>, ReadError> {
    let notes = || {
        node.children_of(NodeId::NOTIFICATION_TRACK).filter_map(|note| {
            let frames = Frames::of(&note.property("kb")?)?;
            Some((note, frames))
        })
    };
    let count = notes().map(|(_, frames)| frames.len()).fold(0, usize::saturating_add);
    let bytes = count.saturating_mul(size_of::<Marker>());
    context.budget.charge_bytes(bytes).map_err(|error| error.in_format(ID))?;
    let mut markers: Vec<Marker> = Vec::with_capacity(count);
    for (note, frames) in notes() {
        let (name, encoding) = names::text(note.string("n").unwrap_or_default());
        if encoding == names::Encoding::Latin1 {
            context.findings.add(shared::NAME_REENCODED, || {
                Finding::new(shared::NAME_REENCODED, format!("read as \"{}\"", shown(&name)))
                    .at(Path::item("nodes", note.index()))
            });
        }
        markers.extend(
            frames.iter().map(|frame| Marker { time: f64::from(frame) / rate, name: name.clone() }),
        );
    }
    markers.sort_by(|one, other| one.time.total_cmp(&other.time));
    Ok(markers)
}
