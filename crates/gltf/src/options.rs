//! The format with its options.

use std::sync::Arc;

use inbetween_core::{Document, Neighbors};

use crate::layout::{Container, ID};

/// The name of the option for the container.
pub(crate) const CONTAINER: &str = "gltf-container";

/// The glTF format with its options.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Document, Format, Limits};
/// use inbetween_gltf::Gltf;
///
/// let document = Document::single(Default::default());
/// let bytes = Gltf::default().write(document, &Limits::default())?.value;
/// assert!(bytes.starts_with(b"glTF\x02\0\0\0"));
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Gltf {
    container: Option<Container>,
    curves: Option<Curves>,
    neighbors: Option<Arc<dyn Neighbors>>,
}

/// How curves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Curves {
    /// As cubic splines.
    #[default]
    Spline,
    /// As linear keys, for programs that do not play splines.
    Bake,
    /// As linear keys, and jumps too, for programs that play every sampler linearly: a key with the
    /// value before a jump comes shortly before it.
    Linear,
}

impl Gltf {
    /// Returns the format that writes files of a container. The default is that of the
    /// [file](Document::origin) that the document was read from, or `.glb`.
    #[must_use]
    pub const fn with_container(mut self, container: Container) -> Self {
        self.container = Some(container);
        self
    }

    /// Returns the format that writes curves as splines or as linear keys, and jumps too if that is
    /// chosen. Without a choice they are
    /// splines, and a [finding](inbetween_core::codes::SPLINES_WRITTEN) says so.
    #[must_use]
    pub const fn with_curves(mut self, curves: Curves) -> Self {
        self.curves = Some(curves);
        self
    }

    /// Returns the format that loads buffers from other files in the folder of the glTF file.
    /// Without it, such a file is an error.
    #[must_use]
    pub fn with_neighbors(mut self, neighbors: Arc<dyn Neighbors>) -> Self {
        self.neighbors = Some(neighbors);
        self
    }

    pub(crate) fn container(&self) -> Container {
        self.container.unwrap_or_default()
    }

    /// Returns the container for a document: the chosen one, or that of its file.
    pub(crate) fn written_container(&self, document: &Document) -> Container {
        let of_file = || Container::of_name(document.origin_in(ID)?.option(CONTAINER)?);
        self.container.or_else(of_file).unwrap_or_default()
    }

    pub(crate) fn curves(&self) -> Curves {
        self.curves.unwrap_or_default()
    }

    /// Returns whether nobody chose how curves are written.
    pub(crate) const fn chooses_curves(&self) -> bool {
        self.curves.is_none()
    }

    pub(crate) fn shared_neighbors(&self) -> Option<Arc<dyn Neighbors>> {
        self.neighbors.clone()
    }

    pub(crate) fn neighbors(&self) -> Option<&dyn Neighbors> {
        self.neighbors.as_deref()
    }
}
