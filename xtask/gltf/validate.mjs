// Runs the glTF validator of Khronos over files and prints what it complains about.
//
// Usage: node validate.mjs FILE...

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import validator from "gltf-validator";

// What files without a mesh or a user of a skin cannot avoid, extras of other programs that are kept
// as they were, and that the validator does not know how views are compressed.
const ALLOWED = [
  "NON_OBJECT_EXTRAS",
  "UNSUPPORTED_EXTENSION",
  "NODE_EMPTY",
  "UNUSED_OBJECT",
  "UNUSED_MESH_WEIGHTS",
  "UNUSED_MESH_TANGENT",
];
const LEVELS = ["error", "warning", "info", "hint"];

let wrong = 0;
for (const file of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(file));
  const report = await validator.validateBytes(bytes, { maxIssues: 20 });
  for (const { severity, code, message, pointer } of report.issues.messages) {
    if (severity < 2 || !ALLOWED.includes(code)) {
      console.log(`${basename(file)}: ${LEVELS[severity]}: ${code}: ${message} (${pointer})`);
      wrong += 1;
    }
  }
}
console.log(`${process.argv.length - 2} files, ${wrong} complaints`);
process.exit(wrong > 0 ? 1 : 0);
