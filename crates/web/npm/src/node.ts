/** The package in Node, which loads the module from its file. */

import { readFileSync } from "node:fs";
import { initSync } from "./inbetween.js";

initSync({ module: readFileSync(new URL("./inbetween_bg.wasm", import.meta.url)) });

export * from "./index.js";
