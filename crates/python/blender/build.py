"""Builds the zip of the extension with a wheel: ``python build.py WHEEL [--out FOLDER] [--bpy PYTHON]``.

With ``--bpy``, a Python that has the ``bpy`` package, Blender's own tool validates and builds; without it,
the zip is made as is. The wheel is bundled unmodified, and its licenses are copied beside it.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEFT_OUT = {"build.py"}
"""The files that the zip does not need."""

PLATFORMS = (
    ("win_amd64", "windows-x64"),
    ("win_arm64", "windows-arm64"),
    ("macosx_x86_64", "macos-x64"),
    ("macosx_arm64", "macos-arm64"),
    ("linux_x86_64", "linux-x64"),
)
"""The platform tags of wheels in short, and the names of Blender for them."""

PLACE = "# build.py adds the platform and the wheel."
"""The line of the manifest that is replaced."""

FIND_TOOL = (
    "import importlib.util, pathlib; root = pathlib.Path(importlib.util.find_spec('bpy').origin).parent; "
    "print(next(root.rglob('bl_pkg/cli/blender_ext.py')))"
)


def platform_of(wheel: Path) -> str:
    """Returns the platform in the words of Blender from the tags of a wheel."""
    tag = wheel.stem.rsplit("-", 1)[-1]
    for wanted, platform in PLATFORMS:
        system, machine = wanted.split("_", 1)
        if system in tag and tag.endswith(machine):
            return platform
    raise SystemExit(f"{wheel.name}: no platform of Blender for '{tag}'")


def stage(wheel: Path, folder: Path) -> str:
    """Copies everything that belongs into the zip, and returns its name."""
    for path in sorted(HERE.iterdir()):
        if path.is_file() and path.name not in LEFT_OUT:
            shutil.copy(path, folder / path.name)
    (folder / "wheels").mkdir()
    shutil.copy(wheel, folder / "wheels" / wheel.name)
    copy_licenses(wheel, folder / "licenses")
    return complete_manifest(wheel, folder / "blender_manifest.toml")


def copy_licenses(wheel: Path, folder: Path) -> None:
    """Copies the license texts of a wheel, and the lists of its parts, which are of many authors."""
    with zipfile.ZipFile(wheel) as archive:
        texts = {}
        for name in archive.namelist():
            top, _, rest = name.partition("/")
            kind, _, path = rest.partition("/")
            if top.endswith(".dist-info") and kind in ("licenses", "sboms") and not name.endswith("/"):
                texts[kind, path] = archive.read(name)
    if not any(kind == "licenses" for kind, _ in texts):
        raise SystemExit(f"{wheel.name}: no licenses in its dist-info, so the zip must not be published")
    for (_, path), text in texts.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)


def complete_manifest(wheel: Path, manifest: Path) -> str:
    """Adds the wheel and its platform to the manifest, and returns the name of the zip."""
    text = manifest.read_text(encoding="utf-8")
    if text.count(PLACE) != 1:
        raise SystemExit(f"{manifest.name}: the line '{PLACE}' must be there once")
    platform = platform_of(wheel)
    added = f'platforms = ["{platform}"]\nwheels = ["./wheels/{wheel.name}"]'
    manifest.write_text(text.replace(PLACE, added), encoding="utf-8")
    id_, version = (re.search(rf'^{key} = "(.+)"$', text, re.MULTILINE)[1] for key in ("id", "version"))
    return f"{id_}-{version}-{platform}.zip"


def pack(folder: Path, result: Path) -> None:
    """Makes the zip without Blender."""
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))


def pack_with_blender(python: str, folder: Path, result: Path) -> None:
    """Makes the zip with the tool of Blender, which validates both the folder and the zip."""
    # bpy can hang when its interpreter ends, so the tool runs without importing it.
    find = [python, "-c", FIND_TOOL]
    tool = subprocess.run(find, check=True, capture_output=True, text=True, timeout=60).stdout.strip()
    build = ["build", "--source-dir", str(folder), "--output-filepath", str(result)]
    for arguments in (["validate", str(folder)], build, ["validate", str(result)]):
        subprocess.run([python, tool, *arguments], check=True, timeout=120)


def main() -> None:
    """Builds the zip, and prints its path."""
    parser = argparse.ArgumentParser(description="Build the zip of the Blender extension")
    parser.add_argument("wheel", type=Path, help="the wheel of inbetween for one platform")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder of the zip")
    parser.add_argument("--bpy", help="a Python with the bpy package, whose tool validates and builds")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "inbetween"
        folder.mkdir()
        result = arguments.out / stage(arguments.wheel, folder)
        if arguments.bpy:
            pack_with_blender(arguments.bpy, folder, result)
        else:
            pack(folder, result)
    print(result)


if __name__ == "__main__":
    main()
