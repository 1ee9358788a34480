"""Reads, checks, samples, edits, converts and writes game animation files.

>>> import inbetween
>>> document = inbetween.Document.from_arrays(
...     {"hips/Position": ([0.0, 1.0], [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]])}, name="jump", frame_rate=30
... )
>>> document.clips["jump"].tracks["hips/Position"].sample([0.5]).tolist()
[[0.0, 1.0, 0.0]]
"""

from ._native import (
    Clip,
    Clips,
    Document,
    Skeleton,
    Track,
    Tracks,
    __version__,
    check,
    convert,
    detect,
    explain,
    format_of_extension,
    formats,
    plot,
    read,
)
from ._report import (
    Bone,
    Converted,
    Coordinates,
    EditError,
    Error,
    Finding,
    Format,
    LimitError,
    Marker,
    Option,
    Position,
    ReadError,
    Svg,
    WriteError,
)

__all__ = [
    "Bone",
    "Clip",
    "Clips",
    "Converted",
    "Coordinates",
    "Document",
    "EditError",
    "Error",
    "Finding",
    "Format",
    "LimitError",
    "Marker",
    "Option",
    "Position",
    "ReadError",
    "Skeleton",
    "Svg",
    "Track",
    "Tracks",
    "WriteError",
    "__version__",
    "check",
    "convert",
    "detect",
    "explain",
    "format_of_extension",
    "formats",
    "plot",
    "read",
]
