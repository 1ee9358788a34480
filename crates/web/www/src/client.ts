// The page's side of the worker: sends requests, reports slow ones, and replaces the worker after a cancel or a crash.

import type { Answer, Args, Failure, Kind, Reply, Request } from "./protocol.ts";

/** The part of `Worker` that is used, so that tests can pass another one. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: Request, transfer: Transferable[]): void;
  terminate(): void;
}

/** The library refused a request, for example because the file is broken. */
export class Refused extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The user canceled. */
export class Canceled extends Error {
  constructor() {
    super("Canceled.");
  }
}

/** The worker crashed. */
export class Crashed extends Error {}

export interface ClientEvents {
  /** A request takes longer than the delay, or no such request remains. */
  busy(busy: boolean): void;
  /** The worker was replaced: the new one has no open file. */
  restarted(cause: Canceled | Crashed): void;
}

interface Pending {
  resolve(answer: Answer<Kind>): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout> | undefined;
  slow: boolean;
}

export interface RequestOptions {
  transfer?: Transferable[];
  /** Never reported as busy, such as the poses of the player. */
  quiet?: boolean;
}

export class Client {
  readonly #create: () => WorkerLike;
  readonly #events: ClientEvents;
  readonly #delay: number;
  readonly #pending = new Map<number, Pending>();
  #worker: WorkerLike;
  #id = 0;

  constructor(create: () => WorkerLike, events: ClientEvents, delay = 300) {
    this.#create = create;
    this.#events = events;
    this.#delay = delay;
    this.#worker = this.#start();
  }

  request<K extends Kind>(kind: K, args: Args<K>, options: RequestOptions = {}): Promise<Answer<K>> {
    return new Promise<Answer<Kind>>((resolve, reject) => {
      this.#id += 1;
      const pending: Pending = { resolve, reject, timer: undefined, slow: false };
      if (!options.quiet) {
        pending.timer = setTimeout(() => {
          pending.slow = true;
          this.#events.busy(true);
        }, this.#delay);
      }
      this.#pending.set(this.#id, pending);
      this.#worker.postMessage({ id: this.#id, kind, args }, options.transfer ?? []);
    }) as Promise<Answer<K>>;
  }

  /** Stops all requests by replacing the worker. */
  cancel(): void {
    this.#restart(new Canceled());
  }

  #start(): WorkerLike {
    const worker = this.#create();
    worker.onmessage = (event) => this.#receive(worker, event.data);
    worker.onerror = (event) => {
      if (worker === this.#worker) this.#restart(new Crashed(event.message || "The worker could not be started."));
    };
    return worker;
  }

  #receive(worker: WorkerLike, reply: Reply): void {
    // A message of a worker that was terminated in the meantime.
    if (worker !== this.#worker) return;
    if ("trap" in reply) {
      this.#restart(new Crashed(reply.trap));
      return;
    }
    const pending = this.#take(reply.id);
    if ("answer" in reply) pending?.resolve(reply.answer);
    else pending?.reject(new Refused(reply.failure));
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    if (pending?.slow && ![...this.#pending.values()].some((other) => other.slow)) this.#events.busy(false);
    return pending;
  }

  #restart(cause: Canceled | Crashed): void {
    this.#worker.terminate();
    this.#worker = this.#start();
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(cause);
    this.#events.restarted(cause);
  }
}
