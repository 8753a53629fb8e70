"""Why trials can't be loaded, in a line that names the file: as pytest reports it, and as others read it again."""

import re
from pathlib import Path
from typing import NamedTuple

LOAD_ERROR = "The boss's trials can't be loaded: "
"""What an error of the sandbox begins with where the trials are at fault."""
# A frame of a traceback, as in "/bosses/toll-gate/trials/helpers.py:3: in <module>".
_FRAME = re.compile(r"^(.+\.py):(\d+): in ", re.MULTILINE)
# What is made of it, as in "trials/helpers.py:3: NameError: ...".
_PLACE = re.compile(r"(trials/[^:]+\.py):(\d+): (.+)", re.DOTALL)


class LoadError(NamedTuple):
    """A trial file, or one that it imports, that fails while it is imported.

    Attributes:
        file: The file within the pack.
        line: The line, counted from 1.
        message: The exception.
    """

    file: str
    line: int
    message: str


def describe_collect_error(report: str) -> str:
    """One line for a trial file that pytest can't import: the last place in the pack's files, and the exception.

    Args:
        report: The report, as long as pytest writes it.
    """
    error = report.strip().splitlines()[-1].removeprefix("E").strip()
    frames = _FRAME.findall(report)
    if not frames:
        return error
    path, line = frames[-1]
    return f"trials/{Path(path).name}:{line}: {error}"


def read_load_error(message: str) -> LoadError | None:
    """The place and the exception in an error of the sandbox; None if that is about something else."""
    match = _PLACE.fullmatch(message.removeprefix(LOAD_ERROR)) if message.startswith(LOAD_ERROR) else None
    return LoadError(match[1], int(match[2]), match[3].rstrip(".")) if match else None
