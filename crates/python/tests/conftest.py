"""What the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


def good_files(format: str) -> list[Path]:
    """The fixtures of a format that are read."""
    return [path for path in sorted((FIXTURES / format / "ok").iterdir()) if path.suffix != ".dump"]


@pytest.fixture
def walk() -> Path:
    """A SEAnim file: two bones, three keys, 30 frames per second, which repeats."""
    return FIXTURES / "seanim" / "ok" / "walk.seanim"
