"""A minimal reader of SEAnim files in pure Python, as programs of Blender and Maya have: for comparison.

It is written from the description in ``docs/formats/seanim.md``, and reads what good files of version 1 have.
"""

from __future__ import annotations

import struct
from typing import Any


class Reader:
    """A position in a file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, form: str) -> tuple[Any, ...]:
        """Returns little-endian numbers."""
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def name(self) -> str:
        """Returns a text that ends with a zero byte."""
        end = self.data.index(0, self.at)
        text = self.data[self.at : end].decode("utf-8", "replace")
        self.at = end + 1
        return text


def width(count: int) -> str:
    """Returns the code of an integer that counts up to ``count``."""
    return "B" if count <= 0xFF else "H" if count <= 0xFFFF else "I"


def read(data: bytes) -> dict[str, dict[str, list[tuple[int, tuple[float, ...]]]]]:
    """Returns the keys of each bone, by property."""
    if data[:6] != b"SEAnim":
        raise ValueError("not a SEAnim file")
    reader = Reader(data)
    reader.at = 12
    presence, properties = reader.take("BB")
    reader.at += 2
    _, frames, bones, modifiers = reader.take("fIIB")
    reader.at += 3
    reader.take("I")
    number, frame = ("d" if properties & 1 else "f"), width(frames)
    names = [reader.name() for _ in range(bones)]
    reader.at += modifiers * (1 + struct.calcsize("<" + width(bones)))
    result: dict[str, dict[str, list[tuple[int, tuple[float, ...]]]]] = {}
    for bone in names:
        reader.take("B")
        tracks = result.setdefault(bone, {})
        for bit, name, length in ((1, "Position", 3), (2, "Rotation", 4), (4, "Scale", 3)):
            if presence & bit:
                keys = []
                for _ in range(reader.take(frame)[0]):
                    (at,) = reader.take(frame)
                    keys.append((at, reader.take(number * length)))
                tracks[name] = keys
    return result
