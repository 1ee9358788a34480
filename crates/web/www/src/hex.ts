// Bytes as rows of hexadecimal numbers, and the differences of two binary files.

export interface HexRow {
  offset: number;
  /** Two digits each. */
  cells: string[];
  /** The printable ASCII characters, others as `.`. */
  text: string;
  /** The index of the marked byte in this row, or -1. */
  marked: number;
}

export const ROW = 16;
const ROWS = 8;

/** Returns the range of bytes to show around an offset: whole rows, the marked one in the middle where possible. */
export function windowAround(offset: number, size: number): [start: number, end: number] {
  const last = Math.max(0, Math.ceil(size / ROW) - ROWS);
  const first = Math.min(last, Math.max(0, Math.floor(offset / ROW) - ROWS / 2));
  return [first * ROW, Math.min(size, (first + ROWS) * ROW)];
}

/** Splits bytes that begin at `start` into rows and marks a byte. A mark at the end of the bytes gets `--`. */
export function hexRows(bytes: Uint8Array, start: number, mark: number): HexRow[] {
  const rows: HexRow[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += ROW) {
    const part = [...bytes.subarray(at, at + ROW)];
    rows.push({
      offset: start + at,
      cells: part.map(hex),
      text: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join(""),
      marked: mark >= start + at && mark < start + at + part.length ? mark - start - at : -1,
    });
  }
  const end = start + bytes.length;
  const last = rows.at(-1);
  if (mark === end && last) {
    if (last.cells.length < ROW) {
      last.marked = last.cells.length;
      last.cells.push("--");
    } else {
      rows.push({ offset: end, cells: ["--"], text: "", marked: 0 });
    }
  }
  return rows;
}

export function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/** A changed range: the bytes before and after, at most 64 of each, and how many there are. */
export interface ByteChange {
  offset: number;
  before: Uint8Array;
  after: Uint8Array;
  beforeLength: number;
  afterLength: number;
}

/** Changes that are closer than this are shown as one. */
const GAP = 8;
const SHOWN = 64;

/** Lists the ranges that differ. Files of different lengths differ in one range between their equal ends. */
export function changedRanges(
  before: Uint8Array,
  after: Uint8Array,
  limit = 100,
): { changes: ByteChange[]; more: boolean } {
  const change = (offset: number, oldEnd: number, newEnd: number): ByteChange => ({
    offset,
    before: before.slice(offset, Math.min(oldEnd, offset + SHOWN)),
    after: after.slice(offset, Math.min(newEnd, offset + SHOWN)),
    beforeLength: oldEnd - offset,
    afterLength: newEnd - offset,
  });
  if (before.length !== after.length) {
    const shorter = Math.min(before.length, after.length);
    let [head, tail] = [0, 0];
    while (head < shorter && before[head] === after[head]) head += 1;
    while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
    return { changes: [change(head, before.length - tail, after.length - tail)], more: false };
  }
  const changes: ByteChange[] = [];
  for (let at = 0; at < before.length; at += 1) {
    if (before[at] === after[at]) continue;
    if (changes.length === limit) return { changes, more: true };
    let end = at + 1;
    for (let next = end; next < before.length && next < end + GAP; next += 1) {
      if (before[next] !== after[next]) end = next + 1;
    }
    changes.push(change(at, end, end));
    at = end;
  }
  return { changes, more: false };
}
