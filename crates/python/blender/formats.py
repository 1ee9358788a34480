"""The formats of the library, and how their axes and units become those of Blender. Needs no Blender."""

from __future__ import annotations

import inbetween

TO_BLENDER = {("left", "y"): "-x,-z,y", ("right", "y"): "x,-z,y", ("left", "z"): "-x,y,z"}
"""The change of axes for objects without bones, by the handedness and the up axis of a file.

Axes that are not listed are those of Blender.
"""

FROM_BLENDER = {("left", "y"): "-x,z,-y", ("right", "y"): "x,z,-y", ("left", "z"): "-x,y,z"}
"""The inverse changes, by the handedness and the up axis of the new file."""

UNITS = {"m": 1.0, "cm": 0.01, "in": 0.0254, "mm": 0.001}
"""The lengths of units in meters."""


def by_id(id_: str) -> inbetween.Format:
    """Returns the format with an id such as ``seanim``."""
    return next(each for each in inbetween.formats() if each.id == id_)


def extensions() -> list[str]:
    """Returns the extensions of the files that can be read, with a dot."""
    return [f".{extension}" for each in inbetween.formats() for extension in each.extensions]
