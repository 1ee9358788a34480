// Fixing the file: shows what a fix changes before it is downloaded.

import { button, download, h } from "./dom.ts";
import { attempt } from "./failure.ts";
import { hex } from "./hex.ts";
import { downloadName, extension } from "./names.ts";
import { count } from "./numbers.ts";
import type { Answer, Changes } from "./protocol.ts";
import type { Context } from "./state.ts";

export function fixing(context: Context, fixable: number): HTMLElement {
  const result = h("div", { class: "fix-result" });
  const run = async (): Promise<void> => {
    const { file } = context.session.source;
    const fixed = await attempt(
      result,
      file,
      () => context.client.request("fix", null),
      () => void run(),
    );
    if (fixed && !context.signal.aborted) result.replaceChildren(fixedView(fixed, file));
  };
  return h(
    "section",
    { class: "fixing", "aria-label": "Fix" },
    button(fixable === 1 ? "Fix 1 problem…" : `Fix ${fixable} problems…`, () => void run(), { class: "primary" }),
    result,
  );
}

function fixedView(fixed: Answer<"fix">, file: File): HTMLElement {
  const name = downloadName(file.name, `fixed.${extension(file.name) || "bin"}`);
  const left = fixed.findings.length;
  return h(
    "div",
    {},
    h(
      "p",
      {},
      `${count(fixed.edits, "change")}. `,
      left === 0
        ? "The fixed file has no problems."
        : `${count(left, "problem")} ${left === 1 ? "remains" : "remain"} in the fixed file.`,
    ),
    changesView(fixed.changes),
    button(`Download ${name}`, () => download(fixed.bytes, name), { class: "primary" }),
  );
}

function changesView(changes: Changes): HTMLElement {
  if (changes.form === "bytes") {
    return h(
      "div",
      { class: "changes" },
      changes.changes.map((change) => {
        const row = (sign: string, kind: string, bytes: Uint8Array, length: number): HTMLElement =>
          h(
            "div",
            { class: kind },
            `${sign} ${[...bytes].map(hex).join(" ")}${length > bytes.length ? " …" : ""}`,
            length === 0 && h("span", { class: "dim" }, "no bytes"),
          );
        const sizes =
          change.beforeLength === change.afterLength
            ? count(change.beforeLength, "byte")
            : `${count(change.beforeLength, "byte")} become ${count(change.afterLength, "byte")}`;
        return h(
          "div",
          {},
          h("p", { class: "where" }, `offset 0x${change.offset.toString(16)}, ${sizes}`),
          h(
            "pre",
            { class: "diff", tabindex: 0, "aria-label": "Bytes before and after" },
            row("-", "removed", change.before, change.beforeLength),
            row("+", "added", change.after, change.afterLength),
          ),
        );
      }),
      changes.more && h("p", { class: "note" }, "Only the first changes are shown."),
    );
  }
  const { hunks, more } = changes.diff;
  return h(
    "div",
    { class: "changes" },
    hunks.map((hunk) => {
      const sign = { same: " ", removed: "-", added: "+" };
      return h(
        "pre",
        { class: "diff", tabindex: 0, "aria-label": "Lines before and after" },
        hunk.map((line) =>
          h(
            "div",
            { class: line.kind },
            h("span", { class: "dim" }, String(line.line).padStart(5)),
            ` ${sign[line.kind]} ${line.text}`,
          ),
        ),
      );
    }),
    more && h("p", { class: "note" }, "More lines change than are shown."),
  );
}
