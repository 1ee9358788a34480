//! Writes documents.

use std::collections::HashMap;
use std::rc::Rc;

use inbetween_core::frames::{Framer, choose_rate};
use inbetween_core::lower::{Lowering, translate_tracks};
use inbetween_core::{
    Animation, Baker, BlendReach, Budget, Document, Extent, Finding, Findings, FrameKeys, Grid,
    Looping, Marker, Narrowing, Outcome, Path, Property, Quat, Skeleton, Target, Text, Track,
    TrackData, Values, WriteError, Written, codes as core_codes, counted, dropped_track, num,
    shown,
};

use super::blend::{self, anim_type};
use super::bone::{Bone, Keys, channel, is_written};
use crate::RULES;
use crate::layout::{ID, LOOPED, presence};
use crate::{
    AnimType, Channel, NotePart, PRECISION_HIGH, Precision, Seanim, SeanimHeader, SeanimParts,
    ShapeKey, ShapePart, codes,
};

/// Converts a document with one clip.
pub(crate) fn from_document(
    document: Document,
    options: &Seanim,
    budget: &mut Budget,
) -> Result<Outcome<Written>, WriteError> {
    let mut findings = Findings::new(budget.limits());
    let has_parents = document.skeleton.as_ref().is_some_and(Skeleton::has_parents);
    let skeleton = document.skeleton.clone();
    let mut clip = document.into_single(ID, &mut findings)?;
    let rounded = codes::RATE_ROUNDED;
    let rate = choose_rate(&clip, options.rate(), is_written, rounded, &mut findings);
    let plays = clip.effective_duration();
    let path = |index| Path::item("tracks", index);
    let failed = |error| WriteError::from_track(ID, &error, path);
    let rules = (clip.rules, RULES);
    let tracks = translate_tracks(clip.tracks, rules, path, &mut findings);
    let baker = Baker::new(Grid::Frames(rate, FrameKeys::Needed), budget).for_target(RULES);
    let mut lowering = Lowering { baker, skeleton };
    let lowered = lowering.lower(tracks.map_err(failed)?, &mut findings).map_err(failed)?;
    clip.tracks = lowered.tracks;
    report_dropped(&clip, &mut findings);
    blend::restate(&mut clip, |place| lowered.origins.of(place), &mut findings);
    if has_parents && clip.rules.blend_reach == BlendReach::Node {
        blend::override_every_node(&mut clip, &mut findings);
    }
    let framer =
        Framer::new(ID, lowering, rate).resample(options.rate().is_some()).clock(clip.rules.clock);
    let mut builder = Builder {
        framer,
        precision: precision(&clip.tracks),
        findings,
        parts: SeanimParts::default(),
        bones: Vec::new(),
        names: HashMap::with_capacity(clip.tracks.len()),
        places: Vec::with_capacity(clip.tracks.len()),
        largest: None,
    };
    for (place, track) in clip.tracks.into_iter().enumerate() {
        let index = lowered.origins.of(place);
        builder.findings.begin_scope();
        builder.track(track, Path::item("tracks", index))?;
    }
    builder.findings.begin_scope();
    builder.markers(&clip.markers)?;
    builder.report_order();
    builder.fill_channels();
    let (bones, overrides) = (&builder.bones, &clip.blend_overrides);
    let modifiers = blend::modifiers(bones, clip.blend, overrides, &mut builder.findings);
    builder.parts.modifiers = modifiers;
    builder.header(&HeaderFields {
        rate,
        duration: clip.duration,
        looping: clip.looping,
        anim_type: anim_type(clip.blend).unwrap_or(AnimType::ABSOLUTE),
    })?;
    let mut extent = Extent::default();
    extent.add_clip(builder.parts.notes.len(), plays);
    builder.count_tracks(&mut extent);
    let bytes = builder.parts.to_bytes_with(&builder.bones)?;
    Ok(Outcome::new(Written::new(bytes, vec![extent]), builder.findings))
}

/// Returns the narrowest precision that holds all values of bones exactly.
fn precision(tracks: &[Track]) -> Precision {
    let double = tracks.iter().any(|track| {
        channel(&track.target().property).is_some()
            && matches!(track.data().values(), Values::Double3(_) | Values::DoubleQ(_))
    });
    if double { Precision::Double } else { Precision::Single }
}

/// Reports properties of the clip that the format does not support.
fn report_dropped(clip: &Animation, findings: &mut Findings) {
    // Formats that store a name for every clip use an empty one for "no name", so it is not a loss.
    if let Some(name) = clip.name.as_ref().filter(|name| !name.is_empty()) {
        let message = format!("\"{}\"", shown(name));
        findings.push(Finding::new(core_codes::NAME_DROPPED, message).at(Path::field("name")));
    }
    if anim_type(clip.blend).is_none() {
        let message = format!("{} becomes absolute", clip.blend.name());
        findings.push(Finding::new(core_codes::BLEND_DROPPED, message).at(Path::field("blend")));
    }
}

/// The header fields that come from the clip and not from its tracks.
struct HeaderFields {
    rate: f64,
    duration: Option<f64>,
    looping: Looping,
    anim_type: AnimType,
}

/// The parts under construction.
struct Builder<'l> {
    framer: Framer<'l>,
    precision: Precision,
    findings: Findings,
    /// The file without its bones.
    parts: SeanimParts,
    bones: Vec<Bone>,
    /// The bone for each name; later tracks of the same name join it.
    names: HashMap<Text, usize>,
    /// The bone or shape of each track, in the order of the tracks; shapes come after all bones.
    places: Vec<(usize, Option<Channel>)>,
    /// The largest frame of all tracks and notes so far. The frames of a track are sorted.
    largest: Option<u32>,
}

impl Builder<'_> {
    /// Returns the numbers of channels and shapes, including those without keys.
    fn count_tracks(&self, extent: &mut Extent) {
        self.bones.iter().flat_map(Bone::lengths).for_each(|keys| extent.add_track(keys));
        for shape in self.parts.blend_shapes.iter().flatten() {
            extent.add_track(shape.keys.len());
        }
    }

    fn track(&mut self, track: Track, path: Path) -> Result<(), WriteError> {
        let (target, data) = track.into_parts();
        match &target.property {
            Property::Weight(shape) => {
                let shape = shape.clone();
                self.shape(&shape, &target, data, &path)
            }
            property => {
                if let Some(channel) = channel(property) {
                    return self.channel(channel, &target, data, &path);
                }
                self.findings.push(dropped_track(&target, &data, path));
                Ok(())
            }
        }
    }

    fn channel(
        &mut self,
        channel: Channel,
        target: &Target,
        data: TrackData,
        path: &Path,
    ) -> Result<(), WriteError> {
        let node = target.node.clone().unwrap_or_else(|| {
            let finding = Finding::new(core_codes::NULL_TEXT, "the node is \"\"");
            self.findings.push(finding.at(path.clone()));
            Text::from("")
        });
        let (frames, values) = self.framer.frames(data, path, &mut self.findings)?;
        self.largest = self.largest.max(frames.last().copied());
        self.parts.header.presence |= channel.bit();
        let kind = values.kind();
        let keys = Keys { frames, values: at_precision(values, self.precision) };
        if keys.values.kind() != kind {
            let message = format!("{kind} became {}", keys.values.kind());
            self.findings.push(Finding::new(codes::VALUES_WIDENED, message).at(path.clone()));
        }
        self.put(node, channel, keys);
        Ok(())
    }

    /// Adds a channel to the last bone of its name, or to a new bone if that one already has the
    /// channel.
    fn put(&mut self, node: Text, channel: Channel, keys: Keys) {
        let bones = &mut self.bones;
        let next = bones.len();
        let lacks = |bone: &Bone| bone.channel(channel).is_none();
        // Tracks of a bone usually follow each other, which saves most lookups.
        let before = self.places.last().map(|(bone, _)| *bone).filter(|&before| {
            bones.get(before).is_some_and(|bone| bone.name == node && lacks(bone))
        });
        let bone = before.unwrap_or_else(|| {
            let last = self.names.entry(node.clone()).or_insert(next);
            if !bones.get(*last).is_some_and(lacks) {
                *last = next;
            }
            *last
        });
        if bone == next {
            bones.push(Bone::new(node));
        }
        if let Some(bone) = bones.get_mut(bone) {
            *bone.channel_mut(channel) = Some(keys);
        }
        self.places.push((bone, Some(channel)));
    }

    fn shape(
        &mut self,
        shape: &str,
        target: &Target,
        data: TrackData,
        path: &Path,
    ) -> Result<(), WriteError> {
        if let Some(node) = target.node.as_deref() {
            let message = format!("node \"{}\"", shown(node));
            self.findings.push(Finding::new(codes::SHAPE_NODE_DROPPED, message).at(path.clone()));
        }
        let (frames, values) = self.framer.frames(data, path, &mut self.findings)?;
        self.largest = self.largest.max(frames.last().copied());
        let weights = self.weights(values, path);
        let keys = frames.iter().copied().zip(weights);
        let keys = keys.map(|(frame, weight)| ShapeKey { frame, weight, unused: [0.0; 2] });
        let part = ShapePart { name: shape.as_bytes().to_vec(), keys: keys.collect() };
        self.parts.blend_shapes.get_or_insert_default().push(part);
        self.places.push((usize::MAX, None));
        Ok(())
    }

    /// Converts weights to `f32`, and reports those that change.
    fn weights(&mut self, values: Values, path: &Path) -> Vec<f32> {
        match values {
            Values::Float(weights) => weights,
            Values::Double(weights) => {
                let mut narrowing = Narrowing::default();
                let narrow = |wide: &f64| narrowing.number(*wide);
                let narrow: Vec<f32> = weights.iter().map(narrow).collect();
                if !narrowing.changes() && !weights.is_empty() {
                    let message = "double weights became float, and did not change";
                    let finding = Finding::new(core_codes::KIND_CHANGED, message);
                    self.findings.push(finding.at(path.clone()));
                }
                self.findings.extend(narrowing.findings("weights", path));
                narrow
            }
            // `Track` has checked that a weight track holds numbers.
            _ => Vec::new(),
        }
    }

    fn markers(&mut self, markers: &[Marker]) -> Result<(), WriteError> {
        for (index, marker) in markers.iter().enumerate() {
            let path = Path::item("markers", index);
            if marker.time < 0.0 {
                self.findings.add(core_codes::NEGATIVE_TIMES_CUT, || {
                    let message = format!("a marker at {} s moved to 0", marker.time);
                    Finding::new(core_codes::NEGATIVE_TIMES_CUT, message).at(path.clone())
                });
            } else if !self.framer.on_grid(marker.time) {
                self.findings.add(core_codes::KEYS_OFF_GRID, || {
                    let message = format!("a marker at {} s", marker.time);
                    Finding::new(core_codes::KEYS_OFF_GRID, message).at(path.clone())
                });
            }
            let frame = self.framer.frame(marker.time, &path)?;
            self.report_rounded(marker.time, frame, &path);
            self.largest = self.largest.max(Some(frame));
            self.parts.notes.push(NotePart { frame, name: marker.name.as_bytes().to_vec() });
        }
        if !markers.is_empty() {
            self.parts.header.presence |= presence::NOTES;
        }
        Ok(())
    }

    fn report_order(&mut self) {
        if !self.places.is_sorted() {
            let message = "the channels of a bone are grouped, in the order of the format";
            self.findings.push(Finding::new(core_codes::TRACKS_REORDERED, message));
        }
    }

    /// Gives every bone an empty channel that another bone has, as the format requires.
    fn fill_channels(&mut self) {
        let mut filled: u64 = 0;
        for bone in &mut self.bones {
            for channel in Channel::ALL {
                let keys = bone.channel_mut(channel);
                if self.parts.header.presence & channel.bit() != 0 && keys.is_none() {
                    let values = Values::empty(channel.kind(self.precision));
                    *keys = Some(Keys { frames: Rc::default(), values });
                    filled = filled.saturating_add(1);
                }
            }
        }
        if filled > 0 {
            let message = format!("{} without keys", counted(filled, "channel"));
            self.findings.push(Finding::new(codes::CHANNELS_FILLED, message));
        }
    }

    /// Reports a key on a frame whose time in seconds does not survive a round trip.
    fn report_rounded(&mut self, time: f64, frame: u32, path: &Path) {
        if time >= 0.0 && time != f64::from(frame) / self.framer.rate() && self.framer.on_grid(time)
        {
            self.findings.add(core_codes::TIMES_ROUNDED, || {
                let message = format!("{time} s is within rounding of frame {frame}");
                Finding::new(core_codes::TIMES_ROUNDED, message).at(path.clone())
            });
        }
    }

    /// Returns the last frame that the stated duration requires, and reports a duration that the
    /// file cannot store.
    fn last_frame(&mut self, duration: Option<f64>, path: &Path) -> Result<u32, WriteError> {
        let keys = self.largest.unwrap_or(0);
        let stated = duration.filter(|duration| *duration >= 0.0);
        let frame = self.framer.frame(stated.unwrap_or(0.0), path)?;
        self.findings.begin_scope();
        match (duration, stated) {
            (Some(given), None) => {
                let finding = Finding::new(core_codes::DURATION_CHANGED, format!("{given} s"));
                self.findings.push(finding.at(path.clone()));
            }
            (_, Some(stated)) if frame >= keys && !self.framer.on_grid(stated) => {
                let message = format!("{stated} s is not an integer number of frames");
                let finding = Finding::new(core_codes::DURATION_CHANGED, message);
                self.findings.push(finding.at(path.clone()));
            }
            (_, Some(stated)) if frame >= keys => self.report_rounded(stated, frame, path),
            _ => {
                let message = format!("the last key is on frame {keys}");
                let finding = Finding::new(core_codes::DURATION_EXTENDED, message);
                self.findings.push(finding.at(path.clone()));
            }
        }
        Ok(frame.max(keys))
    }

    fn header(&mut self, fields: &HeaderFields) -> Result<(), WriteError> {
        let path = Path::field("duration");
        let last = self.last_frame(fields.duration, &path)?;
        let frame_count = last.checked_add(1).ok_or_else(|| {
            let what = format!("a key on frame {last}");
            WriteError::not_representable(ID, what, "frames go up to 4294967294").at_path(path)
        })?;
        let property = match self.precision {
            Precision::Single => 0,
            Precision::Double => PRECISION_HIGH,
        };
        self.parts.header = SeanimHeader {
            anim_type: fields.anim_type,
            anim_flags: if fields.looping == Looping::Loop { LOOPED } else { 0 },
            presence: self.parts.header.presence,
            property,
            framerate: num::f32_from_f64(fields.rate),
            frame_count,
            ..SeanimHeader::default()
        };
        Ok(())
    }
}

/// Returns values at the precision of the file; widening is exact.
fn at_precision(values: Values, precision: Precision) -> Values {
    match (values, precision) {
        (Values::Float3(column), Precision::Double) => {
            Values::Double3(column.into_iter().map(|value| value.map(f64::from)).collect())
        }
        (Values::FloatQ(column), Precision::Double) => {
            Values::DoubleQ(column.into_iter().map(Quat::<f64>::from).collect())
        }
        (values, _) => values,
    }
}
