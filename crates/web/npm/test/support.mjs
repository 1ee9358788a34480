/**
 * Shared by the tests: the fixtures, and the command line as the reference.
 *
 * `INBETWEEN` is the path of the command, built from the same sources: `cargo build -p inbetween-cli`.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after } from "node:test";
import { formats, InbetweenError } from "inbetween";

export const FORMATS = formats().map((format) => format.id);

export const FIXTURES = fileURLToPath(new URL("../../../../fixtures", import.meta.url));

/** The limits of the package, which are lower than those of the command. */
const LIMITS = ["--max-input", "256M", "--max-decoded", "256M"];

/** Returns the folder of the good or the broken files of a format. */
export function folder(format, kind) {
  return join(FIXTURES, format, kind);
}

/** Returns the names of the files of a format, without the expected results beside them. */
export function fixtures(format, kind) {
  return readdirSync(folder(format, kind)).filter((name) => !/\.(dump|err)$/.test(name));
}

export function fixture(format, name) {
  return readFileSync(join(folder(format, "ok"), name));
}

/** Runs the command and returns what it prints. */
export function command(...args) {
  const program = process.env.INBETWEEN;
  if (!program) throw new Error("set INBETWEEN to the path of the command `inbetween`");
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 30 });
  if (error) throw error;
  // 1: there are findings; 3: a file cannot be read, and the report of the file says so.
  if (![0, 1, 3].includes(status)) throw new Error(`${args.join(" ")}: exit code ${status}: ${stderr}`);
  return stdout;
}

/** Runs the command and returns its JSON report, an object for each file. */
export function report(name, ...args) {
  return JSON.parse(command(name, "--json", ...LIMITS, ...args));
}

/** Returns a folder that is removed after the tests of a file. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "inbetween-"));
  after(() => rmSync(path, { recursive: true }));
  return path;
}

/** Returns the result of a call, or its error as reports show it. */
export function outcome(call) {
  try {
    return { value: call(), error: null };
  } catch (error) {
    if (!(error instanceof InbetweenError)) throw error;
    const { code, message, path, position } = error;
    return { value: null, error: { code, message, path, position } };
  }
}

/** Returns an error of the command as the package shows `own`, if both mean the same; otherwise as it is. */
export function withoutCommand(error, file, own) {
  if (error === null) return null;
  let message = error.message.replace(file, "").replace(/^(, clip '.*?')?: /, "");
  // The command reads playback clips too, and names flags that solve the problem.
  message = message.replace(", X4 ANI or playback clip", " or X4 ANI");
  if (own && message.endsWith(")") && message.startsWith(`${own.message} (`)) message = own.message;
  // The command says where to put a missing neighbor, but the package has no folders.
  message = message.replace(/ is missing: put it next to ".*?"/, " was not given");
  // A module of 32 bits does not count further.
  const short = message.replace(/\d{10,}(?= (decoded )?bytes)/, "4294967295").replace(/ \(--[a-z-]+\)$/, "");
  if (own && short === own.message) message = own.message;
  return { ...error, message };
}
