"""Which actions are exported, with their slots."""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy


class Source(NamedTuple):
    """An action with the slots of the exported objects."""

    action: Any
    slots: list[tuple[Any, Any]]
    """Objects with their slots."""
    name: str | None
    """The name of the clip."""
    start: float
    end: float


def sources(items: list[Any], which: str) -> list[Source]:
    """Returns the actions that are exported."""
    if which == "NLA":
        animated = (item for item in items if item.animation_data)
        return [source for item in animated for source in _strips(item)]
    if which == "ALL":
        actions = list(bpy.data.actions)
    else:
        active = [data.action for item in items if (data := item.animation_data) and data.action]
        actions = list(dict.fromkeys(active))
    found, meshes = [], meshes_of(items)
    for action in actions:
        slots = [(item, slot) for item in items if (slot := _slot(action, item, len(items) == 1))]
        slots += [(item, slot) for item in meshes if (slot := _slot_of_keys(action, item))]
        if slots:
            start, end = map(float, action.frame_range)
            found.append(Source(action, slots, _name(action), start, end))
    return found


def _slot(action: Any, item: Any, alone: bool) -> Any:
    """Returns the slot of an object: the assigned one, else that of its name; ``alone``, else any."""
    data = item.animation_data
    if data is not None and data.action == action and data.action_slot is not None:
        return data.action_slot
    fitting = [slot for slot in action.slots if slot.target_id_type in (item.id_type, "UNSPECIFIED")]
    named = [slot for slot in fitting if slot.name_display == item.name]
    return (named or (fitting if alone and len(fitting) == 1 else [None]))[0]


def _strips(item: Any) -> list[Source]:
    strips = [strip for track in item.animation_data.nla_tracks if not track.mute for strip in track.strips]
    return [
        Source(
            strip.action,
            [(item, strip.action_slot)],
            strip.name,
            strip.action_frame_start,
            strip.action_frame_end,
        )
        for strip in strips
        if strip.action is not None and strip.action_slot is not None and not strip.mute
    ]


def meshes_of(items: list[Any]) -> list[Any]:
    """Returns the meshes with shape keys among objects, below them, or on an armature among them."""
    with_keys = (item for item in bpy.data.objects if item.type == "MESH" and item.data.shape_keys)
    return [
        item
        for item in with_keys
        if item in items
        or item.parent in items
        or any(getattr(each, "object", None) in items for each in item.modifiers if each.type == "ARMATURE")
    ]


def _slot_of_keys(action: Any, item: Any) -> Any:
    keys = item.data.shape_keys
    data = keys.animation_data
    if data is not None and data.action == action and data.action_slot is not None:
        return data.action_slot
    named = (each for each in action.slots if each.target_id_type == "KEY" and each.name_display == keys.name)
    return next(named, None)


def _name(action: Any) -> str | None:
    """Returns the name of the clip: that of the file, unless the action was renamed since the import."""
    if action.get("inbetween_action") == action.name:
        return action.get("inbetween_clip") or None
    return action.name
