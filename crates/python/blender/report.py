"""Shows what an import or export found: a popup with counts, the Info editor and a text block."""

from __future__ import annotations

from typing import Any

import bpy

import inbetween

ERRORS = (inbetween.Error, ValueError, KeyError, OSError, RuntimeError)
"""What a file or a wrong choice raises; anything else is a bug, and its traceback helps."""

TEXT = "inbetween report"
SHOWN = 8
"""The lines of a popup, after which the text block has the rest."""


def plural(count: int, one: str, many: str = "") -> str:
    """Returns a count with its noun."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def of_import(results: list[Any], errors: list[str]) -> tuple[list[str], list[str]]:
    """Returns the lines of the popup and those of the text block for imported files."""
    actions = sum(len(result.actions) for result in results)
    short = [f"{plural(actions, 'action')} from {plural(len(results), 'file')}"]
    lines = []
    for result in results:
        lines += ["", f"{result.path}: {', '.join(result.actions) or 'no actions'}"]
        lines.append(f"  {_counts(result)}")
        if result.missing:
            lines.append("  not found: " + ", ".join(result.missing))
        for label, error in result.notes.baked.items():
            lines.append(f"  keys on frames: {label}, off between frames by at most {error:.2g}")
        lines += [f"  skipped: {each}" for each in result.notes.skipped]
        lines += [f"  {finding}" for finding in result.findings]
    if len(results) == 1:
        short.append(_counts(results[0]))
    baked = sum(len(result.notes.baked) for result in results)
    skipped = sum(len(result.notes.skipped) for result in results)
    warnings = sum(finding.severity in ("warning", "error") for r in results for finding in r.findings)
    if baked:
        worst = max(max(result.notes.baked.values(), default=0.0) for result in results)
        short.append(f"{plural(baked, 'track')} as keys on frames, off between them by at most {worst:.2g}")
    if skipped:
        short.append(f"{plural(skipped, 'track')} skipped")
    if warnings:
        short.append(plural(warnings, "warning"))
    return short + errors, [short[0], *errors, *lines]


def _counts(result: Any) -> str:
    if not result.target:
        return (
            f"{plural(result.found, 'object')} found, {plural(len(result.missing), 'empty', 'empties')} made"
        )
    parts = [f"{result.target}: {plural(result.found, 'bone')} found"]
    if result.missing:
        parts.append(f"{len(result.missing)} not found")
    if result.unused:
        parts.append(f"{plural(result.unused, 'bone')} without keys")
    return ", ".join(parts)


def of_export(result: Any) -> tuple[list[str], list[str]]:
    """Returns the lines of the popup and those of the text block for written files."""
    losses = [finding for finding in result.findings if finding.is_loss]
    short = [f"{plural(len(result.clips), 'clip')} in {plural(len(result.files), 'file')}"]
    short.append(plural(len(losses), "loss", "losses") if losses else "no losses")
    if result.baked:
        short.append(f"{plural(len(result.baked), 'track')} as keys on frames")
    if result.skipped:
        short.append(f"{plural(len(result.skipped), 'property', 'properties')} skipped")
    skipped = [f"  skipped: {each}" for each in result.skipped]
    lines = [*short, *result.files, *skipped, *(f"  keys on frames: {label}" for label in result.baked)]
    return short, lines + [f"  {finding}" for finding in result.findings]


def message(error: BaseException) -> str:
    """Returns an error for people: what is wrong, where, and what to do."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    parts = [text or type(error).__name__]
    if isinstance(error, inbetween.Error):
        if error.position is not None and str(error.position) not in text:
            parts.append(f"({error.position})")
        if error.hint:
            parts.append(f"- {error.hint}")
    return " ".join(parts)


def show(operator: Any, context: Any, short: list[str], lines: list[str], failed: bool = False) -> None:
    """Writes the text block, reports to the Info editor, and opens a popup if there is a window."""
    text = bpy.data.texts.get(TEXT) or bpy.data.texts.new(TEXT)
    text.clear()
    text.write("\n".join(lines) + "\n")
    operator.report({"ERROR" if failed else "INFO"}, "; ".join(short[:SHOWN]))
    if bpy.app.background or context.window is None or failed:
        return

    def draw(self: Any, _context: Any) -> None:
        for line in short[:SHOWN]:
            self.layout.label(text=line)
        self.layout.label(text=f"Details: text block '{TEXT}'")

    context.window_manager.popup_menu(draw, title="Game animation", icon="ACTION")
