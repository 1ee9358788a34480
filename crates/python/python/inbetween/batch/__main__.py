"""The command: ``python -m inbetween.batch``."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from typing import Any, Dict, List, Optional, TextIO, Tuple

EPILOG = """\
examples:
  python -m inbetween.batch --to glb --in clips --out converted
  python -m inbetween.batch --to seanim --in clips --out converted --strict --timeout 10
  python -m inbetween.batch --engine ray --to glb --in s3://bucket/clips --out s3://bucket/glb \\
      --results s3://bucket/results

exit codes: 0 all files are converted, 1 some are not, 2 wrong usage, 3 the batch cannot run.
Run the command again to continue a batch that was ended."""


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    it = argparse.ArgumentParser(
        prog="python -m inbetween.batch",
        description="Convert the animation files of a folder, each in a process with limits.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    it.add_argument("--to", required=True, metavar="FORMAT", help="convert to this format")
    it.add_argument("--in", required=True, dest="source", metavar="DIR", help="read this folder or URL")
    it.add_argument("--out", required=True, metavar="DIR", help="write to this folder or URL")
    it.add_argument("--engine", choices=("local", "ray", "spark"), default="local", help="run on this engine")
    it.add_argument("--manifest", metavar="FILE", help="convert the files of this manifest instead of all")
    it.add_argument("--pattern", help="convert the files whose paths match, such as **/*.seanim")
    it.add_argument("--results", metavar="DIR", help="store results here (default: .results in --out)")
    it.add_argument("--strict", action="store_true", help="fail files whose conversion loses something")
    it.add_argument(
        "--allow", action="append", default=[], metavar="CODE", help="allow this loss with --strict"
    )
    it.add_argument("--axes", default="auto", help="change the axes (default: auto)")
    it.add_argument("--unit", default="auto", help="change the unit (default: auto)")
    it.add_argument("--profile", help="write for this program")
    it.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=VALUE",
        help="set a format option",
    )
    it.add_argument("--overwrite", action="store_true", help="replace outputs with other content")
    it.add_argument(
        "--timeout", type=float, default=60.0, metavar="S", help="seconds for a file (default: 60)"
    )
    it.add_argument("--memory", type=int, default=2048, metavar="MIB", help="for a process (default: 2048)")
    it.add_argument("--processes", type=int, metavar="N", help="files at once (default: one per processor)")
    it.add_argument("--quiet", action="store_true", help="print no progress")
    return it


def _option(argument: str) -> Tuple[str, str]:
    name, separator, value = argument.partition("=")
    if not separator or not name:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, found '{argument}'")
    return name.replace("-", "_"), value


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command, and returns its exit code."""
    given = parser().parse_args(arguments)
    try:
        return _run(given)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        # Errors of libraries are subclasses.
        if type(error) is ValueError:
            complain(f"error: {error}")
            return 2
        # Engines raise anything. Their traces are long, and the last line says it.
        complain(f"error: the batch cannot run: {type(error).__name__}: {error}")
        return 3
    finally:
        complain()


def complain(*lines: str) -> None:
    """Prints lines on standard error, and what is in its buffer. Nothing happens if nobody reads it."""
    try:
        for line in lines:
            print(line, file=sys.stderr)
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Drops what is still in the buffer of a stream, which Python would write at its end, and fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _run(given: argparse.Namespace) -> int:
    from . import Options, manifest, run

    options = Options(to=given.to, source=given.source, target=given.out, **_fields(given))
    options.check()
    table = given.manifest or manifest(given.source, given.pattern)
    results = given.results or _below(given.out, ".results")
    rows = run(
        table,
        options,
        results=results,
        engine=given.engine,
        processes=given.processes,
        progress=not given.quiet,
    )
    counts = Counter(rows["status"].to_pylist())
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    try:
        print(f"{rows.num_rows} files: {summary or 'nothing to do'}; results are in {results}", flush=True)
    except OSError as error:
        silence(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            complain(f"error: the batch is finished, but its summary cannot be printed: {error}")
            return 3
    for row in rows.to_pylist():
        if row["status"] != "ok":
            complain(f"{row['status']}: {row['path']}: {row['message'] or 'a part was skipped'}")
    return 0 if counts["ok"] == rows.num_rows else 1


def _fields(given: argparse.Namespace) -> Dict[str, Any]:
    fields = {
        name: getattr(given, name) for name in ("strict", "axes", "profile", "overwrite", "timeout", "memory")
    }
    try:
        fields["unit"] = float(given.unit)
    except ValueError:
        fields["unit"] = given.unit
    return {**fields, "allow": tuple(given.allow), "format_options": dict(given.option)}


def _below(url: str, name: str) -> str:
    """Returns the URL of a folder in another one. The query of a URL stays at its end."""
    path, separator, query = url.partition("?") if "://" in url else (url, "", "")
    return f"{path.rstrip('/')}/{name}{separator}{query}"


if __name__ == "__main__":
    sys.exit(main())
