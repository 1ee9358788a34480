"""Manifests: tables of the files of a batch."""

from __future__ import annotations

import io
import re
import sys
from pathlib import PurePosixPath
from typing import Any, Dict, List, Optional, Union

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from .. import _native
from .options import Options
from .paths import Folder
from .rows import out_of
from .schemas import MANIFEST, as_manifest

PART_BYTES = 64 << 20
PART_ROWS = 256


def manifest(folder: str, pattern: Optional[str] = None, out: Optional[str] = None) -> pa.Table:
    """Returns the manifest of a folder or URL: a row for each file, sorted by path.

    Columns: ``path`` relative to the folder, ``size`` in bytes, ``mtime``, ``out`` (null: it follows
    from the path), and ``part``, which counts parts of up to 64 MiB or 256 files. A part is the unit of
    work: its results are stored together.

    ``pattern`` selects paths: ``*`` stands for anything but ``/``, ``**/`` for any folders, such as
    ``**/*.seanim``. Without it, files with the extension of a known format are listed. Files and folders
    whose names begin with a dot are not. ``out`` is a path or URL to which the manifest is written as
    Parquet.

    Raises ``OSError``, and ``ValueError`` for a name that is not UTF-8, which tables cannot store.
    """
    root = Folder(folder)
    matches = _known if pattern is None else _matcher(pattern)
    rows: List[Dict[str, Any]] = []
    for info in root.filesystem.get_file_info(fs.FileSelector(root.base, recursive=True)):
        path = _path_of(info)[len(root.base) :].lstrip("/")
        is_hidden = any(name.startswith(".") for name in path.split("/"))
        if info.type == fs.FileType.File and not is_hidden and matches(path):
            rows.append({"path": path, "size": info.size, "mtime": info.mtime})
    rows.sort(key=lambda row: str(row["path"]))
    table = with_parts(pa.Table.from_pylist(rows, MANIFEST))
    if out is not None:
        store(table, out)
    return table


def _path_of(info: fs.FileInfo) -> str:
    try:
        path: str = info.path
    except UnicodeDecodeError as error:
        raise ValueError(f"the name of a file is not UTF-8, rename it: {error.object!r}") from error
    return path


def _known(path: str) -> bool:
    suffix = PurePosixPath(path).suffix
    return bool(suffix) and _native.format_of_extension(suffix[1:].lower()) is not None


def _matcher(pattern: str) -> Any:
    """Returns a function that tells whether a path matches a pattern."""
    parts = re.split(r"(\*\*/|\*|\?)", pattern)
    translated = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(translated.get(part) or re.escape(part) for part in parts), re.DOTALL).fullmatch


def with_parts(table: pa.Table) -> pa.Table:
    """Returns a manifest whose rows are numbered in parts."""
    parts, part, size, rows = [], 0, 0, 0
    for own in table["size"].to_pylist():
        if rows == PART_ROWS or (rows and size + (own or 0) > PART_BYTES):
            part, size, rows = part + 1, 0, 0
        parts.append(part)
        size, rows = size + (own or 0), rows + 1
    column = MANIFEST.get_field_index("part")
    return table.set_column(column, MANIFEST.field(column), pa.array(parts, pa.int32()))


def store(table: pa.Table, url: str) -> None:
    """Writes a table to a path or URL as Parquet, compressed with zstd."""
    parent, _, name = url.partition("?")[0].replace("\\", "/").rpartition("/")
    query = url[len(url.partition("?")[0]) :]
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    Folder((parent or ("/" if url.startswith("/") else ".")) + query).put(name, buffer.getvalue())


def load(manifest: Union[pa.Table, str], options: Options) -> pa.Table:
    """Returns a manifest, or that of a Parquet file or folder, checked and with parts.

    Raises ``ValueError`` if a row has no path, or two outputs have one name, or an output is the input
    of another row.
    """
    if not isinstance(manifest, pa.Table):
        root = Folder(str(manifest))
        manifest = pq.read_table(root.base, filesystem=root.filesystem)
    table = as_manifest(manifest)
    check_outputs(table, options)
    if table["part"].null_count:
        table = with_parts(table)
    return table


def check_outputs(table: pa.Table, options: Options) -> None:
    """Raises ``ValueError`` for two rows of one output, and for an output that is another row's input."""
    extension = options.extension
    first: Dict[str, int] = {}
    rows = table.select(["path", "out"]).to_pylist()
    target = Folder(options.target) if options.target is not None else None
    source = Folder(options.source) if options.source is not None else None
    # The output of a row may not be the input of another one.
    is_same = target is not None and source is not None and target.base == source.base
    inputs = {row["path"]: index for index, row in enumerate(rows)} if is_same else {}
    for index, row in enumerate(rows):
        if not row["path"]:
            raise ValueError(f"row {index} of the manifest has no path")
        out = _normal(out_of(row, extension) or "")
        other = first.setdefault(out, index)
        if other != index:
            both = f"rows {other} ('{rows[other]['path']}') and {index} ('{row['path']}')"
            raise ValueError(f"{both} of the manifest have one output: '{out}'")
        if inputs.get(out, index) != index:
            raise ValueError(
                f"the output of row {index} ('{row['path']}') is the input of row {inputs[out]}: '{out}'"
            )


def _normal(path: str) -> str:
    """Returns a path without what does not change it. On file systems that ignore case, so does this."""
    path = "/".join(name for name in path.split("/") if name not in ("", "."))
    return path.casefold() if sys.platform in ("win32", "darwin") else path
