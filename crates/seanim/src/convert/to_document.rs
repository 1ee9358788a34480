//! Converts the exact model to the common model.

use inbetween_core::frames::DEFAULT_RATE;
use inbetween_core::keys::KeyOrder;
use inbetween_core::{
    Animation, BlendMode, BlendOverride, Budget, ClipSummary, Context, Document, Finding, Findings,
    Identical, Interpolation, Interpolations, Looping, Marker, Origin, Outcome, Path, Property,
    ReadError, Shape, Target, Text, Track, TrackData, TrackSummary, ValueKind, Values,
    codes as shared, num, shown,
};

use super::bone::property;
use crate::layout::{ID, LOOPED, presence};
use crate::{
    AnimType, Channel, Custom, ModifierPolicy, Seanim, SeanimFile, SeanimHeader, ShapeKey, codes,
    names,
};

/// Converts a file; `options` supplies the frame rate if that of the file is invalid.
pub(crate) fn to_document(
    file: &SeanimFile<'_>,
    options: &Seanim,
    budget: &mut Budget,
) -> Result<Outcome<Document>, ReadError> {
    let mut context = Context::new(budget);
    report_dropped(file, &mut context.findings);
    let rate = frame_rate(&file.header, options, &mut context.findings);
    let mut reader = Reader { rate, context, tracks: Vec::new(), end: 0.0 };
    let modes = file.resolve_modifiers(ModifierPolicy::BoneOnly, |_| None);
    reader.bones(file, &modes)?;
    reader.shapes(file)?;
    let markers = reader.markers(file)?;
    let blend_overrides = reader.modifiers(file);
    report_frame_count(file, &mut reader);
    let mut clip = Animation::new(reader.tracks)
        .with_rules(crate::RULES)
        .with_duration(reader.end.max(stated_duration(&file.header, rate)))
        .with_frame_rate(rate)
        .with_looping(looping(&file.header))
        .with_markers(markers);
    // Not by `with_blend`: bones that share a name may have different modifiers.
    clip.blend = BlendMode::from(file.header.anim_type);
    clip.blend_overrides = blend_overrides;
    let document = Document::single(clip).with_origin(Origin::new(ID));
    Ok(Outcome::new(document, reader.context.findings))
}

/// Returns the contents of a file without decoding its keys. The stated duration is that of
/// frameCount, even if keys are later.
pub(crate) fn summarize(
    file: &SeanimFile<'_>,
    options: &Seanim,
    budget: &mut Budget,
) -> Result<ClipSummary, ReadError> {
    let mut context = Context::new(budget);
    let rate = frame_rate(&file.header, options, &mut context.findings);
    let mut reader = Reader { rate, context, tracks: Vec::new(), end: 0.0 };
    let mut tracks = Vec::new();
    for bone in file.bones() {
        let node = names::text(bone.name()).0;
        for channel in Channel::ALL {
            let Some(keys) = bone.keys(channel) else { continue };
            let target = Target::of(Some(node.clone()), property(channel));
            let kind = channel.kind(file.layout.precision);
            tracks.push(TrackSummary::new(&target, (kind, Shape::CURVE), keys.len()));
        }
    }
    for shape in file.blend_shapes().into_iter().flatten() {
        let target = Target::of(None, Property::Weight(names::text(shape.name()).0));
        tracks.push(TrackSummary::new(
            &target,
            (ValueKind::Float, Shape::CURVE),
            shape.keys().len(),
        ));
    }
    Ok(ClipSummary {
        name: None,
        duration: None,
        first_key: None,
        stated_duration: Some(stated_duration(&file.header, rate)),
        frame_rate: Some(rate),
        looping: looping(&file.header),
        blend: BlendMode::from(file.header.anim_type),
        tracks,
        markers: reader.markers(file)?,
    })
}

/// Returns the time of the last frame of frameCount, in seconds.
fn stated_duration(header: &SeanimHeader, rate: f64) -> f64 {
    f64::from(header.frame_count.saturating_sub(1)) / rate
}

const fn looping(header: &SeanimHeader) -> Looping {
    if header.anim_flags & LOOPED == 0 { Looping::Once } else { Looping::Loop }
}

/// Returns the frame rate used to compute times.
fn frame_rate(header: &SeanimHeader, options: &Seanim, findings: &mut Findings) -> f64 {
    let stated = f64::from(header.framerate);
    if stated.is_finite() && stated > 0.0 {
        return stated;
    }
    let rate = options.rate().unwrap_or(DEFAULT_RATE);
    let message = format!("{stated} frames per second, using {rate}");
    findings.push(Finding::new(shared::FRAME_RATE_REPLACED, message).at(Path::field("framerate")));
    rate
}

/// Reports data that the common model does not support.
fn report_dropped(file: &SeanimFile<'_>, findings: &mut Findings) {
    let header = file.header();
    if !file.header_extra().is_empty() {
        let message = format!("{} bytes", file.header_extra().len());
        let finding = Finding::new(codes::HEADER_EXTRA_DROPPED, message);
        findings.push(finding.at(Path::field("headerSize")));
    }
    if let Some(what) = header.reserved_bits() {
        findings.push(Finding::new(shared::RESERVED_DROPPED, what));
    }
    if let Custom::Present(bytes) = file.custom() {
        let message = format!("{} bytes", bytes.len());
        findings.push(Finding::new(codes::CUSTOM_DROPPED, message).at(Path::field("custom")));
    }
    if !file.trailing().is_empty() {
        let message = format!("{} bytes", file.trailing().len());
        findings.push(Finding::new(shared::TRAILING_DROPPED, message));
    }
    for (index, bone) in file.bones().enumerate().filter(|(_, bone)| bone.flags() != 0) {
        findings.add(codes::BONE_FLAGS_DROPPED, || {
            let message = format!("flags {} of bone {}", bone.flags(), names::show(bone.name()));
            Finding::new(codes::BONE_FLAGS_DROPPED, message)
                .at(Path::item("bones", index).then("flags"))
        });
    }
    if header.presence & presence::BONES == 0 && file.bone_count() > 0 {
        let finding = Finding::new(codes::BONES_DROPPED, "bones without channels");
        let count = num::u64_from_len(file.bone_count());
        findings.push(finding.at(Path::field("bones")).count(count));
    }
    report_unused(file, findings);
}

/// Reports settings of data that the file does not contain.
fn report_unused(file: &SeanimFile<'_>, findings: &mut Findings) {
    let header = file.header();
    let mut say = |message: &'static str, field| {
        let finding = Finding::new(codes::UNUSED_DROPPED, message);
        findings.push(finding.at(Path::field(field)));
    };
    let boneless = header.presence & presence::BONES == 0 || file.bone_count() == 0;
    if boneless && header.property & crate::PRECISION_HIGH != 0 {
        say("64-bit values for bones, but there are no bones", "dataPropertyFlags");
    }
    if file.blend_shapes().is_some_and(|shapes| shapes.len() == 0) {
        say("an empty list of blend shapes", "blend_shapes");
    }
}

/// Reports a frameCount that will be written differently.
fn report_frame_count(file: &SeanimFile<'_>, reader: &mut Reader) {
    let stated = file.header.frame_count;
    // Times are quotients of frames, so rounding the product restores the frame exactly.
    let largest = num::frame_from_f64(reader.end * reader.rate).unwrap_or(u32::MAX);
    let written = stated.max(largest.saturating_add(1));
    if stated != written {
        let finding =
            Finding::new(codes::FRAME_COUNT_CHANGED, format!("{stated} becomes {written}"));
        reader.context.findings.push(finding.at(Path::field("frameCount")));
    }
}

/// The tracks under construction.
struct Reader<'b> {
    rate: f64,
    context: Context<'b>,
    tracks: Vec<Track>,
    /// The largest time of a key or note so far, in seconds.
    end: f64,
}

impl Reader<'_> {
    /// Creates the tracks of the bones. A file has no parent links, so a modifier affects only its
    /// own bone; resolving the clip applies it to descendants.
    fn bones(&mut self, file: &SeanimFile<'_>, modes: &[AnimType]) -> Result<(), ReadError> {
        let channels = Channel::ALL.iter().filter(|each| file.header.presence & each.bit() != 0);
        self.tracks.reserve_exact(file.bone_count().saturating_mul(channels.count()));
        for ((index, bone), mode) in file.bones().enumerate().zip(modes) {
            let mode = BlendMode::from(*mode);
            self.context.findings.enter(Path::item("bones", index));
            let node = self.text(bone.name(), || Path::item("bones", index).then("name"));
            for channel in Channel::ALL {
                let Some(keys) = bone.keys(channel) else { continue };
                let property = property(channel);
                let blend = mode.of(&property);
                let target = Target { blend, ..Target::of(Some(node.clone()), property) };
                self.context.findings.name_track(self.tracks.len(), &target);
                let path = || Path::item("bones", index).then(channel.name());
                self.charge(keys.len(), channel.kind(file.layout.precision))?;
                let rate = self.rate;
                let seconds = |frame: u32| f64::from(frame) / rate;
                let time = |index: usize| keys.frame(index).map_or(f64::NAN, seconds);
                let (times, values) = keys.decode_columns(seconds);
                let (order, values) = KeyOrder::of_columns(times, values, time);
                order.report(&mut self.context.findings);
                let decoded = || keys.decode_values(order.indices());
                let values = values.unwrap_or_else(decoded);
                self.track(target, order.into_times(time), values, path)?;
            }
        }
        Ok(())
    }

    fn shapes(&mut self, file: &SeanimFile<'_>) -> Result<(), ReadError> {
        for (index, shape) in file.blend_shapes().into_iter().flatten().enumerate() {
            let path = || Path::item("blend_shapes", index);
            self.context.findings.enter(path());
            let name = self.text(shape.name(), || path().then("name"));
            let target = Target::of(None, Property::Weight(name));
            self.context.findings.name_track(self.tracks.len(), &target);
            self.charge(shape.keys().len(), ValueKind::Float)?;
            let rate = self.rate;
            let keys = shape.keys();
            let seconds = |key: ShapeKey| f64::from(key.frame) / rate;
            let time = |index: usize| keys.get(index).map_or(f64::NAN, seconds);
            let times = keys.column(None, seconds);
            let order = KeyOrder::of(times, time);
            order.report(&mut self.context.findings);
            let weights = keys.column(order.indices(), |key| key.weight);
            if keys.iter().any(|key| !key.unused.identical(&[0.0; 2])) {
                self.context.say(codes::SHAPE_PADDING_DROPPED, "numbers other than 0");
            }
            self.track(target, order.into_times(time), weights.into(), path)?;
        }
        self.context.findings.leave();
        Ok(())
    }

    /// Builds a track from columns sorted by time.
    fn track(
        &mut self,
        target: Target,
        times: Vec<f64>,
        values: Values,
        path: impl Fn() -> Path,
    ) -> Result<(), ReadError> {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let broken = |error: String| {
            ReadError::invalid("keys that make a track", error).in_format(ID).at_path(path())
        };
        let data = TrackData::curve(times, values, linear, None);
        let data = data.map_err(|error| broken(error.to_string()))?;
        self.end = data.end().map_or(self.end, |end| self.end.max(end));
        self.tracks.push(Track::new(target, data).map_err(|error| broken(error.to_string()))?);
        Ok(())
    }

    fn markers(&mut self, file: &SeanimFile<'_>) -> Result<Vec<Marker>, ReadError> {
        let size = file.note_count().saturating_mul(size_of::<Marker>());
        self.context.budget.charge_bytes(size).map_err(|error| error.in_format(ID))?;
        let mut markers = Vec::with_capacity(file.note_count());
        for (index, note) in file.notes().enumerate() {
            let time = f64::from(note.frame) / self.rate;
            self.end = self.end.max(time);
            let name = self.text(note.name, || Path::item("notes", index).then("name"));
            markers.push(Marker { time, name });
        }
        Ok(markers)
    }

    fn modifiers(&mut self, file: &SeanimFile<'_>) -> Vec<BlendOverride> {
        let mut overrides = Vec::new();
        for (index, modifier) in file.modifiers().enumerate() {
            let bone = usize::try_from(modifier.bone.0).ok().and_then(|bone| file.bone(bone));
            if let Some(bone) = bone {
                let (node, _) = names::text(bone.name());
                overrides.push(BlendOverride { node, mode: modifier.anim_type.into() });
            } else {
                let (bone, bones) = (modifier.bone.0, file.bone_count());
                self.context.findings.add(codes::MODIFIER_DROPPED, || {
                    let message = format!("bone {bone} of {bones}");
                    Finding::new(codes::MODIFIER_DROPPED, message)
                        .at(Path::item("modifiers", index))
                });
            }
        }
        overrides
    }

    /// Returns a name as text, and reports one that is not valid UTF-8.
    fn text(&mut self, name: &[u8], path: impl Fn() -> Path) -> Text {
        let (text, encoding) = names::text(name);
        if encoding == names::Encoding::Latin1 {
            self.context.findings.add(shared::NAME_REENCODED, || {
                let message = format!("read as \"{}\"", shown(&text));
                Finding::new(shared::NAME_REENCODED, message).at(path())
            });
        }
        text
    }

    /// Charges the columns of a track to the budget before they are allocated.
    fn charge(&mut self, keys: usize, kind: ValueKind) -> Result<(), ReadError> {
        let key = kind.encoded_size().unwrap_or(0).saturating_add(size_of::<f64>());
        let charged = self.context.budget.charge_columns(keys.saturating_mul(key));
        charged.map_err(|error| error.in_format(ID))
    }
}
