import assert from "node:assert/strict";
import { test } from "node:test";
import { Canceled, Client, Crashed, Refused, type WorkerLike } from "../src/client.ts";
import type { Reply, Request } from "../src/protocol.ts";

class FakeWorker implements WorkerLike {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly received: Request[] = [];
  terminated = false;

  postMessage(message: Request): void {
    this.received.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }

  reply(reply: Reply): void {
    this.onmessage?.({ data: reply } as MessageEvent<Reply>);
  }
}

function setUp(delay = 5): { client: Client; workers: FakeWorker[]; busy: boolean[]; restarts: Error[] } {
  const [workers, busy, restarts]: [FakeWorker[], boolean[], Error[]] = [[], [], []];
  const create = (): FakeWorker => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  const client = new Client(create, { busy: (is) => busy.push(is), restarted: (cause) => restarts.push(cause) }, delay);
  return { client, workers, busy, restarts };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("answers go to their requests in any order", async () => {
  const { client, workers } = setUp();
  const [first, second] = [
    client.request("check", { profile: "a" }),
    client.request("sample", { clip: 0, tracks: [0], time: 0 }),
  ];
  const ids = workers[0]?.received.map(({ id }) => id) ?? [];
  workers[0]?.reply({ id: ids[1] ?? -1, answer: [[1]] });
  workers[0]?.reply({ id: ids[0] ?? -1, answer: [] });
  assert.deepEqual(await first, []);
  assert.deepEqual(await second, [[1]]);
});

test("a failure rejects with its place", async () => {
  const { client, workers } = setUp();
  const request = client.request("start", null);
  workers[0]?.reply({ id: 1, failure: { message: "bad", code: "read", path: "a/b", position: { offset: 4 } } });
  await assert.rejects(request, (error) => error instanceof Refused && error.failure.position?.offset === 4);
});

test("only slow requests are reported as busy", async () => {
  const { client, workers, busy } = setUp();
  const fast = client.request("start", null);
  workers[0]?.reply({ id: 1, answer: { formats: [], profiles: [] } });
  await fast;
  const slow = client.request("start", null);
  const quiet = client.request("start", null, { quiet: true });
  await pause(20);
  assert.deepEqual(busy, [true]);
  workers[0]?.reply({ id: 2, answer: { formats: [], profiles: [] } });
  await slow;
  assert.deepEqual(busy, [true, false]);
  workers[0]?.reply({ id: 3, answer: { formats: [], profiles: [] } });
  await quiet;
  assert.deepEqual(busy, [true, false]);
});

test("busy ends with the last slow request", async () => {
  const { client, workers, busy } = setUp();
  void client.request("start", null);
  void client.request("start", null);
  await pause(20);
  workers[0]?.reply({ id: 1, answer: [] });
  assert.deepEqual(busy, [true, true]);
  workers[0]?.reply({ id: 2, answer: [] });
  assert.deepEqual(busy, [true, true, false]);
});

test("canceling rejects everything and starts a new worker", async () => {
  const { client, workers, restarts, busy } = setUp();
  const request = client.request("start", null);
  await pause(20);
  client.cancel();
  await assert.rejects(request, Canceled);
  assert.equal(workers[0]?.terminated, true);
  assert.equal(workers.length, 2);
  assert.ok(restarts[0] instanceof Canceled);
  assert.deepEqual(busy, [true, false]);
  const next = client.request("start", null);
  workers[1]?.reply({ id: 2, answer: { formats: [], profiles: [] } });
  await next;
});

test("a trap and an error event restart the worker", async () => {
  const { client, workers, restarts } = setUp();
  const first = client.request("start", null);
  workers[0]?.reply({ id: 1, trap: "unreachable" });
  await assert.rejects(first, Crashed);
  const second = client.request("start", null);
  workers[1]?.onerror?.({ message: "gone" } as ErrorEvent);
  await assert.rejects(second, Crashed);
  assert.equal(restarts.length, 2);
  assert.equal(workers.length, 3);
});

test("messages and errors of an old worker are ignored", () => {
  const { client, workers, restarts } = setUp();
  client.cancel();
  workers[0]?.reply({ id: 1, trap: "late" });
  workers[0]?.onerror?.({ message: "late" } as ErrorEvent);
  assert.equal(restarts.length, 1);
  assert.equal(workers.length, 2);
});
