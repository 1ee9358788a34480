"""Tests of the paths of ``inbetween.batch``: neighbors, hostile manifests, listings."""

from __future__ import annotations

import json
import os
import struct
import sys
from collections import Counter
from pathlib import Path
from typing import List

import pytest

pa = pytest.importorskip("pyarrow")
pytest.importorskip("psutil")

import inbetween  # noqa: E402
from inbetween import batch  # noqa: E402
from test_batch import FIXTURES, contents, posix, run, walk, write_clip  # noqa: E402


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    """A folder with one good file."""
    return write_clip(tmp_path)


# ---- neighbors


def gltf(uri: str) -> bytes:
    """Returns a glTF file whose keys are in another file."""
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"uri": uri, "byteLength": 32}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 8},
            {"buffer": 0, "byteOffset": 8, "byteLength": 24},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"},
        ],
        "nodes": [{"name": "door"}],
        "animations": [
            {
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                "samplers": [{"input": 0, "output": 1}],
            }
        ],
    }
    return json.dumps(document).encode()


KEYS = struct.pack("<8f", 0, 1, 0, 0, 0, 4, 5, 6)


@pytest.mark.parametrize("uri", ["keys.bin", "./keys.bin", "sub/keys.bin", "with%20space.bin"])
def test_neighbors_beside_the_input_are_read(tmp_path: Path, uri: str) -> None:
    folder = tmp_path / "in" / "a"
    (folder / "sub").mkdir(parents=True)
    (folder / uri.replace("%20", " ")).write_bytes(KEYS)
    (folder / "door.gltf").write_bytes(gltf(uri))
    (row,) = run(tmp_path)
    assert (row["status"], row["message"]) == ("ok", None)
    values = inbetween.read(tmp_path / "out" / "a" / "door.animx").clips[0].tracks[0].values
    # The conversion mirrors x.
    assert values.tolist() == [[0, 0, 0], [-4, 5, 6]]


@pytest.mark.parametrize(
    "uri",
    [
        "../secret.bin",
        "sub/../../secret.bin",
        "%2e%2e/secret.bin",
        "{root}/secret.bin",
        "file://{root}/secret.bin",
    ],
)
def test_neighbors_elsewhere_are_not_read(tmp_path: Path, uri: str) -> None:
    folder = tmp_path / "in" / "a"
    folder.mkdir(parents=True)
    (tmp_path / "in" / "secret.bin").write_bytes(KEYS)
    (folder / "door.gltf").write_bytes(gltf(uri.format(root=tmp_path / "in")))
    assert_without_keys(tmp_path)


@posix
def test_links_to_neighbors_elsewhere_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "in" / "a"
    folder.mkdir(parents=True)
    (tmp_path / "in" / "secret.bin").write_bytes(KEYS)
    (folder / "keys.bin").symlink_to(tmp_path / "in" / "secret.bin")
    (folder / "door.gltf").write_bytes(gltf("keys.bin"))
    assert_without_keys(tmp_path)


def assert_without_keys(tmp_path: Path) -> None:
    (row,) = run(tmp_path)
    assert row["status"] in ("failed", "partial")
    output = tmp_path / "out" / "a" / "door.animx"
    assert not output.exists() or not any(len(clip.tracks) for clip in inbetween.read(output).clips)


# ---- hostile manifests

HOSTILE = [
    "../outside.seanim",
    "a/../../outside.seanim",
    "/etc/outside.seanim",
    "C:/outside.seanim",
    "c:outside.seanim",
    "..\\outside.seanim",
    "a\\b.seanim",
    "file:///etc/outside.seanim",
    "//server/outside.seanim",
    "a/",
    ".",
    "a\x00b.seanim",
]


@pytest.mark.parametrize("path", HOSTILE)
def test_hostile_paths_are_refused(clips: Path, path: str) -> None:
    before = contents(clips)
    (row,) = run(clips, pa.table({"path": [path]}))
    assert (row["status"], row["code"]) == ("failed", "path-refused")
    (row,) = run(clips, pa.table({"path": ["a/walk.seanim"], "out": [path]}), results=str(clips / "others"))
    assert (row["status"], row["code"]) == ("failed", "path-refused")
    added = set(contents(clips)) - set(before)
    assert {name.split("/")[0] for name in added} == {"results", "others"}


@posix
def test_links_in_the_target_are_not_followed(clips: Path) -> None:
    (clips / "outside").mkdir()
    (clips / "out").mkdir()
    (clips / "out" / "a").symlink_to(clips / "outside")
    (row,) = run(clips)
    assert (row["status"], row["code"]) == ("failed", "path-refused")
    assert not list((clips / "outside").iterdir())


def test_two_outputs_of_one_name_are_refused_before_any_work(clips: Path) -> None:
    (clips / "in" / "a" / "walk.bvh").write_bytes((FIXTURES / "bvh" / "ok" / "walk.bvh").read_bytes())
    with pytest.raises(ValueError, match=r"rows 0 \('a/walk.bvh'\) and 1 \('a/walk.seanim'\).*a/walk.animx"):
        run(clips)
    with pytest.raises(ValueError, match=r"rows 0 .* and 1 "):
        run(clips, pa.table({"path": ["a/walk.bvh", "b.bvh"], "out": ["x/y.animx", "x/./y.animx"]}))
    assert not (clips / "out").exists()
    assert not (clips / "results").exists()


def test_an_output_never_replaces_an_input(clips: Path) -> None:
    own = str(clips / "in")
    (row,) = run(clips, to="seanim", target=own, overwrite=True)
    assert (row["status"], row["code"]) == ("failed", "path-refused")
    (clips / "in" / "a" / "walk.bvh").write_bytes((FIXTURES / "bvh" / "ok" / "walk.bvh").read_bytes())
    manifest = pa.table({"path": ["a/walk.seanim", "a/walk.bvh"], "out": ["a/walk.bvh", "b.bvh"]})
    with pytest.raises(ValueError, match=r"row 0 .* is the input of row 1"):
        run(clips, manifest, to="bvh", target=own, results=str(clips / "others"))


def test_wrong_manifests_and_options_are_refused(clips: Path) -> None:
    for manifest, words in (
        (pa.table({"name": ["a"]}), "needs the column path"),
        (pa.table({"path": ["a.bvh", None]}), "row 1 of the manifest has no path"),
        (pa.table({"path": ["a.bvh"], "size": ["large"]}), "column size"),
    ):
        with pytest.raises(ValueError, match=words):
            run(clips, manifest)
    for wrong, words in (
        ({"to": "sean"}, "unknown format 'sean'"),
        ({"format_options": {"no_such": 1}}, "unknown option no_such"),
        ({"profile": "no-such"}, "unknown profile"),
        ({"timeout": 0}, "more than 0"),
        ({"target": None}, "needs a target"),
    ):
        with pytest.raises(ValueError, match=words):
            run(clips, **wrong)


# ---- manifests


def test_a_manifest_lists_files_in_parts(tmp_path: Path) -> None:
    for name in (
        "b.seanim",
        "a/c.BVH",
        "a/deep/d.seanim",
        "notes.txt",
        "keys.bin",
        ".hidden/e.seanim",
        ".f.bvh",
    ):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"12345")
    own = str(tmp_path / "in")
    table = batch.manifest(own, out=str(tmp_path / "new" / "manifest.parquet"))
    assert table["path"].to_pylist() == ["a/c.BVH", "a/deep/d.seanim", "b.seanim"]
    assert table["size"].to_pylist() == [5, 5, 5]
    pq = pytest.importorskip("pyarrow.parquet")
    assert pq.read_table(tmp_path / "new" / "manifest.parquet").equals(table)
    for pattern, paths in (
        ("**/*.seanim", ["a/deep/d.seanim", "b.seanim"]),
        ("*", ["b.seanim", "keys.bin", "notes.txt"]),
        ("a/*", ["a/c.BVH"]),
        ("?.seanim", ["b.seanim"]),
    ):
        assert batch.manifest(own, pattern)["path"].to_pylist() == paths


@pytest.mark.skipif(sys.platform != "linux", reason="file names of Linux")
def test_a_name_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.seanim").write_bytes(walk())
    with open(os.fsencode(tmp_path) + b"/\xff.seanim", "wb"):
        pass
    with pytest.raises(ValueError, match=r"rename it: .*\\xff\.seanim"):
        batch.manifest(str(tmp_path))


def test_parts_have_up_to_64_mib_or_256_files() -> None:
    from inbetween.batch.listing import with_parts
    from inbetween.batch.schemas import as_manifest

    def parts(sizes: List[int]) -> List[int]:
        table = pa.table({"path": [str(size) for size in sizes], "size": sizes})
        found: List[int] = with_parts(as_manifest(table))["part"].to_pylist()
        return found

    assert parts([40 << 20, 24 << 20, 1, 65 << 20, 1]) == [0, 0, 1, 2, 3]
    assert Counter(parts([1] * 600)) == {0: 256, 1: 256, 2: 88}
