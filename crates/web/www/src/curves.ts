// The tab "Curves": the choice of tracks, and the pages of curves.

import type { ClipOverview, Panel, PlotOptions } from "inbetween";
import { eulerDegrees, type Range } from "./axis.ts";
import { button, checkbox, field, fill, h, select } from "./dom.ts";
import { attempt } from "./failure.ts";
import { clipName, shown } from "./names.ts";
import { count, number } from "./numbers.ts";
import { exactPattern, matcher } from "./pattern.ts";
import { Plot } from "./plot.ts";
import type { Context } from "./state.ts";

/** A panel of curves: the tracks of one node and property. */
interface Choice {
  node: string | null;
  property: string | null;
  name: string;
  chosen: boolean;
}

export function showCurves(panel: HTMLElement, context: Context): void {
  const { client, session } = context;
  if (session.clips.length === 0) {
    panel.replaceChildren(h("p", {}, "There are no clips to draw."));
    return;
  }
  let [clip, page, degrees] = [0, 1, true];
  let view: Range | null = null;
  let choices = choicesOf(session.clips[0]);
  /** Whether a picture is being drawn, and whether another one is wanted after it. */
  let [drawing, again] = [false, false];

  const pages = h("div", { class: "buttons" });
  const status = h("p", { class: "note", "aria-live": "polite" });
  const failed = h("div");
  const plot = new Plot({
    moved: (range) => {
      view = range;
      draw();
    },
    values: (at, time) => values(context, at, time, degrees),
  });

  const draw = (): void => {
    again = true;
    if (!drawing) void drawAll();
  };
  const drawAll = async (): Promise<void> => {
    drawing = true;
    while (again && !context.signal.aborted) {
      again = false;
      const options: PlotOptions = { clip, page, degrees };
      if (choices.some((choice) => !choice.chosen)) {
        options.tracks = choices.filter((choice) => choice.chosen).map(exactPattern);
      }
      if (view) Object.assign(options, view);
      const picture = await attempt(failed, null, () => client.request("plot", options), draw);
      if (!picture) break;
      failed.replaceChildren();
      plot.show(picture);
      page = picture.page;
      pages.replaceChildren(
        ...pageButtons(picture.page, picture.pages, (next) => {
          page = next;
          draw();
        }),
      );
      status.textContent =
        picture.panels.length === 0
          ? "No chosen property moves."
          : picture.still > 0
            ? `${count(picture.still, "property", "properties")} at rest not drawn.`
            : "";
    }
    drawing = false;
  };

  const tracks = h("div", { class: "tracks" });
  const showTracks = (): void =>
    tracks.replaceChildren(
      trackList(choices, () => {
        page = 1;
        draw();
      }),
    );
  const clips = session.clips.map((each, index) => ({ value: String(index), text: clipName(each, index) }));
  const clipChoice = select(clips, "0", (value) => {
    [clip, page, view] = [Number(value), 1, null];
    choices = choicesOf(session.clips[clip]);
    plot.reset();
    showTracks();
    draw();
  });
  showTracks();
  panel.replaceChildren(
    h(
      "div",
      { class: "toolbar" },
      session.clips.length > 1 && field("Clip", clipChoice),
      checkbox("Rotations in degrees", degrees, (checked) => {
        degrees = checked;
        draw();
      }),
      h(
        "div",
        { class: "buttons", role: "group", "aria-label": "Time" },
        button("−", () => plot.zoomBy(1.5), { "aria-label": "Zoom out" }),
        button("+", () => plot.zoomBy(1 / 1.5), { "aria-label": "Zoom in" }),
        button("◂", () => plot.panBy(-0.25), { "aria-label": "Earlier" }),
        button("▸", () => plot.panBy(0.25), { "aria-label": "Later" }),
        button("All", () => plot.showAll(), { title: "Show the whole time" }),
      ),
      pages,
    ),
    h(
      "div",
      { class: "split" },
      h("div", { class: "side" }, tracks),
      h(
        "div",
        { class: "main" },
        plot.element,
        failed,
        status,
        h(
          "p",
          { class: "note" },
          "Drag to move in time, turn the wheel to zoom. Keys: + − ← → 0, and ↑ ↓ for the property.",
        ),
      ),
    ),
  );
  draw();
}

function choicesOf(clip: ClipOverview | undefined): Choice[] {
  const found = new Map<string, Choice>();
  for (const { node, property } of clip?.tracks ?? []) {
    const key = JSON.stringify([node, property]);
    if (!found.has(key))
      found.set(key, { node, property, name: shown(`${node ?? ""}/${property ?? ""}`), chosen: true });
  }
  return [...found.values()];
}

function pageButtons(page: number, pages: number, turn: (page: number) => void): HTMLElement[] {
  if (pages <= 1) return [];
  return [
    button("◂ Page", () => turn(page - 1), { disabled: page <= 1, "aria-label": "Previous page" }),
    h("span", { class: "note" }, `${page} of ${pages}`),
    button("Page ▸", () => turn(page + 1), { disabled: page >= pages, "aria-label": "Next page" }),
  ];
}

/** The filter and the list of check boxes. The filter changes the list; the buttons change what is drawn. */
function trackList(choices: Choice[], changed: () => void): HTMLElement {
  const list = h("ul", { class: "choices" });
  const more = h("div");
  const filter = h("input", { type: "search", placeholder: "arm_*, hips/Rotation", spellcheck: "false" });
  const matching = (): Choice[] => choices.filter(matcher(filter.value));
  const show = (): void => {
    const rest = fill(list, matching(), (choice) =>
      h(
        "li",
        {},
        checkbox(choice.name, choice.chosen, (checked) => {
          choice.chosen = checked;
          changed();
        }),
      ),
    );
    more.replaceChildren(rest ?? "");
  };
  const choose = (wanted: (choice: Choice) => boolean): void => {
    for (const choice of choices) choice.chosen = wanted(choice);
    show();
    changed();
  };
  filter.addEventListener("input", show);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") choose(matcher(filter.value));
  });
  show();
  return h(
    "div",
    {},
    field("Filter", filter, "Enter draws only these."),
    h(
      "div",
      { class: "buttons" },
      button("Only these", () => choose(matcher(filter.value))),
      button("All", () => choose(() => true)),
      button("None", () => choose(() => false)),
    ),
    h("div", { class: "scroll", role: "region", "aria-label": "Properties", tabindex: 0 }, list, more),
  );
}

/** Returns the values of a panel at a time, such as `0.5 s  hips/Position  x 1  y 0.2  z 0`. */
async function values(context: Context, panel: Panel, time: number, degrees: boolean): Promise<string> {
  const { clip, tracks, node, property } = panel;
  const overviews = tracks.map((track) => context.session.clips[clip]?.tracks[track]);
  const hasNumbers = (index: number): boolean => {
    const { kind, keys } = overviews[index] ?? { kind: "string", keys: 0 };
    return kind !== "string" && keys > 0;
  };
  const numeric = tracks.filter((_, index) => hasNumbers(index));
  const rows = await context.client.request("sample", { clip, tracks: numeric, time }, { quiet: true });
  const euler = property.startsWith("RotationEuler");
  const parts = rows.map((row, index) => {
    const component = context.session.clips[clip]?.tracks[numeric[index] ?? -1]?.component;
    let shownRow = row;
    if (euler && degrees) shownRow = row.map((angle) => (angle * 180) / Math.PI);
    else if (degrees && property.startsWith("Rotation") && row.length === 4) shownRow = eulerDegrees(row);
    const unit = degrees && property.startsWith("Rotation") ? "°" : "";
    const names = component ? [component] : row.length === 1 ? [""] : ["x", "y", "z", "w"];
    return shownRow
      .map((value, axis) => `${names[axis] ?? axis} ${number(Number(value.toPrecision(5)))}${unit}`.trim())
      .join("   ");
  });
  return `${number(Number(time.toPrecision(5)))} s   ${shown(`${node}/${property}`)}   ${parts.join("   ")}`;
}
