//! The numbers and names of the format: the magic number, versions, sizes, and words in the extras.

use inbetween_core::{Blend, Clock, Interpolation, Rules};

/// The playback rules of glTF: `f32` times, and linear segments, slerps and cubic splines.
pub const RULES: Rules = Rules::LINEAR.with_clock(Clock::F32);

/// The id of the format, in errors and findings.
pub(crate) const ID: &str = "gltf";

/// The first four bytes of a binary file.
pub(crate) const MAGIC: &[u8] = b"glTF";

/// The version of binary files.
pub(crate) const VERSION: u32 = 2;

/// The number of bytes of the header of a binary file.
pub(crate) const HEADER: usize = 12;

/// The number of bytes of the head of a chunk.
pub(crate) const CHUNK_HEAD: usize = 8;

/// The container of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Container {
    /// A binary file (`.glb`): chunks of JSON and of bytes.
    #[default]
    Glb,
    /// A text file (`.gltf`): JSON.
    Gltf,
}

impl Container {
    /// Returns `glb` or `gltf`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Gltf => "gltf",
        }
    }

    /// Returns the container with a name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        [Self::Glb, Self::Gltf].into_iter().find(|container| container.name() == name)
    }
}

/// The name of the member of extras that this crate writes.
pub(crate) const OWN: &str = "inbetween";

/// The version of the content of that member.
pub(crate) const EXTRAS_VERSION: u64 = 1;

/// The names of blends in the extras.
pub(crate) const BLENDS: [(&str, Blend); 3] = [
    ("absolute", Blend::Absolute),
    ("rest-relative", Blend::RestRelative),
    ("additive", Blend::Additive),
];

/// The names of interpolations in the extras.
pub(crate) const INTERPOLATIONS: [(&str, Interpolation); 4] = [
    ("hold", Interpolation::Hold),
    ("linear", Interpolation::Linear),
    ("hermite", Interpolation::Hermite),
    ("bezier", Interpolation::Bezier),
];
