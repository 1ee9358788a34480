"""Measures the package beside pure Python: ``python benches/speed.py``.

Everything runs in one process, in turns; figures are ratios of medians.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Callable

import numpy as np
import seanim_reader

import inbetween
from inbetween import batch

BONES, FRAMES = 100, 12_000


def clip(bones: int, frames: int) -> inbetween.Document:
    """Returns a clip with positions and rotations of all bones on all frames."""
    numbers = np.random.default_rng(1)
    times = np.arange(frames) / 30
    tracks = {}
    for bone in range(bones):
        tracks[f"bone_{bone}/Position"] = (times, numbers.normal(size=(frames, 3)).astype(np.float32))
        turns = numbers.normal(size=(frames, 4)).astype(np.float32)
        tracks[f"bone_{bone}/Rotation"] = (times, turns / np.linalg.norm(turns, axis=1, keepdims=True))
    return inbetween.Document.from_arrays(tracks, frame_rate=30)


def medians(*work: Callable[[], object], rounds: int = 5) -> list[float]:
    """Returns the median seconds of each piece of work."""
    times: list[list[float]] = [[] for _ in work]
    for _ in range(rounds):
        for piece, taken in zip(work, times):
            start = time.perf_counter()
            piece()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def reading() -> None:
    """Reading a SEAnim file of 35 MiB, to pure Python."""
    data = clip(BONES, FRAMES).write("seanim").bytes
    assert len(seanim_reader.read(data)) == BONES
    own, pure = medians(lambda: inbetween.read(data), lambda: seanim_reader.read(data), rounds=3)
    size = len(data) / 2**20
    print(f"read {size:.0f} MiB of SEAnim: {own * 1e3:.1f} ms, {pure / own:.0f} times as fast as pure Python")
    document = inbetween.read(data)
    views = [track.values for track in document.clips[0].tracks]
    again = [track.values for track in document.clips[0].tracks]
    assert all(
        one.__array_interface__["data"] == other.__array_interface__["data"]
        for one, other in zip(views, again)
    )


def sampling() -> None:
    """Sampling 100 tracks at 1,000 times."""
    walk = clip(50, 300).clips[0]
    times = np.linspace(0, 10, 1000)
    (own,) = medians(lambda: walk.sample(times), rounds=9)
    print(f"sample 100 tracks at 1,000 times: {own * 1e3:.2f} ms")


def batches() -> None:
    """A batch of 2,000 AnimJ files, which take some 5 ms each, in one and in two processes."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in")
        source.mkdir()
        data = clip(30, 300).write("animj").bytes
        for index in range(2000):
            (source / f"{index:04}.animj").write_bytes(data)
        manifest = batch.manifest(str(source))

        def run(processes: int) -> Callable[[], object]:
            target = Path(folder, f"out{processes}-{time.time_ns()}")
            options = batch.Options(to="animx", source=str(source), target=str(target))
            results = str(target) + "-results"
            return lambda: batch.run(manifest, options, results=results, processes=processes, progress=False)

        one, two = medians(run(1), run(2), rounds=1)
        print(f"batch of 2,000 files: {one:.1f} s with one process, {one / two:.2f} times as fast with two")


if __name__ == "__main__":
    reading()
    sampling()
    batches()
