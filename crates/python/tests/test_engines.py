"""Tests of batches of 2,000 files on each engine, and of object stores. Run them with ``-m heavy``.

``INBETWEEN_BATCH_FILES`` sets another number of files; ``cargo xtask ci batches`` takes 10,000.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

pa = pytest.importorskip("pyarrow")
psutil = pytest.importorskip("psutil")

from inbetween import batch  # noqa: E402
from test_batch import (  # noqa: E402
    FUNCTIONS,
    contents,
    in_parts,
    is_temporary,
    make_files,
    options,
    start_and_kill,
    wait_for_end,
    walk,
    without_ms,
)
from test_batch_paths import KEYS, gltf  # noqa: E402

pytestmark = pytest.mark.heavy

FILES = int(os.environ.get("INBETWEEN_BATCH_FILES", "2000"))
MODULES = {"local": "inbetween", "ray": "ray", "spark": "pyspark"}
ENGINES = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(not importlib.util.find_spec(module), reason=f"{module} is not installed"),
    )
    for name, module in MODULES.items()
]


@pytest.fixture
def limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dict[str, Any]:
    """Limits, and a function whose workers hang and eat memory."""
    folder = tmp_path / "functions"
    folder.mkdir()
    (folder / "batch_functions.py").write_text(FUNCTIONS)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    # Spark looks up the name of the machine, which a container may not have.
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    return {"function": "batch_functions:convert", "timeout": 3, "memory": 256}


@pytest.fixture
def files(tmp_path: Path, limits: Dict[str, Any]) -> Any:
    """The manifest of the files, in parts of 1/40."""
    make_files(tmp_path / "in", FILES)
    return in_parts(batch.manifest(str(tmp_path / "in")), max(FILES // 40, 1))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_killed_batch_continues_and_ends_with_the_table_of_the_local_engine(
    tmp_path: Path, files: Any, limits: Dict[str, Any], engine: str
) -> None:
    local = options(tmp_path, target=str(tmp_path / "local"), **limits)
    start = time.perf_counter()
    expected = batch.run(files, local, results=str(tmp_path / "local-results"), processes=2, progress=False)
    seconds = time.perf_counter() - start
    broken = sum(1 for number in range(FILES) if number % 100 == 50)
    counts = Counter(expected["status"].to_pylist())
    assert counts == {"ok": FILES - broken, "failed": broken, "timeout": 1, "killed": 1}

    whole = options(tmp_path, target=str(tmp_path / "whole"), **limits)
    start = time.perf_counter()
    table = batch.run(
        files, whole, results=str(tmp_path / "whole-results"), engine=engine, processes=2, progress=False
    )
    print(
        f"{FILES} files: local {seconds:.1f} s, {engine} {time.perf_counter() - start:.1f} s with its start"
    )
    assert without_ms(table).equals(without_ms(expected))
    assert contents(tmp_path / "whole") == contents(tmp_path / "local")

    stored = tmp_path / "results"
    own = options(tmp_path, **limits)
    workers, others = start_and_kill(tmp_path, files, own, stored, 15, engine)
    assert 15 <= len(list(stored.glob("part-*.parquet"))) < 40
    wait_for_end(workers)
    end(others)
    table = batch.run(files, own, results=str(stored), engine=engine, processes=2, progress=False)
    assert without_ms(table).equals(without_ms(expected))
    outputs = {name: data for name, data in contents(tmp_path / "out").items() if not is_temporary(name)}
    assert outputs == contents(tmp_path / "local")


def end(processes: List[Any]) -> None:
    """Ends what an engine leaves running for a while after its driver was killed."""
    _, alive = psutil.wait_procs(processes, timeout=5)
    for process in alive:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(alive, timeout=5)


# ---- object stores


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The query of URLs of a local server with the bucket ``clips``."""
    pytest.importorskip("moto.server")
    from pyarrow import fs

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    arguments = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        endpoint = f"127.0.0.1:{port}"
        store = fs.S3FileSystem(
            endpoint_override=endpoint, scheme="http", region="us-east-1", allow_bucket_creation=True
        )
        store.create_dir("clips")
        yield f"?endpoint_override={endpoint}&scheme=http&region=us-east-1"
    finally:
        server.kill()
        server.wait()


def wait_for_port(port: int) -> None:
    for _ in range(300):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the server did not start")


def test_a_bucket_is_converted_like_a_folder(tmp_path: Path, bucket: str, limits: Dict[str, Any]) -> None:
    from pyarrow import fs

    make_files(tmp_path / "in", 100)
    (tmp_path / "in" / "door.gltf").write_bytes(gltf("keys.bin"))
    (tmp_path / "in" / "keys.bin").write_bytes(KEYS)
    (tmp_path / "in" / "outside").mkdir()
    (tmp_path / "in" / "outside" / "door.gltf").write_bytes(gltf("../keys.bin"))
    local = options(tmp_path, **limits)
    files = batch.manifest(str(tmp_path / "in"))
    expected = batch.run(files, local, results=str(tmp_path / "results"), processes=2, progress=False)

    store, base = fs.FileSystem.from_uri(f"s3://clips/in{bucket}")
    fs.copy_files(str(tmp_path / "in"), base, destination_filesystem=store)
    source, target, results = (f"s3://clips/{name}{bucket}" for name in ("in", "out", "results"))
    manifest = batch.manifest(source, out=f"s3://clips/manifest.parquet{bucket}")
    assert manifest["path"].equals(files["path"])
    own = options(tmp_path, source=source, target=target, **limits)
    table = batch.run(
        f"s3://clips/manifest.parquet{bucket}", own, results=results, processes=2, progress=False
    )
    assert rows(table) == rows(expected)
    outputs = store.get_file_info(fs.FileSelector("clips/out", recursive=True))
    found = {
        info.path[len("clips/out/") :]: store.open_input_file(info.path).read()
        for info in outputs
        if info.type == fs.FileType.File
    }
    assert found == contents(tmp_path / "out")
    again = batch.run(manifest, own, results=results, progress=False)
    assert again.equals(table)


def rows(table: Any) -> List[Dict[str, Any]]:
    """Returns rows without the time of the file, which differs between a bucket and a folder."""
    found: List[Dict[str, Any]] = table.drop_columns(["ms", "mtime"]).to_pylist()
    return found


def test_a_bucket_that_is_missing_is_a_row_error(tmp_path: Path, bucket: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "walk.seanim").write_bytes(walk())
    own = options(tmp_path, target=f"s3://no-such-bucket/out{bucket}")
    (row,) = batch.run(
        pa.table({"path": ["walk.seanim"]}), own, results=str(tmp_path / "results"), progress=False
    ).to_pylist()
    assert (row["status"], row["code"]) == ("failed", "output")
