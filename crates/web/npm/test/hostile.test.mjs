/** Hostile files: names that look like HTML, files beyond the limits, and the memory of the module. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, convert, inspect, InbetweenError, read } from "inbetween";
import { initSync } from "../dist/inbetween.js";
import { fixtures, folder, FORMATS, outcome } from "./support.mjs";

/** Returns the bytes of the memory of the module, which never shrinks. */
const memory = () => initSync().memory.buffer.byteLength;

const MIB = 1 << 20;

const HTML = `<img src=x onerror="alert('1')">&amp;`;

const named = Buffer.from(JSON.stringify({
  name: HTML,
  globalDuration: 1,
  tracks: [{
    trackType: "Curve", valueType: "float",
    data: {
      node: HTML, property: `${HTML}P`,
      keyframes: [0, 1].map((time) => ({ time, value: time, interpolation: "Linear" })),
    },
  }],
  markers: [{ time: 0.5, name: HTML }],
}));

test("passes names through unchanged, and escapes them in pictures", () => {
  const [clip] = inspect(named).clips;
  const [track] = clip.tracks;
  assert.deepEqual([clip.name, track.node, track.property], [HTML, HTML, `${HTML}P`]);
  const document = read(named);
  const { svg, panels } = document.plot({ title: HTML });
  assert.equal(panels[0].node, HTML);
  assert.doesNotMatch(svg, /<img/);
  assert.match(svg, /&lt;img src=x onerror/);
  for (const to of ["cast", "glb"]) {
    assert.equal(read(document.convert(to).bytes).clips[0].name, HTML, to);
  }
  const renamed = document.edit({ edit: "rename", what: "nodes", old: HTML, new: "</text><script>" });
  assert.doesNotMatch(renamed.plot().svg, /<script/);
});

test("keeps the names of bones of a player unchanged", () => {
  const bvh = readFileSync(join(folder("bvh", "ok"), "walk.bvh"), "latin1").replace("hips", "<b>hips</b>");
  assert.equal(read(Buffer.from(bvh)).player(0).nodes[0].name, "<b>hips</b>");
});

test("refuses 300 MiB of zeros, and what a 32-bit module cannot address", () => {
  for (const size of [300 * MIB, 2600 * MIB]) {
    const zeros = new Uint8Array(size);
    for (const use of [inspect, check, read, (bytes) => convert(bytes, "glb")]) {
      assert.throws(() => use(zeros), { code: "limit" }, `${size / MIB} MiB`);
    }
  }
  assert.throws(() => inspect(new Uint8Array(MIB)), { code: "unknown-format" });
});

test("applies lower limits", () => {
  const bytes = readFileSync(join(folder("seanim", "ok"), "walk.seanim"));
  assert.throws(() => read(bytes, { maxInput: bytes.length - 1 }), { code: "limit" });
  assert.throws(() => read(bytes, { maxDecoded: 16 }), { code: "limit" });
  assert.equal(read(bytes, { maxInput: bytes.length, maxDecoded: 4096 }).clips.length, 1);
  assert.throws(() => read(bytes).edit({ edit: "resample", rate: 1e9 }), InbetweenError);
});

test("survives fixtures that are cut or changed", () => {
  for (const format of FORMATS) {
    for (const kind of ["ok", "bad"]) {
      for (const name of fixtures(format, kind)) {
        const bytes = readFileSync(join(folder(format, kind), name));
        use(bytes, { name, format });
        for (const part of [0.3, 0.6, 0.9]) {
          const place = Math.floor(bytes.length * part);
          use(bytes.subarray(0, place), { name, format });
          use(Uint8Array.from(bytes, (byte, at) => (at === place ? byte ^ 0xff : byte)), { name, format });
        }
      }
    }
  }
  assert.ok(memory() < 1024 * MIB, `${memory() / MIB} MiB`);
});

test("reads 400 bytes that state millions of keys in less than 1 GiB", () => {
  // An accessor without a view is all zeros, so its keys need no bytes in the file.
  const bomb = (count) => Buffer.from(JSON.stringify({
    asset: { version: "2.0" },
    nodes: [{ name: "a" }],
    animations: [{ channels: [{ sampler: 0, target: { node: 0, path: "translation" } }], samplers: [{ input: 0, output: 1 }] }],
    accessors: [{ componentType: 5126, type: "SCALAR", count }, { componentType: 5126, type: "VEC3", count }],
  }));
  assert.throws(() => read(bomb(100_000_000)), { code: "limit" });
  const bytes = bomb(9_000_000);
  const document = read(bytes);
  assert.equal(document.clips[0].tracks[0].keys, 9_000_000);
  check(bytes);
  document.player(0).free();
  document.edit({ edit: "reduce", bound: 0.1 }).free();
  document.free();
  assert.ok(memory() < 1024 * MIB, `${memory() / MIB} MiB`);
});

/** Uses a file in all ways; errors are those of the package. */
function use(bytes, options) {
  outcome(() => check(bytes, options));
  const { value: document } = outcome(() => read(bytes, options));
  if (document === null) return;
  outcome(() => document.plot());
  outcome(() => document.player(0).free());
  for (const to of FORMATS) outcome(() => document.convert(to));
  document.free();
}

test("gives memory back: 3,000 files need no more of it than 300", () => {
  const bytes = readFileSync(join(folder("gltf", "ok"), "walk.glb"));
  const repeat = (times) => {
    for (let time = 0; time < times; time += 1) {
      const document = read(bytes);
      document.convert("animj");
      document.player(0).free();
      document.free();
    }
    return memory();
  };
  assert.equal(repeat(300), repeat(3000));
});
