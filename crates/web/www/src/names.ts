// Names of files: their parts, and how names from files are shown and used safely.

/** Returns the extension in lower case, without the dot. */
export function extension(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** Returns the name without folders and extension. */
export function stem(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? "";
  return base.replace(/\.[^.]+$/, "") || base;
}

/** Returns the folder of a path, with the separator at its end. */
export function folder(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Returns the name of a downloaded file. Browsers replace most of these characters too, but not all do. */
export function downloadName(name: string, suffix: string): string {
  const safe = stem(name)
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, "_")
    .replace(/^\.+/, "")
    .slice(0, 100);
  return `${safe || "animation"}.${suffix}`;
}

/** The longest name that is shown. */
const LONGEST = 120;

/** Returns a name for people: control, bidirectional and zero-width characters are escaped, long names are cut. */
export function shown(name: string): string {
  const characters = [...name.slice(0, 2 * LONGEST)];
  const cut = characters
    .slice(0, LONGEST)
    .join("")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
      return `\\u{${character.codePointAt(0)?.toString(16)}}`;
    });
  return characters.length > LONGEST || name.length > 2 * LONGEST ? `${cut}…` : cut;
}

/** Returns the name of a track: its node and property, and its component. */
export function trackName(track: { node: string | null; property: string | null; component: string | null }): string {
  const property = (track.property ?? "") + (track.component ? `.${track.component}` : "");
  return shown(track.node ? `${track.node}/${property}` : property);
}

/** Returns the name of a clip, or its number where it has none. */
export function clipName(clip: { name: string | null }, index: number): string {
  return clip.name ? shown(clip.name) : `Clip ${index + 1}`;
}
