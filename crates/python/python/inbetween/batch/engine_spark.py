"""Batches on Spark."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Iterator, List

import pyarrow as pa

from .options import Options
from .progress import Progress
from .running import finish

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def run(parts: List[pa.Table], options: Options, results: str, processes: int, progress: Progress) -> None:
    """Converts the parts of a manifest, a task for each, and stores their results."""
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    session = active or _session(processes, progress.shown)
    try:
        frame = session.createDataFrame(pa.concat_tables(parts))
        # Rows of one part stay together.
        frame = frame.repartitionByRange(len(parts), "part")
        rows = frame.mapInArrow(partial(_finish, options=options, results=results), "rows long, failed long")
        for row in rows.collect():
            progress.update(row["rows"], row["failed"])
    finally:
        if active is None:
            session.stop()


def _session(processes: int, shown: bool) -> SparkSession:
    from pyspark.sql import SparkSession

    # Without it, its workers run the first python3 of the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local[{processes}]").appName("inbetween")
    builder = builder.config("spark.ui.enabled", "false")
    return builder.config("spark.ui.showConsoleProgress", str(shown).lower()).getOrCreate()


def _finish(batches: Iterator[pa.RecordBatch], options: Options, results: str) -> Iterator[pa.RecordBatch]:
    own = list(batches)
    if own:
        rows, failed = finish(pa.Table.from_batches(own), options, results)
        yield pa.RecordBatch.from_pydict({"rows": [rows], "failed": [failed]})
