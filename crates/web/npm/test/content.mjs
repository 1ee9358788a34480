/** Compares documents by what they contain, where bytes may differ in the last bit of a number. */

import assert from "node:assert/strict";

/** Fails if two documents differ by more than the last bit of a number. */
export function assertSameContent(got, expected, { names }) {
  const outline = (document) =>
    document.clips.map(({ name, duration, first_key, stated_duration, ...clip }) => (names ? { name, ...clip } : clip));
  assert.deepEqual(outline(got), outline(expected));
  for (const [index, clip] of expected.clips.entries()) {
    assert.ok(isNear(got.clips[index].duration, clip.duration), "durations");
    for (const [track, { kind, keys }] of clip.tracks.entries()) {
      // Texts are in the bytes alone.
      if (kind === "string" || keys === 0) continue;
      const [mine, theirs] = [got.keys(index, track), expected.keys(index, track)];
      assert.ok(mine.times.every((time, key) => isNear(time, theirs.times[key])), "times");
      const single = mine.values instanceof Float32Array;
      assert.equal(mine.values.length, theirs.values.length);
      const wrong = mine.values.findIndex((value, at) => !isNear(value, theirs.values[at], single));
      assert.equal(wrong, -1, `value ${wrong}: ${mine.values[wrong]} instead of ${theirs.values[wrong]}`);
    }
  }
}

/**
 * Returns whether two numbers differ by at most one unit in the last place, of an `f32` if `single`, else of an `f64`.
 * Sines that are nearly 0 differ by a unit of 1.
 */
export function isNear(a, b, single = false) {
  if (Object.is(a, b) || a === b) return true;
  const unit = 2 ** (Math.floor(Math.log2(Math.max(Math.abs(a), Math.abs(b)))) - (single ? 23 : 52));
  return Math.abs(a - b) <= Math.max(unit, 2 ** -52);
}
