// The page: takes files, keeps the open one, and connects the worker with the tabs. Start reading here.

import type { Format, Profile } from "inbetween";
import { Canceled, Client, type Crashed, Refused, type WorkerLike } from "./client.ts";
import { showConvert } from "./convert.ts";
import { showCurves } from "./curves.ts";
import { element, h } from "./dom.ts";
import { showEdit } from "./edit.ts";
import { attempt, sentence } from "./failure.ts";
import { type Found, LARGEST, listed, sourceOf } from "./files.ts";
import { listenForFiles } from "./intake.ts";
import { FileList } from "./list.ts";
import { shown } from "./names.ts";
import { count, fileSize } from "./numbers.ts";
import { registerServiceWorker } from "./offline.ts";
import { showOverview } from "./overview.ts";
import { showProblems } from "./problems.ts";
import type { Context, Session } from "./state.ts";
import { Tabs } from "./tabs.ts";
import { startTheme } from "./theme.ts";
import type { Source } from "./protocol.ts";

/** Set by the build: the name of the worker's script, and the version of the project. */
declare const WORKER: string;
declare const VERSION: string;

let formats: Format[] = [];
let profiles: Profile[] = [];
let session: Session | null = null;
let tabs: Tabs | null = null;
let list: FileList | null = null;
/** Everything that was chosen together: neighbors of a `.gltf` are found here. */
let all: Found[] = [];
/** How many files were opened; the last one wins. */
let openings = 0;
/** Whether the file that was shown is being opened again, in a new worker. */
let reopening = false;

const client = new Client(
  // The real worker's `onerror` takes any event; the client uses only messages of error events.
  () => new Worker(new URL(WORKER, import.meta.url), { type: "module" }) as unknown as WorkerLike,
  {
    busy: (busy) => {
      element("working").hidden = !busy;
    },
    restarted: (cause) => void restarted(cause),
  },
);

function say(text: string): void {
  element("status").textContent = text;
}

/** Shows a message above the file until the next one. */
function notice(text: string): void {
  element("notice").textContent = text;
  element("notice").hidden = text === "";
}

/** Opens the shown file again after the worker was replaced. */
async function restarted(cause: Canceled | Crashed): Promise<void> {
  if (cause instanceof Canceled) say("Canceled.");
  else notice(sentence(cause));
  if (!session) return;
  if (reopening) {
    // The file itself crashes the library: do not try again.
    close();
    return;
  }
  reopening = true;
  const shownBefore = session;
  try {
    await client.request("open", shownBefore.source);
    if (shownBefore.edits.length > 0) await client.request("edit", { edits: shownBefore.edits });
  } catch {
    // A file that cannot be read shows its failure already.
  }
  reopening = false;
  if (session === shownBefore && tabs?.selected === "player") tabs.invalidate("player");
}

async function add(found: Found[]): Promise<void> {
  if (found.length === 0) return;
  notice("");
  all = found;
  const files = listed(found, new Set(formats.flatMap((format) => format.extensions)));
  list?.close();
  list = null;
  element("files").replaceChildren();
  const [first] = files;
  if (!first) {
    notice("There are no files of the known formats in this folder.");
  } else if (files.length === 1) {
    await openFile(first);
  } else {
    close();
    list = new FileList(client, files, (chosen) => void openFile(chosen));
    element("files").replaceChildren(list.element);
    show("file");
    element("view").replaceChildren(h("h1", { class: "empty" }, "Choose a file from the list"));
    await list.check(found);
  }
}

async function openFile(found: Found): Promise<void> {
  notice("");
  if (found.file.size > LARGEST) {
    notice(
      `${shown(found.path)} has ${fileSize(found.file.size)}. The page opens files up to 256 MiB; ` +
        "the command-line tool opens larger ones.",
    );
    return;
  }
  list?.mark(found);
  await openSource(sourceOf(found, all));
}

async function openSource(source: Source): Promise<void> {
  openings += 1;
  const turn = openings;
  const opened: Session = {
    source,
    overview: null,
    failure: null,
    problems: null,
    profile: "",
    edits: [],
    editFindings: [],
    clips: [],
  };
  try {
    opened.overview = await client.request("open", source);
    opened.clips = opened.overview.clips;
  } catch (error) {
    // After a cancel or a crash the file that was shown before stays.
    if (!(error instanceof Refused)) return;
    opened.failure = error.failure;
  }
  // Another file was chosen in the meantime.
  if (turn !== openings) return;
  const selected = tabs?.selected ?? "overview";
  tabs?.close();
  session = opened;
  tabs = createTabs(opened);
  const title = h("h1", { class: "file-name", tabindex: -1 }, shown(source.file.name));
  element("view").replaceChildren(title, tabs.element);
  show("file");
  // What had the focus may be hidden now, such as the buttons of the start.
  if (document.activeElement === document.body) title.focus();
  document.title = `${shown(source.file.name)} – inbetween`;
  if (opened.failure) {
    tabs.badge("problems", "!", "error");
    tabs.select("problems");
    say(`${shown(source.file.name)} cannot be read.`);
    return;
  }
  tabs.select(selected);
  await check(opened, "");
}

function createTabs(opened: Session): Tabs {
  const context = (signal: AbortSignal): Context => ({
    client,
    session: opened,
    formats,
    profiles,
    signal,
    say,
    check: (profile) => check(opened, profile),
    applyEdits: (edits) => applyEdits(opened, edits),
    reopenAs: (format) => {
      const { file, neighbors } = opened.source;
      void openSource({ file, neighbors, ...(format === "" ? {} : { format }) });
    },
  });
  const tab = (id: string, title: string, draw: (panel: HTMLElement, context: Context) => void) => ({
    id,
    title,
    show: (panel: HTMLElement, signal: AbortSignal): void => {
      if (opened.failure && id !== "problems") {
        panel.replaceChildren(h("p", { class: "empty" }, "This file cannot be read. The tab Problems says why."));
      } else {
        draw(panel, context(signal));
      }
    },
  });
  return new Tabs([
    tab("overview", "Overview", showOverview),
    tab("problems", "Problems", showProblems),
    tab("curves", "Curves", showCurves),
    tab("player", "Player", (panel, shared) => {
      panel.replaceChildren(h("p", { class: "note" }, "Loading the player…"));
      void attempt(panel, null, () => import("./player.ts")).then((player) => {
        if (player && !shared.signal.aborted) player.showPlayer(panel, shared);
      });
    }),
    tab("convert", "Convert", showConvert),
    tab("edit", "Edit", showEdit),
  ]);
}

async function check(opened: Session, profile: string): Promise<void> {
  opened.profile = profile;
  try {
    opened.problems = await client.request("check", { profile });
  } catch (error) {
    opened.problems = null;
    if (error instanceof Refused) opened.failure = error.failure;
  }
  if (session !== opened) return;
  const { problems } = opened;
  const worst = (["error", "warning"] as const).find((severity) =>
    problems?.some((problem) => problem.severity === severity),
  );
  tabs?.badge("problems", problems ? String(problems.length) : "?", problems?.length === 0 ? "fine" : (worst ?? ""));
  tabs?.invalidate("problems");
  if (problems) say(problems.length === 0 ? "No problems." : `${count(problems.length, "problem")}.`);
}

async function applyEdits(opened: Session, edits: Session["edits"]): Promise<void> {
  const { clips, findings } = await client.request("edit", { edits });
  Object.assign(opened, { edits, clips, editFindings: findings });
  tabs?.badge("edit", edits.length === 0 ? "" : String(edits.length));
  tabs?.invalidate("curves", "player", "convert", "edit");
  say(edits.length === 0 ? "No edits." : `${count(edits.length, "edit")} applied.`);
}

function close(): void {
  tabs?.close();
  tabs = null;
  session = null;
  element("view").replaceChildren();
  document.title = "inbetween";
  show(list ? "file" : "start");
}

/** Shows the start or the open file. */
function show(what: "start" | "file"): void {
  element("start").hidden = what !== "start";
  element("opened").hidden = what !== "file";
}

async function start(): Promise<void> {
  startTheme();
  listenForFiles(add, (error) => notice(sentence(error)));
  element("cancel").addEventListener("click", () => client.cancel());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !element("working").hidden) client.cancel();
  });
  element("version").textContent = `inbetween ${VERSION}`;
  registerServiceWorker();
  try {
    ({ formats, profiles } = await client.request("start", null));
  } catch (error) {
    notice(`The library could not be started. ${sentence(error)}`);
    return;
  }
  element("formats").replaceChildren(
    ...formats.map(({ name, extensions, summary }) =>
      h(
        "li",
        {},
        h("strong", {}, name),
        " ",
        h("code", {}, extensions.map((each) => `.${each}`).join(" ")),
        h("span", { class: "dim" }, summary),
      ),
    ),
  );
  const accept = [...formats.flatMap((format) => format.extensions), "bin"].map((each) => `.${each}`);
  element("choose-files").setAttribute("accept", accept.join(","));
  document.documentElement.dataset["ready"] = "true";
}

void start();
