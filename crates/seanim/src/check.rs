//! Checks a file and reports findings.

use std::collections::HashSet;

use inbetween_core::{
    Code, Finding, Findings, Limits, Path, Position, Quat, Record, View, codes as shared, num,
};

use crate::layout::presence;
use crate::names::{self, Encoding};
use crate::read::diagnose;
use crate::{
    AnimType, BlockRule, Channel, Custom, SeanimBone, SeanimFile, SeanimHeader, SeanimKey,
    SeanimKeys, ShapeKey, WidthRule, codes,
};

/// The largest difference between the length of a quaternion and 1 that is not reported.
const UNIT_TOLERANCE: f64 = 1e-3;

/// Checks a file as a whole, then bone by bone.
pub(crate) fn check(file: &SeanimFile<'_>, limits: &Limits) -> Vec<Finding> {
    let mut check = Check { file, header: file.header, findings: Findings::new(limits) };
    check.layout();
    check.header();
    check.blocks(limits);
    check.modifiers();
    check.notes();
    check.bone_names();
    check.shapes();
    for (index, bone) in file.bones().enumerate() {
        check.findings.enter(Path::item("bones", index));
        check.bone(index, &bone);
    }
    check.findings.into_vec()
}

struct Check<'f, 'a> {
    file: &'f SeanimFile<'a>,
    header: SeanimHeader,
    findings: Findings,
}

impl Check<'_, '_> {
    fn say(&mut self, code: Code, at: usize, path: Path, message: impl FnOnce() -> String) {
        let position = Position::byte(num::u64_from_len(at));
        self.findings.add(code, || Finding::new(code, message()).at(path).position(position));
    }

    /// Checks which reading of the file was chosen.
    fn layout(&mut self) {
        let (header, reading) = (self.header, self.file.layout.reading);
        if reading.widths == WidthRule::Legacy {
            self.say(codes::LEGACY_WIDTHS, 0x14, Path::field("frameCount"), || {
                format!(
                    "frame numbers are narrower than a frameCount of {} requires",
                    header.frame_count
                )
            });
        }
        let bones = header.presence & presence::BONES == 0 && header.bone_count > 0;
        let notes = header.presence & presence::NOTES == 0 && header.note_count > 0;
        if bones || notes {
            self.say(codes::PRESENCE_DISAGREES, 0x0c, Path::field("dataPresenceFlags"), || {
                let read = match reading.blocks {
                    BlockRule::Flags => "read without these blocks",
                    BlockRule::Counts => "read with these blocks",
                };
                let (bones, notes) = (header.bone_count, header.note_count);
                format!("{:#04x} with {bones} bones and {notes} notes, {read}", header.presence)
            });
        }
    }

    fn header(&mut self) {
        let header = self.header;
        if header.header_size == 26 {
            let path = Path::field("headerSize");
            self.say(codes::HEADER_SIZE_26, 0x08, path, || "26, names begin at byte 36".into());
        }
        if !self.file.header_extra().is_empty() {
            let extra = self.file.header_extra().len();
            let path = Path::field("headerSize");
            self.say(codes::HEADER_EXTRA, 0x24, path, || format!("{extra} bytes beyond 28"));
        }
        if header.anim_type.0 > AnimType::DELTA.0 {
            self.say(codes::UNKNOWN_ANIM_TYPE, 0x0a, Path::field("animType"), || {
                format!("expected 0 to 3, found {}", header.anim_type.0)
            });
        }
        let framerate = header.framerate;
        let path = Path::field("framerate");
        if !(framerate.is_finite() && framerate > 0.0) {
            self.say(shared::FRAME_RATE_INVALID, 0x10, path, || {
                format!("expected more than 0, found {framerate}")
            });
        } else if framerate.fract() != 0.0 {
            self.say(codes::FRAMERATE_FRACTIONAL, 0x10, path, || framerate.to_string());
        }
        if let Some(what) = header.reserved_bits() {
            self.findings.push(Finding::new(shared::RESERVED_NOT_ZERO, what));
        }
    }

    /// Checks which blocks are present, and what follows the last one.
    fn blocks(&mut self, limits: &Limits) {
        let bytes = self.file.to_bytes();
        if self.file.custom() == Custom::Missing {
            let path = Path::field("custom");
            let message = || "the file ends before the block".into();
            self.say(codes::CUSTOM_MISSING, bytes.len(), path, message);
        }
        let notes = self.file.note_count();
        if self.header.presence & presence::BONES == 0 && self.file.bone_count() == 0 && notes == 0
        {
            let presence = self.header.presence;
            let path = Path::field("dataPresenceFlags");
            self.say(codes::NO_DATA_BLOCK, 0x0c, path, || format!("{presence:#04x}"));
        }
        let trailing = self.file.trailing().len();
        if trailing > 0 {
            let at = self.file.index.trailing.start;
            let hidden = diagnose::hidden_modifiers(bytes, &self.header, limits);
            self.say(shared::TRAILING_BYTES, at, Path::field("trailing"), || match hidden {
                None => format!("{trailing} bytes"),
                Some(count) => format!(
                    "{trailing} bytes; with {count} modifier records instead of 0, none would \
                     remain (io_anim_seanim writes 0)"
                ),
            });
        }
    }

    fn modifiers(&mut self) {
        let bones = self.file.bone_count();
        let size = self.file.layout.bone_width.bytes().saturating_add(1);
        for (index, modifier) in self.file.modifiers().enumerate() {
            let at = self.file.index.modifiers.start.saturating_add(index.saturating_mul(size));
            let path = Path::item("modifiers", index);
            if num::len_from_u64(u64::from(modifier.bone.0)) >= bones {
                let bone = modifier.bone.0;
                self.say(codes::MODIFIER_BONE, at, path.clone().then("index"), || {
                    format!("bone {bone}, the file has {bones}")
                });
            }
            if modifier.anim_type.0 > AnimType::DELTA.0 {
                let found = modifier.anim_type.0;
                self.say(codes::MODIFIER_TYPE, at, path.then("animTypeOverride"), || {
                    format!("expected 0 to 3, found {found}")
                });
            }
        }
    }

    fn notes(&mut self) {
        let mut seen = HashSet::new();
        let file = self.file;
        for (index, (at, note)) in file.notes_at().enumerate() {
            let path = || Path::item("notes", index);
            self.frame_beyond_count(note.frame, at, path);
            if !seen.insert((note.frame, note.name)) {
                self.say(codes::DUPLICATE_NOTE, at, path(), || {
                    format!("{} again on frame {}", names::show(note.name), note.frame)
                });
            }
            self.encoding(note.name, at, path);
        }
    }

    /// Checks the names of the bones, and which bones have keys.
    fn bone_names(&mut self) {
        let mut seen = HashSet::new();
        let file = self.file;
        for (index, bone) in file.bones().enumerate() {
            let at = file.index.bones.get(index).map_or(0, |entry| entry.name);
            let path = || Path::item("bones", index).then("name");
            let name = bone.name();
            if !seen.insert(name) {
                self.say(shared::DUPLICATE_BONE, at, path(), || names::show(name));
            }
            self.encoding(name, at, path);
            let keys = Channel::ALL.iter().filter_map(|&channel| bone.keys(channel));
            if keys.clone().count() > 0 && keys.clone().all(|keys| keys.is_empty()) {
                let data = bone.flags_offset();
                let path = || Path::item("bones", index);
                self.say(codes::BONE_WITHOUT_KEYS, data, path(), || names::show(name));
                if !name.is_ascii() && !file.trailing().is_empty() {
                    self.say(codes::NAME_LOST_NUL, at, path().then("name"), || names::show(name));
                }
            }
        }
    }

    fn shapes(&mut self) {
        let file = self.file;
        let entries = file.index.shapes.iter().flatten();
        let shapes = file.blend_shapes().into_iter().flatten();
        for (index, (entry, shape)) in entries.zip(shapes).enumerate() {
            let path = Path::item("blend_shapes", index);
            self.encoding(shape.name(), entry.name, || path.clone().then("name"));
            // The keys follow their count.
            let start = entry.data.saturating_add(size_of::<u32>());
            let place = ChannelKeys { start, size: ShapeKey::SIZE, path };
            self.frames(shape.keys().iter().map(|key| key.frame), &place);
            for (index, key) in shape.keys().iter().enumerate() {
                if !key.weight.is_finite() {
                    self.say(
                        shared::NUMBER_NOT_FINITE,
                        place.at(index),
                        place.path.clone(),
                        || format!("key {index} on frame {} is {}", key.frame, key.weight),
                    );
                }
            }
        }
    }

    fn encoding(&mut self, name: &[u8], at: usize, path: impl Fn() -> Path) {
        if names::text(name).1 == Encoding::Latin1 {
            self.say(shared::NAME_ENCODING, at, path(), || names::show(name));
        }
    }

    fn frame_beyond_count(&mut self, frame: u32, at: usize, path: impl Fn() -> Path) {
        let count = self.header.frame_count;
        if frame >= count {
            self.say(codes::FRAME_BEYOND_COUNT, at, path(), || {
                format!("frame {frame}, frameCount {count}")
            });
        }
    }

    fn bone(&mut self, index: usize, bone: &SeanimBone<'_>) {
        let flags = bone.flags();
        if flags > 1 {
            let path = Path::item("bones", index).then("flags");
            self.say(codes::BONE_FLAGS, bone.flags_offset(), path, || {
                format!("expected 0 or 1, found {flags}")
            });
        }
        for channel in Channel::ALL {
            let Some(keys) = bone.keys(channel) else { continue };
            let place = ChannelKeys {
                start: bone.key_offset(channel),
                size: channel.key_size(self.file.layout),
                path: Path::item("bones", index).then(channel.name()),
            };
            self.frames(keys.frames(), &place);
            match &keys {
                SeanimKeys::Float3(view) => self.values(view, &place, |value| value.map(f64::from)),
                SeanimKeys::Double3(view) => self.values(view, &place, |value| value),
                SeanimKeys::FloatQ(view) => {
                    self.rotations(view, &place, |value| value.to_array().map(f64::from));
                }
                SeanimKeys::DoubleQ(view) => self.rotations(view, &place, Quat::to_array),
            }
        }
    }

    fn frames(&mut self, frames: impl Iterator<Item = u32>, place: &ChannelKeys) {
        let mut last = None;
        for (key, frame) in frames.enumerate() {
            self.frame_beyond_count(frame, place.at(key), || place.path.clone());
            match last {
                None if frame > 0 => {
                    self.say(codes::FIRST_KEY_LATE, place.at(key), place.path.clone(), || {
                        format!("the first key is on frame {frame}")
                    });
                }
                Some(before) if frame < before => {
                    self.say(shared::KEYS_UNSORTED, place.at(key), place.path.clone(), || {
                        format!("key {key} is on frame {frame}, after a key on {before}")
                    });
                }
                Some(before) if frame == before => {
                    self.say(shared::DUPLICATE_FRAME, place.at(key), place.path.clone(), || {
                        format!("keys {} and {key} are on frame {frame}", key.saturating_sub(1))
                    });
                }
                _ => {}
            }
            last = Some(frame);
        }
    }

    fn values<V: Record<Layout = ()>, const N: usize>(
        &mut self,
        view: &View<'_, SeanimKey<V>>,
        place: &ChannelKeys,
        components: impl Fn(V) -> [f64; N],
    ) {
        for (index, key) in view.iter().enumerate() {
            let value = components(key.value);
            if !value.iter().all(|component| component.is_finite()) {
                self.say(shared::NUMBER_NOT_FINITE, place.at(index), place.path.clone(), || {
                    format!("key {index} on frame {} is {value:?}", key.frame)
                });
            }
        }
    }

    fn rotations<V: Record<Layout = ()> + Copy>(
        &mut self,
        view: &View<'_, SeanimKey<V>>,
        place: &ChannelKeys,
        components: impl Fn(V) -> [f64; 4],
    ) {
        self.values(view, place, &components);
        for (index, key) in view.iter().enumerate() {
            let squares = components(key.value).into_iter().map(|component| component * component);
            let length = squares.sum::<f64>().sqrt();
            if length.is_finite() && (length - 1.0).abs() > UNIT_TOLERANCE {
                self.say(shared::ROTATION_NOT_UNIT, place.at(index), place.path.clone(), || {
                    format!("key {index} on frame {} has length {length:.6}", key.frame)
                });
            }
        }
    }
}

/// The place of the keys of a channel or a blend shape.
struct ChannelKeys {
    start: usize,
    size: usize,
    path: Path,
}

impl ChannelKeys {
    fn at(&self, key: usize) -> usize {
        self.start.saturating_add(key.saturating_mul(self.size))
    }
}
