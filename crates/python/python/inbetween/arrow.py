"""Animation files as Arrow tables, for queries and for data sets in Parquet.

Needs ``pip install "inbetween-anim[arrow]"``.

``tables`` makes three tables: ``files`` has a row for each file, ``findings`` one for each finding, and
``tracks`` one for each track. The keys of a track are list columns: ``times`` in seconds, and ``values``
with ``width`` numbers for each key, so that key ``k`` is ``values[k * width : (k + 1) * width]``. Values
of all kinds are doubles, without loss, except in these columns, where ``values`` is null:

* ``integers`` (int64) has the values of ``long``, ``long2``, ``long3`` and ``long4``;
* ``unsigned`` (uint64) has those of ``ulong``;
* ``texts`` has those of ``string``.

>>> import inbetween
>>> import inbetween.arrow
>>> walk = inbetween.Document.from_arrays(
...     {
...         "hips/Position": ([0.0, 1.0], [[0.0, 1.0, 0.0], [0.0, 1.0, 3.0]]),
...         "hips/Rotation": ([0.0], [[0.0, 0.0, 0.0, 2.0]]),
...     },
...     name="walk",
... )
>>> tracks = inbetween.arrow.tracks(walk, "walk.seanim")
>>> tracks.select(["node", "property", "kind", "times", "values"]).to_pylist()[0]
{'node': 'hips', 'property': 'Position', 'kind': 'double3', 'times': [0.0, 1.0], 'values': [0.0, 1.0, 0.0, 0.0, 1.0, 3.0]}

DuckDB: all clips whose hips move more than 2 m along an axis (for files in meters). Its lists count
from 1, and ``[1:-1:3]`` is every third number.

>>> import duckdb
>>> duckdb.sql('''
...     SELECT path, clip
...     FROM tracks
...     WHERE node = 'hips' AND property = 'Position' AND width = 3 AND greatest(
...         list_max("values"[1:-1:3]) - list_min("values"[1:-1:3]),
...         list_max("values"[2:-1:3]) - list_min("values"[2:-1:3]),
...         list_max("values"[3:-1:3]) - list_min("values"[3:-1:3])) > 2
... ''').fetchall()
[('walk.seanim', 'walk')]

Polars: rotations that are not unit quaternions.

>>> import polars as pl
>>> (
...     pl.from_arrow(tracks)
...     .filter(pl.col("property") == "Rotation")
...     .select("path", "clip", "node", "values")
...     .explode("values")
...     .with_row_index("number")
...     .group_by("path", "clip", "node", pl.col("number") // 4)
...     .agg((pl.col("values") ** 2).sum().sqrt().alias("length"))
...     .filter((pl.col("length") - 1).abs() > 1e-3)
...     .select("path", "clip", "node", "length")
...     .rows()
... )
[('walk.seanim', 'walk', 'hips', 2.0)]
"""  # noqa: E501

from __future__ import annotations

import io
import os
import re
from dataclasses import asdict
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from ._native import Clip, Document, Track, read, save
from ._report import Coordinates, Error, Finding, Marker
from .batch.report import finding_row, place_of
from .batch.schemas import FILES, FINDINGS, TRACKS

__all__ = ["Tables", "findings", "from_tracks", "tables", "to_parquet", "tracks"]

Input = Union[str, PathLike[str], bytes, Document]
_Array = npt.NDArray[Any]

_STORES = {
    "": (pa.float64(), "f8"),
    "integers": (pa.int64(), "i8"),
    "unsigned": (pa.uint64(), "u8"),
    "texts": (pa.string(), "O"),
}
_SPACE = ("handedness", "up", "unit")
_BLENDS = ("absolute", "additive", "relative", "delta")
_UNSIGNED = {"bool": "?", "byte": "u1", "ushort": "u2", "uint": "u4", "ulong": "u8"}
_SIGNED = {"sbyte": "i1", "short": "i2", "int": "i4", "long": "i8", "float": "f4", "double": "f8"}
_TYPES = {**_UNSIGNED, **_SIGNED, "string": "O"}


class Tables(NamedTuple):
    """The tables of some files."""

    files: pa.Table
    """A row for each file: its size and counts, ``status`` (``ok``, ``partial`` or ``failed``), and the
    error of one that cannot be read. ``duration`` is that of its longest clip in seconds."""
    findings: pa.Table
    """A row for each finding of reading."""
    tracks: pa.Table
    """A row for each track; see the module."""


def tables(inputs: Union[Iterable[Input], Mapping[str, Input]]) -> Tables:
    """Returns the tables of paths, of bytes, and of documents.

    A mapping gives them the names of the column ``path``; otherwise that of bytes and documents is
    null. A file that cannot be read is a row of ``files`` with the status ``failed``.
    """
    named: Iterable[Tuple[Optional[str], Input]]
    if isinstance(inputs, Mapping):
        named = inputs.items()
    else:
        named = ((None if isinstance(it, (bytes, Document)) else os.fspath(it), it) for it in inputs)
    rows: List[Dict[str, Any]] = []
    found, parts = [findings([], None)], [_tracks_table([], [])]
    for path, source in named:
        row: Dict[str, Any] = {"path": path, "size": _size(source)}
        rows.append(row)
        try:
            document = source if isinstance(source, Document) else read(source)
        except Error as error:
            row.update(status="failed", code=error.code, message=str(error), findings=len(error.findings))
            row["place"] = place_of(error)
            found.append(findings(error.findings, path))
        except OSError as error:
            row.update(status="failed", code="io", message=str(error), findings=0)
        else:
            row.update(_file_row(document))
            found.append(findings(document.findings, path))
            parts.append(tracks(document, path))
    files = pa.Table.from_pylist(rows, FILES)
    return Tables(files, pa.concat_tables(found), pa.concat_tables(parts))


def _size(source: Input) -> Optional[int]:
    if isinstance(source, Document):
        return None
    if isinstance(source, bytes):
        return len(source)
    try:
        return Path(source).stat().st_size
    except OSError:
        return None


def _file_row(document: Document) -> Dict[str, Any]:
    clips = list(document.clips)
    is_partial = any(finding.code == "part-skipped" for finding in document.findings)
    return {
        "format": document.format,
        "status": "partial" if is_partial else "ok",
        "clips": len(clips),
        "tracks": sum(len(clip.tracks) for clip in clips),
        "keys": sum(len(track) for clip in clips for track in clip.tracks),
        "duration": max((clip.duration for clip in clips), default=None),
        "frame_rate": next((clip.frame_rate for clip in clips), None),
        "findings": len(document.findings),
    }


def findings(found: Sequence[Finding], path: Optional[str]) -> pa.Table:
    """Returns the table of the findings of a file, a row for each."""
    rows = [{"path": path, **finding_row(finding)} for finding in found]
    return pa.Table.from_pylist(rows, FINDINGS)


def tracks(document: Document, path: Optional[str] = None) -> pa.Table:
    """Returns the table of the tracks of a document, a row for each; ``path`` names the file.

    What a clip states (``stated_duration``, ``frame_rate``, ``markers`` ...) is in the row of each of
    its tracks, and so are the coordinates of the document; ``unit`` is that of lengths in meters.
    ``interpolation`` is ``mixed`` if keys differ, and ``interpolations`` then has the name for each key.
    ``left`` and ``right`` are tangents, like ``values``; those that are handles have a time in seconds
    and a value for each number. Times are not copied for a document of one track, nor are values that
    are doubles; otherwise each column is copied once.
    """
    rows: List[Dict[str, Any]] = []
    all_tracks: List[Track] = []
    coordinates = asdict(document.coordinates or Coordinates())
    for clip_index, clip in enumerate(document.clips):
        stated = {
            "path": path,
            **coordinates,
            "clip": clip.name,
            "clip_index": clip_index,
            "stated_duration": clip.stated_duration,
            "frame_rate": clip.frame_rate,
            "looping": clip.looping,
            "clip_blend": clip.blend,
            "rules": clip.rules,
            "markers": [{"time": marker.time, "name": marker.name} for marker in clip.markers],
        }
        for track in clip.tracks:
            rows.append({**stated, **_track_row(track)})
            all_tracks.append(track)
    return _tracks_table(rows, all_tracks)


def _track_row(track: Track) -> Dict[str, Any]:
    names = ("node", "property", "component", "euler_order", "blend", "kind", "shape", "interval", "tangents")
    row: Dict[str, Any] = {name: getattr(track, name) for name in names}
    interpolation = track.interpolation
    is_shared = isinstance(interpolation, str)
    row["interpolation"] = interpolation if is_shared else "mixed"
    row["interpolations"] = None if is_shared else interpolation
    row["track_index"], row["keys"] = track.index, len(track)
    row["width"] = int(np.prod(_layout(track.kind)[1], dtype=np.int64))
    return row


def _layout(kind: str) -> Tuple[np.dtype[Any], Tuple[int, ...]]:
    """Returns the type of the numbers of a kind, and the shape of a value."""
    if kind in ("color", "color32"):
        return np.dtype("f4" if kind == "color" else "u1"), (4,)
    parts = re.fullmatch(r"([a-z]+)(?:([234])(?:x\2)?|Q)?", kind)
    if parts is None or parts[1] not in _TYPES:
        raise ValueError(f"'{kind}' is no kind of values")
    is_matrix, is_quaternion = "x" in kind, kind.endswith("Q")
    length = 4 if is_quaternion else int(parts[2] or 0)
    shape = (length, length) if is_matrix else (length,) if length else ()
    return np.dtype(_TYPES[parts[1]]), shape


def _column(role: str, store: str) -> str:
    """Returns the name of a column of keys: ``values``, ``integers``, ``left``, ``left_integers``."""
    if role == "values":
        return store or role
    return f"{role}_{store}" if store else role


def _store(array: _Array) -> str:
    """Returns which column stores the numbers of an array."""
    return {"i8": "integers", "u8": "unsigned"}.get(
        array.dtype.str[1:], "texts" if array.dtype == object else ""
    )


def _tracks_table(rows: List[Dict[str, Any]], all_tracks: List[Track]) -> pa.Table:
    table = pa.Table.from_pylist(rows, TRACKS)
    table = table.append_column("times", _lists([track.times for track in all_tracks], ""))
    for role in ("values", "left", "right"):
        arrays: List[Optional[_Array]] = [getattr(track, role) for track in all_tracks]
        stores = [None if array is None else _store(array) for array in arrays]
        for store in _STORES:
            own = [array if of == store else None for array, of in zip(arrays, stores)]
            table = table.append_column(_column(role, store), _lists(own, store))
    return table


def _lists(arrays: Sequence[Optional[_Array]], store: str) -> pa.Array:
    """Returns a list for each array, null for None: one concatenation, or no copy of a single array."""
    sizes = [0 if array is None else array.size for array in arrays]
    offsets = np.zeros(len(arrays) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    if offsets[-1] > np.iinfo(np.int32).max:
        raise OverflowError(f"a document has {offsets[-1]} numbers in a column, at most 2,147,483,647 fit")
    flat = [array.reshape(-1) for array in arrays if array is not None and array.size]
    number, dtype = _STORES[store][0], np.dtype(_STORES[store][1])
    # A signaling NaN is no reason for a warning.
    with np.errstate(invalid="ignore"):
        if len(flat) == 1:
            joined: _Array = flat[0].astype(dtype, copy=False)
        else:
            joined = np.concatenate([np.empty(0, dtype), *flat], dtype=dtype)
    nulls = np.array([*(array is None for array in arrays), False])
    places = pa.array(offsets.astype(np.int32), mask=nulls if nulls.any() else None)
    return pa.ListArray.from_arrays(places, pa.array(joined, type=number))


def to_parquet(tables: Tables, folder: Union[str, PathLike[str]]) -> None:
    """Writes ``files.parquet``, ``findings.parquet`` and ``tracks.parquet`` to a folder.

    They are compressed with zstd. A row group has about 64 MiB of uncompressed data, and up to 65,536
    rows. Existing files are replaced, each at once, and stay if the new one cannot be written.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables._asdict().items():
        rows = min(65_536, (64 << 20) * max(table.num_rows, 1) // max(table.nbytes, 1))
        buffer = io.BytesIO()
        pq.write_table(table, buffer, compression="zstd", row_group_size=max(rows, 1))
        save(folder / f"{name}.parquet", buffer.getvalue())


def from_tracks(table: pa.Table) -> Document:
    """Returns the document of the rows of one file, as ``tracks`` made them.

    Tracks come back exactly: times, values, tangents, kinds, shapes and targets; only signaling NaN
    becomes quiet. So do the coordinates, and the name, duration, frame rate, markers, rules, looping and
    blend mode of clips; a mode without a name becomes ``absolute``, as which it plays. A table of tracks
    has no skeleton, no clips without tracks, and no blend modes of single nodes.

    Raises ``ValueError`` if the rows are of several files (filter them by ``path`` first) or have no keys,
    and ``KeyError`` if a column is missing.
    """
    paths = table["path"].unique().to_pylist()
    if len(paths) > 1:
        raise ValueError(f"rows of {len(paths)} files: filter the table by path, such as '{paths[0]}'")
    table = table.sort_by([("clip_index", "ascending"), ("track_index", "ascending")])
    columns = {name: table[name] for name in table.column_names if name not in TRACKS.names}
    rows = enumerate(table.select([name for name in TRACKS.names if name != "path"]).to_pylist())
    space = {name: table[name].unique().to_pylist()[0] for name in _SPACE} if table.num_rows else {}
    clips: List[Clip] = []
    for _, group in groupby(rows, key=lambda row: cast(int, row[1]["clip_index"])):
        own = list(group)
        clips.append(_clip(own[0][1], [_track(row, columns, index) for index, row in own]))
    return Document(clips, coordinates=Coordinates(**space) if any(space.values()) else None)


def _clip(stated: Dict[str, Any], all_tracks: List[Track]) -> Clip:
    return Clip(
        all_tracks,
        name=stated["clip"],
        duration=stated["stated_duration"],
        frame_rate=stated["frame_rate"],
        looping=stated["looping"],
        markers=[Marker(marker["time"], marker["name"]) for marker in stated["markers"]],
        blend=stated["clip_blend"] if stated["clip_blend"] in _BLENDS else "absolute",
        rules=stated["rules"],
    )


def _cell(columns: Dict[str, Any], names: Sequence[str], index: int) -> _Array:
    """Returns the list of a row in the first of some columns that has one."""
    for name in names:
        cell = columns[name][index]
        if isinstance(cell, (pa.ListScalar, pa.LargeListScalar)) and cell.values is not None:
            numbers: _Array = cell.values.to_numpy(zero_copy_only=False)
            return numbers
    raise ValueError(f"row {index} has no list in {' or '.join(names)}")


def _track(row: Dict[str, Any], columns: Dict[str, Any], index: int) -> Track:
    kind, tangents = row["kind"], row["tangents"]
    dtype, shape = _layout(kind)
    times = _cell(columns, ["times"], index)
    keys = len(times)

    def array(role: str, dtype: np.dtype[Any], shape: Tuple[int, ...]) -> _Array:
        numbers = _cell(columns, [_column(role, store) for store in _STORES], index)
        return numbers.astype(dtype, copy=False).reshape((keys, *shape))

    sides: Dict[str, Any] = {}
    if tangents is not None:
        own = (np.dtype("f8"), (row["width"], 2)) if tangents == "handles" else (dtype, shape)
        sides = {"left": array("left", *own), "right": array("right", *own), "tangents": tangents}
    if row["euler_order"] is not None:
        sides["euler_order"] = row["euler_order"]
    mixed = row["interpolations"]
    return Track(
        row["node"],
        row["property"],
        times,
        array("values", dtype, shape),
        kind=kind,
        interpolation=row["interpolation"] if mixed is None else mixed,
        shape=row["shape"],
        interval=row["interval"],
        component=row["component"],
        blend=row["blend"],
        **sides,
    )
