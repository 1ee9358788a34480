"""How far a batch is, on standard error."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Iterator, Optional, Type


class Progress:
    """A progress bar of tqdm, or a line on standard error without it."""

    def __init__(self, total: int, done: int, shown: bool) -> None:
        """``done`` of ``total`` files have results; nothing is printed if ``shown`` is false."""
        self.shown = shown
        self._total, self._done, self._failed = total, done, 0
        self._bar: Any = None
        if shown:
            try:
                from tqdm import tqdm
            except ImportError:
                return
            with self._printing():
                self._bar = tqdm(total=total, initial=done, unit="file")

    def update(self, rows: int, failed: int) -> None:
        """Counts finished rows, and those of them that are not ``ok``."""
        self._done += rows
        self._failed += failed
        with self._printing():
            if self._bar is not None:
                if failed:
                    self._bar.set_postfix({"not ok": self._failed}, refresh=False)
                self._bar.update(rows)
            elif self.shown and sys.stderr.isatty():
                print(f"\r{self._line()}", end="", file=sys.stderr, flush=True)

    @contextmanager
    def _printing(self) -> Iterator[None]:
        """Shows nothing from now on if standard error cannot be written. The batch goes on."""
        try:
            yield
        except OSError:
            self.shown = False
            if self._bar is not None:
                self._bar.disable = True

    def _line(self) -> str:
        return f"{self._done} of {self._total} files, {self._failed} not ok"

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        with self._printing():
            if self._bar is not None:
                self._bar.close()
            elif self.shown:
                start = "\r" if sys.stderr.isatty() else ""
                print(f"{start}{self._line()}", file=sys.stderr, flush=True)
