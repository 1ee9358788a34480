// The service worker: it caches all files of this version, so that the page works offline after the first visit.
//
// A new version is installed beside the old one and takes over when the user reloads (see offline.ts) or when all pages
// are closed; only then the old cache is deleted, because open pages may still load parts of the old version.

/** Set by the build: the files, and a name that changes with any of them. */
declare const FILES: string[];
declare const CACHE: string;

/** What is used of the global of a service worker, which TypeScript declares only apart from pages. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetch extends Event {
  request: globalThis.Request;
  respondWith(response: Promise<Response>): void;
}
const scope = self as unknown as {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetch) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
};

/** The name begins with this on every version, so that caches of other pages of the same origin stay. */
const PREFIX = "inbetween-";

scope.addEventListener("install", (event) => {
  // Files without a hash in their name must be those of this version, whatever the browser's own cache holds.
  const hashed = /-[A-Za-z0-9]{8}\.\w+$/;
  const files = FILES.map((file) => new Request(file, { cache: hashed.test(file) ? "default" : "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(
        names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
      );
      await scope.clients.claim();
    })(),
  );
});

scope.addEventListener("message", (event) => {
  if (event.data === "take over") void scope.skipWaiting();
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope.registration.scope)) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(CACHE);
      const cached = request.mode === "navigate" ? await cache.match("./index.html") : await cache.match(request);
      return cached ?? fetch(request);
    })(),
  );
});
