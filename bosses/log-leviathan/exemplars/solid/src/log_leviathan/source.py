"""Where lines come from."""

import io
import sys
from collections.abc import Iterator


def text_of(stream) -> Iterator[str]:
    """The lines of a binary stream, without their ends, blank ones left out."""
    for line in io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline="\n"):
        bare = line.removesuffix("\n").removesuffix("\r")
        if bare.strip(" "):
            yield bare


def lines_of(paths: list) -> Iterator[str]:
    """The lines of all files, or of standard input."""
    if not paths:
        yield from text_of(sys.stdin.buffer)
    for path in paths:
        with open(path, "rb") as file:
            yield from text_of(file)
