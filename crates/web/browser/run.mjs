/**
 * Tests the page in Chromium: `node browser/run.mjs --page DIR`, where DIR was written by `node build.mjs --out DIR`.
 *
 * `--only WORD` runs the tests with this word in their names. `--pictures DIR` also writes pictures of the page, and
 * `--speed` also prints measurements. `INBETWEEN` is the path of the command `inbetween`, with which results are compared, and
 * `CHROMIUM` that of the browser.
 */

import { parseArgs } from "node:util";
import { launch, Page } from "./page.mjs";
import { refuseAll, serve } from "./server.mjs";
import { accessibility } from "./accessibility.mjs";
import { downloads } from "./downloads.mjs";
import { failures } from "./failures.mjs";
import { formats } from "./formats.mjs";
import { names } from "./names.mjs";
import { offline } from "./offline.mjs";
import { takePictures } from "./pictures.mjs";
import { measure } from "./speed.mjs";

const { values } = parseArgs({
  options: {
    page: { type: "string" },
    only: { type: "string", default: "" },
    pictures: { type: "string" },
    speed: { type: "boolean", default: false },
  },
});
if (!values.page) throw new Error("--page DIR is missing");

const server = await serve(values.page);
const proxy = await refuseAll();
const browser = await launch(proxy);
const open = (options) => Page.open(browser, server.origin, options);

/** Runs a test with a page of its own; returns whether it passed. */
async function passes(name, test) {
  const start = performance.now();
  const page = await open();
  let error = null;
  try {
    await test(page, { browser, folder: values.page });
    page.assertNothingWrong();
  } catch (caught) {
    error = caught;
  }
  await page.close();
  console.log(`${error ? "FAILED" : "ok"}  ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  if (error) console.log(`${error.stack}\n${page.wrong.join("\n")}\n`);
  return error === null;
}

let failed = 0;
const tests = { ...formats, ...downloads, ...failures, ...names, ...offline, ...accessibility };
for (const [name, test] of Object.entries(tests)) {
  if (name.includes(values.only) && !(await passes(name, test))) failed += 1;
}
if (values.pictures) await takePictures(open, values.pictures);
if (values.speed) await measure(open);
await browser.close();
await server.stop();
proxy.stop();
if (proxy.hosts.size > 0) {
  failed += 1;
  console.log(`FAILED  nothing leaves the page: ${[...proxy.hosts].join(", ")}`);
}
console.log(failed === 0 ? "all passed" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
