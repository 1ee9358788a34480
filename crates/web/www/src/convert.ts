// The tab "Convert": writes the document in another format, and shows what that changes before the download.

import type { Finding, Format, FormatOption, WriteOptions } from "inbetween";
import { button, download, field, h, select } from "./dom.ts";
import { attempt } from "./failure.ts";
import { findingGroups } from "./findings.ts";
import { clipName, downloadName } from "./names.ts";
import { count, fileSize } from "./numbers.ts";
import type { Context } from "./state.ts";

export function showConvert(panel: HTMLElement, context: Context): void {
  const { session, formats, profiles } = context;
  const from = session.overview?.format ?? "";
  const initial = formats.find(({ id }) => id === (from === "gltf" ? "animj" : "gltf")) ?? formats[0];
  if (!initial) return;
  let format: Format = initial;
  /** The values of the form, by the names of the fields. */
  let options: Record<string, string> = {};
  const settings: WriteOptions = {};
  const result = h("div", { class: "result" });
  const fields = h("div", { class: "fields" });

  const stale = (): void => result.replaceChildren();
  const set = (name: "axes" | "unit" | "profile" | "clip", value: string): void => {
    if (value === "") delete settings[name];
    else settings[name] = value;
    stale();
  };
  const run = async (): Promise<void> => {
    const target = format;
    const filled = Object.entries(options).filter(([, value]) => value !== "");
    const converted = await attempt(
      result,
      null,
      () =>
        context.client.request("convert", {
          to: target.id,
          options: { ...settings, options: Object.fromEntries(filled) },
        }),
      () => void run(),
    );
    if (!converted || context.signal.aborted) return;
    result.replaceChildren(resultView(converted.bytes, converted.findings, session.source.file.name, target));
    context.say(`Converted to ${target.name}.`);
  };

  const showFields = (): void => {
    stale();
    options = {};
    delete settings.profile;
    const fitting = profiles.filter((profile) => profile.formats.includes(format.id));
    const choices = [
      { value: "", text: "any program" },
      ...fitting.map(({ name, program }) => ({ value: name, text: program })),
    ];
    fields.replaceChildren(
      fitting.length > 0
        ? field(
            "For",
            select(choices, "", (value) => set("profile", value)),
          )
        : "",
      ...format.options
        .filter(({ applies }) => applies === "writing" || applies === "both")
        .map((option) =>
          optionField(option, (value) => {
            options[option.name] = value;
            stale();
          }),
        ),
    );
  };
  const clips = [
    { value: "", text: "all clips" },
    ...session.clips.map((clip, index) => {
      return { value: `#${index + 1}`, text: clipName(clip, index) };
    }),
  ];
  showFields();
  panel.replaceChildren(
    h(
      "form",
      {
        class: "form",
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          void run();
        },
      },
      h(
        "div",
        { class: "fields" },
        field(
          "Format",
          select(
            formats.map(({ id, name }) => ({ value: id, text: name })),
            format.id,
            (id) => {
              format = formats.find((each) => each.id === id) ?? format;
              showFields();
            },
          ),
        ),
        session.clips.length > 1 &&
          field(
            "Clip",
            select(clips, "", (value) => set("clip", value)),
          ),
        textField("Axes", "auto", "auto, keep, or the sources of the new x, y and z, such as x,z,-y.", (value) =>
          set("axes", value),
        ),
        textField(
          "Unit of lengths",
          "m",
          "The unit of the file that is read, such as cm, if the format does not state it.",
          (value) => set("unit", value),
        ),
      ),
      fields,
      h("button", { type: "submit", class: "primary" }, "Convert"),
    ),
    session.edits.length > 0 ? h("p", { class: "note" }, `${count(session.edits.length, "edit")} applied.`) : "",
    result,
  );
}

function textField(label: string, placeholder: string, help: string, changed: (value: string) => void): HTMLElement {
  const input = h("input", {
    type: "text",
    placeholder,
    spellcheck: "false",
    autocomplete: "off",
    oninput: () => changed(input.value.trim()),
  });
  return field(label, input, help);
}

/** Options with a few values, such as `yes|no`, become a choice. */
function optionField({ name, value, help }: FormatOption, changed: (value: string) => void): HTMLElement {
  const label = name.replace(/-/g, " ").replace(/^./, (letter) => letter.toUpperCase());
  const values = value.split("|");
  if (values.length > 1 && values.every((each) => /^[a-z0-9-]+$/.test(each))) {
    const choices = [{ value: "", text: "default" }, ...values.map((each) => ({ value: each, text: each }))];
    return field(label, select(choices, "", changed), help);
  }
  return textField(label, value, help, changed);
}

/** Returns the extension of a written file. For glTF, text begins with a brace and is a `.gltf`. */
function extensionOf(bytes: Uint8Array, format: Format): string {
  if (format.extensions.includes("gltf")) return bytes[0] === 0x7b ? "gltf" : "glb";
  return format.extensions[0] ?? format.id;
}

function resultView(bytes: Uint8Array, findings: Finding[], source: string, format: Format): HTMLElement {
  const name = downloadName(source, extensionOf(bytes, format));
  const losses = findings.filter((finding) => finding.loss);
  return h(
    "div",
    {},
    h("h2", {}, losses.length === 0 ? "Nothing is lost" : count(losses.length, "loss", "losses")),
    losses.length > 0 && h("p", {}, `${format.name} cannot store all of this file.`),
    findingGroups(findings),
    h(
      "p",
      {},
      button(`Download ${name}`, () => download(bytes, name), { class: "primary" }),
      h("span", { class: "note" }, ` ${fileSize(bytes.length)}`),
    ),
  );
}
