// The tab "Player", loaded with three.js when it is opened first: controls, keys, and the choice of a model.

import { button, checkbox, field, h, select } from "./dom.ts";
import { attempt, sentence } from "./failure.ts";
import { loadModel, LARGEST_MODEL, type Model } from "./model.ts";
import { clipName, extension, shown } from "./names.ts";
import { fileSize, number } from "./numbers.ts";
import { Playback } from "./playback.ts";
import type { Playable } from "./protocol.ts";
import { Stage } from "./stage.ts";
import { onThemeChange } from "./theme.ts";
import type { Context } from "./state.ts";

export function showPlayer(panel: HTMLElement, context: Context): void {
  const { session } = context;
  let [clip, rig]: [number, File | null] = [0, null];
  let playing = new AbortController();
  const view = h("div", { class: "player" });
  const notes = h("div", { "aria-live": "polite" });

  const start = async (): Promise<void> => {
    playing.abort();
    playing = new AbortController();
    const signal = AbortSignal.any([playing.signal, context.signal]);
    notes.replaceChildren();
    const playable = await attempt(
      notes,
      null,
      () => context.client.request("play", { clip, rig }),
      () => void start(),
    );
    if (signal.aborted) return;
    if (!playable) {
      view.replaceChildren();
      if (rig) await startWithout();
      return;
    }
    if (playable.nodes.length === 0) {
      view.replaceChildren(
        h("p", { class: "empty" }, "This clip moves no nodes in space, so there is nothing to show. See the curves."),
      );
      return;
    }
    const model = await modelOf(rig ?? session.source.file, rig !== null, notes);
    if (signal.aborted) return;
    await play(view, context, playable, model, signal, notes);
  };

  /** The model does not fit: plays without it, below the reason. */
  const startWithout = async (): Promise<void> => {
    const reason = [...notes.childNodes];
    rig = null;
    modelName.textContent = "";
    await start();
    notes.prepend(...reason);
  };

  const useModel = (file: File | undefined): void => {
    if (!file) return;
    if (file.size > LARGEST_MODEL) {
      notes.replaceChildren(
        h("p", { class: "failure" }, `${shown(file.name)} has ${fileSize(file.size)}; models may have at most 64 MiB.`),
      );
      return;
    }
    rig = file;
    modelName.textContent = shown(file.name);
    void start();
  };
  const modelName = h("span", { class: "note" });
  const input = h("input", {
    type: "file",
    accept: ".glb",
    hidden: true,
    "aria-label": "Model",
    onchange: () => useModel(input.files?.[0]),
  });
  const clips = session.clips.map((each, index) => ({ value: String(index), text: clipName(each, index) }));

  // A .glb that is dropped here is a model; everything else is opened by the page.
  panel.addEventListener(
    "drop",
    (event) => {
      const [file, second] = event.dataTransfer?.files ?? [];
      if (!file || second || extension(file.name) !== "glb") return;
      event.preventDefault();
      event.stopPropagation();
      document.body.classList.remove("dropping");
      useModel(file);
    },
    { signal: context.signal },
  );

  if (session.clips.length === 0) {
    panel.replaceChildren(h("p", {}, "There are no clips to play."));
    return;
  }
  panel.replaceChildren(
    h(
      "div",
      { class: "toolbar" },
      clips.length > 1 &&
        field(
          "Clip",
          select(clips, "0", (value) => {
            clip = Number(value);
            void start();
          }),
        ),
      h(
        "div",
        { class: "buttons" },
        button("Show on a model (.glb)…", () => input.click()),
        input,
        modelName,
      ),
    ),
    view,
    notes,
  );
  void start();
}

/** Loads the model, or the meshes of the file itself. */
async function modelOf(file: File, chosen: boolean, notes: HTMLElement): Promise<Model | null> {
  if (extension(file.name) !== "glb" || file.size > LARGEST_MODEL) return null;
  try {
    const model = await loadModel(file);
    return chosen || model.hasMeshes ? model : null;
  } catch (error) {
    notes.append(h("p", { class: "note" }, `The meshes cannot be shown, so only the bones are: ${sentence(error)}`));
    return null;
  }
}

async function play(
  view: HTMLElement,
  context: Context,
  playable: Playable,
  model: Model | null,
  signal: AbortSignal,
  notes: HTMLElement,
): Promise<void> {
  const label =
    "Animation. Space plays and pauses, comma and period move by a frame, arrows turn, " +
    "Shift with arrows moves, plus and minus zoom.";
  const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": label });
  let stage: Stage;
  try {
    stage = new Stage(canvas, playable, model);
  } catch {
    view.replaceChildren(
      h(
        "p",
        { class: "failure" },
        "This browser does not offer WebGL, so the player cannot draw. The curves show the same values.",
      ),
    );
    return;
  }
  signal.addEventListener("abort", () => stage.dispose());
  const playback = new Playback(context.client, stage, canvas, playable, () => update());
  const poses = await playback.poses(9).catch(() => null);
  if (!poses || signal.aborted) return;
  stage.fit(poses);

  const toggle = button("Play", () => playback.toggle(), { class: "primary play" });
  const slider = h("input", {
    type: "range",
    min: 0,
    max: playback.duration,
    step: "any",
    value: 0,
    "aria-label": "Time",
    disabled: playback.duration === 0,
    oninput: () => {
      playback.playing = false;
      playback.seek(Number(slider.value));
    },
  });
  const clock = h("output", { class: "clock" });
  const update = (): void => {
    toggle.textContent = playback.playing ? "Pause" : "Play";
    slider.value = String(playback.time);
    clock.textContent = `${playback.time.toFixed(2)} / ${number(Number(playback.duration.toFixed(3)))} s`;
  };
  const speeds = ["0.1", "0.25", "0.5", "1", "2", "4"].map((value) => ({ value, text: `${value}×` }));
  view.replaceChildren(
    canvas,
    h(
      "div",
      { class: "transport" },
      toggle,
      slider,
      clock,
      field(
        "Speed",
        select(speeds, "1", (value) => {
          playback.speed = Number(value);
        }),
      ),
      checkbox("Loop", playback.looping, (checked) => {
        playback.looping = checked;
      }),
      model && checkbox("Bones", !model.hasMeshes, (checked) => stage.showBones(checked)),
    ),
  );
  notes.append(...playable.findings.slice(0, 20).map(({ message }) => h("p", { class: "note" }, message)));

  const resized = new ResizeObserver(() => stage.resize(canvas.clientWidth, canvas.clientHeight));
  resized.observe(canvas);
  signal.addEventListener("abort", () => resized.disconnect());
  const recolor = (): void => stage.recolor(getComputedStyle(canvas).color);
  recolor();
  onThemeChange(() => setTimeout(recolor), signal);
  addKeys(playback, stage, canvas, playable.frameRate ?? 30, signal);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) playback.toggle();
  update();
  playback.run(signal);
}

/** Space works in the whole tab, the other keys on the canvas. */
function addKeys(playback: Playback, stage: Stage, canvas: HTMLCanvasElement, rate: number, signal: AbortSignal): void {
  document.addEventListener(
    "keydown",
    (event) => {
      const target = event.target as HTMLElement;
      const typing = target.closest("input, select, textarea, summary, button:not([role=tab])");
      if (event.key !== " " || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      playback.toggle();
    },
    { signal },
  );
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { controls } = stage;
    const arrows: Record<string, [number, number]> = {
      ArrowLeft: [1, 0],
      ArrowRight: [-1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) controls.pan(arrow[0] * 20, arrow[1] * 20);
    else if (arrow?.[0]) controls.rotateLeft(arrow[0] * 0.1);
    else if (arrow) controls.rotateUp(arrow[1] * 0.1);
    else if (event.key === "+" || event.key === "=") controls.dollyIn(1 / 1.1);
    else if (event.key === "-") controls.dollyOut(1 / 1.1);
    else if (event.key === "," || event.key === ".") {
      playback.playing = false;
      playback.seek(playback.time + (event.key === "." ? 1 : -1) / rate);
    } else if (event.key === "Home") playback.seek(0);
    else if (event.key === "End") playback.seek(playback.duration);
    else return;
    event.preventDefault();
  });
}
