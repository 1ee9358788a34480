"""How a batch converts files."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from .. import _native
from .._report import Error

CONVERT = "inbetween.batch.worker:convert"


@dataclass(frozen=True)
class Options:
    """How a batch converts files."""

    to: str
    """The id of the new format, or its extension."""
    source: Optional[str] = None
    """The folder of the inputs, or its URL. Not needed if the table has their bytes."""
    target: Optional[str] = None
    """The folder of the outputs, or its URL. Without it, ``convert`` returns the bytes."""
    strict: bool = False
    """Fail files whose conversion loses something."""
    allow: Tuple[str, ...] = ()
    """The codes of losses that ``strict`` allows."""
    axes: str = "auto"
    """The change of axes, as for ``inbetween.convert``."""
    unit: Union[str, float] = "auto"
    """The change of units, as for ``inbetween.convert``."""
    profile: Optional[str] = None
    """The program that the outputs are for."""
    format_options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the formats, by the names of the keyword arguments of ``inbetween.convert``."""
    timeout: float = 60.0
    """How long the conversion of a file may take, in seconds."""
    memory: int = 2048
    """How much resident memory a worker process may use, in MiB."""
    overwrite: bool = False
    """Replace outputs that exist with other content. Without it, such rows are ``skipped``."""
    function: str = CONVERT
    """What a worker process calls for a file, as ``module:name``; see ``inbetween.batch.worker``."""

    def __post_init__(self) -> None:
        # Engines run it in other folders.
        for name in ("source", "target"):
            folder = getattr(self, name)
            if folder is not None and "://" not in os.fspath(folder):
                object.__setattr__(self, name, os.path.abspath(folder))
        object.__setattr__(self, "allow", tuple(self.allow))
        object.__setattr__(self, "format_options", dict(self.format_options))

    @property
    def arguments(self) -> Dict[str, Any]:
        """The keyword arguments of ``inbetween.convert``."""
        names = ("to", "strict", "allow", "axes", "unit", "profile")
        return {**{name: getattr(self, name) for name in names}, **self.format_options}

    @property
    def extension(self) -> str:
        """The extension of the outputs, without a dot: the first one of the format.

        Raises ``ValueError`` if ``to`` is no format.
        """
        formats = {known.id: known for known in _native.formats()}
        name = self.to if self.to in formats else _native.format_of_extension(self.to)
        if name is None:
            raise ValueError(f"unknown format '{self.to}'; formats are {', '.join(formats)}")
        return formats[name].extensions[0]

    def check(self) -> None:
        """Raises ``ValueError`` if there is no such format or option, or a value is wrong."""
        if self.timeout <= 0 or self.memory <= 0:
            raise ValueError("timeout and memory must be more than 0")
        self.extension  # noqa: B018
        try:
            _native.convert(b"", **self.arguments)
        except Error:
            # Nothing can be converted from no bytes, but arguments are checked before.
            pass
        except (TypeError, LookupError) as error:
            raise ValueError(str(error)) from error

    def identity(self) -> Dict[str, Any]:
        """Returns what the outputs depend on, for comparisons with an earlier run."""
        fields = asdict(self)
        for name in ("timeout", "memory", "overwrite"):
            del fields[name]
        return fields
