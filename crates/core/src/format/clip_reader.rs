//! Reads the clips of a file one at a time.

use core::fmt;

use crate::{Animation, Budget, ClipPlace, Document, Finding, Outcome, ReadError, Text};

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

    /// Returns the document without its clips: the skeleton and the origin, which the documents of all
    /// clips have too.
    fn without_clips(&self) -> Document;

    /// Skips up to `clips` clips without decoding them.
    fn skip(&mut self, clips: usize);

    /// Reads the next clip: a document with this clip and the file's data outside of clips. Returns
    /// `None` after the last one.
    ///
    /// # Errors
    ///
    /// If nothing of the clip can be read, or it exceeds the budget. The next call reads the clip
    /// after it.
    fn next_clip(&mut self, budget: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError>;

    /// Reads all clips into one document. Findings about the file as a whole come first. A clip of
    /// which nothing can be read is skipped, with a finding.
    ///
    /// # Errors
    ///
    /// If no clip can be read, or they exceed the budget.
    fn read_all(&mut self, budget: &mut Budget) -> Result<Outcome<Document>, ReadError> {
        let (mut document, mut findings) = (self.without_clips(), self.file_findings());
        document.clips.reserve_exact(self.names().len());
        each_clip(self, budget, |_, read| {
            document.clips.extend(read.value.clips);
            findings.extend(read.findings);
        })?;
        Ok(Outcome { value: document, findings })
    }
}

/// Reads the clips of a file that was just opened one at a time, and passes on each with its index.
///
/// Instead of a clip of which nothing can be read, a document without clips is passed on, with a
/// finding.
///
/// # Errors
///
/// If no clip can be read, or they exceed the budget.
pub fn each_clip<R: ClipReader + ?Sized>(
    reader: &mut R,
    budget: &mut Budget,
    mut each: impl FnMut(usize, Outcome<Document>),
) -> Result<(), ReadError> {
    let mut skipped = Skipped::default();
    for index in 0.. {
        let read = reader.next_clip(budget);
        match skipped.skip(reader, index, read)? {
            Some(read) => each(index, read),
            None => break,
        }
    }
    Ok(())
}

/// Decides which broken clips of a file are skipped: all, unless no clip can be read.
#[derive(Clone, Debug, Default)]
pub struct Skipped {
    first: Option<ReadError>,
    has_read: bool,
}

impl Skipped {
    /// Takes the result of reading the clip with an index. A broken clip becomes a document without
    /// clips, with a finding.
    ///
    /// # Errors
    ///
    /// The error of a limit, or after the last clip the first error, if no clip was read.
    pub fn skip<R: ClipReader + ?Sized>(
        &mut self,
        reader: &R,
        index: usize,
        read: Result<Option<Outcome<Document>>, ReadError>,
    ) -> Result<Option<Outcome<Document>>, ReadError> {
        match read {
            Ok(Some(read)) => {
                self.has_read = true;
                Ok(Some(read))
            }
            Ok(None) => match self.first.take() {
                Some(error) if !self.has_read => Err(error),
                _ => Ok(None),
            },
            Err(error) if error.is_limit() || reader.names().len() == 1 => Err(error),
            Err(error) => {
                let name = reader.names().get(index).cloned().flatten().unwrap_or_default();
                let mut finding = Finding::skipped("nothing of the clip can be read", &error);
                finding.place.clip = Some(ClipPlace { index, name });
                self.first.get_or_insert(error);
                Ok(Some(Outcome { value: reader.without_clips(), findings: vec![finding] }))
            }
        }
    }
}

/// A file that was read at once, as formats whose files have one clip do.
#[derive(Debug)]
pub struct WholeFile {
    names: Vec<Option<Text>>,
    clips: std::vec::IntoIter<Animation>,
    without_clips: Document,
    findings: Vec<Finding>,
}

impl WholeFile {
    /// Creates the reader of a document that was read.
    pub fn new(read: Outcome<Document>) -> Self {
        let Outcome { value: mut document, findings } = read;
        let clips = core::mem::take(&mut document.clips);
        let names = clips.iter().map(|clip| clip.name.clone()).collect();
        Self { names, clips: clips.into_iter(), without_clips: document, findings }
    }
}

impl ClipReader for WholeFile {
    fn names(&self) -> &[Option<Text>] {
        &self.names
    }

    fn file_findings(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.findings)
    }

    fn without_clips(&self) -> Document {
        self.without_clips.clone()
    }

    fn skip(&mut self, clips: usize) {
        self.clips.by_ref().take(clips).for_each(drop);
    }

    fn next_clip(&mut self, _: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError> {
        let document = |clip| Document { clips: vec![clip], ..self.without_clips.clone() };
        let value = self.clips.next().map(document);
        Ok(value.map(|value| Outcome { value, findings: Vec::new() }))
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
