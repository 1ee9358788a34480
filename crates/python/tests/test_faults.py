"""Tests of faults of the system: full disks, bad sectors, killed processes, and readers that are gone.

After each fault every output is the old file or the complete new one, the other files are converted,
the table names each file that is not and why, and the next run converts the rest.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence

import pytest

pa = pytest.importorskip("pyarrow")
psutil = pytest.importorskip("psutil")

if sys.platform != "linux":
    pytest.skip("limits, file systems and strace of Linux", allow_module_level=True)


import inbetween  # noqa: E402
from inbetween import batch  # noqa: E402
from inbetween.batch import engine_local  # noqa: E402
from inbetween.batch.progress import Progress  # noqa: E402
from inbetween.batch.results import Results  # noqa: E402
from inbetween.batch.rows import Slot  # noqa: E402
from inbetween.batch.running import split  # noqa: E402
from test_batch import in_parts, options, run, walk  # noqa: E402

OLD = b"an old file"
NAMES = ("a", "b", "c", "d")
RENAMES = "rename,renameat,renameat2"


def _can_trace() -> bool:
    try:
        ran = subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], check=False, capture_output=True)
    except OSError:
        return False
    return ran.returncode == 0


can_trace = pytest.mark.skipif(not _can_trace(), reason="strace is not installed, or may not trace")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder of four files with old outputs, of which ``c`` is longer than 100 KiB."""
    for folder in ("in", "out"):
        (tmp_path / folder).mkdir()
    for name in NAMES:
        (tmp_path / "in" / f"{name}.seanim").write_bytes(long_clip() if name == "c" else walk())
        (tmp_path / "out" / f"{name}.animx").write_bytes(OLD)
    return tmp_path


def long_clip() -> bytes:
    keys = [number / 30 for number in range(10_000)]
    values = [[number, number / 3, 0.0] for number in range(10_000)]
    document = inbetween.Document.from_arrays({"hips/Position": (keys, values)}, frame_rate=30)
    return document.write("seanim").bytes


def command(folder: Path, *more: str) -> List[str]:
    line = ["--to", "animx", "--in", str(folder / "in"), "--out", str(folder / "out"), "--processes", "1"]
    line += ["--results", str(folder / "results"), "--overwrite", *more]
    return [sys.executable, "-m", "inbetween.batch", *line]


def convert(folder: Path, *before: str, **others: Any) -> subprocess.CompletedProcess[str]:
    """Runs a batch in a process of its own, below the command ``before``."""
    line = [*before, *command(folder, *others.pop("more", ["--quiet"]))]
    given: Dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **others}
    return subprocess.run(line, check=False, timeout=30, **given)


def trace(*faults: str, path: Optional[Path] = None) -> List[str]:
    """Returns the command below which calls of the system fail: ``fsync:error=EIO:when=3``.

    Each thread counts its own calls.
    """
    line = ["strace", "-f", "-qq", "-o", "/dev/null", *(["-P", str(path)] if path else [])]
    return [*line, *(f"--inject={fault}" for fault in faults)]


def table(folder: Path) -> Dict[str, Dict[str, Any]]:
    """The rows that are stored, by the names of the files."""
    return {Path(row["path"]).stem: row for row in Results(str(folder / "results")).read().to_pylist()}


def new(folder: Path, name: str) -> bytes:
    return inbetween.convert(folder / "in" / f"{name}.seanim", "animx").bytes


def output(folder: Path, name: str) -> bytes:
    return (folder / "out" / f"{name}.animx").read_bytes()


def temporary_files(folder: Path) -> List[str]:
    paths = [path for name in ("out", "results") for path in (folder / name).rglob(".*")]
    return [path.name for path in paths]


def assert_failed(folder: Path, failed: Sequence[str], code: str, words: str) -> None:
    """Asserts that these files failed and are the old ones, and that all others are converted."""
    rows = table(folder)
    assert sorted(rows) == list(NAMES)
    for name in NAMES:
        row = rows[name]
        if name in failed:
            assert (row["status"], row["code"]) == ("failed", code)
            assert words in row["message"]
            assert output(folder, name) == OLD
        else:
            assert (row["status"], row["message"]) == ("ok", None)
            assert output(folder, name) == new(folder, name)
    assert temporary_files(folder) == []


def assert_whole(folder: Path) -> None:
    """Asserts that every output is the old file or the new one."""
    for name in NAMES:
        assert output(folder, name) in (OLD, new(folder, name))


def assert_finishes(folder: Path) -> None:
    """Asserts that the next run converts the rest."""
    ran = convert(folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("4 files: 4 ok;")
    assert all(output(folder, name) == new(folder, name) for name in NAMES)


# ---- full disks


def limit_files() -> None:
    """Lets no file of this process grow beyond 64 KiB."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))


def test_a_file_that_may_not_grow_fails_alone(files: Path) -> None:
    ran = convert(files, preexec_fn=limit_files)
    assert ran.returncode == 1
    assert "failed: c.seanim: " in ran.stderr and "File too large" in ran.stderr
    assert_failed(files, ["c"], "output", "File too large")
    assert_finishes(files)


@pytest.fixture
def disk(files: Path) -> Iterator[Path]:
    """The folder with the outputs on a disk of 64 KiB."""
    out = files / "out"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(out)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("mounting is not allowed")
    for name in NAMES:
        (out / f"{name}.animx").write_bytes(OLD)
    yield files
    subprocess.run(["umount", str(out)], check=True)


def remount(folder: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder / "out")], check=True)


def test_a_full_disk_costs_the_files_that_do_not_fit(disk: Path) -> None:
    assert convert(disk).returncode == 1
    assert_failed(disk, ["c"], "output", "No space left")
    remount(disk, "size=4m")
    assert_finishes(disk)


def test_a_read_only_output_keeps_all_old_files(disk: Path) -> None:
    remount(disk, "ro")
    ran = convert(disk)
    assert ran.returncode == 1
    assert ran.stdout.startswith("4 files: 4 failed;")
    assert_failed(disk, NAMES, "output", "Read-only file system")
    remount(disk, "rw,size=4m")
    assert_finishes(disk)


@can_trace
def test_results_that_cannot_be_stored_end_the_batch(files: Path) -> None:
    # The thread renames four outputs, then the table.
    ran = convert(files, *trace(f"{RENAMES}:error=ENOSPC:when=5"))
    assert ran.returncode == 3
    assert "No space left" in ran.stderr and str(files / "results" / "part-") in ran.stderr
    assert all(output(files, name) == new(files, name) for name in NAMES)
    assert table(files) == {}
    assert temporary_files(files) == []
    assert_finishes(files)


def test_parts_are_stored_although_one_cannot_be(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C stores the rows of all parts that are not complete."""
    stored = []

    def write(self: Results, part: int, table: Any) -> None:
        if part == 0:
            raise OSError("no space")
        stored.append((part, table.num_rows))

    monkeypatch.setattr(Results, "write", write)
    manifest = batch.manifest(str(files / "in"))
    parts = split(in_parts(manifest, 2))
    own = engine_local._Batch(parts, options(files), Results(str(files / "results")), Progress(4, 0, False))
    for number in (0, 1):
        own._add(number, 0, {"status": "ok", "findings": []})
    own.end()
    assert stored == [(1, 1)]
    assert isinstance(own.error, OSError)


# ---- bad sectors, and calls that fail


@can_trace
def test_an_input_that_cannot_be_read_fails_alone(files: Path) -> None:
    ran = convert(files, *trace("read,pread64:error=EIO", path=files / "in" / "b.seanim"))
    assert ran.returncode == 1
    assert_failed(files, ["b"], "input", "Input/output error")
    assert_finishes(files)


@can_trace
@pytest.mark.parametrize("call", ["fsync", RENAMES])
def test_an_output_that_cannot_be_written_fails_alone(files: Path, call: str) -> None:
    assert convert(files, *trace(f"{call}:error=EIO:when=3")).returncode == 1
    (failed,) = [name for name, row in table(files).items() if row["status"] != "ok"]
    assert_failed(files, [failed], "output", "Input/output error")
    assert_finishes(files)


def test_the_last_result_of_a_file_is_in_the_table(files: Path) -> None:
    """Failed rows stay stored beside those of later runs, of which some have the same time."""
    (files / "out" / "a.animx").unlink()
    (files / "out" / "a.animx").mkdir()
    (files / "out" / "b.animx").unlink()
    (files / "out" / "b.animx").mkdir()
    first = {row["path"]: row["code"] for row in run(files, overwrite=True)}
    assert first == {"a.seanim": "output", "b.seanim": "output", "c.seanim": None, "d.seanim": None}
    (files / "out" / "a.animx").rmdir()
    second = {row["path"]: row["code"] for row in run(files, overwrite=True)}
    assert second == {**first, "a.seanim": None}
    for path in (files / "results").glob("part-*"):
        os.utime(path, (1, 1))
    (files / "out" / "b.animx").rmdir()
    third = {row["path"]: row["code"] for row in run(files, overwrite=True)}
    assert set(third.values()) == {None}


def test_a_file_that_is_in_the_way_is_replaced_by_the_next_run_with_overwrite(files: Path) -> None:
    assert {row["code"] for row in run(files)} == {"exists"}
    assert {row["code"] for row in run(files)} == {"exists"}
    assert {row["status"] for row in run(files, overwrite=True)} == {"ok"}


@pytest.mark.parametrize("name", ["part-*.parquet", "options.json"])
def test_damaged_results_are_named(files: Path, name: str) -> None:
    convert(files)
    (damaged,) = (files / "results").glob(name)
    damaged.write_bytes(damaged.read_bytes()[:40])
    ran = convert(files)
    assert ran.returncode == 3
    assert f"'{damaged}' is damaged" in ran.stderr
    damaged.unlink()
    assert_finishes(files)


# ---- killed processes


@can_trace
@pytest.mark.parametrize("call", ["fsync", RENAMES])
@pytest.mark.parametrize("stage", [1, 2, 4, 5])
def test_a_batch_that_is_killed_while_it_writes_leaves_whole_files(
    files: Path, call: str, stage: int
) -> None:
    ran = convert(files, *trace(f"{call}:signal=KILL:when={stage}"))
    assert ran.returncode == -signal.SIGKILL
    assert_whole(files)
    assert_finishes(files)


@can_trace
def test_ctrl_c_waits_for_the_file_that_is_written(files: Path) -> None:
    line = [*trace("fsync:delay_enter=400000:when=1"), *command(files, "--quiet")]
    with subprocess.Popen(line, stderr=subprocess.PIPE) as tracer:
        while not any(name.startswith(".") for name in os.listdir(files / "out")):
            assert tracer.poll() is None
            time.sleep(0.01)
        (process,) = psutil.Process(tracer.pid).children()
        process.send_signal(signal.SIGINT)
        assert tracer.wait(10) == 130
    assert temporary_files(files) == []
    assert output(files, "a") == new(files, "a")
    assert_whole(files)
    assert_finishes(files)


# A worker that dies once while it sends an answer.
DYING = """
import os, signal
from inbetween.batch import worker
from inbetween.batch.worker import convert

def half(stream, header, data=b""):
    if data and os.path.exists({marker!r}):
        os.unlink({marker!r})
        stream.raw.write(b"\\x20\\0\\0\\0")
        os.kill(os.getpid(), signal.SIGKILL)
    whole(stream, header, data)

whole, worker.send = worker.send, half
"""


def functions(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Returns the name of the function ``convert`` of a module for workers."""
    (folder / "dying.py").write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
    return "dying:convert"


def test_a_worker_that_dies_in_its_answer_costs_its_row_until_the_next_run(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = files / "marker"
    marker.touch()
    own: Dict[str, Any] = {"function": functions(files, DYING.format(marker=str(marker)), monkeypatch)}
    rows = run(files, overwrite=True, **own)
    assert [row["code"] for row in rows] == ["worker-died", None, None, None]
    assert rows[0]["message"] == "the worker was ended by the signal SIGKILL"
    assert output(files, "a") == OLD
    assert {row["status"] for row in run(files, overwrite=True, **own)} == {"ok"}
    assert output(files, "a") == new(files, "a")


def test_a_worker_that_dies_between_two_files_costs_no_row(files: Path) -> None:
    slot = Slot(options(files, overwrite=True))
    rows = batch.manifest(str(files / "in")).to_pylist()
    try:
        assert slot.convert(rows[0])["status"] == "ok"
        worker: Any = slot._worker._process
        worker._child.kill()
        worker._child.wait()
        assert slot.convert(rows[1])["status"] == "ok"
    finally:
        slot.close()


@pytest.mark.parametrize("fault", ["no interpreter", "killed at its start"])
def test_workers_that_cannot_start_end_the_batch(
    files: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    own: Dict[str, Any] = {}
    if fault == "no interpreter":
        monkeypatch.setattr(sys, "executable", str(files / "none"))
    else:
        own["function"] = functions(files, "import os; os.kill(os.getpid(), 9)", monkeypatch)
    with pytest.raises(RuntimeError, match="cannot start a worker process"):
        run(files, overwrite=True, **own)
    monkeypatch.undo()
    assert_whole(files)
    assert table(files) == {}


# ---- two at once


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(command(folder, "--quiet", *more), stdout=subprocess.PIPE, text=True)


def test_two_batches_of_one_output_leave_whole_files(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    data = long_clip()
    for number in range(12):
        (tmp_path / "in" / f"{number}.seanim").write_bytes(data)
    expected = {inbetween.convert(data, "animx", encoding=encoding).bytes for encoding in ("plain", "lz4")}
    batches = [
        start(tmp_path, "--results", str(tmp_path / encoding), "--option", f"encoding={encoding}")
        for encoding in ("plain", "lz4")
    ]
    seen = 0
    while any(process.poll() is None for process in batches):
        for path in (tmp_path / "out").glob("*.animx"):
            assert path.read_bytes() in expected
            seen += 1
    for process in batches:
        assert process.communicate()[0].startswith("12 files: 12 ok;")
    assert seen > 0
    assert len(list((tmp_path / "out").iterdir())) == 12


def test_two_batches_of_one_results_folder_end_with_one_table(files: Path) -> None:
    for process in [start(files), start(files)]:
        assert process.communicate()[0].startswith("4 files: 4 ok;")
    assert [row["status"] for row in table(files).values()] == ["ok"] * 4
    assert temporary_files(files) == []
    assert_finishes(files)


# ---- readers that are gone


@pytest.fixture
def nobody() -> Iterator[int]:
    """A stream whose reader is gone."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("more", [["--quiet"], []])
def test_a_reader_that_is_gone_changes_no_result(
    files: Path, nobody: int, stream: str, more: List[str]
) -> None:
    (files / "in" / "a.seanim").write_bytes(b"no animation")
    ran = convert(files, more=more, **{stream: nobody})
    assert ran.returncode == 1
    if stream == "stdout":
        assert "failed: a.seanim: " in ran.stderr and "error: " not in ran.stderr
    else:
        assert ran.stdout.startswith("4 files: 1 failed, 3 ok;")
    assert [row["status"] for row in table(files).values()] == ["failed", "ok", "ok", "ok"]
    assert all(output(files, name) == new(files, name) for name in ("b", "c", "d"))


@pytest.mark.parametrize(("more", "code"), [([], 0), (["--quiet", "--option", "no-such=1"], 2)])
def test_a_reader_of_errors_that_is_gone_changes_no_exit_code(
    files: Path, nobody: int, more: List[str], code: int
) -> None:
    assert convert(files, more=more, stderr=nobody).returncode == code


def test_a_summary_that_cannot_be_printed_is_an_error(files: Path) -> None:
    with open("/dev/full", "w") as full:
        ran = convert(files, stdout=full)
    assert ran.returncode == 3
    assert ran.stderr.startswith("error: the batch is finished, but its summary cannot be printed: ")
    assert_finishes(files)
