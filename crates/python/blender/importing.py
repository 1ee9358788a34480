"""Imports files: reads and plans everything first, and only then writes into Blender."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from . import names, rig, writing
from .curves import LINEAR, Packed
from .plan import Planner
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
        self.active, self.selected = (
            context.view_layer.objects.active,
            list(context.view_layer.objects.selected),
        )
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
        """The places of tracks that were found before."""

    def run(self) -> Iterator[float]:
        """Yields the part that is done. Closing it early takes everything back."""
        prepared = prepare(self.path, self.options, self.context)
        self.result = prepared.result
        scene = self.context.scene
        rate = scene.render.fps / scene.render.fps_base
        rates = [clip.frame_rate for clip in prepared.document.clips if clip.frame_rate]
        new_rate = rates[0] if self.options.set_rate and rates and 0.01 < rates[0] < 1e5 else None
        settings = Settings(new_rate or rate, self.options.start)
        for clip in prepared.document.clips:
            if not abs(clip.duration * settings.rate + settings.start) < LAST_FRAME:
                raise ValueError(
                    f"clip '{clip.name or ''}' is {clip.duration:.6g} s long; Blender has {LAST_FRAME} frames"
                )
        before = _SceneState(self.context)
        actions: list[Any] = []
        try:
            self._make_owners(prepared)
            clips = list(prepared.document.clips)
            for index, clip in enumerate(clips):
                actions.append(self._action(prepared, index, clip, settings))
                yield (index + 1) / len(clips)
            self._finish(prepared, actions, settings, new_rate)
        except BaseException:
            self.writer.remove_all()
            before.restore()
            raise

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

    def _action(self, prepared: Prepared, index: int, clip: Any, settings: Settings) -> Any:
        looping, options = prepared.looping[index], self.options
        name = names.action_name(
            clip.name, Path(self.path).stem, {action.name for action in bpy.data.actions}
        )
        planner = Planner(
            clip, self._finder(prepared), settings, looping and options.cyclic, prepared.result.notes
        )
        channels = self._channels(prepared, index, planner, settings)
        action = self.writer.action(name, channels, self.owners, looping and options.cyclic)
        end = settings.start + float(clip.duration) * settings.rate
        writing.set_range(action, settings.start, end, looping)
        markers = [(marker.time, marker.name) for marker in clip.markers]
        writing.add_markers(action, markers, settings.rate, settings.start)
        action.use_fake_user = True
        action["inbetween_clip"], action["inbetween_action"] = clip.name or "", action.name
        action["inbetween_duration"] = float(clip.duration)
        action["inbetween_rate"] = float(clip.frame_rate or 0.0)
        action["inbetween_blend"] = prepared.blends[index]
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

    def _finder(self, prepared: Prepared, of_bones: bool = True):
        """Returns a function that finds the place of a track."""

        known: dict[tuple[str, str], Target | None] = self.known.setdefault(of_bones, {})

        def find(node: str, kind: str) -> Target | None:
            if (node, kind) not in known:
                known[node, kind] = find_new(node, kind)
            return known[node, kind]

        def find_new(node: str, kind: str) -> Target | None:
            if kind.startswith("Weight:"):
                if of_bones and prepared.extra is not None:
                    return None
                if target := self._weight(prepared, node, kind[7:]):
                    return target
            elif not (of_bones or prepared.extra is None):
                return None
            if node not in prepared.targets or not kind:
                if kind:
                    prepared.result.notes.skipped.append(f"{node}/{kind}: nothing in the scene takes it")
                return None
            rest, bone = prepared.targets[node], prepared.bones.get(node, node)
            on_bones = prepared.armature is not None
            owner = "armature" if on_bones else f"object:{node}"
            prefix = names.bone_prefix(bone) if on_bones else ""
            if kind == "Position" and on_bones and prepared.armature.data.bones[bone].use_connect:
                note = f"{node}/{kind}: the bone is connected to its parent, so Blender ignores its position"
                prepared.result.notes.skipped.append(note)
            if kind not in TRANSFORMS:
                self._custom(prepared, node, bone, kind)
                prefix = prefix.removesuffix(".") + names.custom_path(kind)
            return Target(owner, prefix, bone if on_bones else "", rest)

        return find

    def _weight(self, prepared: Prepared, node: str, name: str) -> Target | None:
        """Finds the shape key of a weight: of the mesh named so, else of a mesh on the armature."""
        for item in _meshes(prepared, node):
            keys = item.data.shape_keys
            block = keys and next((key for key in keys.key_blocks if key.name.lower() == name.lower()), None)
            if block:
                self.owners[f"key:{keys.name}"] = keys
                return Target(f"key:{keys.name}", path_of_weight(block.name), "")
        return None

    def _custom(self, prepared: Prepared, node: str, bone: str, kind: str) -> None:
        """Makes the custom property of a track that Blender has no property for."""
        armature = prepared.armature
        item = armature.pose.bones[bone] if armature is not None else self.owners[f"object:{node}"]
        track = next(
            t for c in prepared.document.clips for t in c.tracks if t.node == node and t.property == kind
        )
        width = int(np.prod(np.shape(track.values)[1:]))
        if kind not in item:
            item[kind] = 0.0 if width == 1 else [0.0] * width
            self.writer.undo.append(lambda: item.pop(kind, None))

    def _finish(
        self, prepared: Prepared, actions: list[Any], settings: Settings, new_rate: float | None
    ) -> None:
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
        for key, item in self.owners.items():
            if (
                key.startswith("key:")
                and item.animation_data is None
                and not writing.is_assigned(first, item)
            ):
                continue
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
