// What the tabs share: the open file, and what they may ask of the page.

import type { ClipOverview, Edit, Finding, Format, Overview, Problem, Profile } from "inbetween";
import type { Client } from "./client.ts";
import type { Failure, Source } from "./protocol.ts";

/** The open file. */
export interface Session {
  source: Source;
  /** Null if the file cannot be read; then `failure` says why. */
  overview: Overview | null;
  failure: Failure | null;
  /** Null while they are not known. */
  problems: Problem[] | null;
  /** The profile of the check, or an empty text. */
  profile: string;
  edits: Edit[];
  /** The findings of each edit. */
  editFindings: Finding[][];
  /** The clips after the edits. */
  clips: ClipOverview[];
}

export interface Context {
  client: Client;
  session: Session;
  formats: Format[];
  profiles: Profile[];
  /** Aborted when the tab is drawn again; ends listeners, animations and pending requests of the tab. */
  signal: AbortSignal;
  /** Tells screen readers and shows a short message. */
  say(text: string): void;
  /** Checks the file again and shows the problems. */
  check(profile: string): Promise<void>;
  /** Replaces the list of edits. */
  applyEdits(edits: Edit[]): Promise<void>;
  /** Opens the file again as another format. */
  reopenAs(format: string): void;
}

export function formatOf({ formats, session }: Context): Format | undefined {
  return formats.find((format) => format.id === session.overview?.format);
}
