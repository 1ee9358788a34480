//! Positions and paths in a file.

use core::fmt;
use core::hash::{Hash, Hasher};

use super::shown::{pointer_token, printable};

/// The bytes that an offset refers to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Space {
    /// The file itself.
    #[default]
    File,
    /// The decompressed section.
    Decompressed,
}

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Position {
    /// A byte of a binary file.
    Byte {
        /// The bytes that the offset refers to.
        space: Space,
        /// From 0.
        offset: u64,
    },
    /// A character of a text file.
    Text {
        /// From 1.
        line: u64,
        /// From 1, in characters.
        column: u64,
        /// The byte offset, from 0.
        offset: u64,
    },
}

impl Position {
    /// Returns the position of a byte of the file itself.
    pub const fn byte(offset: u64) -> Self {
        Self::Byte { space: Space::File, offset }
    }

    /// Returns the byte offset.
    pub const fn offset(self) -> u64 {
        match self {
            Self::Byte { offset, .. } | Self::Text { offset, .. } => offset,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte { space: Space::File, offset } => write!(f, "at byte {offset:#x}"),
            Self::Byte { space: Space::Decompressed, offset } => {
                write!(f, "at byte {offset:#x} of the decompressed section")
            }
            Self::Text { line, column, .. } => write!(f, "line {line}, column {column}"),
        }
    }
}

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Segment {
    /// A field, by its name in the specification.
    Field(&'static str),
    /// A member of a text file, by its name in the file.
    Name(Box<str>),
    /// An item of a list, from 0.
    Index(u64),
}

/// The path of an item in a file, from the outside in.
///
/// Prints as `bones[3].rotation`, or as the JSON pointer `/tracks/0/data` for JSON files. Hidden
/// characters in names are escaped, and long names in JSON pointers are cut, as by
/// [`shown`](crate::shown()); `{:#}` prints them in full.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path {
    style: PathStyle,
    steps: Steps,
}

/// The steps of a path.
///
/// Writers create the path of every track, but only findings and errors use it, so the path of a
/// list item allocates nothing.
#[derive(Clone, Debug)]
enum Steps {
    Item([Segment; 2]),
    List(Vec<Segment>),
}

impl Steps {
    fn as_slice(&self) -> &[Segment] {
        match self {
            Self::Item(item) => item,
            Self::List(list) => list,
        }
    }

    fn into_vec(self) -> Vec<Segment> {
        match self {
            Self::Item(item) => item.into(),
            Self::List(list) => list,
        }
    }
}

impl Default for Steps {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl PartialEq for Steps {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Steps {}

impl Hash for Steps {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

/// The notation of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PathStyle {
    /// `bones[3].rotation`.
    #[default]
    Dotted,
    /// `/bones/3/rotation` (RFC 6901).
    JsonPointer,
}

impl Path {
    /// Creates a path from its steps.
    pub fn new(style: PathStyle, segments: Vec<Segment>) -> Self {
        Self { style, steps: Steps::List(segments) }
    }

    /// Creates the path of one field.
    pub fn field(name: &'static str) -> Self {
        Self::new(PathStyle::Dotted, vec![Segment::Field(name)])
    }

    /// Creates the path of an item of a list: `bones[3]`.
    pub fn item(list: &'static str, index: usize) -> Self {
        let index = Segment::Index(crate::num::u64_from_len(index));
        Self { style: PathStyle::Dotted, steps: Steps::Item([Segment::Field(list), index]) }
    }

    /// Returns the path with a field appended.
    #[must_use]
    pub fn then(self, name: &'static str) -> Self {
        let mut segments = self.steps.into_vec();
        segments.push(Segment::Field(name));
        Self::new(self.style, segments)
    }

    /// Returns the steps from the outside in.
    pub fn segments(&self) -> &[Segment] {
        self.steps.as_slice()
    }

    /// Returns whether the path refers to the file itself.
    pub fn is_root(&self) -> bool {
        self.segments().is_empty()
    }

    /// Prepends a list item, while an error propagates outward.
    pub(crate) fn prepend_item(&mut self, list: &'static str, index: usize) {
        let index = Segment::Index(crate::num::u64_from_len(index));
        let mut segments = vec![Segment::Field(list), index];
        segments.append(&mut core::mem::take(&mut self.steps).into_vec());
        self.steps = Steps::List(segments);
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.segments().iter().enumerate() {
            let name = match segment {
                Segment::Index(index) => {
                    match self.style {
                        PathStyle::JsonPointer => write!(f, "/{index}")?,
                        PathStyle::Dotted => write!(f, "[{index}]")?,
                    }
                    continue;
                }
                Segment::Field(name) => name,
                Segment::Name(name) => name.as_ref(),
            };
            match self.style {
                PathStyle::JsonPointer => write!(f, "/{}", pointer_token(name, f.alternate()))?,
                PathStyle::Dotted => {
                    f.write_str(if position > 0 { "." } else { "" })?;
                    if f.alternate() { f.write_str(name)? } else { printable(name).fmt(f)? }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dotted_paths_look_like_code() {
        let path = Path::item("bones", 3).then("rotation");
        assert_eq!(path.to_string(), "bones[3].rotation");
        assert_eq!(Path::default().to_string(), "");
    }

    #[test]
    fn paths_of_equal_steps_are_equal() {
        let steps = || vec![Segment::Field("tracks"), Segment::Index(2)];
        let item = Path::item("tracks", 2);
        assert_eq!(item, Path::new(PathStyle::Dotted, steps()));
        assert_ne!(item, Path::new(PathStyle::JsonPointer, steps()));
        let mut nested = Path::field("keys");
        nested.prepend_item("tracks", 2);
        assert_eq!(nested, item.then("keys"));
    }

    #[test]
    fn json_pointers_escape_their_tokens() {
        let segments =
            vec![Segment::Field("tracks"), Segment::Index(0), Segment::Name("a/b~c".into())];
        assert_eq!(Path::new(PathStyle::JsonPointer, segments).to_string(), "/tracks/0/a~1b~0c");
    }

    #[test]
    fn names_are_cut_or_printed_in_full() {
        let name = format!("/\u{202e}{}", "x".repeat(100));
        let path = |style| Path::new(style, vec![Segment::Name(name.as_str().into())]);
        let pointer = path(PathStyle::JsonPointer);
        assert_eq!(pointer.to_string(), format!("/~1\\u{{202e}}{}… (104 bytes)", "x".repeat(62)));
        assert_eq!(format!("{pointer:#}"), format!("/~1{}", &name[1..]));
        let dotted = path(PathStyle::Dotted);
        assert_eq!(dotted.to_string(), format!("/\\u{{202e}}{}", "x".repeat(100)));
        assert_eq!(format!("{dotted:#}"), name);
    }
}
