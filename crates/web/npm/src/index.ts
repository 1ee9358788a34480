/** Reads, checks, edits, draws and converts game animation files. */

import load, * as module from "./inbetween.js";
import type {
  CheckOptions, ClipOverview, Code, Converted, Edit, Finding, Fixed, Format, Keys, Overview, Picture, PlayedNode,
  PlayerRoot, PlotOptions, Position, Problem, Profile, ReadOptions, WriteOptions,
} from "./types.js";

export type * from "./types.js";

/**
 * Loads the module. Call it once before everything else, except in Node, where it is loaded already. Without an
 * argument, it is the file `inbetween_bg.wasm` beside this one.
 */
export async function init(from?: URL | Response | BufferSource | WebAssembly.Module): Promise<void> {
  await (from === undefined ? load() : load({ module_or_path: from }));
}

/** The error of a file, or of wrong arguments. */
export class InbetweenError extends Error {
  override name = "InbetweenError";

  constructor(
    message: string,
    /** The kind of the error, such as `unexpected-end`, `unknown-format`, `limit` or `usage`. */
    readonly code: string,
    /** The path of the value in the file. */
    readonly path: string | null,
    /** Where it is in the file. */
    readonly position: Position | null,
  ) {
    super(message);
  }
}

/** Calls the module, whose errors are JSON. Everything else, such as a trap, is thrown as it is. */
function call<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (typeof error !== "string") {
      throw error;
    }
    const { message, code, path, position } = JSON.parse(error);
    throw new InbetweenError(message, code, path, position);
  }
}

/** The bytes of a file without `maxInput`. The module has the same limit; here nothing is copied first. */
const LARGEST = 256 * 1024 * 1024;

/** Makes a file in the module, uses it, and frees it. */
function withFile<T>(bytes: Uint8Array, options: CheckOptions, use: (file: module.File) => T): T {
  const most = options.maxInput ?? LARGEST;
  if (bytes.length > most) {
    throw new InbetweenError(`${bytes.length} bytes of input, the limit is ${most}`, "limit", null, null);
  }
  return call(() => {
    const { neighbors, ...settings } = options;
    const file = new module.File(bytes, JSON.stringify(settings));
    try {
      for (const [name, content] of Object.entries(neighbors ?? {})) {
        file.addNeighbor(name, content);
      }
      return use(file);
    } finally {
      file.free();
    }
  });
}

/** Returns the bytes that the module takes in memory. They grow up to 1 GiB and never shrink. */
export function memory(): number {
  // Once the module is loaded, this returns it.
  return module.initSync({ module: new ArrayBuffer(0) }).memory.buffer.byteLength;
}

/** Returns the known formats, with their options. */
export function formats(): Format[] {
  return JSON.parse(module.formats());
}

/** Returns the programs with wishes of their own, for the option `profile`. */
export function profiles(): Profile[] {
  return JSON.parse(module.profiles());
}

/** Returns what a code of findings means, and what to do about it. */
export function explain(code: string): Code {
  return JSON.parse(call(() => module.explain(code)));
}

/** Returns the id of the format of a file. */
export function detect(bytes: Uint8Array, options: ReadOptions = {}): string {
  return withFile(bytes, options, (file) => file.detect());
}

/** Returns what a file contains, without its keys. */
export function inspect(bytes: Uint8Array, options: ReadOptions = {}): Overview {
  return JSON.parse(withFile(bytes, options, (file) => file.inspect()));
}

/** Returns what is wrong with a file, and what the program of the option `profile` does with it. */
export function check(bytes: Uint8Array, options: CheckOptions = {}): Problem[] {
  return JSON.parse(withFile(bytes, options, (file) => file.check()));
}

/** Fixes what can be fixed in a file. */
export function fix(bytes: Uint8Array, options: ReadOptions = {}): Fixed {
  return withFile(bytes, options, (file) => {
    const fixed = file.fix();
    try {
      return { bytes: fixed.takeBytes(), edits: fixed.edits, findings: JSON.parse(fixed.findings) };
    } finally {
      fixed.free();
    }
  });
}

/** Reads a file. */
export function read(bytes: Uint8Array, options: ReadOptions = {}): Document {
  return new Document(withFile(bytes, options, (file) => file.read()));
}

/** Converts a file: {@link read} and {@link Document.convert} in one call. */
export function convert(bytes: Uint8Array, to: string, options: { read?: ReadOptions; write?: WriteOptions } = {}): Converted {
  const document = read(bytes, options.read);
  try {
    return document.convert(to, options.write);
  } finally {
    document.free();
  }
}

/**
 * The content of a file, in the memory of the module.
 *
 * `free` and `using` give the memory back at once; without them that happens some time after the last use.
 */
export class Document {
  readonly #inner: module.Document;

  /** @internal */
  constructor(inner: module.Document) {
    this.#inner = inner;
  }

  /** The id of the format that was read. */
  get format(): string {
    return this.#inner.format;
  }

  /** What was noticed while it was read and edited. */
  get findings(): Finding[] {
    return JSON.parse(this.#inner.findings);
  }

  /** The clips with their tracks and markers. */
  get clips(): ClipOverview[] {
    return JSON.parse(this.#inner.clips);
  }

  /** Writes the document in a format, an id or an extension. Axes and lengths become those of the format. */
  convert(to: string, options: WriteOptions = {}): Converted {
    const written = call(() => this.#inner.write(to, JSON.stringify(options)));
    try {
      const findings: Finding[] = JSON.parse(written.findings);
      const losses = findings.filter((finding) => finding.loss);
      return { bytes: written.takeBytes(), from: this.format, to: written.to, findings, losses };
    } finally {
      written.free();
    }
  }

  /** Returns the keys of a track, by the indices of its clip and of the track. The arrays are yours. */
  keys(clip: number, track: number): Keys {
    return call(() => {
      const numbers = this.#inner.values(clip, track);
      const values = this.#inner.isWide(clip, track) ? numbers : Float32Array.from(numbers);
      return { times: this.#inner.times(clip, track), values, width: this.#inner.width(clip, track) };
    });
  }

  /** Returns the values of a track at some times, as the clip plays them: `width` numbers for each time. */
  sample(clip: number, track: number, times: ArrayLike<number>): Float64Array {
    return call(() => this.#inner.sample(clip, track, Float64Array.from(times)));
  }

  /** Draws a page of curves. */
  plot(options: PlotOptions = {}): Picture {
    return JSON.parse(call(() => this.#inner.plot(JSON.stringify(options))));
  }

  /** Returns the document after an edit. Its findings say what the edit changed. */
  edit(edit: Edit): Document {
    return new Document(call(() => this.#inner.edit(JSON.stringify(edit))));
  }

  /** Prepares a clip for playing: on its own skeleton, or on that of a model. */
  player(clip: number, rig?: Document): Player {
    return new Player(call(() => this.#inner.player(clip, rig === undefined ? undefined : rig.#inner.copy())));
  }

  free(): void {
    this.#inner.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/** A clip that plays on nodes, with y up and lengths in meters below its root. */
export class Player {
  readonly #inner: module.Player;
  readonly nodes: PlayedNode[];
  /** The node above all nodes; a model of the clip has it already. */
  readonly root: PlayerRoot;
  readonly duration: number;
  /** Whether the clip repeats. */
  readonly looping: boolean;
  readonly frameRate: number | null;
  /** What was changed to play it. */
  readonly findings: Finding[];

  /** @internal */
  constructor(inner: module.Player) {
    this.#inner = inner;
    this.nodes = JSON.parse(inner.nodes);
    const [x = 0, y = 0, z = 0, w = 1, scale = 1] = inner.root;
    this.root = { rotation: [x, y, z, w], scale };
    this.duration = inner.duration;
    this.looping = inner.looping;
    this.frameRate = inner.frameRate ?? null;
    this.findings = JSON.parse(inner.findings);
  }

  /**
   * Writes ten numbers for each node: translation x y z, rotation x y z w, and scale x y z, relative to the parent or
   * to the root.
   */
  pose(time: number, into: Float32Array): void {
    into.set(this.#inner.pose(time));
  }

  free(): void {
    this.#inner.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
