"""Reads F-curves and poses of Blender as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import curves, rotations, tracks
from .curves import Keys


def keys_of(curve: Any, start: float, rate: float) -> Keys | None:
    """Returns the keys of an F-curve; ``None`` if something other than its keys shapes it."""
    points = curve.keyframe_points
    count = len(points)
    if not count or any(not each.mute and each.type != "CYCLES" for each in curve.modifiers):
        return None
    modes = np.empty(count, np.int32)
    points.foreach_get("interpolation", modes)
    if modes.max() > curves.BEZIER or curve.extrapolation != "CONSTANT":
        return None
    columns = {}
    for name in ("co", "handle_left", "handle_right"):
        columns[name] = np.empty(2 * count, np.float32)
        points.foreach_get(name, columns[name])
        columns[name] = columns[name].reshape(count, 2).astype(float)
    times = tracks.seconds(columns["co"][:, 0], start, rate)
    left = right = None
    if (modes[:-1] == curves.BEZIER).any():
        sides = []
        for name in ("handle_left", "handle_right"):
            side = columns[name]
            sides.append(np.stack(((side[:, 0] - start) / rate, side[:, 1]), axis=-1)[:, None, :])
        left, right = sides
    return Keys(times, columns["co"][:, 1:], modes.astype(np.uint8), left, right)


def shown(item: Any, bone: str | None) -> Any:
    """Returns the matrix of a bone or object relative to its parent, as it is shown."""
    if bone is None:
        return (
            item.parent.matrix_world.inverted() @ item.matrix_world
            if item.parent
            else item.matrix_world.copy()
        )
    pose = item.pose.bones[bone]
    return pose.parent.matrix.inverted() @ pose.matrix if pose.parent else pose.matrix.copy()


def quaternions(values: np.ndarray, mode: str) -> np.ndarray:
    """Returns quaternions (xyzw) of the values of a rotation mode."""
    if mode == "QUATERNION":
        return rotations.normalized(np.roll(values, -1, axis=-1))
    return rotations.from_axis_angle(values) if mode == "AXIS_ANGLE" else rotations.from_euler(values, mode)
