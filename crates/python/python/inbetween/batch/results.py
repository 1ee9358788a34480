"""The results of a batch: a Parquet file for each finished part, in one folder."""

from __future__ import annotations

import hashlib
import io
import json
import re
from typing import Any, Dict, List, Optional, Tuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from .options import Options
from .paths import Folder
from .schemas import RESULT

_PART = re.compile(r"part-\d+-[0-9a-f]{16}\.parquet")
_OPTIONS = "options.json"

_RETRIED = ("input", "output", "exists", "worker-died")
"""The codes of rows that may end otherwise without a change of the file, so that the next run tries again."""

Key = Tuple[Optional[str], Optional[int], Any]


class Results:
    """The folder of the results of a batch."""

    def __init__(self, url: str) -> None:
        """``url`` is a path or a URL. The folder is made when something is written."""
        self._folder = Folder(url)

    def claim(self, options: Options) -> None:
        """Stores what the outputs depend on.

        Raises ``ValueError`` if the folder has results of other options, and ``OSError``.
        """
        own = json.loads(json.dumps(options.identity(), default=str))
        stored = self._folder.get(_OPTIONS)
        if stored is None:
            self._folder.put(_OPTIONS, json.dumps(own, indent=1).encode())
            return
        try:
            before = json.loads(stored)
        except ValueError as error:
            raise self._damaged(_OPTIONS, error) from error
        differing = [name for name in own if own[name] != before.get(name)]
        if differing:
            raise ValueError(
                f"the results in '{self._folder.base}' are of other options ({', '.join(differing)}): "
                "use another folder for results"
            )

    def write(self, part: int, table: pa.Table) -> None:
        """Stores the results of a part. Storing them again replaces them."""
        names = repr(keys(table)).encode("utf-8", "surrogatepass")
        buffer = io.BytesIO()
        pq.write_table(table, buffer, compression="zstd")
        name = f"part-{part:06}-{hashlib.sha256(names).hexdigest()[:16]}.parquet"
        self._folder.put(name, buffer.getvalue())

    def read(self) -> pa.Table:
        """Returns all results, the oldest first.

        Raises ``OSError``, also for a file that is damaged.
        """
        selector = fs.FileSelector(self._folder.base, allow_not_found=True)
        found = self._folder.filesystem.get_file_info(selector)
        parts = [info for info in found if _PART.fullmatch(info.base_name)]
        parts.sort(key=lambda info: (info.mtime_ns or 0, info.path))
        return pa.concat_tables([RESULT.empty_table(), *(self._part(info) for info in parts)])

    def _part(self, info: fs.FileInfo) -> pa.Table:
        try:
            return pq.read_table(info.path, filesystem=self._folder.filesystem, schema=RESULT)
        except pa.ArrowInvalid as error:
            raise self._damaged(info.base_name, error) from error

    def _damaged(self, name: str, error: Exception) -> OSError:
        path = self._folder.path(name)
        return OSError(f"'{path}' is damaged, and nothing is lost if you delete it: {error}")


def keys(table: pa.Table) -> List[Key]:
    """Returns what a row of a manifest and its result have in common: path, size and time."""
    return list(zip(*(table[name].to_pylist() for name in ("path", "size", "mtime"))))


def pending(manifest: pa.Table, results: pa.Table) -> pa.Table:
    """Returns the rows of a manifest without results, and those to try again."""
    done = {key for key, code in zip(keys(results), results["code"].to_pylist()) if code not in _RETRIED}
    return manifest.filter(pa.array([key not in done for key in keys(manifest)], pa.bool_()))


def finished(manifest: pa.Table, results: pa.Table) -> pa.Table:
    """Returns the results of the rows of a manifest, sorted by path.

    Of a row that was tried again, this is the result of the last time.
    """
    own, codes = keys(results), results["code"].to_pylist()
    # Clocks of object stores count seconds. What is not tried again came last.
    order = sorted(range(len(own)), key=lambda row: codes[row] not in _RETRIED)
    rows: Dict[Key, int] = {own[row]: row for row in order}
    wanted = sorted((key for key in keys(manifest) if key in rows), key=lambda key: str(key[0]))
    return results.take(pa.array([rows[key] for key in wanted], pa.int64())).combine_chunks()
