"""Reads files and puts them into the coordinates of what they are put on. Changes nothing in Blender."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np

import inbetween

from . import names, rig
from .rotations import blender_mode
from .targets import Notes, Rest

EVERY_LOCAL = {("left", "y"): "-x,-z,y", ("right", "y"): "x,-z,y", ("left", "z"): "-x,y,z"}
"""The axes of Blender for objects without bones, by the handedness and the up axis of the file."""

UNITS = {"m": 1.0, "cm": 0.01, "in": 0.0254}
"""The lengths of units in meters."""

TRANSFORMS = ("Position", "Rotation", "RotationEuler", "Scale")


@dataclass
class Options:
    """The choices of the import dialog."""

    onto: str = "AUTO"
    """``AUTO``, ``NEW`` for a new armature, or ``OBJECTS``."""
    axes: str = "auto"
    unit: str | None = None
    """``keep``, ``m``, ``cm`` or ``in``; ``None`` is found."""
    set_rate: bool = True
    set_range: bool = True
    start: float = 0.0
    quaternions: bool = False
    replace: bool = False
    unkeyed: str = "REST"
    """``REST`` clears the pose before, ``KEYS`` writes keys of the rest pose, ``KEEP`` changes nothing."""
    cyclic: bool = True
    renames: dict[str, str] = field(default_factory=dict)


@dataclass
class Result:
    """What an import made and found."""

    path: str
    actions: list[str] = field(default_factory=list)
    target: str = ""
    found: int = 0
    missing: list[str] = field(default_factory=list)
    unused: int = 0
    findings: list[Any] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)


@dataclass
class Prepared:
    """A file in the coordinates of what it is put on, with the place of each track."""

    document: Any
    looping: list[bool]
    targets: dict[str, Rest]
    """The bones or objects by their nodes."""
    bones: dict[str, str]
    """The bones or objects of the nodes."""
    armature: bpy.types.Object | None
    skeleton: Any
    """The bones of a new armature."""
    blends: list[str]
    """The blend modes of the clips in the file."""
    unit: float | None
    """The length of a unit of the bones in meters, for the way back."""
    extra: Any
    """The document whose weights and custom tracks are put on other data-blocks."""
    result: Result


def prepare(path: str, options: Options, context: Any) -> Prepared:
    """Reads a file and puts it into the coordinates of its target; changes nothing in Blender."""
    document = inbetween.read(path)
    result = Result(path)
    looping = [clip.looping for clip in document.clips]
    nodes = {track.node or "" for clip in document.clips for track in clip.tracks}
    renames = {old: new for old, new in options.renames.items() if old in nodes}
    if renames:
        document = document.rename(renames)
    if any(looping):
        document = document.set_looping(False)
    active = context.view_layer.objects.active
    armature = active if options.onto == "AUTO" and active is not None and active.type == "ARMATURE" else None
    if armature is not None:
        return _onto(document, looping, armature, options, context, result)
    if options.onto != "OBJECTS" and document.skeleton is not None and len(document.skeleton):
        return _new(document, looping, options, context, result)
    return _objects(document, looping, options, context, result)


def _nodes(document: Any, transforms: bool = True) -> list[str]:
    tracks = (track for clip in document.clips for track in clip.tracks)
    return list(dict.fromkeys(t.node or "" for t in tracks if not transforms or t.property in TRANSFORMS))


def _onto(document, looping, armature, options, context, result) -> Prepared:
    """Puts a file on an armature: its rest pose decides axes and unit."""
    skeleton = rig.skeleton_of(armature)
    model = inbetween.Document([], skeleton=skeleton, coordinates=rig.coordinates_of(armature, context.scene))
    matched = names.match(_nodes(document), [bone.name for bone in armature.data.bones])
    has_weights = any("/Weight:" in label for clip in document.clips for label in list(clip.tracks.keys()))
    extra = document if has_weights else None
    source, document = document, document.put_on(model, axes=options.axes, unit=options.unit)
    result.found, result.missing, result.unused = len(matched.found), matched.missing, len(matched.unused)
    result.findings, result.target = list(document.findings), armature.name
    targets = rig.rests_of(armature, options.quaternions)
    blends, unit = [clip.blend for clip in source.clips], _unit_of_rig(source, document, targets)
    return Prepared(document, looping, targets, {}, armature, None, blends, unit, extra, result)


def _unit_of_rig(source: Any, placed: Any, targets: dict[str, Rest]) -> float | None:
    """Returns the length of a unit of the rig in meters, from the lengths before and after."""
    if source.coordinates is None or source.coordinates.unit is None:
        return None
    ratios = []
    for before, after in zip(source.clips, placed.clips, strict=True):
        own = {
            track.node.lower(): track
            for track in before.tracks
            if track.property == "Position" and len(track)
        }
        for track in after.tracks:
            old = own.get((track.node or "").lower()) if track.property == "Position" and len(track) else None
            if old is None or old.values.shape[1:] != (3,) or old.component or len(ratios) > 99:
                continue
            rest = targets[track.node].position if old.blend != "absolute" else np.zeros(3)
            lengths = [float(np.linalg.norm(each)) for each in (old.values[0], track.values[0] - rest)]
            if len(old) == len(track) and min(lengths) > 1e-4 * max(1.0, float(np.linalg.norm(rest))):
                ratios.append(lengths[1] / lengths[0])
    return float(source.coordinates.unit / np.median(ratios)) if ratios else None


def _new(document, looping, options, context, result) -> Prepared:
    """Puts a file on a new armature of its own bones."""
    document, blends = rig.with_pose(document), [clip.blend for clip in document.clips]
    if any(clip.blend != "absolute" or _is_relative(clip) for clip in document.clips):
        document = document.resolve()
    unit = options.unit
    document = document.map_coordinates(rig.scene_coordinates(context.scene), axes=options.axes, unit=unit)
    targets = rig.rests_of_skeleton(document.skeleton)
    matched = names.match(_nodes(document), targets)
    result.found, result.missing, result.unused = len(matched.found), matched.missing, len(matched.unused)
    result.findings = list(document.findings)
    unit = document.coordinates.unit if document.coordinates is not None else None
    return Prepared(document, looping, targets, {}, None, document.skeleton, blends, unit, None, result)


def _is_relative(clip: Any) -> bool:
    return any(track.blend != "absolute" for track in clip.tracks)


def _objects(document, looping, options, context, result) -> Prepared:
    """Puts a file on objects by their names, and on new empties."""
    coordinates = document.coordinates
    axes = options.axes
    if axes == "auto":
        axes = EVERY_LOCAL.get((coordinates.handedness, coordinates.up)) if coordinates else None
    if axes not in (None, "keep"):
        document = document.change_axes(axes)
    unit = coordinates.unit if options.unit is None and coordinates else UNITS.get(options.unit)
    factor = (unit or 1.0) / context.scene.unit_settings.scale_length
    if options.unit != "keep" and abs(factor - 1.0) > 1e-9:
        document = document.scale(factor)
    known = [item.name for item in (context.view_layer.objects.selected or context.scene.objects)]
    nodes = _nodes(document, transforms=False)
    matched = names.match(nodes, known)
    targets = {}
    for node in nodes:
        item = bpy.data.objects.get(matched.found.get(node, ""))
        rest = rig.rest_of_object(item, options.quaternions)
        targets[node] = rest if item is not None else rest._replace(mode=_mode_of(document, node))
    result.found, result.missing = len(matched.found), matched.missing
    result.findings = list(document.findings)
    if any(_is_relative(clip) for clip in document.clips):
        raise ValueError(
            "the clip is relative to a rest pose that is not in the file; select the armature of its model"
        )
    blends = ["absolute"] * len(looping)
    return Prepared(document, looping, targets, matched.found, None, None, blends, None, None, result)


def _mode_of(document: Any, node: str) -> str:
    """Returns the rotation mode of a new empty: that in which the file has its keys."""
    for clip in document.clips:
        for track in clip.tracks:
            if (track.node or "") == node and track.euler_order:
                return blender_mode(track.euler_order)[0]
    return "QUATERNION"
