/** Every fixture is listed, checked and refused as on the command line. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { check, detect, inspect, read } from "inbetween";
import { command, fixture, fixtures, folder, FORMATS, outcome, report, temporaryFolder, withoutCommand } from "./support.mjs";

for (const format of FORMATS) {
  for (const kind of ["ok", "bad"]) {
    test(`inspects the files of ${format}/${kind} as the command does`, () => {
      compare(report("info", folder(format, kind)), inspect, ({ path, error, ...overview }) => {
        return { ...overview, layout: overview.layout || null };
      }, (overview) => overview, fixtures(format, kind).length);
    });

    test(`checks the files of ${format}/${kind} as the command does`, () => {
      const findings = (problems) => problems.map(({ fix, snippet, ...finding }) => finding);
      compare(report("check", folder(format, kind)), check, (row) => row.findings, findings, fixtures(format, kind).length);
    });
  }
}

/** Compares what a function returns or throws for each file with its row of a report of the command. */
function compare(rows, use, expected, got, count) {
  assert.equal(rows.length, count);
  for (const row of rows) {
    const name = basename(row.path);
    const { value, error } = outcome(() => use(readFileSync(row.path), { name }));
    const reference = withoutCommand(row.error, row.path, error);
    assert.deepEqual(error, reference, row.path);
    if (error === null) assert.deepEqual(got(value), expected(row), row.path);
  }
}

test("finds the format by the content, and by the name where the content is not clear", () => {
  for (const format of FORMATS) {
    for (const name of fixtures(format, "ok")) assert.equal(detect(fixture(format, name), { name }), format, name);
  }
});

test("shows the line of a text file with a mark below the place, as the command does", () => {
  let shown = 0;
  for (const format of FORMATS) {
    const printed = command("check", folder(format, "ok"));
    for (const name of fixtures(format, "ok")) {
      for (const { snippet } of check(fixture(format, name), { name })) {
        if (snippet === null) continue;
        const { line, text, column } = snippet;
        const margin = " ".repeat(`${line}`.length);
        assert.ok(printed.includes(`${line} | ${text}\n${margin} | ${" ".repeat(column)}^\n`), `${name}: ${text}`);
        shown += 1;
      }
    }
  }
  assert.ok(shown > 50);
});

test("takes the buffer of a .gltf from its neighbors", () => {
  const gltf = JSON.parse(fixture("gltf", "data-uri-of-url-letters.gltf").toString().replace(/^\ufeff/, ""));
  const embedded = gltf.buffers[0].uri;
  const bin = Buffer.from(embedded.slice(embedded.indexOf(",") + 1), "base64url");
  gltf.buffers[0].uri = "walk%20cycle.bin";
  const bytes = Buffer.from(JSON.stringify(gltf));
  const path = temporaryFolder();
  writeFileSync(join(path, "walk.gltf"), bytes);
  writeFileSync(join(path, "walk cycle.bin"), bin);

  const neighbors = { "walk cycle.bin": bin };
  const [row] = report("info", join(path, "walk.gltf"));
  assert.deepEqual(inspect(bytes, { name: "walk.gltf", neighbors }).clips, row.clips);
  assert.ok(read(bytes, { neighbors }).keys(0, 0).values.length > 0);
  for (const neighbors of [undefined, {}, { "other.bin": bin }]) {
    assert.throws(() => read(bytes, { neighbors }), { code: "missing", path: "/buffers/0/uri" });
  }
});
