"""The engine of one machine: threads, each with a worker process."""

from __future__ import annotations

import threading
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pyarrow as pa

from .options import Options
from .progress import Progress
from .results import Results
from .rows import Slot, results_table


def run(parts: List[pa.Table], options: Options, results: str, processes: int, progress: Progress) -> None:
    """Converts the parts of a manifest, and stores their results."""
    batch = _Batch(parts, options, Results(results), progress)
    threads = [threading.Thread(target=batch.work, daemon=True) for _ in range(processes)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            # A join without a timeout would not see Ctrl-C on Windows.
            while thread.is_alive():
                thread.join(0.2)
    finally:
        batch.end()
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

    def work(self) -> None:
        """Converts rows until none is left."""
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

    def _add(self, number: int, index: int, result: Dict[str, Any]) -> None:
        with self._lock:
            # The end of a batch kills workers, which is no result of their files.
            if self._ended:
                return
            done = self._done.setdefault(number, {})
            done[index] = result
            self._progress.update(1, int(result["status"] != "ok"))
            is_complete = len(done) == self._parts[number].num_rows
        if is_complete:
            self._store(number)

    def _store(self, number: int) -> None:
        done = self._done.pop(number)
        table = results_table([done[index] for index in sorted(done)], self._options)
        self._results.write(self._parts[number]["part"][0].as_py(), table)

    def end(self) -> None:
        """Ends the workers, and stores the results of parts that are not complete."""
        with self._lock:
            self._ended = True
        for slot in self._slots:
            slot.close()
        for number in list(self._done):
            self._store(number)
