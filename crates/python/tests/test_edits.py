"""Edits, skeletons and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

import inbetween
from inbetween import Bone, Document, Skeleton


@pytest.fixture
def jump() -> Document:
    """A clip of a second in which the hips rise to 2 and turn by a quarter."""
    half = 0.5**0.5
    return Document.from_arrays(
        {
            "hips/Position": ([0, 0.5, 1], [[0, 0, 0], [0, 1, 0], [0, 2, 0]]),
            "hips/Rotation": ([0, 1], [[0, 0, 0, 1], [0, half, 0, half]]),
        },
        name="jump",
        frame_rate=30,
    )


def ends(document: Document) -> list[float]:
    return [clip.duration for clip in document.clips]


def test_edits_return_new_documents(jump: Document) -> None:
    assert ends(jump.trim(0.25, 0.75)) == [0.5]
    assert ends(jump.retime(2)) == [2.0]
    assert ends(jump.retime_to(4)) == [4.0]
    assert ends(jump.split([0.25])) == [0.25, 0.75]
    assert ends(jump.split([0.25]).join()) == [1.0]
    assert jump.reverse().clips[0].tracks[0].values[0].tolist() == [0.0, 2.0, 0.0]
    assert jump.scale(0.5).clips[0].tracks[0].values[-1].tolist() == [0.0, 1.0, 0.0]
    assert jump.scale_values(3, "*/Position").clips[0].tracks[0].values[-1, 1] == 6.0
    assert len(jump.reduce(1e-6).clips[0].tracks[0]) == 2
    assert len(jump.resample(10).clips[0].tracks[0]) == 11
    assert jump.to_f32().clips[0].tracks[0].kind == "float3"
    assert jump.to_f32().to_f64().clips[0].tracks[0].kind == "double3"
    assert jump.select("hips/Rotation").clips[0].tracks.keys() == ["hips/Rotation"]
    assert jump.drop("*/Rotation").clips[0].tracks.keys() == ["hips/Position"]
    assert jump.change_axes("x,z,-y").clips[0].tracks[0].values[-1].tolist() == [0.0, 0.0, -2.0]
    assert jump.shift(1).clips[0].tracks[0].times[0] == 1.0
    assert jump.set_frame_rate(24).clips[0].frame_rate == 24
    assert jump.close_loop().clips[0].tracks[0].values[-1].tolist() == [0.0, 0.0, 0.0]
    assert ends(jump) == [1.0] and jump.clips[0].tracks.keys() == ["hips/Position", "hips/Rotation"]


def test_names_change_by_a_map(jump: Document) -> None:
    assert jump.rename({"hip*": "Hip*"}).clips[0].tracks[0].node == "Hips"
    assert jump.rename({"jump": "leap"}, what="clips").clips.keys() == ["leap"]
    with pytest.raises(ValueError, match="what: expected nodes"):
        jump.rename({}, what="bones")


def test_clips_and_markers_are_added_and_removed(jump: Document) -> None:
    both = jump.copy_clip("jump", "again")
    assert both.clips.keys() == ["jump", "again"]
    assert both.drop_clips("j*").clips.keys() == ["again"]
    marked = jump.add_marker(0.5, "step")
    assert marked.clips[0].markers == [inbetween.Marker(0.5, "step")]
    assert marked.drop_markers("step").clips[0].markers == []
    other = jump.rename({"jump": "run"}, what="clips")
    assert jump.append(other).clips.keys() == ["jump", "run"]
    with pytest.raises(inbetween.EditError):
        jump.append(jump)


def test_what_matches_nothing_is_an_error_with_advice(jump: Document) -> None:
    with pytest.raises(KeyError, match="did you mean hips/Position"):
        jump.select("hips/Positon")
    with pytest.raises(KeyError, match="did you mean jump"):
        jump.drop_clips("jmp")
    with pytest.raises(KeyError, match="no marker"):
        jump.drop_markers("step")
    with pytest.raises(TypeError, match="reduce needs a bound"):
        jump.reduce()
    with pytest.raises(inbetween.EditError):
        jump.trim(2, 1)


def test_a_skeleton_fills_relates_and_resolves(jump: Document) -> None:
    with pytest.raises(inbetween.EditError, match="no skeleton") as caught:
        jump.fill()
    assert caught.value.hint == "give_skeleton() adds one"
    hips = Bone("hips", translation=(0.0, 1.0, 0.0), rotation=(0.0, 0.0, 0.0, 1.0), scale=(1.0, 1.0, 1.0))
    spine = Bone("spine", parent="hips", translation=(0.0, 0.5, 0.0))
    skeleton = Skeleton([spine, hips])
    assert skeleton["spine"].parent == "hips" and "hips" in skeleton and len(skeleton) == 2
    assert [bone.name for bone in skeleton] == ["spine", "hips"]
    with pytest.raises(KeyError, match="did you mean spine"):
        skeleton["spne"]
    with pytest.raises(ValueError, match="parent"):
        Skeleton([spine])
    rigged = jump.give_skeleton(skeleton)
    assert rigged.skeleton == skeleton
    assert "spine/Position" in rigged.fill().clips[0].tracks
    relative = rigged.relate("relative")
    assert relative.clips[0].tracks[0].values[-1].tolist() == [0.0, 1.0, 0.0]
    assert relative.clips[0].tracks[0].blend == "rest-relative"
    assert relative.resolve().clips[0].tracks[0].values[-1].tolist() == [0.0, 2.0, 0.0]
    assert Skeleton.first_frame(jump.clips[0])["hips"].translation == (0.0, 0.0, 0.0)


def test_a_clip_is_put_on_a_rig(jump: Document) -> None:
    rig = inbetween.read(
        jump.give_skeleton(Skeleton([Bone("Hips", translation=(0.0, 0.0, 0.0))])).write("gltf").bytes
    )
    animation = inbetween.read(jump.write("animj").bytes)
    put = animation.put_on(rig)
    assert {track.node for track in put.clips[-1].tracks} <= {"hips", "Hips"}
    with pytest.raises(ValueError, match="made from arrays"):
        jump.put_on(rig)


def test_coordinates_decide_what_is_written(jump: Document) -> None:
    assert jump.coordinates is None
    blender = inbetween.Coordinates("right", "z", 1.0)
    tracks = {"hips/Position": ([0, 1], [[0, 0, 0], [1, 2, 3]])}
    skeleton = Skeleton([Bone("hips"), Bone("spine", parent="hips")])
    scene = Document.from_arrays(tracks, skeleton=skeleton, coordinates=blender)
    assert scene.coordinates == blender
    turned = scene.map_coordinates(inbetween.Coordinates("right", "y", 0.01))
    assert turned.clips[0].tracks[0].values[-1].tolist() == [100.0, 300.0, -200.0]
    assert turned.coordinates == inbetween.Coordinates("right", "y", 0.01)
    written = inbetween.read(scene.write("seanim").bytes)
    assert written.clips[0].tracks[0].values[-1].tolist() == [100.0, 200.0, 300.0]
    with pytest.raises(ValueError, match="up: expected x, y, z"):
        Document([], coordinates=inbetween.Coordinates(up="north"))


def test_pictures_show_curves(jump: Document, tmp_path: Path) -> None:
    for what in (jump, jump.clips[0], jump.clips[0].tracks[0]):
        picture = inbetween.plot(what, degrees=True)
        assert picture.startswith("<svg ") and picture._repr_svg_() == picture
        assert what._repr_svg_().startswith("<svg ")
    picture.save(tmp_path / "curves.svg")
    with pytest.raises(KeyError, match="did you mean hips/Position"):
        inbetween.plot(jump, tracks="hips/Positon")
    with pytest.raises(TypeError, match="expected a Document"):
        inbetween.plot(3)  # type: ignore[arg-type]


def test_names_with_markup_are_text() -> None:
    name = "<img src=x onerror=alert(1)>"
    document = Document.from_arrays({f"{name}/Position": ([0, 1], [[0, 0, 0], [1, 0, 0]])}, name=name)
    for text in (document._repr_html_(), document._repr_svg_(), document.clips[0]._repr_svg_()):
        assert "<img" not in text and "&lt;img" in text
