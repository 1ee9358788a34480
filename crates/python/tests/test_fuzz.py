"""Runs the first inputs of the fuzzer, without the fuzzer."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

FUZZ = Path(__file__).resolve().parents[1] / "fuzz"


@pytest.fixture
def boundary(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the calls."""
    monkeypatch.syspath_prepend(str(FUZZ))
    return importlib.import_module("boundary")


def test_the_first_inputs_of_the_fuzzer_pass(boundary: Any) -> None:
    outcomes = {boundary.run(data) for _, data in boundary.seeds()}
    assert {outcome.split()[0] for outcome in outcomes} == {call.__name__ for call in boundary.CALLS}
    # A seed that only raises errors reaches little.
    assert len({call.__name__ for call in boundary.CALLS} & outcomes) > 10
    assert len(outcomes) > 100


def test_another_error_is_a_find(boundary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(data: bytes, choices: Any) -> None:
        raise SystemError

    monkeypatch.setattr(boundary, "CALLS", [fail])
    with pytest.raises(SystemError):
        boundary.run(b"")
