//! Checks a file and reports findings.

use inbetween_core::{
    Code, Finding, Findings, Limits, Path, Position, codes as shared, frames, num,
};

use crate::BvhFile;

/// Checks a file as a whole, then track by track.
pub(crate) fn check(file: &BvhFile<'_>, limits: &Limits) -> Vec<Finding> {
    let mut findings = Findings::new(limits);
    let mut report = |code: Code, at: usize, path: Path, message: &dyn Fn() -> String| {
        let position = Position::byte(num::u64_from_len(at));
        findings.add(code, || Finding::new(code, message()).at(path).position(position));
    };
    let header = file.header();
    if header.reserved != 0 {
        let message = || format!("{:#06x}", header.reserved);
        report(shared::RESERVED_NOT_ZERO, 0x06, Path::field("reserved"), &message);
    }
    if !frames::valid_rate(header.frame_rate.into()) {
        let message = || format!("{} frames per second", header.frame_rate);
        report(shared::FRAME_RATE_INVALID, 0x08, Path::field("frameRate"), &message);
    }
    for (index, track) in file.tracks().enumerate() {
        if !track.frames().is_sorted() {
            let path = Path::item("tracks", index).then("keys");
            let message = || format!("of {} keys", track.len());
            report(shared::KEYS_UNSORTED, track.offset(), path, &message);
        }
    }
    if !file.trailing().is_empty() {
        let message = || format!("{} bytes", file.trailing().len());
        report(shared::TRAILING_BYTES, file.trailing, Path::field("trailing"), &message);
    }
    findings.into_vec()
}
