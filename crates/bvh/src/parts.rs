//! The exact model as plain owned data that can be changed.

use inbetween_core::{Limits, WriteError};

use crate::file::{BvhFile, BvhJoint};
use crate::layout::ID;

/// A BVH file as owned parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BvhParts {
    /// The joints. Each comes after its parent, and before the next joint that is not below it.
    pub joints: Vec<BvhJoint>,
    /// The rows; `None` for a file without `MOTION`.
    pub motion: Option<MotionPart>,
}

/// The rows of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionPart {
    /// The number of rows.
    pub frames: u64,
    /// Seconds from row to row.
    pub frame_time: f64,
    /// The numbers, row after row: one per channel, in the order of the joints.
    pub numbers: Vec<f64>,
}

impl BvhFile<'_> {
    /// Returns the file as owned parts. Rows that do not play are left out.
    pub fn into_parts(self) -> BvhParts {
        let motion = self.motion.map(|motion| MotionPart {
            frames: motion.rows(),
            frame_time: motion.frame_time,
            numbers: self.numbers().collect(),
        });
        BvhParts { joints: self.joints, motion }
    }

    /// Builds a file from parts.
    ///
    /// # Errors
    ///
    /// If the parts contradict each other, or cannot be written.
    #[expect(clippy::needless_pass_by_value, reason = "the text replaces the parts")]
    pub fn from_parts(parts: BvhParts) -> Result<BvhFile<'static>, WriteError> {
        let text = parts.to_text()?;
        // The text was just written, so parsing it needs no limit.
        let limits = Limits::default().with_items(u64::MAX);
        let parsed = BvhFile::parse_text(text.into(), &limits);
        parsed.map(|parsed| parsed.file).map_err(|error| {
            let what = format!("the parts do not form a valid file: {error}");
            WriteError::inconsistent(what).in_format(ID)
        })
    }
}
