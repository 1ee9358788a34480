// The picture of the tab "Curves": crosshair with values, pan and zoom by pointer, wheel and keys.

import type { Panel, Picture } from "inbetween";
import { pan, panelAt, pixelAt, timeAt, zoom, type Range } from "./axis.ts";
import { h } from "./dom.ts";
import { parseSvg, s } from "./svg.ts";

export interface PlotEvents {
  /** The visible range changed; the picture should be drawn again. */
  moved(view: Range): void;
  /** Returns the values of a panel at a time as text. */
  values(panel: Panel, time: number): Promise<string>;
}

const ZOOM = 1.25;

export class Plot {
  readonly element: HTMLElement;
  readonly #events: PlotEvents;
  readonly #picture = h("div", { class: "picture" });
  readonly #overlay = s("svg", { class: "overlay", "aria-hidden": "true" });
  readonly #readout = h("output", { class: "readout", "aria-live": "polite" });
  #panels: Panel[] = [];
  #view: Range = { start: 0, end: 0 };
  #full: Range | null = null;
  /** The panel and time of the crosshair. */
  #at: { panel: number; time: number } | null = null;
  /** Whether values are being fetched; the crosshair may have moved on when they arrive. */
  #fetching = false;

  constructor(events: PlotEvents) {
    this.#events = events;
    const label =
      "Curves. Left and right move in time, plus and minus zoom, 0 shows everything, " +
      "up and down choose the property, Shift with left and right moves the time that is read.";
    const frame = h(
      "div",
      { class: "plot", tabindex: 0, role: "group", "aria-label": label },
      this.#picture,
      this.#overlay,
    );
    this.element = h("div", {}, h("div", { class: "readout-line" }, this.#readout), frame);
    frame.addEventListener("keydown", (event) => this.#key(event));
    frame.addEventListener("focus", () => this.#focus());
    frame.addEventListener("pointermove", (event) => this.#hover(event));
    frame.addEventListener("pointerdown", (event) => {
      this.#hover(event);
      // A finger scrolls the picture, which is wider than a phone; the buttons move in time.
      if (event.pointerType !== "touch") this.#drag(event);
    });
    // Not passive, because the page must not scroll while the curves zoom.
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  show(picture: Picture): void {
    const drawing = parseSvg(picture.svg);
    drawing.setAttribute("aria-hidden", "true");
    const viewBox = drawing.getAttribute("viewBox") ?? "0 0 0 0";
    drawing.removeAttribute("width");
    drawing.removeAttribute("height");
    this.#overlay.setAttribute("viewBox", viewBox);
    this.#picture.replaceChildren(drawing);
    this.#panels = picture.panels;
    const [first] = picture.panels;
    if (first) this.#view = { start: first.start, end: first.end };
    this.#full ??= first ? { ...this.#view } : null;
    if (this.#at && this.#at.panel >= this.#panels.length) this.#at = null;
    this.#cross();
  }

  /** Forgets the whole range, because another clip is shown. */
  reset(): void {
    this.#full = null;
    this.#at = null;
  }

  zoomBy(factor: number, at = (this.#view.start + this.#view.end) / 2): void {
    if (this.#full) this.#move(zoom(this.#view, at, factor, this.#full));
  }

  panBy(share: number): void {
    if (this.#full) this.#move(pan(this.#view, share * (this.#view.end - this.#view.start), this.#full));
  }

  showAll(): void {
    if (this.#full) this.#move({ ...this.#full });
  }

  #move(view: Range): void {
    this.#view = view;
    this.#events.moved(view);
  }

  /** Returns the place of a pointer in the coordinates of the picture. */
  #point(event: MouseEvent): DOMPoint {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#overlay.getScreenCTM()?.inverse());
  }

  #hover(event: PointerEvent): void {
    const { x, y } = this.#point(event);
    const index = panelAt(this.#panels, x, y);
    const panel = this.#panels[index];
    if (!panel) return;
    this.#at = { panel: index, time: Math.min(panel.end, Math.max(panel.start, timeAt(panel, x))) };
    this.#cross();
  }

  #focus(): void {
    const [panel] = this.#panels;
    this.#at ??= panel ? { panel: 0, time: (panel.start + panel.end) / 2 } : null;
    this.#cross();
  }

  #drag(down: PointerEvent): void {
    const from = this.#point(down);
    const panel = this.#panels[panelAt(this.#panels, from.x, from.y)];
    if (!panel || !this.#full || down.button !== 0) return;
    const [frame, full, view] = [down.currentTarget as HTMLElement, this.#full, { ...this.#view }];
    const perPixel = (panel.end - panel.start) / panel.width;
    const drag = new AbortController();
    frame.setPointerCapture(down.pointerId);
    frame.addEventListener(
      "pointermove",
      (event) => {
        const by = (from.x - this.#point(event).x) * perPixel;
        if (Math.abs(by) > 2 * perPixel) this.#move(pan(view, by, full));
      },
      { signal: drag.signal },
    );
    for (const end of ["pointerup", "pointercancel"])
      frame.addEventListener(end, () => drag.abort(), { signal: drag.signal });
  }

  /** Over a panel the wheel zooms, or moves with Shift; beside it the page scrolls. */
  #wheel(event: WheelEvent): void {
    const { x, y } = this.#point(event);
    const panel = this.#panels[panelAt(this.#panels, x, y)];
    if (!panel) return;
    event.preventDefault();
    const steps = (event.deltaY || event.deltaX) / (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 100 : 3);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.panBy(0.1 * steps);
    else this.zoomBy(ZOOM ** steps, timeAt({ ...panel, ...this.#view }, x));
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = event.key === "ArrowLeft" ? -1 : 1;
    switch (event.key) {
      case "+":
      case "=":
        this.zoomBy(1 / ZOOM);
        break;
      case "-":
        this.zoomBy(ZOOM);
        break;
      case "0":
        this.showAll();
        break;
      case "ArrowLeft":
      case "ArrowRight":
        if (event.shiftKey) this.#step(direction);
        else this.panBy(0.1 * direction);
        break;
      case "ArrowUp":
      case "ArrowDown":
        this.#choose(event.key === "ArrowUp" ? -1 : 1);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  /** Moves the crosshair by a hundredth of the visible range. */
  #step(direction: number): void {
    if (!this.#at) return;
    const { start, end } = this.#view;
    this.#at.time = Math.min(end, Math.max(start, this.#at.time + (direction * (end - start)) / 100));
    this.#cross();
  }

  #choose(by: number): void {
    if (!this.#at) return;
    this.#at.panel = Math.min(this.#panels.length - 1, Math.max(0, this.#at.panel + by));
    this.#cross();
  }

  #cross(): void {
    const at = this.#at;
    const lines = at
      ? this.#panels.map((panel, index) => {
          const x = pixelAt(panel, at.time);
          const visible = at.time >= panel.start && at.time <= panel.end;
          return s("line", {
            x1: x,
            x2: x,
            y1: panel.top,
            y2: panel.top + panel.height,
            class: index === at.panel ? "chosen" : "",
            visibility: visible ? "visible" : "hidden",
          });
        })
      : [];
    this.#overlay.replaceChildren(...lines);
    if (at && !this.#fetching) void this.#read();
  }

  /** Shows the values at the crosshair; repeats if it moved while they were fetched. */
  async #read(): Promise<void> {
    this.#fetching = true;
    try {
      for (let read = ""; this.#at;) {
        const { panel: index, time } = this.#at;
        const panel = this.#panels[index];
        const now = `${index} ${time} ${panel?.node}/${panel?.property}`;
        if (!panel || now === read) break;
        this.#readout.textContent = await this.#events.values(panel, time);
        read = now;
      }
    } catch {
      // The worker was replaced; the next move of the crosshair asks again.
    } finally {
      this.#fetching = false;
    }
  }
}
