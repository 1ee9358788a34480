// The files that the user brings: from the file dialog, a folder, a drop, or the clipboard.

import { extension, folder } from "./names.ts";
import type { Source } from "./protocol.ts";

/** Larger files are refused before they are read. */
export const LARGEST = 256 * 1024 * 1024;

/** The name of pasted text. */
export const PASTED = "pasted text";

/** A file with its path below the folder that was chosen; the path of single files is their name. */
export interface Found {
  file: File;
  path: string;
}

export function fromInput(files: FileList | File[]): Found[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** Lists the files of a drop, with those in dropped folders. */
export async function fromDrop(transfer: DataTransfer): Promise<Found[]> {
  // Entries must be taken before the first `await`: the list is emptied when the event ends.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  if (!entries.some((entry) => entry.isDirectory)) return fromInput(transfer.files);
  const found: Found[] = [];
  const folders: FileSystemDirectoryEntry[] = [];
  const take = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isDirectory) folders.push(entry as FileSystemDirectoryEntry);
    else found.push({ file: await fileOf(entry as FileSystemFileEntry), path: entry.fullPath.replace(/^\//, "") });
  };
  for (const entry of entries) await take(entry);
  for (let next = folders.shift(); next; next = folders.shift()) {
    for (const entry of await entriesOf(next)) await take(entry);
  }
  return found;
}

/** Returns pasted files, or pasted text as a file: AnimJ, BVH and Unity .anim are text. */
export function fromClipboard(transfer: DataTransfer): Found[] {
  if (transfer.files.length > 0) return fromInput(transfer.files);
  const text = transfer.getData("text/plain");
  return text.trim() === "" ? [] : fromInput([new File([text], PASTED)]);
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // A call returns only the next part of a folder, 100 entries in Chromium.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}

/** Removes what is not listed: files of other kinds in folders, and the `.bin` files that belong to a `.gltf`. */
export function listed(found: Found[], extensions: Set<string>): Found[] {
  const folders = new Set(found.filter(({ path }) => extension(path) === "gltf").map(({ path }) => folder(path)));
  const sorted = [...found].sort((a, b) => (a.path < b.path ? -1 : 1));
  return sorted.filter(({ path }) => {
    if (extension(path) === "bin") return !folders.has(folder(path)) && folder(path) === "";
    return folder(path) === "" || extensions.has(extension(path));
  });
}

/** Returns the file with its neighbors: for a `.gltf`, the `.bin` files of its folder. */
export function sourceOf({ file, path }: Found, found: Found[]): Source {
  const neighbors: Record<string, File> = {};
  if (extension(path) === "gltf") {
    for (const other of found) {
      const beside = folder(other.path) === folder(path) && extension(other.path) === "bin";
      if (beside && other.file.size <= LARGEST) neighbors[other.file.name] = other.file;
    }
  }
  return { file, neighbors };
}
