"""Tests of the functions that write files: they keep the old file if the new one cannot be written."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import List

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("psutil")

import pyarrow.parquet as pq
from pyarrow import fs

import inbetween.arrow
from inbetween.batch.paths import Folder
from test_batch import posix

OLD = b"an old file"

WRITERS = {
    "Document.save": "document.save(folder / 'file.animj')",
    "Converted.save": "document.write('animj').save(folder / 'file.animj')",
    "Svg.save": "inbetween.plot(document).save(folder / 'file.animj')",
    "manifest": "batch.manifest(str(folder), out=str(folder / 'file.parquet'))",
    "to_parquet": "inbetween.arrow.to_parquet(inbetween.arrow.tables([document]), folder)",
}


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
@pytest.mark.parametrize("writer", WRITERS)
def test_a_writer_that_fails_keeps_the_old_file(tmp_path: Path, walk: Path, writer: str) -> None:
    old = {name: OLD for name in ("file.animj", "file.parquet", "files.parquet")}
    for name, data in old.items():
        (tmp_path / name).write_bytes(data)
    script = (
        "import resource, sys; from pathlib import Path\n"
        "import inbetween, inbetween.arrow; from inbetween import batch\n"
        "document, folder = inbetween.read(sys.argv[1]), Path(sys.argv[2])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        f"try:\n    {WRITERS[writer]}\nexcept OSError as error:\n    print(error.errno, error)\n"
    )
    line = [sys.executable, "-c", script, str(walk), str(tmp_path)]
    ran = subprocess.run(line, capture_output=True, text=True, check=True)
    assert "File too large" in ran.stdout
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == old


@posix
def test_saving_keeps_links_permissions_and_pipes(tmp_path: Path, walk: Path) -> None:
    document = inbetween.read(walk)
    target, link, pipe = (tmp_path / name for name in ("file.animj", "link.animj", "pipe"))
    target.write_bytes(OLD)
    target.chmod(0o640)
    link.symlink_to(target)
    document.save(link)
    assert link.is_symlink()
    assert target.read_bytes() == document.write("animj").bytes
    assert target.stat().st_mode & 0o777 == 0o640
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    document.save(pipe, to="animj")
    assert os.read(reader, 1 << 16) == target.read_bytes()
    os.close(reader)
    assert sorted(os.listdir(tmp_path)) == ["file.animj", "link.animj", "pipe"]


def test_temporary_files_of_killed_processes_are_removed_later(tmp_path: Path, walk: Path) -> None:
    old, recent = (tmp_path / f".inbetween-aB3dE{number}.tmp" for number in (6, 7))
    for path in (old, recent):
        path.write_bytes(b"half")
    os.utime(old, (1, 1))
    inbetween.read(walk).save(tmp_path / "file.animj")
    assert sorted(os.listdir(tmp_path)) == [recent.name, "file.animj"]


def test_a_file_system_without_our_own_writer_keeps_no_part(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    folder.filesystem, folder.base = fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), "out"
    folder.is_local = False
    folder.put("file", b"new")
    assert (tmp_path / "out" / "file").read_bytes() == b"new"
    # A file cannot replace a folder.
    (tmp_path / "out" / "folder" / "inside").mkdir(parents=True)
    with pytest.raises(OSError):
        folder.put("folder", b"new")
    assert sorted(os.listdir(tmp_path / "out")) == ["file", "folder"]


@posix
def test_two_writers_of_tables_leave_whole_ones(tmp_path: Path, walk: Path) -> None:
    tables = [inbetween.arrow.tables({name: walk}) for name in ("one", "other")]
    inbetween.arrow.to_parquet(tables[0], tmp_path)
    errors: List[BaseException] = []

    def write(own: inbetween.arrow.Tables) -> None:
        try:
            for _ in range(40):
                inbetween.arrow.to_parquet(own, tmp_path)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(own,)) for own in tables]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        found = pq.read_table(io.BytesIO((tmp_path / "tracks.parquet").read_bytes()))
        assert any(found.equals(own.tracks) for own in tables)
    assert errors == []
    assert sorted(os.listdir(tmp_path)) == ["files.parquet", "findings.parquet", "tracks.parquet"]
