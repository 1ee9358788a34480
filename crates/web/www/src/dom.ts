// Small helpers that build elements. Text always becomes a text node, so names from files cannot become markup.

type Child = Node | string | null | undefined | false;

type Properties = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** Creates an element. `on...` properties are listeners, `true` is an empty attribute, `false` and `undefined` none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") created.addEventListener(name.slice(2), value as unknown as EventListener);
    else if (value !== undefined && value !== false) created.setAttribute(name, value === true ? "" : String(value));
  }
  created.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return created;
}

/** Returns the element of index.html with an id. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no element #${id}`);
  return found;
}

let ids = 0;

/** Returns a form field with its label and, below it, its help. */
export function field(label: string, control: HTMLElement, help = ""): HTMLElement {
  ids += 1;
  control.id = `field-${ids}`;
  const note = help === "" ? null : h("small", { id: `field-${ids}-help` }, help);
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, note);
}

export function select(
  options: { value: string; text: string }[],
  chosen = "",
  onchange?: (value: string) => void,
): HTMLSelectElement {
  const created = h(
    "select",
    {},
    options.map(({ value, text }) => h("option", { value }, text)),
  );
  if (chosen !== "") created.value = chosen;
  if (onchange) created.addEventListener("change", () => onchange(created.value));
  return created;
}

export function button(text: string, onclick: () => void, properties: Properties = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick, ...properties }, text);
}

/** Returns a check box inside its label. */
export function checkbox(text: string, checked: boolean, onchange: (checked: boolean) => void): HTMLLabelElement {
  const box = h("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return h("label", { class: "check" }, box, h("span", {}, text));
}

/** The longest part of a list that is shown at once. */
const CUT = 500;

/** Fills a list or table body with at most 500 items; returns a button that shows the others. */
export function fill<T>(
  parent: HTMLElement,
  items: T[],
  render: (item: T, index: number) => HTMLElement,
): HTMLElement | null {
  parent.replaceChildren(...items.slice(0, CUT).map(render));
  if (items.length <= CUT) return null;
  const all = button(`Show all ${items.length.toLocaleString("en-US")}`, () => {
    parent.append(...items.slice(CUT).map((item, index) => render(item, index + CUT)));
    all.remove();
  });
  return all;
}

/** Saves bytes or a text as a file of the user. */
export function download(content: Uint8Array | string, name: string): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type: "application/octet-stream" }));
  const link = h("a", { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers read the blob after the click returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
