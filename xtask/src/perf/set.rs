//! The realistic set in every format.

use inbetween::{Animation, Document, Format, Limits, Registry};

use inbetween_testing::documents::suited;

use super::table::{Took, timed};
use crate::costs::cases::text;
use crate::inputs::{clips, doors};

/// The formats in the order of the rows: those of clips, and that of doors.
pub(super) const IDS: [&str; 6] = ["seanim", "cast", "gltf", "animx", "animj", X4];
pub(super) const X4: &str = "x4-ani";

/// The clips and the doors in every format.
pub(super) struct Sets<'r>([Vec<Files<'r>>; 2]);

impl<'r> Sets<'r> {
    pub(super) fn new(registry: &'r Registry) -> Result<Self, String> {
        let in_all = |set: Vec<Animation>| {
            let formats = IDS.into_iter().filter_map(|id| registry.by_id(id));
            formats.map(|format| Files::new(format, &set)).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self([in_all(clips()?)?, in_all(doors()?)?]))
    }

    /// Returns the set that files of a format are converted from.
    pub(super) fn of(&self, id: &str) -> &[Files<'r>] {
        &self.0[usize::from(id == X4)]
    }

    /// Returns the files of a format in that set.
    pub(super) fn files(&self, id: &str) -> &Files<'r> {
        &self.of(id)[IDS.iter().position(|known| *known == id).unwrap_or_default()]
    }
}

/// The files of a set in one format, of one clip each, and the documents that they hold.
pub(super) struct Files<'r> {
    pub(super) format: &'r dyn Format,
    pub(super) bytes: Vec<Vec<u8>>,
    pub(super) documents: Vec<Document>,
}

impl<'r> Files<'r> {
    pub(super) fn new(format: &'r dyn Format, clips: &[Animation]) -> Result<Self, String> {
        let file = |clip: &Animation| write_clip(format, clip.clone());
        let bytes = clips.iter().map(file).collect::<Result<Vec<_>, _>>()?;
        let documents = bytes.iter().map(|file| read(format, file)).collect::<Result<_, _>>()?;
        Ok(Self { format, bytes, documents })
    }

    pub(super) fn id(&self) -> &'static str {
        self.format.info().id
    }

    pub(super) fn read(&self, file: usize) -> Result<Document, String> {
        read(self.format, &self.bytes[file])
    }

    pub(super) fn reading(&self, file: usize) -> Took {
        timed(|| self.read(file))
    }

    pub(super) fn writing(&self, file: usize) -> Took {
        let document = self.documents[file].clone();
        timed(|| write(self.format, document))
    }
}

pub(super) fn read(format: &dyn Format, bytes: &[u8]) -> Result<Document, String> {
    Ok(format.read(bytes, &Limits::default()).map_err(text)?.value)
}

pub(super) fn write(format: &dyn Format, document: Document) -> Result<Vec<u8>, String> {
    Ok(format.write(document, &Limits::default()).map_err(text)?.value)
}

/// Writes a clip as if it was made for the format.
pub(super) fn write_clip(format: &dyn Format, clip: Animation) -> Result<Vec<u8>, String> {
    write(format, suited(Document::single(clip.with_rules(format.info().rules)), format))
}
