//! Origins: the files that documents were read from.

use crate::{Coordinates, Text};

/// The file that a document was read from: its format, and the options that write one like it.
///
/// A document that is written in its own format gets a file like the one that was read, with the
/// same compression for example, unless the caller chose otherwise.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Document, Origin};
///
/// let origin = Origin::new("animx").with_option("encoding", "lz4");
/// let document = Document::default().with_origin(origin);
/// let encoding = document.origin_in("animx").and_then(|origin| origin.option("encoding"));
/// assert_eq!(encoding, Some("lz4"));
/// assert_eq!(document.origin_in("animj"), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Origin {
    /// The id of the format.
    pub format: &'static str,
    /// The names and values of options, as [`Format::with_option`](crate::Format::with_option) takes
    /// them.
    pub options: Vec<(&'static str, &'static str)>,
    /// What the file holds besides animations and a skeleton, for people: `meshes`, `materials`.
    pub scene: Vec<Text>,
    /// What the axes and lengths of the file mean, if that is not the same for all files of the
    /// format.
    pub coordinates: Option<Coordinates>,
}

impl Origin {
    /// Creates the origin of a file that needs no options, in the format with this id.
    pub const fn new(format: &'static str) -> Self {
        Self { format, options: Vec::new(), scene: Vec::new(), coordinates: None }
    }

    /// Returns the origin with the names of other parts of the file.
    #[must_use]
    pub fn with_scene(mut self, parts: Vec<Text>) -> Self {
        self.scene = parts;
        self
    }

    /// Returns the origin with the coordinates of the file.
    #[must_use]
    pub const fn with_coordinates(mut self, coordinates: Coordinates) -> Self {
        self.coordinates = Some(coordinates);
        self
    }

    /// Returns the origin with an option.
    #[must_use]
    pub fn with_option(mut self, name: &'static str, value: &'static str) -> Self {
        self.options.push((name, value));
        self
    }

    /// Returns the value of an option.
    pub fn option(&self, name: &str) -> Option<&'static str> {
        self.options.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}
