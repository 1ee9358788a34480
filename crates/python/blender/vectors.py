"""Keys of whole vectors: components that are joined, and curves that span their clip. Needs no Blender."""

from __future__ import annotations

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
    """Adds keys that hold the first and the last value."""
    if len(keys.times) < 2 or (keys.times[0] <= 1e-9 and keys.times[-1] >= duration - 1e-9):
        return keys
    times, values, modes = keys.times, keys.values, keys.modes
    left, right = keys.handles() if keys.left is not None else (None, None)
    for at, where in ((0.0, 0), (duration, -1)):
        if (times[0] > 1e-9) if where == 0 else (times[-1] < duration - 1e-9):
            point = np.stack((np.full(values.shape[1], at), values[where]), axis=-1)[None]
            join = (lambda new, old: (new, old)) if where == 0 else (lambda new, old: (old, new))
            if where == -1:
                modes = np.append(modes[:-1], np.uint8(curves.LINEAR))
            values = np.concatenate(join(values[[where]], values))
            times = np.concatenate(join(np.array([at]), times))
            modes = np.concatenate(join(np.array([curves.LINEAR], np.uint8), modes))
            if left is not None and right is not None:
                left, right = np.concatenate(join(point, left)), np.concatenate(join(point, right))
    return Keys(times, values, modes, left, right)
