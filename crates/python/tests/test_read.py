"""Reading, detecting, checking and converting."""

from __future__ import annotations

import io
import json
import mmap
import threading
from pathlib import Path
from typing import Any

import pytest

import inbetween
from files import FIXTURES, good_files


def test_every_way_to_read_gives_the_same(walk: Path) -> None:
    data = walk.read_bytes()
    expected = inbetween.read(walk)
    sources: list[Any] = [str(walk), data, bytearray(data), memoryview(data), io.BytesIO(data)]
    assert all(inbetween.read(source) == expected for source in sources)
    with walk.open("rb") as file:
        assert inbetween.read(file) == expected
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            assert inbetween.read(mapped) == expected


def test_files_of_all_formats_are_read_and_checked() -> None:
    for format in inbetween.formats():
        for path in good_files(format.id):
            document = inbetween.read(path, format=format.id)
            assert document.format == format.id
            assert inbetween.check(path, format=format.id) is not None


def test_detect_uses_the_content_and_then_the_name(walk: Path) -> None:
    assert inbetween.detect(walk) == "seanim"
    assert inbetween.detect(walk.read_bytes()) == "seanim"
    assert inbetween.detect(b"{}", name="empty.animj") == "animj"


def test_a_document_has_clips_by_index_and_name() -> None:
    document = inbetween.Document(
        [inbetween.Clip([], name=name, duration=1.0) for name in ("Walk", "Run", "Jump")]
    )
    clips = document.clips
    assert [clip.name for clip in clips] == ["Walk", "Run", "Jump"] == clips.keys()
    assert clips["Run"].name == clips["#2"].name == clips[1].name == clips[-2].name == "Run"
    assert [clip.name for clip in clips[1:]] == ["Run", "Jump"]
    assert "Run" in clips and "Sit" not in clips
    with pytest.raises(KeyError, match="did you mean Walk"):
        clips["Wlak"]
    with pytest.raises(IndexError, match="clip 3 of 3"):
        clips[3]


def test_converting_says_what_is_lost(walk: Path) -> None:
    converted = inbetween.convert(walk, to="animj")
    assert converted.from_format == "seanim" and converted.to_format == "animj"
    assert [loss.code for loss in converted.losses] == ["convert/looping-dropped"]
    assert inbetween.read(converted.bytes).format == "animj"
    with pytest.raises(inbetween.WriteError) as caught:
        inbetween.convert(walk, to="animj", strict=True)
    assert caught.value.code == "loss-refused"
    assert [loss.code for loss in caught.value.findings] == ["convert/looping-dropped"]
    inbetween.convert(walk, to="animj", strict=True, allow=["convert/*"])


def test_one_clip_of_a_file_is_converted() -> None:
    track = inbetween.Track("door", "Position", [0, 1], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    clips = [inbetween.Clip([track], name=name, duration=1.0) for name in ("open", "close")]
    data = inbetween.Document(clips).write("x4-ani").bytes
    one = inbetween.convert(data, to="animj", clip="close")
    assert inbetween.read(one.bytes).clips[0].name == "close"
    with pytest.raises(KeyError, match='the file has "open", "close"'):
        inbetween.convert(data, to="animj", clip="shut")


def test_options_are_keyword_arguments(walk: Path) -> None:
    document = inbetween.read(walk)
    pretty = document.write("animj", style="pretty").bytes
    assert len(pretty) > len(document.write("animj", style="compact").bytes)
    with pytest.raises(TypeError, match="unknown option styel; did you mean style"):
        document.write("animj", styel="pretty")
    with pytest.raises(TypeError, match="no effect on SEAnim"):
        document.write("seanim", style="pretty")
    with pytest.raises(ValueError, match="style"):
        document.write("animj", style="ugly")
    with pytest.raises(ValueError, match="unknown format 'animk'; did you mean animj"):
        document.write("animk")


def test_a_file_is_saved_whole_or_not_at_all(walk: Path, tmp_path: Path) -> None:
    document = inbetween.read(walk)
    target = tmp_path / "walk.animj"
    converted = document.save(target)
    assert target.read_bytes() == converted.bytes
    with pytest.raises(FileNotFoundError):
        document.save(tmp_path / "none" / "walk.animj")
    with pytest.raises(ValueError, match="no format has this extension"):
        document.save(tmp_path / "walk.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["walk.animj"]


def test_neighbors_are_loaded_by_a_function() -> None:
    # A file whose buffer is missing.
    path = FIXTURES / "gltf" / "bad" / "external-buffer.gltf"
    text = json.loads(path.read_bytes())
    length = text["buffers"][0]["byteLength"]
    asked: list[str] = []

    def load(name: str) -> bytes:
        asked.append(name)
        return bytes(length)

    document = inbetween.read(path.read_bytes(), neighbors=load)
    assert asked == ["walk cycle.bin"] and len(document.clips) == 1

    def missing(name: str) -> bytes:
        raise FileNotFoundError(name)

    with pytest.raises(inbetween.ReadError) as caught:
        inbetween.read(path.read_bytes(), neighbors=missing)
    assert caught.value.code == "missing"


def test_threads_read_at_once(walk: Path) -> None:
    data, results = walk.read_bytes(), []
    threads = [threading.Thread(target=lambda: results.append(inbetween.read(data))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and all(result == results[0] for result in results)


def test_formats_state_their_coordinates_and_blend_modes() -> None:
    formats = {format.id: format for format in inbetween.formats()}
    assert formats["gltf"].coordinates == inbetween.Coordinates("right", "y", 1.0)
    assert formats["seanim"].coordinates == inbetween.Coordinates("right", "z", 0.01)
    assert formats["bvh"].coordinates == inbetween.Coordinates("right", "y", None)
    has_modes = {id for id, format in formats.items() if format.has_blend_modes}
    assert has_modes == {"cast", "gltf", "seanim"}
