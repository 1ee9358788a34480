// The tabs of an open file: a tablist with arrow keys, whose panels are drawn when they are shown.

import { h } from "./dom.ts";

export interface Tab {
  id: string;
  title: string;
  /** Draws the panel; the signal is aborted before it is drawn again or hidden for another version. */
  show(panel: HTMLElement, signal: AbortSignal): void;
}

export class Tabs {
  readonly element: HTMLElement;
  readonly #tabs: (Tab & { button: HTMLButtonElement; panel: HTMLElement; drawn: AbortController | null })[];
  #selected = 0;

  constructor(tabs: Tab[]) {
    this.#tabs = tabs.map((tab, index) => ({
      ...tab,
      button: h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${tab.id}`,
          "aria-controls": `panel-${tab.id}`,
          onclick: () => this.select(tab.id),
          onkeydown: (event: KeyboardEvent) => this.#key(event, index),
        },
        tab.title,
      ),
      panel: h("div", { role: "tabpanel", id: `panel-${tab.id}`, "aria-labelledby": `tab-${tab.id}`, tabindex: -1 }),
      drawn: null,
    }));
    this.element = h(
      "div",
      { class: "tabs" },
      h(
        "div",
        { role: "tablist", "aria-label": "File" },
        this.#tabs.map(({ button }) => button),
      ),
      this.#tabs.map(({ panel }) => panel),
    );
    this.#update();
  }

  get selected(): string {
    return this.#tabs[this.#selected]?.id ?? "";
  }

  select(id: string): void {
    const index = this.#tabs.findIndex((tab) => tab.id === id);
    if (index >= 0) this.#selected = index;
    this.#update();
  }

  /** Sets the count behind a title; an empty text removes it. */
  badge(id: string, text: string, kind = ""): void {
    const tab = this.#tabs.find((each) => each.id === id);
    tab?.button.replaceChildren(tab.title, ...(text === "" ? [] : [" ", h("span", { class: `count ${kind}` }, text)]));
  }

  /** Draws tabs again: at once the shown one, the others when they are selected. */
  invalidate(...ids: string[]): void {
    const focused = this.#tabs.find(({ panel }) => panel.contains(document.activeElement));
    for (const tab of this.#tabs) {
      if (ids.includes(tab.id)) this.#clear(tab);
    }
    this.#update();
    // The element that had the focus was replaced: the next Tab continues in the panel.
    if (focused && document.activeElement === document.body) focused.panel.focus({ preventScroll: true });
  }

  /** Ends the work of all tabs. */
  close(): void {
    for (const tab of this.#tabs) this.#clear(tab);
  }

  #clear(tab: { drawn: AbortController | null; panel: HTMLElement }): void {
    tab.drawn?.abort();
    tab.drawn = null;
    tab.panel.replaceChildren();
  }

  #key(event: KeyboardEvent, index: number): void {
    const last = this.#tabs.length - 1;
    const targets: Record<string, number> = {
      ArrowLeft: index === 0 ? last : index - 1,
      ArrowRight: index === last ? 0 : index + 1,
      Home: 0,
      End: last,
    };
    const target = this.#tabs[targets[event.key] ?? -1];
    if (!target) return;
    event.preventDefault();
    this.select(target.id);
    target.button.focus();
  }

  #update(): void {
    for (const [index, tab] of this.#tabs.entries()) {
      const selected = index === this.#selected;
      tab.button.setAttribute("aria-selected", String(selected));
      tab.button.tabIndex = selected ? 0 : -1;
      tab.panel.hidden = !selected;
      // The player must not run unseen.
      if (!selected && tab.id === "player") this.#clear(tab);
      if (selected && !tab.drawn) {
        tab.drawn = new AbortController();
        tab.show(tab.panel, tab.drawn.signal);
      }
    }
  }
}
