"""Lines in a file: a checksum, a blank, JSON, LF."""

import json
import os
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from .errors import JournalError


def to_line(change: Any) -> bytes:
    """The line of a change."""
    text = json.dumps(change, separators=(",", ":")).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(text), text)


def from_line(line: bytes) -> Any:
    """The change of a line, or None if the line is not sound."""
    text = line[9:-1]
    if line != b"%08x %s\n" % (zlib.crc32(text), text):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


class Journal:
    """The file of a journal. It is read once, and opened for writing when there is something to write."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._sound = 0
        self._file: BinaryIO | None = None

    def read(self, take: Callable[[Any], bool]) -> None:
        """Hand every change to a function, which refuses what can't be; stop before a torn end."""
        try:
            file = open(self._path, "rb")
        except FileNotFoundError:
            return
        with file:
            number = 0
            while line := file.readline():
                number += 1
                change = from_line(line)
                if change is None or not take(change):
                    if file.read(1):
                        raise JournalError(number)
                    break
                self._sound += len(line)

    def write(self, change: Any) -> None:
        """Write a change behind the last sound line."""
        if self._file is None:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o666)
            self._file = open(descriptor, "wb", buffering=0)
        line = to_line(change)
        self._file.truncate(self._sound)
        self._file.seek(self._sound)
        self._file.write(line)
        self._sound += len(line)

    def close(self) -> None:
        """Close the file, if it was opened."""
        if self._file is not None:
            self._file.close()
            self._file = None
