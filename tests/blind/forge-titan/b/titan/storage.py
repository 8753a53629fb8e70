"""Where records are kept."""

import json
import os
import zlib
from collections.abc import Callable
from typing import Any, Protocol

from titan.errors import JournalError


class Storage(Protocol):
    """Keeps records."""

    def replay(self, accept: Callable[[Any], bool]) -> None:
        """Hand over all records, one by one."""

    def append(self, record: Any) -> None:
        """Keep one more."""


def encode(record: Any) -> bytes:
    """The line of a record."""
    body = json.dumps(record).encode()
    return b"%d %s\n" % (zlib.crc32(body), body)


def decode(line: bytes) -> Any:
    """The record of a line, or None if it is not sound."""
    _, _, body = line.rstrip(b"\n").partition(b" ")
    if line != b"%d %s\n" % (zlib.crc32(body), body):
        return None
    try:
        return json.loads(body)
    except ValueError:
        return None


class FileStorage:
    """Keeps records in a file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._end = 0

    def replay(self, accept: Callable[[Any], bool]) -> None:
        """Hand over all sound records; a torn one at the end is left out."""
        if not os.path.exists(self._path):
            return
        with open(self._path, "rb") as file:
            for number, line in enumerate(file, start=1):
                record = decode(line)
                if record is None or not accept(record):
                    if file.readline():
                        raise JournalError(number)
                    return
                self._end += len(line)

    def append(self, record: Any) -> None:
        """Write one more line."""
        line = encode(record)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        with open(descriptor, "r+b") as file:
            file.truncate(self._end)
            file.seek(self._end)
            file.write(line)
        self._end += len(line)


class MemoryStorage:
    """Keeps records in a list; for tests of the rules."""

    def __init__(self) -> None:
        self.records: list[Any] = []

    def replay(self, accept: Callable[[Any], bool]) -> None:
        """Hand over all records."""
        for number, record in enumerate(self.records, start=1):
            if not accept(record):
                raise JournalError(number)

    def append(self, record: Any) -> None:
        """Keep one more."""
        self.records.append(record)


def replace_text(path: str, text: str) -> None:
    """Put a text in the place of a file."""
    new = f"{path}.{os.getpid()}.part"
    try:
        with open(new, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(new, path)
    except OSError:
        if os.path.exists(new):
            os.remove(new)
        raise
