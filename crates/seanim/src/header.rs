//! The header of a file, and the layout that follows from it.

use inbetween_core::Record;

use crate::layout::{
    AnimType, FrameWidth, LOOPED, PRECISION_HIGH, Precision, Reading, SeanimLayout, WidthRule,
    presence,
};

/// The header fields in file order (`docs/formats/seanim.md`).
#[derive(Clone, Copy, Debug)]
pub struct SeanimHeader {
    /// The size of the header including these two bytes: at least 28; 26 is read as 28.
    pub header_size: u16,
    /// How the values combine with the rest pose.
    pub anim_type: AnimType,
    /// Bit 0: [`LOOPED`].
    pub anim_flags: u8,
    /// Which blocks are present: see [`presence`].
    pub presence: u8,
    /// Bit 0: [`PRECISION_HIGH`].
    pub property: u8,
    /// 0 in all known files.
    pub reserved1: [u8; 2],
    /// Frames per second.
    pub framerate: f32,
    /// The largest frame plus 1; the widths of frames and key counts follow from it.
    pub frame_count: u32,
    /// Number of bones; the width of bone indices follows from it.
    pub bone_count: u32,
    /// Number of modifiers.
    pub modifier_count: u8,
    /// 0 in all known files.
    pub reserved2: [u8; 3],
    /// Number of notes.
    pub note_count: u32,
}

/// Headers are equal if they are equal bit for bit, including a NaN frame rate.
impl PartialEq for SeanimHeader {
    fn eq(&self, other: &Self) -> bool {
        let bytes = |header: &Self| {
            let mut out = Vec::with_capacity(28);
            header.encode(&mut out);
            out
        };
        bytes(self) == bytes(other)
    }
}

impl Default for SeanimHeader {
    /// An empty absolute animation at 30 frames per second.
    fn default() -> Self {
        Self {
            header_size: 28,
            anim_type: AnimType::ABSOLUTE,
            anim_flags: 0,
            presence: 0,
            property: 0,
            reserved1: [0; 2],
            framerate: 30.0,
            frame_count: 0,
            bone_count: 0,
            modifier_count: 0,
            reserved2: [0; 3],
            note_count: 0,
        }
    }
}

impl SeanimLayout {
    /// Computes the layout of a file with this header and reading.
    pub const fn new(header: &SeanimHeader, reading: Reading) -> Self {
        let frames = match reading.widths {
            WidthRule::Standard => header.frame_count,
            WidthRule::Legacy => header.frame_count.saturating_sub(1),
        };
        let precision = if header.property & PRECISION_HIGH == 0 {
            Precision::Single
        } else {
            Precision::Double
        };
        Self {
            reading,
            frame_width: FrameWidth::for_count(frames),
            bone_width: FrameWidth::for_count(header.bone_count),
            precision,
        }
    }
}

impl SeanimHeader {
    /// Appends the 28 header bytes that every file has.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        self.header_size.encode((), out);
        out.extend_from_slice(&[self.anim_type.0, self.anim_flags]);
        out.extend_from_slice(&[self.presence, self.property]);
        out.extend_from_slice(&self.reserved1);
        self.framerate.encode((), out);
        self.frame_count.encode((), out);
        self.bone_count.encode((), out);
        out.push(self.modifier_count);
        out.extend_from_slice(&self.reserved2);
        self.note_count.encode((), out);
    }

    /// Describes the reserved bytes and bits that are not 0.
    pub(crate) fn reserved_bits(&self) -> Option<String> {
        let bits = [
            ("animFlags", self.anim_flags & !LOOPED),
            ("dataPresenceFlags", self.presence & presence::RESERVED),
            ("dataPropertyFlags", self.property & !PRECISION_HIGH),
        ];
        let bits = bits.iter().filter(|(_, bits)| *bits != 0);
        let mut what: Vec<String> =
            bits.map(|(name, bits)| format!("{bits:#x} in {name}")).collect();
        if self.reserved1 != [0; 2] || self.reserved2 != [0; 3] {
            what.push(format!(
                "reserved bytes {:02x?} and {:02x?}",
                self.reserved1, self.reserved2
            ));
        }
        (!what.is_empty()).then(|| what.join(", "))
    }
}
