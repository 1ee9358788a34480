//! Checks a file and reports findings.

mod findings;
mod tracks;

use std::collections::HashMap;

use inbetween_core::parse::{self, ByteCursor};
use inbetween_core::{Budget, Finding, Findings, Limits, Path, ReadError, Space, codes as shared};

use crate::codes;
use crate::file::{AnimxFile, Packing, Section};
use crate::key_order::{self, Confirmation, CurrentTimes};
use crate::layout::{Encoding, Evidence, ID, MAGIC, Version};
use crate::packing::{Chunks, sealed};
use findings::Check;

/// Reports how the Curve keys were read.
pub(crate) fn layout(file: &AnimxFile<'_>, verdict: Confirmation, findings: &mut Findings) {
    let layout = file.layout();
    let order = layout.curve_key;
    let (code, message) = match (file.evidence(), verdict) {
        (Evidence::Ambiguous, _) => {
            (codes::LAYOUT_AMBIGUOUS, format!("read as {}; the other order fits too", order.name()))
        }
        (Evidence::LeastRefuted, _) => (
            codes::LAYOUT_DOUBTFUL,
            format!("read as {}, which gives impossible times", order.name()),
        ),
        (_, Confirmation::Disagrees) => {
            let first = order.other().name();
            (
                codes::LAYOUT_DISAGREES,
                format!("{first} according to the first keys, {} according to all", order.name()),
            )
        }
        (_, Confirmation::Agrees) => return,
    };
    findings.push(Finding::new(code, message));
}

/// Confirms the layout of a file with a full scan, and checks it as a whole, then track by track.
///
/// # Errors
///
/// If the tracks cannot be decompressed.
pub(crate) fn check(mut file: AnimxFile<'_>, limits: &Limits) -> Result<Vec<Finding>, ReadError> {
    if file.is_sealed() {
        return Err(sealed());
    }
    let mut budget = Budget::new(limits, file.to_bytes().len());
    let verdict = key_order::confirm(&mut file, CurrentTimes::Unknown, &mut budget);
    let mut findings = Findings::new(limits);
    layout(&file, verdict, &mut findings);
    let file = &file;
    let mut check = Check { file, findings };
    check.header();
    check.packing();
    check.trailing();
    let mut seen = HashMap::with_capacity(file.track_count());
    for (index, track) in file.tracks().enumerate() {
        check.findings.enter(Path::item("tracks", index));
        let name = (track.node().bytes(), track.property().bytes());
        let known = *seen.entry(name).or_insert(index);
        if known != index {
            let at = track.offset();
            check.say(shared::DUPLICATE_TRACK, at, Path::item("tracks", index), || {
                format!("same node and property as track {known}")
            });
        }
        check.track(&track, index);
    }
    Ok(check.findings.into_vec())
}

impl Check<'_, '_> {
    fn header(&mut self) {
        let file = self.file;
        let header = file.header();
        let version = MAGIC.len();
        if header.version == Version::V0 {
            let message = || "no other file of this version is known".to_owned();
            self.say_of_file(codes::VERSION_0, version, Path::field("version"), message);
        }
        let count = version.saturating_add(4);
        let padding = header.track_count.padding();
        if padding > 0 {
            self.say_of_file(codes::OVERLONG_LENGTH, count, Path::field("trackCount"), || {
                format!("{padding} bytes more than it needs")
            });
        }
        let duration = header.global_duration;
        if !(duration.is_finite() && duration >= 0.0) {
            let at = count.saturating_add(usize::from(header.track_count.size()));
            self.say_of_file(shared::DURATION_INVALID, at, Path::field("globalDuration"), || {
                format!("expected 0 or more, found {duration}")
            });
        }
        self.text(Space::File, file.name(), file.index.name.start, || Path::field("name"));
    }

    /// Checks the compression of the section.
    fn packing(&mut self) {
        let file = self.file;
        let Section::Unpacked(unpacked) = &file.section else { return };
        let start = file.index.section;
        match unpacked.packing {
            Packing::Lz4 => {
                if file.header().encoding == Encoding::Lzma {
                    self.say_of_file(codes::LZMA_IS_LZ4, start, Path::field("tracks"), || {
                        "encoding 2 (LZMA), but the data is LZ4 chunks".into()
                    });
                }
                self.chunks(start);
            }
            #[cfg(feature = "lzma")]
            Packing::Lzma { left } => self.lzma(start, left),
        }
    }

    /// Checks an LZMA section with bytes after the end of its stream.
    #[cfg(feature = "lzma")]
    fn lzma(&mut self, start: usize, left: usize) {
        use inbetween_core::num;

        use crate::packing::{LZMA_HEAD, LzmaHead};

        let file = self.file;
        let section = file.packed_section();
        let stated = LzmaHead::of(section).map_or(0, |head| head.packed);
        let found = section.len().saturating_sub(LZMA_HEAD);
        if stated != num::u64_from_len(found) {
            let at = start.saturating_add(13);
            self.say_of_file(codes::COMPRESSED_SIZE, at, Path::field("tracks"), || {
                format!("compressed size {stated}, but {found} bytes follow")
            });
        }
        if left > 0 {
            let at = file.to_bytes().len().saturating_sub(left);
            self.say_of_file(codes::LZMA_TAIL, at, Path::field("tracks"), || {
                format!("{left} bytes after the end of the stream")
            });
        }
    }

    fn chunks(&mut self, start: usize) {
        let file = self.file;
        let mut cursor = ByteCursor::new(ID, file.to_bytes());
        if cursor.parse("tracks", parse::bytes(start)).is_err() {
            return;
        }
        for (index, chunk) in Chunks::new(&mut cursor).enumerate() {
            let unknown = chunk.unknown_flags();
            let path = || Path::item("chunks", index);
            if unknown != 0 {
                self.say_of_file(codes::LZ4_FLAGS, chunk.at, path().then("flags"), || {
                    format!("unknown bits {unknown:#x}")
                });
            }
            if chunk.is_padded() {
                self.say_of_file(codes::OVERLONG_LENGTH, chunk.at, path(), || {
                    "a number uses more bytes than it needs".into()
                });
            }
        }
    }

    fn trailing(&mut self) {
        let file = self.file;
        let trailing = file.trailing().len();
        if trailing > 0 {
            let at = file.index.tracks.end;
            let message = || format!("{trailing} bytes after the last track");
            self.say(shared::TRAILING_BYTES, at, Path::field("trailing"), message);
        }
    }
}
