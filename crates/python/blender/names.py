"""Names: which bone a node of a file means, names of actions, and the data paths of Blender."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Match(NamedTuple):
    """Which nodes of a file were found."""

    found: dict[str, str]
    """The bone or object of each node that was found."""
    missing: list[str]
    """The nodes without a bone or object."""
    unused: list[str]
    """The bones or objects that no node means."""


def last_part(name: str) -> str:
    """Returns the part of a name after the last separator of paths."""
    return re.split(r"[/|:]", name)[-1]


def match(nodes: Iterable[str], bones: Iterable[str], renames: Mapping[str, str] | None = None) -> Match:
    """Matches nodes with bones: the same name first, then in any case, then the last part of a path.

    ``renames`` maps names of nodes to names of bones and comes before everything else.
    """
    bones = list(bones)
    exact = set(bones)
    cases, ends = _unique(bones, str.lower), _unique(bones, lambda name: last_part(name).lower())
    found: dict[str, str] = {}
    missing: list[str] = []
    for node in dict.fromkeys(nodes):
        name = (renames or {}).get(node, node)
        bone = name if name in exact else cases.get(name.lower()) or ends.get(last_part(name).lower())
        if bone is None:
            missing.append(node)
        else:
            found[node] = bone
    used = set(found.values())
    return Match(found, missing, [bone for bone in bones if bone not in used])


def _unique(names: Iterable[str], key) -> dict[str, str | None]:
    """Returns the names by a key; ``None`` where several names have one key."""
    result: dict[str, str | None] = {}
    for name in names:
        result[key(name)] = None if key(name) in result else name
    return result


def parse_renames(text: str) -> dict[str, str]:
    """Reads a rename map: a line ``old = new``, ``old,new`` or ``old<tab>new`` for each node.

    Empty lines and lines that start with ``#`` are skipped. A line without a separator is a ``ValueError``.
    """
    renames: dict[str, str] = {}
    for number, each in enumerate(text.splitlines(), 1):
        line = each.strip().lstrip("\ufeff")
        if not line or line.startswith("#"):
            continue
        parts = re.split(r"\s*(?:=|,|\t)\s*", line, maxsplit=1)
        if len(parts) != 2 or not all(parts):
            raise ValueError(f"line {number} of the rename map is not of the form 'old = new': {line[:60]}")
        renames[parts[0]] = parts[1]
    return renames


LONGEST_NAME = 63
"""The bytes of a name of a data-block that every supported version of Blender keeps."""


def action_name(clip: str | None, stem: str, taken: Iterable[str]) -> str:
    """Returns the name of the action of a clip; a number follows if it is taken, as Blender counts."""
    wanted = _cut((clip or "").strip() or stem or "Action", LONGEST_NAME)
    taken = taken if isinstance(taken, (set, frozenset, dict)) else set(taken)
    if wanted not in taken:
        return wanted
    base = _cut(re.sub(r"\.\d{3,}$", "", wanted), LONGEST_NAME - 4)
    number = 1
    while f"{base}.{number:03}" in taken:
        number += 1
    return f"{base}.{number:03}"


def _cut(name: str, bytes_: int) -> str:
    return name.encode("utf-8", "replace")[:bytes_].decode("utf-8", "ignore")


def quoted(name: str) -> str:
    """Returns a name as it stands between quotes in a data path."""
    for character, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        name = name.replace(character, escape)
    return name


def unquoted(text: str) -> str:
    """Returns the name whose quoted form is in a data path."""
    escapes = {"n": "\n", "t": "\t", "r": "\r"}
    return re.sub(r"\\(.)", lambda found: escapes.get(found[1], found[1]), text)


def bone_prefix(bone: str) -> str:
    """Returns the start of the data paths of a pose bone, with the dot."""
    return f'pose.bones["{quoted(bone)}"].'


LONGEST_CUSTOM = 63
"""The bytes of the longest name of a custom property."""


def is_custom(name: str) -> bool:
    """Whether Blender takes a name for a custom property."""
    return 0 < len(name.encode("utf-8", "replace")) <= LONGEST_CUSTOM


def custom_path(name: str) -> str:
    """Returns the data path of a custom property."""
    return f'["{quoted(name)}"]'


def custom_of(path: str) -> str | None:
    """Returns the custom property of a data path; ``None`` if it is of another property."""
    found = re.fullmatch(r'\["((?:[^"\\]|\\.)*)"\]', path, re.DOTALL)
    return unquoted(found[1]) if found else None


def weight_of(path: str) -> str | None:
    """Returns the shape key of the data path of its value; ``None`` for others."""
    found = re.fullmatch(r'key_blocks\["((?:[^"\\]|\\.)*)"\]\.value', path, re.DOTALL)
    return unquoted(found[1]) if found else None


_PATH = re.compile(r'^(?:pose\.bones\["((?:[^"\\]|\\.)*)"\]\.?)?(.*)$', re.DOTALL)


def split_path(path: str) -> tuple[str | None, str]:
    """Splits a data path into the bone, or ``None`` for the object, and the property."""
    found = _PATH.match(path)
    bone, rest = found.groups() if found else (None, path)
    return (unquoted(bone) if bone is not None else None), rest
