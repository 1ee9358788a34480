// The line of a text around a byte, with the column of that byte.

/** As much of the line is shown before and after the place. */
const REACH = 60;

/** The bytes to read around an offset: enough for `REACH` characters of four bytes on each side. */
export function snippetRange(offset: number, size: number): [start: number, end: number] {
  return [Math.max(0, offset - 4 * REACH), Math.min(size, offset + 4 * REACH)];
}

/** Returns the line around `at`, an index in `bytes`, and the number of characters before the place. */
export function snippetAt(bytes: Uint8Array, at: number): { text: string; column: number } {
  // A cut character at either end becomes U+FFFD; it is removed with the characters beyond the reach.
  const decoder = new TextDecoder();
  const before =
    decoder
      .decode(bytes.subarray(0, at))
      .split(/\r\n|\r|\n/)
      .at(-1) ?? "";
  const after = decoder.decode(bytes.subarray(at)).split(/\r\n|\r|\n/, 1)[0] ?? "";
  const head = [...before].slice(-REACH);
  return { text: head.join("") + [...after].slice(0, REACH).join(""), column: head.length };
}
