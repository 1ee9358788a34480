//! Files that must be rejected.

use super::{Case, Node, animation, bad, file, header, node, one_curve, walk};
use crate::ByteBuilder;

/// The offset of the first property of the animation: after the heads of the file, the root and the
/// node.
const PROPERTY: usize = 16 + 24 + 24;

/// Nested nodes, each in the previous one.
fn nested(depth: usize) -> ByteBuilder {
    let innermost = node("mesh");
    let nodes = (1..depth).fold(innermost, |inner, _| node("root").child(inner));
    header(1).bytes(nodes.build().build())
}

pub(super) fn cases() -> Vec<Case> {
    let recording = ByteBuilder::new().bytes("{\"version\": 2, \"width\": 80, \"height\": 24}\n");
    let recording = recording.bytes("[0.25, \"o\", \"$ \"]\n");
    let max = u32::MAX.to_le_bytes();
    // Both strings are present, so the second one is read as the head of a property.
    let strings = node("meta").with("s", "a", 2, ByteBuilder::new().cstr("one").cstr("two"));
    // Some programs state wider frames than they write.
    let narrower = node("ntif").s("n", "step").with("i", "kb", 2, ByteBuilder::new().u8s(&[3, 9]));
    let typed = node("meta").with("x", "a", 1, ByteBuilder::new().u32(0));
    let unterminated = Node { properties: Vec::new(), ..node("meta") };
    let unterminated = unterminated.with("s", "a", 1, ByteBuilder::new().bytes("no end"));
    vec![
        bad("empty", ByteBuilder::new()),
        bad("other-magic", ByteBuilder::new().bytes("SEAnim").zeros(30)),
        bad("asciinema", recording),
        bad("header-cut", header(1).cut(11)),
        bad("root-count-max", header(u32::MAX)),
        bad("node-cut", walk().cut(30)),
        bad("curve-cut", file([one_curve()]).cut(170)),
        bad("child-count-max", file([animation()]).patch(16 + 20, max)),
        bad("property-count-max", file([animation()]).patch(16 + 24 + 16, max)),
        bad("array-length-max", file([animation()]).patch(PROPERTY + 4, max)),
        bad("name-size-max", file([animation()]).patch(PROPERTY + 2, [0xff, 0xff])),
        bad("string-unterminated", file([unterminated])),
        bad("strings-in-one-property", file([strings])),
        bad("notification-of-narrower-frames", file([animation().child(narrower)])),
        bad("unknown-type", file([typed])),
        bad("nested-too-deep", nested(65)),
    ]
}
