// Builds the page into a directory that any static web server can serve: `node build.mjs [--out DIR]`, by default
// `build/page`. `node build.mjs --tests` bundles the unit tests into `build/tests` instead.
//
// The npm package must have been built into npm/dist. Names of files contain hashes of their content, except
// index.html, sw.js and manifest.webmanifest; sw.js has the list of all files.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const www = join(here, "www");
const { values } = parseArgs({ options: { out: { type: "string" }, tests: { type: "boolean", default: false } } });

const common = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  alias: { inbetween: join(here, "npm", "dist", "index.js") },
  legalComments: "none",
  logLevel: "warning",
};

if (values.tests) await bundleTests();
else await bundlePage(values.out ?? join(here, "build", "page"));

async function bundleTests() {
  const names = (await readdir(join(www, "test"))).filter((name) => name.endsWith(".test.ts"));
  const outdir = join(here, "build", "tests");
  await rm(outdir, { recursive: true, force: true });
  await build({
    ...common,
    platform: "node",
    outdir,
    outExtension: { ".js": ".mjs" },
    sourcemap: "inline",
    entryPoints: names.map((name) => join(www, "test", name)),
  });
}

async function bundlePage(out) {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const hashed = async (file, name, extension) => copyHashed(await readFile(file), out, name, extension);

  const wasm = await hashed(join(here, "npm", "dist", "inbetween_bg.wasm"), "inbetween", "wasm");
  const worker = await script(out, "worker.ts", { WASM: wasm });
  const main = await script(out, "main.ts", { WORKER: worker, VERSION: await version() });
  const style = await stylesheet(out);
  const icon = await hashed(join(www, "icons", "icon.svg"), "icon", "svg");

  const renamed = (text) =>
    text.replaceAll("icon.svg", icon).replace("style.css", style).replace('"main.js"', `"${main}"`);
  for (const name of ["index.html", "manifest.webmanifest"]) {
    await writeFile(join(out, name), renamed(await readFile(join(www, name), "utf8")));
  }
  await writeFile(join(out, "licenses.txt"), await licenses());
  await serviceWorker(out);
}

/** Returns the licenses of all that the page contains, one after the other. */
async function licenses() {
  const collected = join(here, "npm", "dist", "licenses");
  const names = await readdir(collected, { recursive: true, withFileTypes: true });
  const files = names.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const modules = ["three/LICENSE", "meshoptimizer/LICENSE.md"].map((name) => join(here, "node_modules", name));
  const own = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => join(here, "..", "..", name));
  const text = async (file) => {
    const title = relative(collected, file).replaceAll(/(\.\.\/)+|node_modules\//g, "");
    return `==== ${title}\n\n${await readFile(file, "utf8")}`;
  };
  return (await Promise.all([...own, ...files.sort(), ...modules].map(text))).join("\n");
}

/** Bundles a script, with hashes in the names of its chunks; returns its name. */
async function script(out, name, constants) {
  const result = await build({
    ...common,
    entryPoints: [join(www, "src", name)],
    outdir: out,
    splitting: true,
    minify: true,
    metafile: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    define: Object.fromEntries(Object.entries(constants).map(([key, value]) => [key, JSON.stringify(value)])),
  });
  const outputs = Object.entries(result.metafile.outputs);
  const [path] = outputs.find(([, output]) => output.entryPoint?.endsWith(`src/${name}`));
  return path.split("/").at(-1);
}

async function stylesheet(out) {
  const result = await build({ ...common, entryPoints: [join(www, "style.css")], minify: true, write: false });
  return copyHashed(result.outputFiles[0].contents, out, "style", "css");
}

/** Lists all files in sw.js; the name of its cache changes with any of them. */
async function serviceWorker(out) {
  const files = (await readdir(out)).sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(await readFile(join(out, file)));
  await build({
    ...common,
    entryPoints: [join(www, "src", "sw.ts")],
    outfile: join(out, "sw.js"),
    minify: true,
    format: "iife",
    define: {
      FILES: JSON.stringify(files.map((file) => `./${file}`)),
      CACHE: JSON.stringify(`inbetween-${hash.digest("hex").slice(0, 16)}`),
    },
  });
}

async function copyHashed(content, out, name, extension) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 8);
  const file = `${name}-${hash}.${extension}`;
  await writeFile(join(out, file), content);
  return file;
}

/** Returns the version of the workspace. */
async function version() {
  const manifest = await readFile(join(here, "..", "..", "Cargo.toml"), "utf8");
  return /^\[workspace\.package\][^[]*?^version = "([^"]+)"/ms.exec(manifest)?.[1] ?? "0.0.0";
}
