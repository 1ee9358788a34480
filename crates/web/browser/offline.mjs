/** After the first visit the page works without its server, and that visit is short. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fixture } from "../npm/test/support.mjs";
import { Page } from "./page.mjs";
import { serve } from "./server.mjs";

export const offline = {
  async "opens, plays and converts a file while the server is stopped"(_, { browser, folder }) {
    const server = await serve(folder);
    const page = await Page.open(browser, server.origin);
    try {
      await page.until(() => document.querySelector("#offline").textContent === "Works offline.");
      await server.stop();
      await page.page.reload();
      await page.until(() => document.documentElement.dataset.ready === "true");
      await page.open("walk.cast", fixture("cast", "walk.cast"));
      await page.tab("player");
      await page.until(() => document.querySelector("canvas")?.dataset.time !== undefined);
      await page.tab("convert");
      await page.click("Convert");
      const [name] = await page.download("Download");
      assert.equal(name, "walk.glb");
      page.assertNothingWrong();
    } finally {
      await page.close();
    }
  },

  async "keeps one cache, of this version"(page) {
    await page.until(() => document.querySelector("#offline").textContent === "Works offline.");
    const [names, files] = await page.run(async () => {
      const names = await caches.keys();
      return [names, (await (await caches.open(names[0])).keys()).map((request) => new URL(request.url).pathname)];
    });
    assert.equal(names.length, 1);
    assert.match(names[0], /^inbetween-[0-9a-f]{16}$/);
    for (const kind of [/\/index\.html$/, /\.wasm$/, /\/main-\w+\.js$/, /\/worker-\w+\.js$/, /\/player-\w+\.js$/]) {
      assert.equal(files.filter((path) => kind.test(path)).length, 1, `${kind}`);
    }
  },

  async "shows a first overview after at most 1.2 MB, compressed"(_, { folder }) {
    // three.js waits for the player; the service worker loads the rest afterwards.
    const first = readdirSync(folder).filter((name) => !/^(player-|licenses|sw\.js)/.test(name));
    const sizes = first.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 1_200_000, `${total} bytes`);
  },
};
