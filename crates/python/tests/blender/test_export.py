"""Exports from Blender: round trips, and what the choices do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("bpy")
pytestmark = pytest.mark.blender

import bpy  # noqa: E402
import scenes  # noqa: E402
from inbetween_blender import exporting  # noqa: E402
from scenes import load  # noqa: E402

import files  # noqa: E402
import inbetween  # noqa: E402

FIXTURES = Path(__file__).resolve().parents[4] / "fixtures"


@pytest.fixture(autouse=True)
def empty_scene() -> Iterator[None]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    yield
    bpy.ops.wm.read_factory_settings(use_empty=True)


def export(path: Path, **options):
    """Exports everything in the scene in the format of the name."""
    for item in bpy.data.objects:
        item.select_set(True)
    id_ = inbetween.format_of_extension(path.suffix[1:])
    return exporting.export(str(path), exporting.Options(id_, **{"which": "ALL", **options}), bpy.context)


def differences(before: str | Path, after: str | Path) -> list[str]:
    """Returns what ``inbetween diff`` prints."""
    run = [sys.executable, "-m", "inbetween", "diff", str(before), str(after)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (0, 1), done.stderr
    lines = done.stdout.splitlines()
    return (
        []
        if lines and (lines[0].startswith(("no differences", "same")) or "plays the same" in lines[-1])
        else lines
    )


CHOSEN = [
    *[f"seanim/ok/{name}.seanim" for name in ("walk", "one-bone", "frames-u16")],
    *[f"cast/ok/{name}.cast" for name in ("walk", "rate-29-97", "flags", "two-animations", "maya-unsorted")],
]
"""Files of the formats whose other files need a rig."""

EXCEPTIONS = {
    "duplicate-tracks.animx": "an action has one F-curve for a property, so a second track is skipped",
    "number-forms.animj": "a part in 10 million of its largest value is more than all other values",
    "position-of-another-type.animj": "a location has three components",
    "mixed-axes.ani": "the Bezier curve of one axis becomes keys on frames, and X4 shares times between axes",
    "starts-at-two-pi.ani": "X4 starts at 0 instead of 2 pi, between frames",
    "above-bones.glb": "the node above the bones becomes a part of the top bones",
    "above-bones-changed.glb": "as above-bones",
    "armature.glb": "as above-bones",
    "blend-modes.glb": "the clip is additive and its track relative; the track comes back additive",
    "blends-of-tracks.glb": "nobody knows what its blend mode 9 means",
    "node-roles.glb": "its nodes are of two skins, of which one becomes an armature",
    "normalized-integers.glb": "a second track of a property is skipped",
    "pointer-to-a-weight.glb": "glTF stores all weights of a mesh together, so one is added",
    "rotations-of-other-lengths.glb": "Blender normalizes rotations",
}
"""Why files come back with differences, although Blender can hold all of their numbers."""


def is_held(path: Path) -> bool:
    """Whether Blender can hold all keys of a file: 32-bit floats of nodes with names, 0.01 frames apart."""
    clips = inbetween.read(path).clips
    return bool(clips) and all(len(clip.tracks) and all(map(track_is_held, clip.tracks)) for clip in clips)


def track_is_held(track: inbetween.Track) -> bool:
    has_floats = track.kind in ("float", "float2", "float3", "float4") or track.property == "Rotation"
    if not (has_floats and track.node and track.property and len(track)):
        return False
    return (
        bool(np.isfinite(track.values).all())
        and bool((track.times >= 0).all())
        and bool((np.diff(track.times) > 0.01 / 24).all())
    )


HELD = [
    f"{format}/ok/{path.name}"
    for format in ("animx", "animj", "x4-ani", "gltf")
    for path in files.good_files(format)
    if path.suffix != ".bin" and path.name not in EXCEPTIONS and is_held(path)
]


@pytest.mark.parametrize("name", CHOSEN + HELD)
def test_files_come_back_without_differences(tmp_path: Path, name: str):
    path = FIXTURES / name
    load(path)
    result = export(tmp_path / path.name)
    assert differences(path, result.files[0]) == []


def test_enough_files_come_back():
    assert len(HELD) > 100


def assert_same_samples(before: inbetween.Clip, after: inbetween.Clip) -> None:
    """Compares two clips of ``scenes.moves`` in every frame."""
    times = np.arange(31) / 30
    values, back = before.sample(times), after.sample(times)
    assert values.keys() == back.keys()
    for label, each in values.items():
        other = back[label]
        if label.endswith("Rotation"):
            each, other = (it / np.linalg.norm(it, axis=1, keepdims=True) for it in (each, other))  # noqa: PLW2901
            off = np.minimum(np.abs(each - other).max(axis=1), np.abs(each + other).max(axis=1)).max()
        else:
            off = np.abs(each - other).max()
        # Positions of the rig are up to 100 units long, in 32 bits.
        assert off < 1e-5 if label.endswith("Rotation") else off < 5e-5, label


@pytest.mark.parametrize("mode", ["absolute", "relative", "additive"])
@pytest.mark.parametrize("unit", [1.0, 0.01])
@pytest.mark.parametrize("extension", ["seanim", "cast"])
def test_clips_on_a_rig_come_back_in_their_blend_mode(tmp_path: Path, mode: str, unit: float, extension: str):
    bones = scenes.skeleton(20)
    scenes.new_rig(bones, unit)
    path = scenes.write(tmp_path / f"clip.{extension}", [scenes.moves(bones, mode)])
    load(path, unit="cm" if unit == 0.01 else "keep")
    result = export(tmp_path / f"back.{extension}", which="ACTIVE")
    one, two = inbetween.read(path), inbetween.read(result.files[0])
    assert [clip.blend for clip in two.clips] == [mode]
    assert_same_samples(one.clips[0], two.clips[0])


@pytest.mark.parametrize("mode", ["absolute", "relative", "additive"])
def test_clips_of_gltf_come_back_in_their_blend_mode(tmp_path: Path, mode: str):
    bones = scenes.skeleton(20)
    path = tmp_path / "clip.glb"
    coordinates = inbetween.Coordinates("right", "y", 1.0)
    inbetween.Document([scenes.moves(bones, mode)], skeleton=bones, coordinates=coordinates).save(path)
    load(path)
    result = export(tmp_path / "back.glb", which="ACTIVE")
    one, two = inbetween.read(path), inbetween.read(result.files[0])
    assert [clip.blend for clip in two.clips] == [mode]
    assert_same_samples(one.clips[0], two.clips[0])


@pytest.mark.parametrize("mode", ["relative", "additive"])
@pytest.mark.parametrize("extension", ["animx", "animj", "ani", "anim"])
def test_clips_become_absolute_in_formats_without_blend_modes(tmp_path: Path, mode: str, extension: str):
    bones = scenes.skeleton(5)
    item = scenes.new_rig(bones, 0.01)
    path = scenes.write(tmp_path / "clip.seanim", [scenes.moves(bones, mode)])
    load(path, unit="cm")
    result = export(tmp_path / f"back.{extension}", which="ACTIVE")
    assert "convert/blend-dropped" not in [finding.code for finding in result.findings]
    load(result.files[0])
    clip = inbetween.read(path).clips[0]
    scale = np.diag([0.01, 0.01, 0.01, 1.0])
    for index in range(31):
        worlds = scenes.world_of_file(bones, clip, index / 30)
        scenes.frame(index / 30)
        scaled = {name: scale @ each @ np.linalg.inv(scale) for name, each in worlds.items()}
        assert scenes.worst(item, scaled) < 1e-4


def test_relative_values_in_a_format_without_blend_modes_are_a_loss(tmp_path: Path):
    bones = scenes.skeleton(3)
    scenes.new_rig(bones, 0.01)
    load(scenes.write(tmp_path / "clip.seanim", [scenes.moves(bones, "absolute")]), unit="cm")
    result = export(tmp_path / "back.animj", which="ACTIVE", blend="RELATIVE")
    assert "convert/blend-dropped" in [finding.code for finding in result.findings if finding.is_loss]


def test_a_clip_that_ends_between_frames_keeps_its_end(tmp_path: Path):
    # Its keys are a 16th of a second apart, in a scene of 24 frames per second.
    path = FIXTURES / "gltf/ok/compressed-views-of-version-1.glb"
    load(path)
    clip = inbetween.read(export(tmp_path / "back.glb").files[0]).clips[0]
    wanted = inbetween.read(path).clips[0]
    assert clip.duration == wanted.duration == 1.1875
    assert np.allclose(
        clip.tracks["hips/Rotation"].values[-1], wanted.tracks["hips/Rotation"].values[-1], atol=1e-5
    )


def test_markers_loop_and_rate_come_back_at_another_rate(tmp_path: Path):
    path = FIXTURES / "seanim/ok/walk.seanim"
    load(path, set_rate=False)
    clip = inbetween.read(export(tmp_path / "a.animj").files[0]).clips[0]
    wanted = inbetween.read(path).clips[0]
    assert [(marker.time, marker.name) for marker in clip.markers] == [
        (float(np.float32(m.time)), m.name) for m in wanted.markers
    ]
    assert clip.duration == wanted.duration


def test_baked_poses_follow_constraints(tmp_path: Path):
    bones = scenes.skeleton(3)
    item = scenes.new_rig(bones, 0.01)
    path = scenes.write(tmp_path / "clip.seanim", [scenes.moves(bones, "absolute")])
    load(path, unit="cm")
    constraint = item.pose.bones["bone_2"].constraints.new("LIMIT_SCALE")
    constraint.use_max_x, constraint.max_x, constraint.owner_space = True, 0.5, "LOCAL"
    baked = inbetween.read(export(tmp_path / "b.seanim", which="ACTIVE", bake=True).files[0]).clips[0]
    assert np.allclose(baked.tracks["bone_2/Scale"].values[:, 0], 0.5, atol=1e-5)
    wanted = inbetween.read(path).clips[0]
    times = np.arange(31) / 30
    label = "bone_1/Position"
    assert np.abs(baked.tracks[label].sample(times) - wanted.tracks[label].sample(times)).max() < 1e-4


def test_weights_of_shape_keys_come_back(tmp_path: Path):
    mesh = bpy.data.meshes.new("Body")
    item = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(item)
    item.shape_key_add(name="Basis")
    item.shape_key_add(name="Smile")
    path = FIXTURES / "unity-anim/ok/walk.anim"
    load(path)
    item.parent = bpy.context.object
    back = inbetween.read(export(tmp_path / "back.anim", which="ACTIVE").files[0]).clips[0]
    label, times = "Body/Weight:Smile", np.linspace(0, 1.5, 20)
    wanted = inbetween.read(path).clips[0]
    assert np.abs(back.tracks[label].sample(times) - wanted.tracks[label].sample(times)).max() < 1e-5


def test_strips_of_the_nla_become_clips(tmp_path: Path):
    load(FIXTURES / "cast/ok/walk.cast")
    item = bpy.context.object
    action, slot = item.animation_data.action, item.animation_data.action_slot
    item.animation_data.action = None
    track = item.animation_data.nla_tracks.new()
    for name, start in (("first", 0), ("second", 100)):
        strip = track.strips.new(name, start, action)
        strip.action_slot, strip.name = slot, name
    result = export(tmp_path / "nla.glb", which="NLA")
    assert inbetween.read(result.files[0]).clips.keys() == ["first", "second"]
    result = export(tmp_path / "nla.seanim", which="NLA")
    assert [Path(file).name for file in result.files] == ["nla_first.seanim", "nla_second.seanim"]


def test_nothing_selected_is_an_error_in_plain_words(tmp_path: Path):
    with pytest.raises(ValueError, match="nothing is selected"):
        export(tmp_path / "a.seanim")
    assert list(tmp_path.iterdir()) == []
