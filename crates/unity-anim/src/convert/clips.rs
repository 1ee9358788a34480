//! Reads the clips of a file one at a time.

use inbetween_core::{
    Budget, ClipReader, Document, Finding, Model, Outcome, ReadError, Text, WholeFile,
};

use super::to_document::{Read, model};
use crate::file::UnityAnimFile;

/// The clips of an open file. All of them together are written into the text of the file, and one of
/// several alone into its own text.
#[derive(Debug)]
pub(crate) struct Clips<'a> {
    file: UnityAnimFile<'a>,
    whole: WholeFile,
    /// The text of the file.
    model: Option<Model>,
    /// The indices of the objects of clips; none if the file has one clip.
    objects: Vec<usize>,
    next: usize,
}

impl<'a> Clips<'a> {
    pub(crate) fn new(file: UnityAnimFile<'a>, read: Read) -> Self {
        let Read { mut document, findings, objects } = read;
        let many = objects.len() > 1;
        let origin = document.origin.as_mut().filter(|_| many);
        let model = origin.and_then(|origin| origin.model.take());
        let objects = if many { objects } else { Vec::new() };
        Self {
            file,
            whole: WholeFile::new(Outcome::new(document, findings)),
            model,
            objects,
            next: 0,
        }
    }

    /// Returns the text of a file with one clip alone.
    fn alone(&self, clip: usize) -> Option<Model> {
        let object = self.file.objects().get(*self.objects.get(clip)?)?;
        let head = self.file.head();
        let line = crate::parts::separator(object.class, object.id, object.is_stripped);
        Some(model([head, &line, self.file.body(object)].concat().as_bytes()))
    }
}

impl ClipReader for Clips<'_> {
    fn names(&self) -> &[Option<Text>] {
        self.whole.names()
    }

    fn file_findings(&mut self) -> Vec<Finding> {
        self.whole.file_findings()
    }

    fn without_clips(&self) -> Document {
        self.whole.without_clips()
    }

    fn skip(&mut self, clips: usize) {
        self.next = self.next.saturating_add(clips);
        self.whole.skip(clips);
    }

    fn next_clip(&mut self, budget: &mut Budget) -> Result<Option<Outcome<Document>>, ReadError> {
        let mut read = self.whole.next_clip(budget)?;
        if let Some(origin) = read.as_mut().and_then(|read| read.value.origin.as_mut())
            && let Some(model) = self.alone(self.next)
        {
            origin.model = Some(model);
        }
        self.next = self.next.saturating_add(1);
        Ok(read)
    }

    fn read_all(&mut self, budget: &mut Budget) -> Result<Outcome<Document>, ReadError> {
        let mut read = self.whole.read_all(budget)?;
        if let (Some(origin), Some(model)) = (read.value.origin.as_mut(), self.model.take()) {
            origin.model = Some(model);
        }
        Ok(read)
    }
}
