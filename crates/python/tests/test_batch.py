"""Tests of ``inbetween.batch`` on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

pa = pytest.importorskip("pyarrow")
psutil = pytest.importorskip("psutil")

import inbetween  # noqa: E402
from inbetween import batch  # noqa: E402
from inbetween.batch import __main__ as command  # noqa: E402

FIXTURES = Path(__file__).parents[3] / "fixtures"
posix = pytest.mark.skipif(os.name != "posix", reason="signals and links of POSIX")

# Functions for workers; the names of the files say what happens.
FUNCTIONS = """
import os, signal, time
from inbetween.batch import worker

def convert(data, name, arguments, neighbors):
    if name == "good.seanim":
        print("not a message")
    time.sleep(0.003)
    if "endless" in name:
        while True:
            pass
    if "hungry" in name:
        blocks = []
        while True:
            blocks.append(b"x" * (len(blocks) + (8 << 20)))
    if "crash" in name:
        os.kill(os.getpid(), signal.SIGKILL)
    if "leave" in name:
        os._exit(7)
    return worker.convert(data, name, arguments, neighbors)
"""


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a function whose workers hang, eat memory and die."""
    folder = tmp_path / "functions"
    folder.mkdir()
    (folder / "batch_functions.py").write_text(FUNCTIONS)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
    return "batch_functions:convert"


def make_files(folder: Path, count: int) -> None:
    """Writes files: 1 % are broken, one is endless and one needs too much memory."""
    good = [path for path in sorted((FIXTURES / "seanim" / "ok").glob("*.seanim")) if converts(path)]
    for number in range(count):
        path = folder / f"{number % 7}" / f"clip{number:05}.seanim"
        path.parent.mkdir(parents=True, exist_ok=True)
        data = good[number % len(good)].read_bytes()
        path.write_bytes(data[:20] if number % 100 == 50 else data)
    for name in ("endless", "hungry"):
        (folder / "3" / f"{name}.seanim").write_bytes(good[0].read_bytes())


def converts(path: Path) -> bool:
    try:
        found = inbetween.convert(path, "animx").findings
    except inbetween.Error:
        return False
    return not any(finding.code == "part-skipped" for finding in found)


def options(tmp_path: Path, **others: Any) -> batch.Options:
    given: Dict[str, Any] = {"to": "animx", "source": str(tmp_path / "in"), "target": str(tmp_path / "out")}
    return batch.Options(**{**given, **others})


def run(tmp_path: Path, manifest: Any = None, **others: Any) -> List[Dict[str, Any]]:
    """Runs a batch of ``in``, and returns its rows."""
    names = ("processes", "results")
    own: Dict[str, Any] = {name: others.pop(name) for name in names if name in others}
    manifest = batch.manifest(str(tmp_path / "in")) if manifest is None else manifest
    arguments: Dict[str, Any] = {
        "results": str(tmp_path / "results"),
        "processes": 1,
        "progress": False,
        **own,
    }
    rows: List[Dict[str, Any]] = batch.run(manifest, options(tmp_path, **others), **arguments).to_pylist()
    return rows


def without_ms(table: Any) -> Any:
    return table.drop_columns(["ms"])


def contents(folder: Path) -> Dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def in_parts(manifest: Any, rows: int) -> Any:
    parts = pa.array([row // rows for row in range(manifest.num_rows)], pa.int32())
    return manifest.set_column(manifest.column_names.index("part"), "part", parts)


def walk() -> bytes:
    return (FIXTURES / "seanim" / "ok" / "walk.seanim").read_bytes()


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    """A folder with one good file."""
    return write_clip(tmp_path)


def write_clip(folder: Path) -> Path:
    (folder / "in" / "a").mkdir(parents=True)
    (folder / "in" / "a" / "walk.seanim").write_bytes(walk())
    return folder


# ---- 300 files


@posix
def test_a_batch_that_is_killed_continues_and_ends_with_the_same_table(
    tmp_path: Path, functions: str
) -> None:
    make_files(tmp_path / "in", 300)
    manifest = in_parts(batch.manifest(str(tmp_path / "in")), 20)
    limits: Dict[str, Any] = {"function": functions, "timeout": 1.5, "memory": 256}
    whole = options(tmp_path, target=str(tmp_path / "whole"), **limits)
    results = str(tmp_path / "whole-results")
    expected = batch.run(manifest, whole, results=results, processes=2, progress=False)

    counts = Counter(expected["status"].to_pylist())
    assert counts == {"ok": 297, "failed": 3, "timeout": 1, "killed": 1}
    assert expected["path"].to_pylist() == sorted(manifest["path"].to_pylist())
    rows = {row["path"]: row for row in expected.to_pylist()}
    hungry, endless = rows["3/hungry.seanim"], rows["3/endless.seanim"]
    assert (hungry["code"], hungry["message"]) == ("memory", "the worker used more than 256 MiB")
    assert (endless["code"], endless["message"]) == ("timeout", "not finished after 1.5 s")

    target, stored = tmp_path / "out", tmp_path / "results"
    workers, _ = start_and_kill(tmp_path, manifest, options(tmp_path, **limits), stored, parts=5)
    before = len(list(stored.glob("part-*.parquet")))
    assert 5 <= before < 16
    wait_for_end(workers)

    again = options(tmp_path, **limits)
    table = batch.run(manifest, again, results=str(stored), processes=2, progress=False)
    assert without_ms(table).equals(without_ms(expected))
    outputs = {name: data for name, data in contents(target).items() if not is_temporary(name)}
    assert outputs == contents(tmp_path / "whole")
    assert without_ms(batch.run(manifest, again, results=str(stored), progress=False)).equals(
        without_ms(expected)
    )


def is_temporary(name: str) -> bool:
    """Returns whether a killed batch left a file that it was writing."""
    return Path(name).name.startswith(".")


def start_and_kill(
    tmp_path: Path, manifest: Any, own: batch.Options, results: Path, parts: int, engine: str = "local"
) -> Tuple[List[Any], List[Any]]:
    """Runs a batch in a process that is killed after some parts.

    Returns the workers that it had, and other processes, which are of the engine.
    """
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(manifest, tmp_path / "manifest.parquet")
    script = (
        "import sys; from inbetween import batch\n"
        "if __name__ == '__main__':\n"
        f"    batch.run({str(tmp_path / 'manifest.parquet')!r}, batch.{own!r}, results={str(results)!r},"
        f" engine={engine!r}, processes=2, progress=False)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script]) as process:
        while len(list(results.glob("part-*.parquet"))) < parts and process.poll() is None:
            time.sleep(0.01)
        children = psutil.Process(process.pid).children(recursive=True)
        is_worker = {
            child: any("inbetween.batch.worker" in part for part in command_of(child)) for child in children
        }
        process.kill()
        assert process.wait() == -signal.SIGKILL
    return [it for it in children if is_worker[it]], [it for it in children if not is_worker[it]]


def command_of(process: Any) -> List[str]:
    try:
        found: List[str] = process.cmdline()
    except psutil.Error:
        found = []
    return found


def wait_for_end(processes: List[Any]) -> None:
    """Asserts that the workers of a killed batch end, even one that is busy for ever."""
    assert processes
    _, alive = psutil.wait_procs(processes, timeout=10)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


@posix
def test_ctrl_c_ends_a_batch_and_keeps_finished_rows(tmp_path: Path, functions: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a", "b", "c", "endless"):
        (folder / f"{name}.seanim").write_bytes(walk())
    own = options(tmp_path, function=functions)
    script = (
        "import signal, sys; from inbetween import batch\n"
        # A process in the background of a shell ignores it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"batch.run(batch.manifest({str(folder)!r}), batch.{own!r}, results={str(tmp_path / 'results')!r},"
        " processes=1, progress=False)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE) as process:
        while not (tmp_path / "out" / "c.animx").exists():
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) != 0
    (folder / "endless.seanim").unlink()
    (folder / "a.seanim").unlink()
    rows = run(tmp_path, function=functions)
    assert [row["path"] for row in rows] == ["b.seanim", "c.seanim"]
    assert [row["status"] for row in rows] == ["ok", "ok"]
    assert len(list((tmp_path / "results").glob("part-*.parquet"))) == 1


@posix
def test_dead_workers_cost_one_row_each(clips: Path, functions: str) -> None:
    for name in ("crash", "leave", "good"):
        (clips / "in" / f"{name}.seanim").write_bytes(walk())
    rows = {row["path"]: row for row in run(clips, function=functions)}
    assert {path: row["status"] for path, row in rows.items()} == {
        "a/walk.seanim": "ok",
        "crash.seanim": "killed",
        "good.seanim": "ok",
        "leave.seanim": "killed",
    }
    assert rows["crash.seanim"]["message"] == "the worker was ended by the signal SIGKILL"
    assert rows["leave.seanim"]["message"] == "the worker ended with exit code 7"
    assert {rows[name]["code"] for name in ("crash.seanim", "leave.seanim")} == {"worker-died"}


def test_a_function_that_cannot_be_loaded_ends_the_batch(clips: Path) -> None:
    with pytest.raises(RuntimeError, match="cannot load no_such_module"):
        run(clips, function="no_such_module:convert")


def test_workers_import_only_the_native_part() -> None:
    script = (
        "import inbetween.batch.worker, sys; print(sorted({'pyarrow', 'numpy', 'psutil'} & set(sys.modules)))"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert printed.stdout == "[]\n"


# ---- rows


def test_a_row_says_what_became_of_its_file(clips: Path) -> None:
    (clips / "in" / "nan.bvh").write_bytes((FIXTURES / "bvh" / "ok" / "nan-rotation.bvh").read_bytes())
    (clips / "in" / "short.seanim").write_bytes(walk()[:20])
    (clips / "in" / "text.txt").write_text("no animation")
    nan, short, good = sorted(run(clips), key=lambda row: ["partial", "failed", "ok"].index(row["status"]))
    assert good["out"] == "a/walk.animx"
    assert (good["format"], good["code"], good["message"]) == ("seanim", None, None)
    assert good["bytes"] == (clips / "out" / "a" / "walk.animx").stat().st_size
    converted = inbetween.convert(clips / "in" / "a" / "walk.seanim", "animx")
    assert (clips / "out" / "a" / "walk.animx").read_bytes() == converted.bytes
    assert [finding["code"] for finding in good["findings"]] == [it.code for it in converted.findings]
    assert good["losses"] == len(converted.losses)
    with pytest.raises(inbetween.ReadError) as raised:
        inbetween.read(clips / "in" / "short.seanim")
    assert (short["code"], short["message"]) == (raised.value.code, str(raised.value))
    assert str(raised.value.position) in short["place"]
    assert short["bytes"] is None
    assert "part-skipped" in [finding["code"] for finding in nan["findings"]]
    assert (clips / "out" / "nan.animx").exists()


def test_strict_refuses_losses(clips: Path) -> None:
    (row,) = run(clips, strict=True)
    assert (row["status"], row["code"]) == ("failed", "loss-refused")


def test_bytes_come_in_and_go_out_without_folders() -> None:
    table = pa.table({"path": ["walk.seanim", None], "data": pa.array([walk(), b"nothing"], pa.binary())})
    good, bad = batch.convert(table, batch.Options(to="animx")).to_pylist()
    assert (good["status"], good["out"]) == ("ok", "walk.animx")
    assert good["data"] == inbetween.convert(walk(), "animx").bytes
    assert (bad["status"], bad["code"], bad["data"]) == ("failed", "unknown-format", None)


def test_missing_inputs_and_folders_are_rows(clips: Path) -> None:
    (clips / "in" / "folder.seanim").mkdir()
    rows = run(clips, pa.table({"path": ["none.seanim", "folder.seanim", "a/walk.seanim"]}))
    assert [(row["path"], row["status"], row["code"]) for row in rows] == [
        ("a/walk.seanim", "ok", None),
        ("folder.seanim", "failed", "input"),
        ("none.seanim", "failed", "input"),
    ]
    assert rows[2]["message"] == "'none.seanim' does not exist"


@posix
def test_a_pipe_is_not_opened(clips: Path) -> None:
    os.mkfifo(clips / "in" / "pipe.seanim")
    (row,) = run(clips, pa.table({"path": ["pipe.seanim"]}))
    assert row["message"] == "'pipe.seanim' is not a file"


def test_a_target_that_cannot_be_written_is_a_row_error(clips: Path) -> None:
    (clips / "in" / "b.seanim").write_bytes(walk())
    (clips / "out").mkdir()
    (clips / "out" / "a").write_text("a file where a folder should be")
    first, second = run(clips)
    assert (first["path"], first["status"], first["code"]) == ("a/walk.seanim", "failed", "output")
    assert second["status"] == "ok"


def test_other_content_is_replaced_only_on_request(clips: Path) -> None:
    output = clips / "out" / "a" / "walk.animx"
    output.parent.mkdir(parents=True)
    output.write_text("precious")
    (row,) = run(clips)
    assert (row["status"], row["code"], output.read_text()) == ("skipped", "exists", "precious")
    (row,) = run(clips, overwrite=True, results=str(clips / "others"))
    assert row["status"] == "ok"
    (row,) = run(clips, results=str(clips / "more"))
    assert row["status"] == "ok"


def test_a_changed_file_is_converted_again(clips: Path) -> None:
    run(clips)
    path = clips / "in" / "a" / "walk.seanim"
    path.write_bytes((FIXTURES / "seanim" / "ok" / "additive.seanim").read_bytes())
    (row,) = run(clips, overwrite=True)
    assert row["size"] == path.stat().st_size
    assert (clips / "out" / "a" / "walk.animx").read_bytes() == inbetween.convert(path, "animx").bytes


def test_results_of_other_options_are_refused(clips: Path) -> None:
    run(clips)
    with pytest.raises(ValueError, match=r"other options \(to\)"):
        run(clips, to="bvh")


def test_the_command_converts_a_folder(clips: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--to", "animx", "--in", str(clips / "in"), "--out", str(clips / "out"), "--processes", "1"]
    assert command.main([*arguments, "--quiet"]) == 0
    printed = capsys.readouterr()
    assert (printed.out.split(";")[0], printed.err) == ("1 files: 1 ok", "")
    (clips / "in" / "short.seanim").write_bytes(walk()[:20])
    assert command.main(arguments) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("2 files: 1 failed, 1 ok;")
    assert "failed: short.seanim: " in printed.err
    assert command.main([*arguments, "--option", "no-such=1"]) == 2
    assert "unknown option no_such" in capsys.readouterr().err
    assert command.main([*arguments[:-2], "--in", str(clips / "none")]) == 3
    assert "cannot run" in capsys.readouterr().err
    for wrong in (["--engine", "abacus"], ["--option", "x"]):
        with pytest.raises(SystemExit) as ended:
            command.main([*arguments, *wrong])
        assert ended.value.code == 2
