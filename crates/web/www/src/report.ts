// The report of a file as text: what was found, with codes and places, without the file's content.

import type { Finding, Position } from "inbetween";
import type { Failure } from "./protocol.ts";
import { shown } from "./names.ts";
import { count } from "./numbers.ts";

export interface Reported {
  name: string;
  format: string | null;
  bytes: number;
  failure: Failure | null;
  findings: Finding[];
}

export function report(file: Reported): string {
  const lines = [
    `File: ${shown(file.name)}`,
    `Format: ${file.format ?? "unknown"}`,
    `Size: ${count(file.bytes, "byte")}`,
    "",
  ];
  if (file.failure) {
    lines.push("Not readable:", entry("error", file.failure.code, file.failure.position, file.failure.message, 1));
  } else {
    lines.push(file.findings.length === 0 ? "No problems." : `${count(file.findings.length, "problem")}:`);
  }
  for (const { severity, code, position, message, count, path } of file.findings) {
    lines.push(entry(severity, code, position, message, count));
    if (path !== "") lines.push(`  in ${shown(path)}`);
  }
  return `${lines.join("\n")}\n`;
}

function entry(severity: string, code: string, position: Position | null, message: string, times: number): string {
  const where = position ? ` at ${place(position)}` : "";
  return `${severity}[${code}]${where}: ${message}${times > 1 ? ` (${times.toLocaleString("en-US")} times)` : ""}`;
}

/** Returns a place for people: line and column of texts, the offset of binary files. */
export function place(position: Position): string {
  if (position.line !== undefined) return `line ${position.line}, column ${position.column ?? 1}`;
  const offset = `offset 0x${position.offset.toString(16)}`;
  return position.space === "decompressed" ? `${offset} of the decompressed section` : offset;
}
