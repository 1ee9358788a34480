/** Every fixture is converted to every format as by `inbetween convert`: the same bytes, findings and errors. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { convert, formats, read } from "inbetween";
import { command, fixture, fixtures, folder, FORMATS, outcome, report, temporaryFolder, withoutCommand } from "./support.mjs";
import { assertSameContent } from "./content.mjs";

const temporary = temporaryFolder();
const manyClips = new Set(formats().filter((format) => format.clips === "many").map((format) => format.id));

for (const from of FORMATS) {
  test(`converts the files of ${from} as the command does`, (context) => {
    const counts = { same: 0, rounded: 0, named: 0, guessed: 0, refused: 0 };
    for (const to of FORMATS) {
      const rows = report("convert", folder(from, "ok"), "--to", to, "--out-dir", join(temporary, `${from}-${to}`));
      const files = byInput(rows);
      // Of a folder, the command skips files without an animation.
      const skipped = fixtures(from, "ok").filter((name) => !files.has(join(folder(from, "ok"), name)));
      for (const name of skipped) assert.deepEqual(read(fixture(from, name), { name }).clips, [], name);
      for (const [path, rows] of files) {
        if (rows[0].clip === undefined) compareFile(path, to, rows[0], counts);
        else compareClips(path, to, rows, counts);
      }
    }
    const { same, rounded, named, guessed, refused } = counts;
    context.diagnostic(
      `${same} equal byte for byte, ${rounded} within rounding, ${named} with clips that the command names, ` +
        `${guessed} with a frame rate that the command guesses from all clips, ${refused} refused by both`,
    );
    // Few files have angles whose sines are rounded otherwise on another platform, or clips of several rates.
    assert.ok(rounded <= 4 && guessed <= 16, JSON.stringify(counts));
  });
}

/** Returns the rows of a report by their input: one for each file, or for each clip of it. */
function byInput(rows) {
  const files = new Map();
  for (const row of rows) files.set(row.input, [...(files.get(row.input) ?? []), row]);
  return files;
}

/** Returns the options of a conversion. The command chooses .glb for a folder; the package keeps a .gltf one. */
function writing(to) {
  return to === "gltf" ? { options: { "gltf-container": "glb" } } : {};
}

/** Compares a file that is converted as a whole. */
function compareFile(path, to, row, counts) {
  const name = basename(path);
  const what = `${name} to ${to}`;
  const { value, error } = outcome(() => convert(readFileSync(path), to, { read: { name }, write: writing(to) }));
  const named = row.findings.some((finding) => finding.code === "convert/clip-named");
  if (named && error !== null) {
    // X4 has no two clips of one name, and the command numbers those without a name.
    assert.match(error.message, /a second clip ""/, what);
    counts.named += 1;
    return;
  }
  assert.deepEqual(error, withoutCommand(row.error, path, error), what);
  if (error !== null) {
    counts.refused += 1;
    return;
  }
  assert.equal(value.to, to);
  assert.deepEqual(value.losses, value.findings.filter((finding) => finding.loss));
  const same = Buffer.compare(value.bytes, readFileSync(row.output)) === 0;
  const view = named ? withoutNames : same ? (finding) => finding : withoutErrors;
  assert.deepEqual(value.findings.map(view).filter(Boolean), row.findings.map(view).filter(Boolean), what);
  count(value.bytes, row, named, counts);
}

/** Compares the clips of a file, each of which the command converts to a file of its own. */
function compareClips(path, to, rows, counts) {
  const [bytes, name] = [readFileSync(path), basename(path)];
  // The command lists what was noticed while reading with the clip that it concerns, the package with every clip.
  const reading = new Set(read(bytes, { name }).findings.map((finding) => JSON.stringify(finding)));
  const own = (findings) => findings.filter((finding) => !reading.has(JSON.stringify(finding)));
  // Clips that cannot be read are rows too, and are not in the document.
  for (const [index, row] of rows.filter((row) => row.written).entries()) {
    const what = `clip ${index} of ${name} to ${to}`;
    const write = { ...writing(to), clip: `#${index + 1}` };
    const { value, error } = outcome(() => convert(bytes, to, { read: { name }, write }));
    assert.deepEqual(error, withoutCommand(row.error, path, error), what);
    const guessed = (finding) => finding.code === "convert/frame-rate-guessed";
    if (row.findings.some(guessed) && Buffer.compare(value.bytes, readFileSync(row.output)) !== 0) {
      assert.ok(value.findings.some(guessed));
      counts.guessed += 1;
      continue;
    }
    // Tracks are put in order once for all clips by the command, which reports it with the first.
    const once = (finding) => finding.code !== "convert/tracks-reordered";
    assert.deepEqual(own(value.findings).filter(once), own(row.findings).filter(once), what);
    count(value.bytes, row, false, counts);
  }
}

/** Counts a converted file, whose content must be equal. */
function count(bytes, row, named, counts) {
  const expected = readFileSync(row.output);
  if (Buffer.compare(bytes, expected) === 0) {
    counts.same += 1;
    return;
  }
  assertSameContent(read(bytes), read(expected), { names: !named });
  counts[named ? "named" : "rounded"] += 1;
}

/** Returns a finding without the name of its clip: the command gives clips the name of the file, the package does not. */
function withoutNames({ clip, path, message, ...finding }) {
  const naming = ["convert/clip-named", "convert/clip-unnamed", "x4-ani/clip-dropped"];
  return naming.includes(finding.code) ? undefined : withoutErrors({ ...finding, message: "" });
}

/** Returns a finding without the size of an error, which is one of rounding. */
function withoutErrors(finding) {
  return { ...finding, message: finding.message.replace(/off by at most [\d.e-]+/, "") };
}

test("converts one clip by its name or number, and all clips of a file", () => {
  const bytes = fixture("x4-ani", "interleaved-clips.ani");
  const names = read(bytes).clips.map((clip) => clip.name);
  assert.equal(names.length, 2);
  for (const [index, name] of names.entries()) {
    for (const clip of [name, name.toUpperCase(), `#${index + 1}`]) {
      const { bytes: converted } = convert(bytes, "cast", { write: { clip } });
      assert.deepEqual(read(converted).clips.map((clip) => clip.name), [name]);
    }
  }
  assert.equal(read(convert(bytes, "glb").bytes).clips.length, 2);
  assert.throws(() => convert(bytes, "glb", { write: { clip: "none" } }), { code: "usage" });
  // A format with one clip does not choose one.
  for (const to of FORMATS.filter((format) => !manyClips.has(format))) {
    assert.throws(() => convert(bytes, to), { name: "InbetweenError" }, to);
  }
});

test("refuses losses with `strict`, except the allowed ones", () => {
  const bytes = fixture("seanim", "walk.seanim");
  const losses = convert(bytes, "animj").losses.map((loss) => loss.code);
  assert.ok(losses.includes("convert/looping-dropped"));
  assert.throws(() => convert(bytes, "animj", { write: { strict: true } }), { code: "loss-refused" });
  const { bytes: written } = convert(bytes, "animj", { write: { strict: true, allow: ["convert/*"] } });
  assert.ok(written.length > 0);
});

test("applies options of the format, axes, units and programs as the command does", () => {
  const cases = [
    ["cast", "walk.cast", "seanim", { axes: "keep" }, ["--axes", "keep"]],
    ["cast", "walk.cast", "animj", { axes: "x,z,-y", unit: "cm" }, ["--axes", "x,z,-y", "--unit", "cm"]],
    ["x4-ani", "spin.ani", "seanim", { options: { fps: 60 } }, ["--fps", "60"]],
    ["animx", "curve-float3.animx", "gltf", { options: { "gltf-container": "gltf" } }, ["--gltf-container", "gltf"]],
    ["x4-ani", "splines.ani", "gltf", { profile: "blender" }, ["--for", "blender"]],
  ];
  for (const [format, name, to, options, flags] of cases) {
    const path = join(temporary, `options.${to}`);
    command("convert", join(folder(format, "ok"), name), "-o", path, "--to", to, "--force", ...flags);
    const { bytes } = convert(fixture(format, name), to, { write: options });
    assertSameContent(read(bytes), read(readFileSync(path)), { names: true });
  }
});

test("refuses options that do not exist or have no effect", () => {
  const document = read(fixture("seanim", "walk.seanim"));
  for (const [to, options] of [
    ["mp4", {}],
    ["glb", { options: { fps: 30 } }],
    ["glb", { options: { curves: "round" } }],
    ["glb", { profile: "x4" }],
    ["cast", { unit: "ell" }],
    ["cast", { axes: "x,x,y" }],
  ]) {
    assert.throws(() => document.convert(to, options), { code: "usage" }, JSON.stringify(options));
  }
});
