//! A check and its findings so far.

use inbetween_core::{Code, Finding, Findings, Path, Position, Space, codes as shared, num};

use crate::codes;
use crate::file::AnimxFile;
use crate::strings::AnimxText;

/// A check of a file, and its findings so far.
pub(super) struct Check<'f, 'a> {
    pub(super) file: &'f AnimxFile<'a>,
    pub(super) findings: Findings,
}

impl Check<'_, '_> {
    /// Reports a finding at an offset among the tracks.
    pub(super) fn say(
        &mut self,
        code: Code,
        at: usize,
        path: Path,
        message: impl FnOnce() -> String,
    ) {
        self.say_in(self.file.space(), code, at, path, message);
    }

    /// Reports a finding at an offset in the file itself.
    pub(super) fn say_of_file(
        &mut self,
        code: Code,
        at: usize,
        path: Path,
        message: impl FnOnce() -> String,
    ) {
        self.say_in(Space::File, code, at, path, message);
    }

    pub(super) fn say_in(
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

    /// Checks a string.
    pub(super) fn text(
        &mut self,
        space: Space,
        text: AnimxText<'_>,
        at: usize,
        path: impl Fn() -> Path,
    ) {
        if text.padding > 0 {
            self.say_in(space, codes::OVERLONG_LENGTH, at, path(), || {
                format!("the length uses {} bytes more than it needs", text.padding)
            });
        }
        if !text.is_utf8() {
            self.say_in(space, shared::NOT_UTF8, at, path(), || text.quoted());
        }
    }
}
