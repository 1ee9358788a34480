/** A file of each format: what the page shows is what the command and the package say about it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { read } from "../npm/dist/node.js";
import { fixture, fixtures, folder, FORMATS, report } from "../npm/test/support.mjs";
import { positionsOf } from "../npm/test/scene.mjs";

export const SHOWN = {
  animj: "walk.animj", animx: "transforms.animx", bvh: "walk.bvh", cast: "walk.cast", gltf: "walk.glb",
  seanim: "walk.seanim", "unity-anim": "walk.anim", "x4-ani": "spin.ani",
};

export const formats = {
  async "shows the content of a file of each format"(page) {
    for (const [format, name] of Object.entries(SHOWN)) {
      await page.open(name, fixture(format, name));
      await page.tab("overview");
      const [{ clips }] = report("info", join(folder(format, "ok"), name));
      const tracks = clips.flatMap((clip) => clip.tracks);
      const shown = await page.texts("#panel-overview tbody tr");
      const markers = clips.flatMap((clip) => clip.markers);
      assert.ok(shown.length >= tracks.length, `${name}: ${shown.length} rows`);
      const text = await page.text("#panel-overview");
      for (const { node } of tracks) assert.ok(text.includes(node ?? ""), `${name}: ${node}`);
      for (const marker of markers) assert.ok(text.includes(marker.name), `${name}: ${marker.name}`);
    }
  },

  async "lists the findings that the command lists"(page) {
    for (const format of FORMATS) {
      const rows = new Map(report("check", folder(format, "ok")).map((row) => [row.path, row.findings]));
      // All files would take minutes; the tests of the package compare them.
      for (const name of [SHOWN[format], ...fixtures(format, "ok").slice(0, 6)]) {
        await page.open(name, fixture(format, name));
        await page.tab("problems");
        const shown = await page.page.$$eval("#panel-problems .problem", (problems) =>
          problems.map((problem) => [
            problem.querySelector(".message span:nth-child(2)").textContent,
            problem.querySelector(".where code").textContent,
          ]),
        );
        const expected = rows.get(join(folder(format, "ok"), name)).map(({ message, code, count }) => {
          return [count > 1 ? `${message} (${count} times)` : message, code];
        });
        assert.deepEqual(shown.sort(), expected.sort(), `${format}: ${name}`);
      }
    }
  },

  async "draws the panels that the package draws"(page) {
    for (const [format, name] of Object.entries(SHOWN)) {
      const { svg, panels } = read(fixture(format, name), { name }).plot({ clip: 0, page: 1, degrees: true });
      await page.open(name, fixture(format, name));
      await page.tab("curves");
      await page.until(() => document.querySelector("#panel-curves .picture svg") !== null);
      assert.ok(panels.length > 0, name);
      const count = (text, tag) => text.match(new RegExp(`<${tag}\\b`, "g"))?.length ?? 0;
      const shown = await page.page.$eval("#panel-curves .picture", (picture) => picture.innerHTML);
      for (const tag of ["path", "rect", "text", "clipPath"]) assert.equal(count(shown, tag), count(svg, tag), `${name}: ${tag}`);
    }
  },

  async "reads values at the crosshair"(page) {
    await page.open("walk.seanim", fixture("seanim", "walk.seanim"));
    await page.tab("curves");
    await page.until(() => document.querySelector("#panel-curves .picture svg") !== null);
    await page.page.focus("#panel-curves .plot");
    await page.until(() => document.querySelector(".readout").textContent !== "");
    // The middle of the clip is the second key.
    assert.match(await page.text(".readout"), /^0\.5 s\s+tag_origin\/Position\s+x 0\s+y 32\.5\s+z 1$/);
    await page.page.keyboard.press("ArrowDown");
    await page.until(() => document.querySelector(".readout").textContent.includes("j_hip_le"));
    await page.page.keyboard.press("+");
    await page.page.keyboard.press("0");
  },

  async "plays the poses of the package"(page) {
    for (const [format, name] of Object.entries(SHOWN)) {
      const player = read(fixture(format, name), { name }).player(0);
      await page.open(name, fixture(format, name));
      await page.tab("player");
      await page.until(() => document.querySelector("canvas")?.dataset.time !== undefined);
      for (const time of [0, 0.4, 0.9].map((part) => part * player.duration)) {
        const shown = await page.positions(time);
        const expected = positionsOf(player, time);
        assert.deepEqual(shown.map(([node]) => node), player.nodes.map((node) => node.name), name);
        for (const [index, [node, ...position]] of shown.entries()) {
          const apart = Math.hypot(...position.map((value, axis) => value - expected[index][axis]));
          const size = Math.max(1, Math.hypot(...expected[index]));
          assert.ok(apart <= 1e-5 * size, `${name}: ${node} at ${time} s is at ${position}, not ${expected[index]}`);
        }
      }
    }
  },

  async "plays a clip on a model, and pauses with Space"(page) {
    const walk = read(fixture("seanim", "walk.seanim")).edit({
      edit: "rename", what: "nodes", old: "tag_origin", new: "hips",
    });
    const rig = fixture("gltf", "armature.glb");
    const player = walk.player(0, read(rig));
    await page.open("walk.seanim", walk.convert("seanim").bytes);
    await page.tab("player");
    await page.until(() => document.querySelector("canvas")?.dataset.time !== undefined);
    const input = await page.page.$("#panel-player input[type=file]");
    await page.run((input, text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], "model.glb"));
      input.files = transfer.files;
      document.querySelector("canvas").remove();
      input.dispatchEvent(new Event("change"));
    }, input, rig.toString("base64"));
    await page.until(() => document.querySelector("canvas")?.dataset.time !== undefined);
    const shown = await page.positions(0.5);
    const expected = positionsOf(player, 0.5);
    assert.deepEqual(shown.map(([node]) => node), player.nodes.map((node) => node.name));
    for (const [index, [node, ...position]] of shown.entries()) {
      const apart = Math.hypot(...position.map((value, axis) => value - expected[index][axis]));
      assert.ok(apart <= 1e-5, `${node}: ${position} instead of ${expected[index]}`);
    }
    const label = () => page.text("#panel-player .play");
    const before = await label();
    await page.page.focus("canvas");
    await page.page.keyboard.press("Space");
    assert.notEqual(await label(), before);
  },
};
