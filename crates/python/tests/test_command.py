"""The command line, as the package carries it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import inbetween

SCRIPT = Path(sys.executable).parent / "inbetween"
COMMANDS = [[sys.executable, "-m", "inbetween"], [str(SCRIPT)]]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_runs(command: list[str], walk: Path, tmp_path: Path) -> None:
    target = tmp_path / "walk.animj"
    ran = subprocess.run([*command, "convert", str(walk), str(target)], capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert target.read_bytes() == inbetween.convert(walk, to="animj").bytes
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"inbetween {inbetween.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", "--deny", "error", "WALK"], 0),
        (["convert", "WALK", "-o", "TARGET.animj", "--strict"], 1),
        (["convret"], 2),
        (["info", "none.seanim"], 3),
    ],
)
def test_exit_codes_are_those_of_the_command(
    arguments: list[str], code: int, walk: Path, tmp_path: Path
) -> None:
    names = {"WALK": str(walk), "TARGET.animj": str(tmp_path / "walk.animj")}
    line = [names.get(argument, argument) for argument in arguments]
    ran = subprocess.run([*COMMANDS[0], *line], capture_output=True, check=False)
    assert ran.returncode == code, ran.stderr


def test_a_closed_pipe_ends_it_quietly(walk: Path) -> None:
    line = [*COMMANDS[0], "sample", str(walk), "--fps", "100000"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith(b"clip,time")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    # A pipe that stays open: the command waits for its input.
    line = [*COMMANDS[0], "convert", "-", "-o", str(tmp_path / "out.animj")]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
