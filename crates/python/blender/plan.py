"""What a clip becomes in Blender: an action, its slots, and the keys of each F-curve. Needs no Blender."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import curves, rotations
from .curves import Keys, Packed
from .targets import Channels, Notes, Settings, Target
from .vectors import Joined, shares_times, spanning

MODES = {"hold": curves.CONSTANT, "linear": curves.LINEAR, "hermite": curves.BEZIER, "bezier": curves.BEZIER}

SMALL_STEP = np.cos(0.045)
"""The smallest dot product of neighbors whose components may be linear: it differs by less than 4e-6."""

PATHS = {"Position": "location", "Scale": "scale"}
ROTATION_PATHS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}

MERGED = 0.011
"""The frames between keys below which Blender makes them one."""

JUMP = 0.02
"""How many frames before a jump the old value has its last key."""

LONGEST_BAKE = 1_000_000
"""The frames of a clip above which nothing is baked."""


WIDTHS = {"Position": 3, "Rotation": 4, "RotationEuler": 3, "Scale": 3}
"""The components of transforms."""

USUAL_KINDS = {"Position": "float3", "Rotation": "floatQ", "RotationEuler": "float3", "Scale": "float3"}
"""The kinds of values that almost all transforms have."""


def fits_curves(track: Any) -> bool:
    """Whether F-curves can have the values of a track: numbers, as many as its property has."""
    # Asking for the array of every track would take a measurable part of an import.
    if track.kind == USUAL_KINDS.get(track.property or ""):
        return True
    values = np.asarray(track.values)
    if values.dtype == object or values.ndim > 2:
        return False
    width = 1 if track.component is not None else WIDTHS.get(track.property or "")
    return width is None or values.size == width * len(values)


class Planner:
    """Plans the F-curves of one clip."""

    def __init__(
        self,
        clip: Any,
        find: Callable[[str, str], Target | None],
        settings: Settings,
        looping: bool,
        notes: Notes,
    ) -> None:
        self.clip, self.find, self.settings, self.notes = clip, find, settings, notes
        self.duration, self.looping = float(clip.duration), looping
        self._frames: np.ndarray | None = None

    @property
    def frames(self) -> np.ndarray:
        """The times of all frames up to the end of the clip."""
        if self._frames is None:
            rate, start = self.settings.rate, self.settings.start
            count = int(np.floor(self.duration * rate + start % 1 + 1e-6)) + 1
            if count > LONGEST_BAKE:
                raise ValueError(f"the clip has {count} frames, more than {LONGEST_BAKE} cannot be baked")
            self._frames = (np.arange(count) - start % 1) / rate
        return self._frames

    def channels(self) -> Iterator[Channels]:
        """Yields the F-curves; of two for one property, the first."""
        seen: dict[tuple[str, str], int] = {}
        for channels in self._all():
            owner, path, first, group, packed = channels
            indices = ((1 << len(packed)) - 1) << first
            before = seen.get((owner, path), 0)
            if before & indices:
                self.notes.skipped.append(f"{group or owner}: a second track for {path}")
                continue
            seen[owner, path] = before | indices
            yield channels

    def _all(self) -> Iterator[Channels]:
        groups: dict[tuple[str, str, bytes], list[tuple[Target, Any]]] = defaultdict(list)
        components: dict[tuple[str, str], list[tuple[Target, Any]]] = defaultdict(list)
        simple = self.clip.rules != "x4-ani"
        for track in self.clip.tracks:
            node, kind = track.node, track.property
            if not len(track):
                continue
            target = self.find(node or "", kind or "")
            if target is None:
                continue
            if not fits_curves(track):
                self.notes.skipped.append(f"{track.label}: {track.kind} values")
                continue
            if track.component is not None:
                components[node or "", kind].append((target, track))
                continue
            interpolation = track.interpolation
            is_vector = kind in PATHS or (kind == "Rotation" and target.rest.mode == "QUATERNION")
            if simple and is_vector and interpolation in ("linear", "hold"):
                groups[kind, interpolation, track.times.tobytes()].append((target, track))
            else:
                yield from self._single(target, track)
        for (kind, interpolation, times), members in groups.items():
            yield from self._group(kind, MODES[interpolation], np.frombuffer(times), members)
        for (_, kind), members in components.items():
            yield from self._components(kind, members)

    def _group(self, kind: str, mode: int, times: np.ndarray, members: list) -> Iterator[Channels]:
        """Maps all tracks of a property that share their times at once, as arrays of components by keys."""
        values = np.stack([track.values for _, track in members]).astype(float).transpose(0, 2, 1)
        usable = np.abs(values).max(axis=(1, 2)) < 3e38
        if not usable.all():
            values[~usable] = 0.0
        if not (np.isfinite(times).all() and (np.diff(times) * self.settings.rate >= MERGED).all()):
            usable[:] = False
        if kind == "Position":
            values = np.stack([target.rest.matrix for target, _ in members]) @ values
            values += np.stack([target.rest.offset for target, _ in members])[:, :, None]
        elif kind == "Rotation":
            turns = rotations.left_matrix(np.stack([target.rest.turn for target, _ in members]))
            # Blender has w first.
            values, steps = rotations.unit_columns(np.roll(turns, 1, axis=-2) @ values)
            if mode == curves.LINEAR:
                usable &= steps >= SMALL_STEP
        path = PATHS.get(kind, "rotation_quaternion")
        yield from self._packed_group(path, times, values, mode, members, usable.tolist())

    def _packed_group(self, path, times, values, mode, members, usable) -> Iterator[Channels]:
        times, values = self._spanned(times, values)
        count, components, keys = values.shape
        points = np.empty((count, components, keys, 2), np.float32)
        points[..., 0], points[..., 1] = times * self.settings.rate + self.settings.start, values
        constant = (points[..., 1] == points[..., :1, 1]).all(axis=2).tolist()
        flat, modes = points.reshape(count, components, -1), np.full(keys, mode, np.uint8)
        one = np.array([curves.LINEAR], np.uint8)
        for (target, track), rows, still, is_usable in zip(members, flat, constant, usable, strict=True):
            if not is_usable:
                yield from self._single(target, track)
                continue
            packed = [
                Packed(row[:2], one, None, None) if stays else Packed(row, modes, None, None)
                for row, stays in zip(rows, still, strict=True)
            ]
            yield Channels(target.owner, target.prefix + path, 0, target.group, packed)

    def _spanned(self, times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Adds keys that hold the first and the last value, so that every curve repeats with the clip."""
        if not self.looping or len(times) < 2:
            return times, values
        if times[-1] < self.duration - 1e-9:
            times = np.append(times, self.duration)
            values = np.concatenate((values, values[..., -1:]), axis=-1)
        if times[0] > 1e-9:
            times, values = np.append(0.0, times), np.concatenate((values[..., :1], values), axis=-1)
        return times, values

    def _single(self, target: Target, track: Any) -> Iterator[Channels]:
        """Maps one track, and compares what Blender plays with what the file plays."""
        kind = track.property or ""
        values = np.asarray(track.values)
        values = values.reshape(len(values), -1).astype(float)
        keys = self._keys(track, values)
        if keys is None:
            self.notes.skipped.append(f"{track.label}: no usable keys")
            return
        self._add_tail(track, keys)

        def sampler(times: np.ndarray) -> np.ndarray:
            return np.nan_to_num(np.asarray(track.sample(times), float).reshape(len(times), -1))

        if kind in ("Rotation", "RotationEuler"):
            yield from self._rotation(target, track, keys, sampler)
            return
        if kind == "Position":
            rest = target.rest

            def moved(times: np.ndarray) -> np.ndarray:
                return sampler(times) @ rest.matrix.T + rest.offset

            if keys.left is None or rest.is_plain or shares_times(keys):
                keys = keys.mapped(rest.matrix, rest.offset)
            else:
                keys = Keys(keys.times, keys.values @ rest.matrix.T + rest.offset, keys.modes)
            yield from self._finish(target, target.prefix + "location", keys, moved, track.label)
            return
        path = target.prefix + PATHS[kind] if kind in PATHS else target.prefix
        yield from self._finish(target, path, keys, sampler, track.label)

    def _keys(self, track: Any, values: np.ndarray) -> Keys | None:
        """Returns the keys of a track as Blender would store them, or ``None`` if there are none."""
        times, interpolation = np.asarray(track.times, float), track.interpolation
        if isinstance(interpolation, str):
            interpolation = [interpolation] * len(times)
        modes_of_file = np.array(interpolation)
        modes = np.array([MODES.get(each, curves.LINEAR) for each in interpolation])
        order = curves.clean(times, values, modes)
        if not len(order):
            return None
        keys = Keys(times[order], values[order], modes[order].astype(np.uint8))
        if (keys.modes == curves.BEZIER).any():
            keys.left, keys.right = self._handles(track, keys, order, modes_of_file[order])
        return self._without_jumps(track, keys)

    def _handles(
        self, track: Any, keys: Keys, order: np.ndarray, modes_of_file: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Returns the handles of curves: those of the file, or others that play the same."""
        sides = None
        if track.tangents == "handles" or (track.tangents == "values" and track.property == "Rotation"):
            left, right = (np.array(side, float)[order] for side in (track.left, track.right))
            sides = (left, right)
            if track.tangents == "values":
                # Samples are normalized, so the curves of the components are found in the tangents alone.
                sides = curves.control_points(keys, left, right, modes_of_file)
        if sides is not None and all(np.isfinite(side).all() for side in sides):
            return sides

        def sampler(times: np.ndarray) -> np.ndarray:
            return np.asarray(track.sample(times), float).reshape(len(times), -1)

        return curves.cubic_handles(keys.times, keys.values, sampler)

    def _without_jumps(self, track: Any, keys: Keys) -> Keys:
        """Moves the first of keys at one time to just before the last, since Blender merges them."""
        close = np.diff(keys.times) * self.settings.rate < MERGED
        if not close.any():
            return keys
        firsts = np.flatnonzero(np.append(True, ~close))
        lasts = np.flatnonzero(np.append(~close, True))
        before = keys.times[lasts] - JUMP / self.settings.rate
        moves = (firsts < lasts) & (before > np.append(np.inf, keys.times[lasts[:-1]]))
        moved = firsts[moves]
        if len(moved):
            keys.times[moved] = before[moves]
            keys.values[moved] = np.asarray(track.sample(keys.times[moved]), float).reshape(len(moved), -1)
            keys.modes[moved] = curves.CONSTANT
        kept = np.sort(np.concatenate((lasts, moved)))
        sides = [side if side is None else side[kept] for side in (keys.left, keys.right)]
        return Keys(keys.times[kept], keys.values[kept], keys.modes[kept], *sides)

    def _add_tail(self, track: Any, keys: Keys) -> None:
        """Adds what a format shows after the last key, such as the control point of a curve of X4."""
        if self.clip.rules != "x4-ani":
            return
        after = np.asarray(track.sample(keys.times[-1:] + 1.0), float).reshape(1, -1)
        if (
            np.isfinite(after).all()
            and curves.difference(keys.values[-1:], after, False).max() > curves.TOLERANCE
        ):
            if len(keys.times) == 1:
                keys.values = after
                return
            flat = curves.points(keys.times[-1:], after)
            if keys.left is not None and keys.right is not None:
                keys.left, keys.right = (np.concatenate((side, flat)) for side in (keys.left, keys.right))
            keys.times, keys.values = (
                np.append(keys.times, keys.times[-1]),
                np.concatenate((keys.values, after)),
            )
            keys.modes = np.append(keys.modes, np.uint8(curves.CONSTANT))

    def _rotation(
        self, target: Target, track: Any, keys: Keys, sampler: curves.Sampler
    ) -> Iterator[Channels]:
        rest, mode, signs = target.rest, "", np.ones(3)
        if track.property == "RotationEuler":
            mode, signs = rotations.blender_mode(track.euler_order)
            if mode == rest.mode and rest.is_plain:
                keys = keys.mapped(np.diag(signs), np.zeros(3))
                path = target.prefix + "rotation_euler"
                yield from self._finish(target, path, keys, lambda at: sampler(at) * signs, track.label)
                return

        def turned(values: np.ndarray) -> np.ndarray:
            q = rotations.from_euler(values * signs, mode) if mode else rotations.normalized(values)
            return rotations.multiply(rest.turn, q)

        def wanted(times: np.ndarray) -> np.ndarray:
            return turned(sampler(times))

        if rest.mode != "QUATERNION":
            yield from self._other_mode(target, track, keys, wanted)
            return
        if mode:
            values = rotations.continuous(turned(keys.values))
            keys = Keys(keys.times, values, np.minimum(keys.modes, curves.LINEAR))
        elif keys.left is None:
            keys = Keys(keys.times, rotations.continuous(turned(keys.values)), keys.modes)
        else:
            keys = keys.mapped(rotations.left_matrix(rest.turn), np.zeros(4))
        yield from self._finish(
            target, target.prefix + "rotation_quaternion", keys, wanted, track.label, True
        )

    def _other_mode(
        self, target: Target, track: Any, keys: Keys, wanted: curves.Sampler
    ) -> Iterator[Channels]:
        """Writes a rotation as Euler angles, or as angle and axis: keys on all frames between its keys."""
        mode = target.rest.mode
        inside = self.frames[(self.frames > keys.times[0]) & (self.frames < keys.times[-1])]
        times = np.unique(np.concatenate((keys.times, inside)))
        if (keys.modes == curves.CONSTANT).all():
            times = keys.times
        values = wanted(times)
        if mode == "AXIS_ANGLE":
            path, numbers = "rotation_axis_angle", rotations.to_axis_angle(values)
        else:
            path, numbers = "rotation_euler", rotations.to_euler(values, mode)
        segment = np.clip(np.searchsorted(keys.times, times, side="right") - 1, 0, None)
        new = Keys(times, numbers, np.minimum(keys.modes[segment], curves.LINEAR))
        middles = curves.between(times)
        played = curves.evaluate(new, middles)
        played = (
            rotations.from_axis_angle(played) if mode == "AXIS_ANGLE" else rotations.from_euler(played, mode)
        )
        error = rotations.angle_between(played, wanted(middles)).max(initial=0.0)
        if len(times) > len(keys.times):
            self._note(track.label, float(error))
        yield from self._emit(target, target.prefix + path, new)

    def _finish(
        self,
        target: Target,
        path: str,
        keys: Keys,
        sampler: curves.Sampler,
        label: str,
        rotation: bool = False,
    ) -> Iterator[Channels]:
        needs_frames = len(keys.times) > 1
        baked = curves.fitted(keys, sampler, self.frames if needs_frames else keys.times, rotation)
        if baked.baked:
            self._note(label, baked.error)
        if rotation:
            baked.keys.values = np.roll(baked.keys.values, 1, axis=-1)
            for side in ("left", "right"):
                if (array := getattr(baked.keys, side)) is not None:
                    setattr(baked.keys, side, np.roll(array, 1, axis=1))
        yield from self._emit(target, path, baked.keys)

    def _emit(self, target: Target, path: str, keys: Keys, first: int = 0) -> Iterator[Channels]:
        keys = spanning(keys, self.duration) if self.looping else keys
        packed = curves.packed(keys, self.settings.rate, self.settings.start)
        yield Channels(target.owner, path, first, target.group, packed)

    def _components(self, kind: str, members: list[tuple[Target, Any]]) -> Iterator[Channels]:
        """Maps the tracks of single components of a vector."""
        target, first = members[0]
        mode, signs = rotations.blender_mode(first.euler_order) if first.euler_order else ("", np.ones(3))
        if target.rest.is_plain and mode in ("", target.rest.mode) and kind != "Rotation":
            path = target.prefix + ("rotation_euler" if mode else PATHS.get(kind, ""))
            for _, track in members:
                yield from self._component(target, track, path, float(signs["xyz".index(track.component)]))
            return
        default = {"Position": target.rest.position, "Scale": np.ones(3)}.get(kind, np.zeros(3))
        vector = Joined([track for _, track in members], default)
        yield from self._single(target, vector)

    def _component(self, target: Target, track: Any, path: str, sign: float) -> Iterator[Channels]:
        keys = self._keys(track, np.asarray(track.values, float).reshape(len(track), 1))
        if keys is None:
            return
        keys = keys.mapped(np.array([[sign]]), np.zeros(1))

        def sampler(times: np.ndarray) -> np.ndarray:
            return sign * np.asarray(track.sample(times), float).reshape(len(times), 1)

        baked = curves.fitted(keys, sampler, self.frames)
        if baked.baked:
            self._note(track.label, baked.error)
        yield from self._emit(target, path, baked.keys, "xyz".index(track.component))

    def _note(self, label: str, error: float) -> None:
        self.notes.baked[label] = max(error, self.notes.baked.get(label, 0.0))
