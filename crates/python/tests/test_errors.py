"""Errors, findings and limits."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import inbetween
from files import FIXTURES


def test_errors_have_the_code_and_the_place_of_the_command_line() -> None:
    count = 0
    for path in sorted(FIXTURES.glob("*/bad/*")):
        command = [sys.executable, "-m", "inbetween", "info", "--json", str(path)]
        ran = subprocess.run(command, capture_output=True, check=False)
        error = json.loads(ran.stdout)[0]["error"]
        try:
            inbetween.read(path)
        except inbetween.Error as raised:
            if error is None:
                continue
            count += 1
            assert raised.code == error["code"], path
            assert (raised.path or "") == (error["path"] or ""), path
            place = error["position"]
            assert (raised.position is None) == (place is None), path
            if raised.position is not None:
                assert raised.position.offset == place["offset"], path
        if count == 40:
            break
    assert count == 40


def test_errors_and_findings_are_pickled(walk: Path) -> None:
    with pytest.raises(inbetween.ReadError) as caught:
        inbetween.read(b'{"name": ', format="animj")
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is inbetween.ReadError and str(error) == str(caught.value)
    assert (error.code, error.path, error.position, error.hint) == (
        caught.value.code,
        caught.value.path,
        caught.value.position,
        caught.value.hint,
    )
    findings = inbetween.convert(walk, to="animj").findings
    assert findings and pickle.loads(pickle.dumps(findings)) == findings
    expected = "warning: convert/looping-dropped: looping: the clip repeats"
    assert expected in [str(finding) for finding in findings]


def test_limits_are_keyword_arguments(walk: Path) -> None:
    for source in (walk, walk.read_bytes()):
        with pytest.raises(inbetween.LimitError) as caught:
            inbetween.read(source, max_input=10)
        assert caught.value.code == "limit" and "max_input" in (caught.value.hint or "")
        with pytest.raises(inbetween.LimitError) as caught:
            inbetween.read(source, max_decoded=10)
        assert "max_decoded" in (caught.value.hint or "")


def test_paths_raise_the_errors_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        inbetween.read(tmp_path / "none.seanim")
    assert caught.value.filename == str(tmp_path / "none.seanim")
    with pytest.raises(IsADirectoryError):
        inbetween.read(tmp_path)


def test_only_binary_input_is_read(walk: Path) -> None:
    with pytest.raises(TypeError, match="binary file"), walk.open(encoding="latin-1") as file:
        inbetween.read(file)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="found int"):
        inbetween.read(3)  # type: ignore[arg-type]


def test_codes_are_explained() -> None:
    assert "repeat" in inbetween.explain("convert/looping-dropped")
    with pytest.raises(KeyError, match="did you mean convert/looping-dropped"):
        inbetween.explain("convert/looping-droped")


def test_a_file_is_checked_with_its_companion(walk: Path) -> None:
    path = FIXTURES / "x4-ani" / "ok" / "spin.ani"
    component = b"<components><component name='a'><connections/></component></components>"
    codes = {finding.code for finding in inbetween.check(path, companion=component)}
    assert codes - {finding.code for finding in inbetween.check(path)}
    with pytest.raises(ValueError, match="no other files belong to SEAnim files"):
        inbetween.check(walk, companion=component)


def test_check_reports_what_a_program_does(walk: Path) -> None:
    codes = [finding.code for finding in inbetween.check(walk, profile="blender")]
    assert "needs-add-on" in " ".join(codes)
    with pytest.raises(ValueError, match="Resonite does not read SEAnim"):
        inbetween.check(walk, profile="resonite")
