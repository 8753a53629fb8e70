"""Errors of trials that can't be loaded, as a line that names the file: made from pytest's report, and parsed again."""

import re
from pathlib import Path
from typing import NamedTuple

LOAD_ERROR = "The boss's trials can't be loaded: "
"""The beginning of a sandbox error if the trials are at fault."""
# Matches a frame of a traceback, such as "/bosses/toll-gate/trials/helpers.py:3: in <module>".
_FRAME = re.compile(r"^(.+\.py):(\d+): in ", re.MULTILINE)
# Matches the resulting line, such as "trials/helpers.py:3: NameError: ...".
_PLACE = re.compile(r"(trials/[^:]+\.py):(\d+): (.+)", re.DOTALL)


class LoadError(NamedTuple):
    """An error while a trial file, or a file that it imports, is imported.

    Attributes:
        file: The file's path within the pack.
        line: The line, counted from 1.
        message: The exception.
    """

    file: str
    line: int
    message: str


def describe_collect_error(report: str) -> str:
    """Describe in a line why a trial file can't be imported: the last place in the pack's files, and the exception."""
    error = report.strip().splitlines()[-1].removeprefix("E").strip()
    frames = _FRAME.findall(report)
    if not frames:
        return error
    path, line = frames[-1]
    return f"trials/{Path(path).name}:{line}: {error}"


def read_load_error(message: str) -> LoadError | None:
    """Parse the place and the exception from a sandbox error; None if that is about something else."""
    match = _PLACE.fullmatch(message.removeprefix(LOAD_ERROR)) if message.startswith(LOAD_ERROR) else None
    return LoadError(match[1], int(match[2]), match[3].rstrip(".")) if match else None
