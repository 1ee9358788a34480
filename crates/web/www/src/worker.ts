// The worker: it holds the open file and calls the library. The page talks to it through protocol.ts.

import * as library from "inbetween";
import type { Document, Edit, Player, ReadOptions } from "inbetween";
import { diffLines } from "./diff.ts";
import { changedRanges } from "./hex.ts";
import type { Answer, Args, Changes, Failure, Kind, Reply, Request, Source } from "./protocol.ts";

/** The name of the WebAssembly file beside this script; set by the build. */
declare const WASM: string;

/** The global of a worker. TypeScript's own declarations of it contradict those of pages. */
const scope = self as unknown as {
  location: Location;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(reply: Reply, transfer: Transferable[]): void;
};

/** Texts above this size are not compared line by line: their lines would need several times as much memory. */
const LARGEST_DIFF = 32 * 1024 * 1024;

/** The bytes that the module may take. */
const LARGEST_MODULE = 1024 * 1024 * 1024;

interface Open {
  bytes: Uint8Array;
  options: ReadOptions;
  /** The file as it was read. */
  original: Document | null;
  /** The edits that were applied, with their results. The last result is what all tabs show. */
  edits: { edit: Edit; result: Document }[];
}

let open: Open | null = null;
let player: Player | null = null;

const handlers: { [K in Kind]: (args: Args<K>) => Answer<K> | Promise<Answer<K>> } = {
  start: () => ({ formats: library.formats(), profiles: library.profiles() }),

  async status(source) {
    const [bytes, options] = await load(source);
    const { format } = library.inspect(bytes, options);
    const problems = library.check(bytes, options);
    const order = ["hint", "info", "warning", "error"] as const;
    const worst = order.findLast((severity) => problems.some((problem) => problem.severity === severity));
    return { format, problems: problems.length, worst: worst ?? null };
  },

  async open(source) {
    close();
    const [bytes, options] = await load(source);
    open = { bytes, options, original: null, edits: [] };
    return library.inspect(bytes, options);
  },

  check({ profile }) {
    const { bytes, options } = current();
    return library.check(bytes, profile === "" ? options : { ...options, profile });
  },

  fix() {
    const { bytes, options } = current();
    const fixed = library.fix(bytes, options);
    return { bytes: fixed.bytes, edits: fixed.edits, findings: fixed.findings, changes: changes(bytes, fixed.bytes) };
  },

  edit({ edits }) {
    closePlayer();
    applyEdits(edits);
    // The findings of a document begin with those of the document that was edited.
    const findings = current().edits.map(({ result }, index, applied) => {
      return result.findings.slice((applied[index - 1]?.result ?? original()).findings.length);
    });
    return { clips: document().clips, findings };
  },

  plot: (options) => document().plot(options),

  sample({ clip, tracks, time }) {
    return tracks.map((track) => [...document().sample(clip, track, [time])]);
  },

  convert({ to, options }) {
    const { bytes, findings } = document().convert(to, options);
    return { bytes, findings };
  },

  async play({ clip, rig }) {
    closePlayer();
    const model = rig && library.read(new Uint8Array(await rig.arrayBuffer()), { name: rig.name });
    try {
      player = model ? document().player(clip, model) : document().player(clip);
    } finally {
      model?.free();
    }
    const { nodes, root, duration, looping, frameRate, findings } = player;
    return { nodes, root, duration, looping, frameRate, findings };
  },

  pose({ time, buffer }) {
    if (!player) throw new Error("No clip is being played.");
    player.pose(time, new Float32Array(buffer));
    return { buffer };
  },
};

async function load(source: Source): Promise<[Uint8Array, ReadOptions]> {
  const content = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());
  const neighbors: Record<string, Uint8Array> = {};
  for (const [name, file] of Object.entries(source.neighbors)) neighbors[name] = await content(file);
  const options: ReadOptions = { name: source.file.name, neighbors };
  if (source.format !== undefined) options.format = source.format;
  return [await content(source.file), options];
}

function current(): Open {
  if (!open) throw new Error("No file is open.");
  return open;
}

function original(): Document {
  const file = current();
  file.original ??= library.read(file.bytes, file.options);
  return file.original;
}

/** Returns the document with all edits. */
function document(): Document {
  return current().edits.at(-1)?.result ?? original();
}

/** Keeps the results of the edits that both lists begin with, and applies the others. */
function applyEdits(edits: Edit[]): void {
  const applied = current().edits;
  const same = (edit: Edit, index: number): boolean => JSON.stringify(edit) === JSON.stringify(applied[index]?.edit);
  const differs = edits.findIndex((edit, index) => !same(edit, index));
  const kept = differs < 0 ? edits.length : differs;
  for (const { result } of applied.splice(kept)) result.free();
  for (const edit of edits.slice(kept)) applied.push({ edit, result: document().edit(edit) });
}

function closePlayer(): void {
  player?.free();
  player = null;
}

function close(): void {
  closePlayer();
  for (const { result } of open?.edits ?? []) result.free();
  open?.original?.free();
  open = null;
}

function changes(before: Uint8Array, after: Uint8Array): Changes {
  const text = (bytes: Uint8Array): string | null => {
    if (bytes.length > LARGEST_DIFF) return null;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return null;
    }
  };
  const binary = before.subarray(0, 1024).includes(0);
  const [old, now] = binary ? [null, null] : [text(before), text(after)];
  if (old === null || now === null) return { form: "bytes", ...changedRanges(before, after) };
  return { form: "text", diff: diffLines(old, now) };
}

/** Returns why a request failed, or null if the module cannot be used any more. */
function failure(error: unknown): Failure | null {
  if (error instanceof library.InbetweenError) {
    const { message, code, path, position } = error;
    return { message, code, path, position };
  }
  // RangeError: a buffer could not be allocated.
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return null;
  return { message: error instanceof Error ? error.message : String(error), code: "page", path: null, position: null };
}

/** A module that cannot grow traps like one that crashes, but it is almost as large as it may be. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError || library.memory() > LARGEST_MODULE / 2;
}

async function handle({ id, kind, args }: Request): Promise<void> {
  try {
    await ready;
    const handler = handlers[kind] as (args: Args<Kind>) => Answer<Kind> | Promise<Answer<Kind>>;
    const answer = await handler(args);
    const transfer: Transferable[] = [];
    if (answer && "bytes" in answer && answer.bytes instanceof Uint8Array)
      transfer.push(answer.bytes.buffer as ArrayBuffer);
    if (answer && "buffer" in answer) transfer.push(answer.buffer);
    scope.postMessage({ id, answer }, transfer);
  } catch (error) {
    const reason = failure(error);
    if (reason) scope.postMessage({ id, failure: reason }, []);
    else scope.postMessage({ id, trap: isOutOfMemory(error) ? "memory" : String(error) }, []);
  }
}

const ready = library.init(new URL(WASM, scope.location.href));
/** Requests are handled one after the other, although reading a file is asynchronous. */
let queue = Promise.resolve();
scope.onmessage = (event) => {
  queue = queue.then(() => handle(event.data));
};
