//! Files that must be rejected.

use super::{Case, Node, ROOT, animation, bad, bone, curve, file, header, node, one_curve, walk};
use crate::ByteBuilder;

/// The offset of the first property of the animation: after the heads of the file, the root and the
/// node.
const PROPERTY: usize = 16 + 24 + 24;

/// The offset of the second property of the animation: the first one is a rate.
const SECOND_PROPERTY: usize = PROPERTY + 14;

/// The offset of the curve of [`one_curve`], after the two properties of its animation.
const CURVE: usize = SECOND_PROPERTY + 11;

/// Nested nodes, each in the previous one.
fn nested(depth: usize) -> ByteBuilder {
    let innermost = node("mesh");
    let nodes = (1..depth).fold(innermost, |inner, _| node("root").child(inner));
    header(1).bytes(nodes.build().build())
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = headers();
    cases.extend(nodes());
    cases.extend(properties());
    cases.extend(animations());
    cases
}

const MAX: [u8; 4] = u32::MAX.to_le_bytes();

fn headers() -> Vec<Case> {
    let recording = ByteBuilder::new().bytes("{\"version\": 2, \"width\": 80, \"height\": 24}\n");
    let recording = recording.bytes("[0.25, \"o\", \"$ \"]\n");
    vec![
        bad("empty", ByteBuilder::new()),
        bad("magic-cut", header(1).cut(3)),
        bad("magic-in-capitals", header(0).patch(0, b"CAST")),
        bad("other-magic", ByteBuilder::new().bytes("SEAnim").zeros(30)),
        bad("asciinema", recording),
        bad("header-cut", header(1).cut(11)),
        bad("root-count-max", header(u32::MAX)),
        bad("root-missing", file([animation()]).patch(8, [2])),
    ]
}

fn nodes() -> Vec<Case> {
    // A child of few bytes is counted, and its head is cut.
    let second = file([node("meta").s("s", "twenty-four letters here"), node("meta")]);
    vec![
        bad("node-cut", walk().cut(30)),
        bad("second-node-cut", second.patch(16 + 20, [2]).cut(16 + 24 + 24 + 34 + 20)),
        bad("child-count-max", file([animation()]).patch(16 + 20, MAX)),
        bad("child-count-of-a-curve-max", file([one_curve()]).patch(CURVE + 20, MAX)),
        bad("property-count-max", file([animation()]).patch(16 + 24 + 16, MAX)),
        bad("property-count-one-more", file([animation()]).patch(16 + 24 + 16, [3])),
        bad("nested-too-deep", nested(65)),
        bad("nested-too-deep-by-far", nested(400)),
    ]
}

fn properties() -> Vec<Case> {
    // Both strings are present, so the second one is read as the head of a property.
    let strings = node("meta").with("s", "a", 2, ByteBuilder::new().cstr("one").cstr("two"));
    // Some programs state wider frames than they write.
    let narrower = node("ntif").s("n", "step").with("i", "kb", 2, ByteBuilder::new().u8s(&[3, 9]));
    let meta = |kind: &str, count, values: ByteBuilder| {
        file([Node { properties: Vec::new(), ..node("meta") }.with(kind, "a", count, values)])
    };
    let none = ByteBuilder::new;
    vec![
        bad("curve-cut", file([one_curve()]).cut(170)),
        bad("property-head-cut", file([animation()]).cut(SECOND_PROPERTY + 5)),
        bad("name-cut", file([animation()]).cut(SECOND_PROPERTY + 9)),
        bad("array-length-max", file([animation()]).patch(PROPERTY + 4, MAX)),
        bad("bytes-max", meta("b", u32::MAX, none().zeros(9))),
        bad("doubles-max", meta("d", u32::MAX, none().f64(1.0))),
        bad("vectors-max", meta("4v", u32::MAX, none().f32s(&[1.0; 4]))),
        bad("name-size-max", file([animation()]).patch(PROPERTY + 2, [0xff, 0xff])),
        bad("string-missing", meta("s", 1, none())),
        bad("string-unterminated", meta("s", 1, none().bytes("no end"))),
        bad("strings-in-one-property", file([strings])),
        bad("strings-max", meta("s", u32::MAX, none().cstr("one").cstr("two"))),
        bad("notification-of-narrower-frames", file([animation().child(narrower)])),
        bad("unknown-type", meta("x", 1, none().u32(0))),
        bad("type-of-zeros", meta("", 1, none().u32(0))),
        bad("type-of-five-numbers", meta("5v", 1, none().zeros(20))),
    ]
}

/// Files without an animation that can be read.
fn animations() -> Vec<Case> {
    let typed = |node: Node| node.with("x", "a", 1, ByteBuilder::new().u32(0));
    let wrong = || animation().child(typed(curve("j", "ty", "absolute", &[0], &[1.0])));
    let size = |size: [u8; 4]| file([wrong(), one_curve()]).patch(16 + 24 + 4, size);
    let skeleton = node("skel").child(typed(bone("a", ROOT, [0.0; 3])));
    vec![
        bad("both-animations-of-an-unknown-type", file([typed(animation()), wrong()])),
        bad("broken-animation-of-size-0", size([0; 4])),
        bad("broken-animation-of-size-max", size(MAX)),
        bad("bone-of-an-unknown-type", file([node("modl").child(skeleton), one_curve()])),
    ]
}
