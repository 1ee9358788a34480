//! A check and its findings so far.

use inbetween_core::{Code, Finding, Findings, Path, Position, num};

use crate::file::CastNode;

/// A check of a file, and its findings so far.
pub(super) struct Check {
    pub(super) findings: Findings,
}

/// Returns the path of a node.
pub(super) fn path(node: &CastNode<'_>) -> Path {
    Path::item("nodes", node.index())
}

impl Check {
    /// Reports a finding at an offset.
    pub(super) fn say(
        &mut self,
        code: Code,
        at: usize,
        path: Path,
        message: impl FnOnce() -> String,
    ) {
        let position = Position::byte(num::u64_from_len(at));
        self.findings.add(code, || Finding::new(code, message()).at(path).position(position));
    }
}
