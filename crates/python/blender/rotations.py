"""Quaternions and Euler angles as arrays of numpy. Quaternions are xyzw; the last axis has the components."""

from __future__ import annotations

import numpy as np

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns the Hamilton product: ``b`` rotates first."""
    ax, ay, az, aw = np.moveaxis(np.asarray(a, float), -1, 0)
    bx, by, bz, bw = np.moveaxis(np.asarray(b, float), -1, 0)
    return np.stack(
        (
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ),
        axis=-1,
    )


def inverse(q: np.ndarray) -> np.ndarray:
    """Returns the inverse of quaternions of length 1."""
    return np.asarray(q, float) * (-1.0, -1.0, -1.0, 1.0)


def normalized(q: np.ndarray) -> np.ndarray:
    """Returns quaternions of length 1; the identity for those that have no direction."""
    q = np.asarray(q, float)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    good = np.isfinite(length) & (length > 1e-12)
    return np.where(good, q / np.where(good, length, 1.0), IDENTITY)


def left_matrix(q: np.ndarray) -> np.ndarray:
    """Returns the 4x4 matrix that multiplies a quaternion by ``q`` from the left."""
    return np.stack([multiply(q, axis) for axis in np.eye(4)], axis=-1)


def to_matrix(q: np.ndarray) -> np.ndarray:
    """Returns the 3x3 matrices of quaternions of length 1."""
    x, y, z, w = np.moveaxis(np.asarray(q, float), -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def continuous(q: np.ndarray) -> np.ndarray:
    """Negates quaternions so that each is on the side of the one before, along the second last axis."""
    if q.shape[-2] < 2:
        return q
    dots = np.einsum("...kc,...kc->...k", q[..., 1:, :], q[..., :-1, :])
    signs = np.where(dots < 0.0, -1.0, 1.0)
    result = q.copy()
    result[..., 1:, :] *= np.cumprod(signs, axis=-1)[..., None]
    return result


def unit_columns(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns continuous quaternions of length 1, and the smallest dot product of neighbors of each row.

    Here the components are before the keys: ``q`` has the shape ``(rows, 4, keys)``.
    """
    lengths = np.sqrt(np.einsum("bck,bck->bk", q, q))
    if lengths.size and lengths.min() < 1e-12:
        bad = lengths < 1e-12
        q, lengths = q.copy(), np.where(bad, 1.0, lengths)
        q[:, 0][bad] = 1.0
    q = q / lengths[:, None, :]
    dots = np.einsum("bck,bck->bk", q[..., 1:], q[..., :-1])
    if (dots < 0).any():
        q[..., 1:] *= np.cumprod(np.where(dots < 0, -1.0, 1.0), axis=-1)[:, None, :]
    return q, np.abs(dots).min(axis=-1, initial=1.0)


def angle_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns the angles between rotations in radians, exact for small ones too."""
    a, b = normalized(a), normalized(b)
    nearest = np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
    return 4.0 * np.arcsin(np.minimum(nearest / 2.0, 1.0))


def blender_mode(order: str) -> tuple[str, np.ndarray]:
    """Returns the rotation mode of Blender, and the factors of the angles x, y and z, for an order.

    An order such as ``y-z-x`` lists the axes of the product from left to right, with a sign before
    negated angles. Blender lists them from right to left.
    """
    signs = np.ones(3)
    axes = ""
    sign = 1.0
    for letter in order:
        if letter == "-":
            sign = -1.0
            continue
        signs["xyz".index(letter)] = sign
        axes, sign = axes + letter, 1.0
    return axes[::-1].upper(), signs


def from_euler(angles: np.ndarray, mode: str) -> np.ndarray:
    """Returns the quaternions of angles x, y and z in a rotation mode of Blender such as ``XYZ``."""
    angles = np.asarray(angles, float)
    result = np.broadcast_to(IDENTITY, (*angles.shape[:-1], 4))
    for letter in mode:
        axis = "XYZ".index(letter)
        turn = np.zeros((*angles.shape[:-1], 4))
        turn[..., axis] = np.sin(angles[..., axis] / 2)
        turn[..., 3] = np.cos(angles[..., axis] / 2)
        result = multiply(turn, result)
    return result


def to_euler(q: np.ndarray, mode: str) -> np.ndarray:
    """Returns continuous angles x, y and z in a rotation mode for a list of rotations."""
    i, j, k = ("XYZ".index(letter) for letter in mode)
    parity = 1.0 if (j - i) % 3 == 1 else -1.0
    m = to_matrix(normalized(q))
    # The product of the three turns has these sines and cosines, as in Ken Shoemake's method.
    cosine = np.hypot(m[..., i, i], m[..., j, i])
    locked = cosine < 1e-9
    first = np.where(
        locked,
        np.arctan2(-parity * m[..., j, k], m[..., j, j]),
        np.arctan2(parity * m[..., k, j], m[..., k, k]),
    )
    second = np.arctan2(-parity * m[..., k, i], cosine)
    third = np.where(locked, 0.0, np.arctan2(parity * m[..., j, i], m[..., i, i]))
    angles = np.zeros((*q.shape[:-1], 3))
    angles[..., i], angles[..., j], angles[..., k] = first, second, third
    return _unwound(angles, (i, j, k))


def _unwound(angles: np.ndarray, axes: tuple[int, int, int]) -> np.ndarray:
    """Chooses for each triple the equal one that is nearest to the one before."""
    i, j, k = axes
    turn = 2 * np.pi
    result = angles.copy()
    for index in range(1, len(result)):
        before, here = result[index - 1], result[index]
        other = here.copy()
        other[i], other[j], other[k] = here[i] + np.pi, np.pi - here[j], here[k] + np.pi
        near = [each + turn * np.round((before - each) / turn) for each in (here, other)]
        result[index] = min(near, key=lambda each: float(np.abs(each - before).sum()))
    return result


def to_axis_angle(q: np.ndarray) -> np.ndarray:
    """Returns angle and axis (w, x, y, z), as Blender stores them, for a list of rotations."""
    q = continuous(normalized(q))
    length = np.linalg.norm(q[..., :3], axis=-1)
    angle = 2.0 * np.arctan2(length, q[..., 3])
    axis = np.where(
        length[..., None] > 1e-9, q[..., :3] / np.maximum(length, 1e-12)[..., None], (0.0, 1.0, 0.0)
    )
    return np.concatenate((angle[..., None], axis), axis=-1)


def from_axis_angle(values: np.ndarray) -> np.ndarray:
    """Returns the quaternions of angle and axis (w, x, y, z)."""
    values = np.asarray(values, float)
    axis = values[..., 1:]
    length = np.linalg.norm(axis, axis=-1, keepdims=True)
    axis = np.where(length > 1e-12, axis / np.maximum(length, 1e-12), (0.0, 1.0, 0.0))
    half = values[..., :1] / 2
    return np.concatenate((axis * np.sin(half), np.cos(half)), axis=-1)
