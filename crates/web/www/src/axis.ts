// The time axis of the curves: the visible range, and how pixels and times correspond.

import type { Panel } from "inbetween";

export interface Range {
  start: number;
  end: number;
}

/** The smallest visible part of the whole range. */
const DEEPEST = 1e-6;

/** Scales the visible range around a time; a factor below 1 zooms in. The result stays within `full`. */
export function zoom(view: Range, at: number, factor: number, full: Range): Range {
  const whole = full.end - full.start;
  const length = Math.min(whole, Math.max(whole * DEEPEST, (view.end - view.start) * factor));
  const share = (at - view.start) / (view.end - view.start || 1);
  const start = at - share * length;
  return within({ start, end: start + length }, full);
}

/** Moves the visible range by seconds, up to the ends of `full`. */
export function pan(view: Range, by: number, full: Range): Range {
  return within({ start: view.start + by, end: view.end + by }, full);
}

function within(view: Range, full: Range): Range {
  const length = view.end - view.start;
  if (length >= full.end - full.start) return { ...full };
  const start = Math.min(Math.max(view.start, full.start), full.end - length);
  return { start, end: start + length };
}

/** Returns the time at a pixel of the picture. */
export function timeAt(panel: Panel, x: number): number {
  return panel.start + ((x - panel.left) / panel.width) * (panel.end - panel.start);
}

/** Returns the pixel of the picture at a time. */
export function pixelAt(panel: Panel, time: number): number {
  const length = panel.end - panel.start;
  return panel.left + (length === 0 ? 0 : ((time - panel.start) / length) * panel.width);
}

/** Returns the index of the panel at a pixel, or -1. The pixels beside the axis belong to it, for keys at its ends. */
export function panelAt(panels: Panel[], x: number, y: number): number {
  return panels.findIndex((panel) => {
    return x >= panel.left - 8 && x <= panel.left + panel.width + 8 && y >= panel.top && y <= panel.top + panel.height;
  });
}

/** Returns the Euler angles of a quaternion in degrees, as the plots draw them: rotations about z, then y, then x. */
export function eulerDegrees([x = 0, y = 0, z = 0, w = 1]: number[]): [number, number, number] {
  const degrees = 180 / Math.PI;
  const sine = Math.min(1, Math.max(-1, 2 * (w * y - z * x)));
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * degrees,
    Math.asin(sine) * degrees,
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * degrees,
  ];
}
