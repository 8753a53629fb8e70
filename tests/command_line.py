"""The command line within this process: what a test needs of a command, without a Python started for it."""

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from evalforge.cli.main import main

_TERMINAL = {"COLUMNS": "80", "LINES": "24"}
"""As wide as output is that goes to no terminal, however wide that of the person is who runs the tests."""


@dataclass(frozen=True)
class Ended:
    """How a command ended; named as ``subprocess`` names it, for the tests that start a process."""

    returncode: int
    stdout: str
    stderr: str


class _Stream(io.TextIOWrapper):
    """A standard stream that goes to no terminal and keeps what is written to it."""

    def __init__(self, errors: str) -> None:
        self.kept = io.BytesIO()
        super().__init__(self.kept, encoding="utf-8", errors=errors, newline="\n")

    def text(self) -> str:
        """All that was written."""
        self.flush()
        return self.kept.getvalue().decode("utf-8")


def run(*arguments: object, **environment: str) -> Ended:
    """Run one command to its end in the root folder; see ``run_in``."""
    return run_in(Path("/"), *arguments, **environment)


def run_in(folder: Path, *arguments: object, **environment: str) -> Ended:
    """Run one command to its end, with nothing to read.

    An exception that escapes it fails the test: that would have been a traceback.

    Args:
        folder: The working directory.
        arguments: Each as the words that ``str`` makes of it.
        environment: Variables besides those that are set.
    """
    out, err = _Stream("strict"), _Stream("backslashreplace")
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(folder), Path(os.devnull).open() as nothing:
        for name, value in {**_TERMINAL, **environment}.items():
            patch.setenv(name, value)
        for name, stream in (("stdin", nothing), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        status = main([str(argument) for argument in arguments])
    return Ended(status, out.text(), err.text())
