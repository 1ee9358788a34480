/** Broken, slow and huge files, crashes, and cancels: the page says what happened and goes on working. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { check, inspect } from "../npm/dist/node.js";
import { fixture, folder, FORMATS, outcome, report, withoutCommand } from "../npm/test/support.mjs";

export const failures = {
  async "shows for every broken file what the command says"(page) {
    for (const format of FORMATS) {
      const checked = new Map(report("check", folder(format, "bad")).map((row) => [row.path, row]));
      for (const { path, error } of report("info", folder(format, "bad"))) {
        const [name, bytes] = [basename(path), readFileSync(path)];
        await page.open(name, bytes);
        await page.tab("problems");
        const shown = await page.texts("#panel-problems .problem .message span:nth-child(2)");
        const row = checked.get(path);
        const own = outcome(() => (error ? inspect : check)(bytes, { name })).error;
        const failure = withoutCommand(error ?? row.error, path, own);
        if (failure) {
          assert.deepEqual(shown, [cut(failure.message)], `${format}: ${name}`);
          assert.equal(await page.text("#panel-problems .where code"), failure.code);
          const position = failure.position && !failure.position.space;
          if (position) await page.until(() => document.querySelector("#panel-problems .excerpt pre") !== null);
        } else {
          assert.equal(shown.length, row.findings.length, `${format}: ${name}`);
        }
      }
    }
  },

  async "refuses a file of 1 GB before it is read"(page) {
    await page.run(() => {
      const part = new Blob([new Uint8Array(1 << 20)]);
      const transfer = new DataTransfer();
      transfer.items.add(new File(Array(1000).fill(part), "huge.seanim"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
    await page.until(() => document.querySelector("#notice").textContent !== "");
    assert.match(await page.text("#notice"), /huge\.seanim has .*256 MiB/);
    await assertWorks(page);
  },

  async "cancels a slow file and shows the one before"(page) {
    await assertWorks(page);
    for (const how of ["button", "Escape"]) {
      await dropSlowFile(page);
      await page.page.waitForSelector("#cancel", { visible: true });
      if (how === "button") await page.page.click("#cancel");
      else await page.page.keyboard.press("Escape");
      await page.until(() => document.querySelector("#working").hidden);
      assert.equal(await page.text("#status"), "Canceled.");
      assert.equal(await page.text(".file-name"), "walk.seanim");
      await assertConverts(page);
    }
  },

  async "restarts the library after a crash and shows the file again"(page) {
    await assertWorks(page);
    // The page does not provide for this: an error outside of a request, and a trap in one.
    const crashes = [
      () => setTimeout(() => { throw new Error("crash"); }),
      () => postMessage({ id: 0, trap: "RuntimeError: unreachable" }),
      () => postMessage({ id: 0, trap: "memory" }),
    ];
    for (const crash of crashes) {
      const worker = await page.worker();
      await page.run(() => { document.querySelector("#notice").textContent = ""; });
      await worker.evaluate(crash);
      await page.until(() => document.querySelector("#notice").textContent !== "");
      assert.match(await page.text("#notice"), /goes on working/);
      await page.until((old) => old !== "", worker.url());
      await assertConverts(page);
    }
    // The error of the first crash is shown in the console, as it would be for a user.
    page.wrong = page.wrong.filter((text) => !text.includes("crash"));
  },

  async "survives a conversion that needs more memory than there is"(page) {
    // An accessor without a view is all zeros: four million keys in 300 bytes, whose Unity text has gigabytes.
    const accessors = ["SCALAR", "VEC3"].map((type) => ({ componentType: 5126, type, count: 4_000_000 }));
    const channels = [{ sampler: 0, target: { node: 0, path: "translation" } }];
    const animations = [{ channels, samplers: [{ input: 0, output: 1 }] }];
    const bomb = { asset: { version: "2.0" }, nodes: [{ name: "a" }], animations, accessors };
    await page.open("bomb.gltf", Buffer.from(JSON.stringify(bomb)));
    await page.tab("convert");
    await page.choose("Format", "unity-anim");
    await page.click("Convert");
    await page.page.waitForSelector("#panel-convert .failure", { timeout: 90_000 });
    await assertWorks(page);
    await assertConverts(page);
  },

  async "closes a file whose reading crashes again and again"(page) {
    await assertWorks(page);
    for (let crash = 0; crash < 2; crash += 1) {
      const worker = await page.worker();
      await worker.evaluate(() => postMessage({ id: 0, trap: "memory" }));
      await page.until(() => !document.querySelector("#notice").hidden);
    }
    await assertWorks(page);
  },

  async "opens several files as a list, and the others after one that is broken"(page) {
    const good = fixture("seanim", "walk.seanim");
    await page.drop(["good.seanim", good], ["broken.seanim", good.subarray(0, 50)], ["empty.animj", Buffer.alloc(0)]);
    await page.until(() => /fine.*not readable\.$/.test(document.querySelector("#files .note")?.textContent ?? ""));
    assert.match(await page.text("#files .note"), /^1 fine, 0 with problems, 2 not readable\.$/);
    for (const name of ["broken.seanim", "good.seanim"]) {
      await page.click(name, "#files");
      await page.until((name) => document.querySelector(".file-name")?.textContent === name, name);
    }
    await page.until(() => document.querySelector("#tab-problems .count") !== null);
    await page.tab("overview");
    assert.match(await page.text("#panel-overview"), /tag_origin/);
  },
};

/** Opens a file, which fails if the worker does not answer. */
async function assertWorks(page) {
  await page.open("walk.seanim", fixture("seanim", "walk.seanim"));
  assert.equal(await page.text(".file-name"), "walk.seanim");
}

/** Converts the open file. */
async function assertConverts(page) {
  await page.tab("convert");
  await page.choose("Format", "animj");
  await page.click("Convert");
  await page.page.waitForSelector("#panel-convert .result h2");
  const [name, bytes] = await page.download("Download");
  assert.equal(name, "walk.animj");
  assert.equal(JSON.parse(bytes).tracks.length > 0, true);
}

/** Drops an AnimJ file of 60 MiB, which takes seconds to check. It is made in the page, which is faster than sending it. */
function dropSlowFile(page) {
  return page.run(() => {
    const key = `{"time":0,"value":{"x":0,"y":0,"z":0},"interpolation":"Hold"},`.repeat(1000);
    const track = `{"trackType":"Curve","valueType":"float3","data":{"node":"N","property":"P","keyframes":[`;
    const keys = Array(Math.ceil((60 << 20) / key.length)).fill(key);
    const end = `{"time":1,"value":{"x":0,"y":0,"z":0},"interpolation":"Hold"}]}}]}`;
    const transfer = new DataTransfer();
    transfer.items.add(new File([`{"name":"A","globalDuration":1,"tracks":[`, track, ...keys, end], "slow.animj"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
}

/** Long messages are cut by the page. */
function cut(message) {
  return message.length > 400 ? `${message.slice(0, 400)}…` : message;
}
