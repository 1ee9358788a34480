"""The worker process: converts one file after another.

It gets the bytes of files through its standard input and answers through its standard output, so it
opens no files and needs only the native part of the package. It ends when its input ends: when the
batch is finished, and when it was killed.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from importlib import import_module
from typing import Any, BinaryIO, Callable, Dict, List

from .. import _native
from .._report import Converted, Error, Finding
from .report import finding_row, place_of
from .wire import Message, receive, send

Neighbors = Callable[[str], bytes]
Function = Callable[[bytes, str, Dict[str, Any], Neighbors], Converted]
"""What a worker calls for a file: with its bytes, its name, the keyword arguments of
``inbetween.convert``, and a function that returns the bytes of a file beside it."""


def convert(data: bytes, name: str, arguments: Dict[str, Any], neighbors: Neighbors) -> Converted:
    """Converts a file. The format of the input is found by its content and its name."""
    found = _native.detect(data, name=name)
    return _native.convert(data, format=found, neighbors=neighbors, **arguments)


def load(name: str) -> Function:
    """Returns the function of a name such as ``inbetween.batch.worker:convert``."""
    module, _, attribute = name.partition(":")
    function: Function = getattr(import_module(module), attribute)
    return function


def main(function: str) -> None:
    """Answers requests until the input ends."""
    # Prints of the function must not get between the messages.
    replies = os.fdopen(os.dup(1), "wb")
    requests = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    # Ctrl-C reaches every process of the terminal; the batch ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        loaded = load(function)
    except (ImportError, AttributeError) as error:
        send(replies, {"error": f"cannot load {function}: {error}"})
        return
    messages: queue.Queue[Message] = queue.Queue()
    threading.Thread(target=_listen, args=(requests, messages), daemon=True).start()
    send(replies, {"ready": True})
    while True:
        header, data = messages.get()
        reply, result = _answer(loaded, header, data, replies, messages)
        send(replies, reply, result)


def _listen(requests: BinaryIO, messages: queue.Queue[Message]) -> None:
    try:
        while True:
            messages.put(receive(requests))
    except (EOFError, OSError, ValueError):
        # The batch is gone, and the main thread may be busy for ever.
        os._exit(0)


def _answer(
    function: Function,
    header: Dict[str, Any],
    data: bytes,
    replies: BinaryIO,
    messages: queue.Queue[Message],
) -> Message:
    def neighbors(path: str) -> bytes:
        send(replies, {"neighbor": path})
        answer, content = messages.get()
        if "error" in answer:
            raise FileNotFoundError(answer["error"])
        return content

    try:
        result = function(data, header["name"], header["arguments"], neighbors)
    except Error as error:
        return _failure(error.code, str(error), place_of(error), error.findings), b""
    except Exception as error:
        # Wrong arguments, and what functions of other people raise.
        code = "usage" if isinstance(error, (TypeError, ValueError, LookupError)) else "failed"
        return _failure(code, f"{type(error).__name__}: {error}", None, []), b""
    is_partial = any(finding.code == "part-skipped" for finding in result.findings)
    reply = {
        "status": "partial" if is_partial else "ok",
        "format": result.from_format,
        "findings": [finding_row(finding) for finding in result.findings],
    }
    return reply, result.bytes


def _failure(code: str, message: str, place: Any, findings: List[Finding]) -> Dict[str, Any]:
    rows = [finding_row(finding) for finding in findings]
    return {"status": "failed", "code": code, "message": message, "place": place, "findings": rows}
