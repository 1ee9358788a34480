//! The exact model: the text of a file, and where its objects are.

use std::borrow::Cow;
use std::ops::Range;

use crate::layout::CLIP_CLASS;

/// A text file of Unity: its text, and where its objects are. Clips are decoded on request.
///
/// # Examples
///
/// ```
/// use inbetween_core::Limits;
/// use inbetween_unity_anim::{Style, UnityAnimFile};
///
/// let text = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: A\n";
/// let file = UnityAnimFile::parse(text, &Limits::default())?.value;
/// assert_eq!((file.objects()[0].class, file.objects()[0].id), (74, 7_400_000));
/// assert_eq!(file.to_text(Style::Source).as_bytes(), text);
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct UnityAnimFile<'a> {
    pub(crate) source: Cow<'a, str>,
    pub(crate) objects: Vec<UnityObject>,
}

/// An object of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnityObject {
    /// The number of its class: 74 for clips.
    pub class: u64,
    /// Its file id, by which other objects refer to it; 0 if missing.
    pub id: i64,
    /// Whether the object is only referred to: it belongs to another file.
    pub is_stripped: bool,
    /// The bytes of its text, after the line that begins it.
    pub body: Range<usize>,
}

impl UnityObject {
    /// Returns whether it is a clip.
    pub const fn is_clip(&self) -> bool {
        self.class == CLIP_CLASS && !self.is_stripped
    }
}

/// How a file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// With plain lines between the objects.
    #[default]
    Plain,
    /// As it was read, byte for byte.
    Source,
}

impl UnityAnimFile<'_> {
    /// Returns the objects in file order.
    pub fn objects(&self) -> &[UnityObject] {
        &self.objects
    }

    /// Returns the text of an object.
    pub fn body(&self, object: &UnityObject) -> &str {
        self.source.get(object.body.clone()).unwrap_or_default()
    }

    /// Returns the clips in file order.
    pub(crate) fn clips(&self) -> impl Iterator<Item = &UnityObject> {
        self.objects.iter().filter(|object| object.is_clip())
    }

    /// Returns the text before the first object.
    pub(crate) fn head(&self) -> &str {
        let lines = self.source.split_inclusive('\n');
        let length = lines.take_while(|line| !line.starts_with(crate::layout::SEPARATOR));
        self.source.get(..length.map(str::len).sum()).unwrap_or_default()
    }

    /// Returns the text of the file.
    pub fn to_text(&self, style: Style) -> String {
        match style {
            Style::Source => self.source.clone().into_owned(),
            Style::Plain => self.clone().into_parts().to_text(),
        }
    }
}
