"""What the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from files import FIXTURES


@pytest.fixture
def walk() -> Path:
    """A SEAnim file: two bones, three keys, 30 frames per second, which repeats."""
    return FIXTURES / "seanim" / "ok" / "walk.seanim"
