"""Writes planned actions into Blender: layers, slots and channelbags, in one way for 4.5 and 5.x."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import bpy
import numpy as np

from .targets import Channels

MARKER_TIMES = "inbetween_markers"
"""The custom property of an action with the exact times of its markers, which are on whole frames."""


NAMES_GROUPS = "group_name" in bpy.types.ActionChannelbagFCurves.bl_rna.functions["new"].parameters
"""Whether new F-curves take the name of their group, which costs less; Blender 4.5 does not."""


class Writer:
    """Makes actions, and removes what it made if anything fails."""

    def __init__(self) -> None:
        self.made: list[tuple[Any, Any]] = []
        """The collections of ``bpy.data`` and the data-blocks that were made."""
        self.undo: list[Callable[[], Any]] = []
        """What takes back other changes."""

    def made_in(self, collection: Any, item: Any) -> Any:
        """Remembers a data-block that is removed on failure."""
        self.made.append((collection, item))
        return item

    def remove_all(self) -> None:
        """Removes everything that was made, the last first."""
        while self.undo:
            self.undo.pop()()
        while self.made:
            collection, item = self.made.pop()
            collection.remove(item)

    def action(self, name: str, channels: Iterable[Channels], owners: dict[str, Any], cyclic: bool) -> Any:
        """Makes an action with a slot for each owner; ``owners`` are data-blocks by their names."""
        action = self.made_in(bpy.data.actions, bpy.data.actions.new(name))
        strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
        bags: dict[str, Any] = {}
        groups: dict[tuple[str, str], Any] = {}
        for owner, path, first, group, packed in channels:
            bag = bags.get(owner)
            if bag is None:
                item = owners[owner]
                slot = action.slots.new(id_type=item.id_type, name=item.name)
                bag = bags[owner] = strip.channelbag(slot, ensure=True)
            options, in_group = {}, None
            if group and NAMES_GROUPS:
                options["group_name"] = group
            elif group:
                in_group = groups.get((owner, group))
                if in_group is None:
                    in_group = groups[owner, group] = bag.groups.new(group)
            new = bag.fcurves.new
            for index, (points, modes, left, right) in enumerate(packed, first):
                curve = new(path, index=index, **options)
                if in_group is not None:
                    curve.group = in_group
                keys, count = curve.keyframe_points, len(modes)
                keys.add(count)
                keys.foreach_set("co", points)
                keys.foreach_set("interpolation", modes)
                if left is not None and right is not None:
                    _set_handles(keys, left, right)
                curve.update()
                if cyclic and count > 1:
                    curve.modifiers.new("CYCLES")
        return action


def _set_handles(keys: Any, left: np.ndarray, right: np.ndarray) -> None:
    free = np.zeros(len(left) // 2, np.uint8)
    keys.foreach_set("handle_left_type", free)
    keys.foreach_set("handle_right_type", free)
    keys.foreach_set("handle_left", left)
    keys.foreach_set("handle_right", right)


def set_range(action: Any, start: float, end: float, cyclic: bool) -> None:
    """Sets the frames that an action plays, and whether it repeats."""
    action.use_frame_range = True
    action.frame_start, action.frame_end = start, max(end, start)
    action.use_cyclic = cyclic


def add_markers(action: Any, markers: Iterable[tuple[float, str]], rate: float, start: float) -> None:
    """Adds pose markers on the nearest frames, and keeps their exact times beside."""
    kept = [(time, name) for time, name in markers if np.isfinite(time)]
    for time, name in kept:
        marker = action.pose_markers.new(name)
        marker.frame = int(max(-1_000_000, min(1_000_000, round(time * rate + start))))
    if kept:
        action[MARKER_TIMES] = json.dumps(
            [[time, marker.name] for (time, _), marker in zip(kept, action.pose_markers, strict=False)]
        )


def marker_time(action: Any, marker: Any, rate: float, start: float) -> float:
    """Returns the time of a marker: the exact one, unless it was moved since the import."""
    try:
        stated = json.loads(action.get(MARKER_TIMES, "[]"))
        exact = [
            time
            for time, name in stated
            if name == marker.name and round(time * rate + start) == marker.frame
        ]
    except (TypeError, ValueError):
        exact = []
    return exact[0] if exact else (marker.frame - start) / rate


def assign(item: Any, action: Any) -> None:
    """Makes an action the active one of a data-block; the one before keeps a user."""
    data = item.animation_data or item.animation_data_create()
    if data.action is not None and data.action is not action:
        data.action.use_fake_user = True
    data.action = action
    slots = [
        slot
        for slot in action.slots
        if slot.target_id_type == item.id_type and slot.name_display == item.name
    ]
    if slots:
        data.action_slot = slots[0]


def is_assigned(action: Any, item: Any) -> bool:
    """Whether an action has a slot for a data-block."""
    return any(
        slot.target_id_type == item.id_type and slot.name_display == item.name for slot in action.slots
    )
