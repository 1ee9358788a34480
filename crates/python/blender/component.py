"""Frame ranges of X4 clips, from the component XML beside an .ANI file. Needs no Blender.

::

    <connection name="connection_44" parent="anim_hull">
      <animations><animation name="cockpit_opening" start="31" end="60"/></animations>
      <parts><part name="anim_ladder"/></parts>
    </connection>

A part plays the animations of its connection, then those of the connection whose part is named by ``parent``,
and so on, up to a connection with the tag ``truncateanimations``. Names are case-insensitive. The library has
the same rules in its check of a file against a component, which Python cannot ask for the ranges.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import inbetween

RATE = 30.0
"""The frames of a component in one second."""

LARGEST = 8 * 2**20
"""The bytes of a component above which it is not read. The largest of the game have less than 2 MB."""

_CHUNK = 2**16
"""The bytes that the parser gets at once, after each of which an error stops it."""

_LAST_FRAME = 100_000.0
"""Frames beyond this one are mistakes: it is almost an hour."""

_TOLERANCE = 1e-5
"""The seconds by which the duration of a clip and its frames may differ."""

_MOST_PARENTS = 64
"""The connections above a part that are searched, since parents may form a cycle."""


RANGES, MISMATCH, UNREADABLE = CODES = (
    "blender/component-ranges",
    "blender/component-mismatch",
    "blender/component-unreadable",
)
"""The codes of findings. They are of the extension, so ``inbetween explain`` does not know them."""


class Range(NamedTuple):
    """The frames of a clip, at ``RATE`` frames per second."""

    start: float
    end: float

    @property
    def seconds(self) -> float:
        """The length in seconds."""
        return (self.end - self.start) / RATE


@dataclass
class _Connection:
    parent: str
    """The lowercase name of the part above."""
    truncates: bool
    """Whether animations of the connections above do not count."""
    ranges: dict[str, Range | None] = field(default_factory=dict)
    """The ranges of the animations by their lowercase names; ``None`` for one that states none."""


class Component:
    """The animations and parts of a component; a target of the XML parser."""

    def __init__(self) -> None:
        self.parts: dict[str, _Connection] = {}
        """The connection of each part by its lowercase name; the first one counts."""
        self._open: list[_Connection | None] = []
        """The innermost connection at each level of open elements."""

    def doctype(self, *_: object) -> None:
        """Refuses the only place where entities can be declared, which may expand without end."""
        raise ValueError("it has a document type declaration, which components never have")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Takes the start of an element."""
        if not self._open and tag not in ("components", "component"):
            raise ValueError(f"it starts with <{tag[:40]}> instead of <components>")
        connection = self._open[-1] if self._open else None
        name = attributes.get("name", "").lower()
        if tag == "connection":
            tags = attributes.get("tags", "").split()
            connection = _Connection(attributes.get("parent", "").lower(), "truncateanimations" in tags)
        elif tag == "part" and connection is not None:
            self.parts.setdefault(name, connection)
        elif tag == "animation" and connection is not None:
            connection.ranges.setdefault(name, _range(attributes))
        self._open.append(connection)

    def end(self, _tag: str) -> None:
        """Takes the end of an element."""
        self._open.pop()

    def close(self) -> Component:
        """Returns the component, at the end of the file."""
        return self

    def range_of(self, clip: Any) -> Range | None:
        """Returns the range of a clip; ``None`` if the component has none.

        If its parts have several, it is the longest, as the duration of a clip is that of its longest part.
        """
        name, nodes = (clip.name or "").lower(), {(track.node or "").lower() for track in clip.tracks}
        found = (self._range_of_part(name, node) for node in sorted(nodes))
        return max((each for each in found if each), key=lambda each: each.seconds, default=None)

    def _range_of_part(self, clip: str, part: str) -> Range | None:
        for _ in range(_MOST_PARENTS):
            connection = self.parts.get(part)
            if connection is None:
                return None
            if clip in connection.ranges:
                return connection.ranges[clip]
            if connection.truncates:
                return None
            part = connection.parent
        return None


def _range(attributes: dict[str, str]) -> Range | None:
    """Returns the range of an ``animation`` element; ``None`` without two usable frames."""
    try:
        start, end = float(attributes["start"]), float(attributes["end"])
    except (KeyError, ValueError):
        return None
    # Comparisons with NaN are false.
    if not (abs(start) <= _LAST_FRAME and abs(end) <= _LAST_FRAME):
        return None
    # X4 counts frame 1 too in "1 to 30", which are 30 frames, but not frame 31 in "31 to 60", which are 29.
    start = 0.0 if start == 1.0 else start
    return Range(start, max(end, start + 1.0))


def path_beside(path: str) -> Path | None:
    """Returns the XML file of an .ANI file: ``ship.xml`` belongs to ``ship.ani`` and ``SHIP_DATA.ANI``."""
    own = Path(path)
    if own.suffix.lower() != ".ani":
        return None
    beside = sorted(each for each in own.parent.glob("*") if each.suffix.lower() == ".xml" and each.is_file())
    return next((each for each in beside if _base_name(each) == _base_name(own)), None)


def _base_name(path: Path) -> str:
    """Returns what the names of both files share."""
    return path.stem.lower().removesuffix("_data")


def ranges_beside(path: str, document: Any) -> tuple[list[Range | None], list[inbetween.Finding]]:
    """Returns the ranges of the clips of a file, and findings about them; ``None`` for clips without one.

    A component that cannot be read is a finding, never an error.
    """
    none: list[Range | None] = [None] * len(document.clips)
    beside = None
    try:
        beside = path_beside(path)
        component = _parsed(beside) if beside is not None else None
    # The parser raises LookupError for encodings that Python does not know.
    except (OSError, ValueError, LookupError, ElementTree.ParseError) as error:
        name = "the component" if beside is None else beside.name
        return none, [_finding(UNREADABLE, f"{name} was not read: {error}. Clips have their own durations.")]
    if beside is None or component is None:
        return none, []
    ranges = [component.range_of(clip) for clip in document.clips]
    count = len(ranges) - ranges.count(None)
    text = (
        f"{beside.name} has frame ranges of {count} of {len(ranges)} clips; their keys start on those frames"
    )
    findings = [inbetween.Finding(RANGES, "info", False, text)]
    for clip, frames in zip(document.clips, ranges, strict=True):
        if frames is not None and abs(frames.seconds - clip.duration) > _TOLERANCE:
            text = f"frames {frames.start:g} to {frames.end:g} of {beside.name} last {frames.seconds:.6g} s, "
            text += (
                f"the clip lasts {clip.duration:.6g} s. The action has the frames. Correct one of the files."
            )
            findings.append(_finding(MISMATCH, text, clip.name))
    return ranges, findings


def _finding(code: str, message: str, clip: str | None = None) -> inbetween.Finding:
    return inbetween.Finding(code, "warning", False, message, clip=clip)


def _parsed(path: Path) -> Component:
    if path.stat().st_size > LARGEST:
        raise ValueError(f"it has more than {LARGEST // 2**20} MB")
    parser = ElementTree.XMLParser(target=Component())
    with path.open("rb") as file:
        # A file may grow after its size was requested.
        left = LARGEST
        while left > 0 and (chunk := file.read(min(_CHUNK, left))):
            parser.feed(chunk)
            left -= len(chunk)
    return parser.close()
