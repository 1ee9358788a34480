// Light and dark: the system's setting, or the one that the user chose before.

import { element } from "./dom.ts";

const KEY = "inbetween-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === undefined ? dark.matches : chosen === "dark";
}

/** Calls a function whenever the colors change. */
export function onThemeChange(listener: () => void, signal: AbortSignal): void {
  dark.addEventListener("change", listener, { signal });
  element("theme").addEventListener("click", listener, { signal });
}

export function startTheme(): void {
  const chosen = stored();
  if (chosen) document.documentElement.dataset["theme"] = chosen;
  element("theme").addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Storage is blocked: the choice holds until the page is closed.
    }
  });
}

function stored(): string | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}
