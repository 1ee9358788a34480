//! Buffer views that `EXT_meshopt_compression` or `KHR_meshopt_compression` compresses.

mod codec;
mod filters;

use inbetween_core::{Budget, Path, ReadError, Text, num, shown};

use self::codec::Layout;
use crate::read::{Fault, FaultResult};

/// The first extension: version 0 of the codec.
pub(crate) const EXT: &str = "EXT_meshopt_compression";

/// Its successor: versions 0 and 1 of the codec.
pub(crate) const KHR: &str = "KHR_meshopt_compression";

/// The extensions of views that hold compressed bytes of a buffer.
pub(crate) const EXTENSIONS: [&str; 2] = [EXT, KHR];

/// The compressed form of a view, as an extension states it. Numbers that it lacks are 0.
#[derive(Debug, Default)]
pub(crate) struct Meshopt {
    /// The name of the extension.
    pub(crate) extension: &'static str,
    /// The range of the compressed bytes.
    pub(crate) buffer: Option<usize>,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    /// The size of an element in bytes.
    pub(crate) stride: u64,
    /// The number of elements.
    pub(crate) count: u64,
    pub(crate) mode: Option<Text>,
    pub(crate) filter: Option<Text>,
}

/// How decoded bytes become those of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    None,
    Quaternion,
    Exponential,
}

impl Meshopt {
    /// The largest size of an element.
    const LARGEST: u64 = 256;

    /// Returns whether a filter changes the decoded bytes. Most filters round.
    pub(crate) fn is_filtered(&self) -> bool {
        self.filter.as_deref().is_some_and(|filter| filter != "NONE")
    }

    /// Decodes the bytes of a view of this length and stride; `path` returns the path of a member of
    /// the extension, or that of the extension itself.
    ///
    /// # Errors
    ///
    /// If the extension contradicts itself, the view or its bytes, uses what this crate does not
    /// decode, or the result exceeds the budget.
    pub(crate) fn decode(
        &self,
        bytes: &[u8],
        (at, length, stride): (usize, u64, Option<u64>),
        path: &dyn Fn(&[&'static str]) -> Path,
        budget: &mut Budget,
    ) -> FaultResult<Vec<u8>> {
        let filter = self.filter(at, path)?;
        let wrong = |member: &'static str, expected: String, found: String| {
            Err(Fault::invalid(at, path(&[member]), expected, found))
        };
        if let Some(expected) = self.other_stride(filter, stride) {
            return wrong("byteStride", expected, self.stride.to_string());
        }
        if self.count.checked_mul(self.stride) != Some(length) {
            let found = format!("{} elements of {} bytes", self.count, self.stride);
            return wrong("count", format!("the {length} bytes of the view"), found);
        }
        let layout = Layout {
            stride: num::len_from_u64(self.stride),
            count: num::len_from_u64(self.count),
            newest: u8::from(self.extension == KHR),
        };
        let place = |error: ReadError| Fault::of(error, at, path(&[]));
        let mut decoded = codec::decode(bytes, layout, budget).map_err(place)?;
        match filter {
            Filter::None => {}
            Filter::Quaternion => filters::quaternions(&mut decoded),
            Filter::Exponential => filters::exponents(&mut decoded),
        }
        Ok(decoded)
    }

    /// Returns which stride is expected, if it is another one.
    fn other_stride(&self, filter: Filter, of_view: Option<u64>) -> Option<String> {
        if self.stride == 0 || !self.stride.is_multiple_of(4) || self.stride > Self::LARGEST {
            return Some("a multiple of 4 up to 256".to_owned());
        }
        if filter == Filter::Quaternion && self.stride != 8 {
            return Some("8, as for rotations of 16 bits".to_owned());
        }
        // The successor leaves out this rule.
        let of_view = of_view.filter(|stride| self.extension == EXT && *stride != self.stride)?;
        Some(format!("{of_view}, as the view states"))
    }

    /// Returns the filter of the mode for keys and vertices.
    fn filter(&self, at: usize, path: &dyn Fn(&[&'static str]) -> Path) -> FaultResult<Filter> {
        let unsupported = |what: &str, name: &str, member: &'static str| {
            let what = format!("the {what} {} of {}", shown(name), self.extension);
            Err(Fault::unsupported(at, path(&[member]), what))
        };
        match self.mode.as_deref() {
            Some("ATTRIBUTES") => {}
            Some(mode) => return unsupported("mode", mode, "mode"),
            None => return Err(Fault::invalid(at, path(&["mode"]), "the mode ATTRIBUTES", "none")),
        }
        match self.filter.as_deref() {
            None | Some("NONE") => Ok(Filter::None),
            Some("QUATERNION") => Ok(Filter::Quaternion),
            Some("EXPONENTIAL") => Ok(Filter::Exponential),
            Some(filter) => unsupported("filter", filter, "filter"),
        }
    }
}
