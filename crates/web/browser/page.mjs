/** Drives the page in a browser: drops files, reads what is shown, catches downloads, and watches for what must not happen. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const FLAGS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Longer than anything takes on a slow machine. */
const PATIENCE = 30_000;

export function launch(proxy) {
  return puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [...FLAGS, `--proxy-server=${proxy.address}`],
  });
}

export class Page {
  /** What must not happen: requests to others, dialogs, errors, and violations of the content security policy. */
  wrong = [];

  static async open(browser, origin, { width = 1280, height = 900, dark = false } = {}) {
    const self = new Page();
    self.context = await browser.createBrowserContext();
    self.page = await self.context.newPage();
    self.origin = origin;
    self.downloads = mkdtempSync(join(tmpdir(), "inbetween-page-"));
    await self.#watch();
    await self.page.setViewport({ width, height, deviceScaleFactor: 1 });
    await self.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    await self.page.goto(`${origin}/`);
    await self.until(() => document.documentElement.dataset.ready === "true");
    return self;
  }

  async #watch() {
    const { page, wrong } = this;
    page.setDefaultTimeout(PATIENCE);
    page.on("request", (request) => {
      if (!request.url().startsWith(`${this.origin}/`) && !/^(blob|data):/.test(request.url())) {
        wrong.push(`request: ${request.url()}`);
      }
    });
    page.on("dialog", (dialog) => {
      wrong.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("pageerror", (error) => wrong.push(`error: ${error.message ?? error}`));
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(`console: ${message.text()}`);
    });
    await page.exposeFunction("reportViolation", (text) => wrong.push(`policy: ${text}`));
    await page.evaluateOnNewDocument(() => {
      addEventListener("securitypolicyviolation", (event) => {
        void reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
      });
    });
    this.session = await page.createCDPSession();
    await this.session.send("Browser.setDownloadBehavior", {
      behavior: "allowAndName", downloadPath: this.downloads, eventsEnabled: true,
      browserContextId: this.context.id,
    });
  }

  /** Fails if anything happened that must not. */
  assertNothingWrong() {
    assert.deepEqual(this.wrong, []);
  }

  async close() {
    await this.context.close();
    rmSync(this.downloads, { recursive: true });
  }

  /** Waits until a function that runs in the page returns true. */
  until(condition, ...args) {
    return this.page.waitForFunction(condition, { polling: 20 }, ...args);
  }

  run(inPage, ...args) {
    return this.page.evaluate(inPage, ...args);
  }

  /** Drops files on the page, as `[name, bytes]`. */
  async drop(...files) {
    const encoded = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
    await this.run((files) => {
      const transfer = new DataTransfer();
      for (const [name, text] of files) {
        transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
      }
      const drop = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
      (document.querySelector("#drop:not([hidden])") ?? document.body).dispatchEvent(drop);
    }, encoded);
  }

  /** Drops a file, and waits until it is checked. */
  async open(name, bytes) {
    // The title of the file before may have the same text.
    await this.run(() => document.querySelector(".file-name")?.remove());
    await this.drop([name, bytes]);
    await this.until(() => {
      const badge = document.querySelector("#tab-problems .count");
      return document.querySelector(".file-name") !== null && badge !== null;
    });
  }

  async tab(id) {
    await this.page.click(`#tab-${id}`);
    await this.until((id) => document.querySelector(`#panel-${id}`).childElementCount > 0, id);
  }

  async click(text, within = "[role=tabpanel]:not([hidden])") {
    const found = await this.page.waitForSelector(`${within} ::-p-xpath(.//button[starts-with(normalize-space(), "${text}")])`);
    await found.click();
  }

  text(selector) {
    return this.page.$eval(selector, (element) => element.textContent);
  }

  texts(selector) {
    return this.page.$$eval(selector, (elements) => elements.map((element) => element.textContent));
  }

  /** Chooses an entry of the field with a label. */
  async choose(label, value) {
    await this.run((label, value) => {
      const labels = [...document.querySelectorAll("[role=tabpanel]:not([hidden]) label")];
      const field = document.getElementById(labels.find((each) => each.textContent === label).htmlFor);
      field.value = value;
      field.dispatchEvent(new Event("change", { bubbles: true }));
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }, label, value);
  }

  /** Returns the worker of the page. After a restart it takes a moment until there is one. */
  async worker() {
    const end = performance.now() + PATIENCE;
    while (performance.now() < end) {
      const [worker] = this.page.workers();
      if (worker) return worker;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("the page has no worker");
  }

  /** Clicks a button that downloads something, and returns the name and the content of the file. */
  async download(button) {
    const names = new Map();
    const begins = ({ guid, suggestedFilename }) => names.set(guid, suggestedFilename);
    this.session.on("Browser.downloadWillBegin", begins);
    const completed = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error("the download did not end")), PATIENCE).unref();
      this.session.on("Browser.downloadProgress", ({ state, guid }) => {
        if (state === "completed") resolve(guid);
        if (state === "canceled") reject(new Error("the download was canceled"));
      });
    });
    await this.click(button);
    try {
      const guid = await completed;
      return [names.get(guid), readFileSync(join(this.downloads, guid))];
    } finally {
      this.session.removeAllListeners();
    }
  }

  /** Pauses the player, and returns the positions of the nodes that it shows at a time, as `[name, x, y, z]`. */
  positions(time) {
    return this.run(async (time) => {
      const toggle = document.querySelector("#panel-player .play");
      if (toggle.textContent === "Pause") toggle.click();
      // The pose of the last frame arrives.
      for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
      const detail = { time, result: [] };
      document.querySelector("canvas").dispatchEvent(new CustomEvent("inbetween:positions", { detail }));
      await detail.done;
      return detail.result;
    }, time);
  }
}
