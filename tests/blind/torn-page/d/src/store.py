"""A map of text keys to bytes in one append-only file.

Layout: MAGIC, then records. A record is

    length of the body   8 bytes
    length of the key    4 bytes
    kind                 1 byte
    checksum             4 bytes, CRC-32 of the three fields above and of the body
    body                 key in UTF-8, then value
"""

from __future__ import annotations

import os
import struct
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Iterable, Iterator

MAGIC = b"TornPage/1\n"

_KIND_VALUE, _KIND_GONE = 1, 2
_FIELDS = struct.Struct("!QIB")
_CHECKSUM = struct.Struct("!I")
_PREFIX_SIZE = _FIELDS.size + _CHECKSUM.size


@dataclass(frozen=True)
class Change:
    """A key and its new value; None if it is gone."""

    key: bytes
    value: bytes | None


def encode_record(change: Change) -> bytes:
    """The bytes that stand for a change."""
    kind = _KIND_GONE if change.value is None else _KIND_VALUE
    body = change.key + (change.value or b"")
    fields = _FIELDS.pack(len(body), len(change.key), kind)
    return fields + _CHECKSUM.pack(zlib.crc32(body, zlib.crc32(fields))) + body


def read_record(data: memoryview) -> tuple[Change, int] | None:
    """The change at the beginning of the data and the size of its record; None if it is not whole and sound."""
    if len(data) < _PREFIX_SIZE:
        return None
    body_size, key_size, kind = _FIELDS.unpack_from(data)
    size = _PREFIX_SIZE + body_size
    if size > len(data):
        return None
    body = data[_PREFIX_SIZE:size]
    (checksum,) = _CHECKSUM.unpack_from(data, _FIELDS.size)
    if checksum != zlib.crc32(body, zlib.crc32(data[: _FIELDS.size])):
        return None
    value = None if kind == _KIND_GONE else bytes(body[key_size:])
    return Change(bytes(body[:key_size]), value), size


def read_records(data: bytes) -> Iterator[tuple[Change, int]]:
    """All changes up to the first false record, each with the size of its record."""
    rest = memoryview(data)
    while (found := read_record(rest)) is not None:
        yield found
        rest = rest[found[1]:]


def write_book(path: Path, changes: Iterable[Change]) -> None:
    """Write a whole book to a new file, down to the disk."""
    with open(path, "wb") as file:
        file.write(MAGIC)
        for change in changes:
            file.write(encode_record(change))
        file.flush()
        os.fsync(file.fileno())


class Store:
    """Text keys and their bytes, kept in a file in which nothing is ever written over."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the book at path, or begin a new one.

        ValueError if there is a file that is not a book, OSError if the path can't be opened.
        """
        self._path = Path(path).absolute()
        self._entries: dict[str, bytes] = {}
        self._end = 0
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        self._file: BinaryIO = open(descriptor, "r+b")
        try:
            self._replay(self._file.read())
        except BaseException:
            self._file.close()
            raise

    def put(self, key: str, value: bytes) -> None:
        """Store a value under a key, in place of an earlier one."""
        self._require_key(key)
        if not isinstance(value, bytes):
            raise TypeError(f"a value must be bytes, not {type(value).__name__}")
        self._append(encode_record(Change(key.encode(), value)))
        self._entries[key] = value

    def get(self, key: str, default: object = None) -> object:
        """The value of a key, or the default if there is none."""
        self._require_key(key)
        return self._entries.get(key, default)

    def delete(self, key: str) -> bool:
        """Remove a key; False, and nothing is written, if it was not there."""
        if key not in self:
            return False
        self._append(encode_record(Change(key.encode(), None)))
        del self._entries[key]
        return True

    def keys(self) -> list[str]:
        """All keys in order."""
        self._require_open()
        return sorted(self._entries)

    def items(self) -> list[tuple[str, bytes]]:
        """All entries in the order of their keys."""
        self._require_open()
        return sorted(self._entries.items())

    def compact(self) -> None:
        """Swap the file for a new one with the present content only.

        An error before or in the swap passes through, and leaves everything as it was.
        """
        self._require_open()
        draft = self._path.with_name(self._path.name + ".fair-copy")
        try:
            write_book(draft, (Change(key.encode(), value) for key, value in self._entries.items()))
            self._swap(draft)
        except OSError:
            with suppress(FileNotFoundError):
                draft.unlink()
            raise

    def close(self) -> None:
        """End the work with the file; closing again does nothing."""
        self._file.close()

    def __contains__(self, key: str) -> bool:
        self._require_key(key)
        return key in self._entries

    def __len__(self) -> int:
        self._require_open()
        return len(self._entries)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _replay(self, data: bytes) -> None:
        """Take in what is sound in the file, and cut off the rest."""
        if not data.startswith(MAGIC):
            if not MAGIC.startswith(data):
                raise ValueError(f"{self._path} is not a book of ours")
            self._append(MAGIC)
            return
        self._end = len(MAGIC)
        for change, size in read_records(data[self._end:]):
            self._end += size
            self._remember(change)
        if self._end < len(data):
            self._file.truncate(self._end)

    def _remember(self, change: Change) -> None:
        key = change.key.decode()
        if change.value is None:
            self._entries.pop(key, None)
        else:
            self._entries[key] = change.value

    def _append(self, data: bytes) -> None:
        """Write behind the last sound record, and out of every buffer."""
        self._file.seek(self._end)
        self._file.write(data)
        self._file.flush()
        self._end += len(data)

    def _swap(self, draft: Path) -> None:
        """Put the draft in the place of the file; whether it works or not, the file is open afterwards."""
        self._file.close()
        try:
            os.replace(draft, self._path)
        finally:
            self._file = open(self._path, "r+b")
            self._end = self._file.seek(0, os.SEEK_END)

    def _require_open(self) -> None:
        if self._file.closed:
            raise ValueError("the store is closed")

    def _require_key(self, key: str) -> None:
        self._require_open()
        if not isinstance(key, str):
            raise TypeError(f"a key must be a str, not {type(key).__name__}")
