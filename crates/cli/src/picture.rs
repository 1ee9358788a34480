//! Encodes pictures as files.

use std::path::Path;

use inbetween::core::shown;

use crate::exit::Failure;
use crate::inputs::is_dash;

/// A format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Svg,
    Png,
}

impl Kind {
    /// Returns the format for the extension of a file name.
    pub(crate) fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            _ if is_dash(path) => Ok(Self::Svg),
            Some("svg") => Ok(Self::Svg),
            Some("png") if cfg!(feature = "png") => Ok(Self::Png),
            Some("png") => Err(Failure::Usage(
                "this build of inbetween cannot write PNG; use a name that ends in .svg".to_owned(),
            )),
            _ => Err(Failure::Usage(format!(
                "{}: expected a name that ends in .svg or .png",
                shown(&path.display().to_string())
            ))),
        }
    }

    /// Returns whether pictures of this format show a character. In an SVG, the viewer draws text
    /// with its own fonts; a PNG has only the letters of the font in this program.
    pub(crate) fn shows(self, c: char) -> bool {
        match self {
            Self::Svg => true,
            Self::Png => in_font(c),
        }
    }
}

/// Returns the bytes of a picture.
pub(crate) fn encode(svg: &str, kind: Kind) -> Result<Vec<u8>, Failure> {
    match kind {
        Kind::Svg => Ok(svg.as_bytes().to_vec()),
        Kind::Png => png(svg),
    }
}

/// The size of a PNG relative to the SVG, so that text is sharp on dense screens.
#[cfg(feature = "png")]
const ZOOM: f32 = 2.0;

#[cfg(feature = "png")]
fn png(svg: &str) -> Result<Vec<u8>, Failure> {
    use resvg::{tiny_skia, usvg};

    let failed = |why: &dyn std::fmt::Display| Failure::Cannot(format!("the picture: {why}"));
    let options = usvg::Options { fontdb: crate::font::database(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| failed(&error))?;
    let size = tree.size().to_int_size().scale_by(ZOOM);
    let pixels = size.and_then(|size| tiny_skia::Pixmap::new(size.width(), size.height()));
    let mut pixels = pixels.ok_or_else(|| failed(&"there is not enough memory for its pixels"))?;
    let zoom = tiny_skia::Transform::from_scale(ZOOM, ZOOM);
    resvg::render(&tree, zoom, &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(&error))
}

#[cfg(feature = "png")]
fn in_font(c: char) -> bool {
    crate::font::has(c)
}

#[cfg(not(feature = "png"))]
fn in_font(_: char) -> bool {
    false
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> Result<Vec<u8>, Failure> {
    Err(Failure::Usage("this build of inbetween cannot write PNG".to_owned()))
}
