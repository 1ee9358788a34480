//! The exact model as plain owned data that can be changed.

use inbetween_core::{Limits, Path, Values, WriteError, num};

use crate::file::{Custom, SeanimFile, SeanimModifier};
use crate::header::SeanimHeader;
use crate::keys::ShapeKey;
use crate::layout::{BlockRule, Channel, ID, Reading, SeanimLayout, presence};

/// A SEAnim file as owned parts.
///
/// If a block exists, its count in the header is computed from its list; if not, the count is kept.
/// Everything else is written unchanged.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Limits, Values};
/// use inbetween_seanim::{
///     BonePart, Channel, ChannelPart, SeanimFile, SeanimHeader, SeanimParts, presence,
/// };
///
/// let locations = ChannelPart {
///     frames: vec![0, 10],
///     values: Values::from(vec![[0.0_f32, 0.0, 0.0], [0.0, 0.0, 8.5]]),
/// };
/// let bone = BonePart {
///     name: b"tag_origin".to_vec(),
///     locations: Some(locations),
///     ..BonePart::default()
/// };
/// let header = SeanimHeader {
///     presence: presence::LOCATION,
///     frame_count: 11,
///     ..SeanimHeader::default()
/// };
/// let parts = SeanimParts { header, bones: vec![bone], ..SeanimParts::default() };
///
/// let file = SeanimFile::from_parts(&parts)?;
/// let again = SeanimFile::parse(file.to_bytes(), &Limits::default())?;
/// let keys = again.bone(0).and_then(|bone| bone.keys(Channel::Location)).ok_or("no keys")?;
/// assert_eq!(keys.frames().collect::<Vec<_>>(), [0, 10]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeanimParts {
    /// The header.
    pub header: SeanimHeader,
    /// The rules for widths and blocks.
    pub reading: Reading,
    /// The header's bytes after the first 28; `header_size` follows from their number.
    pub header_extra: Vec<u8>,
    /// The bones.
    pub bones: Vec<BonePart>,
    /// The modifiers.
    pub modifiers: Vec<SeanimModifier>,
    /// The notes.
    pub notes: Vec<NotePart>,
    /// The custom block; `None` with the custom bit set means that the file ends before the block.
    pub custom: Option<Vec<u8>>,
    /// The blend shapes that Greyhound appends.
    pub blend_shapes: Option<Vec<ShapePart>>,
    /// The bytes after the last known block.
    pub trailing: Vec<u8>,
}

/// A bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BonePart {
    /// Any bytes except NUL.
    pub name: Vec<u8>,
    /// 0, 1 (cosmetic), or another value of the exporter.
    pub flags: u8,
    /// Present exactly if the header's presence bit is set.
    pub locations: Option<ChannelPart>,
    /// Present exactly if the header's presence bit is set.
    pub rotations: Option<ChannelPart>,
    /// Present exactly if the header's presence bit is set.
    pub scales: Option<ChannelPart>,
}

impl BonePart {
    /// Returns a channel.
    pub const fn channel(&self, channel: Channel) -> Option<&ChannelPart> {
        match channel {
            Channel::Location => self.locations.as_ref(),
            Channel::Rotation => self.rotations.as_ref(),
            Channel::Scale => self.scales.as_ref(),
        }
    }

    /// Returns a channel for modification.
    pub const fn channel_mut(&mut self, channel: Channel) -> &mut Option<ChannelPart> {
        match channel {
            Channel::Location => &mut self.locations,
            Channel::Rotation => &mut self.rotations,
            Channel::Scale => &mut self.scales,
        }
    }
}

/// The keys of one channel of a bone; `frames` and `values` have equal lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelPart {
    /// Frames, in file order.
    pub frames: Vec<u32>,
    /// Values of the kind that [`Channel::kind`] gives for the file's precision.
    pub values: Values,
}

/// A note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotePart {
    /// The frame.
    pub frame: u32,
    /// Any bytes except NUL.
    pub name: Vec<u8>,
}

/// A blend shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapePart {
    /// Any bytes except NUL.
    pub name: Vec<u8>,
    /// The keys, in file order.
    pub keys: Vec<ShapeKey>,
}

/// A bone to write: a part, or tracks of a document.
pub(crate) trait BoneSource {
    /// Returns the name.
    fn name(&self) -> &[u8];

    /// Returns the flags.
    fn flags(&self) -> u8;

    /// Returns the frames and the values of a channel.
    fn keys(&self, channel: Channel) -> Option<(&[u32], &Values)>;
}

impl BoneSource for BonePart {
    fn name(&self) -> &[u8] {
        &self.name
    }

    fn flags(&self) -> u8 {
        self.flags
    }

    fn keys(&self, channel: Channel) -> Option<(&[u32], &Values)> {
        self.channel(channel).map(|part| (part.frames.as_slice(), &part.values))
    }
}

impl SeanimFile<'_> {
    /// Returns the file as owned parts.
    pub fn into_parts(self) -> SeanimParts {
        let shapes = self.blend_shapes().map(|shapes| {
            shapes
                .map(|shape| ShapePart {
                    name: shape.name().to_vec(),
                    keys: shape.keys().iter().collect(),
                })
                .collect()
        });
        SeanimParts {
            header: self.header,
            reading: self.layout.reading,
            header_extra: self.header_extra().to_vec(),
            bones: self
                .bones()
                .map(|bone| {
                    let channel = |channel| {
                        let (frames, values) = bone.keys(channel)?.decode(|frame| frame);
                        Some(ChannelPart { frames, values })
                    };
                    BonePart {
                        name: bone.name().to_vec(),
                        flags: bone.flags(),
                        locations: channel(Channel::Location),
                        rotations: channel(Channel::Rotation),
                        scales: channel(Channel::Scale),
                    }
                })
                .collect(),
            modifiers: self.modifiers().collect(),
            notes: self
                .notes()
                .map(|note| NotePart { frame: note.frame, name: note.name.to_vec() })
                .collect(),
            custom: match self.custom() {
                Custom::Present(bytes) => Some(bytes.to_vec()),
                Custom::Absent | Custom::Missing => None,
            },
            blend_shapes: shapes,
            trailing: self.trailing().to_vec(),
        }
    }

    /// Builds a file from parts.
    ///
    /// # Errors
    ///
    /// If the parts contradict each other, or a number does not fit its field. The error names the
    /// bone and the limit.
    pub fn from_parts(parts: &SeanimParts) -> Result<SeanimFile<'static>, WriteError> {
        // The bytes were just written, so parsing them needs no limit.
        let limits = Limits::default().with_items(u64::MAX);
        SeanimFile::parse_as(parts.to_bytes()?, parts.reading, &limits).map_err(|error| {
            let what = format!("the parts do not form a valid file: {error}");
            WriteError::inconsistent(what).in_format(ID)
        })
    }
}

impl SeanimParts {
    /// Returns whether a file with this many bones has a bone block.
    const fn has_bones(&self, bones: usize) -> bool {
        self.header.presence & presence::BONES != 0 || bones > 0
    }

    /// Returns the header with the counts and sizes that follow from the lists and the number of
    /// bones.
    pub(crate) fn settled_header(&self, bones: usize) -> Result<SeanimHeader, WriteError> {
        let mut header = self.header;
        if !self.header_extra.is_empty() || header.header_size > 28 {
            let size = self.header_extra.len().saturating_add(28);
            header.header_size = u16::try_from(size)
                .map_err(|_| too_many("header bytes", size, u64::from(u16::MAX), "headerSize"))?;
        }
        if self.has_bones(bones) {
            let modifiers = self.modifiers.len();
            header.bone_count = u32::try_from(bones)
                .map_err(|_| too_many("bones", bones, u64::from(u32::MAX), "boneCount"))?;
            header.modifier_count = u8::try_from(modifiers).map_err(|_| {
                too_many("modifiers", modifiers, u64::from(u8::MAX), "boneAnimModifierCount")
            })?;
        }
        if header.presence & presence::NOTES != 0 || !self.notes.is_empty() {
            let notes = self.notes.len();
            header.note_count = u32::try_from(notes)
                .map_err(|_| too_many("notes", notes, u64::from(u32::MAX), "noteCount"))?;
        }
        Ok(header)
    }

    /// Checks the parts against the header and the layout.
    pub(crate) fn check(
        &self,
        bones: &[impl BoneSource],
        header: &SeanimHeader,
        layout: SeanimLayout,
    ) -> Result<(), WriteError> {
        let by_counts = self.reading.blocks == BlockRule::Counts;
        if !bones.is_empty() && header.presence & presence::BONES == 0 && !by_counts {
            return Err(WriteError::inconsistent(
                "the file has bones, but no presence bit of a channel is set",
            ));
        }
        if !self.modifiers.is_empty() && !self.has_bones(bones.len()) {
            return Err(WriteError::inconsistent("the file has modifiers, but no bone block"));
        }
        if !self.notes.is_empty() && header.presence & presence::NOTES == 0 && !by_counts {
            return Err(WriteError::inconsistent(
                "the file has notes, but the presence bit of notes is clear",
            ));
        }
        self.check_end(header)?;
        // Most channels of a document share the frames of the one before.
        let mut checked: &[u32] = &[];
        for (index, bone) in bones.iter().enumerate() {
            check_name(bone.name()).map_err(|error| error.at_path(Path::item("bones", index)))?;
            for channel in Channel::ALL {
                let path = || Path::item("bones", index).then(channel.name());
                let keys = bone.keys(channel);
                check_channel(keys, channel, header, layout)
                    .map_err(|error| error.at_path(path()))?;
                if let Some((frames, _)) = keys
                    && !core::ptr::eq(frames, checked)
                {
                    check_frames(frames, layout).map_err(|error| error.at_path(path()))?;
                    checked = frames;
                }
            }
        }
        for (index, note) in self.notes.iter().enumerate() {
            let frame = check_number("frame", u64::from(note.frame), layout.frame_width.max());
            check_name(&note.name)
                .and(frame)
                .map_err(|error| error.at_path(Path::item("notes", index)))?;
        }
        for (index, modifier) in self.modifiers.iter().enumerate() {
            let bone = u64::from(modifier.bone.0);
            check_number("bone", bone, layout.bone_width.max())
                .map_err(|error| error.at_path(Path::item("modifiers", index)))?;
        }
        Ok(())
    }

    /// Checks the blocks after the notes; whether they exist depends on what follows.
    fn check_end(&self, header: &SeanimHeader) -> Result<(), WriteError> {
        let custom_bit = header.presence & presence::CUSTOM != 0;
        let more = self.blend_shapes.is_some() || !self.trailing.is_empty();
        match &self.custom {
            Some(_) if !custom_bit => {
                return Err(WriteError::inconsistent(
                    "the file has a custom block, but its presence bit is clear",
                ));
            }
            Some(custom) => {
                check_number("custom bytes", num::u64_from_len(custom.len()), u32::MAX)?;
            }
            None if custom_bit && more => {
                return Err(WriteError::inconsistent(
                    "the presence bit of the custom block is set, but the block is missing and \
                     other data follows",
                ));
            }
            None => {}
        }
        for (index, shape) in self.blend_shapes.iter().flatten().enumerate() {
            let keys = num::u64_from_len(shape.keys.len());
            check_name(&shape.name)
                .and(check_number("keys", keys, u32::MAX))
                .map_err(|error| error.at_path(Path::item("blend_shapes", index)))?;
        }
        Ok(())
    }
}

fn too_many(what: &str, found: usize, limit: u64, field: &'static str) -> WriteError {
    WriteError::not_representable(format!("{found} {what}"), format!("at most {limit} fit"))
        .at_path(Path::field(field))
}

fn check_number(what: &str, found: u64, limit: u32) -> Result<(), WriteError> {
    if found <= u64::from(limit) {
        return Ok(());
    }
    let limit = format!("at most {limit} fits");
    Err(WriteError::not_representable(format!("{what} {found}"), limit))
}

fn check_name(name: &[u8]) -> Result<(), WriteError> {
    if !name.contains(&0) {
        return Ok(());
    }
    let name = format!("the name {}", crate::names::show(name));
    Err(WriteError::not_representable(name, "names cannot contain NUL bytes"))
}

fn check_channel(
    keys: Option<(&[u32], &Values)>,
    channel: Channel,
    header: &SeanimHeader,
    layout: SeanimLayout,
) -> Result<(), WriteError> {
    let present = header.presence & channel.bit() != 0;
    let Some((frames, values)) = keys else {
        return if present {
            Err(WriteError::inconsistent(
                "the presence bit is set, but the bone has no such channel",
            ))
        } else {
            Ok(())
        };
    };
    if !present {
        return Err(WriteError::inconsistent(
            "the bone has the channel, but its presence bit is clear",
        ));
    }
    let kind = channel.kind(layout.precision);
    if values.kind() != kind {
        return Err(WriteError::inconsistent(format!(
            "need values of {kind}, found {}",
            values.kind()
        )));
    }
    if frames.len() != values.len() {
        let (frames, values) = (frames.len(), values.len());
        return Err(WriteError::inconsistent(format!("{frames} frames, {values} values")));
    }
    check_number("key count", num::u64_from_len(frames.len()), layout.frame_width.max())
}

fn check_frames(frames: &[u32], layout: SeanimLayout) -> Result<(), WriteError> {
    let limit = layout.frame_width.max();
    // Limits have all bits set, so the bits of all frames show whether one is above the limit. They
    // are collected faster than the largest frame is found.
    if frames.iter().fold(0, |bits, frame| bits | frame) <= limit {
        return Ok(());
    }
    let largest = frames.iter().copied().max().unwrap_or_default();
    check_number("frame", u64::from(largest), limit)
}
