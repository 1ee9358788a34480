//! Findings about bones.

use inbetween_core::{Code, Finding, Findings, Path};

use crate::file::CastNode;
use crate::names::show;

/// Adds a finding about a bone; `message` gets its name in quotes.
pub(super) fn say(
    findings: &mut Findings,
    code: Code,
    node: &CastNode<'_>,
    message: impl FnOnce(&str) -> String,
) {
    findings.add(code, || {
        let name = format!("bone {}", show(node.string("n").unwrap_or_default()));
        Finding::new(code, message(&name)).at(Path::item("nodes", node.index()))
    });
}
