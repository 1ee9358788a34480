"""Rigs, files and measures that the tests with bpy share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
from inbetween_blender import importing, rotations
from inbetween_blender.preparing import Options

import inbetween

AXES = np.eye(4)


def matrix(position: Any, rotation: Any, scale: Any = (1, 1, 1)) -> np.ndarray:
    """Returns a 4x4 matrix of translation, rotation (xyzw) and scale."""
    result = np.eye(4)
    result[:3, :3] = rotations.to_matrix(rotations.normalized(np.array(rotation, float))) * np.asarray(
        scale, float
    )
    result[:3, 3] = position
    return result


def skeleton(count: int, seed: int = 7) -> inbetween.Skeleton:
    """Returns a tree of bones with random rest poses."""
    random = np.random.default_rng(seed)
    bones = []
    for index in range(count):
        parent = f"bone_{random.integers(max(0, index - 4), index)}" if index else None
        rotation = rotations.normalized(random.normal(size=4))
        bones.append(
            inbetween.Bone(
                f"bone_{index}", parent, tuple(random.normal(size=3) * 10), tuple(rotation), (1.0, 1.0, 1.0)
            )
        )
    return inbetween.Skeleton(bones)


def moves(bones: Any, mode: str, keys: int = 31, seed: int = 3) -> inbetween.Clip:
    """Returns a clip of all bones with positions and rotations of wide steps, in a blend mode.

    The top bone starts at rest, by which the library finds how the axes of a rig are turned.
    """
    random = np.random.default_rng(seed)
    times = np.arange(keys) / 30
    tracks = []
    for index, bone in enumerate(bones.bones):
        blends = {
            "absolute": ("absolute",) * 2,
            "relative": ("rest-relative", "absolute"),
            "additive": ("additive",) * 2,
        }
        position, rotation = blends[mode]
        values = random.normal(size=(keys, 3)).astype(np.float32)
        q = rotations.normalized(random.normal(size=(keys, 4))).astype(np.float32)
        if index == 0:
            q[0] = bone.rotation if rotation == "absolute" else (0, 0, 0, 1)
        tracks.append(inbetween.Track(f"bone_{index}", "Position", times, values, blend=position))
        tracks.append(inbetween.Track(f"bone_{index}", "Rotation", times, q, blend=rotation))
    return inbetween.Clip(tracks, name=mode, frame_rate=30.0, blend=mode)


def write(path: Path, clips: list[Any], bones: Any = None) -> str:
    """Writes clips in the axes of Call of Duty."""
    coordinates = inbetween.Coordinates("right", "z", 0.01)
    inbetween.Document(clips, skeleton=bones, coordinates=coordinates).save(path)
    return str(path)


def new_rig(bones: Any, unit: float = 1.0, name: str = "rig") -> Any:
    """Makes an armature of bones whose lengths are multiplied by a unit, and selects it."""
    from inbetween_blender import rig

    scaled = [
        inbetween.Bone(b.name, b.parent, tuple(unit * np.array(b.translation)), b.rotation, b.scale)
        for b in bones.bones
    ]
    return rig.new_armature(inbetween.Skeleton(scaled), name, bpy.context)


def load(path: Any, **options: Any) -> Any:
    """Imports a file."""
    return importing.import_file(str(path), Options(**options), bpy.context)


def show(item: Any, action: Any) -> None:
    """Makes an action active."""
    item.animation_data_create().action = action
    item.animation_data.action_slot = action.slots[0]


def frame(time: float) -> None:
    """Goes to a time in seconds, between frames too."""
    scene = bpy.context.scene
    at = time * scene.render.fps / scene.render.fps_base
    whole = int(np.floor(at + 1e-9))
    scene.frame_set(whole, subframe=max(0.0, at - whole))


def world_of_file(bones: Any, clip: Any, time: float) -> dict[str, np.ndarray]:
    """Returns the matrices of all bones from a clip and a rest pose, by hand."""
    values = clip.sample([time])
    worlds: dict[str, np.ndarray] = {}
    for bone in bones.bones:
        position, rotation = np.array(bone.translation), np.array(bone.rotation)
        for track in clip.tracks:
            if track.node != bone.name:
                continue
            value = np.array(values[track.label][0], float)
            if track.property == "Position":
                position = value if track.blend == "absolute" else position + value
            else:
                value = rotations.normalized(value)
                rotation = value if track.blend == "absolute" else rotations.multiply(rotation, value)
        local = matrix(position, rotation)
        worlds[bone.name] = worlds[bone.parent] @ local if bone.parent else local
    return worlds


def worst(item: Any, worlds: dict[str, np.ndarray]) -> float:
    """Returns how far the bones of an armature are from matrices."""
    bpy.context.view_layer.update()
    return max(
        float(np.abs(np.array(item.pose.bones[name].matrix) - each).max()) for name, each in worlds.items()
    )


def state() -> dict[str, Any]:
    """Returns what a failed import must not change."""
    data, scene = bpy.data, bpy.context.scene
    kinds = ("actions", "armatures", "objects", "collections", "meshes", "shape_keys", "texts")
    found: dict[str, Any] = {kind: sorted(each.name for each in getattr(data, kind)) for kind in kinds}
    active = bpy.context.view_layer.objects.active
    found["scene"] = (
        scene.render.fps,
        scene.render.fps_base,
        scene.frame_start,
        scene.frame_end,
        scene.frame_current,
    )
    found["active"] = active and active.name
    found["selected"] = sorted(each.name for each in bpy.context.selected_objects)
    found["modes"] = [bone.rotation_mode for item in data.objects if item.pose for bone in item.pose.bones]
    return found
