// Registers the service worker, and offers a reload when a new version is ready.

import { element, h } from "./dom.ts";

export function registerServiceWorker(): void {
  // After the load event, so that caching does not compete with the first display. Not available on plain http.
  if (!("serviceWorker" in navigator)) return;
  const register = async (): Promise<void> => {
    const registration = await navigator.serviceWorker.register("./sw.js");
    await navigator.serviceWorker.ready;
    element("offline").textContent = "Works offline.";
    if (registration.waiting) offerReload(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => {
        // Without a controller this is the first version.
        if (worker.state === "installed" && navigator.serviceWorker.controller) offerReload(worker);
      });
    });
  };
  // Refused by some private windows; the page works without it.
  const start = (): void => void register().catch(() => undefined);
  if (document.readyState === "complete") start();
  else addEventListener("load", start);
}

function offerReload(worker: ServiceWorker): void {
  const reload = h(
    "button",
    {
      type: "button",
      onclick: () => {
        navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
        worker.postMessage("take over");
      },
    },
    "Reload",
  );
  element("offline").replaceChildren("A new version is ready. ", reload);
}
