"""Builds the zip of the extension with a wheel: ``python build.py WHEEL [--out FOLDER] [--bpy PYTHON]``.

With ``--bpy``, a Python that has the ``bpy`` package, Blender's own tool validates and builds; without it,
the zip is made as is. The wheel is bundled unmodified, and its licenses are copied beside it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEFT_OUT = {"build.py"}
PLATFORMS = (
    ("win_amd64", "windows-x64"),
    ("win_arm64", "windows-arm64"),
    ("macosx_x86_64", "macos-x64"),
    ("macosx_arm64", "macos-arm64"),
    ("linux_x86_64", "linux-x64"),
)
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
    """Copies everything that belongs into the zip, and returns the platform."""
    for path in sorted(HERE.iterdir()):
        if path.is_file() and path.name not in LEFT_OUT:
            shutil.copy(path, folder / path.name)
    (folder / "wheels").mkdir()
    shutil.copy(wheel, folder / "wheels" / wheel.name)
    copied = 0
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            parts = name.split("/")
            if len(parts) > 2 and parts[0].endswith(".dist-info") and parts[1] in ("licenses", "sboms"):
                target = folder / "licenses" / "/".join(parts[2:])
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
                copied += parts[1] == "licenses"
    if not copied:
        print(f"warning: {wheel.name} has no licenses in its dist-info", file=sys.stderr)
    platform = platform_of(wheel)
    manifest = folder / "blender_manifest.toml"
    text = manifest.read_text(encoding="utf-8")
    added = f'platforms = ["{platform}"]\nwheels = ["./wheels/{wheel.name}"]\n'
    text = text.replace("# build.py adds the platform and the wheel.\n", added)
    manifest.write_text(text, encoding="utf-8")
    return platform


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
        platform = stage(arguments.wheel, folder)
        result = arguments.out / f"inbetween-0.1.0-{platform}.zip"
        if arguments.bpy:
            # bpy can hang when its interpreter ends, so the tool runs without it.
            find = [arguments.bpy, "-c", FIND_TOOL]
            tool = subprocess.run(find, check=True, capture_output=True, text=True, timeout=60).stdout.strip()
            run = [arguments.bpy, tool]
            subprocess.run([*run, "validate", str(folder)], check=True, timeout=120)
            build = ["build", "--source-dir", str(folder), "--output-filepath", str(result)]
            subprocess.run([*run, *build], check=True, timeout=120)
            subprocess.run([*run, "validate", str(result)], check=True, timeout=120)
        else:
            with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as archive:
                for path in sorted(folder.rglob("*")):
                    if path.is_file():
                        archive.write(path, path.relative_to(folder))
    print(result)


if __name__ == "__main__":
    main()
