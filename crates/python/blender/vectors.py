"""Keys of whole vectors: components that are joined, and curves that span their clip. Needs no Blender."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from . import curves
from .curves import Keys


class Joined:
    """The tracks of the components of one vector, as one track of linear keys."""

    tangents, component = None, None

    def __init__(self, tracks: list[Any], default: np.ndarray) -> None:
        self.tracks, self.default, first = tracks, default, tracks[0]
        self.property, self.euler_order, self.kind = first.property, first.euler_order, "float3"
        self.label = first.label.rsplit(".", 1)[0]
        self.times = np.unique(np.concatenate([track.times for track in tracks]))
        held = all(track.interpolation == "hold" for track in tracks)
        self.interpolation = "hold" if held else "linear"
        self.values = self.sample(self.times)

    def sample(self, times: np.ndarray) -> np.ndarray:
        """Returns the vectors at some times; components without keys are at rest."""
        values = np.tile(self.default, (len(times), 1))
        for track in self.tracks:
            values[:, "xyz".index(track.component)] = track.sample(times)
        return values


def shares_times(keys: Keys) -> bool:
    """Whether the handles of all components have the same times."""
    sides = (keys.left, keys.right)
    return all(side is not None and np.allclose(side[..., 0], side[:, :1, 0], atol=1e-9) for side in sides)


def spanning(keys: Keys, duration: float) -> Keys:
    """Adds keys that hold the first and the last value, so that the keys span the clip."""
    if len(keys.times) < 2:
        return keys
    if keys.times[0] > 1e-9:
        keys = _concatenated(_held(keys, 0, 0.0), keys)
    if keys.times[-1] < duration - 1e-9:
        last = _held(keys, -1, duration)
        modes = np.append(keys.modes[:-1], np.uint8(curves.LINEAR))
        keys = _concatenated(replace(keys, modes=modes), last)
    return keys


def _held(keys: Keys, index: int, time: float) -> Keys:
    """Returns a key with the value of another one at a time."""
    values, times = keys.values[[index]], np.array([time])
    sides = [] if keys.left is None else [curves.points(times, values)] * 2
    return Keys(times, values, np.array([curves.LINEAR], np.uint8), *sides)


def _concatenated(one: Keys, two: Keys) -> Keys:
    sides = []
    if one.left is not None and one.right is not None:
        sides = [np.concatenate(pair) for pair in ((one.left, two.left), (one.right, two.right))]
    rows = ((one.times, two.times), (one.values, two.values), (one.modes, two.modes))
    return Keys(*(np.concatenate(pair) for pair in rows), *sides)
