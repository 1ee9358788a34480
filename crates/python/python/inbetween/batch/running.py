"""Running a batch on an engine."""

from __future__ import annotations

import os
from importlib import import_module
from itertools import groupby
from typing import List, Optional, Tuple, Union

import pyarrow as pa

from . import listing
from .options import Options
from .progress import Progress
from .results import Results, finished, pending
from .rows import convert

ENGINES = ("local", "ray", "spark")


def run(
    manifest: Union[pa.Table, str],
    options: Options,
    *,
    results: str,
    engine: str = "local",
    processes: Optional[int] = None,
    progress: bool = True,
) -> pa.Table:
    """Converts the files of a manifest, and returns a table with a row for each, sorted by path.

    ``manifest`` is a table (see ``manifest``), or the path or URL of one in Parquet. ``results`` is the
    folder or URL where finished parts are stored. Rows that have a result there are not converted
    again, unless their size or time changed, or their code is ``input``, ``output``, ``exists`` or
    ``worker-died``, which need no change of the file to end otherwise. Delete the folder to start anew.
    See ``convert`` for the columns.

    ``engine`` is ``local`` (worker processes on this machine), ``ray`` or ``spark``. ``processes`` is
    how many files are converted at once, by default as many as there are processors; a Ray or Spark
    session that runs already decides itself. On several machines, ``options.source``,
    ``options.target`` and ``results`` must be reachable from all of them.

    Raises ``ValueError`` for wrong options and manifests, before any work; ``RuntimeError`` if no
    worker can be started; ``OSError`` if the results cannot be stored; ``ImportError`` without the
    engine. Whatever ends a run, what it stored counts for the next one.
    """
    if engine not in ENGINES:
        raise ValueError(f"unknown engine '{engine}'; engines are {', '.join(ENGINES)}")
    if options.target is None:
        raise ValueError("a batch needs a target")
    if "://" not in results:
        results = os.path.abspath(results)
    options.check()
    table = listing.load(manifest, options)
    store = Results(results)
    store.claim(options)
    todo = pending(table, store.read())
    with Progress(table.num_rows, table.num_rows - todo.num_rows, progress) as shown:
        if todo.num_rows:
            module = import_module(f".engine_{engine}", __package__)
            module.run(split(todo), options, results, processes or os.cpu_count() or 1, shown)
    return finished(table, store.read())


def split(table: pa.Table) -> List[pa.Table]:
    """Returns the parts of a manifest."""
    table = table.sort_by([("part", "ascending"), ("path", "ascending")])
    parts, start = [], 0
    for _, group in groupby(table["part"].to_pylist()):
        length = len(list(group))
        parts.append(table.slice(start, length))
        start += length
    return parts


def finish(table: pa.Table, options: Options, results: str) -> Tuple[int, int]:
    """Converts the parts of a table and stores their results: what engines map.

    Returns the number of rows, and of those that are not ``ok``.
    """
    store, rows, failed = Results(results), 0, 0
    for part in split(table):
        converted = convert(part, options)
        store.write(part["part"][0].as_py(), converted)
        rows += converted.num_rows
        failed += sum(status != "ok" for status in converted["status"].to_pylist())
    return rows, failed
