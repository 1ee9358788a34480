"""Exports actions: reads their F-curves as tracks, or the pose of every frame, and writes files."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np

import inbetween

from . import formats, names, poses, rig, rotations, tracks, writing
from .curves import Keys, Sampler
from .sources import Source, sources
from .targets import Rest

RESTS = {
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
}
"""The values of rotations at rest, which components without a curve have."""

JUMP = 0.001
"""How many frames before a jump the old value has its last key, where keys are baked."""

COMPONENT_FORMATS = ("x4-ani",)
"""The formats whose vectors may have other keys on each axis."""

BLENDS = ("relative", "additive", "delta")
"""The blend modes that the library can give to a clip, besides absolute."""


@dataclass
class Options:
    """The choices of the export dialog."""

    format: str
    which: str = "ACTIVE"
    """``ACTIVE``, ``ALL`` actions that fit, or ``NLA`` strips."""
    bake: bool = False
    """Whether the pose of every frame is written, with constraints, instead of keys."""
    rate: float | None = None
    """Frames per second of baked keys; those of the scene by default."""
    blend: str = "IMPORTED"
    """``IMPORTED``: that of the file of an action if the format has blend modes, else absolute.

    Or a blend mode of the library in capitals, which is reported as a loss if the format has none.
    """
    all_bones: bool = False
    axes: str = "auto"
    unit: float | None = None


@dataclass
class Result:
    """What an export wrote and lost."""

    files: list[str] = field(default_factory=list)
    clips: list[str] = field(default_factory=list)
    findings: list[Any] = field(default_factory=list)
    baked: list[str] = field(default_factory=list)
    """The tracks whose curves the library cannot store as keys."""
    skipped: list[str] = field(default_factory=list)
    """The properties that are not exported, such as angles of a bone that uses quaternions."""


def export(path: str, options: Options, context: Any) -> Result:
    """Writes a file, or one for each action if the format holds only one clip."""
    items = _chosen(context)
    if not items:
        raise ValueError("nothing is selected: select an armature or the animated objects")
    found = sources(items, options.which)
    if not found:
        raise ValueError(
            "the selected objects have no action" + (" strips" if options.which == "NLA" else "")
        )
    result = Result()
    documents = [_Reader(source, options, context, result).document() for source in found]
    if formats.by_id(options.format).has_many_clips:
        places, documents = [path], [functools.reduce(lambda all_, one: all_.append(one), documents)]
    else:
        places = _places(path, found)
    # Everything is made before the first file is written.
    made = [document.write(options.format, axes=options.axes) for document in documents]
    for place, converted in zip(places, made, strict=True):
        converted.save(place)
        result.files.append(place)
        result.findings += converted.findings
    return result


def _places(path: str, found: list[Source]) -> list[str]:
    """Returns the paths of files with one clip each: that of the user, or one for each action."""
    if len(found) == 1:
        return [path]
    base = Path(path)
    ends = (bpy.path.clean_name(source.name or source.action.name) for source in found)
    return [str(base.with_name(f"{base.stem}_{end}{base.suffix}")) for end in ends]


def _chosen(context: Any) -> list[Any]:
    """Returns the active armature, else the selected objects, else the active one."""
    objects = context.view_layer.objects
    if objects.active is not None and objects.active.type == "ARMATURE":
        return [objects.active]
    return list(objects.selected) or ([objects.active] if objects.active is not None else [])


class _Reader:
    """Reads one action."""

    def __init__(self, source: Source, options: Options, context: Any, result: Result) -> None:
        self.source, self.options, self.context, self.result = source, options, context, result
        render = context.scene.render
        self.rate = render.fps / render.fps_base
        self.is_rig = source.slots[0][0].type == "ARMATURE"
        step = self.rate / (options.rate or self.rate)
        count = int(np.floor((source.end - source.start) / step + 1e-6)) + 1
        self.frames = source.start + np.arange(count) * step
        self.times = (self.frames - source.start) / self.rate
        """The times of ``frames`` in the clip, in seconds."""
        self.duration = self._duration()

    def _duration(self) -> float:
        """Returns the length of the clip: that of its file, unless the range was changed since the import."""
        duration = (self.source.end - self.source.start) / self.rate
        stated = self.source.action.get("inbetween_duration")
        is_same = stated is not None and abs(stated - duration) * self.rate < 1e-3
        return float(stated) if is_same else duration

    def document(self) -> Any:
        """Returns the action as a document of one clip, in the axes of Blender or of its target."""
        source, action = self.source, self.source.action
        self.result.clips.append(source.name or action.name)
        found = [track for each, slot in source.slots for track in self._tracks(each, slot)]
        clip = inbetween.Clip(
            found,
            name=source.name,
            duration=self.duration,
            frame_rate=self._stated_rate(),
            looping=bool(action.use_cyclic and action.use_frame_range),
            markers=self._markers(),
        )
        return self._of_rig(clip) if self.is_rig else self._of_objects(clip)

    def _unit(self, coordinates: inbetween.Coordinates) -> float:
        """Returns the length of a unit in meters: the choice, that of the import, or that of the scene."""
        return self.options.unit or self.source.action.get("inbetween_unit") or coordinates.unit

    def _of_rig(self, clip: Any) -> Any:
        """Returns the document of a clip of bones."""
        item = self.source.slots[0][0]
        own = rig.coordinates_of(item, self.context.scene)
        coordinates = inbetween.Coordinates(own.handedness, own.up, self._unit(own))
        document = inbetween.Document([clip], skeleton=rig.skeleton_of(item), coordinates=coordinates)
        if self.options.all_bones:
            document = document.fill()
        blend = self._blend()
        document = document.relate(blend) if blend in BLENDS else document
        if self.options.format == "gltf" and self.options.axes == "auto":
            # As Blender's own exporter: the top bones are turned, instead of a node above them.
            document = document.map_coordinates(inbetween.Coordinates("right", "y", 1.0))
        return document

    def _blend(self) -> str:
        """Returns the blend mode of the clip."""
        if self.options.blend != "IMPORTED":
            return self.options.blend.lower()
        if not formats.by_id(self.options.format).has_blend_modes:
            # Relative values that a file does not call relative would be played as absolute ones.
            return "absolute"
        return str(self.source.action.get("inbetween_blend", "absolute"))

    def _stated_rate(self) -> float | None:
        """Returns the frame rate of the clip: none for keys from a file without one."""
        if not self.options.bake and self.source.action.get("inbetween_rate") == 0.0:
            return None
        return self.options.rate or self.rate

    def _of_objects(self, clip: Any) -> Any:
        """Returns the document of a clip of objects.

        The axes of every object are changed, since objects without bones have no top bones to turn.
        """
        target = formats.by_id(self.options.format).coordinates
        unit = self._unit(rig.scene_coordinates(self.context.scene))
        coordinates = inbetween.Coordinates(target.handedness, target.up, unit)
        document = inbetween.Document([clip], coordinates=coordinates)
        axes = formats.FROM_BLENDER.get((target.handedness, target.up))
        return document.change_axes(axes) if axes and self.options.axes == "auto" else document

    def _markers(self) -> list[Any]:
        action, start = self.source.action, self.source.start
        markers = [
            inbetween.Marker(writing.marker_time(action, each, self.rate, start), each.name)
            for each in action.pose_markers
        ]
        return sorted(markers, key=lambda each: each.time)

    def _tracks(self, item: Any, slot: Any) -> list[Any]:
        """Returns the tracks of a slot of the action."""
        groups: dict[tuple[str | None, str], dict[int, Any]] = {}
        for layer in self.source.action.layers:
            for strip in layer.strips:
                bag = strip.channelbag(slot)
                for curve in bag.fcurves if bag is not None else ():
                    if not curve.mute and len(curve.keyframe_points):
                        bone, name = names.split_path(curve.data_path)
                        groups.setdefault((bone, name), {})[curve.array_index] = curve
        if slot.target_id_type == "KEY":
            return self._weights(item, groups)
        rests = rig.rests_of(item, False) if self.is_rig else {None: rig.rest_of_object(item, False)}
        if self.options.bake:
            return self._visual(item, {bone for bone, _ in groups}, rests)
        found = []
        for (bone, name), parts in groups.items():
            rest = rests.get(bone)
            if rest is None:
                continue
            node = bone if bone is not None else item.name
            if bone is None and rest.is_plain and (components := self._components(node, name, parts, rest)):
                found += components
                continue
            track = self._track(node, name, parts, rest)
            found += [track] if track is not None else []
        return found

    def _weights(self, item: Any, groups: dict[tuple[str | None, str], dict[int, Any]]) -> list[Any]:
        """Returns the values of shape keys."""
        named = [(names.weight_of(path), parts) for (_, path), parts in groups.items()]
        return [
            self._unchanged(item.name, f"Weight:{name}", parts, np.zeros(1)) for name, parts in named if name
        ]

    def _components(self, node: str, name: str, parts: dict[int, Any], rest: Rest) -> list[Any]:
        """Returns a track for each component of an object if their keys differ, as X4 stores them."""
        kind = {"location": "Position", "scale": "Scale", "rotation_euler": "RotationEuler"}.get(name)
        if kind is None or self.options.format not in COMPONENT_FORMATS:
            return []
        if self._joined(parts, np.zeros(3)) is not None:
            return []
        keys = {i: poses.keys_of(curve, self.source.start, self.rate) for i, curve in parts.items()}
        if any(each is None for each in keys.values()):
            return []
        order = rest.mode[::-1].lower() if name == "rotation_euler" else "xyz"
        return [tracks.track(node, kind, each, order, "xyz"[index]) for index, each in sorted(keys.items())]

    def _track(self, node: str, name: str, parts: dict[int, Any], rest: Rest) -> Any:
        """Returns the track of a property; ``None`` if Blender does not show its curves."""
        if custom := names.custom_of(name):
            return self._unchanged(node, custom, parts, np.zeros(max(parts) + 1))
        if name == "location":
            return self._position(node, parts, rest)
        if name == "scale":
            return self._unchanged(node, "Scale", parts, np.ones(3))
        shown = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
        if name != shown.get(rest.mode, "rotation_euler"):
            self.result.skipped.append(f"{node}: {name}")
            return None
        if name == "rotation_euler" and rest.is_plain and not self.is_rig:
            order = rest.mode[::-1].lower()
            return self._unchanged(node, "RotationEuler", parts, np.zeros(3), order)
        return self._rotation(node, name, parts, rest)

    def _unchanged(
        self, node: str, kind: str, parts: dict[int, Any], default: np.ndarray, order: str = "xyz"
    ) -> Any:
        """Returns the track of a property whose values are those of the curves."""
        keys = self._joined(parts, default)
        keys = keys or self._bake(f"{node}/{kind}", parts, self._sampler(parts, default))
        return tracks.track(node, kind, keys, order)

    def _position(self, node: str, parts: dict[int, Any], rest: Rest) -> Any:
        """Returns the positions relative to the parent."""
        keys, curve = self._joined(parts, np.zeros(3)), self._sampler(parts, np.zeros(3))
        matrix = np.linalg.inv(rest.matrix)

        def sampler(times: np.ndarray) -> np.ndarray:
            return (curve(times) - rest.offset) @ matrix.T

        keys = keys and tracks.position_keys(keys, rest)
        return tracks.track(node, "Position", keys or self._bake(f"{node}/Position", parts, sampler))

    def _rotation(self, node: str, name: str, parts: dict[int, Any], rest: Rest) -> Any:
        """Returns quaternions relative to the parent: the keys of quaternions, else all frames."""
        default = np.array(RESTS[name])
        curve, back = self._sampler(parts, default), rotations.inverse(rest.turn)

        def sampler(times: np.ndarray) -> np.ndarray:
            return rotations.continuous(rotations.multiply(back, poses.quaternions(curve(times), rest.mode)))

        keys = self._joined(parts, default) if rest.mode == "QUATERNION" else None
        keys = keys and tracks.rotation_keys(keys, rest)
        return tracks.track(node, "Rotation", keys or self._bake(f"{node}/Rotation", parts, sampler))

    def _joined(self, parts: dict[int, Any], defaults: np.ndarray) -> Keys | None:
        """Returns the curves of components as keys of one track, or ``None`` if they cannot be one."""
        found = []
        for index in range(len(defaults)):
            curve = parts.get(index)
            keys = poses.keys_of(curve, self.source.start, self.rate) if curve is not None else None
            if curve is not None and keys is None:
                return None
            found.append(keys)
        return tracks.joined(found, defaults)

    def _sampler(self, parts: dict[int, Any], defaults: np.ndarray) -> Sampler:
        """Returns a function from times of the clip to the values of the curves."""

        def sampler(times: np.ndarray) -> np.ndarray:
            frames = np.asarray(times) * self.rate + self.source.start
            values = np.tile(defaults, (len(frames), 1)).astype(float)
            for index, curve in parts.items():
                values[:, index] = [curve.evaluate(frame) for frame in frames]
            return values

        return sampler

    def _bake(self, label: str, parts: dict[int, Any], sampler: Sampler) -> Keys:
        """Returns linear keys on all frames, on the keys between them, and at the end."""
        own, jumps = [], []
        for curve in parts.values():
            before = None
            for point in curve.keyframe_points:
                own.append(point.co[0])
                if before is not None and before.interpolation == "CONSTANT":
                    jumps.append(point.co[0] - JUMP)
                before = point
        own_times = tracks.seconds(np.array(own + jumps), self.source.start, self.rate)
        inside = own_times[(own_times >= -1e-9) & (own_times <= self.duration + 1e-9)]
        # A range may end between frames.
        ends = [self.duration] if (self.duration - self.times[-1]) * self.rate > 1e-3 else []
        times = np.unique(np.concatenate((self.times, inside, ends)).round(9))
        times = times[np.append(True, np.diff(times) > 1e-6)]
        self.result.baked.append(label)
        return tracks.baked(times, sampler)

    def _visual(self, item: Any, keyed: set, rests: dict) -> list[Any]:
        """Returns the poses of all frames as the scene shows them, with constraints."""
        scene = self.context.scene
        before = (scene.frame_current, scene.frame_subframe)
        shown = (item.animation_data.action, item.animation_data.action_slot)
        bones = [bone for bone in rests if self.options.all_bones or bone in keyed]
        matrices: dict[Any, list] = {bone: [] for bone in bones}
        try:
            item.animation_data.action = self.source.action
            item.animation_data.action_slot = self.source.slots[0][1]
            for frame in self.frames:
                scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
                for bone in bones:
                    matrices[bone].append(poses.shown(item, bone))
        finally:
            item.animation_data.action = shown[0]
            if shown[1] is not None:
                item.animation_data.action_slot = shown[1]
            scene.frame_set(before[0], subframe=before[1])
        found = []
        for bone, each in matrices.items():
            parts = [matrix.decompose() for matrix in each]
            node = bone if bone is not None else item.name
            values = {
                "Position": np.array([part[0] for part in parts]),
                "Rotation": rotations.continuous(np.array([rig.xyzw(part[1]) for part in parts])),
                "Scale": np.array([part[2] for part in parts]),
            }
            found += [
                tracks.track(node, kind, tracks.baked(self.times, lambda _, it=it: it))
                for kind, it in values.items()
            ]
        return found
