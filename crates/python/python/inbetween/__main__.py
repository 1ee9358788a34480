"""The command line: ``python -m inbetween``, and the script ``inbetween``."""

import os
import sys

from ._native import run_command


def main() -> None:
    """Runs the command of the arguments, and ends the process with its exit code."""
    code = run_command(sys.argv[1:])
    # The command has written everything; what Python does at its end could only add to it.
    os._exit(code)


if __name__ == "__main__":
    main()
