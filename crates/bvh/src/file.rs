//! The exact model: the text of a file, its joints, and where its rows are.

use std::borrow::Cow;

use inbetween_core::json::unresolved;
use inbetween_core::{Axis, Code, Finding, Findings, Text, num};

use crate::layout::CHANNEL_NAMES;
use crate::read::{Token, Tokens, joint_path};

/// A BVH file: its text, its joints, and where its rows are. Rows are decoded on request.
///
/// # Examples
///
/// ```
/// use inbetween_bvh::{BvhFile, Style};
/// use inbetween_core::Limits;
///
/// let text = b"HIERARCHY\nROOT hips\n{\n\tOFFSET 0 1 0\n}\n";
/// let file = BvhFile::parse(text, &Limits::default())?.value;
/// assert_eq!(file.joints()[0].offset, [0.0, 1.0, 0.0]);
/// assert_eq!(file.to_text(Style::Source).as_bytes(), text);
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BvhFile<'a> {
    pub(crate) source: Cow<'a, str>,
    pub(crate) joints: Vec<BvhJoint>,
    /// Where each joint starts in the text.
    pub(crate) places: Vec<usize>,
    pub(crate) motion: Option<BvhMotion>,
    /// Where the numbers of the rows start in the text.
    pub(crate) rows: usize,
}

/// A joint of the hierarchy. Parents precede their children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BvhJoint {
    /// The name, without white space at both ends.
    pub name: Text,
    /// The index of the parent; `None` for a root.
    pub parent: Option<usize>,
    /// The position in the parent, in the unit of the file; 0 if missing.
    pub offset: [f64; 3],
    /// The channels, in the order of their numbers in a row.
    pub channels: Vec<Channel>,
    /// The offsets of the end sites, which are the tips of the bone.
    pub tips: Vec<[f64; 3]>,
}

/// The facts about the rows of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BvhMotion {
    /// The stated number of rows; `None` if missing or not a number.
    pub frames: Option<u64>,
    /// The stated seconds from row to row; 0 if missing or not a number.
    pub frame_time: f64,
    /// The number of complete rows in the file. Without channels, it is the stated number.
    pub complete: u64,
}

impl BvhMotion {
    /// Returns the number of rows to play: the stated one, but no more than the file has.
    pub fn rows(&self) -> u64 {
        self.frames.map_or(self.complete, |stated| stated.min(self.complete))
    }
}

/// One number of a joint in each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// A coordinate that replaces that of the offset, in the unit of the file.
    Position(Axis),
    /// An angle in degrees.
    Rotation(Axis),
}

impl Channel {
    /// Returns the channel with a name, in any case.
    pub fn of_name(name: &str) -> Option<Self> {
        let found = CHANNEL_NAMES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
        found.map(
            |&(_, axis, turns)| if turns { Self::Rotation(axis) } else { Self::Position(axis) },
        )
    }

    /// Returns the name as most programs write it: `Xposition`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position(Axis::X) => "Xposition",
            Self::Position(Axis::Y) => "Yposition",
            Self::Position(Axis::Z) => "Zposition",
            Self::Rotation(Axis::X) => "Xrotation",
            Self::Rotation(Axis::Y) => "Yrotation",
            Self::Rotation(Axis::Z) => "Zrotation",
        }
    }
}

/// How a file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// In one form for all files: tabs, LF, and the shortest text of each number.
    #[default]
    Plain,
    /// As it was read, byte for byte.
    Source,
}

impl BvhFile<'_> {
    /// Returns the joints in file order.
    pub fn joints(&self) -> &[BvhJoint] {
        &self.joints
    }

    /// Returns the facts about the rows; `None` for a file without `MOTION`.
    pub const fn motion(&self) -> Option<&BvhMotion> {
        self.motion.as_ref()
    }

    /// Returns the number of numbers in a row.
    pub fn width(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).fold(0, usize::saturating_add)
    }

    /// Returns the numbers of the rows to play, row after row. Text that is not a number is NaN.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        self.row_tokens().map(|token| token.number().unwrap_or(f64::NAN))
    }

    /// Returns a finding about a joint, at its line.
    pub(crate) fn finding(&self, joint: usize, code: Code, message: String) -> Finding {
        let finding = Finding::new(code, message).at(joint_path(joint));
        match self.places.get(joint) {
            Some(at) => finding.position(unresolved(*at)),
            None => finding,
        }
    }

    /// Returns the words of the rows to play.
    pub(crate) fn row_tokens(&self) -> impl Iterator<Item = Token<'_>> {
        let rows = self.motion.map_or(0, |motion| motion.rows());
        let count = rows.saturating_mul(num::u64_from_len(self.width()));
        Tokens::new(&self.source, self.rows).take(num::len_from_u64(count))
    }
}

/// A file with the findings about it.
pub(crate) struct Parsed<'a> {
    pub(crate) file: BvhFile<'a>,
    pub(crate) findings: Findings,
}
