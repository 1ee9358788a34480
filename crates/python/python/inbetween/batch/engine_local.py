"""The engine of one machine: threads, each with a worker process."""

from __future__ import annotations

import threading
import time
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pyarrow as pa

from .options import Options
from .progress import Progress
from .results import Results
from .rows import Slot, results_table

_END_SECONDS = 5.0


def run(parts: List[pa.Table], options: Options, results: str, processes: int, progress: Progress) -> None:
    """Converts the parts of a manifest, and stores their results."""
    batch = _Batch(parts, options, Results(results), progress)
    # Not `Thread.join`: after Ctrl-C, Python 3.11 takes the thread that it waited for as ended.
    ends = [threading.Event() for _ in range(processes)]
    for end in ends:
        threading.Thread(target=batch.work, args=(end,), daemon=True).start()
    try:
        for end in ends:
            # Without a timeout, this would not see Ctrl-C on Windows.
            while not end.wait(0.2):
                pass
    finally:
        batch.end()
        # A thread that writes a file would otherwise leave a part of it under a temporary name.
        deadline = time.monotonic() + _END_SECONDS
        for end in ends:
            end.wait(max(deadline - time.monotonic(), 0))
    if batch.error is not None:
        raise batch.error


class _Batch:
    """The rows of some parts, shared by threads."""

    def __init__(self, parts: List[pa.Table], options: Options, results: Results, progress: Progress) -> None:
        self._parts, self._options, self._results, self._progress = parts, options, results, progress
        self._lock = threading.Lock()
        self._rows = self._all_rows()
        self._done: Dict[int, Dict[int, Dict[str, Any]]] = {}
        self._slots: List[Slot] = []
        self._ended = False
        self.error: Optional[BaseException] = None

    def _all_rows(self) -> Iterator[Tuple[int, int, Dict[str, Any]]]:
        for number, part in enumerate(self._parts):
            for index, row in enumerate(part.to_pylist()):
                yield number, index, row

    def work(self, end: threading.Event) -> None:
        """Converts rows until none is left, and sets an event at the end."""
        try:
            slot = Slot(self._options)
            with self._lock:
                self._slots.append(slot)
            while True:
                with self._lock:
                    row = None if self._ended or self.error else next(self._rows, None)
                if row is None:
                    break
                self._add(row[0], row[1], slot.convert(row[2]))
            slot.close()
        except BaseException as error:
            self.error = self.error or error
        finally:
            end.set()

    def _add(self, number: int, index: int, result: Dict[str, Any]) -> None:
        with self._lock:
            # The end of a batch kills workers, which is no result of their files.
            if self._ended:
                return
            done = self._done.setdefault(number, {})
            done[index] = result
            self._progress.update(1, int(result["status"] != "ok"))
            if len(done) < self._parts[number].num_rows:
                return
            del self._done[number]
        self._store(number, done)

    def _store(self, number: int, done: Dict[int, Dict[str, Any]]) -> None:
        table = results_table([done[index] for index in sorted(done)], self._options)
        self._results.write(self._parts[number]["part"][0].as_py(), table)

    def end(self) -> None:
        """Ends the workers, and stores the results of parts that are not complete."""
        with self._lock:
            self._ended = True
            remaining, self._done = self._done, {}
        for slot in self._slots:
            slot.close()
        for number, done in remaining.items():
            try:
                self._store(number, done)
            except (OSError, pa.ArrowException) as error:
                # The others may be smaller, or elsewhere.
                self.error = self.error or error
