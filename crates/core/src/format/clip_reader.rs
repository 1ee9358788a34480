//! Reads the clips of a file one at a time.

use core::fmt;

use crate::{Animation, Budget, Document, Finding, Outcome, ReadError, Skeleton, Text};

/// An open file, whose clips are decoded on request.
///
/// [`Format::open`](crate::Format::open) returns one.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Budget, ClipReader, Format, ReadError};
///
/// /// Counts keys and holds no more than one clip.
/// fn count_keys(
///     format: &dyn Format,
///     bytes: &[u8],
///     budget: &mut Budget,
/// ) -> Result<usize, ReadError> {
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
    /// Returns the names of all clips in file order, including those already read.
    fn names(&self) -> &[Option<Text>];

    /// Returns the findings about the file as a whole, once: a second call returns none.
    fn file_findings(&mut self) -> Vec<Finding>;

    /// Returns the skeleton of the file, which the documents of all clips have.
    fn skeleton(&self) -> Option<Skeleton> {
        None
    }

    /// Skips up to `clips` clips without decoding them.
    fn skip(&mut self, clips: usize);

    /// Reads the next clip: a document with this clip and the file's data outside of clips. Returns
    /// `None` after the last one.
    ///
    /// # Errors
    ///
    /// If the bytes of the clip are broken, or exceed the budget.
    fn next_clip(&mut self, budget: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError>;
}

/// A file that was read at once.
#[derive(Debug)]
pub(super) struct WholeFile {
    names: Vec<Option<Text>>,
    clips: std::vec::IntoIter<Animation>,
    skeleton: Option<Skeleton>,
    findings: Vec<Finding>,
}

impl WholeFile {
    pub(super) fn new(read: Outcome<Document>) -> Self {
        let names = read.value.clips.iter().map(|clip| clip.name.clone()).collect();
        let Document { clips, skeleton } = read.value;
        Self { names, clips: clips.into_iter(), skeleton, findings: read.findings }
    }
}

impl ClipReader for WholeFile {
    fn names(&self) -> &[Option<Text>] {
        &self.names
    }

    fn file_findings(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.findings)
    }

    fn skeleton(&self) -> Option<Skeleton> {
        self.skeleton.clone()
    }

    fn skip(&mut self, clips: usize) {
        self.clips.by_ref().take(clips).for_each(drop);
    }

    fn next_clip(&mut self, _: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError> {
        let skeleton = self.skeleton.clone();
        let document = self.clips.next().map(|clip| Document { clips: vec![clip], skeleton });
        Ok(document.map(|value| Outcome { value, findings: Vec::new() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, codes};

    #[test]
    fn a_file_that_was_read_at_once_returns_its_clips_one_by_one() {
        let clip = |name: &str| Animation::default().with_name(name);
        let value = Document::new(["a", "b", "c"].map(clip).into());
        let findings = vec![Finding::new(codes::NAME_DROPPED, "x")];
        let mut reader = WholeFile::new(Outcome { value, findings });
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
