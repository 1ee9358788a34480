// Patterns that choose tracks, as the library understands them: `*` and `?`, for a node or for `node/property`.

export interface TrackName {
  node: string | null;
  property: string | null;
}

/**
 * Returns a filter for tracks. Text without wildcards is searched in the whole name; case does not matter. Several
 * patterns are separated by commas.
 */
export function matcher(text: string): (track: TrackName) => boolean {
  const patterns = text
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return (track) => {
    const [node, property] = [(track.node ?? "").toLowerCase(), (track.property ?? "").toLowerCase()];
    return (
      patterns.length === 0 ||
      patterns.some((pattern) => {
        if (!/[*?]/.test(pattern)) return `${node}/${property}`.includes(pattern);
        const slash = pattern.lastIndexOf("/");
        if (slash < 0) return wildcard(pattern, node);
        return wildcard(pattern.slice(0, slash), node) && wildcard(pattern.slice(slash + 1), property);
      })
    );
  };
}

/** Returns a pattern of the library that matches exactly one node and property. */
export function exactPattern(track: TrackName): string {
  const literal = (text: string): string => text.replace(/[*?[\]{}#]/g, "[$&]");
  return `${literal(track.node ?? "")}/${literal(track.property ?? "")}`;
}

/** Matches without backtracking into earlier stars, so a hostile pattern costs at most pattern times text. */
function wildcard(pattern: string, text: string): boolean {
  let [p, t, star, resume] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p;
      resume = t;
      p += 1;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      resume += 1;
      t = resume;
      p = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}
