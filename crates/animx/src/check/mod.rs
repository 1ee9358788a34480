//! What is worth saying about a file.

mod tracks;

use std::collections::HashMap;

use inbetween_core::parse::{self, Cursor};
use inbetween_core::{
    Budget, Code, Finding, Findings, Limits, Path, Position, ReadError, Space, num,
};

use crate::convert::sealed;
use crate::file::{Packing, Section};
use crate::packing::Chunks;
use crate::read::{ID, MAGIC};
use crate::vote::{self, Taken, Verdict};
use crate::{AnimxFile, AnimxText, Encoding, Evidence, Version, codes};

/// Says what is worth saying about how the Curve keys were read.
pub(crate) fn layout(file: &AnimxFile<'_>, verdict: Verdict, findings: &mut Findings) {
    let layout = file.layout();
    let order = layout.curve_key;
    let (code, message) = match (file.evidence(), verdict) {
        (Evidence::Ambiguous, _) => {
            (codes::LAYOUT_AMBIGUOUS, format!("read as {}, as well as the other way", order.name()))
        }
        (Evidence::LeastRefuted, _) => {
            (codes::LAYOUT_DOUBTFUL, format!("read as {}, with impossible times", order.name()))
        }
        (_, Verdict::Disagrees) => {
            let first = order.other().name();
            (codes::LAYOUT_DISAGREES, format!("{first} by the first keys, {} by all", order.name()))
        }
        (_, Verdict::Agrees) => return,
    };
    findings.push(Finding::new(code, message));
}

/// Settles the layout of a file, and checks it as a whole, then track by track.
///
/// # Errors
///
/// When the tracks are out of reach.
pub(crate) fn check(mut file: AnimxFile<'_>, limits: &Limits) -> Result<Vec<Finding>, ReadError> {
    if file.is_sealed() {
        return Err(sealed());
    }
    let mut budget = Budget::new(limits, file.to_bytes().len());
    let verdict = vote::settle(&mut file, Taken::Unknown, &mut budget);
    let mut findings = Findings::new(limits);
    layout(&file, verdict, &mut findings);
    let file = &file;
    let mut check = Check { file, findings };
    check.header();
    check.packing();
    check.trailing();
    let mut seen = HashMap::with_capacity(file.track_count());
    for (index, track) in file.tracks().enumerate() {
        check.findings.begin_scope();
        let name = (track.node().bytes(), track.property().bytes());
        let known = *seen.entry(name).or_insert(index);
        if known != index {
            let at = track.offset();
            check.say(codes::DUPLICATE_TRACK, at, Path::item("tracks", index), || {
                format!("node and property are those of track {known}")
            });
        }
        check.track(&track, index);
    }
    Ok(check.findings.into_vec())
}

struct Check<'f, 'a> {
    file: &'f AnimxFile<'a>,
    findings: Findings,
}

impl Check<'_, '_> {
    /// Says something about a place among the tracks.
    fn say(&mut self, code: Code, at: usize, path: Path, message: impl FnOnce() -> String) {
        self.say_in(self.file.space(), code, at, path, message);
    }

    /// Says something about a place in the file itself.
    fn say_of_file(&mut self, code: Code, at: usize, path: Path, message: impl FnOnce() -> String) {
        self.say_in(Space::File, code, at, path, message);
    }

    fn say_in(
        &mut self,
        space: Space,
        code: Code,
        at: usize,
        path: Path,
        message: impl FnOnce() -> String,
    ) {
        let position = Position::Byte { space, offset: num::u64_from_len(at) };
        self.findings.add(code, || Finding::new(code, message()).at(path).position(position));
    }

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
            self.say_of_file(codes::NUMBER_FORM, count, Path::field("trackCount"), || {
                format!("{padding} bytes more than it needs")
            });
        }
        let duration = header.global_duration;
        if !(duration.is_finite() && duration >= 0.0) {
            let at = count.saturating_add(usize::from(header.track_count.size()));
            self.say_of_file(codes::DURATION_INVALID, at, Path::field("globalDuration"), || {
                format!("expected 0 or more, found {duration}")
            });
        }
        self.text(Space::File, file.name(), file.index.name.start, || Path::field("name"));
    }

    /// Checks a text.
    fn text(&mut self, space: Space, text: AnimxText<'_>, at: usize, path: impl Fn() -> Path) {
        if text.padding > 0 {
            self.say_in(space, codes::NUMBER_FORM, at, path(), || {
                format!("the length takes {} bytes more than it needs", text.padding)
            });
        }
        if !text.is_utf8() {
            self.say_in(space, codes::NOT_UTF8, at, path(), || text.quoted());
        }
    }

    /// Checks how the section is packed.
    fn packing(&mut self) {
        let file = self.file;
        let Section::Unpacked(unpacked) = &file.section else { return };
        let start = file.index.section;
        match unpacked.packing {
            Packing::Lz4 => {
                if file.header().encoding == Encoding::Lzma {
                    self.say_of_file(codes::LZMA_IS_LZ4, start, Path::field("tracks"), || {
                        "encoding 2, but chunks of LZ4".into()
                    });
                }
                self.chunks(start);
            }
            #[cfg(feature = "lzma")]
            Packing::Lzma { left } => self.lzma(start, left),
        }
    }

    /// Checks an LZMA section behind whose last needed byte some are left.
    #[cfg(feature = "lzma")]
    fn lzma(&mut self, start: usize, left: usize) {
        use crate::packing::{LZMA_HEAD, LzmaHead};

        let file = self.file;
        let section = file.packed_section();
        let stated = LzmaHead::of(section).map_or(0, |head| head.packed);
        let found = section.len().saturating_sub(LZMA_HEAD);
        if stated != num::u64_from_len(found) {
            let at = start.saturating_add(13);
            self.say_of_file(codes::COMPRESSED_SIZE, at, Path::field("tracks"), || {
                format!("{stated} bytes are said to follow, {found} do")
            });
        }
        if left > 0 {
            let at = file.to_bytes().len().saturating_sub(left);
            self.say_of_file(codes::LZMA_TAIL, at, Path::field("tracks"), || {
                format!("{left} bytes behind the last one that is needed")
            });
        }
    }

    fn chunks(&mut self, start: usize) {
        let file = self.file;
        let mut cursor = Cursor::new(ID, file.to_bytes());
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
                self.say_of_file(codes::NUMBER_FORM, chunk.at, path(), || {
                    "a number takes more bytes than it needs".into()
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
            self.say(codes::TRAILING_BYTES, at, Path::field("trailing"), message);
        }
    }
}
