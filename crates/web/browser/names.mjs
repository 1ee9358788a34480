/** Names and addresses in hostile files stay text: no element is made of them, no script runs, and nothing is requested. */

import assert from "node:assert/strict";
import { fixture } from "../npm/test/support.mjs";

const HTML = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;

export const names = {
  async "shows names that are HTML as text"(page) {
    // Members that are duplicates or unknown are problems, and a track without keys is one in the conversion.
    const key = (time) => `{"time":${time},"value":${time},"interpolation":"Linear"}`;
    const track = (node, keys) =>
      `{"trackType":"Curve","trackType":"Curve","valueType":"float",` +
      `"data":{"node":${node},"property":${node},"keyframes":[${keys}]}}`;
    const name = JSON.stringify(HTML);
    const text =
      `{"name":${name},"globalDuration":1,${name}:1,"tracks":[${track(name, [key(0), key(1)])},${track(`"empty"`, [])}],` +
      `"markers":[{"time":0.5,"name":${name}}]}`;
    await page.open(`${HTML.replaceAll("/", "\\")}.animj`, Buffer.from(text));
    assert.equal(await page.text(".file-name"), `${HTML.replaceAll("/", "\\")}.animj`);
    for (const tab of ["overview", "problems", "curves", "player", "convert", "edit"]) {
      await page.tab(tab);
      await assertNoElements(page, tab);
    }
    await page.tab("overview");
    assert.ok((await page.text("#panel-overview")).includes(HTML));
    await page.tab("curves");
    await page.until(() => document.querySelector("#panel-curves .picture svg text") !== null);
    assert.ok((await page.text("#panel-curves .picture")).includes("<img"));
    await assertNoElements(page, "the picture");
    await page.page.focus("#panel-curves .plot");
    await page.until(() => document.querySelector(".readout").textContent.includes("<img"));
    for (const [tab, button, ending] of [["problems", "Download report", ".report.txt"], ["convert", "Download", ".glb"]]) {
      await page.tab(tab);
      if (tab === "convert") {
        await page.click("Convert");
        await page.page.waitForSelector("#panel-convert .result h2");
        await assertNoElements(page, "the conversion");
      }
      const [downloaded] = await page.download(button);
      assert.match(downloaded, /^[^<>"/\\:|?*]+$/);
      assert.ok(downloaded.endsWith(ending), downloaded);
    }
  },

  async "shows bones that are HTML as text, and plays them"(page) {
    const bvh = fixture("bvh", "walk.bvh").toString().replace("hips", "<img/src=x/onerror=alert(1)>");
    await page.open("a.bvh", Buffer.from(bvh));
    await page.tab("player");
    await page.until(() => document.querySelector("canvas")?.dataset.time !== undefined);
    const shown = await page.positions(0);
    assert.equal(shown[0][0], "<img/src=x/onerror=alert(1)>");
    await assertNoElements(page, "the player");
  },

  async "has a policy that allows no other host"(page) {
    const policy = await page.run(() => document.querySelector('meta[http-equiv="Content-Security-Policy"]').content);
    const directives = policy.split(";").map((directive) => directive.trim().split(" "));
    assert.ok(directives.some(([name, source]) => name === "default-src" && source === "'self'"), policy);
    const own = ["'self'", "'none'", "'wasm-unsafe-eval'", "blob:", "data:"];
    for (const source of directives.flatMap(([, ...sources]) => sources)) assert.ok(own.includes(source), policy);
  },

  async "requests no address in a file"(page) {
    const requested = [];
    page.page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    const addresses = [
      "https://evil.example/a.bin", "//evil.example/a.bin", "javascript:alert(1)", "data:text/html,x", "/licenses.txt",
    ];
    for (const uri of addresses) {
      const gltf = JSON.parse(fixture("gltf", "text-with-data-uri.gltf"));
      gltf.images = [{ uri }];
      gltf.textures = [{ source: 0 }];
      gltf.extras = { [HTML]: HTML };
      await page.open("images.gltf", Buffer.from(JSON.stringify(gltf)));
      await page.tab("overview");
      await page.tab("player");
      gltf.buffers[0].uri = uri;
      await page.open("buffers.gltf", Buffer.from(JSON.stringify(gltf)));
      await page.tab("problems");
      await page.page.waitForSelector("#panel-problems .problem");
      await assertNoElements(page, uri);
    }
    assert.ok(!requested.includes("/licenses.txt"));
  },

  async "requests no texture of a model"(page) {
    const model = fixture("gltf", "model-with-a-texture-beside-it.glb");
    const requested = [];
    page.page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    for (const uri of ["https://evil.example/t.png", "//evil.example/t.png", "/licenses.txt", "blob:https://evil.example/1"]) {
      const length = model.readUInt32LE(12);
      const scene = JSON.parse(model.subarray(20, 20 + length));
      scene.images = [{ uri }];
      scene.textures = [{ source: 0 }];
      scene.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
      await page.open("model.glb", glb(JSON.stringify(scene), model.subarray(20 + length)));
      await page.tab("player");
      await page.page.waitForSelector("#panel-player canvas, #panel-player .empty, #panel-player .failure");
      // Textures load while the model is already shown.
      await page.run(() => new Promise((resolve) => setTimeout(resolve, 200)));
      await assertNoElements(page, uri);
    }
    assert.ok(!requested.includes("/licenses.txt"));
    // three.js reports the textures that it was refused.
    page.wrong = page.wrong.filter((text) => !text.includes("Couldn't load texture"));
  },
};

/** Fails if an element was made of a name. The only image of the page is its icon. */
async function assertNoElements(page, where) {
  const found = await page.run(() => ({
    images: [...document.images].map((image) => image.getAttribute("src")).filter((source) => !/^icon-/.test(source)),
    scripts: [...document.scripts].filter((script) => script.textContent !== "").length,
    handlers: [...document.querySelectorAll("*")].flatMap((each) => each.getAttributeNames()).filter((name) => /^on/.test(name)),
  }));
  assert.deepEqual(found, { images: [], scripts: 0, handlers: [] }, where);
}

/** Returns a .glb with another JSON text; `rest` are the chunks after it. */
function glb(text, rest) {
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4));
  const head = Buffer.alloc(20);
  head.write("glTF");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + json.length + rest.length, 8);
  head.writeUInt32LE(json.length, 12);
  head.write("JSON", 16);
  return Buffer.concat([head, json, rest]);
}
