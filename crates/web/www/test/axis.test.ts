import assert from "node:assert/strict";
import { test } from "node:test";
import type { Panel } from "inbetween";
import { eulerDegrees, pan, panelAt, pixelAt, timeAt, zoom } from "../src/axis.ts";

const panel: Panel = {
  clip: 0,
  node: "hips",
  property: "Position",
  tracks: [0],
  left: 100,
  top: 50,
  width: 400,
  height: 80,
  start: 1,
  end: 3,
};
const full = { start: 0, end: 10 };

test("pixels and times correspond", () => {
  assert.equal(timeAt(panel, 100), 1);
  assert.equal(timeAt(panel, 300), 2);
  assert.equal(pixelAt(panel, 2), 300);
  assert.equal(pixelAt({ ...panel, end: 1 }, 1), 100);
});

test("zooming keeps the time below the pointer", () => {
  assert.deepEqual(zoom(full, 4, 0.5, full), { start: 2, end: 7 });
  assert.deepEqual(zoom({ start: 2, end: 7 }, 4, 2, full), full);
});

test("zooming has a deepest range", () => {
  const { start, end } = zoom(full, 5, 1e-12, full);
  assert.ok(end - start > 9e-6);
});

test("panning stops at the ends", () => {
  assert.deepEqual(pan({ start: 2, end: 7 }, 1, full), { start: 3, end: 8 });
  assert.deepEqual(pan({ start: 2, end: 7 }, 100, full), { start: 5, end: 10 });
  assert.deepEqual(pan({ start: 2, end: 7 }, -100, full), { start: 0, end: 5 });
});

test("a clip without length stays as it is", () => {
  const none = { start: 0, end: 0 };
  assert.deepEqual(zoom(none, 0, 0.5, none), none);
  assert.deepEqual(pan(none, 1, none), none);
});

test("panels are found with a margin at the sides", () => {
  assert.equal(panelAt([panel], 95, 60), 0);
  assert.equal(panelAt([panel], 80, 60), -1);
  assert.equal(panelAt([panel], 200, 140), -1);
});

test("quaternions become degrees about z, then y, then x", () => {
  const near = (actual: number[], expected: number[]): void =>
    actual.forEach((value, axis) => {
      assert.ok(Math.abs(value - (expected[axis] ?? 0)) < 1e-9, `${actual} instead of ${expected}`);
    });
  near(eulerDegrees([0, 0, Math.SQRT1_2, Math.SQRT1_2]), [0, 0, 90]);
  near(eulerDegrees([Math.sin(0.1), 0, 0, Math.cos(0.1)]), [(0.2 * 180) / Math.PI, 0, 0]);
  near(eulerDegrees([0, Math.sin(0.2), 0, Math.cos(0.2)]), [0, (0.4 * 180) / Math.PI, 0]);
});
