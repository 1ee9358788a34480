// The tab "Edit": applies edits to the document; all tabs but Overview and Problems show the result.

import type { Edit } from "inbetween";
import { button, field, h, select } from "./dom.ts";
import { attempt } from "./failure.ts";
import { findingGroups } from "./findings.ts";
import { shown } from "./names.ts";
import { count, number, seconds } from "./numbers.ts";
import type { Context } from "./state.ts";

interface Input {
  name: string;
  label: string;
  placeholder: string;
  help: string;
  /** A choice instead of a text. */
  choices?: string[];
}

interface Form {
  title: string;
  text: string;
  inputs: Input[];
  /** Builds the edit, or returns what is missing. */
  build(values: Record<string, string>): Edit | string;
}

const FORMS: Record<Edit["edit"], Form> = {
  trim: {
    title: "Trim",
    text: "Keeps a range of time; its start becomes 0.",
    inputs: [
      { name: "start", label: "From", placeholder: "0", help: "Seconds; empty keeps the start." },
      { name: "end", label: "To", placeholder: "1.5", help: "Seconds; empty keeps the end." },
    ],
    build: ({ start = "", end = "" }) => {
      const [from, to] = [decimal(start), decimal(end)];
      if (start + end === "") return "Enter at least one time.";
      if (Number.isNaN(from) || Number.isNaN(to)) return "Enter times in seconds, such as 0.5.";
      return { edit: "trim", ...(start !== "" && { start: from }), ...(end !== "" && { end: to }) };
    },
  },
  retime: {
    title: "Retime",
    text: "Multiplies all times: 2 plays at half speed.",
    inputs: [{ name: "factor", label: "Factor", placeholder: "2", help: "" }],
    build: ({ factor = "" }) => positive(factor, (value) => ({ edit: "retime", factor: value })),
  },
  reverse: { title: "Reverse", text: "Plays backward.", inputs: [], build: () => ({ edit: "reverse" }) },
  rename: {
    title: "Rename",
    text: "Renames what matches exactly; * stands for any text in both names.",
    inputs: [
      { name: "what", label: "What", placeholder: "", help: "", choices: ["nodes", "properties", "clips", "markers"] },
      { name: "old", label: "Old name", placeholder: "j_*", help: "" },
      { name: "new", label: "New name", placeholder: "bone_*", help: "" },
    ],
    build: (values) => {
      if (!values["old"]) return "Enter the old name.";
      const what = (values["what"] ?? "nodes") as "nodes" | "properties" | "clips" | "markers";
      return { edit: "rename", what, old: values["old"], new: values["new"] ?? "" };
    },
  },
  reduce: {
    title: "Reduce",
    text: "Removes keys that are redundant within an error bound. The largest error is measured.",
    inputs: [
      {
        name: "bound",
        label: "Bound",
        placeholder: "0.001",
        help: "Units of the file for positions, radians for rotations.",
      },
    ],
    build: ({ bound = "" }) => positive(bound, (value) => ({ edit: "reduce", bound: value })),
  },
  resample: {
    title: "Resample",
    text: "Replaces all keys with one key per frame.",
    inputs: [{ name: "rate", label: "Frames per second", placeholder: "30", help: "" }],
    build: ({ rate = "" }) => positive(rate, (value) => ({ edit: "resample", rate: value })),
  },
  drop: { title: "Drop tracks", text: "Removes the tracks that match.", ...trackInputs("drop") },
  select: { title: "Keep tracks", text: "Removes all tracks but those that match.", ...trackInputs("select") },
};

function trackInputs(edit: "drop" | "select"): Pick<Form, "inputs" | "build"> {
  return {
    inputs: [
      {
        name: "tracks",
        label: "Tracks",
        placeholder: "*/Scale, finger_*",
        help: "Patterns of nodes or node/property, separated by commas.",
      },
    ],
    build: ({ tracks = "" }) => {
      const patterns = tracks
        .split(",")
        .map((pattern) => pattern.trim())
        .filter((pattern) => pattern !== "");
      return patterns.length > 0 ? { edit, tracks: patterns } : "Enter a pattern.";
    },
  };
}

/** Returns the number, or NaN; some people write a decimal comma. */
function decimal(text: string): number {
  return text === "" ? 0 : Number(text.replace(",", "."));
}

function positive(text: string, edit: (value: number) => Edit): Edit | string {
  const value = decimal(text);
  return value > 0 && Number.isFinite(value) ? edit(value) : "Enter a number above 0.";
}

/** Returns an edit as a sentence. */
function describe(edit: Edit): string {
  switch (edit.edit) {
    case "trim": {
      const from = edit.start === undefined ? "the start" : seconds(edit.start);
      return `Trim from ${from} to ${edit.end === undefined ? "the end" : seconds(edit.end)}`;
    }
    case "retime":
      return `Retime by ${number(edit.factor)}`;
    case "reverse":
      return "Reverse";
    case "rename":
      return `Rename ${edit.what}: ${shown(edit.old)} to ${shown(edit.new)}`;
    case "reduce":
      return `Reduce within ${number(edit.bound)}`;
    case "resample":
      return `Resample at ${number(edit.rate)} frames per second`;
    case "drop":
      return `Drop ${shown(edit.tracks.join(", "))}`;
    case "select":
      return `Keep ${shown(edit.tracks.join(", "))}`;
  }
}

export function showEdit(panel: HTMLElement, context: Context): void {
  const { session } = context;
  let kind: Edit["edit"] = session.edits.at(-1)?.edit ?? "trim";
  let values: Record<string, string> = {};
  const message = h("div", { "aria-live": "polite" });
  const fields = h("div", { class: "fields" });

  const showFields = (): void => {
    const form = FORMS[kind];
    values = {};
    message.replaceChildren();
    fields.replaceChildren(
      h("p", { class: "note wide" }, form.text),
      ...form.inputs.map((input) => {
        if (input.choices) {
          return field(
            input.label,
            select(
              input.choices.map((value) => ({ value, text: value })),
              "",
              (value) => {
                values[input.name] = value;
              },
            ),
          );
        }
        const box = h("input", {
          type: "text",
          placeholder: input.placeholder,
          spellcheck: "false",
          autocomplete: "off",
        });
        box.addEventListener("input", () => {
          values[input.name] = box.value.trim();
        });
        return field(input.label, box, input.help);
      }),
    );
  };
  const apply = (edits: Edit[]): void => void attempt(message, null, () => context.applyEdits(edits));
  const submit = (): void => {
    const edit = FORMS[kind].build(values);
    if (typeof edit === "string") message.replaceChildren(h("p", { class: "failure", role: "alert" }, edit));
    else apply([...session.edits, edit]);
  };
  showFields();
  const kinds = Object.entries(FORMS).map(([value, { title }]) => ({ value, text: title }));
  panel.replaceChildren(
    h(
      "form",
      {
        class: "form",
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          submit();
        },
      },
      h(
        "div",
        { class: "fields" },
        field(
          "Edit",
          select(kinds, kind, (value) => {
            kind = value as Edit["edit"];
            showFields();
          }),
        ),
      ),
      fields,
      h("button", { type: "submit", class: "primary" }, "Apply"),
    ),
    message,
    h("h2", {}, session.edits.length === 0 ? "No edits" : count(session.edits.length, "edit")),
    session.edits.length === 0
      ? h(
          "p",
          { class: "note" },
          "Curves, Player and Convert show the document with all edits. The file itself does not change.",
        )
      : h(
          "ol",
          { class: "edits" },
          session.edits.map((edit, index) =>
            h(
              "li",
              {},
              h(
                "div",
                { class: "edit-line" },
                h("strong", {}, describe(edit)),
                index === session.edits.length - 1 && button("Undo", () => apply(session.edits.slice(0, -1))),
              ),
              findingGroups(session.editFindings[index] ?? []),
            ),
          ),
        ),
    resultLine(context),
  );
}

/** The document after the edits, in a line. */
function resultLine({ session }: Context): HTMLElement {
  const tracks = session.clips.reduce((sum, clip) => sum + clip.tracks.length, 0);
  const keys = session.clips.reduce((sum, clip) => sum + clip.tracks.reduce((part, track) => part + track.keys, 0), 0);
  const longest = session.clips.reduce((most, clip) => Math.max(most, clip.duration ?? 0), 0);
  return h(
    "p",
    { class: "note" },
    `The document has ${count(session.clips.length, "clip")}, ${count(tracks, "track")} and ${count(keys, "key")}; ` +
      `it lasts ${seconds(longest)}.`,
  );
}
