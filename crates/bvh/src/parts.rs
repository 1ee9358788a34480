//! The exact model as plain owned data that can be changed.

use inbetween_core::{Limits, Values, WriteError};

use crate::file::{BvhFile, BvhHeader, Channel};
use crate::layout::ID;

/// A Bvh file as owned parts; the counts follow from the lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BvhParts {
    /// The header.
    pub header: BvhHeader,
    /// The tracks.
    pub tracks: Vec<TrackPart>,
    /// The bytes after the last track.
    pub trailing: Vec<u8>,
}

/// A track; `frames` and `values` have equal lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackPart {
    /// The name of the node, without NUL.
    pub name: String,
    /// The channel.
    pub channel: Channel,
    /// Frames, in file order.
    pub frames: Vec<u32>,
    /// Values of the kind of the channel.
    pub values: Values,
}

impl BvhFile<'_> {
    /// Returns the file as owned parts.
    pub fn into_parts(self) -> BvhParts {
        let tracks = self.tracks().map(|track| TrackPart {
            name: track.name().to_owned(),
            channel: track.channel(),
            frames: track.frames().collect(),
            values: track.values(None),
        });
        let tracks = tracks.collect();
        BvhParts { header: self.header, tracks, trailing: self.trailing().to_vec() }
    }

    /// Builds a file from parts.
    ///
    /// # Errors
    ///
    /// If the parts contradict each other, or cannot be written. The error names the track.
    pub fn from_parts(parts: &BvhParts) -> Result<BvhFile<'static>, WriteError> {
        // The bytes were just written, so parsing them needs no limit.
        let file = BvhFile::parse(parts.to_bytes()?, &Limits::default().with_items(u64::MAX));
        file.map_err(|error| format!("the parts do not form a valid file: {error}"))
            .map_err(|what| WriteError::inconsistent(what).in_format(ID))
    }
}

impl TrackPart {
    /// Checks what a file cannot store.
    pub(crate) fn check(&self) -> Result<(), WriteError> {
        if self.values.kind() != self.channel.kind() || self.values.len() != self.frames.len() {
            return Err(WriteError::inconsistent(
                "the values do not match the channel and the frames",
            ));
        }
        if self.name.contains('\0') {
            let what = "a name with a NUL";
            return Err(WriteError::not_representable(what, "a NUL ends the name"));
        }
        Ok(())
    }
}
