"""F-curves as arrays: what Blender plays between keys, and keys that play what a sampler returns.

Nothing here needs Blender. Times are seconds in ``Keys`` and frames in ``Packed``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

CONSTANT, LINEAR, BEZIER = 0, 1, 2
"""The numbers of Blender for the interpolation after a key."""

TOLERANCE = 4e-6
"""How far a curve may be from the file, as a part of the larger of 1 and the value."""

_INSIDE = (1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6)
"""Where in a segment a curve is compared with the file. At its ends are keys of the file."""

Sampler = Callable[[np.ndarray], np.ndarray]


@dataclass
class Keys:
    """The keys of several components that share their times."""

    times: np.ndarray
    """Seconds, never falling, shape ``(n,)``."""
    values: np.ndarray
    """Shape ``(n, components)``."""
    modes: np.ndarray
    """The interpolation after each key, shape ``(n,)``."""
    left: np.ndarray | None = None
    """The handles before the keys: time and value, shape ``(n, components, 2)``."""
    right: np.ndarray | None = None
    """The handles after the keys, like ``left``."""

    def mapped(self, matrix: np.ndarray, offset: np.ndarray) -> Keys:
        """Returns the keys after a linear map of the components, which share the times of their handles."""
        sides = []
        for side in (self.left, self.right):
            points = None
            if side is not None:
                points = np.stack((side[..., 0], side[..., 1] @ matrix.T + offset), axis=-1)
            sides.append(points)
        return Keys(self.times, self.values @ matrix.T + offset, self.modes, *sides)

    def handles(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the handles; those that are missing lie flat, a third of the segment away."""
        if self.left is not None and self.right is not None:
            return self.left, self.right
        steps = np.diff(self.times, prepend=self.times[:1], append=self.times[-1:]) / 3
        return points(self.times - steps[:-1], self.values), points(self.times + steps[1:], self.values)


def points(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Returns handles at times that all components share, shape ``(n, components, 2)``."""
    return np.stack((np.broadcast_to(times[:, None], values.shape), values), axis=-1)


def evaluate(keys: Keys, times: np.ndarray) -> np.ndarray:
    """Returns what Blender plays at some times, shape ``(m, components)``."""
    times = np.asarray(times, float)
    if len(keys.times) == 1:
        return np.repeat(keys.values, len(times), axis=0)
    index = np.searchsorted(keys.times, times, side="right") - 1
    segment = np.clip(index, 0, len(keys.times) - 2)
    start, end = keys.times[segment], keys.times[segment + 1]
    length = np.where(end > start, end - start, 1.0)
    part = np.clip((times - start) / length, 0.0, 1.0)[:, None]
    first, last = keys.values[segment], keys.values[segment + 1]
    result = first + (last - first) * part
    modes = keys.modes[segment]
    held = (modes == CONSTANT) & (times < end)
    result = np.where(held[:, None], first, result)
    curved = np.flatnonzero((modes == BEZIER) & (end > start))
    if len(curved):
        result[curved] = _bezier(keys, segment[curved], times[curved])
    result = np.where((index < 0)[:, None], keys.values[0], result)
    return np.where((index >= len(keys.times) - 1)[:, None], keys.values[-1], result)


def _bezier(keys: Keys, segment: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Returns Bezier segments at times, with the handles shortened where they overlap, as Blender does."""
    left, right = keys.handles()
    shape = (len(segment), keys.values.shape[1])
    t0 = np.broadcast_to(keys.times[segment][:, None], shape)
    t3 = np.broadcast_to(keys.times[segment + 1][:, None], shape)
    v0, v3 = keys.values[segment], keys.values[segment + 1]
    one, two = right[segment] - np.stack((t0, v0), -1), np.stack((t3, v3), -1) - left[segment + 1]
    reach = np.abs(one[..., 0]) + np.abs(two[..., 0])
    factor = np.where(reach > t3 - t0, (t3 - t0) / np.maximum(reach, 1e-300), 1.0)
    t1, v1 = t0 + factor * one[..., 0], v0 + factor * one[..., 1]
    t2, v2 = t3 - factor * two[..., 0], v3 - factor * two[..., 1]
    low, high = np.zeros(shape), np.ones(shape)
    wanted = times[:, None]
    for _ in range(52):
        middle = (low + high) / 2
        below = _cubic(t0, t1, t2, t3, middle) < wanted
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return _cubic(v0, v1, v2, v3, (low + high) / 2)


def _cubic(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, u: np.ndarray) -> np.ndarray:
    rest = 1 - u
    return a * rest**3 + 3 * b * u * rest**2 + 3 * c * u**2 * rest + d * u**3


def clean(times: np.ndarray, values: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """Returns the indices of usable keys in the order of time: finite, and at most two at one time."""
    # Blender stores 32-bit floats.
    finite = np.isfinite(times) & (np.abs(values) < 3e38).reshape(len(values), -1).all(axis=1)
    indices = np.flatnonzero(finite)
    indices = indices[np.argsort(times[indices], kind="stable")]
    sorted_times = times[indices]
    first = np.ones(len(indices), bool)
    last = np.ones(len(indices), bool)
    first[1:] = sorted_times[1:] > sorted_times[:-1]
    last[:-1] = first[1:]
    return indices[first | last]


def cubic_handles(times: np.ndarray, values: np.ndarray, sampler: Sampler) -> tuple[np.ndarray, np.ndarray]:
    """Returns the handles of the cubic curves through four samples of each segment."""
    left, right = points(times, values), points(times, values)
    span = np.diff(times)
    if not len(span):
        return left, right
    third, two_thirds = times[:-1] + span / 3, times[:-1] + span * 2 / 3
    both = sampler(np.concatenate((third, two_thirds)))
    one, two = both[: len(span)], both[len(span) :]
    first, last = values[:-1], values[1:]
    right[:-1, :, 1] = (-5 * first + 18 * one - 9 * two + 2 * last) / 6
    left[1:, :, 1] = (2 * first - 9 * one + 18 * two - 5 * last) / 6
    right[:-1, :, 0], left[1:, :, 0] = third[:, None], two_thirds[:, None]
    # The outer handles lie flat, which no segment plays.
    left[0, :, 0], right[-1, :, 0] = times[0] - span[0] / 3, times[-1] + span[-1] / 3
    return left, right


def control_points(
    keys: Keys, left: np.ndarray, right: np.ndarray, kinds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Returns handles from the tangents of a file.

    Tangents of ``bezier`` segments are control values; those of ``hermite`` segments are the change of the
    value over the whole segment.
    """
    values, span = keys.values, np.diff(keys.times)
    before, after = np.append(kinds[:1], kinds[:-1]), kinds
    left = np.where((before == "hermite")[:, None], values - left / 3, left)
    right = np.where((after == "hermite")[:, None], values + right / 3, right)
    left[0], right[-1] = values[0], values[-1]
    third = np.append(span, 0.0) / 3
    return points(keys.times - np.append(0.0, span) / 3, left), points(keys.times + third, right)


class Baked(NamedTuple):
    """Keys that play what a sampler returns."""

    keys: Keys
    baked: int
    """The number of segments that became keys on frames."""
    error: float
    """The largest difference between frames, in those segments."""


def difference(played: np.ndarray, wanted: np.ndarray, rotations: bool) -> np.ndarray:
    """Returns how far values are off, as parts of the larger of 1 and the value, shape ``(m,)``."""
    if rotations:
        length = np.linalg.norm(played, axis=-1, keepdims=True)
        played = played / np.maximum(length, 1e-12)
        return np.minimum(np.abs(played - wanted).max(axis=-1), np.abs(played + wanted).max(axis=-1))
    return (np.abs(played - wanted) / np.maximum(1.0, np.abs(wanted))).max(axis=-1)


def fitted(keys: Keys, sampler: Sampler, frames: np.ndarray, rotations: bool = False) -> Baked:
    """Compares keys with a sampler, and puts linear keys on the frames of segments that differ.

    ``frames`` are the times of all frames; ``rotations`` says that values are quaternions.
    """
    if len(keys.times) < 2:
        return Baked(keys, 0, 0.0)
    starts, spans = keys.times[:-1], np.diff(keys.times)
    inside = (starts[:, None] + spans[:, None] * np.array(_INSIDE)).ravel()
    off = difference(evaluate(keys, inside), sampler(inside), rotations)
    bad = (off.reshape(len(starts), -1).max(axis=1) > TOLERANCE) & (spans > 0)
    if not bad.any():
        return Baked(keys, 0, 0.0)
    return _baked(keys, sampler, frames, rotations, bad)


def _baked(keys: Keys, sampler: Sampler, frames: np.ndarray, rotations: bool, bad: np.ndarray) -> Baked:
    """Makes bad segments linear, with keys on the frames inside."""
    new = _frames_inside(keys.times, frames, bad)
    values = sampler(new) if len(new) else keys.values[:0]
    times = np.concatenate((keys.times, new))
    modes = np.concatenate((np.where(np.append(bad, False), LINEAR, keys.modes), np.full(len(new), LINEAR)))
    order = np.argsort(times, kind="stable")
    sides = []
    if keys.left is not None:
        # Either all keys have handles or none, though linear segments use none.
        sides = [np.concatenate((side, points(new, values)))[order] for side in keys.handles()]
    values = np.concatenate((keys.values, values))[order]
    keys = Keys(times[order], values, modes[order].astype(np.uint8), *sides)
    if rotations:
        fresh = np.append(np.append(bad, False), np.ones(len(new), bool))[order]
        _align(keys, fresh[:-1])
    linear = between(keys.times, (np.diff(keys.times) > 0) & (keys.modes[:-1] == LINEAR))
    error = difference(evaluate(keys, linear), sampler(linear), rotations).max(initial=0.0)
    return Baked(keys, int(bad.sum()), float(error))


def _frames_inside(times: np.ndarray, frames: np.ndarray, bad: np.ndarray) -> np.ndarray:
    """Returns the frames inside bad segments that are not on their keys."""
    segment = np.searchsorted(times, frames, side="right") - 1
    inside = (segment >= 0) & (segment < len(bad))
    frames, segment = frames[inside], segment[inside]
    on_key = (frames - times[segment] <= 1e-6) | (times[segment + 1] - frames <= 1e-6)
    return frames[bad[segment] & ~on_key]


def between(times: np.ndarray, segments: np.ndarray | None = None) -> np.ndarray:
    """Returns times within segments where linear keys are off the most: in the middle, or near a fifth."""
    spans = np.diff(times)
    found = times[:-1, None] + spans[:, None] * np.array((0.21, 0.5, 0.79))
    return found[spans > 0 if segments is None else segments].ravel()


def _align(keys: Keys, fresh: np.ndarray) -> None:
    """Negates quaternions from each baked segment on whose ends are on different sides."""
    dots = np.einsum("kc,kc->k", keys.values[1:], keys.values[:-1])
    signs = np.cumprod(np.append(1.0, np.where(fresh & (dots < 0), -1.0, 1.0)))
    keys.values *= signs[:, None]
    for side in (keys.left, keys.right):
        if side is not None:
            side[..., 1] *= signs[:, None]


class Packed(NamedTuple):
    """The keys of one F-curve, as Blender takes them."""

    points: np.ndarray
    """Frame and value of each key, as 32-bit floats in one row."""
    modes: np.ndarray
    """The interpolation after each key, as bytes."""
    left: np.ndarray | None
    """The handles before the keys, like ``points``."""
    right: np.ndarray | None


def packed(keys: Keys, rate: float, start: float = 0.0) -> list[Packed]:
    """Returns an F-curve for each component; one that never changes has one key."""
    frames = keys.times * rate + start
    curved = keys.left is not None and bool((keys.modes == BEZIER).any())
    left, right = keys.handles() if curved else (None, None)
    modes = np.ascontiguousarray(keys.modes, np.uint8)
    result = []
    for index in range(keys.values.shape[1]):
        values = keys.values[:, index]
        if _constant(values, None if left is None else (left[:, index, 1], right[:, index, 1])):
            point = np.array((frames[0], values[0]), np.float32)
            result.append(Packed(point, np.array([LINEAR], np.uint8), None, None))
            continue
        points = np.stack((frames, values), axis=-1).clip(-3e38, 3e38).astype(np.float32).ravel()
        sides = []
        for side in (left, right) if left is not None else ():
            pair = np.stack((side[:, index, 0] * rate + start, side[:, index, 1]), axis=-1)
            sides.append(pair.clip(-3e38, 3e38).astype(np.float32).ravel())
        result.append(Packed(points, modes, *(sides or (None, None))))
    return result


def _constant(values: np.ndarray, sides: tuple[np.ndarray, np.ndarray] | None) -> bool:
    first = values[0]
    if not (values == first).all():
        return False
    return sides is None or all(np.abs(side - first).max() <= 1e-9 * max(1.0, abs(first)) for side in sides)
