"""The file: its header, appending to it, repairing it, and putting another in its place."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from tornpage.codec import Codec
from tornpage.records import Record

HEADER = b"\x89TORNPAGE\r\n\x1a\n"


class Journal(Protocol):
    """A list of records that lasts."""

    def replay(self) -> Iterator[Record]:
        """All records, oldest first. What comes after the last sound one is cut off at the end."""

    def append(self, record: Record) -> None:
        """Write a record behind the last."""

    def rewrite(self, records: Iterable[Record]) -> None:
        """Put these records in the place of all others, or none of them."""

    def close(self) -> None:
        """Let go of the file."""


class FileJournal:
    """A journal in one file."""

    def __init__(self, path: str | Path, codec: Codec) -> None:
        """Open the file, or make it; ValueError if it is no journal."""
        self._path = Path(path).absolute()
        self._codec = codec
        self._file = self._open_file()
        try:
            self._claim()
        except BaseException:
            self._file.close()
            raise

    def replay(self) -> Iterator[Record]:
        """All records, oldest first. What comes after the last sound one is cut off at the end."""
        self._file.seek(0)
        data = self._file.read()
        end = len(HEADER)
        for record, end in self._codec.decode(data, end):
            yield record
        if end < len(data):
            self._file.truncate(end)

    def append(self, record: Record) -> None:
        """Write a record behind the last."""
        self._write(self._codec.encode(record))

    def rewrite(self, records: Iterable[Record]) -> None:
        """Put these records in the place of all others, or none of them."""
        draft = self._path.with_name(f"{self._path.name}.draft-{os.getpid()}")
        try:
            self._write_draft(draft, records)
            os.replace(draft, self._path)
        except OSError:
            with suppress(FileNotFoundError):
                draft.unlink()
            raise
        self._file.close()
        self._file = self._open_file()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _open_file(self) -> BinaryIO:
        mode = "r+b" if self._path.exists() else "x+b"
        return open(self._path, mode)

    def _claim(self) -> None:
        """Make sure that the header is there, and that the file is ours."""
        start = self._file.read(len(HEADER))
        if start == HEADER:
            return
        if not HEADER.startswith(start):
            raise ValueError(f"{self._path} is not a book of this archive")
        self._write(HEADER[len(start) :])

    def _write(self, data: bytes) -> None:
        self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _write_draft(self, draft: Path, records: Iterable[Record]) -> None:
        with open(draft, "wb") as file:
            file.write(HEADER)
            file.writelines(map(self._codec.encode, records))
            file.flush()
            os.fsync(file.fileno())
