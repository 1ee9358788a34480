import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "inbetween";
import { listed, sourceOf } from "../src/files.ts";
import { downloadName, extension, folder, shown, stem } from "../src/names.ts";
import { count, fileSize, number } from "../src/numbers.ts";
import { exactPattern, matcher } from "../src/pattern.ts";
import { place, report } from "../src/report.ts";
import { snippetAt } from "../src/snippet.ts";

test("names are split into stem and extension", () => {
  assert.deepEqual([extension("a/b.Walk.GLB"), stem("a/b.Walk.GLB"), folder("a/b.glb")], ["glb", "b.Walk", "a/"]);
  assert.deepEqual([extension("pasted text"), stem("pasted text"), stem(".glb")], ["", "pasted text", ".glb"]);
});

test("downloads have safe names", () => {
  assert.equal(downloadName("walk.seanim", "glb"), "walk.glb");
  assert.equal(downloadName("<img src=x>.glb", "animj"), "_img src=x_.animj");
  assert.equal(downloadName("a\u202egnp.exe", "glb"), "a_gnp.glb");
  assert.equal(downloadName("..", "glb"), "animation.glb");
});

test("names are shown with escapes and cut", () => {
  assert.equal(shown("a\u202eb\u0000\u200b"), "a\\u{202e}b\\u{0}\\u{200b}");
  assert.equal(shown("<img onerror=alert(1)>"), "<img onerror=alert(1)>");
  assert.equal(shown("é\u{1f600}"), "é\u{1f600}");
  assert.equal(shown("x".repeat(1000)), `${"x".repeat(120)}…`);
});

test("numbers have at most six digits", () => {
  assert.deepEqual([number(1 / 3), number(-0), number(12), number(123456789)], ["0.333333", "0", "12", "1.235e+8"]);
  assert.deepEqual([number(Number.NaN), number(0.00001234)], ["NaN", "1.234e-5"]);
  assert.deepEqual(
    [count(1, "key"), count(1234, "key"), count(2, "loss", "losses")],
    ["1 key", "1,234 keys", "2 losses"],
  );
  assert.deepEqual([fileSize(232), fileSize(1536), fileSize(3.2 * 1024 * 1024)], ["232 bytes", "1.5 KiB", "3.2 MiB"]);
});

test("patterns match nodes and properties", () => {
  const track = { node: "arm_left", property: "Rotation" };
  const matches = ["", "left/rot", "ARM", "arm_*", "arm_*/Rotation", "*/rotation", "leg, arm_????", "*_*/*"];
  for (const pattern of matches) assert.ok(matcher(pattern)(track), pattern);
  for (const pattern of ["arm_?", "arm/*", "leg", "*/Position"]) assert.ok(!matcher(pattern)(track), pattern);
  assert.ok(matcher("*")({ node: null, property: null }));
});

test("exact patterns keep wildcards of names as text", () => {
  assert.equal(exactPattern({ node: "a*[1]", property: "Weight:{x}" }), "a[*][[]1[]]/Weight:[{]x[}]");
  assert.equal(exactPattern({ node: null, property: "P" }), "/P");
});

test("snippets are one line with the column", () => {
  const text = new TextEncoder().encode('{\r\n\t"é": nul,\r\n}');
  const at = text.indexOf("n".charCodeAt(0));
  assert.deepEqual(snippetAt(text, at), { text: '\t"é": nul,', column: 6 });
});

test("the report names code and place of each finding", () => {
  const finding: Finding = {
    code: "keys-unsorted",
    severity: "warning",
    loss: false,
    path: "/tracks/0",
    position: { offset: 9, line: 6, column: 88 },
    message: "a key at 0 s after one at 2 s",
    count: 3,
    fixable: true,
    help: "",
  };
  const text = report({ name: "a.animj", format: "animj", bytes: 12, failure: null, findings: [finding] });
  assert.equal(
    text,
    "File: a.animj\nFormat: animj\nSize: 12 bytes\n\n1 problem:\n" +
      "warning[keys-unsorted] at line 6, column 88: a key at 0 s after one at 2 s (3 times)\n  in /tracks/0\n",
  );
});

test("the report of an unreadable file has its error", () => {
  const failure = { message: "need 4 bytes", code: "unexpected-end", path: null, position: { offset: 36 } };
  assert.match(
    report({ name: "a", format: null, bytes: 36, failure, findings: [] }),
    /error\[unexpected-end\] at offset 0x24: need 4 bytes/,
  );
  assert.equal(place({ offset: 16, space: "decompressed" }), "offset 0x10 of the decompressed section");
});

test("a .gltf gets the .bin files of its folder", () => {
  const file = (path: string): { file: File; path: string } => ({
    path,
    file: new File([], path.split("/").at(-1) ?? ""),
  });
  const found = [
    file("a/ship.gltf"),
    file("a/ship.bin"),
    file("b/other.bin"),
    file("a/readme.txt"),
    file("c/walk.glb"),
  ];
  const shownFiles = listed(found, new Set(["gltf", "glb"])).map(({ path }) => path);
  assert.deepEqual(shownFiles, ["a/ship.gltf", "c/walk.glb"]);
  const [ship] = found;
  assert.deepEqual(Object.keys(ship ? sourceOf(ship, found).neighbors : {}), ["ship.bin"]);
});
