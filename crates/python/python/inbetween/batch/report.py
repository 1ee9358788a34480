"""Findings and errors as rows of tables. Worker processes import this module: it needs no pyarrow."""

from __future__ import annotations

from typing import Any, Dict, Optional

from .._report import Error, Finding

FINDING_NAMES = (
    "code",
    "severity",
    "is_loss",
    "message",
    "count",
    "clip",
    "clip_index",
    "track",
    "key",
    "place",
    "position",
    "error",
    "time_shift",
)
"""The names of the columns of a finding."""


def finding_row(finding: Finding) -> Dict[str, Any]:
    """Returns a finding as a row: ``place`` is the path of the value, ``position`` is for people."""
    row: Dict[str, Any] = {name: getattr(finding, name, None) for name in FINDING_NAMES}
    row["place"] = finding.path
    row["position"] = None if finding.position is None else str(finding.position)
    return row


def place_of(error: Error) -> Optional[str]:
    """Returns where an error is in its file: the path of the value and the position, as text."""
    parts = [str(part) for part in (error.path, error.position) if part is not None]
    return " ".join(parts) or None
