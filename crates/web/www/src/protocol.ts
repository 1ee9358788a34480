// The requests that the page sends to its worker, and the answers.
//
// Both sides use the same table: a request is `{ id, kind, args }`, an answer repeats the `id`. Large byte arrays are
// transferred. Files are sent as `File`, so only the worker reads them.

import type {
  ClipOverview,
  Edit,
  Finding,
  Format,
  Overview,
  Picture,
  PlayedNode,
  PlayerRoot,
  PlotOptions,
  Position,
  Problem,
  Profile,
  Severity,
  WriteOptions,
} from "inbetween";
import type { ByteChange } from "./hex.ts";
import type { LineDiff } from "./diff.ts";

/** A file, and the files beside it that it refers to by name. */
export interface Source {
  file: File;
  neighbors: Record<string, File>;
  /** The id of the format, if the user chose it. */
  format?: string;
}

/** Why the library refused something. */
export interface Failure {
  message: string;
  code: string;
  path: string | null;
  position: Position | null;
}

/** What a fix changes, to be shown. */
export type Changes = { form: "text"; diff: LineDiff } | { form: "bytes"; changes: ByteChange[]; more: boolean };

/** For each kind of request: its arguments and its answer. */
export interface Requests {
  start: [null, { formats: Format[]; profiles: Profile[] }];
  /** Checks a file of the list; the open file is not touched. */
  status: [Source, { format: string; problems: number; worst: Severity | null }];
  /** Opens a file. All requests below are about the file that was opened last. */
  open: [Source, Overview];
  check: [{ profile: string }, Problem[]];
  fix: [null, { bytes: Uint8Array; edits: number; findings: Problem[]; changes: Changes }];
  /** Applies the whole list of edits; returns the findings of each. */
  edit: [{ edits: Edit[] }, { clips: ClipOverview[]; findings: Finding[][] }];
  plot: [PlotOptions, Picture];
  /** The values of tracks at one time. */
  sample: [{ clip: number; tracks: number[]; time: number }, number[][]];
  convert: [{ to: string; options: WriteOptions }, { bytes: Uint8Array; findings: Finding[] }];
  /** Starts a player; `rig` is the content of a model with a skeleton. */
  play: [{ clip: number; rig: File | null }, Playable];
  /** Writes the pose at a time into the buffer and sends the buffer back. */
  pose: [{ time: number; buffer: ArrayBuffer }, { buffer: ArrayBuffer }];
}

export interface Playable {
  nodes: PlayedNode[];
  root: PlayerRoot;
  duration: number;
  looping: boolean;
  frameRate: number | null;
  findings: Finding[];
}

export type Kind = keyof Requests;
export type Args<K extends Kind> = Requests[K][0];
export type Answer<K extends Kind> = Requests[K][1];

export interface Request<K extends Kind = Kind> {
  id: number;
  kind: K;
  args: Args<K>;
}

/** `trap` says that the module crashed and the worker must not be used again. */
export type Reply =
  { id: number; answer: Answer<Kind> } | { id: number; failure: Failure } | { id: number; trap: string };
