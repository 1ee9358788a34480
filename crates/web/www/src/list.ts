// The list of several files, each with its status.

import { Canceled, type Client, Refused } from "./client.ts";
import { button, fill, h } from "./dom.ts";
import { sentence } from "./failure.ts";
import { type Found, LARGEST, sourceOf } from "./files.ts";
import { shown } from "./names.ts";
import { count, fileSize } from "./numbers.ts";

interface Row {
  found: Found;
  status: string;
  kind: "" | "fine" | "warning" | "error";
  /** The element that shows the status, once the row is shown. */
  element: HTMLElement | null;
  button: HTMLButtonElement | null;
}

export class FileList {
  readonly element: HTMLElement;
  readonly #client: Client;
  readonly #rows: Row[];
  readonly #summary = h("p", { class: "note", "aria-live": "polite" });
  #closed = false;

  constructor(client: Client, found: Found[], open: (found: Found) => void) {
    this.#client = client;
    this.#rows = found.map((each) => ({ found: each, status: "", kind: "", element: null, button: null }));
    const list = h("ul");
    const more = fill(list, this.#rows, (row) => {
      row.element = h("span", { class: `status ${row.kind}` }, row.status);
      row.button = button("", () => open(row.found));
      row.button.append(h("span", { class: "name", title: shown(row.found.path) }, shown(row.found.path)), row.element);
      return h("li", {}, row.button);
    });
    this.element = h(
      "nav",
      { class: "files", "aria-label": "Files" },
      h("h2", {}, count(found.length, "file")),
      this.#summary,
      list,
      more,
    );
  }

  /** Marks the file that is open. */
  mark(found: Found): void {
    for (const row of this.#rows) {
      if (row.found === found) row.button?.setAttribute("aria-current", "true");
      else row.button?.removeAttribute("aria-current");
    }
  }

  close(): void {
    this.#closed = true;
  }

  /** Checks the files one after the other, so that an opened file waits for at most one of them. */
  async check(all: Found[]): Promise<void> {
    const found = { fine: 0, warning: 0, error: 0 };
    for (const [index, row] of this.#rows.entries()) {
      if (this.#closed) return;
      this.#summary.textContent = `Checking ${index + 1} of ${this.#rows.length}…`;
      this.#set(row, "…", "");
      const [status, kind] = await this.#status(row.found, all);
      if (status === null) {
        for (const other of this.#rows.slice(index)) this.#set(other, "not checked", "");
        this.#summary.textContent = "The check was canceled.";
        return;
      }
      this.#set(row, status, kind);
      found[kind] += 1;
    }
    this.#summary.textContent = `${found.fine} fine, ${found.warning} with problems, ${found.error} not readable.`;
  }

  async #status(found: Found, all: Found[]): Promise<[string | null, "fine" | "warning" | "error"]> {
    if (found.file.size > LARGEST) return [`too large (${fileSize(found.file.size)})`, "error"];
    try {
      const { problems, worst } = await this.#client.request("status", sourceOf(found, all));
      if (problems === 0) return ["fine", "fine"];
      return [count(problems, "problem"), worst === "hint" || worst === "info" ? "fine" : "warning"];
    } catch (error) {
      if (error instanceof Canceled) return [null, "error"];
      return [error instanceof Refused ? "not readable" : sentence(error), "error"];
    }
  }

  #set(row: Row, status: string, kind: Row["kind"]): void {
    Object.assign(row, { status, kind });
    row.element?.replaceChildren(status);
    row.element?.setAttribute("class", `status ${kind}`);
  }
}
