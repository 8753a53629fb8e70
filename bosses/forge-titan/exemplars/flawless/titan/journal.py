"""A file of records, one to a line, that is only written at its end."""

import json
import os
import zlib

from titan.errors import JournalError

SUM_DIGITS = 8


def encode(record):
    """A record as a line: checksum, space, JSON, LF."""
    body = json.dumps(record, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)


def decode(line):
    """The record of a line, or None if it is not sound."""
    body = line[SUM_DIGITS + 1 : -1]
    # The checksum of nothing is 0, which agrees with a line of zeros.
    sound = body and line == b"%08x %s\n" % (zlib.crc32(body), body)
    return json.loads(body) if sound else None


class Journal:
    """Reads all records once, then adds others."""

    def __init__(self, path):
        """Remember the path; nothing is opened yet."""
        self._path = path
        self._file = None
        self._end = 0

    def read(self):
        """Every sound record, one at a time; a torn last line is passed over.

        Raises:
            JournalError: There is something after a line that is not sound.
        """
        try:
            file = open(self._path, "rb")
        except FileNotFoundError:
            return
        unsound = None
        with file:
            for number, line in enumerate(file, start=1):
                if unsound:
                    raise JournalError(self._path, unsound)
                record = decode(line)
                if record is None:
                    unsound = number
                    continue
                self._end += len(line)
                yield record

    def append(self, record):
        """Write a record behind the last sound one; it is in the file when this returns."""
        if self._file is None:
            self._file = open(self._path, "r+b" if os.path.exists(self._path) else "x+b")
            self._file.truncate(self._end)
            self._file.seek(self._end)
        line = encode(record)
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._end += len(line)

    def close(self):
        """Close the file, if it was ever opened."""
        if self._file is not None:
            self._file.close()
