"""Armatures of Blender as skeletons of the library, and new armatures from skeletons."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

import inbetween

from .targets import Rest, rest_of


def local_rest(bone: Any) -> Matrix:
    """Returns the matrix of a bone at rest, relative to its parent."""
    return (
        bone.parent.matrix_local.inverted() @ bone.matrix_local if bone.parent else bone.matrix_local.copy()
    )


def xyzw(rotation: Quaternion) -> np.ndarray:
    """Returns a quaternion in the order of the library."""
    return np.array((rotation.x, rotation.y, rotation.z, rotation.w), float)


def skeleton_of(armature: bpy.types.Object) -> inbetween.Skeleton:
    """Returns the bones of an armature with their rest pose."""
    bones = []
    for bone in armature.data.bones:
        position, rotation, _ = local_rest(bone).decompose()
        parent = bone.parent.name if bone.parent else None
        rotation = tuple(map(float, xyzw(rotation)))
        bones.append(inbetween.Bone(bone.name, parent, tuple(position), rotation, (1.0, 1.0, 1.0)))
    return inbetween.Skeleton(bones)


def coordinates_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> inbetween.Coordinates:
    """Returns what the axes and lengths of the bones mean, below the transform of their object."""
    _, rotation, scale = armature.matrix_world.decompose()
    up = rotation.inverted() @ Vector((0.0, 0.0, 1.0))
    unit = scene.unit_settings.scale_length * max(1e-9, sum(map(abs, scale)) / 3)
    return inbetween.Coordinates("right", "y" if abs(up.y) > abs(up.z) else "z", unit)


def scene_coordinates(scene: bpy.types.Scene) -> inbetween.Coordinates:
    """Returns what the axes and lengths of Blender mean."""
    return inbetween.Coordinates("right", "z", scene.unit_settings.scale_length)


def rests_of(armature: bpy.types.Object, quaternions: bool) -> dict[str, Rest]:
    """Returns how values become those of the pose bones; ``quaternions`` ignores their rotation modes."""
    rests = {}
    for bone in armature.data.bones:
        position, rotation, _ = local_rest(bone).decompose()
        mode = "QUATERNION" if quaternions else armature.pose.bones[bone.name].rotation_mode
        rests[bone.name] = rest_of(np.array(position), xyzw(rotation), mode)
    return rests


def rest_of_object(item: bpy.types.Object | None, quaternions: bool) -> Rest:
    """Returns how values become those of an object; its parent may stand elsewhere at rest."""
    if item is None:
        return Rest()
    mode = "QUATERNION" if quaternions else item.rotation_mode
    if item.parent is None:
        return Rest(mode=mode)
    before = item.matrix_parent_inverse
    position, rotation, _ = before.decompose()
    rest = rest_of(np.array(position), xyzw(rotation), mode)
    matrix = np.linalg.inv(np.array(before.to_3x3(), float))
    return rest._replace(matrix=matrix, offset=-(matrix @ np.array(position)))


def rests_of_skeleton(skeleton: inbetween.Skeleton) -> dict[str, Rest]:
    """Returns how values become those of the bones of a new armature."""
    return {
        bone.name: rest_of(
            np.array(bone.translation or (0, 0, 0)), np.array(bone.rotation or (0, 0, 0, 1)), "QUATERNION"
        )
        for bone in skeleton.bones
        if not bone.is_above
    }


def with_pose(document: inbetween.Document) -> inbetween.Document:
    """Returns the document with a whole rest pose: parts that the file lacks are those of the first frame."""
    skeleton = document.skeleton
    if skeleton is None or all(bone.translation and bone.rotation for bone in skeleton.bones):
        return document
    first: dict[str, inbetween.Bone] = {}
    for clip in document.clips:
        for bone in inbetween.Skeleton.first_frame(clip).bones:
            first.setdefault(bone.name, bone)
    bones = []
    for bone in skeleton.bones:
        pose = first.get(bone.name)
        bones.append(
            inbetween.Bone(
                bone.name,
                bone.parent,
                bone.translation or (pose and pose.translation) or (0.0, 0.0, 0.0),
                bone.rotation or (pose and pose.rotation) or (0.0, 0.0, 0.0, 1.0),
                bone.scale,
                bone.is_above,
            )
        )
    return document.give_skeleton(inbetween.Skeleton(bones))


def new_armature(skeleton: inbetween.Skeleton, name: str, context: bpy.types.Context) -> bpy.types.Object:
    """Makes an armature of a skeleton in the axes of Blender, selected and active."""
    bones = {bone.name: bone for bone in skeleton.bones}
    data = bpy.data.armatures.new(name)
    item = bpy.data.objects.new(name, data)
    try:
        context.collection.objects.link(item)
        if (
            context.view_layer.objects.active is not None
            and context.view_layer.objects.active.mode != "OBJECT"
        ):
            bpy.ops.object.mode_set(mode="OBJECT")
        for other in context.view_layer.objects.selected:
            other.select_set(False)
        context.view_layer.objects.active = item
        item.select_set(True)
        _fill(item, bones)
        item.matrix_world = _above(bones)
        for bone in bones.values():
            if not bone.is_above and bone.scale:
                item.pose.bones[bone.name].scale = bone.scale
    except BaseException:
        if item.mode == "EDIT":
            bpy.ops.object.mode_set(mode="OBJECT")
        bpy.data.objects.remove(item)
        bpy.data.armatures.remove(data)
        raise
    return item


def _fill(item: bpy.types.Object, bones: dict[str, inbetween.Bone]) -> None:
    """Makes the bones of an armature in edit mode."""
    matrices: dict[str, Matrix] = {}
    order = _parents_first(bones)
    for bone in order:
        local = Matrix.LocRotScale(Vector(bone.translation or (0, 0, 0)), _rotation(bone), None)
        parent = matrices.get(bone.parent or "")
        matrices[bone.name] = parent @ local if parent is not None else local
    lengths = _lengths(order, matrices)
    bpy.ops.object.mode_set(mode="EDIT")
    edit_bones = item.data.edit_bones
    made = {}
    for bone in order:
        made[bone.name] = new = edit_bones.new(bone.name)
        if new.name != bone.name:
            raise ValueError(f"Blender cannot name a bone '{bone.name[:80]}'")
        new.tail = (0.0, lengths[bone.name], 0.0)
        new.parent = made.get(bone.parent or "")
        new.matrix = matrices[bone.name]
    bpy.ops.object.mode_set(mode="OBJECT")


def _parents_first(bones: dict[str, inbetween.Bone]) -> list[inbetween.Bone]:
    done: dict[str, inbetween.Bone] = {}
    for bone in bones.values():
        chain = []
        each: inbetween.Bone | None = bone
        while each is not None and each.name not in done and not each.is_above:
            chain.append(each)
            each = bones.get(each.parent or "")
        done.update((link.name, link) for link in reversed(chain))
    return list(done.values())


def _lengths(order: list[inbetween.Bone], matrices: dict[str, Matrix]) -> dict[str, float]:
    """Returns lengths to look at: to the nearest child, else that of the parent."""
    nearest: dict[str, float] = {}
    for bone in order:
        if bone.parent in matrices:
            away = (matrices[bone.name].translation - matrices[bone.parent].translation).length
            if away > 1e-6:
                nearest[bone.parent] = min(away, nearest.get(bone.parent, away))
    usual = float(np.median(list(nearest.values()))) if nearest else 0.1
    lengths: dict[str, float] = {}
    for bone in order:
        lengths[bone.name] = nearest.get(bone.name, lengths.get(bone.parent or "", usual) / 2)
    return {name: max(length, usual / 50, 1e-4) for name, length in lengths.items()}


def _rotation(bone: inbetween.Bone) -> Quaternion:
    x, y, z, w = bone.rotation or (0.0, 0.0, 0.0, 1.0)
    return Quaternion((w, x, y, z)).normalized()


def _above(bones: dict[str, inbetween.Bone]) -> Matrix:
    """Returns the transform of the nodes above the first top bone."""
    tops = (bone for bone in bones.values() if not bone.is_above)
    top = next((bone for bone in tops if bone.parent is None or bones[bone.parent].is_above), None)
    matrix = Matrix.Identity(4)
    each = bones.get(top.parent or "") if top else None
    while each is not None:
        scale = Vector(each.scale or (1, 1, 1))
        matrix = Matrix.LocRotScale(Vector(each.translation or (0, 0, 0)), _rotation(each), scale) @ matrix
        each = bones.get(each.parent or "")
    return matrix
