"""Messages between a batch and its worker processes: a JSON object and bytes.

length of the JSON   u32, little-endian
length of the bytes  u64, little-endian
JSON, bytes
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO, Dict, Tuple

_HEAD = struct.Struct("<IQ")

Message = Tuple[Dict[str, Any], bytes]


def send(stream: BinaryIO, header: Dict[str, Any], data: bytes = b"") -> None:
    """Writes a message."""
    # Texts that UTF-8 cannot encode would not fit into tables.
    text = json.dumps(header, default=str, ensure_ascii=False).encode("utf-8", "replace")
    stream.write(_HEAD.pack(len(text), len(data)) + text)
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO, limit: int = 1 << 63) -> Message:
    """Reads a message of up to ``limit`` bytes.

    Raises ``EOFError`` if the stream ends, and ``ValueError`` if the message is larger or no JSON.
    """
    texts, data = _HEAD.unpack(_exactly(stream, _HEAD.size))
    if texts + data > limit:
        raise ValueError(f"a message of {texts + data} bytes, at most {limit} are expected")
    header = json.loads(_exactly(stream, texts))
    if not isinstance(header, dict):
        raise ValueError("the header of a message is no object")
    return header, _exactly(stream, data)


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
