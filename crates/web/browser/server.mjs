/** Serves the page from a folder, and records every request that would leave it. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** Starts a server of the files of a folder. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://page").pathname);
    const file = join(folder, normalize(path === "/" ? "/index.html" : path));
    readFile(file).then(
      (content) => response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await listen(server);
  return {
    origin: `http://localhost:${server.address().port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Starts a proxy that refuses and records everything. Workers and service workers use it too, whose requests a page does
 * not report. Requests to `localhost` do not reach it.
 */
export async function refuseAll() {
  const hosts = new Set();
  const refuse = (host) => {
    // The browser's own services, which no flag turns off completely.
    if (!/(^|\.)(google|googleapis|gstatic|gvt1)\.com(:\d+)?$/.test(host)) hosts.add(host);
  };
  const proxy = createServer((request, response) => {
    refuse(new URL(request.url).host);
    response.writeHead(403).end();
  });
  proxy.on("connect", (request, socket) => {
    refuse(request.url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await listen(proxy);
  return { address: `127.0.0.1:${proxy.address().port}`, hosts, stop: () => proxy.close() };
}

function listen(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}
