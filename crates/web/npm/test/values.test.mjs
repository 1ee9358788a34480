/** Keys, samples, curves, edits and fixes. */

import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { check, explain, fix, formats, InbetweenError, profiles, read } from "inbetween";
import { isNear } from "./content.mjs";
import { command, fixture, fixtures, folder, FORMATS, report, temporaryFolder } from "./support.mjs";

const SAMPLED = [
  "animj/curve-tangents.animj", "animj/matrices.animj", "animx/curve-doubleq.animx", "animx/curve-long2.animx",
  "animx/transforms.animx", "bvh/walk.bvh", "cast/walk.cast", "cast/relative-rotation.cast", "gltf/cubic-spline.glb",
  "gltf/walk.glb", "gltf/several-clips.glb", "seanim/walk.seanim", "unity-anim/walk.anim", "x4-ani/splines.ani",
];

test("samples as the command does", () => {
  const times = [0, 0.1, 0.27, 0.5, 2];
  assert.deepEqual(new Set(SAMPLED.map((path) => path.split("/")[0])), new Set(FORMATS));
  for (const path of SAMPLED) {
    const [format, name] = path.split("/");
    const lines = command("sample", "--json", "--loop", "--at", times.join(), join(folder(format, "ok"), name));
    const printed = lines.trim().split("\n").map((line) => JSON.parse(line));
    const document = read(fixture(format, name), { name });
    for (const [index, clip] of document.clips.entries()) {
      const tracks = [...clip.tracks.entries()].filter(([, { keys }]) => keys > 0);
      const sampled = tracks.map(([track]) => document.sample(index, track, times));
      for (const time of times.keys()) {
        for (const [at, [, { kind, node, property }]] of tracks.entries()) {
          const row = printed.shift();
          assert.deepEqual([row.node, row.property, row.time], [node, property, times[time]], path);
          const expected = [row.value].flat(2).map(Number);
          const width = sampled[at].length / times.length;
          const got = [...sampled[at].subarray(time * width, (time + 1) * width)];
          const single = !/double|long/.test(kind);
          const same = expected.length === width && got.every((value, at) => isNear(value, expected[at], single));
          assert.ok(same, `${path} ${node}/${property} at ${times[time]}: ${got} instead of ${expected}`);
        }
      }
    }
    assert.equal(printed.length, 0);
  }
});

test("returns the keys that a SEAnim file holds", () => {
  const name = "walk.seanim";
  const document = read(fixture("seanim", name));
  const { bones, frame_rate: rate } = JSON.parse(command("unpack", join(folder("seanim", "ok"), name), "-o", "-"));
  const stored = bones.flatMap(({ locations, rotations, scales }) => [locations, rotations, scales]);
  for (const [track, keys] of stored.entries()) {
    const { times, values, width } = document.keys(0, track);
    assert.equal(width, track % 3 === 1 ? 4 : 3);
    assert.ok(values instanceof Float32Array && times instanceof Float64Array);
    assert.deepEqual([...times], keys.map((key) => key.frame / rate));
    assert.deepEqual([...values], keys.flatMap((key) => key.value.map(Math.fround)));
  }
});

test("returns the keys that an AnimJ file holds", () => {
  const bytes = fixture("animj", "curve.animj");
  const { keyframes } = JSON.parse(bytes).tracks[0].data;
  const { times, values, width } = read(bytes).keys(0, 0);
  assert.equal(width, 3);
  assert.deepEqual([...times], keyframes.map((key) => key.time));
  assert.deepEqual([...values], keyframes.flatMap(({ value: { x, y, z } }) => [x, y, z]));
});

test("keeps numbers in the precision of the file, and has none for texts", () => {
  assert.ok(read(fixture("animx", "curve-double.animx")).keys(0, 0).values instanceof Float64Array);
  assert.ok(read(fixture("animx", "curve-float.animx")).keys(0, 0).values instanceof Float32Array);
  assert.deepEqual(new Set(read(fixture("animx", "curve-bool.animx")).keys(0, 0).values), new Set([0, 1]));
  assert.equal(read(fixture("animx", "curve-double3x3.animx")).keys(0, 0).width, 9);
  const texts = read(fixture("animx", "curve-string.animx"));
  assert.throws(() => texts.keys(0, 0), { code: "usage" });
  assert.throws(() => texts.sample(0, 0, [0]), { code: "usage" });
  assert.throws(() => texts.keys(0, 9), { code: "usage" });
  assert.throws(() => texts.keys(9, 0), { code: "usage" });
});

for (const format of FORMATS) {
  test(`fixes the files of ${format} as the command does`, () => {
    const path = temporaryFolder();
    const files = ["ok", "bad"].flatMap((kind) => fixtures(format, kind).map((name) => join(folder(format, kind), name)));
    for (const file of files) copyFileSync(file, join(path, basename(file)));
    const before = new Map(files.map((file) => [basename(file), readFileSync(file)]));
    for (const row of report("check", "--fix", path).filter((row) => row.error === null)) {
      const name = basename(row.path);
      const fixed = fix(before.get(name), { name });
      assert.equal(fixed.edits, row.edits, name);
      assert.deepEqual(Buffer.from(fixed.bytes), readFileSync(row.path), name);
      assert.deepEqual(fixed.findings.map(({ fix, snippet, ...finding }) => finding), row.findings, name);
      const problems = check(before.get(name), { name });
      for (const { fixable, fix } of problems) assert.equal(fixable, fix !== null, name);
      assert.equal(fixed.edits > 0, problems.some((problem) => problem.fixable), name);
    }
  });
}

test("draws the panels that the command draws", () => {
  const path = join(temporaryFolder(), "curves.svg");
  for (const [format, name] of [["seanim", "walk.seanim"], ["x4-ani", "cockpit.ani"], ["bvh", "walk.bvh"]]) {
    const [drawn] = JSON.parse(command("plot", join(folder(format, "ok"), name), "-o", path, "--force", "--json"));
    const { svg, page, pages, still, panels } = read(fixture(format, name)).plot();
    assert.deepEqual([page, pages, still, panels.length], [drawn.page, drawn.pages, drawn.still, drawn.panels], name);
    assert.match(svg, /^<svg /);
    for (const { left, top, width, height } of panels) assert.ok(left > 0 && top > 0 && width > 0 && height > 0);
  }
});

test("draws the chosen tracks and times", () => {
  const document = read(fixture("seanim", "walk.seanim"));
  const names = document.plot().panels.map(({ node, property }) => `${node}/${property}`);
  assert.deepEqual(names, ["tag_origin/Position", "j_hip_le/Rotation"]);
  // Chosen tracks are drawn even if nothing moves in them.
  assert.equal(document.plot({ tracks: ["j_*"] }).panels.length, 3);
  const { start, end, tracks } = document.plot({ start: 0.5, end: 0.75, clip: 0 }).panels[1];
  assert.deepEqual({ start, end, tracks }, { start: 0.5, end: 0.75, tracks: [4] });
  assert.ok(document.plot({ degrees: true }).svg !== document.plot().svg);
  assert.throws(() => document.plot({ tracks: ["a/b/["] }), InbetweenError);
  assert.throws(() => document.plot({ clip: 1 }), { code: "usage" });
});

test("edits a copy and reports what changed", () => {
  const document = read(fixture("seanim", "walk.seanim"));
  const after = (...edits) => edits.reduce((edited, edit) => edited.edit(edit), document);
  const durations = [
    [{ edit: "trim", start: 0.25, end: 0.75 }, 0.5], [{ edit: "retime", factor: 2 }, 2], [{ edit: "reverse" }, 1],
  ];
  for (const [edit, duration] of durations) assert.equal(after(edit).clips[0].duration, duration, edit.edit);
  const nodes = (edited) => new Set(edited.clips[0].tracks.map((track) => track.node));
  const renamed = after({ edit: "rename", what: "nodes", old: "tag_origin", new: "hips" });
  assert.deepEqual(nodes(renamed), new Set(["hips", "j_hip_le"]));
  assert.deepEqual(nodes(after({ edit: "drop", tracks: ["j_*"] })), new Set(["tag_origin"]));
  assert.deepEqual(nodes(after({ edit: "select", tracks: ["j_*"] })), new Set(["j_hip_le"]));
  const reduced = after({ edit: "resample", rate: 30 }, { edit: "reduce", bound: 0.001 });
  assert.ok(reduced.keys(0, 0).times.length <= 4);
  assert.ok(reduced.findings.length > document.findings.length);
  assert.equal(document.clips[0].duration, 1);
  assert.throws(() => after({ edit: "retime", factor: 0 }), InbetweenError);
  assert.throws(() => after({ edit: "stretch" }), { code: "usage" });
});

test("explains every code, and lists formats and programs as the command does", () => {
  assert.deepEqual(formats(), JSON.parse(command("formats", "--json")).filter(({ id }) => FORMATS.includes(id)));
  for (const { code, severity, loss, help } of JSON.parse(command("explain", "--json", "*/*"))) {
    // The command also reports about playback clips and folders.
    try {
      assert.deepEqual(explain(code), { code, severity, loss, help });
    } catch (error) {
      assert.equal(error.code, "usage", code);
    }
  }
  assert.throws(() => explain("convert/times-round"), { message: /did you mean convert\/times-rounded/ });
  assert.ok(profiles().some(({ name, program }) => name === "blender" && program === "Blender"));
});
