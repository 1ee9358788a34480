// Inserts pictures of the library. They hold names from files, escaped; everything but plain drawing is removed anyway.

const ELEMENTS = new Set(["svg", "g", "path", "rect", "text", "tspan", "title", "clipPath", "line", "circle", "defs"]);
const NAMESPACE = "http://www.w3.org/2000/svg";

export function parseSvg(text: string): SVGSVGElement {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg" || root.namespaceURI !== NAMESPACE) throw new Error("The picture is not valid SVG.");
  for (const element of [...root.querySelectorAll("*")]) {
    if (element.namespaceURI !== NAMESPACE || !ELEMENTS.has(element.localName)) element.remove();
  }
  for (const element of [root, ...root.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) {
      if (/^on|^style$|href$/i.test(name)) element.removeAttribute(name);
    }
  }
  return document.importNode(root, true) as unknown as SVGSVGElement;
}

/** Creates an element of a picture. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[K] {
  const created = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value));
  return created;
}
