//! The clips of a file, one at a time.

use core::fmt;

use crate::{Animation, Budget, Document, Finding, Outcome, ReadError, Text};

/// A file that is open for reading: its clips are decoded when they are asked for.
///
/// [`Format::open`](crate::Format::open) returns one.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Budget, ClipReader, Format, ReadError};
///
/// /// Counts keys and holds no more than one clip.
/// fn count_keys(format: &dyn Format, bytes: &[u8], budget: &mut Budget) -> Result<usize, ReadError> {
///     let mut reader = format.open(bytes, budget)?;
///     let mut keys = 0;
///     while let Some(clip) = reader.next_clip(budget)? {
///         let tracks = clip.value.clips.iter().flat_map(|clip| &clip.tracks);
///         keys += tracks.map(|track| track.data().len()).sum::<usize>();
///     }
///     Ok(keys)
/// }
/// ```
pub trait ClipReader: fmt::Debug {
    /// Returns the names of all clips, in file order, those already read included.
    fn names(&self) -> &[Option<Text>];

    /// Returns the findings about the file as a whole, once: a second call returns none.
    fn file_findings(&mut self) -> Vec<Finding>;

    /// Skips up to `clips` clips without decoding them.
    fn skip(&mut self, clips: usize);

    /// Reads the next clip: a document of this clip and of what the file has beside its clips.
    /// `None` after the last one.
    ///
    /// # Errors
    ///
    /// When the bytes of the clip are broken, or cost more than the budget has.
    fn next_clip(&mut self, budget: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError>;
}

/// A file that was read at once.
#[derive(Debug)]
pub(super) struct WholeFile {
    names: Vec<Option<Text>>,
    clips: std::vec::IntoIter<Animation>,
    findings: Vec<Finding>,
}

impl WholeFile {
    pub(super) fn new(read: Outcome<Document>) -> Self {
        let names = read.value.clips.iter().map(|clip| clip.name.clone()).collect();
        Self { names, clips: read.value.clips.into_iter(), findings: read.losses }
    }
}

impl ClipReader for WholeFile {
    fn names(&self) -> &[Option<Text>] {
        &self.names
    }

    fn file_findings(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.findings)
    }

    fn skip(&mut self, clips: usize) {
        self.clips.by_ref().take(clips).for_each(drop);
    }

    fn next_clip(&mut self, _: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError> {
        let document = self.clips.next().map(Document::single);
        Ok(document.map(|value| Outcome { value, losses: Vec::new() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, codes};

    #[test]
    fn a_file_that_was_read_at_once_gives_its_clips_one_by_one() {
        let clip = |name: &str| Animation::default().with_name(name);
        let value = Document::new(["a", "b", "c"].map(clip).into());
        let losses = vec![Finding::new(codes::NAME_DROPPED, "x")];
        let mut reader = WholeFile::new(Outcome { value, losses });
        let mut budget = Budget::new(&Limits::default(), 0);
        assert_eq!((reader.file_findings().len(), reader.file_findings().len()), (1, 0));
        reader.skip(1);
        let mut next = || {
            let read = reader.next_clip(&mut budget).unwrap()?;
            read.value.clips.first()?.name.clone()
        };
        assert_eq!([next(), next(), next()], [Some("b".into()), Some("c".into()), None]);
        assert_eq!(reader.names().len(), 3);
    }
}
