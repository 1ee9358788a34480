// Lists of findings grouped by code, losses first.

import type { Finding } from "inbetween";
import { h } from "./dom.ts";
import { where } from "./failure.ts";

/** The findings of a group that are listed. */
const LISTED = 20;

export function findingGroups(findings: Finding[]): HTMLElement {
  const groups = new Map<string, Finding[]>();
  for (const finding of [...findings].sort((a, b) => Number(b.loss) - Number(a.loss))) {
    groups.set(finding.code, [...(groups.get(finding.code) ?? []), finding]);
  }
  return h(
    "ol",
    { class: "problems" },
    [...groups].map(([code, group]) => groupView(code, group)),
  );
}

function groupView(code: string, group: Finding[]): HTMLElement | null {
  const [first] = group;
  if (!first) return null;
  const total = group.reduce((sum, finding) => sum + finding.count, 0);
  const times = total > 1 ? ` (${total.toLocaleString("en-US")} times)` : "";
  const others = group.slice(1, LISTED);
  return h(
    "li",
    { class: `problem ${first.loss ? "loss" : first.severity}` },
    h(
      "p",
      { class: "message" },
      h("span", { class: "badge" }, first.loss ? "loss" : first.severity === "info" ? "note" : first.severity),
      h("span", {}, first.message + times),
    ),
    where(first.path, first.position, code),
    // Losses are explained at once; for notes the message is enough for most readers.
    first.help !== "" &&
      (first.loss
        ? h("p", { class: "help" }, first.help)
        : h("details", {}, h("summary", {}, "What this means"), h("p", { class: "help" }, first.help))),
    others.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, `${(group.length - 1).toLocaleString("en-US")} more`),
        others.map((finding) =>
          h("div", {}, h("p", { class: "help" }, finding.message), where(finding.path, finding.position, code)),
        ),
        group.length > LISTED && h("p", { class: "note" }, `Only the first ${LISTED} are listed.`),
      ),
  );
}
