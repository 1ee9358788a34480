"""Folders on this machine and in object stores, and paths that stay inside them."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import PurePosixPath

import pyarrow as pa
from pyarrow import fs

from .. import _native

_DRIVE = re.compile(r"[A-Za-z]:")
_OBJECT_STORES = ("s3", "gcs", "abfs")


class PathRefused(ValueError):
    """A path leaves its folder, or is none."""


def checked(path: str) -> str:
    """Returns a path relative to a folder, with ``/`` between names and without ``.``.

    Raises ``PathRefused`` if it is absolute, has ``..``, a drive, a scheme, a backslash or a control
    character.
    """
    if not path or path.startswith("/") or "\\" in path or "://" in path or _DRIVE.match(path):
        raise PathRefused(f"{path!r} is no relative path with / between names")
    if any(ord(letter) < 32 or letter == "\x7f" for letter in path):
        raise PathRefused(f"{path!r} has a control character")
    names = [name for name in path.split("/") if name not in ("", ".")]
    if not names or ".." in names or path.endswith("/"):
        raise PathRefused(f"{path!r} is no path of a file inside the folder")
    return "/".join(names)


class OtherContent(OSError):
    """A file exists with other content."""


class Folder:
    """A folder on this machine or in an object store."""

    def __init__(self, url: str) -> None:
        """``url`` is a path, or a URL of ``pyarrow.fs`` such as ``s3://bucket/folder``."""
        if "://" in url:
            self.filesystem, base = fs.FileSystem.from_uri(url)
        else:
            self.filesystem, base = fs.LocalFileSystem(), os.path.abspath(url)
        self.is_local = isinstance(self.filesystem, fs.LocalFileSystem)
        self.base: str = base if base == "/" else base.rstrip("/")

    def path(self, relative: str) -> str:
        """Returns the path of a file in the filesystem."""
        return f"{self.base}/{relative}" if self.base != "/" else f"/{relative}"

    def check_inside(self, relative: str, folder: str = "") -> None:
        """Raises ``PathRefused`` if links of this machine lead outside of the folder inside this one."""
        if not self.is_local:
            return
        base = os.path.realpath(self.path(folder) if folder else self.base)
        real = os.path.realpath(self.path(relative))
        if real != base and not real.startswith(base.rstrip(os.sep) + os.sep):
            raise PathRefused(f"'{relative}' is a link that leaves the folder")

    def read(self, relative: str, limit: int) -> bytes:
        """Returns the bytes of a file.

        Raises ``OSError``: ``FileNotFoundError``, or another one if it is no file or has more bytes
        than the limit.
        """
        path = self.path(relative)
        info = self.filesystem.get_file_info(path)
        if info.type == fs.FileType.NotFound:
            raise FileNotFoundError(f"'{relative}' does not exist")
        # Opening a pipe or a device could block for ever.
        if info.type != fs.FileType.File:
            raise OSError(f"'{relative}' is not a file")
        if info.size > limit:
            raise OSError(f"'{relative}' has {info.size} bytes, more than the memory limit of a worker")
        with self.filesystem.open_input_file(path) as file:
            data: bytes = file.read()
        return data

    def neighbor(self, relative: str, name: str, limit: int) -> bytes:
        """Returns the bytes of a file in the folder of a file, or below it.

        Raises ``PathRefused`` if it is elsewhere, and ``OSError`` like ``read``.
        """
        parent = str(PurePosixPath(relative).parent)
        beside = checked(name) if parent == "." else f"{parent}/{checked(name)}"
        self.check_inside(beside, "" if parent == "." else parent)
        return self.read(beside, limit)

    def write(self, relative: str, data: bytes, overwrite: bool) -> None:
        """Writes a file completely or not at all. The same content is not written again.

        Raises ``OtherContent`` if that exists and ``overwrite`` is false, and ``OSError``.
        """
        path = self.path(relative)
        info = self.filesystem.get_file_info(path)
        if info.type == fs.FileType.Directory:
            raise OSError(f"'{relative}' is a folder")
        if info.type == fs.FileType.File:
            if info.size == len(data) and self.read(relative, len(data)) == data:
                return
            if not overwrite:
                raise OtherContent(f"'{relative}' exists with other content")
        self._put(path, data)

    def _put(self, path: str, data: bytes) -> None:
        if self.is_local:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _native.save(path, data)
            return
        # Objects appear when the stream is closed.
        temporary = path
        if self.filesystem.type_name not in _OBJECT_STORES:
            parent, _, name = path.rpartition("/")
            self.filesystem.create_dir(parent, recursive=True)
            temporary = f"{parent}/.{name}.{secrets.token_hex(4)}.part"
        try:
            with self.filesystem.open_output_stream(temporary) as stream:
                stream.write(data)
            if temporary != path:
                self.filesystem.move(temporary, path)
        except (OSError, pa.ArrowException):
            if temporary != path:
                with contextlib.suppress(OSError, pa.ArrowException):
                    self.filesystem.delete_file(temporary)
            raise

    def put(self, relative: str, data: bytes) -> None:
        """Writes a file, and replaces one that exists."""
        self._put(self.path(relative), data)

    def get(self, relative: str) -> bytes | None:
        """Returns the bytes of a file, or ``None`` if there is none."""
        with contextlib.suppress(FileNotFoundError):
            return self.read(relative, 1 << 62)
        return None
