"""The command line, and where the summary goes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from log_leviathan.source import lines_of
from log_leviathan.tally import summary_of

FAILED, MISUSED = 1, 2


class Wanted(NamedTuple):
    """What a call asks for."""

    paths: tuple[str, ...] = ()
    top: int = 5
    output: str | None = None


class UsageError(Exception):
    """A call that makes no sense."""


def whole(text: str) -> int:
    """A whole number of 0 or more.

    Raises:
        UsageError: It is none.
    """
    if not (text.isascii() and text.isdigit()):
        raise UsageError(f"--top takes a whole number of 0 or more, not {text}")
    return int(text)


def wanted(words: Sequence[str]) -> Wanted:
    """Read the command line; options may stand anywhere.

    Raises:
        UsageError: An option is unknown, or its value is missing or senseless.
    """
    given, rest = Wanted(), list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            given = given._replace(paths=(*given.paths, word))
        elif word not in ("--top", "--output") or not rest:
            raise UsageError(f"{word} is unknown, or lacks a value")
        elif word == "--top":
            given = given._replace(top=whole(rest.pop(0)))
        else:
            given = given._replace(output=rest.pop(0))
    return given


def deliver(text: str, path: str | None) -> None:
    """Write the summary to its place.

    Raises:
        OSError: There is no such place.
    """
    if path is None:
        sys.stdout.write(text)
        return
    with Path(path).open("w", encoding="utf-8") as file:
        file.write(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one summary; the result is the exit status."""
    try:
        given = wanted(sys.argv[1:] if arguments is None else arguments)
        summary = summary_of(lines_of(given.paths, sys.stdin.buffer), given.top)
        deliver(json.dumps(summary) + "\n", given.output)
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return MISUSED
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
        return FAILED
    return 0
