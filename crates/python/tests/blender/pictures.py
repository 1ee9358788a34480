"""Renders the pictures of the guide without a display: ``python pictures.py FOLDER``, with bpy.

Bones are drawn as octahedra, since armatures are not rendered.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

import conftest
import inbetween

conftest.load()

import scenes  # noqa: E402

OUT = Path(sys.argv[-1])
TURN = np.pi / 180

SOLDIER = [
    ("tag_origin", None, (0, 0, 0)),
    ("j_mainroot", "tag_origin", (0, 0, 98)),
    ("j_spine", "j_mainroot", (0, 0, 22)),
    ("j_neck", "j_spine", (0, 0, 32)),
    ("j_head", "j_neck", (0, 0, 12)),
    ("j_head_end", "j_head", (0, 0, 20)),
    *[
        bone
        for side, y in (("le", 1), ("ri", -1))
        for bone in (
            (f"j_shoulder_{side}", "j_spine", (0, 18 * y, 27)),
            (f"j_elbow_{side}", f"j_shoulder_{side}", (0, 4 * y, -28)),
            (f"j_wrist_{side}", f"j_elbow_{side}", (3, 2 * y, -26)),
            (f"j_hip_{side}", "j_mainroot", (0, 10 * y, -2)),
            (f"j_knee_{side}", f"j_hip_{side}", (2, 0, -45)),
            (f"j_ankle_{side}", f"j_knee_{side}", (-3, 0, -42)),
            (f"j_ball_{side}", f"j_ankle_{side}", (15, 0, -6)),
        )
    ],
]


def soldier() -> inbetween.Skeleton:
    """Returns the bones of a person, in centimeters, looking along +X."""
    bones = [
        inbetween.Bone(n, p, tuple(map(float, at)), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0))
        for n, p, at in SOLDIER
    ]
    return inbetween.Skeleton(bones)


def walk() -> inbetween.Clip:
    """Returns a step cycle: angles about Y in degrees, at eight moments."""
    angles = {
        "j_hip_le": (-32, -20, 0, 16, 26, 12, -14, -34, -32),
        "j_knee_le": (8, 16, 8, 6, 22, 58, 64, 22, 8),
        "j_shoulder_le": (28, 20, 2, -14, -26, -18, 0, 18, 28),
        "j_elbow_le": (-12, -18, -26, -34, -42, -34, -26, -18, -12),
        "j_spine": (6, 4, 6, 8, 6, 4, 6, 8, 6),
    }
    times = np.arange(9) / 8
    tracks = []
    for name, degrees in angles.items():
        sides = (name, name.replace("_le", "_ri")) if name.endswith("_le") else (name,)
        for side, shift in zip(sides, (0, 4), strict=False):
            half = np.array([degrees[(i + shift) % 8] for i in range(9)]) * TURN / 2
            values = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=-1)
            tracks.append(inbetween.Track(side, "Rotation", times, values))
    bob = np.stack([0 * times, 0 * times, 3 * np.cos(4 * np.pi * times) - 4], axis=-1)
    tracks.append(inbetween.Track("j_mainroot", "Position", times, bob, blend="rest-relative"))
    return inbetween.Clip(tracks, name="walk", frame_rate=30.0, duration=1.0, looping=True, blend="relative")


def material(name: str, color: tuple[float, float, float]) -> Any:
    """Makes a plain material."""
    made = bpy.data.materials.new(name)
    made.diffuse_color = (*color, 1)
    made.use_nodes = True
    made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*color, 1)
    return made


def draw_bones(item: Any, look: Any, offset: Vector) -> None:
    """Draws each bone from its head to the heads of its children."""
    for bone in item.pose.bones:
        for child in bone.children:
            head, tail = item.matrix_world @ bone.head + offset, item.matrix_world @ child.head + offset
            if bone.parent is None or (tail - head).length < 1e-6:
                continue
            octahedron(head, tail, look)


def octahedron(head: Vector, tail: Vector, look: Any) -> None:
    """Draws a bone as Blender does."""
    along = tail - head
    length = along.length
    turn = along.to_track_quat("Z", "X").to_matrix().to_4x4()
    w = 0.11 * length + 0.008
    points = [
        (0, 0, 0),
        (w, 0, 0.2 * length),
        (0, w, 0.2 * length),
        (-w, 0, 0.2 * length),
        (0, -w, 0.2 * length),
        (0, 0, length),
    ]
    faces = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 1, 4), (5, 1, 2), (5, 2, 3), (5, 3, 4), (5, 4, 1)]
    mesh = bpy.data.meshes.new("bone")
    mesh.from_pydata([Matrix.Translation(head) @ turn @ Vector(point) for point in points], [], faces)
    mesh.materials.append(look)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("bone", mesh))


def box(name: str, size: tuple[float, float, float], at: tuple[float, float, float], look: Any) -> Any:
    """Makes a box whose origin is its own place."""
    x, y, z = (each / 2 for each in size)
    points = [(a, b, c) for a in (-x, x) for b in (-y, y) for c in (-z, z)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.materials.append(look)
    item = bpy.data.objects.new(name, mesh)
    item.location = at
    bpy.context.scene.collection.objects.link(item)
    return item


def shoot(
    name: str, target: tuple[float, float, float], eye: tuple[float, float, float], width: float
) -> None:
    """Renders a picture."""
    scene = bpy.context.scene
    floor = box("floor", (60, 60, 0.02), (0, 0, -0.02), material("floor", (0.75, 0.77, 0.8)))
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", width
    camera.location = eye
    camera.rotation_euler = (Vector(target) - Vector(eye)).to_track_quat("-Z", "Y").to_euler()
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.rotation_euler = 1.6, (0.7, 0.2, 0.9)
    for item in (camera, sun):
        scene.collection.objects.link(item)
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.5, 0.53, 0.6, 1)
    scene.camera, scene.render.engine = camera, "CYCLES"
    scene.cycles.samples, scene.cycles.device, scene.cycles.use_denoising = 24, "CPU", False
    scene.render.resolution_x, scene.render.resolution_y = 900, 420
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.filepath = str(OUT / f"{name}.png")
    bpy.ops.render.render(write_still=True)
    bpy.data.objects.remove(floor)


def picture_of_the_soldier(folder: Path) -> None:
    """The rest pose, and four frames of a relative SEAnim clip on it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    item = scenes.new_rig(soldier(), 0.01)
    grey, blue = material("rest", (0.45, 0.45, 0.45)), material("pose", (0.05, 0.25, 0.6))
    bpy.context.view_layer.update()
    draw_bones(item, grey, Vector((-2.4, 0, 0)))
    path = scenes.write(folder / "walk.seanim", [walk()])
    print(scenes.load(path, unit="cm"))
    for index, time in enumerate((0.0, 0.25, 0.5, 0.75)):
        scenes.frame(time)
        draw_bones(item, blue, Vector((-1.0 + 1.15 * index, 0, 0)))
    shoot("soldier", (0, 0, 0.95), (3.0, -9, 2.2), 6.4)


def picture_of_the_door(folder: Path) -> None:
    """A door of X4 before, halfway and open."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    times = [0.0, 1.0]
    tracks = {
        "anim_door_left/Position": (times, [[0.5, 1.0, 0.0], [1.4, 1.0, 0.0]]),
        "anim_door_right/Position": (times, [[-0.5, 1.0, 0.0], [-1.4, 1.0, 0.0]]),
    }
    x4 = inbetween.Coordinates("left", "y", 1.0)
    path = folder / "door.ani"
    inbetween.Document.from_arrays(tracks, name="door_opening", duration=1.0, coordinates=x4).save(path)
    frame, steel = material("frame", (0.2, 0.2, 0.22)), material("steel", (0.6, 0.32, 0.08))
    doors = [
        box(f"anim_door_{side}", (1.0, 0.12, 2.0), (x, 0, 1), steel)
        for side, x in (("left", -0.5), ("right", 0.5))
    ]
    for item in doors:
        item.select_set(True)
    print(scenes.load(path, onto="OBJECTS"))
    copies = []
    for index, time in enumerate((0.0, 0.5, 1.0)):
        scenes.frame(time)
        bpy.context.view_layer.update()
        for item in doors:
            copy = box("copy", (1.0, 0.12, 2.0), tuple(item.matrix_world.translation), steel)
            copy.location.x += (index - 1) * 4.4
            copies.append(copy)
        for x, size in ((-1.1, (0.18, 0.3, 2.3)), (1.1, (0.18, 0.3, 2.3))):
            box("post", size, (x + (index - 1) * 4.4, 0, 1.15), frame)
        box("lintel", (2.4, 0.3, 0.22), ((index - 1) * 4.4, 0, 2.3), frame)
    for item in doors:
        bpy.data.objects.remove(item)
    shoot("door", (0, 0, 1.0), (0.8, -12, 3.0), 13.2)


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        picture_of_the_soldier(Path(temporary))
        picture_of_the_door(Path(temporary))
    sys.stdout.flush()
    os._exit(0)
