/** Poses of players, compared with the scene of the .glb that the command writes. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { read } from "inbetween";
import { command, fixture, fixtures, folder, FORMATS, temporaryFolder } from "./support.mjs";
import { positionsOf, sceneOf, worldPositions } from "./scene.mjs";

const temporary = temporaryFolder();

test("lists parents before their children, and gives every node a pose", () => {
  let nodesWithParents = 0;
  for (const format of FORMATS) {
    for (const name of fixtures(format, "ok")) {
      const document = read(fixture(format, name), { name });
      for (const [index, clip] of document.clips.entries()) {
        const player = document.player(index);
        for (const [at, { parent }] of player.nodes.entries()) {
          assert.ok(Number.isInteger(parent) && parent >= -1 && parent < at, name);
          if (parent >= 0) nodesWithParents += 1;
        }
        const poses = new Float32Array(player.nodes.length * 10).fill(Number.NaN);
        player.pose(player.duration / 3, poses);
        assert.equal(player.looping, clip.looping);
        player.free();
      }
      document.free();
    }
  }
  assert.ok(nodesWithParents > 20);
});

// Files with skeletons, and some of formats that have no parents.
const PLAYED = [
  "bvh/walk.bvh", "bvh/moving-joint.bvh", "bvh/positions-on-every-joint.bvh", "cast/walk.cast", "cast/flags.cast",
  "gltf/walk.glb", "gltf/armature.glb", "gltf/node-names.glb", "unity-anim/walk.anim", "x4-ani/spin.ani",
  "x4-ani/splines.ani", "seanim/walk.seanim",
];

test("plays as the .glb that the command writes", () => {
  for (const path of PLAYED) {
    const [format, name] = path.split("/");
    const file = join(temporary, `${name}.glb`);
    command("convert", join(folder(format, "ok"), name), "-o", file, "--force");
    const document = read(fixture(format, name), { name });
    comparePlayer(document.player(0), file, path);
  }
});

test("plays a relative SEAnim on a skeleton as `convert --onto` does", () => {
  const animation = read(fixture("seanim", "relative.seanim")).edit({
    edit: "rename", what: "nodes", old: "tag_origin", new: "hips",
  });
  const rig = fixture("gltf", "armature.glb");
  const [clip, model, onto] = ["relative.seanim", "model.glb", "onto.glb"].map((name) => join(temporary, name));
  writeFileSync(clip, animation.convert("seanim").bytes);
  writeFileSync(model, rig);
  command("convert", clip, "-o", onto, "--onto", model);
  const player = animation.player(0, read(rig));
  assert.deepEqual(player.nodes.map((node) => node.parent), [-1, 0, 1]);
  // The animations of the model come first.
  comparePlayer(player, onto, "relative.seanim", "#2");
});

test("repeats a looping clip, and keeps the last pose of another", () => {
  const pose = (player, time) => {
    const into = new Float32Array(player.nodes.length * 10);
    player.pose(time, into);
    return [...into];
  };
  const looping = read(fixture("cast", "walk.cast")).player(0);
  assert.equal(looping.looping, true);
  assert.deepEqual(pose(looping, 1.25), pose(looping, 0.25));
  const once = read(fixture("gltf", "walk.glb")).player(0);
  assert.equal(once.looping, false);
  assert.deepEqual(pose(once, 9), pose(once, once.duration));
  assert.deepEqual(pose(once, -1), pose(once, 0));
});

test("refuses a clip that does not exist and a model without its nodes", () => {
  const document = read(fixture("seanim", "walk.seanim"));
  const other = read(fixture("gltf", "armature.glb"));
  assert.throws(() => document.player(1), { code: "usage" });
  assert.throws(() => document.player(0, other), { name: "InbetweenError" });
  assert.throws(() => document.player(0).pose(0, new Float32Array(3)), RangeError);
});

/** Compares the world positions of nodes at three times with those of the scene and the animation of a .glb. */
function comparePlayer(player, file, what, clip = "#1") {
  const scene = sceneOf(readFileSync(file));
  const times = [0, 0.4, 0.9].map((part) => part * player.duration);
  const lines = command("sample", "--json", "--loop", "--at", times.join(), "--clip", clip, file);
  const rows = lines.trim().split("\n").map((line) => JSON.parse(line));
  for (const time of times) {
    const animated = rows.filter((row) => row.time === time);
    const expected = worldPositions(scene, animated);
    const positions = positionsOf(player, time);
    const got = new Map(player.nodes.map(({ name }, node) => [name, positions[node]]));
    const common = [...got.keys()].filter((name) => expected.has(name));
    assert.equal(common.length, player.nodes.length, what);
    for (const name of common) {
      const apart = Math.hypot(...got.get(name).map((value, axis) => value - expected.get(name)[axis]));
      const size = Math.max(1, Math.hypot(...expected.get(name)));
      assert.ok(apart <= 1e-5 * size, `${what}: ${name} at ${time} s: ${got.get(name)} instead of ${expected.get(name)}`);
    }
  }
}
