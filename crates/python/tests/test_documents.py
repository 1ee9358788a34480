"""The examples of the README, the guide and the package."""

from __future__ import annotations

import doctest
import json
import shutil
from importlib.metadata import distribution
from pathlib import Path

import pytest

import inbetween
import inbetween.arrow

ROOT = Path(__file__).resolve().parents[3]
FLAGS = doctest.ELLIPSIS


@pytest.mark.parametrize("path", ["crates/python/README.md", "docs/guides/python.md"])
def test_examples_of_documents_run(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("walk", "relative", "precision-high"):
        shutil.copy(ROOT / f"fixtures/seanim/ok/{name}.seanim", tmp_path)
    (tmp_path / "anims").mkdir()
    for name in ("walk", "relative", "bones-u16"):
        shutil.copy(ROOT / f"fixtures/seanim/ok/{name}.seanim", tmp_path / "anims")
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(ROOT / path), module_relative=False, optionflags=FLAGS)
    assert tried > 5 and failed == 0


@pytest.mark.parametrize("module", [inbetween, inbetween.arrow])
def test_examples_of_modules_run(module: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(ROOT / "fixtures/seanim/ok/walk.seanim", tmp_path)
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(module, optionflags=FLAGS)  # type: ignore[arg-type]
    assert tried > 0 and failed == 0


@pytest.mark.heavy
def test_the_wheel_of_a_release_names_all_that_is_compiled_in_with_licenses() -> None:
    files = {str(file): file for file in distribution("inbetween-anim").files or []}
    [bill] = [file for name, file in files.items() if "/sboms/" in name]
    components = {component["name"] for component in json.loads(bill.read_text())["components"]}
    for package in ("DejaVuSansMono", "nom", "numpy", "pyo3"):
        assert any(f"/licenses/{package}" in name for name in files), package
        assert package in components
    # The bills that the build tool makes name folders of the machine.
    assert str(ROOT) not in bill.read_text()
