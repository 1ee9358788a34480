//! Sections that are packed: LZ4 in chunks, and LZMA.

mod lz4;
mod lzma;

use std::borrow::Cow;

use inbetween_core::parse::Cursor;
use inbetween_core::{Budget, ReadError, ReadErrorKind};

use crate::Encoding;
use crate::file::{Packing, Section, Unpacked};

pub(crate) use lz4::Chunks;
#[cfg(feature = "lzma")]
pub(crate) use lzma::HEAD as LZMA_HEAD;
pub(crate) use lzma::LzmaHead;

/// Unpacks all that is left to read as LZ4 chunks.
pub(crate) fn unpack_lz4(
    cursor: &mut Cursor<'_>,
    budget: &mut Budget,
) -> Result<Unpacked, ReadError> {
    lz4::unpack(cursor, budget).map(|bytes| Unpacked { bytes, packing: Packing::Lz4 })
}

/// Unpacks all that is left to read as LZMA; as LZ4 chunks where it is not LZMA.
///
/// The wiki calls encoding 2 "LZ4S memory stream", so such files may exist.
pub(crate) fn unpack_lzma(
    cursor: &mut Cursor<'_>,
    budget: &mut Budget,
) -> Result<Section, ReadError> {
    match LzmaHead::of(cursor.rest()) {
        Ok(head) => lzma::unpack(head, cursor, budget),
        Err(why) => {
            let unpacked = unpack_lz4(cursor, budget).map(Section::Unpacked);
            unpacked.map_err(|error| {
                if matches!(error.kind(), ReadErrorKind::Limit { .. }) {
                    return error;
                }
                error.with_hint(format!("the section is not LZMA ({why}), so LZ4 was tried"))
            })
        }
    }
}

/// Packs a section.
///
/// # Errors
///
/// What this build lacks for it.
pub(crate) fn pack(section: &[u8], encoding: Encoding) -> Result<Cow<'_, [u8]>, &'static str> {
    match encoding {
        Encoding::Plain => Ok(section.into()),
        Encoding::Lz4 => Ok(lz4::pack(section).into()),
        Encoding::Lzma => lzma::pack(section).map(Cow::from),
    }
}

/// Says whether sections of this encoding can be packed.
pub(crate) const fn packs(encoding: Encoding) -> bool {
    cfg!(feature = "lzma") || !matches!(encoding, Encoding::Lzma)
}

/// What to do about a section that this build cannot unpack.
pub(crate) const NO_LZMA: &str =
    "build inbetween-animx with its feature `lzma`, or save the file uncompressed";
