"""Imports in Blender, measured against the library and against forward kinematics by hand."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("bpy")
pytestmark = pytest.mark.blender

import bpy  # noqa: E402
import scenes  # noqa: E402
from inbetween_blender import exporting, formats, operators, poses, preparing, preview, rotations  # noqa: E402
from scenes import load  # noqa: E402

import inbetween  # noqa: E402

FIXTURES = Path(__file__).resolve().parents[4] / "fixtures"


@pytest.fixture(autouse=True)
def empty_scene() -> Iterator[None]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    yield
    bpy.ops.wm.read_factory_settings(use_empty=True)


@pytest.fixture(scope="module")
def registered() -> Iterator[None]:
    operators.register()
    yield
    operators.unregister()


SOURCES = [
    "seanim/ok/walk.seanim",
    "cast/ok/walk.cast",
    "animx/ok/transforms.animx",
    "animx/ok/worked-example.animx",
    "animj/ok/walk.animj",
    "x4-ani/ok/cockpit.ani",
    "x4-ani/ok/splines.ani",
    "x4-ani/ok/bezier.ani",
    "x4-ani/ok/mixed-axes.ani",
    "x4-ani/ok/spin.ani",
    "x4-ani/ok/two-clips.ani",
    "gltf/ok/walk.glb",
    "gltf/ok/cubic-spline.glb",
    "gltf/ok/step.glb",
    "gltf/ok/armature.glb",
    "gltf/ok/several-clips.glb",
    "bvh/ok/walk.bvh",
    "unity-anim/ok/walk.anim",
    "unity-anim/ok/weights.anim",
    "unity-anim/ok/stepped.anim",
]


@pytest.mark.parametrize("name", SOURCES)
def test_bones_and_objects_move_as_the_sampler_says(name: str):
    path = FIXTURES / name
    result = load(path)
    prepared = preparing.prepare(str(path), preparing.Options(onto="AUTO"), bpy.context)
    if result.target:
        bpy.context.view_layer.objects.active = None
        prepared = preparing.prepare(str(path), preparing.Options(), bpy.context)
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    for clip, action in zip(prepared.document.clips, result.actions, strict=True):
        stated = max([1e-5, *result.notes.baked.values()])
        frames = np.arange(int(clip.duration * rate) + 1) / rate
        between = np.random.default_rng(1).uniform(0, max(clip.duration, 1e-6), 12)
        for times, bound in ((frames, 1e-5), (between, stated + 1e-5)):
            for track in clip.tracks:
                if not len(track) or track.property not in preparing.TRANSFORMS or track.component:
                    continue
                shown = shown_values(result, action, track, times)
                wanted = np.array(track.sample(times), float)
                if track.property == "RotationEuler":
                    mode, signs = rotations.blender_mode(track.euler_order)
                    wanted = rotations.from_euler(wanted * signs, mode)
                if track.property.startswith("Rotation"):
                    off = rotations.angle_between(shown, wanted) / 2
                else:
                    off = np.abs(shown - wanted).max(axis=-1) / np.maximum(1, np.linalg.norm(wanted, axis=-1))
                assert off.max(initial=0.0) < bound, (clip.name, track.label)


def shown_values(result, action, track, times) -> np.ndarray:
    """Returns what Blender shows of a property, relative to the parent."""
    action = bpy.data.actions[action]
    item, bone = (bpy.data.objects[result.target], track.node) if result.target else (None, None)
    if item is None:
        item = next(each for each in bpy.data.objects if each.name == track.node)
    data = item.animation_data
    data.action = action
    data.action_slot = next(slot for slot in action.slots if slot.name_display == item.name)
    values = []
    for time in times:
        scenes.frame(float(time))
        position, rotation, scale = poses.shown(item, bone).decompose()
        kind = track.property
        values.append(position if kind == "Position" else scale if kind == "Scale" else rig_xyzw(rotation))
    return np.array(values, float)


def rig_xyzw(rotation) -> list[float]:
    return [rotation.x, rotation.y, rotation.z, rotation.w]


@pytest.mark.parametrize("mode", ["absolute", "relative", "additive"])
@pytest.mark.parametrize("count", [2, 100])
@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_clips_follow_forward_kinematics_in_every_frame(tmp_path: Path, mode: str, count: int, unit: float):
    bones = scenes.skeleton(count)
    item = scenes.new_rig(bones, unit)
    clip = scenes.moves(bones, mode)
    path = scenes.write(tmp_path / "clip.seanim", [clip])
    # Positions of this clip do not show the lengths of the rig.
    result = load(path, unit="cm" if unit == 0.01 else "keep")
    assert (result.found, result.missing) == (count, [])
    clip = inbetween.read(path).clips[0]
    scale = np.diag([unit, unit, unit, 1.0])
    for index in range(31):
        worlds = scenes.world_of_file(bones, clip, index / 30)
        scaled = {name: scale @ each @ np.linalg.inv(scale) for name, each in worlds.items()}
        scenes.frame(index / 30)
        # The rest pose is in centimeters.
        assert scenes.worst(item, scaled) * 0.01 / unit < 1e-4


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "AXIS_ANGLE"])
def test_bones_keep_their_rotation_mode(tmp_path: Path, mode: str):
    bones = scenes.skeleton(3)
    item = scenes.new_rig(bones)
    for bone in item.pose.bones:
        bone.rotation_mode = mode
    path = scenes.write(tmp_path / "clip.seanim", [scenes.moves(bones, "absolute")])
    load(path, unit="keep")
    assert {bone.rotation_mode for bone in item.pose.bones} == {mode}
    for index in range(31):
        scenes.frame(index / 30)
        assert (
            scenes.worst(item, scenes.world_of_file(bones, inbetween.read(path).clips[0], index / 30)) < 1e-4
        )
    load(path, unit="keep", quaternions=True)
    assert {bone.rotation_mode for bone in item.pose.bones} == {"QUATERNION"}


def test_markers_range_loop_and_rate_are_those_of_the_clip():
    result = load(FIXTURES / "seanim/ok/walk.seanim")
    action, scene = bpy.data.actions[result.actions[0]], bpy.context.scene
    assert [(marker.name, marker.frame) for marker in action.pose_markers] == [
        ("sndnt#step_left", 7),
        ("sndnt#step_right", 22),
    ]
    assert (scene.render.fps, scene.frame_start, scene.frame_end) == (30, 0, 30)
    assert (action.use_cyclic, tuple(action.frame_range)) == (True, (0.0, 30.0))
    moving = [curve for bag in bags(action) for curve in bag.fcurves if len(curve.keyframe_points) > 1]
    assert moving
    for curve in moving:
        assert [each.type for each in curve.modifiers] == ["CYCLES"]
        assert abs(curve.evaluate(37.0) - curve.evaluate(7.0)) < 1e-6


COMPONENT = """<components><component><connections><connection>
<animations>
  <animation name="opening" start="1" end="30"/>
  <animation name="closing" start="31" end="61"/>
</animations>
<parts><part name="anim_a"/><part name="anim_b"/></parts>
</connection></connections></component></components>"""


@pytest.mark.parametrize(("set_rate", "rate"), [(True, 30), (False, 24)])
def test_actions_of_x4_have_the_frames_of_the_component(tmp_path: Path, set_rate: bool, rate: int):
    path = tmp_path / "DOOR_DATA.ANI"
    track = inbetween.Track("anim_a", "Position", [0.0, 1.0], [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])
    clips = [inbetween.Clip([track], name=name, duration=1.0) for name in ("opening", "closing")]
    inbetween.Document(clips, coordinates=formats.by_id("x4-ani").coordinates).save(path)
    (tmp_path / "door.xml").write_text(COMPONENT)
    scene = bpy.context.scene
    result = load(path, set_rate=set_rate, start=10)
    assert scene.render.fps == rate
    assert [finding.code for finding in result.findings if finding.code.startswith("blender/")] == [
        "blender/component-ranges"
    ]
    part = rate / 30
    for name, frames in (("opening", (0, 30)), ("closing", (31, 61))):
        action = bpy.data.actions[name]
        assert action.use_frame_range
        wanted = [10 + frame * part for frame in frames]
        assert np.allclose((action.frame_start, action.frame_end), wanted)
        curve = next(c for bag in bags(action) for c in bag.fcurves if len(c.keyframe_points) > 1)
        assert np.allclose([curve.keyframe_points[0].co[0], curve.keyframe_points[-1].co[0]], wanted)
    assert (scene.frame_start, scene.frame_end) == (10, 10 + 30 * part)
    # The way back starts at 0 again.
    bpy.data.objects["anim_a"].select_set(True)
    options = exporting.Options("x4-ani", which="ALL")
    back = inbetween.read(exporting.export(str(tmp_path / "back.ani"), options, bpy.context).files[0])
    for before in clips:
        after = back.clips[before.name]
        assert after.duration == before.duration
        assert np.allclose(after.tracks[0].times, before.tracks[0].times, atol=1e-6)
        assert np.allclose(after.tracks[0].values, before.tracks[0].values, atol=1e-5)


def test_a_broken_component_imports_the_clips_as_they_are(tmp_path: Path, registered):
    path = tmp_path / "door.ani"
    shutil.copy(FIXTURES / "x4-ani/ok/two-clips.ani", path)
    (tmp_path / "door.xml").write_text("<!DOCTYPE a [<!ENTITY b 'c'>]><components>&b;")
    assert bpy.ops.import_anim.inbetween(filepath=str(path)) == {"FINISHED"}
    assert tuple(bpy.data.actions["closing"].frame_range) == (0.0, 24.0)
    text = bpy.data.texts["inbetween report"].as_string()
    assert "blender/component-unreadable: door.xml was not read: it has a document type declaration" in text


def test_names_that_blender_does_not_take_are_skipped():
    result = load(FIXTURES / "unity-anim/ok/script.anim")
    assert any("names of more than 63 bytes" in each for each in result.notes.skipped)


def test_weights_without_a_node_become_custom_properties():
    result = load(FIXTURES / "cast/ok/blend-shape.cast")
    assert result.notes.skipped == []
    assert "Weight:smile" in bpy.data.objects["blend-shape"]


def bags(action) -> list:
    return list(action.layers[0].strips[0].channelbags)


def test_60_frames_a_second_keep_their_times_in_a_scene_of_24(tmp_path: Path):
    times = np.arange(121) / 60
    track = inbetween.Track("a", "Position", times, np.stack([times**2, times, 0 * times], axis=-1))
    clip = inbetween.Clip([track], frame_rate=60.0, markers=[inbetween.Marker(0.35, "hit")])
    path = tmp_path / "a.seanim"
    inbetween.Document([clip], coordinates=inbetween.Coordinates("right", "z", 0.01)).save(path)
    scene = bpy.context.scene
    result = load(path, set_rate=False)
    assert scene.render.fps == 24
    action = bpy.data.actions[result.actions[0]]
    assert tuple(action.frame_range) == (0.0, 48.0)
    curve = bags(action)[0].fcurves[0]
    off = [abs(curve.evaluate(time * 24) - 0.01 * time**2) for time in times]
    assert (len(curve.keyframe_points), max(off) < 1e-6) == (121, True)
    load(path)
    assert scene.render.fps / scene.render.fps_base == 60


def test_a_second_import_keeps_or_replaces_actions():
    path = FIXTURES / "cast/ok/walk.cast"
    first = load(path)
    assert load(path).actions == ["walk.001"]
    assert load(path, replace=True).actions == ["walk"]
    assert sorted(action.name for action in bpy.data.actions) == ["walk", "walk.001"]
    assert first.target == bpy.context.object.name


def test_several_files_go_onto_one_new_armature(registered):
    folder = FIXTURES / "cast/ok"
    files = [{"name": "walk.cast"}, {"name": "two-animations.cast"}]
    assert bpy.ops.import_anim.inbetween(directory=str(folder), files=files) == {"FINISHED"}
    assert len([item for item in bpy.data.objects if item.type == "ARMATURE"]) == 1
    assert "walk" in bpy.data.actions
    assert "walk.cast: walk" in bpy.data.texts["inbetween report"].as_string()


def test_stopping_takes_back_the_file_that_is_being_imported():
    scenes.new_rig(scenes.skeleton(3))
    before = scenes.state()
    options = preparing.Options(onto="NEW")
    work = operators.Work([str(FIXTURES / "cast/ok/two-animations.cast")] * 2, options, bpy.context)
    steps = work.run()
    next(steps)
    assert scenes.state() != before
    steps.close()
    assert scenes.state() == before
    assert list(operators.Work(work.paths, options, bpy.context).run()) == [0.25, 0.5, 0.75, 1.0]


def test_the_dialog_shows_how_a_file_fits(tmp_path: Path):
    bones = scenes.skeleton(3)
    scenes.new_rig(bones, 0.01)
    path = scenes.write(tmp_path / "a.seanim", [scenes.moves(bones, "absolute")])
    before = scenes.state()
    shown = preview.lines(path, preparing.Options(unit="cm"), bpy.context)
    assert shown[:2] == [
        "SEAnim: 1 clip, right-handed, Z up, cm",
        "3 nodes found in the scene, 0 not found",
    ]
    assert shown[2].startswith("onto: 3 of 3 nodes")
    assert preview.lines(str(tmp_path / "none.seanim"), preparing.Options(), bpy.context) == ["Choose a file"]
    (tmp_path / "broken.seanim").write_bytes(b"SEAnim")
    broken = preview.lines(str(tmp_path / "broken.seanim"), preparing.Options(), bpy.context)
    assert (len(broken), scenes.state()) == (1, before)


@pytest.mark.parametrize(("unit", "factor"), [(None, 0.01), ("cm", 0.01), ("in", 0.0254), ("keep", 1.0)])
def test_objects_are_scaled_by_the_unit_of_the_file(unit: str | None, factor: float):
    path = FIXTURES / "seanim/ok/walk.seanim"
    load(path, onto="OBJECTS", unit=unit)
    scenes.frame(1.0)
    wanted = inbetween.read(path).clips[0].tracks["tag_origin/Position"].values[-1]
    assert np.allclose(bpy.data.objects["tag_origin"].location, np.array(wanted) * factor, rtol=1e-5)


def test_shape_keys_take_weights():
    mesh = bpy.data.meshes.new("Body")
    item = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(item)
    item.shape_key_add(name="Basis")
    block = item.shape_key_add(name="Smile")
    path = FIXTURES / "unity-anim/ok/walk.anim"
    load(path)
    weight = inbetween.read(path).clips[0].tracks["Body/Weight:Smile"]
    for time in (0.0, 0.3, 0.8, 1.2):
        scenes.frame(time)
        assert abs(block.value - min(1.0, max(0.0, float(weight.sample([time])[0])))) < 1e-4


def test_bones_without_keys_get_keys_of_the_rest_pose_by_choice(tmp_path: Path):
    bones = scenes.skeleton(3)
    item = scenes.new_rig(bones)
    path = scenes.write(tmp_path / "one.seanim", [scenes.moves(scenes.skeleton(1), "absolute")])
    item.pose.bones["bone_2"].location = (1, 2, 3)
    load(path, unit="keep", unkeyed="KEEP")
    assert tuple(item.pose.bones["bone_2"].location) == (1, 2, 3)
    result = load(path, unit="keep", unkeyed="KEYS")
    curves = bags(bpy.data.actions[result.actions[0]])[0].fcurves
    assert len(curves) == 3 * 10
    load(path, unit="keep")
    assert tuple(item.pose.bones["bone_2"].location) == (0, 0, 0)


# Files of another format are read as what they are.
BAD = sorted(
    path
    for kind in FIXTURES.iterdir()
    for path in (kind / "bad").iterdir()
    if path.suffix not in (".err", ".txt") and path.stem != "another-format"
)


def test_broken_files_leave_the_scene_as_it_was(registered):
    scenes.new_rig(scenes.skeleton(3))
    load(FIXTURES / "x4-ani/ok/cockpit.ani", onto="OBJECTS", set_rate=False, set_range=False)
    before = scenes.state()
    for onto in ("AUTO", "NEW", "OBJECTS"):
        for path in BAD:
            try:
                result = bpy.ops.import_anim.inbetween(filepath=str(path), onto=onto)
            except RuntimeError as error:
                assert "Traceback" not in str(error), path
            else:
                assert result == {"CANCELLED"}, path
            assert scenes.state() == before, path


ODD = [
    path
    for kind in ("seanim", "cast", "x4-ani", "gltf", "animj", "bvh", "unity-anim")
    for path in sorted((FIXTURES / kind / "ok").iterdir())
    if path.suffix in (".seanim", ".cast", ".ani", ".glb", ".animj", ".bvh", ".anim")
]


def test_odd_files_are_imported_or_leave_the_scene_as_it_was(registered):
    failed = []
    for path in ODD:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        before = scenes.state()
        try:
            bpy.ops.import_anim.inbetween(filepath=str(path))
        except RuntimeError as error:
            assert "Traceback" not in str(error), (path, str(error))
            failed.append(path.name)
            assert scenes.state() == before, path
    assert len(failed) < len(ODD) / 4, failed


def test_a_failure_while_writing_takes_everything_back(monkeypatch):
    from inbetween_blender import writing

    before = scenes.state()

    def fail(*_):
        raise RuntimeError("as if memory were short")

    monkeypatch.setattr(writing, "set_range", fail)
    with pytest.raises(RuntimeError):
        load(FIXTURES / "gltf/ok/walk.glb")
    after = scenes.state()
    assert after == before
