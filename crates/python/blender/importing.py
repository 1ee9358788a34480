"""Imports files: reads and plans everything first, and only then writes into Blender."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from . import component, names, rig, writing
from .curves import LINEAR, Packed
from .plan import Planner, fits_curves
from .preparing import TRANSFORMS, Options, Prepared, Result, prepare
from .targets import Channels, Settings, Target, path_of_weight

LAST_FRAME = 1_048_574
"""The last frame that Blender plays."""


def import_file(path: str, options: Options, context: Any) -> Result:
    """Imports a file. If anything fails, the scene is as it was."""
    for _ in (steps := ImportJob(path, options, context)).run():
        pass
    return steps.result


class _SceneState:
    """What a failed import restores: the selection, and the rate and range of the scene."""

    def __init__(self, context: Any) -> None:
        self.context, render, scene = context, context.scene.render, context.scene
        objects = context.view_layer.objects
        self.active, self.selected = objects.active, list(objects.selected)
        animated = ((item, item.animation_data) for item in bpy.data.objects)
        self.actions = [(item, data.action, data.action_slot) for item, data in animated if data]
        self.rate, self.range = (render.fps, render.fps_base), (scene.frame_start, scene.frame_end)

    def restore(self) -> None:
        """Restores it."""
        scene = self.context.scene
        scene.render.fps, scene.render.fps_base = self.rate
        scene.frame_start, scene.frame_end = self.range
        self.context.view_layer.objects.active = self.active
        for item in self.selected:
            item.select_set(True)
        for item, action, slot in self.actions:
            if item.animation_data.action != action:
                item.animation_data.action = action
                if slot is not None:
                    item.animation_data.action_slot = slot


class ImportJob:
    """An import in small steps, so that the window can answer between them."""

    def __init__(self, path: str, options: Options, context: Any) -> None:
        self.path, self.options, self.context = path, options, context
        self.writer = writing.Writer()
        self.result = Result(path)
        self.owners: dict[str, Any] = {}
        self.known: dict[bool, dict] = {}
        """The places of tracks that were found before, by the argument of ``_finder``."""

    def run(self) -> Iterator[float]:
        """Yields the part that is done. Closing it early takes everything back."""
        prepared = prepare(self.path, self.options, self.context)
        self.result = prepared.result
        render = self.context.scene.render
        new_rate = self._new_rate(prepared)
        rate = new_rate or render.fps / render.fps_base
        settings = [self._settings(prepared, index, rate) for index in range(len(prepared.facts))]
        before = _SceneState(self.context)
        actions: list[Any] = []
        try:
            self._make_owners(prepared)
            for index, each in enumerate(settings):
                actions.append(self._action(prepared, index, each))
                yield (index + 1) / len(settings)
            self._finish(prepared, actions, new_rate)
        except BaseException:
            self.writer.remove_all()
            before.restore()
            raise

    def _new_rate(self, prepared: Prepared) -> float | None:
        """Returns the frame rate that the scene gets; ``None`` if it keeps its own."""
        rates = [clip.frame_rate for clip in prepared.document.clips if clip.frame_rate]
        if not rates and any(facts.frames for facts in prepared.facts):
            rates = [component.RATE]
        return rates[0] if self.options.set_rate and rates and 0.01 < rates[0] < 1e5 else None

    def _settings(self, prepared: Prepared, index: int, rate: float) -> Settings:
        """Returns where the keys of a clip go: on the frames of a component, else from the start frame on."""
        clip, frames = prepared.document.clips[index], prepared.facts[index].frames
        start = self.options.start
        settings = Settings(rate, start, start + float(clip.duration) * rate)
        if not max(abs(settings.start), abs(settings.end)) < LAST_FRAME:
            raise ValueError(
                f"clip '{clip.name or ''}' is {clip.duration:.6g} s long; Blender has {LAST_FRAME} frames"
            )
        if frames is None:
            return settings
        first, last = (start + frame * rate / component.RATE for frame in frames)
        last_key = first + settings.end - start
        fits = max(abs(first), abs(last), abs(last_key)) < LAST_FRAME
        return Settings(rate, first, last) if fits else settings

    def _make_owners(self, prepared: Prepared) -> None:
        """Makes the armature or the empties that the file needs."""
        data, stem = bpy.data, Path(self.path).stem
        if prepared.skeleton is not None:
            item = rig.new_armature(prepared.skeleton, stem, self.context)
            self.writer.made_in(data.armatures, item.data)
            self.writer.made_in(data.objects, item)
            prepared.armature = item
            self.result.target = item.name
        if prepared.armature is not None:
            self.owners["armature"] = prepared.armature
            return
        for node in prepared.targets:
            item = data.objects.get(prepared.bones.get(node, ""))
            if item is None:
                item = self.writer.made_in(data.objects, data.objects.new(node or stem, None))
                self.context.collection.objects.link(item)
                item.rotation_mode = prepared.targets[node].mode
            self.owners[f"object:{node}"] = item

    def _action(self, prepared: Prepared, index: int, settings: Settings) -> Any:
        """Makes the action of a clip."""
        clip, facts, options = prepared.document.clips[index], prepared.facts[index], self.options
        looping = facts.looping
        name = names.action_name(
            clip.name, Path(self.path).stem, {action.name for action in bpy.data.actions}
        )
        planner = Planner(
            clip, self._finder(prepared), settings, looping and options.cyclic, prepared.result.notes
        )
        channels = self._channels(prepared, index, planner, settings)
        action = self.writer.action(name, channels, self.owners, looping and options.cyclic)
        writing.set_range(action, settings.start, settings.end, looping)
        markers = [(marker.time, marker.name) for marker in clip.markers]
        writing.add_markers(action, markers, settings.rate, settings.start)
        action.use_fake_user = True
        action["inbetween_clip"], action["inbetween_action"] = clip.name or "", action.name
        action["inbetween_duration"] = float(clip.duration)
        action["inbetween_rate"] = float(clip.frame_rate or 0.0)
        action["inbetween_blend"] = facts.blend
        if prepared.unit:
            action["inbetween_unit"] = prepared.unit
        self.result.actions.append(action.name)
        return action

    def _channels(
        self, prepared: Prepared, index: int, planner: Planner, settings: Settings
    ) -> Iterator[Channels]:
        keyed = set()
        for channel in planner.channels():
            keyed.add(channel[:2])
            yield channel
        if prepared.extra is not None:
            extra = prepared.extra.clips[index]
            find = self._finder(prepared, of_bones=False)
            yield from Planner(extra, find, settings, planner.looping, planner.notes).channels()
        if self.options.unkeyed == "KEYS" and prepared.armature is not None:
            yield from _rest_keys(prepared.armature, keyed, settings.start)

    def _finder(self, prepared: Prepared, of_bones: bool = True) -> Callable[[str, str], Target | None]:
        """Returns a function that finds the place of a track, and notes once if there is none.

        If weights are in a document of their own, ``of_bones`` finds all others, and ``False`` only weights.
        """
        known: dict[tuple[str, str], Target | None] = self.known.setdefault(of_bones, {})

        def find(node: str, kind: str) -> Target | None:
            if (node, kind) not in known:
                is_here = prepared.extra is None or kind.startswith("Weight:") != of_bones
                known[node, kind] = self._find(prepared, node, kind) if kind and is_here else None
            return known[node, kind]

        return find

    def _find(self, prepared: Prepared, node: str, kind: str) -> Target | None:
        """Finds the place of a track: a shape key, or a property of a bone or object."""
        if kind.startswith("Weight:") and (target := self._weight(prepared, node, kind[7:])):
            return target
        notes = prepared.result.notes.skipped
        if node not in prepared.targets:
            notes.append(f"{node}/{kind}: nothing in the scene takes it")
            return None
        rest, bone = prepared.targets[node], prepared.bones.get(node, node)
        on_bones = prepared.armature is not None
        owner = "armature" if on_bones else f"object:{node}"
        prefix = names.bone_prefix(bone) if on_bones else ""
        if kind == "Position" and on_bones and prepared.armature.data.bones[bone].use_connect:
            notes.append(
                f"{node}/{kind}: the bone is connected to its parent, so Blender ignores its position"
            )
        if kind not in TRANSFORMS:
            if problem := self._custom(prepared, node, bone, kind):
                notes.append(f"{node}/{kind}: {problem}")
                return None
            prefix = prefix.removesuffix(".") + names.custom_path(kind)
        return Target(owner, prefix, bone if on_bones else "", rest)

    def _weight(self, prepared: Prepared, node: str, name: str) -> Target | None:
        """Finds the shape key of a weight: of the mesh named so, else of a mesh on the armature."""
        for item in _meshes(prepared, node):
            keys = item.data.shape_keys
            block = keys and next((key for key in keys.key_blocks if key.name.lower() == name.lower()), None)
            if block:
                self.owners[f"key:{keys.name}"] = keys
                return Target(f"key:{keys.name}", path_of_weight(block.name), "")
        return None

    def _custom(self, prepared: Prepared, node: str, bone: str, kind: str) -> str:
        """Makes the custom property of a track that Blender has no property for; returns why it cannot."""
        armature = prepared.armature
        item = armature.pose.bones[bone] if armature is not None else self.owners[f"object:{node}"]
        every = (track for clip in prepared.document.clips for track in clip.tracks)
        track = next(each for each in every if (each.node or "") == node and each.property == kind)
        if not names.is_custom(kind):
            return f"Blender has no custom properties with names of more than {names.LONGEST_CUSTOM} bytes"
        if not fits_curves(track):
            return f"Blender cannot animate {track.kind} values"
        width = int(np.prod(np.shape(track.values)[1:]))
        if kind not in item:
            item[kind] = 0.0 if width == 1 else [0.0] * width
            self.writer.undo.append(lambda: item.pop(kind, None))
        return ""

    def _finish(self, prepared: Prepared, actions: list[Any], new_rate: float | None) -> None:
        """Shows the first action, and sets the scene."""
        scene, options = self.context.scene, self.options
        if new_rate is not None:
            whole = max(1, round(new_rate))
            scene.render.fps, scene.render.fps_base = whole, whole / new_rate
        if options.replace:
            self._replace(actions)
        if not actions:
            return
        first = actions[0]
        for item in self.owners.values():
            if writing.is_assigned(first, item):
                writing.assign(item, first)
        if options.quaternions and prepared.armature is not None:
            for bone in prepared.targets:
                prepared.armature.pose.bones[bone].rotation_mode = "QUATERNION"
        if prepared.armature is not None and options.unkeyed == "REST":
            _clear_pose(prepared)
        if options.set_range:
            scene.frame_start = int(first.frame_start)
            scene.frame_end = max(scene.frame_start, round(first.frame_end + 0.499999))
        scene.frame_set(scene.frame_start)

    def _replace(self, actions: list[Any]) -> None:
        """Gives the new actions the names and the users of those that they replace."""
        for index, action in enumerate(actions):
            wanted = action["inbetween_clip"] or Path(self.path).stem
            old = bpy.data.actions.get(wanted)
            if old is not None and old not in actions:
                old.user_remap(action)
                bpy.data.actions.remove(old)
                action.name = wanted
                action["inbetween_action"] = action.name
                self.result.actions[index] = action.name


def _meshes(prepared: Prepared, node: str) -> list[Any]:
    """Returns the meshes that a weight of a node may mean, the likeliest first."""
    with_keys = [item for item in bpy.data.objects if item.type == "MESH" and item.data.shape_keys]
    named = [item for item in with_keys if item.name.lower() == names.last_part(node).lower()]
    armature = prepared.armature
    below = [
        item
        for item in with_keys
        if armature is not None
        and (
            item.parent == armature
            or any(getattr(each, "object", None) == armature for each in item.modifiers)
        )
    ]
    return named + below


def _clear_pose(prepared: Prepared) -> None:
    """Puts all bones at rest, so that bones without keys stand there."""
    for bone in prepared.armature.pose.bones:
        bone.location, bone.rotation_quaternion, bone.rotation_euler = (0, 0, 0), (1, 0, 0, 0), (0, 0, 0)
        bone.rotation_axis_angle = (0, 0, 1, 0)
        scale = prepared.skeleton[bone.name].scale if prepared.skeleton is not None else None
        bone.scale = scale or (1, 1, 1)


def _rest_keys(armature: Any, keyed: set[tuple[str, str]], start: float) -> Iterator[Channels]:
    """Yields a key of the rest pose for each bone and property without keys."""
    rests = {"location": (0, 0, 0), "rotation_quaternion": (1, 0, 0, 0), "scale": (1, 1, 1)}
    mode = np.array([LINEAR], np.uint8)
    for bone in armature.pose.bones:
        prefix = names.bone_prefix(bone.name)
        for path, rest in rests.items():
            name = path
            if path.startswith("rotation") and bone.rotation_mode != "QUATERNION":
                if bone.rotation_mode == "AXIS_ANGLE":
                    continue
                name = "rotation_euler"
            values = (0, 0, 0) if name == "rotation_euler" else rest
            if ("armature", prefix + name) in keyed:
                continue
            keys = [Packed(np.array((start, value), np.float32), mode, None, None) for value in values]
            yield Channels("armature", prefix + name, 0, bone.name, keys)
