import assert from "node:assert/strict";
import { test } from "node:test";
import { changedRanges, hexRows, windowAround } from "../src/hex.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

test("the window has eight rows around the offset", () => {
  assert.deepEqual(windowAround(0x105, 10_000), [0xc0, 0x140]);
  assert.deepEqual(windowAround(3, 10_000), [0, 128]);
  assert.deepEqual(windowAround(999, 1000), [0x370, 1000]);
  assert.deepEqual(windowAround(5, 20), [0, 20]);
});

test("rows have offsets, digits, text and the mark", () => {
  const rows = hexRows(bytes(...Array.from({ length: 18 }, (_, index) => index + 0x41)), 0x20, 0x31);
  assert.equal(rows.length, 2);
  assert.equal(rows[0]?.text, "ABCDEFGHIJKLMNOP");
  assert.deepEqual([rows[0]?.offset, rows[0]?.marked], [0x20, -1]);
  assert.deepEqual([rows[1]?.offset, rows[1]?.marked, rows[1]?.cells], [0x30, 1, ["51", "52"]]);
});

test("bytes that are not printable become dots", () => {
  assert.equal(hexRows(bytes(0, 0x1f, 0x20, 0x7e, 0x7f, 0xff), 0, 0)[0]?.text, ".. ~..");
});

test("the end of the file can be marked", () => {
  assert.deepEqual(hexRows(bytes(1, 2), 0, 2)[0]?.cells, ["01", "02", "--"]);
  const full = hexRows(new Uint8Array(16), 0, 16);
  assert.deepEqual([full.length, full[1]?.offset, full[1]?.marked], [2, 16, 0]);
  assert.deepEqual(hexRows(bytes(), 0, 0)[0]?.cells, ["--"]);
});

test("changes of equal lengths are ranges", () => {
  const before = new Uint8Array(100);
  const after = before.slice();
  [after[3], after[5], after[60]] = [1, 1, 1];
  const { changes, more } = changedRanges(before, after);
  assert.deepEqual(
    changes.map(({ offset, beforeLength }) => [offset, beforeLength]),
    [
      [3, 3],
      [60, 1],
    ],
  );
  assert.equal(more, false);
  assert.equal(changedRanges(before, after, 1).more, true);
});

test("changes of other lengths are one range between the equal ends", () => {
  const { changes } = changedRanges(bytes(1, 2, 3, 4), bytes(1, 9, 9, 9, 4));
  assert.deepEqual(
    changes.map(({ offset, beforeLength, afterLength }) => [offset, beforeLength, afterLength]),
    [[1, 2, 3]],
  );
  assert.deepEqual(
    changedRanges(bytes(1, 2), bytes(1, 2, 3)).changes.map(({ offset, afterLength }) => [offset, afterLength]),
    [[2, 1]],
  );
  assert.deepEqual(
    changedRanges(bytes(1, 1), bytes(1, 1, 1)).changes.map(({ beforeLength, afterLength }) => [
      beforeLength,
      afterLength,
    ]),
    [[0, 1]],
  );
});
