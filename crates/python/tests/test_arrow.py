"""Tests of ``inbetween.arrow``."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any, List

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

import inbetween  # noqa: E402
import inbetween.arrow  # noqa: E402
from inbetween import Clip, Coordinates, Document, Marker, Track  # noqa: E402

FIXTURES = Path(__file__).parents[3] / "fixtures"
FORMATS = sorted(folder.name for folder in FIXTURES.iterdir())

TRACK = (
    "node",
    "property",
    "component",
    "kind",
    "shape",
    "interval",
    "interpolation",
    "tangents",
    "blend",
    "euler_order",
)


def documents(form: str) -> List[Document]:
    """Returns the documents of the fixtures of a format that can be read."""
    found = []
    for path in sorted((FIXTURES / form / "ok").iterdir()):
        if path.suffix == ".dump":
            continue
        try:
            found.append(inbetween.read(path))
        except inbetween.Error:
            continue
    return found


def bits(array: Any) -> Any:
    """Returns an array as something that compares NaN as equal."""
    if array is None or array.dtype == object:
        return None if array is None else array.tolist()
    return array.shape, array.dtype.str, array.tobytes()


def assert_same(before: Clip, after: Clip) -> None:
    for name in ("name", "stated_duration", "frame_rate", "looping", "markers"):
        assert repr(getattr(before, name)) == repr(getattr(after, name))
    assert after.blend == ("absolute" if before.blend.isdigit() else before.blend)
    # Formats with equal rules are not told apart.
    assert (before.rules is None) == (after.rules is None)
    assert len(before.tracks) == len(after.tracks)
    for one, other in zip(before.tracks, after.tracks):
        for name in TRACK:
            assert repr(getattr(one, name)) == repr(getattr(other, name)), (one.label, name)
        for name in ("times", "values", "left", "right"):
            assert bits(getattr(one, name)) == bits(getattr(other, name)), (one.label, name)


@pytest.mark.parametrize("form", FORMATS)
def test_tracks_of_all_fixtures_come_back_exactly(form: str) -> None:
    all_documents = documents(form)
    assert all_documents
    for document in all_documents:
        after = inbetween.arrow.from_tracks(inbetween.arrow.tracks(document))
        before = [clip for clip in document.clips if len(clip.tracks)]
        assert len(before) == len(after.clips)
        assert not before or (after.coordinates or Coordinates()) == (document.coordinates or Coordinates())
        for one, other in zip(before, after.clips):
            assert_same(one, other)


def test_tracks_come_back_from_parquet(tmp_path: Path) -> None:
    paths = sorted((FIXTURES / "animx" / "ok").glob("*.animx"))[:20]
    tables = inbetween.arrow.tables(paths)
    inbetween.arrow.to_parquet(tables, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "files.parquet",
        "findings.parquet",
        "tracks.parquet",
    ]
    stored = pq.read_table(tmp_path / "tracks.parquet")
    assert stored.schema == tables.tracks.schema
    assert stored.num_rows == tables.tracks.num_rows
    for path in paths:
        rows = stored.filter(pa.compute.field("path") == str(path))
        clips = [clip for clip in inbetween.read(path).clips if len(clip.tracks)]
        for before, after in zip(clips, inbetween.arrow.from_tracks(rows).clips):
            assert_same(before, after)


def test_integers_of_64_bits_and_texts_are_exact() -> None:
    times = [0.0, 1.0]
    made = [
        Track("a", "long", times, np.array([-(2**63), 2**63 - 1], np.int64), kind="long"),
        Track("a", "ulong", times, np.array([2**53 + 1, 2**64 - 1], np.uint64), kind="ulong"),
        Track("a", "text", times, ["\u00e9", None], kind="string", interpolation="hold"),
        Track("a", "bool", times, [True, False], kind="bool", interpolation="hold"),
    ]
    clip = Clip(made, name="all", duration=2.5, frame_rate=30.0, looping=True, markers=[Marker(0.5, "step")])
    table = inbetween.arrow.tracks(Document([clip]))
    assert table["integers"].to_pylist() == [[-(2**63), 2**63 - 1], None, None, None]
    assert table["unsigned"].to_pylist() == [None, [2**53 + 1, 2**64 - 1], None, None]
    assert table["texts"].to_pylist() == [None, None, ["\u00e9", None], None]
    assert table["values"].to_pylist() == [None, None, None, [1.0, 0.0]]
    assert inbetween.arrow.from_tracks(table).clips[0] == clip


def test_a_single_track_is_not_copied() -> None:
    document = Document.from_arrays({"a/Position": ([0.0, 1.0], np.zeros((2, 3)))})
    track = document.clips[0].tracks[0]
    table = inbetween.arrow.tracks(document)
    for name in ("times", "values"):
        address = table[name].chunk(0).values.buffers()[1].address
        assert address == getattr(track, name).ctypes.data


def test_clips_keep_their_order_and_a_table_of_two_files_is_refused() -> None:
    clips = [
        Clip([Track("a", "Weight:w", [0.0], [float(number)])], name=f"c{number}") for number in range(12)
    ]
    table = inbetween.arrow.tracks(Document(clips), "one")
    shuffled = table.take(list(reversed(range(table.num_rows))))
    assert inbetween.arrow.from_tracks(shuffled).clips.keys() == [f"c{number}" for number in range(12)]
    both = pa.concat_tables([table, inbetween.arrow.tracks(Document(clips), "two")])
    with pytest.raises(ValueError, match="2 files"):
        inbetween.arrow.from_tracks(both)
    assert len(inbetween.arrow.from_tracks(table.slice(0, 0)).clips) == 0


def test_tables_have_a_row_for_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "broken.seanim").write_bytes(b"SEAnim\x01\x00")
    good = next((FIXTURES / "seanim" / "ok").glob("*.seanim"))
    tables = inbetween.arrow.tables(
        {
            "broken": tmp_path / "broken.seanim",
            "missing": tmp_path / "none",
            "good": good,
            "b": good.read_bytes(),
        }
    )
    broken, missing, read, data = tables.files.to_pylist()
    assert (broken["status"], broken["code"], broken["size"]) == ("failed", "unexpected-end", 8)
    assert "byte" in broken["place"]
    assert (missing["status"], missing["code"], missing["size"]) == ("failed", "io", None)
    assert (read["status"], read["format"], read["size"]) == ("ok", "seanim", good.stat().st_size)
    assert {**data, "path": "good"} == read
    assert read["tracks"] == sum(path == "good" for path in tables.tracks["path"].to_pylist())


def test_findings_are_rows() -> None:
    path = FIXTURES / "bvh" / "ok" / "nan-rotation.bvh"
    tables = inbetween.arrow.tables([path])
    found = inbetween.read(path).findings
    assert tables.findings["code"].to_pylist() == [finding.code for finding in found]
    assert tables.findings["message"].to_pylist() == [finding.message for finding in found]
    assert tables.files["findings"].to_pylist() == [len(found)]


def test_the_examples_of_the_documentation_run() -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("polars")
    assert doctest.testmod(inbetween.arrow).failed == 0
