// Shows why something failed, and where in the file.

import { Canceled, Crashed, Refused } from "./client.ts";
import { button, h } from "./dom.ts";
import { hexRows, windowAround } from "./hex.ts";
import type { Position } from "inbetween";
import { place } from "./report.ts";
import { snippetAt, snippetRange } from "./snippet.ts";
import { shown } from "./names.ts";

/** Returns what a crash means for the user. */
export function sentence(error: unknown): string {
  if (error instanceof Crashed) {
    return error.message === "memory"
      ? "The browser has not enough memory for this. The file is unchanged, and the page goes on working."
      : "The library crashed on this. The page restarted it and goes on working. Please report the file.";
  }
  return error instanceof Error ? shown(error.message) : String(error);
}

/** Runs a request. If it fails, shows why in `target`, with the part of `file` around the place, and returns null. */
export async function attempt<T>(
  target: HTMLElement,
  file: File | null,
  request: () => Promise<T>,
  retry?: () => void,
): Promise<T | null> {
  try {
    return await request();
  } catch (error) {
    const again =
      retry && error instanceof Canceled
        ? button("Try again", () => {
            target.replaceChildren();
            retry();
          })
        : null;
    const parts: (HTMLElement | null)[] = [h("p", {}, sentence(error)), again];
    if (error instanceof Refused && file) {
      const { position, path, code } = error.failure;
      parts.push(where(path ?? "", position, code), position && excerpt(file, position, null));
    }
    target.replaceChildren(h("div", { class: "failure", role: "alert" }, parts));
    return null;
  }
}

/** Returns the line below a message: the place, the path and the code. */
export function where(path: string, position: Position | null, code: string): HTMLElement {
  return h(
    "p",
    { class: "where" },
    position && h("span", {}, place(position)),
    path !== "" && h("span", {}, shown(path)),
    h("code", {}, code),
  );
}

/** Returns the part of the file around a place: a line of text or rows of bytes, filled when they were read. */
export function excerpt(
  file: File,
  position: Position,
  snippet: { line: number; text: string; column: number } | null,
): HTMLElement {
  if (snippet) return snippetView(snippet);
  if (position.space === "decompressed") {
    return h(
      "p",
      { class: "note" },
      "The place is in the decompressed section, so the bytes of the file are not shown.",
    );
  }
  const box = h("div", { class: "excerpt" });
  const text = position.line !== undefined;
  const [start, end] = text ? snippetRange(position.offset, file.size) : windowAround(position.offset, file.size);
  const show = (bytes: Uint8Array): void => {
    if (text) box.append(snippetView({ line: position.line ?? 1, ...snippetAt(bytes, position.offset - start) }));
    else box.append(hexView(bytes, start, position.offset));
  };
  void file
    .slice(start, end)
    .arrayBuffer()
    .then(
      (buffer) => show(new Uint8Array(buffer)),
      () => box.remove(),
    );
  return box;
}

function snippetView({ line, text, column }: { line: number; text: string; column: number }): HTMLElement {
  const number = `${line} │ `;
  // Tabs stay tabs, so that the caret stands below its character.
  const indent = [...text]
    .slice(0, column)
    .map((character) => (character === "\t" ? "\t" : " "))
    .join("");
  return h(
    "pre",
    { class: "snippet", tabindex: 0, "aria-label": `Line ${line}` },
    h("span", { class: "dim" }, number),
    text,
    "\n",
    " ".repeat(number.length) + indent,
    h("span", { class: "caret", "aria-hidden": "true" }, "^"),
  );
}

export function hexView(bytes: Uint8Array, start: number, mark: number): HTMLElement {
  const rows = hexRows(bytes, start, mark).map(({ offset, cells, text, marked }) => {
    const shownCells = cells.flatMap((cell, index) => {
      const gap = index === 8 ? "  " : " ";
      return [gap, index === marked ? h("mark", {}, cell) : cell];
    });
    const missing = " ".repeat((16 - cells.length) * 3 + (cells.length <= 8 ? 1 : 0));
    return [
      h("span", { class: "dim" }, offset.toString(16).padStart(8, "0")),
      ...shownCells,
      `${missing}  `,
      h("span", { class: "ascii" }, text),
      "\n",
    ];
  });
  return h("pre", { class: "hex", tabindex: 0, "aria-label": "Bytes of the file" }, ...rows);
}
