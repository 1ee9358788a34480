//! The part of a document that a finding or an error is about.

use core::fmt;
use std::sync::Arc;

use super::shown::printable;
use crate::Path;

/// The clip, the track and the key that a finding or an error is about; empty for a whole document.
///
/// Prints the names: `clip 'Walk', b_Head_05/Rotation, key 12`. A long name is cut. The alternate
/// form prints names as they are, up to 256 characters.
///
/// # Examples
///
/// ```
/// use inbetween_core::{ClipPlace, Place, Property, Target, TrackPlace};
///
/// let clip = ClipPlace { index: 1, name: "Walk".into() };
/// let track = TrackPlace { index: 3, name: (&Target::new("head", Property::Rotation)).into() };
/// let place = Place { clip: Some(clip), track: Some(track), key: Some(12) };
/// assert_eq!(place.to_string(), "clip 'Walk', head/Rotation, key 12");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The clip; `None` in a document of one clip.
    pub clip: Option<ClipPlace>,
    /// The track.
    pub track: Option<TrackPlace>,
    /// The index of the key.
    pub key: Option<usize>,
}

/// A clip of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClipPlace {
    /// The index in the document.
    pub index: usize,
    /// The name, which may be empty.
    pub name: Arc<str>,
}

/// A track of a clip.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrackPlace {
    /// The index in the clip.
    pub index: usize,
    /// The node and the property.
    pub name: TrackName,
}

/// The name of a track, which is put together only to print it: `head/Position.x`.
///
/// Made of a [`Target`](crate::Target).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrackName {
    pub(crate) node: Option<Arc<str>>,
    /// The property, or the start of its name.
    pub(crate) property: &'static str,
    /// The part of the name that the file chooses.
    pub(crate) custom: Option<Arc<str>>,
    /// The component, if there is one.
    pub(crate) axis: &'static str,
}

impl Place {
    /// Returns whether the place is the whole document.
    pub const fn is_whole(&self) -> bool {
        self.clip.is_none() && self.track.is_none() && self.key.is_none()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(clip) = &self.clip {
            if clip.name.is_empty() {
                write!(f, "clip #{}", clip.index.saturating_add(1))?;
            } else {
                f.write_str("clip '")?;
                name(&clip.name, f)?;
                f.write_str("'")?;
            }
            separator = ", ";
        }
        if let Some(track) = &self.track {
            write!(f, "{separator}")?;
            track.fmt(f)?;
            separator = ", ";
        }
        if let Some(key) = self.key {
            write!(f, "{separator}key {key}")?;
        }
        Ok(())
    }
}

/// A track without any name has a number.
impl fmt::Display for TrackPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TrackName { node, property, custom, axis } = &self.name;
        let [node, custom] = [node, custom].map(|name| name.as_deref().unwrap_or_default());
        if [node, property, custom].iter().all(|part| part.is_empty()) {
            return write!(f, "track #{}", self.index.saturating_add(1));
        }
        name(node, f)?;
        write!(f, "/{property}")?;
        name(custom, f)?;
        f.write_str(if axis.is_empty() { "" } else { "." })?;
        f.write_str(axis)
    }
}

/// Prints a name, or its start.
fn name(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !f.alternate() {
        return write!(f, "{}", printable(name).at_most(64));
    }
    let end = name.char_indices().nth(256).map_or(name.len(), |(end, _)| end);
    f.write_str(name.get(..end).unwrap_or_default())
}

/// A place in a document and the path of what no place tells, to print together.
#[derive(Clone, Copy, Debug)]
pub struct Location<'a> {
    pub(super) place: &'a Place,
    pub(super) path: &'a Path,
}

impl Location<'_> {
    /// Returns whether it is the whole file or document, for which nothing is printed.
    pub fn is_whole(&self) -> bool {
        self.place.is_whole() && self.path.is_root()
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)?;
        if !self.place.is_whole() && !self.path.is_root() {
            f.write_str(", ")?;
        }
        self.path.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Property, Target};

    fn place(clip: &str, node: &str) -> Place {
        let clip = ClipPlace { index: 0, name: clip.into() };
        let name = TrackName::from(&Target::new(node, Property::Scale));
        let track = TrackPlace { index: 0, name };
        Place { clip: Some(clip), track: Some(track), key: None }
    }

    #[test]
    fn names_are_escaped_and_clips_without_one_have_a_number() {
        let place = place("", "a\nb");
        assert_eq!(place.to_string(), "clip #1, a\\nb/Scale");
        assert_eq!(format!("{place:#}"), "clip #1, a\nb/Scale");
        assert_eq!(Place::default().to_string(), "");
    }

    #[test]
    fn long_names_are_cut() {
        let place = place("walk", &"n".repeat(3000));
        let cut = format!("clip 'walk', {}… (3000 bytes)/Scale", "n".repeat(64));
        assert_eq!(place.to_string(), cut);
        assert_eq!(format!("{place:#}").len(), "clip 'walk', /Scale".len() + 256);
    }
}
