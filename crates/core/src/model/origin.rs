//! Origins: the files that documents were read from.

use std::sync::Arc;

use crate::{Coordinates, Neighbors, Skeleton, Text};

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
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Origin {
    /// The id of the format.
    pub format: &'static str,
    /// The names and values of options, as [`Format::with_option`](crate::Format::with_option) takes
    /// them.
    pub options: Vec<(&'static str, &'static str)>,
    /// What the file holds besides animations and a skeleton, for people: `meshes`, `materials`.
    pub scene: Vec<Text>,
    /// The same of other files whose clips were added.
    pub added_scene: Vec<Text>,
    /// What the axes and lengths of the file mean, if that is not the same for all files of the
    /// format.
    pub coordinates: Option<Coordinates>,
    /// The file itself, if it holds other parts and its format can replace its animations.
    pub model: Option<Model>,
    /// The old and the new names of nodes that edits renamed, for the model. The names of each list
    /// change at once.
    pub renamed: Vec<Vec<(Text, Text)>>,
}

/// A file with other parts than animations, in which a writer of its format writes clips.
#[derive(Clone, Debug)]
pub struct Model {
    /// The bytes of the file.
    pub bytes: Arc<[u8]>,
    /// Gives the files beside it.
    pub neighbors: Option<Arc<dyn Neighbors>>,
    /// All nodes of the file, with their parents and transforms.
    pub nodes: Option<Skeleton>,
    /// What becomes of the animations that the file has.
    pub animations: OldAnimations,
}

/// What becomes of the animations of a file in which clips are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OldAnimations {
    /// The document has them, so they are replaced.
    #[default]
    Replaced,
    /// They stay, and the clips are added.
    Kept,
}

/// Compares everything except the model: the names of its parts stand for it.
impl PartialEq for Origin {
    fn eq(&self, other: &Self) -> bool {
        let of = |origin: &Self| {
            let Self { format, options, scene, added_scene, coordinates, renamed, .. } =
                origin.clone();
            (format, options, scene, added_scene, coordinates, renamed)
        };
        of(self) == of(other)
    }
}

impl Origin {
    /// Creates the origin of a file that needs no options, in the format with this id.
    pub const fn new(format: &'static str) -> Self {
        Self {
            format,
            options: Vec::new(),
            scene: Vec::new(),
            added_scene: Vec::new(),
            coordinates: None,
            model: None,
            renamed: Vec::new(),
        }
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
