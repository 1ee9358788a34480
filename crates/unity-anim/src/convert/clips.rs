//! Reads the clips of a file one at a time.

use inbetween_core::{
    Budget, ClipReader, Document, Finding, Model, Outcome, ReadError, Text, WholeFile,
};

use super::to_document::{Read, model};
use crate::file::UnityAnimFile;
use crate::layout::ID;

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

    /// Returns the text of a file with one clip alone, and charges it: all such texts repeat the head of
    /// the file, which may be long.
    fn alone(&self, clip: usize, budget: &mut Budget) -> Result<Option<Model>, ReadError> {
        let object = self.objects.get(clip).and_then(|object| self.file.objects().get(*object));
        let Some(object) = object else { return Ok(None) };
        let line = crate::parts::separator(object.class, object.id, object.is_stripped);
        let text = [self.file.head(), &line, self.file.body(object)];
        let length = text.into_iter().map(str::len).fold(0, usize::saturating_add);
        budget.charge_columns(length).map_err(|error| error.in_format(ID))?;
        Ok(Some(model(text.concat().as_bytes())))
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
            && let Some(model) = self.alone(self.next, budget)?
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
