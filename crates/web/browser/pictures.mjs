/** Pictures of the page in five states, dark and light, wide and narrow. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fixture } from "../npm/test/support.mjs";
import { walkingPerson } from "./samples.mjs";

const BROKEN = Buffer.from(
  fixture("animj", "track-members-types-swapped.animj").toString().replace('"globalDuration"', '"globalduration"'),
);

/** The files and tabs of each state. */
const STATES = {
  start: null,
  overview: ["person-walks.bvh", walkingPerson(), "overview"],
  problems: ["door.animj", BROKEN, "problems"],
  curves: ["person-walks.bvh", walkingPerson(), "curves"],
  player: ["person-walks.bvh", walkingPerson(), "player"],
};

/** Writes `STATE-light-1280.png` and so on into a folder. */
export async function takePictures(open, folder) {
  mkdirSync(folder, { recursive: true });
  for (const dark of [false, true]) {
    for (const width of [1280, 390]) {
      const page = await open({ width, height: 800, dark });
      for (const [state, opened] of Object.entries(STATES)) {
        if (opened) await show(page, ...opened);
        const path = join(folder, `${state}-${dark ? "dark" : "light"}-${width}.png`);
        await page.page.screenshot({ path });
      }
      page.assertNothingWrong();
      await page.close();
    }
  }
  console.log(`pictures are in ${folder}`);
}

async function show(page, name, bytes, tab) {
  await page.open(name, bytes);
  await page.tab(tab);
  if (tab === "curves") {
    await page.until(() => document.querySelector("#panel-curves .picture svg") !== null);
    await page.page.focus("#panel-curves .plot");
  }
  if (tab === "player") {
    await page.until(() => Number(document.querySelector("canvas")?.dataset.time) > 0.3);
    await page.click("Pause");
  }
  // Fonts, resizing and the last frame.
  await page.run(() => new Promise((resolve) => setTimeout(resolve, 150)));
  await page.run(() => scrollTo(0, 0));
}
