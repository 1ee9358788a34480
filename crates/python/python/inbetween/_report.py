"""What reading, checking and writing report: findings, errors and results."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any, List, Optional, Tuple


@dataclass(frozen=True)
class Finding:
    """Something that was found in a file, changed or lost.

    ``python -m inbetween explain CODE`` says what a code means and what to do.
    """

    code: str
    """The code, such as ``rotation-not-unit``. It never changes."""
    severity: str
    """``hint``, ``info``, ``warning`` or ``error``."""
    is_loss: bool
    """Whether the result of a conversion lacks something."""
    message: str
    """The finding, as one line of text."""
    count: int = 1
    """How often it was found."""
    clip: Optional[str] = None
    """The name of the clip, if it is about one of several."""
    clip_index: Optional[int] = None
    """The index of that clip, from 0."""
    track: Optional[str] = None
    """The label of the track, such as ``hips/Rotation``."""
    key: Optional[int] = None
    """The index of the key, from 0."""
    path: Optional[str] = None
    """The path of the value in the file."""
    position: Optional[Position] = None
    """Where it is in the file."""
    error: Optional[float] = None
    """How far values are off at most: radians for rotations, else the unit of the values."""
    time_shift: Optional[float] = None
    """By how many seconds jumps move at most."""

    def __str__(self) -> str:
        place = ", ".join(
            part
            for part in (
                f"clip '{self.clip}'" if self.clip is not None else "",
                self.track or "",
                f"key {self.key}" if self.key is not None else "",
                self.path or "",
            )
            if part
        )
        times = f", {self.count} times" if self.count > 1 else ""
        where = f" ({self.position})" if self.position is not None else ""
        return f"{self.severity}: {self.code}: {place + ': ' if place else ''}{self.message}{times}{where}"


@dataclass(frozen=True)
class Position:
    """A place in a file."""

    offset: int
    """The number of bytes before it."""
    line: Optional[int] = None
    """The line of a text, from 1."""
    column: Optional[int] = None
    """The column of a text, from 1."""
    decompressed: bool = False
    """Whether the offset counts in the decompressed section of the file."""

    def __str__(self) -> str:
        if self.line is not None:
            return f"line {self.line}, column {self.column}"
        section = " of the decompressed section" if self.decompressed else ""
        return f"at byte {self.offset:#x}{section}"


class Error(Exception):
    """The base of the errors of this package."""

    code: str
    """The kind of the error, such as ``unexpected-end``. It never changes."""
    path: Optional[str]
    """The path of the value in the file."""
    position: Optional[Position]
    """Where it is in the file."""
    hint: Optional[str]
    """What can be done about it."""
    findings: List[Finding]
    """What was found before the error."""

    def __init__(
        self,
        message: str,
        code: str = "failed",
        path: Optional[str] = None,
        position: Optional[Position] = None,
        hint: Optional[str] = None,
        findings: Optional[List[Finding]] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.position = position
        self.hint = hint
        self.findings = findings if findings is not None else []

    def __reduce__(self) -> Tuple[Any, ...]:
        fields = (self.code, self.path, self.position, self.hint, self.findings)
        return type(self), (str(self), *fields), self.__dict__


class ReadError(Error):
    """A file cannot be read: it is damaged, or of no known format."""


class WriteError(Error):
    """A document cannot be written in a format, or ``strict`` allows no losses."""


class EditError(Error):
    """A document cannot be edited as asked."""


class LimitError(Error):
    """A file needs more than the limits allow; ``max_input`` or ``max_decoded`` raise them."""


@dataclass(frozen=True)
class Converted:
    """A written file."""

    bytes: bytes
    """The content of the file."""
    findings: List[Finding]
    """What was found, changed and lost by reading, editing and writing."""
    from_format: Optional[str]
    """The id of the format that was read; ``None`` if the document was made from arrays."""
    to_format: str
    """The id of the format that was written."""

    @property
    def losses(self) -> List[Finding]:
        """The findings about what the new file lacks."""
        return [finding for finding in self.findings if finding.is_loss]

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the file: completely, or not at all."""
        from ._native import save

        save(path, self.bytes)


@dataclass(frozen=True)
class Option:
    """An option of a format."""

    name: str
    """The name of the keyword argument."""
    value: str
    """The values that it takes."""
    help: str
    """What it does."""
    applies: str
    """``reading``, ``writing``, ``both`` or ``fixing``."""


@dataclass(frozen=True)
class Format:
    """A format of files."""

    id: str
    """The name used in commands and calls."""
    name: str
    """The name for people."""
    extensions: Tuple[str, ...]
    """The extensions of its files, without a dot."""
    summary: str
    """What it is."""
    promise: str
    """How exactly a file is rewritten."""
    options: Tuple[Option, ...]
    """Its options."""
    has_many_clips: bool
    """Whether a file can hold several clips."""
    coordinates: Coordinates
    """The axes and unit of files that state no others; a unit is known if the format assumes one."""
    has_blend_modes: bool
    """Whether a file can say that values are relative to the rest pose."""


@dataclass(frozen=True)
class Bone:
    """A bone of a skeleton. Parts of the rest pose that are not known are ``None``."""

    name: str
    """The name, which is the node of its tracks."""
    parent: Optional[str] = None
    """The name of the parent."""
    translation: Optional[Tuple[float, float, float]] = None
    """The position relative to the parent, in the unit of the animation."""
    rotation: Optional[Tuple[float, float, float, float]] = None
    """The rotation relative to the parent, a quaternion xyzw."""
    scale: Optional[Tuple[float, float, float]] = None
    """The scale factor of each axis."""
    is_above: bool = False
    """Whether it is a node above the bones, such as the armature of Blender."""


@dataclass(frozen=True)
class Coordinates:
    """What axes and lengths mean; ``None`` is unknown."""

    handedness: Optional[str] = None
    """``left`` or ``right``."""
    up: Optional[str] = None
    """The axis that points up: ``y`` or ``z``."""
    unit: Optional[float] = None
    """The unit of lengths in meters."""


@dataclass(frozen=True)
class Marker:
    """A named moment of a clip."""

    time: float
    """Seconds."""
    name: str
    """The text."""


class Svg(str):
    """A picture as SVG, which a notebook shows."""

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the picture to a file: completely, or not at all."""
        from ._native import save

        save(path, self.encode())


for _public in list(globals().values()):
    if isinstance(_public, type) and _public.__module__ == __name__:
        # Where everyone imports it from, which tracebacks and pickles name.
        _public.__module__ = "inbetween"
