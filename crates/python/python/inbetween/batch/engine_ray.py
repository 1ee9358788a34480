"""Batches on Ray."""

from __future__ import annotations

from functools import partial
from typing import List

import pyarrow as pa

from .options import Options
from .progress import Progress
from .running import finish


def run(parts: List[pa.Table], options: Options, results: str, processes: int, progress: Progress) -> None:
    """Converts the parts of a manifest, a task for each, and stores their results."""
    import ray

    is_own = not ray.is_initialized()
    if is_own:
        ray.init(num_cpus=processes, include_dashboard=False, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        # Each table becomes a block, and None makes each block a batch.
        data = ray.data.from_arrow(parts).map_batches(
            partial(_finish, options=options, results=results), batch_format="pyarrow", batch_size=None
        )
        for batch in data.iter_batches(batch_size=None, batch_format="pyarrow"):
            for row in batch.to_pylist():
                progress.update(row["rows"], row["failed"])
    finally:
        if is_own:
            ray.shutdown()


def _finish(table: pa.Table, options: Options, results: str) -> pa.Table:
    rows, failed = finish(table, options, results)
    return pa.table({"rows": [rows], "failed": [failed]})
