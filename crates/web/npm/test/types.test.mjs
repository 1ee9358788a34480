/** The types of the package fit their use in `types.test.ts`. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

test("the types of the package fit their use", () => {
  const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  const here = fileURLToPath(new URL(".", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [compiler, "--noEmit", "-p", here], { encoding: "utf8" });
  assert.equal(stdout, "");
  assert.equal(status, 0);
});
