"""Builds the extension, installs it into an empty Blender, and uses it there.

The wheel is that of the environment variable ``INBETWEEN_WHEEL``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("bpy")
pytestmark = pytest.mark.blender

ROOT = Path(__file__).resolve().parents[4]
EXTENSION = ROOT / "crates/python/blender"

LICENSES = ".dist-info/licenses/"

USE = """
import os
import pathlib
import sys
import bpy

zip_, file, out = sys.argv[-3:]
print(bpy.ops.extensions.package_install_files(filepath=zip_, repo="user_default", enable_on_install=True))
module = "bl_ext.user_default.inbetween"
assert module in bpy.context.preferences.addons, list(bpy.context.preferences.addons.keys())
import inbetween
# Blender unpacks the wheel while the add-on is enabled.
wheels = pathlib.Path(os.environ["BLENDER_USER_RESOURCES"], "extensions", ".local")
assert list(wheels.rglob("inbetween/_native*")), "the wheel was not unpacked"
print(bpy.ops.import_anim.inbetween(filepath=file), [action.name for action in bpy.data.actions])
print(bpy.ops.export_anim.inbetween(filepath=out, format="seanim"))
assert inbetween.read(out).clips
# bpy 4.5 hangs at exit with registered classes.
bpy.ops.preferences.addon_disable(module=module)
assert not hasattr(bpy.types, "IO_FH_inbetween")
print("done", flush=True)
"""


def assert_bundled(wheel: Path, zip_: Path) -> None:
    """Checks that a zip has the unmodified wheel, and beside it every license text of the wheel."""
    with zipfile.ZipFile(wheel) as inner, zipfile.ZipFile(zip_) as outer:
        assert outer.read(f"wheels/{wheel.name}") == wheel.read_bytes()
        texts = {name.split(LICENSES)[1]: inner.read(name) for name in inner.namelist() if LICENSES in name}
        assert {"LICENSE-MIT", "LICENSE-APACHE"} <= texts.keys()
        assert {name: outer.read(f"licenses/{name}") for name in texts} == texts


@pytest.mark.skipif("INBETWEEN_WHEEL" not in os.environ, reason="INBETWEEN_WHEEL is not set")
def test_the_built_zip_installs_and_works(tmp_path: Path):
    build = [sys.executable, str(EXTENSION / "build.py"), os.environ["INBETWEEN_WHEEL"]]
    build += ["--out", str(tmp_path), "--bpy", sys.executable]
    done = subprocess.run(build, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    zip_ = done.stdout.split()[-1]
    assert_bundled(Path(os.environ["INBETWEEN_WHEEL"]), Path(zip_))
    user = tmp_path / "user"
    user.mkdir()
    file, out = ROOT / "fixtures/cast/ok/walk.cast", tmp_path / "back.seanim"
    run = [sys.executable, "-c", USE, zip_, str(file), str(out)]
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(user)}
    done = subprocess.run(run, capture_output=True, text=True, timeout=180, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "done" in done.stdout, done.stdout + done.stderr
