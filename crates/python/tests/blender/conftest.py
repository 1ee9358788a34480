"""Loads the extension from its folder, and resets Blender between tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

EXTENSION = Path(__file__).resolve().parents[2] / "blender"
FIXTURES = Path(__file__).resolve().parents[4] / "fixtures"


def load() -> None:
    """Makes the extension importable under a name that nothing else has."""
    name = "inbetween_blender"
    if name not in sys.modules:
        init = EXTENSION / "__init__.py"
        spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(EXTENSION)])
        assert spec is not None and spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


load()
# The other tests share ``files``.
sys.path.append(str(Path(__file__).resolve().parents[1]))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "blender: needs the bpy package, 1 GB")
