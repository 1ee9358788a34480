// The clock of the player: asks the worker for poses, sets them on the stage, and measures the work per frame.

import type { Client } from "./client.ts";
import type { Playable } from "./protocol.ts";
import { STRIDE, type Stage } from "./stage.ts";

/** The frames of which the median is taken. */
const MEASURED = 120;
const WARM_UP = 3;

export class Playback {
  time = 0;
  speed = 1;
  playing = false;
  looping: boolean;
  readonly duration: number;
  readonly #client: Client;
  readonly #stage: Stage;
  readonly #canvas: HTMLCanvasElement;
  readonly #changed: () => void;
  /**
   * The only buffer of poses: it goes to the worker and comes back filled. So a frame shows the pose that was
   * requested in the frame before, and allocates nothing but the message.
   */
  #buffer: ArrayBuffer | null;
  readonly #bytes: number;
  #shown = Number.NaN;
  #last = 0;
  readonly #work = new Float64Array(MEASURED);
  #frames = 0;
  #reported = 0;

  constructor(client: Client, stage: Stage, canvas: HTMLCanvasElement, playable: Playable, changed: () => void) {
    this.#client = client;
    this.#stage = stage;
    this.#canvas = canvas;
    this.#changed = changed;
    this.duration = playable.duration;
    this.looping = playable.looping;
    this.#bytes = playable.nodes.length * STRIDE * 4;
    this.#buffer = new ArrayBuffer(this.#bytes);
  }

  /** Returns the poses at evenly spaced times, to find the space that the clip needs. */
  async poses(amount: number): Promise<Float32Array[]> {
    const poses: Float32Array[] = [];
    for (let index = 0; index < amount; index += 1) {
      poses.push(await this.#pose((this.duration * index) / Math.max(1, amount - 1)));
    }
    return poses;
  }

  async #pose(time: number): Promise<Float32Array> {
    const buffer = new ArrayBuffer(this.#bytes);
    const answer = await this.#client.request("pose", { time, buffer }, { transfer: [buffer], quiet: true });
    return new Float32Array(answer.buffer);
  }

  /** Runs until the signal is aborted. */
  run(signal: AbortSignal): void {
    this.#answerTests(signal);
    const frame = (now: number): void => {
      if (signal.aborted) return;
      requestAnimationFrame(frame);
      if (this.playing) this.#advance((now - this.#last) / 1000);
      this.#last = now;
      if (this.#buffer && this.time !== this.#shown) void this.#request(this.#buffer, this.time, signal);
      if (this.#stage.dirty) this.#measure(now, () => this.#stage.render());
    };
    requestAnimationFrame(frame);
  }

  seek(time: number): void {
    this.time = Math.min(this.duration, Math.max(0, time));
    this.#changed();
  }

  /** Plays or pauses; at the end it plays from the start again. */
  toggle(): void {
    this.playing = !this.playing && this.duration > 0;
    if (this.playing && !this.looping && this.time >= this.duration) this.time = 0;
    this.#changed();
  }

  #advance(seconds: number): void {
    // A hidden page gets no frames; its pause is no time of the clip.
    let next = this.time + Math.min(seconds, 0.25) * this.speed;
    if (next >= this.duration) {
      if (this.looping) next %= this.duration;
      else {
        next = this.duration;
        this.playing = false;
      }
    }
    this.time = next;
    this.#changed();
  }

  async #request(buffer: ArrayBuffer, time: number, signal: AbortSignal): Promise<void> {
    this.#buffer = null;
    try {
      const answer = await this.#client.request("pose", { time, buffer }, { transfer: [buffer], quiet: true });
      this.#buffer = answer.buffer;
      if (signal.aborted) return;
      const start = performance.now();
      this.#stage.apply(new Float32Array(answer.buffer));
      this.#applied = performance.now() - start;
      this.#shown = time;
      this.#canvas.dataset["time"] = String(time);
    } catch {
      // The worker was replaced: the tab is drawn again, with another player.
    }
  }

  /** The milliseconds of setting the pose that the next frame draws. */
  #applied = 0;

  #measure(now: number, work: () => void): void {
    const start = performance.now();
    work();
    this.#frames += 1;
    // The first frames compile the shaders and upload the meshes.
    if (this.#frames <= WARM_UP) return;
    this.#work[this.#frames % MEASURED] = performance.now() - start + this.#applied;
    if (now - this.#reported < 1000) return;
    this.#reported = now;
    const sorted = this.#work.filter((milliseconds) => milliseconds > 0).sort();
    this.#canvas.dataset["frameMs"] = (sorted[sorted.length >> 1] ?? 0).toFixed(2);
  }

  /**
   * For tests: `new CustomEvent("inbetween:positions", { detail: { time, result: [] } })` on the canvas fills `result`
   * with `[name, x, y, z]` of all nodes at that time, in world coordinates. The pose comes from the worker, so
   * `detail.done` is set to a promise that is fulfilled when `result` is filled.
   */
  #answerTests(signal: AbortSignal): void {
    this.#canvas.addEventListener(
      "inbetween:positions",
      (event) => {
        const { detail } = event as CustomEvent<{ time: number; result: unknown[]; done?: Promise<void> }>;
        detail.done = this.#pose(detail.time).then((pose) => {
          this.#stage.apply(pose);
          detail.result.push(...this.#stage.positions());
          this.#shown = Number.NaN; // shows the pose of the clock again
        });
      },
      { signal },
    );
  }
}
