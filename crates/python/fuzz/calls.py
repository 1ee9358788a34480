"""Arguments of calls, chosen by bytes."""

from __future__ import annotations

import math
import struct
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

import numpy as np

import inbetween

T = TypeVar("T")

NUMBERS = [0.0, 1.0, 0.5, 30.0, -1.0, 24.0, -0.0, 1e-3, 1e9, 1e300, 5e-324, math.inf, -math.inf, math.nan]
DTYPES = ["f4", "f8", "i8", "?", "?", "u1", "i1", "<u2", ">u2", "i4", ">i4", "u8", "f2", ">f8", "g", "c16"]
OTHER_DTYPES = ["S3", "U2", "O", "M8[s]", "m8[ms]", "f4,i2", "V5"]
SHAPES: List[Tuple[int, ...]] = [
    (),
    (0,),
    (3,),
    (3, 3),
    (3, 4),
    (0, 3),
    (3, 0),
    (3, 1),
    (2, 3, 3),
    (2, 4, 4),
    (5, 2),
    (2, 4, 2),
]


class Choices:
    """Bytes that choose; zeros follow their end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def below(self, count: int) -> int:
        """Returns a number from 0 up to, but not including, ``count``, which is at most 256."""
        self._at += 1
        byte = self._data[self._at - 1 : self._at]
        return byte[0] % count if byte and count else 0

    def pick(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def chance(self, of: int) -> bool:
        """Returns true once in ``of`` times."""
        return self.below(of) == of - 1

    def number(self) -> float:
        """Returns a number of the list, or any other one."""
        if not self.chance(4):
            return self.pick(NUMBERS)
        found: float = struct.unpack("<d", bytes(self.below(256) for _ in range(8)))[0]
        return found

    def text(self, data: bytes) -> str:
        """Returns a part of the data as text, which UTF-8 may not be able to encode."""
        start, length = self.below(256), self.below(24)
        encoding = self.pick(["utf-8", "latin-1", "utf-16-le"])
        errors = self.pick(["replace", "surrogateescape" if encoding == "utf-8" else "replace"])
        return data[start : start + length].decode(encoding, errors)


def label(document: inbetween.Document, choices: Choices) -> str:
    """Returns a pattern of tracks."""
    clips = document.clips
    known = clips[0].tracks.keys()[:16] if len(clips) else []
    return choices.pick([*known, "*", "*/Position", "*/Rotation.x", "?", "[", "", "a,b", "#0", "#1"])


def options(choices: Choices, of: int) -> Dict[str, Any]:
    """Returns options of formats as keyword arguments; none, but once in ``of`` times."""
    if not choices.chance(of):
        return {}
    all_options = [option for known in inbetween.formats() for option in known.options]
    option = choices.pick(all_options)
    others: List[Any] = [*NUMBERS, True, None, "time,value", "1,2", "", b"", [], 1 << 70]
    values = [*option.value.split("|"), *others]
    return {option.name: choices.pick(values)}


def any_array(choices: Choices, data: bytes, rows: Optional[int] = None) -> Any:
    """Returns an array, or what numpy makes one of, of any type, shape and layout in memory.

    It mostly has the given number of rows.
    """
    dtype, shape = choices.pick(DTYPES), choices.pick(SHAPES)
    if rows is not None and shape and not choices.chance(8):
        shape = (rows, *shape[1:])
    if choices.chance(8):
        dtype = choices.pick(OTHER_DTYPES)
    if choices.chance(2):
        values: Any = np.resize(np.array([choices.number() for _ in range(5)]), shape)
        array = values if dtype in OTHER_DTYPES else values.astype(dtype)
    elif dtype == "O":
        array = np.full(shape, choices.pick([None, "a", 1, object()]), dtype)
    elif dtype == "U2":
        # Of other bits, numpy itself makes no texts: it raises SystemError.
        array = np.full(shape, choices.pick(["", "a", "\ud800"]), dtype)
    else:
        array = of_bytes(data, np.dtype(dtype), shape)
    return layout(array, choices)


def of_bytes(data: bytes, dtype: np.dtype[Any], shape: Sequence[int]) -> Any:
    """Returns an array of the bits of the data, which may be no valid numbers of the type."""
    size = dtype.itemsize * math.prod(shape)
    repeated = (data or b"\0") * (size // max(len(data), 1) + 1)
    return np.frombuffer(repeated[:size] or b"", dtype).reshape(shape)


def layout(array: Any, choices: Choices) -> Any:
    """Returns the array in another layout, or as another type."""
    if choices.chance(2):
        return array
    changes: List[Callable[[Any], Any]] = [
        lambda it: it[::-1] if it.ndim else it,
        lambda it: it[::2] if it.ndim else it,
        np.asfortranarray,
        np.transpose,
        unaligned,
        lambda it: np.broadcast_to(it, (3, *it.shape)),
        lambda it: np.lib.stride_tricks.sliding_window_view(it, 2, axis=0) if len(it) > 1 else it,
        lambda it: it.tolist(),
        lambda it: tuple(it.tolist()),
        lambda it: iter(it.tolist()),
        np.ma.masked_array,
        # Python cannot iterate over others.
        lambda it: memoryview(it) if it.ndim == 1 and it.dtype.char in "?bBhHiIqQfd" else it,
        lambda it: it if it.dtype.kind == "U" else it.view(it.dtype.newbyteorder()),
        lambda it: Interface(it.__array_interface__, it),
    ]
    return choices.pick(changes)(array)


class Interface:
    """An object that shows numpy an array."""

    def __init__(self, interface: Dict[str, Any], owner: Any) -> None:
        self.__array_interface__ = interface
        self.owner = owner


def unaligned(array: Any) -> Any:
    """Returns an array whose numbers begin at odd addresses."""
    if array.dtype.hasobject:
        return array
    moved = np.frombuffer(b"\0" + array.tobytes(), np.uint8)[1:]
    return moved.view(array.dtype).reshape(array.shape) if array.size else array


# The keyword arguments of a track.
KEYWORDS: Dict[str, List[Any]] = {
    "kind": ["float3", "doubleQ", "bool", "bool4", "string", "color32", "double4x4", "ulong", "long3", "x"],
    "interpolation": ["hold", "linear", "hermite", "bezier", "x", ["hold", "linear"], ["hold"] * 3, []],
    "shape": ["uniform", "stepped", "curve", "x"],
    "interval": NUMBERS,
    "tangents": ["values", "handles", "x"],
    "component": ["x", "y", "z", "w"],
    "blend": ["absolute", "additive", "rest-relative", "x"],
    "euler_order": ["xyz", "-zxy", "xxy", ""],
}


def any_value(choices: Choices, data: bytes) -> Any:
    """Returns a value of any type."""
    simple = [None, True, -1, 0, 1, 1 << 40, 1 << 70, math.nan, 1e400, 1j, b"", data, bytearray(data)]
    texts = ["", "animx", "a\0b", "\ud800", "glb", choices.text(data)]
    others = [[], {}, (), set(), object(), type, len, [1, 2], {"a": 1}, range(3), ["a"], {"a/Position": 1}]
    document = inbetween.Document.from_arrays({"a/Position": ([0.0], [[0.0] * 3])})
    own = [document, document.clips, document.clips[0], document.clips[0].tracks, document.clips[0].tracks[0]]
    reports = [inbetween.Coordinates("left", "y", 1.0), inbetween.Marker(0.0, "a"), inbetween.Bone("a")]
    values = [*simple, *texts, *others, *own, *reports, any_array(choices, data)]
    return choices.pick(values)


Edit = Callable[[inbetween.Document, Choices], inbetween.Document]


def _plain(name: str) -> Edit:
    return lambda document, _: getattr(document, name)()


def _number(name: str) -> Edit:
    return lambda document, choices: getattr(document, name)(choices.number())


def _tracks(name: str) -> Edit:
    return lambda document, choices: getattr(document, name)(label(document, choices))


def _other(name: str) -> Edit:
    return lambda document, choices: getattr(document, name)(choices.pick([document, document.to_f64()]))


def _rename(document: inbetween.Document, choices: Choices) -> inbetween.Document:
    old, new = choices.pick(["*", "a", "?*", "[", ""]), choices.pick(["*", "b", "*x*", "a?", ""])
    return document.rename({old: new}, what=choices.pick(["nodes", "properties", "clips", "markers", "x"]))


def _reduce(document: inbetween.Document, choices: Choices) -> inbetween.Document:
    names = ("position", "angle", "scale", "scalar")
    bounds = {name: choices.number() for name in names if choices.chance(4)}
    return document.reduce(choices.pick([None, choices.number()]), **bounds)


def _map(document: inbetween.Document, choices: Choices) -> inbetween.Document:
    to = inbetween.Coordinates(choices.pick(["left", "right", None]), choices.pick(["y", "z", "x", None]))
    return document.map_coordinates(to, axes=choices.pick(["auto", "keep", "x,z,-y"]))


_PLAIN = (
    "close_loop",
    "drop_constant",
    "fill",
    "join",
    "merge_clips",
    "resolve",
    "reverse",
    "split",
    "to_f32",
    "to_f64",
    "drop_clips",
    "drop_markers",
)
_NUMBERED = (
    "play_frames_at",
    "resample",
    "retime",
    "retime_to",
    "scale",
    "scale_values",
    "set_frame_rate",
    "shift",
    "start_at",
)

EDITS: List[Edit] = [
    *map(_plain, _PLAIN),
    *map(_number, _NUMBERED),
    *map(_tracks, ("drop", "select", "drop_clips", "drop_markers")),
    *map(_other, ("append", "merge", "put_on")),
    _rename,
    _reduce,
    _map,
    lambda document, choices: document.trim(*(choices.pick([None, choices.number()]) for _ in range(2))),
    lambda document, choices: document.split([choices.number() for _ in range(choices.below(4))]),
    lambda document, choices: document.add_marker(choices.number(), choices.pick(["", "a", "\u202e"])),
    lambda document, choices: document.change_axes(choices.pick(["x,z,-y", "x,x,x", "-x,-y,-z", ""])),
    lambda document, choices: document.copy_clip(choices.pick(["#1", "", "Walk"]), choices.pick(["", "new"])),
    lambda document, choices: document.set_looping(choices.chance(2)),
    lambda document, choices: document.set_blend(choices.pick(["absolute", "additive", "delta", "relative"])),
    lambda document, choices: document.relate(choices.pick(["additive", "relative", "absolute"])),
    lambda document, choices: document.scale_values(choices.number(), label(document, choices)),
    lambda document, choices: document.give_skeleton(
        inbetween.Skeleton.first_frame(document.clips[choices.below(2)])
    ),
]
"""The edits of a document, each with arguments that choices make."""
