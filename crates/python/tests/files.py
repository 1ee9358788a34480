"""The fixtures of the repository."""

from __future__ import annotations

from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


def good_files(format: str) -> list[Path]:
    """The fixtures of a format that are read."""
    return [path for path in sorted((FIXTURES / format / "ok").iterdir()) if path.suffix != ".dump"]
