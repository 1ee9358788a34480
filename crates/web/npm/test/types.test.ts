/** Uses every function of the package with its types. It is compiled and never run. */

import {
  check, convert, detect, Document, explain, fix, formats, InbetweenError, init, inspect, Player, profiles, read,
} from "inbetween";
import type {
  CheckOptions, ClipOverview, Code, Converted, Edit, Finding, Fixed, Format, Keys, Marker, Overview, Panel, Picture,
  PlayedNode, PlotOptions, Position, Problem, Profile, ReadOptions, Severity, TrackOverview, WriteOptions,
} from "inbetween";

declare const bytes: Uint8Array;

const reading: ReadOptions = {
  name: "a.seanim", format: "seanim", options: { fps: 60, nan: "zero", strict: true }, neighbors: { "a.bin": bytes },
  maxInput: 1, maxDecoded: 1,
};
const checking: CheckOptions = { ...reading, profile: "blender" };
const writing: WriteOptions = {
  clip: "#1", options: { fps: 30 }, axes: "auto", unit: "cm", profile: "blender", strict: true, allow: ["convert/*"],
};

export async function load(module: WebAssembly.Module, response: Response): Promise<void> {
  await init();
  await init(new URL("https://example.org/inbetween_bg.wasm"));
  await init(response);
  await init(bytes.buffer as ArrayBuffer);
  await init(module);
}

export function files(): void {
  const known: Format[] = formats();
  const programs: Profile[] = profiles();
  const code: Code = explain("loop-seam");
  const severity: Severity = code.severity;
  const format: string = detect(bytes, reading);
  const { clips, facts, layout }: Overview = inspect(bytes);
  const problems: Problem[] = check(bytes, checking);
  const column: number | undefined = problems[0]?.snippet?.column;
  const title: string | null | undefined = problems[0]?.fix;
  const position: Position | null | undefined = problems[0]?.position;
  const { edits, findings }: Fixed = fix(bytes, reading);
  const { losses, from, to }: Converted = convert(bytes, "glb", { read: reading, write: writing });
  use(known[0]?.options[0]?.applies, programs, severity, format, clips, facts["bones"], layout, column, title, position);
  use(position?.space, position?.line, edits, findings, losses, from, to);
}

export function document(rig: Document): void {
  const document: Document = read(bytes, reading);
  const found: Finding[] = document.findings;
  const clip: ClipOverview | undefined = document.clips[0];
  const track: TrackOverview | undefined = clip?.tracks[0];
  const marker: Marker | undefined = clip?.markers[0];
  const { times, values, width }: Keys = document.keys(0, 0);
  const exact: Float32Array | Float64Array = values;
  const sampled: Float64Array = document.sample(0, 0, [0, 1]);
  document.sample(0, 0, times);
  const options: PlotOptions = { title: "a", tracks: ["*"], clip: 0, degrees: true, start: 0, end: 1, page: 1 };
  const { panels, pages, still, svg }: Picture = document.plot(options);
  const panel: Panel | undefined = panels[0];
  const edits: Edit[] = [
    { edit: "trim", start: 0, end: 1 }, { edit: "trim" }, { edit: "retime", factor: 2 }, { edit: "reverse" },
    { edit: "rename", what: "nodes", old: "a", new: "b" }, { edit: "reduce", bound: 0.1 }, { edit: "resample", rate: 30 },
    { edit: "drop", tracks: ["*"] }, { edit: "select", tracks: ["*"] },
  ];
  const edited: Document = edits.reduce((before: Document, edit) => before.edit(edit), document);
  const converted: Uint8Array = edited.convert("animj", writing).bytes;
  const player: Player = document.player(0, rig);
  const node: PlayedNode | undefined = player.nodes[0];
  const rate: number | null = player.frameRate;
  player.pose(0, new Float32Array(player.nodes.length * 10));
  use(found[0]?.track?.index, track?.component, marker?.time, width, exact, sampled, pages, still, svg, panel?.tracks);
  use(converted, node?.parent, rate, player.duration, player.looping, player.findings, document.format);
  player.free();
  document[Symbol.dispose]();
}

export function scoped(): string {
  using document = read(bytes);
  using player = document.player(0);
  return player.nodes[0]?.name ?? document.format;
}

export function errors(error: unknown): Position | null {
  if (error instanceof InbetweenError) use(error.code, error.path, error.message);
  return error instanceof InbetweenError ? error.position : null;
}

export function mistakes(document: Document, finding: Finding): void {
  // @ts-expect-error: bytes are no text.
  read("walk.seanim");
  // @ts-expect-error: there is no such edit.
  document.edit({ edit: "stretch" });
  // @ts-expect-error: a retiming needs its factor.
  document.edit({ edit: "retime" });
  // @ts-expect-error: a wrong name of an option.
  document.convert("glb", { axis: "keep" });
  // @ts-expect-error: poses are written to single precision.
  document.player(0).pose(0, new Float64Array(10));
  // @ts-expect-error: not every finding has a clip.
  use(finding.clip.index);
  // @ts-expect-error: documents are made by `read`.
  document.format = "cast";
}

function use(..._values: unknown[]): void {}
