// The tab "Problems": what is wrong with the file, where, what it means, and the report. fixing.ts fixes it.

import type { Problem, Severity } from "inbetween";
import { button, checkbox, download, field, fill, h, select } from "./dom.ts";
import { excerpt, where } from "./failure.ts";
import { fixing } from "./fixing.ts";
import { PASTED } from "./files.ts";
import { downloadName, extension } from "./names.ts";
import { count } from "./numbers.ts";
import { report } from "./report.ts";
import type { Context } from "./state.ts";

const SEVERITIES: Severity[] = ["error", "warning", "info", "hint"];

export function showProblems(panel: HTMLElement, context: Context): void {
  const { session } = context;
  if (session.failure) {
    showUnreadable(panel, context);
    return;
  }
  const { problems } = session;
  if (!problems) {
    panel.replaceChildren(
      h("p", {}, "The file was not checked. "),
      button("Check it", () => void context.check(session.profile)),
    );
    return;
  }
  const list = h("ol", { class: "problems" });
  const more = h("div");
  const visible = new Set(SEVERITIES);
  const show = (): void => {
    const explained = new Set<string>();
    const rest = fill(
      list,
      problems.filter(({ severity }) => visible.has(severity)),
      (problem) => {
        const first = !explained.has(problem.code);
        explained.add(problem.code);
        return problemView(problem, session.source.file, first);
      },
    );
    more.replaceChildren(rest ?? "");
  };
  show();
  const present = SEVERITIES.filter((severity) => problems.some((problem) => problem.severity === severity));
  const filters = present.map((severity) => {
    const amount = problems.filter((problem) => problem.severity === severity).length;
    return checkbox(count(amount, severity === "info" ? "note" : severity), true, (checked) => {
      if (checked) visible.add(severity);
      else visible.delete(severity);
      show();
    });
  });
  const fixable = problems.filter((problem) => problem.fixable).length;
  panel.replaceChildren(
    h(
      "div",
      { class: "toolbar" },
      profileChoice(context),
      present.length > 1 && h("fieldset", {}, h("legend", {}, "Show"), filters),
      reportButtons(context),
    ),
    h("h2", {}, problems.length === 0 ? "No problems" : count(problems.length, "problem")),
    problems.length === 0
      ? h(
          "p",
          {},
          session.profile === ""
            ? "The file follows its format. Choose a program above to see what that program does with it."
            : "Nothing in the file is a problem for this program.",
        )
      : "",
    fixable > 0 ? fixing(context, fixable) : "",
    list,
    more,
  );
}

function profileChoice(context: Context): HTMLElement | null {
  const format = context.session.overview?.format ?? "";
  const choices = context.profiles.filter(({ formats }) => formats.includes(format));
  if (choices.length === 0) return null;
  const options = [
    { value: "", text: "the format" },
    ...choices.map(({ name, program }) => ({ value: name, text: program })),
  ];
  return field(
    "Check for",
    select(options, context.session.profile, (profile) => void context.check(profile)),
  );
}

function reportButtons(context: Context): HTMLElement {
  const { source, overview, failure, problems } = context.session;
  const text = (): string =>
    report({
      name: source.file.name,
      format: overview?.format ?? null,
      bytes: source.file.size,
      failure,
      findings: problems ?? [],
    });
  return h(
    "div",
    { class: "buttons" },
    button("Copy report", () => {
      navigator.clipboard.writeText(text()).then(
        () => context.say("Copied the report. It does not contain the content of the file."),
        () => context.say("The browser does not allow copying. Download the report instead."),
      );
    }),
    button("Download report", () => download(text(), downloadName(source.file.name, "report.txt"))),
  );
}

function problemView(problem: Problem, file: File, explain: boolean): HTMLElement {
  const { severity, message, code, path, position, help, snippet, fixable, fix } = problem;
  const times = problem.count > 1 ? ` (${problem.count.toLocaleString("en-US")} times)` : "";
  return h(
    "li",
    { class: `problem ${severity}` },
    h(
      "p",
      { class: "message" },
      h("span", { class: "badge" }, severity),
      h("span", {}, shownMessage(message) + times),
      fixable && h("span", { class: "badge fixable" }, "fixable"),
    ),
    where(path, position, code),
    position && excerpt(file, position, snippet),
    help !== "" &&
      (explain
        ? h("p", { class: "help" }, help)
        : h("details", {}, h("summary", {}, "What this means"), h("p", { class: "help" }, help))),
    fix && h("p", { class: "help" }, `Fix: ${fix}`),
  );
}

/** Messages are cut by the library; only their characters need care. */
function shownMessage(message: string): string {
  return message.length > 400 ? `${message.slice(0, 400)}…` : message;
}

/** An unreadable file: why, where, and a choice of the format in case it was detected wrongly. */
function showUnreadable(panel: HTMLElement, context: Context): void {
  const { failure, source } = context.session;
  if (!failure) return;
  const formats = context.formats.map(({ id, name }) => ({ value: id, text: name }));
  const choice = select([{ value: "", text: "detect" }, ...formats], source.format ?? "", (format) =>
    context.reopenAs(format),
  );
  panel.replaceChildren(
    h("div", { class: "toolbar" }, field("Read it as", choice), reportButtons(context)),
    h("h2", {}, "This file cannot be read"),
    h(
      "ol",
      { class: "problems" },
      h(
        "li",
        { class: "problem error" },
        h(
          "p",
          { class: "message" },
          h("span", { class: "badge" }, "error"),
          h("span", {}, shownMessage(failure.message)),
        ),
        where(failure.path ?? "", failure.position, failure.code),
        failure.position && excerpt(source.file, failure.position, null),
      ),
    ),
    h("p", { class: "note" }, advice(source.file.name)),
  );
}

function advice(name: string): string {
  if (name === PASTED) return "The page reads pasted AnimJ, glTF, BVH and Unity .anim texts.";
  if (extension(name) === "gltf")
    return "A .gltf often has .bin files beside it: choose them together, or choose the folder.";
  return "If the file is complete and opens elsewhere, copy the report and send it with the file to the project.";
}
