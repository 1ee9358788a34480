//! The exact model as plain owned data that can be changed.

use inbetween_core::{Limits, WriteError};

use crate::file::UnityAnimFile;
use crate::layout::{ID, SEPARATOR};

/// A file as owned parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnityAnimParts {
    /// The lines before the first object.
    pub head: String,
    /// The objects in file order.
    pub objects: Vec<ObjectPart>,
}

/// An object of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectPart {
    /// The number of its class: 74 for clips.
    pub class: u64,
    /// Its file id.
    pub id: i64,
    /// Whether the object is only referred to.
    pub is_stripped: bool,
    /// Its text, which ends with a line end.
    pub body: String,
}

impl UnityAnimParts {
    /// Returns the text of the parts.
    pub fn to_text(&self) -> String {
        let mut text = self.head.clone();
        for object in &self.objects {
            let line = separator(object.class, object.id, object.is_stripped);
            text.extend([line.as_str(), &object.body]);
        }
        text
    }
}

/// Returns the line before an object.
pub(crate) fn separator(class: u64, id: i64, is_stripped: bool) -> String {
    let stripped = if is_stripped { " stripped" } else { "" };
    format!("{SEPARATOR}!u!{class} &{id}{stripped}\n")
}

impl UnityAnimFile<'_> {
    /// Returns the file as owned parts.
    pub fn into_parts(self) -> UnityAnimParts {
        let part = |object: &crate::UnityObject| ObjectPart {
            class: object.class,
            id: object.id,
            is_stripped: object.is_stripped,
            body: self.body(object).to_owned(),
        };
        let objects = self.objects.iter().map(part).collect();
        UnityAnimParts { head: self.head().to_owned(), objects }
    }

    /// Builds a file from parts.
    ///
    /// # Errors
    ///
    /// If the text of the parts is not that of a file with the same objects.
    #[expect(clippy::needless_pass_by_value, reason = "the text replaces the parts")]
    pub fn from_parts(parts: UnityAnimParts) -> Result<UnityAnimFile<'static>, WriteError> {
        // The text was just written, so parsing it needs no limit.
        let limits = Limits::default().with_items(u64::MAX);
        let parsed = UnityAnimFile::parse_text(parts.to_text().into(), &limits);
        let broken = |what: String| WriteError::inconsistent(what).in_format(ID);
        let file = parsed.map_err(|error| broken(error.to_string()))?;
        if file.clone().into_parts() != parts {
            return Err(broken("a text of the parts begins another object".to_owned()));
        }
        Ok(file)
    }
}
