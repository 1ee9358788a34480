"""Converting the files of a table, one after another."""

from __future__ import annotations

import threading
import time
from pathlib import PurePosixPath
from typing import Any, Dict, List, Optional

import pyarrow as pa

from .options import Options
from .paths import Folder, OtherContent, PathRefused, checked
from .process import Worker, WorkerEnded
from .schemas import RESULT, WITH_DATA, as_manifest, text

_slots = threading.local()


def convert(table: pa.Table, options: Options) -> pa.Table:
    """Converts the files of a table, and returns a table with a row for each, in the same order.

    Columns of ``table``: ``path`` is relative to ``options.source``, with ``/`` between names;
    ``out``, if there is one and it is not null, is the path of the output relative to
    ``options.target`` (otherwise it is ``path`` with the extension of the new format); ``data``, if there
    is one, has the bytes of the files, which are then not read; ``size`` in bytes and ``mtime`` are
    copied.

    Columns of the result, besides ``path``, ``size``, ``mtime`` and ``out``:

    * ``status``: ``ok``; ``partial`` if a part of the input was skipped; ``skipped`` if the output exists
      with other content; ``failed``; ``timeout``; ``killed`` if the worker process used too much memory
      or died.
    * ``code``, ``message``, ``place``: the error, with the codes of ``inbetween.Error``, or
      ``path-refused``, ``input``, ``output``, ``exists``, ``usage``, ``failed``, ``timeout``, ``memory``,
      ``worker-died``.
    * ``format``: the id of the format that was read.
    * ``findings``, ``losses``: everything that was found, and how many of them are losses.
    * ``bytes``: the size of the output. ``ms``: how long the row took, in milliseconds.
    * ``data``: the output, if ``options.target`` is ``None``.

    A worker process stays with the calling thread for its next call with the same options. Two outputs
    of one name are an error of ``run`` only, which sees the whole manifest.

    Raises ``ValueError`` if the table has no paths, and ``RuntimeError`` if no worker can be started.
    """
    slot: Optional[Slot] = getattr(_slots, "slot", None)
    if slot is None or slot.options != options:
        if slot is not None:
            slot.close()
        slot = _slots.slot = Slot(options)
    return results_table([slot.convert(row) for row in as_manifest(table).to_pylist()], options)


def results_table(rows: List[Dict[str, Any]], options: Options) -> pa.Table:
    """Returns the rows that ``Slot.convert`` made as a table."""
    return pa.Table.from_pylist(rows, WITH_DATA if options.target is None else RESULT)


def out_of(row: Dict[str, Any], extension: str) -> Optional[str]:
    """Returns the path of the output of a row of a manifest. It is not checked."""
    if row["out"] is not None or not row["path"]:
        out: Optional[str] = row["out"]
        return out
    path: str = row["path"]
    try:
        return str(PurePosixPath(path).with_suffix(f".{extension}"))
    except ValueError:
        return path


class _Refused(Exception):
    """A row that ends without a conversion, or whose output cannot be written."""

    def __init__(self, status: str, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class Slot:
    """Converts one file at a time, in a worker process of its own."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._source = None if options.source is None else Folder(options.source)
        self._target = None if options.target is None else Folder(options.target)
        self._extension = options.extension
        self._worker = Worker(options.function, options.memory)
        self._limit = options.memory << 20

    def close(self) -> None:
        """Ends the worker process."""
        self._worker.close()

    def convert(self, row: Dict[str, Any]) -> Dict[str, Any]:
        """Converts the file of a row of a manifest, and returns the row of the result."""
        start = time.perf_counter()
        result = {name: row[name] for name in ("path", "size", "mtime")}
        result.update(out=out_of(row, self._extension), findings=[], losses=0)
        try:
            self._fill(row, result)
        except (_Refused, WorkerEnded) as error:
            result.update(status=error.status, code=error.code, message=text(str(error)))
        except PathRefused as error:
            result.update(status="failed", code="path-refused", message=text(str(error)))
        result["ms"] = (time.perf_counter() - start) * 1000
        return result

    def _fill(self, row: Dict[str, Any], result: Dict[str, Any]) -> None:
        path = None if row["path"] is None and row.get("data") is not None else checked(row["path"] or "")
        if self._target is not None:
            result["out"] = checked(result["out"] or "")
            self._target.check_inside(result["out"])
            if self._source is not None and self._target.path(result["out"]) == self._source.path(path or ""):
                raise PathRefused(f"'{result['out']}' is the input")
        data = self._data(row, path)
        request = {"name": path or "", "arguments": self.options.arguments}

        def neighbors(name: str) -> bytes:
            if path is None or self._source is None:
                raise FileNotFoundError("only files of a folder have others beside them")
            return self._source.neighbor(path, name, self._limit)

        reply, output = self._worker.call(request, data, self.options.timeout, neighbors)
        for name in ("status", "code", "message", "place", "format"):
            result[name] = reply.get(name)
        result.update(findings=reply["findings"], losses=sum(each["is_loss"] for each in reply["findings"]))
        if result["status"] in ("ok", "partial"):
            self._write(result, output)

    def _data(self, row: Dict[str, Any], path: Optional[str]) -> bytes:
        data: Optional[bytes] = row.get("data")
        if data is not None:
            return data
        if self._source is None or path is None:
            raise _Refused("failed", "input", "the row has no bytes, and the options have no source")
        try:
            return self._source.read(path, self._limit)
        except (OSError, pa.ArrowException) as error:
            raise _Refused("failed", "input", str(error)) from error

    def _write(self, result: Dict[str, Any], output: bytes) -> None:
        if self._target is None:
            result["data"] = output
        else:
            try:
                self._target.write(result["out"], output, self.options.overwrite)
            except OtherContent as error:
                raise _Refused("skipped", "exists", f"{error}; overwrite=True replaces it") from error
            except (OSError, pa.ArrowException) as error:
                raise _Refused("failed", "output", str(error)) from error
        result["bytes"] = len(output)
