// Compares two texts line by line, for showing what a fix changes.

export interface DiffLine {
  kind: "same" | "removed" | "added";
  /** The number of the line in its text, from 1. */
  line: number;
  text: string;
}

export interface LineDiff {
  /** Runs of changed lines with the lines around them. */
  hunks: DiffLine[][];
  /** Whether more lines are changed than shown. */
  more: boolean;
}

/** Unchanged lines shown around changes. */
const CONTEXT = 2;
/** How far to look for the place where both texts continue alike. */
const REACH = 100;
/** Longer lines are cut. Exporters often write a whole file as one line. */
const WIDTH = 160;

/** Lines `i` to `i + removed` became lines `j` to `j + added`. */
interface Run {
  i: number;
  j: number;
  removed: number;
  added: number;
}

/**
 * Lists the changed lines, at most `limit` of them.
 *
 * At a difference it takes the nearest place where two lines in a row are equal again. This is not always the smallest
 * difference, but it needs no memory and its work is bounded by `limit`.
 */
export function diffLines(before: string, after: string, limit = 200): LineDiff {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const runs: Run[] = [];
  let [i, j, changed] = [0, 0, 0];
  while ((i < old.length || j < now.length) && changed < limit) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i += 1;
      j += 1;
      continue;
    }
    const [skipOld, skipNow] = resume(old, now, i, j);
    const removed = Math.min(skipOld, limit - changed);
    const added = Math.min(skipNow, limit - changed - removed);
    runs.push({ i, j, removed, added });
    changed += removed + added;
    i += removed;
    j += added;
  }
  const more = old.length - i !== now.length - j || old.slice(i).some((line, index) => line !== now[j + index]);
  return { hunks: hunks(old, now, runs), more };
}

/** Returns how many lines of each text to skip until both continue alike. */
function resume(old: string[], now: string[], i: number, j: number): [number, number] {
  // After the last lines both are undefined, which is equal too.
  const equal = (a: number, b: number): boolean => old[a] === now[b];
  for (let distance = 1; distance <= 2 * REACH; distance += 1) {
    for (let a = Math.max(0, distance - REACH); a <= Math.min(distance, REACH); a += 1) {
      const b = distance - a;
      if (i + a > old.length || j + b > now.length) continue;
      if (equal(i + a, j + b) && equal(i + a + 1, j + b + 1)) return [a, b];
    }
  }
  return [old.length - i, now.length - j];
}

/** Groups runs with the unchanged lines around them. */
function hunks(old: string[], now: string[], runs: Run[]): DiffLine[][] {
  const result: DiffLine[][] = [];
  const same = (from: number, to: number): void => {
    for (let i = Math.max(0, from); i < Math.min(to, old.length); i += 1) {
      result.at(-1)?.push({ kind: "same", line: i + 1, text: cut(old[i] ?? "", 0) });
    }
  };
  for (const [index, { i, j, removed, added }] of runs.entries()) {
    const previous = runs[index - 1];
    const end = previous ? previous.i + previous.removed : 0;
    if (previous && i - end <= 2 * CONTEXT) {
      same(end, i);
    } else {
      if (previous) same(end, end + CONTEXT);
      result.push([]);
      same(i - CONTEXT, i);
    }
    const from = (line: number): number => firstShown(old[i + line] ?? "", now[j + line] ?? "");
    for (let line = 0; line < removed; line += 1) {
      result.at(-1)?.push({ kind: "removed", line: i + line + 1, text: cut(old[i + line] ?? "", from(line)) });
    }
    for (let line = 0; line < added; line += 1) {
      result.at(-1)?.push({ kind: "added", line: j + line + 1, text: cut(now[j + line] ?? "", from(line)) });
    }
  }
  const last = runs.at(-1);
  if (last) same(last.i + last.removed, last.i + last.removed + CONTEXT);
  return result;
}

/** Returns where the shown part of two long lines begins, so that their first difference is in it. */
function firstShown(a: string, b: string): number {
  let equal = 0;
  while (equal < a.length && a[equal] === b[equal]) equal += 1;
  return equal < WIDTH - 40 ? 0 : equal - 40;
}

function cut(text: string, from: number): string {
  const part = text.replace(/\r$/, "").slice(from, from + WIDTH);
  return (from > 0 ? "…" : "") + part + (from + WIDTH < text.length ? "…" : "");
}
