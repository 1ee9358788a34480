// The tab "Overview": what the file contains.

import type { ClipOverview, TrackOverview } from "inbetween";
import { fill, h } from "./dom.ts";
import { clipName, shown } from "./names.ts";
import { count, fileSize, number, seconds } from "./numbers.ts";
import { formatOf, type Context } from "./state.ts";

export function showOverview(panel: HTMLElement, context: Context): void {
  const { overview } = context.session;
  if (!overview) return;
  const format = formatOf(context);
  const facts: [string, string][] = [
    ["Format", format ? `${format.name}: ${format.summary}` : overview.format],
    ["Size", fileSize(overview.bytes)],
  ];
  if (overview.layout) facts.push(["Layout", overview.layout]);
  for (const [name, value] of Object.entries(overview.facts)) facts.push([label(name), String(value)]);
  if (format) facts.push(["Writing it back", format.promise]);
  const clips = h("div", { class: "clips" });
  const more = fill(clips, overview.clips, (clip, index) => clipView(clip, index, overview.clips.length));
  panel.replaceChildren(
    h("h2", {}, "File"),
    definitions(facts),
    h("h2", {}, overview.clips.length === 0 ? "No clips" : count(overview.clips.length, "clip")),
    clips,
    more ?? "",
  );
}

/** `frame_rate` and `frame-rate` become `Frame rate`. */
function label(name: string): string {
  const words = shown(name).replace(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function definitions(entries: [string, string][]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    entries.map(([term, value]) => {
      return h("div", {}, h("dt", {}, term), h("dd", {}, shown(value)));
    }),
  );
}

function clipView(clip: ClipOverview, index: number, clips: number): HTMLElement {
  const keys = clip.tracks.reduce((sum, track) => sum + track.keys, 0);
  const facts: [string, string][] = [
    ["Duration", seconds(clip.duration)],
    ["Frame rate", clip.frame_rate === null ? "not stored" : `${number(clip.frame_rate)} per second`],
    ["Loop", clip.looping ? "repeats" : "plays once"],
    ["Blend mode", clip.blend],
    ["Tracks", clip.tracks.length.toLocaleString("en-US")],
    ["Keys", keys.toLocaleString("en-US")],
  ];
  if (clip.stated_duration !== null && clip.stated_duration !== clip.duration) {
    facts.push(["Stated duration", seconds(clip.stated_duration)]);
  }
  if (clip.first_key !== null && clip.first_key !== 0) facts.push(["First key", seconds(clip.first_key)]);
  const body = h("div", {}, definitions(facts), markers(clip), tracks(clip.tracks));
  const title = h("h3", {}, clipName(clip, index));
  if (clips === 1) return h("section", {}, title, body);
  return h(
    "details",
    { open: index === 0 },
    h(
      "summary",
      {},
      title,
      h(
        "span",
        { class: "dim" },
        `${seconds(clip.duration)}, ${count(clip.tracks.length, "track")}, ${count(keys, "key")}`,
      ),
    ),
    body,
  );
}

function markers({ markers: list }: ClipOverview): HTMLElement | null {
  if (list.length === 0) return null;
  const items = h("ul", { class: "markers" });
  const more = fill(items, list, ({ time, name }) =>
    h("li", {}, h("span", { class: "number" }, seconds(time)), ` ${shown(name)}`),
  );
  return h("div", {}, h("h4", {}, count(list.length, "marker")), items, more);
}

function tracks(list: TrackOverview[]): HTMLElement | null {
  if (list.length === 0) return null;
  const body = h("tbody");
  const more = fill(body, list, (track) =>
    h(
      "tr",
      {},
      h("td", {}, shown(track.node ?? "")),
      h("td", {}, shown((track.property ?? "") + (track.component ? `.${track.component}` : ""))),
      h("td", {}, track.kind),
      h("td", {}, track.shape),
      h("td", { class: "number" }, track.keys.toLocaleString("en-US")),
    ),
  );
  const head = ["Node", "Property", "Kind", "Shape"].map((name) => h("th", { scope: "col" }, name));
  const table = h(
    "table",
    {},
    h("caption", { class: "unseen" }, "Tracks"),
    h("thead", {}, h("tr", {}, head, h("th", { scope: "col", class: "number" }, "Keys"))),
    body,
  );
  return h("div", {}, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Tracks" }, table), more);
}
