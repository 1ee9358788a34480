"""The worker processes of a batch, and the limits that they run under."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from typing import Any, BinaryIO, Callable, Dict, Optional, cast

import psutil

from .wire import Message, receive, send

_START_SECONDS = 60.0
_POLL_SECONDS = 0.02
_MIB = 1 << 20


class WorkerEnded(Exception):
    """A worker was killed or died while it converted a file."""

    def __init__(self, status: str, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class Worker:
    """A worker process, which is started when it is needed and replaced when it ended.

    Only one thread may call it.
    """

    def __init__(self, function: str, memory: int) -> None:
        """``function`` is what it calls, as ``module:name``; ``memory`` is its limit in MiB."""
        self._function = function
        self._memory = memory
        self._process: Optional[_Process] = None

    def call(
        self, header: Dict[str, Any], data: bytes, timeout: float, neighbors: Callable[[str], bytes]
    ) -> Message:
        """Sends a file, and returns the answer. ``timeout`` is in seconds.

        ``neighbors`` may raise ``OSError`` or ``ValueError``, which the worker gets as an error.

        Raises ``WorkerEnded``, and ``RuntimeError`` if no worker can be started.
        """
        process = self._process
        # A system without memory also ends workers that wait for their next file.
        if process is None or process.has_ended():
            self.close()
            process = self._process = self._start()
        try:
            reply = process.exchange(header, data, timeout, neighbors)
        except WorkerEnded:
            self.close()
            raise
        # Memory that an allocator keeps would count for the next file.
        if process.is_spent():
            self.close()
        return reply

    def _start(self) -> _Process:
        try:
            process = _Process(self._function, self._memory)
        except OSError as error:
            raise RuntimeError(f"cannot start a worker process: {error}") from error
        try:
            reply, _ = process.exchange(None, b"", _START_SECONDS, _no_neighbors)
        except WorkerEnded as error:
            process.close()
            raise RuntimeError(f"cannot start a worker process: {error}") from error
        if "error" in reply:
            process.close()
            raise RuntimeError(f"cannot start a worker process: {reply['error']}")
        return process

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.close()


def _no_neighbors(path: str) -> bytes:
    raise FileNotFoundError(path)


class _Process:
    """A running worker, watched by a thread that kills it at its limits."""

    def __init__(self, function: str, memory: int) -> None:
        # The path replaces that of the new interpreter before it imports anything, so that it finds
        # what this one finds, and nothing in the current folder.
        start = f"import sys; sys.path[:] = {[path for path in sys.path if path]!r}; "
        start += f"from inbetween.batch.worker import main; main({function!r})"
        self._child = subprocess.Popen(
            [sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._watched = psutil.Process(self._child.pid)
        self._limit = memory * _MIB
        self._memory = memory
        self._lock = threading.Lock()
        self._busy = threading.Event()
        self._closing = False
        self._deadline = 0.0
        self._timeout = 0.0
        self._verdict: Optional[WorkerEnded] = None
        threading.Thread(target=self._watch, daemon=True).start()

    def exchange(
        self,
        header: Optional[Dict[str, Any]],
        data: bytes,
        timeout: float,
        neighbors: Callable[[str], bytes],
    ) -> Message:
        """Sends a request, if there is one, and returns the answer."""
        stdin, stdout = cast(BinaryIO, self._child.stdin), cast(BinaryIO, self._child.stdout)
        with self._lock:
            self._timeout, self._deadline = timeout, time.monotonic() + timeout
            self._busy.set()
        try:
            if header is not None:
                send(stdin, header, data)
            while True:
                reply, payload = receive(stdout, self._limit)
                if "neighbor" not in reply:
                    return reply, payload
                try:
                    content = neighbors(reply["neighbor"])
                except (OSError, ValueError) as error:
                    send(stdin, {"error": str(error)})
                else:
                    send(stdin, {}, content)
        except (EOFError, OSError, ValueError) as error:
            raise self._ended(error) from error
        finally:
            with self._lock:
                self._busy.clear()

    def _ended(self, error: Exception) -> WorkerEnded:
        with self._lock:
            if self._verdict is not None:
                return self._verdict
        if isinstance(error, ValueError):
            return WorkerEnded("killed", "worker-died", f"the worker sent no answer: {error}")
        try:
            code = self._child.wait(_START_SECONDS)
        except subprocess.TimeoutExpired:
            return WorkerEnded("killed", "worker-died", "the worker closed its output")
        if code >= 0:
            return WorkerEnded("killed", "worker-died", f"the worker ended with exit code {code}")
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = str(-code)
        return WorkerEnded("killed", "worker-died", f"the worker was ended by the signal {name}")

    def has_ended(self) -> bool:
        return self._child.poll() is not None

    def is_spent(self) -> bool:
        """Returns whether it ended, or has more than half of its memory in use between two files."""
        try:
            return self._verdict is not None or self._watched.memory_info().rss > self._limit // 2
        except psutil.Error:
            return True

    def _watch(self) -> None:
        while True:
            self._busy.wait()
            with self._lock:
                if self._closing:
                    return
                if self._busy.is_set():
                    self._verdict = self._verdict or self._judge()
                    if self._verdict is not None:
                        self._child.kill()
                        return
            time.sleep(_POLL_SECONDS)

    def _judge(self) -> Optional[WorkerEnded]:
        """Returns the limit that the worker exceeds."""
        if time.monotonic() > self._deadline:
            return WorkerEnded("timeout", "timeout", f"not finished after {self._timeout:g} s")
        try:
            resident = self._watched.memory_info().rss
        except psutil.Error:
            # It died; the exchange sees the end of its output.
            return None
        if resident > self._limit:
            return WorkerEnded("killed", "memory", f"the worker used more than {self._memory} MiB")
        return None

    def close(self) -> None:
        """Kills the process."""
        with self._lock:
            self._closing = True
            self._child.kill()
            self._busy.set()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            # What was not sent cannot be flushed.
            with contextlib.suppress(OSError):
                cast(BinaryIO, stream).close()
