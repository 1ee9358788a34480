// Listens for files: the two inputs and the buttons that open them, drops anywhere on the page, and pasting.

import { element } from "./dom.ts";
import { type Found, fromClipboard, fromDrop, fromInput } from "./files.ts";

export function listenForFiles(add: (found: Found[]) => Promise<void>, fail: (error: unknown) => void): void {
  for (const id of ["choose-files", "choose-folder"]) {
    const input = element(id) as HTMLInputElement;
    input.addEventListener("change", () => {
      const found = fromInput(input.files ?? []);
      input.value = ""; // so that the same file can be chosen again
      void add(found);
    });
  }
  for (const target of document.querySelectorAll<HTMLElement>("[data-choose]")) {
    target.addEventListener("click", () => element(target.dataset["choose"] ?? "").click());
  }
  const body = document.body;
  body.addEventListener("dragover", (event) => {
    event.preventDefault();
    body.classList.add("dropping");
  });
  body.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) body.classList.remove("dropping");
  });
  body.addEventListener("drop", (event) => {
    event.preventDefault();
    body.classList.remove("dropping");
    if (event.dataTransfer) void fromDrop(event.dataTransfer).then(add).catch(fail);
  });
  document.addEventListener("paste", (event) => {
    if ((event.target as HTMLElement).closest("input, textarea") || !event.clipboardData) return;
    void add(fromClipboard(event.clipboardData));
  });
}
