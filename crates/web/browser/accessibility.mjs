/** Rules of accessibility on every tab, in light and dark, wide and narrow; and the use by keyboard. */

import assert from "node:assert/strict";
import axe from "axe-core";
import { fixture } from "../npm/test/support.mjs";

const STATES = ["start", "overview", "problems", "curves", "player", "convert", "edit", "list"];

export const accessibility = {
  async "follows the rules of accessibility in all states"(page) {
    for (const dark of [false, true]) {
      await page.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
      for (const width of [1280, 390]) {
        await page.page.setViewport({ width, height: 900, deviceScaleFactor: 1 });
        await page.page.reload();
        await page.until(() => document.documentElement.dataset.ready === "true");
        for (const state of STATES) await assertRules(page, state, `${state}, ${dark ? "dark" : "light"}, ${width} px`);
      }
    }
  },

  async "can be used by keyboard alone"(page) {
    const { keyboard } = page.page;
    const focused = () => page.run(() => document.activeElement.textContent.trim().split(/\s+/)[0]);
    await keyboard.press("Tab");
    assert.ok((await focused()) !== "", "nothing has the focus");
    await page.open("walk.seanim", fixture("seanim", "walk.seanim"));
    await page.page.focus("#tab-overview");
    for (const tab of ["problems", "curves", "player", "convert", "edit", "overview"]) {
      await keyboard.press("ArrowRight");
      assert.equal(await page.run(() => document.activeElement.id), `tab-${tab}`);
      assert.equal(await page.page.$eval(`#panel-${tab}`, (panel) => panel.hidden), false);
    }
    await keyboard.press("End");
    assert.equal(await page.run(() => document.activeElement.id), "tab-edit");
    // The focus is visible.
    const outline = await page.run(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none");
  },

  async "does not scroll sideways on a phone"(page) {
    await page.page.setViewport({ width: 390, height: 800, deviceScaleFactor: 1 });
    for (const state of STATES) {
      await show(page, state);
      const [content, view] = await page.run(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(content <= view, `${state}: ${content} px in ${view} px`);
    }
  },

  async "keeps the chosen theme"(page) {
    const theme = () => page.run(() => document.documentElement.dataset.theme);
    await page.page.click("#theme");
    assert.equal(await theme(), "dark");
    await page.page.reload();
    await page.until(() => document.documentElement.dataset.ready === "true");
    assert.equal(await theme(), "dark");
    await page.page.click("#theme");
    assert.equal(await theme(), "light");
  },
};

/** Brings the page into a state. */
export async function show(page, state) {
  if (state === "start") return;
  if (state === "list") {
    await page.drop(["a.seanim", fixture("seanim", "walk.seanim")], ["b.animj", fixture("animj", "duplicate-members.animj")]);
    await page.until(() => /not readable\.$/.test(document.querySelector("#files .note")?.textContent ?? ""));
    return;
  }
  const [format, name] = state === "problems" ? ["animj", "track-members-types-swapped.animj"] : ["gltf", "walk.glb"];
  await page.open(name, fixture(format, name));
  await page.tab(state);
  if (state === "curves") await page.until(() => document.querySelector("#panel-curves .picture svg") !== null);
  if (state === "player") await page.until(() => document.querySelector("canvas")?.dataset.time !== undefined);
}

async function assertRules(page, state, what) {
  await show(page, state);
  await page.run(axe.source);
  const { violations } = await page.run(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const found = violations.map(({ id, impact, nodes }) => [impact, id, ...nodes.slice(0, 3).map((node) => node.html)]);
  assert.deepEqual(found, [], what);
}
