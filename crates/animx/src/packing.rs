//! Compressed sections: LZ4 in chunks, and LZMA.

mod lz4;
mod lzma;

use std::borrow::Cow;

use inbetween_core::parse::ByteCursor;
use inbetween_core::{Budget, Path, ReadError, ReadErrorKind};

use crate::file::{Packing, Section, Unpacked};
use crate::layout::{Encoding, ID};

pub(crate) use lz4::Chunks;
#[cfg(feature = "lzma")]
pub(crate) use lzma::HEAD as LZMA_HEAD;
pub(crate) use lzma::{LzmaHead, NO_LZMA};

/// Decompresses all remaining bytes as LZ4 chunks.
pub(crate) fn unpack_lz4(
    cursor: &mut ByteCursor<'_>,
    budget: &mut Budget,
) -> Result<Unpacked, ReadError> {
    lz4::unpack(cursor, budget).map(|bytes| Unpacked { bytes, packing: Packing::Lz4 })
}

/// Decompresses all remaining bytes as LZMA, or as LZ4 chunks if they are not LZMA.
///
/// The wiki calls encoding 2 "LZ4S memory stream", so such files may exist.
pub(crate) fn unpack_lzma(
    cursor: &mut ByteCursor<'_>,
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

/// Compresses a section.
///
/// # Errors
///
/// The name of the feature that this build lacks.
pub(crate) fn pack(section: &[u8], encoding: Encoding) -> Result<Cow<'_, [u8]>, &'static str> {
    match encoding {
        Encoding::Plain => Ok(section.into()),
        Encoding::Lz4 => Ok(lz4::pack(section).into()),
        Encoding::Lzma => lzma::pack(section).map(Cow::from),
    }
}

/// Returns whether this build can compress sections of this encoding.
pub(crate) const fn packs(encoding: Encoding) -> bool {
    cfg!(feature = "lzma") || !matches!(encoding, Encoding::Lzma)
}

/// The error for a section that this build cannot decompress.
pub(crate) fn sealed() -> ReadError {
    let what = "a section compressed with LZMA".into();
    ReadError::new(ReadErrorKind::Unsupported { what })
        .in_format(ID)
        .at_path(Path::field("tracks"))
        .with_hint(NO_LZMA)
}
