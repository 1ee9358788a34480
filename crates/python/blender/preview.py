"""What the import dialog shows of a file before it is imported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import inbetween

from . import component, formats
from .preparing import Options, prepare
from .report import ERRORS, message, plural

LARGEST = 16 * 2**20
"""The bytes of a file above which the dialog does not read it."""

_last: tuple[Any, list[str]] = (None, [])
"""The file and the choices that were shown last, since dialogs are drawn often."""


def lines(path: str, options: Options, context: Any) -> list[str]:
    """Returns the format, the clips, the axes and unit, and how many bones fit."""
    global _last  # noqa: PLW0603
    try:
        state = Path(path).stat()
        active = context.view_layer.objects.active
        key = (path, state.st_mtime_ns, state.st_size, repr(options), active and active.name)
        if not Path(path).is_file():
            return ["Choose a file"]
    except (OSError, ValueError):
        return ["Choose a file"]
    if _last[0] != key:
        _last = (key, ["A large file"] if state.st_size > LARGEST else _read(path, options, context))
    return _last[1]


def _read(path: str, options: Options, context: Any) -> list[str]:
    try:
        document = inbetween.read(path)
        clips = plural(len(document.clips), "clip")
        shown = [f"{_format(document)}: {clips}, {_coordinates(document.coordinates)}"]
    except ERRORS as error:
        return [message(error)]
    try:
        result = prepare(path, options, context).result
    except ERRORS as error:
        return [*shown, message(error)]
    shown.append(f"{plural(result.found, 'node')} found in the scene, {len(result.missing)} not found")
    return shown + [each.message for each in result.findings if each.code in SHOWN]


SHOWN = (
    "edit/put-on-rig",
    "edit/coordinates-mapped",
    "edit/unit-unclear",
    "edit/unit-assumed",
    *component.CODES,
)
"""The findings about axes, units and frame ranges."""


def _format(document: Any) -> str:
    return formats.by_id(document.format).name if document.format else "Animation"


def _coordinates(coordinates: Any) -> str:
    if coordinates is None:
        return "axes unknown"
    hand = f"{coordinates.handedness}-handed" if coordinates.handedness else "handedness unknown"
    up = f"{coordinates.up.upper()} up" if coordinates.up else "up unknown"
    units = {meters: name for name, meters in formats.UNITS.items()}
    unit = units.get(coordinates.unit, f"{coordinates.unit} m" if coordinates.unit else "unit unknown")
    return f"{hand}, {up}, {unit}"
