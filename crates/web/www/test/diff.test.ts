import assert from "node:assert/strict";
import { test } from "node:test";
import { diffLines, type LineDiff } from "../src/diff.ts";

const lines = ({ hunks }: LineDiff): string[] =>
  hunks.flat().map(({ kind, line, text }) => `${{ same: " ", removed: "-", added: "+" }[kind]}${line} ${text}`);
const numbered = (amount: number): string[] => Array.from({ length: amount }, (_, index) => `line ${index + 1}`);

test("equal texts have no changes", () => {
  assert.deepEqual(diffLines("a\nb\n", "a\nb\n"), { hunks: [], more: false });
});

test("a changed line is shown with two lines around it", () => {
  const after = numbered(9);
  after[4] = "new";
  assert.deepEqual(lines(diffLines(numbered(9).join("\n"), after.join("\n"))), [
    " 3 line 3",
    " 4 line 4",
    "-5 line 5",
    "+5 new",
    " 6 line 6",
    " 7 line 7",
  ]);
});

test("added and removed lines keep the numbers of their texts", () => {
  assert.deepEqual(lines(diffLines("a\nb\nc", "a\nnew\nb\nc")), [" 1 a", "+2 new", " 2 b", " 3 c"]);
  assert.deepEqual(lines(diffLines("a\nb\nc\nd", "a\nc\nd")), [" 1 a", "-2 b", " 3 c", " 4 d"]);
});

test("close changes share a hunk, distant ones do not", () => {
  const close = numbered(30);
  [close[9], close[13]] = ["x", "y"];
  assert.equal(diffLines(numbered(30).join("\n"), close.join("\n")).hunks.length, 1);
  const distant = numbered(30);
  [distant[4], distant[20]] = ["x", "y"];
  assert.equal(diffLines(numbered(30).join("\n"), distant.join("\n")).hunks.length, 2);
});

test("at most the limit of changed lines is listed", () => {
  const changed = numbered(1000).map((line) => `${line}!`);
  const diff = diffLines(numbered(1000).join("\n"), changed.join("\n"), 200);
  assert.equal(diff.hunks.flat().filter(({ kind }) => kind !== "same").length, 200);
  assert.equal(diff.more, true);
});

test("exactly the limit of changed lines is complete", () => {
  const after = numbered(10);
  after[3] = "x";
  assert.equal(diffLines(numbered(10).join("\n"), after.join("\n"), 2).more, false);
});

test("long lines are cut around their first difference", () => {
  const [old, now] = [`${"a".repeat(500)}1${"b".repeat(500)}`, `${"a".repeat(500)}2${"b".repeat(500)}`];
  const [removed, added] = diffLines(old, now).hunks.flat();
  assert.match(removed?.text ?? "", /^…a+1b+…$/);
  assert.match(added?.text ?? "", /^…a+2b+…$/);
});

test("changes at both ends are found", () => {
  assert.deepEqual(lines(diffLines("a\nx\ny\nb", "c\nx\ny\nd")), ["-1 a", "+1 c", " 2 x", " 3 y", "-4 b", "+4 d"]);
});
