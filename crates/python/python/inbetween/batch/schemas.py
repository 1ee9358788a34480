"""The columns of tables: those of batches (manifests and results), and those of ``inbetween.arrow``."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from .report import FINDING_NAMES

_TYPES = {
    "is_loss": pa.bool_(),
    "count": pa.int64(),
    "clip_index": pa.int64(),
    "key": pa.int64(),
    "error": pa.float64(),
    "time_shift": pa.float64(),
}

FINDING = pa.struct([(name, _TYPES.get(name, pa.string())) for name in FINDING_NAMES])
"""A finding. ``place`` is the path of the value in the file, ``position`` is for people."""

FINDINGS = pa.schema([("path", pa.string()), *FINDING])
FILES = pa.schema(
    [
        ("path", pa.string()),
        ("format", pa.string()),
        ("size", pa.int64()),
        ("status", pa.string()),
        ("clips", pa.int64()),
        ("tracks", pa.int64()),
        ("keys", pa.int64()),
        ("duration", pa.float64()),
        ("frame_rate", pa.float64()),
        ("findings", pa.int64()),
        ("code", pa.string()),
        ("message", pa.string()),
        ("place", pa.string()),
    ]
)
TRACKS = pa.schema(
    [
        ("path", pa.string()),
        ("handedness", pa.string()),
        ("up", pa.string()),
        ("unit", pa.float64()),
        ("clip", pa.string()),
        ("clip_index", pa.int64()),
        ("stated_duration", pa.float64()),
        ("frame_rate", pa.float64()),
        ("looping", pa.bool_()),
        ("clip_blend", pa.string()),
        ("rules", pa.string()),
        ("markers", pa.list_(pa.struct([("time", pa.float64()), ("name", pa.string())]))),
        ("track_index", pa.int64()),
        ("node", pa.string()),
        ("property", pa.string()),
        ("component", pa.string()),
        ("euler_order", pa.string()),
        ("blend", pa.string()),
        ("kind", pa.string()),
        ("shape", pa.string()),
        ("interval", pa.float64()),
        ("interpolation", pa.string()),
        ("interpolations", pa.list_(pa.string())),
        ("tangents", pa.string()),
        ("width", pa.int64()),
        ("keys", pa.int64()),
    ]
)
"""The columns of ``inbetween.arrow.tracks`` before those of keys."""

MANIFEST = pa.schema(
    [
        ("path", pa.string()),
        ("size", pa.int64()),
        ("mtime", pa.timestamp("us", tz="UTC")),
        ("out", pa.string()),
        ("part", pa.int32()),
    ]
)

RESULT = pa.schema(
    [
        ("path", pa.string()),
        ("size", pa.int64()),
        ("mtime", pa.timestamp("us", tz="UTC")),
        ("out", pa.string()),
        ("status", pa.string()),
        ("code", pa.string()),
        ("message", pa.string()),
        ("place", pa.string()),
        ("format", pa.string()),
        ("losses", pa.int64()),
        ("bytes", pa.int64()),
        ("ms", pa.float64()),
        ("findings", pa.list_(FINDING)),
    ]
)

WITH_DATA = RESULT.append(pa.field("data", pa.large_binary()))


def as_manifest(table: pa.Table) -> pa.Table:
    """Returns a table with the columns of a manifest, and ``data`` if it has them. Missing ones are null.

    Raises ``ValueError`` if there is no column ``path`` or a column has another type.
    """
    names = table.column_names
    if "path" not in names:
        raise ValueError(f"a manifest needs the column path; columns are {', '.join(names)}")
    columns = {}
    for field in MANIFEST:
        if field.name not in names:
            columns[field.name] = pa.nulls(table.num_rows, field.type)
            continue
        try:
            columns[field.name] = table[field.name].cast(field.type)
        except pa.ArrowException as error:
            raise ValueError(f"the column {field.name} of the manifest: {error}") from error
    if "data" in names:
        columns["data"] = table["data"]
    return pa.table(columns)


def text(value: Any) -> Any:
    """Returns a text without what UTF-8 cannot encode; other values as they are."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
