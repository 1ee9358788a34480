//! Files with the quirks of single programs, and files that break programs.

use super::{
    Case, HALF, HASH, IDENTITY, Node, QUARTER, ROOT, animation, bone, curve, file, header, node,
    ok, one_curve, rotation, vector, walk,
};
use crate::ByteBuilder;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = structure();
    cases.extend(curves());
    cases.extend(modes());
    cases.extend(bones());
    cases.extend(world_poses());
    cases.extend(skeletons());
    cases
}

/// The offset of the node of the first curve.
const CURVE: usize = 16 + 24 + 24 + 14 + 11;

fn structure() -> Vec<Case> {
    let size = file([one_curve()]).patch(CURVE + 4, [0x4b, 0, 0, 0]);
    let twice = animation().f("fr", &[60.0]).f("x", &[1.0]);
    let strings = node("meta").with("s", "a", 2, ByteBuilder::new().cstr("one"));
    let hashes = node("root").hash(HASH).child(node("meta").hash(HASH));
    let roots = header(2).bytes(node("root").child(animation()).build().build());
    let roots = roots.bytes(node("anim").f("fr", &[30.0]).build().build());
    let custom = Node { id: &[b'a', 0, 0xff, b'"'], ..node("root") }.i("x", &[1]);
    let names = node("meta").s("Up", "y").s("s", b"\xe9t\xe9").with(
        "s",
        b"\xff",
        1,
        ByteBuilder::new().cstr("x"),
    );
    vec![
        ok("node-size", size).reports(&["cast/node-size"]),
        ok("flags", walk().patch(12, [5])).reports(&["cast/flags"]),
        ok("version-2", walk().patch(4, [2])).reports(&["cast/version"]),
        ok("trailing", walk().bytes(b"junk")).reports(&["trailing-bytes"]),
        ok("duplicate-property", file([twice])).reports(&["cast/duplicate-property"]),
        ok("string-array", file([strings])).reports(&["cast/string-array"]),
        ok("duplicate-hash", header(1).bytes(hashes.build().build()))
            .reports(&["cast/duplicate-hash"]),
        ok("two-roots", roots).reports(&["cast/not-a-root"]),
        ok("unknown-node", file([custom])).reports(&["cast/unknown-node"]),
        ok("names", file([names])).reports(&["cast/property-name", "name-encoding"]),
    ]
}

fn curves() -> Vec<Case> {
    // The frames come from a set, and the first one is appended at the end.
    let maya = animation().child(rotation(
        "hips",
        "absolute",
        &[5, 10, 0],
        &[QUARTER, IDENTITY, [HALF, 0.0, HALF, 0.0]],
    ));
    let same = animation().child(curve("smile", "bs", "absolute", &[0, 4, 4], &[0.0, 0.5, 1.0]));
    let second = vector(animation(), "hips", "t", "absolute", &[0, 10], 1.0);
    let second = vector(second, "hips", "t", "absolute", &[0, 5], 7.0);
    let short = animation().child(curve("smile", "bs", "absolute", &[0, 4, 9], &[0.0, 1.0]));
    let long = animation().child(curve("smile", "bs", "absolute", &[0], &[0.0, 1.0]));
    let empty = vector(animation(), "hips", "t", "absolute", &[], 0.0);
    let huge = node("curv").s("nn", "smile").s("kp", "bs").i("kb", &[0, u32::MAX]);
    let huge = animation().child(huge.f("kv", &[0.0, 1.0]).s("m", "absolute"));
    let odd = animation().child(curve("smile", "bs", "absolute", &[0, 1], &[f32::NAN, 1.0]));
    let odd = odd.child(rotation("hips", "absolute", &[0], &[[0.0, 0.0, 0.0, 2.0]]));
    let unknown = animation().child(curve("hips", "rz", "absolute", &[0], &[1.0]));
    let typed = animation().child(rotation("hips", "absolute", &[0], &[IDENTITY]));
    let typed = typed.child(node("curv").s("nn", "a").s("kp", "tx").f("kb", &[0.0]));
    let weight = vector(animation(), "hips", "t", "absolute", &[0], 1.0);
    let weight = weight.child(rotation("hips", "additive", &[0], &[IDENTITY]).f("ab", &[f32::NAN]));
    let bytes = node("curv").s("nn", b"h\xe9").s("kp", b"t\xff").b("kb", &[0]).f("kv", &[1.0]);
    let bytes = animation().s("n", b"\xff\xfe").child(bytes.s("m", b"absolut\xe9"));
    let nameless = node("anim").f("fr", &[30.0]).child(node("ntif").b("kb", &[1]));
    let rate =
        |rate| file([vector(node("anim").f("fr", &[rate]), "a", "t", "absolute", &[0, 30], 0.0)]);
    let none = file([vector(node("anim").s("n", "a"), "a", "t", "absolute", &[0, 30], 0.0)]);
    // Programs write properties in any order, and read a curve without a mode as absolute.
    let reversed = node("curv").s("m", "relative").f("kv", &[0.5]).b("kb", &[3]);
    let reversed = reversed.s("kp", "bs").s("nn", "smile");
    let modeless = node("curv").s("nn", "smile").s("kp", "bs").b("kb", &[3]).f("kv", &[0.5]);
    let latin = animation().child(node("ntif").s("n", b"pas\xe9").b("kb", &[1]));
    vec![
        ok("names-latin", file([latin])).reports(&["name-encoding"]),
        ok("maya-unsorted", file([maya])).reports(&["keys-unsorted"]),
        ok("duplicate-frame", file([same])).reports(&["duplicate-frame"]),
        ok("duplicate-curve", file([second])).reports(&["duplicate-track"]),
        ok("values-short", file([short])).reports(&["cast/key-count"]),
        ok("values-long", file([long])).reports(&["cast/key-count"]),
        ok("empty-curve", file([empty])).reports(&["empty-track"]),
        ok("huge-frame", file([huge])).reports(&["cast/huge-frame"]),
        ok("odd-values", file([odd])).reports(&["number-not-finite", "rotation-not-unit"]),
        ok("unknown-curve", file([unknown])).reports(&["cast/unknown-curve"]),
        ok("property-types", file([typed])).reports(&[
            "cast/property-type",
            "cast/missing-property",
            "cast/missing-name",
        ]),
        ok("nameless", file([nameless])).reports(&["cast/missing-name"]),
        ok("rate-0", rate(0.0)).reports(&["frame-rate-invalid"]),
        ok("rate-nan", rate(f32::NAN)).reports(&["frame-rate-invalid"]),
        ok("rate-infinite", rate(f32::INFINITY)).reports(&["frame-rate-invalid"]),
        ok("rate-negative", rate(-30.0)).reports(&["frame-rate-invalid"]),
        ok("weight-not-finite", file([weight])).reports(&["number-not-finite"]),
        ok("texts-not-utf8", file([bytes])).reports(&["name-encoding", "cast/unknown-curve"]),
        ok("rate-29-97", rate(29.97)).reports(&["cast/frame-rate-maya"]),
        ok("properties-in-another-order", file([animation().child(reversed)])),
        ok("mode-missing", file([animation().child(modeless)])).reports(&["cast/missing-name"]),
        ok("rate-missing", none).reports(&["cast/missing-property"]),
    ]
}

fn modes() -> Vec<Case> {
    let additive = vector(animation(), "hips", "t", "additive", &[0, 10], 0.0);
    let half = rotation("hips", "additive", &[0, 10], &[IDENTITY, QUARTER]).f("ab", &[0.5]);
    let mixed = animation().child(curve("hips", "tx", "relative", &[0], &[1.0]));
    let mixed = mixed.child(curve("hips", "ty", "absolute", &[0], &[2.0]));
    let mixed = mixed.child(curve("hips", "tz", "relative", &[0], &[3.0]));
    let unknown = animation().child(rotation("hips", "delta", &[0], &[IDENTITY]));
    let replace = node("CMOV").s("nn", "hips").s("m", "relative").b("ot", &[1]).b("or", &[1]);
    let alone = vector(animation(), "hips", "t", "absolute", &[0, 10], 0.0);
    let alone = vector(alone, "spine", "t", "absolute", &[0, 10], 0.0);
    let skeleton = node("skel").child(bone("hips", ROOT, [0.0; 3]));
    let skeleton = skeleton.child(bone("spine", 0, [0.0, 1.0, 0.0]));
    let below = alone.clone().child(replace.clone());
    let model = node("modl").child(skeleton);
    vec![
        ok("additive", file([additive.child(half)])).reports(&["cast/additive-curve"]),
        ok("mixed-axis-modes", file([mixed])).reports(&["cast/mixed-axis-modes"]),
        ok("unknown-mode", file([unknown])).reports(&["cast/unknown-mode"]),
        ok("overrides", file([alone.child(replace)])).reports(&["cast/curve-mode-override"]),
        ok("overrides-below", file([below, model])).reports(&["cast/curve-mode-override"]),
    ]
}

fn bones() -> Vec<Case> {
    let bare = node("skel").child(node("bone").s("n", "hips").i("p", &[ROOT]));
    // A child comes before its parent, and an IK handle is not a bone.
    let forward = node("skel").child(bone("hand", 1, [1.0, 0.0, 0.0]));
    let forward = forward.child(node("ikhd").s("n", "x"));
    let forward = forward.child(bone("arm", 0x8000_0000, [0.0; 3]));
    let missing = node("skel").child(bone("hand", 7, [0.0; 3]));
    let cycle = node("skel").child(bone("a", 1, [0.0; 3])).child(bone("b", 0, [0.0; 3]));
    let cycle = cycle.child(bone("below", 1, [0.0; 3]));
    let twice = node("skel").child(bone("a", ROOT, [0.0; 3])).child(bone("a", ROOT, [1.0; 3]));
    let nan = node("skel").child(bone("a", ROOT, [f32::NAN, 0.0, 0.0]));
    let infinite = |name: &str, width: usize| {
        let numbers = [f32::INFINITY, 0.0, f32::NAN, 1.0];
        let bone = node("bone").s("n", name).i("p", &[ROOT]);
        let kind = if width == 3 { "3v" } else { "4v" };
        bone.with(kind, name, 1, ByteBuilder::new().f32s(&numbers[..width]))
    };
    let fields = [("lp", 3), ("lr", 4), ("s", 3), ("wp", 3), ("wr", 4)].into_iter();
    let fields = fields.fold(node("skel"), |skel, (name, width)| skel.child(infinite(name, width)));
    let itself = node("skel").child(bone("a", 0, [0.0; 3]));
    let model = |skeleton| file([node("modl").child(skeleton), animation()]);
    vec![
        ok("bone-without-transform", model(bare)).reports(&["cast/bone-without-transform"]),
        ok("bones-forward", model(forward)),
        ok("bone-parent-missing", model(missing)).reports(&["cast/bone-parent"]),
        ok("bone-parent-cycle", model(cycle)).reports(&["cast/bone-parent"]),
        ok("bones-of-one-name", model(twice)).reports(&["duplicate-bone"]),
        ok("bone-not-finite", model(nan)).reports(&["number-not-finite"]),
        ok("bones-not-finite", model(fields)).reports(&["number-not-finite"]),
        ok("bone-of-itself", model(itself)).reports(&["cast/bone-parent"]),
    ]
}

/// A bone that states only its transform relative to the model.
fn placed(name: &str, parent: u32, position: [f32; 3], rotation: [f32; 4]) -> Node {
    let bone = node("bone").s("n", name).i("p", &[parent]);
    bone.v("wp", &[position]).v("wr", &[rotation])
}

fn world_poses() -> Vec<Case> {
    let model = |bones: [Node; 2]| {
        let skeleton = bones.into_iter().fold(node("skel"), Node::child);
        file([node("modl").child(skeleton), animation()])
    };
    // The arm rotates y to z, so a hand that is 2 higher in the model is 2 along y of the arm.
    let arm = || placed("arm", ROOT, [1.0, 0.0, 0.0], QUARTER);
    let hand = || placed("hand", 0, [1.0, 0.0, 2.0], QUARTER);
    let both = bone("hand", 0, [0.0, 2.0, 0.0]);
    let both = |position: [f32; 3]| both.clone().v("wp", &[position]).v("wr", &[QUARTER]);
    let scaled = arm().v("s", &[[2.0; 3]]);
    vec![
        ok("bones-in-model", model([arm(), hand()])).reports(&["cast/bone-without-transform"]),
        ok("bone-in-both", model([arm(), both([1.0, 0.0, 2.0])])),
        ok("bone-in-two-places", model([arm(), both([1.0, 2.0, 0.0])])),
        ok("bone-below-scale", model([scaled, hand()])),
    ]
}

/// Animations with their own skeletons.
fn skeletons() -> Vec<Case> {
    let animation = |bones: &[Node]| {
        let skeleton = bones.iter().cloned().fold(node("skel"), Node::child);
        vector(animation(), "hips", "t", "absolute", &[0], 0.0).child(skeleton)
    };
    let name = |name: &str| node("bone").s("n", name).v("lp", &[[0.0; 3]]).v("lr", &[IDENTITY]);
    let hips = || bone("hips", ROOT, [0.0, 1.0, 0.0]);
    let hand = || bone("hand", 0, [0.0; 3]);
    let model = node("modl").child(node("skel").child(hips()));
    vec![
        ok("animation-names", file([animation(&[name("hips"), name("tag_origin")])])),
        ok("skeletons-same", file([animation(&[hips()]), animation(&[hips()]), model.clone()])),
        ok("skeletons-differ", file([animation(&[hips(), hand()]), animation(&[hips()]), model])),
        ok("skeletons-of-animations", file([animation(&[name("a")]), animation(&[hips(), hand()])])),
    ]
}
