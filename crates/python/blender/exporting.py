"""Exports actions: reads their F-curves as tracks, or the pose of every frame, and writes files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np

import inbetween

from . import names, poses, rig, rotations, tracks, writing
from .curves import Keys
from .sources import Source, sources
from .targets import Rest

COORDINATES = {
    "seanim": ("right", "z"),
    "cast": ("right", "z"),
    "gltf": ("right", "y"),
    "bvh": ("right", "y"),
}
"""The axes of formats; those of all others are left-handed, with y up."""


JUMP = 0.001
"""How many frames before a jump the old value has its last key, where keys are baked."""

COMPONENT_FORMATS = ("x4-ani",)
"""The formats whose vectors may have other keys on each axis."""


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
    """``IMPORTED``, or a blend mode of the library."""
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
    many = next(each.has_many_clips for each in inbetween.formats() if each.id == options.format)
    if many:
        joined = documents[0]
        for document in documents[1:]:
            joined = joined.append(document)
        documents = [joined]
    written = [(path, documents[0])]
    if len(documents) > 1:
        base = Path(path)
        stems = [base.stem + "_" + bpy.path.clean_name(source.name or source.action.name) for source in found]
        written = [
            (str(base.with_name(stem + base.suffix)), each)
            for stem, each in zip(stems, documents, strict=True)
        ]
    # Everything is made before the first file is written.
    made = [(place, each.write(options.format, axes=options.axes)) for place, each in written]
    for place, converted in made:
        converted.save(place)
        result.files.append(place)
        result.findings += converted.findings
    return result


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

    def document(self) -> Any:
        """Returns the action as a document of one clip, in the axes of Blender or of its target."""
        source, action = self.source, self.source.action
        item = source.slots[0][0]
        self.result.clips.append(source.name or action.name)
        found = [track for each, slot in source.slots for track in self._tracks(each, slot)]
        duration = (source.end - source.start) / self.rate
        stated = action.get("inbetween_duration")
        if stated is not None and abs(stated - duration) * self.rate < 1e-3:
            duration = stated
        clip = inbetween.Clip(
            found,
            name=source.name,
            duration=duration,
            frame_rate=self._stated_rate(),
            looping=bool(action.use_cyclic and action.use_frame_range),
            markers=self._markers(),
        )
        coordinates = rig.scene_coordinates(self.context.scene)
        skeleton = None
        if self.is_rig:
            coordinates, skeleton = rig.coordinates_of(item, self.context.scene), rig.skeleton_of(item)
        unit = self.options.unit or action.get("inbetween_unit") or coordinates.unit
        coordinates = inbetween.Coordinates(coordinates.handedness, coordinates.up, unit)
        if not self.is_rig:
            return self._in_axes_of_format(clip, unit)
        document = inbetween.Document([clip], skeleton=skeleton, coordinates=coordinates)
        if self.options.all_bones:
            document = document.fill()
        blend = self.options.blend
        blend = action.get("inbetween_blend", "absolute") if blend == "IMPORTED" else blend.lower()
        document = document if blend == "absolute" else document.relate(blend)
        if self.options.format == "gltf" and self.options.axes == "auto":
            # As Blender's own exporter: the top bones are turned, instead of a node above them.
            document = document.map_coordinates(inbetween.Coordinates("right", "y", 1.0))
        return document

    def _stated_rate(self) -> float | None:
        """Returns the frame rate of the clip: none for keys from a file without one."""
        if not self.options.bake and self.source.action.get("inbetween_rate") == 0.0:
            return None
        return self.options.rate or self.rate

    def _in_axes_of_format(self, clip: Any, unit: float) -> Any:
        """Changes the axes of every object, since objects without bones have no top bones to turn."""
        target = COORDINATES.get(self.options.format, ("left", "y"))
        document = inbetween.Document([clip], coordinates=inbetween.Coordinates(*target, unit))
        axes = tracks.INVERSE_LOCAL.get(target)
        return document.change_axes(axes) if axes and self.options.axes == "auto" else document

    def _markers(self) -> list[Any]:
        action, start = self.source.action, self.source.start
        markers = [
            inbetween.Marker(writing.marker_time(action, each, self.rate, start), each.name)
            for each in action.pose_markers
        ]
        return sorted(markers, key=lambda each: each.time)

    def _tracks(self, item: Any, slot: Any) -> list[Any]:
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
        found = []
        for (_, path), parts in groups.items():
            if name := names.weight_of(path):
                default = np.zeros(1)
                keys = self._joined(parts, default)
                keys = keys or self._bake(f"{item.name}/{name}", parts, self._sampler(parts, default))
                found.append(tracks.track(item.name, f"Weight:{name}", keys))
        return found

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

    def _custom(self, node: str, name: str, parts: dict[int, Any]) -> Any:
        """Returns the track of a custom property."""
        default = np.zeros(max(parts) + 1)
        keys = self._joined(parts, default)
        keys = keys or self._bake(f"{node}/{name}", parts, self._sampler(parts, default))
        return tracks.track(node, name, keys)

    def _track(self, node: str, name: str, parts: dict[int, Any], rest: Rest) -> Any:
        if custom := names.custom_of(name):
            return self._custom(node, custom, parts)
        if name == "location":
            return self._vector(node, "Position", parts, rest, np.zeros(3))
        if name == "scale":
            return self._vector(node, "Scale", parts, rest, np.ones(3))
        modes = {
            "rotation_quaternion": "QUATERNION",
            "rotation_axis_angle": "AXIS_ANGLE",
            "rotation_euler": rest.mode,
        }
        if name not in modes or modes[name] != rest.mode:
            self.result.skipped.append(f"{node}: {name}")
            return None
        if name == "rotation_euler" and rest.is_plain and not self.is_rig:
            keys = self._joined(parts, np.zeros(3))
            sampler = self._sampler(parts, np.zeros(3))
            keys = keys or self._bake(f"{node}/RotationEuler", parts, sampler)
            return tracks.track(node, "RotationEuler", keys, rest.mode[::-1].lower())
        default = np.array((1.0, 0.0, 0.0, 0.0)) if name == "rotation_quaternion" else np.zeros(3)
        default = np.array((0.0, 0.0, 1.0, 0.0)) if name == "rotation_axis_angle" else default
        curve = self._sampler(parts, default)

        def sampler(times: np.ndarray) -> np.ndarray:
            return rotations.continuous(
                rotations.multiply(rotations.inverse(rest.turn), poses.quaternions(curve(times), rest.mode))
            )

        keys = self._joined(parts, default) if name == "rotation_quaternion" else None
        keys = keys and tracks.rotation_keys(keys, rest)
        return tracks.track(node, "Rotation", keys or self._bake(f"{node}/Rotation", parts, sampler))

    def _vector(self, node: str, kind: str, parts: dict[int, Any], rest: Rest, default: np.ndarray) -> Any:
        keys, curve = self._joined(parts, default), self._sampler(parts, default)
        if kind == "Scale":
            return tracks.track(node, kind, keys or self._bake(f"{node}/{kind}", parts, curve))
        matrix = np.linalg.inv(rest.matrix)

        def sampler(times: np.ndarray) -> np.ndarray:
            return (curve(times) - rest.offset) @ matrix.T

        keys = keys and tracks.position_keys(keys, rest)
        return tracks.track(node, kind, keys or self._bake(f"{node}/{kind}", parts, sampler))

    def _joined(self, parts: dict[int, Any], defaults: np.ndarray) -> Keys | None:
        found = []
        for index in range(len(defaults)):
            curve = parts.get(index)
            keys = poses.keys_of(curve, self.source.start, self.rate) if curve is not None else None
            if curve is not None and keys is None:
                return None
            found.append(keys)
        return tracks.joined(found, defaults)

    def _sampler(self, parts: dict[int, Any], defaults: np.ndarray):
        def sampler(times: np.ndarray) -> np.ndarray:
            frames = np.asarray(times) * self.rate + self.source.start
            values = np.tile(defaults, (len(frames), 1)).astype(float)
            for index, curve in parts.items():
                values[:, index] = [curve.evaluate(frame) for frame in frames]
            return values

        return sampler

    def _bake(self, label: str, parts: dict[int, Any], sampler: Any) -> Keys:
        """Returns linear keys on all frames, and on the keys between them."""
        own, jumps = [], []
        for curve in parts.values():
            before = None
            for point in curve.keyframe_points:
                own.append(point.co[0])
                if before is not None and before.interpolation == "CONSTANT":
                    jumps.append(point.co[0] - JUMP)
                before = point
        own_times = tracks.seconds(np.array(own + jumps), self.source.start, self.rate)
        inside = own_times[(own_times >= -1e-9) & (own_times <= self.times[-1] + 1e-9)]
        times = np.unique(np.concatenate((self.times, inside)).round(9))
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
