/** Converted, fixed and edited files and reports, as they are downloaded: the same bytes as from the package. */

import assert from "node:assert/strict";
import { check, convert, fix, formats as allFormats, inspect, read } from "../npm/dist/node.js";
import { fixture, fixtures, FORMATS } from "../npm/test/support.mjs";
import { SHOWN } from "./formats.mjs";

const EXTENSIONS = Object.fromEntries(allFormats().map(({ id, extensions }) => [id, extensions[0]]));

export const downloads = {
  async "converts a file of each format and downloads what the package writes"(page) {
    for (const [format, name] of Object.entries(SHOWN)) {
      await page.open(name, fixture(format, name));
      await page.tab("convert");
      for (const to of ["gltf", "animj", format === "cast" ? "seanim" : "cast"]) {
        await compareConversion(page, name, to, convert(fixture(format, name), to, { read: { name } }));
      }
    }
  },

  async "converts to every format, with options"(page) {
    const bytes = fixture("cast", "walk.cast");
    await page.open("walk.cast", bytes);
    await page.tab("convert");
    for (const to of FORMATS) await compareConversion(page, "walk.cast", to, convert(bytes, to));
    await page.choose("Format", "seanim");
    await page.choose("Axes", "keep");
    await compareConversion(page, "walk.cast", "seanim", convert(bytes, "seanim", { write: { axes: "keep" } }));
  },

  async "keeps a .gltf as text, with the right extension"(page) {
    const name = "text-with-data-uri.gltf";
    await page.open(name, fixture("gltf", name));
    await page.tab("convert");
    await page.choose("Format", "gltf");
    await page.choose("Gltf container", "gltf");
    await page.click("Convert");
    const [downloaded, bytes] = await page.download("Download");
    assert.equal(downloaded, name);
    assert.equal(JSON.parse(bytes).asset.version, "2.0");
  },

  async "fixes files and downloads what the package fixes"(page) {
    const isFixable = (name) => check(fixture("animj", name), { name }).some((problem) => problem.fixable);
    const fixable = fixtures("animj", "ok").filter(isFixable);
    assert.ok(fixable.length >= 5);
    for (const name of fixable.slice(0, 5)) {
      const fixed = fix(fixture("animj", name), { name });
      await page.open(name, fixture("animj", name));
      await page.tab("problems");
      await page.click("Fix");
      await page.page.waitForSelector(".fix-result button");
      const [downloaded, bytes] = await page.download(`Download ${name.replace(/\.\w+$/, "")}`);
      assert.equal(downloaded, name.replace(".animj", ".fixed.animj"));
      assert.deepEqual(bytes, Buffer.from(fixed.bytes), name);
      const shown = await page.texts(".fix-result .diff .removed, .fix-result .diff .added");
      assert.ok(shown.length > 0, `${name}: no change is shown`);
    }
  },

  async "applies edits, shows them in all tabs, and undoes them"(page) {
    const bytes = fixture("seanim", "walk.seanim");
    await page.open("walk.seanim", bytes);
    await page.tab("edit");
    const duration = async () => {
      await page.tab("convert");
      await page.choose("Format", "seanim");
      await page.click("Convert");
      const [, written] = await page.download("Download");
      await page.tab("edit");
      return inspect(written).clips[0].duration;
    };
    await page.choose("Edit", "reverse");
    await page.click("Apply");
    await page.until(() => document.querySelector("#tab-edit .count")?.textContent === "1");
    await page.tab("convert");
    const reversed = read(bytes).edit({ edit: "reverse" });
    await compareConversion(page, "walk.seanim", "seanim", reversed.convert("seanim"));
    await page.tab("edit");
    await page.click("Undo");
    await page.until(() => document.querySelector("#tab-edit .count") === null);
    assert.equal(await duration(), 1);
  },

  async "downloads a report without the content of the file"(page) {
    const name = "duplicate-members.animj";
    await page.open(name, fixture("animj", name));
    await page.tab("problems");
    const [downloaded, text] = await page.download("Download report");
    assert.equal(downloaded, "duplicate-members.report.txt");
    for (const { code } of check(fixture("animj", name))) assert.ok(text.toString().includes(code), code);
    assert.ok(!text.toString().includes("keyframes\""));
  },
};

/** Converts the open file in the page, and compares the losses and the download with the result of the package. */
async function compareConversion(page, name, to, expected) {
  await page.choose("Format", to);
  await page.click("Convert");
  await page.page.waitForSelector("#panel-convert .result h2");
  const losses = new Set(expected.losses.map((loss) => loss.code));
  const shown = await page.texts("#panel-convert .problem.loss .where code");
  assert.deepEqual(new Set(shown), losses, `${name} to ${to}`);
  const [downloaded, bytes] = await page.download("Download");
  assert.equal(downloaded, `${name.replace(/\.\w+$/, "")}.${EXTENSIONS[to]}`);
  assert.equal(Buffer.compare(bytes, expected.bytes), 0, `${name} to ${to}`);
}
