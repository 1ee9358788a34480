"""Compares the import of the Blender extension with a bare loop and with Blender's own glTF importer.

Install a wheel of this package (a release build) and ``requirements/blender-4.5.txt`` into one environment of
Python 3.11, then::

    python benches/blender.py [--clips 200] [--bones 100] [--keys 61] [--rounds 3]

All three make the same number of F-curves, with as many keys: position and rotation of each bone in each
clip. The importers read one .glb. The bare loop has the points of a curve at hand, and only calls
``fcurves.new``, ``keyframe_points.add``, ``foreach_set`` of the points, and ``update``. They run in one
process, in turns, each in an empty scene; the fastest round of each counts. Times are for one F-curve and
include reading the file.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

import inbetween

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "blender"))

import conftest

conftest.load()

from inbetween_blender import importing, preparing  # noqa: E402

FRAMES_PER_SECOND = 30.0


def document(clips: int, bones: int, keys: int) -> inbetween.Document:
    """Returns clips in which every component of every bone moves, in steps that need no keys in between."""
    names = [f"bone_{index}" for index in range(bones)]
    random = np.random.default_rng(1)
    skeleton = inbetween.Skeleton(
        [
            inbetween.Bone(
                name,
                names[index - 1] if index else None,
                (0.0, 0.1, 0.0),
                (0.0, 0.0, 0.0, 1.0),
                (1.0, 1.0, 1.0),
            )
            for index, name in enumerate(names)
        ]
    )
    return inbetween.Document(
        [clip(f"clip_{index}", names, keys, random) for index in range(clips)],
        skeleton=skeleton,
        coordinates=inbetween.Coordinates("right", "y", 1.0),
    )


def clip(name: str, bones: list[str], keys: int, random: np.random.Generator) -> inbetween.Clip:
    """Returns a clip of waves."""
    times = np.arange(keys) / FRAMES_PER_SECOND
    tracks = []
    for bone in bones:
        waves = np.sin(times[:, None] + random.uniform(0, 6, 6)).astype(np.float32)
        rotation = np.column_stack((0.3 * waves[:, 3:], np.ones(keys, np.float32)))
        rotation /= np.linalg.norm(rotation, axis=1, keepdims=True)
        tracks.append(inbetween.Track(bone, "Position", times, 0.1 * waves[:, :3]))
        tracks.append(inbetween.Track(bone, "Rotation", times, rotation))
    return inbetween.Clip(tracks, name=name, frame_rate=FRAMES_PER_SECOND)


def import_with_extension(path: str) -> None:
    """Imports a file onto a new armature."""
    importing.import_file(path, preparing.Options(onto="NEW"), bpy.context)


def import_with_blender(path: str) -> None:
    """Imports a file with Blender's own importer."""
    bpy.ops.import_scene.gltf(filepath=path)


def bare_loop(clips: int, bones: int, keys: int) -> Callable[[str], None]:
    """Returns a function that makes as many F-curves of as many keys, without reading anything."""
    points = np.stack((np.arange(keys), np.sin(np.arange(keys))), axis=-1).astype(np.float32).ravel()
    channels = [
        (f'pose.bones["bone_{bone}"].{path}', index)
        for bone in range(bones)
        for path, width in (("location", 3), ("rotation_quaternion", 4))
        for index in range(width)
    ]

    def run(_: str) -> None:
        for number in range(clips):
            action = bpy.data.actions.new(f"clip_{number}")
            slot = action.slots.new(id_type="OBJECT", name="rig")
            strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
            new = strip.channelbag(slot, ensure=True).fcurves.new
            for path, index in channels:
                curve = new(path, index=index)
                curve.keyframe_points.add(keys)
                curve.keyframe_points.foreach_set("co", points)
                curve.update()

    return run


def timed(run: Callable[[str], None], path: str, expected: int) -> float:
    """Returns the seconds for one F-curve in an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    start = time.perf_counter()
    run(path)
    seconds = time.perf_counter() - start
    made = sum(map(count, bpy.data.actions))
    if made != expected:
        raise SystemExit(f"expected {expected} F-curves, found {made}")
    return seconds / expected


def count(action: Any) -> int:
    """Returns the number of F-curves of an action."""
    bags = (bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags)
    return sum(len(bag.fcurves) for bag in bags)


def main() -> None:
    """Prints the times and ratios."""
    parser = argparse.ArgumentParser(description="Compare imports into Blender")
    for name, default in (("clips", 200), ("bones", 100), ("keys", 61), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    sizes = (arguments.clips, arguments.bones, arguments.keys)
    runs = {
        "this extension": import_with_extension,
        "bare loop": bare_loop(*sizes),
        "Blender's glTF importer": import_with_blender,
    }
    fastest = dict.fromkeys(runs, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "clips.glb")
        document(*sizes).save(path)
        for _ in range(arguments.rounds):
            for name, run in runs.items():
                fastest[name] = min(fastest[name], timed(run, path, sizes[0] * sizes[1] * 7))
    print(f"\nBlender {bpy.app.version_string}: {sizes[0]} clips of {sizes[1]} bones, {sizes[2]} keys")
    own = fastest["this extension"]
    for name, seconds in fastest.items():
        print(
            f"{name:24} {seconds * 1e6:6.1f} us per F-curve; this extension takes {own / seconds:.2f} of it"
        )


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    # bpy 4.5 can hang when its interpreter ends.
    os._exit(0)
