"""Keys of Blender as tracks of the library. Needs no Blender."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import inbetween

from . import curves, rotations
from .curves import Keys
from .plan import SMALL_STEP
from .targets import Rest

KINDS = {curves.CONSTANT: "hold", curves.LINEAR: "linear", curves.BEZIER: "bezier"}


def seconds(frames: np.ndarray, start: float, rate: float) -> np.ndarray:
    """Returns the times of frames, without the rounding of 32-bit floats."""
    frames = np.asarray(frames, float)
    unit = np.maximum(np.abs(frames), 1.0) * 2.0**-23
    whole = np.round(frames)
    times = (np.where(np.abs(frames - whole) <= 4 * unit, whole, frames) - start) / rate
    short = np.round(times, 5)
    return np.where(np.abs(times - short) <= 2 * unit / rate, short, times)


def joined(parts: list[Keys | None], defaults: np.ndarray) -> Keys | None:
    """Returns the curves of components as keys that share their times, or ``None`` if they cannot.

    A component without a curve has its default; one of a single key is constant.
    """
    moving = [part for part in parts if part is not None and len(part.times) > 1]
    if not moving:
        present = [part for part in parts if part is not None]
        if not present:
            return None
        first = present[0]
        row = [
            part.values[0, 0] if part is not None else rest
            for part, rest in zip(parts, defaults, strict=True)
        ]
        return Keys(first.times[:1], np.array([row]), first.modes[:1])
    times, modes = moving[0].times, moving[0].modes
    for part in moving[1:]:
        if (
            len(part.times) != len(times)
            or np.abs(part.times - times).max() > 1e-6
            or (part.modes != modes)[:-1].any()
        ):
            return None
    values = np.empty((len(times), len(parts)))
    curved = any(part.left is not None for part in moving)
    left = np.empty((*values.shape, 2)) if curved else None
    right = np.empty((*values.shape, 2)) if curved else None
    for index, (part, rest) in enumerate(zip(parts, defaults, strict=True)):
        moves = part is not None and len(part.times) > 1
        values[:, index] = part.values[:, 0] if moves else rest if part is None else part.values[0, 0]
        if left is not None and right is not None:
            own = part if moves else Keys(times, values[:, [index]], modes, *_like(moving, times))
            own_left, own_right = own.handles()
            left[:, index, 0], right[:, index, 0] = own_left[:, 0, 0], own_right[:, 0, 0]
            left[:, index, 1] = own_left[:, 0, 1] if moves else values[:, index]
            right[:, index, 1] = own_right[:, 0, 1] if moves else values[:, index]
    return Keys(times, values, modes, left, right)


def _like(moving: list[Keys], times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns handles with the times of those of a moving component."""
    return next((part.left, part.right) for part in moving if part.left is not None)


def position_keys(keys: Keys, rest: Rest) -> Keys | None:
    """Returns positions relative to the parent; ``None`` if the handles cannot be turned."""
    matrix = np.linalg.inv(rest.matrix)
    plain = np.allclose(matrix, np.eye(3))
    if keys.left is not None and not plain and not _equal_handle_times(keys):
        return None
    return keys.mapped(matrix, -(matrix @ rest.offset))


def rotation_keys(keys: Keys, rest: Rest) -> Keys | None:
    """Returns quaternions (xyzw) relative to the parent from those of a bone (wxyz).

    ``None`` if linear components are too far from a turn at constant speed, or handles do not fit.
    """
    values = np.roll(keys.values, -1, axis=-1)
    sides = [None if side is None else np.roll(side, -1, axis=1) for side in (keys.left, keys.right)]
    keys = Keys(keys.times, values, keys.modes, *sides)
    lengths = np.linalg.norm(values, axis=-1)
    if (lengths < 1e-9).any():
        return None
    unit = values / lengths[:, None]
    dots = np.einsum("kc,kc->k", unit[1:], unit[:-1])
    if ((dots < SMALL_STEP) & (keys.modes[:-1] == curves.LINEAR)).any():
        return None
    if keys.left is not None and not (_equal_handle_times(keys) and _at_thirds(keys)):
        return None
    turned = keys.mapped(rotations.left_matrix(rotations.inverse(rest.turn)), np.zeros(4))
    if keys.left is None:
        turned.values = rotations.normalized(turned.values)
    return turned


def _equal_handle_times(keys: Keys) -> bool:
    return all(
        side is None or np.abs(side[..., 0] - side[:, :1, 0]).max() < 1e-6 for side in (keys.left, keys.right)
    )


def _at_thirds(keys: Keys) -> bool:
    """Whether handles are a third of their segment away, so that values are cubic in time."""
    assert keys.left is not None and keys.right is not None
    span = np.diff(keys.times)
    curved = keys.modes[:-1] == curves.BEZIER
    after = keys.right[:-1, 0, 0] - keys.times[:-1]
    before = keys.times[1:] - keys.left[1:, 0, 0]
    off = np.maximum(np.abs(after - span / 3), np.abs(before - span / 3))
    return bool((off[curved] <= 1e-5 * np.maximum(span[curved], 1.0)).all())


def track(node: str, kind: str, keys: Keys, order: str = "xyz", component: str | None = None) -> Any:
    """Returns a track of the library. Its values are 32-bit floats, as those of Blender."""

    def column(values: np.ndarray) -> np.ndarray:
        return (values[:, 0] if values.shape[1] == 1 else values).astype(np.float32)

    kinds = [KINDS[int(mode)] for mode in keys.modes]
    options: dict[str, Any] = {"shape": "curve", "euler_order": order, "component": component}
    if curves.BEZIER not in keys.modes[:-1] or keys.left is None or keys.right is None:
        kinds = ["linear" if each == "bezier" else each for each in kinds]
        shared = kinds[0] if len(set(kinds)) == 1 else kinds
        return inbetween.Track(node, kind, keys.times, column(keys.values), interpolation=shared, **options)
    sides, tangents = [keys.left, keys.right], "handles"
    if kind == "Rotation" or (_equal_handle_times(keys) and _at_thirds(keys)):
        sides, tangents = [column(side[..., 1]) for side in sides], "values"
    options |= {"left": sides[0], "right": sides[1], "tangents": tangents}
    return inbetween.Track(node, kind, keys.times, column(keys.values), interpolation=kinds, **options)


def baked(times: np.ndarray, sampler: Callable[[np.ndarray], np.ndarray]) -> Keys:
    """Returns linear keys at times."""
    return Keys(times, sampler(times), np.full(len(times), curves.LINEAR, np.uint8))
