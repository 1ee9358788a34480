/** What the functions of the package take and return. Times are seconds, angles radians. */

/** A place in a file. */
export interface Position {
  /** Bytes from the start. */
  offset: number;
  /** Set if the offset counts bytes of the decompressed section. */
  space?: "decompressed";
  /** The line of a text, from 1. */
  line?: number;
  /** The column in the line, from 1. */
  column?: number;
}

/** A clip or a track that a finding is about. */
export interface Item {
  /** Its index in the file or the clip, from 0. */
  index: number;
  name: string;
}

export type Severity = "hint" | "info" | "warning" | "error";

/** What was noticed, changed or lost. */
export interface Finding {
  /** Its code, such as `convert/times-rounded`; {@link explain} says what it means. */
  code: string;
  severity: Severity;
  /** Whether something is lost. */
  loss: boolean;
  /** The path of the value in the file; empty for the whole file. */
  path: string;
  clip?: Item;
  track?: Item;
  /** The index of the key, from 0. */
  key?: number;
  position: Position | null;
  message: string;
  /** How often. */
  count: number;
  /** Whether {@link fix} fixes it. */
  fixable: boolean;
  /** What it means and what to do. */
  help: string;
}

/** A finding of {@link check}. */
export interface Problem extends Finding {
  /** What {@link fix} does about it. */
  fix: string | null;
  /** The line of a text file around it: `column` characters stand before the place. */
  snippet: { line: number; text: string; column: number } | null;
}

export interface TrackOverview {
  node: string | null;
  property: string | null;
  /** `x`, `y` or `z`, if the track has only one component. */
  component: string | null;
  /** The kind of its values, such as `float3`. */
  kind: string;
  shape: "uniform" | "stepped" | "curve";
  keys: number;
}

export interface Marker {
  time: number;
  name: string;
}

export interface ClipOverview {
  name: string | null;
  duration: number | null;
  first_key: number | null;
  stated_duration: number | null;
  frame_rate: number | null;
  looping: boolean;
  blend: string;
  tracks: TrackOverview[];
  markers: Marker[];
}

/** What a file contains. */
export interface Overview {
  /** The id of its format. */
  format: string;
  bytes: number;
  /** The layout that was found, for people. */
  layout: string | null;
  /** Facts of the format. */
  facts: Record<string, string>;
  clips: ClipOverview[];
  /** The parts that cannot be read. */
  findings: Finding[];
}

export interface FormatOption {
  /** The name, such as `curve-keys`. */
  name: string;
  /** The values, such as `RATE`. */
  value: string;
  help: string;
  applies: "reading" | "writing" | "both" | "fixing";
}

/** A format. */
export interface Format {
  id: string;
  name: string;
  /** The extensions of its files, without a dot. */
  extensions: string[];
  summary: string;
  /** How exactly a file is rewritten. */
  promise: string;
  encoding: "binary" | "text";
  clips: "one" | "many";
  options: FormatOption[];
}

/** A program with wishes of its own. */
export interface Profile {
  /** The name for options, such as `blender`. */
  name: string;
  /** The name for people. */
  program: string;
  /** The ids of the formats that it reads. */
  formats: string[];
}

/** A code of findings. */
export interface Code {
  code: string;
  severity: Severity;
  loss: boolean;
  help: string;
}

/** How a file is read. */
export interface ReadOptions {
  /** The name of the file, whose extension helps where the content is not clear. */
  name?: string;
  /** The id of the format, if it is not to be found. */
  format?: string;
  /** Options of the format, by their names: `{"fps": 60}`. */
  options?: Record<string, string | number | boolean>;
  /** Files beside it that it refers to, by their names: the `.bin` of a `.gltf`. */
  neighbors?: Record<string, Uint8Array>;
  /** The largest number of bytes of the file; 256 MiB without it. */
  maxInput?: number;
  /** The largest number of bytes of its decoded keys; 256 MiB without it. */
  maxDecoded?: number;
}

export interface CheckOptions extends ReadOptions {
  /** A program, to be told what it does with the file. */
  profile?: string;
}

/** How a file is written. */
export interface WriteOptions {
  /** Only one clip, by its name or a number such as `#2`. */
  clip?: string;
  /** Options of the format to write, by their names. */
  options?: Record<string, string | number | boolean>;
  /** How axes are converted: `auto`, `keep`, or axes such as `x,z,-y`. */
  axes?: string;
  /** The unit of lengths in the file, such as `cm`. */
  unit?: string;
  /** A program whose wishes are followed. */
  profile?: string;
  /** Whether a loss is an error. */
  strict?: boolean;
  /** Patterns of codes of losses that `strict` accepts. */
  allow?: string[];
}

/** A converted file. */
export interface Converted {
  bytes: Uint8Array;
  /** The ids of the formats. */
  from: string;
  to: string;
  findings: Finding[];
  /** Those of the findings that are losses. */
  losses: Finding[];
}

/** A fixed file. */
export interface Fixed {
  bytes: Uint8Array;
  /** The number of changes. */
  edits: number;
  /** What is left. */
  findings: Problem[];
}

/** The keys of a track. */
export interface Keys {
  times: Float64Array;
  /** The values of all keys, one after the other: `width` numbers for each. */
  values: Float32Array | Float64Array;
  width: number;
}

/** How curves are drawn. */
export interface PlotOptions {
  /** The title of the picture. */
  title?: string;
  /** Patterns of tracks, such as `arm_*` or `hips/Rotation`; all that move without it. */
  tracks?: string[];
  /** The index of the only clip to draw, from 0. */
  clip?: number;
  /** Whether rotations are drawn as Euler angles in degrees. */
  degrees?: boolean;
  start?: number;
  end?: number;
  /** The page, from 1. */
  page?: number;
}

/** Where a panel of a picture is: its pixels from `left` to `left + width` are the times from `start` to `end`. */
export interface Panel {
  /** The index of the clip. */
  clip: number;
  node: string;
  property: string;
  /** The indices of its tracks in the clip. */
  tracks: number[];
  left: number;
  top: number;
  width: number;
  height: number;
  start: number;
  end: number;
}

/** A page of curves. */
export interface Picture {
  svg: string;
  page: number;
  pages: number;
  /** The number of panels that are not drawn because nothing moves in them. */
  still: number;
  panels: Panel[];
}

/** An edit, with its arguments. */
export type Edit =
  | { edit: "trim"; start?: number; end?: number }
  | { edit: "retime"; factor: number }
  | { edit: "reverse" }
  | { edit: "rename"; what: "nodes" | "properties" | "clips" | "markers"; old: string; new: string }
  | { edit: "reduce"; bound: number }
  | { edit: "resample"; rate: number }
  | { edit: "drop"; tracks: string[] }
  | { edit: "select"; tracks: string[] };

/** A node of a player. */
export interface PlayedNode {
  name: string;
  /** The index of its parent; -1 for none. Parents stand before their children. */
  parent: number;
  /** Whether it is a bone of a skeleton, and not only a name of tracks. */
  bone: boolean;
}

/** The node above all nodes of a player: it makes y up and lengths meters. */
export interface PlayerRoot {
  /** A quaternion x, y, z, w. */
  rotation: [number, number, number, number];
  scale: number;
}
