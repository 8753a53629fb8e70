"""Where lines come from: any number of binary streams, read piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

PIECE = 1 << 16


def cut(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines that pieces of any size make up, without their ends."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from (line.removesuffix(b"\r") for line in whole)
    if rest:
        yield rest.removesuffix(b"\r")


def pieces_of(stream: BinaryIO) -> Iterator[bytes]:
    """A stream, a piece at a time."""
    return iter(partial(stream.read, PIECE), b"")


def lines_of(paths: Sequence[str], stdin: BinaryIO) -> Iterator[bytes]:
    """The lines of all files, or of standard input where there are none.

    Raises:
        OSError: A file can't be read.
    """
    if not paths:
        yield from cut(pieces_of(stdin))
    for path in paths:
        with Path(path).open("rb") as stream:
            yield from cut(pieces_of(stream))
