/** Measurements: work in the page's worker compared with the package in Node, and the player's work per frame. */

import { inspect, read } from "../npm/dist/node.js";
import { manyBones } from "./samples.mjs";

/** Prints the measurements. */
export async function measure(open) {
  const bytes = manyBones({ bones: 200, frames: 3001 });
  const what = `a .bvh of ${(bytes.length / 2 ** 20).toFixed(1)} MiB`;
  const page = await open();

  const ready = await page.run(() => performance.now());
  console.log(`page: the module was ready at most ${Math.round(ready)} ms after the visit began`);
  let start = performance.now();
  await page.open("small.bvh", manyBones({ frames: 31 }));
  console.log(`page: the first file was shown and checked after ${Math.round(performance.now() - start)} ms`);

  await page.open("many.bvh", bytes);
  await page.tab("convert");
  const document = read(bytes);
  const reading = fastest(() => read(bytes).free());
  for (const [index, to] of ["gltf", "gltf", "animj", "cast"].entries()) {
    await page.choose("Format", to);
    const inPage = await page.run(async () => {
      const start = performance.now();
      document.querySelector("#panel-convert button[type=submit]").click();
      while (!document.querySelector("#panel-convert .result h2")) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    });
    // The page reads the keys for the first conversion alone.
    const inNode = fastest(() => document.convert(to)) + (index === 0 ? reading : 0);
    const done = index === 0 ? "read and converted" : "converted";
    console.log(`${what} ${done} to ${to}: page ${Math.round(inPage)} ms, Node ${Math.round(inNode)} ms`);
  }
  console.log(`${what} inspected in Node: ${fastest(() => inspect(bytes)).toFixed(1)} ms`);

  await page.open("bones.bvh", manyBones());
  await page.tab("player");
  await page.until(() => document.querySelector("canvas")?.dataset.frameMs !== undefined);
  await page.run(() => new Promise((resolve) => setTimeout(resolve, 4000)));
  const frame = await page.page.$eval("canvas", (canvas) => canvas.dataset.frameMs);
  console.log(`player: the median work per frame is ${frame} ms at 200 bones (drawn by software here)`);
  await page.close();
}

/** Returns the milliseconds of the fastest of three calls. */
function fastest(call) {
  const times = [0, 1, 2].map(() => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
  return Math.min(...times);
}
