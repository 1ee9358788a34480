//! Cast files, built as described in `docs/formats/cast.md`.

mod bad;
mod fates;
mod quirks;

use super::{Case, FormatCases};
use crate::ByteBuilder;

pub(super) const FORMAT: FormatCases = FormatCases {
    id: "cast",
    extension: "cast",
    cases,
    stores: fates::stores,
    fates: fates::FATES,
};

fn cases() -> Vec<Case> {
    let mut cases = plain();
    cases.extend(quirks::cases());
    cases.extend(broken());
    cases.extend(bad::cases());
    cases
}

fn ok(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::ok("cast", name, bytes.build())
}

fn bad(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::bad("cast", name, bytes.build())
}

/// The first hash in files of official programs.
const HASH: u64 = 0x534E_4957_5254_5250;

/// A node with its properties and children.
#[derive(Clone)]
struct Node {
    id: &'static [u8],
    hash: u64,
    properties: Vec<ByteBuilder>,
    children: Vec<Node>,
}

fn node(id: &'static str) -> Node {
    Node { id: id.as_bytes(), hash: 0, properties: Vec::new(), children: Vec::new() }
}

impl Node {
    /// Appends a property: its type, name, number of values, and values.
    fn with(mut self, kind: &str, name: impl AsRef<[u8]>, count: u32, values: ByteBuilder) -> Self {
        let size = u16::try_from(name.as_ref().len()).unwrap_or(u16::MAX);
        let head = ByteBuilder::new().padded_str(kind, 2).u16(size).u32(count);
        self.properties.push(head.bytes(name).bytes(values.build()));
        self
    }

    fn s(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        self.with("s", name, 1, ByteBuilder::new().cstr(text))
    }

    fn b(self, name: &str, values: &[u8]) -> Self {
        self.with("b", name, count(values), ByteBuilder::new().u8s(values))
    }

    fn h(self, name: &str, values: &[u16]) -> Self {
        self.with("h", name, count(values), ByteBuilder::new().u16s(values))
    }

    fn i(self, name: &str, values: &[u32]) -> Self {
        self.with("i", name, count(values), ByteBuilder::new().u32s(values))
    }

    fn f(self, name: &str, values: &[f32]) -> Self {
        self.with("f", name, count(values), ByteBuilder::new().f32s(values))
    }

    fn v<const N: usize>(self, name: &str, values: &[[f32; N]]) -> Self {
        let kind = ["2v", "3v", "4v"][N - 2];
        self.with(kind, name, count(values), ByteBuilder::new().f32s(values.as_flattened()))
    }

    fn child(mut self, child: Node) -> Self {
        self.children.push(child);
        self
    }

    fn hash(mut self, hash: u64) -> Self {
        self.hash = hash;
        self
    }

    /// Sets hashes as official programs do: counted depth first.
    fn numbered(mut self, next: &mut u64) -> Self {
        self.hash = *next;
        *next += 1;
        self.children = self.children.into_iter().map(|child| child.numbered(next)).collect();
        self
    }

    fn build(&self) -> ByteBuilder {
        let body = self.properties.iter().map(|property| property.clone().build());
        let body = body.chain(self.children.iter().map(|child| child.build().build()));
        let body = body.collect::<Vec<_>>().concat();
        let (size, children) = (count(&body) + 24, count(&self.children));
        let head = ByteBuilder::new().bytes(self.id).u32(size).u64(self.hash);
        head.u32(count(&self.properties)).u32(children).bytes(body)
    }
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}

fn header(roots: u32) -> ByteBuilder {
    ByteBuilder::new().bytes("cast").u32(1).u32(roots).u32(0)
}

/// A file of one root with these children, numbered as official programs do.
fn file(children: impl IntoIterator<Item = Node>) -> ByteBuilder {
    let root = children.into_iter().fold(node("root"), Node::child);
    header(1).bytes(root.numbered(&mut { HASH }).build().build())
}

fn animation() -> Node {
    node("anim").f("fr", &[30.0]).b("lo", &[0])
}

/// A curve of numbers.
fn curve(bone: &str, property: &str, mode: &str, frames: &[u8], values: &[f32]) -> Node {
    node("curv").s("nn", bone).s("kp", property).b("kb", frames).f("kv", values).s("m", mode)
}

/// A curve of rotations.
fn rotation(bone: &str, mode: &str, frames: &[u8], values: &[[f32; 4]]) -> Node {
    node("curv").s("nn", bone).s("kp", "rq").b("kb", frames).v("kv", values).s("m", mode)
}

/// The three curves of a vector.
fn vector(animation: Node, bone: &str, kind: &str, mode: &str, frames: &[u8], value: f32) -> Node {
    ["x", "y", "z"].into_iter().fold(animation, |animation, axis| {
        let values: Vec<f32> = frames.iter().map(|&frame| value + f32::from(frame)).collect();
        animation.child(curve(bone, &format!("{kind}{axis}"), mode, frames, &values))
    })
}

fn bone(name: &str, parent: u32, position: [f32; 3]) -> Node {
    let bone = node("bone").s("n", name).i("p", &[parent]).v("lp", &[position]);
    bone.v("lr", &[IDENTITY]).v("s", &[[1.0; 3]])
}

const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;
const QUARTER: [f32; 4] = [HALF, 0.0, 0.0, HALF];
const ROOT: u32 = u32::MAX;

/// The example file of the specification: 188 bytes.
fn one_curve() -> Node {
    let curve = node("curv").s("nn", "j").s("kp", "tx").h("kb", &[0, 300]);
    let curve = curve.f("kv", &[1.0, 2.0]).s("m", "relative");
    node("anim").f("fr", &[30.0]).b("lo", &[1]).child(curve)
}

/// Files of two animations of which one is broken. The other one is read.
fn broken() -> Vec<Case> {
    let typed = |node: Node| node.with("x", "a", 1, ByteBuilder::new().u32(0));
    let wrong = || animation().child(typed(curve("j", "ty", "absolute", &[0], &[1.0])));
    vec![
        ok("second-animation-of-an-unknown-type", file([one_curve(), typed(animation())]))
            .reports(&["part-skipped"]),
        ok("first-animation-of-a-broken-curve", file([wrong(), one_curve()]))
            .reports(&["part-skipped"]),
    ]
}

/// An animation as Blender exports it: metadata, curves, a notification and a model.
fn walk() -> ByteBuilder {
    let walk = node("anim").s("n", "walk").f("fr", &[30.0]).b("lo", &[1]);
    let walk =
        walk.child(rotation("j_spine", "absolute", &[0, 15, 30], &[IDENTITY, QUARTER, IDENTITY]));
    let walk = vector(walk, "j_mainroot", "t", "absolute", &[0, 30], 2.0);
    let walk = vector(walk, "j_spine", "s", "absolute", &[0, 10], 1.0);
    let walk = walk.child(node("ntif").s("n", "sndnt#step").b("kb", &[7, 22]));
    let skeleton = node("skel").child(bone("tag_origin", ROOT, [0.0; 3]));
    let skeleton = skeleton.child(bone("j_mainroot", 0, [0.0, 0.0, 2.0]));
    let skeleton = skeleton.child(bone("j_spine", 1, [0.0, 0.0, 1.0]));
    let meta = node("meta").s("s", "Cast v1.99 for Blender v5.2.3").s("up", "y");
    file([meta, walk, node("modl").s("n", "Armature").child(skeleton)])
}

fn plain() -> Vec<Case> {
    let relative = vector(animation(), "hips", "t", "relative", &[0, 10], 0.5);
    let relative = relative.child(rotation("hips", "absolute", &[0, 10], &[IDENTITY, QUARTER]));
    let turned = animation().child(rotation("hips", "relative", &[0], &[QUARTER]));
    let shapes = animation().child(curve("smile", "bs", "absolute", &[0, 10], &[0.0, 0.75]));
    let hidden = node("curv").s("nn", "sword").s("kp", "vb").b("kb", &[0, 9]).b("kv", &[1, 0]);
    let hidden = animation().child(hidden.s("m", "absolute"));
    let two = [("idle", 1.0), ("run", 2.0)].map(|(name, value)| {
        let clip = node("anim").s("n", name).f("fr", &[30.0]);
        vector(clip, "hips", "t", "absolute", &[0, 10], value)
    });
    let wide = node("curv").s("nn", "hips").s("kp", "rq").i("kb", &[0, 70_000]);
    let wide = animation().child(wide.v("kv", &[IDENTITY, QUARTER]).s("m", "absolute"));
    let notes = animation()
        .child(node("ntif").s("n", "step").b("kb", &[3, 9]))
        .child(node("ntif").s("n", "hit").h("kb", &[3]));
    let names = node("skel").child(bone("tag_origin", ROOT, [0.0; 3]));
    let names = vector(animation(), "hips", "t", "absolute", &[0], 0.0).child(names);
    let axes = ["tx", "ty", "tz"].into_iter().zip([&[0_u8, 10][..], &[0, 4, 10], &[2]]);
    let axes = axes.fold(animation(), |animation, (axis, frames)| {
        let values: Vec<f32> = frames.iter().map(|&frame| f32::from(frame) / 3.0).collect();
        animation.child(curve("hips", axis, "absolute", frames, &values))
    });
    vec![
        ok("walk", walk()),
        ok("one-curve", file([one_curve()])).reports(&["cast/missing-axis"]),
        ok("relative", file([relative])),
        ok("relative-rotation", file([turned])),
        ok("blend-shape", file([shapes])),
        ok("visibility", file([hidden])),
        ok("two-animations", file(two)),
        ok("frames-u32", file([wide])),
        ok("notifications", file([notes])),
        ok("animation-skeleton", file([names])),
        ok("axes-of-other-frames", file([axes])),
        ok("nothing", header(0)),
        ok("no-animation", file([node("meta").s("a", "someone").s("up", "z")])),
        ok("metadata-type", file([node("meta").b("up", &[2])])).reports(&["cast/property-type"]),
        ok("every-type", every_type()),
        ok("model", model()),
    ]
}

/// A property of every type, some without values.
fn every_type() -> ByteBuilder {
    let all = node("meta").b("b", &[0, 255]).h("h", &[0, 65_535]).i("i", &[7]);
    let all = all.with("l", "l", 2, ByteBuilder::new().u64s(&[HASH, u64::MAX]));
    let all = all.f("f", &[-0.0, f32::MIN_POSITIVE]).f("none", &[]);
    let all = all.with("d", "d", 1, ByteBuilder::new().f64(1e300)).s("s", "").s("t", "\u{e9}");
    let all = all.v("2v", &[[1.0, 2.0]]).v("3v", &[[1.0; 3]; 2]).v::<4>("4v", &[]);
    let quiet = ByteBuilder::new().u32(0x7f80_0001);
    // The signaling NaN that the official Python library would quiet.
    file([all.with("f", "nan", 1, quiet)])
}

/// A model with nodes that an animation does not have.
fn model() -> ByteBuilder {
    let skeleton = node("skel").child(bone("hips", ROOT, [0.0, 1.0, 0.0]));
    let skeleton = skeleton.child(node("ikhd").s("n", "leg").with(
        "l",
        "sb",
        1,
        ByteBuilder::new().u64(HASH + 3),
    ));
    let mesh = node("mesh").v("vp", &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let mesh = mesh.b("f", &[0, 1, 2]);
    let model = node("modl").s("n", "crate").v("p", &[[1.0; 3]]);
    let material = node("matl").s("n", "wood").child(node("file").s("p", "wood.png"));
    file([model.child(skeleton).child(mesh).child(material), animation()])
}
