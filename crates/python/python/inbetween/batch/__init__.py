"""Batches: convert many files, on this machine, on Ray or on Spark.

Needs ``pip install "inbetween-anim[batch]"``, or ``[ray]`` or ``[spark]`` for these engines.

``python -m inbetween.batch --to glb --in clips --out converted`` converts a folder. In Python::

    from inbetween import batch

    options = batch.Options(to="glb", source="clips", target="converted")
    table = batch.run(batch.manifest("clips"), options, results="results")

``source``, ``target`` and ``results`` are folders or URLs such as ``s3://bucket/clips``. A manifest is a
table with a row for each file. The result has one too, sorted by path and the same from all engines but
for ``ms``; see ``convert`` for its columns. A batch that was killed continues where it was if it is run
again with the same ``results``.

Each file is converted in a worker process with limits of time and memory, so a file that crashes it
costs one row.

``convert`` maps a table to a table, for pipelines of your own::

    import functools, ray

    files = ray.data.read_parquet("manifest.parquet")
    files.map_batches(functools.partial(batch.convert, options=options), batch_format="pyarrow")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from .listing import manifest
    from .options import Options
    from .rows import convert
    from .running import run

__all__ = ["Options", "convert", "manifest", "run"]

_MODULES = {"Options": "options", "convert": "rows", "manifest": "listing", "run": "running"}


# Worker processes import this package, and must not load pyarrow for it.
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> List[str]:
    return sorted([*globals(), *__all__])
