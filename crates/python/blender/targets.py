"""Where tracks go in Blender, and how their values change on the way. Needs no Blender."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from . import names, rotations
from .curves import Packed


class Rest(NamedTuple):
    """How values of a node relative to its parent become values of Blender relative to the rest pose."""

    matrix: np.ndarray = np.eye(3)
    """Turns positions."""
    offset: np.ndarray = np.zeros(3)
    """Is added to positions."""
    turn: np.ndarray = rotations.IDENTITY
    """Multiplies rotations from the left."""
    mode: str = "QUATERNION"
    """The rotation mode of the bone or object."""
    position: np.ndarray = np.zeros(3)
    """The position at rest, for components without keys."""

    @property
    def is_plain(self) -> bool:
        """Whether values stay as they are."""
        return bool((self.matrix == np.eye(3)).all() and not self.offset.any() and (self.turn[:3] == 0).all())


def rest_of(position: np.ndarray, rotation: np.ndarray, mode: str) -> Rest:
    """Returns the map for a bone with this position and rotation at rest, relative to its parent."""
    turn = rotations.inverse(rotations.normalized(rotation))
    if np.abs(turn[:3]).max() < 1e-9:
        turn = rotations.IDENTITY
    matrix = rotations.to_matrix(turn)
    return Rest(matrix, -(matrix @ np.asarray(position, float)), turn, mode, np.asarray(position, float))


class Target(NamedTuple):
    """Where the values of a track go."""

    owner: str
    """The name of the data-block; ``key:`` before those of shape keys."""
    prefix: str
    """The start of the data path, or all of it for weights and custom properties."""
    group: str
    """The group of the F-curves."""
    rest: Rest = Rest()


class Channels(NamedTuple):
    """The F-curves of one property."""

    owner: str
    path: str
    first: int
    """The array index of the first; the others follow."""
    group: str
    packed: list[Packed]


@dataclass
class Settings:
    """How clips become actions."""

    rate: float
    """Frames per second."""
    start: float = 0.0
    """The frame at 0 seconds, where the range of the action starts."""
    end: float = 0.0
    """The frame where the range of the action ends."""


@dataclass
class Notes:
    """What the import changed, for the report."""

    baked: dict[str, float] = field(default_factory=dict)
    """The tracks whose segments became keys on frames, with the largest difference between frames."""
    skipped: list[str] = field(default_factory=list)
    """The tracks that Blender cannot store here."""


def path_of_weight(name: str) -> str:
    """Returns the data path of the value of a shape key."""
    return f'key_blocks["{names.quoted(name)}"].value'
