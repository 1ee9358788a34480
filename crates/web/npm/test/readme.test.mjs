/** The example of the README prints what the README says. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as inbetween from "inbetween";
import { fixture, folder, temporaryFolder } from "./support.mjs";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the example of the README prints what it says", () => {
  const [, program, printed] = /<!-- example: .*? -->\n```js\n(.*?)```.*?```text\n(.*?)```/s.exec(readme);
  const path = temporaryFolder();
  mkdirSync(join(path, "node_modules"));
  symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(path, "node_modules", "inbetween"), "dir");
  copyFileSync(join(folder("seanim", "ok"), "walk.seanim"), join(path, "walk.seanim"));
  writeFileSync(join(path, "example.mjs"), program);
  const { stdout, stderr } = spawnSync(process.execPath, ["example.mjs"], { cwd: path, encoding: "utf8" });
  assert.equal(stderr, "");
  assert.equal(stdout, printed);
  assert.equal(inbetween.detect(readFileSync(join(path, "walk.glb"))), "gltf");
  assert.ok(existsSync(join(path, "walk.svg")));
});

test("the README shows the error of a file that is cut", () => {
  const bytes = fixture("seanim", "walk.seanim");
  assert.throws(() => inbetween.read(bytes.subarray(0, 50)), ({ code, path, position }) => {
    const shown = /console\.log\(error\.code.*?\/\/ (.*)/.exec(readme)[1];
    return shown === `${code} ${path} { offset: ${position.offset} }`;
  });
});

test("the README names every function", () => {
  const functions = Object.keys(inbetween).filter((name) => /^[a-z]/.test(name));
  for (const name of functions) assert.match(readme, new RegExp(`\`.*\\b${name}\\(|\`${name}\``), name);
});
