"""Lines with a checksum, and the file they stand in."""

import json
import os
import zlib

from .book import TitanError


class JournalError(TitanError):
    """The journal is damaged; `line` says where."""

    status = 6

    def __init__(self, line):
        super().__init__(f"the journal is damaged in line {line}")
        self.line = line


def to_line(record):
    """A record as a line."""
    body = json.dumps(record, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)


def from_line(line):
    """The record of a line; ValueError if it is not sound."""
    if line[8:9] != b" " or line[:8] != b"%08x" % zlib.crc32(line[9:]):
        raise ValueError("checksum")
    return json.loads(line[9:])


class Journal:
    """A file to which lines are added."""

    def __init__(self, path):
        self.path = path
        self.sound = 0

    def replay(self, apply):
        """Hand every record to apply, which raises if no call could have written it."""
        try:
            with open(self.path, "rb") as file:
                lines = file.read().split(b"\n")
        except FileNotFoundError:
            return
        tail = lines.pop()
        for number, line in enumerate(lines, 1):
            try:
                apply(from_line(line))
            except (ValueError, KeyError, TypeError, IndexError, AttributeError, TitanError):
                if number < len(lines) or tail:
                    raise JournalError(number) from None
                return
            self.sound += len(line) + 1

    def append(self, record):
        """Add a record behind the last sound line."""
        line = to_line(record)
        mode = "r+b" if os.path.exists(self.path) else "xb"
        with open(self.path, mode) as file:
            file.truncate(self.sound)
            file.seek(self.sound)
            file.write(line)
        self.sound += len(line)
