"""Reads files and puts them into the coordinates of what they are put on. Changes nothing in Blender."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import bpy
import numpy as np

import inbetween

from . import component, formats, names, rig
from .rotations import blender_mode
from .targets import Notes, Rest

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


class ClipFacts(NamedTuple):
    """What the file says of a clip, which the prepared document no longer has."""

    looping: bool
    blend: str
    """The blend mode of the clip."""
    frames: component.Range | None
    """The frames in the component XML of X4."""


@dataclass
class Prepared:
    """A file in the coordinates of what it is put on, with the place of each track."""

    document: Any
    result: Result
    targets: dict[str, Rest]
    """How values become those of the bone or object, by the node of the file."""
    bones: dict[str, str] = field(default_factory=dict)
    """The names of the objects of nodes that are called otherwise or exist; bones have the names of nodes."""
    armature: bpy.types.Object | None = None
    skeleton: Any = None
    """The bones of a new armature."""
    unit: float | None = None
    """The length of a unit of the bones in meters, for the way back."""
    extra: Any = None
    """The document whose weights are put on meshes, since those that bones lack are not in ``document``."""
    facts: list[ClipFacts] = field(default_factory=list)
    """What the file says of each clip."""


def prepare(path: str, options: Options, context: Any) -> Prepared:
    """Reads a file and puts it into the coordinates of its target; changes nothing in Blender."""
    document = inbetween.read(path)
    ranges, findings = component.ranges_beside(path, document)
    facts = [
        ClipFacts(clip.looping, clip.blend, frames)
        for clip, frames in zip(document.clips, ranges, strict=True)
    ]
    prepared = _placed(_edited(document, options), Result(path), options, context)
    prepared.facts = facts
    prepared.result.findings += findings
    return prepared


def _edited(document: Any, options: Options) -> Any:
    """Applies the rename map, and ends loops: their wrap would sample the first key at the end."""
    nodes = {track.node or "" for clip in document.clips for track in clip.tracks}
    renames = {old: new for old, new in options.renames.items() if old in nodes}
    if renames:
        document = document.rename(renames)
    return document.set_looping(False) if any(clip.looping for clip in document.clips) else document


def _placed(document: Any, result: Result, options: Options, context: Any) -> Prepared:
    """Puts a document onto the active armature, a new one, or objects."""
    active = context.view_layer.objects.active
    if options.onto == "AUTO" and active is not None and active.type == "ARMATURE":
        return _onto(document, active, options, context, result)
    if options.onto != "OBJECTS" and document.skeleton is not None and len(document.skeleton):
        return _new(document, options, context, result)
    return _objects(document, options, context, result)


def _nodes(document: Any, transforms: bool = True) -> list[str]:
    tracks = (track for clip in document.clips for track in clip.tracks)
    return list(dict.fromkeys(t.node or "" for t in tracks if not transforms or t.property in TRANSFORMS))


def _onto(document: Any, armature: Any, options: Options, context: Any, result: Result) -> Prepared:
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
    unit = _unit_of_rig(source, document, targets)
    return Prepared(document, result, targets, armature=armature, unit=unit, extra=extra)


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


def _new(document: Any, options: Options, context: Any, result: Result) -> Prepared:
    """Puts a file on a new armature of its own bones."""
    document = rig.with_pose(document)
    if any(clip.blend != "absolute" or _is_relative(clip) for clip in document.clips):
        document = document.resolve()
    coordinates = rig.scene_coordinates(context.scene)
    document = document.map_coordinates(coordinates, axes=options.axes, unit=options.unit)
    targets = rig.rests_of_skeleton(document.skeleton)
    matched = names.match(_nodes(document), targets)
    result.found, result.missing, result.unused = len(matched.found), matched.missing, len(matched.unused)
    result.findings = list(document.findings)
    unit = document.coordinates.unit if document.coordinates is not None else None
    return Prepared(document, result, targets, skeleton=document.skeleton, unit=unit)


def _is_relative(clip: Any) -> bool:
    return any(track.blend != "absolute" for track in clip.tracks)


def _objects(document: Any, options: Options, context: Any, result: Result) -> Prepared:
    """Puts a file on objects by their names, and on new empties."""
    if any(_is_relative(clip) for clip in document.clips):
        raise ValueError(
            "the clip is relative to a rest pose that is not in the file; select the armature of its model"
        )
    coordinates = document.coordinates
    axes = options.axes
    if axes == "auto":
        axes = formats.TO_BLENDER.get((coordinates.handedness, coordinates.up)) if coordinates else None
    if axes not in (None, "keep"):
        document = document.change_axes(axes)
    unit = coordinates.unit if options.unit is None and coordinates else formats.UNITS.get(options.unit)
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
    return Prepared(document, result, targets, bones=matched.found)


def _mode_of(document: Any, node: str) -> str:
    """Returns the rotation mode of a new empty: that in which the file has its keys."""
    for clip in document.clips:
        for track in clip.tracks:
            if (track.node or "") == node and track.euler_order:
                return blender_mode(track.euler_order)[0]
    return "QUATERNION"
