"""Tracks as arrays, and documents from arrays."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest

import inbetween
from files import good_files

KINDS = {
    "bool": np.bool_,
    "byte": np.uint8,
    "ushort": np.uint16,
    "uint": np.uint32,
    "ulong": np.uint64,
    "sbyte": np.int8,
    "short": np.int16,
    "int": np.int32,
    "long": np.int64,
    "float": np.float32,
    "double": np.float64,
}
"""The kinds of one number, which names of vectors begin with."""


def test_views_are_the_memory_of_the_document(walk: Path) -> None:
    document = inbetween.read(walk)
    track = document.clips[0].tracks["tag_origin/Position"]
    times, values = track.times, track.values
    assert times.dtype == np.float64 and values.dtype == np.float32 and values.shape == (3, 3)
    again = document.clips[0].tracks[0]
    for one, other in ((times, again.times), (values, again.values)):
        assert one.__array_interface__["data"] == other.__array_interface__["data"]
        assert not one.flags.writeable and not one.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            one[0] = 1
        with pytest.raises(ValueError):
            one.flags.writeable = True
    expected = values.tolist()
    del document, track, again
    gc.collect()
    assert values.tolist() == expected


def test_bools_of_other_bytes_are_true() -> None:
    bits = np.array([2, 255, 0], np.uint8).view(bool)
    track = inbetween.Track("a", "x", [0.0, 1.0, 2.0], bits, kind="bool")
    assert track.values.tobytes() == b"\1\1\0"
    pairs = np.array([[2, 0], [0, 4]], np.uint8).view(bool)
    track = inbetween.Track("a", "x", [0.0, 1.0], pairs, kind="bool2")
    assert track.values.tobytes() == b"\1\0\0\1"


def test_every_kind_has_its_type_and_shape() -> None:
    shapes = {"2": (2,), "3": (3,), "4": (4,), "2x2": (2, 2), "3x3": (3, 3), "4x4": (4, 4)}
    seen = set()
    for path in good_files("animx"):
        for clip in inbetween.read(path, format="animx").clips:
            for track in clip.tracks:
                kind, values = track.kind, track.values
                seen.add(kind)
                assert len(values) == len(track.times) == len(track)
                if kind == "string":
                    assert values.dtype == object
                elif kind == "color32":
                    assert values.dtype == np.uint8 and values.shape[1:] == (4,)
                elif kind == "color":
                    assert values.dtype == np.float32 and values.shape[1:] == (4,)
                elif kind.endswith("Q"):
                    assert values.dtype == KINDS[kind[:-1]] and values.shape[1:] == (4,)
                else:
                    name = next(name for name in sorted(KINDS, key=len)[::-1] if kind.startswith(name))
                    assert values.dtype == KINDS[name], kind
                    assert values.shape[1:] == shapes.get(kind[len(name) :], ()), kind
    assert len(seen) == 40


def rebuilt(track: inbetween.Track) -> inbetween.Track:
    return inbetween.Track(
        track.node,
        track.property,
        track.times,
        track.values,
        kind=track.kind,
        shape=track.shape,
        interval=track.interval,
        interpolation=track.interpolation,
        left=track.left,
        right=track.right,
        tangents=track.tangents,
        component=track.component,
        blend=track.blend,
        euler_order=track.euler_order or "xyz",
    )


def test_tracks_of_all_formats_are_rebuilt_from_their_arrays() -> None:
    count = 0
    for format in inbetween.formats():
        for path in good_files(format.id):
            if "nan" in path.name or "not-finite" in path.name:
                # NaN equals nothing.
                continue
            for clip in inbetween.read(path, format=format.id).clips:
                for track in clip.tracks:
                    assert rebuilt(track) == track, (path.name, track)
                    count += 1
    assert count > 900


def test_a_document_is_made_of_arrays() -> None:
    document = inbetween.Document.from_arrays(
        {
            "hips/Position": ([0, 1], np.array([[0, 0, 0], [0, 2, 0]], np.float32)),
            "hips/Rotation": ([0, 1], [[0, 0, 0, 1], [0, 0, 1, 0]]),
            "door/Scale.x": ([0], [2.0]),
            "face/Weight:smile": ([0, 1], np.array([0, 1], np.float32)),
            "lamp/color": ([0], np.array([[1, 2, 3, 4]], np.int32)),
        },
        name="all",
        frame_rate=30,
        looping=True,
    )
    clip = document.clips["all"]
    assert [track.kind for track in clip.tracks] == ["float3", "doubleQ", "double", "float", "int4"]
    assert clip.looping and clip.frame_rate == 30 and clip.duration == 1
    assert document.format is None and document.findings == []
    assert clip.tracks["hips/Position"].sample([0.25]).tolist() == [[0.0, 0.5, 0.0]]
    assert inbetween.read(document.write("animx").bytes).clips[0].tracks[0].kind == "float3"


@pytest.mark.parametrize(
    ("label", "times", "values", "message"),
    [
        ("hips/Position", [0, 1], [[0, 0, 0]], "need 1 times, found 2"),
        ("hips/Position", [1, 0], [[0, 0, 0], [0, 0, 0]], "hips/Position: "),
        ("hips/Position", [0], [[0, 0]], r"expected floats of the shape \(n, 3\)"),
        ("hips/Rotation", [0], [[0, 0, 1]], r"quaternions xyzw"),
        ("hips", [0], [[0, 0, 1]], "a node and a property"),
        ("hips/Position", [[0]], [[0, 0, 0]], r"times: expected the shape \(n,\)"),
        ("hips/Position", [float("nan")], [[0, 0, 0]], "hips/Position: "),
    ],
)
def test_wrong_arrays_are_named(label: str, times: object, values: object, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        inbetween.Document.from_arrays({label: (times, values)})  # type: ignore[dict-item]


def test_sampling_plays_as_the_clip_does() -> None:
    keys = ([0.0, 1.0], [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]])
    document = inbetween.Document.from_arrays({"a/Position": keys}, looping=True)
    clip = document.clips[0]
    assert clip.sample([0.25, 1.25, -0.75])["a/Position"][:, 0].tolist() == [1.0, 1.0, 1.0]
    once = document.set_looping(False).clips[0]
    assert once.sample([0.25, 1.25, -0.75])["a/Position"][:, 0].tolist() == [1.0, 4.0, 0.0]
    held = inbetween.Document.from_arrays({"a/Position": keys}, interpolation="hold").clips[0]
    assert held.tracks[0].sample([0.99, 1.0])[:, 0].tolist() == [0.0, 4.0]


def test_equal_labels_need_an_index() -> None:
    track = inbetween.Track("a", "Position", [0], [[1.0, 2.0, 3.0]])
    clip = inbetween.Clip([track, track], name="two")
    with pytest.raises(KeyError, match="several tracks are 'a/Position': use an index of 0, 1"):
        clip.tracks["a/Position"]
    assert clip.tracks[1].index == 1
    assert list(clip.sample([0.0])) == ["a/Position", "a/Position#2"]
    with pytest.raises(KeyError, match="did you mean a/Position"):
        clip.tracks["a/Positon"]


def test_texts_and_null_are_objects() -> None:
    track = inbetween.Track("lamp", "Text", [0, 1, 2], ["on", None, "öff"], interpolation="hold")
    assert track.values.tolist() == ["on", None, "öff"]
    assert track.sample([0.5, 1.5]).tolist() == ["on", None]
